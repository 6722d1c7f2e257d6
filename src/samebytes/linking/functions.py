"""Makes the functions of a module, each at once or on its first use, and the calls of pointers to functions."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..call import Binding, Candidate
from ..generate.shims import ADDRESSES, arities, call_signature, call_symbol, shim_symbol
from ..signature import Signature
from ..types import Function
from .compiled import Compiled
from .specials import is_accessor


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
    constructors : dict
        The constructors of classes, by the class.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self.bindings: dict[str, Binding] = {}
        self.plain: list[tuple[str, Any]] = []
        self.instances: list[tuple[str, Any]] = []
        self.constructors: dict[str, Any] = {}
        module = compiled.module
        sets = module.overload_sets
        size = 1 + max((number for overloads in sets.values() for number, _ in overloads), default=-1)
        self._own = compiled.loaded.table(ADDRESSES, size) if size else ()
        self._calls_back = module.calls_back
        self._results = compiled.api.finishes(self.find)
        for name, overloads in sets.items():
            self._add(name, overloads)

    def _add(self, name: str, overloads: list[tuple[int, Signature]]) -> None:
        signatures = [signature for _, signature in overloads]
        function = self._compiled.api.function(signatures, partial(self._make, name, overloads))
        if signatures[0].instance:
            self.instances.append((name, function))
        elif signatures[0].kind == "constructor":
            self.constructors[signatures[0].owner] = function
        elif not is_accessor(signatures[0].name):
            self.plain.append((name, function))

    def find(self, name: str) -> Any:
        """A function by its qualified name; one that waits for its first use is made."""
        if name not in self.bindings:
            dict(self.plain)[name].make()
        return self.bindings[name].function

    def every(self) -> dict[str, Binding]:
        """The overloads of every function, also of those that wait for their first use."""
        sets = self._compiled.module.overload_sets
        return {
            name: self.bindings.get(name) or self._bind(name, overloads) for name, overloads in sets.items()
        }

    def _make(self, name: str, overloads: list[tuple[int, Signature]]) -> Any:
        self.bindings[name] = self._bind(name, overloads)
        return self.bindings[name].function

    def _bind(self, name: str, overloads: list[tuple[int, Signature]]) -> Binding:
        compiled = self._compiled
        signatures = tuple(signature for _, signature in overloads)
        candidates = [
            Candidate(
                compiled.linker.signature(signature), given,
                compiled.loaded.address(shim_symbol(number, given)), self._own[number],
            )
            for number, signature in overloads
            for given in arities(signature, signatures)
        ]  # fmt: skip
        return Binding(
            candidates, nogil=compiled.nogil(name), module=compiled.name, reduce=compiled.reduce(name),
            dialect=compiled.dialect, calls_back=self._calls_back, **self._results(signatures),
        )  # fmt: skip


def make_pointers_callable(compiled: Compiled) -> None:
    """Give the classes of pointers to functions their calls."""
    for function in compiled.module.function_types:
        _make_callable(compiled, function)


def _make_callable(compiled: Compiled, function: Function) -> None:
    linker = compiled.linker
    linked, address = linker.function(function), compiled.loaded.address(call_symbol(function))
    candidate = Candidate(linker.signature(call_signature(linked)), len(linked.arguments) + 1, address)
    binding = Binding(
        [candidate], nogil=True, module=linker.name, reduce=(), dialect=compiled.dialect, calls_back=True
    )  # fmt: skip
    linker.functions[function].__samebytes_call__ = staticmethod(binding.function)
