"""What was read from a header: the language-neutral model that everything after libclang works on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from ..frozen import frozen
from ..layouts import walk_all
from ..types import VOID, Callback, Enum, Function, Shape, Stream, Struct, Type, unqualified
from .signature import Location, Signature
from .verdicts import Verdict

# What is skipped and worth no warning: asked for, each says why itself.
RESERVED_KIND, ELSEWHERE_KIND = "reserved name", "member declared elsewhere"
USING_KIND, MACRO_KIND, AHEAD_KIND = "using-declaration", "macro with parameters", "declared ahead"
FRIEND_KIND, OPERATOR_KIND = "friend of a class template", "operator declared elsewhere"
TEXT_KIND = "operator that str() shows"
DEVICE_KIND = "device code"  # beside kernels
DERIVED_KIND = "constructor of derived classes"
VALUELESS_KIND = "macro without a value"
UNUSED_KIND = "not used"  # by the program of --used-by
QUIET = frozenset(
    {
        "field", RESERVED_KIND, ELSEWHERE_KIND, USING_KIND, MACRO_KIND, AHEAD_KIND, FRIEND_KIND, OPERATOR_KIND,
        TEXT_KIND, DEVICE_KIND, DERIVED_KIND, VALUELESS_KIND, UNUSED_KIND,
    }
)  # fmt: skip


@frozen
class Skipped:
    """A declaration that is exposed by the header and not bound.

    Attributes
    ----------
    name : str
        Qualified name, with parameter types for a function: ``ns::f(FILE *, ...)``.
    kind : str
        ``"function"``, ``"struct"``, ``"enum"``, ``"constant"``, ``"typedef"``, ``"class template"`` …
    reason : str
        One sentence.
    names : str
        The record that a typedef is a second name of, or empty.
    """

    name: str
    kind: str
    reason: str
    location: Location
    names: str = ""

    @property
    def is_quiet(self) -> bool:
        """Whether it is worth no warning."""
        return self.kind in QUIET or self.name.startswith("std::")

    def __str__(self) -> str:
        return f"{self.name} ({self.location}): {self.reason}"


@frozen
class UnboundOverload:
    """An overload that C++ considers beside what is bound, and that is not bound: a call of it is refused.

    Attributes
    ----------
    signature : Signature
        Its parameters as far as overload resolution looks at them, with VOID for a type that nobody knows.
    reason : str
        One sentence.
    template : bool
        Whether it is a template, which C++ takes after a function that is as good.
    """

    signature: Signature
    reason: str
    template: bool = False


def unbound_beside(
    kept: Iterable[Signature], gone: Iterable[tuple[Signature, str]]
) -> tuple[UnboundOverload, ...]:
    """Of functions that are taken out of a model, each with the reason, those that C++ still considers.

    Of a template's members with the same parameters a constraint lets C++ consider one alone.
    """
    keys, forms = set[str](), set[tuple[object, ...]]()
    for signature in kept:
        keys.add(signature.key)
        forms.add(_form(signature))
    return tuple(
        UnboundOverload(one, reason)
        for one, reason in gone
        if (not one.implicit or _is_taken_over(one)) and not one.instance
        and (one.key in keys or one.kind == "constructor" or one.name.startswith("operator"))
        and not ("<" in one.owner and _form(one) in forms)
    )  # fmt: skip


def _is_taken_over(signature: Signature) -> bool:
    """Whether a using-declaration takes a function over from a base, and C++ does not write it by itself."""
    if signature.kind == "constructor" and not signature.braces and signature.arguments:
        taken = unqualified(signature.arguments[0].type)
        return not isinstance(taken, Struct) or taken.name != signature.owner
    by_name = not signature.expression or signature.expression.endswith(f"{signature.name}(")
    return signature.kind != "constructor" and by_name


def _form(signature: Signature) -> tuple[object, ...]:
    return signature.key, tuple((p.type, p.passing) for p in signature.arguments)


@frozen
class Unread:
    """A class that is bound because others use it, while its header is not exposed: only its fields are known.

    Attributes
    ----------
    name : str
        Qualified.
    header : str
        The file that declares it.
    pattern : str
        What ``expose=`` takes to bind the rest.
    members : tuple of str
        Its public members, by name.
    constructs : bool
        Whether it declares a constructor.
    """

    name: str
    header: str
    pattern: str
    members: tuple[str, ...]
    constructs: bool

    @property
    def is_standard(self) -> bool:
        """Whether it is a class of ``std`` whose rest is bound when it is asked for; a function is called alone."""
        return self.name.startswith("std::") and not self.name.startswith("std::function<")

    @property
    def advice(self) -> str:
        return (
            f"{self.header} is not exposed: expose=[{self.pattern!r}] binds what {self.name} declares there"
        )


@frozen
class Constant:
    """A named constant whose value the compiler knows.

    Attributes
    ----------
    enum : str
        The enumeration that the value belongs to, or empty.
    type : Type or None
        The type of a constant pointer, whose value is an address.
    """

    name: str
    qualified: str
    value: bool | int | float | str
    spelling: str
    location: Location
    enum: str = ""
    type: Type | None = None


@frozen
class Variable:
    """A variable, or a constant that is no number or text, where it lies in memory.

    Attributes
    ----------
    type : Type
        Const where C++ does not let it be written.
    spelling : str
        The exact C++ type; of a reference, of what it refers to.
    symbol : str
        The linker's name.
    thread_local : bool
        Whether each thread has its own.
    repeated : bool
        Whether each library that includes the header has its own.
    unsized : bool
        Whether it is an array of unknown length, whose ``type`` is that of a pointer to its first element.
    """

    name: str
    qualified: str
    type: Type
    spelling: str
    symbol: str = ""
    thread_local: bool = False
    repeated: bool = False
    unsized: bool = False
    location: Location | None = None
    doc: str = field(default="", repr=False)


ENUM_OPERAND = "enum "  # what begins the operand of a template that is of one enumeration


@frozen
class Template:
    """A template that Python instantiates.

    Attributes
    ----------
    kind : str
        ``"function"``, ``"method"``, ``"constructor"``, ``"class"``, ``"alias"``, ``"variable"`` or ``"kernel"``.
    declarations : tuple of str
        Each as messages show it: ``template <class T, int N> T ns::f(T)``.
    arguments : tuple of str
        A function's parameter names, where there is one declaration without a pack.
    packed : bool
        Whether one of its own parameters stands for any number of arguments.
    owner : str
        The qualified name of the class that a member template belongs to.
    operators : tuple of str
        Of a class template: the operators that are its friends.
    hidden : tuple of int
        The parameters that intents take out of the Python call.
    operands : tuple of str or None
        Of an operator: for each parameter the class template of which it takes objects alone, ``*`` of a pointer,
        ``enum E`` of an enumeration, empty of others; None where that is not known.
    methods : tuple of str or None
        Of a class template: the names of its public functions; None where others may come in, from bases.
    """

    name: str
    qualified: str
    kind: str
    declarations: tuple[str, ...]
    location: Location
    arguments: tuple[str, ...] = ()
    owner: str = ""
    operators: tuple[str, ...] = ()
    hidden: tuple[int, ...] = ()
    operands: tuple[str, ...] | None = None
    methods: tuple[str, ...] | None = None
    packed: bool = False
    doc: str = field(default="", repr=False)


@frozen
class Instance:
    """One instantiation of a template.

    Attributes
    ----------
    asked : str
        The spelling under which it was asked for.
    kind : str
        ``"function"``, ``"type"`` or ``"variable"``.
    target : str
        The qualified name of the function or the variable, the name of the class.
    calls : tuple of str
        Of a function: the calls that deduce it.
    """

    asked: str
    kind: str
    target: str
    calls: tuple[str, ...] = ()


@frozen
class Alias:
    """A typedef or alias: a second name for a record, an enum, a number or a type of the standard library.

    Attributes
    ----------
    target : str
        What it stands for, in words.
    type : Type
        What it stands for.
    spelling : str
        The same as C++ spells it.
    """

    name: str
    qualified: str
    target: str
    location: Location
    type: Type = VOID
    spelling: str = ""


@frozen
class Later:
    """A typedef or alias of a class that a template makes, which is read when Python first asks for it.

    Attributes
    ----------
    spelling : str
        The class, as C++ spells it.
    """

    name: str
    qualified: str
    spelling: str
    location: Location


@frozen(slots=False)
class Module:
    """All that a header exposes.

    Attributes
    ----------
    language : str
        ``"c"`` or ``"c++"``: how it was parsed, and how its shims are compiled.
    records : tuple of Struct
        Every record that a bound signature or record mentions, dependencies first.
    exposed : int
        The number of declarations exposed; equals bound + skipped (a test holds it). A record or an enum of
        another file counts as exposed by being used.
    renamed : tuple of (str, str)
        Qualified C++ names, and the unqualified ones that Python uses for them.
    repeated : tuple of (str, str)
        Qualified names that using-declarations, aliases of namespaces and macros make, and the names that they
        repeat.
    numbers : tuple of int
        The numbers of the functions' shims where they are not 0, 1, 2 …: some shims belong to no function.
    origin : str
        The digest of all that its code is made of; libraries of one origin do the same. Empty where they may not, as
        they have variables, or call what others define.
    clashing : tuple of str
        Names of macros that samebytes's own headers have for something else.
    verdicts : tuple of Verdict
        What was read in the shims' code; empty where none was.
    prelude : tuple of str
        Headers of samebytes that the user's needs to be read and compiled.
    included : tuple of str
        Absolute paths of every file that the parser read, the main file first.
    opaque : tuple of str
        Names of types of which pointers are handles, each of a class of its own.
    lazy : tuple of str
        Linker's names of what is looked up in a library on first use, in the order of the slots.
    unread : tuple of Unread
        The records of which only the fields are known.
    unmatched : tuple of (str, str)
        Patterns of ``expose=`` that mean no file and no declaration, and a word that names the nearest one.
    later : tuple of Later
        The second names of classes that are read when they are first asked for.
    shapes : tuple of Shape or Enum
        What the records are made of, private members too, and what these have or point to.
    others : tuple of str
        Of the files included, those of other libraries; the compiler's own are left out.
    pointed : tuple of str
        Those of variables: the header is compiled with each name as a macro for what its slot points to.
    constructors : tuple of Signature
        Of kernels' structs: what makes them on the host, compiled when Python first calls one.
    rewrites : bool
        Whether C++ writes comparisons by others, as since C++20.
    unbound : tuple of UnboundOverload
        What C++ considers beside the bound overloads of a name, and beside the operators of bound classes.
    """

    language: str
    functions: tuple[Signature, ...] = ()
    records: tuple[Struct, ...] = ()
    enums: tuple[Enum, ...] = ()
    constants: tuple[Constant, ...] = ()
    variables: tuple[Variable, ...] = ()
    aliases: tuple[Alias, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    exposed: int = 0
    included: tuple[str, ...] = field(default=(), repr=False)
    opaque: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    unmatched: tuple[tuple[str, str], ...] = ()
    lazy: tuple[str, ...] = ()
    pointed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    repeated: tuple[tuple[str, str], ...] = ()
    templates: tuple[Template, ...] = ()
    instances: tuple[Instance, ...] = ()
    later: tuple[Later, ...] = ()
    numbers: tuple[int, ...] = ()
    origin: str = field(default="", compare=False)
    verdicts: tuple[Verdict, ...] = field(default=(), repr=False, compare=False)
    prelude: tuple[str, ...] = ()
    clashing: tuple[str, ...] = field(default=(), repr=False)
    constructors: tuple[Signature, ...] = ()
    shapes: tuple[Shape | Enum, ...] = field(default=(), repr=False)
    others: tuple[str, ...] = field(default=(), repr=False)
    rewrites: bool = False
    unbound: tuple[UnboundOverload, ...] = field(default=(), repr=False)

    @property
    def overload_sets(self) -> dict[str, list[tuple[int, Signature]]]:
        """The functions by the name of their Python function, each with the number of its shims."""
        found: dict[str, list[tuple[int, Signature]]] = {}
        for number, signature in zip(self.numbers or range(len(self.functions)), self.functions, strict=True):
            found.setdefault(signature.key, []).append((number, signature))
        for overloads in found.values():
            overloads.sort(key=lambda item: item[1].implicit)  # what the header says comes first
        return found

    @property
    def joined_sets(self) -> dict[str, list[str]]:
        """Functions whose overloads using-declarations bring together, by the one name; its own included."""
        free = {f.key for f in self.functions if f.kind == "function" and not f.owner and not f.instance}
        found: dict[str, list[str]] = {}
        for name, meant in self.repeated:
            if meant in free:
                found.setdefault(name, [name] if name in free else []).append(meant)
        return {name: sets for name, sets in found.items() if len(sets) > 1}

    @property
    def takes_callables(self) -> bool:
        """Whether parameters are functions or files of Python's, which its code calls."""
        types = (p.type for f in self.functions for p in f.parameters)
        return any(isinstance(t, Callback | Stream) for t in walk_all(types))

    @property
    def function_types(self) -> tuple[Function, ...]:
        """The types of functions that Python may call through a pointer, each once, in a fixed order."""
        types = [t for f in self.functions for t in (f.result, *(p.type for p in f.parameters))]
        types += [f.type for record in self.records for f in record.fields]
        types += [variable.type for variable in self.variables]
        types += [alias.type for alias in self.aliases]
        parts = (part for part in walk_all(types) if isinstance(part, Function))
        return tuple(dict.fromkeys(part for part in parts if not part.barred))
