"""Classes that C++ makes with braces, ``Named{1, "a"}``, and that are no plain bytes: their members are arguments."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CODE = r"""
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct Named { int number; std::string text; };
struct Initial { int a = 4; std::string s = "q"; double d{2.5}; std::vector<int> v{1, 2}; int last = a + 1; };
struct Outer { Named in; std::vector<int> v; };
struct Bytes { std::optional<int> maybe; int n = 7; std::chrono::seconds s{3}; };
struct Base { std::string b; int k = 2; };
struct Derived : Base { int c; };
struct Empty {};
struct FromEmpty : Empty { std::string s; int n; };
struct FromBoth : Empty, Base { int c; };
struct Constant { const std::string s; const int n; const char* const p; };
struct Ended { std::string s; int n = 1; ~Ended() {} };
struct Moved { std::unique_ptr<Named> one; int n; };
struct Many {
  std::map<std::string, int> m;
  std::optional<std::string> o;
  std::variant<int, std::string> v;
  bool flag;
  Named* at;
};
struct Array { std::string s; int n; int array[2] = {8, 9}; int after = 5; };
struct Bits { std::string s; int low : 3; int high = 6; };
struct Anonymous { std::string s; union { int i; float f; }; };
struct Shown { std::string_view text; int n; };
struct Keyword { std::string in; int import; };
template <class T> struct Of { T t; std::string s; };
using OfInt = Of<int>;

class Hidden { int h = 1; public: std::string s; };
struct Virtual { std::string s; virtual ~Virtual() {} };
struct Made { std::string s; Made(int n) : s(n, 'x') {} };
struct Above { std::string a; Above(int) {} };
struct Below : Above { int n; };
struct Reference { const std::string& r; };

inline int number(const Named& one) { return one.number; }
inline int number_of(Named one) { return one.number; }
"""

# The call, and the members of what it makes.
MADE: dict[str, dict[str, Any]] = {
    'Named(123, "test")': {"number": 123, "text": "test"},
    'Named(text="u", number=1)': {"number": 1, "text": "u"},
    "Named(5)": {"number": 5, "text": ""},
    'Named(text="u")': {"number": 0, "text": "u"},
    "Named()": {"number": 0, "text": ""},
    "Initial(5)": {"a": 5, "s": "q", "d": 2.5, "v": [1, 2], "last": 6},
    'Initial(s="z")': {"a": 4, "s": "z", "d": 2.5, "v": [1, 2], "last": 5},
    'Initial(1, "2", 3.5, [4], 5)': {"a": 1, "s": "2", "d": 3.5, "v": [4], "last": 5},
    "Outer(lib.Named(3), [1, 2])": {"v": [1, 2]},
    "Outer(lib.Named(3))": {"v": []},
    "Bytes(5)": {"maybe": 5, "n": 7},
    "Bytes(None, 2)": {"maybe": None, "n": 2},
    "Bytes(n=3)": {"maybe": None, "n": 3},
    'Derived("b", 3, 4)': {"b": "b", "k": 3, "c": 4},
    "Derived(c=4)": {"b": "", "k": 2, "c": 4},
    'FromEmpty("s", 1)': {"s": "s", "n": 1},
    'FromEmpty("s")': {"s": "s", "n": 0},
    'FromBoth("b", 3, 4)': {"b": "b", "k": 3, "c": 4},
    'Constant("s", 2, "p")': {"s": "s", "n": 2},
    'Ended("s")': {"s": "s", "n": 1},
    "Moved(None, 3)": {"one": None, "n": 3},
    'Many({"a": 1}, "o", "v", True, None)': {"m": {"a": 1}, "o": "o", "v": "v", "flag": True, "at": None},
    "Many()": {"m": {}, "o": None, "v": 0, "flag": False, "at": None},
    'Array("s", 2)': {"s": "s", "n": 2, "array": [8, 9], "after": 5},
    'Bits("s")': {"s": "s", "low": 0, "high": 6},
    'Anonymous("s")': {"s": "s", "i": 0},
    'Shown("".join(["te", "xt"]), 2)': {"text": "text", "n": 2},
    'Keyword(in_="a", import_=2)': {"in_": "a", "import_": 2},
    'OfInt(4, "x")': {"t": 4, "s": "x"},
    'Of["double"](4.5)': {"t": 4.5, "s": ""},
}

REFUSED: dict[str, str] = {
    'Named("a", 1)': r"^Named\(\) argument 1 'number': expected int32",
    'Named(1, "a", 2)': r"Named\(number: int32 = \{\}, text: str = \{\}\)",
    "Named(other_name=1)": "it has no parameter 'other_name'",
    "Initial(last=3)": "it needs 's' where 'last' is given",
    'Array("s", 2, [1, 2])': r"Array\(s: str = \{\}, n: int32 = \{\}\)",
    'Hidden("s")': "Hidden",
    'Virtual("s")': "Virtual",
    'Made("s")': "expected int32",
    'Below("a", 1)': "Below",
    'Reference("s")': "Reference",
}


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    return sb.compile(CODE)


def plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


@pytest.mark.parametrize("call", MADE)
def test_members_are_arguments(lib: ModuleType, call: str) -> None:
    made = eval(f"lib.{call}", {"lib": lib})
    assert {name: plain(getattr(made, name)) for name in MADE[call]} == MADE[call]


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_no_aggregate_or_does_not_fit(lib: ModuleType, call: str) -> None:
    with pytest.raises(sb.ArgumentError, match=REFUSED[call]):
        eval(f"lib.{call}", {"lib": lib})


def test_nested_and_copied(lib: ModuleType) -> None:
    one = lib.Named(3, "x")
    assert (lib.number(one), lib.number_of(one), lib.Outer(one).in_.number) == (3, 3, 3)
    assert lib.Named(one).text == "x"
    with pytest.raises(sb.ArgumentError, match="expected an object of Named"):
        lib.number(3)  # C++ makes none of a number by itself


def test_what_is_owned_is_handed_over(lib: ModuleType) -> None:
    made = lib.Moved(lib.Named(8), 1)
    assert made.one.number == 8
