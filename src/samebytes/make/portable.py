"""What makes a build fit for a package: no path of this machine in it, and a word that ties its files together."""

from __future__ import annotations

import os
from pathlib import Path

from ..emit.package.declarations import declarations
from ..model.module import Module
from ..model.symbols import BUILD_SYMBOL
from ..toolchain.compilers import find_compiler, system_includes
from ..toolchain.elf import Elf
from .request import Request


def include_name(request: Request, main: str) -> str:
    """How a shim includes the header: ``<gsl/gsl_sf.h>`` where an include directory has it, else ``"lake.hpp"``."""
    language = request.language or "c++"
    for folder in (*request.include_dirs, *system_includes(find_compiler(language))):
        root = os.path.realpath(folder).rstrip(os.sep) + os.sep
        if os.path.realpath(main).startswith(root):
            return f"<{os.path.realpath(main).removeprefix(root)}>"
    return f'"{os.path.basename(main)}"'


def folders(request: Request, main: str) -> tuple[str, ...]:
    """The directories whose names no file of the package may have."""
    own = (os.path.dirname(main), *request.includes(), *map(os.path.dirname, request.sources))
    found = (*own, *system_includes(find_compiler("c++")), *system_includes(find_compiler("c")))
    return tuple(dict.fromkeys(f for folder in found for f in (folder, os.path.realpath(folder))))


def flags(request: Request, main: str) -> tuple[str, ...]:
    """The compiler's: the header is found, and ``__FILE__`` does not say where."""
    maps = tuple(f"-ffile-prefix-map={folder}=." for folder in folders(request, main))
    return ("-iquote", os.path.dirname(main), *maps)


def described(request: Request, main: str, module: Module) -> tuple[str, str]:
    """The text of ``_declarations.py``, and the word that ties the library to it."""
    return declarations(module, os.path.basename(main), folders(request, main))


def stamp(request: Request, main: str, module: Module) -> str:
    """The line of C or C++ that says the word."""
    return f'SAMEBYTES_EXPORT const char {BUILD_SYMBOL}[] = "{described(request, main, module)[1]}";'


def link_flags(request: Request) -> tuple[str, ...]:
    """As those of a request; libraries of the user's own are looked for beside the package's."""
    places = [flag for d in request.library_dirs for flag in (f"-L{d}",)]
    names = []
    for name in request.libraries:
        if os.sep in name:
            places.append(f"-L{os.path.dirname(os.path.abspath(name))}")
            names.append(f"-l:{os.path.basename(name)}")
        else:
            names.append(
                f"-l:{name}" if name.startswith("lib") and (".so" in name or ".a" in name) else f"-l{name}"
            )
    return (*places, "-Wl,-rpath,$ORIGIN", *names, *request.linking, "-lm")


def companions(request: Request, library: Path) -> dict[str, Path]:
    """The user's own shared libraries that a library needs, by the names under which it looks for them."""
    places = [
        *request.library_dirs,
        *(os.path.dirname(os.path.abspath(n)) for n in request.libraries if os.sep in n),
    ]
    found = {}
    for name in Elf(library.read_bytes()).needed():
        path = next((Path(d) / name for d in places if os.path.isfile(os.path.join(d, name))), None)
        if path is not None:
            found[name] = path
    return found
