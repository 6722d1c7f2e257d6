"""Python's mdspans: every case of the table, real arrays, and the image that C++ reads."""

from __future__ import annotations

import ctypes
import gc
import struct
import sys
import weakref
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import samebytes as sb
from samebytes.arrays.view import Device
from samebytes.types import SCALARS, STORED, Vector, as_type

sys.path.append(str(Path(__file__).parent))
from mdspan_cases import DIFFERENCES, Case, cases, expected
from tests.tables import each

CASES = cases()
BASE = 1 << 20

PYTHON: dict[str, Any] = {
    "int": sb.int32, "bool": bool, "longlong": sb.int64, "int128": "__int128", "float": sb.float32,
    "half": sb.float16, "bf16": sb.bfloat16, "half2": sb.float16x2, "bf162": sb.bfloat16x2, "float2": sb.float32x2,
    "float4": sb.float32x4, "double4": sb.float64x4, "complex64": sb.complex64, "complex128": sb.complex128,
    "complex32": "cuda::std::complex<__half>", "e4m3": sb.float8e4m3, "e8m0": "__nv_fp8_e8m0",
    "fp6": "__nv_fp6_e2m3", "fp6x2": "__nv_fp6x2_e2m3", "fp6x4": "__nv_fp6x4_e2m3", "fp4": "__nv_fp4_e2m1",
    "fp4x2": "__nv_fp4x2_e2m1", "fp4x4": "__nv_fp4x4_e2m1",
}  # fmt: skip

# Python counts without wrapping at 2^64.
EXACT = {
    "shape overflow 2^40,2^40,2 [relaxed]": ("size=0", f"size={1 << 81}"),
    "shape overflow 2^40,2^40,2 [stride]": (
        "size=0 span=0 uniq=1 exh=1",
        f"size={1 << 81} span=2199023255552 uniq=1 exh=0",
    ),
}


def tensor(case: Case) -> sb.DLTensor:
    t = case.tensor
    rank = len(t.shape)
    return sb.DLTensor(
        0 if t.data is None else BASE + t.data, t.shape, t.strides, t.dtype, t.byte_offset, Device(t.device, 0),
        rank if t.ndim is None else t.ndim,
    )  # fmt: skip


def shown(m: sb.Mdspan, base: int) -> str:
    at = f"data{m.data_handle - base:+d}" if m.data_handle else "NULL"
    parts = [f"OK rank={m.rank} data_handle={at}"]
    parts += [f"mapping.offset={m.offset}"] if m.layout == "relaxed" else []
    parts += [f"{k}={','.join(map(str, v))}" for k, v in (("ext", m.extents), ("str", m.strides)) if m.rank]
    parts += [f"size={m.size} span={m.required_span_size} uniq={m.is_unique:d} exh={m.is_exhaustive:d}"]
    return " ".join(parts)


@each("case", CASES)
def test_case(case: Case) -> None:
    t = tensor(case)
    convert = getattr(sb, case.function)
    wanted = expected(case).replace(*EXACT.get(case.name, ("", "")))
    if wanted.startswith("OK"):
        m = convert(t, PYTHON[case.element], case.rank, case.layout, dialect="cuda")
        assert shown(m, t.data) == wanted
        back = m.to_dlpack()
        again = convert(back, PYTHON[case.element], case.rank, case.layout, dialect="cuda")
        assert (again.extents, again.strides) == (m.extents, m.strides)
        return
    with pytest.raises(
        sb.ArrayError, match=wanted.removeprefix("invalid_argument: ").replace(".", r"\.")
    ) as caught:
        convert(t, PYTHON[case.element], case.rank, case.layout, dialect="cuda")
    assert str(caught.value).startswith(f"{case.function}() argument 1 'obj': expected ")


class TestArrays:
    def test_view_shares_memory(self) -> None:
        x = np.arange(12, dtype="f4").reshape(3, 4)
        for layout, a in (("right", x), ("left", x.T), ("stride", x[::2, 1:]), ("relaxed", x[::-1, ::-2])):
            m = sb.to_host_mdspan(a, sb.float32, 2, layout)
            for i, j in np.ndindex(a.shape):
                at = m.data_handle + 4 * m.mapping(i, j)
                assert ctypes.c_float.from_address(at).value == a[i, j]
            assert 0 <= m.mapping(*[n - 1 for n in m.extents]) < m.required_span_size

    def test_relaxed_keeps_indices_above_the_handle(self) -> None:
        x = np.arange(6, dtype="i4")[::-1]
        m = sb.to_host_mdspan(x, sb.int32, 1, "relaxed")
        assert (m.offset, m.strides, m.required_span_size) == (5, (-1,), 6)
        assert m.data_handle + 20 == x.__array_interface__["data"][0]
        assert m.to_dlpack().byte_offset == 20

    def test_owner_lives(self) -> None:
        class Owner(np.ndarray):
            pass

        x = np.zeros(3, "f4").view(Owner)
        gone = weakref.ref(x)
        m = sb.to_host_mdspan(x, sb.float32, 1)
        del x
        gc.collect()
        assert gone() is not None
        del m
        gc.collect()
        assert gone() is None

    def test_read_only_needs_const(self) -> None:
        x = np.zeros(3, "f4")
        x.flags.writeable = False
        with pytest.raises(sb.ArrayError, match=r"read-only: say sb\.const\[float32\]"):
            sb.to_host_mdspan(x, sb.float32, 1)
        assert sb.to_host_mdspan(x, sb.const[sb.float32], 1).readonly

    def test_alignment_is_the_dialects(self) -> None:
        room = np.zeros(64, "u1")
        start = -room.__array_interface__["data"][0] % 16 + 4
        x = room[start : start + 32].view("c8")
        assert sb.to_host_mdspan(x, sb.complex64, 1).size == 4
        with pytest.raises(sb.ArrayError, match="must be aligned to the data type"):
            sb.to_host_mdspan(x, sb.complex64, 1, dialect="cuda")

    def test_buffers_and_zero_size(self) -> None:
        assert sb.to_host_mdspan(bytearray(5), sb.uint8, 1, "right").extents == (5,)
        for layout in ("right", "left", "stride", "relaxed"):
            m = sb.to_host_mdspan(np.zeros((0, 3), "i2"), sb.int16, 2, layout)
            assert m.size == m.required_span_size == m.to_dlpack().data == 0

    @pytest.mark.parametrize(
        ("name", "dtype"),
        [("__nv_fp8_e8m0", ml_dtypes.float8_e8m0fnu), ("float6e2m3", ml_dtypes.float6_e2m3fn),
         ("float6e3m2", ml_dtypes.float6_e3m2fn), ("__nv_fp4_e2m1", ml_dtypes.float4_e2m1fn)],
    )  # fmt: skip
    def test_ml_dtypes_small_formats(self, name: str, dtype: Any) -> None:
        m = sb.to_host_mdspan(np.ones(4, dtype), name, 1, "right")
        assert (m.extents, m.element.size) == ((4,), 1)

    def test_longdouble_is_no_float128(self) -> None:
        with pytest.raises(sb.ArrayError, match="x87's 80-bit format, which is not __float128"):
            sb.to_host_mdspan(np.zeros(2, np.longdouble), "__float128", 1)
        with pytest.raises(TypeError):
            as_type(np.longdouble)

    def test_packed_numbers_are_refused_in_words(self) -> None:
        for dtype, name, padded, fits in [
            ((17, 4, 1), "__nv_fp4_e2m1", False, False),
            ((17, 4, 1), "__nv_fp4_e2m1", True, True),
            ((17, 4, 2), "__nv_fp4x2_e2m1", False, True),
            ((17, 4, 2), "__nv_fp4x2_e2m1", True, False),
            ((15, 6, 4), "__nv_fp6x4_e2m3", False, False),
            ((15, 6, 4), "__nv_fp6x4_e2m3", True, True),
        ]:
            t = sb.DLTensor(BASE, (4,), (1,), dtype, padded=padded)
            if fits:
                assert sb.to_host_mdspan(t, name, 1).size == 4
                continue
            with pytest.raises(
                sb.ArrayError, match=r"it is packed: \d+ bits|it stores 2 bytes for each element, C\+\+ 1"
            ):
                sb.to_host_mdspan(t, name, 1)

    def test_strides_may_be_missing_before_dlpack_1_2(self) -> None:
        t = sb.DLTensor(BASE, (2, 3), None, (0, 32, 1), version=(1, 1))
        assert sb.to_host_mdspan(t, sb.int32, 2).strides == (3, 1)
        with pytest.raises(sb.ArrayError, match="strides must be non-null for layout_left"):
            sb.to_host_mdspan(t, sb.int32, 2, "left")
        with pytest.raises(sb.ArrayError, match=r"not supported for DLPack v1\.2"):
            sb.to_host_mdspan(sb.DLTensor(BASE, (2, 3), None, (0, 32, 1)), sb.int32, 2)
        with pytest.raises(sb.ArrayError, match="shape must be non-null"):
            sb.to_host_mdspan(sb.DLTensor(BASE, None, None, (0, 32, 1), ndim=2), sb.int32, 2)


class Through:
    """Anything that has a capsule, behind nothing but that."""

    def __init__(self, maker: Any) -> None:
        self.__maker = maker

    def __dlpack__(self, **kw: Any) -> Any:
        return self.__maker.__dlpack__(**kw)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class TestDLPack:
    def test_capsule(self) -> None:
        x = np.arange(6, dtype="f8").reshape(2, 3)
        before = sys.getrefcount(x)
        m = sb.to_host_mdspan(Through(x), sb.float64, 2, "right")
        assert m.data_handle == x.__array_interface__["data"][0]
        assert sb.pack(m)[:8] == struct.pack("=Q", m.data_handle)
        del m
        gc.collect()
        assert sys.getrefcount(x) == before

    def test_out(self) -> None:
        x = np.arange(12, dtype="i4").reshape(3, 4)
        for layout, a in (("stride", x[:, ::2]), ("relaxed", x[::-1])):
            m = sb.to_host_mdspan(a, sb.int32, 2, layout)
            y = np.from_dlpack(m)
            assert np.array_equal(y, a)
            y[0, 0] += 100
            assert np.array_equal(y, a)

    def test_vectors_by_lanes(self) -> None:
        x = np.arange(8, dtype="f4")
        t = sb.DLTensor(x.__array_interface__["data"][0], (2,), (1,), (2, 32, 4), owner=x)
        m = sb.to_host_mdspan(t, sb.float32x4, 1, "right")
        assert sb.view(m)[1] == sb.float32x4(4, 5, 6, 7)
        again = sb.to_host_mdspan(Through(m), sb.float32x4, 1, "relaxed")
        assert (again.data_handle, again.extents) == (m.data_handle, m.extents)

    def test_a_producer_that_changes_its_mind(self) -> None:
        x, y = np.arange(4, dtype="i4"), np.arange(4, dtype="i4").reshape(2, 2)
        once = x.__dlpack__()
        for second in (y.__dlpack__(), once, y.__dlpack__(max_version=(1, 0))):
            answers = [x.__dlpack__(), second]

            class Fickle(Through):
                def __dlpack__(self, answers: list[Any] = answers, **kw: Any) -> Any:
                    return answers.pop(0)

            if second is once:
                sb.view(type("Once", (), {"__dlpack__": lambda self, **kw: once})())
            with pytest.raises(sb.ProtocolError, match=r"shows another array each time|was consumed before"):
                sb.to_host_mdspan(Fickle(x), sb.int32, 1, "relaxed")

    def test_read_only_travels(self) -> None:
        x = np.arange(3, dtype="i4")
        x.flags.writeable = False
        with pytest.raises(sb.ArrayError, match="read-only"):
            sb.to_host_mdspan(Through(x), sb.int32, 1)


class TestImage:
    """libcu++'s sizes (measured with CCCL 13.3.5): rank 2 is 24, 24, 40, 48 bytes."""

    @pytest.mark.parametrize(
        ("layout", "sizes"),
        [("right", (8, 16, 24, 32)), ("left", (8, 16, 24, 32)), ("stride", (8, 24, 40, 56)),
         ("relaxed", (16, 32, 48, 64))],
    )  # fmt: skip
    def test_sizes(self, layout: str, sizes: tuple[int, ...]) -> None:
        for rank, size in enumerate(sizes):
            m = sb.to_host_mdspan(
                np.zeros((2,) * rank, "f4", order="F" if layout == "left" else "C"), sb.float32, rank, layout
            )
            assert len(sb.pack(m)) == size == sb.sizeof(type(m))

    def test_bytes(self) -> None:
        x = np.arange(24, dtype="i4").reshape(4, 6)[::-2, 1:4]
        m = sb.to_host_mdspan(x, sb.int32, 2, "relaxed")
        assert struct.unpack("=Q5q", sb.pack(m)) == (m.data_handle, 2, 3, -12, 1, 12)
        assert sb.unpack(sb.pack(m), type(m))[1:] == ((2, 3), (-12, 1), 12)

    def test_another_mdspan_does_not_fit(self) -> None:
        m = sb.to_host_mdspan(np.zeros(3, "f4"), sb.float32, 1)
        with pytest.raises(sb.ArgumentError, match=r"mdspan\[float32, 2, stride\]"):
            sb.pack(m, type(sb.to_host_mdspan(np.zeros((3, 3), "f4"), sb.float32, 2)))


class TestArguments:
    x = np.zeros((2, 3), "f4")

    @pytest.mark.parametrize(
        ("arguments", "error", "words"),
        [((x, sb.float64, 2), sb.ArrayError, r'x\.astype\("float64"\) makes a converted copy'),
         ((x, sb.float32, 1), sb.ArrayError, "Pass an array of rank 1"),
         ((x.T, sb.float32, 2, "right"), sb.ArrayError, "numpy.ascontiguousarray"),
         ((x[::-1], sb.float32, 2), sb.ArrayError, "Layout 'relaxed' takes any strides"),
         (([1, 2], sb.float32, 1), sb.ArgumentError, r"got \[1, 2\] \(list\)"),
         ((x, sb.float32, 2, "c"), sb.ArgumentError, "argument 4 'layout': expected one of 'right', 'left'"),
         ((x, sb.float32, -1), sb.ArgumentError, "argument 3 'rank'"),
         ((x, sb.float32, True), sb.ArgumentError, "argument 3 'rank'"),
         ((x, sb.pointer[sb.float32], 2), sb.ArgumentError, "for which DLPack has no name")],
    )  # fmt: skip
    def test_refusals(self, arguments: tuple[Any, ...], error: type[Exception], words: str) -> None:
        with pytest.raises(error, match=words):
            sb.to_host_mdspan(*arguments)

    def test_device(self) -> None:
        with pytest.raises(sb.ArrayError, match="kDLCUDA for device_mdspan") as caught:
            sb.to_device_mdspan(self.x, sb.float32, 2)
        assert "in CUDA device memory" in str(caught.value)
        with pytest.raises(sb.ArrayError, match="kDLCUDAManaged for managed_mdspan"):
            sb.to_managed_mdspan(self.x, sb.float32, 2)
        t = sb.DLTensor(BASE, (2,), (1,), (2, 32, 1), device=Device(13, 1))
        assert sb.to_managed_mdspan(t, sb.float32, 1).to_dlpack().device == Device(13, 1)

    def test_indices(self) -> None:
        m = sb.to_host_mdspan(self.x, sb.float32, 2)
        with pytest.raises(IndexError, match="index 3 is out of range for dimension 1 with extent 3"):
            m.mapping(0, 3)
        with pytest.raises(sb.ArgumentError, match="takes 2 indices, got 1"):
            m.mapping(0)
        with pytest.raises(TypeError, match="is made by to_host_mdspan"):
            sb.Mdspan()


def test_stored_types_are_only_stored() -> None:
    for name, type_ in STORED.items():
        assert as_type(name) is type_
        facts = sb.layout(type_)
        assert facts.size % facts.align == 0
    assert as_type("unsigned __int128") is STORED["uint128"]
    with pytest.raises(sb.ArgumentError):
        sb.pack(1.0, "__float128")
    assert Vector(SCALARS["float16"], 2) == as_type(sb.float16x2)


def test_the_page_gives_every_reason() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mdspan.md").read_text()
    assert all(f"| {reason} |" in page for _, reason in DIFFERENCES.values())
