"""The machine code of one call: arguments, the shim, its outcome, results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from ...emit.shims.direct import result_format
from ...frozen import frozen
from ...model.slots import result_type
from ...types import VOID, Pointer, Scalar
from ..datamodel.kinds import HandleType, RecordType
from ..datamodel.models import ADDRESS
from ..lowering.callbacks import CallbackScope
from ..lowering.handles import handle_place, reference_place
from ..lowering.raising import raise_outcome
from ..lowering.reading import from_register, from_storage, storage
from ..lowering.registers import machine_type
from ..lowering.site import Call, Site
from .choosing import Direct, ResolvedOverload
from .results import output_storage, refers, result_kind, return_type


@frozen(slots=False)
class Emitter:
    """Writes one call.

    Attributes
    ----------
    name : str
        The function's.
    link : callable
        For GPUs: has the shims linked where a call stands.
    """

    site: Site
    name: str
    direct: Direct
    dialect: str
    link: Any

    def emit(self, choice: ResolvedOverload, args: Sequence[Any], keeps: bool = True) -> Any:
        """The machine code of one call; its value is what the call returns.

        Parameters
        ----------
        keeps : bool
            Whether a reference that it returns keeps the objects that it may point into.
        """
        direct, site = self.direct, self.site
        signature = direct.signature
        given: dict[int, Any] = {}
        visible = [i for i, p in enumerate(signature.parameters[: direct.given]) if p.intent.visible]
        for position, (index, fitted, value) in enumerate(zip(visible, choice.fits, args, strict=True)):
            number = position + 1 - direct.own
            subject = f"{direct.signature.shown_name}() argument {number} '{direct.names[position]}'"
            call = Call(site.compiler, site.context, site.builder, subject)
            given[index] = fitted.lower(call, value)
        owners = [(t, v) for t, v in zip(choice.arguments, args, strict=True) if isinstance(t, RecordType)]
        return self._emit_call(given, owners if keeps else [])

    def _emit_call(self, given: dict[int, Any], owners: list[Any]) -> Any:
        direct, site = self.direct, self.site
        signature, builder = direct.signature, site.builder
        result = result_format(signature)
        values: list[Any] = []
        place = None
        if signature.result != VOID and result is None:
            place = self._result_place(owners)
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
        answer = self._answer(result, values, place)
        found = []
        if signature.result != VOID:
            found.append(place[1]() if place else from_register(site, signature.result, answer))
        found += [from_storage(site, type_, data, self.dialect) for type_, data in outputs]
        if len(found) > 1:
            return site.context.make_tuple(builder, return_type(signature, self.dialect), found)
        return found[0] if found else site.context.get_dummy_value()

    def _answer(self, result: Any, values: list[Any], place: Any) -> Any:
        """What the shim returns; what C++ or a callable of Python's throws is raised."""
        direct, site = self.direct, self.site
        function, undo = self._function(result, [v.type for v in values]), place[2] if place else _nothing
        if site.compiler.cuda:
            return self._check(result, site.builder.call(function, values), undo)
        scope = CallbackScope.enter(site, not direct.fails or direct.signature.throws_nothing)
        answer = site.builder.call(function, values)
        scope.raise_failure(scope.leave(), lambda: self._give_back(result, answer, place))
        return self._check(result, answer, undo)

    def _give_back(self, result: Any, answer: Any, place: Any) -> None:
        """End the result of a call in which a callable has failed: it is there where C++ knows of no failure."""
        site, builder = self.site, self.site.builder
        if place is None:
            return
        _, end, undo = place
        there = ir.IntType(1)(1)
        if self.direct.fails:
            status = answer if result is None else builder.extract_value(answer, 0)
            there = builder.icmp_unsigned("==", status, status.type(0))
        with builder.if_else(there) as (then, otherwise):
            with then:
                site.release(result_kind(self.direct.signature, self.dialect), end())
            with otherwise:
                undo()

    def _result_place(self, owners: list[Any]) -> tuple[Any, Any, Any]:
        """Storage for a result, what makes the value of it after the call, and what gives it back if there is none."""
        site, signature = self.site, self.direct.signature
        given, kind = result_type(signature), result_kind(signature, self.dialect)
        if refers(signature):
            return reference_place(site, kind, owners)
        if isinstance(kind, HandleType):
            return handle_place(site, kind)
        if isinstance(kind, RecordType):
            made = site.new_record(kind)
            return site.record_data(kind, made), lambda: made, lambda: site.release(kind, made)
        data = storage(site, given, self.dialect)
        return data, lambda: from_storage(site, given, data, self.dialect), _nothing

    def _function(self, result: Scalar | Pointer | None, forms: list[Any]) -> Any:
        direct, site = self.direct, self.site
        plain = _form(result)
        if direct.fails:
            status = ir.IntType(64)
            plain = status if result is None else ir.LiteralStructType([status, plain])
        function = ir.FunctionType(plain, forms)
        if isinstance(direct.target, str):
            self.link(site)
            return site.compiler.cgutils.get_or_insert_function(site.builder.module, function, direct.target)
        address = site.context.add_dynamic_addr(site.builder, direct.target, info=self.name)
        return site.builder.bitcast(address, function.as_pointer())

    def _check(self, result: Any, answer: Any, undo: Callable[[], None]) -> Any:
        direct, site = self.direct, self.site
        if not direct.fails:
            return answer
        status = answer if result is None else site.builder.extract_value(answer, 0)
        raise_outcome(site, status, direct.message, undo)
        return None if result is None else site.builder.extract_value(answer, 1)


def _nothing() -> None:
    """What a result on the stack leaves to be given back."""


def _form(result: Scalar | Pointer | None) -> ir.Type:
    if result is None:
        return ir.VoidType()
    return machine_type(result) if isinstance(result, Scalar) else ADDRESS
