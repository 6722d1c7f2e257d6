"""Functions of C APIs that allocate, whose pointer comes back as a DeviceArray of those bytes, and those that free."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from math import prod
from operator import index
from typing import Any

from ... import _native
from ...arrays.memory import Memory, memories
from ...arrays.view import ArrayView
from ...arrays.view.device import CUDA, ROCM
from ...errors import BindError
from ...model.intents import suggest
from ...model.signature import Signature
from ...styles.c_api.allocations import Allocation
from ..adapters.allocation import bytes_at
from ..adapters.device_array import DeviceArray
from ..addresses.adapter_parameters import plain_address
from .status import Finish, is_status

_LEGACY = 1  # CUDA's default stream where a protocol numbers streams: 0 is forbidden there

# A function of the library by its name in C.
Find = Callable[[str], Any]


def _memories() -> dict[str, Memory]:
    """By what users call them."""
    return {"host" if name == "cpu" else name: memory for name, memory in memories().items()}


def check_memory(said: Allocation) -> None:
    """Whether what a user says of a function's memory exists: whose it is, its kind, and whether it has streams.

    Raises
    ------
    BindError
        If it does not.
    """
    known, name = _memories(), said.memory
    if name not in known:
        raise BindError(
            f"{said.where}: memory is {', '.join(sorted(known))}, got {name!r}.{suggest(name, list(known))}"
        )
    kinds = known[name].kinds
    if said.kind and said.kind not in kinds:
        raise BindError(
            f"{said.where}: kind is {', '.join(kinds)} of {name} memory, got {said.kind!r}."
            f"{suggest(said.kind, [*kinds])}"
        )
    if said.stream and not set(kinds.values()) <= CUDA | ROCM:
        raise BindError(f"{said.where}: stream means nothing for {name} memory")


class _Owner:
    """Gives memory back when it dies, or when the interpreter ends, unless its user did."""

    __slots__ = ("__weakref__", "release")
    release: Any


class Allocating:
    """The functions of one library that allocate and free.

    Parameters
    ----------
    allocations : mapping of str to Allocation
        By function.
    find : callable
        A bound function by its name.
    """

    def __init__(
        self, allocations: Mapping[str, Allocation], find: Find, check: bool | frozenset[str]
    ) -> None:
        self._allocations = allocations
        self._frees = {a.free: a for a in allocations.values() if a.free}
        self._find = find
        self._check = check
        self._held: weakref.WeakValueDictionary[int, _Owner] = weakref.WeakValueDictionary()  # by address

    def finish(self, signature: Signature) -> Finish | None:
        """What becomes of the results of a function that allocates or frees; None: of another."""
        name = signature.qualified
        if name in self._allocations:
            return self._arrays(self._allocations[name], signature)
        return self._freed(self._frees[name], signature) if name in self._frees else None

    def _tells(self, signature: Signature) -> bool:
        """Whether results tell if the call failed: by the first of them."""
        named = not isinstance(self._check, bool) and signature.name in self._check
        return is_status(signature.result) or named

    def _arrays(self, said: Allocation, signature: Signature) -> Finish:
        at, names = said.place(signature), [p.name for p in signature.visible]
        rows: dict[int, ArrayView] = {}
        told, row = self._tells(signature), self._row(said, rows)
        factors = [names.index(factor) for factor in said.size if isinstance(factor, str)]
        fixed = prod(factor for factor in said.size if not isinstance(factor, str))
        queue = names.index(said.stream) if said.stream else -1
        head, tail = slice(at), slice(at + 1, None)

        def finish(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
            pointer = results[at]
            if not pointer or (told and int(results[0])):
                return (*results[head], DeviceArray(None), *results[tail])
            # First of all: whatever fails then, the owner ends, and gives back what C allocated.
            owner = self._owner(said, pointer, names, arguments) if said.free else None
            nbytes = fixed
            for place in factors:
                nbytes *= index(arguments[place])
            like = row()
            if said.device and native is not None:
                native.current = self._find(said.device)
            stream = _stream(arguments[queue], like.device.type) if queue >= 0 else None
            array = DeviceArray._of(like._row(int(pointer), nbytes, owner, stream))
            return (*results[head], array, *results[tail])

        native = None  # where there is more to it than the core knows, Python alone does it
        if len(factors) <= _native.MOST_FACTORS:
            native = _native.Allocation(
                at, told, tuple(factors), fixed, bool(said.device), rows, DeviceArray, DeviceArray._at, finish
            )
        return finish if said.stream or said.free or native is None else native

    def _row(self, said: Allocation, rows: dict[int, ArrayView]) -> Callable[[], ArrayView]:
        """An empty row of bytes on the device that is current, which all arrays there are like; ``rows`` keeps them."""
        memory = _memories()[said.memory]
        kind = said.kind or next(iter(memory.kinds))
        find, current = self._find, None

        def row() -> ArrayView:
            nonlocal current
            number = 0
            if said.device:
                current = current or find(said.device)
                results = current()
                number = int(
                    results[-1] if isinstance(results, tuple) else results
                )  # alone where statuses raise
            found = rows.get(number)
            if found is None:
                device = memory.device(kind, number)
                usual = DeviceArray._at  # the same object, where it is the same device
                found = rows[number] = bytes_at(0, 0, usual if device == usual else device, None, None)
            return found

        return row

    def _owner(
        self, said: Allocation, pointer: Any, names: Sequence[str], arguments: tuple[Any, ...]
    ) -> _Owner:
        """What lives as long as the array and its parts; with it dies the memory."""

        def release() -> None:
            given = dict(zip(names, arguments, strict=True)) | {said.pointer: pointer}
            self._find(said.free)(*(given[name] for name in said.given))

        try:
            owner = _Owner()
            owner.release = weakref.finalize(owner, release)
        except BaseException:
            release()
            raise
        self._held[int(pointer)] = owner
        return owner

    def _freed(self, said: Allocation, signature: Signature) -> Finish:
        """A free that its user calls: nothing is given back twice, and the array is null from then on."""
        place, told = said.given.index(said.pointer), self._tells(signature)

        def finish(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
            pointer = arguments[place]
            if not (told and int(results[0])):
                owner = _owner_of(pointer) or self._held.pop(_address(pointer), None)
                if owner is not None:
                    owner.release.detach()
                if owner is not None and isinstance(pointer, DeviceArray):
                    pointer.__init__(None)  # type: ignore[misc]  # nothing is there any more
            return results or None

        return finish


def _owner_of(pointer: Any) -> _Owner | None:
    """What gives back the memory of an array, however often the array was described anew."""
    owner = pointer._array if isinstance(pointer, DeviceArray) else None
    while isinstance(owner, ArrayView):
        owner = owner.owner
    return owner if isinstance(owner, _Owner) else None


def _address(pointer: Any) -> int:
    """The number that a pointer is; 0 for memory of other libraries, which no function here allocated."""
    made = plain_address(pointer)
    return int(made) if isinstance(made, _native.Pointer) else 0


def _stream(given: Any, device_type: int) -> int:
    """A stream as the protocols number it: the default one is 0 to HIP, and 1 to CUDA."""
    number = given if isinstance(given, int) else int(_native.Pointer(given))
    return number or (_LEGACY if device_type in CUDA else 0)
