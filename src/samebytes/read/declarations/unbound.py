"""Overloads that C++ sees and that are not bound, of every bound name and of the operators of bound classes.

They are read without a question and bring no type with them. Where C++ would choose one of them, a call is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ...model.module import Skipped, UnboundOverload
from ...model.signature import Default, Location, Parameter, Signature
from ...types import VOID, Scalar, Struct, unqualified
from ...types.naming import split_name
from ..clang.kinds import PRIVATE, PROTECTED, PUBLIC, RECORDS, Decl
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    canonical_hash,
    children_of,
    constructs,
    declarations_in,
    friend_functions,
    is_inline_namespace,
    kind_of,
    of_kinds,
    overloads,
    template_arguments,
    written_class,
)
from ..clang.parse import ParsedUnit
from ..cxxtypes.outline import outline
from ..exposed.exposure import RESERVED, Exposure, is_reserved, is_standard
from ..functions.constants import has_default
from ..functions.eligibility import DELETED, is_deleted, is_variadic
from ..functions.functions import location, parameter_names
from ..functions.methods import object_parameter, qualifiers_of
from .operators_elsewhere import SIGNS, hidden, operands, sign

_SIGN = "operator"
_FREE = frozenset({Decl.FUNCTION, Decl.FUNCTION_TEMPLATE, Decl.USING})
_SCOPES = frozenset({Decl.NAMESPACE, Decl.LINKAGE})
_ASKED = of_kinds(_FREE, _SCOPES)
_MEMBERS = of_kinds({Decl.METHOD, Decl.CONSTRUCTOR, Decl.CONVERSION, Decl.FUNCTION_TEMPLATE, Decl.USING})
_CALLED = frozenset({"()", "[]"})  # what only members can be
_NOT_PUBLIC = {PROTECTED: "it is protected", PRIVATE: "it is private"}
_UNKNOWN = "it cannot be bound"
_GIVEN = "..."  # a default argument, whatever it is: a call of it is refused


class UnboundOverloads:
    """Finds them in one unit, once all else is read.

    Parameters
    ----------
    functions : iterable of Signature
        Everything that is bound.
    skipped : iterable of Skipped
        Everything that is not, with the reasons.
    """

    def __init__(
        self, unit: ParsedUnit, exposure: Exposure, functions: Iterable[Signature], skipped: Iterable[Skipped]
    ) -> None:
        self._unit, self._exposure = unit, exposure
        self._reasons = {s.location: s.reason for s in skipped}
        self._missed = {_bare(s.name) for s in skipped}
        self._free: dict[tuple[str, ...], set[str]] = {}
        self._members: dict[str, set[str]] = {}
        self._symbols: set[str] = set()
        self._places: set[Location | None] = set()
        self._forms: set[tuple[object, ...]] = set()
        # Where what is bound stands, instances too; a friend that is bound as a member is, by class and name.
        self._friends: set[object] = set()
        for function in functions:
            self._friends.add(function.location if not function.implicit else (function.owner, function.name))
            if function.kind == "macro" or function.instance:
                continue
            self._symbols.add(function.symbol)
            self._places.add(function.location)
            self._forms.add(_form(function))
            if function.owner:
                self._members.setdefault(function.owner, set()).add(function.name)
            elif function.kind == "function":
                self._free.setdefault(function.namespace, set()).add(function.name)

    def of_functions(self, classes: Collection[str]) -> Iterator[UnboundOverload]:
        """The free functions beside bound ones, and the free operators that take some classes or enumerations."""
        own = {name for name in classes if not is_standard(name)}
        scopes = {*self._free, *(tuple(split_name(name)[:-1]) for name in own)}
        around = {scope[:n] for scope in scopes for n in range(len(scope) + 1)}
        words = frozenset().union(*self._free.values())
        if own:
            words |= {f"operator{one}" for one in SIGNS}
        found: dict[tuple[tuple[str, ...], int], list[Cursor]] = {}
        for cursor, scope, entity in self._walk(self._unit.tu.cursor, (), around, words) if words else ():
            found.setdefault((scope, entity), []).append(cursor)
        for (scope, _), group in found.items():
            if scope[:1] == ("std",):
                continue  # templates beside C's functions: C++ is asked what a call means
            operator = sign(group[0]) in SIGNS and not own.isdisjoint(operands(group[0]))
            if operator or group[0].spelling.partition("<")[0] in self._free.get(scope, ()):
                yield from self._of_function(group, scope)

    def of_class(self, struct: Struct, declared: Cursor) -> Iterator[UnboundOverload]:
        """The members of a class beside bound ones, its operators and its constructors, also those of bases."""
        cursor = written_class(declared.type)
        arguments = tuple(template_arguments(declared.type)) if cursor != declared else ()
        names = self._members.get(struct.name, set())
        for kind, member, spelling, _, _, access, _ in declarations_in(cursor, _MEMBERS, None):
            if kind == Decl.USING:
                for meant in overloads(member):
                    if meant.spelling in names:
                        yield from self._of_member(meant, struct, arguments, access)
            elif kind == Decl.CONVERSION:
                if access == PUBLIC and _is_number(member, arguments):
                    yield from self._of_member(member, struct, arguments, access)
            elif constructs(member, cursor) or spelling in names or _is_operator(spelling):
                yield from self._of_member(member, struct, arguments, access)
        for friend in friend_functions(cursor):
            if kind_of(friend) == Decl.FUNCTION and sign(friend) in SIGNS and _is_hidden(friend):
                yield from self._of_friend(friend, struct, arguments)

    def _walk(
        self,
        parent: Cursor,
        scope: tuple[str, ...],
        around: Collection[tuple[str, ...]],
        words: frozenset[str],
    ) -> Iterator[tuple[Cursor, tuple[str, ...], int]]:
        """The functions of some names in some namespaces, also those that using-declarations bring there."""
        for kind, cursor, spelling, _, _, _, entity in declarations_in(parent, _ASKED, None, words):
            if kind == Decl.LINKAGE:
                yield from self._walk(cursor, scope, around, words)
            elif kind == Decl.NAMESPACE:
                inner = scope if is_inline_namespace(cursor) else (*scope, spelling)
                if inner in around:
                    yield from self._walk(cursor, inner, around, words)
            elif kind == Decl.USING:
                yield from ((meant, scope, canonical_hash(meant)) for meant in overloads(cursor))
            else:
                yield cursor, scope, entity

    def _of_function(self, group: list[Cursor], scope: tuple[str, ...]) -> Iterator[UnboundOverload]:
        cursor = group[0]
        template = kind_of(cursor) == Decl.FUNCTION_TEMPLATE
        if not template and (cursor.mangled_name in self._symbols or cursor.get_num_template_arguments() > 0):
            return
        if template and not (self._exposure.hides(cursor) or is_deleted(cursor)):
            return  # C++ is asked what its calls mean
        signature = self._signature(cursor, (), scope, "function")
        yield from self._unless_bound(signature, group, template)

    def _of_friend(
        self, cursor: Cursor, struct: Struct, arguments: Sequence[ClangType]
    ) -> Iterator[UnboundOverload]:
        if not arguments and cursor.mangled_name in self._symbols:
            return
        if not self._friends.isdisjoint((location(cursor), (struct.name, cursor.spelling))):
            return
        if "<" in struct.name and not is_deleted(cursor) and location(cursor) not in self._reasons:
            return  # it has no name of its own, and C++ is asked
        scope = tuple(split_name(struct.name)[:-1])
        made = self._signature(cursor, arguments, scope, "function")
        made = replace(made, home=struct.name, expression=made.name)
        yield from self._unless_bound(made, [cursor], False)

    def _of_member(
        self, cursor: Cursor, struct: Struct, arguments: Sequence[ClangType], access: int
    ) -> Iterator[UnboundOverload]:
        scope = tuple(split_name(struct.name))
        template = kind_of(cursor) == Decl.FUNCTION_TEMPLATE
        spelled = struct.short_name if constructs(cursor, cursor.semantic_parent) else cursor.spelling
        if access == PUBLIC and (template or "::".join([*scope, cursor.spelling]) not in self._missed):
            return  # it is bound, or C++ is asked
        kind = (
            "constructor"
            if spelled == struct.short_name
            else "static"
            if cursor.is_static_method()
            else "method"
        )
        made = self._signature(cursor, arguments, scope, kind)
        qualifiers = qualifiers_of(cursor.type.get_canonical()) if kind == "method" else ""
        objects = (object_parameter(struct, qualifiers),) if kind == "method" else ()
        made = replace(
            made, name=spelled, qualified="::".join([*scope, spelled]), parameters=(*objects, *made.parameters),
            owner=struct.name, home=struct.spelling, qualifiers=qualifiers,
            result=struct if kind == "constructor" else VOID, explicit=bool(cursor.is_explicit_method()),
        )  # fmt: skip
        if "volatile" in qualifiers and any(
            _form(replace(made, qualifiers=q)) in self._forms for q in ("", "const")
        ):
            return  # no object of Python's is volatile, and C++ prefers the other
        yield from self._unless_bound(made, [cursor], template, _NOT_PUBLIC.get(access, ""))

    def _signature(
        self, cursor: Cursor, arguments: Sequence[ClangType], scope: tuple[str, ...], kind: str
    ) -> Signature:
        declared = children_of(cursor, Decl.PARAMETER)
        names = parameter_names([c.spelling for c in declared])
        types = argument_types(cursor.type.get_canonical())
        return Signature(
            cursor.spelling,
            "::".join([*scope, cursor.spelling]),
            tuple(
                _parameter(name, c, type_, arguments, self._unit)
                for name, c, type_ in zip(names, declared, types, strict=True)
            ),
            VOID,
            cursor.result_type.spelling,
            namespace=scope,
            variadic=is_variadic(cursor),
            location=location(cursor),
            kind=kind,
        )

    def _unless_bound(
        self, signature: Signature, group: Sequence[Cursor], template: bool, reason: str = ""
    ) -> Iterator[UnboundOverload]:
        """An overload, unless it is bound, or declared like one that is: C++ has some means to prefer that one."""
        places = [location(cursor) for cursor in group]
        # What a macro declares stands at one place, and these are never bound.
        closed = bool(reason) or is_deleted(group[0])
        if not (closed or self._places.isdisjoint(places)) or (
            _form(signature) in self._forms and not template
        ):
            return
        known = next((self._reasons[place] for place in places if place in self._reasons), "")
        yield UnboundOverload(signature, reason or known or self._reason(group[0], signature), template)

    def _reason(self, cursor: Cursor, signature: Signature) -> str:
        if is_deleted(cursor):
            return DELETED
        if self._exposure.hides(cursor):
            return hidden(cursor, signature.qualified)
        return RESERVED if is_reserved(signature.name) else _UNKNOWN


def _is_operator(name: str) -> bool:
    return name.startswith(_SIGN) and (name[len(_SIGN) :] in SIGNS or name[len(_SIGN) :] in _CALLED)


def _is_number(conversion: Cursor, arguments: Sequence[ClangType]) -> bool:
    """Whether a conversion is one to a number."""
    return isinstance(unqualified(outline(conversion.result_type, arguments)[0]), Scalar)


def _bare(name: str) -> str:
    """The name of what is skipped, without its parameters."""
    called = f"{_SIGN}()"
    scope, found, _ = name.partition(called)
    return f"{scope}{called}" if found else name.partition("(")[0]


def _is_hidden(friend: Cursor) -> bool:
    """Whether C++ finds a friend by its class's objects alone."""
    return kind_of(friend.canonical.lexical_parent) in RECORDS


def _form(signature: Signature) -> tuple[object, ...]:
    """What tells two overloads apart in C++."""
    types = tuple((p.type, p.passing) for p in signature.arguments)
    return (signature.qualified, types, signature.qualifiers, signature.variadic)


def _parameter(
    name: str, cursor: Cursor, type_: ClangType, arguments: Sequence[ClangType], unit: ParsedUnit
) -> Parameter:
    found, passing = outline(type_, arguments)
    default = Default(_GIVEN) if has_default(cursor, unit) else None
    return Parameter(name, found, cursor.type.spelling, passing, default=default)
