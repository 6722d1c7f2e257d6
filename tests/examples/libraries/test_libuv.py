"""libuv from its own headers: handles that are records of the caller's, callbacks from its loop and its threads."""

from __future__ import annotations

import ctypes.util
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module")
def uv(needs: Callable[[str, str], None]) -> Any:
    needs("uv.h", "libuv1-dev")
    library = ctypes.util.find_library("uv")
    if library is None:
        pytest.skip("libuv is not there: apt install libuv1")
    return sb.bind("uv.h", library=library, style="c_api")


@pytest.fixture
def loop(uv: Any) -> Any:
    made = uv.uv_loop_t()
    assert uv.uv_loop_init(made) == 0
    yield made
    assert uv.uv_loop_close(made) == 0


def run(uv: Any, loop: Any) -> None:
    assert uv.uv_run(loop, uv.UV_RUN_DEFAULT) == 0


def test_a_timer(uv: Any, loop: Any) -> None:
    timer, ticks = uv.uv_timer_t(), []
    uv.uv_timer_init(loop, timer)

    @uv.uv_timer_cb
    def tick(handle: Any) -> None:
        ticks.append((type(handle), int(handle.loop), handle.loop.active_handles))
        if len(ticks) == 3:
            uv.uv_close(int(handle), None)  # a uv_handle_t, in C by a cast

    assert uv.uv_timer_start(timer, tick, 1, 1) == 0
    assert int(timer.loop) == int(loop)
    run(uv, loop)
    assert ticks == [(uv.uv_timer_t, int(loop), 1)] * 3


def test_work_in_threads(uv: Any, loop: Any) -> None:
    requests = [uv.uv_work_t(data=n) for n in range(4)]
    worked: dict[int, int] = {}
    ended: list[tuple[int, int]] = []
    work = uv.uv_work_cb(lambda request: worked.update({int(request.data): threading.get_ident()}))
    after = uv.uv_after_work_cb(lambda request, status: ended.append((int(request.data), status)))
    for request in requests:
        assert uv.uv_queue_work(loop, request, work, after) == 0
    run(uv, loop)
    assert sorted(ended) == [(n, 0) for n in range(4)]
    assert sorted(worked) == [0, 1, 2, 3]
    assert threading.get_ident() not in worked.values()


def test_files(uv: Any, loop: Any, tmp_path: Path) -> None:
    path = tmp_path / "field.txt"
    path.write_bytes(b"oats\n" * 7)
    request = uv.uv_fs_t()
    assert uv.uv_fs_stat(loop, request, str(path), None) == 0
    real = os.stat(path)
    assert (request.statbuf.st_size, request.statbuf.st_ino) == (35, real.st_ino)
    assert request.statbuf.st_mtim.tv_sec == int(real.st_mtime)
    uv.uv_fs_req_cleanup(request)
    status = uv.uv_fs_stat(loop, request, str(tmp_path / "nowhere"), None)
    assert status == uv.UV_ENOENT
    assert uv.uv_strerror(status) == "no such file or directory"
    uv.uv_fs_req_cleanup(request)


def test_a_process(uv: Any, loop: Any) -> None:
    """Options with a list of words, callbacks that the record keeps, and the size of a union."""
    exits = []

    def ended(process: Any, status: int, signal: int) -> None:
        exits.append((process.pid > 0, status, signal))
        uv.uv_close(int(process), None)

    words = [bytearray(word + b"\0") for word in (b"sh", b"-c", b"exit 3")]
    options = uv.uv_process_options_t(file="/bin/sh", args=[*words, None], exit_cb=ended)
    process = uv.uv_process_t()
    assert uv.uv_spawn(loop, process, options) == 0
    run(uv, loop)
    assert exits == [(True, 3, 0)]


def test_an_exception_in_a_callback(uv: Any, loop: Any) -> None:
    timer = uv.uv_timer_t()
    uv.uv_timer_init(loop, timer)

    @uv.uv_timer_cb
    def tick(handle: Any) -> None:
        uv.uv_close(int(handle), None)
        raise KeyError("barley")

    uv.uv_timer_start(timer, tick, 0, 0)
    with pytest.raises(KeyError, match="barley"):
        uv.uv_run(loop, uv.UV_RUN_DEFAULT)


def test_what_is_wrong_is_refused(uv: Any, loop: Any) -> None:
    timer = uv.uv_timer_t()
    uv.uv_timer_init(loop, timer)
    with pytest.raises(sb.Error, match=r"uv_close\(\) argument 1 'handle'.*uv_handle_s"):
        uv.uv_close(timer, None)
    with pytest.raises(sb.ArgumentError, match=r"uv_timer_start\(\) argument 2 'cb'"):
        uv.uv_timer_start(timer, 1.5, 0, 0)
    with pytest.raises(sb.ArgumentError, match="passes 1 argument"):
        uv.uv_timer_start(timer, lambda: None, 0, 0)
    uv.uv_close(int(timer), None)
    run(uv, loop)
