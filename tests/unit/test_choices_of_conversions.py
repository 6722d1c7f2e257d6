"""Which of several conversions and overloads C++ means, and what is said where there is none, or more than one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb
from samebytes.call.overloads import choose

CODE = r"""
#include <string>
#include <string_view>
#include <map>
struct Ints { int v[2]{1, 2}; operator const int*() const { return v; } };
struct Chars { operator const char*() const { return "chars"; } };
struct To;
struct From { int x = 1; operator To() const; };
struct To { int v; To(int n) : v(n) {} To(const From& f) : v(f.x + 10) {} };
inline From::operator To() const { return To(x + 20); }
inline int take(To t) { return t.v; }
inline int length(const std::string& s) { return int(s.size()); }
inline int all(int) { return 1; } inline int all(long) { return 2; } inline int all(long long) { return 3; }
inline int wide(long) { return 2; } inline int wide(long long) { return 3; }
struct Both { operator std::string() const { return "string"; } operator const char*() const { return "chars"; } };
struct Views { operator std::string_view() const { return "view"; } operator const char*() const { return "chars"; } };
struct Owns { operator std::string_view() const { return "view"; } operator std::string() const { return "string"; } };
inline std::string_view shown = "s";
inline std::map<int, int> numbers{{1, 2}};
inline const std::map<int, int> constants{{1, 2}};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, name="choices")


def test_two_conversions_that_are_as_good_are_both_named(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError) as error:
        lib.take(lib.From())
    said = str(error.value)
    assert "C++ knows several conversions, and none is better" in said
    assert "To::To(const From & f)" in said
    assert "From::operator To() const" in said
    assert (lib.take(lib.To(5)), lib.take(7)) == (5, 7)


def test_a_pointer_to_numbers_is_no_text(lib: Any) -> None:
    assert lib.length(str(lib.Chars())) == 5
    with pytest.raises(
        sb.ArgumentError, match=r"expected text.*C\+\+ would convert it twice: str\(x\) is its text"
    ):
        lib.length(lib.Chars())
    with pytest.raises(sb.ArgumentError, match="expected text"):
        lib.length(lib.Ints())


@pytest.mark.parametrize(("number", "chosen"), [(5, 1), (-(2**31), 1), (2**31, 2), (2**63 - 1, 2)])
def test_the_smallest_integer_that_holds_a_number_is_chosen(lib: Any, number: int, chosen: int) -> None:
    assert (lib.all(number), lib.wide(number)) == (chosen, 2)


@pytest.mark.parametrize(("of", "text"), [("Both", "string"), ("Views", "chars"), ("Owns", "string")])
def test_text_is_the_conversion_that_owns_it(lib: Any, of: str, text: str) -> None:
    assert str(getattr(lib, of)()) == text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lib: setattr(lib, "shown", "x"), "only shows text.*only C\\+\\+ sets it"),
        (lambda lib: lib.numbers.update({3: 4}), "numbers is read as a copy.*assign the whole to numbers"),
        (lambda lib: lib.constants.update({3: 4}), r"constants is read as a copy.*dict\(...\)$"),
    ],
)
def test_what_cannot_be_changed_says_what_can(lib: Any, change: Callable[[Any], Any], words: str) -> None:
    with pytest.raises((AttributeError, TypeError), match=words):
        change(lib)
    assert (lib.shown, lib.numbers, lib.constants) == ("s", {1: 2}, {1: 2})


CLASSES = """
struct Box { int v; Box(int x) : v(x) {} };
inline int take(const Box& b) { return b.v; }
inline int take(double) { return -1; }
inline int both(const Box& b, double) { return b.v; }
inline int both(double, int) { return -1; }
inline int crossed(const Box& b, int) { return b.v; }
inline int crossed(int, double) { return -1; }
inline int only(const Box& b) { return b.v; }
inline int only(const char*) { return -1; }
"""


@pytest.mark.parametrize(
    ("name", "arguments", "means", "asks"),
    [
        ("take", (1,), -1, False),
        ("take", (2.5,), -1, False),
        ("both", (1, 2), -1, False),
        ("crossed", (1, 2), None, True),  # each is better for one argument, as in C++
        ("only", (4,), 4, True),
    ],
)
def test_a_class_that_cannot_win_is_not_asked(
    name: str, arguments: tuple[Any, ...], means: int | None, asks: bool
) -> None:
    lib = sb.compile(CLASSES, name="choices_of_classes")
    if means is None:
        with pytest.raises(sb.ArgumentError, match="ambiguous"):
            getattr(lib, name)(*arguments)
    else:
        assert getattr(lib, name)(*arguments) == means
    asked = []

    def convertible(parameter: Any, obj: Any, dialect: str) -> None:
        asked.append(parameter.spelling)

    forms = [f.parameters for f in lib.__model__.functions if f.name == name]
    choose(dict(enumerate(forms)), dict.fromkeys(range(len(forms)), arguments), "cxx", convertible)
    assert ("const Box &" in asked) is asks
