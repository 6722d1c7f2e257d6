"""What Numba calls when it first compiles (``numba_extensions``): it learns of types that Python declares."""

from __future__ import annotations

import sys
from typing import Any

from .. import _native
from .compiler import numba_compiler


def register() -> None:
    """Let Numba ask samebytes of its values and classes; nothing else is imported until one is met."""
    from numba.core.typing.typeof import typeof_impl

    if f"{__package__.rpartition('.')[0]}.values.struct_value" in sys.modules:
        from .installing import prepare

        prepare(numba_compiler("numba"))  # elements of arrays of structs have methods
    known = typeof_impl.dispatch(type)

    @typeof_impl.register(type)
    def typeof_class(value: Any, context: Any) -> Any:
        if hasattr(value, "__samebytes_type__"):
            from .installing import class_type

            if (found := class_type("numba", value)) is not None:
                return found
        return known(value, context)

    @typeof_impl.register(_native.Value)
    def typeof_value(value: Any, context: Any) -> Any:
        from .installing import value_type

        return value_type("numba", value)
