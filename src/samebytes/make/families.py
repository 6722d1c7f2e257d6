"""Libraries of one header: the first, and the instantiations that are built later, are one program.

They share their variables and what the sources define, so that no source is compiled twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..model.module import Module
from ..toolchain.sharing import defined, exported, share
from ..toolchain.verifying import digest
from .request import Request

_NAME = "family"
# Names are hidden one by one, once it is known which are shared; code may rely on its own definitions all the same.
_FLAGS = ("-fvisibility=default", "-fno-semantic-interposition")


def flags(request: Request, module: Module) -> tuple[str, ...]:
    """What the shims and the sources are compiled with besides everything else."""
    return _FLAGS if _is_first(request, module) or first_library(request) else ()


def first_library(request: Request) -> Path | None:
    """The library that an instantiation is built beside; None where there is none, or where it shares nothing."""
    library = Path(request.beside)
    return library if request.alone and request.beside and library.with_name(_NAME).is_file() else None


def link_flags(request: Request, module: Module, folder: Path) -> tuple[str, ...]:
    """How the first library is known to the others: by a name, as it is loaded before they are."""
    family = folder / _NAME
    return (f"-Wl,-soname,samebytes{family.read_text()}.so",) if family.is_file() else ()


def prepare(request: Request, module: Module, objects: Sequence[Path], own: int, text: str) -> None:
    """Make compiled objects those of a library that shares.

    Parameters
    ----------
    objects : sequence of Path
        The shims', then those of the sources.
    own : int
        How many are the shims'.
    text : str
        The shims.
    """
    beside = first_library(request)
    if beside is not None:
        suffix = beside.with_name(_NAME).read_text()
        names = exported(beside, suffix)
    elif _is_first(request, module):
        parts = [
            text.encode(),
            repr(request.facts()).encode(),
            *(Path(s).read_bytes() for s in request.sources),
        ]
        suffix = f".sb{digest(b''.join(parts))[:12]}"
        (objects[0].parent / _NAME).write_text(suffix)
        names = set().union(*map(defined, objects[own:]))
    else:
        return
    for path in objects:
        share(path, suffix, names, first=beside is None)


def _is_first(request: Request, module: Module) -> bool:
    """Whether instantiations may be built beside a library; symbols that wait for the linker cannot be prepared."""
    late = any(flag.startswith("-flto") for flag in request.flags)
    return bool(module.templates) and not (request.alone or request.portable or late)
