"""dpnp's arrays in and out, run by test_usm.py in a process whose only SYCL device is Intel's OpenCL on the CPU."""

from __future__ import annotations

import pytest

import samebytes as sb

dpnp = pytest.importorskip("dpnp", reason="dpnp (with MKL) is not installed")
tensor = pytest.importorskip("dpnp.tensor", reason="dpnp is older than 0.20")

DTYPES = ("bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
SHAPES = {
    "0-d": lambda x: x[5],
    "empty": lambda x: x[:0],
    "1-d": lambda x: x,
    "strided": lambda x: x[::2],
    "from 3": lambda x: x[3:],
    "negative": lambda x: x[::-1],
    "transposed": lambda x: tensor.reshape(x, (3, 4)).T,
    "2-d, both": lambda x: tensor.reshape(x, (3, 4))[::-1, ::2],
}


def made(dtype, shape, kind):
    try:
        return SHAPES[shape](tensor.asarray(tensor.arange(12) % 2, dtype=dtype, usm_type=kind))
    except ValueError as error:
        pytest.skip(str(error))  # the device has no such type


@pytest.mark.parametrize("kind", ["device", "shared", "host"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_in_and_out_is_the_same_memory(dtype, shape, kind):
    x = made(dtype, shape, kind)
    seen = sb.view(x)
    assert (seen.shape, seen.protocol, seen.device.usm) == (x.shape, "DLPack", kind)
    assert seen.dtype_name == sb.view(tensor.asnumpy(x)).dtype_name
    back = [tensor.from_dlpack(seen)]
    if min(x.strides, default=0) >= 0:  # dpnp takes no negative strides by SUAI, not even its own
        back.append(tensor.asarray(seen))
    for y in back:
        assert (y.shape, y.dtype, y.usm_type, y.sycl_context) == (x.shape, x.dtype, kind, x.sycl_context)
        assert not x.size or sb.view(y).ptr == seen.ptr
        assert (tensor.asnumpy(y) == tensor.asnumpy(x)).all()


def test_writing_on_one_side_is_read_on_the_other():
    x = tensor.arange(12, dtype="f4", usm_type="shared")
    y = tensor.from_dlpack(sb.view(x)[::-1])
    y[0] = 99
    assert float(x[11]) == 99
