"""Other projects' own tests, run as installed, with our objects where theirs are made or consumed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "sycl"))  # importlib's import mode adds nothing itself
from usm import environment

pytestmark = pytest.mark.full  # NumPy's own tests

HERE = Path(__file__).parent

# A case that is left out, and why.
STREAMS = (
    "test_dunder_dlpack_stream"  # our refusal is a BufferError, the Array API's class; NumPy's a RuntimeError
)
COUNTS = (
    "test_from_dlpack_refcount"  # a view holds the producer beside its capsule: two references, both released
)
LEGACY = (
    "test_writeable"  # NumPy calls everything by a legacy capsule read-only; ours is what its producer says
)
REGISTRY = (
    "TestRegisterDlpackDtype"  # from NumPy 2.5 on: NumPy's own table of types, which it asks on both sides
)


def run(
    package: str, file: str, plugin: str, without: tuple[str, ...], env: dict[str, str]
) -> tuple[int, int]:
    """How many tests passed, and how often samebytes stood between the two sides."""
    top, *inner = package.split(".")  # find_spec of the whole would import its parents into this process
    tests = Path(find_spec(top).submodule_search_locations[0], *inner, file)
    if not tests.is_file():
        pytest.skip(f"this {top} was installed without its tests")
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "-p", plugin,
        "--rootdir", str(tests.parent), "-k", " and ".join(f"not {w}" for w in without) or "test", str(tests),
    ]  # fmt: skip
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=HERE,
        env=env | {"PYTHONPATH": path},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    found = re.search(r"shown by samebytes: (\d+)", done.stdout)
    passed = re.search(r"(\d+) passed", done.stdout)
    assert found, done.stdout
    assert passed, done.stdout
    return int(passed[1]), int(found[1])


@pytest.mark.parametrize(
    ("plugin", "without"),
    [("numpy_producer", (STREAMS, REGISTRY)), ("numpy_consumer", (COUNTS, LEGACY, REGISTRY))],
)
def test_numpy_dlpack(plugin, without):
    passed, shown = run("numpy._core.tests", "test_dlpack.py", plugin, without, dict(os.environ))
    assert passed >= 75
    assert shown >= 75


@pytest.mark.full
def test_dpctl_usm():
    if find_spec("dpctl") is None:
        pytest.skip("dpctl is not installed: pip install 'samebytes[usm]'")
    passed, shown = run("dpctl.tests", "test_sycl_usm.py", "dpctl_usm", (), environment())
    assert passed >= 40
    assert shown >= 60
