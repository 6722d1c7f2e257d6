"""What the linked library's code settles of a C API's pointers, where names and documents do not or mislead."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb
from samebytes.toolchain.code.presence import can_decode

pytestmark = pytest.mark.skipif(not can_decode(), reason="Capstone is not installed")

SOURCE = r"""
#include "sky.h"
double sky_p2s(const double p[3], double *theta, double *phi) { *theta = p[0] + 1; *phi = p[1] * 2; return p[2]; }
int sky_names(int day, int *words) { if (day < 0) return -1; *words = day * 3; return 0; }
int sky_open(int day, int *status) { if (*status > 0) return *status; return *status = day; }
void sky_grid(int day, int *num_stars) { for (int i = 0; i < day; ++i) num_stars[i] = i; }
void sky_lock(int *lock) { *lock = 1; }
void sky_steps(int day, int *level) { *level += day; }
int sky_sides(int day, unsigned char *u, unsigned char *bytes) { *u = day; *bytes = day; return 0; }
int sky_copy(int day, long *r) { *r = day; return 0; }
int sky_tell(int day, int *q) { *q = day; return 0; }
int *last;
int sky_keep(int day, int *w) { *w = day; last = w; return 0; }
int sky_compress(unsigned char *dest, unsigned long *destLen) {
  return *destLen < 2 ? -1 : (dest[0] = 7, *destLen = 1, 0);
}
"""
HEADER = r"""
double sky_p2s(const double p[3], double *theta, double *phi);
int sky_names(int day, int *words);
int sky_open(int day, int *status);
void sky_grid(int day, int *num_stars);
void sky_lock(int *lock);
void sky_steps(int day, int *level);
int sky_sides(int day, unsigned char *u, unsigned char *bytes);
int sky_copy(int day, long *r);
/** \param[in,out] q  what was asked last time, in some later version */
int sky_tell(int day, int *q);
int sky_keep(int day, int *w);
int sky_compress(unsigned char *dest, unsigned long *destLen);
"""
BY_CODE = "the library's code writes one value there, and reads none"
READS = "the library's code reads what is there"
MORE = "the library's code writes more than one value there"


def made(folder: Path, source: str = SOURCE) -> Path:
    """The library and its header."""
    (folder / "sky.h").write_text(HEADER)
    (folder / "sky.c").write_text(source)
    library = folder / "libsky.so"
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", "sky.c", "-o", str(library)], cwd=folder, check=True)
    return library


def bound(folder: Path, library: Path | None) -> sb.Library:
    linked = [str(library)] if library else []
    return sb.bind(str(folder / "sky.h"), libraries=linked, style="c_api")


@pytest.fixture(scope="module")
def sky(tmp_path_factory: pytest.TempPathFactory) -> sb.Library:
    folder = tmp_path_factory.mktemp("sky")
    return bound(folder, made(folder))


@pytest.mark.parametrize(
    ("function", "parameter", "rule"),
    [
        ("sky_p2s", "theta", BY_CODE),
        ("sky_p2s", "phi", BY_CODE),
        ("sky_names", "words", BY_CODE),
        ("sky_copy", "r", BY_CODE),
        ("sky_sides", "u", BY_CODE),
        ("sky_open", "status", READS),
        ("sky_steps", "level", READS),
        ("sky_grid", "num_stars", MORE),
    ],
)
def test_explain_names_the_code(sky: sb.Library, function: str, parameter: str, rule: str) -> None:
    said = str(sb.explain(sky, function))
    assert re.search(rf"\b{parameter}\b.*{re.escape(rule)}", said), said


def test_calls(sky: sb.Library) -> None:
    assert sky.sky_p2s(np.array([0.5, 2.0, 9.0])) == (9.0, 1.5, 4.0)
    assert sky.sky_names(4) == (0, 12)
    assert sky.sky_copy(3) == (0, 3)
    assert sky.sky_compress(bytearray(5)) == (0, 1)  # a room is read, and comes out all the same


@pytest.mark.parametrize(
    "function", ["sky_open", "sky_grid", "sky_lock", "sky_steps", "sky_keep", "sky_tell"]
)
def test_these_stay_the_callers(sky: sb.Library, function: str) -> None:
    with pytest.raises(TypeError):
        getattr(sky, function)(1) if function != "sky_lock" else sky.sky_lock()


def test_without_the_library_nothing_of_it_is_known(tmp_path: Path) -> None:
    made(tmp_path)
    lib = sb.bind(str(tmp_path / "sky.h"), sources=[str(tmp_path / "sky.c")], style="c_api")
    assert BY_CODE not in str(sb.explain(lib, "sky_p2s"))
    assert lib.sky_open(3)[1] == 3  # its name, status


def test_another_library_is_looked_into_again(tmp_path: Path) -> None:
    """What a build was made of has the library's file in it: a guess is never older than the code."""
    lib = bound(tmp_path, made(tmp_path))
    assert lib.sky_names(4) == (0, 12)
    changed = tmp_path / "new"
    changed.mkdir()
    library = made(changed, SOURCE.replace("*words = day * 3;", "words[0] = words[day & 1] * 3;"))
    library.replace(tmp_path / "libsky.so")
    # This process has the first, and would go on to call it.
    with pytest.raises(sb.BindError, match="was built again after this process loaded it"):
        bound(tmp_path, tmp_path / "libsky.so")
    asked = (
        f"import samebytes as sb; lib = sb.bind({str(tmp_path / 'sky.h')!r}, style='c_api', "
        f"libraries=[{str(tmp_path / 'libsky.so')!r}]); print(sb.explain(lib, 'sky_names'))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert "sky_names" in done.stdout
    assert BY_CODE not in done.stdout
