"""``SAMEBYTES_CACHE_DIR``: relative, with ``~``, with odd names, or leading nowhere: used, or refused in words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from samebytes.toolchain.cache_folder import users_caches

pytestmark = pytest.mark.full  # programs of their own

ODD = "it's a\ttab: $HOME `ls` #; \\ % * \xa0ä€"
_USE = """
import os, sys
{before}
import samebytes as sb
from samebytes.toolchain.cache import default_cache
{after}
there = True
if {compiling}:
    lib = sb.compile("inline int place_it(int a) {{ return a + 1; }}")
    assert lib.place_it(1) == 2
    there = os.path.exists(lib.__file__)
sys.stdout.buffer.write(os.fsencode(f"{{default_cache().root}}|{{there}}"))
"""


def run(
    tmp_path: Path,
    value: str | None,
    before: str = "",
    after: str = "",
    *,
    compiling: bool = False,
    **environment: str,
) -> str:
    """Where a process has its cache, or the last line of its error."""
    tmp_path.chmod(0o700)
    given = {k: v for k, v in os.environ.items() if k not in ("SAMEBYTES_CACHE_DIR", "XDG_CACHE_HOME")}
    given |= {"HOME": str(tmp_path / "home"), **environment}
    if value is not None:
        given["SAMEBYTES_CACHE_DIR"] = value
    (tmp_path / "home").mkdir(exist_ok=True)
    code = _USE.format(before=before, after=after, compiling=compiling)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=given, capture_output=True, text=True, errors="surrogateescape"
    )  # fmt: skip
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    root, _, there = done.stdout.rstrip("\n").rpartition("|")
    assert there == "True"
    return root


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("relative", "relative"),
        ("./a/../b/c", "b/c"),
        ("../" + "up", "../up"),
        ("~", "home"),
        ("~/some/where", "home/some/where"),
        ("", "home/.cache/samebytes"),
        (None, "home/.cache/samebytes"),
        (ODD, ODD),
    ],
    ids=ascii,
)
def test_where_the_cache_is(tmp_path: Path, value: str | None, expected: str) -> None:
    tmp_path = tmp_path / "deeper"
    tmp_path.mkdir()
    assert run(tmp_path, value, compiling=value == ODD) == os.path.normpath(tmp_path / expected)


def test_a_program_that_goes_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert run(tmp_path, "relative", after="os.chdir('other')", compiling=True) == str(tmp_path / "relative")


def test_a_fork_that_goes_elsewhere(tmp_path: Path) -> None:
    parent = "os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    after = f"pid = os.fork()\nif not pid: os.chdir('/')\nelse: {parent}"
    assert run(tmp_path, "relative", after=after) == str(tmp_path / "relative")


@pytest.mark.parametrize("value", ["{0}/xdg", "relative", "~/xdg", ""])
def test_the_platform_says_where(tmp_path: Path, value: str) -> None:
    """XDG's own rule: what is not absolute is ignored."""
    expected = "xdg" if "{0}" in value else "home/.cache"
    found = run(tmp_path, None, XDG_CACHE_HOME=value.format(tmp_path))
    assert found == str(tmp_path / expected / "samebytes")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("~nobody-of-this-name/x", "there is no such home directory"),
        ("/dev/null/x", "cannot be made (Not a directory)"),
        ("/proc/x", "cannot be made"),
        ("x" * 300, "cannot be made (File name too long)"),
        ('quo"te', "a quote ends the name in an #include"),
        ("new\nline", "a line ends there"),
        ("not \udcff UTF-8", "is not UTF-8"),
    ],
)
def test_places_that_are_none(tmp_path: Path, value: str, words: str) -> None:
    last = run(tmp_path, value, compiling=True)
    assert last.startswith("samebytes.errors.BindError: the cache ")
    assert words in last
    assert "SAMEBYTES_CACHE_DIR" in last


def test_a_directory_that_was_removed(tmp_path: Path) -> None:
    gone = "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
    assert "relative to a directory that was removed" in run(tmp_path, "relative", before=gone)
    assert run(tmp_path, str(tmp_path / "full"), before=gone) == str(tmp_path / "full")


@pytest.mark.parametrize("xdg", [None, "", " ", "relative", "/", "/a b", "/a/", "/a/../b"])
@pytest.mark.parametrize("home", [None, "", "relative", "/", "/home/one", "/home/one/"])
def test_the_users_caches_are_where_platformdirs_says(
    monkeypatch: pytest.MonkeyPatch, xdg: str | None, home: str | None
) -> None:
    for name, value in (("XDG_CACHE_HOME", xdg), ("HOME", home)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    found = users_caches()
    assert found is None or Path(found, "samebytes") == user_cache_path("samebytes")
    assert (found is None) == (not (xdg or "").startswith("/") and not (home or "").startswith("/"))
