// What matrices of all libraries have in common: elements in a row, or as a stride for each dimension says.
#pragma once
#include <stdexcept>

#include "sequence.hpp"

namespace samebytes {

template <class T>
struct matrix_wire {
  const T* data;
  std::uint64_t size;
  std::int64_t step;
  std::int64_t rows, columns, down, right;  // strides in elements: to the next row, to the next column

  const T& operator()(std::int64_t i, std::int64_t j) const { return data[i * down + j * right]; }
  // Whether the elements lie in a row, without gaps, columns or rows first.
  bool lies(bool rows_first) const {
    return (rows <= 1 || down == (rows_first ? columns : 1)) &&
           (columns <= 1 || right == (rows_first ? 1 : rows));
  }
};

inline void matrix_fits(bool holds) {
  if (!holds) throw std::invalid_argument("the matrix cannot have this shape, or show such elements");
}

// Elements into memory of their number, rows or columns first.
template <class T>
void matrix_copy(T* to, const matrix_wire<T>& from, bool rows_first) {
  if (from.lies(rows_first)) {
    for (std::int64_t i = 0; i < from.rows * from.columns; ++i) to[i] = from.data[i];
  } else if (rows_first) {
    for (std::int64_t i = 0; i < from.rows; ++i)
      for (std::int64_t j = 0; j < from.columns; ++j) *to++ = from(i, j);
  } else {
    for (std::int64_t j = 0; j < from.columns; ++j)
      for (std::int64_t i = 0; i < from.rows; ++i) *to++ = from(i, j);
  }
}

// Elements that lie in a row where they are.
template <class T>
void matrix_lies(matrix_wire<T>* to, const T* data, std::int64_t rows, std::int64_t columns,
                 bool rows_first) {
  *to = {data,
         static_cast<std::uint64_t>(rows * columns),
         1,
         rows,
         columns,
         rows_first ? columns : 1,
         rows_first ? 1 : rows};
}

// A copy of what is only shown.
template <class T, class At>
void matrix_shown(matrix_wire<T>* to, std::int64_t rows, std::int64_t columns, arena& memory, At at) {
  T* const copy = memory.template take<T>(static_cast<std::size_t>(rows * columns));
  matrix_lies(to, copy, rows, columns, false);
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i) ::new (static_cast<void*>(copy + i + j * rows)) T(at(i, j));
}

}  // namespace samebytes
