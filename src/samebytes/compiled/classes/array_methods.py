"""Methods of arrays in compiled code that Numba lacks: ``astype(dtype, copy=False)``, ``reshape`` of any strides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from inspect import Signature as PySignature
from typing import Any

from numba import types

from ..arguments.arrays import Seen, is_dense_in_c
from ..compiler import NumbaCompiler
from ..datamodel.kinds import MethodType
from ..lowering.site import Call


@dataclass(eq=False, repr=False)
class _ArrayMethod:
    """A method in the place of Numba's.

    Attributes
    ----------
    resolve : callable
        ``resolve(array)``: Numba's own method of an array.
    """

    compiler: NumbaCompiler
    resolve: Any
    directs: tuple[Any, ...] = ()
    name = ""

    def __str__(self) -> str:
        return f"array.{self.name}()"

    __repr__ = __str__


class AsType(_ArrayMethod):
    """Without ``copy=False`` it is Numba's."""

    name = "astype"

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


class Reshape(_ArrayMethod):
    """Of arrays whose strides are known when it runs, as a descriptor's are; of others it is Numba's."""

    name = "reshape"

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the array: that of a C-contiguous one."""
        array, *given = args
        own = self.resolve(array.copy(layout="C"))
        return own.get_call_type(self.compiler.typing, tuple(given), dict(kws)).replace(recvr=array)

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""

        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            kind, *rest = signature.as_function().args
            call = Call(self.compiler, context, builder, str(self))
            held = context.make_array(kind)(context, builder, args[0])
            words = "expected a C-contiguous array: another one has no such shape without a copy"
            call.require(is_dense_in_c(Seen.of(call, kind, held)), ValueError, words)
            inner = self.compiler.templates.signature(signature.return_type, kind.copy(layout="C"), *rest)
            return context.get_function("array.reshape", inner)(builder, args)

        self.compiler.install()


def register_array_methods(compiler: NumbaCompiler) -> None:
    """Teach a compiler these methods."""
    known = compiler.typing._attributes[types.Array]
    own = next(template for template in known if hasattr(template, "resolve_astype"))
    as_type, reshape = AsType(compiler, own.resolve_astype), Reshape(compiler, own.resolve_reshape)
    as_type.register()
    reshape.register()

    class Methods(compiler.templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = types.Array

        def generic_resolve(self, typ: Any, attr: str) -> Any:
            if attr == "reshape" and typ.layout == "A":
                return MethodType(reshape, typ)
            return MethodType(as_type, typ) if attr == "astype" else None

    # First: Numba's own takes no copy, and reshapes nothing whose strides it does not know.
    known.insert(0, Methods(compiler.typing))
