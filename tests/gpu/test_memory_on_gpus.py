"""The contract of memories on real GPUs, by cuda.core and HIP Python; skipped where there is none.

``python -m pytest tests/gpu`` on a machine with a GPU; nothing else is needed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb
from samebytes.arrays.memory import memories

sys.path.append(str(Path(__file__).parents[1] / "contract"))  # importlib's import mode adds nothing itself
from memory_contract import CONTRACT

pytestmark = pytest.mark.full
KINDS = [(name, kind) for name in ("cuda", "hip") for kind in memories()[name].kinds]


@pytest.fixture(params=KINDS, ids="-".join)
def how(request):
    name, kind = request.param
    try:
        sb.DeviceArray.empty(1, device=name)
    except (sb.MissingDependency, sb.AllocationError) as error:
        pytest.skip(str(error))
    return {"device": name, "kind": kind}


@pytest.mark.parametrize("holds", CONTRACT, ids=lambda f: f.__name__)
def test_contract(how, holds):
    holds(how)


def test_ten_thousand_arrays_leave_nothing_behind(how):
    for _ in range(10_000):
        sb.DeviceArray.empty(1 << 20, "u1", **how)


@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_other_libraries_share_the_memory(how, library):
    module = pytest.importorskip(library)
    x = np.arange(12, dtype="f4").reshape(3, 4)
    made = sb.DeviceArray.from_host(x, **how)
    shared = module.from_dlpack(made[::2])
    shared[0, 0] = 99
    if how["device"] == "cuda" and library == "torch":
        module.cuda.synchronize()
    assert made.copy_to_host()[0, 0] == 99
