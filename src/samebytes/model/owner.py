"""What of a module a part of its code is for."""

from __future__ import annotations

from typing import NamedTuple


class Owner(NamedTuple):
    """What of a module a piece of the shims' text is for: where the compiler refuses that, this is what goes.

    Attributes
    ----------
    kind : str
        ``"function"``, ``"record"``, ``"enum"``, ``"variable"``: by its number in the module; ``"ending"``: what
        destroys objects of a record; ``"type"``: a type that functions have, by its spelling.
    """

    kind: str
    key: int | str
