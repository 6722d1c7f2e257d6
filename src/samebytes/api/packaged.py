"""Loads a package that ``samebytes bind`` wrote: no header is read, and nothing is compiled."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import product
from types import ModuleType
from typing import Any, Self

from ..call.c_api.api import Api
from ..call.gil import Nogil
from ..compiled import install
from ..errors import BindError, InstantiationError
from ..forks import importing
from ..loading.backends import Loaded, backend_for
from ..loading.library import Library
from ..loading.linking import (
    Linker,
    LoadedModule,
    populate,
    populate_device,
    populate_kernels,
    pythonic_forms,
    releases,
    symbols,
)
from ..loading.placing import bound, restored
from ..model.module import Module
from ..model.symbols import BUILD_SYMBOL

# What generated packages and samebytes say to each other: the descriptions, the shims, the library's own symbols.
# Packages outlive the samebytes that wrote them: a class of descriptions may get a field with a default, and loses
# none; whatever else changes makes a new format, and those from the oldest on are read as before
# (tests/golden/packages has one package of each).
FORMAT = 1
OLDEST_FORMAT = 1
LIBRARY = "library.so"
# The code of kernels by their dialect; CUDA's is PTX, too.
KINDS = {"cuda": "cubin", "hip": "hsaco", "sycl": "spirv"}
_ANY = {"cuda": "sm_*", "hip": "gfx*", "sycl": "spirv64"}


def load(
    package: str, file: str, module: Module | None = None, build: str = "", *, format: int, target: str = "host",
    nogil: Nogil | tuple[str, ...] = True, library: str | None = None, style: str = "",
    check: bool | tuple[str, ...] = False, allocations: Mapping[str, Mapping[str, Any]] | None = None,
    pythonic: Mapping[str, Mapping[str, Any]] | None = None, dialect: str = "cxx", sources: int = 0,
    **further: object,
) -> Library:  # fmt: skip
    """The library of a package.

    Parameters
    ----------
    package, file : str
        The package's ``__name__`` and ``__file__``.
    module : Module, optional
        What its header declares; without it, the package's own declarations.
    build : str
        What ties the declarations to the compiled library.
    format : int
        The :data:`FORMAT` for which the package was written.
    target : str
        Who calls: ``"host"``, ``"numba"`` or ``"numba_cuda"``.
    nogil : bool, "auto" or tuple of str
        Where the GIL is released.
    library : str or None
        The shared library whose functions are looked up on first use: one that lies in the package, or a name as the
        dynamic linker finds it.
    style : str
        ``"c_api"``, or empty.
    check : bool or tuple of str
        Which functions of a C API raise for their status.
    allocations : mapping of str to mapping
        Which of them allocate, and how.
    pythonic : mapping of str to mapping
        Python's forms of classes, as :func:`samebytes.pythonize` takes them.
    dialect : str
        ``"cuda"``, ``"hip"`` or ``"sycl"`` for kernels.
    sources : int
        How many units device code has beside its shims.
    **further
        What later formats say.

    Raises
    ------
    BindError
        If the package was written for another samebytes, or its files do not belong together.
    """
    _check_format(package, format)
    if module is None:
        declared = importlib.import_module(f"{package}._declarations")
        module, build = declared.MODULE, declared.BUILD
    if dialect != "cxx":
        made = _load_kernels(package, file, module, build, dialect)
    elif target == "numba_cuda":
        made = _load_device(package, file, module, build, 1 + sources)
    else:
        loaded = _open(package, file, build)
        checked = check if isinstance(check, bool) else frozenset(check)
        known = _allocations(module, allocations or {}) if style else {}
        api = Api(style, checked, symbols(_beside(library, file), module.lazy, loaded), known)
        made = _load_host(package, file, module, loaded, target, nogil, api, pythonic)
    if package in sys.modules:
        sys.modules[package].__class__ = BoundModule
    return made


def _check_format(package: str, format: int) -> None:
    """Before anything else of the package is read: later formats may use words that are not known here."""
    if format > FORMAT:
        raise BindError(
            f"{package} was written in format {format} by a later samebytes, and this one reads formats up to "
            f"{FORMAT}: pip install --upgrade samebytes"
        )
    if format < OLDEST_FORMAT:
        known = f"format {FORMAT}" if FORMAT == OLDEST_FORMAT else f"formats {OLDEST_FORMAT} to {FORMAT}"
        raise BindError(
            f"{package} was written in format {format}, and this samebytes reads {known}: "
            "run `samebytes bind` again"
        )


def _linker(package: str, module: Module, dialect: str = "cxx") -> Linker:
    def restore(name: str, data: bytes | None) -> tuple[Any, ...]:
        return _restore_record, (package, name, data)

    return Linker(module, package, {}, restore, dialect=dialect)


def _by(file: str, name: str) -> str:
    """A file of the package that the given one is of."""
    return os.path.join(os.path.dirname(file), name)


def _beside(library: str | None, file: str) -> str | None:
    """The library that is in the package; otherwise its name, as the dynamic linker takes it."""
    own = _by(file, library or "")
    return own if library and os.path.isfile(own) else library


def _allocations(module: Module, said: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    with importing:
        from ..styles.c_api.allocations import chosen_allocations, parse_allocations

    return chosen_allocations(module.functions, parse_allocations(said))


def _open(package: str, file: str, build: str) -> Loaded:
    path = _by(file, LIBRARY)
    if not os.path.isfile(path):
        raise BindError(
            f"{package}: the compiled library {LIBRARY} is not beside {os.path.basename(file)}: "
            "run `samebytes bind` again, or install the package whole"
        )
    loaded = backend_for("cxx").load(path)
    if _build_of(loaded.address) != build:
        raise BindError(
            f"{package}: {LIBRARY} was compiled from other declarations than those beside it: "
            "run `samebytes bind` again"
        )
    return loaded


def _load_host(
    package: str,
    file: str,
    module: Module,
    loaded: Loaded,
    target: str,
    nogil: Nogil | tuple[str, ...],
    api: Api,
    pythonic: Mapping[str, Any] | None,
) -> Library:
    made, linker = _named(package, module, _by(file, LIBRARY)), _linker(package, module)
    compiled = LoadedModule(
        package, module, loaded, linker, releases(nogil),
        lambda name: (_restore_plan, (package, name)), "cxx", api, eager=target == "numba",
    )  # fmt: skip
    if pythonic:
        pythonic_forms(linker, pythonic, module)
    populate(made, compiled, lambda spellings: _refuse(made, spellings))
    if target == "numba":
        install(made, target, "cxx", linker.signature, address=loaded.address)
    return made


def device_file(build: str, part: int, *, lto: bool) -> str:
    """The file of a unit of a package's device code; its name ties it to the declarations."""
    return f"device_{build}{f'_{part}' if part else ''}.{'ltoir' if lto else 'ptx'}"


def kernel_file(build: str, architecture: str, kind: str) -> str:
    """The file of a package's kernels for one architecture, whose name ties it to the declarations."""
    return f"kernels_{build}_{architecture}.{kind}"


def _load_kernels(package: str, file: str, module: Module, build: str, dialect: str) -> Library:
    with importing:  # few programs launch kernels
        from pathlib import Path

        from ..launch.code import Image
        from ..launch.opening import open_images

    if dialect not in KINDS:
        raise BindError(f"{package}: its kernels are of {dialect!r}, which this samebytes does not know")
    images, begins = [], f"kernels_{build}_"
    for path in sorted(Path(file).parent.glob(kernel_file(build, "*", "*"))):
        images.append(Image(path.read_bytes(), path.stem.removeprefix(begins)))
    if not images:
        raise BindError(
            f"{package}: the code of its kernels, {kernel_file(build, _ANY[dialect], KINDS[dialect])}, is not beside "
            f"{os.path.basename(file)}: run `samebytes bind` again, or install the package whole"
        )
    made, linker = _named(package, module, os.path.dirname(file)), _linker(package, module, dialect)
    found = open_images(
        package, module, linker, images, lambda name: (_restore_kernel, (package, name)), dialect
    )
    populate_kernels(made, module, linker, *found, lambda spellings: _refuse(made, spellings), dialect)
    return made


def _load_device(package: str, file: str, module: Module, build: str, units: int) -> Library:
    for part, lto in product(range(units), (True, False)):
        if not os.path.isfile(_by(file, device_file(build, part, lto=lto))):
            raise BindError(
                f"{package}: {device_file(build, part, lto=lto)}, the device code of these declarations, is not beside "
                f"{os.path.basename(file)}: run `samebytes bind` again"
            )
    made, linker = _named(package, module, os.path.dirname(file)), _linker(package, module, "cuda")
    populate_device(made, module, linker, lambda spellings: _refuse(made, spellings))

    def code(part: int, cc: tuple[int, ...], *, lto: bool) -> bytes:
        with open(_by(file, device_file(build, part, lto=lto)), "rb") as opened:
            return opened.read()

    device = tuple(partial(code, part) for part in range(units))
    install(made, "numba_cuda", "cuda", linker.signature, device=device, tag=build)
    return made


class BoundModule(ModuleType):
    """A package as its library is: C++'s variables are read and written in place, and its names stay."""

    _library: Library

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(self._library, name)
        if name not in self._library.__variables__:
            super().__setattr__(name, value)  # looked up now: from here on the package has it itself
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        bound = self.__dict__.get("_library")
        if bound is not None and name in dir(bound) and not name.startswith("_"):
            setattr(bound, name, value)  # a variable's value; whatever else is bound refuses
        else:
            super().__setattr__(name, value)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._library.__variables__, *self._library.__pending__})

    # As a Library's: there is one of it in a process, and another process imports its own.
    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return importlib.import_module, (self.__name__,)


def _build_of(address: Callable[[str], int]) -> str:
    try:
        return ctypes.string_at(address(BUILD_SYMBOL)).decode()
    except BindError:
        return ""


def _refuse(made: Library, spellings: tuple[str, ...]) -> Any:
    """What one of several spellings means, if the package was written with it."""
    for spelling in spellings:
        if spelling in made.__instances__:
            return made.__instances__[spelling]
    with importing:  # what was asked for by another spelling
        from ..loading.templates.meanings import instance_named
    for spelling in spellings:
        if (meant := instance_named((made,), spelling)) is not None:
            return meant
    reason = "this package was written without it, and builds nothing: list it in instantiate="
    raise InstantiationError(spellings[0], reason, crossing=True)


def _named(package: str, module: Module, file: str) -> Library:
    made = Library(package, module, file)
    object.__setattr__(made, "__home__", (_library, (package,)))
    return made


def _library(package: str) -> Library:
    found: Library = importlib.import_module(package)._library
    return found


def _restore_plan(package: str, qualified: str) -> Any:
    """The plan of a pickled function; its builtin is an attribute of the plan."""
    function = bound(_library(package), qualified)
    return getattr(function, "__plan__", None) or function.__self__


def _restore_kernel(package: str, qualified: str) -> Any:
    """A pickled kernel."""
    return bound(_library(package), qualified)


def _restore_record(package: str, qualified: str, data: bytes | None) -> Any:
    """A pickled record from its bytes, or a pickled class."""
    return restored(_library(package), qualified, data)
