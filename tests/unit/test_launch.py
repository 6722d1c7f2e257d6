"""LaunchExtra and KernelParams: the bytes that reach a launch are where compilers say the kernel reads them."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from launch_signatures import CASES, PREAMBLE, Bytes3, Floats3, c, d, i

import samebytes as sb

RUNTIME = """
#include <cstring>
static unsigned char seen[4096];
static size_t size;
extern "C" int hipModuleLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                     void*, void** params, void** extra) {
  if (params || !extra) return 1;
  for (; *extra != (void*)3; extra += 2) {
    if (*extra == (void*)2) size = *static_cast<size_t*>(extra[1]);
  }
  extra -= 4;
  if (*extra != (void*)1 || size > sizeof seen) return 2;
  std::memcpy(seen, extra[1], size);
  return 0;
}
extern "C" size_t captured(unsigned char* out) { return std::memcpy(out, seen, size), size; }
"""


@pytest.fixture(scope="module")
def launch(tmp_path_factory):
    """A runtime that keeps the bytes it is given: what reaches ``hipModuleLaunchKernel``."""
    folder = tmp_path_factory.mktemp("runtime")
    (folder / "runtime.cpp").write_text(RUNTIME)
    library = folder / "libamdhip64.so"
    subprocess.run(["g++", "-shared", "-fPIC", "-o", library, folder / "runtime.cpp"], check=True)
    runtime = ctypes.CDLL(str(library))

    def run(extra):
        status = runtime.hipModuleLaunchKernel(
            None, 1, 1, 1, 1, 1, 1, 0, None, None, ctypes.c_void_p(int(extra))
        )
        assert status == 0
        out = (ctypes.c_ubyte * 4096)()
        return bytes(out[: runtime.captured(out)])

    return run


def members(case):
    return " ".join(f"{spelling} a{n};" for n, spelling in enumerate(case.cxx))


@pytest.fixture(scope="module")
def host_offsets():
    """Offsets and sizes as g++ lays out a struct of the parameters, by case."""
    body = "\n".join(f"struct Args{n} {{ {members(case)} }};" for n, case in enumerate(CASES))
    rows = "".join(
        f"{{{', '.join(f'offsetof(Args{n}, a{k}), sizeof(Args{n}::a{k})' for k in range(len(case.cxx)))}}},\n"
        for n, case in enumerate(CASES)
    )
    source = f"#include <cstddef>\n{PREAMBLE}{body}\nstatic const size_t table[][24] = {{\n{rows}}};\n"
    library = sb.compile(
        source + "void places(int row, size_t* out) { for (int k = 0; k < 24; ++k) out[k] = table[row][k]; }",
        name="launch_places",
    )

    def places(n):
        out = np.zeros(24, np.uint64)
        library.places(n, out)
        return [(int(out[2 * k]), int(out[2 * k + 1])) for k in range(len(CASES[n].cxx))]

    return places


@pytest.mark.parametrize("n", range(len(CASES)))
def test_bytes_reach_the_launch_where_gxx_lays_them(n, launch, host_offsets):
    extra = sb.LaunchExtra(CASES[n].args)
    assert list(zip(extra.offsets, extra.sizes, strict=True)) == host_offsets(n)
    assert launch(extra) == extra.data


@pytest.fixture(scope="module")
def code_object(tmp_path_factory):
    """All kernels as one code object for gfx90a, made by Clang."""
    pytest.importorskip("elftools", reason="pyelftools reads code objects")
    pytest.importorskip("msgpack", reason="msgpack reads AMD's metadata")
    clang = shutil.which("clang++-19")
    if clang is None:
        pytest.skip("clang++-19 compiles the kernels")
    folder = tmp_path_factory.mktemp("kernels")
    kernels = "\n".join(
        f'extern "C" __attribute__((global)) void k{n}('
        + ", ".join(f"{t} a{k}" for k, t in enumerate(case.cxx))
        + ") {}"
        for n, case in enumerate(CASES)
    )
    (folder / "k.hip").write_text(PREAMBLE + kernels)
    hip = [clang, "-x", "hip", "--cuda-device-only", "-nogpulib", "-nogpuinc", "--offload-arch=gfx90a", "-O2"]
    subprocess.run([*hip, "-S", folder / "k.hip", "-o", folder / "k.s"], check=True)
    assemble = [clang, "-x", "assembler", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a"]
    subprocess.run([*assemble, "-c", folder / "k.s", "-o", folder / "k.o"], check=True)
    return folder / "k.o"


@pytest.mark.full
@pytest.mark.statement("H.21", "H.48")
@pytest.mark.parametrize("n", range(len(CASES)))
def test_clangs_metadata_agrees(n, code_object):
    kernel = sb.kernel_arguments(code_object, f"k{n}")
    extra = sb.LaunchExtra(CASES[n].args, kernel=kernel)
    assert [(p.offset, p.size) for p in kernel] == list(zip(extra.offsets, extra.sizes, strict=True))


@pytest.mark.full
@pytest.mark.statement("K.9", "K.11")
def test_metadata_finds_a_wrong_argument(code_object):
    kernel = sb.kernel_arguments(code_object, "k1")
    with pytest.raises(
        sb.ArgumentError, match=r"argument 3.*expected 4 bytes at offset 16.*got 8 bytes at offset 16"
    ):
        sb.LaunchExtra([i(1), Floats3(1, 2, 3), d(2)], kernel=kernel)
    with pytest.raises(sb.ArgumentError, match="got 1 arguments; the kernel's metadata lists 3"):
        sb.LaunchExtra([i(1)], kernel=kernel)
    with pytest.raises(sb.BindError, match="no kernel 'nothing'; it has: k0, k1"):
        sb.kernel_arguments(code_object, "nothing")


@pytest.mark.full
def test_cubins_say_it_too(tmp_path):
    core = pytest.importorskip("cuda.core", reason="cuda.core compiles a cubin")
    pytest.importorskip("elftools", reason="pyelftools reads cubins")
    source = (
        'struct F3 { float x, y, z; }; extern "C" __global__ void k(int a, F3 b, int c, float4 d, char e) {}'
    )
    try:
        code = core.Program(source, "c++", core.ProgramOptions(arch="sm_80")).compile("cubin").code
    except Exception as reason:
        pytest.skip(f"NVRTC is not there: {reason}")
    places = sb.kernel_arguments(code, "k")
    assert [(p.offset, p.size) for p in places] == [(0, 4), (4, 12), (16, 4), (32, 16), (48, 1)]
    sb.KernelParams([i(1), Floats3(1, 2, 3), i(2), sb.float32x4(1, 2, 3, 4), c(b"a")], kernel=places)


@pytest.mark.statement("K.10")
def test_pointers_point_to_the_arguments():
    params = sb.KernelParams([c(b"a"), Bytes3(b"xyz"), d(2.5)])
    table = (ctypes.c_void_p * 3).from_address(int(params))
    assert ctypes.string_at(table[0], 1) == b"a"
    assert ctypes.string_at(table[1], 3) == b"xyz"
    assert ctypes.c_double.from_address(table[2]).value == 2.5
    assert table[2] % 8 == 0


def test_padding_is_zero():
    dirty = ctypes.create_string_buffer(b"\xff" * 24)

    class Holey(ctypes.Structure):
        _fields_ = (("a", ctypes.c_char), ("b", ctypes.c_double), ("c", ctypes.c_char))

    value = Holey.from_buffer(dirty)
    value.a, value.b, value.c = b"a", 1.0, b"c"
    data = sb.LaunchExtra([value]).data
    assert data[1:8] == bytes(7)
    assert data[17:] == bytes(7)


def test_declared_types_take_python_numbers():
    extra = sb.LaunchExtra(
        [1, 2.5, np.zeros(3, np.float32), (1, 2, 3)], types=["char", "float", "float*", "int3"]
    )
    assert extra.offsets == (0, 4, 8, 16)
    assert extra.data[:8] == b"\x01\0\0\0\0\0\x20\x40"


REFUSED = (
    ([1.5], sb.ArgumentError, "Say how wide it is"),
    ([True], sb.ArgumentError, "Say what it is"),
    (["x"], sb.ArgumentError, "no Python text"),
    ([(ctypes.c_int * 3)()], sb.ArgumentError, "C\\+\\+ passes no array by value"),
    ([object()], sb.ArgumentError, "shows no array by any protocol"),
    ([np.array(3.0)], sb.ArgumentError, r"x\[\(\)\] is its value"),
    ([-1], sb.RangeError, "An int stands for an address here"),
    ([2**64], sb.RangeError, "An int stands for an address here"),
    ([type("Empty", (ctypes.Structure,), {"_fields_": []})()], sb.ArgumentError, "it has no fields"),
    ([ctypes.c_longdouble(1)], sb.ArgumentError, "no such type that Python reads"),
    ([b"ab"], sb.ArrayError, "may write through it"),
    ([np.zeros((3, 4))[:, 1]], sb.ArrayError, "or an sb.array descriptor"),
    ([(1, 2)], sb.ArgumentError, "shows no array"),
    ([np.longdouble(1)], sb.ArgumentError, "long double has another format on each machine"),
    ([1.5, "x"], sb.ArgumentError, "also argument 2"),
)


@pytest.mark.statement("H.44", "H.45")
@pytest.mark.parametrize(("args", "error", "words"), REFUSED)
def test_what_has_no_known_representation_is_refused(args, error, words):
    with pytest.raises(error, match=words):
        sb.LaunchExtra(args)


class Either(ctypes.Union):
    _fields_ = (("n", ctypes.c_int), ("x", ctypes.c_double), ("c", ctypes.c_char * 12))


class Tagged(ctypes.Structure):
    _fields_ = (("tag", ctypes.c_char), ("held", Either))


def test_unions_of_ctypes_go_by_value():
    either = Either(x=2.5)
    extra = sb.LaunchExtra([c(b"a"), either, Tagged(b"t", either)])
    assert (extra.offsets, extra.sizes) == ((0, 8, 24), (1, 16, 24))
    assert extra.data[8:24] == bytes(either)[:12] + bytes(4), "padding is zero"
    assert extra.data[32:48] == extra.data[8:24]


DECLARED = (
    ([1], ["int", "int"], "got 1 arguments for 2 types"),
    ([c(b"a")], ["int"], "expected int32"),
    ([ctypes.c_int(1)], ["float"], "expected float32"),
    ([1.5], ["int"], "expected int32"),
    ([1, 2], ["int", "zork"], "argument 2: expected a parameter type, got 'zork'.*no type is called 'zork'"),
    ([1.5], ["long double"], "argument 1: expected a parameter type, got 'long double'"),
    ([1], ["int&"], "a reference says how an argument is passed"),
    ([1], ["void"], "expected a parameter type, got void"),
    ([np.zeros(3)], ["float*"], "float64"),
    ([1], [sb.carray[int, 3]], "no array by value"),
    ([c(b"a")], ["char*"], r"x\.value the address that it holds"),
    ([ctypes.pointer(ctypes.c_int())], ["float*"], "a pointer to int32"),
    ([(ctypes.c_int * 3)()], ["float*"], r"int32\[\]"),
    ([sb.DeviceArray(np.zeros(3, np.int32))], ["float*"], r"int32\[\]"),
    ([1], ["__int128"], "only C\\+\\+ can make one"),
)


@pytest.mark.statement("H.48")
@pytest.mark.parametrize(("args", "types", "words"), DECLARED)
def test_what_does_not_fit_a_declared_type_is_refused(args, types, words):
    with pytest.raises(sb.ArgumentError, match=words):
        sb.LaunchExtra(args, types)


def test_arrays_live_as_long_as_the_launch():
    import gc
    import weakref

    class Array(np.ndarray):
        pass

    array = np.zeros(3).view(Array)
    alive = weakref.ref(array)
    extra = sb.LaunchExtra([array])
    del array
    gc.collect()
    assert alive() is not None
    del extra
    gc.collect()
    assert alive() is None


def test_a_damaged_code_object():
    pytest.importorskip("elftools")
    with pytest.raises(sb.BindError, match="is damaged"):
        sb.kernel_arguments(b"\x7fELF" + bytes(100), "k")


def test_no_code_object():
    with pytest.raises(sb.BindError, match="which are ELF files, or PTX"):
        sb.kernel_arguments(b"version 8.0", "k")
    with pytest.raises(sb.BindError, match=r"has no kernel 'k'; it has: \(none\)"):
        sb.kernel_arguments(b".version 8.0", "k")  # PTX
    with pytest.raises(FileNotFoundError):
        sb.kernel_arguments(Path("/nowhere/k.o"), "k")
