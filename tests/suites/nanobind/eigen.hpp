// What test_eigen.py calls: Eigen's matrices by value, by reference, as Map, as Ref, and over arrays of Python's.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <complex>
#include <samebytes/array.hpp>
#include <vector>

using Eigen::Dynamic;
template <class T, int Order>
using Any = Eigen::Matrix<T, Dynamic, Dynamic, Order>;
using Columns = Any<unsigned, Eigen::ColMajor>;
using Rows = Any<unsigned, Eigen::RowMajor>;
using Sparse = Eigen::SparseMatrix<float>;
using Complexes = Eigen::SparseMatrix<std::complex<double>>;
using One = Eigen::Matrix<double, 1, 1>;

inline Eigen::Vector3i vector(int a, int b, int c) { return {a, b, c}; }
inline Eigen::VectorXi counted(int n) { return Eigen::VectorXi::LinSpaced(n, 0, n - 1); }
inline Columns ones(int rows, int columns) { return Columns::Ones(rows, columns); }
inline int at(const Eigen::Vector3i& v, int i) { return v[i]; }
inline std::vector<int> listed(const Eigen::VectorXi& v) { return {v.data(), v.data() + v.size()}; }
inline unsigned sum_of(const Columns& m) { return m.sum(); }

inline Eigen::Vector3i add3(const Eigen::Vector3i& a, const Eigen::Vector3i& b) { return a + b; }
inline Eigen::RowVector3i add_row3(const Eigen::RowVector3i& a, const Eigen::RowVector3i& b) { return a + b; }
inline Eigen::Array3i add_array3(const Eigen::Array3i& a, const Eigen::Array3i& b) { return a + b; }
inline Eigen::Vector3i add_ref3(const Eigen::Ref<const Eigen::Vector3i>& a, const Eigen::Vector3i& b) {
  return a + b;
}
inline Eigen::VectorXi add_any(const Eigen::VectorXi& a, const Eigen::VectorXi& b) { return a + b; }
inline Columns add_columns(const Columns& a, const Columns& b) { return a + b; }
inline Rows add_rows(const Rows& a, const Rows& b) { return a + b; }
inline Columns add_maps(const Eigen::Map<Columns>& a, const Eigen::Map<const Columns>& b) { return a + b; }
inline Columns add_refs(const Eigen::Ref<const Columns>& a, const Eigen::Ref<const Columns>& b) { return a + b; }
inline void change_ref3(Eigen::Ref<Eigen::Vector3i> v) { v[2] = 123; }
inline void change_ref(Eigen::Ref<Eigen::VectorXi> v) { v[2] = 123; }
inline void change(Eigen::VectorXi& v) { v[2] = 123; }
inline One defaulted(One a = One::Zero(), One b = One::Ones()) { return a + b; }
inline double number(One a) { return a(0, 0); }

class Member {
 public:
  Eigen::MatrixXd member = Eigen::Matrix2d::Ones();
  Member() {}
  Member(const Member&) = delete;
  const Eigen::MatrixXd& shown() const { return member; }
  Eigen::MatrixXd copied() const { return member; }
};
inline double total(const Eigen::MatrixXd& m) { return m.sum(); }
inline Eigen::MatrixXd twice(const Eigen::MatrixXd& m) { return 2 * m; }
class Buffer {
  unsigned numbers[30] = {};

 public:
  Buffer() {}
  Eigen::Map<Eigen::Array<unsigned, 10, 3>> map() { return Eigen::Map<Eigen::Array<unsigned, 10, 3>>(numbers); }
  samebytes::array<unsigned, 2> shown() { return {numbers, {10, 3}, {1, 10}}; }
};
struct Base {
  virtual ~Base() = default;
  virtual void change(Eigen::Ref<Eigen::VectorXd>) {}
};
inline double changed(Base& base) { Eigen::VectorXd v(2); v.setOnes(); base.change(v); return v.sum(); }

inline Sparse sparse(int n) {
  Sparse m(n, n);
  for (int i = 0; i < n; ++i) m.insert(i, i) = i + 1;
  return m;
}
inline long nonzeros(const Sparse& m) { return m.nonZeros(); }
inline Sparse same_sparse(const Sparse& m) { return m; }
inline int which(const Sparse&) { return 1; }
inline int which(const Eigen::MatrixXf&) { return 2; }
inline void to_zero(Eigen::Map<Sparse> m) { m.coeffs().setZero(); }
inline long nonzeros_of_complex(const Complexes& m) { return m.nonZeros(); }
inline bool compressed(const Sparse& m) { return m.isCompressed(); }

// The way that works: arrays at the boundary, Eigen's maps inside.
template <class T>
Eigen::Map<Any<T, 0>, 0, Eigen::Stride<Dynamic, Dynamic>> map(samebytes::array<T, 2> a) {
  return {a.data, Eigen::Index(a.shape[0]), Eigen::Index(a.shape[1]), {a.stride(1), a.stride(0)}};
}
inline void add(samebytes::array<unsigned, 2> a, samebytes::array<unsigned, 2> b, samebytes::array<unsigned, 2> out) {
  map(out) = map(a) + map(b);
}
inline void double_all(samebytes::array<unsigned, 2> a) { map(a) *= 2; }
inline std::vector<int> add_vectors(const std::vector<int>& a, const std::vector<int>& b) {
  using Map = Eigen::Map<const Eigen::VectorXi>;
  std::vector<int> out(a.size());
  Eigen::Map<Eigen::VectorXi>(out.data(), out.size()) = Map(a.data(), a.size()) + Map(b.data(), b.size());
  return out;
}
struct Triplets {
  std::vector<float> values;
  std::vector<int> inner, outer;
};
inline Triplets transposed(const std::vector<float>& values, const std::vector<int>& inner,
                           const std::vector<int>& outer, int rows, int columns) {
  Sparse m = Eigen::Map<const Sparse>(rows, columns, values.size(), outer.data(), inner.data(), values.data())
                 .transpose();
  return {{m.valuePtr(), m.valuePtr() + m.nonZeros()},
          {m.innerIndexPtr(), m.innerIndexPtr() + m.nonZeros()},
          {m.outerIndexPtr(), m.outerIndexPtr() + m.outerSize() + 1}};
}
