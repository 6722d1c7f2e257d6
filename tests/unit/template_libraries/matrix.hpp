// Matrices of fixed extents: operators that are templates, friends and members.
#pragma once

namespace la {
template <class T, int R, int C>
struct Matrix {
  T data[R * C];
  static constexpr int rows = R, cols = C;
  T& operator()(int r, int c) { return data[r * C + c]; }
  T operator()(int r, int c) const { return data[r * C + c]; }
  Matrix<T, C, R> transposed() const {
    Matrix<T, C, R> m;
    for (int r = 0; r < R; ++r)
      for (int c = 0; c < C; ++c) m(c, r) = (*this)(r, c);
    return m;
  }
  template <int K>
  Matrix<T, R, K> operator*(const Matrix<T, C, K>& o) const {
    Matrix<T, R, K> m{};
    for (int r = 0; r < R; ++r)
      for (int k = 0; k < K; ++k)
        for (int c = 0; c < C; ++c) m(r, k) += (*this)(r, c) * o(c, k);
    return m;
  }
  Matrix& operator+=(const Matrix& o) {
    for (int i = 0; i < R * C; ++i) data[i] += o.data[i];
    return *this;
  }
  friend Matrix operator+(Matrix a, const Matrix& b) { return a += b; }
  friend bool operator==(const Matrix& a, const Matrix& b) {
    for (int i = 0; i < R * C; ++i)
      if (a.data[i] != b.data[i]) return false;
    return true;
  }
  template <class U>
  Matrix<U, R, C> cast() const {
    Matrix<U, R, C> m;
    for (int i = 0; i < R * C; ++i) m.data[i] = U(data[i]);
    return m;
  }
};
template <class T, int R, int C>
Matrix<T, R, C> operator*(T k, Matrix<T, R, C> m) {
  for (auto& x : m.data) x *= k;
  return m;
}
template <class T, int R, int C>
Matrix<T, R, C> operator-(Matrix<T, R, C> m) {
  for (auto& x : m.data) x = -x;
  return m;
}
template <class T, int R, int C>
Matrix<T, R, C> operator-(Matrix<T, R, C> a, const Matrix<T, R, C>& b) {
  for (int i = 0; i < R * C; ++i) a.data[i] -= b.data[i];
  return a;
}
template <class T, int R, int C>
T trace(const Matrix<T, R, C>& m) {
  T s{};
  for (int i = 0; i < R && i < C; ++i) s += m(i, i);
  return s;
}
}  // namespace la
