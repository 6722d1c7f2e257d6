// Armadillo's matrices and vectors, which own their elements, columns first.
#pragma once
#include <armadillo>

#include "ndarray.hpp"

namespace samebytes {

template <class M>
struct crossing_arma {
  using wire = matrix_wire<typename M::elem_type>;
  static M in(const wire& from) {
    M made;
    made.set_size(static_cast<arma::uword>(from.rows), static_cast<arma::uword>(from.columns));
    matrix_copy(made.memptr(), from, false);
    return made;
  }
  static void out(wire* to, const M& value, arena&) {
    matrix_lies(to, value.memptr(), static_cast<std::int64_t>(value.n_rows),
                static_cast<std::int64_t>(value.n_cols), false);
  }
};
template <class T>
struct crossing<arma::Mat<T>, void> : crossing_arma<arma::Mat<T>> {};
template <class T>
struct crossing<arma::Col<T>, void> : crossing_arma<arma::Col<T>> {};
template <class T>
struct crossing<arma::Row<T>, void> : crossing_arma<arma::Row<T>> {};

// Slices of matrices: the last index is the slice, and the first the row, next to each other.
template <class T>
struct crossing<arma::Cube<T>, void> {
  using cube = arma::Cube<T>;
  using wire = nd_wire;
  static arma::uword extent(const wire& from, int d) {
    matrix_fits(from.rank == 3);
    return static_cast<arma::uword>(from.shape[d]);
  }
  static cube in(const wire& from) {
    cube made(extent(from, 0), extent(from, 1), extent(from, 2));
    nd_copy(made.memptr(), from, sizeof(T), false);
    return made;
  }
  static cube show(const wire& from) {
    return cube(static_cast<T*>(const_cast<void*>(from.data)), extent(from, 0), extent(from, 1),
                extent(from, 2), false);
  }
  static bool finish(const cube& shown, const wire& from) {
    return shown.memptr() == from.data && shown.n_rows == extent(from, 0) &&
           shown.n_cols == extent(from, 1) && shown.n_slices == extent(from, 2);
  }
  static void out(wire* to, const cube& value, arena&) {
    nd_describe(to, value.memptr(), 3, 0);
    const arma::uword all[] = {value.n_rows, value.n_cols, value.n_slices};
    std::int64_t step = sizeof(T);
    for (int i = 0; i < 3; step *= to->shape[i++]) {
      to->shape[i] = static_cast<std::int64_t>(all[i]);
      to->strides[i] = step;
    }
    nd_measure(to, sizeof(T));
  }
};

}  // namespace samebytes
