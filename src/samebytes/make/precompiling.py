"""GCC's precompiled headers: where more and more is built of one header, what all of it begins with is compiled once.

Each batch of shims and each instantiation is a file of its own that includes the whole header, which costs many times
what the rest of it does. From the third such file on the header is precompiled, and that stays in the cache by the
content of all that it includes. GCC goes on behind it as it would behind the text: this is seen by the third file, of
which both ways have to make the very same object. The text itself is compiled where they do not, where GCC does not
take what it has precompiled, and where it refuses a file, so that its words are those about the text.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import CompileError
from ..toolchain import pruning
from ..toolchain.cache import Cache, Entry, Inputs, default_cache
from ..toolchain.compilers import environment_facts, system_includes
from ..toolchain.driver import CompileCommand, compile_object, dependencies, precompile
from ..toolchain.lookups import absent
from ..toolchain.own_sources import own_sources
from ..toolchain.verifying import digest
from .naming import GCC
from .request import Request

# So many files of one header are compiled as they are: to precompile it costs what two or three of them do.
_WHOLE = 3
# Bytes of headers: less is compiled about as soon as what is precompiled of it is read.
_WORTH = 500_000
# Of what the cache may have, one may take the first part, and all of them the second.
_ONE, _ALL = 0.05, 0.2
# What is not the same in each file that includes it. (What stands for a line, a file or a level of inclusion is.)
_OTHERWISE = re.compile(rb"\b__(?:BASE_FILE|DATE|TIME|TIMESTAMP)__\b")
# With these something stands before all else, or the object tells more than what is compiled.
_BARRED = ("-include", "-imacros", "-flto", "-g", "-save-temps", "-fprofile", "--coverage", "-ftest-coverage")
_HEADER, _SAID, _COUNTED = "opening.hpp", "said.json", "compiled.json"
_ERROR = "#error this header is precompiled\n"

_counted: dict[str, int] = {}


def behind(request: Request, unit: CompileCommand, target: Path) -> list[str]:
    """Compile a file of shims into an object: behind what is precompiled of its header, where that is there.

    Returns
    -------
    list of str
        Absolute paths of every file that was read.

    Raises
    ------
    CompileError
        With the compiler's own messages.
    """
    opening = _opening(request, unit)
    if not opening:
        return compile_object(unit, target)
    cache, text = default_cache(), unit.source.read_text()
    key = [
        "precompiled", own_sources(), unit.compiler.identity, environment_facts(), unit.flags,
        digest(f"{opening}\n{request.source}".encode()),
    ]  # fmt: skip
    found = cache.find(key)
    if found is not None and found.file(_gch()).exists():
        with suppress(CompileError):
            return [*_read(found), *_rest(found.file(_HEADER), unit, text, opening, target)]
    used = compile_object(unit, target)
    if found is None and _is_due(request, key) and _size(used) >= _WORTH:

        def made(work: Path) -> Inputs:
            read = _made(request, unit, text, opening, target, work)
            folders = (*request.includes(), *system_includes(unit.compiler, request.flags))
            return Inputs(tuple(read), absent(read, folders))

        cache.get(key, made)
        _tidy(cache)
    return used


def _opening(request: Request, unit: CompileCommand) -> str:
    """What a file begins with that others of its header begin with, too; empty where it is not to be precompiled."""
    compiler = unit.compiler
    if (
        compiler.language != "c++" or GCC not in compiler.identity or request.target != "host" or request.portable
        or any(flag.startswith(_BARRED) and flag != "-g0" for flag in unit.flags)
    ):  # fmt: skip
        return ""
    # Before the header stand our own part, which includes nothing, and macros.
    before, include, rest = unit.source.read_text().partition('\n#include "')
    return f"{before}{include}{rest.partition(chr(10))[0]}\n" if include else ""


def _is_due(request: Request, key: list[Any]) -> bool:
    """Whether so many files of a header have been compiled behind it that it is time; this one is another."""
    if not (request.beside or request.apart or request.alone):
        return False
    home, name = os.path.dirname(request.beside), digest(json.dumps(key).encode())
    if os.path.dirname(os.path.dirname(home)) != default_cache().place:
        _counted[name] = _counted.get(name, 0) + 1
        return _counted[name] >= _WHOLE
    counts: dict[str, int] = {}

    def one_more(known: Any) -> dict[str, int]:
        counts.update(known if isinstance(known, dict) else {})
        before = counts.get(name)
        counts[name] = 1 + (before if isinstance(before, int) else 0)
        return counts

    Entry(home).renew(_COUNTED, one_more)
    return counts.get(name, 0) >= _WHOLE


def _gch() -> str:
    return f"{_HEADER}.gch"


def _size(files: Iterable[str]) -> int:
    return sum(os.path.getsize(file) for file in files if os.path.exists(file))


def _made(
    request: Request, unit: CompileCommand, text: str, opening: str, target: Path, work: Path
) -> list[str]:
    """Precompile an opening in a folder, if behind it a file becomes what it has become as text; the files read."""
    header, gch, begin = work / _HEADER, work / _gch(), work / "begin.hpp"
    begin.write_text(opening)
    header.write_text(_ERROR)  # who does not take what is precompiled takes nothing
    if request.source is not None:
        own = next(unit.source.parent.glob("source.*"))
        (work / own.name).write_bytes(own.read_bytes())
    read: list[str] = []
    try:
        read = precompile(CompileCommand(begin, unit.compiler, unit.flags), gch)
        trial = work / "trial.o"
        _rest(header, unit, text, opening, trial)
        is_exact = trial.read_bytes() == target.read_bytes() and not any(map(_is_otherwise, read))
        is_small = gch.stat().st_size <= _ONE * pruning.limits().size
    except CompileError:
        is_exact = is_small = False
    if not (is_exact and is_small):
        gch.unlink(missing_ok=True)
    outside = [file for file in read if not file.startswith(f"{work}{os.sep}")]
    (work / _SAID).write_text(json.dumps(outside))
    return outside or dependencies(target.with_suffix(".d"))


def _is_otherwise(file: str) -> bool:
    return _OTHERWISE.search(Path(file).read_bytes()) is not None


def _read(entry: Entry) -> list[str]:
    """The files that an opening is made of."""
    said: list[str] = json.loads(entry.read(_SAID))
    return said


def _rest(header: Path, unit: CompileCommand, text: str, opening: str, target: Path) -> list[str]:
    """Compile what is behind an opening, in a file of the same name; the files that were read for it."""
    with tempfile.TemporaryDirectory(prefix=".rest-", dir=target.parent) as folder:
        source = Path(folder, unit.source.name)
        source.write_text("\n" * opening.count("\n") + text[len(opening) :])
        flags = (*unit.flags, "-include", str(header))
        used = compile_object(CompileCommand(source, unit.compiler, flags), target)
    own = (f"{header.parent}{os.sep}", f"{folder}{os.sep}")
    return [file for file in used if not file.startswith(own)]


def _tidy(cache: Cache) -> None:
    """Keep those that were used last, as many as all together may take of the cache."""
    held, most = 0, _ALL * pruning.limits().size
    found = [b for b in pruning.builds(cache.root) if (b.path / _gch()).exists()]
    for build in sorted(found, key=lambda b: b.used, reverse=True):
        held += build.size
        if held > most:
            pruning.remove(build)  # who compiles behind it just now compiles the text
