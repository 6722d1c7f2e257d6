"""Refuses a library of the other ABI of GCC's C++ library than the one with which its header is read.

Since GCC 5, ``std::string`` and ``std::list`` are other classes, with other symbols, unless ``_GLIBCXX_USE_CXX11_ABI``
is 0. Symbols of both differ in their substitutions, so C++ names are compared. Where only some functions have such
symbols, the others are no safer: classes with such members have another size, virtual functions give other objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import BindError
from ..later import later_pattern
from ..model.module import Module
from ..toolchain import demangling, elf
from ..toolchain.archives import symbols_of
from ..toolchain.elf import Elf
from .families import linked, opened_later
from .request import Request

_REFUSED = (
    "{library} was compiled with the {there} ABI of std::string and std::list, as its {name} shows, and its header is "
    "read with the {here} one: {advice}"
)
_ADVICE = {
    "old": "say defines=['_GLIBCXX_USE_CXX11_ABI=0'], or compile the library without that",
    "new": "leave _GLIBCXX_USE_CXX11_ABI out, or compile the library with it",
}
_CHOICE = "-D_GLIBCXX_USE_CXX11_ABI"
_IS_NEW = later_pattern(r"B5cxx11|7__cxx11")
_TAGS = later_pattern(r"\[abi:cxx11\]|__cxx11::")
_STRING = "std::basic_string<char, std::char_traits<char>, std::allocator<char>>"
_SOURCE_NAME = later_pattern(r"(?=(?<!\d)(\d+)([A-Za-z_]\w*))")  # each begins with its length
_OF_STD = frozenset({"__cxx11", "basic_string", "char_traits", "allocator", "cxx11", "list"})


def check_abi(request: Request, module: Module, symbols: Iterable[str]) -> None:
    """Raise if a library defines by the other ABI what nothing defines by this one.

    Parameters
    ----------
    symbols : iterable of str
        What the linker did not find.

    Raises
    ------
    BindError
    """
    old = any(flag.startswith(_CHOICE) for flag in request.abi_flags("c++"))
    missing = {symbol for symbol in symbols if old or _is_new(symbol)}
    parts = {part for symbol in missing for part in _source_names(symbol)}
    wanted: dict[str, str] = {}
    for path in _libraries(request, module) if missing else ():
        for symbol in _defined(path):
            if symbol in missing or parts.isdisjoint(_source_names(symbol)):
                continue
            wanted = wanted or {_name(symbol): symbol for symbol in missing}
            same = wanted.get(_name(symbol))
            if same is not None and _is_new(same) != _is_new(symbol):
                there, here = ("old", "new") if _is_new(same) else ("new", "old")
                raise BindError(
                    _REFUSED.format(
                        library=path.name, name=_name(symbol), there=there, here=here, advice=_ADVICE[there]
                    )
                )


def _libraries(request: Request, module: Module) -> Iterator[Path]:
    """The files with which C++ is linked, and what is opened later."""
    yield from linked(request, module).files
    yield from map(Path, request.archives())
    yield from opened_later(request, module).files


def _is_new(symbol: str) -> bool:
    return _IS_NEW.search(symbol) is not None


def _name(symbol: str) -> str:
    """The C++ name of a symbol, as both ABIs would have it."""
    return _TAGS.sub("", demangling.demangled(symbol)).replace(" >", ">").replace(_STRING, "std::string")


def _source_names(symbol: str) -> Iterator[str]:
    """The names that a symbol is made of, besides those of ``std``; itself, if it is not mangled."""
    if not symbol.startswith("_Z"):
        yield symbol
        return
    for length, text in _SOURCE_NAME.findall(symbol):
        name = text[: int(length)]
        if len(name) == int(length) and name not in _OF_STD:
            yield name


def _defined(path: Path) -> Iterator[str]:
    """The symbols that a library shows."""
    if path.suffix == ".a":
        yield from symbols_of(path)
        return
    try:
        file = Elf.tables(path)
    except (OSError, ValueError):
        return
    for symbol in file.symbols(elf.DYNAMIC_SYMBOLS):
        if symbol.defined and symbol.binding != elf.LOCAL:
            yield symbol.name
