"""The class of the classes of pointers that libraries have: to functions of one type, to one opaque type of C."""

from __future__ import annotations

import copyreg
import pickle
from typing import Any


class PointerType(type):
    """Such a class pickles as its library's.

    Attributes
    ----------
    __samebytes_restore__ : callable
        What restores an object of the library from its qualified name.
    __samebytes_name__ : str
        The qualified name under which the library has the class; empty where C++ gives its type none.
    """


def name_class(cls: Any, name: str, restore: Any) -> None:
    """Say under which name a library has a class."""
    cls.__samebytes_name__, cls.__samebytes_restore__ = name, restore


def _reduce_class(cls: Any) -> str | tuple[Any, ...]:
    own = vars(cls)
    if "__samebytes_type__" not in own:
        return str(cls.__qualname__)  # a class that Python derived
    if name := own.get("__samebytes_name__"):
        made: tuple[Any, ...] = own["__samebytes_restore__"](name, None)
        return made
    raise pickle.PicklingError(
        f"cannot pickle the class {cls.__name__} of pointers to {cls.__samebytes_type__.pointee}: "
        "no library has a name for it; a typedef in the header gives it one"
    )


copyreg.pickle(PointerType, _reduce_class)
