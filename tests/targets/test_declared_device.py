"""Types that Python declares, in kernels of numba-cuda: structs, functions, atomics; linked without a GPU."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import ptx
import pytest

import samebytes as device
from samebytes.toolchain.cuda import find_nvrtc

pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
pytest.importorskip("cuda.core", reason="cuda-core is not installed")
from numba import types
from numba.core.errors import TypingError
from numba.cuda import dispatcher
from numba.cuda.core import entrypoints
from numba.cuda.core.errors import TypingError as CudaTypingError
from numba.cuda.cudadrv import driver
from numba.cuda.np.numpy_support import from_dtype
from numba.cuda.typing.typeof import typeof

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not driver._have_nvjitlink(), reason="nvJitLink is not installed (nvidia-nvjitlink)"),
]
REFUSED = (TypingError, CudaTypingError)


@pytest.fixture(autouse=True)
def _without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a launch does first, and the device for which numba-cuda compiles functions that kernels call."""
    entrypoints.init_all()
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=ptx.CC))


@device.struct
class ticket_mutex:  # noqa: N801
    line: device.Atomic(int, align=16)
    current: device.Atomic(int, align=16)

    @device.func
    def lock(self):
        my = self.line.add(1, order="relaxed", scope="device")
        while True:
            now = self.current.load(order="acquire", scope="device")
            if now == my:
                break
            self.current.wait(now, scope="device")

    @device.func
    def unlock(self):
        self.current.add(1, order="release", scope="device")
        self.current.notify_all()


@device.struct
class Body:
    mass: float
    at: device.float32x3
    count: int = 7

    def weight(self):
        return self.mass * self.at.y

    def moved(self, by):
        return self.replace(mass=self.mass + by)


@device.func
def twice(x):
    return 2 * x


def instructions(text: str) -> list[str]:
    """Those that synchronise, without their registers, in order."""
    names = r"(?:atom|ld\.(?:acquire|relaxed)|st\.(?:release|relaxed)|fence|nanosleep)"
    found = re.findall(rf"^\s*({names}\S*)", text, re.M)
    return [name.rstrip(";") for name in found]


@pytest.mark.requirement("S.14")
def test_ticket_mutex_has_its_scope_and_order() -> None:
    def kernel(mutexes, out):
        ticket_mutex.lock(mutexes[1])
        out[0] += 1
        ticket_mutex.unlock(mutexes[1])

    text = ptx.linked(
        kernel, types.Array(from_dtype(ticket_mutex.dtype), 1, "C"), types.Array(types.int64, 1, "C")
    )
    found = instructions(text)
    assert ptx.calls(text) == []
    assert found[0] == "atom.relaxed.gpu.add.u32"
    assert found[-1] == "atom.release.gpu.add.u32"
    assert {"ld.acquire.gpu.b32", "fence.sc.gpu", "nanosleep.u32"} == set(found[1:-1])


OPERATIONS = {
    "i4.add(1)": ["fence.sc.sys", "atom.acquire.sys.add.u32"],
    "i4.sub(1, order='relaxed')": ["atom.relaxed.sys.add.u32"],
    "i4.max(1, 'acq_rel', 'block')": ["atom.acq_rel.cta.max.s32"],
    "i4.and_(1, 'release', 'device')": ["atom.release.gpu.and.b32"],
    "i4.cas(1, 2, 'acquire')": ["atom.acquire.sys.cas.b32"],
    "i4.load('relaxed', 'thread')": ["ld.relaxed.cta.b32"],
    "i4.store(1)": ["fence.sc.sys", "st.relaxed.sys.b32"],
    "i4.store(1, 'release')": ["st.release.sys.b32"],
    "u8.min(np.uint64(1), 'relaxed')": ["atom.relaxed.sys.min.u64"],
    "u8.exch(np.uint64(1), 'relaxed')": ["atom.relaxed.sys.exch.b64"],
    "u8.xor(np.uint64(1), 'relaxed')": ["atom.relaxed.sys.xor.b64"],
    "f4.add(np.float32(1), 'relaxed')": ["atom.relaxed.sys.add.f32"],
    "f8.sub(1.0, 'relaxed')": ["atom.relaxed.sys.add.f64"],
    "f4.max(np.float32(1), 'relaxed')": ["ld.relaxed.sys.b32", "atom.relaxed.sys.cas.b32"],
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operation(operation: str) -> None:
    scope: dict[str, Any] = {"np": np, "device": device}
    exec(f"def run(self):\n    self.{operation}\n    return 0\n", scope)
    members = {"__annotations__": {n: device.Atomic(t) for n, t in _MEMBERS.items()}, "run": scope["run"]}
    cls: Any = device.struct(type("Held", (), members))

    def kernel(array):
        array[0].run()

    text = ptx.linked(kernel, types.Array(from_dtype(cls.dtype), 1, "C"))
    assert instructions(text) == OPERATIONS[operation]


_MEMBERS = {"i4": device.int32, "u8": device.uint64, "f4": device.float32, "f8": device.float64}


def constants(kernel: Callable[..., None], count: int = 1) -> list[float]:
    """What a kernel stores, which its compiler has computed."""
    text = ptx.linked(kernel, types.Array(types.float32, 1, "C"))
    assert ptx.calls(text) == []
    return [struct.unpack("<f", part)[0] for part in ptx.stored(text)][:count]


def test_structs_methods_and_functions_are_inlined() -> None:
    def kernel(out):
        body = Body(np.float32(2), device.float32x3(1, 3, 5)).moved(np.float32(1))
        out[0] = twice(body.weight())
        out[1] = body.replace(count=9).count + body.count

    assert constants(kernel, 2) == [18, 16]


def test_parameters_are_those_of_cxx() -> None:
    def kernel(body, out):
        out[0] = body.weight()

    given = typeof(Body(1, device.float32x3(1, 2, 3)))
    text = ptx.linked(kernel, given, types.Array(types.float32, 1, "C"))
    layout = device.layout(Body, "cuda")
    assert re.search(rf"\.param \.align {layout.align} \.b8 \S+_param_0\[{layout.size}\]", text)
    offsets = [int(n) for n in re.findall(r"ld\.param\.f32\s+\S+, \[\S+_param_0(?:\+(\d+))?\]", text) if n]
    assert offsets == [layout.offsets[1] + 4]


@pytest.mark.requirement("H.1")
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("body.mass = 1", "Body is immutable"),
        ("body.more = 1", "attributes cannot be added"),
        ("Body(1)", "lacks at"),
    ],
)
def test_refused_when_compiling(statement: str, words: str) -> None:
    scope: dict[str, Any] = {"Body": Body}
    exec(f"def kernel(body):\n    {statement}\n", scope)
    with pytest.raises(REFUSED, match=words):
        ptx.linked(scope["kernel"], typeof(Body(1, device.float32x3(1, 2, 3))))


def test_a_kernel_gets_no_copy_of_atomics() -> None:
    with pytest.raises(REFUSED, match="has atomics, and a kernel's argument is a copy: pass an array of one"):
        typeof(ticket_mutex(0, 0))


@device.func(interop=True)
def wave(x: float, table: device.pointer[device.const[float]]) -> float:
    return x * x + table[1]


@device.func(interop=True)
def scale(x: device.float64, n: int) -> device.float64:
    return x * n + 0.5


class TestCalledByCxx:
    """CUDA C++ that is compiled apart, and linked with the Python function: no call is left."""

    CALLS = (
        (wave, "void k(float* out, const float* t)", "wave(3.0f, t)", r"fma\.rn|add\.f32|add\.rn\.f32"),
        (scale, "void k(double* out)", "scale(1.5, 4)", ""),
    )

    @pytest.mark.parametrize(("function", "signature", "call", "left"), CALLS)
    def test_linked(self, function: Any, signature: str, call: str, left: str) -> None:
        from cuda.core import Linker, LinkerOptions, ObjectCode

        text = f'{device.declare(function, "cuda")}extern "C" __global__ {signature} {{ out[0] = {call}; }}'
        done = find_nvrtc().compile(text, [f"-arch=compute_{ptx.CC[0]}{ptx.CC[1]}", "-dlto"])
        assert done.ok, done.log
        objects = [ObjectCode.from_ltoir(code) for code in (done.ltoir, function.device_code(ptx.CC))]
        options = LinkerOptions(arch=f"sm_{ptx.CC[0]}{ptx.CC[1]}", link_time_optimization=True, ptx=True)
        linked = Linker(*objects, options=options).link("ptx").code.decode()
        assert ptx.calls(linked) == []
        if left:
            assert re.search(left, linked)
        else:  # it is a constant now
            assert struct.unpack("<d", ptx.stored(linked)[0]) == (6.5,)

    def test_declared(self) -> None:
        assert (
            device.declare(wave, "cuda") == 'extern "C" __device__ float wave(float x, const float* table);\n'
        )
        assert device.declare(scale, "cuda") == (
            "#include <cuda/std/cstdint>\n"
            'extern "C" __device__ double scale(double x, cuda::std::int32_t n);\n'
        )

    def test_ptx(self) -> None:
        assert re.search(r"\.func\s+\(.*\)\s*scale\(", scale.device_code(ptx.CC, "ptx").decode())

    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (
                lambda: twice.device_code(ptx.CC),
                r"twice\(\) is called by C\+\+ if @sb.func\(interop=True\) says so",
            ),
            (lambda: _interop(lambda x: x).device_code(ptx.CC), "lacks annotations: x, return"),
            (
                lambda: _interop(_pair).device_code(ptx.CC),
                "expected addresses and numbers of 4 and 8 bytes, got",
            ),
            (lambda: _interop(_narrow).device_code(ptx.CC), r"got int64\. np.int32\(x\) says that it fits"),
            (lambda: device.declare(wave), "is declared for CUDA C"),
        ],
    )
    def test_refused(self, make: Callable[[], Any], words: str) -> None:
        with pytest.raises(device.ArgumentError, match=words):
            make()

    def test_another_output(self) -> None:
        with pytest.raises(ValueError, match="output='cubin': 'ltoir' or 'ptx'"):
            wave.device_code(ptx.CC, "cubin")


def _interop(function: Callable[..., Any]) -> Any:
    return device.func(interop=True)(function)


def _pair(p: Body) -> float:
    return p.mass


def _narrow(x: device.int64) -> device.int32:
    return x * 2
