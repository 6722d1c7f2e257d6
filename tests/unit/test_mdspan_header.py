"""samebytes/mdspan.hpp with g++ alone: every case of the table, the way back, and what needs no DLPack at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from samebytes import __file__ as package

sys.path.append(str(Path(__file__).parent))
from mdspan_cases import DIFFERENCES, Case, cases, expected
from mdspan_program import program

pytestmark = pytest.mark.full  # it takes long

HERE = Path(__file__).parent
INCLUDE = Path(package).with_name("include")
CASES = cases()

MINI = """
#include "mini_mdspan.hpp"
#include <samebytes/mdspan.hpp>
#include <utility>
template <class T, std::size_t... I>
mini::extents<int64_t, (I * 0 + mini::dynamic_extent)...> dynamic(std::index_sequence<I...>);
template <std::size_t R>
using dims = decltype(dynamic<void>(std::make_index_sequence<R>()));
using mini::layout_right, mini::layout_left, mini::layout_stride;
using layout_relaxed = mini::layout_stride_relaxed;
"""
CALL = "samebytes::{function}<mini::mdspan<{element}, dims<{rank}>, layout_{layout}>>(t)"


def compiled(folder: Path, text: str, *flags: str, compiler: str = "") -> subprocess.CompletedProcess[str]:
    """What the program prints, or the compiler's refusal."""
    source, binary = folder / "program.cpp", folder / "program"
    source.write_text(text)
    command = [compiler or os.environ.get("CXX", "g++"), "-std=c++17", "-Wall", "-Wextra", "-Werror",
               f"-I{HERE}", f"-I{INCLUDE}", *flags, str(source), "-o", str(binary)]  # fmt: skip
    built = subprocess.run(command, capture_output=True, text=True)
    return built if built.returncode else subprocess.run([binary], capture_output=True, text=True)


def printed(folder: Path, text: str, *flags: str) -> list[str]:
    ran = compiled(folder, text, *flags)
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert not ran.stderr
    return ran.stdout.splitlines()


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    text = program(CASES, CALL, includes=MINI, real=False)
    lines = printed(tmp_path_factory.mktemp("cases"), text, "-fsanitize=address")
    return dict(zip([c.name for c in CASES], lines, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_case(case: Case, outcomes: dict[str, str]) -> None:
    assert outcomes[case.name] == expected(case)


def test_differences_are_differences() -> None:
    by_name = {c.name: c for c in CASES}
    assert all(by_name[name].outcome != ours for name, (ours, _) in DIFFERENCES.items())
    assert len(CASES) == 130


BACK = r"""
#include <cassert>
#include <cstdio>
int numbers[12];
int64_t shape[] = {2, 3}, strides[] = {3, 1};
template <class M>
using relaxed = mini::mdspan<M, dims<2>, layout_relaxed>;
void show(const DLTensor& t) {
  std::printf("%td %d,%d %d (%d,%d,%d) %d %d %d\n", t.data ? (int*)t.data - numbers : -1, t.device.device_type,
              t.device.device_id, t.ndim, t.dtype.code, t.dtype.bits, t.dtype.lanes, t.shape != nullptr,
              t.strides != nullptr, (int)t.byte_offset);
}
template <class M>
void again(DLTensor t) {
  const M m = samebytes::to_host_mdspan<M>(t);
  const auto kept = samebytes::to_dlpack_tensor(m);
  const DLTensor back = kept.get();
  show(back);
  const M same = samebytes::to_host_mdspan<M>(back);
  for (std::size_t d = 0; d < M::rank(); ++d) assert(same.extent(d) == m.extent(d));
}
struct refused { const char* why; };
template <class F>
void fails(F f) {
  try { f(); std::puts("accepted"); } catch (const std::invalid_argument& e) { std::puts(e.what()); }
}
"""


class TestBack:
    def test_tensor(self, tmp_path: Path) -> None:
        body = r"""
int main() {
  DLTensor t{numbers, {kDLCPU, 0}, 2, {0, 32, 1}, shape, strides, 4};
  again<mini::mdspan<const int, dims<2>, layout_stride>>(t);
  again<relaxed<int>>(t);                                   // byte_offset is kept
  int64_t reversed[] = {-3, -1}; t.strides = reversed; t.byte_offset = 20;
  again<relaxed<const int>>(t);
  t.byte_offset = 0; t.data = numbers + 5;                  // the lowest address becomes the handle
  again<relaxed<const int>>(t);
  int64_t none[] = {0, 3}; t.shape = none; t.data = nullptr; t.strides = strides;
  again<mini::mdspan<int, dims<2>>>(t);                     // zero-size round trip
  DLTensor r{numbers, {kDLCPU, 0}, 0, {0, 32, 1}, nullptr, nullptr, 0};
  again<mini::mdspan<int, dims<0>>>(r);
  float f[2]; int64_t n[] = {2};
  const mini::mdspan<float, dims<1>> m(f, {mini::extents<int64_t, mini::dynamic_extent>(n[0])});
  const auto managed = samebytes::to_dlpack_tensor(m, {kDLCUDAManaged, 0});
  std::printf("%d (%d,%d,%d)\n", managed.get().device.device_type, managed.get().dtype.code,
              managed.get().dtype.bits, managed.get().dtype.lanes);
}
"""
        assert printed(tmp_path, MINI + BACK + body) == [
            "1 1,0 2 (0,32,1) 1 1 0",
            "0 1,0 2 (0,32,1) 1 1 4",
            "0 1,0 2 (0,32,1) 1 1 20",
            "0 1,0 2 (0,32,1) 1 1 20",
            "-1 1,0 2 (0,32,1) 1 1 0",
            "0 1,0 0 (0,32,1) 0 0 0",
            "13 (2,32,1)",
        ]

    def test_what_an_mdspan_can_declare(self, tmp_path: Path) -> None:
        body = r"""
struct alignas(2) __nv_bfloat16 { uint16_t x; };
template <class T, std::size_t... N>
using fixed = mini::mdspan<T, mini::extents<signed char, N...>, layout_stride>;
int main() {
  DLTensor t{numbers, {kDLCPU, 0}, 2, {0, 32, 1}, shape, strides, 0};
  constexpr std::size_t any = mini::dynamic_extent;
  fails([&] { (void)samebytes::to_host_mdspan<fixed<int, 2, any>>(t); });
  fails([&] { (void)samebytes::to_host_mdspan<fixed<int, any, 4>>(t); });
  int64_t wide[] = {200, 3}, far[] = {300, 1};
  t.shape = wide; fails([&] { (void)samebytes::to_host_mdspan<fixed<int, any, any>>(t); });
  t.shape = shape; t.strides = far; fails([&] { (void)samebytes::to_host_mdspan<fixed<int, any, any>>(t); });
  t.strides = nullptr; fails([&] { (void)samebytes::to_host_mdspan<fixed<int, any, any>>(t); });
  t.shape = nullptr; fails([&] { (void)samebytes::to_host_mdspan<fixed<int, any, any>>(t); });
  t = {numbers, {kDLCPU, 0}, 2, {2, 16, 1}, shape, strides, 0};
  fails([&] { (void)samebytes::to_host_mdspan<mini::mdspan<const __nv_bfloat16, dims<2>>>(t); });
  t.dtype.code = 4;
  fails([&] { (void)samebytes::to_host_mdspan<mini::mdspan<const __nv_bfloat16, dims<2>>>(t); });
}
"""
        assert printed(tmp_path, MINI + BACK + body) == [
            "accepted",
            "DLTensor shape does not match the mdspan's static extents",
            "DLTensor shape does not fit the mdspan's index type",
            "DLTensor strides do not fit the mdspan's index type",
            "strides=nullptr is not supported for DLPack v1.2 and later",
            "DLTensor shape must be non-null",
            "DLTensor data type does not match expected type",
            "accepted",
        ]

    def test_before_dlpack_1_2_strides_may_be_missing(self, tmp_path: Path) -> None:
        body = r"""
int main() {
  DLTensor t{numbers, {kDLCPU, 0}, 2, {0, 32, 1}, shape, nullptr, 0};
  again<mini::mdspan<int, dims<2>>>(t);
  again<mini::mdspan<int, dims<2>, layout_stride>>(t);
  fails([&] { (void)samebytes::to_host_mdspan<mini::mdspan<int, dims<2>, layout_left>>(t); });
}
"""
        old = (HERE / "mini_mdspan.hpp").read_text().replace("MINOR_VERSION 3", "MINOR_VERSION 1")
        (tmp_path / "old_mdspan.hpp").write_text(old)
        text = MINI.replace("mini_mdspan", "old_mdspan") + BACK + body
        same = "0 1,0 2 (0,32,1) 1 1 0"
        last = "strides must be non-null for layout_left"
        assert printed(tmp_path, text, f"-I{tmp_path}", "-Wno-unused") == [same, same, last]

    def test_managed_tensors_say_more(self, tmp_path: Path) -> None:
        body = r"""
struct __nv_fp4_e2m1 { uint8_t x; };
struct alignas(2) __nv_fp6x2_e2m3 { uint16_t x; };
struct alignas(4) __nv_fp6x4_e2m3 { uint32_t x; };
struct __nv_fp4x2_e2m1 { uint8_t x; };
template <class T>
void both(DLManagedTensorVersioned& m, uint8_t code, uint8_t bits, uint16_t lanes) {
  m.dl_tensor.dtype = {code, bits, lanes};
  for (uint64_t flags : {0, 4}) {
    m.flags = flags;
    fails([&] { (void)samebytes::to_host_mdspan<mini::mdspan<T, dims<2>>>(m); });
  }
}
int main() {
  DLManagedTensorVersioned m{{1, 3}, nullptr, nullptr, 1, {numbers, {kDLCPU, 0}, 2, {0, 32, 1}, shape, strides, 0}};
  fails([&] { (void)samebytes::to_host_mdspan<mini::mdspan<int, dims<2>>>(m); });
  fails([&] { (void)samebytes::to_host_mdspan<mini::mdspan<const int, dims<2>>>(m); });
  both<__nv_fp4_e2m1>(m, 17, 4, 1);
  both<__nv_fp6x2_e2m3>(m, 15, 6, 2);
  both<__nv_fp6x4_e2m3>(m, 15, 6, 4);
  both<__nv_fp4x2_e2m1>(m, 17, 4, 2);
  m.version.major = 2;
  fails([&] { (void)samebytes::to_host_mdspan<mini::mdspan<const int, dims<2>>>(m); });
}
"""
        packed = "the tensor packs its elements more tightly than C++ stores them"
        assert printed(tmp_path, MINI + BACK + body) == [
            "the tensor is read-only: the element type must be const",
            "accepted",
            *[packed, "accepted"] * 3,
            *["accepted", "the tensor stores its elements more widely than C++ does"],
            "only DLPack 1.x is understood",
        ]


class TestNeedsNothing:
    def test_switched_off(self, tmp_path: Path) -> None:
        text = "#include <samebytes/mdspan.hpp>\n#if defined(SAMEBYTES_HAS_DLPACK)\n#error\n#endif\nint main() {}\n"
        assert printed(tmp_path, "#define SAMEBYTES_DISABLE_DLPACK\n" + text) == []

    def test_dlpack_header_on_the_path(self, tmp_path: Path) -> None:
        (tmp_path / "dlpack").mkdir()
        header = (HERE / "mini_mdspan.hpp").read_text()
        (tmp_path / "dlpack" / "dlpack.h").write_text(header)
        text = "#include <samebytes/mdspan.hpp>\nint main() { return sizeof(samebytes::dlpack_tensor<1>) == 0; }\n"
        assert printed(tmp_path, text, f"-I{tmp_path}") == []

    @pytest.mark.parametrize(
        ("element", "known"),
        [("long double", False), ("wchar_t", False), ("void*", False), ("std::complex<long double>", False),
         ("__float128", True), ("std::complex<double>", True), ("unsigned __int128", True), ("float3", True),
         ("samebytes::float8e5m2x4", True), ("samebytes::bfloat16", True), ("std::complex<int>", False),
         ("mine::float4", False)],
    )  # fmt: skip
    def test_element_types(self, element: str, known: bool, tmp_path: Path) -> None:
        text = (
            "#include <complex>\n#include <samebytes/dlpack_type.hpp>\n#include <samebytes/vector.hpp>\n"
            "struct float3 { float x, y, z; }; namespace mine { struct float4 { int x; }; }\n"
            f"static_assert((samebytes::dlpack_type<const {element}>::value.bits != 0) == {str(known).lower()});\n"
            "int main() {}\n"
        )
        assert printed(tmp_path, text) == []
