"""Each row of defects.toml is true: the HIP Pythons that were measured do what it says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "examples" / "libraries"))  # importlib's import mode adds nothing itself
from fetched_hip import HIP_PYTHON, hip_python, missing  # noqa: E402

ROWS = {row["id"]: row for row in tomllib.loads((HERE / "defects.toml").read_text())["row"]}
CODES = {number: row["code"] for number, row in ROWS.items() if "code" in row}


def test_rows_are_clauses():
    assert len(ROWS) >= 40
    for row in ROWS.values():
        assert {"id", "theirs", "here"} <= set(row) <= {"id", "theirs", "here", "code", "gives"}
        assert ("code" in row) == ("gives" in row)
        assert isinstance(row.get("gives", ""), str) or set(row["gives"]) == set(HIP_PYTHON)


@pytest.fixture(scope="module", params=HIP_PYTHON)
def peer(request):
    """The version, and what its rows give."""
    if not hip_python(request.param).exists():
        pytest.skip(missing(f"HIP Python {request.param}"))
    done = subprocess.run(
        [sys.executable, HERE / "hip_python_rows.py", hip_python(request.param)], input=json.dumps(CODES),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return request.param, json.loads(done.stdout)


@pytest.mark.full
@pytest.mark.parametrize("number", CODES)
def test_hip_python_does_so(peer, number):
    version, given = peer
    expected = ROWS[number]["gives"]
    pattern = expected if isinstance(expected, str) else expected[version]
    assert re.match(pattern, given[number]), f"HIP Python {version} gives {given[number]}, not {pattern}"
