"""Bound functions in compiled code: which overload a call means, its type, and its machine code."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from llvmlite import ir
from numba import types

from ..errors import Error, Mismatch, call_error, overload_error
from ..generate.shims.direct import result_format
from ..overloads import best
from ..signature import Parameter, Signature
from ..storage import result_type
from ..types import VOID, Pointer, Scalar
from ..wording import declaration_text, keyword_names, visible_text
from .arguments import fit
from .handles import handle_place
from .kinds import HandleType, RecordType
from .models import ADDRESS, Site
from .numbers import Call, Fit, machine_type
from .raising import raise_outcome
from .results import from_register, from_storage, output_storage, result_kind, return_type, storage
from .shaping import by_shape, shape_error
from .world import World

_ASSIGNING = frozenset(
    f"operator{sign}" for sign in ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--")
)


@dataclass(frozen=True)
class Direct:
    """One way to call: an overload with its first ``given`` C++ arguments.

    Attributes
    ----------
    target : int or str
        The direct shim's address, or for GPUs its symbol.
    message : int
        The address of what gives the last message; 0 where nothing is thrown.
    fails : bool
        Whether the shim gives a status.
    """

    signature: Signature
    given: int
    target: int | str
    message: int = 0
    fails: bool = False

    @property
    def visible(self) -> tuple[Parameter, ...]:
        """The parameters that compiled code gives, in order."""
        return tuple(p for p in self.signature.parameters[: self.given] if p.intent.visible)

    @property
    def own(self) -> int:
        """The arguments before those that C++ declares: a method's object."""
        return int(self.signature.kind == "method")

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which they are given."""
        return keyword_names(self.signature, self.visible)


@dataclass
class Choice:
    """The overload that a call means.

    Attributes
    ----------
    fits : tuple of Fit
        By visible parameter.
    defaults : mapping of str to object
        The values of the arguments that the call leaves out though it gives later ones.
    """

    direct: Direct
    arguments: tuple[Any, ...]
    fits: tuple[Fit, ...]
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Overloads:
    """All overloads of one name, for one of Numba's compilers.

    Attributes
    ----------
    libraries : tuple
        For GPUs, what has the shims linked: called with a code library.
    """

    world: World
    name: str
    directs: Sequence[Direct]
    dialect: str
    link: Any = None
    _chosen: dict[tuple[Any, ...], Choice] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}()"

    __repr__ = __str__

    def resolve(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Choice:
        """The overload for arguments of these types.

        Raises
        ------
        Error
            In the words of a host call.
        """
        fitting = by_shape(self.directs, args, kws)
        if not fitting:
            raise shape_error(self.name, self.directs, args, kws)
        found: dict[int, list[Fit]] = {}
        errors: list[Error] = []
        for index, (given, _) in fitting:
            try:
                found[index] = self._fits(self.directs[index], given)
            except Error as error:
                errors.append(error)
        if not found:
            raise errors[0] if len(errors) == 1 else self._none(args, kws, [i for i, _ in fitting], tie=False)
        chosen = best({i: [f.rank for f in fits] for i, fits in found.items()})
        if not isinstance(chosen, int):
            raise self._none(args, kws, chosen, tie=True)
        arguments, defaults = dict(fitting)[chosen]
        return Choice(self.directs[chosen], arguments, tuple(found[chosen]), defaults)

    def _fits(self, direct: Direct, given: Sequence[Any]) -> list[Fit]:
        fits, mismatches = [], []
        for position, (parameter, argument) in enumerate(zip(direct.visible, given, strict=True)):
            # The object of a method, and the left operand of a free `operator+=`: C++ gets the very object.
            itself = position == 0 and (direct.signature.kind == "method" or self.name in _ASSIGNING)
            try:
                fits.append(fit(parameter, argument, self.dialect, itself=itself))
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = position - direct.own, direct.names[position]
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(direct.signature.shown_name, mismatches)
        return fits

    def _none(self, args: Sequence[Any], kws: Mapping[str, Any], tied: Sequence[int], *, tie: bool) -> Error:
        shown = [
            f"{visible_text(self.directs[i].signature)}    [{declaration_text(self.directs[i].signature)}]"
            for i in tied
        ]
        words = [str(types.unliteral(a)) for a in args] + [
            f"{k}={types.unliteral(v)}" for k, v in kws.items()
        ]
        got = ", ".join(words)
        return overload_error(self.name, shown, got, tie=tie)

    def joined(self, other: Overloads) -> Overloads:
        """All overloads of both, which have one name."""
        made = replace(self, directs=(*self.directs, *other.directs), _chosen={})
        made.register()
        return made

    # --- Numba's side

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call.

        Parameters
        ----------
        bound : bool
            Whether the first of ``args`` is the object of a method.
        """
        try:
            choice = self.resolve(args, kws)
            result = return_type(choice.direct.signature, self.dialect)
        except Mismatch as mismatch:
            text = f"{self.name}() cannot be called by compiled code: {mismatch}"
            raise self.world.errors.TypingError(text) from None
        except Error as error:
            raise self.world.errors.TypingError(str(error)) from None
        self._chosen[choice.arguments] = choice
        given = choice.arguments[1:] if bound else choice.arguments
        names = choice.direct.names[1:] if bound else choice.direct.names
        made = self.world.templates.signature(result, *given, recvr=choice.arguments[0] if bound else None)
        return made.replace(pysig=python_signature(names, choice.defaults))

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""
        registry = self.world.registry

        @registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            given = tuple(signature.args)
            if signature.recvr is not None:
                given = (signature.recvr, *given)
            return self.lower(Site(self.world, context, builder), given, args)

        self.world.install()

    def lower(self, site: Site, given: tuple[Any, ...], args: Sequence[Any]) -> Any:
        """The machine code of a call with arguments of these types."""
        choice = self._chosen.get(given) or self.resolve(given, {})
        return self.emit(site, choice, args)

    def emit(self, site: Site, choice: Choice, args: Sequence[Any]) -> Any:
        """The machine code of one call; its value is what the call returns."""
        direct = choice.direct
        signature = direct.signature
        given: dict[int, Any] = {}
        visible = [i for i, p in enumerate(signature.parameters[: direct.given]) if p.intent.visible]
        for position, (index, fitted, value) in enumerate(zip(visible, choice.fits, args, strict=True)):
            number = position + 1 - direct.own
            subject = f"{direct.signature.shown_name}() argument {number} '{direct.names[position]}'"
            call = Call(site.world, site.context, site.builder, subject)
            given[index] = fitted.lower(call, value)
        owners = [(t, v) for t, v in zip(choice.arguments, args, strict=True) if isinstance(t, RecordType)]
        return self._emit_call(site, direct, given, owners)

    def _emit_call(self, site: Site, direct: Direct, given: dict[int, Any], owners: list[Any]) -> Any:
        signature, builder = direct.signature, site.builder
        result = result_format(signature)
        values: list[Any] = []
        place = None
        if signature.result != VOID and result is None:
            place = self._result_place(site, signature, owners)
            values.append(place[0])
        outputs = []
        for index, parameter in enumerate(signature.parameters):
            if parameter.intent.visible:
                if index < direct.given:
                    values.append(given[index])
                continue
            type_ = output_storage(parameter)
            outputs.append((type_, storage(site, type_, self.dialect)))
            values.append(outputs[-1][1])
        answer = builder.call(self._function(site, direct, result, [v.type for v in values]), values)
        answer = self._check(site, direct, result, answer)
        found = []
        if signature.result != VOID:
            found.append(place[1]() if place else from_register(site, signature.result, answer))
        found += [from_storage(site, type_, data, self.dialect) for type_, data in outputs]
        if len(found) > 1:
            return site.context.make_tuple(builder, return_type(signature, self.dialect), found)
        return found[0] if found else site.context.get_dummy_value()

    def _result_place(self, site: Site, signature: Signature, owners: list[Any]) -> tuple[Any, Any]:
        """Storage for a result, and what makes the value of it after the call."""
        given, kind = result_type(signature), result_kind(signature, self.dialect)
        if isinstance(kind, HandleType):
            return handle_place(site, signature, kind, owners)
        if isinstance(kind, RecordType):
            made = site.new_record(kind)
            return site.record_data(kind, made), lambda: made
        data = storage(site, given, self.dialect)
        return data, lambda: from_storage(site, given, data, self.dialect)

    def _function(self, site: Site, direct: Direct, result: Scalar | Pointer | None, forms: list[Any]) -> Any:
        plain = _form(result)
        if direct.fails:
            status = ir.IntType(64)
            plain = status if result is None else ir.LiteralStructType([status, plain])
        function = ir.FunctionType(plain, forms)
        if isinstance(direct.target, str):
            self.link(site)
            return site.world.cgutils.get_or_insert_function(site.builder.module, function, direct.target)
        address = site.context.add_dynamic_addr(site.builder, direct.target, info=self.name)
        return site.builder.bitcast(address, function.as_pointer())

    def _check(self, site: Site, direct: Direct, result: Any, answer: Any) -> Any:
        if not direct.fails:
            return answer
        status = answer if result is None else site.builder.extract_value(answer, 0)
        raise_outcome(site, status, direct.message)
        return None if result is None else site.builder.extract_value(answer, 1)


@dataclass(eq=False, repr=False)
class StaticOfObject:
    """A static method that is called on an object, which C++ is not given."""

    world: World
    overloads: Overloads

    skipped = 1  # arguments of a call before those of C++

    def __post_init__(self) -> None:
        @self.world.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            given = tuple(signature.args)
            if signature.recvr is None:
                given = given[1:]
            return self.lower(Site(self.world, context, builder), (None, *given), args)

        self.world.install()

    def __str__(self) -> str:
        return str(self.overloads)

    __repr__ = __str__

    @property
    def directs(self) -> Sequence[Direct]:
        """Those of the method."""
        return self.overloads.directs

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the object."""
        found = self.overloads.type_call(args[1:], kws)
        if bound:
            return found.replace(recvr=args[0])
        names = tuple(found.pysig.parameters)
        made = self.world.templates.signature(found.return_type, args[0], *found.args)
        return made.replace(pysig=python_signature(("self", *names)))

    def lower(self, site: Site, given: tuple[Any, ...], args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        return self.overloads.lower(site, given[1:], args[1:])


def _form(result: Scalar | Pointer | None) -> ir.Type:
    if result is None:
        return ir.VoidType()
    return machine_type(result) if isinstance(result, Scalar) else ADDRESS


def python_signature(names: Sequence[str], defaults: Mapping[str, Any] | None = None) -> inspect.Signature:
    """The names of arguments, in Python's form."""
    kind, none = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    given = defaults or {}
    # Once one has a default, Python wants one of each that follows; those are given by name.
    made, filled = [], False
    for name in names:
        filled = filled or name in given
        made.append(inspect.Parameter(name, kind, default=given.get(name) if filled else none))
    return inspect.Signature(made)
