"""Real SYCL USM memory of every kind, in and out by SUAI and DLPack; each file of cases in a child process."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
from usm import HERE, child, run_cases

pytestmark = pytest.mark.full


def test_usm_memory_of_every_kind():
    assert passed(run_cases(HERE / "usm_cases.py")) >= 70


@pytest.mark.skipif(find_spec("dpnp") is None, reason="dpnp, with MKL, is too large for make test-full")
def test_dpnp():
    assert passed(run_cases(HERE / "dpnp_cases.py")) >= 300


def passed(shown):
    return sum(map(int, re.findall(r"(\d+) passed", shown)))


# dpctl ends the process on the first of these: what reaches it through a view is refused before.
FOREIGN = """
import dpctl, dpctl.memory, numpy, samebytes as sb
queue = dpctl.SyclQueue("cpu")
foreign = numpy.zeros(8, "u1")
class Shown:
    __sycl_usm_array_interface__ = {
        "shape": (8,), "typestr": "|u1", "data": (foreign.ctypes.data, False), "version": 1, "syclobj": %s,
    }
try:
    dpctl.memory.as_usm_memory(sb.view(Shown()))
except sb.ProtocolError as error:
    print(error)
"""


@pytest.mark.parametrize("syclobj", ["queue.sycl_context", "queue", "'cpu'"])
def test_a_pointer_that_is_no_usm_of_its_context_ends_no_process(syclobj):
    done = child("-c", FOREIGN % syclobj)
    assert done.returncode == 0, done.stderr
    assert "no USM allocation of its syclobj's context" in done.stdout


AT_EXIT = """
import dpctl, dpctl.memory, samebytes as sb
kept = [sb.view(dpctl.memory.MemoryUSMShared(64)) for _ in range(8)]
capsules = [v.__dlpack__(max_version=(1, 3)) for v in kept]
interfaces = [v.__sycl_usm_array_interface__ for v in kept]
"""


def test_usm_memory_may_live_until_the_interpreter_ends():
    done = child("-c", AT_EXIT)
    assert (done.returncode, done.stderr) == (0, "")
