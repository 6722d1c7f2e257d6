// What follows from a view's address, shape and strides: ranges, orders, sizes.
#include "array/extents.hpp"
#include "ref.hpp"
#include "view/view.hpp"

namespace samebytes {

namespace {

struct Interval {
  int64_t low = 0, high = 0, size = 1;
  bool overflows = false, uncountable = false;
};

Interval interval_of(const View* v) {
  Interval r;
  for (int d = 0; d < v->ndim; ++d) {
    int64_t bytes;
    r.overflows |= __builtin_mul_overflow(v->shape[d] - 1, v->bytes[d], &bytes);
    int64_t& end = bytes < 0 ? r.low : r.high;
    r.overflows |= __builtin_add_overflow(end, bytes, &end);
    r.uncountable |= __builtin_mul_overflow(r.size, v->shape[d], &r.size);
  }
  return r;
}

// Whether the elements from `low` to `high` bytes beside the first lie inside the address space.
bool is_inside(const View* v, const Interval& r) {
  const auto at = reinterpret_cast<uintptr_t>(v->data);
  const int64_t itemsize = v->elements->itemsize;
  uintptr_t end;
  return !r.overflows && at >= uintptr_t{0} - static_cast<uintptr_t>(r.low) &&
         !__builtin_add_overflow(at, static_cast<uintptr_t>(r.high), &end) &&
         (!itemsize || end <= UINTPTR_MAX - static_cast<uintptr_t>(itemsize - 1));
}

// Strides in elements; those of the empty and of extents of 1 need not divide.
void divide(View* v) {
  const int64_t unit = v->elements->itemsize ? v->elements->itemsize : 1;
  const int shift = v->elements->shift;
  v->divisible = true;
  for (int d = 0; d < v->ndim; ++d) {
    const int64_t stride = v->bytes[d];
    const bool divides = shift >= 0 ? !(stride & (unit - 1)) : stride % unit == 0;
    if (unlikely(!divides) && v->shape[d] > 1 && v->size) v->divisible = false;
    v->strides[d] = !divides ? 0 : shift >= 0 ? stride >> shift : stride / unit;
    v->canonical[d] = v->strides[d];
  }
}

}  // namespace

bool is_fortran_contiguous(const View* v) {
  int64_t expected = v->elements->itemsize;
  for (int d = 0; d < v->ndim && v->size; ++d) {
    if (v->shape[d] > 1 && v->bytes[d] != expected) return false;
    expected *= v->shape[d];
  }
  return true;
}

void derive(View* v) {
  divide(v);
  v->c_order = v->size == 0 || is_c_contiguous(v->ndim, v->shape, v->bytes, v->elements->itemsize);
  if (!v->c_order) return;
  if (likely(v->size)) return c_strides(v->ndim, v->shape, v->canonical);
  int64_t next = 1;  // extents of an empty array are counted as 1, and their product may still overflow
  for (int d = v->ndim; d-- > 0;) {
    v->canonical[d] = next;
    if (v->shape[d] && __builtin_mul_overflow(next, v->shape[d], &next)) next = 1;
  }
}

namespace {

// What is written to one element would show in another. A part of what has no overlap has none.
void mark_overlap(View* v) {
  const int64_t itemsize = v->elements->itemsize;
  if (is_nested(v->ndim, v->shape, v->bytes, itemsize) || is_fortran_contiguous(v)) return;
  v->overlap = find_overlap(v->ndim, v->shape, v->bytes, itemsize);
}

}  // namespace

// Nothing below may overflow once this holds: the elements lie inside the address space, and can be counted.
bool settle(View* v) {
  for (int d = 0; d < v->ndim; ++d)
    if (unlikely(v->shape[d] < 0)) return value_error("an extent is negative");
  if (unlikely(is_empty(v->ndim, v->shape))) return v->size = 0, derive(v), true;
  const Interval interval = interval_of(v);
  int64_t bytes;
  if (unlikely(interval.uncountable)) return value_error("there are more elements than memory can hold");
  if (unlikely(__builtin_mul_overflow(interval.size, v->elements->itemsize, &bytes)))
    return value_error("there are more bytes than memory can hold");
  if (unlikely(!is_inside(v, interval))) return value_error("elements lie beyond the address space");
  if (unlikely(!v->data && v->elements->itemsize)) return value_error("there are elements, but no memory");
  v->size = interval.size;
  derive(v);
  if (!v->c_order) mark_overlap(v);
  return true;
}

}  // namespace samebytes
