"""Hostile scenes in eight threads: with AddressSanitizer in core and library, and with freed memory spoiled.

``HOSTILE_SECONDS`` says for how long each runs: 1 s with the other tests, so that
they take minutes; 30 s is what holds ("8 threads, 30 s each, clean"): run that where something of theirs has changed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "properties")]  # importlib's import mode adds nothing itself
from hostilities import SCENES  # noqa: E402
from sanitizers import runtimes  # noqa: E402
from test_hostile import SANITIZE, compile_core  # noqa: E402

SECONDS = os.environ.get("HOSTILE_SECONDS", "1")
SPOILED = {"MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc"}
OPTIONS = "detect_leaks=0:allocator_may_return_null=1"  # a handle may keep its object until Python ends


@pytest.fixture(scope="module")
def core() -> Path:
    """The compiled core with AddressSanitizer."""
    return compile_core()


def run(scene: str, core: str, *flags: str, **environment: str) -> None:
    """Run a scene; every act of it was answered, or refused in words."""
    if SCENES[scene].needs and not importlib.util.find_spec(SCENES[scene].needs):
        pytest.skip(f"needs {SCENES[scene].needs}")
    command = [sys.executable, str(HERE / "hostile.py"), scene, SECONDS, core, *flags]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=float(SECONDS) + 300, check=False,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    assert "Sanitizer" not in done.stderr, done.stderr[-6000:]
    assert "runtime error" not in done.stderr, done.stderr[-6000:]
    assert "failures: []" in done.stdout, done.stdout[-3000:]
    counts = [[int(n) for n in re.findall(r"\d+", line)] for line in done.stdout.splitlines()[:2]]
    assert all(map(sum, zip(*counts, strict=True))), done.stdout  # each act ran


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
@pytest.mark.parametrize("scene", SCENES)
def test_under_address_sanitizer(core: Path, scene: str) -> None:
    preloaded = runtimes("libasan.so", "AddressSanitizer")
    run(scene, str(core), *SANITIZE, LD_PRELOAD=preloaded, PYTHONMALLOC="malloc", ASAN_OPTIONS=OPTIONS)


@pytest.mark.full
@pytest.mark.parametrize("scene", SCENES)
def test_with_spoiled_memory(scene: str) -> None:
    run(scene, "-", **SPOILED)
