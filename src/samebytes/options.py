"""What public functions take that is not of its kind: what each option is, and the words for what came."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from .errors import BindError, Error, LayoutError, value_words

# Whether a value is of some kind.
Kind = Callable[[Any], bool]


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def is_path(value: Any) -> bool:
    return isinstance(value, os.PathLike) or (isinstance(value, str) and value != "")


def is_optional(is_kind: Kind) -> Kind:
    return lambda value: value is None or is_kind(value)


def is_choice(value: Any) -> bool:
    """Whether a value is a bool, or names functions."""
    if isinstance(value, bool | str):
        return True
    return (
        isinstance(value, Collection)
        and not isinstance(value, bytes | bytearray)
        and all(map(is_text, value))
    )


def is_classes(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(k, str) and isinstance(v, type) for k, v in value.items()
    )


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_places(value: Any) -> bool:
    return _is_row(value) and all(hasattr(place, "offset") for place in value)


# By option: whether a value is of its kind, and the kind in words.
_KINDS: dict[str, tuple[Kind, str]] = {
    "code": (is_path, "a file of compiled kernels"),
    "header": (is_optional(is_path), "a header's name or path"),
    "source": (lambda value: isinstance(value, str | os.PathLike), "source text (str) or a file (Path)"),
    "name": (is_optional(is_text), "a name"),
    "dialect": (is_text, "the name of a dialect, 'cxx'"),
    "mirror": (is_text, "the name of a library, 'numpy'"),
    "promotion": (is_optional(is_text), "the name of a promotion, or left out"),
    "launch_types": (is_optional(_is_row), "a list of types, one for each argument (types=)"),
    "_force": (lambda value: isinstance(value, int), "True or False"),
    "kernel": (is_optional(_is_places), "the arguments as sb.kernel_arguments() reads them from a kernel"),
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
            raise refused(where, option, words, value, error)


def refused(where: str, option: str, words: str, value: Any, error: type[Error]) -> Error:
    """The error about an option that is not of its kind."""
    return error(f"{where}(): {option} is {words}, got {value_words(value)}")


def check_dialect(where: str, dialect: Any) -> None:
    """Raise a LayoutError if a dialect is not given by its name."""
    if type(dialect) is not str:
        check_options(where, LayoutError, dialect=dialect)
