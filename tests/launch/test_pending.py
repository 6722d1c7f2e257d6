"""Launches that nobody waits for: what keeps their arrays, how streams are ordered, and whose error it is."""

import gc
import subprocess
import sys
import threading
import weakref
from ctypes import c_void_p

import numpy as np
import pytest

import samebytes as sb
from samebytes.launch import tracks

pytestmark = pytest.mark.full

SOURCE = """
struct View { float* data; int n; };
__global__ void twice(float* p, int n) { for (int i = 0; i < n; ++i) p[i] *= 2; }
__global__ void viewed(View v, const float* x) { for (int i = 0; i < v.n; ++i) v.data[i] += x[i]; }
__global__ void two(float* p) { *p = 1; }
__global__ void two(double* p) { *p = 2; }
"""
STREAM = 0x40


@pytest.fixture
def lib(fake):
    yield fake.knows(sb.compile(SOURCE, dialect="cuda", name="pending"))
    fake.library.fake_hold(0)
    fake.library.fake_fail_later(0)
    for track in list(tracks._tracks.values()):
        assert track.wait(track.launched) == 0
        assert track.collect() == 0
        assert not track.running()


def sent(kernel, *arguments, stream=STREAM):
    return kernel.configured(grid=1, block=1, stream=stream, wait=False)(*arguments)


def test_it_is_done_when_its_event_has_happened(lib, fake):
    x, before = fake.array(np.ones(2, np.float32)), fake.calls("wait")
    fake.library.fake_hold(1)
    launch = sent(lib.twice, x, 2)
    assert (launch.done, repr(launch), launch.kernel) == (False, "<launch of twice: running>", "twice")
    assert fake.calls("wait") == before  # the host has not waited
    fake.library.fake_hold(0)
    assert (launch.done, repr(launch)) == (True, "<launch of twice: done>")
    assert launch.wait() is None
    assert x.array.tolist() == [2, 2]
    assert sent(lib.two, fake.array(np.zeros(1))).wait() is None


def test_waiting_waits_for_the_event(lib, fake):
    fake.library.fake_hold(1)
    launch = sent(lib.twice, fake.array(np.ones(2, np.float32)), 2)
    before = fake.calls("event wait")
    launch.wait(), launch.wait()
    assert fake.calls("event wait") == before + 1
    assert launch.done


@pytest.mark.parametrize("kind", ["array", "tuple", "record", "pointer"])
def test_arrays_live_until_it_has_run(kind, lib, fake):
    x = fake.array(np.ones(2, np.float32))
    alive = weakref.ref(x)
    fake.library.fake_hold(1)
    if kind == "array":
        sent(lib.twice, x, 2)
    elif kind == "pointer":
        # Of a record that is gone.
        sent(lib.viewed, (lib.View(x, 2).data, 2), fake.array(np.ones(2, np.float32)))
    else:
        sent(lib.viewed, (x, 2) if kind == "tuple" else lib.View(x, 2), fake.array(np.ones(2, np.float32)))
    del x
    fake.arrays.clear()
    gc.collect()
    assert alive() is not None
    fake.library.fake_hold(0)
    sent(lib.two, fake.array(np.zeros(1))).wait()  # a later launch lets go of it
    gc.collect()
    assert alive() is None


def test_events_are_given_back(lib, fake):
    counts = fake.calls("event"), fake.calls("destroy")
    x = fake.array(np.ones(2, np.float32))
    for _ in range(20):
        last = sent(lib.twice, x, 2)
    last.wait()
    made, dropped = fake.calls("event") - counts[0], fake.calls("destroy") - counts[1]
    assert made == dropped == 20  # whose stream may end behind a handle's back: each launch has its own


def test_one_event_is_behind_many_launches(lib, fake):
    def counts():
        return [fake.calls(name) for name in ("launch", "event", "record", "destroy", "wait")]

    x, before = fake.array(np.ones(1, np.float32)), counts()
    launch = lib.two.configured(grid=1, block=1, wait=False)
    for _ in range(128):
        launch(x)
    assert [a - b for a, b in zip(counts(), before, strict=True)] == [128, 2, 2, 2, 0]
    last = launch(x)
    last.wait(), last.wait()
    assert [a - b for a, b in zip(counts(), before, strict=True)] == [129, 3, 3, 3, 0]


def test_large_arrays_wait_for_no_other_launches(lib, fake):
    large = np.zeros(1 << 22, np.float32)
    launch = lib.viewed.configured(grid=1, block=1, wait=False)
    alive, before = [], fake.calls("event")
    for _ in range(4):
        x = fake.array(np.zeros(1, np.float32))
        x.__cuda_array_interface__ = sb.view(large).__array_interface__ | {"version": 3}
        alive.append(weakref.ref(x))
        launch((None, 0), x)
        del x
    assert fake.calls("event") == before + 4
    fake.arrays.clear()
    assert sum(one() is not None for one in alive) <= 1


@pytest.mark.parametrize(("stream", "consumer"), [(STREAM, STREAM), (None, 1), (0, 1)])
def test_the_streams_of_arrays_come_before_without_the_host(stream, consumer, lib, fake):
    def orders(producer):
        return fake.library.fake_orders(c_void_p(consumer), c_void_p(producer))

    x = fake.array(np.ones(2, np.float32), stream=0x71)
    y = fake.array(np.ones(2, np.float32), stream=0x72)
    before, waits = (orders(0x71), orders(0x72)), fake.calls("wait")
    sent(lib.viewed, lib.View(y, 2), x, stream=stream)
    assert (orders(0x71), orders(0x72)) == (before[0] + 1, before[1] + 1)
    assert fake.calls("wait") == waits
    same = fake.array(np.ones(2, np.float32), stream=consumer)
    sent(lib.twice, same, 2, stream=stream)
    assert not orders(consumer)


def test_a_failure_is_that_of_all_since_the_last_wait(lib, fake):
    x = fake.array(np.ones(2, np.float32))
    sent(lib.twice, x, 2).wait()
    fake.library.fake_hold(1)
    first, second = sent(lib.viewed, (x, 2), x), sent(lib.twice, x, 2)
    fake.library.fake_fail_later(700)
    words = r"ILLEGAL_ADDRESS.*; launched since the last wait: viewed, twice"
    with pytest.raises(sb.LaunchError, match=rf"twice\(\) cuEventSynchronize\(\) failed: .*{words}"):
        second.wait()
    fake.library.fake_fail_later(0)
    for again in (first.wait, second.wait, lambda: first.done):
        with pytest.raises(sb.LaunchError, match=words):
            again()
    assert repr(first) == "<launch of viewed: failed>"
    sent(lib.twice, x, 2).wait()


def test_a_launch_that_waits_says_what_else_may_have_failed(lib, fake):
    x = fake.array(np.ones(2, np.float32))
    fake.library.fake_hold(1)
    sent(lib.viewed, (x, 2), x)
    fake.code = 700
    with pytest.raises(
        sb.LaunchError, match=r"twice\(\) cuLaunchKernel.*; launched before it, and not waited for: viewed"
    ):
        lib.twice[1, 1](x, 2)
    fake.code = 0


def test_what_is_refused_is_not_launched(lib, fake):
    x = fake.array(np.ones(2, np.float32))
    with pytest.raises(sb.ArrayError, match="in host memory"):
        sent(lib.twice, np.ones(2, np.float32), 2)
    with pytest.raises(sb.ArgumentError, match="wait is True or False, got 1"):
        lib.twice.configured(grid=1, wait=1)
    fake.library.fake_other_context.restype = c_void_p
    with pytest.raises(sb.LaunchError, match=r"twice\(\) the capture of its stream has failed before"):
        sent(lib.twice, x, 2, stream=fake.library.fake_other_context())
    assert not fake.launches


def test_a_launch_for_an_argument_of_another_has_its_own_arrays(lib, fake):
    x, inner = fake.array(np.ones(2, np.float32)), [fake.array(np.ones(2, np.float32))]
    alive = weakref.ref(inner[0])

    class Launches:
        """Its array is computed when it is asked for."""

        @property
        def __cuda_array_interface__(self):
            sent(lib.twice, inner[0], 2).wait()
            return x.__cuda_array_interface__

    fake.library.fake_hold(1)
    sent(lib.twice, Launches(), 2)
    fake.arrays.clear()
    inner.clear()
    gc.collect()
    assert alive() is None


def test_what_may_run_for_ever_keeps_its_arrays(lib, fake):
    x = fake.array(np.ones(2, np.float32))
    alive = weakref.ref(x)
    fake.library.fake_fail_recording(700)
    with pytest.raises(
        sb.LaunchError, match=r"twice\(\) was launched, and then cuEventRecord\(\) failed: CUDA_ERROR_ILL"
    ):
        sent(lib.twice, x, 2)
    fake.library.fake_fail_recording(0)
    fake.arrays.clear()
    del x
    gc.collect()
    assert alive() is not None
    sent(lib.two, fake.array(np.zeros(1, np.float32))).wait()  # an event is behind it, after all
    gc.collect()
    assert alive() is None


def test_threads_launch_side_by_side(lib, fake):
    arrays = [fake.array(np.ones(1, np.float32)) for _ in range(4)]
    errors = []

    def run(x):
        try:
            for _ in range(5):
                sent(lib.twice, x, 1).wait()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(x,)) for x in arrays]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not errors


def test_a_program_ends_after_what_it_launched(lib, fake, tmp_path):
    script = f"""
import sys
sys.path[:0] = {sys.path!r}
import numpy as np
from pathlib import Path
from device import Fake
import samebytes as sb
fake = Fake(Path({str(fake.path)!r}))
lib = fake.knows(sb.compile({SOURCE!r}, dialect="cuda", name="ending"))
fake.library.fake_hold(1)
import atexit
from samebytes.launch import tracks
atexit.unregister(tracks._await_all)
atexit.register(lambda: print("waits", fake.calls("event wait")))
atexit.register(tracks._await_all)
lib.twice.configured(grid=1, block=1, wait=False)(fake.array(np.ones(1, np.float32)), 1)
print("launched", fake.calls("event wait"))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["launched 0", "waits 1"], done.stderr
