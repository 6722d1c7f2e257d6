"""NVIDIA Warp on its CPU device: structs that Warp makes of @sb.struct classes have the same bytes in its kernels."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

wp = pytest.importorskip("warp", reason="NVIDIA Warp is not installed (warp-lang)")
pytestmark = pytest.mark.full


@sb.struct
class Inner:
    a: sb.int8
    h: sb.float16


@sb.struct
class Body:
    flag: bool
    at: sb.float32x3
    colour: sb.float32x4  # aligned to 16 bytes by C++, and by Warp to 4
    n: sb.int64
    m: sb.carray[sb.float32, 2, 3]
    inner: Inner
    last: sb.align(sb.uint8, 8)


VALUE = Body(
    True, sb.float32x3(1, 2, 3), sb.float32x4(1, 2, 3, 4), 2**40, ((1, 2, 3), (4, 5, 6)), Inner(-1, 2.5), 9
)


@pytest.fixture(scope="module", autouse=True)
def _kernels_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = wp.config.kernel_cache_dir
    wp.config.kernel_cache_dir = str(tmp_path_factory.mktemp("kernels"))
    yield
    wp.config.kernel_cache_dir = before


def of_warp(value: Any) -> Any:
    """A struct of Warp's with the bytes of ours."""
    data = np.frombuffer(sb.pack(value), np.uint8)
    return sb.mirror(type(value), "warp").from_ptr(data.ctypes.data)


def test_the_same_bytes_on_the_host() -> None:
    warped = of_warp(VALUE)
    assert (warped.flag, list(warped.at), warped.n, warped.inner.h, warped.last) == (
        True, [1, 2, 3], 2**40, 2.5, 9,
    )  # fmt: skip
    assert bytes(warped._ctype) == sb.pack(VALUE)
    assert sb.unpack(bytes(warped._ctype), Body) == VALUE
    assert sb.mirror(Body, "warp") is sb.mirror(Body, "warp")
    assert sb.layout(sb.as_type(sb.mirror(Body, "warp"))).offsets == sb.layout(Body).offsets


def test_kernels_and_cxx_see_the_same_structs(tmp_path: Path) -> None:
    """A value as a kernel's argument and an array of them: what the kernel reads and writes is what C++ reads."""
    scope: dict[str, Any] = {"wp": wp, "Warped": sb.mirror(Body, "warp")}
    source = """
@wp.kernel(enable_backward=False)
def change(given: Warped, bodies: wp.array(dtype=Warped), read: wp.array(dtype=wp.float64)):
    i = wp.tid()
    body = bodies[i]
    read[i] = wp.float64(body.at[1] + body.colour[3] + body.m[1, 2] + wp.float32(body.inner.h)) + wp.float64(body.n)
    body.at = given.at * 2.0
    body.colour = given.colour
    body.m = given.m
    body.flag = given.flag
    body.n = given.n + wp.int64(i)
    body.inner = given.inner
    body.last = given.last
    bodies[i] = body
"""
    file = tmp_path / "kernels_of_warp.py"  # Warp reads the source
    file.write_text(source)
    exec(compile(source, file, "exec"), scope)
    bodies, read = np.zeros(3, Body.dtype), wp.zeros(3, dtype=wp.float64, device="cpu")
    bodies["at"]["y"], bodies["n"] = 0.25, (1, 2, 3)
    shown = wp.array(ptr=bodies.ctypes.data, dtype=scope["Warped"], shape=bodies.shape, device="cpu")
    wp.launch(scope["change"], dim=3, inputs=[of_warp(VALUE), shown, read], device="cpu")
    assert read.numpy().tolist() == [1.25, 2.25, 3.25]
    for i, body in enumerate(bodies):
        wanted = VALUE.replace(at=sb.float32x3(2, 4, 6), n=2**40 + i)
        assert sb.unpack(body.tobytes(), Body) == wanted
        assert body.tobytes() == sb.pack(wanted)

    text = (
        sb.declare(Body)
        + "inline long counts(const Body* b, long n) { return b[n - 1].n + (long)b[0].m[1][2]; }"
    )
    lib = sb.compile(text, name="with_warp")
    assert lib.counts(bodies, 3) == 2**40 + 2 + 6
    assert lib.counts(shown.numpy().view(Body.dtype), 3) == 2**40 + 2 + 6


def test_arrays_of_warp_are_arrays() -> None:
    lib = sb.compile(
        "#include <samebytes/array.hpp>\n"
        "inline double sum(samebytes::array<const float, 2> a) { double s = 0;"
        " for (unsigned i = 0; i < a.shape[0]; ++i)"
        "  for (unsigned j = 0; j < a.shape[1]; ++j) s += a(i, j); return s; }",
        name="arrays_of_warp",
    )
    numbers = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert lib.sum(wp.array(numbers, device="cpu")) == 66
    assert lib.sum(wp.array(numbers, dtype=wp.vec3f, device="cpu")) == 66
    assert lib.sum(wp.array(numbers, device="cpu")[::2, 1:]) == 1 + 2 + 7 + 8


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (sb.pointer[sb.float64], "Warp has no pointers"),
        (sb.array[sb.float32, 1], "Warp's arrays are structs of their own"),
        (tuple[int, int], "Warp has no tuples"),
        (sb.complex64, "Warp has no such number"),
        (sb.float32x4, "16 bytes aligned to 4, not 16 aligned to 16"),
        (sb.carray[sb.int32, 2, 2, 2], "vectors and matrices"),
    ],
)
def test_refused(hint: Any, words: str) -> None:
    with pytest.raises(sb.LayoutError, match=words):
        sb.mirror(hint, "warp")


def test_numbers() -> None:
    for name in ("int8", "uint64", "float16", "bfloat16", "float32", "bool"):
        made = sb.mirror(getattr(sb, name, bool), "warp")
        assert made is getattr(wp, name)
        assert ctypes.sizeof(getattr(made, "_type_", ctypes.c_bool)) == sb.sizeof(getattr(sb, name, bool))
