"""What a peer is, and how its native part is built: one compiler call, cached by content."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

from cases import Call, Data

BENCH = Path(__file__).resolve().parent.parent
FLAGS = ("-std=c++17", "-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden")


class LeftOut(Exception):
    """A peer that cannot take part; the text is the one sentence that says why."""


@dataclass(frozen=True)
class Peer:
    """One row of the tables.

    `prepare(build, data)` builds what it needs into the folder `build` and returns the calls by case.
    `packages` are the distributions it needs: one that is not installed leaves the peer out.
    """

    name: str
    prepare: Callable[[Path, Data], dict[str, Call]]
    packages: tuple[str, ...] = ()
    gil: str = "held"
    ours: bool = False

    def versions(self) -> dict[str, str]:
        """Installed versions of `packages`; raises LeftOut for the first that is missing."""
        found = {}
        for package in self.packages:
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                raise LeftOut(f"{self.name} is left out: {package} is not installed.") from None
        return found


def compiler() -> str:
    """The C++ compiler that builds every peer."""
    for name in (os.environ.get("CXX"), "c++", "g++", "clang++"):
        if name and shutil.which(name):
            return name
    raise LeftOut("No C++ compiler was found: install g++.")


def build_library(
    build: Path,
    name: str,
    source: str,
    *,
    include: Sequence[str | Path] = (),
    flags: Sequence[str] = (),
    extra: Sequence[Path] = (),
) -> Path:
    """Compile `source` (C++ text) and the files `extra` into one shared library; return its path."""
    headers = [BENCH, *include, sysconfig.get_path("include")]
    command = [compiler(), "-shared", *FLAGS, *(f"-I{path}" for path in headers)]
    shared = [path.read_text() for path in sorted(BENCH.glob("*.hpp"))]
    # A reinstalled package or compiler has a new modification time.
    times = [str(Path(path).stat().st_mtime_ns) for path in (*include, *extra, shutil.which(command[0]))]
    key = "\0".join([source, *command, *flags, *map(str, extra), *shared, *times])
    folder = build / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    target = folder / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / f"{name}.cpp"
    text.write_text(source)
    made = folder / "made.so"
    run = [*command, str(text), *map(str, extra), *flags, "-o", str(made)]
    done = subprocess.run(run, capture_output=True, text=True)
    if done.returncode:
        raise LeftOut(f"{name} is left out: it does not compile: {done.stderr.strip()[-2000:]}")
    made.rename(target)
    return target


def build_extension(build: Path, name: str, source: str, **options: Sequence) -> ModuleType:
    """Compile `source` as the extension module `name` and import it; options as for `build_library`."""
    path = build_library(build, name, source, **options)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
