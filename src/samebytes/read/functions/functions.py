"""Functions: from the declarations of one overload to its signature, or to the reason why it is skipped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ...model.families import family_of
from ...model.intents import IN, InOutPtr, Intent
from ...model.signature import Location, Parameter, Signature
from ...types import BARE_NULL, CHAR, VOID, Const, Enum, Handle, NdArray, Pointer, Struct, Type
from ..clang.comments import clean
from ..clang.kinds import ARRAYS, FUNCTIONS, REFERENCES, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    kind_of,
    passing_of,
    printed,
    template_of,
    type_kind,
)
from ..clang.places import place_of
from ..cxxtypes.cxxtypes import CannotCross, Types, is_const, whole
from ..cxxtypes.device_parameters import device_parameter
from ..cxxtypes.functiontypes import function_holder, given_function
from ..cxxtypes.lifetimes import check_kept, check_made, check_told
from ..cxxtypes.measures import extent_of, with_measures
from ..cxxtypes.spans import span_parameter
from ..cxxtypes.streams import gives_back, stream_parameter
from ..cxxtypes.sycl import local_parameter
from ..cxxtypes.sycl_names import kernel_dimensions
from ..cxxtypes.type_names import plain_name
from ..exposed.exposure import Declared
from .annotations import annotated
from .bytes_named import with_alias
from .constants import default_argument
from .eligibility import check_free, is_hidden_friend, is_variadic
from .limits import check_values
from .nulls import with_nulls
from .sizes import with_sizes

_BARRED_REFERENTS: dict[int, str] = {
    **dict.fromkeys(
        ARRAYS - {Kind.CONSTANT_ARRAY}, "a reference to an array without its extents is not bound"
    ),
    **dict.fromkeys(FUNCTIONS, "a reference to a function cannot be made from a Python object"),
}
# Asks the front end a question; None: there is no answer yet, or it refuses.
Ask = Callable[..., int | None]
_OPERATOR = re.compile(r"operator\W")
_ASSIGNING = re.compile(r"operator(<<|>>|[-+*/%&|^])=$")
_NO_THROW = frozenset({1, 4, 9})  # throw(), noexcept, nothrow


def location(cursor: Cursor) -> Location:
    """Where a declaration is, in the user's own file."""
    file, line, column = place_of(cursor)
    return Location(file or "", line, column)


def read_function(group: list[Declared], types: Types, ask: Ask = lambda *_: None) -> Signature:
    """The signature of one overload.

    Parameters
    ----------
    group : list of Declared
        All its declarations, in the order of the source.
    ask : callable
        Asks the front end: see :class:`~samebytes.read.questions.questions.Questions`.

    Raises
    ------
    CannotCross
        With the reason; it names the parameter where one is to blame.
    """
    declared = group[0]
    cursor = declared.cursor
    check_free(group, types)
    function = cursor.type.get_canonical()
    result, result_passing = result_of(cursor, function, types)
    comments = (clean(d.cursor.raw_comment) for d in group)
    made = Signature(
        cursor.spelling,
        declared.qualified,
        with_nulls(with_sizes(parameters_of(group, function, types)), group),
        result,
        types.spelling(function.get_result()),
        result_passing,
        symbol=cursor.mangled_name,
        namespace=declared.scope,
        noexcept=is_noexcept(cursor, function),
        variadic=is_variadic(cursor),
        location=location(cursor),
        doc=next(filter(None, comments), ""),
        dimensions=kernel_dimensions([d.cursor for d in group])
        if types.unit.request.dialect == "sycl"
        else 0,
    )
    made = annotated(made, group, types.unit)
    if made.variadic:
        made = _told(made, group)
    if _OPERATOR.match(made.name):
        made = replace(made, parameters=tuple(map(_changed_itself, made.parameters)))
    if _ASSIGNING.match(made.name) and len(made.parameters) == 2:
        made = replace(made, parameters=(_changed_number(made.parameters[0]), made.parameters[1]))
    if not is_hidden_friend(group):
        return made
    classes = {plain_name(types.name_of(d.cursor.lexical_parent.type)) for d in group}
    return _befriended(made, classes.pop() if len(classes) == 1 else "", ask)


def _told(signature: Signature, group: list[Declared]) -> Signature:
    """A function with ``...``, and what tells of its further arguments in any of its declarations."""
    names = [p.name for p in signature.parameters]
    texts = [isinstance(p.type, Pointer) for p in signature.parameters]
    known = (family_of(signature.name, printed(d.cursor), names, texts) for d in group)
    family, at = next((found for found in known if found[0]), ("", -1))
    return replace(signature, family=family, family_at=at)


def _changed_itself(parameter: Parameter) -> Parameter:
    """Of an operator: the object that it changes, as ``a`` in ``a += b``."""
    record = isinstance(parameter.type, Struct) and parameter.passing == "lvalue_ref"
    return replace(parameter, intent=InOutPtr()) if record else parameter


def _changed_number(parameter: Parameter) -> Parameter:
    """Of ``e |= x``: the enumerator that it changes, in a place of the caller's."""
    changes = isinstance(parameter.type, Enum) and parameter.passing == "lvalue_ref"
    return replace(parameter, intent=InOutPtr()) if changes else parameter


def _befriended(signature: Signature, home: str, ask: Ask) -> Signature:
    """A friend that only its class declares: C++ finds it through its arguments.

    Raises
    ------
    CannotCross
        If it does not.
    """
    values = ", ".join(f"(({p.spelling} (*)())0)()" for p in signature.parameters)
    if not ask("gives", f"{signature.name}({values})", signature.result_spelling):
        raise CannotCross("only its class declares it, and C++ does not find it through its arguments")
    return replace(signature, expression=signature.name, home=home)


def parameters_of(group: list[Declared], function: ClangType, types: Types) -> tuple[Parameter, ...]:
    """The parameters of one overload, the same in all its declarations.

    Raises
    ------
    CannotCross
        With the reason; it names the parameter.
    """
    declarations = [list(d.cursor.get_arguments()) for d in group]
    patterns = [] if types.unit.c else [list(p.get_arguments()) for d in group for p in _pattern(d.cursor)]
    names = parameter_names(
        [next((c.spelling for c in column if c.spelling), "") for column in zip(*declarations, strict=True)]
    )
    parameters: list[Parameter] = []
    for i, (name, canonical) in enumerate(zip(names, argument_types(function), strict=True)):
        column = [cursors[i] for cursors in declarations]
        try:
            message = next(filter(None, (types.troubles.type(c.type) for c in column)), None)
            if message is not None:
                raise CannotCross(message)
            type_, passing = parameter_type(canonical, types)
            type_ = with_alias(_measured(type_, column), column[0].type)
            spelling = types.spelling(canonical)
        except CannotCross as reason:
            types.records.ask_ahead(argument_types(function)[i + 1 :])
            raise CannotCross(f"parameter {i + 1} '{name}' ({types.shown(canonical)}): {reason}") from None
        column += [cursors[i] for cursors in patterns if i < len(cursors)]
        defaults = (default_argument(c, type_, types.unit) for c in column if not types.unit.c)
        default = next((d for d in defaults if d is not None), None)
        extent = max((e for c in column if (e := extent_of(c)) is not None), default=None)
        if extent and isinstance(type_, Pointer):
            type_ = replace(type_, least=extent)
        intent = unstated_intent(type_, passing)
        parameters.append(Parameter(name, type_, spelling, passing, intent, default, extent))
    check_values((p.type, p.passing) for p in parameters)
    return tuple(parameters)


def parameter_type(canonical: ClangType, types: Types) -> tuple[Type, str]:
    """Type and passing of a parameter, given its canonical type.

    Raises
    ------
    CannotCross
        With the reason.
    """
    special = (
        span_parameter(canonical, types)
        or device_parameter(canonical, types)
        or function_holder(canonical, types)
        or stream_parameter(canonical, types)
        or local_parameter(canonical, types)
    )
    type_, passing = special or type_and_passing(canonical, types)
    check_made(type_, passing, const=is_const(passing_of(canonical)[1]))
    if passing == "value" and isinstance(type_, Handle) and not type_.copyable:
        raise CannotCross("it can only be moved, and Python keeps its object: take it by reference")
    return type_, passing


def unstated_intent(type_: Type, passing: str) -> Intent:
    """An object that is no bytes is changed itself; anything else goes in, where nothing says otherwise."""
    return InOutPtr() if isinstance(type_, Handle) and passing == "lvalue_ref" else IN


def _pattern(function: Cursor) -> Iterator[Cursor]:
    """Of a member of an instantiated class: what its template declares, default arguments of macros among it."""
    if "<" in function.semantic_parent.type.spelling and (found := template_of(function)) is not None:
        yield found


def _measured(type_: Type, column: list[Cursor]) -> Type:
    """A parameter's type with what the names in the first declaration that has such say of a callback's texts."""
    return next((found for c in column if (found := with_measures(type_, c)) != type_), type_)


def parameter_names(declared: list[str]) -> list[str]:
    """Unique names: as declared, without a library's reserved underscores, or ``arg0``, ``arg1`` …"""
    names: list[str] = []
    taken = set(declared)
    for i, name in enumerate(declared):
        plain = name.lstrip("_") if name.startswith("__") else name
        if not plain.isidentifier() or (plain != name and plain in taken):
            plain = name or f"arg{i}"
        while plain in names or (not name and plain in taken):
            plain += "_"
        taken.add(plain)
        names.append(plain)
    return names


def result_of(cursor: Cursor, function: ClangType, types: Types) -> tuple[Type, str]:
    """The type of a result and how it is passed.

    Raises
    ------
    CannotCross
        With the reason.
    """
    canonical = function.get_result()
    if type_kind(canonical) == Kind.VOID or gives_back(cursor.spelling, function, types):
        return VOID, "value"
    try:
        message = types.troubles.type(cursor.result_type)
        if message is not None:
            raise CannotCross(message)
        if type_kind(canonical) in REFERENCES and type_kind(canonical.get_pointee()) in ARRAYS:
            raise CannotCross("a returned reference to an array is not bound; a pointer to it is")
        result, passing = given_function(canonical, types) or type_and_passing(canonical, types)
        if isinstance(result, Pointer) and result.memory:  # as of any T*, an address is all that is known
            result = replace(result, memory="")
        check_told(result)
        check_kept(result, passing)
        check_values([(result, passing)])
        result = with_alias(with_measures(result, cursor, cursor.result_type), cursor.result_type)
        if result == BARE_NULL:
            raise CannotCross("functions of the host alone give a std::nullptr_t back")
        if passing != "lvalue_ref" and isinstance(result, Handle) and not result.destructible:
            raise CannotCross("only its own class can destroy it")
        # As text, for whom it is: `std::string(x)` and `std::cout << x` read it so.
        is_text = kind_of(cursor) == Decl.CONVERSION and result == Pointer(CHAR)
        return (Pointer(Const(CHAR)) if is_text else result), passing
    except CannotCross as reason:
        raise CannotCross(f"its result ({types.shown(canonical)}): {reason}") from None


def type_and_passing(type_: ClangType, types: Types) -> tuple[Type, str]:
    """A canonical parameter or result type as Type and passing."""
    passing, target = passing_of(type_)
    if passing == "value":
        return types.pointed(type_) or whole(types.crossing(type_)), passing
    barred = _BARRED_REFERENTS.get(type_kind(target))
    if barred is not None:
        raise CannotCross(barred)
    inner = types.crossing(target)
    if isinstance(inner, NdArray) and passing == "lvalue_ref" and not is_const(target):
        inner = replace(inner, writes=True)
    # What stands for an array that is written to, `const cv::_OutputArray&`, is const itself.
    const = is_const(target) and not (isinstance(inner, NdArray) and inner.writes)
    return Const(inner) if const else inner, passing


def is_noexcept(cursor: Cursor, function: ClangType) -> bool:
    """Whether a function promises not to throw."""
    # A computed noexcept(...) shows its result only in the canonical type.
    return cursor.exception_specification_kind.value in _NO_THROW or function.spelling.endswith(" noexcept")
