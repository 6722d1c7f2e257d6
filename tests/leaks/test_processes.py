"""Forks, other interpreters, reloading and sudden ends: what a process may do with all alive. Nothing crashes."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

# Each row compiles, or finds what an earlier one compiled, and starts processes of its own.
pytestmark = pytest.mark.full

COMMON = r"""
import gc, importlib, multiprocessing, os, pickle, sys, threading, warnings
warnings.simplefilter("ignore")
import numpy as np, samebytes as sb

SOURCE = r'''
#include <functional>
#include <string>
#include <vector>
struct Point { int x; double y; };
class Item { std::string s; std::function<int(int)> f; public:
  explicit Item(std::function<int(int)> g) : s("text"), f(g) {}
  ~Item() {} int call(int x) const { return f(x); } };
inline int apply(int (*f)(int), int x) { return f(x); }
inline double total(const std::vector<double>& v) { double s = 0; for (double d : v) s += d; return s; }
inline int get(const Point& p) { return p.x; }
'''
lib = sb.compile(SOURCE, std="c++17", name="processes")

def work():
    assert lib.apply(lambda x: x + 1, 2) == 3
    assert lib.Item(lambda x: 2 * x).call(4) == 8
    assert lib.total([1.0, 2.0]) == 3
    assert lib.get(lib.Point(5, 1)) == 5
    assert np.asarray(sb.view(np.ones(3))).sum() == 3

def kept():
    callback = sb.callback(lambda x: x, "int(*)(int)")
    return [lib.Item(lambda x: x), sb.view(bytearray(8)), sb.DeviceArray.empty(4), callback]

def sent(row):
    point, function = row
    work()
    point.x += 1
    return point, function(point)

work()
"""

# What runs, the words that it prints, and how it ends.
ROWS: dict[str, tuple[str, str, int]] = {
    "forks beside threads that call": (
        """
        stop, all_kept, codes = False, kept(), []
        def run():
            while not stop: work()
        threads = [threading.Thread(target=run) for _ in range(4)]
        for t in threads: t.start()
        for i in range(12):
            pid = os.fork()
            if not pid:
                work()
                all_kept.clear()
                gc.collect()
                os._exit(0) if i % 2 else sys.exit(0)
            codes.append(os.waitpid(pid, 0)[1])
        stop = True
        for t in threads: t.join()
        work()
        print("children:", set(codes))
        """,
        "children: {0}",
        0,
    ),
    "a fork inside a callback": (
        """
        def inside(x):
            pid = os.fork()
            if not pid:
                work()
                return 100
            assert os.waitpid(pid, 0)[1] == 7 << 8
            return x
        came = lib.apply(inside, 3)
        if came == 100: sys.exit(7)
        print("parent:", came)
        """,
        "parent: 3",
        0,
    ),
    "records and functions sent to processes": (
        """
        if __name__ == "__main__":
            for how in ("fork", "spawn", "forkserver"):
                with multiprocessing.get_context(how).Pool(2) as pool:
                    came = pool.map(sent, [(lib.Point(i, 1), lib.get) for i in range(4)])
                assert [(p.x, n) for p, n in came] == [(i, i) for i in range(1, 5)]
            try: pickle.dumps(lib.Item(lambda x: x))
            except TypeError as error: print(error)
        """,
        "cannot pickle Item: it is a C++ object and no bytes",
        0,
    ),
    "another interpreter": (
        """
        try: import _interpreters as interpreters
        except ImportError: import _xxsubinterpreters as interpreters
        code = f'''
        import importlib.machinery, importlib.util, sys
        try:
            spec = importlib.util.spec_from_file_location("samebytes._native", {sb._native.__file__!r})
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
        except ImportError as error: print(error, flush=True)
        '''
        import textwrap
        for _ in range(3):
            made = interpreters.create()
            run = getattr(interpreters, "exec", None) or interpreters.run_string
            run(made, textwrap.dedent(code))
            interpreters.destroy(made)
            work()
        """,
        "samebytes._native",
        0,
    ),
    "reloading": (
        """
        before = lib.Point(3, 1)
        importlib.reload(sb)
        importlib.reload(sb._native)
        work()
        for name in [n for n in sys.modules if n.split(".")[0] == "samebytes"]: del sys.modules[name]
        try: import samebytes; samebytes.compile
        except ImportError as error: print(error)
        assert lib.get(before) == 3
        work()
        """,
        "a second import of it",
        0,
    ),
    "leaving from a callback": (
        """
        def leave(x): sys.exit(4)
        try: lib.apply(leave, 1)
        except SystemExit as error: print("code:", error.code)
        thread = threading.Thread(target=lambda: lib.apply(leave, 1))
        thread.start()
        thread.join()
        rest = kept()
        lib.apply(lambda x: os._exit(5), 1)
        """,
        "code: 4",
        5,
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_nothing_crashes(tmp_path: Path, name: str) -> None:
    script, words, code = ROWS[name]
    file = tmp_path / "script.py"
    file.write_text(COMMON + textwrap.dedent(script))
    command = [sys.executable, "-X", "faulthandler", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, "Fatal" in done.stderr) == (code, False), done.stdout + done.stderr[-3000:]
    assert words in done.stdout
