"""What a hint advises works when it is followed: each is provoked once, and its own words are run."""

from __future__ import annotations

import ast
import datetime
import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
#include <chrono>
#include <complex>
#include <string>
#include <vector>
inline int integer(int x) { return x; }
inline int half_width(char16_t x) { return x; }
inline unsigned char small(unsigned char x) { return x; }
inline double floating(double x) { return x; }
inline float single(float x) { return x; }
inline bool truth(bool x) { return x; }
inline int character(signed char x) { return x; }
inline double modulus(std::complex<double> z) { return std::abs(z); }
inline int sum(std::vector<int> v) { int s = 0; for (int x : v) s += x; return s; }
inline int sums(std::vector<std::vector<int>> v) { int s = 0; for (const auto& x : v) s += sum(x); return s; }
inline int total(const int* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
inline void fill(int* p) { *p = 7; }
inline void write(char* text) { text[0] = 'X'; }
inline int length(const std::string& s) { return static_cast<int>(s.size()); }
inline int c_length(const char* s) { return static_cast<int>(__builtin_strlen(s)); }
inline int reads(const void* p) { return *static_cast<const char*>(p); }
inline int octet(const unsigned char* p) { return *p; }
enum class Colour { red, green };
inline int colour(Colour c) { return static_cast<int>(c); }
struct Array { short s[3]; };
struct Point { int x, y; };
struct Pair { int a, b; };
struct alignas(64) Line { float v[16]; };
inline int line(const Line* l) { return static_cast<int>(l->v[0]); }
inline int colours(const Colour* c) { return static_cast<int>(*c); }
inline int octets(const signed char* p) { return *p; }
inline double mean(const double* p) { return *p; }
inline void move(Point* p) { p->x += 1; }
inline long long seconds(std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds> t) {
  return t.time_since_epoch().count();
}
struct Hidden { int z = 7; private: int q = 0; };
inline int defaulted(int a, int b = 1, Hidden z = {}, int c = 2) { return a + b + c + z.z; }
template <class... A> int count(A...) { return sizeof...(A); }
template <class F> int run(F f) { return f(2); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17", name="hints")


class Hint(NamedTuple):
    """A call with ``x`` that is refused, the hint in the words, and what to call with, where that is not the hint."""

    call: str
    x: Any
    hint: str
    instead: str = ""


def misplaced() -> Any:
    """One element that is aligned to 4 bytes, and no more."""
    room = np.zeros(128, "u1")
    begin = (4 - room.ctypes.data) % 64
    return room[begin : begin + 64].view([("v", "f4", 16)])


def strided() -> Any:
    return np.arange(10, dtype="i4")[::2]


HINTS = [
    Hint("lib.integer(x)", 3.0, "int(x)"),
    Hint("lib.integer(x)", True, "int(x)"),
    Hint("lib.floating(x)", False, "float(x)"),
    Hint("lib.floating(x)", 2**60 + 1, "float(x)"),
    Hint("lib.floating(x)", "1.5", "float(x)"),
    Hint("lib.integer(x)", "15", "int(x)"),
    Hint("lib.character(x)", b"0", "ord(x)"),
    Hint("lib.integer(x)", "0", "ord(x)"),
    Hint("lib.small(x)", "é", "ord(x)"),
    Hint("lib.half_width(x)", "€", "ord(x)"),
    Hint("lib.integer(x)", "5", "int(x)"),
    Hint("lib.truth(x)", 1, "bool(x)"),
    Hint("lib.modulus(x)", True, "complex(x)"),
    Hint("lib.floating(x)", 1 + 0j, "x.real"),
    Hint("lib.floating(x)", np.complex64(1), "x.real"),
    Hint("lib.single(x)", np.float64(0.1), "sb.float32(x)"),
    Hint("lib.sum(x)", np.ones(3), 'x.astype("int32")'),
    Hint("lib.sum(x)", np.ones((2, 3), "i4"), "reshape()", "x.reshape(6)"),
    Hint("lib.sum(x)", __import__("array").array("h", [1, 2]), 'numpy.array(x, dtype="int32")'),
    Hint("lib.sum(x)", memoryview(np.ones(2)), 'numpy.array(x, dtype="int32")'),
    Hint("lib.total(x, 2)", np.ones(3), 'x.astype("int32")'),
    Hint("lib.total(x, 2)", np.ones(3, ">i4"), 'x.astype(x.dtype.newbyteorder("="))'),
    Hint("lib.total(x, 2)", strided(), "numpy.ascontiguousarray(x)"),
    Hint("lib.total(x, 2)", np.ones((3, 2), "i4").T, "x.T"),
    Hint("lib.total(x, 2)", [1, 2, 3], 'numpy.array(x, dtype="int32")'),
    Hint("lib.total(x, 2)", b"ab", 'numpy.frombuffer(x, "uint8").astype("int32")'),
    Hint("lib.octets(x)", b"ab", 'numpy.frombuffer(x, "uint8").astype("int8")'),
    Hint("lib.mean(x)", b"ab", 'numpy.frombuffer(x, "uint8").astype("float64")'),
    Hint("lib.sum(x)", b"ab", 'numpy.frombuffer(x, "uint8").astype("int32")'),
    Hint("lib.mean(x)", bytearray(b"ab"), 'numpy.frombuffer(x, "uint8").astype("float64")'),
    Hint("lib.mean(x)", bytearray(16), 'numpy.frombuffer(x, "float64")'),
    Hint("lib.mean(x)", np.frombuffer(bytes(17), "u1")[1:].view("f8"), "a copy is aligned", "x.copy()"),
    Hint("lib.line(x)", misplaced(), "sb.DeviceArray.from_host(x, align=64)"),
    Hint("lib.write(x)", [65, 66], 'numpy.array(x, dtype="int8")'),
    Hint("lib.colours(x)", [0, 1], 'numpy.array(x, dtype="int32")'),
    Hint("lib.colours(x)", (0, 1), 'numpy.array(x, dtype="int32")'),
    Hint("lib.move(x)", (1, 2), "pass a record, Point(...)", "lib.Point(*x)"),
    Hint("lib.fill(x)", strided(), "pass a contiguous array", "x.copy()"),
    Hint("lib.fill(x)", [1, 2], 'numpy.array(x, dtype="int32")'),
    Hint("lib.fill(x)", np.frombuffer(bytes(8), "i4"), "pass a writable array", "x.copy()"),
    Hint("lib.fill(x)", np.int32(3), "pass an array, x[i:i + 1] of one element", "numpy.array([x])"),
    Hint("lib.fill(x)", np.ones(2, "i4").ctypes.data, "sb.Pointer(address)", "sb.Pointer(HERE.ctypes.data)"),
    Hint("lib.write(x)", "text", "bytearray(x.encode() + bytes(1))"),
    Hint("lib.c_length(x)", bytearray(b"text"), "bytes(x)"),
    Hint("lib.reads(x)", "text", "x.encode()"),
    Hint("lib.octet(x)", "text", "x.encode()"),
    Hint("lib.length(x)", bytearray(b"text"), "bytes(x)"),
    Hint("lib.colour(x)", "red", "Pass a member of Colour", "lib.Colour.red"),
    Hint("lib.Array(s=x)", {1, 2, 3}, "Pass a list, a tuple or an array of its elements", "[*x]"),
    Hint("lib.Array(s=x)", np.ma.array([1, 2, 3], "i2", mask=[0, 1, 0]), "x.filled(...)", "x.filled(0)"),
    Hint("lib.sum(x)", {1, 2, 3}, "sorted(x)"),
    Hint("lib.sums([x])", iter([1, 2, 3]), "list(x)", "list(iter([1, 2, 3]))"),
    Hint("lib.seconds(x)", datetime.datetime(2020, 1, 1), "x.astimezone()"),
    Hint("lib.move(x)", sb.int32x2(1, 2), "pass a record", "lib.Point(1, 2)"),
    Hint("sb.pack(x)", 3_000_000_000, "sb.uint32(x)"),
    Hint("lib.run(x)", abs, "name the template's arguments: run[...](...)", "lib.run['int(*)(int)'](x) or x"),
]
HERE = np.ones(2, "i4")


@pytest.mark.parametrize("row", HINTS, ids=lambda row: f"{row.call}-{row.hint}"[:60])
def test_a_hint_that_is_followed_works(lib, row):
    names = {"lib": lib, "sb": sb, "np": np, "numpy": np, "HERE": HERE, "x": row.x}
    with pytest.raises(sb.Error) as caught:
        eval(row.call, dict(names))
    assert row.hint in str(caught.value)
    if row.hint.startswith("name the template's"):
        assert lib.run["int(*)(int)"](row.x) == 2
        return
    followed = eval(row.instead or row.hint, dict(names))
    eval(row.call, {**names, "x": followed})


def test_a_default_that_is_needed_is_given(lib):
    with pytest.raises(sb.ArgumentError, match="give 'z', too"):
        lib.defaulted(1, c=5)
    assert lib.defaulted(1, c=5, z=lib.Hidden()) == 14


def test_an_object_of_another_class_is_cast_as_c_casts(lib):
    other = lib.Pair(1, 2)
    with pytest.raises(sb.ArgumentError, match=r"Point\.fromObj\(x\)"):
        lib.move(other)
    lib.move(lib.Point.fromObj(other))
    assert other.a == 2


def test_an_immutable_value_is_replaced():
    value = sb.float32x3(1, 2, 3)
    with pytest.raises(AttributeError, match=r"v.replace\(x=...\) makes a changed copy"):
        value.x = 5
    assert value.replace(x=5) == sb.float32x3(5, 2, 3)


# --- every hint that is an expression of x is in the table

ROOMS = ("values", "call/addresses")
EXPRESSION = re.compile(r"(?:[\w.]+\(x\b|\bx\.\w+\()")
# Shown where their libraries or C APIs are.
ELSEWHERE = {
    "x.item(": "tests/unit/test_torch_tensors.py",
    "x.astype(": "", "x.encode(": "", "x.filled(": "", "x.astimezone(": "",
    "x.to(": "tests/unit/test_native_arrays_torch.py",
    "tuple(x": "tests/unit/test_tuples.py",
    "np.asarray(x": "tests/unit/test_elements_of_arrays.py",
    "unpack_dual(x": "tests/unit/test_torch_duals.py",
    "sb.Pointer(x": "tests/unit/test_true_hints.py",
    "x.sum_duplicates(": "tests/examples/libraries/cxx/test_sparse_matrices.py",
    ".fromObj(x": "tests/unit/test_rocm_api.py",
    "numpy.asfortranarray(x": "tests/unit/test_span_parameters.py",
    "}(x": "a table's own spelling: int, float, complex, sb.float32",
}  # fmt: skip


def texts(rooms: tuple[str, ...] = ROOMS) -> list[tuple[str, str]]:
    """The texts of the rooms that word hints, without docstrings; what a text is filled in with is ``{}``."""
    found = []
    for room in rooms:
        for path in sorted((Path(sb.__file__).parent / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.JoinedStr):
                    parts = [v.value if isinstance(v, ast.Constant) else "{}" for v in node.values]
                    found.append((path.name, "".join(map(str, parts))))
                elif (
                    isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value
                ):
                    found.append((path.name, node.value))
    return [(name, text) for name, text in found if "``" not in text]


def test_each_hint_that_is_an_expression_is_followed_by_a_test():
    shown = "\n".join(row.hint for row in HINTS)
    missing = [
        (name, text)
        for name, text in texts()
        for hint in EXPRESSION.findall(text)
        if " " in text
        and hint not in shown
        and not any(known in hint or hint in known for known in ELSEWHERE)
    ]
    assert missing == []


def test_no_advice_where_nothing_helps(lib):
    for call in (
        lambda: lib.character("é"),
        lambda: lib.character(b"\xff"),
        lambda: lib.small("€"),
        lambda: lib.half_width("😀"),
        lambda: lib.integer(math.nan),
        lambda: lib.integer(object()),
        lambda: lib.character("abc"),
        lambda: lib.sum(lib.Hidden()),
    ):
        with pytest.raises(sb.Error) as caught:
            call()
        assert not EXPRESSION.search(str(caught.value))


def test_an_argument_of_a_class_without_members_is_made_by_its_constructors():
    lib = sb.compile(
        "struct Empty { explicit Empty(double) {} Empty(int) {} Empty() = default; }; int taken(Empty) { return 1; }"
    )
    with pytest.raises(sb.ArgumentError, match=r"Empty\(\.\.\.\) makes one, by C\+\+'s constructors"):
        lib.taken(3.5)
    assert lib.taken(lib.Empty(3.5)) == 1


def test_a_class_template_that_is_called_says_what_is_missing():
    lib = sb.compile("template <class T> struct Box { T v; Box(T x) : v(x) {} };")
    with pytest.raises(sb.ArgumentError, match=r"name its arguments, Box\[\.\.\.\]\(\.\.\.\)"):
        lib.Box(3)
    assert lib.Box[int](3).v == 3


NESTED = """
#include <map>
#include <string>
#include <vector>
struct Json {
  std::string kind;
  Json(int) : kind("number") {}
  Json(std::vector<Json> v) : kind("list of " + std::to_string(v.size())) {}
  Json(std::map<std::string, Json> m) : kind("map of " + std::to_string(m.size())) {}
};
inline std::string kind(const Json& j) { return j.kind; }
"""


@pytest.mark.parametrize(
    ("value", "advice", "followed", "kind"),
    [
        ([1, 2], r"A list of its objects serves, \[Json\(\.\.\.\), \.\.\.\]$", lambda j: [j(1), j(2)], "list of 2"),
        ((1,), r"A list of its objects serves", lambda j: [j(1)], "list of 1"),
        ({"a": 1}, r"A dict of its objects serves, {key: Json\(\.\.\.\)}$", lambda j: {"a": j(1)}, "map of 1"),
        ("text", r"Json\(\.\.\.\) makes one$", lambda j: j(3), "number"),
    ],
)  # fmt: skip
def test_a_class_made_of_its_own_objects_says_so(value: Any, advice: str, followed: Any, kind: str) -> None:
    lib = sb.compile(NESTED, name="nested_hints")
    with pytest.raises(sb.ArgumentError, match=advice):
        lib.kind(value)
    assert lib.kind(followed(lib.Json)) == kind
