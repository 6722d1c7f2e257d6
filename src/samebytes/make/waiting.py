"""Whether the shims of a header are built when they are needed, and what is there of its library before that."""

from __future__ import annotations

from pathlib import Path

from ..model.module import Module
from ..model.slots import takes_over
from ..model.symbols import given_away, is_accessor, virtual_bases
from ..toolchain.compilers import find_compiler
from . import families
from .compiling import LARGE
from .files import BATCH
from .naming import GCC
from .request import Request

# Of a class that a template makes, with its bases: each function of it is code that the compiler makes anew.
_LARGE_CLASS = 64


def waits(request: Request, module: Module) -> bool:
    """Whether the shims of a header are built when they are needed."""
    return (
        bool(request.lazily)
        and request.target == "host"
        and request.dialect == "cxx"
        and request.source is None
        and len(module.functions) > (_LARGE_CLASS if request.alone else LARGE)
        and not (request.portable or request.apart or request.overriding or request.sanitize)
        # What is built at once anyway, or has to be known when names are linked.
        and not (request.sources or request.library or module.prelude)
        and (request.alone or not request.instances)
        and not families.is_late(request)
        and GCC in find_compiler(module.language).identity
        and not given_away(module)
        and not any(virtual_bases(module, record) for record in module.records)
        and not any(
            is_accessor(f.name) and f.name.endswith("=") and takes_over(f.parameters[1])
            for f in module.functions
        )
    )


def begin(request: Request, work: Path) -> None:
    """What is there of a library before any of it is built."""
    if not request.beside:
        families.begin(request, work)
    (work / BATCH).write_text("{}")
