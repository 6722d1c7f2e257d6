"""Records as parameters of kernels: by value, as large and as aligned as in C++, and in arrays."""

from __future__ import annotations

import ctypes
import struct
from types import SimpleNamespace
from typing import Any

import numpy as np
import ptx
import pytest

import machine
import samebytes as sb
from samebytes.toolchain.cuda import find_nvrtc

pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
pytest.importorskip("cuda.core", reason="cuda-core is not installed")
from numba import types
from numba.cuda.cudadrv import driver
from numba.cuda.np.numpy_support import from_dtype
from numba.cuda.typing import typeof

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not driver._have_nvjitlink(), reason="nvJitLink is not installed (nvidia-nvjitlink)"),
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]


# Each with a double that a kernel can read as `get()`; some are the rows that others lay out wrongly.
STRUCTS = {
    "Small": "struct Small { char c; G(c) };",
    "Plain": "struct Plain { double x; float y; G(x + y) };",
    "Padded": "struct Padded { char c; float4 v; G(v.y) };",
    "Bits": "struct Bits { unsigned a : 3; unsigned b : 5; G(b) };",
    "Packed": "struct __attribute__((packed)) Packed { char c; int i; G(i) };",
    "Wide": "struct alignas(32) Wide { float f[4]; G(f[3]) };",
    "Derived": "struct Base { int b; }; struct Derived : Base { int d; G(b + d) };",
    "Either": "union Either { int i; double d; G(d) };",
    "Mixed": "enum A { a0, a1 }; enum class B : short { b0, b1 };"
    " struct Mixed { __half h; __nv_bfloat16 n; bool f; A a; B c; int i; G(i + (int)a) };",
    "Pointing": "struct Pointing { double* p; int n; G(p[n - 1]) };",
    "Nested": "struct Nested { Plain a[2]; Padded p; G(a[1].x + p.v.z) };",
    "Large": "struct Large { double v[40]; G(v[39]) };",
    "Vec": "template <class T, int N> struct Vec_ { T d[N]; G(d[N - 1]) }; using Vec = Vec_<float, 3>;",
}
SOURCE = (
    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
    "#define G(...) __device__ double get() const { return __VA_ARGS__; }\n" + "\n".join(STRUCTS.values()) +
    "\nstruct Point { double x, y; __device__ double x_and_y() const { return x + y; }"
    " __device__ void move_both(double by) { x += by; y += by; } };\n"
    "__device__ double first(const Point* p) { return p->x; }\n"
    "__device__ double corner(const double (*m)[4], int n) { return m[n - 1][3]; }\n"
    "__device__ double both(Point a, const Point& b) { return a.x + b.y; }\n"
)  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba_cuda", name="parameters")


@pytest.fixture(scope="module")
def real() -> dict[str, tuple[int, int]]:
    """Size and alignment of each struct as a kernel's parameter, by CUDA's compiler."""
    kernels = [f'extern "C" __global__ void k_{n}({n} x, double* out) {{ *out = x.get(); }}' for n in STRUCTS]
    found = find_nvrtc()
    flags = ("-arch=compute_80", "-default-device", *(f"-I{d}" for d in found.includes))
    done = found.compile(SOURCE + "\n".join(kernels), flags)
    assert done.ok, done.log
    entries = done.ptx.split(".entry ")[1:]
    return {e.partition("(")[0].strip()[2:]: machine.parameters(f".entry {e}")[0] for e in entries}


def compiled(lib: Any, statements: str, *arguments: Any) -> str:
    scope: dict[str, Any] = {"lib": lib, "np": np}
    body = "\n".join(f"    {line}" for line in statements.split("\n"))
    exec(f"def kernel(out, p{', a' if len(arguments) > 1 else ''}):\n{body}\n", scope)
    text = ptx.linked(scope["kernel"], types.float64[::1], *arguments)
    assert ptx.calls(text) == []
    return str(text)


@pytest.mark.parametrize("name", STRUCTS)
def test_a_parameter_has_the_size_and_the_alignment_of_cxx(lib: Any, real: Any, name: str) -> None:
    text = compiled(lib, "out[0] = p.get()", sb.numba_type(getattr(lib, name), "cuda"))
    assert machine.parameters(text)[7:] == [real[name]]


def test_fields_and_methods_of_a_parameter(lib: Any) -> None:
    point = sb.numba_type(lib.Point, "cuda")
    data = sb.pack(lib.Point(2.0, 5.0), dialect="cuda")
    text = compiled(
        lib, "out[0] = p.x\nout[1] = p.x_and_y()\nout[2] = lib.first(p)\nout[3] = lib.both(p, p)", point
    )
    assert machine.doubles(text, data) == [2, 7, 2, 7]


def test_what_a_kernel_writes_to_a_parameter_is_its_own(lib: Any) -> None:
    point = sb.numba_type(lib.Point, "cuda")
    data = sb.pack(lib.Point(2.0, 5.0), dialect="cuda")
    text = compiled(
        lib, "p.x = 10.0\np.move_both(0.5)\nout[0] = p.x\nout[1] = p.y\nq = p\nq.y = 1.0\nout[2] = p.y", point
    )
    assert machine.doubles(text, data)[:3] == [10.5, 5.5, 1]


def test_bytes_arrive_in_place(lib: Any) -> None:
    for record in (
        lib.Padded(1, sb.float32x4(1, 2.5, 3, 4)), lib.Packed(1, -7), lib.Plain(0.5, 2.0), lib.Bits(1, 17),
        lib.Vec_["float", 3]([1.0, 2.0, 3.5]), lib.Wide([1.0, 2.0, 3.0, 4.25]),
    ):  # fmt: skip
        text = compiled(lib, "out[0] = p.get()", sb.numba_type(type(record), "cuda"))
        expected = {"Padded": 2.5, "Packed": -7, "Plain": 2.5, "Bits": 17, "Wide": 4.25}.get(
            type(record).__name__, 3.5
        )
        assert machine.doubles(text, sb.pack(record, dialect="cuda"))[0] == expected


def test_arrays_of_records(lib: Any) -> None:
    dtype = lib.Point.dtype
    records = types.Array(from_dtype(dtype), 1, "C")
    data = np.array([(1, 2), (3, 4), (5, 6)], dtype)
    text = compiled(
        lib,
        "p[1].x += 10\np[2].move_both(0.5)\nout[0] = p[1].x + p[0].y\nout[1] = p[2].x_and_y()\nout[2] = lib.first(p)\n"
        "out[3] = lib.both(p[1], p[2])",
        records,
    )
    run = machine.Machine(text)
    out, place = run.place(bytes(32)), run.place(data.tobytes())
    run.run(*machine.array(out, (4,), 8), *machine.array(place, (3,), dtype.itemsize))
    assert struct.unpack("<4d", run.memory[out : out + 32]) == (15, 12, 1, 19.5)
    left = np.frombuffer(bytes(run.memory[place : place + 48]), dtype)
    assert left.tolist() == [(1, 2), (13, 4), (5.5, 6.5)]


def test_rows_of_an_array(lib: Any) -> None:
    text = compiled(lib, "out[0] = lib.corner(p, np.int32(p.shape[0]))", types.Array(types.float64, 2, "C"))
    run = machine.Machine(text)
    out, place = run.place(bytes(32)), run.place(struct.pack("<8d", *range(8)))
    run.run(*machine.array(out, (4,), 8), *machine.array(place, (2, 4), 8))
    assert struct.unpack("<d", run.memory[out : out + 8]) == (7,)
    with pytest.raises(machine.Trap):
        run.run(*machine.array(out, (4,), 8), *machine.array(place, (4, 2), 8))


# --- launching, with a driver that shows what it is given


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Launches a kernel with arguments; the bytes of each parameter, as the driver would read them."""
    from cuda.bindings import driver as native
    from cuda.core import LaunchConfig
    from numba.cuda import dispatcher

    seen: list[int] = []

    def start(*given: Any) -> Any:
        seen.append(given[9])
        read = ctypes.c_void_p * len(sizes)
        for place, size in zip(read.from_address(given[9]), sizes, strict=True):
            found.append(ctypes.string_at(place, size))
        return (native.CUresult.CUDA_SUCCESS,)

    sizes: list[int] = []
    found: list[bytes] = []
    monkeypatch.setattr(native, "cuLaunchKernel", start)

    def run(kinds: list[Any], values: list[Any], read: list[int]) -> list[bytes]:
        sizes[:], found[:] = read, []
        arguments: list[Any] = []
        for kind, value in zip(kinds, values, strict=True):
            dispatcher._Kernel._prepare_args(SimpleNamespace(extensions=()), kind, value, None, [], arguments)
        held = SimpleNamespace(handle=1)
        dispatcher.launch(held, LaunchConfig(grid=1, block=1), held, *arguments)
        assert seen
        return list(found)

    return run


def test_a_launch_passes_the_bytes(lib: Any, launched: Any) -> None:
    mixed = lib.Mixed(0.5, 2.0, True, lib.a1, lib.B.b1, 7)
    kinds = [types.int32, sb.numba_type(lib.Mixed, "cuda"), types.float64]
    bytes_of = launched(kinds, [3, mixed, 2.5], [4, 20, 8])
    assert bytes_of == [struct.pack("<i", 3), sb.pack(mixed, dialect="cuda"), struct.pack("<d", 2.5)]
    padded = lib.Padded(1, sb.float32x4(1, 2, 3, 4))
    (data,) = launched([sb.numba_type(lib.Padded, "cuda")], [padded], [32])
    assert data[0] == 1
    assert struct.unpack("<4f", data[16:]) == (1, 2, 3, 4)


def test_a_vector_is_launched_by_its_elements(lib: Any, launched: Any) -> None:
    kind = sb.numba_type(sb.float32x4, "cuda")
    text = compiled(lib, "out[0] = p.w", kind)
    assert machine.parameters(text)[7:] == [(4, 4)] * 4
    point = sb.numba_type(lib.Point, "cuda")
    found = launched([kind, point], [sb.float32x4(1, 2, 3, 4), lib.Point(5.0, 6.0)], [4, 4, 4, 4, 16])
    assert [struct.unpack("<f", v)[0] for v in found[:4]] == [1, 2, 3, 4]
    assert machine.doubles(text, *found[:4])[0] == 4


def test_a_bfloat16_is_launched_by_its_bits(lib: Any, launched: Any) -> None:
    number = sb.bfloat16(-2.5)
    kind = typeof.typeof(number, typeof.Purpose.argument)
    point = sb.numba_type(lib.Point, "cuda")
    assert launched([kind, point], [number, lib.Point(5.0, 6.0)], [2, 16])[0] == number.tobytes()


def test_a_launch_refuses_what_is_no_such_record(lib: Any, launched: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"expected Point as a kernel's argument, got"):
        launched([sb.numba_type(lib.Point, "cuda")], [lib.Plain(1.0, 2.0)], [16])


class DeviceArray:
    """An array of a CUDA device, as CuPy's say it."""

    def __init__(self, address: int) -> None:
        self.__cuda_array_interface__ = {
            "shape": (6,), "typestr": "<f8", "data": (address, False), "version": 3,
        }  # fmt: skip


@sb.struct
class Window:
    n: int
    a: sb.array[sb.float64, 1]


@sb.struct
class Held:
    window: Window
    p: sb.pointer[sb.float64]


def test_a_launch_takes_arrays_of_a_device_in_structs_and_refuses_those_of_the_host(
    lib: Any, launched: Any
) -> None:
    from numba.cuda.core import entrypoints
    from numba.cuda.typing.typeof import Purpose, typeof

    entrypoints.init_all()
    array, host = DeviceArray(0x7F0000000000), np.ones(6)
    descriptor = struct.pack("<i4xQQq", 1, 0x7F0000000000, 6, 1)
    there = Window(1, array), Held((1, array), array), lib.Pointing(array, 6)
    expected = (
        descriptor,
        descriptor + struct.pack("<Q", 0x7F0000000000),
        struct.pack("<Qi4x", 0x7F0000000000, 6),
    )
    for value, data in zip(there, expected, strict=True):
        assert launched([typeof(value, Purpose.argument)], [value], [len(data)]) == [data]
    assert typeof(Window(1, array), Purpose.argument) == typeof(Window(1, host), Purpose.argument)
    for value in (Window(1, host), Held((1, host), host)):
        with pytest.raises(sb.ArrayError, match="host memory"):
            launched([typeof(value, Purpose.argument)], [value], [32])
    with pytest.raises(sb.ArrayError, match="CUDA device memory"):
        lib.Pointing(host, 6)


def test_a_launch_refuses_arrays_of_another_device(launched: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from numba import cuda
    from numba.cuda.core import entrypoints
    from numba.cuda.typing.typeof import Purpose, typeof

    entrypoints.init_all()
    value = Window(1, DeviceArray(0x7F0000000000))
    kind = typeof(value, Purpose.argument)
    monkeypatch.setattr(cuda, "is_available", lambda: True)
    for number in (0, 1):
        held = SimpleNamespace(device=SimpleNamespace(id=number))
        monkeypatch.setattr(cuda, "current_context", lambda held=held: held)
        if number:
            with pytest.raises(sb.ArrayError, match="device 1"):
                launched([kind], [value], [32])
        else:
            assert len(launched([kind], [value], [32])) == 1


def test_compiled_code_of_the_host_takes_no_struct_with_arrays_of_a_device() -> None:
    from numba import njit
    from numba.core.errors import TypingError

    count = njit(lambda window: window.n)
    assert count(Window(3, np.ones(2))) == 3
    with pytest.raises(TypingError, match="the host does not read"):
        count(Window(3, DeviceArray(0x7F0000000000)))


def test_numba_knows_a_record_that_a_kernel_is_given(lib: Any) -> None:
    from numba.cuda.typing.typeof import Purpose, typeof

    assert typeof(lib.Point(1.0, 2.0), Purpose.argument) == sb.numba_type(lib.Point, "cuda")
