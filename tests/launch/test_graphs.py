"""Launches on streams that are captured: the graph has them, and keeps their arrays until it is gone."""

import gc
import time
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = """
struct View { float* data; int n; };
__global__ void twice(float* p, float by) { p[0] *= by; }
__global__ void viewed(View v, const float* x) { v.data[0] += x[0]; }
"""
STREAM = 0x60
WAITED = ("wait", "event", "record", "ask", "event wait")


@pytest.fixture
def lib(fake):
    return fake.knows(sb.compile(SOURCE, dialect="cuda", name="graphs"))


@pytest.fixture
def stream(fake):
    return fake.stream()


GIVEN = {
    "the core": lambda launch, lib, x: launch(sb.view(x), 2.0),
    "the plan": lambda launch, lib, x: launch(p=x, by=2),
    "a struct": lambda launch, lib, x: launch(lib.View(x, 1), x),
    "a stream's object": lambda launch, lib, x: launch(x, 2.0),
}


@pytest.mark.hardware
@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize("way", GIVEN)
def test_a_graph_has_what_is_launched(way, wait, lib, fake, stream):
    x = fake.array(np.ones(1, np.float32))
    alive = weakref.ref(x)
    kernel = lib.viewed if way == "a struct" else lib.twice
    said = SimpleNamespace(cuda_stream=stream) if way == "a stream's object" else stream
    launch = kernel.configured(grid=1, block=1, stream=said, wait=wait)
    before = [fake.calls(name) for name in WAITED]
    with fake.capture(stream) as recorded:
        pending = GIVEN[way](launch, lib, x)
    assert (len(recorded), fake.launches) == (1, [])
    assert [fake.calls(name) for name in WAITED] == before
    assert x.array[0] == 1
    fake.replay(recorded), fake.replay(recorded)
    assert x.array[0] == 4
    if wait:
        assert pending is None
    else:
        assert repr(pending) == f"<launch of {kernel.__name__}: recorded into a graph>"
        for asked in (pending.wait, lambda one=pending: one.done):
            with pytest.raises(sb.LaunchError, match="recorded into a graph: it runs when that is launched"):
                asked()
    del x, pending
    fake.arrays.clear()
    gc.collect()
    assert alive() is not None
    fake.drop_graph()
    y = fake.array(np.ones(1, np.float32))
    lib.twice.configured(grid=1, block=1, stream=stream, wait=False)(y, 3).wait()  # as before it
    gc.collect()
    until = time.monotonic() + 5
    while alive() is not None and time.monotonic() < until:  # NVIDIA's driver says it when it likes
        lib.twice.configured(grid=1, block=1, stream=stream, wait=False)(y, 1).wait()
        gc.collect()
    assert alive() is None
    assert y.array[0] == 3


@pytest.mark.hardware
def test_what_is_wrong_leaves_the_capture_alone(lib, fake, stream):
    with fake.capture(stream) as recorded:
        for wait in (True, False):
            with pytest.raises(sb.ArrayError, match="in host memory"):
                lib.twice.configured(grid=1, block=1, stream=stream, wait=wait)(np.ones(1, "f4"), 2.0)
    assert not recorded


def test_on_hip(hip):
    source = "__global__ void twice_hip(float* p, float by) { p[0] *= by; }"
    lib = hip.knows(sb.compile(source, dialect="hip", name="graphs_hip"), source)
    x = hip.array(np.ones(1, np.float32))
    alive = weakref.ref(x)
    with hip.capture(STREAM) as recorded:
        lib.twice_hip[1, 1, STREAM](x, 2.0)
    assert len(recorded) == 1
    del x
    gc.collect()
    assert alive() is not None
    hip.library.fake_destroy_graph()
    y = hip.array(np.ones(1, np.float32))
    lib.twice_hip.configured(grid=1, block=1, stream=STREAM, wait=False)(y, 2.0).wait()
    gc.collect()
    assert alive() is None
