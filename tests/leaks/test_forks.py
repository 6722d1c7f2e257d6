"""A process that forks while another thread builds or loads for the first time: the child does so, too, and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

# Each row forks many times.
pytestmark = pytest.mark.full

HERE = Path(__file__).parent


def run(folder: Path, *command: str) -> str:
    """What a script says. Not through a pipe, which a child that hangs would hold open."""
    with open(folder / "said", "w+") as said:
        process = subprocess.Popen(
            [sys.executable, *command], stdout=said, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code: int | None = process.wait(300)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        said.seek(0)
        words = said.read()
    assert code == 0, words
    return words


# Of some thousand calls of our own code each so many-th, at which the thread rests while the process forks.
STEPS = {"loaded": 907, "instance": 181, "symbol": 67, "vector": 47, "imported": 3001}


@pytest.mark.parametrize("name", STEPS)
def test_a_fork_in_the_middle(tmp_path: Path, name: str) -> None:
    words = run(tmp_path, str(HERE / "forking.py"), name, str(tmp_path), "1", str(STEPS[name]))
    points, bad = (int(word) for word in words.splitlines()[-1].split() if word.isdigit())
    assert points > 5
    assert bad == 0, words


START = """
import os, signal, sys, threading, time, warnings
warnings.simplefilter("ignore")
import filelock  # a fork that waits for its import does what it says for after forks, and not for before
import samebytes as sb
SOURCE = '''
#include <vector>
inline double first(std::vector<double> v) { return v[0]; }
template <class T> T twice(T x) { return x + x; }
'''
def work():
    assert sb.compile(SOURCE, name="forked").first([1.5]) == 1.5
"""

# Nothing is in the cache: what each builds takes a second or more.
ROWS = {
    "beside a first build": """
        for rest in (0.05, 0.4, 1.0):
            os.environ["SAMEBYTES_CACHE_DIR"] = f"{sys.argv[1]}/{rest}"
            thread = threading.Thread(target=work)
            thread.start()
            time.sleep(rest)
            pid = os.fork()
            if not pid:
                signal.alarm(100)
                work()
                os._exit(0)
            print(os.waitpid(pid, 0)[1])
            thread.join()
        """,
    "the process that built is gone": """
        os.environ["SAMEBYTES_CACHE_DIR"] = sys.argv[1]
        for rest in (0.4, 1.0, 0):
            reading, writing = os.pipe()
            if not os.fork():
                threading.Thread(target=work, daemon=True).start()
                time.sleep(rest)
                if os.fork():
                    os._exit(0)
                signal.alarm(100)
                work()
                os.write(writing, b"0")
                os._exit(0)
            os.close(writing)
            os.wait()
            print(os.read(reading, 1).decode())
        """,
    "processes that build the same": """
        import multiprocessing
        os.environ["SAMEBYTES_CACHE_DIR"] = sys.argv[1]
        lib = sb.compile(SOURCE, name="forked")
        def twice(n):
            return lib.twice[float](n) + sb.compile(SOURCE + "// more", name="more").first([1.0])
        threading.Thread(target=lambda: lib.twice[float](1.5)).start()
        with multiprocessing.get_context("fork").Pool(4) as pool:
            print(*["0" if n == 2 * i + 1 else n for i, n in enumerate(pool.map(twice, range(3)))], sep="\\n")
        """,
}


@pytest.mark.parametrize("name", ROWS)
def test_forks_and_builds(tmp_path: Path, name: str) -> None:
    file = tmp_path / "script.py"
    file.write_text(START + textwrap.dedent(ROWS[name]))
    assert run(tmp_path, str(file), str(tmp_path / "cache")).split() == ["0", "0", "0"]
