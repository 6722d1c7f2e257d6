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
enum class Byte : unsigned char {};
inline Byte next(Byte b) { return Byte(int(b) + 1); }
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


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_members_and_numbers_without_a_name(lib: Any, protocol: int) -> None:
    def again(value: Any) -> Any:
        return pickle.loads(pickle.dumps(value, protocol))

    assert again(lib.Color.RED) is lib.Color.RED
    assert again({lib.ns.Kind.b: lib.GREEN}) == {lib.ns.Kind.b: lib.Color.GREEN}
    for nameless in (lib.ns.Kind(200), lib.ns.Kind(0), lib.ns.Byte(7)):
        for same in (again(nameless), copy.copy(nameless), copy.deepcopy([nameless])[0]):
            assert (type(same), same, same.name) == (type(nameless), int(nameless), None)


def test_an_enumeration_without_members_is_returned_and_made(lib: Any) -> None:
    found = lib.ns.next(lib.ns.Byte(6))
    assert (type(found), found, lib.ns.next(found), lib.ns.Byte(found)) == (lib.ns.Byte, 7, 8, 7)
    for wrong in (256, -1, "7", 1.0, None):
        with pytest.raises(ValueError, match="is not a valid Byte"):
            lib.ns.Byte(wrong)


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
