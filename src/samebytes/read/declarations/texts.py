"""The text of an object, as its declarations say it: operators that write it to a stream, conversions to text."""

from __future__ import annotations

from ...model.module import Skipped
from ..clang.kinds import PUBLIC, Decl
from ..clang.libclang import ClangType, Cursor, children_of, passing_of, written_class

STRING = "std::basic_string<char>"
_STREAMS = frozenset({"std::ostream", "std::basic_ostream<char>"})


def streamed(skipped: Skipped) -> list[str] | None:
    """What an operator takes that writes to a stream of chars: the stream, and what it writes; None of others."""
    if not skipped.name.partition("(")[0].rpartition("::")[2].startswith("operator<<"):
        return None
    operands = [
        operand.strip().removeprefix("const ").rstrip("& ").strip()
        for operand in skipped.name.partition("(")[2].rpartition(")")[0].split(",", 1)
    ]
    return operands if len(operands) == 2 and operands[0] in _STREAMS else None


def conversion_to_text(cursor: Cursor) -> ClangType | None:
    """The ``std::string``, or a reference to one, that a const object converts to by a public member."""
    members = children_of(written_class(cursor.type), Decl.CONVERSION)
    types = [
        c.result_type.get_canonical()
        for c in members
        if c.access_specifier.value == PUBLIC and c.is_const_method()
    ]
    return next((t for t in types if _is_string(t)), None)


def _is_string(type_: ClangType) -> bool:
    spelling: str = passing_of(type_)[1].get_canonical().spelling
    return spelling.removeprefix("const ") == STRING
