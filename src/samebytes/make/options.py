"""The options of a build, each stated once: for compile() and bind(), the command line, configurations and requests."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from inspect import Parameter, cleandoc, signature
from typing import Annotated, Any, TypedDict, TypeVar

from ..errors import BindError
from ..frozen import frozen
from ..options import Kind, is_choice, is_classes, is_flag, is_mapping, is_optional, is_path, is_text, refused

# One path, or several.
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
# Who may call what is bound.
TARGETS = ("host", "numba", "numba_cuda")
# A configuration: a file, or its keys.
Given = str | os.PathLike[str] | Mapping[str, Any]


@frozen
class Option:
    """What is said of an option, beside its type.

    Attributes
    ----------
    default : object
    kind : callable, optional
        Whether a value is of its kind, where requests do not ask that themselves.
    words : str
        The kind in words, for messages.
    key : str
        The configuration's key that says the same. Lists add up; of other values Python's counts.
    command : tuple of str
        Its spellings on the command line; without one, the command line lacks it.
    help : str
        Its line there.
    among : str or tuple of str
        There, ``"file"`` or ``"folder"`` for what must exist, or the values that are known.
    may_be_all : bool
        Of a list, whether True stands for everything.
    """

    default: Any
    kind: Kind | None = None
    words: str = ""
    key: str = ""
    command: tuple[str, ...] = ()
    help: str = ""
    among: str | tuple[str, ...] = ()
    may_be_all: bool = False

    @property
    def is_list(self) -> bool:
        """Whether it may be given several times."""
        return bool(self.default == ())

    def is_given(self, value: Any) -> bool:
        """Whether a value says more than leaving the option out."""
        return bool(value not in (None, self.default) if self.default else value)


def _is_stub(value: object) -> bool:
    return is_path(value) and os.fsdecode(os.fspath(value)).endswith(".pyi")  # type: ignore[call-overload]


_NAMES = "True, False, or the names of functions"


class CompileOptions(TypedDict, total=False):
    """What :func:`samebytes.compile` takes beside its source.

    Attributes
    ----------
    dialect : str
        The language of the source: ``"cxx"``, or ``"cuda"``, ``"hip"`` and ``"sycl"``, whose kernels are bound.
    arch : str, optional
        Of kernels: the architecture for which they are compiled, ``"sm_90"``, ``"gfx90a"``; the default is that of the
        device in use.
    name : str, optional
        The library's name in messages and reprs.
    language : {"c", "c++"}, optional
        Overrides what the file's name says.
    std : str, optional
        The language standard, ``"c++20"``; the default is ``gnu++17`` (``gnu17`` for C).
    flags, defines : sequence of str
        ``["-march=native", "-fopenmp"]``, ``["N=4"]``. Each flag goes to those whose it is: parser, compiler, linker.
    include_dirs, library_dirs, sources : path or sequence of paths
        Where to look for headers and libraries; further files to compile and link in.
    libraries : sequence of str
        Libraries to link: ``"z"``, ``"libz.so.1"``, or a path.
    pkg : sequence of str
        Packages as pkg-config knows them, ``["eigen3", "gsl >= 2.5"]``: it says their flags.
    cmake : sequence of str
        Targets of installed CMake packages, ``["Box2D::box2d", "fmt::fmt >= 9", "OpenCV opencv_core"]``: CMake says
        their flags.
    compile_commands : path, optional
        A project's ``compile_commands.json``, or its folder: the flags are those with which the project compiles the
        file, or the source that is nearest to it. ``"build#src/shape.cpp"`` names the source that is meant.
    prefixes : path or sequence of paths
        Where packages are installed, each with ``include`` and ``lib``: also for ``pkg`` and ``cmake``. ``"conda"`` is
        the active environment.
    sanitize : {"address", "thread", "undefined"}, optional
        Compiles with that sanitizer. Where its runtime must be in the process from the start, the program runs again in
        a child that has it, and ends as the child does.
    expose : sequence of str
        Shell-style patterns of further files or declarations to bind.
    holders : sequence of str
        Class templates of smart pointers that share an object as a ``std::shared_ptr`` does, ``["mine::handle"]``: such
        a pointer is its object. ``boost::shared_ptr`` and ``QSharedPointer`` are known.
    arg_intent : mapping
        ``{"frexp": {1: "out_return"}}``: intents by function, and parameter name or 0-based index.
    owns : mapping of str to str or None
        ``{"open": "close", "*_new": "*_free", "make": None}``: functions whose result is Python's, and what ends it;
        None is C++'s ``delete``.
    keeps : mapping of str to list
        ``{"List.add": ["self", 0]}``: functions, and what comes to refer to which arguments, and so keeps them: first
        ``"self"``, ``"return"`` or a parameter, then those that are kept.
    counts : mapping of str to str
        ``{"aiScene::mMeshes": "mNumMeshes", "m*": "mNum*"}``: pointers in classes, and the members that say how many
        there are of what they point to: such a pointer is a tuple of objects, or an array of numbers.
    config : path or mapping
        A configuration in YAML, or its keys (docs, "Configuration files"). What is given in Python counts, or adds.
    types : mapping of str to type
        ``{"ns::Sun": Sun}``: results of that C++ struct are instances of this ``@sb.struct`` class.
    nogil : "auto", bool or collection of str
        Whether the GIL is released around the C++ code, or the names of the functions for which it is. "auto" keeps it
        where a function's code shows that it ends within 4,096 instructions, cannot wait, and reads only what the call
        itself has; :func:`samebytes.explain` says where. Releasing costs 20 to 50 ns a call.
    target : {"host", "numba", "numba_cuda"}
        Who calls: Python; Python and Numba's ``@njit`` code; kernels of ``numba.cuda``, for which the source is
        read as CUDA C++.
    stub : path, optional
        Where the types of the library are written for mypy, pyright and editors, ``"lib.pyi"`` beside the script; see
        "Types" in the documentation's page on packages.
    instantiate : sequence of str
        Instantiations of templates that are built at once, ``["ns::f<int>", "ns::TA<float, 3>", "g(double *, int)"]``:
        then they need no compiler when they are first used, and share the source's variables.
    """

    dialect: Annotated[
        str,
        Option("cxx", is_text, "the name of a dialect, 'cxx', 'cuda', 'hip' or 'sycl'", command=("--dialect",),
               help="The language: of kernels 'cuda', 'hip' or 'sycl'.",
               among=("cxx", "cuda", "hip", "sycl")),
    ]  # fmt: skip
    arch: Annotated[str | None, Option(None, is_optional(is_text), "the name of an architecture, 'sm_90'")]
    name: Annotated[str | None, Option(None, is_optional(is_text), "a name")]
    language: Annotated[
        str | None,
        Option(None, is_optional(is_text), "'c' or 'c++'", "Language", ("--language",),
               "Overrides what the header says.", ("c", "c++")),
    ]  # fmt: skip
    std: Annotated[
        str | None,
        Option(None, is_optional(is_text), "a language standard, 'c++20'", "Standard", ("--std",),
               "The language standard, c++20."),
    ]  # fmt: skip
    flags: Annotated[
        Sequence[str], Option((), key="Compiler Flags", command=("--flag",), help="A flag for the compiler.")
    ]
    defines: Annotated[
        Sequence[str],
        Option((), key="Predefined Macros", command=("-D",), help="A macro, NAME or NAME=VALUE."),
    ]
    include_dirs: Annotated[
        Paths,
        Option((), key="Clang Include Paths", command=("-I",), help="Where to look for headers.", among="folder"),
    ]  # fmt: skip
    libraries: Annotated[
        Sequence[str], Option((), key="Libraries", command=("-l",), help="A library to link.")
    ]
    pkg: Annotated[
        Sequence[str],
        Option((), key="Packages", command=("--pkg",), help="A package as pkg-config knows it, gsl."),
    ]
    cmake: Annotated[
        Sequence[str],
        Option(
            (), key="CMake Packages", command=("--cmake",), help="A target of a CMake package, Box2D::box2d."
        ),
    ]
    compile_commands: Annotated[
        str | os.PathLike[str] | None,
        Option(None, is_optional(is_path), "a compile_commands.json or its folder", "Compile Commands",
               ("--compile-commands",), "A compile_commands.json, or its folder; FOLDER#SOURCE names the source."),
    ]  # fmt: skip
    prefixes: Annotated[
        Paths,
        Option(
            (),
            key="Prefixes",
            command=("--prefix",),
            help="Where packages are installed; 'conda': the active one.",
        ),
    ]
    sanitize: Annotated[
        str | None,
        Option(None, is_optional(is_text), "'address', 'thread' or 'undefined'", "Sanitize", ("--sanitize",),
               "Compile with a sanitizer, and run again with its runtime.", ("address", "thread", "undefined")),
    ]  # fmt: skip
    library_dirs: Annotated[
        Paths,
        Option((), key="Library Paths", command=("-L",), help="Where to look for libraries.", among="folder"),
    ]
    sources: Annotated[
        Paths,
        Option((), key="Sources", command=("--source",), help="A file to compile and link in.", among="file"),
    ]
    expose: Annotated[
        Sequence[str],
        Option((), key="Expose", command=("--expose",), help="A pattern of further files or names to bind."),
    ]
    holders: Annotated[
        Sequence[str],
        Option(
            (),
            key="Holders",
            command=("--holder",),
            help="A template of smart pointers that share an object.",
        ),
    ]
    arg_intent: Annotated[
        Mapping[str, Mapping[Any, object]] | None,
        Option(None, is_optional(is_mapping), "{function: {parameter: intent}}"),
    ]
    owns: Annotated[
        Mapping[str, str | None] | None,
        Option(None, is_optional(is_mapping), "{function: what ends its result}", "Owns"),
    ]
    keeps: Annotated[
        Mapping[str, Sequence[object]] | None,
        Option(None, is_optional(is_mapping), "{function: [what keeps, what is kept]}", "Keeps"),
    ]
    counts: Annotated[
        Mapping[str, str] | None,
        Option(None, is_optional(is_mapping), "{pointer of a class: the member that counts}", "Counts"),
    ]
    config: Annotated[
        Given | None,
        Option(None, command=("-c", "--config"), help="A configuration in YAML.", among="file"),
    ]
    types: Annotated[
        Mapping[str, type] | None,
        Option(None, is_optional(is_classes), "{'ns::Sun': Sun}: classes by C++ struct"),
    ]
    nogil: Annotated[bool | str | Collection[str], Option("auto", is_choice, f"'auto', {_NAMES}")]
    target: Annotated[
        str,
        Option("host", is_text, "'host', 'numba' or 'numba_cuda'", command=("--target",),
               help="Who calls: Python; also Numba's @njit; kernels of numba.cuda.", among=TARGETS),
    ]  # fmt: skip
    stub: Annotated[
        str | os.PathLike[str] | None, Option(None, is_optional(_is_stub), "a path that ends in .pyi")
    ]
    instantiate: Annotated[
        Sequence[str],
        Option((), key="Instantiate", command=("--instantiate",), help="An instantiation of a template, 'twice<int>'."),
    ]  # fmt: skip


class BuildOptions(CompileOptions, total=False):
    """What :func:`samebytes.bind` takes beside its header: all of :class:`CompileOptions`, and this.

    Attributes
    ----------
    library : str or path, optional
        The shared library, ``"libamdhip64.so"``, in which functions are looked up on first use: it need not be there
        when the header is bound.
    style : {"c_api"}, optional
        HIP Python's, for C headers: functions return a tuple, the status and then the outputs, and one without status
        and outputs its plain value. Outputs are ``T**`` and
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
    eager : bool
        Whether everything is compiled with the header, also of a large one.
    unchecked_formats : bool or sequence of str
        Functions with ``...`` whose further arguments are not held to the format before them, or True for all: then
        their Python values alone say what they are to C.
    """

    library: Annotated[
        str | os.PathLike[str] | None,
        Option(None, is_optional(is_path), "a shared library's name or path", command=("--library",),
               help="The shared library in which functions are looked up on first use."),
    ]  # fmt: skip
    style: Annotated[
        str | None,
        Option(None, is_optional(is_text), "'c_api', or left out", command=("--style",),
               help="Results as HIP Python's: the status, then the outputs.", among=("c_api",)),
    ]  # fmt: skip
    check: Annotated[bool | Collection[str], Option(False, is_choice, _NAMES)]
    allocations: Annotated[
        Mapping[str, Mapping[str, Any]] | None,
        Option(None, is_optional(is_mapping), "{function: what it allocates}", "Allocations"),
    ]
    texts: Annotated[Sequence[str], Option((), key="Texts")]
    eager: Annotated[bool, Option(False, is_flag, "True or False")]
    unchecked_formats: Annotated[
        bool | Sequence[str],
        Option((), key="Unchecked Formats", command=("--unchecked-format",),
               help="A function with '...' that is held to no format; '*' means all.", may_be_all=True),
    ]  # fmt: skip


def _stated(options: type) -> dict[str, Option]:
    return {name: hint.__metadata__[0] for name, hint in options.__annotations__.items()}


# By name, in the order of their statement.
OF_COMPILE = _stated(CompileOptions)
OPTIONS = _stated(BuildOptions)


def completed(where: str, known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option, with its default where it was not given.

    Raises
    ------
    TypeError
        If there is no such option.
    BindError
        If a value is not of its kind.
    """
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{where}() got an unexpected keyword argument {name!r}")
        option = known[name]
        if option.kind is not None and not option.kind(value):
            raise refused(where, name, option.words, value, BindError)
    return {name: given.get(name, option.default) for name, option in known.items()}


def strings(value: Paths, what: str) -> tuple[str, ...]:
    """One or several strings or paths as a tuple.

    Raises
    ------
    BindError
        If something else came.
    """
    if isinstance(value, str | os.PathLike):
        value = (value,)
    try:
        found = tuple(os.fspath(v) for v in value)
    except TypeError:
        raise BindError(f"{what} must be strings or paths, got {value!r}") from None
    if any(("\0" if isinstance(v, str) else b"\0") in v for v in found):
        raise BindError(f"{what}: {value!r} holds a null character, where every command line ends")
    return found


_Called = TypeVar("_Called", bound=Callable[..., Any])


def takes(options: type) -> Callable[[_Called], _Called]:
    """A decorator for functions with ``**options``: ``help`` and ``inspect.signature`` show each of them.

    In the docstring a line ``**options`` becomes their descriptions.
    """
    known = _stated(options)
    hints = {name: hint.__origin__ for name, hint in options.__annotations__.items()}

    def shown(function: _Called) -> _Called:
        of = signature(function)
        own = [p for p in of.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        keywords = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=option.default, annotation=hints[name])
            for name, option in known.items()
        ]
        function.__signature__ = of.replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
        described = (cls.__doc__ or "" for cls in (CompileOptions, options)[options is CompileOptions :])
        parts = [cleandoc(text).partition("Attributes\n----------\n")[2] for text in described]
        function.__doc__ = cleandoc(function.__doc__ or "").replace("**options", "\n".join(parts))
        return function

    return shown
