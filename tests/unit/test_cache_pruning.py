"""The longest unused builds leave the cache, by age and size; what is in use or being made stays."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.errors import BindError
from samebytes.toolchain.cache import Cache, Entry, Inputs
from samebytes.toolchain.locking import lock
from samebytes.toolchain.pruning import Limits, builds, bytes_of, clear, prune, tidy
from samebytes.tools.cli import main

DAY = 86400


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def make(cache: Cache, name: str, *, age: float = 0, size: int = 1000) -> Entry:
    """A build of about so many bytes that was used so many days ago."""

    def fill(work: Path) -> Inputs:
        (work / "out").write_bytes(b"x" * size)
        return Inputs(())

    entry = cache.get(name, fill)
    os.utime(entry.path, (time.time() - age * DAY,) * 2)
    return entry


def left(cache: Cache, *entries: Entry) -> list[bool]:
    return [e.path.exists() for e in entries]


def test_by_age(cache: Cache) -> None:
    old, new = make(cache, "old", age=10), make(cache, "new", age=2)
    removed = prune(cache.root, Limits(days=5))
    assert [b.path for b in removed] == [old.path]
    assert left(cache, old, new) == [False, True]
    assert not old.path.parent.exists()


def test_by_size_the_longest_unused_first(cache: Cache) -> None:
    entries = [make(cache, name, age=age, size=10_000) for name, age in (("a", 3), ("b", 1), ("c", 2))]
    prune(cache.root, Limits(size=25_000))
    assert left(cache, *entries) == [False, True, True]


def test_what_was_just_used_stays(cache: Cache) -> None:
    entry = make(cache, "a", age=10)
    assert cache.get("a", lambda work: pytest.fail("it is there")) == entry
    assert prune(cache.root, Limits(days=0, size=0)) == []
    assert entry.path.exists()


def test_what_is_being_made_stays(cache: Cache) -> None:
    entry = make(cache, "a", age=10)
    with lock(entry.path.parent / "lock"):
        assert clear(cache.root) == []
    assert [b.path for b in clear(cache.root)] == [entry.path]
    assert list(builds(cache.root)) == []


def test_what_a_killed_process_left(cache: Cache) -> None:
    entry = make(cache, "a", age=1)
    broken = entry.path.parent / ".build-x"
    broken.mkdir()
    os.utime(broken, (time.time() - DAY,) * 2)
    assert [b.path for b in prune(cache.root, Limits())] == [broken]
    assert entry.path.exists()


def test_a_shelf_that_disappears_is_made_again(cache: Cache) -> None:
    tries = []

    def fill(work: Path) -> Inputs:
        tries.append(work)
        if len(tries) == 1:  # another process prunes
            for item in work.parent.iterdir():
                item.rmdir() if item.is_dir() else item.unlink()
            work.parent.rmdir()
        (work / "out").write_text("x")
        return Inputs(())

    assert cache.get("a", fill).file("out").read_text() == "x"
    assert len(tries) == 2


def test_once_a_day_after_a_build(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEBYTES_CACHE_MAX_DAYS", "5")
    old = make(cache, "old", age=10)
    make(cache, "new")
    assert old.path.exists()  # the first build of the day has looked already
    os.utime(cache.root / ".pruned", (0, 0))
    make(cache, "newer")
    assert not old.path.exists()


@pytest.mark.parametrize(
    ("text", "size"),
    [("500", 500), ("2k", 2048), ("1.5 MiB", 1.5 * 2**20), ("5GB", 5 * 2**30), ("inf", float("inf"))],
)
def test_sizes(text: str, size: float) -> None:
    assert bytes_of(text) == size


def test_what_is_no_limit_is_said(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEBYTES_CACHE_MAX_SIZE", "much")
    with pytest.raises(BindError, match="'much' is no size: write 500M, 5G or inf"):
        tidy(cache.root)
    monkeypatch.setenv("SAMEBYTES_CACHE_MAX_SIZE", "5G")
    monkeypatch.setenv("SAMEBYTES_CACHE_MAX_DAYS", "soon")
    with pytest.raises(BindError, match="SAMEBYTES_CACHE_MAX_DAYS"):
        tidy(cache.root)


def test_the_command(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(cache.root))
    old, new = make(cache, "old", age=10), make(cache, "new", age=1)
    run = lambda *args: CliRunner().invoke(main, ["cache", *args])  # noqa: E731
    info = run("info").output
    assert "2 builds" in info
    assert "longest unused: 10 days" in info
    assert run("prune").output.startswith("removed 0 builds")
    assert run("prune", "--days", "5").output.startswith("removed 1 build,")
    assert left(cache, old, new) == [False, True]
    failed = run("prune", "--size", "much")
    assert (failed.exit_code, "write 500M" in failed.output) == (1, True)
    assert run("clear").output.startswith("removed 1 build,")
    assert "0 builds" in run("info").output


@pytest.mark.full
def test_a_library_stays_loaded_and_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path / "cache"))
    text = "int twice(int x) { return 2 * x; }"
    lib = sb.compile(text)
    assert clear(tmp_path / "cache")
    assert lib.twice(2) == 4
    assert sb.compile(text).twice(3) == 6
