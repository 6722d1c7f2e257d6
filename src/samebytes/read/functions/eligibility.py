"""Which functions can be called at all, told from their declarations before their types are looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...later import later_pattern
from ..clang.kinds import RECORDS, Decl, Kind
from ..clang.libclang import Cursor, argument_types, is_inline_function, kind_of, template_of, type_kind
from ..clang.parse import ParsedUnit
from ..clang.places import extent_of, file_of, offset_of
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.devices import NOT_OF_THE_HOST, is_kernel, leaves_host, runs_elsewhere
from ..exposed.exposure import Declared

_ALLOCATES = later_pattern(r"operator (new|delete)\b")
_NOT_AVAILABLE = 2  # CXAvailability_NotAvailable: deleted, or marked unavailable
DELETED = "it is deleted or marked unavailable"
_STATIC = 3
# A parameter itself, or where it lies; a function pointer whose parameter it is may be passed on.
_VA_LIST = later_pattern(r"(const )?(struct )?(__)?(builtin_)?va_list(_tag)?( ?[*&]| ?\(\*\)\[1\]| ?\[1\])?")
_INVOKED = later_pattern(rb"([A-Za-z_]\w*)\s*\(")
_DEFINED = rb"^[ \t]*#[ \t]*define[ \t]+%s\((?:\\\r?\n|[^\n])*"
_DEFAULTED = later_pattern(rb"=\s*default\s*\Z")  # a friend's comparison
_AFTER = later_pattern(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*", re.DOTALL)


def check(group: list[Declared], types: Types) -> None:
    """Raise for what rules a function or a member out before its types are looked at."""
    for declared in group:
        message = types.troubles.declaration(declared.cursor)
        if message is not None:
            raise CannotCross(f"clang could not read it: {message}")
    cursor = group[0].cursor
    if _ALLOCATES.match(cursor.spelling):
        raise CannotCross("C++ calls it when it makes and destroys objects")
    if any(is_deleted(d.cursor) for d in group):
        raise CannotCross(DELETED)
    request = types.unit.request
    if request.dialect != "cxx":
        cursors = [d.cursor for d in group]
        # Constructors of kernels' structs are called by Python, too.
        of_host = types.unit.of_host or (request.kernels and kind_of(cursor) == Decl.CONSTRUCTOR)
        elsewhere = leaves_host(cursors) if of_host else runs_elsewhere(cursors, kernels=request.kernels)
        if elsewhere:
            raise CannotCross(elsewhere)
    elif is_kernel([d.cursor for d in group], types.unit):
        raise CannotCross(NOT_OF_THE_HOST)
    if _leaves_open(cursor, types.unit):
        raise CannotCross("in C an empty parameter list leaves the parameters open; write (void)")
    if is_variadic(cursor) and (kind_of(cursor) != Decl.FUNCTION or types.unit.request.dialect != "cxx"):
        raise CannotCross("it takes a variable number of arguments (...)")
    if any(_VA_LIST.fullmatch(t.spelling) for t in argument_types(cursor.type.get_canonical())):
        raise CannotCross(f"it takes a va_list, which only C makes{_sibling(cursor, types.unit)}")
    if _is_consteval(cursor, types.unit):
        raise CannotCross("a consteval function exists only while C++ compiles")


def is_deleted(cursor: Cursor) -> bool:
    """Whether a declaration is deleted, or marked unavailable: C++ chooses it, and refuses the call."""
    return bool(cursor.availability.value == _NOT_AVAILABLE)


def _leaves_open(cursor: Cursor, unit: ParsedUnit) -> bool:
    """Whether C does not say which parameters a function has; in headers for C++, too, ``()`` says that it has none."""
    if type_kind(cursor.type.get_canonical()) != Kind.FUNCTION_NO_PROTO:
        return False
    file = file_of(cursor)
    return file is None or b"__cplusplus" not in unit.text(file)


def is_variadic(cursor: Cursor) -> bool:
    """Whether ``...`` ends the parameters of a function."""
    type_ = cursor.type.get_canonical()
    return type_kind(type_) == Kind.FUNCTION and bool(type_.is_function_variadic())


def _sibling(cursor: Cursor, unit: ParsedUnit) -> str:
    """The function that takes the arguments themselves: ``printf`` for ``vprintf``, ``mprintf`` for ``vmprintf``."""
    name = cursor.spelling
    shorter = {name[:i] + name[i + 1 :] for i, sign in enumerate(name) if sign in "vV"}
    named = (c for c in unit.top if kind_of(c) == Decl.FUNCTION and c.spelling in shorter)
    found = next((c.spelling for c in named if is_variadic(c)), None)
    return f": {found}() takes the arguments themselves" if found else ""


def check_free(group: list[Declared], types: Types) -> None:
    """Raise for what rules out a function that is no member."""
    check(group, types)
    if group[0].cursor.spelling == "main" and not group[0].scope:
        raise CannotCross("C++ does not allow a program to call main")
    local = any(d.cursor.storage_class.value == _STATIC or is_inline_function(d.cursor) for d in group)
    if local and not any(_has_body(cursor, types.unit) for d in group for cursor in _declarations(d.cursor)):
        raise CannotCross("it is static or inline, and its body is not here")


def _declarations(cursor: Cursor) -> Iterator[Cursor]:
    """A function's declaration; of one that a template makes also the template's first, which may have the body."""
    yield cursor
    if (template := template_of(cursor)) is not None:
        yield template.canonical


def _has_body(cursor: Cursor, unit: ParsedUnit) -> bool:
    """Whether a body follows; bodies are skipped in parsing, so the text tells."""
    if cursor.is_definition():
        return True
    file, start, end = extent_of(cursor)
    if file is None:
        return True
    text = unit.text(file)
    if _DEFAULTED.search(text, start, end):
        return True
    after = _AFTER.match(text, end)
    place = after.end() if after else end
    if text[place : place + 1] not in (b";", b",", b""):
        return True
    macro = _INVOKED.match(text, start)
    return macro is not None and macro.end() <= end and _writes_body(macro[1], unit)


def _writes_body(macro: bytes, unit: ParsedUnit) -> bool:
    """Whether the text of a macro holds a function's body: ``#define DEF(n) inline int n() { return 0; }``."""
    define = re.compile(_DEFINED % re.escape(macro), re.MULTILINE | re.DOTALL)
    return any(b"{" in found[0] for file in unit.included() for found in define.finditer(unit.text(file)))


def is_hidden_friend(group: list[Declared]) -> bool:
    """Whether no declaration outside a class makes a function visible."""
    cursors = [group[0].cursor.canonical, *(d.cursor for d in group)]
    return all(kind_of(c.lexical_parent) in RECORDS for c in cursors)


def _is_consteval(cursor: Cursor, unit: ParsedUnit) -> bool:
    if unit.c:
        return False
    file, start, _ = extent_of(cursor)
    head = unit.text(file)[start : offset_of(cursor)] if file else b""
    return re.search(rb"\bconsteval\b", head) is not None
