"""Libraries of one header: the first, and the instantiations and other classes that are built later, are one program.

They share their variables and what the sources define, so that no source is compiled twice. With the shared libraries
that they are linked with they are one program, too: what these export is taken from them and never defined again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

from ..model.module import Module
from ..toolchain import linked as linking
from ..toolchain.compilers import Compiler, find_compiler
from ..toolchain.sharing import defined, exported, keeps_repeated_state, repeated, share, take
from ..toolchain.verifying import digest
from ..types import Handle
from .request import Request

_NAME, _FURTHER = "family", "further"
_ANOTHER = "what is compiled here uses another, and neither sees what the other writes"
_HIDDEN = f"{{}} hides its own copy of it (-fvisibility=hidden): {_ANOTHER}"
_LATER = (
    f"{{}} is opened later (library=) and has a copy of its own: {_ANOTHER}; with libraries= both are one"
)
# Names are hidden one by one, once it is known which are shared; code may rely on its own definitions all the same.
_FLAGS = ("-fvisibility=default", "-fno-semantic-interposition")


def flags(request: Request, module: Module) -> tuple[str, ...]:
    """What the shims and the sources are compiled with besides everything else."""
    if request.apart:
        return ()
    if _taken(request, module):
        return (*_FLAGS, "-fno-lto") if is_late(request) else _FLAGS
    return _FLAGS if _is_first(request, module) or _family(request) else ()


def first_library(request: Request) -> Path | None:
    """The library that what is built later is built beside; None where there is none, or where it shares nothing."""
    library = _family(request)
    return library if library is not None and library.is_file() else None


def _family(request: Request) -> Path | None:
    """The same, also where all of the family's libraries are built later, and that one is not there."""
    library = Path(request.beside)
    return library if request.beside and library.with_name(_NAME).is_file() else None


def begin(request: Request, work: Path) -> None:
    """A family of libraries all of which are built later."""
    (work / _NAME).write_text(_suffix(repr(request.facts()).encode()))


def _suffix(*parts: bytes) -> str:
    return f".sb{digest(b''.join(parts))[:12]}"


def link_flags(request: Request, module: Module, folder: Path) -> tuple[str, ...]:
    """How the first library is known to the others: by a name, as it is loaded before they are.

    And the libraries that are needed by those linked, where they have what is taken from them: linkers want them named.
    """
    family, further = folder / _NAME, folder / _FURTHER
    name = (f"-Wl,-soname,samebytes{family.read_text()}.so",) if family.is_file() else ()
    return (*name, *(further.read_text().split("\n") if further.is_file() else ()))


def linked(request: Request, module: Module) -> linking.LinkedLibraries:
    """The shared libraries that C++ is linked with."""
    names = request.libraries if module.language == "c++" else ()
    return _linked(names, request.library_dirs, find_compiler("c++"))


def opened_later(request: Request, module: Module) -> linking.LinkedLibraries:
    """The library whose functions C++ gets when they are first called."""
    names = (request.library,) if request.library and module.language == "c++" else ()
    return _linked(names, request.library_dirs, find_compiler("c++"))


@cache
def _linked(names: tuple[str, ...], folders: tuple[str, ...], compiler: Compiler) -> linking.LinkedLibraries:
    return linking.LinkedLibraries(names, folders, compiler)


def _taken(request: Request, module: Module) -> dict[str, Path]:
    """The data that the linked libraries export: what a program has once is theirs, and nobody defines it again."""
    return linked(request, module).exporting()


def prepare(request: Request, module: Module, objects: Sequence[Path], own: int, text: str) -> dict[str, str]:
    """Make compiled objects those of a library that is one program with those that it is linked with, and no others.

    Parameters
    ----------
    objects : sequence of Path
        The shims', then those of the sources.
    own : int
        How many are the shims'.
    text : str
        The shims.

    Returns
    -------
    dict of str to str
        The variables of which a library has another copy, and why this one is not it.
    """
    taken = _taken(request, module)
    others = _other_copies(request, module, taken)
    state = set[str]().union(*map(keeps_repeated_state, objects)) if others else set[str]()
    further = (
        {taken[name] for o in objects for name in repeated(o) if name in taken} if taken else set[Path]()
    )
    further.intersection_update(linked(request, module).further)
    if further:
        (objects[0].parent / _FURTHER).write_text("\n".join(sorted(map(str, further))))
    _share(request, module, objects, own, text, taken)
    return {name: others[name] for name in sorted(state) if name in others}


def _other_copies(request: Request, module: Module, taken: Collection[str]) -> dict[str, str]:
    """By name of a variable that a library has, and that cannot be taken from it: why."""
    found = linked(request, module).hiding()
    reasons = {name: _HIDDEN.format(path.name) for name, path in found.items() if name not in taken}
    later = opened_later(request, module)
    for name, path in (later.hiding() | later.exporting()).items():
        reasons.setdefault(name, _LATER.format(path.name))
    return reasons


def _share(
    request: Request, module: Module, objects: Sequence[Path], own: int, text: str, taken: Collection[str]
) -> None:
    beside = _family(request)
    if beside is not None:
        suffix = beside.with_name(_NAME).read_text()
        names = exported(beside, suffix) if beside.is_file() else set[str]()
    elif _is_first(request, module):
        suffix = _suffix(
            text.encode(),
            repr(request.facts()).encode(),
            *(Path(s).read_bytes() for s in request.sources),
        )
        (objects[0].parent / _NAME).write_text(suffix)
        names = set().union(*map(defined, objects[own:]))
    else:
        for path in objects if taken else ():
            take(path, taken)
        return
    for path in objects:
        share(path, suffix, names, taken, first=beside is None)


def is_late(request: Request) -> bool:
    """Whether code is made when it is linked."""
    return any(flag.startswith("-flto") for flag in request.flags)


def _is_first(request: Request, module: Module) -> bool:
    """Whether more may be built beside a library; symbols that wait for the linker cannot be prepared."""
    later = bool(module.templates) or any(isinstance(r, Handle) and r.virtuals for r in module.records)
    return later and not (
        request.apart or request.beside or request.alone or request.portable or is_late(request)
    )
