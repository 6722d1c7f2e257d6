"""Each call of the core that may want memory fails, one at a time: MemoryError, no crash, nothing lost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cores import INCLUDES, objects

HERE = Path(__file__).parent

# What gives null, with a MemoryError; what gives -1, with one; what gives null and says nothing.
NULL = """
PyBytes_FromStringAndSize PyCapsule_New PyComplex_FromDoubles PyDict_Copy PyDict_New PyDict_SetDefault PyDict_Values
PyFloat_FromDouble PyImport_ImportModule PyList_AsTuple PyList_New PyLong_FromLong PyLong_FromLongLong
PyLong_FromSsize_t PyLong_FromUnsignedLong PyLong_FromUnsignedLongLong PyLong_FromVoidPtr PyMemoryView_FromObject
PyMethod_New PyNumber_Index PyObject_Call PyObject_CallFunction PyObject_CallFunctionObjArgs PyObject_CallMethod
PyObject_CallMethodObjArgs PyObject_CallNoArgs PyObject_CallObject PyObject_CallOneArg PyObject_GetAttr
PyObject_GetAttrString PyObject_Vectorcall PyObject_VectorcallMethod PySequence_Tuple PyTuple_GetSlice PyTuple_New
PyTuple_Pack PyUnicode_AsUTF8 PyUnicode_AsUTF8AndSize PyUnicode_DecodeUTF16 PyUnicode_DecodeUTF32 PyUnicode_DecodeUTF8
PyUnicode_FromFormat PyUnicode_FromString PyUnicode_FromStringAndSize PyUnicode_InternFromString PyVectorcall_Call
Py_BuildValue _PyObject_GC_New _PyObject_GC_NewVar PyCMethod_New
"""
MINUS_ONE = "PyDict_SetItem PyDict_Update PyDict_DelItem PyList_Append PyObject_SetAttr"
SILENT = "PyMem_Malloc PyMem_Calloc malloc calloc aligned_alloc _ZnamRKSt9nothrow_t _ZnwmRKSt9nothrow_t"

COUNTER = r"""
#include <Python.h>
long samebytes_fail_at = -1, samebytes_calls;
int samebytes_fails(void) { return samebytes_calls++ == samebytes_fail_at; }
int samebytes_fails_aloud(void) { return samebytes_fails() ? (PyErr_NoMemory(), 1) : 0; }
"""
# Every register that holds an argument survives the question.
WRAPPER = """
.globl __wrap_{name}
.hidden __wrap_{name}
.type __wrap_{name}, @function
__wrap_{name}:
  push %rbp
  mov %rsp, %rbp
  push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax; push %rbx
  sub $128, %rsp
{save}
  call {question}@PLT
  mov %eax, %ebx
{load}
  add $128, %rsp
  test %ebx, %ebx
  pop %rbx; pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi
  pop %rbp
  jne 1f
  jmp __real_{name}@PLT
1:
  mov ${failure}, %rax
  ret
"""


def wrappers() -> str:
    """What stands before each of these functions, in assembly: it says no, or passes everything on."""
    save = "\n".join(f"  movups %xmm{i}, {16 * i}(%rsp)" for i in range(8))
    load = "\n".join(f"  movups {16 * i}(%rsp), %xmm{i}" for i in range(8))
    kinds = (
        (NULL, "samebytes_fails_aloud", 0),
        (MINUS_ONE, "samebytes_fails_aloud", -1),
        (SILENT, "samebytes_fails", 0),
    )
    return ".text\n" + "".join(
        WRAPPER.format(name=name, question=question, failure=failure, save=save, load=load)
        for names, question, failure in kinds
        for name in names.split()
    ) + '.section .note.GNU-stack,"",@progbits\n'  # fmt: skip


def compile_core(folder: Path, *more: str) -> Path:
    """The compiled core whose calls can fail."""
    (folder / "counter.c").write_text(COUNTER)
    (folder / "wrappers.s").write_text(wrappers())
    made = [folder / "counter.o", folder / "wrappers.o"]
    for name in ("counter.c", "wrappers.s"):
        subprocess.run(["gcc", "-O0", "-fPIC", *INCLUDES, *more, "-c", name], cwd=folder, check=True)
    made += objects(folder, more)
    library = folder / "_native.so"
    wrapped = [f"-Wl,--wrap={name}" for name in f"{NULL} {MINUS_ONE} {SILENT}".split()]
    subprocess.run(
        ["g++", "-shared", *more, *wrapped, *map(str, made), "-o", str(library), "-ldl"], check=True
    )
    return library


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the wrappers are written for x86-64")
def test_each_call_that_wants_memory_fails(tmp_path: Path) -> None:
    core = compile_core(tmp_path)
    command = [sys.executable, str(HERE / "failing.py"), str(core), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    rows = re.findall(r"^(.+): (\d+) calls, (.*), (-?\d+) blocks left; (.*)$", done.stdout, re.MULTILINE)
    assert len(rows) > 95
    assert sum(int(count) for _, count, *_ in rows) > 1500
    assert not [row for row in rows if row[4]]
    assert not [row for row in rows if re.findall("'(.*?)'", row[2]) not in ([], ["MemoryError"])]
    assert not [row for row in rows if int(row[3]) > 10]
    # Devices and blocks that a cycle opened and could not close are its own; C++'s objects are ours.
    assert re.search(r"^alive: 0 \d+ \d+ 0 \d+$", done.stdout, re.MULTILINE)
    # A block of memory that C allocated has its owner, whatever failed since.
    assert re.search(r"^blocks lost: 0$", done.stdout, re.MULTILINE)
