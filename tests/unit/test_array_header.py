"""The array descriptor's header under every compiler that is found: its promises are decided while it compiles."""

import ctypes
import subprocess
from pathlib import Path

import pytest

from samebytes.errors import MissingDependency
from samebytes.layouts.oracle import find_judge, judge_names
from samebytes.layouts.oracle.base import INCLUDE, run
from samebytes.toolchain.compilers import find_compiler, named_compiler
from samebytes.toolchain.cuda import cuda_headers

pytestmark = pytest.mark.full  # it takes long

PROMISES = (Path(__file__).parents[1] / "golden" / "array_header.hpp").read_text()
OFFSETOF = (
    "#include <samebytes/layout.hpp>\n#include <samebytes/array.hpp>\n"
    "using descriptor = samebytes::array<float, 2>;\n"
    "#define SAMEBYTES_OFFSETOF_ARRAY(member) SAMEBYTES_OFFSETOF(descriptor, member)\n"
)
LIBCUXX = "#include <cuda/std/mdspan>\n#define SPAN cuda::std\n"
STANDARD = "#include <mdspan>\n#define SPAN std\n"
CUDA = ("nvrtc", "nvcc", "cuda_host")


def judged(name, text):
    judge = find_judge(name)
    try:
        judge.find()
        done = judge.compile(text)
    except MissingDependency as error:
        pytest.skip(str(error))
    assert done.ok, done.output[:4000]


@pytest.mark.parametrize("name", judge_names())
def test_promises(name):
    judged(name, OFFSETOF + PROMISES)


@pytest.mark.parametrize("name", CUDA)
def test_conversions_from_and_to_libcuxx(name):
    judged(name, OFFSETOF + LIBCUXX + PROMISES)


@pytest.mark.parametrize("standard", ["-std=c++20", "-std=c++2b"])  # as older compilers call c++23
def test_pedantic_and_newer_standards(standard):
    for name in ("g++", "clang++", "clang++-19"):
        try:
            compiler = named_compiler((name,), "c++", "")
        except MissingDependency:
            continue
        flags = (standard, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Wno-array-bounds")
        command = (*compiler.command, *flags, "-fsyntax-only", "-I", INCLUDE, "{source}")
        done = run(OFFSETOF + PROMISES, ".cpp", command)
        assert done.ok, done.output[:4000]


def test_conversions_from_and_to_the_standard_mdspan():
    """Where a standard library has one: g++ 14's, libc++'s."""
    for command in (("g++",), ("clang++", "-stdlib=libc++"), ("clang++-19", "-stdlib=libc++")):
        full = (*command, "-std=c++23", "-fsyntax-only", "-I", INCLUDE, "{source}")
        try:
            named_compiler(command[:1], "c++", "")
        except MissingDependency:
            continue
        if run("#include <mdspan>\nstd::mdspan<float, std::dextents<int, 1>> m;\n", ".cpp", full).ok:
            done = run(OFFSETOF + STANDARD + PROMISES, ".cpp", full)
            assert done.ok, done.output[:4000]
            return
    pytest.skip("no standard library here has <mdspan>")


BYTES = """
#include <cuda/std/mdspan>
#include <cstring>
#include <samebytes/array.hpp>
template <unsigned long Rank>
int differ() {
  using Span = cuda::std::mdspan<float, cuda::std::dextents<unsigned long, Rank>, cuda::std::layout_stride>;
  static_assert(sizeof(Span) == sizeof(samebytes::array<float, Rank>), "");
  float* p = reinterpret_cast<float*>(0x1122334455667780ul);
  samebytes::array<float, Rank> ours{};
  ours.data = p;
  for (unsigned long d = 0; d < Rank; ++d) {
    ours.shape[d] = 3 + d;
    ours.strides[d] = 100 + 7 * d;
  }
  const Span theirs = ours;
  return std::memcmp(&theirs, &ours, sizeof ours);
}
extern "C" int differences() { return differ<1>() | differ<2>() | differ<3>() | differ<4>() | differ<7>(); }
"""


def test_bytes_are_those_of_libcuxx(tmp_path):
    try:
        folders = [word for folder in cuda_headers() for word in ("-isystem", folder)]
    except MissingDependency as error:
        pytest.skip(str(error))
    source, library = tmp_path / "bytes.cpp", tmp_path / "bytes.so"
    source.write_text(BYTES)
    command = [
        *find_compiler("c++").command,
        "-std=c++17",
        "-O2",
        "-shared",
        "-fPIC",
        "-I",
        INCLUDE,
        *folders,
    ]
    subprocess.run([*command, str(source), "-o", str(library)], check=True)
    assert ctypes.CDLL(str(library)).differences() == 0
