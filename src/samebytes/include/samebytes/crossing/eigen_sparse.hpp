// Eigen's SparseMatrix, compressed: numbers, the inner index of each, and where each column (row) begins.
#pragma once
#include <Eigen/SparseCore>

#include "matrix.hpp"

namespace samebytes {

template <class T, class I>
struct sparse_wire {
  numbers_wire<T> numbers;
  numbers_wire<I> inner, outer;
  std::int64_t rows, columns;
};

template <class T, int O, class I>
struct crossing<Eigen::SparseMatrix<T, O, I>, void> {
  using matrix = Eigen::SparseMatrix<T, O, I>;
  using wire = sparse_wire<T, I>;

  static matrix in(const wire& from) {
    const auto size = static_cast<Eigen::Index>(from.numbers.size);
    return Eigen::Map<const matrix>(from.rows, from.columns, size, from.outer.data, from.inner.data,
                                    from.numbers.data);
  }
  // What has room between its columns is packed.
  static void out(wire* to, const matrix& value, arena& memory) {
    const auto columns = static_cast<std::uint64_t>(value.outerSize()),
               size = static_cast<std::uint64_t>(value.nonZeros());
    to->rows = value.rows();
    to->columns = value.cols();
    if (value.isCompressed()) {
      to->numbers = {value.valuePtr(), size, 1};
      to->inner = {value.innerIndexPtr(), size, 1};
      to->outer = {value.outerIndexPtr(), columns + 1, 1};
      return;
    }
    T* numbers = memory.template take<T>(size);
    I *inner = memory.template take<I>(size), *outer = memory.template take<I>(columns + 1);
    to->numbers = {numbers, size, 1};
    to->inner = {inner, size, 1};
    to->outer = {outer, columns + 1, 1};
    *outer = 0;
    for (Eigen::Index j = 0; j < value.outerSize(); ++j) {
      outer[j + 1] = outer[j];
      for (typename matrix::InnerIterator each(value, j); each; ++each, ++outer[j + 1]) {
        ::new (static_cast<void*>(numbers++)) T(each.value());
        *inner++ = each.index();
      }
    }
  }
};

}  // namespace samebytes
