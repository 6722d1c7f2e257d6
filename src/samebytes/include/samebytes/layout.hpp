// What assertions about layout need in every dialect: offsets of members, and whether two types are one.
#pragma once

#if defined(__CUDACC_RTC__) && defined(__has_builtin)
#if !__has_builtin(__builtin_offsetof)
// NVRTC before CUDA 13.1; its own word for an address that is a constant.
#define SAMEBYTES_OFFSETOF(type, member) __INTADDR__(&(static_cast<type*>(0)->member))
#endif
#endif
#if !defined(SAMEBYTES_OFFSETOF)
#define SAMEBYTES_OFFSETOF(type, member) __builtin_offsetof(type, member)
#endif

namespace samebytes {

template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;

}  // namespace samebytes
