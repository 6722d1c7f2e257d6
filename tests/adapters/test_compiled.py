"""Adapters in Cython and in C: classes derived from Pointer's struct, and the capsule of its functions."""

from __future__ import annotations

import gc
import importlib.util
import subprocess
import sys
import sysconfig
import weakref
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

CYTHON = """
# cython: language_level=3
from libc.stdlib cimport calloc, free
from samebytes cimport Pointer

freed = []

cdef class Numbers(Pointer):
    '''An adapter with memory of its own.'''
    cdef readonly int count

    def __init__(self, numbers):
        cdef int* room
        if isinstance(numbers, list):
            self.count = len(numbers)
            room = <int*>calloc(self.count, sizeof(int))
            for i, number in enumerate(numbers):
                room[i] = number
            super().__init__(<size_t>room)
        else:
            super().__init__(numbers)

    def __dealloc__(self):
        if self.count:
            freed.append(<size_t>self.address)
            free(self.address)

    def third(self):
        return (<int*>self.address)[2]

cdef class Plain(Pointer):
    cdef readonly object word

def address_of(Pointer pointer):
    return <size_t>pointer.address

def owner_of(Pointer pointer):
    return <object>pointer.owner if pointer.owner is not NULL else None
"""

C = """
#include <samebytes/pointer.h>

static PyObject* first_byte(PyObject* self, PyObject* object) {
  const samebytes_PointerApi* api = samebytes_pointer_api();
  if (!api) return NULL;
  PyObject* pointer = api->from_object(object, 1);
  if (!pointer) return NULL;
  void* address;
  if (api->address(pointer, &address) < 0 || address != ((samebytes_Pointer*)pointer)->address) return NULL;
  PyObject* byte = address ? PyLong_FromLong(*(unsigned char*)address) : Py_NewRef(Py_None);
  Py_DECREF(pointer);
  return byte;
}

static PyObject* made(PyObject* self, PyObject* owner) {
  const samebytes_PointerApi* api = samebytes_pointer_api();
  return api ? api->make((void*)4096, owner) : NULL;
}

static PyObject* address_of(PyObject* self, PyObject* object) {
  void* address;
  const samebytes_PointerApi* api = samebytes_pointer_api();
  return api && api->address(object, &address) == 0 ? PyLong_FromVoidPtr(address) : NULL;
}

static PyMethodDef methods[] = {
  {"first_byte", first_byte, METH_O, ""}, {"made", made, METH_O, ""}, {"address_of", address_of, METH_O, ""}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "uses_pointers", 0, -1, methods};
PyMODINIT_FUNC PyInit_uses_pointers(void) { return PyModule_Create(&module); }
"""


def built(source, name):
    """The extension module of a C file."""
    made = source.with_name(name + sysconfig.get_config_var("EXT_SUFFIX"))
    includes = (f"-I{sysconfig.get_path('include')}", f"-I{sb.get_include()}")
    flags = ("-shared", "-fPIC", "-O1", "-Wall", "-Wno-unused-function", "-Werror=incompatible-pointer-types")
    subprocess.run(["gcc", *flags, *includes, str(source), "-o", str(made)], check=True)
    spec = importlib.util.spec_from_file_location(name, made)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def c(tmp_path_factory):
    source = tmp_path_factory.mktemp("capsule") / "uses_pointers.c"
    source.write_text(C)
    return built(source, "uses_pointers")


@pytest.fixture(scope="module")
def cython(tmp_path_factory):
    pytest.importorskip("Cython", reason="the classes in Cython need it to be built")
    source = tmp_path_factory.mktemp("cython") / "adapters_in_cython.pyx"
    source.write_text(CYTHON)
    search = str(Path(sb.__file__).parents[1])
    subprocess.run(
        [sys.executable, "-m", "cython", "-3", "-I", search, str(source)], check=True, cwd=source.parent
    )
    return built(source.with_suffix(".c"), "adapters_in_cython")


def test_c_takes_what_a_pointer_takes(c):
    assert c.first_byte(b"\x07") == 7
    assert c.first_byte(np.array([9], "u1")) == 9
    assert c.first_byte(sb.ListOfInt([5])) == 5
    assert c.first_byte(None) is None
    with pytest.raises(sb.ArgumentError, match=r"Pointer\(\)"):
        c.first_byte(1.5)
    buffer = bytearray(b"x")
    c.first_byte(buffer)
    buffer.append(0)  # released


def test_c_makes_pointers(c):
    owner = type("Owner", (), {})()
    alive = weakref.ref(owner)
    made = c.made(owner)
    del owner
    assert (type(made), int(made), made.owner) == (sb.Pointer, 4096, alive())
    assert c.address_of(made) == c.address_of(sb.DeviceArray(4096)) == 4096
    with pytest.raises(TypeError, match=r"expected a samebytes\.Pointer, got int"):
        c.address_of(4096)
    del made
    gc.collect()
    assert alive() is None


@pytest.mark.full
@pytest.mark.statement("X.3", "X.4")
def test_cython_derives_from_pointer(cython, library):
    made = cython.Numbers([3, 4, 5])
    assert issubclass(cython.Numbers, sb.Pointer)
    assert (made.third(), cython.address_of(made), int(made[4]) - int(made)) == (5, int(made), 4)
    assert library.address_of(made) == int(made)
    assert library.total(made, 3) == 12
    at = int(made)
    copy = sb.Pointer(made)
    del made
    gc.collect()
    assert not cython.freed, "the copy holds the object that owns the memory"
    del copy
    gc.collect()
    assert cython.freed == [at]


@pytest.mark.full
@pytest.mark.statement("X.4")
def test_cython_classes_take_what_pointers_take(cython):
    buffer = bytearray(8)
    for cls in (cython.Numbers, cython.Plain):
        made = cls(buffer)
        with pytest.raises(BufferError):
            buffer.append(0)
        assert cython.owner_of(made) is made.owner
        made.__init__(None)
        buffer.append(0)
        assert int(cls(7)) == int(cls.fromObj(sb.Pointer(7))) == 7
        mine = type("Mine", (cls,), {})(16)
        assert (int(mine), repr(mine)) == (16, "Mine(0x10)")


@pytest.mark.full
@pytest.mark.statement("X.3")
def test_adapters_are_made_in_cython(cython):
    x = np.zeros(3, "i4")
    for made in (
        sb.Pointer(x),
        sb.DeviceArray(x),
        sb.ListOfInt(x),
        sb.ListOfPointer([x]),
        sb.LaunchExtra([x]),
    ):
        assert cython.address_of(made) == int(made)
