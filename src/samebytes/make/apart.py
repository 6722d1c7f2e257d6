"""Whether what was built without the header's other declarations does what it would do with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..model.module import Module
from ..read.exposed.listing import NotAlone
from ..toolchain.objects import Needs
from ..toolchain.sharing import keeps_state, state_of
from .joining import SHIM
from .request import Request


def check_stateless(request: Request, module: Module, objects: Sequence[Path]) -> None:
    """See that code has no variables, which the rest of the header would have once more.

    Raises
    ------
    NotAlone
        If it has; of several names with those whose functions reach one.
    """
    if not any(map(keeps_state, objects)):
        return
    state = {(number, section) for number, path in enumerate(objects) for section in state_of(path)}
    needs = Needs(objects)
    shims = {int(shim[1]): name for name in needs.functions() if (shim := SHIM.match(name))}
    numbers = module.numbers or range(len(module.functions))
    numbered = zip(numbers, module.functions, strict=True)
    stateful = {f.qualified for n, f in numbered if n in shims and needs.reaches(shims[n], state)}
    raise NotAlone(_asked(request), stateful.intersection(request.names))


def check_whole(request: Request, module: Module) -> None:
    """See that all that was asked for is built.

    Raises
    ------
    NotAlone
        If the compiler has refused something.
    """
    lost = {s.name.partition("(")[0] for s in module.skipped}
    if lost:
        raise NotAlone(_asked(request), lost if lost.issubset(request.names) else ())


def without(request: Request, found: NotAlone) -> Request:
    """The request that leaves out the names that do not stand alone.

    Raises
    ------
    NotAlone
        If the first of all is one of them, or it is not known which are.
    """
    left = tuple(name for name in request.names if name not in found.names)
    if not left or left == request.names or left[0] != request.names[0]:
        raise found
    return replace(request, names=left)


def _asked(request: Request) -> str:
    return request.names[0] if request.names else request.instances[0][0]
