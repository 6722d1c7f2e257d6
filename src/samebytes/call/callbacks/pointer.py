"""Function pointers as Python objects: classes made of function types, and :func:`callback`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Self, overload

from ... import _native
from ...errors import ArgumentError, Mismatch, arity_error, plain_error, value_error, value_words
from ...types import Function, Pointer, as_type
from ...values.pointer_type import PointerType
from .closure import prototype
from .on_error import OnError
from .readers import CannotPass, Find
from .sources import finder, function_address, spelled


class FunctionPointer(_native.Pointer, metaclass=PointerType):
    """What all classes of function pointers share: an address that can be called, and what keeps it valid.

    ``cls(f)`` makes a C function of a Python callable, which exists as long as the object does; it also takes
    whatever a parameter of the type takes, and an int as an address.
    """

    __slots__ = ()
    __samebytes_type__: ClassVar[Pointer]
    __samebytes_find__: ClassVar[Find | None] = None
    # The compiled function that calls through such a pointer; without it ctypes does.
    __samebytes_call__: ClassVar[Callable[..., Any] | None] = None

    def __new__(cls, function: Any = None, owner: Any = None) -> Any:
        if isinstance(function, int) and not isinstance(function, bool):
            return super().__new__(cls, function, owner)
        described = _described(cls)
        try:
            address, owners = function_address(described, function)
        except Mismatch as mismatch:
            raise value_error(f"{cls.__name__}():", mismatch) from None
        return super().__new__(cls, address, (*owners, owner) if owner is not None else owners or None)

    def __reduce__(self) -> Any:
        raise TypeError(
            f"cannot pickle {type(self).__name__}: it is an address of this process; pickle the function"
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self:
            raise plain_error(ArgumentError, type(self).__name__, "is null: there is no function to call")
        compiled = type(self).__samebytes_call__
        return compiled(self, *args, **kwargs) if compiled else _call(self, args, kwargs)


def _described(cls: Any) -> Function:
    described = cls.__samebytes_type__.pointee
    assert isinstance(described, Function)
    return described


def _call(pointer: FunctionPointer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    function = _described(type(pointer))
    name = type(pointer).__name__
    if function.barred:
        raise plain_error(ArgumentError, name, f"cannot be called from Python: {function.barred}")
    if kwargs or len(args) != len(function.arguments):
        raise arity_error(name, [str(function)], len(args) + len(kwargs))
    try:
        made, arguments, result = prototype(function, finder(function))
    except CannotPass as reason:
        raise plain_error(ArgumentError, name, f"cannot be called from Python: {reason}") from None
    values, held = [], []
    for index, (argument, value) in enumerate(zip(arguments, args, strict=True)):
        try:
            written, owners = argument.write(value)
        except Mismatch as mismatch:
            mismatch.index, mismatch.name = index, f"arg{index}"
            raise value_error(f"{name}()", mismatch) from None
        values.append(written)
        held.append(owners)
    return result.read(made(pointer.address)(*values))


def function_class(function: Function, name: str, module: str, find: Find | None = None) -> type:
    """The class of pointers to functions of one type.

    Parameters
    ----------
    find : callable, optional
        The classes of the records that arguments point to, by qualified C++ name.
    """
    members = {"__slots__": (), "__module__": module, "__samebytes_find__": find and staticmethod(find)}
    made: Any = PointerType(name, (FunctionPointer,), members)
    made.__doc__ = f"A pointer to a C function, {spelled(function)}."
    made.__samebytes_type__ = Pointer(replace(function, python=made))
    return made  # type: ignore[no-any-return]


_UNCHOSEN: Any = object()


@overload
def callback(function: Any, type: Any, *, on_error: Any = ...) -> FunctionPointer: ...
@overload
def callback(function: Any, *, on_error: Any) -> OnError: ...
def callback(function: Any, type: Any = None, *, on_error: Any = _UNCHOSEN) -> FunctionPointer | OnError:
    """A C function that runs a Python callable, for C++ that keeps it beyond one call; or what one returns on errors.

    Parameters
    ----------
    function : callable
        Its arguments are Python's values of C's: numbers, ``str`` for ``const char*``, records for structs and
        pointers to bound records, ``Pointer`` for other addresses.
    type : str or type
        ``"int(*)(int, const void*)"``, a library's own class of function pointers, a ctypes function class, or a type
        description. Without it the result is a callable for any parameter, and ``on_error`` is needed.
    on_error : object, optional
        What C++ gets where the callable raises and no exception may pass, as in a C function or a ``noexcept`` one;
        else zero. The exception is raised when the call returns, as without it.

    Returns
    -------
    FunctionPointer or OnError
        The C function exists as long as this object does: keep it. Fields of records and arguments of calls keep it by
        themselves. Without a type, a callable that has ``on_error``.

    Raises
    ------
    ArgumentError
        If the callable cannot stand for such a function; the message has the reason.
    TypeError
        If ``type`` is no function's type, or neither it nor ``on_error`` is given.
    """
    if on_error is not _UNCHOSEN:
        function = _chosen(function, on_error)
    elif type is None:
        raise TypeError("callback() needs the type of the function, or what it returns on errors (on_error=)")
    if type is None:
        chosen: OnError = function
        return chosen
    if isinstance(type, _CLASS) and issubclass(type, FunctionPointer):
        made: FunctionPointer = type(function)
        return made
    described = as_type(type)
    target = described.pointee if isinstance(described, Pointer) else described
    if not isinstance(target, Function):
        raise TypeError(f"{type!r} is no type of a function; write it as C does, 'int(*)(int)'")
    pointer: FunctionPointer = _own_class(target)(function)
    return pointer


def _chosen(function: Any, on_error: Any) -> OnError:
    if not callable(function):
        raise TypeError(f"on_error= is for a callable, not {value_words(function)}")
    return OnError(function, on_error)


@lru_cache(maxsize=512)
def _own_class(function: Function) -> Any:
    return function_class(function, "FunctionPointer", "samebytes")


_CLASS = type
