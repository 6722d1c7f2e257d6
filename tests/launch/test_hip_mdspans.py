"""Kernels of HIP that take an mdspan by value: Kokkos', each layout, index and number of free extents."""

import itertools
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

KOKKOS = """
#define MDSPAN_IMPL_STANDARD_NAMESPACE Kokkos
#define MDSPAN_IMPL_PROPOSED_NAMESPACE Experimental
#include <basix/mdspan.hpp>
"""
INDICES = ("int", "unsigned", "long", "short", "unsigned char")
EXTENTS = ((), (None,), (None, None), (2, None), (None, 3), (2, 3), (None, 3, None))
LAYOUTS = ("right", "left", "stride")
SHAPE = (2, 3, 2)
LETTERS = "ijk"
ROWS = [
    (INDICES[i % len(INDICES)], extents, layout)
    for i, (layout, extents) in enumerate(itertools.product(LAYOUTS, EXTENTS))
]


@pytest.fixture(scope="session", autouse=True)
def _compiler():
    """No NVRTC is needed here."""


def spelled(index, extents, layout, element="float"):
    numbers = "".join(f", {'Kokkos::dynamic_extent' if n is None else n}" for n in extents)
    return f"Kokkos::mdspan<{element}, Kokkos::extents<{index}{numbers}>, Kokkos::layout_{layout}>"


def spelled_kernel(number, row):
    index, extents, layout = row
    at = ", ".join(LETTERS[: len(extents)])
    loops = "".join(
        f"for (int {v} = 0; {v} < x.extent({d}); ++{v}) " for d, v in enumerate(LETTERS[: len(extents)])
    )
    subscript = f"x.data_handle()[x.mapping()({at})]"
    return (
        f"__global__ void k{number}(char c, {spelled(index, extents, layout, 'const float')} x, float* out) "
        f"{{ {loops}*out++ = {subscript} + c; }}"
    )


SOURCE = KOKKOS + "\n".join(spelled_kernel(n, row) for n, row in enumerate(ROWS))
SOURCE += f"""
__global__ void narrow({spelled("unsigned char", (None, None), "right")} x) {{}}
__global__ void fixed({spelled("int", (2, None), "right")} x) {{}}
"""


@pytest.fixture(scope="module")
def made(_hip):
    found = find_spec("basix")
    roots = (found.submodule_search_locations or ()) if found else ()
    folder = next((f"{r}/include" for r in roots if (Path(r) / "include/basix/mdspan.hpp").is_file()), None)
    if folder is None:
        pytest.skip("Kokkos' mdspan is not installed: pip install fenics-basix")
    return folder


@pytest.fixture
def lib(made, hip, monkeypatch):
    compiled = sb.compile(SOURCE, dialect="hip", std="c++20", include_dirs=[made], name="kokkos")
    if not any("narrow" in symbol for symbol in hip._kernels):
        monkeypatch.setenv("CPATH", made)
        hip.knows(compiled, SOURCE)
    return compiled


def test_each_kernel_reads_its_array(lib, hip):
    assert not [s for s in lib.__skipped__ if s.kind == "kernel"]
    for number, (_, extents, layout) in enumerate(ROWS):
        shape = SHAPE[: len(extents)]
        values = np.arange(1, 1 + int(np.prod(shape, dtype=int)), dtype=np.float32).reshape(shape)
        x = hip.array(values)
        if layout == "left" and shape:
            x = type(x)(np.asfortranarray(values))
        elif layout == "stride" and shape:
            whole = np.zeros([n + 1 for n in shape[:-1]] + [2 * n for n in shape[-1:]], np.float32)
            part = whole[(*(slice(0, n) for n in shape[:-1]), slice(0, None, 2))]
            part[...] = values
            x = type(x)(part)
        out = hip.array(np.zeros(values.size, np.float32))
        getattr(lib, f"k{number}")[1, 1](1, x, out)
        assert out.array.tolist() == (values.ravel() + 1).tolist(), ROWS[number]


def test_what_the_class_cannot_show_is_refused(lib, hip):
    count = len(hip.launches)
    for name, array, words in (
        ("narrow", hip.array(np.zeros((16, 16), "f4")), "too many for uint8, by which the mdspan counts"),
        ("narrow", np.zeros((2, 2), "f4"), "in host memory"),
        ("narrow", hip.array(np.zeros(2, "f4")), "an array of 2 dimensions"),
        ("fixed", hip.array(np.zeros((3, 2), "f4")), r"the shape must be \[2, m\]"),
    ):
        with pytest.raises(sb.ArrayError, match=f"(?s)argument 1 'x': expected float32.*ROCm.*{words}"):
            getattr(lib, name)[1, 1](array)
    assert len(hip.launches) == count


def test_where_its_numbers_lie_is_proven_by_the_compiler(made, hip, monkeypatch):
    from samebytes.types import Span

    image = Span.image.fget

    def turned(self):
        found = image(self)
        return type(found)(found.name, (found.fields[0], *found.fields[:0:-1]))

    monkeypatch.setattr(Span, "image", property(turned))
    source = f"{KOKKOS}__global__ void k({spelled('int', (None, None), 'stride')} x) {{}}"
    with pytest.raises(sb.CompileError, match="static assertion failed"):
        sb.compile(source, dialect="hip", std="c++20", include_dirs=[made], arch="gfx90a", name="turned")
