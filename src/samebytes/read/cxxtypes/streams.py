"""Parameters that are a ``std::ostream&`` or ``std::istream&``: a file of Python's stands for each."""

from __future__ import annotations

from ...types import Stream, Type
from ..clang.kinds import Kind
from ..clang.libclang import ClangType, argument_types, passing_of, type_kind
from .cxxtypes import Types, is_const
from .type_names import plain_name

# What C++ does with each, by its name, to which libstdc++ and libc++ add no inline namespace that clang shows.
_READS = {"std::basic_ostream<char>": False, "std::basic_istream<char>": True}


def stream_parameter(type_: ClangType, types: Types) -> tuple[Type, str] | None:
    """Type and passing of a canonical parameter type that is such a reference; None if it is none."""
    passing, target = passing_of(type_.get_canonical())
    if passing != "lvalue_ref" or type_kind(target) != Kind.RECORD or is_const(target):
        return None
    spelling = plain_name(types.spelling(target))
    reads = _READS.get(spelling.replace("std::__1::", "std::"))
    return None if reads is None else (Stream(spelling, reads), passing)


def gives_back(name: str, function: ClangType, types: Types) -> bool:
    """Whether a function gives back a stream that it takes: to Python, whose file it is, that says nothing.

    An operator on streams, which is there to be called by the next one, is none.
    """
    result = stream_parameter(function.get_result(), types)
    taken = (stream_parameter(t, types) for t in argument_types(function))
    return result is not None and not name.startswith("operator") and result in taken
