"""Whether what was read and built without the header's other declarations is what it would be with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..layouts import walk_all
from ..model.curation import CONSTANTS
from ..model.module import Module
from ..model.plain import is_alone
from ..read.exposed.listing import NotAlone
from ..toolchain.sharing import keeps_state
from ..types import Callback, Function, Object, Stream, Struct
from .request import Request

# What Python has to know of other declarations for.
_TIED = (Callback, Function, Object, Stream)


def check_apart(module: Module, request: Request) -> None:
    """See that what was read is what it would be with the others.

    Raises
    ------
    NotAlone
        If it is not.
    """
    records = {record.name for record in module.records}
    types = [t for f in module.functions for t in (f.result, *(p.type for p in f.parameters))]
    types += [alias.type for alias in module.aliases] + [f.type for r in module.records for f in r.fields]
    bound = (module.functions, module.records, module.enums, module.aliases, module.templates)
    others = (
        module.skipped, module.variables, module.unread, module.later, module.opaque, module.prelude,
        module.constants if CONSTANTS not in request.names else (),
    )  # fmt: skip
    if (
        any(others)
        or not any((*bound, module.constants))
        or not all(map(is_alone, module.records))
        or (records and request.instances)
        or any(f.owner and not (f.owner in records and f.implicit) for f in module.functions)
        or any(t.kind != "function" or t.owner or not t.name.isidentifier() for t in module.templates)
        or any(i.kind != "function" for i in module.instances)
        or any(
            isinstance(t, _TIED) or (isinstance(t, Struct) and t.name not in records) for t in walk_all(types)
        )
    ):
        raise _refused(request)


def only_constants(module: Module) -> Module:
    """Of what may be constants those that are: numbers and texts of no enumeration with a name."""
    constants = tuple(c for c in module.constants if not c.enum and c.type is None)
    return Module(module.language, constants=constants, included=module.included)


def check_stateless(request: Request, objects: Sequence[Path]) -> None:
    """See that code has no variables, which the rest of the header would have once more.

    Raises
    ------
    NotAlone
        If it has.
    """
    if any(map(keeps_state, objects)):
        raise _refused(request)


def _refused(request: Request) -> NotAlone:
    what = ", ".join(request.names) or request.instances[0][0]
    return NotAlone(f"{what}: the whole header has to be read")
