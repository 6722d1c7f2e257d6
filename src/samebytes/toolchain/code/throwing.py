"""What code may call outside of its library, and still end: what throws, by exact names.

What an exception's class does is part of it: where it is caught, its ``what()`` and its destructor run. So only the
classes of ``std`` are thrown, and numbers.
"""

from __future__ import annotations

from ...later import later_pattern

# Itanium C++ ABI, 2.4; not __cxa_guard_acquire, which waits, nor __cxa_rethrow: it may be an exception of whoever
# called Python, and of any class.
_RUNTIME = frozenset(
    {
        "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_begin_catch", "__cxa_end_catch",
        "__cxa_get_exception_ptr", "_Unwind_Resume", "__cxa_bad_cast", "__cxa_bad_typeid",
        "__cxa_throw_bad_array_new_length",
    }
)  # fmt: skip
_ENDING = frozenset({"_Unwind_Resume", "__cxa_throw", "__cxa_bad_cast", "__cxa_bad_typeid"})
_ENDING |= {"__cxa_throw_bad_array_new_length"}
MAKING = frozenset({"__cxa_allocate_exception", "__cxa_begin_catch", "__cxa_get_exception_ptr"})
THROW = "__cxa_throw"
REPORT = "samebytes_report"  # of every shim: emit/parts/report.cpp
# std::__throw_length_error(char const*), say.
_LIBRARY = later_pattern(r"_ZSt\d+__throw_[a-z_]+(PKc|PKcz|i|v)")
# std::invalid_argument::invalid_argument(char const*): it copies the text.
_CONSTRUCTOR = later_pattern(r"_ZNSt\d+(logic|domain|runtime|range|overflow|underflow|length)_errorC[12]EPKc")
_OTHERS = later_pattern(r"_ZNSt\d+(invalid_argument|out_of_range)C[12]EPKc")
# typeid of std::out_of_range, of std::exception, of int; not of char const*, whose text lies anywhere.
_THROWN = later_pattern(r"_ZTI(St\d+[a-z_]+|[a-z])")


def ends(name: str) -> bool:
    """Whether a function never returns."""
    return name in _ENDING or _LIBRARY.fullmatch(name) is not None


def throws(name: str) -> bool:
    """Whether a function only makes, throws, catches or ends an exception."""
    return name in _RUNTIME or _LIBRARY.fullmatch(name) is not None


def makes_text(name: str) -> bool:
    """Whether it constructs an exception of a text, its second argument."""
    return bool(_CONSTRUCTOR.fullmatch(name) or _OTHERS.fullmatch(name))


def is_thrown(name: str) -> bool:
    """Whether a type, by the name of its ``std::type_info``, is one whose objects wait for nothing."""
    return _THROWN.fullmatch(name) is not None
