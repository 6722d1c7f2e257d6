"""Classes of structs in compiled code: ``Sun(1, 2.0)`` from fields, ``Sun(x)`` as a copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArgumentError, Error, Mismatch, arity_error, call_error, plain_error
from ...types import Array, CArray, Handle, Pointer, unqualified
from ..arguments.fit import Fit
from ..arguments.objects import mirrors_struct
from ..arguments.rules import fit_type
from ..calls.overloads import Overloads
from ..calls.shaping import named_arguments, present
from ..compiler import NumbaCompiler
from ..datamodel.kinds import CallableType, HandleType, RecordType, SharedType, StructType
from ..datamodel.models import ADDRESS, BYTE
from ..lowering.handles import refuse
from ..lowering.memory import further_names, places
from ..lowering.reading import given_type
from ..lowering.site import Call, Site
from ..lowering.storing import write_field


@dataclass(eq=False, repr=False)
class FieldsConstructor:
    """Makes a struct: of its fields or with its C++ constructors, as calling the class does in Python.

    Fields that are not given have C++'s initial values, or are zero.

    Attributes
    ----------
    python : type
        The record class.
    as_record : bool
        Whether a call gives a record; else the value.
    constructors : Overloads or None
        Those of C++; None where Python gives the struct its fields.
    blank : Overloads or None
        What C++ gives an aggregate whose members have initial values, before Python's fields.
    """

    compiler: NumbaCompiler
    struct: StructType
    python: Any
    as_record: bool = True
    constructors: Overloads | None = None
    blank: Overloads | None = None
    _values: FieldsConstructor | None = None

    @property
    def name(self) -> str:
        """The class's."""
        return self.struct.struct.short_name

    @property
    def result(self) -> Any:
        """What a call gives."""
        if self.struct.immutable:
            return SharedType(self.struct) if self.struct.shared else self.struct
        return self.handle or (RecordType(self.struct) if self.as_record else self.struct)

    @property
    def handle(self) -> HandleType | None:
        """The type of its objects where only C++ makes them."""
        return HandleType(self.struct) if isinstance(self.struct.struct, Handle) else None

    def _unmade(self) -> str | None:
        return None if self.constructors else "it has no constructor that compiled code could call"

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call."""
        if self.handle is not None and (reason := refuse(self.handle) or self._unmade()):
            raise self.compiler.errors.TypingError(f"{self.name}() makes no object: {reason}")
        copies = len(args) == 1 and not kws and self.handle is None
        if copies and (args[0] in (self.struct, RecordType(self.struct)) or self._element(args[0])):
            if self.struct.shared:
                raise self.compiler.errors.TypingError(
                    f"{self.name}() would copy atomics, which threads share: "
                    f"a method, {self.name}.method(a[i]), acts on the element"
                )
            return self.compiler.templates.signature(self.result, args[0])
        if self.constructors is not None:
            found = self.constructors.type_call(args, kws)
            return found.replace(return_type=self.result)
        try:
            named = self._named(args, kws)
            self.fits(named)
        except Error as error:
            raise self.compiler.errors.TypingError(str(error)) from None
        whole, pysig = named_arguments(tuple(places(self.struct)), named)
        return self.compiler.templates.signature(self.result, *whole).replace(pysig=pysig)

    def _element(self, kind: Any) -> bool:
        """Whether a type is that of elements of arrays of the class."""
        return (
            self.struct.immutable
            and isinstance(kind, types.Record)
            and mirrors_struct(kind, self.struct.struct)
        )

    def _named(self, args: Sequence[Any], kws: Mapping[str, Any]) -> dict[str, Any]:
        others = further_names(self.struct)
        names = tuple(name for name in places(self.struct) if name not in others)
        if not self.struct.struct.complete:
            text = "has members that Python does not see: only C++ can make one"
            raise plain_error(ArgumentError, self.name, text)
        if (args or kws) and not self.struct.struct.of_tuples:
            raise plain_error(ArgumentError, self.name, "has no constructor that compiled code could call")
        if len(args) > len(names):
            raise arity_error(self.name, [f"{self.name}({', '.join(names)})"], len(args) + len(kws))
        left = set(names[len(args) :])
        for name in kws:
            meant = others.get(name, name)
            if meant in left:
                left.remove(meant)
            else:
                text = f"has no field {name!r} left to set; it has {', '.join(names)}"
                if meant in names[: len(args)]:
                    text = f"got {name!r} twice, by position and by name"
                raise plain_error(ArgumentError, self.name, text)
        if left and not self.struct.struct.default_constructible:
            text = f"lacks {', '.join(n for n in names if n in left)}: C++ makes none without"
            raise plain_error(ArgumentError, self.name, text)
        if left and self.blank is None and self.struct.struct.initial is None:
            text = (
                f"lacks {', '.join(n for n in names if n in left)}: no code of C++'s is here that knows them"
            )
            raise plain_error(ArgumentError, self.name, text)
        if self.struct.immutable and (lacking := left - set(self.python.__samebytes_defaults__)):
            text = f"lacks {', '.join(n for n in names if n in lacking)}"
            raise plain_error(ArgumentError, self.name, text)
        return dict(zip(names, args, strict=False)) | dict(kws)

    def fits(self, named: Mapping[str, Any]) -> dict[str, Fit]:
        """How values serve fields.

        Raises
        ------
        ArgumentError
            With all that do not.
        """
        fits, mismatches = {}, []
        for position, (name, argument) in enumerate(named.items()):
            type_ = unqualified(places(self.struct)[name].type)
            try:
                if isinstance(type_, CArray) and not self.struct.immutable:
                    raise Mismatch(ArgumentError, f"{type_}, which is set element by element", str(argument))
                if self.struct.immutable and isinstance(type_, Array | Pointer):
                    _check_lasting(type_, argument)
                fits[name] = fit_type(type_, argument, self.struct.dialect)
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = position, name
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(self.name, mismatches)
        return fits

    def value_form(self) -> FieldsConstructor:
        """The same class whose calls give values; made and registered when it is first asked for."""
        if self._values is None:
            self._values = replace(self, as_record=False)
            self._values.register()
            self.compiler.typing.insert_global(self._values, CallableType(self._values))
        return self._values

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""
        registry = self.compiler.registry

        @registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            return self._lower(Site(self.compiler, context, builder), tuple(signature.args), args)

        self.compiler.install()

    def _lower(self, site: Site, given: tuple[Any, ...], args: Sequence[Any]) -> Any:
        if len(given) == 1 and self._element(given[0]):
            data = site.builder.bitcast(args[0], ADDRESS)
        elif given == (self.struct,):
            data = site.spill(self.struct, args[0])
        elif given == (RecordType(self.struct),):
            data = site.record_data(given[0], args[0])
        elif self.constructors is not None:
            made = self.constructors.lower(site, given, args)
            if isinstance(given_type(self.struct.struct, self.struct.dialect), RecordType):
                return made  # objects of C++ among them
            data = self._data(site, made)
        else:
            layout, named = self.struct.layout, present(tuple(places(self.struct)), given, args)
            data = site.stack(layout.size, layout.align)
            if self.blank is not None:
                made, kind = (
                    self.blank.lower(site, (), ()),
                    given_type(self.struct.struct, self.struct.dialect),
                )
                site.copy(data, self._data(site, made), layout.size)
                site.release(kind, made)
            else:
                site.zero(data, layout.size)
                self._write_defaults(site, data, named)
            self._write(site, data, named)
        if isinstance(self.result, SharedType):
            return site.copied(self.result, data)
        if not self.as_record or self.struct.immutable:
            return site.load(self.struct, data)
        return site.copied(RecordType(self.struct), data)

    def _data(self, site: Site, made: Any) -> Any:
        """The address of what a constructor of C++ gave."""
        kind = given_type(self.struct.struct, self.struct.dialect)
        return site.record_data(kind, made) if isinstance(kind, RecordType) else site.spill(kind, made)

    def _write_defaults(self, site: Site, data: Any, names: Mapping[str, Any]) -> None:
        """What fields have by themselves that a call does not name: C++'s initial values, defaults of Python's."""
        if self.struct.struct.initial:
            self._write_bytes(site, data, bytes(self.struct.struct.initial))
        known = getattr(self.python, "__samebytes_defaults__", {}) if self.struct.immutable else {}
        for name, packed in known.items():
            if name in names:
                continue
            place = site.shift(data, places(self.struct)[name].offset)
            self._write_bytes(site, place, bytes(packed.data))

    @staticmethod
    def _write_bytes(site: Site, place: Any, content: bytes) -> None:
        form = ir.ArrayType(BYTE, len(content))
        site.builder.store(ir.Constant(form, bytearray(content)), site.at(place, form), align=1)

    def _write(self, site: Site, data: Any, named: Mapping[str, tuple[Any, Any]]) -> None:
        fits = self.fits({name: kind for name, (kind, _) in named.items()})
        for position, (name, fitted) in enumerate(fits.items()):
            call = Call(
                site.compiler, site.context, site.builder, f"{self.name}() argument {position + 1} '{name}'"
            )
            place = places(self.struct)[name]
            lowered = fitted.lower(call, named[name][1])
            write_field(call, self.struct, place, call.shift(data, place.offset), lowered)


def _check_lasting(type_: Array | Pointer, argument: Any) -> None:
    """A value holds an address, and nothing that keeps what is there.

    Raises
    ------
    Mismatch
        For what compiled code may free before.
    """
    if isinstance(argument, types.Array | types.Record | RecordType):
        words = "an address that lasts: a struct does not keep what compiled code has; make it in Python"
        raise Mismatch(ArgumentError, f"{type_}, {words}", str(argument), "")
