"""Members that are no bytes as properties of their classes: what reads them, what sets them, or why nothing does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ... import _native
from ...call import Binding
from ...forks import importing
from ...model.signature import Signature
from ...model.symbols import ACCESS
from ...types import Pointer, shows_elements, shows_text, unqualified
from ...types.naming import python_names
from ...values.copied import Place, shows_copies
from ...values.record_type import set_own
from .copies import in_place

_CONST = "is const in C++ and cannot be changed"


def add_member(
    classes: Mapping[str, Any], bindings: Mapping[str, Binding], name: str, binding: Binding
) -> None:
    """Give a class the property that one function reads or sets; that which reads it finds the one that sets it.

    Parameters
    ----------
    classes : mapping
        Records by their qualified C++ names.
    bindings : mapping
        All functions by their qualified C++ names.
    name : str
        The function's.
    """
    signature = binding.signatures[0]
    cls = classes.get(signature.owner)
    if cls is None or (signature.name.endswith("=") and name[:-1] in bindings):
        return
    label = python_names([signature.name.removeprefix(ACCESS).removesuffix("=")]).popitem()[1]
    where = f"{cls.__name__}.{label}"
    if signature.name.endswith("="):
        made = property(_unread, binding.function, doc=f"C++: {signature.parameters[1].spelling}")
    else:
        put = bindings.get(f"{name}=")
        why = "" if put else _unset(signature)
        setter = _setter(put, where) if put else _refusal(f"{where} {why}")
        doc = f"C++: {signature.result_spelling}"
        made = property(_reader(binding, Place(where, put is None), const=why == _CONST), setter, doc=doc)
    set_own(cls, label, made)


def _reader(binding: Binding, place: Place, *, const: bool) -> Callable[[Any], Any]:
    """What reads a member: where it is const, or lies in a const object, so are the objects in it."""
    read, type_ = binding.function, unqualified(binding.signatures[0].result)
    show, show_const = shows_copies(type_, const=const), shows_copies(type_, const=True)
    if show is None or show_const is None:
        return read
    fixed = place._replace(const=True)

    def get(instance: Any) -> Any:
        found = read(instance)
        return show_const(found, fixed) if _native.is_const(instance) else show(found, place)

    return get


def _setter(put: Binding, where: str) -> Callable[[Any, Any], Any]:
    type_ = unqualified(put.signatures[0].parameters[1].value_type)
    if not in_place(type_):
        return put.function
    with importing:  # few classes have such members
        from .replacing import put_unused
    return put_unused(put.function, type_, where)


def _unset(signature: Signature) -> str:
    """Why nothing sets a member."""
    if isinstance(signature.result, Pointer):
        return "is const in C++, or has a deleter of its own: it cannot be changed"
    if shows_text(signature.result):
        words = getattr(unqualified(signature.result), "words", "")
        return f"is a {words}, which only shows text: nothing would keep one of Python's, so only C++ sets it"
    if shows_elements(signature.result):
        return "only shows elements: nothing would keep what Python gives it to show, so only C++ sets it"
    return _CONST


def _refusal(words: str) -> Callable[[Any, Any], NoReturn]:
    def refuse(instance: Any, value: object) -> NoReturn:
        raise AttributeError(words)

    return refuse


def _unread(instance: Any) -> Any:
    raise AttributeError(
        f"this member of {type(instance).__name__} is a std::function: it is set, and only C++ calls it"
    )
