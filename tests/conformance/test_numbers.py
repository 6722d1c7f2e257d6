"""The chapter's None, builtin numbers, fixed-format numbers and promotion, requirement by requirement."""

from __future__ import annotations

import struct

import ml_dtypes
import numpy as np
import pytest
from tests.tables import each

import samebytes as device
from samebytes.layouts.dialects import dialect_names
from samebytes.layouts.promotion import STANDARD

# Table "Fixed-Format Numbers": C++ type as toolkits name it, bytes, and NumPy's class.
FIXED = {
    "int8": ("cuda::std::int8_t", 1, np.int8),
    "int16": ("cuda::std::int16_t", 2, np.int16),
    "int32": ("cuda::std::int32_t", 4, np.int32),
    "int64": ("cuda::std::int64_t", 8, np.int64),
    "uint8": ("cuda::std::uint8_t", 1, np.uint8),
    "uint16": ("cuda::std::uint16_t", 2, np.uint16),
    "uint32": ("cuda::std::uint32_t", 4, np.uint32),
    "uint64": ("cuda::std::uint64_t", 8, np.uint64),
    "float16": ("__half", 2, np.float16),
    "float32": ("float", 4, np.float32),
    "float64": ("double", 8, np.float64),
    "complex64": ("cuda::std::complex<float>", 8, np.complex64),
    "complex128": ("cuda::std::complex<double>", 16, np.complex128),
}
NARROW = {
    "float8e4m3": ("__nv_fp8_e4m3", 1, ml_dtypes.float8_e4m3fn),
    "float8e5m2": ("__nv_fp8_e5m2", 1, ml_dtypes.float8_e5m2),
    "bfloat16": ("__nv_bfloat16", 2, ml_dtypes.bfloat16),
}


@pytest.fixture(scope="module")
def lib():
    return device.compile("""
        #include <complex>
        bool is_null(void* p) { return p == nullptr; }
        bool negate(bool x) { return !x; }
        int twice(int x) { return 2 * x; }
        float half(float x) { return x / 2; }
        std::complex<float> conjugate(std::complex<float> x) { return std::conj(x); }
    """)


def spelled(name):
    row = device.machine_representation()[name]["cuda"]
    return row.spelling, row.size, row.align


class TestNone:
    @pytest.mark.requirement("N.1")
    def test_type(self):
        assert spelled("None") == ("void*", 8, 8)
        assert device.layout(type(None), "cuda") == device.layout(None, "cuda")
        assert device.sizeof(None, "cuda") == 8

    @pytest.mark.requirement("N.2")
    @pytest.mark.parametrize("dialect", dialect_names())
    def test_object_is_nullptr(self, lib, dialect):
        assert device.pack(None, dialect=dialect) == bytes(8)
        assert lib.is_null(None) is True


class TestBuiltin:
    @pytest.mark.requirement("B.1", "B.5")
    def test_bool(self, lib):
        assert spelled("bool") == ("bool", 1, 1)
        assert (device.pack(True), device.pack(False)) == (b"\1", b"\0")
        assert lib.negate(True) is False

    @pytest.mark.requirement("B.2", "B.5")
    @pytest.mark.parametrize("value", [0, 1, -1, 2**31 - 1, -(2**31)])
    def test_int(self, lib, value):
        assert spelled("int") == ("cuda::std::int32_t", 4, 4)
        assert device.pack(value, dialect="cuda") == struct.pack("<i", value)
        assert lib.twice(value // 2) == value // 2 * 2

    @pytest.mark.requirement("B.3", "B.5")
    @pytest.mark.parametrize("value", [0.0, -0.0, 0.1, 1e-45, 3.4e38, float("inf"), float("nan")])
    def test_float(self, lib, value):
        assert spelled("float") == ("float", 4, 4)
        assert device.pack(value, dialect="cuda") == np.float32(value).tobytes()
        assert np.float32(lib.half(value)).tobytes() == np.float32(np.float32(value) / 2).tobytes()

    @pytest.mark.requirement("B.4", "B.5")
    def test_complex(self, lib):
        assert spelled("complex") == ("cuda::std::complex<float>", 8, 8)
        assert device.pack(1.5 - 2j, dialect="cuda") == struct.pack("<ff", 1.5, -2)
        assert lib.conjugate(1.5 - 2j) == 1.5 + 2j

    @pytest.mark.requirement("B.6")
    @pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 2**100, 1e39, -1e39, complex(1e39, 0)])
    def test_what_does_not_fit_is_refused(self, value):
        with pytest.raises(OverflowError):
            device.pack(value, dialect="cuda")


class TestFixedFormat:
    @pytest.mark.requirement("F.1")
    @pytest.mark.parametrize("name", FIXED)
    def test_defined(self, name):
        spelling, size, numpy = FIXED[name]
        assert getattr(device, name) is numpy
        assert spelled(name) == (spelling, size, size)
        assert device.pack(numpy(7), dialect="cuda") == numpy(7).tobytes()

    @pytest.mark.requirement("F.1")
    @pytest.mark.parametrize("name", [name for name in FIXED if "int" in name])
    def test_interval(self, name):
        signed, bits = name[0] == "i", 8 * FIXED[name][1]
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        for value in (low, high):
            data = value.to_bytes(bits // 8, "little", signed=signed)
            assert device.pack(value, getattr(device, name)) == data
            assert device.unpack(data, getattr(device, name)) == value

    @pytest.mark.requirement("F.2")
    @pytest.mark.parametrize("name", NARROW)
    def test_narrow(self, name):
        spelling, size, numpy = NARROW[name]
        assert getattr(device, name) is numpy
        assert spelled(name) == (spelling, size, size)
        assert device.pack(numpy(1.75), dialect="cuda") == numpy(1.75).tobytes()

    @pytest.mark.requirement("F.2")
    @pytest.mark.parametrize(
        ("name", "bits", "value"),
        [
            ("float8e4m3", 0x7E, 448.0),
            ("float8e4m3", 0x01, 2.0**-9),
            ("float8e5m2", 0x7B, 57344.0),
            ("float8e5m2", 0x01, 2.0**-16),
            ("bfloat16", 0x7F7F, 3.3895313892515355e38),
            ("bfloat16", 0x0001, 2.0**-133),
        ],
    )
    def test_bits(self, name, bits, value):
        data = bits.to_bytes(NARROW[name][1], "little")
        assert device.pack(value, getattr(device, name), dialect="cuda") == data
        assert float(device.unpack(data, getattr(device, name), dialect="cuda")) == value

    @pytest.mark.requirement("F.3")
    @pytest.mark.parametrize("name", [*FIXED, *NARROW])
    def test_zero_dimensional_array(self, name):
        kind = getattr(device, name)
        x = kind(3)
        assert (x.dtype, x.shape, x.ndim, x.size, x.strides) == (np.dtype(kind), (), 0, 1, ())
        assert x.itemsize == x.nbytes == len(x.tobytes())
        assert x[()] == x[...] == x.T == x.reshape(()) == kind(3)
        assert x.reshape(1).shape == (1,)
        assert x.astype(np.complex128) == 3.0
        assert x.view(f"V{x.itemsize}").tobytes() == x.tobytes()

    @pytest.mark.requirement("F.4")
    @pytest.mark.parametrize(
        ("value", "name"),
        [(128, "int8"), (-1, "uint64"), (2**64, "uint64"), (1e39, "float32"), (65520.0, "float16"),
         (3.4e38 * 1.01, "bfloat16")],
    )  # fmt: skip
    def test_what_does_not_fit_is_refused(self, value, name):
        with pytest.raises(OverflowError):
            device.pack(value, getattr(device, name))

    @pytest.mark.requirement("F.4")
    @pytest.mark.parametrize(("name", "largest"), [("float8e4m3", 448.0), ("float8e5m2", 57344.0)])
    def test_eight_bits_saturate_as_in_cuda(self, name, largest):
        kind = getattr(device, name)
        assert device.pack(1e9, kind) == kind(largest).tobytes()
        assert device.pack(-1e9, kind) == kind(-largest).tobytes()


@pytest.mark.requirement("P.3")
@each(("pair", "result"), [(p, r) for p, r in STANDARD.items() if r and p != ("bool", "bool")])
def test_arithmetic_gives_the_result_type(pair, result):
    left, right = (getattr(device, name) for name in pair)
    assert (left(1) + right(1)).dtype == result
    assert (np.ones(2, left) * right(1)).dtype == result
    assert (np.ones(2, left) - np.ones(2, right)).dtype == result
