// What test_ndarray.py calls: arrays by type, shape, order and device, and arrays that C++ gives.
#define mini Kokkos
#include "mini_mdspan.hpp"
#undef mini
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <samebytes/array.hpp>
#include <span>
#include <string>
#include <vector>
template <class T, std::size_t N>
using Array = samebytes::array<T, N>;
constexpr std::size_t any = Kokkos::dynamic_extent;
template <class T, class L>
using Matrix = Kokkos::mdspan<T, Kokkos::extents<int, any, any>, L>;
using Float = std::complex<float>;
inline int ended = 0;
static float floats[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int ints[8] = {1, 2, 3, 4, 5, 6, 7, 8};

inline std::vector<std::int64_t> facts(const DLTensor* t) {
  if (!t) return {};
  std::vector<std::int64_t> f{t->device.device_type, t->device.device_id, t->dtype.code, t->dtype.bits,
                              t->ndim};
  f.insert(f.end(), t->shape, t->shape + t->ndim);
  f.insert(f.end(), t->strides, t->strides + t->ndim);
  return f;
}
inline bool is_null(const DLTensor* t = nullptr) { return !t; }
inline std::size_t size(Array<const double, 3> a) { return a.size(); }
inline void of_uint32(Array<std::uint32_t, 1>) {}
inline void of_float(Array<float, 1>) {}
inline void of_const_float(Array<const float, 1>) {}
inline void of_complex(Array<Float, 1>) {}
inline void of_const_complex(Array<const Float, 1>) {}
inline void of_bool(Array<bool, 1>) {}
inline float three_by_four(const float (&a)[3][4]) { return a[2][3]; }
inline float any_by_five_by_four(const float (*a)[5][4]) { return a ? 1 : 0; }
inline int any_by_two(Kokkos::mdspan<const float, Kokkos::extents<int, any, 2>> a) { return a.extent(0); }
inline std::string order(Matrix<const double, Kokkos::layout_right>) { return "C"; }
inline std::string order(Matrix<const double, Kokkos::layout_left>) { return "F"; }
inline bool rows(Matrix<const float, Kokkos::layout_right>) { return true; }
inline bool columns(Matrix<const float, Kokkos::layout_left>) { return true; }
inline long stride(Array<const float, 2> a, int d) { return a.stride(d); }
inline std::array<long, 2> complex_strides(Array<const Float, 2> a) { return {a.stride(0), a.stride(1)}; }
inline std::string start(std::span<unsigned char, 10> x) {
  for (int i = 0; i < 10; ++i) x[i] = i;
  return "bytes";
}
inline std::string start(Array<float, 1> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x(i) = i;
  return "row";
}
inline std::string start(Array<float, 2> x) {
  int k = 0;
  for (std::size_t i = 0; i < x.shape[0]; ++i)
    for (std::size_t j = 0; j < x.shape[1]; ++j) x(i, j) = k++;
  return "matrix";
}
inline void brighter(std::uint8_t (*pixels)[5][3], int n) {
  for (int i = 0; i < n; ++i)
    for (auto& row : pixels[i])
      for (auto& c : row) c = std::min(255, c * 2);
}
inline int bytes(const unsigned char* data, int n) {
  int s = 0;
  while (n--) s += *data++;
  return s;
}
inline Array<float, 2> grid() { return {floats, {2, 4}, {4, 1}}; }
inline Array<const float, 2> const_grid() { return {floats, {2, 4}, {4, 1}}; }
inline Array<const float, 2> const_columns() { return {floats, {2, 4}, {1, 2}}; }
inline Array<float, 1> same(Array<float, 1> a) { return a; }
inline std::vector<float> copied(Array<const float, 1> a) { return {a.data, a.data + a.size()}; }
inline std::vector<float> owned() { return {1, 2, 3, 4, 5, 6, 7, 8}; }
inline std::vector<float> empty() { return {}; }
inline std::vector<double> one() { return {1}; }
inline std::array<float, 3> on_the_stack() { return {1, 2, 3}; }
inline std::unique_ptr<float[]> unmeasured() { return std::make_unique<float[]>(8); }
inline float (&reference())[8] { return floats; }
inline void fill(double* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i + 1;
}
inline float first(Array<const float, 1> a) { return a(0); }
inline float changed(Array<float, 1> a) { return a(0) += 0; }
inline double peek(Array<const double, 1> a) { return a(3); }
inline double by_value(Array<double, 1> a) {
  a(1) = 1.5;
  return a(3);
}
inline double by_const_reference(const Array<double, 1>& a) {
  a(1) = 1.5;
  return a(3);
}
inline double by_rvalue(Array<double, 1>&& a) {
  a(1) = 1.5;
  return a(3);
}
inline void twice(Array<float, 2> x) {
  for (std::size_t i = 0; i < x.shape[0]; ++i)
    for (std::size_t j = 0; j < x.shape[1]; ++j) x(i, j) *= 2;
}
inline void numbered(Array<float, 2> x) {
  for (std::size_t i = 0; i < x.shape[0]; ++i)
    for (std::size_t j = 0; j < x.shape[1]; ++j) x(i, j) = i * 10 + j;
}
inline void turned(Array<Float, 2> x) {
  for (std::size_t i = 0; i < x.shape[0]; ++i)
    for (std::size_t j = 0; j < x.shape[1]; ++j) x(i, j) *= Float(-1, 2);
}
inline void set(double* data, std::uint32_t) { data[0] = 123; }
inline void set(std::complex<double>* data, std::uint32_t) { data[0] = 123; }
inline samebytes::array<const int, 1> ints_of(bool) { return {ints, {8}, {1}}; }
class Block {
 public:
  float data[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  Block() {}
  Block(const Block&) = delete;
  ~Block() { ++ended; }
  Array<float, 1> view() { return {data, {10}, {1}}; }
  std::vector<float> copy() const { return {data, data + 10}; }
  float* address() { return data; }
};
struct Matrix4 {
  float m[4][4];
  Array<float, 2> columns() { return {&m[0][0], {4, 4}, {1, 4}}; }
  std::array<std::array<float, 4>, 4> copy() const {
    std::array<std::array<float, 4>, 4> a;
    for (int i = 0; i < 4; ++i) std::copy(m[i], m[i] + 4, a[i].begin());
    return a;
  }
};
struct Wrapper {
  Array<float, 1> value;
};
class Holds {
  std::vector<double> d{0, 1, 2, 3, 4};

 public:
  Holds() {}
  Holds(const Holds&) = delete;
  void mutate() {
    for (double& x : d) x += 0.5;
  }
  Array<double, 1> shown() { return {d.data(), {d.size()}, {1}}; }
};
