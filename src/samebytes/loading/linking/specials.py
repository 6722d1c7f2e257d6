"""Gives the classes of a library their special methods, and their members that are no bytes as properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...call import Binding, Candidate, Special
from ...call.implicit import Becomes, Maker
from ...call.introspection import declaration_text
from ...model.signature import Signature
from ...types import Struct, unqualified
from ...types.naming import python_names
from ..operators import Operator, complete, converting, operators_of, reflected

_ACCESS = "operator."
_DECLINES = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})


def is_accessor(name: str) -> bool:
    """Whether a function is one that reads or writes a member; it has no name of its own."""
    return name.startswith(_ACCESS)


def add_specials(
    classes: Mapping[str, Any], bindings: Mapping[str, Binding], nogil: Callable[[str], bool], module: str
) -> None:
    """Complete the classes of a library.

    Parameters
    ----------
    classes : mapping
        Records and enumerations by their qualified C++ names.
    bindings : mapping
        All functions by their qualified C++ names.
    nogil : callable
        Whether a function releases the GIL.
    module : str
        The library's name.
    """
    found: dict[tuple[str, str], list[tuple[str, Candidate, Operator]]] = {}
    for name, binding in bindings.items():
        if binding.signatures[0].instance and binding.signatures[0].expression:
            continue  # what an operator means between these very operands
        if is_accessor(binding.signatures[0].name):
            _add_property(classes, bindings, name, binding)
            continue
        for candidate in binding.candidates:
            for operator in _operators(candidate.signature, classes):
                found.setdefault((operator.owner, operator.method), []).append((name, candidate, operator))
    names: dict[str, list[str]] = {}
    for (owner, method), items in found.items():
        if owner not in classes:
            continue
        made = _binding(method, items, nogil, module)
        setattr(classes[owner], method, made.function)
        names.setdefault(owner, []).append(method)
        values = getattr(classes[owner], "__samebytes_value_class__", None)
        if values is not None and not items[0][2].in_place and method != "__setitem__":
            setattr(values, method, made.function)
    for owner, methods in names.items():
        complete(classes[owner], methods)


def add_conversions(
    classes: Mapping[str, Any], bindings: Mapping[str, Binding], nogil: Callable[[str], bool], module: str
) -> None:
    """Tell the classes of a library which constructors and conversions C++ calls by itself."""
    makers: dict[str, list[Maker]] = {}
    becomes: dict[str, list[Becomes]] = {}
    for name, binding in bindings.items():
        for candidate in binding.candidates:
            signature, given = candidate.signature, candidate.parameters
            text = declaration_text(signature)
            if signature.explicit or signature.owner not in classes:
                continue
            if signature.kind == "constructor" and len(given) == 2 and not _copies(candidate):
                alone = Binding([candidate], nogil=nogil(name), module=module, reduce=())
                make = partial(_construct, alone.function)
                makers.setdefault(signature.owner, []).append(Maker(given[1], make, text))
            elif signature.kind == "method" and len(given) == 1 and signature.name.startswith("operator "):
                becomes.setdefault(signature.owner, []).append(
                    Becomes(signature.result, binding.function, text)
                )
    for owner, found in makers.items():
        classes[owner].__samebytes_makers__ = tuple(found)
    for owner, operators in becomes.items():
        classes[owner].__samebytes_becomes__ = tuple(operators)


def _copies(candidate: Candidate) -> bool:
    """Whether a constructor takes an object of its own class."""
    taken = unqualified(candidate.parameters[1].type)
    return isinstance(taken, Struct) and taken.name == candidate.signature.owner


def _construct(constructor: Any, python: Any, value: Any) -> Any:
    return python._construct(constructor, value)


def _operators(signature: Signature, classes: Mapping[str, Any]) -> Iterator[Operator]:
    yield from operators_of(signature, classes)
    more = converting(signature, lambda owner: hasattr(classes.get(owner), "__samebytes_makers__"))
    if more is not None and more.owner in classes:
        yield more


class _Hidden:
    """A name of a base that does not mean the base's member in a derived class."""

    def __init__(self, name: str, owner: str) -> None:
        self._words = (
            f"{owner} does not inherit {name!r}: it declares the name itself, not public or not bound, "
            "or several bases have it"
        )

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        raise AttributeError(self._words)

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError(self._words)


def hide(classes: Mapping[str, Any]) -> None:
    """Keep derived classes from finding members of their bases under names that C++ looks up no further."""
    for cls in classes.values():
        struct = getattr(cls, "__samebytes_type__", None)
        for name in getattr(struct, "hidden", ()):
            known = python_names([name])[name]
            inherited = any(known in base.__dict__ for base in cls.__mro__[1:] if _is_bound(base))
            if known not in cls.__dict__ and inherited:
                setattr(cls, known, _Hidden(name, cls.__name__))


def _is_bound(cls: type) -> bool:
    return "__samebytes_codec__" in cls.__dict__


def _binding(
    method: str, items: list[tuple[str, Candidate, Operator]], nogil: Callable[[str], bool], module: str
) -> Binding:
    candidates = [_ordered(candidate, operator) for _, candidate, operator in items]
    special = Special(method, reflected(method), method in _DECLINES, items[0][2].in_place)
    return Binding(candidates, nogil=nogil(items[0][0]), module=module, reduce=(), special=special)


def _ordered(candidate: Candidate, operator: Operator) -> Candidate:
    plain = operator.order == tuple(range(len(operator.order)))
    return candidate if plain else replace(candidate, order=operator.order)


def _add_property(
    classes: Mapping[str, Any], bindings: Mapping[str, Binding], name: str, binding: Binding
) -> None:
    signature = binding.signatures[0]
    if signature.owner not in classes or (signature.name.endswith("=") and name[:-1] in bindings):
        return
    label = python_names([signature.name.removeprefix(_ACCESS).removesuffix("=")]).popitem()[1]
    if signature.name.endswith("="):
        made = property(_unread, binding.function, doc=f"C++: {signature.parameters[1].spelling}")
    else:
        put = bindings.get(f"{name}=")
        made = property(
            binding.function, put.function if put else None, doc=f"C++: {signature.result_spelling}"
        )
    setattr(classes[signature.owner], label, made)


def _unread(instance: Any) -> Any:
    raise AttributeError(
        f"this member of {type(instance).__name__} is a std::function: it is set, and only C++ calls it"
    )
