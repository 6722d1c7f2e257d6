"""One struct through everything: Python, C++, @njit, memory that processes share, kernels, and back, byte by byte."""

from __future__ import annotations

import subprocess
import sys
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import ptx
import pytest

import samebytes as sb
from machine import Machine
from samebytes.layouts import leaves
from samebytes.layouts.dialects import find_dialect
from samebytes.toolchain.cuda import find_nvrtc

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full

DECLARED = """
import samebytes as sb

@sb.struct
class Inner:
    small: sb.int8
    wide: sb.float64

@sb.struct(align=32)
class Instance:
    flag: bool
    at: sb.float32x3
    colour: sb.float32x4
    n: sb.int64
    pair: tuple[sb.int8, sb.float64]
    row: sb.carray[sb.int16, 3]
    inner: Inner
    z: sb.complex64
"""
scope: dict[str, Any] = {"__name__": __name__}
exec(DECLARED, scope)
Inner, Instance = scope["Inner"], scope["Instance"]
VALUE = Instance(
    True, sb.float32x3(1, -2, 3.5), sb.float32x4(4, 5, 6, 7), -(2**62) - 1, (-8, 9.25), (10, -11, 12),
    Inner(-13, 14.5), 15 - 16j,
)  # fmt: skip
TYPE = sb.as_type(Instance)
PLACES = [*leaves(TYPE, find_dialect("cxx"))]


def parts(data: bytes) -> list[bytes]:
    """The bytes of each number, wherever it lies; padding is in none of them."""
    assert len(data) == sb.sizeof(Instance)
    return [data[start : start + size] for start, size in PLACES]


BYTES = parts(sb.pack(VALUE))
SIZE = sb.sizeof(Instance)


def test_the_layouts_are_one() -> None:
    assert sum(map(len, BYTES)) == 1 + 12 + 16 + 8 + 9 + 6 + 9 + 8
    assert [*leaves(TYPE, find_dialect("cuda"))] == PLACES
    assert all(any(part) for part in BYTES)


@pytest.fixture(scope="module")
def lib() -> Any:
    text = sb.declare(Instance) + (
        "\n#include <cstring>\n"
        "inline Instance through(Instance x) { return x; }\n"
        "inline void raw(const Instance& x, unsigned char* out) { std::memcpy(out, &x, sizeof x); }\n"
        "inline void copy(const Instance* from, Instance* to) { *to = *from; }\n"
    )
    return sb.compile(text, target="numba", name="one_instance")


def through_njit(lib: Any, value: Any) -> Any:
    """By value and by reference through C++ that compiled code calls, and back to Python."""
    seen = np.zeros((2, SIZE), np.uint8)

    @numba.njit
    def there(value, seen):
        lib.raw(value, seen[0])
        found = lib.through(value)
        lib.raw(found, seen[1])
        return value

    found = there(value, seen)
    assert [parts(row.tobytes()) for row in seen] == [BYTES, BYTES]
    return found


def through_processes(lib: Any, value: Any, folder: Path) -> Any:
    """Stored by compiled code, read and written by another process, copied by C++, read by Python."""
    memory = SharedMemory(create=True, size=3 * SIZE)
    try:
        slots = np.ndarray(3, Instance.dtype, memory.buf)

        @numba.njit
        def store(slots, value):
            slots[0] = value

        store(slots, value)
        assert parts(bytes(memory.buf[:SIZE])) == BYTES
        program = folder / "other_process.py"
        program.write_text(
            f"{DECLARED}\n"
            "import mmap, sys\n"
            "with open('/dev/shm/' + sys.argv[1], 'r+b') as file, mmap.mmap(file.fileno(), 0) as memory:\n"
            "    size = sb.sizeof(Instance)\n"
            "    memory[size : 2 * size] = sb.pack(sb.unpack(memory[:size], Instance))\n"
        )
        subprocess.run([sys.executable, program, memory.name], check=True)
        assert parts(bytes(memory.buf[SIZE : 2 * SIZE])) == BYTES
        lib.copy(slots[1:2], slots[2:])
        assert parts(bytes(memory.buf[2 * SIZE : 3 * SIZE])) == BYTES
        found = sb.unpack(bytes(memory.buf[2 * SIZE : 3 * SIZE]), Instance)
        del slots
        return found
    finally:
        memory.close()
        memory.unlink()


def launched(text: str, value: Any) -> bytes:
    """A kernel's parameter is these bytes; what it stores in its array."""
    machine = Machine(text)
    out = machine.place(bytes(SIZE), 32)
    array = [0, 0, 1, SIZE, out, 1, SIZE]  # as numba-cuda passes one: owner, size, itemsize …
    given = (
        [word.to_bytes(8, "little") for word in array] if "_param_7" in text else [out.to_bytes(8, "little")]
    )
    machine.run(sb.pack(value, dialect="cuda"), *given)
    return bytes(machine.memory[out : out + SIZE])


def through_cuda_cxx(value: Any) -> Any:
    """A parameter of a kernel in CUDA C++, its block's shared memory, and the array that it writes."""
    nvrtc = find_nvrtc()
    text = sb.declare(Instance, "cuda") + (
        'extern "C" __global__ void k(Instance given, Instance* out) {\n'
        "  __shared__ Instance shared[2];\n"
        "  shared[1 + threadIdx.x] = given; __syncthreads(); out[0] = shared[1]; }"
    )
    done = nvrtc.compile(text, ["-arch=compute_80", *(f"-I{d}" for d in (sb.get_include(), *nvrtc.includes))])
    assert done.ok, done.log
    assert ".shared" in done.ptx
    found = launched(done.ptx, value)
    assert parts(found) == BYTES
    return sb.unpack(found, Instance, dialect="cuda")


def through_numba_cuda(value: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same in a kernel that Python wrote."""
    from numba import cuda, types
    from numba.cuda import dispatcher
    from numba.cuda.core import entrypoints
    from numba.cuda.np.numpy_support import from_dtype
    from numba.cuda.typing.typeof import typeof

    entrypoints.init_all()
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=ptx.CC))
    record = from_dtype(Instance.dtype)

    def kernel(given, out):
        shared = cuda.shared.array(2, record)
        shared[1 + cuda.threadIdx.x] = given
        cuda.syncthreads()
        out[0] = shared[1]

    text = ptx.linked(kernel, typeof(value), types.Array(record, 1, "C"))
    assert "ld.shared" in text
    found = launched(text, value)
    assert parts(found) == BYTES
    return sb.unpack(found, Instance, dialect="cuda")


def test_the_same_bytes_at_each_step(lib: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = np.zeros(SIZE, np.uint8)
    lib.raw(VALUE, raw)
    assert parts(raw.tobytes()) == BYTES
    value = sb.unpack(sb.pack(lib.through(VALUE)), Instance)
    assert value == VALUE
    value = through_njit(lib, value)
    assert (type(value), value) == (Instance, VALUE)
    value = through_processes(lib, value, tmp_path)
    assert value == VALUE
    pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed; the host's half holds")
    pytest.importorskip("cuda.core", reason="cuda-core is not installed; the host's half holds")
    value = through_cuda_cxx(value)
    value = through_numba_cuda(value, monkeypatch)
    assert (type(value), value) == (Instance, VALUE)
    lib.raw(value, raw)
    assert parts(raw.tobytes()) == BYTES
