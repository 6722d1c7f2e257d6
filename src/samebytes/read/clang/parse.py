"""From a header or a source to a parsed unit: language, arguments, the synthetic main file, diagnostics."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ...errors import BindError
from ...frozen import frozen
from ...model.signature import Location
from .choosing import VARIABLE
from .finding import c_includes, front_end_flags, inclusion
from .kinds import PREPROCESSING, Decl
from .libclang import (
    Cursor,
    TranslationUnit,
    children_beside,
    children_of,
    cindex,
    inclusions,
    index,
    version,
)
from .libcxx import libcxx_words
from .places import file_of, files_of

_RECORD_MACROS = 0x1
_SKIP_BODIES = 0x40  # CXTranslationUnit_SkipFunctionBodies; `auto` results and constexpr are still read
_ERROR, _FATAL = 3, 4
_INCLUDED = "in file included from "
_CUDA_WORDS = "/host_defines.h"
# From this version on clang's symbols say of which type a value for `auto` is; those of CUDA's compiler do not.
_MANGLES_PLACES = 18
_FOLDERS = frozenset({"", os.curdir, os.pardir})  # no names of files
# g++'s own headers define, and declare in their way, what is built into clang: the one such function is as good as
# the other, and what a header says of it is what its cursor says.
_HARMLESS = re.compile(r"definition of builtin function '\w+'|conflicting types for '_mm_\w+'")

# Of a header that the compiler has with it, or the system has for it: it compiles there.
_OTHERWISE = (
    f"so says libclang {{}} of a header that the compiler understands; {VARIABLE}=… reads by a newer one"
)


@frozen
class ParseRequest:
    """What is to be parsed, and how the compiler will be called for it.

    Attributes
    ----------
    path : str
        Absolute path of the user's file; it need not exist where ``text`` is given.
    text : str or None
        The file's content where it is not on disk.
    language : str
        ``"c"`` or ``"c++"``.
    flags : tuple of str
        The compiler's flags.
    system_includes : tuple of str
        The compiler's own include directories, in its order.
    dialect : str
        ``"cuda"`` for device code: what runs elsewhere is skipped.
    implied : mapping of str to tuple of str
        The macros that each language's compiler defines by itself, as flags.
    kernels : bool
        Of device code: whether kernels are what is bound.
    holders : tuple of str
        Class templates that share an object as a ``std::shared_ptr`` does, beside those that are known.
    """

    path: str
    text: str | None
    language: str
    flags: tuple[str, ...]
    include_dirs: tuple[str, ...]
    system_includes: tuple[str, ...]
    dialect: str = "cxx"
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kernels: bool = False
    holders: tuple[str, ...] = ()

    @property
    def main(self) -> str:
        """The synthetic main file, beside the user's so that relative includes agree."""
        return _main_beside(self.path, self.language)


@lru_cache(maxsize=16)  # each declaration's file is compared with it
def _main_beside(path: str, language: str) -> str:
    suffix = "c" if language == "c" else "cpp"
    return os.path.join(os.path.dirname(path), f"samebytes-main.{suffix}")


@frozen
class Problem:
    """One error of the parser."""

    file: str
    line: int
    column: int
    offset: int
    message: str
    fatal: bool

    @property
    def location(self) -> Location:
        return Location(self.file, self.line, self.column)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


@frozen
class Saved:
    """A parse of the user's file without questions, which clang has saved: it stands for the file in further parses.

    Attributes
    ----------
    path : str
        Clang's file.
    problems, included, includes_cuda
        What further parses do not say again: see :class:`ParsedUnit`.
    """

    path: str
    problems: tuple[Problem, ...]
    included: tuple[str, ...]
    includes_cuda: bool


class EndlessQuestion(Exception):
    """A question after which clang reads no further.

    Attributes
    ----------
    line : int
        Its line of the synthetic main file.
    """

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


@dataclass
class ParsedUnit:
    """A parsed translation unit.

    Attributes
    ----------
    problems : tuple of Problem
        Errors outside the synthetic main file, in order.
    own_errors : dict of int to str
        The 1-based lines of the synthetic main file that clang refused, and why.
    broken : dict of int to str
        Those of them that broke code elsewhere: what they instantiate does not compile.
    elsewhere : tuple of Problem
        The errors there.
    macros_asked : bool
        Whether the definitions of macros are of interest.
    saved : Saved or None
        What stands for the user's file in it.
    listed : dict
        What was listed of it, by what is exposed.
    """

    request: ParseRequest
    tu: TranslationUnit
    problems: tuple[Problem, ...]
    own_errors: dict[int, str]
    broken: dict[int, str] = field(default_factory=dict)
    elsewhere: tuple[Problem, ...] = ()
    macros_asked: bool = False
    saved: Saved | None = None
    listed: dict[Any, Any] = field(default_factory=dict)
    _texts: dict[str, bytes] = field(default_factory=dict)
    _real_paths: dict[str, str] = field(default_factory=dict)

    @property
    def c(self) -> bool:
        """Whether the language is C."""
        return self.request.language == "c"

    @cached_property
    def top(self) -> list[Cursor]:
        """The declarations at file scope."""
        return children_beside(self.tu.cursor, *PREPROCESSING)

    @cached_property
    def asked(self) -> list[Cursor]:
        """Those of the synthetic main file, in order: what a question instantiates stands between them."""
        known: dict[int | None, bool] = {}
        found = []
        for cursor, file in zip(self.top, files_of(self.top), strict=True):
            if file not in known:
                known[file] = file_of(cursor) == self.request.main
            if known[file]:
                found.append(cursor)
        return found

    @cached_property
    def knows_kernels(self) -> bool:
        """Whether the flags have the parser annotate kernels."""
        return any(flag.startswith("-D__global__=") for flag in self.request.flags)

    @cached_property
    def of_host(self) -> bool:
        """Whether of CUDA's source the functions of the host are read."""
        return "-DSAMEBYTES_OF_HOST" in self.request.flags

    @cached_property
    def includes_cuda(self) -> bool:
        """Whether CUDA's own headers are read, which make nothing of its words for a compiler of the host."""
        if self.saved:
            return self.saved.includes_cuda
        return any(name.endswith(_CUDA_WORDS) for name in inclusions(self.tu))

    @cached_property
    def macros(self) -> list[Cursor]:
        """The definitions of macros, in order, if they were asked for."""
        if not self.macros_asked:
            return []
        return children_of(self.tu.cursor, Decl.MACRO_DEFINITION)

    def text(self, file: str) -> bytes:
        """The bytes of a file as the parser saw them."""
        if file not in self._texts:
            if file == self.request.path and self.request.text is not None:
                self._texts[file] = self.request.text.encode()
            else:
                try:
                    self._texts[file] = Path(file).read_bytes()
                except OSError:
                    self._texts[file] = b""
        return self._texts[file]

    def included(self) -> tuple[str, ...]:
        """Absolute paths of all files read, the user's first."""
        return self._included

    def reads(self, name: str) -> bool:
        """Whether a header of the standard library is among the files read."""
        return name in self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(map(os.path.basename, self.included()))

    @cached_property
    def _included(self) -> tuple[str, ...]:
        if self.saved:
            return self.saved.included
        own = self.request.path
        others = dict.fromkeys(map(self.real_path, dict.fromkeys(inclusions(self.tu))))
        others.pop(own, None)
        if self.request.text is None:
            others.pop(self.real_path(own), None)
        return (own, *others)

    def real_path(self, file: str) -> str:
        """The canonical path of a file, as ``os.path.realpath`` has it; each folder is looked up once."""
        known = self._real_paths
        if file not in known:
            folder, name = os.path.split(file)
            if folder not in known:
                known[folder] = os.path.realpath(folder)
            path = os.path.join(known[folder], name)
            known[file] = os.path.realpath(path) if name in _FOLDERS or os.path.islink(path) else path
        return known[file]


def parse(
    request: ParseRequest,
    questions: tuple[str, ...] = (),
    *,
    macros: bool = False,
    saved: Saved | None = None,
) -> ParsedUnit:
    """Parse the user's file, followed by one line of the synthetic main file per question.

    Parameters
    ----------
    request : Request
    questions : tuple of str
    macros : bool
        Whether the definitions of macros are asked for.
    saved : Saved, optional
        What stands for the user's file.

    Raises
    ------
    BindError
        If clang cannot start, or an ``#include`` cannot be found.
    EndlessQuestion
        If one of the questions ends the parse.
    """
    arguments = ["-x", request.language, "-nostdinc", "-ferror-limit=0", "-Wno-everything"]
    if request.language == "c++":
        arguments += ["-nostdinc++", *libcxx_words(request.system_includes)]
    if request.dialect == "cuda" and version() >= _MANGLES_PLACES:
        arguments.append(f"-fclang-abi-compat={_MANGLES_PLACES - 1}")
    arguments += _implied(request)
    arguments += front_end_flags(request.flags, request.language)
    arguments += [f"-I{directory}" for directory in request.include_dirs]
    system = c_includes(request.system_includes) if request.language == "c" else request.system_includes
    for directory in system:
        arguments += ["-isystem", directory]
    if saved:
        arguments += ["-include-pch", saved.path, "-Xclang", "-fallow-pch-with-compiler-errors"]
    named = (
        inclusion(request.path, request.flags, (*request.include_dirs, *system))
        if request.text is None
        else ""
    )
    named = named or f'"{request.path}"'
    main = "\n".join(["" if saved else f"#include {named}", *questions, ""])
    files = [(request.main, main)]
    if request.text is not None:
        files.append((request.path, request.text))
    try:
        # A parse without questions may be saved: what stands for the file has its macros.
        recorded = macros or (request.language == "c++" and not questions)
        options = _SKIP_BODIES | (_RECORD_MACROS if recorded else 0)
        tu = index().parse(request.main, args=arguments, unsaved_files=files, options=options)
    except cindex().TranslationUnitLoadError as error:
        raise BindError(
            f"{request.path}: the C++ parser (libclang) could not start on this file: {error}"
        ) from error
    unit = _unit(request, tu)
    unit.macros_asked, unit.saved = macros, saved
    if saved:
        unit.problems = (*saved.problems, *unit.problems)
    return unit


def save(unit: ParsedUnit, path: str) -> Saved | None:
    """Save a parse without questions for further ones; None where clang does not."""
    try:
        unit.tu.save(path)
    except cindex().TranslationUnitSaveError:
        return None
    return Saved(path, unit.problems, unit.included(), unit.includes_cuda)


def _words(diagnostic: Any) -> str:
    """An error with its notes, one sentence each."""
    return "; ".join([diagnostic.spelling, *(note.spelling for note in _notes(diagnostic))])


def _notes(diagnostic: Any) -> list[Any]:
    """The notes of an error, without those that say how a file is included: of one that is saved, by which line."""
    return [note for note in diagnostic.children if not note.spelling.startswith(_INCLUDED)]


def _asked_by(diagnostic: Any, main: str) -> int | None:
    """The line of the synthetic main file that made clang instantiate the code that an error is about."""
    places = (note.location for note in _notes(diagnostic))
    return next((p.line for p in places if p.file and p.file.name == main and p.line > 1), None)


_INCLUDING = 1  # the line of the synthetic main file that includes the user's


def _advice(words: str) -> str:
    return ". Save the header as UTF-8, which compilers read" if "byte order mark" in words else ""


def _unit(request: ParseRequest, tu: TranslationUnit) -> ParsedUnit:
    problems: list[Problem] = []
    own: dict[int, str] = {}
    broken: dict[int, str] = {}
    elsewhere: list[Problem] = []
    for diagnostic in tu.diagnostics:
        if diagnostic.severity < _ERROR:
            continue
        place = diagnostic.location
        file = place.file.name if place.file else ""
        if _HARMLESS.fullmatch(diagnostic.spelling) and file.startswith(request.system_includes):
            continue
        fatal = diagnostic.severity >= _FATAL
        words = diagnostic.spelling
        if not fatal and file.startswith(request.system_includes):
            words = f"{words} ({_OTHERWISE.format(version())})"
        problem = Problem(file, place.line, place.column, place.offset, words, fatal)
        asked = place.line if file == request.main else _asked_by(diagnostic, request.main)
        if asked is not None:
            if fatal and asked == _INCLUDING:  # the user's file cannot be read at all
                raise BindError(f"{request.path}: {diagnostic.spelling}{_advice(diagnostic.spelling)}")
            if fatal:
                raise EndlessQuestion(asked, diagnostic.spelling)
            if file != request.main:
                broken.setdefault(asked, diagnostic.spelling)
                elsewhere.append(problem)
            own.setdefault(asked, _words(diagnostic))
            continue
        if not file and not fatal:  # about a flag that clang does not know
            continue
        if fatal:
            raise BindError(str(problem))
        problems.append(problem)
    return ParsedUnit(request, tu, tuple(problems), own, broken, tuple(elsewhere))


_UNSIGNED = "-D__CHAR_UNSIGNED__="


def _implied(request: ParseRequest) -> tuple[str, ...]:
    """The macros of the compiler.

    Raises
    ------
    BindError
        If its ``char`` is unsigned: each ``char`` of every declaration has a sign to Python.
    """
    implied = request.implied.get(request.language, ())
    if any(word.startswith(_UNSIGNED) for word in implied):
        raise BindError(
            "char is unsigned with these flags, and samebytes reads it as signed. Leave -funsigned-char out, or add "
            "-fsigned-char; declare unsigned char or std::uint8_t where numbers are meant"
        )
    return implied
