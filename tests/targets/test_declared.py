"""Types that Python declares, in @njit: @struct classes, what they hold, arrays of them, and the same bytes in C++."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full


@sb.struct
class Inner:
    a: int
    v: sb.float32x3


@sb.struct
class Point:
    x: sb.float64
    y: sb.float64 = 2.0
    inner: Inner = Inner(1, sb.float32x3(1, 2, 3))

    def norm(self):
        return self.x * self.x + self.y * self.y

    @sb.func
    def scaled(self, k, up=1.0):
        return Point(self.x * k + up, self.y * k, self.inner)

    def moved(self, dx):
        return self.replace(x=self.x + dx)

    @property
    def sum(self):
        return self.x + self.y

    @staticmethod
    def at(x, y=5.0):
        return Point(x, y)

    @classmethod
    def twice(cls, x):
        return cls(2 * x, y=x)

    @staticmethod
    @sb.func
    def half(x):
        return x / 2


def first_of(value):
    return value.x


@sb.struct(align=16)
class Mixed:
    flag: bool
    small: sb.int8
    c: sb.carray[sb.int16, 3]
    z: sb.complex64
    t: tuple[int, sb.float64]
    wide: sb.align(sb.float32x3, 16)
    p: sb.pointer[sb.float64]
    a: sb.array[sb.const[sb.float32], 2]


@sb.struct
class Same:
    a: sb.int8
    b: sb.float64
    c: sb.carray[sb.int16, 3]
    v: sb.float32x4
    t: tuple[sb.int8, sb.float64]
    d: sb.float32


NAMED = Point(8.0)
NUMBERS = np.arange(3.0)
GRID = np.arange(12, dtype=np.float32).reshape(3, 4)


def mixed() -> Mixed:
    return Mixed(True, -3, (4, 5, 6), 1 - 2j, (7, 8.5), sb.float32x3(1, 2, 3), NUMBERS, GRID[:, ::2])


def run(expression: str, *arguments: Any) -> Any:
    names = "abc"[: len(arguments)]
    scope: dict[str, Any] = {**globals()}
    exec(f"def f({', '.join(names)}):\n    return {expression}\n", scope)
    return njit(scope["f"])(*arguments)


# What compiled code says is what Python says.
@pytest.mark.parametrize(
    "expression",
    [
        "a.x", "a.norm()", "a.inner", "a.inner.v", "a.inner.v.z", "a.scaled(2.0)", "a.scaled(up=3.0, k=2.0)",
        "a.moved(1.0)", "a.moved(1.0).norm()", "a.replace(y=7.0)", "a.replace(x=1.0, y=7.0)", "a.inner.replace(a=9)",
        "Point(1.0)", "Point(y=1.0, x=9.0)", "Point(9.0, inner=Inner(4, sb.float32x3(1, 2, 3)))", "Point.norm(a)",
        "Point(a.x, a.y, a.inner)", "a",
        "a == Point(3.0, 4.0)", "a != Point(3.0, 4.0)", "a == a.moved(1.0)", "a.inner == a.inner.replace(a=2)",
        "a.inner != a.inner.replace(v=a.inner.v * 2)", "a.sum", "a.moved(1.0).sum", "NAMED.x", "NAMED.moved(1.0)",
        "Point.at(3.0)", "Point.at(y=1.0, x=2.0).norm()", "Point.twice(4.0)", "a.at(7.0, 8.0)", "a.twice(a.x)",
        "Point.half(3.0) + a.half(a.x)",
        "(a, 1)", "Point(x=1.0).y + Point(y=5.0, x=2.0).x",
    ],
)  # fmt: skip
def test_as_in_python(expression: str) -> None:
    point = Point(3.0, 4.0)
    found, expected = run(expression, point), eval(expression, {**globals(), "a": point})
    assert found == expected
    assert type(found) is type(expected) or isinstance(expected, np.generic)


def test_every_kind_of_field() -> None:
    value = mixed()
    text = "a.flag, a.small, a.c[2], a.z, a.t[0], a.t[1], a.wide.y, a.p[2], a.a[1, 1], a.a.sum()"
    assert run(text, value) == (True, -3, 6, 1 - 2j, 7, 8.5, 2, 2.0, 6.0, GRID[:, ::2].sum())
    assert bytes(run("a", value)) == bytes(value)


@pytest.mark.requirement("A.3")
@pytest.mark.parametrize(
    "expression",
    [
        "x[1, 1]", "x[1]", "x[1:]", "x[:, 0]", "x[::-1, ::2]", "x.shape", "x.strides", "x.size", "x.ndim",
        "x.dtype.type(2)",
        "x[::2].sum()", "x[1].copy().view(np.int32)", "x[1:].copy().reshape(4)", "x.astype(np.float32)[0, 1]",
        "x.astype(np.float32, copy=False)", "x.astype(copy=True, dtype=np.float64)",
        "[row.sum() for row in x]", "len(x)",
    ],
)  # fmt: skip
def test_descriptors_are_arrays(expression: str) -> None:
    scope: dict[str, Any] = {**globals()}
    exec(f"def f(m):\n    x = m.a\n    return {expression}\n", scope)
    found = njit(scope["f"])(mixed())
    expected = eval(expression, {**globals(), "x": GRID[:, ::2]})
    assert np.array_equal(found, expected)


@pytest.mark.requirement("A.3")
@pytest.mark.parametrize(
    "expression",
    ["a.view(np.int32)", "a.reshape(3, 2)", "a[1:].reshape(2, 2)", "a[1:].astype(np.float32, copy=False)"],
)
def test_views_share_the_elements(expression: str) -> None:
    array = np.arange(6, dtype=np.float32)
    array = array if "view" in expression or "3, 2" in expression else array[:5]
    scope: dict[str, Any] = {"np": np}
    exec(f"def f(a):\n    b = {expression}\n    b[...] = 0\n", scope)
    njit(scope["f"])(array)
    assert array[1:].sum() == 0


def test_a_class_that_no_array_has_leaves_others_their_elements() -> None:
    """Numba has no record with an array of bools in it, and says so by a mistake of its own."""

    @sb.struct
    class Flags:
        seen: sb.carray[bool, 1]
        x: sb.align(float, 64)

    assert njit(lambda flags: flags.replace(x=3.0).x)(Flags((True,), 2.0)) == 3
    points = np.zeros(3, Point.dtype)
    assert njit(lambda points: points[1].replace(x=2.0).x)(points) == 2


def test_elements_of_arrays() -> None:
    points = np.zeros(3, Point.dtype)

    @njit
    def fill(points):
        for i in range(points.size):
            points[i] = Point(float(i), 1.0)
        return points[2].norm() + Point(points[1]).scaled(2.0).x + points[1].replace(y=5.0).y

    assert fill(points) == 5 + 3 + 5
    assert run("a[1].at(9.0).x + a[1].twice(2.0).y", points) == 11
    assert points["x"].tolist() == [0, 1, 2]
    assert points[1].tobytes() == bytes(Point(1.0, 1.0))


@pytest.mark.requirement("H.1")
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("a.x = 1.0", r"Point is immutable: x\.replace\(x=...\) makes a changed copy"),
        ("a.more = 1", "Point has no field 'more', and attributes cannot be added"),
        ("a.inner.a = 1", "Inner is immutable"),
        ("a.inner.v.x = 1", r"float32x3 is immutable: v\.replace\(x=...\)"),
        ("Point(q=3.0)", "Point.. has no field 'q'"),
        ("Point()", "Point.. lacks x"),
        ("Point(1.0, x=2.0)", "Point.. got 'x' twice, by position and by name"),
        ("Point('text')", "argument 1 'x': expected float64"),
        ("a.replace(z=1)", "Point.replace.. has no field 'z'"),
        ("a.replace(1)", "takes fields by name"),
        ("a.replace(x='text')", "expected float64"),
        ("mixed_.a.astype(np.float64, copy=False)", "would make an array of float32 anew: copy=True says so"),
        ("mixed_.replace(p=np.zeros(3))", "a struct does not keep what compiled code has"),
    ],
)
def test_refused_when_compiling(statement: str, words: str) -> None:
    scope: dict[str, Any] = {**globals(), "mixed_": None}
    exec(compile(f"def f(a, mixed_):\n    {statement}\n    return 0\n", "their_own.py", "exec"), scope)
    with pytest.raises(numba.core.errors.TypingError, match=words) as caught:
        njit(scope["f"])(Point(1.0), mixed())
    assert 'File "their_own.py", line 2' in str(caught.value)


@sb.struct
class Shown:
    ways: sb.array[sb.float32x3, 2]
    points: sb.array[sb.const[Point], 1]


def test_descriptors_of_vectors_and_structs() -> None:
    ways, points = np.zeros((2, 3), sb.float32x3), np.zeros(2, Point.dtype)
    points["x"] = 4, 5

    @njit
    def move(shown):
        shown.ways[1, ::2][1] = sb.float32x3(1, 2, 3)
        return sb.float32x3(shown.ways[1, 2]) * 2, shown.ways.shape, Point(shown.points[1]).x

    assert move(Shown(ways, points)) == (sb.float32x3(2, 4, 6), (2, 3), 5)
    assert ways[1, 2].tolist() == (1, 2, 3)


@sb.struct
class Gate:
    line: sb.Atomic(sb.int32)
    k: int = 0

    def enter(self):
        return self.line.add(1)


@sb.struct
class Behind:
    gates: sb.pointer[Gate]
    points: sb.pointer[Point]


def test_behind_pointers() -> None:
    """A struct with atomics is the very one, not a copy; a class that only a pointer names has its methods."""
    gates, points = np.zeros(2, Gate.dtype), np.zeros(2, Point.dtype)
    points["x"] = 3, 4
    behind = Behind(gates, points)
    assert run("a.gates[1].enter(), a.gates[1].line.add(5), Gate.enter(a.gates[1])", behind) == (0, 1, 6)
    assert gates["line"].tolist() == [0, 7]
    assert run("a.points[1].norm() + a.points[0].moved(1.0).x", behind) == 16 + 4


@sb.struct
class Pointers:
    own: sb.pointer[sb.float64]
    const: sb.pointer[sb.const[sb.float64]]


def test_what_is_const_is_not_written_to(lib: Any) -> None:
    """``const T*`` in a struct, from C++, and where one way has it: it was written to without a word."""
    numbers = np.arange(3.0)
    held = Pointers(numbers, numbers)

    @njit
    def read(held, const):
        p = held.const if const else held.own
        held.own[1] = 5
        return p[1] + held.const[1] + lib.first(held.own) + lib.first(held.const) + lib.behind(held.const)[0]

    assert (read(held, True), numbers[1]) == (15, 5)
    for text, words in (
        ("held.const[1] = 1", "const float64. is const: nothing is written through it"),
        ("held.const[1] += 1", "const float64. is const"),
        ("lib.behind(held.own)[0] = 1", "const float64. is const"),
        ("lib.clear(held.const)", "clear.. argument 1 'p': expected pointer.float64.*C.. may write there"),
    ):
        scope: dict[str, Any] = {"lib": lib}
        exec(compile(f"def f(held):\n    {text}\n", "their_own.py", "exec"), scope)
        with pytest.raises(numba.core.errors.TypingError, match=words) as caught:
            njit(scope["f"])(held)
        assert "their_own.py" in str(caught.value)


def test_a_text_is_not_made_up() -> None:
    """Numba writes ``<object type:Point>`` for what it does not know, and fails at keys without a word."""
    for expression, words in (
        ("str(a)", r"Point has no text in compiled code: print\(x\)"),
        ("f'{a.inner}'", "Inner has no text in compiled code"),
        ("{a: 1}[a]", "Point has no hash in compiled code: a tuple of its numbers serves"),
        ("a is a", "Point is a value in compiled code and no object: == compares it"),
    ):
        with pytest.raises(numba.core.errors.TypingError, match=words):
            run(expression, Point(1.0))


SOURCE = r"""
#include <samebytes/vector.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
struct Two { double p, q; };
struct Tup { std::int8_t __0; double __1; };
struct Same { std::int8_t a; double b; std::int16_t c[3]; samebytes::float32x4 v; Tup t; float d; };
inline void raw(const Same& s, unsigned char* out) { std::memcpy(out, &s, sizeof s); }
inline Same same(Same s) { return s; }
inline double first(const double* p) { return *p; }
inline const double* behind(const double* p) { return p + 1; }
inline void clear(double* p) { *p = 0; }
inline long where(const Same&, int i) {
  const long found[] = {offsetof(Same, a), offsetof(Same, b), offsetof(Same, c), offsetof(Same, v), offsetof(Same, t),
                        offsetof(Same, d), sizeof(Same), alignof(Same)};
  return found[i];
}
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba", name="same_bytes")


def test_the_same_bytes_in_cxx(lib: Any) -> None:
    """Offsets that C++ says; the bytes of a value in Python, of the value in compiled code, and in C++."""
    layout = sb.layout(Same)
    assert [lib.where(lib.Same(), i) for i in range(8)] == [*layout.offsets, layout.size, layout.align]

    @njit
    def there(value, out):
        lib.raw(value, out)
        return lib.same(value).b

    full = Same(-1, 2.5, (3, 4, 5), sb.float32x4(6, 7, 8, 9), (10, 11.5), 12.5)
    for value in (full, Same(0, 0, (0, 0, 1), sb.float32x4(0, 0, 0, 1), (1, 0), 1)):
        out = np.zeros(layout.size, np.uint8)
        assert there(value, out) == value.b
        for field in layout.fields:
            part = slice(field.offset, field.offset + field.size)
            assert out.tobytes()[part] == bytes(value)[part]

    @njit
    def made(out):
        lib.raw(Same(-1, 2.5, (3, 4, 5), sb.float32x4(6, 7, 8, 9), (10, 11.5), 12.5), out)

    first, second = np.zeros(layout.size, np.uint8), np.zeros(layout.size, np.uint8)
    made(first)
    lib.raw(full, second)
    assert first.tobytes() == second.tobytes()


def test_fields_by_other_names_of_one_type(lib: Any) -> None:
    """Two calls whose arguments have the same types, and other names."""

    @njit
    def both():
        one, other = lib.Two(p=1.0), lib.Two(q=2.0)
        return one.p, one.q, other.p, other.q

    assert both() == (1, 0, 0, 2)


def test_a_class_that_is_defined_anew() -> None:
    """As in a notebook: an element of an array has the methods of the last definition."""

    def define(factor):
        @sb.struct
        class Anew:
            only_here: sb.float64

            def grown(self):
                return self.only_here * factor

        return Anew

    kept = []
    for factor in (2.0, 3.0):
        kept.append(define(factor))
        array = np.ones(1, kept[-1].dtype)
        assert njit(lambda a: a[0].grown())(array) == factor
        assert run("a.grown()", kept[-1](1.0)) == factor


@pytest.mark.parametrize("value", [Point(3.0), sb.float32x3(3, 4, 5)])
def test_code_that_takes_own_types_is_kept_on_no_disk(value):
    with pytest.warns(numba.NumbaWarning, match="Cannot cache"):
        assert njit(cache=True)(first_of)(value) == 3
