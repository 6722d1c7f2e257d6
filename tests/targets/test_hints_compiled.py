"""What compiled code's hints advise works when it is followed: each is provoked once, and its words are done.

Each row is refused when it is compiled, with the hint in the words, and then compiled as the hint says. The hints of
plain calls are in ``tests/unit/test_hints.py`` and its like.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.advice import Advice

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full

SOURCE = r"""
#include <samebytes/vector.hpp>
#include <array>
#include <cstdarg>
#include <string>
enum class Col : short { red = -1, green = 2 };
struct P { int x, y; int sum() const { return x + y; } };
struct Q { int v[3]; };
struct Kept { int n; explicit Kept(int n) : n(n) {} Kept(const Kept& o) : n(o.n) {} ~Kept() {} };
struct alignas(128) Wide { int n; explicit Wide(int n) : n(n) {} ~Wide() {} };
inline int integer(int v) { return v; }
inline bool flip(bool b) { return !b; }
inline Col col(Col c) { return c; }
inline float first(samebytes::float32x4 v) { return v.x; }
inline double total(const double* p, int n) { double t = 0; for (int i = 0; i < n; ++i) t += p[i]; return t; }
inline int sum(P p) { return p.x + p.y; }
inline P made(int x) { return {x, 2}; }
inline int of_three(Q q) { return q.v[0] + q.v[1] * q.v[2]; }
inline int size(const std::string& s) { return static_cast<int>(s.size()); }
inline int got(const Kept& k) { return k.n; }
inline int wide(const Wide& w) { return w.n; }
inline float half(_Float16 x) { return x; }
inline int apply(int (*f)(int), int x) { return f(x); }
inline int next(int& p) { return ++p; }
template <class T> int bytes(T) { return sizeof(T); }
template <class T> int letters(const T* p) { return p[1] == 'b'; }
inline int all(int n, ...) {
  va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int);
  va_end(a); return s;
}
inline int both(int a, int b) { return a + b; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        SOURCE, std="c++17", target="numba", name="hinted", arg_intent={"next": {"p": "inout_ptr"}}
    )


STRIDED = np.arange(6.0)[::2]
SHORT = np.arange(6, dtype="i4")[::2]
DOUBLED = numba.cfunc("int32(int32)")(lambda x: 2 * x)
ELEMENT = np.ones(2, np.dtype([("x", "i4"), ("y", "i4")], align=True))
CALLS = [
    # numbers
    Advice("lib.integer(x)", True, "int(x) makes a number of it", "lib.integer(int(x))", 1),
    Advice("lib.integer(x)", 2.5, "int(x) truncates", "lib.integer(int(x))", 2),
    Advice("lib.flip(x)", 3, "x != 0 makes a bool of it", "lib.flip(x != 0)", False),
    Advice("lib.col(x)", 2.0, "Pass a member of Col", "lib.col(lib.Col.green) == lib.Col.green", True),
    Advice("lib.first(x)", 2.0, "sb.float32x4(...) builds one", "lib.first(sb.float32x4(x, 1, 2, 3))", 2.0),
    # addresses and places
    Advice("lib.total(x, 3)", STRIDED, "numpy.ascontiguousarray(x) makes a contiguous copy",
           "lib.total(np.ascontiguousarray(x), 3)", 6.0),
    Advice("lib.next(x)", 3, "an array or a pointer that C++ may write to", "lib.next(np.full(1, x, np.int32))", 4),
    # classes
    Advice("lib.sum(x)", 1, "P(...) builds one", "lib.sum(lib.P(x, 2))", 3),
    Advice("lib.P(z=x)", 1, "it has x, y", "lib.sum(lib.P(y=x, x=2))", 3),
    Advice("lib.got(x)", 4, "Kept(...) makes one", "lib.got(lib.Kept(x))", 4),
    # functions
    Advice("lib.apply(x, 4)", njit(lambda x: 2 * x), "numba.cfunc makes one",
           "lib.apply(doubled, 4)", 8),
    Advice("lib.all(2, x, x)", 3, "write a C function that has them as parameters", "lib.both(x, x)", 6),
    # templates
    Advice("lib.bytes(x)", (1, 2), "name the template's arguments: bytes[...](x)",
           "lib.bytes['std::array<int, 2>'](x)", 8),
    Advice("lib.bytes(x)", DOUBLED, "name the template's arguments: bytes[...](x)",
           "lib.bytes['int (*)(int)'](x)", 8),
    Advice("lib.bytes(x)", ELEMENT[0], "name the template's arguments: bytes[...](x)", "lib.bytes['P'](x)", 8),
    Advice("lib.letters('abc')", 0, "name the template's arguments: letters[...](x)", "lib.letters['char']('abc')", 1),
]  # fmt: skip


def compiled(lib: Any, expression: str, x: Any) -> Any:
    """The value of an expression of ``x`` in compiled code."""
    scope = {"lib": lib, "sb": sb, "np": np, "doubled": DOUBLED}
    exec(f"def f(x):\n    return {expression}\n", scope)
    return njit(scope["f"])(x)


def words(function: Any, *arguments: Any) -> str:
    """The words of a refusal, when compiling or when the call runs."""
    with pytest.raises((numba.core.errors.TypingError, sb.Error)) as caught:
        function(*arguments)
    return str(caught.value)


@pytest.mark.parametrize("row", CALLS, ids=lambda row: f"{row.refused}-{row.hint}"[:70])
def test_what_a_compiled_call_advises(lib: Any, row: Advice) -> None:
    assert row.hint in words(compiled, lib, row.refused, row.x)
    assert compiled(lib, row.followed, row.x) == row.result


@pytest.mark.parametrize(
    "x", ["abc", b"ab", [1], np.datetime64("2020"), njit(lambda x: x)], ids=lambda x: type(x).__name__
)
def test_naming_a_template_is_advised_only_where_it_helps(lib: Any, x: Any) -> None:
    found = words(compiled, lib, "lib.bytes(x)", x)
    assert "compiled code cannot pass" in found
    assert "name the template" not in found


def test_what_crosses_in_plain_calls_only_does(lib: Any) -> None:
    assert "It crosses in plain Python calls only" in words(compiled, lib, "lib.size(x)", "abc")
    assert lib.size("abc") == 3


def test_an_object_that_is_made_in_python_is_passed(lib: Any) -> None:
    assert "make it in Python and pass it" in words(compiled, lib, "lib.wide(lib.Wide(x))", 3)
    assert compiled(lib, "lib.wide(x)", lib.Wide(3)) == 3


def test_a_value_becomes_a_record_that_is_written_to(lib: Any) -> None:
    @njit
    def made(x):
        return lib.made(x)

    @njit
    def written(x):
        p = made(x)
        p.x = 5
        return p.x

    @njit
    def of_a_record(x):
        p = lib.P(made(x))
        p.x = 5
        return p.x

    assert "P(x) makes a record of it" in words(written, 1)
    assert of_a_record(1) == 5


def test_an_array_member_is_set_element_by_element(lib: Any) -> None:
    assert "which is set element by element" in words(compiled, lib, "lib.of_three(lib.Q(x))", (1, 2, 3))

    @njit
    def use(x):
        q = lib.Q()
        q.v[0], q.v[1], q.v[2] = x
        return lib.of_three(q)

    assert use((1, 2, 3)) == 7


# --- outputs

OUTPUTS = r"""
inline void fill(int* p, int n) { for (int i = 0; i < n; ++i) p[i] = i; }
inline void few(int (&p)[3]) { p[1] = 5; }
inline void many(int (&p)[2000]) { p[1] = 5; }
inline void taken(unsigned char* to, unsigned long* size) { for (unsigned long i = 0; i < *size; ++i) to[i] = 9; }
"""


class Output(NamedTuple):
    """An intent that compiled code refuses, the hint, the intent instead, a call with ``x``, and the array then."""

    function: str
    refused: Any
    call: str
    hint: str
    followed: Any
    instead: str
    x: Any
    result: Any


ARRAY = {"intent": "out_array_return"}
BY_NAME = {"p": {**ARRAY, "length": "n"}}
ROOM = {"size": {"intent": "out_return", "capacity": "to"}}
RETURNS = [
    Output("fill", BY_NAME, "lib.fill(3)", "pass an array with out_ptr",
           {"p": "out_ptr"}, "lib.fill(x, 3)", np.zeros(3, "i4"), [0, 1, 2]),
    Output("many", {"p": ARRAY}, "lib.many()", "pass an array with out_ptr",
           {"p": "out_ptr"}, "lib.many(x)", np.zeros(2000, "i4"), [0, 5, *[0] * 1998]),
    Output("taken", ROOM, "lib.taken(x)", "arg_intent='inout_ptr' for 'size' makes it an argument that says so",
           {"size": "inout_ptr"}, "lib.taken(x, np.full(1, 2, np.uint64))", np.zeros(3, "u1"), [9, 9, 0]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize("row", RETURNS, ids=lambda row: row.function)
def test_what_an_output_in_compiled_code_advises(row: Output) -> None:
    before = sb.compile(OUTPUTS, target="numba", name="before", arg_intent={row.function: row.refused})
    assert row.hint in words(compiled, before, row.call, row.x)
    after = sb.compile(OUTPUTS, target="numba", name="after", arg_intent={row.function: row.followed})
    compiled(after, row.instead, row.x)
    assert row.x.tolist() == row.result


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_an_output_as_an_array_is_for_host_calls() -> None:
    lib = sb.compile(OUTPUTS, target="numba", arg_intent={"few": {"p": {**ARRAY, "as_array": True}}})
    assert "It is for host calls ('p')" in words(compiled, lib, "lib.few()", 0)
    assert lib.few().tolist() == [0, 5, 0]


# --- targets


def test_a_library_is_bound_for_numba_whose_signatures_are_asked() -> None:
    source = "inline int f(int x) { return x; }"
    with pytest.raises(sb.BindError, match=r"bind\(..., target='numba'\)"):
        sb.numba_signatures(sb.compile(source).f)
    assert len(sb.numba_signatures(sb.compile(source, target="numba").f)) == 1


def test_elements_of_two_classes_are_told_apart_by_the_class() -> None:
    source = "struct Alike { double x, y; double scaled() const { return SCALE * x + y; } };"
    two, three = (
        sb.compile(source, target="numba", name=f"scale{n}", defines=[f"SCALE={n}"]) for n in (2, 3)
    )
    items = np.array([(1.0, 2.0)], dtype=two.Alike.dtype)
    assert "Class.scaled(x)" in words(njit(lambda items: items[0].scaled()), items)
    assert njit(lambda items: two.Alike.scaled(items[0]))(items) == 4
    assert njit(lambda items: three.Alike.scaled(items[0]))(items) == 5


def test_the_simulator_is_unset() -> None:
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed")
    text = "import samebytes as sb; sb.compile('__device__ int f(int a) { return a; }', target='numba_cuda')"
    refused, followed = (
        subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, env=environment, check=False
        )
        for environment in (
            {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
            {**os.environ, "NUMBA_ENABLE_CUDASIM": "0"},
        )
    )
    assert "unset it; no GPU is needed to bind and to compile" in refused.stderr
    assert followed.returncode == 0, followed.stderr[-2000:]


def test_what_a_device_function_returns_of_its_own_or_as_given_is_a_copy() -> None:
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed")
    from numba import cuda, types

    from samebytes.compiled.datamodel.kinds import RecordType

    lib = sb.compile("struct P { double x, y; };", target="numba_cuda", name="returned")
    value = sb.numba_type(lib.P, "cuda")
    place = RecordType(value)

    def either(p, x):
        q = lib.P(x, 1.0)
        q.y = 5.0
        if x > 2:
            q = p
        return q

    def copied(p, x):
        q = lib.P(x, 1.0)
        q.y = 5.0
        if x > 2:
            return lib.P(p)
        return lib.P(q)

    given = (place, types.float64)
    with pytest.raises(Exception, match=r"return a copy of either: Class\(x\)"):
        cuda.compile(either, given, device=True, abi="numba", cc=(7, 5))
    assert cuda.compile(copied, given, device=True, abi="numba", cc=(7, 5))[1] == value
