"""The lock of a cache's shelf, and the threads that build: in turn, at once, and never left behind by a fork."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from samebytes.errors import BindError
from samebytes.toolchain.cache import Cache, Inputs
from samebytes.toolchain.locking import lock as file_lock
from samebytes.toolchain.parallel import beside, each, said_if_long


def held(path: Path) -> bool:
    """Whether another has the lock."""
    try:
        with file_lock(path, wait=False):
            return False
    except TimeoutError:
        return True


def test_threads_and_processes_take_it_in_turn(tmp_path: Path) -> None:
    """Each reads a number, rests, and writes the next one."""
    program = (
        "import sys, threading, time\n"
        "from pathlib import Path\n"
        "from samebytes.toolchain.locking import lock\n"
        "number = Path(sys.argv[1], 'number')\n"
        "def count():\n"
        "    for _ in range(20):\n"
        "        with lock(Path(sys.argv[1], 'lock')):\n"
        "            found = int(number.read_text()); time.sleep(0.0005); number.write_text(str(found + 1))\n"
        "threads = [threading.Thread(target=count) for _ in range(3)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
    )
    (tmp_path / "number").write_text("0")
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path)]) for _ in range(3)]
    assert [process.wait() for process in running] == [0] * 3
    assert (tmp_path / "number").read_text() == "180"


def test_it_is_free_after_an_error_and_after_its_process(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with pytest.raises(ZeroDivisionError), file_lock(lock):
        _ = 1 / int(not held(lock))
    assert not held(lock)
    program = (
        "import os, sys\nfrom pathlib import Path\nfrom samebytes.toolchain.locking import lock\n"
        "lock(Path(sys.argv[1])).__enter__()\nos.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(lock)], check=False)
    assert not held(lock)


def test_a_child_of_a_fork_neither_keeps_nor_gives_back_what_its_parent_has(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    go_on = threading.Event()
    other = threading.Thread(target=lambda: _hold(lock, go_on))
    other.start()
    _until(lambda: held(lock))
    mine = tmp_path / "mine"
    with file_lock(mine) as had:
        if not (child := os.fork()):
            try:
                kept = held(lock) and held(mine)
            finally:
                os._exit(int(not kept))  # and the block would end in the child, too
        assert os.waitpid(child, 0)[1] == 0
        if not (child := os.fork()):
            had.release()
            time.sleep(30)
            os._exit(0)
        time.sleep(0.05)
        assert held(mine)
    go_on.set()
    other.join()
    try:
        assert not held(lock)  # while the child lives
        assert not held(mine)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def _hold(lock: Path, go_on: threading.Event) -> None:
    with file_lock(lock):
        go_on.wait(30)


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_a_removed_file_keeps_nobody_out(tmp_path: Path) -> None:
    """Who comes then waits for the one that is there."""
    path, taken = tmp_path / "lock", threading.Event()

    def wait() -> None:
        with file_lock(path):
            taken.set()

    waiting = threading.Thread(target=wait)
    with file_lock(path):
        path.unlink()
        inner = file_lock(path, wait=False)
        inner.acquire()
        waiting.start()
    assert not taken.wait(0.2)
    inner.release()
    assert taken.wait(10)
    waiting.join()


def test_links_are_refused(tmp_path: Path) -> None:
    (tmp_path / "target").touch()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="symbolic links"), file_lock(tmp_path / "link"):
        pass


def test_a_file_system_without_locks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", refuse)
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(
        BindError, match=r"has no locks .*set SAMEBYTES_CACHE_DIR to a directory on a local disk"
    ):
        Cache(tmp_path / "cache").get("r", lambda work: Inputs(()))
    assert len(os.listdir("/proc/self/fd")) == before


class TestEach:
    def test_in_order_and_at_once(self) -> None:
        both = threading.Barrier(min(2, os.cpu_count() or 1))

        def work(i: int) -> int:
            both.wait(10)
            return i * i

        assert each(work, [3, 1]) == [9, 1]
        assert each(lambda i: i + 1, list(range(100))) == list(range(1, 101))
        assert each(str, []) == []

    def test_the_first_error_in_order_is_raised_and_nothing_more_begun(self) -> None:
        begun = []

        def work(i: int) -> None:
            begun.append(i)
            time.sleep(0.01)
            raise ValueError(i)

        with pytest.raises(ValueError, match="0"):
            each(work, list(range(100)))
        assert len(begun) <= (os.cpu_count() or 1)
        assert not any(thread.name == "samebytes" for thread in threading.enumerate())

    def test_beside(self) -> None:
        done = []
        with beside(lambda: (time.sleep(0.02), done.append(1), 1 / 0)):
            assert not done
        assert done == [1]
        with pytest.raises(KeyError), beside(lambda: (time.sleep(0.02), done.append(2))):
            raise KeyError
        assert done == [1, 2]


@pytest.mark.parametrize(("lasts", "said"), [(0.3, "it is compiled\r\n"), (0.0, "")])
def test_who_waits_at_a_terminal_is_told_why(
    lasts: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = os.openpty()
    with open(theirs, "w") as terminal, open(ours, "rb", buffering=0) as shown:
        monkeypatch.setattr(sys, "stderr", terminal)
        with said_if_long("it is compiled", 0.1):
            time.sleep(lasts)
        os.set_blocking(ours, False)
        assert (shown.read(100) or b"").decode() == said


def test_nothing_is_said_elsewhere(capfd: pytest.CaptureFixture[str]) -> None:
    with said_if_long("it is compiled", 0.0):
        time.sleep(0.05)
    assert capfd.readouterr().err == ""
