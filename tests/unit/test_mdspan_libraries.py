"""samebytes/mdspan.hpp with the real libcu++, beside its own conversions."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from samebytes.errors import MissingDependency
from samebytes.toolchain.cuda import cuda_headers

sys.path.append(str(Path(__file__).parent))
from mdspan_cases import Case, cases, expected
from mdspan_program import program
from test_mdspan_header import BACK, printed

pytestmark = pytest.mark.full
CASES = cases()

LIBCUDACXX = """
#include <dlpack/dlpack.h>
#include <cuda/mdspan>
#include <cuda/std/complex>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <samebytes/mdspan.hpp>
using cuda::std::layout_right, cuda::std::layout_left, cuda::std::layout_stride;
using layout_relaxed = cuda::layout_stride_relaxed;
"""
CALLS = {
    "libcu++": "cuda::{function}<{element}, {rank}, layout_{layout}>(t)",
    "ours": "samebytes::{function}<cuda::host_mdspan<{element}, cuda::std::dims<{rank}, int64_t>, layout_{layout}>>(t)",
}


def _nvidia() -> list[Path]:
    spec = find_spec("nvidia")
    return [Path(p) for p in (spec.submodule_search_locations or ())] if spec else []


@pytest.fixture(scope="session")
def libcudacxx(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Flags with which g++ finds libcu++ of CCCL 3.3 or newer, CUDA's headers and a DLPack header."""
    wanted = "cuda/__mdspan/dlpack_to_mdspan.h"
    found = next(
        (r for n in _nvidia() for r in sorted(n.glob("*/include/cccl")) if (r / wanted).is_file()), None
    )
    if found is None:
        pytest.skip("CCCL 3.3 or newer is not installed: pip install 'samebytes[cuda]'")
    try:
        headers = cuda_headers()
    except MissingDependency as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("dlpack")
    (folder / "dlpack").mkdir()
    text = (Path(__file__).parent / "mini_mdspan.hpp").read_text().partition("namespace mini")[0]
    codes = "enum { kDLInt, kDLUInt, kDLFloat, kDLBfloat = 4, kDLComplex, kDLBool, kDLFloat8_e4m3fn = 10,"
    codes += " kDLFloat8_e5m2 = 12, kDLFloat8_e8m0fnu = 14, kDLFloat6_e2m3fn, kDLFloat6_e3m2fn, kDLFloat4_e2m1fn };\n"
    (folder / "dlpack" / "dlpack.h").write_text(text + codes)
    # From CCCL 3.4 on its headers call CUDA's runtime, which needs no driver for that.
    runtimes = [lib for n in _nvidia() for lib in sorted(n.glob("*/lib/libcudart.so.*"))][:1]
    links = [
        word for lib in runtimes for word in ("-Wl,--no-as-needed", str(lib), f"-Wl,-rpath,{lib.parent}")
    ]
    return [f"-I{folder}", *(f"-isystem{p}" for p in (found, *headers)), "-Wno-error", *links]


@pytest.fixture(scope="session")
def outcomes(libcudacxx: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    found = {}
    for who, call in CALLS.items():
        text = program(CASES, call, includes=LIBCUDACXX, real=True)
        lines = printed(tmp_path_factory.mktemp("cases"), text, *libcudacxx)
        found[who] = dict(zip([c.name for c in CASES], lines, strict=True))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
@pytest.mark.parametrize("who", CALLS)
def test_case(case: Case, who: str, outcomes: dict[str, dict[str, str]]) -> None:
    assert outcomes[who][case.name] == expected(case, differences=who == "ours")


IMAGES = r"""
#include <cstdio>
#include <cstring>
int numbers[100];
template <std::size_t R, class L>
void image(const char* name, DLTensor t) {
  const auto m = cuda::to_host_mdspan<int, R, L>(t);
  unsigned char bytes[sizeof m];
  std::memcpy(bytes, &m, sizeof m);
  std::printf("%s %zu %p", name, R, (void*)numbers);
  for (auto b : bytes) std::printf(" %02x", b);
  std::printf("\n");
}
template <std::size_t R>
void all(DLTensor t) {
  image<R, layout_right>("right", t);
  image<R, layout_stride>("stride", t);
  image<R, layout_relaxed>("relaxed", t);
}
int main() {
  int64_t shape[] = {2, 3, 4}, strides[] = {12, 4, 1};
  DLTensor t{numbers, {kDLCPU, 0}, 3, {0, 32, 1}, shape, strides, 8};
  all<3>(t);
  t.ndim = 2; strides[0] = 3; strides[1] = 1; all<2>(t);
  t.ndim = 1; strides[0] = 1; all<1>(t);
  t.ndim = 0; all<0>(t);
}
"""


def test_pack_is_libcudacxxs_image(libcudacxx: list[str], tmp_path: Path) -> None:
    import samebytes as sb

    for line in printed(tmp_path, LIBCUDACXX + IMAGES, *libcudacxx):
        layout, rank, address, *image = line.split()
        shape = (2, 3, 4)[: int(rank)]
        strides = ((12, 4, 1), (3, 1), (1,), ())[3 - int(rank)]
        tensor = sb.DLTensor(int(address, 16), shape, strides, (0, 32, 1), byte_offset=8)
        m = sb.to_host_mdspan(tensor, sb.int32, int(rank), layout)
        assert sb.pack(m).hex(" ") == " ".join(image), line
        assert sb.layout(type(m)).size == len(image)


REVERSED = r"""
template <class T>
using relaxed_of = cuda::host_mdspan<T, cuda::std::dims<2, int64_t>, layout_relaxed>;
int main() {
  int64_t reversed[] = {-3, -1};
  DLTensor t{numbers, {kDLCPU, 0}, 2, {0, 32, 1}, shape, reversed, 20};
  again<relaxed_of<const int>>(t);
  const auto lost = cuda::to_dlpack_tensor(cuda::to_host_mdspan<int, 2, layout_relaxed>(t));
  show(lost.get());
}
"""


def test_back(libcudacxx: list[str], tmp_path: Path) -> None:
    """The way back keeps byte_offset, which libcu++'s own loses."""
    back = BACK.replace("template <class M>\nusing relaxed = mini::mdspan<M, dims<2>, layout_relaxed>;\n", "")
    lines = printed(tmp_path, LIBCUDACXX + back + REVERSED, *libcudacxx)
    assert lines == ["0 1,0 2 (0,32,1) 1 1 20", "0 1,0 2 (0,32,1) 1 1 0"]


BOUND = r"""
#include <cuda/mdspan>
#include <cuda/std/span>
using cuda::std::dims;
template <class M>
double all(const M& m) {
  double s = 0;
  for (int i = 0; i < int(m.extent(0)); ++i)
    for (int j = 0; j < int(m.extent(1)); ++j) s = s * 2 + m(i, j);
  return s;
}
double right(cuda::std::mdspan<const float, dims<2>> m) { return all(m); }
double left(cuda::std::mdspan<const float, dims<2>, cuda::std::layout_left> m) { return all(m); }
double stride(cuda::std::mdspan<const float, dims<2, int>, cuda::std::layout_stride> m) { return all(m); }
double relaxed(cuda::std::mdspan<const float, dims<2>, cuda::layout_stride_relaxed> m) { return all(m); }
double host(const cuda::host_mdspan<float, cuda::std::extents<int, 2, 3>>& m) { m(0, 0) += 1; return all(m); }
int count(cuda::std::span<const double> s) { return int(s.size()); }
"""


def test_bound_parameters(libcudacxx: list[str]) -> None:
    """Functions of libcu++'s own types are called with NumPy arrays."""
    import numpy as np

    import samebytes as sb

    folders = [
        f.removeprefix("-isystem").removeprefix("-I") for f in libcudacxx if f.startswith(("-I", "-isystem"))
    ]
    lib = sb.compile(BOUND, std="c++17", include_dirs=folders)
    x = np.arange(6, dtype="f4").reshape(2, 3)
    expected = lambda a: float(np.polyval(a.ravel(), 2))  # noqa: E731
    assert lib.right(x) == expected(x)
    assert lib.left(np.asfortranarray(x)) == expected(x)
    assert lib.stride(x[:, ::2]) == expected(x[:, ::2])
    assert lib.relaxed(x[::-1, ::-1]) == expected(x[::-1, ::-1])
    assert lib.relaxed(np.broadcast_to(x[0], (2, 3))) == expected(np.broadcast_to(x[0], (2, 3)))
    assert lib.host(x) == expected(x)
    assert x[0, 0] == 1
    assert lib.count(np.zeros(5)) == 5
    with pytest.raises(sb.ArrayError, match=r"strides are not all positive.*layout_stride asks for"):
        lib.stride(x[::-1])
