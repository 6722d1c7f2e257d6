"""The functions of a C API in its style: by what is known of its library, by rules, by what the code shows."""

from __future__ import annotations

from pathlib import Path

from ..model.module import Module
from ..read.curating.applying import apply_known
from ..read.curating.unchecked import leave_unchecked
from ..styles.c_api.rules import apply_style
from ..styles.c_api.texts_by_name import name_texts
from .config.known_libraries import check_known, known_of
from .examining import examine
from .request import Request


def styled(module: Module, request: Request) -> tuple[Module, tuple[Path, ...]]:
    """The module as its style has it, and as what is known of its libraries says; which libraries were looked into."""
    examined = examine(request, module)
    known = known_of(module, [path for path, _ in request.known])
    module = name_texts(module, {name for one in known for name in one.texts}, all_=False)
    module = leave_unchecked(module, {name for one in known for name in one.unchecked}, all_=False)
    module = apply_style(module, request.style, request.allocated(), examined.shown)
    for one in known:
        if one.exact:
            check_known(one, module)
        module = apply_known(module, one.intents, one.has, one.name, one.exact)
    return module, examined.files
