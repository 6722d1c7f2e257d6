"""Kernels of SYCL on real devices, run by test_sycl_kernels.py in a process that has Intel's OpenCL for CPUs alone."""

from __future__ import annotations

import ctypes
import gc
import pickle
import re
import weakref
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import samebytes as sb
from samebytes.launch.checking import check_sycl_kernel
from samebytes.launch.sycl import SyclCode
from samebytes.toolchain import spirv

dpctl = pytest.importorskip("dpctl")
from dpctl import memory as usm  # noqa: E402

SOURCE = """
#include <sycl/sycl.hpp>
#include <samebytes/array.hpp>
namespace e = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::bfloat16;
#define KERNEL(n) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((e::nd_range_kernel<n>)) SYCL_EXTERNAL
template <int N> auto item() { return sycl::ext::oneapi::this_work_item::get_nd_item<N>(); }

struct Point { float x; double y; char tag; };
struct alignas(32) Wide { char tag; int n[3]; };
struct View { float* data; int n; };
enum class Way : short { back = -1, on = 1 };

/// y += a x
extern "C" KERNEL(1) void axpy(float a, const float* x, float* y, int n) {
  const int i = item<1>().get_global_id(0);
  if (i < n) y[i] += a * x[i];
}
namespace shapes {
KERNEL(1) void sums(Point p, Wide w, Way way, bool add, char c, sycl::float4 v, double* out) {
  out[0] = p.x + p.y;
  out[1] = w.tag + w.n[2];
  out[2] = add ? static_cast<double>(way) : 0.0;
  out[3] = c;
  out[4] = v[3];
  out[5] = p.tag;
}
}
KERNEL(1) void last(View v, float* out) { *out = v.data[v.n - 1]; }
KERNEL(1) void halves(sycl::half a, bfloat16 b, const sycl::half* x, bfloat16* out) {
  out[item<1>().get_global_id(0)] = static_cast<float>(a) * static_cast<float>(b) + static_cast<float>(x[0]);
}
KERNEL(1) void rounded(const float* x, bfloat16* out) {
  const auto i = item<1>().get_global_id(0);
  out[i] = x[i];
}
KERNEL(2) void places(int* out) {
  auto it = item<2>();
  out[it.get_global_linear_id()] =
      10000 * it.get_local_range(0) + 1000 * it.get_local_range(1) + 100 * it.get_global_id(0) + it.get_global_id(1);
}
KERNEL(1) void total(const float* x, float* out, sycl::local_accessor<float, 1> seen) {
  auto it = item<1>();
  const auto i = it.get_local_id(0);
  seen[i] = x[it.get_global_id(0)];
  sycl::group_barrier(it.get_group());
  if (i) return;
  float sum = 0;
  for (int k = 0; k < seen.size(); ++k) sum += seen[k];
  out[it.get_group(0)] = sum;
}
KERNEL(1) void turned(const float* x, e::work_group_memory<float[]> a, float* out,
                      e::work_group_memory<double[]> b, int n) {
  auto it = item<1>();
  const auto i = it.get_local_id(0);
  a[i] = x[i];
  b[i] = n;
  sycl::group_barrier(it.get_group());
  out[i] = a[it.get_local_range(0) - 1 - i] + b[0];
}
template <class T> KERNEL(1) void fill(T* p, T v) { p[item<1>().get_global_id(0)] = v; }
template <class T> KERNEL(1) void mixed(T* p, T v) { p[item<1>().get_global_id(0)] = v; }
KERNEL(1) void mixed(int* p, int v) { p[item<1>().get_global_id(0)] = -v; }
enum class Mode { add, mul };
template <Mode M> KERNEL(1) void moded(int* p) { p[item<1>().get_global_id(0)] = int(M); }
KERNEL(1) void over(int* out) { *out = 1; }
KERNEL(1) void over(float* out) { *out = 2; }
KERNEL(1) void over(float* out, int n) { *out = n; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((e::single_task_kernel)) SYCL_EXTERNAL void one(int* p) { *p = 7; }
KERNEL(1) void table(samebytes::array<const float, 2> x, float* out) { *out = x(1, 2); }
KERNEL(1) void slow(float* p, int n, int steps) {
  volatile float sum = 0;
  for (int i = 0; i < steps; ++i) sum = sum + 1;
  if (sum > 0) for (int i = 0; i < n; ++i) p[i] = i;
}
KERNEL(1) void idle(int unused) {}
KERNEL(3) void declared(int* p);
KERNEL(1) void rows(float** p) { p[0][0] = 1; }
int helper(int x) { return x; }
"""
NUMBERS = np.arange(64, dtype="f4")


@pytest.fixture(scope="module")
def lib():
    with pytest.warns(sb.BindWarning, match="declared.*no such name"):
        return sb.compile(SOURCE, dialect="sycl", name="kernels")


def usm_of(array, kind="shared"):
    return sb.DeviceArray.from_host(np.asarray(array), device="sycl", kind=kind)


def room(count, dtype="f4"):
    return usm_of(np.zeros(count, dtype))


@pytest.mark.parametrize("kind", ["device", "shared", "host"])
def test_axpy_on_memory_of_every_kind(lib, kind):
    for launch in (
        lib.axpy[64],
        lib.axpy[64, 16],
        lib.axpy.for_each(64),
        lib.axpy[64, 8, dpctl.SyclQueue("cpu")],
    ):
        x, y = usm_of(NUMBERS, kind), usm_of(np.ones(64, "f4"), kind)
        assert launch(2.0, x, y, n=60) is None
        assert np.array_equal(y.copy_to_host(), np.where(NUMBERS < 60, 1 + 2 * NUMBERS, 1).astype("f4"))


def test_memory_of_dpctl_is_taken_without_a_copy(lib):
    x, y = (usm.MemoryUSMShared(256, queue=dpctl.SyclQueue("cpu")) for _ in "xy")
    np.frombuffer(x, "f4")[:], np.frombuffer(y, "f4")[:] = NUMBERS, 1
    lib.axpy[64](0.5, sb.view(x).view("f4"), sb.view(y).view("f4"), 64)
    assert np.array_equal(np.frombuffer(y, "f4"), 1 + NUMBERS / 2)


def test_structs_enumerations_vectors_and_characters_by_value(lib):
    out = room(6, "f8")
    lib.shapes.sums[1](
        lib.Point(1.5, 2.25, b"d"), lib.Wide(b"a", (1, 2, 3)), lib.Way.back, True, "b",
        sb.float32x4(1, 2, 3, 4), out,
    )  # fmt: skip
    assert out.copy_to_host().tolist() == [3.75, 97 + 3, -1, 98, 4, 100]


def test_an_address_in_a_struct_leads_where_it_says(lib):
    x, out = usm_of(NUMBERS), room(1)
    lib.last[1](lib.View(x, 64), out)
    assert out.copy_to_host().tolist() == [63]
    with pytest.raises(sb.ArrayError, match=r"View.*data.*SYCL device memory.*in host memory"):
        lib.View(NUMBERS, 64)


def test_half_and_bfloat16(lib):
    out = usm_of(np.zeros(2, ml_dtypes.bfloat16))
    lib.halves[2](1.5, 2.5, usm_of(np.array([0.5], "f2")), out)
    assert out.copy_to_host().astype("f4").tolist() == [4.25, 4.25]


def test_bfloat16_is_rounded_as_everywhere(lib):
    bits = np.random.default_rng(7).integers(0, 2**32, 4096, "u4")
    bits[:6] = 0x3F808000, 0x3F818000, 0x7F800000, 0x7F800001, 0xFF7FFFFF, 0x00000001
    numbers = bits.view("f4")
    out = usm_of(np.zeros(len(bits), ml_dtypes.bfloat16))
    lib.rounded[len(bits)](usm_of(numbers), out)
    with np.errstate(invalid="ignore"):
        wanted = numbers.astype(ml_dtypes.bfloat16)
    got, nan = out.copy_to_host(), np.isnan(numbers)
    assert np.array_equal(got.view("u2")[~nan], wanted.view("u2")[~nan])
    assert np.isnan(got[nan].astype("f4")).all()


def test_the_dimensions_of_a_range_are_in_the_order_of_sycl(lib):
    out = room(24, "i4")
    lib.places[(4, 6), (2, 3)](out)
    rows, columns = np.indices((4, 6))
    assert np.array_equal(out.copy_to_host().reshape(4, 6), 23000 + 100 * rows + columns)


def test_memory_of_a_work_group_is_said_by_the_launch(lib):
    x, out = usm_of(NUMBERS), room(4)
    lib.total.configured(range=64, local=16, shared=64)(x, out)
    assert np.array_equal(out.copy_to_host(), NUMBERS.reshape(4, 16).sum(1))
    lib.total[64, 16, None, 64](x, out)
    lib.turned.configured(range=4, local=4, shared=(16, 32))(x, out, 5)
    assert out.copy_to_host().tolist() == [8, 7, 6, 5]


WRONG = (
    ("total", (64, 16), "shared says no bytes for 'seen' "),
    ("total", (64, 16, None, (8, 8)), "shared says 2 .* takes 1"),
    ("total", (64, 16, None, 6), "shared is 6 bytes for 'seen' .*, whose elements have 4"),
    ("total", (64, None, None, 64), "local=, the items of one, is not said"),
    ("total", (64, 16, None, 2**40), "the device takes \\d+ at most"),
    ("axpy", (64, 16, None, 64), "shared says 1 memories .* takes none"),
    ("axpy", (10, 3), r"range\[0\] is 10, which is no multiple of local\[0\], 3"),
    ("axpy", ((4, 4), None), "is a kernel of 1 dimensions, and range has 2"),
    ("places", (4,), "is a kernel of 2 dimensions, and range has 1"),
    ("places", ((4, 4), 2), "local has 1 dimensions, and range 2"),
    ("axpy", (-1,), "range is an int, or a tuple"),
    ("axpy", (8, 0), "local is a positive int"),
    ("axpy", (2.0,), "range is an int"),
    ("axpy", (2**20, 2**20), "the device takes \\d+ at most"),
    ("axpy", (8, 4, "cpu"), "queue is a dpctl.SyclQueue"),
    ("axpy", (8, 4, None, 0, 1), "got 5 items"),
    ("one", (2,), r"is a single task: one\[1\]"),
)


@pytest.mark.parametrize("row", range(len(WRONG)))
def test_what_cannot_be_launched_is_said(lib, row):
    name, key, words = WRONG[row]
    with pytest.raises(sb.Error, match=words):
        getattr(lib, name)[key]


def test_a_kernel_beside_a_template(lib):
    whole, real = room(2, "i4"), room(2, "f4")
    lib.mixed[2](whole, 3)
    lib.mixed.configured(range=2)(real, np.float32(3))
    assert (whole.copy_to_host().tolist(), real.copy_to_host().tolist()) == ([-3, -3], [3, 3])
    lib.moded[lib.Mode.mul][2](whole)
    assert whole.copy_to_host().tolist() == [1, 1]


def test_templates_and_overloads(lib):
    out = room(5, "i4")
    lib.fill[sb.int32][5](out, -3)
    assert out.copy_to_host().tolist() == [-3] * 5
    number, real = room(1, "i4"), room(1)
    lib.over[1](number)
    lib.over[1](real)
    assert (number.copy_to_host()[0], real.copy_to_host()[0]) == (1, 2)
    lib.over[1](real, 9)
    assert real.copy_to_host()[0] == 9
    with pytest.raises(sb.ArgumentError, match=r"is a template of kernels"):
        lib.fill(out)


def test_a_single_task_a_descriptor_and_nothing(lib):
    out, real = room(1, "i4"), room(1)
    lib.one[1](out)
    lib.table[1](usm_of(NUMBERS[:12].reshape(3, 4)), real)
    lib.idle[1](3)
    assert (out.copy_to_host()[0], real.copy_to_host()[0]) == (7, 6)


def test_no_items_are_no_launch_and_the_arguments_are_checked(lib):
    y = room(3)
    lib.axpy[0](1.0, y, y, 3)
    with pytest.raises(sb.ArgumentError, match="argument 4 'n'"):
        lib.axpy.for_each(0)(1.0, y, y, "3")


def test_wrong_arguments_are_one_error(lib):
    with pytest.raises(sb.Error) as error:
        lib.axpy[64]("a", NUMBERS, room(3, "i4"), 2**40)
    said = str(error.value)
    assert re.search(r"argument 1 'a': expected float32, got 'a'", said)
    assert "expected contiguous float32[n] in SYCL device memory, a Pointer or None" in said
    assert 'sb.DeviceArray.from_host(x, device="sycl") is a copy that the kernel reads' in said
    assert "argument 3 'y'" in said
    assert "int64 would hold it" in said
    with pytest.raises(sb.ArgumentError, match=r"is a kernel: axpy\[range, local\]"):
        lib.axpy(1.0, None, None, 0)


# What dpctl's submit() gets wrong: the kernel, its arguments, and what it reads, or what is said.
LAUNCHERS = {
    "too few arguments are those of the call before": (
        lambda lib, y: lib.axpy[64](1.0, y, y), (TypeError, r"axpy\(\).*got 3 arguments"),
    ),
    "a c_float for an int of its size": (
        lambda lib, y: lib.axpy[64](1.0, y, y, ctypes.c_float(64)), (sb.ArgumentError, "argument 4 'n'.*c_float"),
    ),
    "a missing kernel's name ends the process": (lambda lib, y: lib.axpi, (AttributeError, "axpi")),
    "structs are raw bytes": (lambda lib, y: lib.last[1]((y, 64), y), [1]),
    "a struct of another kind": (
        lambda lib, y: lib.last[1](ctypes.c_longlong(3), y), (sb.ArgumentError, "argument 1 'v': expected View"),
    ),
    "an address that is no USM of the context": (
        lambda lib, y: lib.axpy[64](1.0, NUMBERS, y, 64), (sb.ArrayError, "argument 2 'x'.*in host memory"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", LAUNCHERS)
def test_what_dpctl_gets_wrong(lib, row):
    call, expected = LAUNCHERS[row]
    y = usm_of(np.ones(64, "f4"))
    lib.axpy[64](0.0, y, y, 64)
    if isinstance(expected, list):
        call(lib, y)
        assert y.copy_to_host()[0] == expected[0]
        return
    with pytest.raises(expected[0], match=f"(?s){expected[1]}"):
        call(lib, y)
    assert (y.copy_to_host() == 1).all()


def test_strides_are_never_null(lib):
    """With them dpctl's from_dlpack() ends the process."""
    pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    for shape in ((64,), (8, 8), (0,), (1, 1)):
        capsule = usm_of(np.zeros(shape, "f4")).__dlpack__()
        tensor = pointer(
            capsule, b"dltensor"
        )  # DLTensor: strides lie behind data, device, ndim, dtype and shape
        strides = ctypes.c_void_p.from_address(tensor + 32).value
        assert strides
        assert (ctypes.c_int64 * len(shape)).from_address(strides)[-1] == 1


def test_memory_of_another_context_is_refused(lib):
    queue = dpctl.SyclQueue(dpctl.SyclDevice("cpu").create_sub_devices(partition=1)[0])
    x = sb.DeviceArray.from_host(NUMBERS, device=queue, kind="shared")
    y = sb.DeviceArray.from_host(np.ones(64, "f4"), device=queue, kind="shared")
    assert queue.sycl_context != dpctl.SyclQueue("cpu").sycl_context
    with pytest.raises(sb.ArrayError, match="context of the launch's queue: queue= says"):
        lib.axpy[64](2.0, x, y, 64)
    lib.axpy[64, 16, queue](2.0, x, y, 64)
    assert np.array_equal(y.copy_to_host(), 1 + 2 * NUMBERS)
    with pytest.raises(sb.ArrayError, match="context of the launch's queue"):
        lib.last[1](lib.View(x, 64), room(1))


def test_what_nobody_waits_for_keeps_its_arrays(lib):
    x, y = usm_of(NUMBERS), usm_of(np.ones(64, "f4"))
    pending = [lib.axpy.for_each(64, wait=False)(1.0, x, y, 64) for _ in range(5)]
    pending[-1].wait()
    assert np.array_equal(y.copy_to_host(), 1 + 5 * NUMBERS)  # in the order of their launches
    assert pending[-1].done
    kept = weakref.ref(x)
    last = lib.axpy.for_each(64, wait=False)(1.0, x, y, 64)
    del x
    last.wait()
    gc.collect()
    assert kept() is None


class Produced:
    """An array of a library that works on a queue of its own, as dpnp does."""

    def __init__(self, memory, queue):
        self.memory, self.sycl_queue = memory, queue

    @property
    def __sycl_usm_array_interface__(self):
        return {"shape": (64,), "typestr": "<f4", "data": (self.memory._pointer, False), "version": 1,
                "syclobj": self.memory.sycl_context}  # fmt: skip


@pytest.mark.parametrize("inside", [False, True])
def test_what_an_arrays_library_still_does_comes_before(lib, inside):
    for _ in range(5):
        queue, y = dpctl.SyclQueue("cpu"), usm_of(np.zeros(64, "f4"))
        memory = usm.MemoryUSMShared(256, queue=queue)
        np.frombuffer(memory, "f4")[:] = 0
        x = Produced(memory, queue)
        view = lib.View(x, 64)
        running = lib.slow.configured(range=1, queue=queue, wait=False)(
            sb.view(memory).view("f4"), 64, 20_000_000
        )
        if inside:
            lib.last[1](view, y)
        else:
            lib.axpy[64](1.0, x, y, 64)
        assert y.copy_to_host()[0 if inside else 63] == 63
        running.wait()


def test_what_is_not_bound_says_why(lib):
    why = {missing.name.partition("(")[0]: missing.reason for missing in lib.__skipped__}
    assert "kernels alone are launched" in why["helper"]
    assert "declared, and not defined" in why["declared"]
    assert "kernels do not take it yet" in why["rows"]


def test_what_kernels_say_of_themselves(lib):
    assert lib.axpy.__doc__.startswith(
        "axpy(a: float32, x: pointer[const[float32]], y: pointer[float32], n: int32)"
    )
    assert str(lib.total.__signature__) == "(x, out)"
    assert repr(lib.axpy[64, 16]) == "<axpy[(64,), (16,)]>"
    assert pickle.loads(pickle.dumps(lib.axpy)) is lib.axpy
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(lib.axpy[1])
    assert "launch path" in str(sb.explain(lib.axpy))


def test_every_mutation_of_count_or_size_is_refused(lib):
    code = SyclCode(spirv.unpacked(Path(lib.__file__).read_bytes()))
    checked = 0
    for signature in lib.__model__.functions:
        found = code.parameters[signature.symbol]
        check_sycl_kernel(signature, found)
        mutations = [(*found, spirv.Parameter(4)), *(found[:n] + found[n + 1 :] for n in range(len(found)))]
        for n, part in enumerate(found):
            others = [spirv.Parameter(size, part.kind) for size in (1, 2, 4, 8, 24) if size != part.size]
            others += [
                spirv.Parameter(part.size, kind)
                for kind in ("value", "pointer", "local")
                if kind != part.kind
            ]
            mutations += [(*found[:n], other, *found[n + 1 :]) for other in others]
        for mutated in mutations:
            if mutated != found:
                with pytest.raises(sb.LayoutError, match=rf"{signature.name}\(\)"):
                    check_sycl_kernel(signature, mutated)
                checked += 1
    assert checked > 200
    wrong = replace(lib.__model__.functions[0], parameters=())
    with pytest.raises(sb.LayoutError, match="has 0 parameters, and its compiled code 4"):
        check_sycl_kernel(wrong, code.parameters[wrong.symbol])


def test_errors_of_the_compiler_have_the_lines_of_the_source():
    head = SOURCE[: SOURCE.index("struct Point")]
    with pytest.raises(
        sb.CompileError, match=r"source.cpp:\d+:\d+: error: .*undeclared identifier 'nowhere'"
    ) as refused:
        sb.compile(head + "KERNEL(1) void k(int* p) { *p = nowhere; }", dialect="sycl")
    assert "crashed" not in str(refused.value)
    with pytest.raises(sb.CompileError, match="default argument"):
        sb.compile(head + "KERNEL(1) void k(int* p, int n = 3) { *p = n; }", dialect="sycl")
    scratch = "*static_cast<int*>(e::get_work_group_scratch_memory())"
    with pytest.raises(sb.CompileError, match="the compiler itself has crashed"):
        sb.compile(head + f"KERNEL(1) void k(int* p) {{ *p = {scratch}; }}", dialect="sycl")


def test_the_code_of_the_page_runs():
    page = Path(__file__).parents[2] / "docs" / "kernels.md"
    blocks = (part.partition("\n```")[0] for part in page.read_text().split("```py\n")[1:])
    (block,) = (block for block in blocks if 'dialect="sycl"' in block)
    exec(block, {})


def test_the_code_of_the_page_of_the_task_runs():
    page = Path(__file__).parents[2] / "docs" / "howto" / "sycl.md"
    compiling, _, launching = (part.partition("\n```")[0] for part in page.read_text().split("```py\n")[1:])
    x = sb.DeviceArray.from_host(np.arange(1000, dtype="f4"), device="sycl")
    y = sb.DeviceArray.from_host(np.ones(1000, "f4"), device="sycl")
    exec(compiling + "\n" + launching, {"x": x, "y": y})  # arrays of dpnp's: dpnp_cases.py
    assert y.copy_to_host()[3] == 13


HILLSHADE = """
#include <sycl/sycl.hpp>
#include <samebytes/array.hpp>
/// The direction of the light, and eight cells' width.
struct Light { double east, north, up, per_cell; };
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<2>)) SYCL_EXTERNAL
void hillshade(samebytes::array<const short, 2> dem, Light sun, samebytes::array<float, 2> out) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const int i = item.get_global_id(0), j = item.get_global_id(1);
  const int rows = dem.shape[0], columns = dem.shape[1];
  const int n = sycl::max(i - 1, 0), s = sycl::min(i + 1, rows - 1);
  const int w = sycl::max(j - 1, 0), e = sycl::min(j + 1, columns - 1);
  const int to_east = (dem(n, e) + 2 * dem(i, e) + dem(s, e)) - (dem(n, w) + 2 * dem(i, w) + dem(s, w));
  const int to_south = (dem(s, w) + 2 * dem(s, j) + dem(s, e)) - (dem(n, w) + 2 * dem(n, j) + dem(n, e));
  const double p = to_east * sun.per_cell, q = to_south * sun.per_cell;
  const double light = (sun.up + q * sun.north - p * sun.east) / sycl::sqrt(1 + p * p + q * q);
  out(i, j) = static_cast<float>(sycl::fmax(light, 0.0));
}
"""


def test_the_hillshade_of_the_demo_has_the_bytes_of_the_hosts():
    from math import cos, pi, sin

    pytest.importorskip("matplotlib")
    from samebytes.tools.demo import relief

    land = relief.load()
    on_host = sb.bind(relief.__file__.replace("relief.py", "hillshade.cpp"), name="on_host")
    shade = np.empty(land.elevation.shape, "f4")
    on_host.hillshade(land.elevation, on_host.Sun(315, 45, land.width), shade)
    lib = sb.compile(HILLSHADE, dialect="sycl", name="shading", flags=["-ffp-contract=off"])
    degree = pi / 180
    azimuth, altitude = 315 * degree, 45 * degree
    light = lib.Light(
        sin(azimuth) * cos(altitude), cos(azimuth) * cos(altitude), sin(altitude), 1 / (8 * land.width)
    )
    out = usm_of(np.zeros_like(shade))
    lib.hillshade[land.elevation.shape, None](usm_of(land.elevation), light, out)
    assert out.copy_to_host().tobytes() == shade.tobytes()
