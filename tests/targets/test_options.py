"""Each option of a build changes something for each of its callers, or is refused: the table of both is whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.options import ASKED, OPTIONS, Build, proof

import samebytes as sb
from samebytes.make.applicability import unused
from samebytes.toolchain.cuda import find_nvrtc
from samebytes.toolchain.rocm import find_hip_clang, rocm_headers
from samebytes.toolchain.sycl import sycl_headers

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

NEEDS = {
    "numba_cuda": (find_nvrtc,),
    "cuda": (find_nvrtc,),
    "hip": (find_hip_clang, rocm_headers),
    "sycl": (sycl_headers,),
}


@pytest.mark.parametrize("caller", ASKED)
def test_an_option_that_applies_changes_something(caller: str, tmp_path: Path) -> None:
    if caller.startswith("numba"):
        pytest.importorskip("numba", reason="Numba is not installed")
    for find in NEEDS.get(caller, ()):
        try:
            find()
        except sb.MissingDependency as reason:
            pytest.skip(str(reason))
    build, failures = Build(tmp_path, caller), []
    for option in OPTIONS:
        if unused(option, caller):
            continue
        try:
            proof(caller, option)(build)
        except (AssertionError, sb.Error, pytest.fail.Exception) as error:
            failures.append(f"{option}: {type(error).__name__}: {str(error)[:300]}")
    assert not failures, "\n".join(failures)
