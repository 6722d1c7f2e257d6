"""What CMake says of installed packages: the flags with which code that links their targets is compiled and linked.

A project of ours that links the targets is configured, never built; CMake's file API (cmake-file-api(7), "codemodel")
says what it would be compiled and linked with.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BindError, MissingDependency
from .compilers import find_compiler
from .running import run

_WITHOUT = (
    "cmake={names!r} asks CMake, and there is none ($CMAKE, cmake): install it (Debian: apt install cmake; or "
    "`pip install cmake`), or give include_dirs= and libraries="
)
_NAME = re.compile(
    r"(?:(?P<package>[\w.+-]+) +)?(?P<target>[\w.+-]+(?:::[\w.+-]+)*)(?: *>= *(?P<version>\d[\d.]*))?"
)
_FORM = "a target is named as CMake does, 'Box2D::box2d', or with its package before it, 'OpenCV opencv_core'"
# A package is asked for without components first: those that have such alone give all of their targets.
_FIND = """\
find_package({package} {version} QUIET)
if(NOT TARGET {target})
  find_package({package} {version} QUIET COMPONENTS {component})
endif()
if(NOT TARGET {target})
  get_property(known DIRECTORY PROPERTY IMPORTED_TARGETS)
  set(found "${{{package}_FOUND}}|${{{package}_VERSION}}")
  message(FATAL_ERROR "samebytes|{package}|${{found}}|${{known}}|${{{package}_CONSIDERED_VERSIONS}}|")
endif()
target_link_libraries(probe PRIVATE {target})
"""
_PROJECT = """\
cmake_minimum_required(VERSION 3.14)
project(samebytes C CXX)
add_library(probe SHARED probe.cpp)
set_target_properties(probe PROPERTIES DEFINE_SYMBOL "")
"""
# What the user's environment or a kind of build would add is not the packages'.
_PLAIN = (
    "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=", "-DCMAKE_CXX_FLAGS_RELEASE=", "-DCMAKE_C_FLAGS=",
    "-DCMAKE_SHARED_LINKER_FLAGS=", "-DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON",
)  # fmt: skip
_REFUSED = re.compile(r"samebytes\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|", re.DOTALL)
_NO_MAKE = "unable to find a build program"


class _Target(NamedTuple):
    asked: str
    package: str
    target: str
    version: str


def target_flags(names: Sequence[str], prefixes: Sequence[str] = ()) -> tuple[str, ...]:
    """The flags of imported targets, as a compiler's driver takes them.

    Parameters
    ----------
    names : sequence of str
        ``"Box2D::box2d"``, ``"fmt::fmt >= 9"``, ``"OpenCV opencv_core"``.
    prefixes : sequence of str
        Where packages are looked for before CMake's own places.

    Raises
    ------
    MissingDependency
        If there is no CMake, or nothing that it could build with.
    BindError
        If a package, or one of its targets, is not there.
    """
    program = _program()
    if program is None:
        raise MissingDependency(_WITHOUT.format(names=[*names]))
    targets = [_parsed(name) for name in names]
    with tempfile.TemporaryDirectory(prefix="samebytes-cmake-") as folder:
        answer = _configured(program, targets, prefixes, Path(folder))
        return tuple(_flags(answer))


def _program() -> str | None:
    """CMake's program; the wheel's lies beside Python, also where ``PATH`` does not say so."""
    beside = os.path.join(os.path.dirname(sys.executable), "cmake")
    return shutil.which(os.environ.get("CMAKE") or "cmake") or (
        None if os.environ.get("CMAKE") else shutil.which(beside)
    )


def _parsed(name: str) -> _Target:
    match = _NAME.fullmatch(name.strip())
    if match is None or not (match["package"] or "::" in match["target"]):
        raise BindError(f"cmake: {name!r} is no target's name; {_FORM}")
    package = match["package"] or match["target"].partition("::")[0]
    return _Target(name, package, match["target"], match["version"] or "")


def _configured(
    program: str, targets: list[_Target], prefixes: Sequence[str], folder: Path
) -> dict[str, Any]:
    """What CMake says of the library that links the targets."""
    find = [
        _FIND.format(
            package=t.package, target=t.target, version=t.version, component=t.target.rpartition("::")[2]
        )
        for t in targets
    ]
    (folder / "CMakeLists.txt").write_text("".join([_PROJECT, *find]))
    (folder / "probe.cpp").write_text("")
    query = folder / "build" / ".cmake" / "api" / "v1" / "query"
    query.mkdir(parents=True)
    (query / "codemodel-v2").touch()
    compilers = [
        f"-DCMAKE_{key}_COMPILER={';'.join(find_compiler(spoken).command)}"
        for key, spoken in (("C", "c"), ("CXX", "c++"))
    ]
    ninja = ["-G", "Ninja"] if shutil.which("make") is None and shutil.which("ninja") else []
    places = [f"-DCMAKE_PREFIX_PATH={';'.join(prefixes)}"] if prefixes else []
    done = run(
        [program, "-S", str(folder), "-B", str(folder / "build"), *ninja, *compilers, *_PLAIN, *places]
    )
    if done.returncode != 0:
        raise _refused(targets, done.stderr)
    (answer,) = (folder / "build" / ".cmake" / "api" / "v1" / "reply").glob("target-probe-*.json")
    found: dict[str, Any] = json.loads(answer.read_text())
    return found


def _refused(targets: list[_Target], output: str) -> Exception:
    asked = [t.asked for t in targets]
    match = _REFUSED.search("".join(output.split("\n  ")))
    if match is None and _NO_MAKE in output:
        return MissingDependency(f"cmake={asked!r}: CMake needs make or Ninja (Debian: apt install make)")
    if match is None:
        return BindError(f"cmake={asked!r}: CMake refuses it: {' '.join(output.split())}")
    package, found, version, known, considered = (" ".join(part.split()) for part in match.groups())
    target = next(t for t in targets if t.package == package)
    if found.upper() in ("1", "TRUE", "ON", "YES", "Y"):
        return BindError(_no_target(target, version, known.split(";")))
    if considered and target.version:
        return BindError(
            f"cmake: {target.asked!r} needs {package} from {target.version} on, and CMake finds version "
            f"{', '.join(considered.split(';'))}"
        )
    if considered:
        return BindError(
            f"cmake: CMake finds {package} {', '.join(considered.split(';'))}, without what {target.asked!r} "
            "is of: install that part of it"
        )
    return BindError(
        f"cmake: CMake finds no package {package!r}{_near(package)}. Install its development files, those with "
        f"{package}Config.cmake or {package.lower()}-config.cmake, or say where they are: prefixes=, $CMAKE_PREFIX_PATH"
    )


def _no_target(target: _Target, version: str, known: list[str]) -> str:
    from difflib import get_close_matches

    own = [k for k in known if k]
    near = get_close_matches(target.target, own, n=1, cutoff=0.4)
    has = f"; it has {', '.join(sorted(own)[:8])}" if own else ""
    return (
        f"cmake: {target.package} {version}".rstrip()
        + f" has no target {target.target!r}{has}."
        + (f" Did you mean {near[0]!r}?" if near else "")
    )


def _near(package: str) -> str:
    """The installed package whose name is nearest: packages say them as names of folders."""
    from difflib import get_close_matches

    roots = [Path(p) for p in ("/usr", "/usr/local", *filter(None, [os.environ.get("CONDA_PREFIX")]))]
    patterns = ("lib/cmake/*", "lib/*/cmake/*", "share/cmake/*", "share/*/cmake")
    own = [Path(p) for p in os.environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep) if p]
    folders = [f for root in (*own, *roots) for pattern in patterns for f in root.glob(pattern)]
    names = {(f.parent.name if f.name == "cmake" else f.name): None for f in folders}
    near = get_close_matches(package, names, n=1)
    return f". Did you mean {near[0]!r}?" if near else ""


def _flags(answer: dict[str, Any]) -> Iterator[str]:
    """The words of a target's compilation and link, in order."""
    group = answer["compileGroups"][0]
    yield from (f"-I{one['path']}" for one in group.get("includes", ()))
    yield from (f"-D{one['define']}" for one in group.get("defines", ()))
    for one in group.get("compileCommandFragments", ()):
        yield from (word for word in shlex.split(one["fragment"]) if word != "-fPIC" and _counts(word))
    linked = answer.get("link", {}).get("commandFragments", ())
    words = [word for one in linked if one["role"] != "flags" for word in shlex.split(one["fragment"])]
    fenced = any(word.startswith("-Wl,--") for word in words)  # what stands between such words stays there
    for word in words:
        yield from _link_word(word, fenced)


def _counts(word: str) -> bool:
    """Whether a standard is newer than the one that is the default anyway."""
    named = re.fullmatch(r"-std=(?:gnu|c)\+\+(\w+)", word)
    return named is None or named[1] in ("20", "2a", "23", "2b", "26", "2c")


def _link_word(word: str, fenced: bool) -> Iterator[str]:
    if word.startswith("-Wl,-rpath,"):
        yield from (f"-L{folder}" for folder in word.removeprefix("-Wl,-rpath,").split(":") if folder)
    elif os.path.isabs(word):
        yield f"-Wl,{word}" if fenced else f"-l{word}"
    else:
        yield f"-Wl,{word}" if fenced and word.startswith("-l") else word
