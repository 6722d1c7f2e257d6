"""``a.astype(dtype, copy=False)`` in compiled code, which Numba does not know: the array itself, of its own format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from inspect import Signature as PySignature
from typing import Any

from numba import types

from ..compiler import NumbaCompiler
from ..datamodel.kinds import MethodType


@dataclass(eq=False, repr=False)
class AsType:
    """The method of arrays; without ``copy=False`` it is Numba's.

    Attributes
    ----------
    resolve : callable
        ``resolve(array)``: Numba's own method of an array.
    """

    compiler: NumbaCompiler
    resolve: Any
    directs: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return "array.astype()"

    __repr__ = __str__

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the array."""
        array, *given = args
        named = dict(kws)
        if "copy" not in named:
            return self.resolve(array).get_call_type(self.compiler.typing, tuple(given), named)
        copy = named.pop("copy")
        wanted = getattr(copy, "literal_value", None)
        if not isinstance(wanted, bool):
            raise self.compiler.errors.TypingError(
                f"array.astype takes as copy True or False, known when compiling, and got {copy}"
            )
        dtype = named.pop("dtype", given[0] if given else None)
        if dtype is None or len(given) > 1 or named:
            raise self.compiler.errors.TypingError("array.astype takes dtype, copy")
        found = self.resolve(array).get_call_type(self.compiler.typing, (dtype,), {})
        if not wanted and found.return_type.dtype != array.dtype:
            raise self.compiler.errors.TypingError(
                f"array.astype({found.return_type.dtype}, copy=False) would make an array of {array.dtype} anew: "
                "copy=True says so"
            )
        result = found.return_type if wanted else array
        made = self.compiler.templates.signature(result, dtype, copy, recvr=array)
        parameters = [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in ("dtype", "copy")]
        return made.replace(pysig=PySignature(parameters))

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""

        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            whole = signature.as_function()
            kind, dtype, *copy = whole.args
            if copy and not copy[0].literal_value:
                if not self.compiler.cuda:
                    context.nrt.incref(builder, kind, args[0])
                return args[0]
            inner = self.compiler.templates.signature(whole.return_type, kind, dtype)
            return context.get_function("array.astype", inner)(builder, args[:2])

        self.compiler.install()


def register_array_methods(compiler: NumbaCompiler) -> None:
    """Teach a compiler the method."""
    known = compiler.typing._attributes[types.Array]
    own = next(template for template in known if hasattr(template, "resolve_astype"))
    method = AsType(compiler, own.resolve_astype)
    method.register()

    class Methods(compiler.templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = types.Array

        def generic_resolve(self, typ: Any, attr: str) -> Any:
            return MethodType(method, typ) if attr == "astype" else None

    # First: Numba's own takes no copy.
    known.insert(0, Methods(compiler.typing))
