"""How the compiled core consumes DLPack capsules and calls exchange tables."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from case_ids import plain

from samebytes import _native


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


# Objects of our own: the signatures of ctypes.pythonapi's attributes are the whole process's, and packages set them.
python = ctypes.PyDLL(None)
new_capsule = python.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_is = python.PyCapsule_IsValid
capsule_is.argtypes = [ctypes.py_object, ctypes.c_char_p]

ADDRESS = 0x1000

# A capsule does not own its name: these outlive every capsule, as literals in a module's own code do not.
UNVERSIONED, VERSIONED, EXCHANGE, OTHER = b"dltensor", b"dltensor_versioned", b"dlpack_exchange_api", b"other"


class Producer:
    """Makes one capsule and counts what is done to it."""

    def __init__(
        self, versioned: bool, deleter: bool = True, major: int = 1, flags: int = 0, **fields: Any
    ) -> None:
        self.deleted: list[int] = []
        self.name = VERSIONED if versioned else UNVERSIONED
        self.shape, self.strides = fields.pop("shape", (2, 3)), fields.pop("strides", None)
        self.arrays = [self._extents(self.shape), self._extents(self.strides)]
        values = {"data": ADDRESS, "device_type": 1, "code": 2, "bits": 32, "lanes": 1, **fields}
        tensor = DLTensor(ndim=len(self.shape), shape=self.arrays[0], strides=self.arrays[1], **values)
        self.delete = Deleter(self.deleted.append) if deleter else Deleter()
        self.managed = (
            Versioned(major=major, minor=9, deleter=self.delete, flags=flags, tensor=tensor)
            if versioned
            else Managed(tensor=tensor, deleter=self.delete)
        )
        self.capsule = new_capsule(ctypes.addressof(self.managed), self.name, None)

    @staticmethod
    def _extents(values: tuple[int, ...] | None) -> Any:
        return (ctypes.c_int64 * len(values))(*values) if values else None

    def used(self) -> bool:
        return bool(capsule_is(self.capsule, b"used_" + self.name))


both = pytest.mark.parametrize("versioned", [False, True])


@both
def test_deleter_runs_once_when_the_owner_dies(versioned: bool) -> None:
    p = Producer(versioned, strides=(-7, 2))
    found = _native.describe_dlpack(p.capsule)
    assert found[:8] == (ADDRESS, (2, 3), (-28, 8), (2, 32, 1), 4, 1, 0, False)
    assert p.used()
    del p.capsule
    gc.collect()
    assert p.deleted == []
    del found
    assert p.deleted == [ctypes.addressof(p.managed)]


@both
def test_deleter_may_be_null(versioned: bool) -> None:
    p = Producer(versioned, deleter=False)
    found = _native.describe_dlpack(p.capsule)
    assert found[2] is None
    del found


@both
def test_a_capsule_is_consumed_once(versioned: bool) -> None:
    p = Producer(versioned)
    _native.describe_dlpack(p.capsule)
    assert len(p.deleted) == 1
    with pytest.raises(BufferError, match="already consumed"):
        _native.describe_dlpack(p.capsule)
    assert len(p.deleted) == 1


@pytest.mark.parametrize("major", [0, 2])
def test_of_another_major_version_only_the_deleter_is_used(major: int) -> None:
    p = Producer(True, major=major, shape=(2,) * 40)
    p.managed.tensor.shape = None
    with pytest.raises(BufferError, match=f"DLPack {major}.9 is not supported"):
        _native.describe_dlpack(p.capsule)
    assert len(p.deleted) == 1
    assert p.used()


@pytest.mark.parametrize(
    ("fields", "index", "value"),
    [
        ({"byte_offset": 12}, 0, ADDRESS + 12),
        ({"byte_offset": 12, "data": None, "shape": (0,)}, 0, 0),
        ({"shape": ()}, slice(1, 3), ((), ())),
        ({"strides": None}, 2, None),
        ({"strides": (0, 1)}, 2, (0, 4)),
        ({"code": 4, "bits": 16}, slice(3, 5), ((4, 16, 1), 2)),
        ({"lanes": 4}, slice(3, 5), ((2, 32, 4), 16)),
        ({"code": 5, "bits": 128}, slice(3, 5), ((5, 128, 1), 16)),
        ({"code": 17, "bits": 4, "strides": (3, 1)}, slice(2, 5), ((3, 1), (17, 4, 1), 0)),
        ({"code": 17, "bits": 4, "strides": (3, 1), "flags": 4}, slice(2, 5), ((3, 1), (17, 4, 1), 1)),
        ({"code": 17, "bits": 4, "lanes": 2}, slice(3, 5), ((17, 4, 2), 1)),
        ({"device_type": 2, "device_id": 3}, slice(5, 7), (2, 3)),
        ({"flags": 1}, 7, True),
        ({"flags": 2}, 7, False),
    ],
    ids=str,
)
def test_fields(fields: dict[str, Any], index: int | slice, value: object) -> None:
    p = Producer(True, **fields)
    found = _native.describe_dlpack(p.capsule)
    assert found[index] == value
    del found
    assert len(p.deleted) == 1


@both
def test_a_producer_without_shape(versioned: bool) -> None:
    p = Producer(versioned)
    p.managed.tensor.shape = None
    with pytest.raises(BufferError, match="no shape"):
        _native.describe_dlpack(p.capsule)
    assert len(p.deleted) == 1


@pytest.mark.parametrize("obj", [None, 3, new_capsule(8, OTHER, None)], ids=plain)
def test_not_a_capsule(obj: object) -> None:
    with pytest.raises(BufferError, match="expected a DLPack capsule"):
        _native.describe_dlpack(obj)


def test_deleter_in_another_thread() -> None:
    p = Producer(True)
    kept = [_native.describe_dlpack(p.capsule)]
    thread = threading.Thread(target=kept.clear)
    thread.start()
    thread.join()
    assert len(p.deleted) == 1


def test_deleter_leaves_a_pending_exception_alone() -> None:
    p = Producer(True)

    def fail() -> None:
        owner = _native.describe_dlpack(p.capsule)  # noqa: F841
        raise KeyError("first")

    with pytest.raises(KeyError, match="first") as caught:
        fail()
    del caught
    gc.collect()
    assert len(p.deleted) == 1


def test_interpreter_exit() -> None:
    folder = _native.__file__.rsplit("/", 2)[0]
    code = f"""
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from samebytes import _native
sys.kept = _native.describe_dlpack(np.zeros(3).__dlpack__())
sys.modules["kept"] = sys.kept[8]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_numpy_capsules(version: tuple[int, int] | None) -> None:
    a = np.zeros((4, 6))[::2, ::-1]
    before = sys.getrefcount(a)
    for _ in range(1000):
        found = _native.describe_dlpack(a.__dlpack__(max_version=version))
    assert found[:8] == (a.ctypes.data, (2, 6), (96, -8), (2, 64, 1), 8, 1, 0, False)
    del found
    assert sys.getrefcount(a) == before


def test_numpy_readonly() -> None:
    a = np.zeros(3)
    a.flags.writeable = False
    assert _native.describe_dlpack(a.__dlpack__(max_version=(1, 0)))[7] is True


Borrow = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))


class Table(ctypes.Structure):
    pass


Table._fields_ = [
    ("major", ctypes.c_uint32),
    ("minor", ctypes.c_uint32),
    ("older", ctypes.POINTER(Table)),
    ("unused", ctypes.c_void_p * 3),
    ("borrow", Borrow),
    ("current_stream", ctypes.c_void_p),
]


def exchanging(borrow: Callable[[Any, Any], int] | None, major: int = 1, readonly: bool = False) -> type:
    """A type with an exchange table, registered; everything lives as long as the type."""
    table = Table(major=major, minor=3, borrow=Borrow(borrow) if borrow else Borrow())
    body = {
        "table": table,
        "__dlpack_c_exchange_api__": new_capsule(ctypes.addressof(table), EXCHANGE, None),
    }
    made = type("Exchanging", (), body)
    _native.set_route(made, "exchange", readonly=readonly)
    return made


SHAPE, STRIDES = (ctypes.c_int64 * 2)(2, 3), (ctypes.c_int64 * 2)(-6, 2)


def lend(**fields: Any) -> Callable[[Any, Any], int]:
    values = {"data": ADDRESS, "device_type": 1, "ndim": 2, "code": 2, "bits": 32, "lanes": 1, **fields}
    values = {"shape": SHAPE, "strides": STRIDES, **values}

    def borrow(_: Any, out: Any) -> int:
        out[0] = DLTensor(**values)
        return 0

    return borrow


def codec(const: bool = False, pointer: bool = False) -> _native.Codec:
    element = _native.Codec("float32", size=4, align=4)
    kind = {"kind": "pointer", "size": 8} if pointer else {"kind": "array", "size": 40, "ndim": 2}
    return _native.Codec(kind.pop("kind"), **kind, align=8, element=element, dl=(2, 32, 1), const=const)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, (ADDRESS, 2, 3, -6, 2)),
        ({"byte_offset": 8}, (ADDRESS + 8, 2, 3, -6, 2)),
        ({"strides": None}, (ADDRESS, 2, 3, 3, 1)),
        ({"device_type": 3}, (ADDRESS, 2, 3, -6, 2)),
        ({"device_type": 11}, (ADDRESS, 2, 3, -6, 2)),
        ({"device_type": 2}, None),
        ({"device_type": 13}, None),
        ({"data": None}, None),
        ({"data": None, "shape": (ctypes.c_int64 * 2)(0, 3)}, (0, 0, 3, -6, 2)),
        ({"byte_offset": 2}, None),
        ({"bits": 64}, None),
        ({"lanes": 2}, None),
        ({"code": 1}, None),
        ({"ndim": 1}, None),
    ],
    ids=plain,
)
def test_exchange(fields: dict[str, Any], expected: tuple[int, ...] | None) -> None:
    raw = codec().pack(exchanging(lend(**fields))())
    assert raw == (None if expected is None else np.array(expected, "i8").tobytes())


def test_exchange_pointer_wants_c_order() -> None:
    assert codec(pointer=True).pack(exchanging(lend())()) is None
    assert codec(pointer=True).pack(exchanging(lend(strides=None))()) == ADDRESS.to_bytes(8, "little")


def test_exchange_readonly() -> None:
    frozen = exchanging(lend(), readonly=True)()
    assert codec().pack(frozen) is None
    assert codec(const=True).pack(frozen) is not None
    assert _native.describe_exchange(frozen)[7] is True


def test_exchange_refusals() -> None:
    obj = exchanging(lambda _, __: -1)()  # ctypes cannot raise from a callback
    assert codec().pack(obj) is None
    with pytest.raises(BufferError, match="gave no reason"):
        _native.describe_exchange(obj)
    for borrow, major in ((None, 1), (lend(), 2), (lend(), 0)):
        with pytest.raises(BufferError, match="no DLPack exchange API"):
            exchanging(borrow, major)


def test_older_tables_are_found() -> None:
    older = Table(major=1, minor=3, borrow=Borrow(lend()))
    newer = Table(major=2, minor=0, older=ctypes.pointer(older), borrow=Borrow(lend(data=8)))
    capsule = new_capsule(ctypes.addressof(newer), EXCHANGE, None)
    made = type("Newer", (), {"kept": (older, newer), "__dlpack_c_exchange_api__": capsule})
    _native.set_route(made, "exchange")
    assert _native.describe_exchange(made())[0] == ADDRESS


def test_describe_exchange() -> None:
    obj = exchanging(lend())()
    found = _native.describe_exchange(obj)
    assert found[:8] == (ADDRESS, (2, 3), (-24, 8), (2, 32, 1), 4, 1, 0, False)
    assert found[8] is obj
    with pytest.raises(BufferError, match="no memory"):
        _native.describe_exchange(exchanging(lend(data=None))())
    inherits = type("Inherits", (type(obj),), {})
    with pytest.raises(TypeError, match="no exchange route"):  # a subclass may mean something else
        _native.describe_exchange(inherits())
    assert codec().pack(inherits()) is None
