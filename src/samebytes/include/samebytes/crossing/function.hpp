// std::function made of a C function: where that runs a Python callable, it keeps the callable alive.
#pragma once
#include <memory>
#include <utility>

// Who keeps what is behind a C function, in any thread, with or without the GIL: null is nobody, and what
// `keep` gave `drop` takes back. Null where no core has loaded the library. Defined in report.cpp.
struct samebytes_function_api {
  void* (*keep)(void* function);
  void (*drop)(void* kept);
};
extern "C" __attribute__((visibility("protected"))) const samebytes_function_api* samebytes_keep_function;

namespace samebytes {

template <class Holder, class R, class... A>
Holder function_of(R (*plain)(A...)) {
  const samebytes_function_api* const api = samebytes_keep_function;
  void* const kept = plain && api ? api->keep(reinterpret_cast<void*>(plain)) : nullptr;
  if (!kept) return Holder(plain);
  const std::shared_ptr<void> held(kept, api->drop);
  return Holder([held, plain](A... values) -> R { return plain(static_cast<A&&>(values)...); });
}

}  // namespace samebytes
