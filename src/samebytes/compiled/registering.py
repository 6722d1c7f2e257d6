"""What Numba calls when it first compiles (``numba_extensions``): it learns of types that Python declares."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from .. import _native
from .compiler import numba_compiler

# The module that is there as soon as anybody declares a struct.
_DECLARING = f"{__name__.partition('.')[0]}.values.struct_value"


def register() -> None:
    """Let Numba ask samebytes of its values and classes; nothing else is imported until one is met."""
    from numba.core.typing.typeof import typeof_impl

    _keep_keywords("numba.core.byteflow")
    _register("numba", typeof_impl)


def register_cuda() -> None:
    """The same for numba-cuda, where functions made by ``@func`` become device functions."""
    from numba.cuda.typing.typeof import typeof_impl

    from .functions import Func

    _keep_keywords("numba.cuda.core.byteflow")
    _register("numba_cuda", typeof_impl)

    @typeof_impl.register(Func)
    def typeof_function(value: Any, context: Any) -> Any:
        return value.device_dispatcher._numba_type_


def _keep_keywords(module: str) -> None:
    """Inside of ``try`` Numba forgets the names of keyword arguments (Python 3.11, 3.12), and takes them by position.

    It goes on in a new state behind each instruction there, and the names are in the one before: they are looked up.
    """
    state = import_module(module).State
    original = state.pop_kw_names

    def pop_kw_names(self: Any) -> Any:
        found = original(self)
        place = self._pc - 2
        while found is None and place in self._bytecode:
            instruction = self._bytecode[place]
            if instruction.opname == "KW_NAMES":
                return instruction.arg
            if instruction.opname not in ("CACHE", "PRECALL"):
                break
            place -= 2
        return found

    state.pop_kw_names = pop_kw_names


def _register(target: str, typeof_impl: Any) -> None:
    known = typeof_impl.dispatch(type)

    @typeof_impl.register(type)
    def typeof_class(value: Any, context: Any) -> Any:
        if hasattr(value, "__samebytes_type__"):
            from .installing import class_type

            if (found := class_type(target, value)) is not None:
                return found
        return known(value, context)

    @typeof_impl.register(_native.Value)
    def typeof_value(value: Any, context: Any) -> Any:
        from .installing import value_type

        return value_type(target, value)

    _register_elements(target)


def _register_elements(target: str) -> None:
    """An array's element says nothing of its class: one that has no field of a name may have a method."""
    compiler = numba_compiler(target)
    asked: list[str] = []

    class Methods(compiler.templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = compiler.types.Record

        def generic_resolve(self, typ: Any, attr: str) -> Any:
            if attr in typ.fields or asked or _DECLARING not in sys.modules:
                return None
            from .installing import prepare

            asked.append(attr)  # from now on what that registers answers
            prepare(compiler)
            return compiler.typing.resolve_getattr(typ, attr)

    compiler.typing._attributes[compiler.types.Record].insert(0, Methods(compiler.typing))
