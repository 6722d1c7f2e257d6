"""Writes one C++ program that runs every case of the table and prints what came out, row by row."""

from __future__ import annotations

from mdspan_cases import TYPES, Case

# The names of CUDA's types with their sizes and alignments, for compilers without CUDA's headers.
STAND_INS = """
struct alignas(2) __half { uint16_t x; };
struct alignas(2) __nv_bfloat16 { uint16_t x; };
struct alignas(4) __half2 { __half x, y; };
struct alignas(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
struct alignas(8) float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) double4_16a { double x, y, z, w; };
struct __nv_fp8_e4m3 { uint8_t x; };
struct __nv_fp8_e8m0 { uint8_t x; };
struct __nv_fp6_e2m3 { uint8_t x; };
struct alignas(2) __nv_fp6x2_e2m3 { uint16_t x; };
struct alignas(4) __nv_fp6x4_e2m3 { uint32_t x; };
struct __nv_fp4_e2m1 { uint8_t x; };
struct __nv_fp4x2_e2m1 { uint8_t x; };
struct alignas(2) __nv_fp4x4_e2m1 { uint16_t x; };
template <class T> struct alignas(2 * sizeof(T)) cuda_complex { T re, im; };
"""

COMMON = r"""
#include <cstdio>
#include <cstring>
#include <stdexcept>

alignas(256) static unsigned char memory[4096];
static unsigned char* const data = memory + 1024;

template <class Mapping>
auto offset_of(const Mapping& m, int) -> decltype((long long)m.offset()) { return m.offset(); }
template <class Mapping>
long long offset_of(const Mapping&, long) { return -1; }

template <class M>
void show(const M& m, const void* base) {
  constexpr int rank = (int)M::rank();
  std::printf("OK rank=%d data_handle=", rank);
  auto* const at = (const unsigned char*)m.data_handle();
  at ? (void)std::printf("data%+lld", (long long)(at - (const unsigned char*)base)) : (void)std::printf("NULL");
  if (const long long offset = offset_of(m.mapping(), 0); offset >= 0) std::printf(" mapping.offset=%lld", offset);
  if constexpr (rank > 0) {
    for (int d = 0; d < rank; ++d) std::printf("%s%lld", d ? "," : " ext=", (long long)m.extent(d));
    for (int d = 0; d < rank; ++d) std::printf("%s%lld", d ? "," : " str=", (long long)m.mapping().stride(d));
  }
  std::printf(" size=%lld span=%lld uniq=%d exh=%d\n", (long long)m.size(), (long long)m.mapping().required_span_size(),
              m.mapping().is_unique(), m.mapping().is_exhaustive());
}

template <class Convert>
void run(Convert convert, DLTensor tensor) {
  try {
    show(convert(tensor), tensor.data);
  } catch (const std::invalid_argument& error) {
    std::printf("invalid_argument: %s\n", error.what());
  }
}
"""


def _numbers(values: tuple[int, ...]) -> str:
    return "{" + ", ".join(f"{v}LL" for v in values or (0,)) + "}"


def _row(case: Case, call: str) -> str:
    tensor = case.tensor
    data = "nullptr" if tensor.data is None else f"data + {tensor.data}"
    ndim = len(tensor.shape) if tensor.ndim is None else tensor.ndim
    code, bits, lanes = tensor.dtype
    return (
        f"  {{ [[maybe_unused]] int64_t shape[] = {_numbers(tensor.shape)}, strides[] = {_numbers(tensor.strides)};\n"
        f"    run([](const DLTensor& t) {{ return {call}; }},\n"
        f"        DLTensor{{{data}, {{(DLDeviceType){tensor.device}, 0}}, {ndim}, {{{code}, {bits}, {lanes}}}, "
        f"{'shape, strides' if tensor.shape else 'nullptr, nullptr'}, {tensor.byte_offset}ULL}}); }}\n"
    )


def program(cases: list[Case], call: str, *, includes: str, real: bool) -> str:
    """The whole text.

    `call` is C++ with the fields {function}, {element}, {rank} and {layout}; `real`: CUDA's headers are there.
    """
    lines = "".join(
        _row(
            c, call.format(function=c.function, element=TYPES[c.element][real], rank=c.rank, layout=c.layout)
        )
        for c in cases
    )
    return includes + ("" if real else STAND_INS) + COMMON + "int main() {\n" + lines + "}\n"
