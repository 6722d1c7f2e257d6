"""Each row of defects.toml is true: the peers that were measured do what it says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "examples" / "libraries"))  # importlib's import mode adds nothing itself
from fetched_hip import HIP_PYTHON, hip_python, missing  # noqa: E402

ROWS = {row["id"]: row for row in tomllib.loads((HERE / "defects.toml").read_text())["row"]}
CODES = {
    peer: {n: row["code"] for n, row in ROWS.items() if "code" in row and row.get("peer") == peer}
    for peer in (None, "cuda.core")
}
CASES = [(version, n) for version in HIP_PYTHON for n in CODES[None]] + [
    ("cuda.core", n) for n in CODES["cuda.core"]
]


def test_rows_are_clauses():
    assert len(ROWS) >= 50
    for row in ROWS.values():
        assert {"id", "theirs", "here"} <= set(row) <= {"id", "theirs", "here", "code", "gives", "peer"}
        assert ("code" in row) == ("gives" in row)
        assert ("peer" in row) == row["id"].startswith("K.")
        assert isinstance(row.get("gives", ""), str) or set(row["gives"]) == set(HIP_PYTHON)


@cache
def given(peer):
    """What the rows of a peer give; its place is a HIP Python's folder, or its name."""
    rows = CODES["cuda.core" if peer == "cuda.core" else None]
    place = peer if peer == "cuda.core" else hip_python(peer)
    done = subprocess.run(
        [sys.executable, HERE / "peer_rows.py", place], input=json.dumps(rows), capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.full
@pytest.mark.parametrize(("peer", "number"), CASES)
def test_the_peer_does_so(peer, number):
    if peer == "cuda.core":
        pytest.importorskip("cuda.core", reason="cuda.core is asked")
    elif not hip_python(peer).exists():
        pytest.skip(missing(f"HIP Python {peer}"))
    expected = ROWS[number]["gives"]
    pattern = expected if isinstance(expected, str) else expected[peer]
    assert re.match(pattern, given(peer)[number]), f"{peer} gives {given(peer)[number]}, not {pattern}"
