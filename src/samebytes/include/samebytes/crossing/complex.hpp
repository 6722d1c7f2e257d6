// std::complex: a number.
#pragma once
#include <complex>

#include "base.hpp"

namespace samebytes {

template <class T>
struct is_number<std::complex<T>> : std::true_type {};

}  // namespace samebytes
