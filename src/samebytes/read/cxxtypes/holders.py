"""Smart pointers of other libraries that share an object as a std::shared_ptr does: one name each."""

from __future__ import annotations

from ...types import Const, Object, Owner, Struct
from ..clang.libclang import ClangType
from .standard import CannotCross, ContainsItself, Inside, argument

# Templates of one argument, the class: ``P(object, deleter)`` shares an object, ``p.get()`` is the object, ``P()``
# holds none. What users name with ``holders=`` is another row.
HOLDERS = ("boost::shared_ptr", "QSharedPointer")


def holder(spelling: str, type_: ClangType, inside: Inside) -> Owner | None:
    """The type of a holder; None where what it holds is no object that Python sees."""
    target = argument(type_, 0)
    try:
        found = inside(target)
    except ContainsItself:
        raise
    except CannotCross:
        return None
    pointee = found.target if isinstance(found, Object) else found
    if not isinstance(pointee, Struct):
        return None
    return Owner(spelling, Const(pointee) if target.is_const_qualified() else pointee, shared=True)
