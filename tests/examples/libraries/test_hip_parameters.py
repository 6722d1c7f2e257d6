"""Which parameters HIP's functions have in Python: those of HIP Python 10, but for what is named here."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from fetched_hip import INCLUDE, hip_python, missing

from samebytes.make.config.known_libraries import known_of
from samebytes.model.module import Module
from samebytes.model.signature import Signature
from samebytes.read.curating.applying import apply_known
from samebytes.read.header import read_header
from samebytes.styles.c_api.rules import apply_style
from samebytes.toolchain.compilers import find_compiler, system_includes
from samebytes.types import Named, Pointer

pytestmark = pytest.mark.full

ROOM = "the caller has the room for the array, whose size goes in and out"
LEFT_OUT = "it leaves out arrays that go in"
# What HIP Python does otherwise, beside giving back the records that a function fills.
DIFFERENT = {
    **dict.fromkeys(
        (
            "hipGraphGetEdges", "hipGraphGetNodes", "hipGraphGetRootNodes", "hipGraphNodeGetDependencies",
            "hipGraphNodeGetDependentNodes", "hipDrvPointerGetAttributes", "hipMemRangeGetAttributes",
        ),
        ROOM,
    ),
    **dict.fromkeys(
        (
            "hipLibraryLoadData", "hipLibraryLoadFromFile", "hipLinkAddData", "hipLinkAddFile", "hipLinkCreate",
            "hipMemcpyBatchAsync", "hipModuleLoadDataEx", "hipSetValidDevices", "hipLaunchCooperativeKernel_spt",
            "hipLaunchKernel_spt",
        ),
        LEFT_OUT,
    ),
    **dict.fromkeys(("hipDeviceGetName", "hipDeviceGetPCIBusId", "hipGraphInstantiate"), "it has room for no text"),
    **dict.fromkeys(
        ("hipDrvGraphMemcpyNodeSetParams", "hipGraphKernelNodeCopyAttributes"),
        "it gives back what the caller has to say",
    ),
    **dict.fromkeys(
        (
            "hipGraphExecUpdate", "hipStreamGetCaptureInfo_v2", "hipStreamGetCaptureInfo_v2_spt", "hipTexRefGetArray",
        ),
        "it asks for what comes out",
    ),
    "hipStreamEndCapture_spt": "the header says nothing of what its pointer is for",
}  # fmt: skip


def module(header: Path) -> Module:
    flags = ("-D__HIP_PLATFORM_AMD__",)
    includes = system_includes(find_compiler("c"))
    found = apply_style(
        read_header(header, language="c", flags=flags, include_dirs=(INCLUDE,), system_includes=includes),
        "c_api",
    )
    for known in known_of(found, ()):
        found = apply_known(found, known.intents, known.has, known.name)
    return found


THEIRS = r"""
import re
from hip import hip, hiprtc
found = {}
for module in (hip, hiprtc):
    for name in dir(module):
        said = (getattr(getattr(module, name), "__doc__", None) or "").partition("\n")[0]
        if match := re.fullmatch(re.escape(name) + r"\((.*)\)", said):
            found[name] = [part.split()[-1].rstrip("_") for part in match[1].split(",") if part.strip()]
print(found)
"""


@pytest.fixture(scope="module")
def theirs() -> dict[str, list[str]]:
    home = hip_python("10.0")
    if not home.exists():
        pytest.skip(missing("HIP Python 10.0"))
    environment = {**os.environ, "PYTHONPATH": str(home)}
    call = [sys.executable, "-c", THEIRS]
    said = subprocess.run(call, env=environment, capture_output=True, text=True, check=True).stdout
    found: dict[str, list[str]] = ast.literal_eval(said)
    return found


def visible(signature: Signature) -> list[str]:
    return [parameter.name.rstrip("_") for parameter in signature.visible]


def filled(signature: Signature, records: set[str]) -> set[str]:
    """The parameters that are the caller's records, for the function to fill."""
    return {
        p.name
        for p in signature.visible
        if isinstance(p.type, Pointer)
        and not p.type.const
        and isinstance(p.type.target, Named)
        and p.type.target.name in records
    }


def test_hip(theirs: dict[str, list[str]]) -> None:
    if not INCLUDE.exists():
        pytest.skip(missing("ROCm 7.1"))
    bound = module(INCLUDE / "hip" / "hip_runtime_api.h")
    records = {record.name for record in bound.records}
    functions = [f for f in bound.functions if f.name in theirs]
    assert len(functions) > 440
    other = {f.name for f in functions if len(visible(f)) != len(theirs[f.name])}
    given_back = {
        f.name
        for f in functions
        if f.name in other and len(set(visible(f)) - filled(f, records)) == len(theirs[f.name])
    }
    assert other - given_back == set(DIFFERENT)


def test_hiprtc(theirs: dict[str, list[str]], needs: Callable[[str, str], None]) -> None:
    needs("hip/hiprtc.h", "libamdhip64-dev")
    functions = [f for f in module(Path("/usr/include/hip/hiprtc.h")).functions if f.name in theirs]
    assert len(functions) == 11
    assert all(len(visible(f)) == len(theirs[f.name]) for f in functions)
