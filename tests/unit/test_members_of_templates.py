"""Members of class templates that only their instantiations settle: scoped enumerations, and which constructors."""

from __future__ import annotations

import warnings

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = r"""
#include <initializer_list>
#include <string>
#include <vector>
template <class T> class Tree {
 public:
  enum class Order { in, pre = sizeof(T), post };
  enum class Hint : unsigned char;
  enum Old { low, high = 7 };
  std::vector<int> items(Order o = Order::in) const { return {int(o)}; }
  struct Node { enum class Kind : short { leaf = -2, inner }; Kind kind() const { return Kind::inner; } };
};
using Chars = Tree<char>;
using Longs = Tree<long>;

struct NoLog {};
struct VecLog { int lines = 3; };
template <class T> struct Checked { static T get(const std::vector<T>& v, std::size_t i) { return v.at(i); } };
template <class T> struct Wrapped { static T get(const std::vector<T>& v, std::size_t i) { return v[i % v.size()]; } };
template <class T, template <class> class Access = Checked, class Log = NoLog> class Array : private Log {
  std::vector<T> v;
 public:
  Array() = default;
  Array(std::initializer_list<T> l) : v(l) {}
  explicit Array(int n) : v(n) {}
  T get(std::size_t i) const { return Access<T>::get(v, i); }
  int size() const { return int(v.size()); }
  using type = T;
};
using Plain = Array<int>;
using Ring = Array<int, Wrapped, VecLog>;

struct Dog {
  std::string name;
  Dog(std::string name) : name(name) {}
  Dog(const char* first, int n) : name(first + std::to_string(n)) {}
};
template <class T> struct Loud : T {
  using T::T;
  std::string shout() const { return this->name + "!"; }
};
using LoudDog = Loud<Dog>;
using Louder = Loud<Loud<Dog>>;
template <class... Ts> struct All : Ts... { using Ts::get...; };
struct A { int get(int) { return 1; } };
struct B { int get(double) { return 2; } };
using Both = All<A, B>;
"""


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sb.compile(SOURCE)


def test_scoped_enumerations_have_their_members(lib: sb.Library) -> None:
    assert [(e.name, e.value) for e in lib.Chars.Order] == [("in", 0), ("pre", 1), ("post", 2)]
    assert lib.Longs.Order.pre.value == 8
    assert [e.value for e in lib.Chars.Old] == [0, 7]
    assert [e.value for e in lib.Chars.Node.Kind] == [-2, -1]


def test_they_are_taken_and_given(lib: sb.Library) -> None:
    assert lib.Longs().items(lib.Longs.Order.post).tolist() == [9]
    assert lib.Longs().items().tolist() == [0]
    assert lib.Chars.Node().kind() is lib.Chars.Node.Kind.inner


def test_constructors_where_a_private_base_is_an_argument(lib: sb.Library) -> None:
    assert (lib.Ring([5, 6]).get(3), lib.Ring([5, 6]).size(), lib.Ring(4).size()) == (6, 2, 4)
    assert lib.Plain([1, 2]).get(1) == 2
    with pytest.raises(IndexError):
        lib.Plain([1, 2]).get(2)


def test_constructors_of_a_base_that_is_a_parameter(lib: sb.Library) -> None:
    assert lib.LoudDog("rex").shout() == "rex!"
    assert lib.LoudDog("rex", 2).shout() == "rex2!"
    assert lib.Louder("bo").shout() == "bo!"


def test_nothing_of_it_is_absent_without_a_word(lib: sb.Library) -> None:
    said = " ".join(str(one) for one in lib.__skipped__)
    assert "Array" not in said
    assert "Loud" not in said
    assert "type-parameter" not in said
