"""Macros that are expressions: read anew each time, in both languages and styles, in packages, with ``library=``."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")

HEADER = """
#ifndef CLOCK_H
#define CLOCK_H
struct hands { int hour; double minute; };
enum day { MON, TUE };
typedef struct works_s *works_t;
#ifdef __cplusplus
extern "C" {
#endif
extern int ticks_g;
extern struct hands hands_g;
extern works_t works_g;
int clock_open(void);
int tick(void);
const char *name_of(int n);
enum day today(void);
void halt(void);
int *place(void);
#ifdef __cplusplus
}
#endif
#define OPEN clock_open(),
#define TICKS (OPEN ticks_g)
#define TICK tick()
#define NAME name_of(TWO)
#define TWO 2
#define HANDS hands_g
#define LATER (hands_g.minute + 0.5)
#define WORKS (1 ? works_g : 0)
#define TODAY today()
#define HALT halt()
#define PLACE (*place())
#define BROKEN (not_there + 1)
/* A field of the same name. */
struct state { int hour_now; };
#define hour_now (hands_g.hour)
#define NEXT_HOUR (hour_now + 1)
#endif
"""
SOURCE = """
#include "clock.h"
struct works_s { int wheels; };
int ticks_g = -1;
struct hands hands_g = {3, 14.5};
static struct works_s works = {12};
works_t works_g = &works;
static int placed;
int clock_open(void) { if (ticks_g < 0) ticks_g = 40; return 0; }
int tick(void) { return ++ticks_g; }
const char *name_of(int n) { return n == 2 ? "two" : "other"; }
enum day today(void) { return TUE; }
void halt(void) { ticks_g = 1000; }
int *place(void) { return ++placed, &placed; }
"""
NAMES = ["hour_now", "HANDS", "LATER", "NAME", "NEXT_HOUR", "PLACE", "TICK", "TICKS", "TODAY", "WORKS"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "clock.h").write_text(HEADER)
    (tmp_path / "clock.c").write_text(SOURCE)
    return tmp_path


def built(folder: Path) -> str:
    library = folder / "libclock.so"
    subprocess.run(["cc", "-shared", "-fPIC", str(folder / "clock.c"), "-o", str(library)], check=True)
    return str(library)


def check(lib: Any, style: str | None) -> None:
    assert lib.TICKS == 40  # the library was opened by it
    assert (lib.TICK, lib.TICK, lib.TICKS) == (41, 42, 42)
    assert (lib.NAME, lib.LATER, lib.hour_now, lib.NEXT_HOUR) == ("two", 15.0, 3, 4)
    assert (type(lib.HANDS), lib.HANDS.hour) == (lib.hands, 3)
    assert lib.TODAY is lib.TUE
    assert isinstance(lib.WORKS, lib.works_s if style else sb.Pointer)
    assert lib.PLACE + 1 == lib.PLACE
    assert lib.state(hour_now=5).hour_now == 5
    assert set(NAMES) <= set(dir(lib))
    assert not hasattr(lib, "HALT")
    with pytest.raises(
        AttributeError, match="'TICK' is a macro, which C evaluates each time: it cannot be set"
    ):
        lib.TICK = 3
    with pytest.raises(AttributeError, match=r"'BROKEN' is declared.*undeclared identifier 'not_there'"):
        _ = lib.BROKEN


@pytest.mark.parametrize("language", ["c", "c++"])
def test_with_sources(folder: Path, language: str) -> None:
    lib = sb.bind(folder / "clock.h", sources=[folder / "clock.c"], language=language)
    check(lib, None)
    assert "TICK: int32" in str(sb.explain(lib, "TICK"))


@pytest.mark.parametrize("style", [None, "c_api"])
def test_of_a_library_that_is_opened_later(folder: Path, style: str | None) -> None:
    lib = sb.bind(folder / "clock.h", library=built(folder), style=style, language="c")
    check(lib, style)


def test_a_missing_library_is_missed_when_one_is_asked_for(folder: Path) -> None:
    lib = sb.bind(folder / "clock.h", library=str(folder / "libnone.so"), language="c")
    assert lib.TWO == 2
    with pytest.raises(sb.MissingDependency, match=r"libnone\.so"):
        _ = lib.TICKS


def test_in_a_package(folder: Path) -> None:
    arguments = ["bind", str(folder / "clock.h"), "--library", built(folder), "--style", "c_api"]
    done = CliRunner().invoke(main, [*arguments, "-o", str(folder / "out")])
    assert done.exit_code == 0, done.output
    shutil.move(folder / "clock.h", folder / "gone.h")
    code = "import clock; print(clock.TICKS, clock.TICK, clock.NAME, clock.HANDS.hour)"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=folder / "out", env={"PATH": "", "HOME": "/nonexistent"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout == "40 41 two 3\n"
    stub = (folder / "out" / "clock" / "__init__.pyi").read_text()
    assert "\nTICKS: int\n" in stub
    assert "\nNAME: str" in stub


def test_beside_compiled_code(folder: Path) -> None:
    pytest.importorskip("numba")
    check(sb.bind(folder / "clock.h", sources=[folder / "clock.c"], target="numba", language="c"), None)


def test_the_c_library() -> None:
    assert sb.bind("errno.h").errno >= 0
    signal = sb.bind("signal.h")
    assert 32 < signal.SIGRTMIN < signal.SIGRTMAX < 128
    assert sb.bind("stdlib.h").MB_CUR_MAX >= 1
