"""``@func``: Python functions that run on the host as they are, and compiled where compiled code or C++ calls them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, update_wrapper
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

from ..call.callbacks.sources import alike, spelled, words
from ..errors import (
    OVERWHELMED,
    ArgumentError,
    Mismatch,
    MissingDependency,
    plain_error,
    value_words,
)
from ..types import VOID, Argument, Const, Function, Pointer, Type, as_type, unqualified

F = TypeVar("F", bound=Callable[..., Any])


# All C functions: as those of C++ they stay, as nobody knows which of them C++ has kept.
_COMPILED: list[tuple[int, Any]] = []
_STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Func:
    """A function of Python's, made by :func:`func`.

    Attributes
    ----------
    underlying : function
        The one that was decorated; calls from Python run it.
    interop : bool
        Whether C and C++ get a function of their own for it.
    """

    def __init__(self, function: FunctionType, interop: bool) -> None:
        update_wrapper(self, function)
        self.underlying = function
        self.interop = interop
        self._dispatcher: Any = None
        self._addresses: dict[Function, tuple[int, Any]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.underlying(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<samebytes.func {self.underlying.__qualname__}{', interop' * self.interop}>"

    def __reduce__(self) -> Any:
        return self.underlying.__qualname__

    @property
    def dispatcher(self) -> Any:
        """Numba's compiler of the function, for CPUs."""
        if self._dispatcher is None:
            try:
                from numba import njit
            except ImportError as error:
                text = f"@func compiles with Numba: pip install 'samebytes[numba]' ({error})"
                raise MissingDependency(text) from None
            made = njit(self.underlying)
            made.__samebytes_func__ = self
            self._dispatcher = made
        return self._dispatcher

    @cached_property
    def device_dispatcher(self) -> Any:
        """numba-cuda's compiler of the function, for GPUs."""
        from numba import cuda

        return cuda.jit(device=True)(self.underlying)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    def __samebytes_function__(self, function: Function) -> tuple[int, Any] | None:
        """The address of a C function of a type, and what keeps it; None where Python's own is to be called.

        Raises
        ------
        Mismatch
            If the function is of another type, or does not compile for this one.
        """
        if not self.interop:
            return None
        found = self._addresses.get(function)
        if found is None:
            self.dispatcher  # noqa: B018  # Numba is there, or the error says so
            from numba.core.compiler_lock import global_compiler_lock

            with (
                global_compiler_lock
            ):  # Numba's, which a function that calls this one holds while it is compiled
                found = self._addresses.get(function)
                if found is None:
                    found = self._addresses[function] = self._compile(function)
                    _COMPILED.append(found)
        return found[0], (self,)

    def device_code(self, cc: tuple[int, int], output: str = "ltoir") -> bytes:
        """The function as CUDA C++ links it: ``extern "C"``, under its own name, as :func:`samebytes.declare` says.

        Parameters
        ----------
        cc : (int, int)
            The compute capability: ``(9, 0)``.
        output : str
            ``"ltoir"``, so that calls inline away, or ``"ptx"``.

        Raises
        ------
        ArgumentError
            If it is not ``interop=True``, lacks an annotation, or has one for which C++ and numba-cuda have no
            convention in common: they pass addresses and numbers of 4 and 8 bytes alike.
        """
        if output not in ("ltoir", "ptx"):
            raise ValueError(f"output={output!r}: 'ltoir' or 'ptx'")
        from .compiler import numba_compiler
        from .installing import prepare
        from .interop.device import device_code

        declared, compiler = self._declared(), numba_compiler("numba_cuda")
        prepare(compiler)
        _make_known("numba_cuda", declared)
        try:
            return device_code(compiler, self.underlying, declared, self.underlying.__name__, cc, output)
        except Mismatch as mismatch:
            raise plain_error(ArgumentError, self.underlying.__name__, f"{mismatch}") from None

    def __samebytes_declare__(self, dialect: str) -> str:
        """What C++ includes to call it."""
        if dialect != "cuda":
            text = f"is declared for CUDA C++; in {dialect}, give it to the function that calls it"
            raise plain_error(ArgumentError, self.underlying.__name__, text)
        from .interop.device import declaration

        names = tuple(inspect.signature(self.underlying).parameters)
        return declaration(self._declared(), self.underlying.__name__, names, dialect)

    def _declared(self) -> Function:
        """Its type as its annotations say."""
        name, hints = self.underlying.__name__, inspect.get_annotations(self.underlying, eval_str=True)
        if not self.interop:
            raise plain_error(ArgumentError, name, "is called by C++ if @sb.func(interop=True) says so")
        names = tuple(inspect.signature(self.underlying).parameters)
        if lacking := [n for n in (*names, "return") if n not in hints]:
            raise plain_error(ArgumentError, name, f"lacks annotations: {', '.join(lacking)}")
        result = VOID if hints["return"] is None else as_type(hints["return"])
        return Function(result, tuple(Argument(as_type(hints[n])) for n in names))

    def _compile(self, function: Function) -> tuple[int, Any]:
        meant = self._as(function)
        dispatcher = self.dispatcher
        from .compiler import numba_compiler
        from .installing import prepare
        from .interop.entry import c_function, reporter

        compiler = numba_compiler("numba")
        prepare(compiler)
        _make_known("numba", meant)
        try:
            address, owner = c_function(compiler, dispatcher, meant, reporter(self))
        except OVERWHELMED:
            raise
        except compiler.errors.NumbaError as error:
            advice = f"It does not compile for that type: {_said(str(error), self.underlying)}"
            raise Mismatch(ArgumentError, words(function), value_words(self), advice) from error
        except Mismatch as mismatch:
            advice = f"{mismatch}. f.underlying runs in the interpreter"
            raise Mismatch(ArgumentError, words(function), value_words(self), advice) from None
        return address, owner

    def _as(self, function: Function) -> Function:
        """The type of C++'s with what the function's own annotations say of pointers and structs."""
        if function.barred:
            advice = f"No function of Python's can stand for it: {function.barred}"
            raise Mismatch(ArgumentError, words(function), value_words(self), advice)
        hints = inspect.get_annotations(self.underlying, eval_str=True)
        names = self._positional(function)
        given = zip(names, function.arguments, strict=True)
        arguments = tuple(self._argument(function, n, a, hints[n]) if n in hints else a for n, a in given)
        result = function.result
        if "return" in hints:
            wanted = as_type(hints["return"])
            if function.result_passing != "value" or not alike(wanted, result):
                raise self._other(function, "its result", wanted, f"{result}")
            result = _nearer(wanted, result)
        return replace(function, arguments=arguments, result=result)

    def _positional(self, function: Function) -> list[str]:
        """The parameters that C++'s arguments go to."""
        count, signature = len(function.arguments), inspect.signature(self.underlying)
        try:
            bound = signature.bind(*range(count))
        except TypeError:
            advice = f"It takes {signature}; C++ passes {count} argument{'s' * (count != 1)}"
            raise Mismatch(ArgumentError, words(function), value_words(self), advice) from None
        if starred := [p for p in signature.parameters.values() if p.kind in _STARRED]:
            advice = f"It takes {starred[0]}, which compiled code has not"
            raise Mismatch(ArgumentError, words(function), value_words(self), advice)
        return list(bound.arguments)

    def _argument(self, function: Function, name: str, argument: Argument, hint: Any) -> Argument:
        wanted = as_type(hint)
        if alike(wanted, argument.type):
            const = isinstance(argument.type, Const)
            near = _nearer(wanted, unqualified(argument.type))
            return replace(argument, type=Const(near) if const else near)
        if argument.passing != "value" and alike(wanted, Pointer(argument.type)):
            return Argument(wanted)
        raise self._other(function, f"{name!r}", wanted, f"{argument}")

    def _other(self, function: Function, what: str, wanted: Type, given: str) -> Mismatch:
        advice = f"{what} is annotated as {wanted}, and {spelled(function)} has {given} there"
        return Mismatch(ArgumentError, words(function), value_words(self), advice)


def _make_known(target: str, function: Function) -> None:
    """Classes that only a function's type names have their methods in compiled code, too."""
    from .classes.declared import is_declared
    from .installing import class_type

    for type_ in (function.result, *(a.type for a in function.arguments)):
        bare = unqualified(type_)
        python = getattr(unqualified(bare.target) if isinstance(bare, Pointer) else bare, "python", None)
        if is_declared(python):
            class_type(target, python)


def _nearer(wanted: Type, given: Type) -> Type:
    """What says more of two types that lie alike: an annotation, unless it names numbers that C++ names more nearly."""
    return wanted if isinstance(wanted, Pointer) or hasattr(wanted, "fields") else given


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # Numba has them wherever colorama is installed
_NOISE = ("Failed in", "During:", "[1]", "[2]", ">>>", "Of which", "- Of which", "There are")


def _said(text: str, function: FunctionType) -> str:
    """What Numba says, without its passes and candidates, and the line of the function where it says so."""
    text = _COLOURS.sub("", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    place = re.search(rf'File "[^"]*{re.escape(Path(function.__code__.co_filename).name)}", line (\d+)', text)
    end = next((i for i, line in enumerate(lines) if line.startswith("File")), len(lines))
    words = " ".join(line for line in lines[:end] if not line.startswith(_NOISE))[:400]
    return f"{words} ({Path(function.__code__.co_filename).name}, line {place[1]})" if place else words


@overload
def func(function: F, /) -> F: ...
@overload
def func(*, interop: bool = False) -> Callable[[F], F]: ...
def func(function: Any = None, /, *, interop: bool = False) -> Any:
    """Make a Python function one of host and device: plain on the host, compiled where compiled code calls it.

    Specification: "Heterogeneous Types and Objects", ``@device.func``.

    Parameters
    ----------
    function : function
        Its annotations, where it has some, are types of C: ``a: sb.pointer[sb.const[sb.int32]]``.
    interop : bool
        Whether C and C++ call it, too: bound functions that take ``R (*)(A...)`` or ``std::function`` get a C function
        for it, compiled for that very type, which needs neither the interpreter nor the GIL.

    Returns
    -------
    Func
        Called as ever; its ``underlying`` is the function that was decorated.

    Raises
    ------
    TypeError
        If it decorates anything but a function, or ``interop`` is no bool.
    """
    if not isinstance(interop, bool):
        raise TypeError(f"@func(interop={interop!r}): expected True or False")
    if function is None:
        return lambda decorated: Func(_checked(decorated), interop)
    return Func(_checked(function), interop)


def _checked(function: Any) -> FunctionType:
    if isinstance(function, Func):
        raise TypeError(f"{function.underlying.__name__} is decorated by @func already")
    if not isinstance(function, FunctionType):
        raise TypeError(f"@func decorates a function of Python's, got {value_words(function)}")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise TypeError(
            f"@func decorates a function that returns its result, and {function.__name__} does not"
        )
    return function
