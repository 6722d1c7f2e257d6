"""samebytes/mdspan.hpp with real mdspans beside libcu++'s: Kokkos' reference implementation, and libc++'s own."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

sys.path.append(str(Path(__file__).parent))
from mdspan_cases import cases, expected
from mdspan_program import program
from test_mdspan_header import BACK, compiled

pytestmark = pytest.mark.full
CASES = [c for c in cases() if c.layout != "relaxed"]  # that layout is libcu++'s own

KOKKOS = """
#define MDSPAN_IMPL_STANDARD_NAMESPACE Kokkos
#define MDSPAN_IMPL_PROPOSED_NAMESPACE Experimental
#include <basix/mdspan.hpp>
#define library Kokkos
"""
STD = """
#include <mdspan>
#define library std
"""
OURS = """
#include "mini_mdspan.hpp"
#include <samebytes/mdspan.hpp>
template <std::size_t R>
using dims = library::dextents<int64_t, R>;
using library::layout_right, library::layout_left, library::layout_stride;
"""


@pytest.fixture(scope="session")
def kokkos() -> str:
    """The folder of Kokkos' single header: FEniCS' basix carries it unchanged in its wheel."""
    found = find_spec("basix")
    for root in (found.submodule_search_locations or ()) if found else ():
        if (Path(root) / "include/basix/mdspan.hpp").is_file():
            return f"{root}/include"
    pytest.skip("Kokkos' mdspan is not installed: pip install fenics-basix")


@pytest.fixture(params=["Kokkos", "libc++"])
def library(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, tuple[str, ...], str]:
    """What to include, with which flags and which compiler."""
    if request.param == "Kokkos":
        return KOKKOS + OURS, ("-std=c++20", "-isystem", request.getfixturevalue("kokkos")), ""
    if not shutil.which("clang++-19"):
        pytest.skip("Clang 19 is not installed: apt install clang-19 libc++-19-dev")
    folder = tmp_path / "found"
    folder.mkdir()
    flags = ("-std=c++23", "-stdlib=libc++")
    if compiled(folder, "#include <mdspan>\nint main() {}\n", *flags, compiler="clang++-19").returncode:
        pytest.skip("libc++ with std::mdspan is not installed: apt install libc++-19-dev")
    return STD + OURS, flags, "clang++-19"


def test_every_case(library: tuple[str, tuple[str, ...], str], tmp_path: Path) -> None:
    includes, flags, compiler = library
    call = "samebytes::{function}<library::mdspan<{element}, dims<{rank}>, layout_{layout}>>(t)"
    ran = compiled(tmp_path, program(CASES, call, includes=includes, real=False), *flags, compiler=compiler)
    assert ran.returncode == 0, ran.stderr[-3000:]
    found = dict(zip([c.name for c in CASES], ran.stdout.splitlines(), strict=True))
    wanted = {c.name: expected(c) for c in CASES}
    # 2^81 elements: how far they reach fits no number, and each library wraps in its own way.
    beyond = "shape overflow 2^40,2^40,2 [stride]"
    assert found.pop(beyond).partition(" span=")[0] == wanted.pop(beyond).partition(" span=")[0]
    assert found == wanted


BACK_AND_FORTH = r"""
int main() {
  DLTensor t{numbers, {kDLCPU, 0}, 2, {0, 32, 1}, shape, strides, 4};
  again<library::mdspan<const int, dims<2>, layout_stride>>(t);
  t.byte_offset = 0;
  again<library::mdspan<int, library::extents<int, 2, library::dynamic_extent>>>(t);
  fails([&] { (void)samebytes::to_host_mdspan<library::mdspan<int, library::extents<int, 2, 4>>>(t); });
  int64_t none[] = {0, 3}; t.shape = none; t.data = nullptr;
  again<library::mdspan<int, dims<2>>>(t);
}
"""


def test_back(library: tuple[str, tuple[str, ...], str], tmp_path: Path) -> None:
    includes, flags, compiler = library
    back = BACK.replace("template <class M>\nusing relaxed = mini::mdspan<M, dims<2>, layout_relaxed>;\n", "")
    ran = compiled(tmp_path, includes + back + BACK_AND_FORTH, *flags, compiler=compiler)
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert ran.stdout.splitlines() == [
        "1 1,0 2 (0,32,1) 1 1 0",
        "0 1,0 2 (0,32,1) 1 1 0",
        "DLTensor shape does not match the mdspan's static extents",
        "-1 1,0 2 (0,32,1) 1 1 0",
    ]


BOUND = r"""
template <class M>
double all(const M& m) {
  double s = 0;
  for (int i = 0; i < int(m.extent(0)); ++i)
    for (int j = 0; j < int(m.extent(1)); ++j) s = s * 2 + m.accessor().access(m.data_handle(), m.mapping()(i, j));
  return s;
}
template <class T, class L = Kokkos::layout_right>
using matrix = Kokkos::mdspan<T, Kokkos::dextents<int, 2>, L>;
double right(matrix<const float> m) { return all(m); }
double left(matrix<const float, Kokkos::layout_left> m) { return all(m); }
double stride(const matrix<const float, Kokkos::layout_stride>& m) { return all(m); }
double fixed(Kokkos::mdspan<float, Kokkos::extents<long, 2, 3>> m) { m.data_handle()[0] += 1; return all(m); }
"""


def test_bound_parameters(kokkos: str) -> None:
    """Functions that take Kokkos' mdspan are called with NumPy arrays."""
    source = KOKKOS.replace("#define library Kokkos\n", "") + BOUND
    lib: Any = sb.compile(source, std="c++20", include_dirs=[kokkos])
    x = np.arange(6, dtype="f4").reshape(2, 3)
    expected = lambda a: float(np.polyval(a.ravel(), 2))  # noqa: E731
    assert lib.right(x) == expected(x)
    assert lib.left(np.asfortranarray(x)) == expected(x)
    assert lib.stride(x[:, ::2]) == expected(x[:, ::2])
    assert lib.fixed(x) == expected(x)
    assert x[0, 0] == 1
    with pytest.raises(sb.ArrayError, match=r"strides are not all positive.*layout_stride asks for"):
        lib.stride(x[::-1])
    with pytest.raises(sb.ArrayError, match=r"extents|shape"):
        lib.fixed(np.zeros((2, 4), "f4"))
