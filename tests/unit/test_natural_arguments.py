"""What arguments say of themselves: numbers by special methods, text, buffers, and names past defaults."""

from __future__ import annotations

import array
import ctypes
import enum
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <array>
#include <bitset>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
int integer(int x) { return x; }
long long wide(long long x) { return x; }
unsigned char small(unsigned char x) { return x; }
double floating(double x) { return x; }
float single(float x) { return x; }
bool truth(bool x) { return x; }
char letter(char x) { return x; }
int by_reference(const int& x) { return x; }
enum Colour { Red, Green = 5 };
int colour(Colour c) { return c; }
unsigned long bits(std::bitset<8> b) { return b.to_ulong(); }
int sum(std::vector<int> v) { int s = 0; for (int x : v) s += x; return s; }

const char* which(int) { return "int"; }            const char* which(double) { return "double"; }
const char* longs(long) { return "long"; }          const char* longs(double) { return "double"; }
const char* signs(unsigned) { return "unsigned"; }  const char* signs(long long) { return "long long"; }
const char* floats(float) { return "float"; }       const char* floats(double) { return "double"; }
const char* pairs(int, int) { return "ints"; }      const char* pairs(double, double) { return "doubles"; }
const char* coloured(Colour) { return "colour"; }   const char* coloured(int) { return "int"; }
struct Chosen {
  const char* way;
  Chosen(int) : way("int") {}
  Chosen(double) : way("double") {}
  const char* operator()(int) const { return "int"; }
  const char* operator()(double) const { return "double"; }
};

const char* text(char) { return "char"; }    const char* text(const std::string&) { return "string"; }
const char* c_text(char) { return "char"; }  const char* c_text(const char*) { return "const char *"; }
const char* number(char) { return "char"; }  const char* number(int) { return "int"; }
unsigned long alternative(std::variant<char, std::string> v) { return v.index(); }

int maybe(std::optional<int> x = std::nullopt, int y = 2) { return x.value_or(-1) * 10 + y; }
int maybe_ref(const std::optional<int>& x = {}, int y = 2) { return x.value_or(-1) * 10 + y; }
int shared(std::shared_ptr<Chosen> x = nullptr, int y = 2) { return (x ? 10 : 0) + y; }
int called(const std::function<int(std::string)>& x = nullptr, int y = 2) { return (x ? 10 : 0) + y; }
int maybe_null(std::optional<std::shared_ptr<Chosen>> x = nullptr, int y = 2) { return (x ? 10 : 0) + y; }
int maybe_five(std::optional<int> x = 5, int y = 2) { return x.value_or(-1) * 10 + y; }

struct Listed {
  int way;
  explicit Listed(std::vector<int>) : way(1) {}
  Listed(std::initializer_list<int>) : way(2) {}
  Listed(int) : way(3) {}
};
int listed(std::vector<int>) { return 1; }  int listed(std::initializer_list<int>) { return 2; }

struct Arrays { short s[3]; int m[2][2]; char t[4]; unsigned char u[3]; double d[2]; };
int of_std_array(std::array<short, 3> a) { return a[0] * 100 + a[1] * 10 + a[2]; }

struct Hidden { int z = 7; private: int q = 0; };
struct Named { std::string s = "n"; int z = 7; };
int last_unknown(int a, int b = 1, int c = 2, Hidden z = {}) { return a * 100 + b * 10 + c + 1000 * z.z; }
int middle_unknown(int a, int b = 1, Named z = {}, int c = 2) { return a * 100 + b * 10 + c + 1000 * z.z; }
struct Made {
  int v;
  Made(int a, int b = 1, Named z = {}, int c = 2) : v(a * 100 + b * 10 + c + 1000 * z.z) {}
  int last(int a, int b = 1, int c = 2, Hidden z = {}) const { return a * 100 + b * 10 + c + 1000 * z.z; }
};
"""


class Index:
    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Float:
    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return float(self.value)


class Both(Index, Float):
    pass


class Cut:
    """What ``int()`` would cut off."""

    def __int__(self) -> int:
        return 3

    def __trunc__(self) -> int:
        return 3


class Listed(Float):
    """What has a shape is no number, whatever else it says."""

    shape = (1,)


class Raising:
    def __index__(self) -> int:
        raise LookupError("no index today")


class Whole(int):
    pass


class Member(enum.IntEnum):
    ONE = 1


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17", name="natural_arguments")


# --- numbers by __index__ and __float__

NUMBERS = [
    ("integer", Index(3), 3),
    ("integer", Both(4), 4),
    ("integer", np.array(5), 5),
    ("wide", Index(2**62), 2**62),
    ("letter", Index(65), 65),
    ("by_reference", Index(6), 6),
    ("floating", Index(7), 7.0),
    ("floating", Float(0.1), 0.1),
    ("floating", Fraction(1, 2), 0.5),
    ("floating", Decimal("1.5"), 1.5),
    ("single", Float(0.5), 0.5),
    ("colour", Index(5), 5),
    ("colour", np.int8(5), 5),
    ("bits", Index(9), 9),
    ("bits", np.uint8(9), 9),
    ("sum", [Index(1), 2, np.int64(3)], 6),
]


@pytest.mark.parametrize(("function", "value", "result"), NUMBERS)
def test_what_says_a_number_is_one(lib, function, value, result):
    assert getattr(lib, function)(value) == result


LOSSY = [
    ("integer", Float(3.0), sb.ArgumentError, "expected int32"),
    ("integer", Fraction(3, 1), sb.ArgumentError, "expected int32"),
    ("integer", Cut(), sb.ArgumentError, "expected int32"),
    ("integer", Listed(3.0), sb.ArgumentError, "expected int32"),
    ("floating", Listed(3.0), sb.ArgumentError, "expected float64"),
    ("truth", Index(1), sb.ArgumentError, "expected bool"),
    ("small", Index(256), sb.RangeError, "0 to 255"),
    ("wide", Index(2**63), sb.RangeError, "uint64 would hold it"),
    ("floating", Index(2**60 + 1), sb.RangeError, r"float\(x\) rounds it"),
    ("floating", Fraction(1, 3), sb.RangeError, r"float\(x\) rounds it"),
    ("floating", Decimal("0.1"), sb.RangeError, r"float\(x\) rounds it"),
    ("floating", Fraction(10**400), sb.RangeError, "got Fraction"),
    ("single", Float(1e300), sb.RangeError, "would become infinite"),
    ("colour", Index(2**40), sb.RangeError, "Its numbers are"),
    ("bits", Index(256), sb.RangeError, "0 to 255"),
    ("bits", Index(-1), sb.RangeError, "0 to 255"),
]


@pytest.mark.parametrize(("function", "value", "error", "words"), LOSSY)
def test_what_would_be_lost_is_refused(lib, function, value, error, words):
    with pytest.raises(error, match=words):
        getattr(lib, function)(value)


def test_what_a_special_method_raises_is_what_the_call_raises(lib):
    for function in (lib.integer, lib.which):
        with pytest.raises(LookupError, match="no index today"):
            function(Raising())


NUMERIC = ("which", "longs", "signs", "pairs", "floats", "coloured", "number")


@pytest.mark.parametrize("function", NUMERIC)
@pytest.mark.parametrize("value", [Whole(1), Member.ONE, Index(1)], ids=lambda v: type(v).__name__)
def test_an_integer_of_any_class_means_what_a_plain_one_means(lib, function, value):
    called = getattr(lib, function)
    count = 2 if function == "pairs" else 1
    try:
        plain = called(*[1] * count)
    except sb.ArgumentError:
        with pytest.raises(sb.ArgumentError, match="ambiguous"):
            called(*[value] * count)
    else:
        assert called(*[value] * count) == plain


@pytest.mark.parametrize("value", [Whole(1), Member.ONE, Index(1), Both(1)])
def test_constructors_and_operators_choose_alike(lib, value):
    assert lib.Chosen(value).way == "int"
    assert lib.Chosen(1.5)(value) == "int"


@pytest.mark.parametrize("value", [Float(1.0), Fraction(1, 2), Decimal(1), np.array(1.0)])
def test_what_says_a_float_means_a_float(lib, value):
    assert lib.which(value) == "double"
    assert lib.floats(value) == "double"
    assert lib.Chosen(value).way == "double"


def test_a_call_that_no_overload_takes_says_why_of_each(lib):
    with pytest.raises(sb.ArgumentError) as caught:
        lib.which(True)
    for line in (
        r"argument 1 'arg0': expected int32 (-2147483648 to 2147483647), got True (bool). int(x) converts it",
        r"argument 1 'arg0': expected float64, got True (bool). float(x) converts it",
    ):
        assert line in str(caught.value)


# --- text beside characters


@pytest.mark.parametrize("value", ["0", "00", "", b"0"])
def test_text_is_text_however_long(lib, value):
    assert lib.text(value) == "string"
    assert lib.c_text(value) == "const char *"
    assert lib.alternative(value) == 1


def test_a_character_is_what_takes_no_text_or_its_code(lib):
    assert lib.number("0") == "char"
    assert lib.text(48) == "char"
    assert lib.letter("0") == 48


# --- buffers and sequences for C arrays


def exactly(values: Any, code: str = "h") -> list[Any]:
    """The objects that show some numbers in one format."""
    made = array.array(code, values)
    return [made, memoryview(made), (ctypes.c_short * len(made))(*made), np.array(values, code)]


@pytest.mark.parametrize("value", [*exactly([1, 2, 3]), [1, 2, 3], (1, 2, 3), range(1, 4), [Index(1), 2, 3]])
def test_a_c_array_takes_what_shows_its_elements(lib, value):
    made = lib.Arrays(s=value)
    assert [*made.s] == [1, 2, 3]
    made.s = [0, 0, 0]
    made.s = value
    assert [*made.s] == [1, 2, 3]
    assert lib.of_std_array(value) == 123


def test_the_elements_are_converted_one_by_one_and_never_cut(lib):
    assert [*lib.Arrays(s=array.array("q", [1, 2, 3])).s] == [1, 2, 3]
    assert [*lib.Arrays(d=array.array("f", [0.5, 1])).d] == [0.5, 1]
    for value, words in (
        (array.array("q", [1, 2, 2**15]), r"'s\[2\]': expected int16"),
        (array.array("d", [1, 2, 3]), r"int\(x\) converts it"),
        (array.array("h", [1, 2]), "shape"),
        (memoryview(np.ones((3, 1), "i2")), "shape"),
    ):
        with pytest.raises(sb.Error, match=words):
            lib.Arrays(s=value)


def test_bytes_have_no_type_of_their_own_and_fill_bytes_and_characters(lib):
    for value in (b"abc", bytearray(b"abc"), memoryview(b"abc"), array.array("B", b"abc"), range(97, 100)):
        assert bytes(lib.Arrays(u=value).u) == b"abc"
    for value in ("abc", b"abc", bytearray(b"abc"), memoryview(b"abc\0")):
        assert bytes(lib.Arrays(t=value).t) == b"abc\0"
    with pytest.raises(sb.RangeError):
        lib.Arrays(u=array.array("b", [-1, 2, 3]))
    rows = np.array([[1, 2], [3, 4]], "i4")
    assert np.array_equal(lib.Arrays(m=memoryview(rows)).m, rows)


@pytest.mark.parametrize(
    "value", [5, None, "abc", {1, 2, 3}, {1: 1}, iter([1, 2, 3]), array.array("u", "abc")]
)
def test_what_shows_no_elements_is_refused_with_what_to_pass(lib, value):
    with pytest.raises(sb.Error, match=r"carray\[int16, 3\]|expected int16"):
        lib.Arrays(s=value)


def test_an_object_is_no_array_and_no_advice_says_so(lib):
    for value in (lib.Arrays(), lib.Hidden()):
        with pytest.raises(sb.ArgumentError, match="Pass a list, a tuple or an array"):
            lib.Arrays(s=value)
        with pytest.raises(sb.ArrayError, match="it is one object, and no array") as caught:
            lib.sum(value)
        assert "astype" not in str(caught.value)


# --- names past defaults

COMPLETED = [
    ("last_unknown", (1,), {"c": 5}, 7115),
    ("last_unknown", (1, 2), {"c": 5}, 7125),
    ("last_unknown", (), {"b": 3, "a": 1}, 7132),
    ("last_unknown", (1,), {}, 7112),
    ("middle_unknown", (1,), {"b": 5}, 7152),
    ("middle_unknown", (1,), {}, 7112),
]


@pytest.mark.parametrize(("function", "args", "kwargs", "result"), COMPLETED)
def test_defaults_before_a_name_are_pythons_and_those_after_it_cpps(lib, function, args, kwargs, result):
    for _ in range(2):  # the second time by what is remembered
        assert getattr(lib, function)(*args, **kwargs) == result


def test_members_and_constructors_complete_alike(lib):
    assert lib.Made(1, b=5).v == 7152
    assert lib.Made(0).last(1, c=5) == 7115


def test_a_default_that_cpp_alone_knows_is_needed_before_a_later_argument(lib):
    words = "needs 'z' where 'c' is given, which comes after it: only C\\+\\+ knows its default"
    with pytest.raises(sb.ArgumentError, match=words):
        lib.middle_unknown(1, c=5)
    with pytest.raises(sb.ArgumentError, match=f"its overloads take\n.*: it {words}"):
        lib.Made(1, c=5)
    assert lib.middle_unknown(1, c=5, z=lib.Named()) == 7115  # what the error says to do
    assert lib.Made(1, c=5, z=lib.Named()).v == 7115


def test_each_overload_says_what_it_lacks(lib):
    with pytest.raises(sb.ArgumentError) as caught:
        lib.Made(1, nothing=2)
    assert str(caught.value).count("it has no parameter 'nothing'") == 2
    with pytest.raises(sb.ArgumentError, match="'a' twice, by position and by name"):
        lib.Made(1, a=2)
    with pytest.raises(sb.ArgumentError, match="needs 'a'; it takes last_unknown"):
        lib.last_unknown(b=3)


def test_a_default_that_is_nothing_is_none(lib):
    for function in (lib.maybe, lib.maybe_ref):
        assert (function(), function(y=3), function(None, 3), function(1)) == (-8, -7, -7, 12)
    for function in (lib.shared, lib.called):
        assert (function(), function(y=3)) == (2, 3)
    assert (lib.maybe_five(), lib.maybe_null()) == (52, 12)
    with pytest.raises(sb.ArgumentError, match=r"only C\+\+ knows its default \(nullptr\)"):
        lib.maybe_null(y=3)
    with pytest.raises(sb.ArgumentError, match=r"only C\+\+ knows its default \(5\)"):
        lib.maybe_five(y=3)


def test_braces_mean_the_list(lib):
    for given in ([1], [1, 2], (1, 2), []):
        assert (lib.Listed(given).way, lib.listed(given)) == (2, 2)
    assert (lib.Listed(1).way, lib.listed(np.ones(2, "i4"))) == (3, 1)


def test_what_is_const_is_not_said_to_be_written(lib):
    assert "discarded" not in str(sb.explain(lib, "called"))


class _Unspoken(type):
    @property
    def __module__(cls):
        raise RuntimeError("boom")


class Unspoken(metaclass=_Unspoken):
    """A class that does not say where it is from."""


@pytest.mark.parametrize("call", ["integer", "which", "sum", "truth", "text", "Chosen", "maybe", "called"])
def test_a_class_that_does_not_say_where_it_is_from(lib, call):
    with pytest.raises(sb.ArgumentError, match=r"got <\S+Unspoken object at 0x.*Unspoken\)"):
        getattr(lib, call)(Unspoken())
