"""Builds and calls that are interrupted, and places where they are hard: the right result, or one clear sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

# Each row builds in a process and a cache of its own.
pytestmark = pytest.mark.full

START = """
import os, resource, shutil, signal, sys, threading, time, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import samebytes as sb
CACHE = Path(os.environ["SAMEBYTES_CACHE_DIR"])
SOURCE = '''
#include <chrono>
#include <map>
#include <string>
#include <thread>
inline int size(const std::map<std::string, int>& m) { return static_cast<int>(m.size()); }
inline int apply(int (*f)(int), int x) { return f(x); }
inline int rest(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); return ms; }
'''
def built():
    return sb.compile(SOURCE, std="c++17", name="interrupted")
def interrupt(seconds):
    while seconds is None and not list(CACHE.glob("*/.build-*/*")):  # no build has begun
        time.sleep(0.01)
    time.sleep(seconds or 0)
    os.kill(os.getpid(), signal.SIGINT)
def interrupted(work, seconds=None):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where the tests run, it may be ignored
    threading.Thread(target=interrupt, args=(seconds,), daemon=True).start()
    try:
        work()
    except KeyboardInterrupt:
        return "interrupted"
"""

# What runs, and what it says.
ROWS: dict[str, tuple[str, str]] = {
    "Ctrl-C in a build": (
        """
        print(interrupted(built))
        assert not list(CACHE.glob("*/.build-*"))
        print(built().size({"a": 1}))
        """,
        "interrupted 1",
    ),
    "Ctrl-C in a callback": (
        """
        lib = built()
        def busy(x):
            end = time.monotonic() + 20
            while time.monotonic() < end: pass
            return x
        print(interrupted(lambda: lib.apply(busy, 1), 0.3), lib.apply(lambda x: x, 3))
        """,
        "interrupted 3",
    ),
    "Ctrl-C in a long call": (
        """
        lib = built()
        print(interrupted(lambda: (lib.rest(700), time.sleep(0.1)), 0.2), lib.rest(1))
        """,
        "interrupted 1",
    ),
    "the cache is removed in a build, twice": (
        """
        built()
        shutil.rmtree(CACHE)
        def remove():
            for n in range(2):
                while not list(CACHE.glob("*/.build-*/shims.o")) + list(CACHE.glob("*/.build-*/shims.cpp")):
                    time.sleep(0.01)
                CACHE.rename(f"{CACHE}{n}")
        thread = threading.Thread(target=remove)
        thread.start()
        print(sb.compile(SOURCE, std="c++17", name="again").size({}))
        thread.join()
        """,
        "0",
    ),
    "no room for files": (
        """
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        try:
            built()
        except sb.BindError as error:
            print("cannot be written to" in str(error), str(CACHE) in str(error))
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(built().size({"a": 1}))
        """,
        "True True 1",
    ),
    "a header from the future": (
        """
        header = CACHE.parent / "future.hpp"
        header.write_text("inline int future() { return 7; }")
        os.utime(header, (time.time() + 1e6,) * 2)
        print(sb.bind(header).future(), sb.bind(header).future())
        """,
        "7 7",
    ),
    "names of folders": (
        """
        folder = CACHE.parent / "ä b#c$d'e (1)"
        folder.mkdir()
        os.environ["SAMEBYTES_CACHE_DIR"] = str(folder / "the cache")
        (folder / "inner.hpp").write_text("inline int inner() { return 1; }")
        (folder / "outer.hpp").write_text('#include "inner.hpp"\\ninline int outer() { return inner() + 1; }')
        print(sb.bind(folder / "outer.hpp").outer())
        (folder / "inner.hpp").write_text("inline int inner() { return 5; }")
        print(sb.bind(folder / "outer.hpp").outer())
        """,
        "2 6",
    ),
    "nobody else may read": (
        """
        os.umask(0o077)
        print(built().size({"a": 1}))
        """,
        "1",
    ),
    "no home": (
        """
        del os.environ["SAMEBYTES_CACHE_DIR"]
        os.environ.pop("HOME", None)
        os.environ["XDG_CACHE_HOME"] = str(CACHE)
        print(built().size({"a": 1}))
        """,
        "1",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_right_result_or_a_sentence(tmp_path: Path, name: str) -> None:
    script, words = ROWS[name]
    file = tmp_path / "script.py"
    file.write_text(START + textwrap.dedent(script))
    environment = {**os.environ, "SAMEBYTES_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert (done.returncode, done.stdout.split()) == (0, words.split()), done.stdout + done.stderr[-3000:]
