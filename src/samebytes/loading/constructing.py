"""The code of constructors of kernels' structs: the host's compiler makes it when Python first calls one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ..call.later import Built, Later
from ..errors import BindError
from ..forks import Lock, importing
from ..make.request import Request
from ..model.module import Module
from ..model.names import describe
from ..model.symbols import ADDRESSES, arities, shim_symbol
from ..toolchain.cache import steady_path
from .backends import Loaded, backend_for

_BUILDING = Lock()


class ConstructorCode(Loaded):
    """What is built and loaded when the first constructor is called.

    Parameters
    ----------
    request : Request
        That of the kernels.
    module : Module
        Of the constructors.
    """

    def __init__(self, request: Request, module: Module) -> None:
        self._request, self._module = request, module
        self._library: Loaded | None = None
        self._filled: list[tuple[str, int, int, int]] = []
        overloads = module.overload_sets.values()
        whole = {id(f): tuple(s for _, s in found) for found in overloads for _, f in found}
        self._numbers = {
            shim_symbol(number, given): number
            for number, function in enumerate(module.functions)
            for given in arities(function, whole[id(function)])
        }

    def later(self, symbol: str) -> Later | None:
        if self._library is not None:
            return None
        return Later(partial(self._known, symbol), partial(self._built, symbol))

    def _known(self, symbol: str) -> Built | None:
        return self._built(symbol) if self._library is not None else None

    def _built(self, symbol: str) -> Built:
        return Built(self.address(symbol), 0, None)

    def _loaded(self) -> Loaded:
        with _BUILDING:
            if self._library is None:
                with importing:  # few programs call such constructors
                    from ..make.constructing import build_constructors

                file = build_constructors(self._request, self._module)
                library = backend_for("cxx").load(steady_path(file))
                for slot, count, index, value in self._filled:
                    if library.has(slot):
                        library.slots(slot, count)(index, value)
                self._library = library
        return self._library

    def address(self, symbol: str) -> int:
        library = self._loaded()
        if not library.has(symbol):
            what = describe(self._module.functions[self._numbers[symbol]])
            raise BindError(
                f"{what}: the host has no code of it, which runs on devices alone or is not defined"
            )
        return library.address(symbol)

    def has(self, symbol: str) -> bool:
        return self._library is not None and self._library.has(symbol)

    def table(self, symbol: str, count: int) -> tuple[int, ...]:
        assert symbol == ADDRESSES  # a constructor has no address of its own
        return (0,) * count

    def slots(self, symbol: str, count: int) -> Callable[[int, int], None]:
        def fill(index: int, value: int) -> None:
            self._filled.append((symbol, count, index, value))

        return fill

    def call(self, symbol: str, arguments: Sequence[bytearray]) -> None:
        self._loaded().call(symbol, arguments)
