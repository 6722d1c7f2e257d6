// The address of an array in a device's memory, as a parameter of a function of the host: Python gives such
// functions arrays that lie there, and refuses those of the host.
//
//   void scale(samebytes::device_ptr<float> x, int n, float by);                            // of any device
//   void scale(samebytes::device_ptr<const float, samebytes::on_cuda> x, float* y);         // of CUDA's
#pragma once

namespace samebytes {

struct on_device {};
struct on_cuda {};
struct on_hip {};
struct on_sycl {};

// Machine representation: T*. The host does not follow it: what takes memory of a device gets the address.
template <class T, class Where = on_device>
struct device_ptr {
  using element_type = T;
  T* address;

  constexpr T* get() const noexcept { return address; }
  constexpr operator T*() const noexcept { return address; }
};

}  // namespace samebytes
