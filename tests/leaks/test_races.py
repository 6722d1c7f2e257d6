"""All cycles in eight threads with ThreadSanitizer in the core and in the library; a race on purpose is seen.

CPython is not instrumented: its GIL is seen all the same, by the mutex and the condition that it is made of.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "properties")]  # importlib's import mode adds nothing itself
from sanitizers import runtimes  # noqa: E402
from test_hostile import compile_core  # noqa: E402

THREAD = ("-fsanitize=thread",)
RACES = 66  # how a process ends in which races were seen
# glibc frees a thread's own variables in another thread, under a lock of its own.
SUPPRESSED = "race:_dl_deallocate_tls\n"


@pytest.fixture(scope="module")
def core() -> Path:
    """The compiled core with ThreadSanitizer."""
    return compile_core(THREAD)


def run(folder: Path, script: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a script beside this one under ThreadSanitizer."""
    preloaded = runtimes("libtsan.so", "ThreadSanitizer")
    (folder / "suppressed").write_text(SUPPRESSED)
    options = f"exitcode={RACES}:suppressions={folder / 'suppressed'}"
    return subprocess.run(
        [sys.executable, str(HERE / script), *args], capture_output=True, text=True, timeout=600, check=False,
        env={**os.environ, "LD_PRELOAD": preloaded, "TSAN_OPTIONS": options},
    )  # fmt: skip


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
def test_a_race_on_purpose_is_seen(core: Path, tmp_path: Path) -> None:
    done = run(tmp_path, "control.py", str(core))
    assert "raced" in done.stdout, done.stderr[-3000:]
    assert (done.returncode, "data race" in done.stderr, "bump(int)" in done.stderr) == (RACES, True, True)


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
def test_all_cycles_in_threads(core: Path, tmp_path: Path) -> None:
    done = run(tmp_path, "child.py", str(core), str(tmp_path), "2", "4", *THREAD)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[:6000]
    assert "ThreadSanitizer" not in done.stderr
    assert "failures: []" in done.stdout
    assert "alive: 0 0 0 0 0 0" in done.stdout
