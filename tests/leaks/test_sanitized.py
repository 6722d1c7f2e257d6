"""All cycles once more with AddressSanitizer and UndefinedBehaviorSanitizer in the compiled core."""

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


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
def test_all_cycles_under_sanitizers(tmp_path: Path) -> None:
    preloaded = runtimes("libasan.so", "AddressSanitizer")
    core = compile_core()
    options = "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1"
    command = [sys.executable, str(HERE / "child.py"), str(core), str(tmp_path), "50", "3"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False,
        env={**os.environ, "LD_PRELOAD": preloaded, "PYTHONMALLOC": "malloc", "ASAN_OPTIONS": options},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    assert "AddressSanitizer" not in done.stderr
    assert "runtime error" not in done.stderr
    rows = re.findall(r"^ *(-?\d+) bytes: (.+)$", done.stdout, re.MULTILINE)
    assert len(rows) > 115
    assert not [row for row in rows if int(row[0]) >= 50 * 16]  # malloc's least, for each time
    assert "failures: []" in done.stdout
    assert "alive: 0 0 0 0 0 0" in done.stdout
