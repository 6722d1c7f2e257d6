// What an object's operator<< writes to a stream, as text.
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

namespace samebytes {

template <class T>
std::string streamed(T& object) {
  std::ostringstream stream;
  stream << object;
#ifdef __cpp_exceptions
  if (!stream) throw std::runtime_error("operator<< says that its stream failed");
#endif
  return stream.str();
}

}  // namespace samebytes
