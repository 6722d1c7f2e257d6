"""From a header or a source to a Module: find it, choose its language, parse until every question is answered."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from ..errors import BindError
from ..model.curation import CONSTANTS
from ..model.module import Module, Skipped
from ..model.signature import Location
from .clang.finding import C_SUFFIXES, UNDECIDED_SUFFIXES, find_header, is_cxx
from .clang.parse import EndlessQuestion, ParsedUnit, ParseRequest, parse
from .clang.saving import Parses, forget, is_kept, kept
from .declarations.macros import Macros
from .exposed.alone import only_constants, tied
from .exposed.exposure import Exposure
from .exposed.listing import Listing, NotAlone, is_said_so, listing
from .questions.chains import follow
from .questions.instances import Instances
from .questions.questions import Questions
from .reading import Reading

_ROUNDS = 24  # each round completes one more level of templates inside templates, or of what is instantiated
_LANGUAGES = {"c": "c", "c++": "c++", "cxx": "c++", "cpp": "c++"}
_SOURCE_NAME = "source"


def read_header(
    main: Path | None,
    *,
    source: str | None = None,
    language: str | None = None,
    flags: tuple[str, ...] = (),
    include_dirs: Iterable[str | os.PathLike[str]] = (),
    system_includes: tuple[str, ...] = (),
    implied: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    expose: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    dialect: str = "cxx",
    instances: tuple[tuple[str, ...], ...] = (),
    alone: bool = False,
    patient: bool = False,
    kernels: bool = False,
    holders: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
    apart: bool = False,
) -> Module:
    """Read every declaration that a header or a source exposes.

    Parameters
    ----------
    main : Path or None
        The header or source; a bare name such as ``math.h`` is searched as the compiler would.
        With ``source``, the name that locations show.
    source : str or None
        The text, where it is not on disk.
    language : str or None
        ``"c"`` or ``"c++"``; None decides by suffix, place and content.
    flags : tuple of str
        The flags that the compiler will get.
    include_dirs : iterable of path
        Directories for ``#include``.
    system_includes : tuple of str
        The compiler's own include directories, in its order.
    implied : mapping of str to tuple of str
        The macros that each language's compiler defines by itself, as flags.
    expose : tuple of str
        Glob patterns of files or of qualified names that are exposed besides the header's own.
    only : tuple of str
        The files that are exposed instead of the header's own, as real paths; empty: the header's own.
    dialect : str
        ``"cuda"`` reads device code.
    instances : tuple of tuple of str
        Instantiations of templates, each by its possible spellings (:mod:`.instances`).
    alone : bool
        Whether to read the instantiations alone.
    patient : bool
        Whether classes that the header makes of its templates, where they are many, are read when they are used.
    kernels : bool
        Of device code: whether to read what the host launches, in place of what kernels call.
    holders : tuple of str
        Class templates that share an object as a ``std::shared_ptr`` does, beside those that are known.
    names : tuple of str
        The qualified names that alone are read, and what they need; empty: all.
    apart : bool
        Whether what is read has to be what it would be with all else that the header declares. The parse is kept, as
        more will be asked of the header.

    Raises
    ------
    BindError
        If the header or an ``#include`` is not found, or an error leaves nothing to bind.
    NotAlone
        With ``apart``, if a name, or the instantiation, is a matter of other declarations.
    """
    request, languages = _request(
        main, source=source, language=language, flags=flags, include_dirs=include_dirs,
        system_includes=system_includes, implied=implied, dialect=dialect, kernels=kernels, holders=holders,
    )  # fmt: skip

    def once(language: str) -> tuple[ParsedUnit, Module]:
        with kept(replace(request, language=language), keeps=apart, again=apart) as parses:
            questions = Questions(Instances(instances))
            read = partial(Reading, expose=expose, only=only, alone=alone, patient=patient, names=names)
            if not apart:
                return _rounds(parses, questions, read)
            known = listing(parses(()), expose, only)
            return _rounds(parses, questions, lambda *asked: _Apart(names, known, read(*asked), questions))

    if apart:  # the one that could be read before
        languages.sort(key=lambda language: not is_kept(replace(request, language=language)))
    module = _best(request, languages, once)
    if not (apart or alone or module.templates or module.later):
        forget()  # nothing is left to be asked
    return module


def list_header(
    main: Path, *, expose: tuple[str, ...] = (), only: tuple[str, ...] = (), **asked: Any
) -> Listing | None:
    """The names that a header exposes, without reading what they mean.

    The parse is kept, as names are asked for one after the other.

    Parameters
    ----------
    main, expose, only, **asked
        As for :func:`read_header`.

    Returns
    -------
    Listing or None
        None where something in it cannot be parsed.

    Raises
    ------
    BindError
        If the header is not found.
    """
    request, languages = _request(main, **asked)
    for language in languages:
        try:
            with kept(replace(request, language=language), keeps=True) as parses:
                unit = parses(())
                if not unit.problems:
                    return _with_macros(unit, listing(unit, expose, only), expose, only)
        except (BindError, UnicodeDecodeError):
            continue  # who reads all of it says so
    return None


def files_of_header(main: Path, **asked: Any) -> tuple[str, ...]:
    """The files that a header or a source is made of, itself first.

    Parameters
    ----------
    main, **asked
        As for :func:`read_header`.

    Raises
    ------
    BindError
        If one is not found.
    """
    request, _ = _request(main, **asked)
    return parse(request).included()


def _with_macros(unit: ParsedUnit, found: Listing, expose: tuple[str, ...], only: tuple[str, ...]) -> Listing:
    """A listing with the macros that may be constants."""
    questions = Questions(Instances(()))
    Macros(unit, Exposure(unit, expose, only), questions)
    macros = (m for m in questions.macros or () if m not in found.every and is_said_so(m, found.every))
    return replace(found, constants=(*found.constants, *macros))


def _request(
    main: Path | None,
    *,
    source: str | None = None,
    language: str | None = None,
    flags: tuple[str, ...] = (),
    include_dirs: Iterable[str | os.PathLike[str]] = (),
    system_includes: tuple[str, ...] = (),
    implied: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    dialect: str = "cxx",
    kernels: bool = False,
    holders: tuple[str, ...] = (),
) -> tuple[ParseRequest, list[str]]:
    """What is to be parsed, in the likeliest language, and all that may be tried."""
    if main is None and source is None:
        raise BindError("neither a header nor a source was given")
    directories = tuple(os.fspath(d) for d in include_dirs)
    if source is None:
        assert main is not None
        path = find_header(main, directories, flags, system_includes)
    else:
        path = os.path.abspath(main if main is not None else _SOURCE_NAME)
    languages = _languages(path, source, language, system_includes)
    return ParseRequest(
        path, source, languages[0], flags, directories, system_includes, dialect, implied, kernels, holders
    ), languages


def _languages(path: str, source: str | None, language: str | None, system: tuple[str, ...]) -> list[str]:
    """The languages to try, the likeliest first."""
    if language is not None:
        if language.lower() not in _LANGUAGES:
            raise BindError(
                f"language={language!r} is unknown: it is 'c' or 'c++', and guessed where it is left out"
            )
        return [_LANGUAGES[language.lower()]]
    suffix = os.path.splitext(path)[1]
    if suffix in C_SUFFIXES:
        return ["c"]
    if source is not None or suffix not in UNDECIDED_SUFFIXES:
        return ["c++"]
    homes = [d for d in system if os.path.realpath(path).startswith(os.path.realpath(d).rstrip("/") + "/")]
    return ["c", "c++"] if homes and not is_cxx(max(homes, key=len)) else ["c++", "c"]


def _best(
    request: ParseRequest, languages: list[str], once: Callable[[str], tuple[ParsedUnit, Module]]
) -> Module:
    """The module in the first language that reads the header without an error, else in the first of all."""
    failure: BindError | None = None
    partial: tuple[ParsedUnit, Module] | None = None
    for language in languages:
        try:
            unit, module = once(language)
        except UnicodeDecodeError as error:
            words = f"{request.path}, or what it includes, has a name that is not UTF-8: {error.object!r}"
            failure = failure or BindError(words)
            continue
        except (RecursionError, ctypes.ArgumentError) as error:  # clang's binding wraps the one in the other
            if "RecursionError" not in f"{type(error).__name__}: {error}":
                raise
            words = f"{request.path} nests its types deeper than Python's stack can follow"
            failure = failure or BindError(words)
            continue
        except NotAlone:
            raise
        except BindError as error:
            failure = failure or error
            continue
        if not unit.problems or module.instances:
            return module
        partial = partial or (unit, module)
    if partial is None:
        assert failure is not None
        raise failure
    unit, module = partial
    read = (
        module.functions,
        module.records,
        module.enums,
        module.constants,
        module.aliases,
        module.templates,
    )
    if not any(read):
        listed = "\n".join(f"  {problem}" for problem in unit.problems[:10])
        raise BindError(f"nothing in {request.path} could be read:\n{listed}")
    return module


class _Reads(Protocol):
    """Reads a parsed header: :class:`Reading`, or what chooses of it."""

    def module(self, *, whole: bool) -> Module | None:
        """What it declares; None where a question waits for its answer, unless all is due."""

    def end(self) -> None:
        """Let go of the unit."""


class _Apart:
    """Reads some names, and sees that they stand alone."""

    def __init__(
        self, names: tuple[str, ...], known: Listing, reading: Reading, questions: Questions
    ) -> None:
        self._names, self._known, self._reading, self._questions = names, known, reading, questions

    def module(self, *, whole: bool) -> Module:
        """What the names mean, as far as it is known.

        Raises
        ------
        NotAlone
            If it is a matter of other declarations, too.
        """
        module, asks = self._reading.module(whole=True), bool(self._questions.pending)
        assert module is not None
        if CONSTANTS in self._names and not asks:
            module = only_constants(module)
        if lost := tied(module, self._names, self._known, self._reading.unsure, provisional=asks):
            raise NotAlone(self._names[0] if self._names else "an instantiation", lost)
        return module

    def end(self) -> None:
        """Let go of the unit."""
        self._reading.end()


def _rounds(
    parses: Parses, questions: Questions, read: Callable[[ParsedUnit, Questions], _Reads]
) -> tuple[ParsedUnit, Module]:
    request = parses.request
    for left in reversed(range(_ROUNDS)):
        unit = _settled(parses, questions)
        for option, given in (("instantiate", questions.instances.wanted), ("holders", request.holders)):
            if unit.c and given:
                raise BindError(f"{option}: {request.path} is read as C, which has no templates")
        reading = read(unit, questions)
        if unit.c and questions.pending and left:
            continue  # C asks about macros alone, so declarations are read once, with the answers
        module = reading.module(whole=not left)
        reading.end()
        if module is not None and not questions.pending:
            return unit, module
        if left:  # the next parse begins when this one is gone
            questions.forget()
            del unit, reading
    assert module is not None
    return unit, replace(module, skipped=(*module.skipped, _deeper(request.path)))


def _deeper(path: str) -> Skipped:
    """What says that the answers to some questions raised others to the very end."""
    reason = (
        f"its types name instances of templates more than {_ROUNDS} deep; what lies deeper is absent, and reasons"
        " given for it may be others: instantiate= binds it"
    )
    return Skipped(os.path.basename(path), "header", reason, Location(path, 1, 1))


def _settled(parses: Parses, questions: Questions) -> ParsedUnit:
    """A parse that knows what clang alone leads to, of what was asked: bases of bases, members of instantiations.

    What is read of a header costs many times what a parse with questions does, and that what one with few does.
    """
    follow(parses, questions.inheritance)
    unit = _answered(parses, questions)
    for _ in range(_ROUNDS):
        further = follow(parses, questions.inheritance)
        if not further and (unit.c or not questions.instances.pending):
            break
        del unit
        questions.forget()
        unit = _answered(parses, questions)
    return unit


def _answered(parses: Parses, questions: Questions) -> ParsedUnit:
    unit = _parse(parses, questions)
    questions.answer(unit)
    return unit


def _parse(parses: Parses, questions: Questions) -> ParsedUnit:
    """A parse with all questions but those that no compiler gets to the end of."""
    request = parses.request
    while True:
        lines = questions.lines(request.language)
        try:
            return parses(lines, macros=questions.of_macros)
        except EndlessQuestion as question:
            if not questions.give_up(lines[question.line - 2], str(question)):
                raise BindError(f"{request.path}: {question}") from None
