"""The stream of a launch whose caller names none: the current one of the arrays' libraries, as these say it."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from device import Memory

import samebytes as sb
from samebytes.launch import streams

pytestmark = pytest.mark.full

SOURCE = """
__global__ void twice(float* p, const float* q, int n) { for (int i = 0; i < n; ++i) p[i] = 2 * q[i]; }
struct View { float* data; };
__global__ void viewed(View v) { *v.data = 1; }
"""


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="streams"))


@pytest.fixture
def libraries(monkeypatch):
    """Stand-ins for torch and CuPy: their current streams, and classes of arrays of theirs."""
    now = SimpleNamespace(torch=0, cupy=0)
    torch, cupy = ModuleType("torch_of_tests"), ModuleType("cupy")
    torch.cuda = SimpleNamespace(
        current_stream=lambda device=None: SimpleNamespace(cuda_stream=now.torch, device=device)
    )
    cupy.cuda = SimpleNamespace(get_current_stream=lambda: SimpleNamespace(ptr=now.cupy))
    now.Tensor = type("Tensor", (Memory,), {"__module__": "torch_of_tests", "is_cuda": True})
    now.ndarray = type("ndarray", (Memory,), {"__module__": "cupy"})
    # By another name, as the core remembers torch's own classes.
    monkeypatch.setitem(streams._CURRENT, "torch_of_tests", streams._CURRENT["torch"])
    monkeypatch.setitem(sys.modules, "torch_of_tests", torch)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    return now


def made(fake, cls):
    fake.arrays.append(np.ones(1, np.float32))
    return cls(fake.arrays[-1])


@pytest.mark.parametrize("library", ["torch", "cupy"])
@pytest.mark.parametrize("waits", [True, False])
def test_it_is_the_current_stream_of_the_arrays_library(library, waits, lib, fake, libraries):
    x = made(fake, libraries.ndarray if library == "cupy" else libraries.Tensor)
    plain = fake.array(np.ones(1, np.float32))
    launch = lib.twice.configured(grid=1, block=1, wait=waits)
    for handle, seen in ((0x71, 0x71), (0x72, 0x72), (0, 0), (1, 0), (0x71, 0x71)):
        setattr(libraries, library, handle)
        launch(plain, x, 1)
        assert fake.launches[-1].stream == seen
    lib.twice.configured(grid=1, block=1, stream=0x50, wait=waits)(plain, x, 1)
    assert fake.launches[-1].stream == 0x50
    launch(plain, plain, n=1)
    assert fake.launches[-1].stream == 0


def test_it_is_found_in_tuples(lib, fake, libraries):
    libraries.torch = 0x71
    lib.viewed[1, 1]((made(fake, libraries.Tensor),))
    assert fake.launches[-1].stream == 0x71


def test_different_ones_are_for_the_caller_to_choose_from(lib, fake, libraries):
    libraries.torch, libraries.cupy = 0x71, 0x72
    x, y = made(fake, libraries.Tensor), made(fake, libraries.ndarray)
    told = r"\(0x71 of torch_of_tests, 0x72 of cupy\): stream= says which"
    words = rf"twice\(\) its arrays' libraries have different current streams {told}"
    with pytest.raises(sb.ArgumentError, match=words):
        lib.twice[1, 1](x, y, 1)
    assert not fake.launches
    lib.twice[1, 1, 0x72](x, y, 1)
    libraries.cupy = 0x71
    lib.twice[1, 1](x, y, 1)
    assert [one.stream for one in fake.launches] == [0x72, 0x71]
