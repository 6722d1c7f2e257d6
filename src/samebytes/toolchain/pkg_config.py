"""What pkg-config says of installed packages: the flags by which code is compiled and linked with them."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence

from ..errors import BindError, MissingDependency
from .running import run

_WITHOUT = (
    "pkg={names!r} asks pkg-config, and there is none ($PKG_CONFIG, pkg-config): install it (Debian: apt install "
    "pkg-config), or give include_dirs= and libraries="
)
# Where a prefix has what pkg-config reads.
_INNER = (("lib", "pkgconfig"), ("share", "pkgconfig"))
_INSTALL = (
    ". Install the package that has its .pc file (Debian: apt-file search NAME.pc), or say where that is: "
    "$PKG_CONFIG_PATH, prefixes="
)


def package_flags(names: Sequence[str], prefixes: Sequence[str] = ()) -> tuple[str, ...]:
    """The flags of packages, as ``pkg-config --cflags --libs`` says them (pkg-config(1)).

    Parameters
    ----------
    names : sequence of str
        ``"eigen3"``, ``"gsl >= 2.5"``.
    prefixes : sequence of str
        Where it looks before its own places: their ``lib/pkgconfig`` and ``share/pkgconfig``.

    Raises
    ------
    MissingDependency
        If there is no pkg-config.
    BindError
        If it knows no such package, or not in that version.
    """
    program = shutil.which(os.environ.get("PKG_CONFIG") or "pkg-config")
    if program is None:
        raise MissingDependency(_WITHOUT.format(names=[*names]))
    for name in names:
        if not name.strip() or name.startswith("-"):
            raise BindError(f"pkg: {name!r} is no package's name")
    places = [os.path.join(prefix, *inner) for prefix in prefixes for inner in _INNER]
    own = filter(None, [os.environ.get("PKG_CONFIG_PATH")])
    more = {"PKG_CONFIG_PATH": os.pathsep.join([*places, *own])} if places else {}
    done = run([program, "--print-errors", "--cflags", "--libs", *names], more=more)
    if done.returncode != 0:
        words = " ".join(done.stderr.split())
        raise BindError(
            f"pkg={[*names]!r}: pkg-config refuses it: {words}{_near(program, names, more) or _INSTALL}"
        )
    return tuple(shlex.split(done.stdout))


def _near(program: str, names: Sequence[str], more: Mapping[str, str]) -> str:
    """The installed packages whose names are near to those that are not."""
    from difflib import get_close_matches

    known = [
        line.split()[0]
        for line in run([program, "--list-all"], more=more).stdout.splitlines()
        if line.split()
    ]
    asked = [name.split()[0] for name in names]
    near = [match for name in asked if name not in known for match in get_close_matches(name, known, n=1)]
    return f" Did you mean {', '.join(map(repr, near))}?" if near else ""
