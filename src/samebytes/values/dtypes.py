"""The NumPy dtype of a value class, so that the class itself serves as ``dtype=``."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from ..errors import LayoutError
from ..mirrors import mirror

_known: WeakKeyDictionary[type, Any] = WeakKeyDictionary()


def class_dtype(cls: type) -> Any:
    """The dtype of an array whose elements are a class's instances, in dialect ``cxx``.

    Raises
    ------
    AttributeError
        If NumPy has none; the message has the reason.
    """
    found = _known.get(cls)
    if found is None:
        try:
            found = _known[cls] = mirror(cls, "numpy")
        except LayoutError as error:
            raise AttributeError(str(error)) from None
    return found


class ClassDtype:
    """``cls.dtype``, which NumPy asks a class for: ``numpy.zeros(3, dtype=Point)``."""

    def __get__(self, instance: Any, owner: type) -> Any:
        return class_dtype(owner)


class VectorDtype:
    """Of a vector class as :class:`ClassDtype`; of a vector the elements' format (specification, "Vector.dtype")."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        return class_dtype(owner) if instance is None else owner.__samebytes_type__.element.dtype
