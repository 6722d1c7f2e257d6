"""libgit2 from its own headers: option records, lists of names, callbacks with records; git says what is there."""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module")
def git(needs: Callable[[str, str], None]) -> Iterator[Any]:
    needs("git2.h", "libgit2-dev")
    library = ctypes.util.find_library("git2")
    if library is None or shutil.which("git") is None:
        pytest.skip("libgit2 or git is not there: apt install libgit2-1.5 git")
    made: Any = sb.bind("git2.h", library=library, style="c_api")
    made.git_libgit2_init()
    yield made
    made.git_libgit2_shutdown()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("hello\n")
    return tmp_path


@pytest.fixture
def repository(git: Any, place: Path) -> Any:
    options = git.git_repository_init_options()
    git.git_repository_init_options_init(options, git.GIT_REPOSITORY_INIT_OPTIONS_VERSION)
    options.flags, options.initial_head = git.GIT_REPOSITORY_INIT_MKPATH, "trunk"
    status, made = git.git_repository_init_ext(str(place), options)
    assert status == 0
    yield made
    git.git_repository_free(made)


def asked(place: Path, *words: str) -> str:
    command = ["git", "-c", "safe.directory=*", "-C", str(place), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(git: Any, repository: Any, name: str, *parents: Any) -> Any:
    """A commit of one file; its id."""
    _, index = git.git_repository_index(repository)
    assert git.git_index_add_bypath(index, name) == 0
    tree_id, made = git.git_oid(), git.git_oid()
    assert git.git_index_write(index) == git.git_index_write_tree(tree_id, index) == 0
    _, tree = git.git_tree_lookup(repository, tree_id)
    _, author = git.git_signature_new("Ada", "ada@example.org", 1_700_000_000, 60)
    assert (ctypes.string_at(int(author.name)), author.when.offset) == (b"Ada", 60)
    status = git.git_commit_create(
        made, repository, "HEAD", author, author, None, name, tree, len(parents), list(parents)
    )
    assert status == 0
    git.git_signature_free(author)
    return made


def test_commits(git: Any, repository: Any, place: Path) -> None:
    first = commit(git, repository, "a.txt")
    (place / "b.txt").write_text("more\n")
    _, parent = git.git_commit_lookup(repository, first)
    second = commit(git, repository, "b.txt", parent)
    assert asked(place, "rev-parse", "trunk", "trunk~1").split() == [
        bytes(i.id).hex() for i in (second, first)
    ]
    assert asked(place, "log", "--format=%an %at %s") == "Ada 1700000000 b.txt\nAda 1700000000 a.txt"
    assert git.git_commit_author(parent).when.time == 1_700_000_000
    _, blob = git.git_revparse_single(repository, "HEAD:a.txt")
    assert bytes(git.git_object_id(blob).id) == hashlib.sha1(b"blob 6\0hello\n").digest()
    _, walk = git.git_revwalk_new(repository)
    git.git_revwalk_push_head(walk)
    found, oid = [], git.git_oid()
    while git.git_revwalk_next(oid, walk) == 0:
        found.append(bytes(oid.id))
    assert found == [bytes(second.id), bytes(first.id)]


def test_names_that_libgit2_allocates(git: Any, repository: Any) -> None:
    commit(git, repository, "a.txt")
    names = git.git_strarray()
    assert git.git_reference_list(names, repository) == 0
    there = (ctypes.c_char_p * names.count).from_address(int(names.strings))
    assert list(there) == [b"refs/heads/trunk"]
    git.git_strarray_dispose(names)
    assert names.count == 0


def test_what_is_told_to_python(git: Any, repository: Any, place: Path) -> None:
    commit(git, repository, "a.txt")
    for name in ("new.txt", "new.md"):
        (place / name).write_text("one\ntwo\n")
    options = git.git_status_options()
    git.git_status_options_init(options, git.GIT_STATUS_OPTIONS_VERSION)
    options.flags = git.GIT_STATUS_OPT_INCLUDE_UNTRACKED
    options.pathspec.strings, options.pathspec.count = [bytearray(b"*.txt\0")], 1
    seen: list[tuple[str, int]] = []
    status = git.git_status_foreach_ext(
        repository, options, lambda path, flags, _: seen.append((path, flags)) or 0, None
    )
    assert status == 0
    assert seen == [("new.txt", git.GIT_STATUS_WT_NEW)]
    (place / "a.txt").write_text("hello\nworld\n")
    _, index = git.git_repository_index(repository)
    _, diff = git.git_diff_index_to_workdir(repository, index, None)
    lines: list[tuple[str, str, bytes]] = []

    def line(delta: Any, hunk: Any, line: Any, _: Any) -> int:
        lines.append((delta.new_file.path, chr(line.origin), line.content))
        return 0

    assert git.git_diff_print(diff, git.GIT_DIFF_FORMAT_PATCH, line, None) == 0
    assert ("a.txt", "+", b"world\n") in lines
    patch = b"".join(origin.encode() * (origin in "+- ") + text for _, origin, text in lines)
    assert patch.decode().strip() == asked(place, "diff", "--abbrev=7")


def test_errors(git: Any, repository: Any) -> None:
    status, nothing = git.git_revparse_single(repository, "nowhere")
    assert status == git.GIT_ENOTFOUND
    assert not nothing
    assert b"nowhere" in ctypes.string_at(int(git.git_error_last().message))
    with pytest.raises(sb.ArgumentError, match="git_commit handle"):
        git.git_commit_author(repository)
    with pytest.raises(sb.Error, match=r"git_strarray\(\) argument 2 'count'"):
        git.git_strarray(count=-1)
    with pytest.raises(sb.Error, match="git_oid_fromraw"):
        git.git_oid_fromraw(git.git_oid(), np.zeros(20))
