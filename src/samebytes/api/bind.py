"""compile() and bind(): from C++ source or a header to a library of Python functions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from ..errors import BindError
from ..forks import importing
from ..later import at_first_use
from ..loading.backends import Loaded, backend_for
from ..loading.library import Library
from ..make.config import load
from ..make.options import OF_COMPILE, OPTIONS, BuildOptions, CompileOptions, completed, strings, takes
from ..make.request import Request, configured, language_of, normal_request, paths
from ..options import check_options
from ..toolchain.verifying import digest
from . import requests
from .recipes import Key, Recipe, at_hand

pathlib: Any = at_first_use("pathlib")

# Somebody wants to know what the program uses: see :mod:`samebytes.loading.recording`.
_RECORDS = "SAMEBYTES_USED"
# Keys of configurations whose options compile() lacks.
_OF_BIND = {
    option.key: "it is for bind()"
    for name, option in OPTIONS.items()
    if option.key and name not in OF_COMPILE
}


@takes(CompileOptions)
def compile(source: str | os.PathLike[str], **options: Unpack[CompileOptions]) -> Library:
    """Compile C++ source and bind what it declares.

    Parameters
    ----------
    source : str or path
        A ``str`` is source text, a ``Path`` is a file.
    **options
        Those of ``CompileOptions``, by keyword.

    Returns
    -------
    Library
        ``lib.f(...)``, ``lib.Record(...)``, ``lib.CONSTANT``, ``lib.namespace.f``; what could not be bound is in
        ``lib.__skipped__`` with its reason.

    Raises
    ------
    CompileError
        With the compiler's own messages and the line of the source.
    BindError
        If a file, a function, a parameter or a name given here does not exist.
    """
    check_options("compile", source=source)
    given = completed("compile", OF_COMPILE, options)
    text = None if isinstance(source, os.PathLike) else source
    main = paths(source, "source")[0] if isinstance(source, os.PathLike) else None
    if text is not None and not _is_text(text):
        raise BindError(
            "compile(): the source text has characters that UTF-8 cannot encode (lone surrogates)"
        )
    if text is not None and "\n" not in text and os.path.exists(text):
        raise BindError(f"compile() takes a str as source text; for the file write compile(Path({text!r}))")
    settings = load(given["config"])
    settings.report(given["target"], {"Entry Point": "compile() was given its source", **_OF_BIND})
    given = configured(given, settings, main, lambda said: (text, main))
    name = given["name"] or settings.library or _default_name(text, main)
    language = language_of(given["language"], main, "c++" if text is not None else None)
    return _live_library(
        normal_request(name, given, language=language, source=text, main=main, curation=settings.curation),
        given,
    )


@takes(BuildOptions)
def bind(header: str | os.PathLike[str] | None = None, **options: Unpack[BuildOptions]) -> Library:
    """Bind what a header declares.

    Parameters
    ----------
    header : str or path, optional
        A file, or a name that ``#include`` would find: ``"math.h"``, ``"gsl/gsl_sf.h"``. It is looked for in the
        current directory, in ``include_dirs``, then where the compiler looks. Left out, it is the ``Entry Point`` of
        ``config``.
    **options
        Those of :func:`compile` and of ``BuildOptions``, by keyword.

    Notes
    -----
    The result and the errors are those of :func:`compile`. ``sources``, ``libraries`` and ``library_dirs`` say where
    the declared functions are defined; a header-only library needs none. A function that is declared and that nothing
    defines is skipped with that reason.

    Of a header with more than 256 declarations only the names are listed. What one means is read and compiled when it
    is asked for, where nothing else of the header has to do with it: functions, plain structs, enumerations, function
    templates, constants. Anything else that is asked has the whole header read, and ``__skipped__`` and warnings say
    what of it is not bound; then a function is compiled when it is first called, and with it its class, or those beside
    it in its file; what programs have called is loaded at once the next time. ``lib.build("f", "Class")`` compiles now,
    ``lib.build()`` everything, and ``eager=True`` everything with the header. What cannot be compiled, or nothing
    defines, raises when it is called, and joins ``lib.__skipped__``.
    """
    check_options("bind", header=header)
    given = completed("bind", OPTIONS, options)
    return _live_library(requests.header_request(header, given), given)


def _default_name(text: str | None, main: str | None) -> str:
    return os.path.splitext(os.path.basename(main))[0] if main else f"cxx_{digest((text or '').encode())[:8]}"


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def for_its_caller(request: Request, arch: str | None = None) -> Request:
    """The request as its dialect and its target want it, for an architecture, if kernels are compiled for one.

    Raises
    ------
    BindError
        If there is no such dialect or architecture, or a flag is none of its compiler's.
    """
    if request.target == "numba_cuda":
        with importing:  # few programs bind device code
            from ..make.kernel_options import with_checked_flags

        return with_checked_flags(request, request.target)
    if request.dialect in _OF_KERNELS:
        return _OF_KERNELS[request.dialect](request, arch)
    backend_for(request.dialect)
    return request


def _live_library(request: Request, given: Mapping[str, Any]) -> Library:
    request = for_its_caller(request, given["arch"])
    types = tuple(sorted((given["types"] or {}).items()))
    check = _names(given.get("check", False), "check")
    recipe = Recipe(request, types, _nogil(given["nogil"]), check)
    if _RECORDS in os.environ and request.main is not None:
        return _recorded(recipe, request.main)
    made: Library | None = None
    if request.lazily == "names":
        with importing:  # what a header means may be read when it is named
            from .unread import unread

        recipe, made = unread(recipe)
    if made is None and (made := at_hand(recipe, _link)) is None:
        with importing:  # what links names
            from .registry import library

        made = library(recipe)
    if given["stub"] is not None:
        with importing:
            from ..loading.stubs import write_stub

        write_stub(made, pathlib.Path(os.fsdecode(given["stub"])), request, check)
    return made


def _recorded(recipe: Recipe, main: str) -> Library:
    """The library of a recipe, which notes what is asked of it."""
    with importing:
        from ..loading.recording import record
        from .registry import library

    whole = replace(recipe, request=replace(recipe.request, lazily=recipe.request.lazily and "calls"))
    return record(library(whole), main)


def _link(made: Library, key: Key, model: bytes, file: str, loaded: Loaded | None) -> None:
    with importing:
        from .registry import link

    link(made, key, model, file, loaded)


def _of_cuda(request: Request, arch: str | None) -> Request:
    """The request for kernels of CUDA, for an architecture: that of the device in use, where none is given."""
    with importing:  # few programs launch kernels
        from ..launch.driver import driver
        from ..make.kernel_options import checked_for_kernels, file_architecture

    checked = checked_for_kernels(request)
    if checked.library is not None:
        arch = file_architecture(checked.library, arch, lambda: driver().in_use().architecture)
    return replace(checked, arch=driver().in_use().architecture if arch is None else arch)


def _of_hip(request: Request, arch: str | None) -> Request:
    """The request for kernels of HIP, for an architecture: that of the device in use, where none is given."""
    with importing:  # few programs launch kernels
        from ..launch.driver import driver
        from ..make.kernel_options import check_hip_architecture, checked_for_kernels, hip_file_architecture

    checked = checked_for_kernels(request)
    if checked.library is not None:
        arch = hip_file_architecture(checked.library, arch)
    found = driver("hip").in_use().architecture if arch is None else arch
    return replace(checked, arch=check_hip_architecture(found))


def _of_sycl(request: Request, arch: str | None) -> Request:
    """The request for kernels of SYCL, which are compiled for every device."""
    with importing:
        from ..make.kernel_options import checked_for_kernels

    return replace(checked_for_kernels(request), arch="spirv64")


_OF_KERNELS = {"cuda": _of_cuda, "hip": _of_hip, "sycl": _of_sycl}


def _nogil(given: Any) -> bool | str | frozenset[str]:
    """Where the GIL is released; no function is named "auto"."""
    return given if given == OPTIONS["nogil"].default else _names(given, "nogil")


def _names(given: Any, option: str) -> bool | frozenset[str]:
    """All functions, none, or those that are named."""
    if isinstance(given, bool):
        return given
    return frozenset({given}) if isinstance(given, str) else frozenset(strings(tuple(given), option))
