"""Classes of a bound library pickle, and what is made of them: records, enumerations and their members."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
enum Color { RED, GREEN };
namespace ns {
enum class Kind : unsigned char { a = 1, b };
struct Sun { float az; Kind kind; struct Spot { int x; } spot; };
}
struct stat_like { int n; };
int stat_like(int x) { return x; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_the_very_class_comes_back(lib: Any, protocol: int) -> None:
    for cls in (lib.Color, lib.ns.Kind, lib.ns.Sun, lib.ns.Sun.Spot, lib.stat_like_):
        assert pickle.loads(pickle.dumps(cls, protocol)) is cls
        assert pickle._loads(pickle._dumps(cls, protocol)) is cls  # type: ignore[attr-defined]
        assert copy.deepcopy(cls) is cls


def test_members_and_numbers_without_a_name(lib: Any) -> None:
    assert pickle.loads(pickle.dumps(lib.Color.RED)) is lib.Color.RED
    assert pickle.loads(pickle.dumps({lib.ns.Kind.b: lib.GREEN})) == {lib.ns.Kind.b: lib.Color.GREEN}
    nameless = pickle.loads(pickle.dumps(lib.ns.Kind(200)))
    assert (type(nameless), nameless) == (lib.ns.Kind, 200)


def test_in_another_process(lib: Any, tmp_path: Path) -> None:
    sun = lib.ns.Sun(1.5, lib.ns.Kind.b, (3,))
    (tmp_path / "p").write_bytes(pickle.dumps((lib.Color.GREEN, lib.ns.Sun, sun)))
    code = (
        "import pickle, sys\n"
        "green, cls, sun = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(green.name, type(sun) is cls, sun.kind.name, cls(2, 1, (5,)).spot.x)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "p")], capture_output=True, text=True
    )
    assert done.stdout.split() == ["GREEN", "True", "b", "5"], done.stderr
