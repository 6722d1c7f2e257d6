// A vector in place: objects that own what they hold.
#pragma once
#include <new>
#include <stdexcept>

namespace ex {
template <class T, int N>
class small_vector {
  alignas(T) unsigned char raw[N * sizeof(T)];
  int n = 0;

 public:
  using value_type = T;
  static constexpr int capacity = N;
  small_vector() = default;
  small_vector(const small_vector& o) {
    for (int i = 0; i < o.n; ++i) push_back(o[i]);
  }
  ~small_vector() { clear(); }
  void push_back(const T& x) {
    if (n == N) throw std::length_error("full");
    new (raw + n++ * sizeof(T)) T(x);
  }
  template <class... A>
  T& emplace_back(A... a) {
    push_back(T(a...));
    return (*this)[n - 1];
  }
  T& operator[](int i) {
    if (i >= n) throw std::out_of_range("i");
    return reinterpret_cast<T*>(raw)[i];
  }
  const T& operator[](int i) const {
    if (i >= n) throw std::out_of_range("i");
    return reinterpret_cast<const T*>(raw)[i];
  }
  int size() const { return n; }
  void clear() {
    while (n) reinterpret_cast<T*>(raw)[--n].~T();
  }
  template <class F>
  int count(F x) const {
    int k = 0;
    for (int i = 0; i < n; ++i) k += (*this)[i] == x;
    return k;
  }
};
template <class K, class V>
using Pairs = small_vector<V, 4>;
}  // namespace ex
