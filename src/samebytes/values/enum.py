"""C++ enumerations as Python's IntEnum classes."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import IntEnum

from ..types import Enum

# Names that Python's enum module keeps for itself.
_RESERVED = re.compile(r"mro|name|value|__\w*__|_\w*_")


def enum_class(enum: Enum, module: str) -> type[IntEnum]:
    """The class of a C++ enumeration.

    Parameters
    ----------
    enum : Enum
    module : str
        The ``__module__`` of the class.

    Returns
    -------
    type
        An IntEnum; two members of one value are one member and an alias. A name that Python's enums reserve
        gets an underscore. Its ``__samebytes_type__`` is the description, with the class as its ``python``.
    """
    members = {f"{name}_" if _RESERVED.fullmatch(name) else name: value for name, value in enum.members}
    made: type[IntEnum] = IntEnum(enum.short_name or "Enum", members, module=module)  # type: ignore[misc]
    made.__doc__ = enum.doc or f"The C++ enumeration {enum.name}."
    made.__samebytes_type__ = replace(enum, python=made)  # type: ignore[attr-defined]
    return made
