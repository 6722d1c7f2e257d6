"""Scripts for HIP Python, which differ from scripts for samebytes in their import lines: both print the same."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1]))
from fake_rocm import HERE, SCRIPTS, build, output
from fetched_hip import INCLUDE, hip_python, missing
from test_documents import ROOT, python_of

# Slow, all together: part of the full tests.
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]
PAGE = ROOT / "docs" / "hip.md"
NAMES = [script.stem for script in SCRIPTS]
# Lines that each script prints, worked out by hand.
PRINTED = {
    "blas": "[0.0, 1.0, 2.0] True [210.0]",
    "device_arrays": "[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [3.0, 3.5, 4.0, 4.5, 5.0, 5.5], "
    "[6.0, 6.5, 7.0, 7.5, 8.0, 8.5], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]",
    "device_properties": "0 no GPU gfx90a 64 GiB",
    "jacobi": "True ",
    "launch_with_arguments": "grid 4 1 1 block 32 1 1\nTrue ",
    "launch_without_arguments": "block 0 of 1\nthe compiler said so: True\nhipErrorNotFound\n",
    "streams_and_events": "a time: float True\n[0, 0, 0] [0, 50, 51] 3725\n",
}
# What comes of each line of hip_differences.py: with samebytes, and with HIP Python.
DIFFERENT = {
    "a struct in extra": ("421", "wrong bytes"),
    "a NumPy number in extra": ("4", "-1"),
    "part of an array": ("(3, 4)", "(4, 3, 1)"),
    "typestr": ("'<f4'", "'float32'"),
    "|u1": ("(2, 2)", "ValueError"),
    "strides": ("(2, 3)", "KeyError"),
    "a fraction in dim3": ("ArgumentError", "1"),
    "a fraction for int": ("ArgumentError", "'hipSuccess'"),
    "a read-only destination": ("ArrayError", "b'AA'"),
    "Fortran's order": ("ArrayError", "'hipSuccess'"),
    "an event as a stream": ("ArgumentError", "'hipSuccess'"),
    "text in a record": ("b'mine'", "AttributeError"),
    "a newer status": ("12345", "ValueError"),
    "what the library lacks": ("MissingDependency", "RuntimeError"),
}
# What HIP Python says where it cannot run a script: its hipBLAS is a wheel of its own now, and records come back.
PEERS = {
    "7.2": {},
    "10.0": {
        "blas": "cannot import name 'hipblas'",
        "device_properties": "hipGetDeviceProperties() takes exactly 1 positional argument",
        "launch_with_arguments": "hipGetDeviceProperties() takes exactly 1 positional argument",
    },
}


@pytest.fixture(scope="module")
def debian(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("hip/hiprtc.h", "libamdhip64-dev")
    return build(tmp_path_factory.mktemp("hip5") / "rocm", Path("/usr/include"))


@pytest.fixture(scope="module")
def newer(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("hip/hiprtc.h", "libamdhip64-dev")
    if not INCLUDE.exists():
        pytest.skip(missing("ROCm 7.1"))
    return build(tmp_path_factory.mktemp("hip7") / "rocm", INCLUDE)


@pytest.fixture(scope="module")
def ours(debian: Path) -> dict[str, str]:
    return output(debian, "ours", SCRIPTS)


@pytest.fixture(scope="module")
def ours_newer(newer: Path) -> dict[str, str]:
    return output(newer, "ours", SCRIPTS)


@pytest.fixture(scope="module", params=PEERS)
def peer(request: pytest.FixtureRequest, newer: Path) -> tuple[str, dict[str, str]]:
    there = hip_python(request.param)
    if not there.exists():
        pytest.skip(missing(f"HIP Python {request.param}"))
    return request.param, output(newer, "peer", SCRIPTS, there)


def test_the_scripts_are_short() -> None:
    assert sorted(PRINTED) == NAMES
    assert all(len(script.read_text().splitlines()) <= 60 for script in SCRIPTS)


@pytest.mark.parametrize("name", NAMES)
def test_ours(name: str, ours: dict[str, str]) -> None:
    assert PRINTED[name] in ours[name]
    assert "Error:" not in ours[name]


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_ours_with_newer_headers(name: str, ours: dict[str, str], ours_newer: dict[str, str]) -> None:
    assert ours_newer[name] == ours[name]


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_hip_python_prints_the_same(
    name: str, ours_newer: dict[str, str], peer: tuple[str, dict[str, str]]
) -> None:
    version, printed = peer
    if name in PEERS[version]:
        assert PEERS[version][name] in printed[name]
    else:
        assert printed[name] == ours_newer[name]


def differences(rocm: Path, who: str, packages: Path | None = None) -> dict[str, str]:
    lines = output(rocm, who, [HERE / "hip_differences.py"], packages)["hip_differences"].splitlines()
    return {name: result for name, _, result in (line.partition(": ") for line in lines)}


@pytest.mark.full
def test_differences(debian: Path) -> None:
    assert differences(debian, "ours") == {name: ours for name, (ours, _) in DIFFERENT.items()}


@pytest.mark.full
@pytest.mark.parametrize("version", PEERS)
def test_differences_of_hip_python(version: str, newer: Path) -> None:
    if not hip_python(version).exists():
        pytest.skip(missing(f"HIP Python {version}"))
    theirs = differences(newer, "peer", hip_python(version))
    assert theirs.pop("a struct in extra") != "421"  # it reads what is there by chance
    assert theirs == {name: said for name, (_, said) in DIFFERENT.items() if name in theirs}
    assert len(theirs) == len(DIFFERENT) - 1


def test_the_page_says_what_differs() -> None:
    rows = re.findall(
        r"^\| .*? \| (.*?) \| `?(.*?)`? \| `?(.*?)`? \|$", PAGE.read_text().replace("\\|", "|"), re.M
    )
    said = {name: (ours, theirs) for name, theirs, ours in rows if name in DIFFERENT}
    assert said == DIFFERENT


@pytest.mark.full
@pytest.mark.parametrize("headers", ["debian", "newer"])
def test_the_page_runs(headers: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    page = tmp_path / "hip.py"
    page.write_text(python_of(PAGE))
    printed = output(request.getfixturevalue(headers), "ours", [page])
    assert printed == {"hip": "hipSetDevice() returned hipErrorInvalidDevice (101)\ngfx90a 64\n"}


def test_the_page_says_how_each_script_ran() -> None:
    rows = re.findall(r"^\| `(\w+)\.py` \| runs \| (.*?) \| (.*?) \|$", PAGE.read_text(), re.M)
    same = {name: tuple(said == "the same" for said in rest) for name, *rest in rows}
    assert same == {name: tuple(name not in PEERS[version] for version in PEERS) for name in NAMES}
