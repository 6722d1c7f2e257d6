"""Templates that CUDA's words mark, as functions that these mark: called by Python, by @njit and by kernels."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = """
MARK inline int plain(int a) { return a; }
template <class T> inline T bare(T a) { return a + 1; }
template <class T> MARK inline T same(T a) { return a; }
template <int N, class T> MARK T times(T a) { return a * N; }
template <class T> MARK void half(T a, T& out) { out = a / 2; }
template <class T> struct Box {
  T v;
  MARK Box(T v) : v(v) {}
  MARK T get() const { return v; }
  template <class U> MARK U plus(U u) const { return u + v; }
  MARK static T two() { return T(2); }
  MARK bool operator<(const Box& o) const { return v < o.v; }
};
template <class T> MARK Box<T> operator+(Box<T> a, Box<T> b) { return Box<T>(a.v + b.v); }
template <class T> MARK constexpr T pi = T(3.25);
struct Whole { int n; template <class U> MARK Whole(U u, int) : n(int(u)) {} };
struct Base {
  MARK virtual int f(int x) { return x; }
  MARK int call(int x) { return f(x); }
  virtual ~Base() {}
};
template <class T> __global__ void kernel(T* p) { *p = 1; }
"""
MARKS = ("__device__", "__host__ __device__", "__forceinline__ __host__ __device__")
INTENTS = {"half": {"out": "out_return"}}
CALLS: tuple[tuple[str, str, Any], ...] = (
    ("plain", 'f.plain(3)', 3),
    ("no mark of its own", 'f.bare(3)', 4),
    ("deduced", "(f.same(3), f.same(2.5))", (3, 2.5)),
    ("named", 'f.same["float"](2.5)', 2.5),
    ("some arguments named", 'f.times[3](0.5)', 1.5),
    ("outputs", 'f.half(5.0)', 2.5),
    ("a class", 'f.Box["int"](3).get()', 3),
    ("a method", 'f.Box["int"](3).plus(2.5)', 5.5),
    ("a static method", 'f.Box["float"].two()', 2),
    ("a member operator", 'f.Box["int"](3) < f.Box["int"](4)', True),
    ("a free operator", '(f.Box["int"](3) + f.Box["int"](4)).v', 7),
    ("a constructor", 'f.Whole(2.5, 1).n', 2),
    ("a variable", 'f.pi["double"]', 3.25),
)  # fmt: skip


def marked(mark: str) -> str:
    """The source with a mark; ``__forceinline__`` is ``inline`` itself, and stands on no constant."""
    text = SOURCE.replace("MARK constexpr", "constexpr")
    if "__forceinline__" in mark:
        text = text.replace("MARK inline", "MARK").replace("MARK virtual", "virtual")
    return text.replace("MARK", mark)


@each("mark", MARKS)
def test_python_calls_them(mark: str) -> None:
    lib = sb.compile(marked(mark), arg_intent=INTENTS)
    for name, call, expected in CALLS:
        assert eval(call, {"f": lib}) == expected, name

    class Derived(lib.Base):  # type: ignore[name-defined,misc]
        def f(self, x: int) -> int:
            return x + 100

    assert Derived().call(1) == 101
    with pytest.raises(AttributeError, match="it is a kernel, which a device runs"):
        lib.kernel  # noqa: B018


@each("mark", MARKS)
def test_they_are_instantiated_with_the_library(mark: str) -> None:
    asked = ["same<int>", "times<3, float>", "Box<float>", "bare<long>"]
    lib = sb.compile(marked(mark), instantiate=asked)
    assert set(asked) <= set(lib.__instances__)
    assert (lib.same(3), lib.times[3, sb.float32](0.5), lib.Box[sb.float32](1.5).get()) == (3, 1.5, 1.5)


@each("mark", MARKS)
def test_compiled_code_calls_them(mark: str) -> None:
    numba = pytest.importorskip("numba", reason="Numba is not installed")
    lib = sb.compile(marked(mark), target="numba", arg_intent=INTENTS)
    for name, call, expected in CALLS[:-3]:
        if name != "a method":
            assert numba.njit(eval(f"lambda: {call}", {"f": lib}))() == expected, name


def test_a_template_that_is_not_there_is_said_as_ever() -> None:
    with pytest.raises(sb.BindError, match="nothing<int> cannot be instantiated"):
        sb.compile(marked(MARKS[0]), instantiate=["nothing<int>"])
