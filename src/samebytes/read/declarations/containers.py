"""What else Python asks of what C++ iterates: what is in it, how many ``[]`` counts, and how these change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...model.signature import Parameter, Signature
from ...model.symbols import CONTAINS, ERASE, EXTENT, HAS_KEY, INSERT
from ...types import BOOL, SCALARS, VOID, Const, Pointer, Scalar, Struct, Type, unqualified
from ..clang.libclang import ClangType, passing_of
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.standard import argument, template_name
from ..functions.derived import Ask, of_object
from ..functions.functions import type_and_passing
from ..functions.limits import check_values
from ..functions.methods import object_parameter

# How C++ programs ask whether something is in a container, best first; `count` may count something else, unless
# the class says what its keys are.
_ASKED = ("{0}.contains({1})", "{0}.find({1}) != {0}.end()", "{0}.count({1}) != 0")
MEMBERSHIP = frozenset({"contains", "find", "count"})
_KEY_TYPE = "(({0}::key_type (*)())0)(), 0"
_QUALIFIERS = ("const", "")
_SMALLEST_INDEX = 4  # bytes: what is smaller is a character


def membership(owner: Struct, element: ClangType, types: Types, ask: Ask) -> Iterator[Signature]:
    """``x in obj``: by the key where the elements are pairs and C++ finds their first members, else by the element.

    Parameters
    ----------
    element : ClangType
        What a loop over an object gives.
    """
    whole = passing_of(element)[1].get_canonical()
    pair = template_name(_plain(whole.spelling)) == "std::pair"
    kinds = [(HAS_KEY, argument(whole, 0)), (CONTAINS, whole)] if pair else [(CONTAINS, whole)]
    for name, type_ in kinds:
        made = _asked(owner, name, type_, types, ask)
        if made is not None:
            yield made
            return


def _asked(owner: Struct, name: str, key: ClangType, types: Types, ask: Ask) -> Signature | None:
    spelling = _plain(types.spelling(key))
    try:
        type_ = unqualified(type_and_passing(key, types)[0])
        check_values([(type_, "value")])
    except CannotCross:
        return None
    if isinstance(type_, Pointer):
        return None  # which object lies there, or what text, C++'s comparison alone knows
    given = Parameter("x", Const(type_), f"const {spelling} &", "lvalue_ref")
    keyed = name == HAS_KEY or bool(ask("gives", _KEY_TYPE.format(owner.spelling), "int"))
    for qualifiers in _QUALIFIERS:
        here = object_parameter(owner, qualifiers).spelling
        for expression in _ASKED[: 3 if keyed else 2]:
            written = expression.format(f"(({here} (*)())0)()", f"(({given.spelling} (*)())0)()")
            if ask("gives", written, "bool"):
                made = of_object(owner, name, qualifiers, expression, BOOL, "bool")
                return replace(made, parameters=(*made.parameters, given))
    return None


def extent(owner: Struct, given: Type, functions: Iterable[Signature], ask: Ask) -> Iterator[Signature]:
    """How far ``end()`` is from ``begin()``, of a class whose ``[]`` counts the very elements that a loop gives.

    So it is where iterators reach any element at once, and each ``operator[]`` takes an integer and gives what they
    give. What is found by a key is no such class.

    Parameters
    ----------
    given : Type
        What a loop over an object gives.
    """
    if not _all_count(owner, given, functions):
        return
    for qualifiers in _QUALIFIERS:
        one = f"(({object_parameter(owner, qualifiers).spelling} (*)())0)()"
        if ask("gives", f"{one}.end() - {one}.begin()", "__PTRDIFF_TYPE__"):
            apart = "static_cast<unsigned long>({0}.end() - {0}.begin())"
            yield of_object(owner, EXTENT, qualifiers, apart, SCALARS["uint64"], "unsigned long")
            return


def changes(
    owner: Struct, element: ClangType, given: Type, functions: Iterable[Signature], types: Types, ask: Ask
) -> Iterator[Signature]:
    """What makes such a class longer and shorter: ``insert()`` and ``erase()`` at its own iterators."""
    if not _all_count(owner, given, functions):
        return
    here = f"(({object_parameter(owner, '').spelling} (*)())0)()"
    taken = f"{here}.erase({here}.begin() + 1, {here}.begin() + 2)"
    if ask("gives", f"(static_cast<void>({taken}), 0)", "int"):
        made = of_object(
            owner,
            ERASE,
            "",
            "static_cast<void>({0}.erase({0}.begin() + {1}, {0}.begin() + {2}))",
            VOID,
            "void",
        )
        yield replace(made, parameters=(*made.parameters, _index("first"), _index("last")))
    whole = passing_of(element)[1].get_canonical()
    spelling = _plain(types.spelling(whole))
    try:
        type_ = unqualified(type_and_passing(whole, types)[0])
        check_values([(type_, "value")])
    except CannotCross:
        return
    given_ = Parameter("x", Const(type_), f"const {spelling} &", "lvalue_ref")
    put = f"{here}.insert({here}.begin() + 1, (({given_.spelling} (*)())0)())"
    if not isinstance(type_, Pointer) and ask("gives", f"(static_cast<void>({put}), 0)", "int"):
        made = of_object(
            owner, INSERT, "", "static_cast<void>({0}.insert({0}.begin() + {1}, {2}))", VOID, "void"
        )
        yield replace(made, parameters=(*made.parameters, _index("at"), given_))


def _index(name: str) -> Parameter:
    return Parameter(name, SCALARS["uint64"], "unsigned long")


def _all_count(owner: Struct, given: Type, functions: Iterable[Signature]) -> bool:
    subscripts = [f for f in functions if f.owner == owner.name and f.name == "operator[]"]
    return bool(subscripts) and all(_counts(f, given) for f in subscripts)


def _counts(subscript: Signature, given: Type) -> bool:
    if len(subscript.parameters) != 2 or unqualified(subscript.result) != unqualified(given):
        return False
    index = unqualified(subscript.parameters[1].type)
    return (
        isinstance(index, Scalar)
        and index.kind in ("int", "uint")
        and index.dtype.itemsize >= _SMALLEST_INDEX
    )


def _plain(spelling: str) -> str:
    return spelling.removeprefix("const ")
