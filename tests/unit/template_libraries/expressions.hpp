// Expression templates: operators give objects that refer to their operands.
#pragma once
#include <vector>

namespace ex {
template <class E>
struct Expr {
  const E& self() const { return static_cast<const E&>(*this); }
  double at(int i) const { return self().eval(i); }
  int size() const { return self().length(); }
};
template <class T>
struct Vec : Expr<Vec<T>> {
  std::vector<T> v;
  explicit Vec(int n, T x = T()) : v(n, x) {}
  template <class E>
  Vec(const Expr<E>& e) {
    for (int i = 0; i < e.size(); ++i) v.push_back(T(e.at(i)));
  }
  double eval(int i) const { return v[i]; }
  int length() const { return (int)v.size(); }
  T& operator[](int i) { return v[i]; }
};
template <class L, class R>
class Sum : public Expr<Sum<L, R>> {
  const L& l;
  const R& r;

 public:
  Sum(const L& a, const R& b) : l(a), r(b) {}
  double eval(int i) const { return l.eval(i) + r.eval(i); }
  int length() const { return l.length(); }
};
template <class L>
class Scaled : public Expr<Scaled<L>> {
  const L& l;
  double k;

 public:
  Scaled(const L& a, double b) : l(a), k(b) {}
  double eval(int i) const { return k * l.eval(i); }
  int length() const { return l.length(); }
};
template <class L, class R>
Sum<L, R> operator+(const Expr<L>& a, const Expr<R>& b) {
  return {a.self(), b.self()};
}
template <class L>
Scaled<L> operator*(const Expr<L>& a, double k) {
  return {a.self(), k};
}
template <class E>
double total(const Expr<E>& e) {
  double s = 0;
  for (int i = 0; i < e.size(); ++i) s += e.at(i);
  return s;
}
}  // namespace ex
