"""One C++ function as Python sees it: parameters, result, and where it was declared."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

from ..frozen import frozen
from ..types import (
    MISSING,
    VOID,
    Argument,
    Const,
    Function,
    Handle,
    Pointer,
    Struct,
    Target,
    Type,
    unqualified,
)
from ..types.naming import BENEATH, split_name
from .intents import IN, InOutPtr, Intent, OutReturn


@frozen
class Location:
    """A place in the user's source: file, 1-based line and column."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@frozen
class Default:
    """A default argument.

    Attributes
    ----------
    text : str
        The C++ expression as written.
    value : object
        Its value where it is a constant that Python can hold, else MISSING: then only C++ can supply it.
    """

    text: str
    value: Any = MISSING


@frozen
class Parameter:
    """One parameter.

    Attributes
    ----------
    name : str
        As declared, or ``arg0``, ``arg1`` … where the declaration leaves it out.
    type : Type
        For a reference, the type referred to, with its const.
    spelling : str
        The exact C++ type, ``const ns::Sun &``; the shim's function pointer is made from it.
    passing : str
        ``"value"``, ``"lvalue_ref"`` or ``"rvalue_ref"``.
    extent : int or None
        Elements that an array parameter declares: 3 for ``float out[3][4]``, whose type is
        ``pointer[carray[float32, 4]]``; 0 for an array whose extent it leaves open, ``float out[]``.
    reason : str
        Which rule or data file chose the intent, for those who ask.
    converts : bool
        Whether C++ makes its object of another argument: not where it finds the function by that object alone.
    """

    name: str
    type: Type
    spelling: str
    passing: str = "value"
    intent: Intent = IN
    default: Default | None = None
    extent: int | None = None
    reason: str = field(default="", compare=False)
    converts: bool = True

    @property
    def declaration(self) -> str:
        """As C++ declares it: ``float out[3][4]``."""
        for mark in ("(*)", "(&)", "(&&)"):
            before, found, after = self.spelling.partition(mark)
            if found:
                name = f"{self.name}[{self.extent}]" if self.extent else f"({mark[1:-1]}{self.name})"
                return f"{before}{name}{after}"
        if self.extent:
            return f"{self.spelling.removesuffix('*')}{self.name}[{self.extent}]"
        return f"{self.spelling} {self.name}"

    @property
    def is_ellipsis(self) -> bool:
        """Whether it stands for an argument at ``...``."""
        return self.spelling == ELLIPSIS

    @property
    def value_type(self) -> Type:
        """The type without its outermost const: what Python converts to."""
        return unqualified(self.type)

    @property
    def may_write(self) -> bool:
        """Whether C++ may write to the object that a reference names."""
        return self.passing != "value" and not isinstance(self.type, Const)

    @property
    def changes_object(self) -> bool:
        """Whether C++ may change the object of a class that an argument is, be it only as it copies that."""
        mutable = isinstance(self.value_type, Handle) and self.value_type.copies_mutable
        return self.may_write or (mutable and self.passing == "value")

    @property
    def place(self) -> bool:
        """Whether C++ gets the caller's own object: by the intent, or a record for a ``T&`` of which none is stated."""
        return self.intent.place or self.is_aliased

    @property
    def is_unstated(self) -> bool:
        """Whether C++ may write to it, and no intent says what becomes of that: a ``T&`` or a ``std::vector<T>*``."""
        if self.intent != IN:
            return False
        if isinstance(self.value_type, Target):
            return not self.spelling.startswith("const ")
        return self.may_write and self.passing == "lvalue_ref"

    @property
    def is_aliased(self) -> bool:
        """Whether it is a ``T&`` of no stated intent to a record: a record is the very object, a plain value a copy."""
        record = isinstance(self.value_type, Struct) and not isinstance(self.value_type, Handle)
        return record and self.is_unstated


ELLIPSIS = "..."
FURTHER = Parameter("", VOID, ELLIPSIS)  # what takes an argument at "..."
RESULT_PLACE = -1  # what stands for a result among the places of parameters

# The kinds whose first parameter Python gives before the arguments.
_WITH_OBJECT = frozenset({"method", "launch"})


def is_unsettled(parameter: Parameter) -> bool:
    """Whether a style asked if a pointer is an output, and took it for a place that the caller gives."""
    return bool(parameter.reason) and parameter.intent == IN


@frozen
class Signature:
    """One overload.

    Attributes
    ----------
    name : str
        The unqualified name that Python uses.
    qualified : str
        How C++ reaches it, ``ns::f``.
    result : Type
        VOID where nothing comes back; for a returned reference, the type referred to.
    result_spelling : str
        The exact C++ return type.
    symbol : str
        The linker's name (mangled for C++).
    namespace : tuple of str
        The enclosing namespaces, outermost first.
    family : str
        What tells of further arguments, where ``...`` ends the parameters: ``"printf"`` and the others of
        :mod:`samebytes.model.families`; empty where nothing does.
    family_at : int
        The parameter that is the format, from zero; -1 where there is none.
    kind : str
        ``"function"``, ``"method"``, ``"static"``, ``"constructor"``, ``"macro"``, an expression, or ``"launch"``, of a
        kernel. A method's first parameter is its object, ``self``, by reference; a launch's is what says how.
    owner : str
        The qualified name of the class that a member belongs to.
    qualifiers : str
        What stands after a method's parameters, ``const``, ``&&``.
    home : str
        The spelling of the class that declares a member: the owner's, or of the base whose name a using-declaration
        brings in. Of a friend that only one class declares that class's name: C++ finds it by objects of that class.
    instance : str
        Of an instantiated function template: the spelling under which it was asked for.
    explicit : bool
        Whether C++ calls a constructor or a conversion only where it is written out.
    implicit : bool
        Whether C++ declares a constructor, or writes an operator by another one, by itself.
    expression : str
        How C++ writes the call where no function has an address for it, with ``{0}``, ``{1}`` … for the arguments;
        only a name: the function that C++ finds through its arguments.
    braces : str
        Of a constructor that C++ writes with braces: how these open, ``{`` or, with a base without members, ``{{}, ``.
    hands_over : bool
        Whether the result is an object that Python owns from then on: C++ returns a pointer, and ``result`` is an
        :class:`Owner`.
    ends : bool
        Whether an intent ``"owned"`` names it as what ends objects: that of its first parameter is gone after a call.
    keeps : tuple of (int, int)
        Which comes to refer to which, and so has to keep it: places in ``parameters``; :data:`RESULT_PLACE` is the
        result, and the object of a constructor.
    owners : tuple of int
        The places of pointers that own their objects, as the declaration says by ``gsl::owner``.
    uses : tuple of str
        Of a function compiled here: linker's names of what its code needs of a library that is opened later.
    dimensions : int
        Of a kernel of SYCL: those of its range, 0 of a single task; -1 where nothing says it.
    """

    name: str
    qualified: str
    parameters: tuple[Parameter, ...]
    result: Type
    result_spelling: str
    result_passing: str = "value"
    symbol: str = ""
    namespace: tuple[str, ...] = ()
    noexcept: bool = False
    variadic: bool = False
    family: str = ""
    family_at: int = -1
    location: Location | None = None
    doc: str = field(default="", repr=False)
    kind: str = "function"
    owner: str = ""
    instance: str = ""
    qualifiers: str = ""
    home: str = ""
    explicit: bool = False
    implicit: bool = False
    expression: str = ""
    braces: str = ""
    hands_over: bool = False
    ends: bool = False
    keeps: tuple[tuple[int, int], ...] = ()
    owners: tuple[int, ...] = ()
    uses: tuple[str, ...] = ()
    dimensions: int = 0

    @property
    def throws_nothing(self) -> bool:
        """Whether no exception may leave it: it is ``noexcept``, or a C function, which expects none in between."""
        return self.noexcept or (
            self.kind == "function" and bool(self.symbol) and not self.symbol.startswith("_Z")
        )

    @property
    def shown_name(self) -> str:
        """The name that messages use: ``f``, ``Class.method``, ``Class`` for a constructor."""
        owner = split_name(self.owner)[-1].partition(BENEATH)[0]
        return self.name if not owner or self.kind == "constructor" else f"{owner}.{self.name}"

    def place(self, library: str) -> str:
        """Where Python finds it: in a class, in namespaces, or in the library itself."""
        return split_name(self.owner)[-1].partition(BENEATH)[0] or ".".join(self.namespace) or library

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """The parameters that C++ declares: without the object of a method."""
        return self.parameters[1:] if self.kind in _WITH_OBJECT else self.parameters

    @property
    def object(self) -> Parameter | None:
        """What a Python call gives before the arguments: the object of a method, the new one of a constructor."""
        if self.kind == "constructor":
            return Parameter("self", self.result, f"{self.result_spelling} &", "lvalue_ref", InOutPtr())
        return self.parameters[0] if self.kind in _WITH_OBJECT else None

    def __hash__(self) -> int:
        return hash((self.qualified, self.symbol, len(self.parameters), self.location))  # enough, and quick

    @property
    def key(self) -> str:
        """What the overloads of one Python function share."""
        return self.instance or self.qualified

    @property
    def template_names(self) -> tuple[str, ...]:
        """Of what a template or a member of one makes: names without template arguments."""
        if not self.instance and "<" not in self.owner:
            return ()
        parts = split_name(self.qualified)
        bare = self.instance or self.kind == "constructor"
        own = [*parts[:-1], parts[-1].partition("<")[0] if bare else parts[-1]]
        plain = [*(part.partition("<")[0] for part in own[:-1]), own[-1]]
        return tuple(dict.fromkeys(map("::".join, (own, plain, plain[-2:] if self.owner else plain))))

    @property
    def visible(self) -> tuple[Parameter, ...]:
        """The parameters that remain in the Python call."""
        return tuple(p for p in self.parameters if p.intent.visible)

    @property
    def shown(self) -> tuple[Parameter, ...]:
        """The parameters that a caller sees: the visible ones, without the object of a method."""
        return tuple(p for p in self.arguments if p.intent.visible)

    @property
    def measuring(self) -> tuple[Parameter, ...]:
        """The outputs that hold before a call how much room a buffer has, which a call may say by name.

        Where ``...`` ends the parameters it may not: there the buffer itself tells.
        """
        if self.variadic:
            return ()
        given = {p.name for p in self.visible}
        return tuple(
            p for p in self.parameters if isinstance(p.intent, OutReturn) and p.intent.capacity in given
        )

    def with_intents(self, intents: dict[int, Intent], source: str = "") -> Signature:
        """The same signature with intents set by parameter index; ``source`` says what chose them."""
        changed = tuple(
            replace(p, intent=intents[i], reason=source) if i in intents else p
            for i, p in enumerate(self.parameters)
        )
        return replace(self, parameters=changed)


def function_of(parameter: Parameter) -> Function | None:
    """The type of the functions that a parameter points to, where it takes callables."""
    type_ = parameter.value_type
    target = type_.target if isinstance(type_, Pointer) and parameter.passing == "value" else None
    return target if isinstance(target, Function) and not parameter.place else None


def function_type(signature: Signature) -> Function:
    """The type of a function, as a pointer to it has it."""
    arguments = tuple(Argument(p.type, p.passing, p.spelling) for p in signature.parameters)
    return Function(signature.result, arguments, result_passing=signature.result_passing)
