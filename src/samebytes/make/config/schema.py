"""The keys of a configuration: what each may be, and where it has no effect."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import BindError
from ...forks import importing
from ...frozen import frozen
from ...model.intents import suggest

if TYPE_CHECKING:
    from ...styles.c_api.allocations import Allocation

# A check gets the value, the folder of the file, and what messages begin with.
Check = Callable[[Any, str, str], Any]


@frozen(slots=False)
class Key:
    """One key of the schema.

    Attributes
    ----------
    check : callable
    default : object
    unused : str
        Why it has no effect, except for ``targets``; empty: it has one everywhere.
    never : str
        Why it has none for any target: to ask for it is an error.
    """

    check: Check
    default: Any = None
    unused: str = ""
    targets: tuple[str, ...] = ()
    never: str = ""


def _wrong(where: str, expected: str, got: object) -> BindError:
    return BindError(f"{where} is {expected}, got {got!r}")


def _text(value: Any, folder: str, where: str) -> str:
    if not isinstance(value, str):
        raise _wrong(where, "text", value)
    return value


def _label(value: Any, folder: str, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _wrong(where, "text or a number", value)
    return str(value)


def _flag(value: Any, folder: str, where: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(where, "true or false", value)
    return value


def _texts(value: Any, folder: str, where: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise _wrong(where, "a list of texts", value)
    return tuple(_text(item, folder, f"{where}, item {i}") for i, item in enumerate(value))


def _one_or_more(value: Any, folder: str, where: str) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else _texts(value, folder, where)


def _paths(value: Any, folder: str, where: str) -> tuple[str, ...]:
    found = tuple(os.path.abspath(os.path.join(folder, item)) for item in _one_or_more(value, folder, where))
    for path in found:
        if not os.path.exists(path):
            raise BindError(f"{where}: {path} does not exist")
    return found


def _place(value: Any, folder: str, where: str) -> str:
    """A path that may name more behind it, and is looked for where it is used."""
    return os.path.abspath(os.path.join(folder, _text(value, folder, where)))


def _prefixes(value: Any, folder: str, where: str) -> tuple[str, ...]:
    with importing:  # few configurations name one
        from ...toolchain.prefixes import CONDA

    named = _one_or_more(value, folder, where)
    return tuple(one if one == CONDA else _place(one, folder, where) for one in named)


def _files(value: Any, folder: str, where: str) -> tuple[str, ...]:
    return tuple(map(os.path.realpath, _paths(value, folder, where)))


def _mapping(value: Any, folder: str, where: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(where, "a mapping", value)
    return dict(value)


def _mapping_of(check: Check, *keys: str) -> Check:
    def checked(value: Any, folder: str, where: str) -> dict[str, Any]:
        found = _mapping(value, folder, where)
        for key in found:
            check_key(key, keys, where)
        return {k: check(v, folder, f"{where}: {k}") for k, v in found.items() if v is not None}

    return checked


def _named(value: Any, folder: str, where: str, what: str) -> dict[str, Any]:
    """What is said of things by their names."""
    found = _mapping(value, folder, where)
    for name in found:
        if not isinstance(name, str):
            raise _wrong(where, f"keyed by {what}' names", name)
    return found


def _intents(value: Any, folder: str, where: str) -> dict[Any, Any]:
    found = _named(value, folder, where, "functions")
    for function, chosen in found.items():
        if chosen is not None:
            _mapping(chosen, folder, f"{where}: {function}")
    return {function: chosen for function, chosen in found.items() if chosen is not None}


def _pythonic(value: Any, folder: str, where: str) -> dict[str, Any]:
    """What is said of classes; the words themselves are checked where there are classes."""
    found = _named(value, folder, where, "classes")
    for name, words in found.items():
        _mapping(words, folder, f"{where}: {name}")
    return found


def _owns(value: Any, folder: str, where: str) -> dict[str, Any]:
    """Factories and deleters; an empty value, ``null``, is C++'s delete."""
    found = _named(value, folder, where, "functions")
    for name, deleter in found.items():
        if deleter is not None:
            _text(deleter, folder, f"{where}: {name}")
    return found


def _keeps(value: Any, folder: str, where: str) -> dict[str, Any]:
    """What keeps what, by function; the words themselves are checked where the functions are known."""
    found = _named(value, folder, where, "functions")
    for name, said in found.items():
        if not isinstance(said, list | tuple):
            raise _wrong(f"{where}: {name}", "a list, what keeps and what is kept", said)
    return found


def _counts(value: Any, folder: str, where: str) -> dict[str, Any]:
    """Pointers of classes, and the members that say how many there are."""
    found = _named(value, folder, where, "pointers")
    return {name: _text(count, folder, f"{where}: {name}") for name, count in found.items()}


def _allocations(value: Any, folder: str, where: str) -> tuple[Allocation, ...]:
    with importing:  # few configurations speak of C APIs
        from ...styles.c_api.allocations import parse_allocations

    return parse_allocations(value, where)


def check_key(key: object, known: tuple[str, ...], where: str) -> None:
    """Refuse a key that does not exist, and name the nearest one."""
    if key in known:
        return
    plain = {k.lower(): k for k in known}
    near = suggest(str(key).replace("_", " ").lower(), list(plain))
    for lower, proper in plain.items():
        near = near.replace(repr(lower), repr(proper))
    raise BindError(f"{where}: unknown key {key!r}; known: {', '.join(known)}.{near}")


HEADERS = "Headers"
_KNOWN = "it says whose headers a library's file is for"
_NUMBA = "one record class serves a C++ struct everywhere"
_LINKING = "nothing is linked into kernels here"

# Numbast's schema ("Static binding generation", configuration reference), then our own keys.
KEYS: dict[str, Key] = {
    "Name": Key(_label),
    "Version": Key(_label),
    "Entry Point": Key(_text),
    "GPU Arch": Key(_texts, (), "the host's compiler decides what code is made", ("numba_cuda",)),
    "File List": Key(_files, ()),
    "Types": Key(_mapping, {}, never=_NUMBA),
    "Data Models": Key(_mapping, {}, never=_NUMBA),
    "Exclude": Key(_mapping_of(_one_or_more, "Function", "Struct"), {}),
    "Clang Include Paths": Key(_paths, ()),
    "Additional Import": Key(_texts, (), never="the package imports what it needs"),
    "Shim Include Override": Key(_text, "", never="the shims include the very header that was read"),
    "Predefined Macros": Key(_texts, ()),
    "Output Name": Key(_text),
    "Cooperative Launch Required Functions Regex": Key(
        _texts, (), never="Numba decides how a kernel is launched"
    ),
    "API Prefix Removal": Key(_mapping_of(_one_or_more, "Function", "Struct", "Enum"), {}),
    "Module Callbacks": Key(_mapping_of(_text, "setup", "teardown"), {}, never=_LINKING),
    "Module Link Variables Used": Key(_texts, (), never=_LINKING),
    "Skip Prefix": Key(_text, ""),
    "Use Separate Registry": Key(_flag, False, never="libraries never share a registry"),
    "Separate Registry": Key(_flag, False, never="libraries never share a registry"),
    "Require Pynvjitlink": Key(_flag, False, never=_LINKING),
    "Function Argument Intents": Key(_intents, {}),
    "Owns": Key(_owns, {}),
    "Keeps": Key(_keeps, {}),
    "Counts": Key(_counts, {}),
    "Allocations": Key(_allocations, ()),
    "Pythonize": Key(_pythonic, {}),
    "Texts": Key(_one_or_more, ()),
    "Unchecked Formats": Key(_one_or_more, ()),
    HEADERS: Key(_one_or_more, (), _KNOWN),
    "Sources": Key(_paths, ()),
    "Libraries": Key(_one_or_more, ()),
    "Library Paths": Key(_paths, ()),
    "Packages": Key(_one_or_more, ()),
    "CMake Packages": Key(_one_or_more, ()),
    "Compile Commands": Key(_place),
    "Sanitize": Key(_text),
    "Prefixes": Key(_prefixes, ()),
    "Compiler Flags": Key(_texts, ()),
    "Standard": Key(_text),
    "Language": Key(_text),
    "Expose": Key(_one_or_more, ()),
    "Holders": Key(_one_or_more, ()),
    "Instantiate": Key(_one_or_more, ()),
}
