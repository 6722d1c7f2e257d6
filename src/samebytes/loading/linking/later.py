"""Names of classes that a header makes of its templates, and that are read when somebody first asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...call.c_api.api import PendingBuild
from ...errors import InstantiationError, absent_error
from ...model.module import Later, Module, Skipped
from ..library import Library

if TYPE_CHECKING:
    from ..templates.library import Instantiate


def later_classes(
    module: Module, library: Library, instantiate: Instantiate
) -> Iterator[tuple[str, PendingBuild]]:
    """The names that wait, each with what makes its class."""
    for row in module.later:
        yield row.qualified, PendingBuild(partial(_class, row, library, instantiate))


def _class(row: Later, library: Library, instantiate: Instantiate) -> Any:
    """The class of a name.

    Raises
    ------
    AttributeError
        If Python has none for it; the library says so of the name from then on.
    """
    try:
        return instantiate((row.spelling,))
    except InstantiationError as error:
        missing = Skipped(row.qualified, "typedef", error.reason, row.location)
        if missing not in library.__skipped__:
            object.__setattr__(library, "__skipped__", (*library.__skipped__, missing))
        home = row.qualified.rpartition("::")[0] or library.__name__
        raise absent_error(row.name, home, missing) from None
