"""A C function whose body is compiled Python: C++ calls it as any other, without the interpreter and the GIL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock

from ... import _native
from ...errors import ArgumentError, Error, Mismatch
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...types import VOID, Function, Pointer, Scalar, Type, unqualified
from ..arguments.rules import fit_type
from ..compiler import NumbaCompiler
from ..datamodel.kinds import CallableType, RecordType
from ..datamodel.models import ADDRESS
from ..lowering.registers import machine_type
from ..lowering.site import Call, Site
from .mathematics import own_mathematics
from .passing import Passed, arguments_of, offsets, register_forms, result_form, result_shape

_RAW = {1: types.int8, 8: types.int8, 16: types.int16, 32: types.int32, 64: types.int64}
_number = count()


def _raw(form: ir.Type) -> Any:
    """Numba's type of what is in a register."""
    if isinstance(form, ir.IntType):
        return _RAW[form.width]
    if isinstance(form, ir.PointerType):
        return types.voidptr
    return types.float32 if isinstance(form, ir.FloatType) else types.float64


@dataclass(eq=False, repr=False)
class Entry:
    """What stands between the registers of a C function and the Python function: a callee that no program names.

    Attributes
    ----------
    dispatcher : object
        Numba's, of the Python function.
    function : Function
        As C++ declares it.
    name : str
        The Python function's.
    """

    compiler: NumbaCompiler
    dispatcher: Any
    function: Function
    name: str
    arguments: list[Passed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.arguments = arguments_of(self.function)

    def __str__(self) -> str:
        return f"{self.name}()"

    __repr__ = __str__

    @property
    def bytes(self) -> bool:
        """Whether the result is a struct, for which the caller gives a place."""
        return result_shape(self.function) is not None

    @property
    def forms(self) -> list[ir.Type]:
        """The registers: of a place for the result, and of the arguments."""
        place = [ADDRESS] if self.bytes else []
        return place + [form for passed in self.arguments for form in passed.forms]

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call; TypingError where Python's result is no result of C's."""
        inner = self._inner()
        try:
            self._fit(inner.return_type)
        except (Error, Mismatch) as error:
            raise self.compiler.errors.TypingError(
                f"{self.name}() returns {inner.return_type} for {self.function.result}: {error}"
            ) from None
        result = types.void if self.bytes or self.function.result == VOID else _raw(self._returned())
        return self.compiler.templates.signature(result, *args)

    def _returned(self) -> ir.Type:
        result = unqualified(self.function.result)
        if isinstance(result, Pointer):
            return ADDRESS
        scalar = result if isinstance(result, Scalar) else result.underlying  # type: ignore[attr-defined]
        return machine_type(scalar)

    def _inner(self) -> Any:
        kinds = tuple(passed.kind for passed in self.arguments)
        return self.compiler.typing.resolve_function_type(self.dispatcher._type, kinds, {})

    def _fit(self, kind: Any) -> Any:
        result = unqualified(self.function.result)
        if result == VOID:
            return None
        if kind == types.none:
            raise Mismatch(ArgumentError, str(result), "None, as some way through it has no return", "")
        if isinstance(result, Pointer) and isinstance(kind, types.Array | types.Record | RecordType):
            raise Mismatch(ArgumentError, str(result), f"{kind}, which ends with the function", "")
        return fit_type(result, kind, "cxx")

    def lower(self, site: Site, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        call = Call(site.compiler, site.context, site.builder, self.name + "()")
        left = list(args[1:] if self.bytes else args)
        values = []
        for passed in self.arguments:
            values.append(passed.read(call, left[: len(passed.forms)]))
            del left[: len(passed.forms)]
        inner = self._inner()
        values += [site.context.get_dummy_value() for _ in inner.args[len(values) :]]  # defaults
        answer = site.context.get_function(self.dispatcher._type, inner)(site.builder, values)
        fitted = self._fit(inner.return_type)
        if fitted is None:
            site.release(inner.return_type, answer)
            return site.context.get_dummy_value()
        lowered = fitted.lower(
            Call(site.compiler, site.context, site.builder, f"{self.name}() result"), answer
        )
        if self.bytes:
            size = compute(unqualified(self.function.result), find_dialect("cxx")).size
            site.copy(args[0], lowered, size)
            site.release(inner.return_type, answer)
            return site.context.get_dummy_value()
        return lowered

    def register(self) -> None:
        """Tell the compiler of it."""

        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            return self.lower(Site(self.compiler, context, builder), args)

        self.compiler.install()
        self.compiler.typing.insert_global(self, CallableType(self))


@global_compiler_lock
def c_function(compiler: NumbaCompiler, dispatcher: Any, function: Function, report: Any) -> tuple[int, Any]:
    """A C function of a type that runs a compiled Python function.

    Parameters
    ----------
    report : callable
        ``report(class, exception)`` is called, with the GIL, when Python's function raises; C gets zero.

    Returns
    -------
    address : int
    owner : object
        The function exists as long as this does.

    Raises
    ------
    Mismatch
        If C passes some value in a way that compiled code has not.
    numba.core.errors.NumbaError
        If the Python function does not compile for these arguments.
    """
    entry = Entry(compiler, dispatcher, function, dispatcher.py_func.__name__)
    entry.register()
    names = ", ".join(f"r{i}" for i in range(len(entry.forms)))
    scope: dict[str, Any] = {"enter": entry}
    exec(f"def entry({names}):\n    return enter({names})\n", scope)
    kinds = tuple(map(_raw, entry.forms))
    compiled = njit(scope["entry"])
    compiled.compile(kinds)
    (result,) = compiled.overloads.values()
    library = result.library.codegen.create_library("samebytes.interop")
    library.add_linking_library(result.library)
    name = f"samebytes_interop_{next(_number)}"
    library.add_ir_module(_write(library, result, entry, name, report))
    with own_mathematics():
        library.finalize()
        address = library.get_pointer_to_function(name)
    return address, (library, compiled, report)


def _write(library: Any, compiled: Any, entry: Entry, name: str, report: Any) -> Any:
    """The C function: C's registers as the compiled function has them, and what becomes of an exception."""
    context = entry.compiler.lowering
    module = library.create_ir_module(name)
    description, shape = compiled.fndesc, result_shape(entry.function)
    callee = ir.Function(
        module, context.call_conv.get_function_type(description.restype, description.argtypes),
        description.llvm_func_name,
    )  # fmt: skip
    in_memory = shape is not None and not shape.words
    form = _result(entry.function, shape)
    given = [f for passed in entry.arguments for f in passed.forms]
    place = [ir.ArrayType(ir.IntType(8), _size(entry.function.result)).as_pointer()] if in_memory else []
    made = ir.Function(module, ir.FunctionType(form, [*place, *given]), name)
    builder = ir.IRBuilder(made.append_basic_block("entry"))
    _mark(made, entry, in_memory=in_memory)
    values = list(made.args)
    if shape is not None:
        target = values.pop(0) if in_memory else Site(entry.compiler, context, builder).stack(16, 16)
        values.insert(0, target)
    values = [builder.bitcast(v, ADDRESS) if isinstance(v.type, ir.PointerType) else v for v in values]
    status, answer = context.call_conv.call_function(
        builder, callee, description.restype, description.argtypes, values
    )
    failed = builder.append_basic_block("failed")
    passed = builder.append_basic_block("passed")
    builder.cbranch(status.is_error, failed, passed)
    builder.position_at_end(failed)
    _report(context, builder, status, report)
    _return(builder, made, entry.function, shape, values, None)
    builder.position_at_end(passed)
    _return(builder, made, entry.function, shape, values, answer)
    return module


def _size(type_: Type) -> int:
    return compute(unqualified(type_), find_dialect("cxx")).size


def _result(function: Function, shape: Any) -> ir.Type:
    if shape is None:
        return result_form(function)
    if not shape.words:
        return ADDRESS
    forms = register_forms(shape)
    return forms[0] if len(forms) == 1 else ir.LiteralStructType(forms)


def _mark(made: Any, entry: Entry, *, in_memory: bool) -> None:
    """Say of each argument that lies in memory that it does."""
    arguments = list(made.args)
    if in_memory:
        arguments.pop(0)
    for passed, type_ in zip(entry.arguments, entry.function.arguments, strict=True):
        (first, *_), arguments = arguments[: len(passed.forms)], arguments[len(passed.forms) :]
        if passed.memory:
            first.add_attribute("byval")
            first.attributes.align = max(8, compute(unqualified(type_.type), find_dialect("cxx")).align)


def _return(
    builder: Any, made: Any, function: Function, shape: Any, values: Sequence[Any], answer: Any
) -> None:
    """Give the result back as C does; zero where there is none."""
    form = made.function_type.return_type
    if shape is not None and not shape.words:
        if answer is None:
            _clear(builder, values[0], _size(function.result))
        builder.ret(values[0])
    elif isinstance(form, ir.VoidType):
        builder.ret_void()
    elif answer is None:
        builder.ret(ir.Constant(form, None))
    elif shape is not None:
        parts = [_word(builder, values[0], at, f) for at, f in _words(shape)]
        whole = parts[0] if len(parts) == 1 else ir.Constant(form, ir.Undefined)
        for i, part in enumerate(parts if len(parts) > 1 else ()):
            whole = builder.insert_value(whole, part, i)
        builder.ret(whole)
    else:
        narrow = isinstance(form, ir.IntType) and form != answer.type
        builder.ret(builder.trunc(answer, form) if narrow else builder.bitcast(answer, form))


def _words(shape: Any) -> list[tuple[int, ir.Type]]:
    return list(zip(offsets(shape), register_forms(shape), strict=True))


def _word(builder: Any, place: Any, offset: int, form: ir.Type) -> Any:
    at = builder.gep(place, [ir.IntType(64)(offset)])
    return builder.load(builder.bitcast(at, form.as_pointer()))


def _clear(builder: Any, place: Any, size: int) -> None:
    zero = ir.ArrayType(ir.IntType(8), size)
    builder.store(zero(None), builder.bitcast(place, zero.as_pointer()), align=1)


def _report(context: Any, builder: Any, status: Any, report: Callable[[Any, Any], None]) -> None:
    """Have the exception raised by the call that runs in this thread."""
    api = context.get_python_api(builder)
    state = api.gil_ensure()
    context.call_conv.raise_error(builder, api, status)
    parts = [builder.alloca(api.pyobj) for _ in range(3)]
    api.err_fetch(*parts)
    normalise = ir.FunctionType(ir.VoidType(), [api.pyobj.as_pointer()] * 3)
    builder.call(api._get_function(normalise, name="PyErr_NormalizeException"), parts)
    address = context.add_dynamic_addr(builder, id(report), info="samebytes report")
    kind, error, _ = (builder.load(part) for part in parts)
    api.decref(api.call_function_objargs(builder.bitcast(address, api.pyobj), (kind, error)))
    for part in parts:
        api.decref(builder.load(part))
    api.gil_release(state)


def reporter(function: Any) -> Callable[[Any, Any], None]:
    """What leaves a compiled function's exception to the call of C++ that runs in the same thread."""
    _native.expect_failures()

    def report(kind: Any, error: Any) -> None:
        _native.post_error(None, error, function)

    return report
