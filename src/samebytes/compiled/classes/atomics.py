"""Atomics in compiled code: what ``Atomic(T)`` members of structs do, under the specification's names."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArgumentError, Error, Mismatch, call_error, plain_error
from ...types import Enum, Pointer, Scalar, Type, unqualified
from ...types.atomics import FLOATS, INTEGERS, OPERATIONS, SCOPES, Operation
from ..arguments.fit import Fit
from ..arguments.rules import fit_type
from ..calls.shaping import named_arguments, present
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import numba_type
from ..datamodel.kinds import AtomicType, MethodType
from ..lowering.atomic_code import AtomicCode, atomic_code
from ..lowering.registers import as_enumerator
from ..lowering.site import Call, Site
from ..lowering.storing import memory_form


@dataclass(eq=False, repr=False)
class AtomicMethod:
    """A method of atomics of one type.

    Attributes
    ----------
    type : Type
        Of the value.
    """

    compiler: NumbaCompiler
    type: Type
    name: str
    directs: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"Atomic({self.type}).{self.name}()"

    __repr__ = __str__

    @property
    def operation(self) -> Operation:
        """What its name stands for."""
        return OPERATIONS[self.name]

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the atomic."""
        try:
            named = self._named(args[1:], kws)
            self._fits(named)
            self._words(named)
        except Error as error:
            raise self.compiler.errors.TypingError(str(error)) from None
        result = numba_type(self.type, self.compiler.dialect) if self.operation.gives else types.none
        whole, pysig = named_arguments(self._names, named)
        return self.compiler.templates.signature(result, *whole, recvr=args[0]).replace(pysig=pysig)

    @property
    def _names(self) -> tuple[str, ...]:
        words = ("order", "scope") if self.operation.orders else ("scope",)
        return (*self.operation.values, *words)

    def _named(self, args: Sequence[Any], kws: Mapping[str, Any]) -> dict[str, Any]:
        names = self._names
        if len(args) > len(names):
            raise plain_error(ArgumentError, str(self)[:-2], f"takes {', '.join(names)}")
        named = dict(zip(names, args, strict=False))
        for name, value in kws.items():
            if name not in names or name in named:
                raise plain_error(
                    ArgumentError, str(self)[:-2], f"takes {', '.join(names)}, and not {name!r}"
                )
            named[name] = value
        if lacking := [name for name in self.operation.values if name not in named]:
            raise plain_error(ArgumentError, str(self)[:-2], f"lacks {', '.join(lacking)}")
        return named

    def _fits(self, named: Mapping[str, Any]) -> dict[str, Fit]:
        fits, mismatches = {}, []
        for index, name in enumerate(self.operation.values):
            try:
                fits[name] = fit_type(self.type, named[name], self.compiler.dialect)
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = index, name
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(str(self)[:-2], mismatches)
        return fits

    def _words(self, named: Mapping[str, Any]) -> tuple[str, str]:
        """Order and scope; an error unless they are words that the operation has."""
        found = []
        for name, known, usual in (("order", self.operation.orders, "seq_cst"), ("scope", SCOPES, "system")):
            given = named.get(name)
            word = getattr(given, "literal_value", None) if given is not None else usual
            if given is not None and word not in known:
                said = repr(word) if word is not None else str(given)
                text = f"takes as {name} {', '.join(map(repr, known))}, known when compiling, and got {said}"
                raise plain_error(ArgumentError, str(self)[:-2], text)
            found.append(str(word))
        return found[0], found[1]

    def lower(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        given = tuple(signature.args)
        if signature.recvr is not None:
            given = (signature.recvr, *given)
        found = present(self._names, given[1:], args[1:])
        kinds = {name: kind for name, (kind, _) in found.items()}
        call = Call(site.compiler, site.context, site.builder, str(self))
        place = call.at(call.record_data(given[0], args[0]), self._form)
        values = [self._stored(call, f.lower(call, found[n][1])) for n, f in self._fits(kinds).items()]
        order, scope = self._words(kinds)
        bits = _lower(self, atomic_code(call, place, self.size, scope), call, values, order)
        return self._given(call, bits) if self.operation.gives else site.context.get_dummy_value()

    @property
    def scalar(self) -> Scalar | None:
        """The number that it is; None for pointers."""
        bare = unqualified(self.type)
        found = bare.underlying if isinstance(bare, Enum) else bare
        return found if isinstance(found, Scalar) else None

    @property
    def size(self) -> int:
        """Bytes."""
        return self.scalar.size if self.scalar is not None else 8

    @property
    def sort(self) -> str:
        """The kind of number, "enum" or "pointer"; as in C++ there is no arithmetic on bools and enumerators."""
        if self.scalar is None:
            return "pointer"
        if isinstance(unqualified(self.type), Enum):
            return "enum"
        return {"char": "int"}.get(self.scalar.kind, self.scalar.kind)

    @property
    def _form(self) -> ir.Type:
        """What lies there, as an integer: of a float its bits."""
        return ir.IntType(8 * self.size)

    @property
    def float_form(self) -> ir.Type:
        """What the bits of a float are."""
        return ir.FloatType() if self.size == 4 else ir.DoubleType()

    def _stored(self, call: Call, lowered: Any) -> Any:
        if self.scalar is None:
            return call.builder.ptrtoint(lowered, self._form)
        value = memory_form(call, self.scalar, lowered)
        return call.builder.bitcast(value, self._form) if self.sort == "float" else value

    def _given(self, call: Call, bits: Any) -> Any:
        bare = unqualified(self.type)
        if isinstance(bare, Pointer):
            kind = call.context.get_value_type(numba_type(bare, self.compiler.dialect))
            return call.builder.inttoptr(bits, kind)
        if self.sort == "float":
            return call.builder.bitcast(bits, self.float_form)
        if self.scalar is not None and self.scalar.kind == "bool":
            return call.builder.icmp_unsigned("!=", bits, bits.type(0))
        return as_enumerator(call, bare, bits) if isinstance(bare, Enum) else bits

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""

        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            return self.lower(Site(self.compiler, context, builder), signature, args)

        self.compiler.install()


def _lower(method: AtomicMethod, code: AtomicCode, call: Call, values: list[Any], order: str) -> Any:
    """The instructions of one operation; gives the bits that were there."""
    name = method.name
    if name.startswith("notify"):
        return code.notify(name)
    if name == "wait":
        return code.wait(values[0], order)
    if name == "load":
        return code.load(order)
    if name == "store":
        return code.store(values[0], order)
    if name == "cas":
        return code.swap(values[0], values[1], order)
    found = code.change(name, method.sort, values[0], order)
    return found if found is not None else _in_loop(method, code, call, values[0], order)


def _in_loop(method: AtomicMethod, code: AtomicCode, call: Call, value: Any, order: str) -> Any:
    """What a processor has no instruction for: computed anew until nobody came in between."""
    builder, form = call.builder, method.float_form
    given, first = builder.bitcast(value, form), code.load("relaxed")
    start, loop, done = builder.block, builder.append_basic_block("again"), builder.append_basic_block("done")
    builder.branch(loop)
    builder.position_at_end(loop)
    before = builder.phi(first.type)
    before.add_incoming(first, start)
    made = builder.bitcast(_FLOAT[method.name](builder, builder.bitcast(before, form), given), first.type)
    found = code.swap(before, made, order)
    before.add_incoming(found, builder.block)
    builder.cbranch(builder.icmp_unsigned("==", found, before), done, loop)
    builder.position_at_end(done)
    return found


def _better(sign: str, *, numbers: bool) -> Callable[[Any, Any, Any], Any]:
    """The larger or the smaller; where one is NaN, that, or with ``numbers`` the other."""

    def compute(builder: Any, held: Any, given: Any) -> Any:
        left, right = (given, held) if numbers else (held, given)
        keeps = builder.fcmp_ordered(sign, held, given)
        odd = builder.fcmp_unordered("uno", left, left)
        other = builder.fcmp_unordered("uno", right, right)
        if numbers:  # the given one is NaN, or larger: held stays
            return builder.select(builder.or_(keeps, odd), held, given)
        return builder.select(builder.or_(odd, builder.and_(keeps, builder.not_(other))), held, given)

    return compute


_FLOAT: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda builder, held, given: builder.fadd(held, given),
    "sub": lambda builder, held, given: builder.fsub(held, given),
    "max": _better(">=", numbers=False),
    "min": _better("<=", numbers=False),
    "nanmax": _better(">=", numbers=True),
    "nanmin": _better("<=", numbers=True),
}


@cache
def _method(compiler: NumbaCompiler, type_: Type, name: str) -> AtomicMethod:
    made = AtomicMethod(compiler, type_, name)
    made.register()
    return made


def register_atomics(compiler: NumbaCompiler) -> None:
    """Teach a compiler the methods of atomics."""

    class Methods(compiler.templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = AtomicType

        def generic_resolve(self, typ: AtomicType, attr: str) -> Any:
            if attr not in OPERATIONS:
                known = ", ".join(OPERATIONS)
                raise compiler.errors.TypingError(f"{typ} has no {attr!r}: it has {known}")
            made = _method(compiler, typ.atomic.type, attr)
            if made.sort not in made.operation.kinds:
                raise compiler.errors.TypingError(
                    f"{typ} has no {attr}: that is for {_words(made.operation)}"
                )
            if made.size not in ((4, 8) if compiler.cuda else (1, 2, 4, 8)) or (
                made.sort == "float" and made.size < 4
            ):
                raise compiler.errors.TypingError(f"{typ} has no operations in compiled code")
            return MethodType(made, typ)

    compiler.typing.insert_attributes(Methods(compiler.typing))
    for sign in _SIGNS:
        _refuse(compiler, sign)
    compiler.install()
    if not compiler.cuda:

        @compiler.pythonapi.box(AtomicType)
        def box(typ: AtomicType, value: Any, c: Any) -> Any:
            raise compiler.errors.TypingError(_no_number(typ))


# What is done with numbers, and in a struct's member or an array's element would not be atomic.
_OPERATIONS = (
    "lt le eq ne ge gt add and_ floordiv lshift mod mul or_ pow rshift sub truediv xor neg pos invert abs"
)
_SIGNS: tuple[Any, ...] = (
    *(getattr(operator, name) for name in _OPERATIONS.split()),
    *(getattr(operator, f"i{name.rstrip('_')}") for name in _OPERATIONS.split()[6:17]),
    int, float, bool, abs, complex,
)  # fmt: skip


def _refuse(compiler: NumbaCompiler, sign: Any) -> None:
    """Say in words that an atomic is no number here: another thread may write between its reading and its use."""

    class Refused(compiler.templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key: Any

        def generic(self, args: Any, kws: Any) -> Any:
            for kind in args:
                if isinstance(kind, AtomicType):
                    raise compiler.errors.TypingError(_no_number(kind))
            return None

    Refused.key = sign
    compiler.augment(sign, Refused)


def _no_number(kind: AtomicType) -> str:
    return (
        f"{kind} is a place that threads share, and no number: x.load() reads it, x.store(value) writes it, "
        "x.add(1) adds to it"
    )


def _words(operation: Operation) -> str:
    named = {INTEGERS: "integers", FLOATS: "floating-point numbers"}
    return named.get(operation.kinds, "numbers")
