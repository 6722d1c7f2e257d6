// What HIP's headers call of ROCm's device libraries for the places of threads and for barriers, by the
// compiler's own words: kernels that call no more of them need no such library. Where there is one, its own
// are used.
#pragma once

#define SAMEBYTES_BY_AXIS(of)               \
  {                                         \
    switch (axis) {                         \
      case 0:                               \
        return __builtin_amdgcn_##of##_x(); \
      case 1:                               \
        return __builtin_amdgcn_##of##_y(); \
      default:                              \
        return __builtin_amdgcn_##of##_z(); \
    }                                       \
  }
#define SAMEBYTES_WEAK extern "C" __device__ __attribute__((weak, const)) size_t
SAMEBYTES_WEAK __ockl_get_local_id(unsigned axis) SAMEBYTES_BY_AXIS(workitem_id) SAMEBYTES_WEAK
    __ockl_get_group_id(unsigned axis) SAMEBYTES_BY_AXIS(workgroup_id) SAMEBYTES_WEAK
    __ockl_get_local_size(unsigned axis) SAMEBYTES_BY_AXIS(workgroup_size) SAMEBYTES_WEAK
    __ockl_get_global_size(unsigned axis) SAMEBYTES_BY_AXIS(grid_size) SAMEBYTES_WEAK
    __ockl_get_num_groups(unsigned axis) {
  const size_t all = __ockl_get_global_size(axis), one = __ockl_get_local_size(axis);
  return (all + one - 1) / one;
}
extern "C" __device__ __attribute__((weak)) void __atomic_work_item_fence(__cl_mem_fence_flags,
                                                                          __memory_order, __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}
#undef SAMEBYTES_WEAK
#undef SAMEBYTES_BY_AXIS
