"""Makes the functions of a module, each at once or on its first use, and the calls of pointers to functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...call import Binding, Candidate, variables
from ...call.attribute import Attribute
from ...call.c_api.api import Pending, PendingMethod
from ...call.candidate import AMBIGUOUS
from ...forks import importing
from ...model import further
from ...model.signature import Signature
from ...model.slots import takes_over
from ...model.symbols import (
    ADDRESSES,
    BEGIN,
    NEXT,
    PROTOCOLS,
    ambiguous_arities,
    arities,
    call_signature,
    call_symbol,
    further_symbol,
    is_accessor,
    shim_symbol,
)
from ...types import Function, Pointer, unqualified
from . import pointed_arguments
from .copies import contained, shown_copies
from .loaded_module import LoadedModule

if TYPE_CHECKING:
    from ...call.variadic import VariadicOverload
    from .unbound_candidates import Unbound


class Members(NamedTuple):
    """The functions of one class.

    Attributes
    ----------
    bindings : dict
        The overloads of those that are made, by their qualified names: operators, conversions, constructors.
    named : list of (str, function)
        Those that have names in Python.
    constructor : function or None
    """

    bindings: dict[str, Binding]
    named: list[tuple[str, Any]]
    constructor: Any


class Functions:
    """The functions of one module.

    Attributes
    ----------
    bindings : dict
        The overloads of every function that is made, by its qualified name.
    plain : list of (str, function)
        Functions by their qualified names: those of namespaces, and members.
    instances : list of (str, function)
        Instantiations of templates by their spellings.
    macros : list of (str, Attribute)
        Macros that are expressions, by their names.
    constructors : dict
        The constructors of classes, by the class.
    late : set of str
        The classes that wait for their name, and get their functions when they are made.
    pointers : tuple of Function
        The types of functions that Python may call through a pointer.
    """

    def __init__(self, compiled: LoadedModule) -> None:
        self._compiled = compiled
        self.bindings: dict[str, Binding] = {}
        self.plain: list[tuple[str, Any]] = []
        self.instances: list[tuple[str, Any]] = []
        self.constructors: dict[str, Any] = {}
        self.macros: list[tuple[str, Attribute]] = []
        module = compiled.module
        sets = module.overload_sets
        self._size = 1 + max((number for overloads in sets.values() for number, _ in overloads), default=-1)
        self._verdicts = {verdict.symbol: verdict for verdict in module.verdicts}
        self._sets = sets
        self._table: tuple[int, ...] | None = None
        self.pointers = module.function_types
        self._calls_back = bool(self.pointers) or module.takes_callables
        self._results = compiled.api.finishes(self.find)
        self._joined = module.joined_sets
        self.unbound = _unbound(compiled) if module.unbound else None
        self.late = {r.name for r in module.records if compiled.linker.records.waits(r.name)}
        # Those of the late classes, by the class.
        self._late: dict[str, list[tuple[str, list[tuple[int, Signature]]]]] = {}
        self._methods: dict[str, PendingMethod] = {}
        for name, overloads in sets.items():
            self._add(name, overloads)
        for name in self._joined.keys() - sets.keys():
            self._add(name, sets[self._joined[name][0]])

    def _add(self, name: str, overloads: list[tuple[int, Signature]]) -> None:
        signatures = [signature for _, signature in overloads]
        if signatures[0].kind == "macro":  # a header may have hundreds
            type_ = self._compiled.linker.link(signatures[0].result)
            found = Pending(partial(self._macro, name, overloads))
            self.macros.append((name, variables.Evaluated(name, type_, found.make)))
            return
        make = partial(self._make, name, overloads)
        late = signatures[0].owner in self.late
        if late:
            self._late.setdefault(signatures[0].owner, []).append((name, overloads))
        if self._waits(signatures[0]):
            kind = self._compiled.linker.waiting_method if signatures[0].owner else Pending
            made = kind(partial(self._opened, signatures, make))
            self.plain.append((name, made))
            if isinstance(made, PendingMethod) and late:
                self._methods[name] = made
            return
        if late:
            self._add_late(name, signatures[0])
            return
        function = self._compiled.api.function(signatures, make)
        if signatures[0].instance:
            self.instances.append((name, function))
        elif signatures[0].kind == "constructor":
            self.constructors[signatures[0].owner] = function
        elif not is_accessor(signatures[0].name) and signatures[0].name not in PROTOCOLS:
            self.plain.append((name, function))

    def _add_late(self, name: str, signature: Signature) -> None:
        """Have a function be found that is made with its class."""

        def found() -> Any:
            cls = self._compiled.linker.records[signature.owner]
            if signature.kind == "constructor":
                return cls.__samebytes_new__ or cls.__samebytes_blank__
            return self.bindings[name].dispatcher or self.bindings[name].function

        if signature.kind == "constructor":
            self.instances.append((f"{signature.owner}()", Pending(found)))
        elif signature.name not in PROTOCOLS:
            self.plain.append((name, self._compiled.linker.waiting_method(found)))

    def of_class(self, owner: str) -> Members:
        """The functions of a class that waited: methods wait on, others are made."""
        members = Members({}, [], None)
        for name, overloads in self._late.get(owner, ()):
            signatures = [signature for _, signature in overloads]
            if (method := self._methods.get(name)) is not None:
                members.named.append((name, method))
                continue
            function = self._compiled.api.function(signatures, partial(self._make, name, overloads))
            if name in self.bindings:
                members.bindings[name] = self.bindings[name]
            if signatures[0].kind == "constructor":
                members = members._replace(constructor=function)
            elif signatures[0].name not in PROTOCOLS:
                members.named.append((name, function))
        return members

    def constructors_of(self, owner: str) -> list[Signature]:
        """The constructors of a class that waited."""
        return [s for _, overloads in self._late[owner] for _, s in overloads if s.kind == "constructor"]

    def _waits(self, signature: Signature) -> bool:
        """Whether a function is made when it is named, as a header may have thousands: what is no operator."""
        if self._compiled.eager or signature.instance or signature.name.startswith(("operator", "__")):
            return False
        if not signature.owner:
            return signature.kind == "function"
        # What is said of classes in Python's words looks at their methods.
        return signature.kind in ("method", "static") and self._compiled.linker.pythonic is None

    def members(self, owner: str) -> frozenset[str]:
        """The names of the functions of a class."""
        return frozenset(o[0][1].name for o in self._sets.values() if o[0][1].owner == owner)

    def find(self, name: str) -> Any:
        """A function by its qualified name; one that waits for its first use is made."""
        if name not in self.bindings:
            dict(self.plain)[name].make()
        return self.bindings[name].function

    def every(self) -> dict[str, Binding]:
        """The overloads of every function, also of those that wait for their first use."""
        return {n: self.bindings.get(n) or self._bind(n, overloads) for n, overloads in self._sets.items()}

    def _make(self, name: str, overloads: list[tuple[int, Signature]]) -> Any:
        self.bindings[name] = made = self._bind(name, overloads)
        return made.dispatcher or made.function

    def _macro(self, name: str, overloads: list[tuple[int, Signature]]) -> Any:
        """What evaluates a macro."""
        return self._opened([signature for _, signature in overloads], partial(self._make, name, overloads))

    def _opened(self, signatures: Sequence[Signature], make: Callable[[], Any]) -> Any:
        """A function, made now; what it needs of a library that is opened on first use is looked up."""
        function = self._compiled.api.function(signatures, make)
        return function.make() if isinstance(function, Pending) else function

    def _bind(self, name: str, overloads: list[tuple[int, Signature]]) -> Binding:
        compiled = self._compiled
        signatures = tuple(signature for _, signature in overloads)
        candidates = self._candidates(overloads)
        keys = list(dict.fromkeys([signatures[0].key, name]))
        for added in self._further(name, {name}):
            candidates += self._candidates(self._sets[added])
            keys.append(added)
        if self.unbound:
            candidates += self.unbound.beside(keys, candidates)
        options = (
            {} if signatures[0].kind == "macro" else {**shown_copies(signatures), **self._results(signatures)}
        )
        if "finish" not in options:
            declared = [candidate.signature for candidate in candidates]
            if any(isinstance(unqualified(one.result), Pointer) for one in declared):
                options |= pointed_arguments.shown_objects(declared)
        options = {"nogil": compiled.nogil(name), **options, **self._access(signatures[0])}

        def make(candidates: Sequence[Candidate]) -> Binding:
            return Binding(
                candidates, module=compiled.name, reduce=compiled.reduce(name),
                dialect=compiled.dialect, calls_back=self._calls_back,
                owner=compiled.linker.qualname(signatures[0].owner), **options,
            )  # fmt: skip

        made = make(candidates)
        dotted = [self._overload(number, signature) for number, signature in overloads if signature.variadic]
        if dotted:
            with importing:
                from ...call.variadic import Variadic

            adapter = "Pointer" if compiled.api.style else ""
            made.dispatcher = Variadic(made, dotted, lambda candidate: make([candidate]), adapter)
        return made

    def _candidates(self, overloads: list[tuple[int, Signature]]) -> list[Candidate]:
        signatures, compiled = tuple(signature for _, signature in overloads), self._compiled
        made: list[Candidate] = []
        for number, signature in overloads:
            linked = compiled.linker.signature(signature)
            made += (
                self._candidate(shim_symbol(number, given), linked, given, number)
                for given in arities(signature, signatures)
            )
            made += (
                Candidate(linked, given, 0, unbound=AMBIGUOUS)
                for given in ambiguous_arities(signature, signatures)
            )
        return made

    def _candidate(self, symbol: str, signature: Signature, given: int, number: int) -> Candidate:
        loaded = self._compiled.loaded
        if later := loaded.later(symbol):
            return Candidate(signature, given, 0, later=later)
        verdict = self._verdicts.get(symbol, self._verdicts.get("")) or loaded.verdict(symbol)
        return Candidate(signature, given, loaded.address(symbol), self._own(number), verdict=verdict)

    def _own(self, number: int) -> int:
        """A function's own address."""
        if self._table is None:
            self._table = self._compiled.loaded.table(ADDRESSES, self._size)
        return self._table[number]

    def _further(self, name: str, seen: set[str], followed: frozenset[str] = frozenset()) -> Iterator[str]:
        """What using-declarations add to the overloads of a name, also by further ones; each set once.

        Two names may repeat one another, as ``sqrt`` and ``std::sqrt`` do in the C++ library's math.h.
        """
        sets = self._joined.get(name, [])
        if sets[:1] != [name]:  # the first one stands for the name
            seen.update(sets[:1])
        for meant in sets:
            if meant not in seen:
                seen.add(meant)
                yield meant
            if meant != name and meant not in followed:
                yield from self._further(meant, seen, followed | {name})

    def _access(self, signature: Signature) -> dict[str, Any]:
        """What sets the calls that read or write a member apart: the GIL stays, and who assigns ends an object."""
        if signature.name in (BEGIN, NEXT):
            return {"nogil": False}
        if not is_accessor(signature.name):
            return {}
        options: dict[str, Any] = {"nogil": False, "exclusive": True}
        if signature.name.endswith("=") and takes_over(signature.parameters[1]):
            ((number, getter),) = self._sets[signature.key[:-1]]
            options["replaces"] = Candidate(
                self._compiled.linker.signature(getter),
                1,
                self._compiled.loaded.address(shim_symbol(number, 1)),
            )
        if signature.name.endswith("="):
            options["elements"] = contained(
                self._compiled.linker.signature(signature).parameters[1].value_type
            )
        return options

    def _overload(self, number: int, signature: Signature) -> VariadicOverload:
        """What calls a function with ``...`` with further arguments."""
        with importing:  # few libraries have such functions
            from ...call.variadic import VariadicOverload

        free = further.free_registers(signature)

        def address(words: int) -> int:
            return self._compiled.loaded.address(further_symbol(number, words))

        return VariadicOverload(self._compiled.linker.signature(signature), free, address)


def _unbound(compiled: LoadedModule) -> Unbound:
    with importing:  # many headers have none
        from .unbound_candidates import Unbound

    return Unbound(compiled.module, compiled.linker)


def make_pointers_callable(compiled: LoadedModule, functions: Iterable[Function]) -> None:
    """Give the classes of pointers to functions of some types their calls."""
    for function in functions:
        _make_callable(compiled, function)


def _make_callable(compiled: LoadedModule, function: Function) -> None:
    linker = compiled.linker
    linked, symbol = linker.function(function), call_symbol(function)
    later = compiled.loaded.later(symbol)
    address = 0 if later else compiled.loaded.address(symbol)
    signature = linker.signature(call_signature(linked))
    candidate = Candidate(signature, len(linked.arguments) + 1, address, later=later)
    binding = Binding(
        [candidate], nogil=True, module=linker.name, reduce=(), dialect=compiled.dialect, calls_back=True
    )  # fmt: skip
    linker.functions[function].__samebytes_call__ = staticmethod(binding.function)
