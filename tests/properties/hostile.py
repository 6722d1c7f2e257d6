"""Producers that lie in every field of every protocol; run as a program, since a mistake of ours would crash it.

``python hostile.py 2000 1`` shows so many generated arrays, from that seed, to ``view`` and to the compiled core.
Each must end as a view or as one of our errors; a view whose elements lie in memory that is really there is read,
cut and handed on. It prints how many of each there were.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import itertools
import os
import random
import sys
from collections import Counter
from collections.abc import Mapping

import numpy as np

if sanitized := os.environ.get("HOSTILE_NATIVE"):  # another build of the compiled core
    spec = importlib.util.spec_from_file_location("samebytes._native", sanitized)
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])

import samebytes as sb
from samebytes import _native
from samebytes.arrays.protocols.dlpack import adopt
from samebytes.values.codecs import codec

sys.unraisablehook = lambda hint: None  # a deleter that raises is reported there
MEMORY = (ctypes.c_uint8 * 8192)()
START = ctypes.addressof(MEMORY)
INSIDE = START + 4096
HUGE = (1 << 62, (1 << 63) - 1, -(1 << 63), 1 << 40, -(1 << 40))
BIG = ((1 << 64) - 1, 1 << 64, 1 << 200, -1)


def pick(usual, odd, chance=0.12):
    """Mostly one of the usual values."""
    return R.choice(odd) if R.random() < chance else R.choice(usual)


class Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    )  # fmt: skip


Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
RAISES = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value


class Managed(ctypes.Structure):
    _fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor),
    )  # fmt: skip


new_capsule = ctypes.PyDLL(None).PyCapsule_New
new_capsule.restype, new_capsule.argtypes = (
    ctypes.py_object,
    (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
)
NAMES = {Managed: b"dltensor", Versioned: b"dltensor_versioned"}
ODD_NAMES = [
    ctypes.create_string_buffer(n) for n in (b"used_dltensor", b"dltensor2", b"", b"dltensor_versioned_")
]
KEPT = [ctypes.create_string_buffer(n) for n in NAMES.values()]


def extents(ndim):
    return [pick((0, 1, 2, 3, 4), (-1, -(1 << 40), *HUGE), 0.05) for _ in range(ndim)]


def steps(ndim):
    return [pick((0, 1, 2, 3, -1, -2, 7), HUGE, 0.05) for _ in range(ndim)]


def numbers(values):
    return (ctypes.c_int64 * max(len(values), 1))(*[max(min(v, (1 << 63) - 1), -(1 << 63)) for v in values])


class ByCapsule:
    """DLPack with any field wrong; what the capsule points at is kept here."""

    def __init__(self):
        self.deleted = 0
        self.ndim = pick((0, 1, 2, 3), (65, 1 << 30, -1, -(1 << 31)), 0.08)
        real = min(max(self.ndim, 0), 64)
        self.arrays = numbers(extents(real)), numbers(steps(real))
        self.deleter = Deleter(self.delete)
        tensor = Tensor(
            pick((INSIDE, INSIDE + 1, INSIDE + 8), (0, (1 << 64) - 8)), pick((1, 1, 1, 2, 13, 14), (0, 99, -5)),
            pick((0, 1), (-1, 1 << 30)), self.ndim, pick((0, 1, 2, 2, 4, 5, 6, 10, 12), range(3, 256)),
            pick((8, 16, 32, 32, 64, 128), (0, 1, 4, 6, 255)), pick((1, 1, 1, 2, 4), (0, 3, 65535)),
            pick((ctypes.addressof(self.arrays[0]),), (0,), 0.05), pick((ctypes.addressof(self.arrays[1]),), (0,), 0.2),
            pick((0, 0, 4, 64), (1, 1 << 40, (1 << 64) - 1)),
        )  # fmt: skip
        callback = ctypes.cast(self.deleter, ctypes.c_void_p).value
        self.counted = R.random() < 0.8
        deleter = callback if self.counted else R.choice((None, RAISES))
        kind = R.choice((Managed, Versioned))
        if kind is Managed:
            self.managed = Managed(tensor, None, deleter)
        else:
            self.managed = Versioned(
                pick((1,), (0, 2, 99)), 3, None, deleter, pick((0, 1, 4), (255,)), tensor
            )
        name = R.choice(ODD_NAMES) if R.random() < 0.05 else KEPT[list(NAMES).index(kind)]
        self.honest_name = name in KEPT
        self.capsule = new_capsule(ctypes.addressof(self.managed), name.raw, None)
        self.name = name
        ctypes.pythonapi.PyCapsule_SetName(ctypes.py_object(self.capsule), ctypes.cast(name, ctypes.c_char_p))
        self.taken = 0

    def delete(self, _):
        self.deleted += 1

    def __dlpack__(self, **how):
        self.taken += 1
        if R.random() < 0.03:
            return R.choice((None, 7, "capsule"))
        if R.random() < 0.03:
            raise R.choice((BufferError, RuntimeError, TypeError, KeyError))("no")
        return self.capsule

    def __dlpack_device__(self):
        return R.choice(((1, 0), (2, 0), "x"))

    def settle(self):
        used = "used_" in repr(self.capsule) and self.honest_name
        assert self.deleted == (used and self.counted), (self.deleted, used, self.counted)


class Odd(Mapping):
    """A mapping that is no dict, and may fail anywhere."""

    def __init__(self, facts):
        self.facts = facts

    def __getitem__(self, key):
        if R.random() < 0.02:
            raise ZeroDivisionError
        return self.facts[key]

    def __iter__(self):
        return iter(self.facts)

    def __len__(self):
        return len(self.facts)


NONSENSE = (None, 1.5, "x", b"x", (), [], {}, object(), True, -1, 1 << 70, (1, 2, 3), float("nan"))


def facts():
    ndim = pick((0, 1, 2, 3), (65, 200), 0.04)
    found = {
        "shape": tuple(extents(ndim)),
        "typestr": pick(("<f4", "<i4", "|u1", "<c8", "|b1", ">f8", "<f2", "|V8", "<V2"), ("O", "|O8", "<f", "", "<f3",
                        "<V0", "<f4,<f4", "i" * 5000, "<U99999999", "|V999999999", "\0", "<m8[ns]", "<M8")),
        "data": (pick((INSIDE, INSIDE + 3, INSIDE + 64), (0, None, *BIG)), pick((True, False), NONSENSE, 0.05)),
        "strides": pick((None, tuple(steps(ndim)), [s * 4 for s in steps(ndim)]), NONSENSE, 0.05),
        "version": pick((1, 2, 3), NONSENSE, 0.03),
        "stream": pick((None, 1, 2, 140000000), (0, *NONSENSE), 0.1),
        "syclobj": pick(("cpu", "opencl:cpu:0"), NONSENSE, 0.1),
        "offset": pick((0, 0, 4, None), (*NONSENSE, *HUGE), 0.1),
        "descr": pick(([("", "<f4")], [("a", "<i4"), ("b", "<f4")]), (*NONSENSE, [()], [("a",)], [("a", "O")],
                      [("a", "<f4", (1 << 40,))], [("a", "<i4"), ("a", "<f4")], [("a", [("b", [("c", "<i8")])])])),
    }  # fmt: skip
    for name in list(found):
        if R.random() < 0.02:
            found[name] = R.choice(NONSENSE)
        elif R.random() < 0.02:
            del found[name]
    if R.random() < 0.03:
        found["mask"] = R.choice(NONSENSE)
    if R.random() < 0.03:
        return R.choice(NONSENSE)
    return Odd(found) if R.random() < 0.3 else found


def by_dict(name, change=lambda found: found):
    class ByDict:
        def __init__(self):
            self.found = change(facts())
            setattr(self, name, self.found)

        def settle(self):
            pass

    return ByDict


def in_buffer(found):
    """``__array_interface__`` may have a buffer as its data."""
    if isinstance(found, dict) and R.random() < 0.3:
        found["data"] = R.choice((bytearray(64), b"x" * 64, memoryview(bytearray(256))[::-2], None, 5, "no"))
    return found


class Buffer(ctypes.Structure):
    _fields_ = (
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_void_p), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    )  # fmt: skip


FORMATS = (
    b"f",
    b"<f",
    b"i",
    b"B",
    b"d",
    b"Zf",
    b"T{<i:a:<f:b:}",
    b"e",
    b"?",
    b"2f",
    b"(2,2)e",
    b"l",
    b"T{i:a:xxxxd:b:}",
)
ODD_FORMATS = (
    b"", b"T{", b"T{}", b"T{" * 500, b"O", b"P", b"&f", b"X{}", b"999999999f", b"(999999,999999,9999999)d", b"Z", b"Zi",
    b"\xff\xfe", b"f:", b"(,)f", b"T{i:a:i:a:}", b"@<>f", b"T{i:a:}}", b"999999999999999999s", b"x", b"9x", b"w" * 300,
    b"T{(2)T{T{f:c:}:b:}:a:}", b"():f", b"%s%n", b"f" * 4000,
)  # fmt: skip


class ByBuffer:
    """An exporter in C's terms, so that nothing between it and us repairs what it says."""

    def __init__(self):
        self.got = self.released = 0
        self.ndim = pick((0, 1, 2, 3), (65, 1 << 30, -1), 0.06)
        real = min(max(self.ndim, 0), 64)
        self.itemsize = pick((1, 2, 4, 4, 8, 8, 16), (0, -1, 3, 1 << 62))
        shape = extents(real)
        self.arrays = numbers(shape), numbers([s * 4 for s in steps(real)]), numbers([-1] * real)
        self.format = ctypes.create_string_buffer(
            R.choice(ODD_FORMATS) if R.random() < 0.2 else R.choice(FORMATS)
        )
        size = int(np.prod(shape, dtype=object)) * self.itemsize
        length = size if R.random() < 0.9 else R.choice((0, -1, 3, (1 << 63) - 1))
        at = [ctypes.addressof(a) for a in self.arrays]
        self.facts = (
            pick((INSIDE, INSIDE + 1), (0,)), max(min(length, (1 << 63) - 1), -1), self.itemsize, R.choice((0, 1)),
            self.ndim, pick((ctypes.addressof(self.format),), (0,)), pick((at[0],), (0,), 0.05),
            pick((at[1],), (0,), 0.2), pick((0,), (at[2],)),
        )  # fmt: skip

    def settle(self):
        gc.collect()
        assert self.got == self.released, (self.got, self.released)


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int)
def get_buffer(self, out, flags):
    view = out.contents
    view.obj = None
    names = ("buf", "len", "itemsize", "readonly", "ndim", "format", "shape", "strides", "suboffsets")
    for name, value in zip(names, self.facts, strict=True):
        setattr(view, name, value)
    view.internal = None
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))
    view.obj = id(self)
    self.got += 1
    return 0


@ctypes.PYFUNCTYPE(None, ctypes.py_object, ctypes.c_void_p)
def release_buffer(self, _):
    self.released += 1


PROCS = (ctypes.c_void_p * 2)(*(ctypes.cast(f, ctypes.c_void_p).value for f in (get_buffer, release_buffer)))
# PyTypeObject.tp_as_buffer, at byte 160 in CPython 3.11 to 3.14 on 64-bit machines (not free-threaded)
ctypes.c_void_p.from_address(id(ByBuffer) + 160).value = ctypes.addressof(PROCS)


class Flat(ByBuffer):
    """The same, read by the compiled core alone."""


ctypes.c_void_p.from_address(id(Flat) + 160).value = ctypes.addressof(PROCS)
_native.set_route(Flat, "buffer")

KINDS = {
    "DLPack": ByCapsule,
    "buffer": ByBuffer,
    "CAI": by_dict("__cuda_array_interface__"),
    "SUAI": by_dict("__sycl_usm_array_interface__"),
    "__array_interface__": by_dict("__array_interface__", in_buffer),
}
CODECS = [
    codec(sb.as_type(t))
    for t in (sb.array[sb.float32, 1], sb.array[sb.const[sb.int32], 2], sb.pointer[sb.float32])
]


def lies_inside(view):
    reach = [(n - 1) * s for n, s in zip(view.shape, view.byte_strides, strict=True)] if view.size else []
    low = view.ptr + sum(r for r in reach if r < 0)
    high = view.ptr + sum(r for r in reach if r > 0) + view.itemsize
    return low >= START and high <= START + len(MEMORY)


def use(view):
    """Everything that can be done with a view; only our errors, BufferErrors and AttributeErrors may come of it."""
    assert repr(view)
    assert hash(view) == hash(view.derive())
    actions = [
        lambda: view.strides, lambda: view.T, lambda: view[..., None], lambda: view[::-1], lambda: view.reshape(-1),
        lambda: view.__dlpack__(), lambda: view.__dlpack__(max_version=(1, 3)), lambda: view.__cuda_array_interface__,
        lambda: view.__sycl_usm_array_interface__, lambda: view.__array_interface__, lambda: view.view(sb.uint8),
        lambda: sb.view(view, dialect="cuda"),
    ]  # fmt: skip
    if view.device.is_host and view.size and view.size < 4096 and lies_inside(view):
        actions += [
            lambda: bytes(memoryview(view)), lambda: np.asarray(view).tobytes(), lambda: np.from_dlpack(view).tobytes(),
            lambda: view[(0,) * view.ndim], lambda: view[(-1,) * view.ndim], lambda: adopt(view.__dlpack__()),
        ]  # fmt: skip
    for act in actions:
        try:
            act()
        except (sb.Error, AttributeError, NotImplementedError, BufferError):
            pass
        except (TypeError, RuntimeError) as error:  # NumPy's own refusals
            if "format" not in str(error) and "dtype" not in str(error):
                raise


def main(count, seed):
    R.seed(seed)
    outcomes = Counter()
    for number, (kind, make) in zip(range(count), itertools.cycle(KINDS.items()), strict=False):
        producer = make()
        try:
            view = sb.view(producer)
        except sb.Error as error:
            outcomes[kind, type(error).__name__] += 1
        else:
            outcomes[kind, "view"] += 1
            use(view)
            del view
        producer.settle()
        if number % 5 == 0:
            flat = Flat()
            for reader in CODECS:
                reader.pack(flat)
            flat.settle()
    gc.collect()
    for (kind, what), times in sorted(outcomes.items()):
        print(f"{kind}: {what}: {times}")
    print("survived", sum(outcomes.values()))


R = random.Random()
if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
