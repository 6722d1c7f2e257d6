"""sb.synchronize(): waits for what nobody has waited for, and is the error of what has failed."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import samebytes as sb
from samebytes.launch import pending, tracks

pytestmark = pytest.mark.full

SOURCE = """
__global__ void one(float* p) { *p += 1; }
__global__ void two(float* p) { *p += 2; }
"""


@pytest.fixture
def lib(fake):
    yield fake.knows(sb.compile(SOURCE, dialect="cuda", name="synchronized"))
    fake.library.fake_hold(0), fake.library.fake_fail_later(0)
    tracks._unsaid.clear()


def sent(kernel, *arguments, stream=0x40):
    return kernel.configured(grid=1, block=1, stream=stream, wait=False)(*arguments)


@pytest.mark.hardware
def test_it_waits_for_every_stream(lib, fake):
    x = fake.array(np.zeros(1, np.float32))
    launches = [sent(lib.one, x, stream=stream) for stream in (None, fake.stream(), fake.stream())]
    assert sb.synchronize() is None
    assert all(launch._number <= launch._launch._track.done for launch in launches)
    assert x.array[0] == 3


@pytest.mark.parametrize(
    ("device", "waits"),
    [
        (None, 1),
        ("cuda", 1),
        ("cuda:0", 1),
        ("view", 1),
        ("cuda:1", 0),
        ("hip", 0),
        ("sycl", 0),
        ("hip:0", 0),
    ],
)
def test_the_device_says_for_which(device, waits, lib, fake):
    x = fake.array(np.zeros(1, np.float32))
    sb.synchronize()
    fake.library.fake_hold(1)
    launch = sent(lib.one, x)
    before = fake.calls("event wait")
    sb.synchronize(sb.view(x).device if device == "view" else device)
    assert fake.calls("event wait") - before == waits
    assert (launch._number <= launch._launch._track.done) == bool(waits)
    sb.synchronize()  # there is nothing left to wait for, or one event
    assert fake.calls("event wait") - before == 1


def test_what_failed_is_said_once(lib, fake):
    x = fake.array(np.zeros(1, np.float32))
    sent(lib.two, x).wait()
    fake.library.fake_hold(1)
    launches = sent(lib.one, x), sent(lib.two, x, stream=0x41)
    fake.library.fake_fail_later(700)
    words = r"^synchronize\(\) cuEventSynchronize\(\) failed: CUDA_ERROR_ILL.*last wait: (one, two|two, one)$"
    with pytest.raises(sb.LaunchError, match=words):
        sb.synchronize("cuda")
    fake.library.fake_fail_later(0)
    sb.synchronize()
    for launch in launches:
        with pytest.raises(sb.LaunchError, match="launched since the last wait"):
            launch.wait()


def test_what_a_later_launch_has_noticed_is_said(lib, fake):
    x = fake.array(np.zeros(1, np.float32))
    sb.synchronize()
    fake.library.fake_hold(1)
    sent(lib.one, x)
    fake.library.fake_fail_later(700)
    tracks.collect(lib.one._loaded().device)  # as a later launch does
    fake.library.fake_fail_later(0)
    sent(lib.two, x).wait()
    with pytest.raises(sb.LaunchError, match=r"synchronize\(\) .*launched since the last wait: one$"):
        sb.synchronize()
    sb.synchronize()


def test_what_a_wait_has_said_is_not_said_again(lib, fake):
    fake.library.fake_hold(1)
    launch = sent(lib.one, fake.array(np.zeros(1, np.float32)))
    fake.library.fake_fail_later(700)
    with pytest.raises(sb.LaunchError, match="since the last wait: one"):
        launch.wait()
    fake.library.fake_fail_later(0)
    assert sb.synchronize() is None


@pytest.mark.parametrize("device", ["cude", "cuda:x", 0, "sycl:gpu", object()])
def test_what_is_no_device_is_refused(device):
    with pytest.raises(sb.ArgumentError, match=r"synchronize\(\) device is 'cuda', 'hip' or 'sycl', .*got"):
        sb.synchronize(device)


class SyclQueue:
    """As dpctl's, of which only the name is asked."""


def test_queues_of_sycl_are_places_of_launches(monkeypatch):
    queues = [SyclQueue(), SyclQueue()]
    waited = []

    def place(number):
        return SimpleNamespace(
            queue=queues[number], memory=f"sycl:{number}", drop=lambda event: None,
            await_event=waited.append, has_happened=lambda event: event in waited,
        )  # fmt: skip

    places = [Place(place(0)), Place(place(1))]
    running = {p: [pending.Pending("k", p, 10 * n + i, ()) for i in (1, 2)] for n, p in enumerate(places)}
    monkeypatch.setattr(pending, "_running", running)
    sb.synchronize("cuda")
    assert not waited
    sb.synchronize(queues[1])
    assert waited == [11, 12]
    sb.synchronize(SimpleNamespace(sycl_queue=queues[1]))
    sb.synchronize("sycl:0")
    assert waited == [11, 12, 1, 2]
    assert all(not left for left in running.values())


class Place:
    """What is launched to, by itself."""

    def __init__(self, facts):
        self.__dict__.update(vars(facts))


def test_a_program_that_launches_nothing_asks_no_driver():
    done = subprocess.run(
        [sys.executable, "-c", "import samebytes as sb; sb.synchronize(); sb.synchronize('cuda')"],
        env={"PATH": "", "SAMEBYTES_CUDA_DRIVER": "/nonexistent"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
