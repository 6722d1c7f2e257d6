"""@njit in eight threads among exceptions: with AddressSanitizer in the library, and with freed memory spoiled.

``HOSTILE_SECONDS`` says for how long, as in test_hostilities.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "properties")]  # importlib's import mode adds nothing itself
from sanitizers import runtimes  # noqa: E402
from test_hostile import SANITIZE  # noqa: E402

pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full
SECONDS = os.environ.get("HOSTILE_SECONDS", "2")


def run(*flags: str, **environment: str) -> None:
    """Run it; each program ran, and every object ended once."""
    done = subprocess.run(
        [sys.executable, str(HERE / "compiled.py"), SECONDS, *flags], capture_output=True, text=True,
        timeout=float(SECONDS) + 400, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    assert "Sanitizer" not in done.stderr, done.stderr[-6000:]
    assert "runtime error" not in done.stderr, done.stderr[-6000:]
    (line,) = re.findall(r"^ran: (.*)$", done.stdout, re.MULTILINE)
    assert all(int(count) > 0 for count in line.split()), done.stdout
    assert "alive: 0 wrong: 0" in done.stdout, done.stdout


def test_with_spoiled_memory() -> None:
    run(MALLOC_PERTURB_="165", PYTHONMALLOC="malloc")


@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
def test_under_address_sanitizer() -> None:
    options = "detect_leaks=0:allocator_may_return_null=1"
    preloaded = runtimes("libasan.so", "AddressSanitizer")
    run(*SANITIZE, LD_PRELOAD=preloaded, PYTHONMALLOC="malloc", ASAN_OPTIONS=options)
