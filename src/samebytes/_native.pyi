"""The compiled core: types as codecs, objects that are their bytes, and calls."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

class Codec:
    kind: str
    size: int
    align: int
    type: Any
    python: type | None
    fields: tuple[tuple[str, int, Codec, int, int], ...]
    element: Codec | None
    count: int
    def __init__(
        self,
        kind: str,
        *,
        size: int,
        align: int,
        type: Any,
        python: type | None = None,
        scalar: type | None = None,
        fields: tuple[tuple[str, int, Codec, int, int], ...] = (),
        element: Codec | None = None,
        count: int = 0,
        dtype: Any = None,
        dl: tuple[int, int, int] | None = None,
        ndim: int = 0,
        const: bool = False,
        nullable: bool = True,
    ) -> None: ...
    def pack(self, object: Any, /) -> bytes | None: ...
    def unpack(self, buffer: Any, offset: int = 0) -> Any: ...
    def accept(self, type: type, /) -> None: ...
    def accept_dtype(self, dtype: Any, /) -> None: ...

class _Instance:
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    @property
    def _address(self) -> int: ...
    @property
    def _owner(self) -> Any: ...
    @classmethod
    def _from_buffer(cls, buffer: Any, offset: int = 0) -> Self: ...

class Value(_Instance): ...

class Record(_Instance):
    @classmethod
    def _view(cls, address: int, owner: Any) -> Self: ...

class Field:
    name: str
    codec: Codec
    offset: int
    bit_offset: int
    bit_width: int
    def __init__(
        self, name: str, codec: Codec, offset: int, bit_offset: int = 0, bit_width: int = 0
    ) -> None: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any: ...
    def __set__(self, instance: Any, value: Any) -> None: ...
    def __delete__(self, instance: Any) -> None: ...

class Pointer:
    def __init__(self, address: Any = None, owner: Any = None) -> None: ...
    @property
    def address(self) -> int: ...
    @property
    def owner(self) -> Any: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...

class Plan:
    function: Any
    def __init__(
        self,
        name: str,
        doc: str,
        module: str,
        candidates: Sequence[Mapping[str, Any]],
        fallback: Callable[..., Any],
        explain: Callable[..., Any],
        resolve: Callable[..., Any],
        reduce: tuple[Any, ...],
    ) -> None: ...

def describe_ndarray(array: Any, /) -> tuple[Any, ...]: ...
def describe_buffer(object: Any, /) -> tuple[Any, ...]: ...
def describe_dlpack(capsule: Any, /) -> tuple[Any, ...]: ...
def describe_exchange(object: Any, /) -> tuple[Any, ...]: ...
def set_route(type: type, route: str, readonly: bool = False) -> None: ...
