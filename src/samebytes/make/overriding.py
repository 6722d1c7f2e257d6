"""The library of a class beneath which Python's classes override virtual functions: built beside the header's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..emit.joining import Joined, joined
from ..emit.opening import OPENED, Opened, opened
from ..emit.overriding import SPACE, Overriding, fewer, overriding, own_name
from ..model.curation import EVERYTHING
from ..model.intents import RESULT, InOutPtr
from ..model.module import Module
from ..model.signature import RESULT_PLACE, Parameter, Signature
from ..model.symbols import ITERATION
from ..read.functions.methods import SELF
from ..toolchain.cache import Inputs, default_cache
from ..toolchain.verifying import digest
from ..types import Const, Enum, Handle, Protected, Scalar, Struct, Virtual
from ..types.naming import BENEATH
from .request import Request

_TEXT = "given.hpp"
# The class, what else only Python's methods may be given: objects that they call, and what steps through its elements.
_OWN = (f"{SPACE}::", "std::function<", f"{ITERATION}{SPACE}::", f"{ITERATION}const {SPACE}::")


def overriding_request(
    request: Request,
    library: str,
    struct: Handle,
    privates: Collection[str],
    *,
    given: bool,
    joined: str = "",
    functions: Sequence[Signature] = (),
) -> tuple[Request, Overriding]:
    """What is built for one class of a library, and the class that it is then.

    Parameters
    ----------
    given : bool
        Whether C++ may take its objects.
    joined : str
        The definition of the class, where it derives from several of the library's.
    functions : sequence of Signature
        Those of the library: what keeps what is the same where a virtual one is called as C++'s own.
    """
    made = overriding(struct, sorted(privates), Path(library).parent.name, given)
    asked = _asked(request, library, joined + made.text)
    return replace(asked, keeps=_keepers(made, [f for f in functions if f.keeps])), made


def _keepers(
    made: Overriding, functions: Sequence[Signature]
) -> tuple[tuple[str, tuple[tuple[str | int, ...], ...]], ...]:
    """What keeps what in calls of C++'s own functions, as a user says it."""
    places: dict[int, str | int] = {RESULT_PLACE: RESULT, 0: SELF}
    found: dict[str, tuple[tuple[str | int, ...], ...]] = {}
    for virtual in (slot.virtual for slot in made.slots):
        key = (virtual.name, virtual.home, virtual.arguments)
        for function in functions:
            if key == (function.name, function.home, tuple(p.spelling for p in function.arguments)):
                name = f"{made.object}::{virtual.name}({', '.join(virtual.arguments)})"
                found[name] = tuple(tuple(places.get(p, p - 1) for p in pair) for pair in function.keeps)
    return tuple(found.items())


def joining_request(request: Request, library: str, structs: Sequence[Struct]) -> tuple[Request, Joined]:
    """What is built for several classes of a library from which one of Python's derives, and the class of all."""
    made = joined(structs, Path(library).parent.name)
    return _asked(request, library, made.text), made


def opening_request(
    request: Request, library: str, struct: Struct, members: Sequence[Protected], *, joined: str = ""
) -> tuple[Request, Opened]:
    """What is built for a class of a library whose protected members classes of Python's use, and the class of these.

    Parameters
    ----------
    joined : str
        The definition of the class, where it derives from several of the library's.
    """
    made = opened(struct, members, Path(library).parent.name)
    return _asked(request, library, joined + made.text), made


def _asked(request: Request, library: str, made: str) -> Request:
    """What is built of such a text beside a library."""
    text = f'#include "{_header(request)}"\n{made}'
    return replace(
        request,
        source=text,
        main=None,
        language="c++",
        expose=(),
        intents=(),
        owns=(),
        keeps=(),
        counts=(),
        curation=EVERYTHING,
        instances=(),
        target="host",
        style="",
        allocations=(),
        alone=False,
        beside=request.beside or library,
        overriding=True,
    )


def _header(request: Request) -> Path:
    """The file that declares the class; source text gets one of its own."""
    if request.source is None:
        return Path(request.main or "")
    given = request.source

    def make(work: Path) -> Inputs:
        (work / _TEXT).write_text(given)
        return Inputs(())

    return default_cache().get(["given", digest(given.encode())], make).file(_TEXT)


def only_overriding(module: Module) -> Module:
    """The module without what the header's own library has; C++'s own functions have the names of those."""
    classes = [r for r in module.records if isinstance(r, Handle) and BENEATH not in r.name]
    virtuals = [v for r in classes for v in r.virtuals]
    named = {(own_name(v), arguments): v for v in virtuals for arguments in fewer(v)}
    named |= {(own_name(v), v.arguments): v for v in virtuals}
    own = [f for f in module.functions if f.qualified.removeprefix("::").startswith(_OWN)]
    known = {r.name: r for r in module.records}
    opening = {
        r.name: known[b.name]
        for r in module.records
        if OPENED in r.name
        for b in r.bases  # of which the virtual ones are also those of the class that it opens
        if b.name in known and not b.virtual
    }

    def within(items: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(item for item in items if item.qualified.removeprefix("::").startswith(f"{SPACE}::"))

    return replace(
        module,
        functions=tuple(_of_base(f, opening) if f.owner in opening else _named(f, named) for f in own),
        constants=within(module.constants),
        variables=within(module.variables),
        aliases=(),
        templates=(),
        unread=(),
    )


def _of_base(function: Signature, opening: Mapping[str, Struct]) -> Signature:
    """A function of a class that opens another, which Python calls with objects of that one: it has no others."""
    if function.kind != "method":
        return function
    first = function.parameters[0]
    base = opening[function.owner]
    type_ = Const(base) if isinstance(first.type, Const) else base
    return replace(function, parameters=(replace(first, type=type_), *function.parameters[1:]))


def _named(function: Signature, named: Mapping[tuple[str, tuple[str, ...]], Virtual]) -> Signature:
    """A function under the name that it has in Python; what it writes to numbers goes where the caller says."""
    virtual = named.get((function.name, tuple(p.spelling for p in function.arguments)))
    name = function.name.partition(BENEATH)[0]
    if virtual is not None:
        name = virtual.name if virtual.name.isidentifier() else virtual.method
    names = virtual.names if virtual is not None else ()
    given = names if all(names) and len({*names, SELF}) == len(names) + 1 else ()
    first = len(function.parameters) - len(function.arguments)
    parameters = [
        _placed(replace(p, name=given[i - first]) if given and i >= first else p)
        for i, p in enumerate(function.parameters)
    ]
    return replace(function, name=name, parameters=tuple(parameters))


def _placed(parameter: Parameter) -> Parameter:
    """As callbacks are shown numbers to which C++ refers: by their place."""
    number = isinstance(parameter.value_type, Scalar | Enum)
    return replace(parameter, intent=InOutPtr()) if number and parameter.is_unstated else parameter
