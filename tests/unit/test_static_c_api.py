"""Packages of C APIs: functions are looked up on first use, and a status begins a tuple, as HIP Python's do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from samebytes.tools.cli import main

pytestmark = pytest.mark.full  # programs of their own

HEADER = """
#include <stddef.h>
typedef enum { OK = 0, BAD = 1 } status_t;
typedef struct device_s *device_t;
typedef struct { int major; float speed; } info_t;
typedef int (*step_t)(int);
/** Opens a device. */
status_t device_open(device_t *device, int index);
status_t device_close(device_t device);
status_t device_info(info_t *info, device_t device);
status_t device_get_load(device_t device, int *number, double *load_out);
status_t total(double *sum, const int *values, int n);
info_t *device_shared(device_t device);
int apply(step_t step, int x);
void nothing(void);
status_t device_newest(device_t device, int *version);
int device_print(char *room, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
"""
SOURCE = """
#include "device.h"
#include <stdlib.h>
struct device_s { info_t info; };
status_t device_open(device_t *d, int i) {
  if (i < 0) return *d = 0, BAD;
  return *d = calloc(1, sizeof **d), (*d)->info.major = i, OK;
}
status_t device_close(device_t d) { return free(d), OK; }
status_t device_info(info_t *info, device_t d) { return *info = d->info, OK; }
status_t device_get_load(device_t d, int *n, double *load) { return *n = d->info.major, *load = 0.5, OK; }
status_t total(double *s, const int *v, int n) { for (*s = 0; n--;) *s += *v++; return OK; }
info_t *device_shared(device_t d) { return &d->info; }
int apply(step_t step, int x) { return step(x); }
void nothing(void) {}
#include <stdarg.h>
#include <stdio.h>
int device_print(char *room, size_t size, const char *fmt, ...) {
  va_list list;
  va_start(list, fmt);
  int n = vsnprintf(room, size, fmt, list);
  va_end(list);
  return n;
}
"""


def write(folder: Path, *more: str) -> Path:
    """The package, in ``folder / "out"``; the library, and where it was, are gone when it returns."""
    (folder / "device.h").write_text(HEADER)
    (folder / "device.c").write_text(SOURCE)
    library = folder / "libdevice.so"
    subprocess.run(["gcc", "-shared", "-fPIC", str(folder / "device.c"), "-o", str(library)], check=True)
    arguments = ["bind", str(folder / "device.h"), "--library", str(library), "--style", "c_api"]
    done = CliRunner().invoke(main, [*arguments, "-o", str(folder / "out"), *more])
    assert done.exit_code == 0, done.output
    for file in (library, folder / "device.h"):
        file.unlink()
    return folder / "out"


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return write(tmp_path_factory.mktemp("device"))


def run(code: str, place: Path) -> list[str]:
    """What a program prints where there is no compiler."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True, text=True, check=False, cwd=place, env={"PATH": "", "HOME": "/nonexistent"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_results_are_hip_pythons(out):
    code = """
import pickle, device
status, d = device.device_open(7)
print(status.name, isinstance(d, device.device_t), device.device_open(-1)[0].name)
info = device.info_t()
print(device.device_info(info, d), info.major, device.device_get_load(d)[1:], device.total([1, 2, 3], 3)[1])
shared = device.device_shared(d)
shared.major = 9
print(device.device_get_load(int(d))[1], device.apply(device.step_t(lambda x: x + 1), 2), device.nothing())
print(pickle.loads(pickle.dumps(device.device_open)) is device.device_open, device.device_open.__doc__.split('\\n')[-1])
print(*(pickle.loads(pickle.dumps(cls)) is cls for cls in (device.device_t, device.step_t, device.info_t)))
print(device.device_close(d))
"""
    assert run(code, out) == [
        "OK True BAD",
        "(<status_t.OK: 0>,) 7 (7, 0.5) 6.0",
        "9 3 None",
        "True Opens a device.",
        "True True True",
        "(<status_t.OK: 0>,)",
    ]


def test_further_arguments(out):
    code = """
import ctypes, pickle, device
room = ctypes.create_string_buffer(99)
print(device.device_print(room, 99, '%d %g %s', 3, 2.5, 'x'), room.value)
print(pickle.loads(pickle.dumps(device.device_print)) is device.device_print)
try:
    device.device_print(room, 99, '%d', 2.5)
except TypeError as error:
    print(error)
"""
    assert run(code, out) == [
        "7 b'3 2.5 x'",
        "True",
        "device_print() argument 4: expected an integer (int32 (-2147483648 to 2147483647)) for %d, got 2.5 (float). "
        "int(x) converts it",
    ]
    stub = (out / "device" / "__init__.pyi").read_text()
    assert "def device_print(" in stub
    assert "*args: Any) -> int:" in stub


@pytest.mark.parametrize(
    "line",
    [
        "device_open(index: Int) -> tuple[status_t, device_s | None]",
        "device_close(device: device_s | int | ArrayLike | CObject | Pointer | None) -> tuple[status_t]",
        "total(values: int | Values | ArrayLike | CObject | Pointer | None, n: Int) -> tuple[status_t, float]",
        "apply(step: Callable[[int], Int] | Pointer | CObject | None, x: Int) -> int",
        "device_print(room: int | ArrayLike | CObject | Pointer | None, size: Int, "
        "fmt: str | bytes | Pointer | None, *args: Any) -> int",
        "nothing() -> None",
    ],
)
def test_the_stub_says_what_functions_take(out, line):
    assert f"def {line}:" in (out / "device" / "__init__.pyi").read_text()


def test_a_missing_function_is_missed_when_it_is_used(out):
    code = """
import device
print('device_newest' in dir(device), 'device_newest' in device.__all__)
try:
    device.device_newest
except ImportError as error:
    print(str(error).rpartition('/')[2])
"""
    assert run(code, out) == [
        "True True",
        "libdevice.so has no device_newest(), which the header declares: header and library are of different "
        "versions",
    ]


def test_a_missing_library_is_missed_when_it_is_used(out, tmp_path):
    shutil.copytree(out / "device", tmp_path / "device")
    (tmp_path / "device" / "libdevice.so").unlink()
    code = """
import device
print(device.OK.value)
try:
    device.nothing()
except ImportError as error:
    print(error)
"""
    found = run(code, tmp_path)
    assert found[0] == "0"
    assert found[1].startswith("nothing() is in libdevice.so, which cannot be opened: libdevice.so:")


def test_statuses_raise_where_they_are_checked(tmp_path):
    code = """
import device
d = device.device_open(3)
print(device.device_get_load(d), device.device_close(d))
try:
    device.device_open(-1)
except Exception as error:
    print(type(error).__name__, error)
"""
    found = run(code, write(tmp_path, "--check"))
    assert found[0] == "(3, 0.5) None"
    assert found[1].startswith("StatusError device_open() returned")


PROGRAM = """
import device

status, d = device.device_open(7)
number: device.status_t = status
state, n, load = device.device_get_load(d)
whole: int = n
part: float = load + device.total([1, 2], 2)[1] + device.total(None, 0)[1]
(same,) = device.device_close(4096)
info = device.device_shared(d)
major: int = info.major if info else 0
device.nothing()
"""
WRONG = (
    "x: str = status",
    "device.device_get_load('x')",
    "device.device_close()",
    "y: str = n",
    "device.none()",
)


@pytest.mark.full
def test_a_program_is_judged_by_the_stub(out, tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    program = tmp_path / "program.py"
    lines = [*PROGRAM.splitlines(), *WRONG]
    program.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(program)],
        capture_output=True, text=True, check=False, env={"MYPYPATH": str(out), "PATH": ""}, cwd=tmp_path,
    )  # fmt: skip
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if "error:" in line}
    assert found == {len(PROGRAM.splitlines()) + 1 + i for i in range(len(WRONG))}, done.stdout
