// Eigen's matrices and arrays, and the Map and the Ref that show elements of others.
#pragma once
#include <Eigen/Core>

#include "matrix.hpp"

namespace samebytes {

template <class M>
struct eigen_facts {
  using number = typename M::Scalar;
  using wire = matrix_wire<number>;
  static constexpr bool rows_first = M::IsRowMajor;
  static constexpr Eigen::Index rows = M::RowsAtCompileTime, columns = M::ColsAtCompileTime;
  static constexpr bool is_row = rows == 1 && columns != 1;

  static bool fits(Eigen::Index is, Eigen::Index fixed, Eigen::Index most) {
    return (fixed == Eigen::Dynamic || is == fixed) && (most == Eigen::Dynamic || is <= most);
  }
  static void check(const wire& from) {
    matrix_fits(fits(from.rows, rows, M::MaxRowsAtCompileTime) &&
                fits(from.columns, columns, M::MaxColsAtCompileTime));
  }
};

template <class M>
struct crossing_eigen : eigen_facts<M> {
  using facts = eigen_facts<M>;
  using typename facts::wire;
  static M in(const wire& from) {
    facts::check(from);
    M made;
    made.resize(from.rows, from.columns);
    matrix_copy(made.data(), from, facts::rows_first);
    return made;
  }
  static void out(wire* to, const M& value, arena&) {
    matrix_lies(to, value.data(), value.rows(), value.cols(), facts::rows_first);
  }
};
template <class T, int R, int C, int O, int MR, int MC>
struct crossing<Eigen::Matrix<T, R, C, O, MR, MC>, void> : crossing_eigen<Eigen::Matrix<T, R, C, O, MR, MC>> {
};
template <class T, int R, int C, int O, int MR, int MC>
struct crossing<Eigen::Array<T, R, C, O, MR, MC>, void> : crossing_eigen<Eigen::Array<T, R, C, O, MR, MC>> {};

template <int O, int I>
Eigen::Stride<O, I> eigen_stride(const Eigen::Stride<O, I>*, Eigen::Index outer, Eigen::Index inner) {
  return {outer, inner};
}
template <int I>
Eigen::InnerStride<I> eigen_stride(const Eigen::InnerStride<I>*, Eigen::Index, Eigen::Index inner) {
  return Eigen::InnerStride<I>(inner);
}
template <int O>
Eigen::OuterStride<O> eigen_stride(const Eigen::OuterStride<O>*, Eigen::Index outer, Eigen::Index) {
  return Eigen::OuterStride<O>(outer);
}

// P: what is shown, const where C++ only reads; O: its alignment; S: the class of the strides; V: the class
// itself.
template <class V, class P, int O, class S>
struct crossing_shown : eigen_facts<typename std::remove_const<P>::type> {
  using facts = eigen_facts<typename std::remove_const<P>::type>;
  using typename facts::number;
  using typename facts::wire;
  using element = typename std::conditional<std::is_const<P>::value, const number, number>::type;

  template <class To>
  static Eigen::Map<P, O, To> map(const wire& from) {
    facts::check(from);
    constexpr Eigen::Index fixed_inner = To::InnerStrideAtCompileTime,
                           fixed_outer = To::OuterStrideAtCompileTime;
    const Eigen::Index neighbours = facts::rows_first ? from.columns : from.rows,
                       lines = facts::rows_first ? from.rows : from.columns;
    Eigen::Index inner = facts::rows_first ? from.right : from.down,
                 outer = facts::rows_first ? from.down : from.right;
    // The stride of a dimension of one index, or of no elements, is never used: it is what the class asks
    // for.
    const bool empty = from.rows == 0 || from.columns == 0;
    constexpr Eigen::Index asked = fixed_inner > 0 ? fixed_inner : 1;
    if (neighbours <= 1 || empty) inner = asked;
    if (lines <= 1 || empty) outer = fixed_outer > 0 ? fixed_outer : neighbours * inner;
    matrix_fits(fixed_inner == Eigen::Dynamic ? inner > 0 : inner == asked);
    matrix_fits(fixed_outer == Eigen::Dynamic ? outer > 0 || empty
                                              : outer == (fixed_outer ? fixed_outer : neighbours * inner));
    matrix_fits(O == 0 || reinterpret_cast<std::uintptr_t>(from.data) % (O ? O : 1) == 0);
    return Eigen::Map<P, O, To>(const_cast<element*>(from.data), from.rows, from.columns,
                                eigen_stride(static_cast<const To*>(nullptr), fixed_outer == 0 ? 0 : outer,
                                             fixed_inner == 0 ? 0 : inner));
  }
  static void out(wire* to, const V& value, arena& memory) {
    matrix_shown(to, value.rows(), value.cols(), memory,
                 [&](Eigen::Index i, Eigen::Index j) { return value.coeff(i, j); });
  }
};
template <class P, int O, class S>
struct crossing<Eigen::Map<P, O, S>, void> : crossing_shown<Eigen::Map<P, O, S>, P, O, S> {
  static Eigen::Map<P, O, S> in(const typename crossing::wire& from) {
    return crossing::template map<S>(from);
  }
};
template <class P, int O, class S>
struct crossing<Eigen::Ref<P, O, S>, void> : crossing_shown<Eigen::Ref<P, O, S>, P, O, S> {
  static Eigen::Ref<P, O, S> in(const typename crossing::wire& from) {
    return Eigen::Ref<P, O, S>(crossing::template map<S>(from));
  }
};

}  // namespace samebytes
