"""The driver may wait for a callback of Python's: no launch keeps the GIL from it, nor what comes behind launches."""

import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import samebytes as sb
from samebytes.launch import tracks

pytestmark = [
    pytest.mark.optimised,  # what is proven depends on what the optimiser leaves
    pytest.mark.full,
]

SOURCE = "__global__ void set(float* p, float v) { *p = v; }"
STREAM = 0x50  # of which each launch has its own event
ASKED = ("capturing", "launch", "event", "record", "ask", "destroy", "event wait")


@pytest.fixture
def lib(fake):
    yield fake.knows(sb.compile(SOURCE, dialect="cuda", name="gil"))
    fake.library.fake_hold(0)
    for track in list(tracks._tracks.values()):
        assert track.wait(track.launched) == track.collect() == 0
        assert not track.running()


def one(fake):
    return fake.array(np.zeros(1, np.float32))


@pytest.mark.parametrize("where", ASKED)
def test_a_launch_waits_for_a_callback(where, lib, fake):
    launch, x, seen = lib.set.configured(grid=1, block=1, stream=STREAM, wait=False), sb.view(one(fake)), []
    fake.calls_back(where, lambda: seen.append(threading.get_ident()))
    launch(x, 3.0)
    fake.library.fake_hold(where == "event wait")
    launch(x, 4.0).wait()
    assert len(seen) == 1
    assert seen[0] != threading.get_ident()
    assert fake.arrays[-1][0] == 4


@pytest.mark.parametrize("where", ["launch", "record", "ask"])
def test_so_does_one_by_the_plan(where, lib, fake):
    launch, x, seen = lib.set.configured(grid=1, block=1, stream=STREAM, wait=False), one(fake), []
    fake.calls_back(where, lambda: seen.append(1))
    launch(p=x, v=3).wait()
    assert (seen, x.array[0]) == ([1], 3)


@pytest.mark.parametrize("where", ["launch", "wait"])
def test_so_does_one_that_waits(where, lib, fake):
    x, seen = one(fake), []
    fake.calls_back(where, lambda: seen.append(1))
    lib.set[1, 1](x, 3)
    assert (seen, x.array[0]) == ([1], 3)


def test_so_does_one_of_hip(hip):
    source = "__global__ void set_hip(float* p, float v) { *p = v; }"
    lib = hip.knows(sb.compile(source, dialect="hip", name="gil_hip"), source)
    launch, x, seen = (
        lib.set_hip.configured(grid=1, block=1, stream=STREAM, wait=False),
        sb.view(one(hip)),
        [],
    )
    for where in ASKED:
        hip.calls_back(where, lambda where=where: seen.append(where))
        launch(x, 3.0)
        hip.library.fake_hold(where == "event wait")
        launch(x, 4.0).wait()
    assert seen == list(ASKED)


def test_who_keeps_the_gil_keeps_it(lib, fake):
    x, seen = one(fake), []
    kept = lib.set.configured(grid=1, block=1, stream=STREAM, wait=False, nogil=False)
    x = sb.view(one(fake))
    kept(x, 1.0).wait(), kept(x, 2.0).wait()
    fake.calls_back("launch", lambda: seen.append(1), patience=50)
    with pytest.raises(sb.LaunchError, match="the function of the host did not return"):
        kept(x, 3.0)
    fake.calls_back("record", lambda: seen.append(2))  # what comes behind a launch never does
    kept(x, 4.0).wait()
    assert (seen, fake.arrays[-1][0]) == ([1, 2], 4)
    assert lib.set.for_each(1, wait=False, nogil=False)(x, 5).wait() is None
    for said, words in (
        ({"nogil": False}, "nogil=False is for wait=False: who waits releases the GIL"),
        ({"nogil": 1, "wait": False}, "nogil is True or False, got 1"),
    ):
        with pytest.raises(sb.ArgumentError, match=words):
            lib.set.configured(grid=1, **said)


@pytest.mark.parametrize("where", ["launch", "event", "record", "event wait"])
def test_others_launch_meanwhile(where, lib, fake):
    """What a callback launches on the same stream has its own number, event and arrays."""
    launch, made, alive = lib.set.configured(grid=1, block=1, stream=STREAM, wait=False), [], []
    warm = one(fake)
    launch(warm, 1.0), launch(warm, 2.0)
    fake.library.fake_hold(1)

    def send(value):
        x = one(fake)
        alive.append(weakref.ref(x))
        made.append(launch(x, value))
        fake.arrays.pop()

    fake.calls_back(where, lambda: send(1.0))
    send(2.0)
    if where == "event wait":
        made[0].wait()
    gc.collect()
    numbers = [one._number for one in made]
    assert len(set(numbers)) == 2
    assert sorted(numbers) == [max(numbers) - 1, max(numbers)]
    fake.library.fake_hold(0)
    [one.wait() for one in made]
    assert [one.done for one in made] == [True, True]
    gc.collect()
    assert [one() for one in alive] == [None, None]


def test_many_threads_launch_at_once(lib, fake):
    """On one stream, with one event behind 64 of all their launches."""
    launch, x = lib.set.configured(grid=1, block=1, wait=False), sb.view(one(fake))
    launch(x, 1.0), launch(x, 2.0).wait()
    track, errors = launch._track, []
    before, held, interval = track.launched, sys.getrefcount(x), sys.getswitchinterval()
    events = fake.calls("event") - fake.calls("destroy")

    def run(turn):
        try:
            for i in range(2000):
                pending = launch(x, 3.0)
                if i % 97 == turn:
                    pending.wait()
                    assert pending.done
        except BaseException as error:
            errors.append(error)

    fake.library.fake_on_launch(None)
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=run, args=(turn,)) for turn in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    finally:
        sys.setswitchinterval(interval)
        fake.library.fake_on_launch(fake._hook)
    assert not errors
    assert track.launched == before + 8000
    launch(x, 4).wait()
    assert track.collect() == 0
    assert (track.done, track.running()) == (track.launched, [])
    assert fake.calls("event") - fake.calls("destroy") == events
    gc.collect()
    assert sys.getrefcount(x) == held
