// Storage for what C++ has no type of its own for: values with a larger alignment, and atomics that are
// reached through an atomic_ref.
#pragma once

namespace samebytes {

// A value aligned to at least Align bytes, its size rounded up: an array's element, a pointee or a parameter.
template <class T, decltype(sizeof(0)) Align>
struct alignas(Align) aligned {
  T value;
};

// The bytes of an atomic T, without operations: cuda::atomic_ref, sycl::atomic_ref or std::atomic_ref of
// `value` has them. Aligned as libstdc++'s std::atomic: sizes that are powers of two up to 16 as a whole.
template <class T, decltype(sizeof(0)) Size = sizeof(T)>
struct alignas(Size <= 16 && (Size & (Size - 1)) == 0 && Size > alignof(T) ? Size : alignof(T)) atomic {
  T value;
};

}  // namespace samebytes
