// What runs a grid of HIP's on the host: the threads of a block side by side, the blocks one after the other.
// The arguments come as the block that AMD's hardware reads, with each at the place that the compiled code
// says.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <barrier>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#undef __shared__
#define __shared__ static
#undef __launch_bounds__
#define __launch_bounds__(...)

static thread_local uint3 threadIdx, blockIdx;
static thread_local dim3 blockDim, gridDim;
static std::optional<std::barrier<>> block_barrier;
static std::mutex one_at_a_time;
inline void __syncthreads() { block_barrier->arrive_and_wait(); }
template <class T>
T atomicAdd(T* place, T more) {
  const std::scoped_lock lock(one_at_a_time);
  const T before = *place;
  return *place = before + more, before;
}

// Of an argument, which need not have a value before.
template <class T>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T)];
  T& value() { return *reinterpret_cast<T*>(bytes); }
};
template <class... T, size_t... I>
void run_grid(void (*kernel)(T...), std::index_sequence<I...>, const unsigned* d, const char* block) {
  size_t ends[sizeof...(T) + 1] = {0}, places[sizeof...(T) + 1] = {0};
  ((places[I] = (ends[I] + alignof(T) - 1) / alignof(T) * alignof(T), ends[I + 1] = places[I] + sizeof(T)),
   ...);
  std::tuple<Room<T>...> arguments;
  (std::memcpy(std::get<I>(arguments).bytes, block + places[I], sizeof(T)), ...);
  const unsigned threads = d[3] * d[4] * d[5];
  for (unsigned b = 0; b < d[0] * d[1] * d[2]; ++b) {
    block_barrier.emplace(threads);
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        blockDim = dim3(d[3], d[4], d[5]), gridDim = dim3(d[0], d[1], d[2]);
        threadIdx.x = t % d[3], threadIdx.y = t / d[3] % d[4], threadIdx.z = t / d[3] / d[4];
        blockIdx.x = b % d[0], blockIdx.y = b / d[0] % d[1], blockIdx.z = b / d[0] / d[1];
        kernel(std::get<I>(arguments).value()...);
      });
    for (auto& thread : all) thread.join();
  }
}
template <class... T>
void run_grid(void (*kernel)(T...), const unsigned* d, const char* block) {
  run_grid(kernel, std::index_sequence_for<T...>(), d, block);
}
