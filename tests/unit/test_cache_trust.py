"""Libraries are loaded only from what is the user's alone: every folder and file on the way, not only the root."""

from __future__ import annotations

import json
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samebytes.errors import BindError
from samebytes.toolchain.cache import Cache, Entry, Inputs
from samebytes.toolchain.pruning import Limits, prune
from samebytes.toolchain.trust import steady
from samebytes.toolchain.verifying import digest

ELSEWHERE = 65534  # nobody
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")


def fill(work: Path) -> Inputs:
    (work / "out").write_text("one")
    return Inputs(())


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def stamped(file: Path) -> Path:
    """A file as a later look leaves it."""
    file.write_text("{}")
    return file


PLACES: dict[str, Callable[[Entry], Path]] = {
    "root": lambda e: e.path.parent.parent,
    "shelf": lambda e: e.path.parent,
    "entry": lambda e: e.path,
    "file": lambda e: e.file("out"),
    "manifest": lambda e: e.file("manifest.json"),
    "stamps": lambda e: stamped(e.file("stamps.json")),
}


@pytest.mark.parametrize("bits", [0o022, 0o020, 0o002])
@pytest.mark.parametrize("place", PLACES)
def test_what_others_can_write_to_is_refused(cache: Cache, place: str, bits: int) -> None:
    found = PLACES[place](cache.get("r", fill))
    found.chmod(stat.S_IMODE(found.stat().st_mode) | bits)
    with pytest.raises(
        BindError, match=r"can be written to by others \(mode 0\d+\).*new directory"
    ) as caught:
        cache.get("r", fill)
    assert "chmod" not in str(caught.value)
    assert "another mode or owner does not change that" in str(caught.value)


@as_root
@pytest.mark.parametrize("place", [*PLACES, "lock"])
def test_what_belongs_to_another_is_refused(cache: Cache, place: str) -> None:
    entry = cache.get("r", fill)
    found = entry.path.parent / "lock" if place == "lock" else PLACES[place](entry)
    os.chown(found, ELSEWHERE, ELSEWHERE)
    with pytest.raises(BindError, match=f"belongs to user {ELSEWHERE}, and you are user 0"):
        cache.get("r", fill)


def test_the_reverse_another_user_with_this_cache(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.get("r", fill)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)  # as where a server maps what we make to somebody else
    with pytest.raises(BindError, match=f"belongs to user {me}, and you are user {me + 1}"):
        cache.get("r", fill)


def test_the_new_folder_that_is_named_can_be_used(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    cache.get("r", fill)
    cache.root.chmod(0o777)
    with pytest.raises(BindError) as caught:
        cache.get("r", fill)
    named = Path(str(caught.value).split("such as ")[1].split(", ")[0])
    assert not named.exists()
    assert Cache(named).get("r", fill).read("out") == b"one"


@pytest.mark.full
def test_a_planted_pickle_does_not_run(cache: Cache, tmp_path: Path) -> None:
    """A folder that others could write to, with the mode it should have again: what lies there is data at most."""
    import samebytes as sb

    mark = tmp_path / "ran"

    class Runs:
        def __reduce__(self) -> tuple[Callable[..., int], tuple[str]]:
            return os.system, (f"touch {mark}",)

    source = "inline int planted_one(int a) { return a + 1; }"
    lib = sb.compile(source)
    folder = Path(lib.__file__).parent
    for file in folder.iterdir():
        if file.name.startswith("model"):
            file.write_bytes(pickle.dumps(Runs()))
    manifest = json.loads((folder / "manifest.json").read_text())
    for name in manifest["outputs"]:
        manifest["outputs"][name] = digest((folder / name).read_bytes())
    text = json.dumps(manifest, sort_keys=True, indent=1)
    (folder / "manifest.json").write_text(text)
    folder.rename(folder.parent / digest(text.encode())[:32])
    again = "import samebytes as sb, sys; print(sb.compile(sys.argv[1]).planted_one(4))"
    done = subprocess.run([sys.executable, "-c", again, source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "5"
    assert not mark.exists()


@pytest.mark.parametrize("place", ["shelf", "entry", "lock", "file", "manifest"])
def test_links_are_not_followed(cache: Cache, tmp_path: Path, place: str) -> None:
    entry = cache.get("r", fill)
    found = entry.path.parent / "lock" if place == "lock" else PLACES[place](entry)
    target = tmp_path / "target"
    found.rename(target)
    found.symlink_to(target)
    if place in ("file", "manifest"):  # in a folder of ours: somebody tidied up; made anew
        assert cache.get("r", fill).read("out") == b"one"
        assert not cache.get("r", fill).file("out").is_symlink()
        return
    with pytest.raises(BindError, match="is a link"):
        cache.get("r", fill)


@pytest.mark.parametrize("what", ["folder", "pipe", "socket"])
def test_what_is_no_file_is_made_anew(cache: Cache, what: str) -> None:
    file = cache.get("r", fill).file("out")
    file.unlink()
    {"folder": os.mkdir, "pipe": os.mkfifo, "socket": os.mkfifo}[what](file)
    assert cache.get("r", fill).read("out") == b"one"


def test_a_hard_link_of_ours_is_ours(cache: Cache, tmp_path: Path) -> None:
    os.link(cache.get("r", fill).file("out"), tmp_path / "backup")
    assert cache.get("r", lambda work: pytest.fail("it is there")).read("out") == b"one"


@as_root
def test_a_hard_link_of_another_is_not(cache: Cache, tmp_path: Path) -> None:
    file, theirs = cache.get("r", fill).file("out"), tmp_path / "theirs"
    theirs.write_text("one")
    os.chown(theirs, ELSEWHERE, ELSEWHERE)
    file.unlink()
    os.link(theirs, file)
    with pytest.raises(BindError, match=f"out belongs to user {ELSEWHERE}"):
        cache.get("r", fill)


def test_the_root_may_be_a_link_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there")
    cache = Cache(tmp_path / "link")
    assert cache.get("r", fill).path.is_relative_to(tmp_path / "there")


@pytest.mark.parametrize(("mode", "good"), [(0o1777, True), (0o777, False), (0o775, True), (0o755, True)])
def test_folders_above(tmp_path: Path, mode: int, good: bool) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(mode)
    cache = Cache(tmp_path / "shared" / "cache")
    if good:
        assert cache.get("r", fill).read("out") == b"one"
    else:
        with pytest.raises(BindError, match="shared lets everybody rename what lies in it"):
            cache.get("r", fill)


@pytest.mark.parametrize(("mode", "direct"), [(0o755, True), (0o1777, True), (0o775, False)])
def test_what_is_loaded_is_what_was_checked(tmp_path: Path, mode: int, direct: bool) -> None:
    """Where a group may rename the folders above, the path leads through a descriptor of the one that was checked."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    cache = Cache(shared / "cache")
    file = cache.get("r", fill).file("out")
    path = Path(steady(str(cache.root), str(file)))
    assert (path == file) == direct
    cache.root.rename(shared / "old")
    file.parent.mkdir(parents=True)
    file.write_text("planted")
    assert path.read_text() == ("planted" if direct else "one")


@pytest.mark.parametrize("umask", [0, 0o002, 0o022, 0o077])
def test_any_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        cache = Cache(tmp_path / "new" / "folders" / "cache")
        entry = cache.get("r", fill)
        assert cache.get("r", lambda work: pytest.fail("it is there")) == entry
    finally:
        os.umask(before)


def test_pruning_leaves_what_is_not_ours(cache: Cache, tmp_path: Path) -> None:
    entry = cache.get("r", fill)
    (tmp_path / "victim").write_text("precious")
    (entry.path.parent / "lock").unlink()
    (entry.path.parent / "lock").symlink_to(tmp_path / "victim")
    assert prune(cache.root, Limits(size=-1), recent=0) == []
    assert (tmp_path / "victim").read_text() == "precious"
    assert entry.path.exists()


ODD = {
    "empty": b"",
    "truncated": b'{"inputs": [',
    "not UTF-8": b"\xff\xfe{}",
    "another type": b"[]",
    "a number": b"12",
    "null": b"null",
    "a huge number": b"9" * 10_000,
    "deep": b"[" * 100_000,
    "deep and closed": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "no keys": b"{}",
    "an unknown key": b'{"request": "r", "inputs": {}, "absent": [], "outputs": {}, "more": 1}',
    "outputs as a list": b'{"request": "r", "inputs": {}, "absent": [], "outputs": ["out"]}',
    "inputs as a number": b'{"request": "r", "inputs": 1, "absent": [], "outputs": {}}',
    "absent as a text": b'{"request": "r", "inputs": {}, "absent": "abc", "outputs": {}}',
    "absent holds numbers": b'{"request": "r", "inputs": {}, "absent": [1, null], "outputs": {}}',
    "no digest": b'{"request": "r", "inputs": {}, "absent": [], "outputs": {"out": null}}',
    "a digest of a file that is not there": b'{"request": "r", "inputs": {}, "absent": [], "outputs": {"no": null}}',
    "a path as a name": b'{"request": "r", "inputs": {}, "absent": [], "outputs": {"../out": "x"}}',
    "a folder": b'{"request": "r", "inputs": {}, "absent": [], "outputs": {"..": "x"}}',
    "null characters": b'{"request": "", "inputs": {}, "absent": ["\\u0000"], "outputs": {"\\u0000": ""}}',
    "a null character in inputs": b'{"request": "r", "inputs": {"a\\u0000b": "x"}, "absent": [], "outputs": {}}',
}


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_manifests_are_rebuilt(cache: Cache, text: bytes, renamed: bool) -> None:
    entry = cache.get("r", fill)
    entry.file("manifest.json").write_bytes(text)
    if renamed:  # as if the text were what the entry is named after
        entry.path.rename(entry.path.parent / digest(text)[:32])
    calls: list[Path] = []
    found = cache.get("r", lambda work: calls.append(work) or fill(work))
    assert len(calls) == 1
    assert found.read("out") == b"one"


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_manifests_are_rebuilt(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    cache = Cache(tmp_path_factory.mktemp("cache"))
    cache.root.chmod(0o700)
    entry = cache.get("r", fill)
    file = entry.file("manifest.json")
    text = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=5))
    file.write_bytes(text)
    if data.draw(st.booleans()):
        entry.path.rename(entry.path.parent / digest(bytes(text))[:32])
    assert cache.get("r", fill).read("out") == b"one"
