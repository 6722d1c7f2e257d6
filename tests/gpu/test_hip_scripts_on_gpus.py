"""The scripts for HIP Python on a real AMD GPU: with samebytes, and with HIP Python where it is installed.

``python -m pytest tests/gpu/test_hip_scripts_on_gpus.py`` on a machine with ROCm; nothing else is needed.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import samebytes as sb

LIBRARIES = Path(__file__).parents[1] / "examples" / "libraries"
SCRIPTS = sorted((LIBRARIES / "hip_python").glob("*.py"))
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module", autouse=True)
def gpu():
    try:
        hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")
        status, count = hip.hipGetDeviceCount()
    except (sb.BindError, sb.MissingDependency) as error:
        pytest.skip(str(error))
    if int(status) or not count:
        pytest.skip(f"hipGetDeviceCount() returned {status.name}, {count} devices")


def printed(who: str, script: Path) -> str:
    call = [sys.executable, LIBRARIES / "run_hip_scripts.py", who, script]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script(script: Path) -> None:
    ours = printed("ours", script)
    if "no header 'hipblas/hipblas.h'" in ours:
        pytest.skip("hipBLAS is not installed")
    assert "Error:" not in ours, ours
    if importlib.util.find_spec("hip") is None:
        return
    theirs = printed("peer", script)
    if "Error:" not in theirs:  # HIP Python 10 takes no record, and has hipBLAS in a wheel of its own
        assert ours == theirs
