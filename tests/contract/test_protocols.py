"""What every file in protocols/ must do: describe the same array in the same words, hold its owner, refuse in words."""

from __future__ import annotations

import gc
import pkgutil
import sys
import types
import weakref

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb
from samebytes.arrays import protocols
from samebytes.arrays.protocols import cai
from samebytes.arrays.protocols.base import Protocol, Refused
from samebytes.errors import ProtocolError
from samebytes.types import SCALARS, as_type

NAMES = [m.name for m in pkgutil.iter_modules(protocols.__path__) if m.name != "base"]


class Producer:
    """Shows an array by one protocol only, and can be watched for its death."""

    def __init__(self, array):
        self.array = array


class ByDLPack(Producer):
    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class ByInterface(Producer):
    @property
    def __array_interface__(self):
        return self.array.__array_interface__


class ByCuda(Producer):
    @property
    def __cuda_array_interface__(self):
        return self.array.__array_interface__ | {"stream": None}


class BySycl(Producer):
    @property
    def __sycl_usm_array_interface__(self):
        facts, size = self.array.__array_interface__, self.array.itemsize
        strides = facts["strides"] and tuple(s // size for s in facts["strides"])
        return facts | {"strides": strides, "version": 1, "syclobj": "cpu"}


class Watched(np.ndarray):
    """A NumPy array that can be watched."""


# A producer of each protocol. A new protocol needs a row here, or its own test of the same facts.
PRODUCERS = {
    "adapter": lambda x: sb.DeviceArray(x.view(Watched)),
    "numpy_": lambda x: x.view(Watched),
    "dlpack": ByDLPack,
    "array_interface": ByInterface,
    "buffer": memoryview,
    "cai": ByCuda,
    "suai": BySycl,
}
ELSEWHERE = {"cai", "suai"}  # whose memory is not said to be the host's

ARRAYS = {
    "plain": np.arange(6, dtype="f4").reshape(2, 3),
    "strided": np.arange(12, dtype="i2")[::3],
    "negative": np.arange(5, dtype="f8")[::-1],
    "scalar": np.array(7, "u8"),
    "empty": np.zeros((0, 3), "i1"),
    "complex": np.ones(2, "c16"),
    "bool": np.array([True, False]),
}


def protocol(name: str) -> Protocol:
    return __import__(f"samebytes.arrays.protocols.{name}", fromlist=["PROTOCOL"]).PROTOCOL


def test_every_protocol_has_a_producer():
    assert set(PRODUCERS) == set(NAMES)


def test_names_and_ranks_are_unique():
    found = protocols.protocols()
    assert len(found) == len(NAMES)
    assert len({p.name for p in found}) == len({p.rank for p in found}) == len(found)
    assert [p.rank for p in found] == sorted(p.rank for p in found)


@pytest.mark.parametrize("name", NAMES)
@each("array", list(ARRAYS.values()))
def test_describes_the_same_facts(name, array):
    made = PRODUCERS[name](array)
    assert protocol(name).recognises(type(made))
    view = protocol(name).describe(made)
    assert view.type == as_type(array.dtype)
    assert view.shape == array.shape
    assert view.itemsize == array.itemsize
    assert view.ndim == array.ndim
    assert view.size == array.size
    assert view.device.is_host == (name not in ELSEWHERE)
    assert view.protocol == protocol(name).name
    if array.size:
        assert view.ptr == array.ctypes.data
        assert view.byte_strides == array.strides
        assert view.contiguous == array.flags.c_contiguous
        assert view.strides == tuple(s // array.itemsize for s in array.strides)


@pytest.mark.parametrize("name", NAMES)
def test_read_only_travels(name):
    array = np.ones(3)
    array.flags.writeable = False
    assert protocol(name).describe(PRODUCERS[name](array)).readonly
    assert not protocol(name).describe(PRODUCERS[name](np.ones(3))).readonly


@pytest.mark.parametrize("name", NAMES)
def test_the_view_holds_its_owner(name):
    array = np.arange(3.0).view(Watched)
    alive = weakref.ref(array)
    view = protocol(name).describe(PRODUCERS[name](array))
    del array
    gc.collect()
    assert alive() is not None
    del view
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("stranger", [object(), 3, "text", None])
def test_strangers_are_refused(name, stranger):
    found = protocol(name)
    if found.recognises(type(stranger)):
        with pytest.raises((Refused, ProtocolError)):
            found.describe(stranger)


@pytest.mark.parametrize("make", [lambda: object(), lambda: [1, 2], lambda: "text", lambda: None, lambda: 5])
def test_view_refuses_in_words(make):
    with pytest.raises(ProtocolError, match="shows no array by any protocol"):
        protocols.view(make())


def test_the_next_protocol_serves_a_dtype_that_the_first_refuses():
    structured = np.zeros(2, [("a", "i4"), ("b", "f8")])

    class Both(ByDLPack, ByInterface):
        pass

    view = protocols.view(Both(structured))
    assert view.protocol == "__array_interface__"
    assert view.dtype == structured.dtype


def test_all_scalars_are_described():
    for scalar in SCALARS.values():
        if scalar.name != "char":
            assert protocols.view(np.zeros(1, scalar.dtype)).type == scalar


@pytest.mark.parametrize("told", ["usm_type", "get_usm_type"])
@pytest.mark.parametrize("kind", ["device", "shared", "host", "", "elsewhere"])
def test_oneapis_memory_is_of_the_kind_that_its_producer_tells(kind, told):
    """DLPack has one number for all of SYCL's memory: whether the host may read it, only the producer knows."""
    shown = protocols.view(BySycl(np.arange(3.0)))

    class Tensor:
        def __dlpack__(self, **how):
            return shown.__dlpack__(**how)

        def __dlpack_device__(self):
            return shown.__dlpack_device__()

    setattr(Tensor, told, kind if told == "usm_type" else lambda self: kind)
    seen = protocols.view(Tensor())
    assert (seen.protocol, seen.device.type) == ("DLPack", 14)
    assert seen.device.usm == (kind if kind != "elsewhere" else "")
    assert seen.device.is_host == (kind in ("shared", "host"))


@pytest.mark.parametrize(("package", "built_for", "device"), [
    ("torch", "6.2", 10), ("torch", None, 2), ("hip", None, 10), ("cupy", None, 2),
])  # fmt: skip
def test_whose_device_the_cuda_interface_means(monkeypatch, package, built_for, device):
    """The dict does not say; torch says for what it was built, and its arrays on ROCm use the same name."""
    version = types.SimpleNamespace(hip=built_for)
    monkeypatch.setitem(sys.modules, package, types.SimpleNamespace(__name__=package, version=version))
    seen = type("Tensor", (ByCuda,), {"__module__": f"{package}.cuda"})(np.arange(3.0))
    assert cai._device(seen).type == device
