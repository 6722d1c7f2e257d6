// Armadillo's matrices and vectors, which own their elements, columns first.
#pragma once
#include <armadillo>

#include "matrix.hpp"

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

}  // namespace samebytes
