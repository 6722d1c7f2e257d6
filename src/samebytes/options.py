"""Options of public functions that are not of their kind: one table of what each takes, and the words for what came."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from .errors import BindError, Error, LayoutError, value_words


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_path(value: Any) -> bool:
    return isinstance(value, os.PathLike) or (isinstance(value, str) and value != "")


def _is_optional(is_kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_kind(value)


def _is_choice(value: Any) -> bool:
    """Whether a value is a bool, or names functions."""
    if isinstance(value, bool | str):
        return True
    return (
        isinstance(value, Collection)
        and not isinstance(value, bytes | bytearray)
        and all(map(_is_text, value))
    )


def _is_classes(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(k, str) and isinstance(v, type) for k, v in value.items()
    )


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_places(value: Any) -> bool:
    return _is_row(value) and all(hasattr(place, "offset") for place in value)


_NAMES = "True, False, or the names of functions"

# By option: whether a value is of its kind, and the kind in words.
_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "header": (_is_optional(_is_path), "a header's name or path"),
    "library": (_is_optional(_is_path), "a shared library's name or path"),
    "source": (lambda value: isinstance(value, str | os.PathLike), "source text (str) or a file (Path)"),
    "dialect": (_is_text, "the name of a dialect, 'cxx'"),
    "mirror": (_is_text, "the name of a library, 'numpy'"),
    "name": (_is_optional(_is_text), "a name"),
    "language": (_is_optional(_is_text), "'c' or 'c++'"),
    "std": (_is_optional(_is_text), "a language standard, 'c++20'"),
    "target": (_is_text, "'host', 'numba' or 'numba_cuda'"),
    "style": (_is_optional(_is_text), "'c_api', or left out"),
    "promotion": (_is_optional(_is_text), "the name of a promotion, or left out"),
    "nogil": (_is_choice, _NAMES),
    "check": (_is_choice, _NAMES),
    "types": (_is_optional(_is_classes), "{'ns::Sun': Sun}: classes by C++ struct"),
    "launch_types": (_is_optional(_is_row), "a list of types, one for each argument (types=)"),
    "_force": (lambda value: isinstance(value, int), "True or False"),
    "kernel": (_is_optional(_is_places), "the arguments as sb.kernel_arguments() reads them from a kernel"),
    "arg_intent": (_is_optional(lambda value: isinstance(value, Mapping)), "{function: {parameter: intent}}"),
    "allocations": (_is_optional(lambda value: isinstance(value, Mapping)), "{function: what it allocates}"),
}


def check_options(where: str, error: type[Error] = BindError, **given: Any) -> None:
    """Raise an error for the first option that is not of its kind.

    Parameters
    ----------
    where : str
        The function, as messages name it.
    error : type
        The class of the error.
    """
    for option, value in given.items():
        is_kind, words = _KINDS[option]
        if not is_kind(value):
            raise error(f"{where}(): {option} is {words}, got {value_words(value)}")


def check_dialect(where: str, dialect: Any) -> None:
    """Raise a LayoutError if a dialect is not given by its name."""
    if type(dialect) is not str:
        check_options(where, LayoutError, dialect=dialect)
