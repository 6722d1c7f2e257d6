"""The tests of adapters once more with the compiled core under AddressSanitizer and UndefinedBehaviorSanitizer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "properties"))  # importlib's import mode adds nothing itself
from test_hostile import compile_core  # noqa: E402

CHILD = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("samebytes._native", sys.argv[1])
sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[spec.name])
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-k", "not million", *sys.argv[2:]]))
"""


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
def test_adapters_under_sanitizers(tmp_path):
    found = subprocess.run(
        ["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=False
    )
    if not os.path.isabs(runtime := found.stdout.strip()):
        pytest.skip("g++ has no AddressSanitizer here")
    library = compile_core()
    files = [str(HERE / f"test_{name}.py") for name in ("chapter", "peers", "records", "leaks")]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(library), *files], capture_output=True, text=True, timeout=900, check=False,
        cwd=tmp_path,
        env={
            **os.environ, "LD_PRELOAD": runtime, "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",  # CPython itself never frees everything
        },
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert "AddressSanitizer" not in done.stderr
    assert "runtime error" not in done.stderr
