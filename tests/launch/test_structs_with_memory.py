"""Structs with addresses as parameters of kernels: each launch looks where their arrays lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = """
struct Held { int n; float* p; };
struct Outer { Held held; Held all[2]; };
__global__ void one(Held h, float* out) { out[0] = h.n + h.p[0]; }
__global__ void nested(Outer o, float* out) { out[0] = o.held.p[0] + 10 * o.all[0].p[0] + 100 * o.all[1].p[0]; }
"""


@sb.struct
class Held:
    n: int
    p: sb.pointer[sb.float32]


@sb.struct
class Outer:
    held: Held
    all: sb.carray[Held, 2]


@pytest.fixture
def lib(fake: Any) -> Any:
    return fake.knows(sb.compile(SOURCE, dialect="cuda"))


def ways(lib: Any, array: Any) -> dict[str, Any]:
    return {
        "record": lambda: lib.Held(1, array),
        "declared": lambda: Held(1, array),
        "tuple": lambda: (1, array),
        "pointer of a record": lambda: (1, lib.Held(2, array).p),
        "pointer of a declared struct": lambda: lib.Held(1, Held(2, array).p),
        "value": lambda: lib.Held(1, array).value,
        "replaced": lambda: lib.Held(5, array).replace(n=1),
    }


def test_each_way_gives_the_kernel_the_device_s_memory(lib: Any, fake: Any) -> None:
    array, out = fake.array(np.full(3, 0.5, "f4")), fake.array(np.zeros(1, "f4"))
    for name, make in ways(lib, array).items():
        for _ in range(2):
            lib.one[1, 1](make(), out)
            assert out.array[0] == 1.5, name
            out.array[0] = 0


def test_each_way_refuses_memory_of_the_host(lib: Any, fake: Any) -> None:
    host, out = np.full(3, 0.5, "f4"), fake.array(np.zeros(1, "f4"))
    for make in ways(lib, host).values():
        for _ in range(2):
            with pytest.raises(sb.ArrayError, match="host memory"):
                lib.one[1, 1](make(), out)
    assert not fake.launches


def test_structs_inside_of_structs(lib: Any, fake: Any) -> None:
    arrays, out = [fake.array(np.full(3, i, "f4")) for i in (1, 2, 3)], fake.array(np.zeros(1, "f4"))
    a, b, c = arrays
    for value in (
        lib.Outer((1, a), ((2, b), (3, c))),
        Outer((1, a), ((2, b), (3, c))),
        ((1, a), (lib.Held(2, b), Held(3, c))),
        lib.Outer(Held(1, a), (Held(2, b), lib.Held(3, c))),
    ):
        lib.nested[1, 1](value, out)
        assert out.array[0] == 321
    with pytest.raises(sb.ArrayError, match="host memory"):
        lib.nested[1, 1](((1, a), ((2, b), Held(3, np.ones(3, "f4")))), out)
    with pytest.raises(sb.ArrayError, match="host memory"):
        lib.nested[1, 1](Outer((1, np.ones(1, "f4")), ((2, np.ones(1, "f4")), (3, np.ones(1, "f4")))), out)


def test_another_device_is_refused_at_the_launch(lib: Any, fake: Any) -> None:
    out = fake.array(np.zeros(1, "f4"))

    class Elsewhere:
        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 1

        __cuda_array_interface__ = fake.array(np.zeros(3, "f4")).__cuda_array_interface__

    there = sb.view(Elsewhere())
    if there.device.id == 0:
        there = there.derive(device=type(there.device)(there.device.type, 1))
    for make in ways(lib, there).values():
        with pytest.raises(sb.ArrayError, match="loaded for device 0"):
            lib.one[1, 1](make(), out)
        assert not fake.launches
