"""What Numba calls when it first compiles (``numba_extensions``): it learns of types that Python declares."""

from __future__ import annotations

import sys
from enum import IntEnum
from importlib import import_module
from typing import Any

from .. import _native
from .compiler import numba_compiler

# The module that is there as soon as anybody declares a struct.
_DECLARING = f"{__name__.partition('.')[0]}.values.struct_value"
# Floats of 8 bits, as ml_dtypes calls them.
_SMALLEST = frozenset({"float8_e4m3fn", "float8_e5m2"})
# Those that each compiler lacks.
_LACKING = {"numba": _SMALLEST | {"float16", "bfloat16"}, "numba_cuda": _SMALLEST}
# The module that knows whose arrays there may be.
_DTYPES = f"{__name__.partition('.')[0]}.values.dtypes"


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
        if value.__name__ in _LACKING[target]:
            _know(target)
        if hasattr(value, "__samebytes_type__"):
            from .installing import class_type

            if (found := class_type(target, value)) is not None:
                return found
        return known(value, context)

    known_enumerator = typeof_impl.dispatch(IntEnum)

    @typeof_impl.register(IntEnum)
    def typeof_enumerator(value: Any, context: Any) -> Any:
        if hasattr(type(value), "__samebytes_type__"):
            _know(target)  # to Numba it is an integer, whatever operators C++ has for it
        return known_enumerator(value, context)

    @typeof_impl.register(_native.Value)
    def typeof_value(value: Any, context: Any) -> Any:
        from .installing import value_type

        return value_type(target, value)

    _register_elements(target)
    _register_narrow(target, typeof_impl)


def _know(target: str) -> None:
    from .installing import prepare

    prepare(numba_compiler(target))


def _register_narrow(target: str, typeof_impl: Any) -> None:
    """Scalars and arrays of floats that Numba lacks: it knows them once all is registered."""
    from numpy import generic, ndarray

    def also(kind: Any) -> None:
        known = typeof_impl.dispatch(kind)

        @typeof_impl.register(kind)
        def typeof_narrow(value: Any, context: Any) -> Any:
            if value.dtype.name in _LACKING[target]:
                _know(target)
            return known(value, context)

    also(generic)
    also(ndarray)


def _register_elements(target: str) -> None:
    """An array's element says nothing of its class: where it may be one of ours, what that registers answers."""
    compiler = numba_compiler(target)
    typing, templates, record = compiler.typing, compiler.templates, compiler.types.Record
    asked: list[str] = []

    def is_ours(typ: Any, name: str) -> bool:
        """Whether all is registered now, as a field or another name of an element is asked for the first time."""
        if asked or not isinstance(typ, record) or not _may_be_ours(typ, name):
            return False
        from .installing import prepare

        asked.append(name)
        prepare(compiler)
        return True

    class Methods(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = record

        def generic_resolve(self, typ: Any, attr: str) -> Any:
            return typing.resolve_getattr(typ, attr) if is_ours(typ, attr) else None

    class Item(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = "static_getitem"

        def generic(self, args: Any, kws: Any) -> Any:
            return typing.resolve_static_getitem(*args) if is_ours(*args[:2]) else None

    class Assigned(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = "static_setitem"

        def generic(self, args: Any, kws: Any) -> Any:
            return typing.resolve_static_setitem(*args) if is_ours(*args[:2]) else None

    original = typing.resolve_setattr

    def resolve_setattr(target: Any, attr: str, value: Any) -> Any:
        return (typing.resolve_setattr if is_ours(target, attr) else original)(target, attr, value)

    typing._attributes[record].insert(0, Methods(typing))
    for template in (Item, Assigned):
        typing._functions[template.key].insert(0, template(typing))
    typing.resolve_setattr = resolve_setattr


def _may_be_ours(record: Any, name: str) -> bool:
    if name not in record.fields:
        return _DECLARING in sys.modules
    known = sys.modules.get(_DTYPES)
    return known is not None and bool(known.classes_with_dtype(record.size, tuple(record.fields)))
