"""compile() and bind(): from C++ source or a header to a library of Python functions."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from .asking import header_request, language_of, lists
from .backends import backend_for
from .config import Given, load
from .errors import BindError
from .library import Library
from .live import Recipe, library
from .make.request import Paths, Request, normal_request, paths, strings
from .options import check_options

_NoGil = bool | Collection[str]


def compile(
    source: str | os.PathLike[str],
    *,
    dialect: str = "cxx",
    name: str | None = None,
    language: str | None = None,
    std: str | None = None,
    flags: Sequence[str] = (),
    defines: Sequence[str] = (),
    include_dirs: Paths = (),
    libraries: Sequence[str] = (),
    library_dirs: Paths = (),
    sources: Paths = (),
    expose: Sequence[str] = (),
    arg_intent: Mapping[str, Mapping[Any, object]] | None = None,
    config: Given | None = None,
    types: Mapping[str, type] | None = None,
    nogil: _NoGil = True,
    target: str = "host",
    instantiate: Sequence[str] = (),
) -> Library:
    """Compile C++ source and bind what it declares.

    Parameters
    ----------
    source : str or path
        A ``str`` is source text, a ``Path`` is a file.
    dialect : str
        The language whose compiler decides layout: ``"cxx"``.
    name : str, optional
        The library's name in messages and reprs.
    language : {"c", "c++"}, optional
        Overrides what the file's name says.
    std : str, optional
        The language standard, ``"c++20"``; the default is ``gnu++17`` (``gnu17`` for C).
    flags, defines : sequence of str
        Passed to the parser and the compiler alike: ``["-march=native"]``, ``["N=4"]``.
    include_dirs, library_dirs, sources : path or sequence of paths
        Where to look for headers and libraries; further files to compile and link in.
    libraries : sequence of str
        Libraries to link: ``"z"``, ``"libz.so.1"``, or a path.
    expose : sequence of str
        Shell-style patterns of further files or declarations to bind.
    arg_intent : mapping
        ``{"frexp": {1: "out_return"}}``: intents by function, and parameter name or 0-based index.
    config : path or mapping
        A configuration in YAML, or its keys (docs, "Configuration files"). What is given in Python counts, or adds.
    types : mapping of str to type
        ``{"ns::Sun": Sun}``: results of that C++ struct are instances of this ``@sb.struct`` class.
    nogil : bool or collection of str
        Whether the GIL is released around the C++ code, or the names of the functions for which it is.
        Releasing costs some 20 ns a call.
    target : {"host", "numba", "numba_cuda"}
        Who calls: Python; Python and Numba's ``@njit`` code; kernels of ``numba.cuda``, for which the source is
        read as CUDA C++.
    instantiate : sequence of str
        Instantiations of templates that are built at once, ``["ns::f<int>", "ns::TA<float, 3>", "g(double *, int)"]``:
        then they need no compiler when they are first used, and share the source's variables.

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
    check_options(
        "compile", source=source, dialect=dialect, name=name, language=language, std=std, target=target, types=types,
        nogil=nogil, arg_intent=arg_intent,
    )  # fmt: skip
    text = None if isinstance(source, os.PathLike) else source
    main = paths(source, "source")[0] if isinstance(source, os.PathLike) else None
    if text is not None and not _is_text(text):
        raise BindError(
            "compile(): the source text has characters that UTF-8 cannot encode (lone surrogates)"
        )
    if text is not None and "\n" not in text and os.path.exists(text):
        raise BindError(f"compile() takes a str as source text; for the file write compile(Path({text!r}))")
    settings = load(config)
    settings.report(target, {"Entry Point": "compile() was given its source"})
    return _live_library(
        normal_request(
            name or settings.library or _default_name(text, main),
            source=text,
            main=main,
            dialect=dialect,
            language=language_of(language or settings["Language"], main, "c++" if text is not None else None),
            std=std or settings["Standard"],
            **lists(
                settings,
                sources=sources,
                flags=flags,
                defines=defines,
                include_dirs=include_dirs,
                libraries=libraries,
                library_dirs=library_dirs,
                expose=expose,
            ),
            arg_intent=settings.intents(arg_intent),
            curation=settings.curation,
            target=target,
            instantiate=(*strings(instantiate, "instantiate"), *settings["Instantiate"]),
        ),
        types,
        nogil,
    )


def bind(
    header: str | os.PathLike[str] | None = None,
    *,
    dialect: str = "cxx",
    name: str | None = None,
    language: str | None = None,
    std: str | None = None,
    flags: Sequence[str] = (),
    defines: Sequence[str] = (),
    include_dirs: Paths = (),
    libraries: Sequence[str] = (),
    library_dirs: Paths = (),
    sources: Paths = (),
    expose: Sequence[str] = (),
    arg_intent: Mapping[str, Mapping[Any, object]] | None = None,
    config: Given | None = None,
    types: Mapping[str, type] | None = None,
    nogil: _NoGil = True,
    target: str = "host",
    library: str | os.PathLike[str] | None = None,
    style: str | None = None,
    check: bool | Collection[str] = False,
    allocations: Mapping[str, Mapping[str, Any]] | None = None,
    texts: Sequence[str] = (),
    unchecked_formats: bool | Sequence[str] = (),
    instantiate: Sequence[str] = (),
) -> Library:
    """Bind what a header declares.

    Parameters
    ----------
    header : str or path, optional
        A file, or a name that ``#include`` would find: ``"math.h"``, ``"gsl/gsl_sf.h"``. It is looked for in the
        current directory, in ``include_dirs``, then where the compiler looks. Left out, it is the ``Entry Point`` of
        ``config``.
    sources, libraries, library_dirs
        Where the declared functions are defined; a header-only library needs none.
    library : str or path, optional
        The shared library, ``"libamdhip64.so"``, in which functions are looked up on first use: it need not be there
        when the header is bound.
    style : {"c_api"}, optional
        HIP Python's, for C headers: functions return a tuple, the status and then the outputs. Outputs are ``T**`` and
        pointers to numbers and enumerators of which annotations, documents, names and neighbours say that C writes one
        value there; the rest are plain pointers, and intents decide. Handles are classes of their own, and adapters
        stand for addresses: an int is one.
    check : bool or collection of str
        In that style, whether a status other than zero raises :class:`StatusError`, and is not returned. True means
        the functions that return an enumeration; a collection names functions, also with an integer status.

    allocations : mapping of str to mapping, optional
        In that style, the functions that allocate, and of which parameters an :class:`DeviceArray` of their memory is
        made: ``{"pool_take": {"pointer": "block", "size": "bytes", "memory": "host"}}``; see "C APIs" in the
        documentation. The known ones of HIP need no mention.
    texts : sequence of str
        Typedefs of bytes whose pointers to const are text, ``["xmlChar"]``, as ``const char*`` is; and functions that
        return text as ``const unsigned char*``: ``["sqlite3_column_text"]``.

    unchecked_formats : bool or sequence of str
        Functions with ``...`` whose further arguments are not held to the format before them, or True for all: then
        their Python values alone say what they are to C.

    The other parameters, the result and the errors are those of :func:`compile`. A function that is declared and
    that nothing defines is skipped with that reason.
    """
    check_options("bind", types=types, nogil=nogil, check=check)
    request = header_request(
        header, dialect=dialect, name=name, language=language, std=std, flags=flags, defines=defines,
        include_dirs=include_dirs, libraries=libraries, library_dirs=library_dirs, sources=sources, expose=expose,
        arg_intent=arg_intent, config=config, target=target, library=library, style=style,
        allocations=allocations, texts=texts,
        unchecked_formats=unchecked_formats, instantiate=instantiate,
    )  # fmt: skip
    if check and style is None:
        raise BindError("check= is for style='c_api', whose functions return a status")
    return _live_library(
        request, types, nogil, check if isinstance(check, bool) else frozenset(strings(tuple(check), "check"))
    )


def _default_name(text: str | None, main: str | None) -> str:
    return Path(main).stem if main else f"cxx_{hashlib.sha256((text or '').encode()).hexdigest()[:8]}"


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _live_library(
    request: Request,
    types: Mapping[str, type] | None,
    nogil: _NoGil,
    check: bool | frozenset[str] = False,
) -> Library:
    if request.target != "numba_cuda":
        backend_for(request.dialect)
    released = nogil if isinstance(nogil, bool) else frozenset({nogil} if isinstance(nogil, str) else nogil)
    return library(Recipe(request, tuple(sorted((types or {}).items())), released, check))
