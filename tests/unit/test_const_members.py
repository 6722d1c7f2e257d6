"""What lies inside of an object that C++ gave as const, or declares const, cannot be changed either."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

CODE = r"""
struct Dot { int x = 1; };
struct Part { int number = 1; ~Part() {} int get() const { return number; } void set(int n) { number = n; } };
struct Inner { Part part, parts[2]; const Part fixed; ~Inner() {} };
struct Whole {
  Part part, parts[2], rows[2][2];
  const Part fixed, steady[2];
  Inner inner;
  Dot dots[2], board[2][2];
  int numbers[3] = {1, 2, 3};
  Whole() {}
  ~Whole() {}
  int sum() const {
    int all = part.number + fixed.number + inner.part.number + inner.fixed.number;
    for (int i = 0; i < 2; ++i) all += parts[i].number + steady[i].number + inner.parts[i].number + dots[i].x;
    for (int i = 0; i < 4; ++i) all += rows[i / 2][i % 2].number + board[i / 2][i % 2].x;
    return all + numbers[0];
  }
  const Whole& itself() const { return *this; }
};
"""

Reach = Callable[[Any], Any]
# Objects that lie in one that is const.
IN_CONST: dict[str, Reach] = {
    "member": lambda w: w.part,
    "element": lambda w: w.parts[1],
    "element of rows": lambda w: w.rows[1][0],
    "member of a member": lambda w: w.inner.part,
    "element of a member": lambda w: w.inner.parts[0],
}
# ... that C++ declares const themselves.
DECLARED: dict[str, Reach] = {
    "const member": lambda w: w.fixed,
    "const element": lambda w: w.steady[1],
    "const member of a member": lambda w: w.inner.fixed,
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


@pytest.mark.parametrize("reach", [*IN_CONST.values(), *DECLARED.values()], ids=[*IN_CONST, *DECLARED])
def test_an_object_in_a_const_one_is_const(lib: Any, reach: Reach) -> None:
    whole = lib.Whole()
    check_const(whole, reach(whole.itself()))


@pytest.mark.parametrize("reach", DECLARED.values(), ids=DECLARED)
def test_a_const_member_is_const(lib: Any, reach: Reach) -> None:
    whole = lib.Whole()
    check_const(whole, reach(whole))


def check_const(whole: Any, part: Any) -> None:
    before = whole.sum()
    assert part.get() == part.number == 1
    with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const"):
        part.set(5)
    with pytest.raises(AttributeError, match=r"C\+\+ gave the object as const"):
        part.number = 5
    assert whole.sum() == before


@pytest.mark.parametrize("reach", IN_CONST.values(), ids=IN_CONST)
def test_others_change(lib: Any, reach: Reach) -> None:
    whole = lib.Whole()
    before = whole.sum()
    reach(whole).set(5)
    assert whole.sum() == before + 4


HELD = r"""
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>
template <class B> struct Item : B {
  int n = 1;
  int which() { return 1; }
  int which() const { return 2; }
  int change() { return ++n; }
};
struct Nothing {};
struct Ended { ~Ended() {} };
using Bytes = Item<Nothing>;
using Object = Item<Ended>;
template <class T> int which(T&) { return 1; }
template <class T> int which(const T&) { return 2; }
template <class T> int is_const(T&) { return 1 + std::is_const<T>::value; }
template <class T> struct Wrap { T inner; T row[2]; ~Wrap() {} };
template <class T> struct Holder {
  std::vector<Wrap<T>> wraps{1};
  std::vector<T> list{1}; std::map<int, T> map{{1, T()}}; std::optional<T> maybe{T()}; std::pair<int, T> pair;
  const std::vector<T> fixed{1};
  const Holder& itself() const { return *this; }
  const Holder* at() const { return this; }
  std::shared_ptr<const Holder> share() const { return std::make_shared<const Holder>(); }
};
inline std::vector<Object> objects{1};
inline const std::vector<Object> constants{1};
inline int total(const Holder<Bytes>&, const Holder<Object>&) { return 0; }
"""
PARTS = ("list[0]", "map[1]", "maybe", "pair[1]", "wraps[0].inner", "wraps[0].row[1]")


@pytest.fixture(scope="module")
def held() -> Any:
    return sb.compile(HELD, name="held_in_const")


@pytest.mark.parametrize("kind", ["Bytes", "Object"])
@pytest.mark.parametrize(
    ("reach", "const"),
    [
        *((part, False) for part in PARTS),
        *((f"{way}().{part}", True) for way in ("itself", "at", "share") for part in PARTS),
        ("fixed[0]", True),
    ],
)
@pytest.mark.filterwarnings("ignore:.*is a copy of what C")
def test_the_overload_for_what_lies_in_a_container(held: Any, kind: str, reach: str, const: bool) -> None:
    """What C++ chooses for ``h.list[0]`` and for ``h.itself().list[0]``: a copy counts as what it is a copy of."""
    item = eval(f"h.{reach}", {"h": held.Holder[getattr(held, kind)]()})
    check_overload(held, item, const=const)


@pytest.mark.filterwarnings("ignore:.*is a copy of what C")
def test_the_overload_for_what_lies_in_a_variable(held: Any) -> None:
    check_overload(held, held.objects[0], const=False)
    check_overload(held, held.constants[0], const=True)


def check_overload(held: Any, item: Any, *, const: bool) -> None:
    assert item.which() == 1 + const
    for _ in range(2):  # the second is remembered
        if const:
            assert (held.which(item), held.is_const(item)) == (2, 2)
            with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const: copy.copy\(x\) makes one"):
                item.change()
            assert copy.copy(item).change() == 2  # what the error says helps
        else:
            for function in (held.which, held.is_const):
                with pytest.raises(sb.IntentError, match=r"It is a copy .* copy.copy\(x\) makes one"):
                    function(item)
                assert function(copy.copy(item)) == 1
    with pytest.raises(AttributeError, match="gave (it|the object) as const" if const else "It is a copy"):
        item.n = 5


def test_the_view_keeps_the_whole(lib: Any) -> None:
    fixed, steady = lib.Whole().fixed, lib.Whole().itself().steady[1]
    assert (fixed.get(), steady.get()) == (1, 1)


def test_nothing_is_written_to_arrays_of_a_const_object(lib: Any) -> None:
    whole = lib.Whole()
    before, fixed = whole.sum(), whole.itself()
    for dot in (fixed.dots[0], fixed.board[1][0]):  # copies
        with pytest.raises(AttributeError, match=r"cannot be changed: C\+\+ gave it as const"):
            dot.x = 5
    with pytest.raises(ValueError, match="read-only"):
        fixed.numbers[0] = 5
    assert whole.sum() == before
    whole.dots[0].x = whole.board[1][0].x = whole.numbers[0] = 5
    assert whole.sum() == before + 12
    assert (fixed.dots[0].x, fixed.board[1][0].x, fixed.numbers[0]) == (5, 5, 5)
