"""What real libraries do with our views, and we with their arrays that no flag describes."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import samebytes as sb
from samebytes.errors import ProtocolError

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


REFUSED = {
    "requires grad": (lambda t: t.ones(3, requires_grad=True), "grad"),
    "conjugate": (lambda t: t.ones(3, dtype=t.complex64).conj(), "conj"),
    "negation": (lambda t: t.ones(3, dtype=t.complex64).conj().imag, "resolve_neg"),
    "sparse": (lambda t: t.eye(3).to_sparse(), "(?i)layout|sparse|strided"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_lazy_tensors_are_refused(torch, name):
    """Also when the core has met plain tensors of their class and dtype."""
    make, words = REFUSED[name]
    for _ in range(2):
        with pytest.raises(ProtocolError, match=words):
            sb.view(make(torch))
        for dtype in (torch.float32, torch.complex64):
            sb.view(torch.ones(3, dtype=dtype))
            sb.view(torch.nn.Parameter(torch.ones(3, dtype=dtype), requires_grad=False))
    with pytest.raises(ProtocolError, match="grad"):
        sb.view(torch.nn.Parameter(torch.ones(3)))


@pytest.mark.parametrize("name", ["conjugate", "negation"])
def test_pending_signs_of_subclasses_are_refused(torch, name):
    """By no other protocol either: torch's CUDA Array Interface says nothing of pending signs."""

    class Tensor(torch.Tensor):
        @property
        def __cuda_array_interface__(self):
            return {"shape": (3,), "typestr": "<f4", "data": (self.data_ptr(), False), "version": 2}

    make, words = REFUSED[name]
    assert sb.view(torch.ones(3).as_subclass(Tensor)).shape == (3,)
    for _ in range(2):
        with pytest.raises(ProtocolError, match=words):
            sb.view(make(torch).as_subclass(Tensor))


def test_the_core_says_of_tensors_what_python_says(torch):
    """Each tensor's facts are its own."""
    from samebytes.arrays.protocols import dlpack

    names = "type dtype_name ptr shape strides device readonly protocol stream dtype _element".split()  # noqa: SIM905
    x = torch.arange(120.0).reshape(4, 5, 6)
    tensors = [
        x,
        x[1:, ::2],
        x.mT,
        x[1, 2, 3],
        x.expand(2, 4, 5, 6),
        x[None, None, None, None],
        x.clone().detach(),
    ]
    tensors += [
        torch.zeros(2, 3, dtype=getattr(torch, d)) for d in ("bfloat16", "bool", "int8", "complex128")
    ]
    tensors += [
        torch.zeros(2, 3, dtype=getattr(torch, d)) for d in ("uint16", "float8_e4m3fn", "float8_e5m2", "half")
    ]
    for tensor in tensors * 2:
        seen, told = sb.view(tensor), dlpack.describe(tensor)
        assert [getattr(seen, n) for n in names] == [getattr(told, n) for n in names]
        assert sb.view(tensor) == seen
    x.data = torch.zeros(3)
    assert sb.view(x).shape == (3,)
    x.requires_grad_()
    with pytest.raises(ProtocolError, match="grad"):
        sb.view(x)
    assert sb.view(x.detach()).ptr == x.data_ptr()


def test_a_fake_tensor_is_refused_and_crashes_nothing():
    pytest.importorskip("torch")
    code = (
        "import samebytes as sb\n"
        "from torch._subclasses.fake_tensor import FakeTensorMode\n"
        "import torch\n"
        "assert sb.view(torch.ones(2)) and sb.view(torch.ones(2))\n"
        "with FakeTensorMode():\n"
        "    x = torch.ones(3)\n"
        "try:\n"
        "    sb.view(x)\n"
        "except sb.ProtocolError as error:\n"
        "    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr


def test_torch_holds_what_it_takes(torch):
    array = np.arange(6.0).view(type("Watched", (np.ndarray,), {}))
    alive = weakref.ref(array)
    tensor = torch.from_dlpack(sb.view(array)[1:])
    del array
    gc.collect()
    assert tensor.tolist() == [1, 2, 3, 4, 5]
    del tensor
    gc.collect()
    assert alive() is None


def test_jax_arrays_are_immutable():
    jax = pytest.importorskip("jax")
    for x in [jax.numpy.ones(3), jax.numpy.ones((2, 3)), jax.numpy.ones(3, jax.numpy.bfloat16)] * 3:
        seen = sb.view(x)
        assert seen.readonly
        assert seen.protocol == "DLPack"
        assert seen.shape == x.shape
        assert seen.ptr == x.unsafe_buffer_pointer()


def test_unaligned_and_foreign_byte_order_arrays_are_described_as_they_are():
    unaligned = np.zeros(17, "u1")[1:].view("f8")
    assert sb.view(unaligned).ptr % 8
    foreign = sb.view(np.zeros(2, ">f4"))
    assert foreign.type is None
    assert "other byte order" in foreign.dtype_name
    with pytest.raises(BufferError):
        foreign.__dlpack__()


def test_tvm_ffi_reads_views_through_the_exchange_table():
    tvm_ffi = pytest.importorskip("tvm_ffi")
    v = sb.view(np.arange(6, dtype="f4").reshape(2, 3))[:, ::-1]
    echo = tvm_ffi.get_global_func("testing.echo", allow_missing=True)
    if echo is None:
        pytest.skip("tvm-ffi was built without its testing functions")
    back = sb.view(echo(v))
    assert (back.ptr, back.strides, back.shape) == (v.ptr, v.strides, v.shape)
    assert type(echo(v)) is type(v)  # the table makes views, too


NANOBIND = """
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
namespace nb = nanobind;
NB_MODULE(nb_takes, m) {
  m.def("total", [](nb::ndarray<const float, nb::ndim<2>, nb::device::cpu> a) {
    double sum = 0;
    for (size_t i = 0; i < a.shape(0); ++i)
      for (size_t j = 0; j < a.shape(1); ++j) sum += a(i, j);
    return sum;
  });
  m.def("set", [](nb::ndarray<float, nb::ndim<1>, nb::device::cpu> a) { a(0) = 7; });
}
"""


def test_nanobind_takes_views(tmp_path, monkeypatch):
    nanobind = pytest.importorskip("nanobind")
    import sysconfig

    (tmp_path / "takes.cpp").write_text(NANOBIND)
    root = nanobind.source_dir()
    robin = f"{root}/../ext/robin_map/include"
    command = [
        "g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{sysconfig.get_path('include')}",
        f"-I{nanobind.include_dir()}", f"-I{robin}", str(tmp_path / "takes.cpp"), f"{root}/nb_combined.cpp", "-o",
        str(tmp_path / "nb_takes.so"),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    monkeypatch.syspath_prepend(tmp_path)
    import nb_takes

    x = np.arange(12, dtype="f4").reshape(3, 4)
    assert nb_takes.total(sb.view(x)[::-1, ::2]) == x[:, ::2].sum()
    nb_takes.set(sb.view(x)[0])
    assert x[0, 0] == 7
    x.flags.writeable = False
    with pytest.raises(TypeError):
        nb_takes.set(sb.view(x)[0])
