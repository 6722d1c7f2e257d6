"""Many virtual calls into Python from four threads, under AddressSanitizer: nothing is lost."""

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
from test_hostile import compile_core  # noqa: E402

CALLS, THREADS = 300_000, 4


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
def test_virtual_calls_from_four_threads_lose_nothing() -> None:
    preloaded = runtimes("libasan.so", "AddressSanitizer")
    command = [
        sys.executable, str(HERE / "virtual_calls.py"), str(compile_core()), str(CALLS), str(THREADS)
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=900, check=False,
        env={
            **os.environ, "LD_PRELOAD": preloaded, "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1",  # CPython itself never frees everything
        },
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    assert "AddressSanitizer" not in done.stderr
    assert "runtime error" not in done.stderr
    found = {
        name: int(number) for name, number in re.findall(r"^(bytes|sum): (-?\d+)$", done.stdout, re.MULTILINE)
    }
    assert found["bytes"] < 10_000  # the least block of each 500th call would be seen
    each = CALLS // THREADS // 2
    said = len("longer than what lies in a string itself") + 1
    assert found["sum"] == 2 * THREADS * sum(3 * i + said for i in range(0, each, 4))
