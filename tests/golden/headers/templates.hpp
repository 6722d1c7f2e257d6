// Templates: instantiations are completed before their layout is asked; templates themselves are skipped.
#include <array>
#include <complex>
#include <utility>
template <class T, int N>
struct Small {
  T data[N];
};
template <class T>
struct Base {
  T base;
};
template <class T>
struct Derived : Base<T> {
  T own;
};
template <class T>
struct Wrap {
  Small<T, 2> inner;
  Small<Small<T, 3>, 2> deep;
};
template <class T>
struct Owning {
  T* p;
  ~Owning() { delete p; }
};
template <>
struct Small<bool, 1> {
  unsigned char only;
};
using Float3 = Small<float, 3>;
template <class T>
using Alias = Small<T, 4>;
template <class T>
T generic(T x) { return x; }
template <int N>
int counted(int x) { return x * N; }
template <class T>
constexpr T pi = T(3.25);
template <>
inline int generic<int>(int x) { return x + 1; }
Float3 by_alias(Float3 x);
Small<double, 2> by_name(const Small<int, 2>& x);
Alias<float> by_alias_template(Alias<float> x);
void by_pointer(Small<char, 8>* p);
Wrap<float> wrapped(Wrap<float> w);
Derived<int> derived(Derived<int> d);
int owning(Owning<int> o);
std::complex<float> complex(std::complex<double> z, const std::complex<float>* p);
std::complex<long double> wide_complex();
std::array<float, 3> array(std::array<float, 3> x, const std::array<int, 4>& y);
std::pair<int, float> pair(std::pair<int, float> p);
