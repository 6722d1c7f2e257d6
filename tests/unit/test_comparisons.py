"""Comparisons that C++ writes by ``<=>`` or defaults, those of derived objects, and those that are not bound."""

from __future__ import annotations

import operator
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SIGNS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SOURCE = r"""
#include <compare>
#include <string>
struct FriendEqual {
  std::string s;
  FriendEqual(std::string a) : s(a) {}
  friend bool operator==(const FriendEqual&, const FriendEqual&) = default;
};
struct FriendOrder {
  std::string s;
  FriendOrder(std::string a) : s(a) {}
  friend auto operator<=>(const FriendOrder&, const FriendOrder&) = default;
};
class ByValue {
  int k;

 public:
  ByValue(int k) : k(k) {}
  friend auto operator<=>(ByValue, ByValue) = default;
};
struct Written {
  int k;
  friend std::strong_ordering operator<=>(const Written& a, const Written& b) { return a.k <=> b.k; }
};
struct Free {
  int k;
};
inline std::strong_ordering operator<=>(const Free& a, const Free& b) { return a.k <=> b.k; }
namespace n {
struct Mixed {
  int k;
  std::string s;
};
inline std::partial_ordering operator<=>(const Mixed& a, double b) { return a.k <=> b; }
inline bool operator==(const Mixed& a, double b) { return a.k == b; }
}  // namespace n
struct Later {
  int k;
  friend bool operator==(Later, Later);
};
inline bool operator==(Later, Later) = default;
template <class T>
struct Template {
  T k;
  friend auto operator<=>(const Template&, const Template&) = default;
};
using TemplateInt = Template<int>;
template <class T>
struct Apart {
  T k;
};
template <class T>
bool operator==(const Apart<T>& a, const Apart<T>& b) {
  return a.k % 10 == b.k % 10;
}
template <class T>
auto operator<=>(const Apart<T>& a, const Apart<T>& b) {
  return a.k <=> b.k;
}
using ApartInt = Apart<int>;

struct Expression {
  std::string t;
  Expression(std::string t) : t(t) {}
  Expression operator<(const Expression& o) const { return {t + "<" + o.t}; }
  Expression operator>(const Expression& o) const { return {t + ">" + o.t}; }
  Expression operator==(const Expression& o) const { return {t + "==" + o.t}; }
  Expression operator-(const Expression& o) const { return {t + "-" + o.t}; }
};
struct Variable : Expression {
  Variable(std::string n) : Expression(n) {}
};
struct Odd {
  bool operator<(const Odd&) const { return true; }
  bool operator>(const Odd&) const { return false; }
};
struct Odder : Odd {};
struct Oddest : Odder {};
struct Even {
  int n = 1;
  bool operator<(const Even& o) const { return n < o.n; }
  bool operator>(const Even& o) const { return n > o.n; }
};
struct Evener : Even {};

class NoTruth {
  int v = 3;

 public:
  explicit operator bool() const = delete;
};
struct NoTruthButSize {
  operator bool() const = delete;
  int size() const { return 0; }
};
struct NoEqual {
  int v;
  bool operator==(const NoEqual&) const = delete;
};
struct NoFreeEqual {
  int v;
};
bool operator==(const NoFreeEqual&, const NoFreeEqual&) = delete;
struct EqualToInt {
  int v;
  bool operator==(int o) const { return v == o; }
  bool operator==(const EqualToInt&) const = delete;
};
struct FreeEqualToInt {
  int v;
};
inline bool operator==(const FreeEqualToInt& a, int b) { return a.v == b; }
bool operator==(const FreeEqualToInt&, const FreeEqualToInt&) = delete;
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="comparisons", std="gnu++20")


def answers(one: Any, other: Any) -> list[bool]:
    return [compare(one, other) for compare in SIGNS.values()]


LESS, EQUAL, MORE = (
    [False, True, True, True, False, False],
    [True, False, False, True, False, True],
    [False, True, False, False, True, True],
)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("lib.FriendOrder('a')", "lib.FriendOrder('b')", LESS),
        ("lib.FriendOrder('a')", "lib.FriendOrder('a')", EQUAL),
        ("lib.ByValue(2)", "lib.ByValue(1)", MORE),
        ("lib.ByValue(1)", "lib.ByValue(1)", EQUAL),
        ("lib.Written(1)", "lib.Written(2)", LESS),
        ("lib.Free(1)", "lib.Free(2)", LESS),
        ("lib.n.Mixed(1, 'x')", "1.5", LESS),
        ("lib.n.Mixed(2, 'x')", "2.0", EQUAL),
        ("1.5", "lib.n.Mixed(1, 'x')", MORE),
        ("lib.TemplateInt(1)", "lib.TemplateInt(2)", LESS),
        ("lib.TemplateInt(1)", "lib.TemplateInt(1)", EQUAL),
        ("lib.ApartInt(1)", "lib.ApartInt(2)", LESS),
    ],
)
def test_what_cxx_writes_by_the_three_way_comparison(
    lib: Any, one: str, other: str, expected: list[bool]
) -> None:
    assert answers(eval(one), eval(other)) == expected


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("lib.FriendEqual('a')", "lib.FriendEqual('a')", True),
        ("lib.FriendEqual('a')", "lib.FriendEqual('b')", False),
        ("lib.Later(1)", "lib.Later(1)", True),
        ("lib.ApartInt(1)", "lib.ApartInt(11)", True),
    ],
)
def test_defaulted_friends_and_templates_are_equality(lib: Any, one: str, other: str, equal: bool) -> None:
    assert (eval(one) == eval(other), eval(one) != eval(other)) == (equal, not equal)


def test_nothing_of_it_is_left_out(lib: Any) -> None:
    assert {s.reason for s in lib.__skipped__} == {"it is deleted or marked unavailable"}


@pytest.mark.parametrize(("base", "derived"), [("Odd", "Odder"), ("Odd", "Oddest"), ("Odder", "Oddest")])
@pytest.mark.parametrize("sign", ["<", ">"])
def test_python_asks_the_derived_object_first_and_cxx_may_say_otherwise(
    lib: Any, base: str, derived: str, sign: str
) -> None:
    with pytest.raises(sb.ArgumentError, match=f"Python asks {derived} for both"):
        SIGNS[sign](getattr(lib, base)(), getattr(lib, derived)())
    assert SIGNS[sign](getattr(lib, base)(), getattr(lib, base)()) == (sign == "<")
    assert SIGNS[sign](getattr(lib, derived)(), getattr(lib, derived)()) == (sign == "<")


@pytest.mark.parametrize("sign", ["<", ">", "=="])
def test_results_that_are_no_truth_cannot_be_told_apart(lib: Any, sign: str) -> None:
    one, other = lib.Expression("a"), lib.Variable("x")
    with pytest.raises(sb.ArgumentError, match=r"Python asks Variable for both: write Variable\.__"):
        SIGNS[sign](one, other)
    assert (one - other).t == "a-x"
    assert SIGNS[sign](other, other).t == f"x{sign}x"
    assert lib.Expression.__lt__(one, other).t == "a<x"
    assert lib.Variable.__gt__.__wrapped__(other, one).t == "x>a"


def test_a_class_of_python_s_is_derived_too(lib: Any) -> None:
    class Mine(lib.Odd):
        pass

    with pytest.raises(sb.ArgumentError, match="Python asks Mine for both"):
        assert lib.Odd() < Mine()


def test_where_both_agree_nothing_is_refused(lib: Any) -> None:
    one, two = lib.Even(), lib.Evener()
    two.n = 2
    assert (one < two, one > two, two < one, two > one, two < two) == (True, False, False, True, False)


@pytest.mark.parametrize(
    "expression",
    [
        "bool(lib.NoTruth())",
        "bool(lib.NoTruthButSize())",
        "lib.NoEqual(1) == lib.NoEqual(1)",
        "lib.NoEqual(1) != lib.NoEqual(1)",
        "lib.NoFreeEqual(1) == lib.NoFreeEqual(1)",
        "lib.EqualToInt(1) == lib.EqualToInt(1)",
        "lib.EqualToInt(1) != lib.EqualToInt(1)",
        "lib.FreeEqualToInt(1) == lib.FreeEqualToInt(1)",
    ],
)
def test_what_cxx_deletes_python_does_not_make_up(lib: Any, expression: str) -> None:
    with pytest.raises(TypeError, match=r"is declared in C\+\+ and not bound: (.* )?it is deleted"):
        eval(expression)


@pytest.mark.parametrize("name", ["EqualToInt", "FreeEqualToInt"])
def test_beside_a_deleted_overload_the_others_work(lib: Any, name: str) -> None:
    made = getattr(lib, name)(1)
    assert [made == 1, made == 2, made != 2, made == "1"] == [True, False, True, False]


def test_bytes_that_members_share_are_not_written() -> None:
    lib = sb.compile(
        """
        class Q { public: Q() = default; int a = 1; char c = 2; private: char z = 3; };
        struct N { [[no_unique_address]] Q q; char x = 5; Q whole; [[maybe_unused]] Q known; };
        struct Tag {}; struct M { [[no_unique_address]] Tag t; char x = 5; };
        """,
        std="c++20",
    )
    for made, name, value in ((lib.N(), "q", lib.Q()), (lib.M(), "t", lib.Tag())):
        with pytest.raises(AttributeError, match=r"it is \[\[no_unique_address\]\] and shares bytes"):
            setattr(made, name, value)
        assert made.x == 5
    made, q = lib.N(), lib.Q()
    q.a = 50
    made.whole = made.known = q
    assert (made.whole.a, made.known.a) == (50, 50)


def test_what_the_three_way_comparison_gives_is_compared_with_no_number() -> None:
    lib = sb.compile(
        "#include <compare>\nstd::strong_ordering order(int a, int b) { return a <=> b; }\n"
        "std::partial_ordering partial(double a, double b) { return a <=> b; }\n",
        name="orderings", std="gnu++20",
    )  # fmt: skip
    assert (lib.order(1, 2) == lib.order(3, 4), lib.order(1, 2) != lib.order(4, 3)) == (True, True)
    for made in (lib.order(1, 1), lib.partial(1, 1)):
        for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
            with pytest.raises(TypeError, match=r"with the literal 0 alone.*let C\+\+ give a bool"):
                compare(made, 0)
