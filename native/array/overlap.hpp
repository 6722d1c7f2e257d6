// Whether two elements of one array lie in the same bytes, so that what is written to one changes the other.
#pragma once
#include <cstdint>

namespace samebytes {

enum class Overlap : uint8_t { no, yes, unknown };  // unknown: it could not be told within bounded time

// Whether each dimension steps over all that lies in those behind it: most arrays, at the price of a loop.
// Then nothing overlaps. `unit` is the stride of neighbours: 1, or the itemsize where strides are bytes.
inline bool is_nested(int64_t ndim, const int64_t* shape, const int64_t* strides, int64_t unit) {
  int64_t reach = unit;
  for (int64_t d = ndim; d-- > 0;) {
    if (shape[d] == 1) continue;
    const int64_t step = strides[d] < 0 ? -strides[d] : strides[d];
    if (step < reach || __builtin_mul_overflow(step, shape[d], &reach)) return false;
  }
  return true;
}

// For any order of dimensions. Extents of 0 and 1 put no constraint on their stride.
Overlap find_overlap(int64_t ndim, const int64_t* shape, const int64_t* strides, int64_t unit);

inline bool may_overlap(int64_t ndim, const int64_t* shape, const int64_t* strides, int64_t unit) {
  return !is_nested(ndim, shape, strides, unit) && find_overlap(ndim, shape, strides, unit) != Overlap::no;
}

}  // namespace samebytes
