"""Members of class templates that give other instantiations: of the same template, and of templates inside of it."""

from __future__ import annotations

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = r"""
#include <cstddef>
template <class T, std::size_t R, std::size_t C> struct Matrix {
  T a[R * C]{};
  Matrix<T, C, R> transpose() const {
    Matrix<T, C, R> m;
    for (std::size_t i = 0; i < R; ++i)
      for (std::size_t j = 0; j < C; ++j) m.a[j * R + i] = a[i * C + j];
    return m;
  }
  operator T() const { return a[R * C - 1]; }
};
using Matrix23 = Matrix<int, 2, 3>;

template <class T> class List {
  T items[3];
 public:
  template <class V> class Iter {
    V* p;
   public:
    explicit Iter(V* p) : p(p) {}
    V& operator*() const { return *p; }
    Iter& operator++() { ++p; return *this; }
    bool operator==(const Iter& o) const { return p == o.p; }
    bool operator!=(const Iter& o) const { return p != o.p; }
    bool operator<(const Iter& o) const { return p < o.p; }
    int at() const { return int(*p); }
    struct Step { int by; int twice() const { return 2 * by; } };
    template <class U> struct Cast { U u; U get() const { return u; } };
    Step step() const { return {4}; }
    Cast<double> cast() const { return {double(*p) / 2}; }
  };
  explicit List(T x) : items{x, T(x + 1), T(x + 2)} {}
  Iter<T> begin() { return Iter<T>(items); }
  Iter<T> end() { return Iter<T>(items + 3); }
  Iter<const T> cbegin() const { return Iter<const T>(items); }
  Iter<T> find(T x) { auto i = begin(); while (i != end() && *i != x) ++i; return i; }
};
using Ints = List<int>;
"""


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


def test_a_class_that_gives_another_of_its_template_that_gives_it(lib: sb.Library) -> None:
    m = lib.Matrix23(a=(1, 2, 3, 4, 5, 6))
    t = m.transpose()
    assert list(t.a) == [1, 4, 2, 5, 3, 6]
    assert list(t.transpose().a) == list(m.a)
    assert t + 1 == 7
    assert m * 2 == 12
    assert lib.Matrix[float, 3, 1]().transpose() + 0.5 == 0.5


@pytest.mark.parametrize("name", ["Ints", "Longs"])
def test_templates_inside_of_an_instantiation_have_their_members(lib: sb.Library, name: str) -> None:
    made = lib.Ints(5) if name == "Ints" else lib.List["long"](5)
    found = made.find(6)
    assert found == made.find(6)
    assert made.find(9) == made.end()
    assert found != made.end()
    assert found != made.end()
    assert found < made.end()
    assert found.at() == 6
    assert getattr(found, "operator*")() == 6
    assert made.cbegin().at() == 5
    assert made.cbegin() == made.cbegin()


def test_classes_inside_of_those(lib: sb.Library) -> None:
    found = lib.Ints(5).find(6)
    assert found.step().twice() == 8
    assert found.cast().get() == 3.0
