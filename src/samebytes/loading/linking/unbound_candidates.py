"""Overloads that C++ considers and that are not bound, as candidates: a call that means one is refused in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from ...call import Binding, Candidate
from ...call.candidate import unbound_candidates
from ...call.implicit import Maker
from ...call.introspection import declaration_text, unbound_error
from ...layouts import walk_all
from ...model.module import Module, UnboundOverload
from ...model.signature import Parameter, Signature
from ...types import VOID, WIDE, Const, Named, Pointer, Struct, Type, unqualified
from ..operators import Operator, operators_of
from .associated import Reach
from .linker import Linker
from .lookup import SIGNS, Declared

_WORD = "operator"


class Unbound:
    """The overloads of one module that are not bound, linked when they are asked for."""

    def __init__(self, module: Module, linker: Linker) -> None:
        self._linker, self._rewrites = linker, module.rewrites
        self._by_key: dict[str, list[UnboundOverload]] = {}
        for overload in module.unbound:
            self._by_key.setdefault(overload.signature.key, []).append(overload)
        self._linked: dict[str, tuple[UnboundOverload, ...]] = {}

    def named(self, key: str) -> tuple[UnboundOverload, ...]:
        """Those of one name."""
        if key not in self._linked:
            found = (
                replace(o, signature=with_known(self._linker.signature(o.signature)))
                for o in self._by_key.get(key, ())
            )
            self._linked[key] = tuple(found)
        return self._linked[key]

    def beside(self, keys: Iterable[str], bound: list[Candidate]) -> list[Candidate]:
        """Those of some names, as candidates beside bound ones."""
        return [
            c for key in keys for overload in self.named(key) for c in unbound_candidates(overload, bound)
        ]

    def operators(self) -> Iterator[Declared]:
        """The operators, for C++'s choice among those of several classes and namespaces."""
        for key in self._by_key:
            if _is_operator(key) in SIGNS:
                yield from (_declared(overload, self._rewrites) for overload in self.named(key))

    def of_specials(
        self, classes: Mapping[str, Any], bindings: Mapping[str, Binding], reach: Reach
    ) -> dict[tuple[str, str], list[tuple[Candidate, Operator]]]:
        """By class and special method: the operators that no binding has, as none of their own name is bound."""
        found: dict[tuple[str, str], list[tuple[Candidate, Operator]]] = {}
        for key in self._by_key:
            if not _is_operator(key) or key in bindings:
                continue
            for overload in self.named(key):
                signature = overload.signature
                one = Candidate(
                    signature,
                    len(signature.parameters),
                    0,
                    unbound=overload.reason,
                    template=overload.template,
                )
                for operator in operators_of(signature, classes):
                    if (restricted := reach.restricted(operator.owner, one)) is not None:
                        found.setdefault((operator.owner, operator.method), []).append((restricted, operator))
        return found

    def conversions(self, classes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """The conversions to numbers that C++ may call by itself, each by its name, with its class."""
        for overloads in self._by_key.values():
            first = overloads[0].signature
            if first.name.startswith(f"{_WORD} ") and first.owner in classes and not first.explicit:
                yield first.owner, first.name

    def makers(self, classes: Mapping[str, Any]) -> Iterator[tuple[str, Maker]]:
        """The constructors by which C++ may convert an argument, each with its class."""
        for key, overloads in self._by_key.items():
            first = overloads[0].signature
            if first.kind != "constructor" or first.owner not in classes:
                continue
            if any(map(_converts, overloads)):
                yield from (
                    (first.owner, unbound_maker(o.signature, o.reason, o.template))
                    for o in self.named(key)
                    if _converts(o)
                )


def _is_operator(key: str) -> str:
    """The sign of an operator, by its qualified name; empty of another function."""
    name = key.rpartition("::")[2]
    return name.removeprefix(_WORD) if name.startswith(_WORD) else ""


def _converts(overload: UnboundOverload) -> bool:
    """Whether C++ calls a constructor by itself, with one argument that is no object of its class."""
    signature = overload.signature
    least = sum(p.default is None for p in signature.parameters)
    if signature.explicit or least > 1 or not signature.parameters:
        return False
    taken = unqualified(signature.parameters[0].type)
    return not (isinstance(taken, Struct) and taken.name == signature.owner)


def unbound_maker(signature: Signature, reason: str, template: bool = False) -> Maker:
    """A constructor that C++ calls by itself, and whose call is refused."""
    refuse = partial(_refuse, signature, reason)
    return Maker(signature.parameters[0], refuse, declaration_text(signature), reason, template)


def _declared(overload: UnboundOverload, rewrites: bool) -> Declared:
    signature = overload.signature
    candidate = Candidate(signature, len(signature.parameters), 0, unbound=overload.reason)
    text = f"{declaration_text(signature)}, which is not bound: {overload.reason}"
    return Declared(candidate, lambda _: partial(_refuse, signature, overload.reason), rewrites, text)


def _refuse(signature: Signature, reason: str, *arguments: Any) -> NoReturn:
    raise unbound_error(signature.shown_name, signature, reason)


def with_known(signature: Signature) -> Signature:
    """A linked signature with the mere names of classes of which nothing is known, or of what is made of such."""
    return replace(signature, parameters=tuple(map(_known, signature.parameters)))


def _known(parameter: Parameter) -> Parameter:
    type_ = parameter.value_type
    unknown = isinstance(type_, Struct) and type_.python is None
    inside = () if isinstance(type_, Struct | Pointer) or type_ in _OPEN else walk_all([type_])
    if not unknown and not any(t in _OPEN or (isinstance(t, Struct) and t.python is None) for t in inside):
        return parameter
    name: Type = Named(parameter.spelling)
    return replace(parameter, type=Const(name) if isinstance(parameter.type, Const) else name)


_OPEN = (VOID, *WIDE.values())
