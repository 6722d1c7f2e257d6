"""What the hints of mdspans, definitions, headers, C APIs, the cache and packages advise works when it is followed.

Each row is refused once, with the hint in the words, and then does what the hint says. Other hints of plain calls are
in ``test_hints.py`` and ``test_hints_of_builds.py``, those of compiled code in ``tests/targets``.
"""

from __future__ import annotations

import array
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from tests.advice import Advice

import samebytes as sb
from samebytes.types import SCALARS

pytestmark = pytest.mark.full  # large builds; test_hints.py is the quick one

GRID = np.arange(6, dtype="f4").reshape(2, 3)
MISPLACED = np.zeros(25, "u1")[1:].view("f4")
FROZEN = np.frombuffer(bytes(8), "f4")
TWICE = as_strided(np.arange(4, dtype="f4"), (2, 3), (4, 4))
MDSPANS = [
    Advice("to(x, sb.float32, 1)", GRID, "Pass an array of rank 1: reshape() or index it",
           "to(x.reshape(6), sb.float32, 1).extents", (6,)),
    Advice("to(x, sb.float32, 1)", GRID, "or index it", "to(x[0], sb.float32, 1).extents", (3,)),
    Advice("to(x, sb.float32, 1)", MISPLACED, "x.copy() makes an aligned copy",
           "to(x.copy(), sb.float32, 1).extents", (6,)),
    Advice("to(x, sb.float32, 1)", memoryview(MISPLACED), "numpy.array(x) makes an aligned copy",
           "to(np.array(x), sb.float32, 1).extents", (6,)),
    Advice("to(x.T, sb.float32, 2, 'right')", GRID, "numpy.ascontiguousarray(x) makes such a copy",
           "to(np.ascontiguousarray(x.T), sb.float32, 2, 'right').strides", (2, 1)),
    Advice("to(x.T, sb.float32, 2, 'right')", GRID, "layout 'stride' takes more",
           "to(x.T, sb.float32, 2, 'stride').strides", (1, 3)),
    Advice("to(x, sb.float32, 2, 'left')", GRID, "numpy.asfortranarray(x) makes such a copy",
           "to(np.asfortranarray(x), sb.float32, 2, 'left').strides", (1, 2)),
    Advice("to(x[::-1], sb.float32, 2)", GRID, "Layout 'relaxed' takes any strides",
           "to(x[::-1], sb.float32, 2, 'relaxed').strides", (-3, 1)),
    Advice("to(x, sb.float32, 1)", FROZEN, "say sb.const[float32] for a view that only reads",
           "to(x, sb.const[sb.float32], 1).extents", (2,)),
    Advice("to(x, sb.float32, 2)", TWICE, "say sb.const[float32] for a view that only reads",
           "to(x, sb.const[sb.float32], 2).strides", (1, 1)),
]  # fmt: skip


def lying(*fields: tuple[str, str], align: bool = False) -> Any:
    return np.dtype([*fields], align=align)


TYPES = [
    Advice("sb.declare(dtype(('class', x)))", "i4", "is a C++ keyword; rename the field",
           "'class_;' in sb.declare(dtype(('class_', x)))", True),
    Advice("sb.declare(dtype(('a b', x)))", "i4", "is no name in C++; rename the field",
           "'a_b;' in sb.declare(dtype(('a_b', x)))", True),
    Advice("sb.declare(dtype(('a', 'u1'), ('b', x)))", "i4", "numpy.dtype(..., align=True) lays fields out as C++ does",
           "sb.layout(dtype(('a', 'u1'), ('b', x), align=True)).fields[1].offset", 4),
    Advice("sb.sizeof(dtype(('a', x)))", "U3", "use bytes (S) for C++'s char", "sb.sizeof(dtype(('a', 'S3')))", 3),
    Advice("sb.sizeof(x.dtype)", np.zeros(2, "M8[D]"), 'use x.view("int64"), the ticks',
           "sb.sizeof(x.view('int64').dtype)", 8),
    Advice("sb.pack(x, int)", np.datetime64(3, "D"), 'x.astype("int64") is its number of ticks',
           "sb.unpack(sb.pack(x.astype('int64'), int), int)", 3),
    Advice("sb.pack(x, float)", np.timedelta64(3, "D"), 'float(x.astype("int64")) is its number of ticks',
           "sb.unpack(sb.pack(float(x.astype('int64')), float), float)", 3.0),
    Advice("sb.sizeof(x)", "int&", "write the type itself", "sb.sizeof('int')", 4),
    Advice("sb.sizeof(x, dialect='cuda')", "cuda::atomic<short>", "declare one of 4 or 8 bytes",
           "sb.sizeof('cuda::atomic<int>', dialect='cuda')", 4),
    Advice("sb.sizeof(x, dialect='cuda')", "cuda::atomic<short>", "or samebytes::atomic<T>",
           "sb.sizeof('samebytes::atomic<short>', dialect='cuda')", 2),
    Advice("sb.declare(x[0])", [sb.struct(type("Pair", (), {"__annotations__": annotations})) for annotations in (
               {"one": sb.struct(type("Same", (), {"__annotations__": {"n": sb.int32}})),
                "two": sb.struct(type("Same", (), {"__annotations__": {"n": sb.float32}}))},
               {"one": sb.struct(type("Same", (), {"__annotations__": {"n": sb.int32}})),
                "two": sb.struct(type("Other", (), {"__annotations__": {"n": sb.float32}}))})],
           "rename one of them", "'Other two;' in sb.declare(x[1])", True),
]  # fmt: skip


@pytest.mark.parametrize("row", [*MDSPANS, *TYPES], ids=lambda row: f"{row.refused}-{row.hint}"[:70])
def test_what_arrays_and_types_advise(row: Advice) -> None:
    names = {"sb": sb, "np": np, "to": sb.to_host_mdspan, "dtype": lying, "x": row.x}
    with pytest.raises((sb.Error, TypeError)) as caught:
        eval(row.refused, dict(names))
    assert row.hint in str(caught.value)
    assert eval(row.followed, dict(names)) == row.result


# Of each library, or of none: objects with their own ways of conversion, and without.
HOLDERS: dict[str, Callable[[Any], Any]] = {
    "numpy": lambda x: x,
    "view": sb.view,
    "memoryview": memoryview,
    "array": lambda x: array.array(x.dtype.char, x.tolist()),
}


def is_converted(obj: Any, element: str, **names: Any) -> bool:
    """Whether an mdspan refuses an array's elements, and takes them as its hint converts them."""
    try:
        sb.to_host_mdspan(obj, element, 1)
        return False
    except sb.ArrayError as error:
        advised = re.search(r"expected type\. (.+) makes a converted copy", str(error))
    assert advised is not None
    followed = eval(advised[1], {"x": obj, "numpy": np, **names})
    return sb.to_host_mdspan(followed, sb.const[element], 1).extents == (4,)


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("element", [*SCALARS])
def test_elements_of_an_mdspan_are_converted_as_the_hint_says(element: str, holder: str) -> None:
    found = [is_converted(HOLDERS[holder](np.ones(4, dtype)), element) for dtype in ("f4", "i8")]
    assert any(found)


@pytest.mark.full
@pytest.mark.parametrize("element", ["int32", "float64", "float8e4m3", "char"])
def test_elements_of_tensors_are_converted_as_the_hint_says(element: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    assert is_converted(torch.ones(4), element, torch=torch)


def test_a_tensor_that_only_its_maker_converts_gets_no_advice() -> None:
    tensor = sb.to_host_mdspan(np.ones(4, "f4"), sb.float32, 1).to_dlpack()
    with pytest.raises(sb.ArrayError, match=r"expected type$"):
        sb.to_host_mdspan(tensor, sb.int32, 1)


NESTED = """
struct Outer { struct Inner { int n; } i; Inner* p; };
struct Coded { enum Code { one, two } code; };
struct Either { union { int i; float f; }; int k; };
struct Hidden { int x; int sum() const { return x + y; } private: int y = 2; };
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Outer", "Outer::Inner is a class inside of Outer, which names it"),
        ("Coded", "Coded::Code is an enumeration inside of Coded, which names it"),
        ("Either", "has an anonymous union inside"),
        ("Hidden", "has members that Python does not see"),
    ],
)
def test_what_cannot_be_declared_is_in_its_header(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "nested.hpp").write_text(NESTED)
    cls = getattr(sb.bind(tmp_path / "nested.hpp"), name)
    with pytest.raises(sb.LayoutError, match=f"{words}: include its header instead"):
        sb.declare(cls)
    text = f'#include "nested.hpp"\ninline bool same() {{ return sizeof({name}) == {sb.sizeof(cls)}; }}'
    assert sb.compile(text, include_dirs=[tmp_path]).same()


@pytest.mark.parametrize("value", [np.timedelta64("NaT"), np.datetime64("NaT")], ids=repr)
def test_what_is_no_time_has_no_ticks(value: Any) -> None:
    with pytest.raises(sb.ArgumentError) as caught:
        sb.pack(value, int)
    assert "(x" not in str(caught.value)


@pytest.mark.parametrize("text", ["5", b"1", "0"])
def test_no_number_is_read_from_text_for_a_bool(text: Any) -> None:
    with pytest.raises(sb.ArgumentError) as caught:
        sb.pack(text, bool)
    assert "(x" not in str(caught.value)


# --- declarations that are not bound: the reason says what crosses instead

READ = r"""
#include <functional>
#include <memory>
#include <span>
#include <samebytes/vector.hpp>
typedef float lanes __attribute__((vector_size(16)));
inline lanes builtin(lanes x) { return x; }
inline samebytes::float32x4 vector(samebytes::float32x4 x) { return x; }
inline std::function<int(int)> variable;
inline void set_variable(std::function<int(int)> f) { variable = f; }
inline int run() { return variable(3); }
inline int (*pointer())() { return +[] { return 1; }; }
inline void spanned(std::span<int>& s) { s[0] = 1; }
inline void by_value(std::span<int> s) { s[0] = 1; }
struct Big { char c[1 << 30]; };
inline int big(Big b) { return b.c[0]; }
inline int big_by_reference(const Big& b) { return sizeof b >> 30; }
"""
INSTEAD = [
    Advice("lib.builtin", None, "use samebytes::float32x4 and its like", "lib.vector(sb.float32x4(1, 2, 3, 4)).w", 4),
    Advice("lib.variable", 5, "a function that takes one can set it",
           "(lib.set_variable(lambda n: n + x), lib.run())[1]", 8),
    Advice("lib.spanned", np.zeros(2, "i4"), "take it by value", "(lib.by_value(x), x.tolist())[1]", [1, 0]),
    Advice("lib.big", None, "take it by reference", "callable(lib.big_by_reference)", True),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    with pytest.warns(sb.BindWarning):
        return sb.compile(READ, std="c++20", name="instead")


@pytest.mark.parametrize("row", INSTEAD, ids=lambda row: row.refused)
def test_what_a_reason_advises(lib: Any, row: Advice) -> None:
    with pytest.raises(AttributeError) as caught:
        eval(row.refused, {"lib": lib})
    assert row.hint in str(caught.value)
    assert eval(row.followed, {"lib": lib, "sb": sb, "x": row.x}) == row.result
