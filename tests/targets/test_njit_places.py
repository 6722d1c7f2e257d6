"""What @njit reads where it lies: const as C++ has it, no garbage of arrays of objects, and null pointers as None."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full

SOURCE = r"""
struct Dot { int x = 1; void set(int n) { x = n; } int get() const { return x; } };
struct Part { int number = 1; Dot dot; ~Part() {} int get() const { return number; } void set(int n) { number = n; } };
struct Whole {
  Part part, parts[2];
  const Part fixed;
  Dot dot;
  const Dot still;
  const Dot stills[2];
  Dot dots[2];
  int numbers[2] = {1, 2};
  const int constants[2] = {1, 2};
  Whole() {}
  ~Whole() {}
  const Whole& itself() const { return *this; }
};
struct Large { double d[20]; int x; int get() const { return x; } };
struct Larger { Large inner; int y; };

inline Part part;
inline const Part fixed;
inline Part parts[2];
inline Dot dot;
inline const Large large{{1, 2, 3}, 7};
inline const Larger larger{{{1, 2}, 8}, 9};

inline Dot* dot_or(bool none) { return none ? nullptr : &dot; }
inline Part* part_or(bool none) { return none ? nullptr : &part; }
inline const char* text_or(bool none) { return none ? nullptr : "text"; }
inline int* number_or(bool none) { return none ? nullptr : &dot.x; }
struct Link { Link* next = nullptr; int value = 3; };
inline Link tail, head{&tail, 4};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba", std="c++17")


def function(lib: Any, body: str) -> Any:
    """A function of a Whole, compiled."""
    known: dict[str, Any] = {"lib": lib}
    exec(f"def f(w):\n    {body}", known)
    return njit(known["f"])


# --- what is const ---

CONST = {
    "w.fixed.set(5)": "a const Part",
    "w.fixed.number = 5": "Part.number cannot be changed: C[+][+] gave the object as const",
    "w.fixed.dot.x = 5": "cannot be written",
    "w.still.set(5)": "expected a place",
    "w.still.x = 5": "cannot be written",
    "w.constants[0] = 5": "setitem|read-only|mutable",
    "lib.fixed.set(5)": "a const Part",
    "lib.fixed.number = 5": "Part.number cannot be changed: C[+][+] gave the object as const",
    "w.itself().part.set(5)": "a const Part",
    "w.itself().part.number = 5": "Part.number cannot be changed",
    "w.itself().dot.x = 5": "cannot be written",
    "w.itself().numbers[0] = 5": "setitem|read-only|mutable",
    "w.stills[0].x = 5": "an array whose structs may be written, got const carray.Dot, 2.",
    "w.itself().dots[0].x = 5": "an array whose structs may be written, got const carray.Dot, 2.",
}


@pytest.mark.parametrize("body", CONST)
def test_what_is_const_is_not_written_to(lib: Any, body: str) -> None:
    with pytest.raises(numba.errors.TypingError, match=CONST[body]):
        function(lib, body)(lib.Whole())


READ = {
    "w.fixed.get()": 1,
    "w.fixed.dot.x": 1,
    "w.still.get()": 1,
    "w.constants[1]": 2,
    "w.dots[1].x": 1,
    "w.itself().part.get()": 1,
    "w.itself().numbers[1]": 2,
    "lib.fixed.get()": 1,
    "lib.part.get()": 1,
    "lib.large.x": 7,
    "lib.large.d[1]": 2.0,
    "lib.larger.inner.get()": 8,
    "lib.larger.y": 9,
}


@pytest.mark.parametrize("said", READ)
def test_it_is_read(lib: Any, said: str) -> None:
    assert function(lib, f"return {said}")(lib.Whole()) == READ[said]


@pytest.mark.parametrize("reach", ["w.part", "w.part.dot", "w.dot", "lib.part"])
def test_what_is_not_const_is_the_very_object(lib: Any, reach: str) -> None:
    whole = lib.Whole()
    assert function(lib, f"{reach}.set(5); return {reach}.get()")(whole) == 5
    assert eval(reach, {"w": whole, "lib": lib}).get() == 5
    function(lib, f"{reach}.set(1)")(whole)


@pytest.mark.parametrize("reach", ["w.parts", "lib.parts"])
def test_arrays_of_objects_are_refused(lib: Any, reach: str) -> None:
    with pytest.raises(numba.errors.TypingError, match="an array of what Numba has records for"):
        function(lib, f"return {reach}[1].get()")(lib.Whole())


# --- null pointers ---


@pytest.mark.parametrize("name", ["dot_or", "part_or", "text_or", "number_or"])
@pytest.mark.parametrize("none", [True, False])
@pytest.mark.parametrize("said", ["{} is None", "not ({} is not None)", "{} == None", "not (None != {})"])
def test_a_null_pointer_is_none(lib: Any, name: str, none: bool, said: str) -> None:
    known: dict[str, Any] = {"f": getattr(lib, name)}
    exec(f"def g(none): return {said.format('f(none)')}", known)
    assert njit(known["g"])(none) is none
    if name != "number_or":  # in Python a pointer to a number is a Pointer, which is never None
        assert known["g"](none) is none


def test_a_field_that_is_null_ends_a_list(lib: Any) -> None:
    @njit
    def ends(link: Any) -> bool:
        return link.next is None

    assert (ends(lib.head), ends(lib.tail)) == (False, True)


COPIES = """
#include <vector>
struct Inner { int k = 2; };
struct Dot { int x = 1; Inner in; void set(int v) { x = v; } int get() const { return x; } };
struct Line { std::vector<Dot> dots{2}; Dot real; };
inline int seen(const Dot& d) { return d.x; }
"""


@pytest.fixture(scope="module")
def copies() -> Any:
    return sb.compile(COPIES, target="numba", name="copies_compiled")


def test_a_copy_of_what_cxx_has_is_read_by_compiled_code(copies: Any) -> None:
    seen = copies.seen
    line = copies.Line()
    assert numba.njit(lambda d: d.x + d.get() + d.in_.k + seen(d))(line.dots[0]) == 5
    assert numba.njit(lambda d: d)(line.dots[0]).x == 1


@pytest.mark.parametrize("write", ["d.x = 5", "d.set(5)", "d.in_.k = 5"])
def test_and_not_written_to(copies: Any, write: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def f(d):\n    {write}\n    return d.x", scope)
    line = copies.Line()
    copy = line.dots[0]
    with pytest.raises(numba.core.errors.TypingError, match=r"cannot be written|expected"):
        numba.njit(scope["f"])(copy)
    assert (copy.x, copy.in_.k) == (1, 2)
    numba.njit(scope["f"])(line.real)
    assert (line.real.x, line.real.in_.k) != (1, 2)
