"""What a user asks to be built: normalised, hashable, and complete enough to build it again elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import BindError
from ..forks import importing
from ..frozen import frozen
from ..model.curation import EVERYTHING, Curation
from ..model.intents import EVERY, Intent, intent_facts, parse_intent, suggest
from ..toolchain.cache_folder import check_name
from ..toolchain.flags import SortedFlags, sort_flags
from ..toolchain.headers import INCLUDE
from .options import OPTIONS, TARGETS, Paths, strings

if TYPE_CHECKING:
    from ..styles.c_api.allocations import Allocation
    from .config import Config

_STANDARDS = {"c++": "gnu++17", "c": "gnu17"}
# What headers for CUDA's compiler get on the host, beneath INCLUDE.
CUDA_HOST = "samebytes/cuda_host.hpp"
_CUDA_WORDS = ("-include", os.path.join(INCLUDE, CUDA_HOST))
_STRINGS = "-D_GLIBCXX_USE_CXX11_ABI"  # a macro by which GCC's library chooses between two classes
_C_SUFFIXES = frozenset({".c"})


@frozen
class Request:
    """Everything that decides what is built, except the content of files.

    Attributes
    ----------
    source : str or None
        Source text given in place of a file.
    main : str or None
        The header or source file, absolute.
    sources : tuple of str
        Further files, compiled and linked in; absolute.
    flags, linking : tuple of str
        The flags of the compiler, and those of the linker.
    language : str or None
        ``"c"`` or ``"c++"``; None lets the header decide.
    intents : tuple
        ``(function, ((parameter name or index, intent), ...))``, sorted.
    curation : Curation
        What is left out, and under which names the rest is bound.
    portable : bool
        Whether the build is for a package, which may have no path of this machine in it.
    target : str
        Who calls: ``"host"`` (Python), ``"numba"`` (Python and ``@njit``), ``"numba_cuda"`` (kernels).
    library : str or None
        The shared library whose functions are looked up on first use: what nothing else defines.
    style : str
        ``"c_api"``: outputs come back after the status, by rule; empty: only what intents say.
    allocations : tuple of Allocation
        The functions of a C API that allocate, as a user says it.
    texts : tuple of str
        Typedefs of bytes, and functions that return such, whose constant bytes are text.
    known : tuple of (str, str)
        The files in which a user says what is known of libraries, each with its digest.
    unchecked : tuple of str
        Functions with ``...`` whose further arguments are not held to a format; ``"*"``: all.
    sanitize : str
        The sanitizer whose runtime the process needs; the flags have it, too.
    owns : tuple of (str, str)
        Functions whose results are Python's, or patterns of such, each with what ends the result; empty: ``delete``.
    keeps : tuple of (str, tuple of tuple)
        Functions, and groups of what keeps and what is kept.
    counts : tuple of (str, str)
        Pointers of classes, or patterns with one ``*``, and the members that say how many there are, in the order in
        which they are applied.
    pythonic : str
        What a configuration says of Python's forms of classes, as JSON.
    instances : tuple of tuple of str
        Instantiations of templates, each by its possible spellings.
    alone : bool
        Whether they alone are built: a library beside the header's own.
    beside : str
        That library's file, which already has what the sources define.
    arch : str
        The architecture for which kernels are compiled, ``"sm_90"``; empty where there are none.
    lazily : str
        ``"calls"``: the shims of a large header may be built when they are first needed, see
        :mod:`samebytes.make.batches`; ``"names"``: and its declarations be read when they are named, see
        :mod:`samebytes.make.naming`; empty: neither.
    names : tuple of str
        Of a large header: the qualified names that alone are read.
    apart : bool
        Whether it is built before the header is read, so that it may have no state of its own, and no class that
        others have to know.
    used : tuple of str
        The names, as Python says them, that alone are bound, with what they need; empty: all.
    overriding : bool
        Whether it is the class beneath which Python's classes override virtual functions: see
        :mod:`samebytes.make.overriding`.
    """

    name: str
    source: str | None = None
    main: str | None = None
    sources: tuple[str, ...] = ()
    dialect: str = "cxx"
    language: str | None = None
    std: str | None = None
    flags: tuple[str, ...] = ()
    linking: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    library_dirs: tuple[str, ...] = ()
    expose: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    intents: tuple[tuple[str, tuple[tuple[str | int, Intent], ...]], ...] = field(default=())
    curation: Curation = EVERYTHING
    target: str = "host"
    instances: tuple[tuple[str, ...], ...] = ()
    alone: bool = False
    beside: str = ""
    lazily: str = ""
    names: tuple[str, ...] = ()
    apart: bool = False
    overriding: bool = False
    used: tuple[str, ...] = ()
    portable: bool = False
    library: str | None = None
    style: str = ""
    allocations: tuple[Allocation, ...] = ()
    texts: tuple[str, ...] = ()
    known: tuple[tuple[str, str], ...] = ()
    unchecked: tuple[str, ...] = ()
    owns: tuple[tuple[str, str], ...] = ()
    keeps: tuple[tuple[str, tuple[tuple[str | int, ...], ...]], ...] = ()
    counts: tuple[tuple[str, str], ...] = ()
    pythonic: str = ""
    sanitize: str = ""
    arch: str = ""

    @property
    def launches(self) -> bool:
        """Whether it is of kernels, which the host launches."""
        return self.dialect != "cxx" and self.target == "host"

    @property
    def speaks_cuda(self) -> bool:
        """Whether the compiler of the host is told the words of CUDA's compiler."""
        return _CUDA_WORDS[-1] in self.flags

    def speaking_cuda(self) -> Request:
        """The request for a source that only CUDA's compiler would understand, with what that compiler knows."""
        if self.speaks_cuda:
            return self
        return replace(self, language="c++", flags=(*self.flags, *_CUDA_WORDS))

    def facts(self) -> dict[str, Any]:
        """The request as a JSON value."""
        chosen = [[f, [[key, intent_facts(i)] for key, i in items]] for f, items in self.intents]
        facts = asdict(replace(self, intents=(), allocations=(), pythonic=""))
        # The rest of what allocates, and Python's forms of classes, are asked when a build is loaded.
        return {**facts, "intents": chosen, "allocated": self.allocated()}

    def allocated(self) -> list[tuple[str, str]]:
        """The functions that are said to allocate, with the parameters that get the addresses; and those that tell the
        device, whose every place comes out.
        """
        devices = {(one.device, EVERY) for one in self.allocations if one.device}
        return sorted({(one.function, one.pointer) for one in self.allocations} | devices)

    def shared_flags(self, language: str | None) -> tuple[str, ...]:
        """The flags that the parser and the compiler both get; of both languages while that is undecided."""
        standards = (
            (self.std,)
            if self.std
            else tuple(std for spoken, std in _STANDARDS.items() if language in (None, spoken))
        )
        return (*(f"-std={s}" for s in standards), *(f"-D{d}" for d in self.defines), *self.flags)

    def archives(self) -> tuple[str, ...]:
        """The library files that the linker takes from the user's own directories."""
        names = [f for name in self.libraries for f in _files_of(name)]
        beside = [os.path.join(d, n) for d in self.library_dirs for n in names]
        return tuple(path for path in (*names, *beside) if os.path.isfile(path))

    def abi_flags(self, language: str) -> tuple[str, ...]:
        """The shared flags without those that change what source text means, but for GCC's choice of std::string."""
        shared = iter(self.shared_flags(language))
        kept = []
        for flag in shared:
            text = flag + next(shared, "") if flag in ("-D", "-U", "-I", "-include", "-isystem") else flag
            if text.startswith(_STRINGS) or not text.startswith(("-D", "-U", "-I", "-include", "-isystem")):
                kept.append(text)
        return tuple(f for f in kept if f != "-fno-exceptions")

    def includes(self) -> tuple[str, ...]:
        """The directories searched for headers before the compiler's own."""
        return (*self.include_dirs, INCLUDE)

    def link_flags(self) -> tuple[str, ...]:
        """Search paths and libraries, in order; a library given as a path is linked, and found again, at that path."""
        directories = [f for d in self.library_dirs for f in (f"-L{d}", f"-Wl,-rpath,{d}")]
        # A shared library with a name of its own (DT_SONAME) is looked for by that.
        given = [os.path.abspath(name) for name in self.libraries if os.sep in name and ".so" in name]
        folders = dict.fromkeys(f"-Wl,-rpath,{os.path.dirname(path)}" for path in given)
        return (
            *directories,
            *folders,
            *(_library_flag(name) for name in self.libraries),
            *self.linking,
            "-lm",
        )


def _files_of(name: str) -> tuple[str, ...]:
    if os.sep in name or name.startswith("lib"):
        return (name,)
    return f"lib{name}.so", f"lib{name}.a"


def _library_flag(name: str) -> str:
    if os.sep in name:
        return os.path.abspath(name)
    return f"-l:{name}" if name.startswith("lib") and (".so" in name or name.endswith(".a")) else f"-l{name}"


def paths(value: Paths, what: str) -> tuple[str, ...]:
    """Existing files or directories, absolute.

    Raises
    ------
    BindError
        If one does not exist.
    """
    given = strings(value, what)
    if "" in given:
        raise BindError(f"{what}: '' is no path")
    found = tuple(map(os.path.abspath, given))
    for path in found:
        check_name(path, what)
        if not os.path.exists(path):
            raise BindError(f"{what}: {path} does not exist")
    return found


def normal_intents(arg_intent: Mapping[str, Mapping[Any, object]]) -> tuple[Any, ...]:
    """The intents of a call as plain sorted tuples, each intent checked."""
    if not isinstance(arg_intent, Mapping):
        raise BindError(f"arg_intent maps function names to {{parameter: intent}}, got {arg_intent!r}")
    found = []
    for function, chosen in arg_intent.items():
        if not isinstance(function, str):
            raise BindError(f"arg_intent key {function!r} is no function's name")
        if not isinstance(chosen, Mapping):
            raise BindError(
                f"arg_intent[{function!r}] maps parameter names or indices to intents, got {chosen!r}"
            )
        items = [
            (key, parse_intent(value, f"arg_intent[{function!r}][{key!r}]")) for key, value in chosen.items()
        ]
        found.append((function, tuple(sorted(items, key=lambda item: str(item[0])))))
    return tuple(sorted(found, key=lambda item: item[0]))


def configured(
    given: Mapping[str, Any],
    settings: Config,
    file: str | None,
    source: Callable[[Mapping[str, Any]], tuple[str | None, str | None]],
) -> dict[str, Any]:
    """The options with the configuration's and with what packages say, each of which means something to who calls.

    Parameters
    ----------
    given : mapping
        Every option.
    settings : Config
    file : str or None
        The header or source; None for text.
    source : callable
        Called with the options: the text, or None, and the path of the file.

    Raises
    ------
    BindError
        If one means nothing, or something that packages name is not there.
    """
    every = {**given, **settings.added_to(given), "pythonic": settings["Pythonize"]}
    _check_style(every.get("style"))
    _known_target(every["target"])
    whole = with_packages(every, file)
    said = {**every, "Pythonize": every["pythonic"]}
    if "allocations" in every:
        said["allocations"] = every["allocations"] or settings["Allocations"]
    if said["Pythonize"] or any(OPTIONS[name].is_given(said[name]) for name in OPTIONS.keys() & said.keys()):
        with importing:  # what is as usual applies
            from .applicability import check_configured
        check_configured(said, whole, source)
    return whole


def _check_style(style: str | None) -> None:
    if style not in (None, "c_api"):
        raise BindError(f"style is 'c_api' or left out, got {style!r}")


# Options by which others state settings.
_STATED = ("pkg", "cmake", "prefixes", "compile_commands", "sanitize")


def with_packages(given: Mapping[str, Any], file: str | None) -> dict[str, Any]:
    """The options with what they mean by packages, prefixes and a compilation database.

    Parameters
    ----------
    given : mapping
        Every option.
    file : str or None
        The header or source that is bound; None for text.

    Raises
    ------
    BindError, MissingDependency
        If something named, or the program that knows of it, is not there.
    """
    if all(given[option] in ((), None) for option in _STATED):
        return dict(given)
    with importing:  # a process that finds its library in the cache, and names no package, starts nothing
        from .packages import stated

    return stated(given, file)


# Options that are attributes of the request, too.
_LISTS = ("defines", "expose", "holders")
_FILES = ("sources", "include_dirs")


def normal_request(name: str, given: Mapping[str, Any], **decided: Any) -> Request:
    """The request for what a user gave: paths absolute and existing, sequences as tuples, intents checked.

    Parameters
    ----------
    given : mapping
        Every option, as :data:`samebytes.make.options.OPTIONS` states them.
    **decided
        Attributes of the request that follow from several options, or from none.

    Raises
    ------
    BindError, IntentError
        If something given is not of its kind.
    """
    if decided.get("main") is not None:
        check_name(decided["main"], "the header")
    target = _known_target(given["target"])
    lists: dict[str, Any] = {option: strings(given[option], option) for option in _LISTS}
    files: dict[str, Any] = {option: paths(given[option], option) for option in _FILES}
    words = strings(given["flags"], "flags")
    # NVRTC's are no driver's of a host: -lineinfo names no library.
    of_devices = given["dialect"] != "cxx" or target == "numba_cuda"
    flags = SortedFlags(words) if of_devices else sort_flags(words)
    if files["sources"]:
        with importing:  # most libraries have none
            from .applicability import caller_of, check_sources
        check_sources(caller_of(given), files["sources"])
    return Request(
        name=name,
        dialect="cuda" if target == "numba_cuda" else given["dialect"],
        std=given["std"],
        flags=flags.compiler,
        linking=flags.linker,
        libraries=(*strings(given["libraries"], "libraries"), *flags.libraries),
        library_dirs=(
            *paths(given["library_dirs"], "library_dirs"),
            *paths(flags.library_dirs, "flags"),
        ),
        intents=normal_intents(given["arg_intent"] or {}),
        target=target,
        owns=_owners(given.get("owns") or {}),
        keeps=_keepers(given.get("keeps") or {}),
        counts=_counts(given.get("counts") or {}),
        texts=strings(given.get("texts", ()), "texts"),
        unchecked=_unchecked(given.get("unchecked_formats", ())),
        sanitize=given["sanitize"] or "",
        pythonic=json.dumps(given["pythonic"], default=str) if given.get("pythonic") else "",
        instances=tuple((text,) for text in strings(given["instantiate"], "instantiate")),
        **lists,
        **files,
        **decided,
    )


def _unchecked(given: bool | Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, bool):
        return ("*",) if given else ()
    return strings(given, "unchecked_formats")


def _owners(given: Mapping[Any, object]) -> tuple[tuple[str, str], ...]:
    """Factories and what ends their objects, each checked; the shorter name first, as a longer one says more."""
    for function, deleter in given.items():
        if not isinstance(function, str) or not (deleter is None or isinstance(deleter, str)):
            raise BindError(
                "owns maps functions' names to what ends their results, the name of a function or method, or None for "
                f"C++'s delete; got {function!r}: {deleter!r}"
            )
        if function.count("*") > 1:
            raise BindError(
                f"owns: {function!r} has several '*', and only one can stand in the deleter's name, too"
            )
        if "*" in str(deleter) and "*" not in function:
            raise BindError(
                f"owns: {function!r} has no '*', so nothing says what that in {deleter!r} stands for"
            )
    return tuple(sorted(((f, str(d or "")) for f, d in given.items()), key=lambda item: len(item[0])))


def _keepers(
    given: Mapping[Any, Any],
) -> tuple[tuple[str, tuple[tuple[str | int, ...], ...]], ...]:
    """Functions, and what keeps what: one group of places, or several."""
    found = []
    for function, said in given.items():
        groups = said if isinstance(said, list | tuple) and said and _is_row(said[0]) else [said]
        rows = [tuple(row) if _is_row(row) else () for row in groups]
        if not isinstance(function, str) or not all(
            len(row) > 1 and all(map(_is_place, row)) for row in rows
        ):
            raise BindError(
                'keeps maps functions\' names to a list, what keeps ("self", "return" or a parameter) and then what '
                f"is kept (parameters, by name or 0-based index); got {function!r}: {said!r}"
            )
        found.append((function, tuple(rows)))
    return tuple(sorted(found, key=lambda item: len(item[0])))


def _is_row(given: object) -> bool:
    return isinstance(given, list | tuple)


def _is_place(given: object) -> bool:
    return isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool))


def _counts(given: Mapping[Any, object]) -> tuple[tuple[str, str], ...]:
    """Pointers of classes and the members that count, each checked; the shorter name first: a longer one says more."""
    for pointer, count in given.items():
        if not isinstance(pointer, str) or not isinstance(count, str) or not count:
            raise BindError(
                "counts maps pointers of classes, 'aiScene::mMeshes', to the members that say how many there are, "
                f"'mNumMeshes'; got {pointer!r}: {count!r}"
            )
        if max(pointer.count("*"), count.count("*")) > 1 or "*" in pointer.rpartition("::")[0]:
            raise BindError(f"counts: a '*' stands once, in the names of members; got {pointer!r}: {count!r}")
        if "*" in count and "*" not in pointer:
            raise BindError(
                f"counts: {pointer!r} has no '*', so nothing says what that in {count!r} stands for"
            )
    return tuple(sorted(((p, str(n)) for p, n in given.items()), key=lambda item: len(item[0])))


def _known_target(target: str) -> str:
    if target not in TARGETS:
        near = suggest(str(target), list(TARGETS))
        raise BindError(f"target is {', '.join(map(repr, TARGETS))}, got {target!r}.{near}")
    return target


def is_c_source(path: str) -> bool:
    """Whether a file is C by its name."""
    return os.path.splitext(path)[1] in _C_SUFFIXES


def language_of(language: str | None, main: str | None, otherwise: str | None) -> str | None:
    """The language that is asked for, that a file's name says, or the given one.

    Raises
    ------
    BindError
        If there is no such language.
    """
    if language not in (None, "c", "c++"):
        raise BindError(f"language is 'c' or 'c++', got {language!r}")
    if language is None and main is not None and is_c_source(main):
        return "c"
    return language or otherwise
