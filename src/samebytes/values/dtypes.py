"""The NumPy dtype of a value class, so that the class itself serves as ``dtype=``."""

from __future__ import annotations

import sys
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import LayoutError
from ..layouts.mirrors import mirror
from .letters import write

_formats: WeakKeyDictionary[type, bytes] = WeakKeyDictionary()
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


def classes_with_dtype(size: int, names: tuple[str, ...]) -> list[type]:
    """The classes of whose dtype somebody has asked, of so many bytes and with these fields: arrays may be of them."""
    return [cls for cls, dtype in _known.items() if dtype.itemsize == size and dtype.names == names]


def _is_described(cls: type) -> bool:
    """Whether a class is that of some struct or vector; what all such share is asked, too, by ``help``."""
    return hasattr(cls, "__samebytes_type__")


class ClassDtype:
    """``cls.dtype``, which NumPy asks a class for: ``numpy.zeros(3, dtype=Point)``."""

    def __get__(self, instance: Any, owner: type) -> Any:
        return class_dtype(owner) if _is_described(owner) else self


def load_numba_extensions() -> None:
    """Have Numba load what extends it, samebytes among them."""
    for name in ("numba.core.entrypoints", "numba.cuda.core.entrypoints"):
        if (module := sys.modules.get(name)) is not None:
            module.init_all()


class NumbaExtensions:
    """``value._numba_type_``, which Numba's dispatcher asks before it looks at a value: here it loads its extensions.

    It would load them only when it compiles, and by then have noted for ever that values with this buffer are
    objects it does not know: each call would be sorted out anew by Python, 30 times as slow.
    """

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is not None:
            load_numba_extensions()
        raise AttributeError("_numba_type_")  # its extensions say


class ClassFormat:
    """``cls.__samebytes_format__``, which the compiled core asks: PEP 3118's ``T{...}`` as bytes.

    Raises
    ------
    AttributeError
        If there is none: a bit-field, a pointer, a number of a format without a letter.
    """

    def __get__(self, instance: Any, owner: type) -> Any:
        found = _formats.get(owner)
        if found is None and not _is_described(owner):
            return self
        if found is None:
            try:
                found = _formats[owner] = write(np.dtype(class_dtype(owner))).encode()
            except (KeyError, ValueError) as error:
                raise AttributeError(f"{owner.__name__} has no format: {error}") from None
        return found


class VectorDtype:
    """Of a vector class as :class:`ClassDtype`; of a vector the elements' format (specification, "Vector.dtype")."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        if not _is_described(owner):
            return self
        return class_dtype(owner) if instance is None else owner.__samebytes_type__.element.dtype
