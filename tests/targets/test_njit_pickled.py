"""Compiled functions that use a library are pickled, and CUDA's simulator is refused in words."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full

MAKES = """
import pickle, sys
import samebytes as sb
from numba import njit
lib = sb.compile('''struct S { int a; }; namespace n { inline int g(int a) { return a + 1; } }
inline int f(S s, int b = 1) { return s.a + b; }''', target="numba", name="pickled_use")
g = lib.n.g

@njit
def use(k):
    return lib.f(lib.S(k)) * 10 + g(k)

sys.stdout.buffer.write(pickle.dumps(use) if sys.argv[1] == "cold" else (use(1), pickle.dumps(use))[1])
"""
USES = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read())(4))"


@pytest.mark.parametrize("when", ["cold", "called"])
def test_in_another_process(when: str) -> None:
    made = subprocess.run([sys.executable, "-c", MAKES, when], capture_output=True, check=True)
    used = subprocess.run([sys.executable, "-c", USES], input=made.stdout, capture_output=True, check=False)
    assert used.stdout.split() == [b"55"], used.stderr.decode()[-2000:]


def test_simulator() -> None:
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed")
    text = "import samebytes as sb; sb.compile('__device__ int f(int a) { return a; }', target='numba_cuda')"
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, env=environment, check=False
    )
    assert "NUMBA_ENABLE_CUDASIM=1 puts its simulator" in done.stderr
