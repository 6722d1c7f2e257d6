"""The machine code of one call: arguments, the shim, its outcome, results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ...emit.shims.direct import result_format
from ...model.slots import result_type
from ...types import VOID, Pointer, Scalar
from ..datamodel.kinds import HandleType, RecordType
from ..datamodel.models import ADDRESS
from ..lowering.handles import handle_place
from ..lowering.raising import raise_outcome
from ..lowering.reading import from_register, from_storage, storage
from ..lowering.registers import machine_type
from ..lowering.site import Call, Site
from .choosing import Direct, ResolvedOverload
from .results import output_storage, result_kind, return_type


@dataclass(frozen=True)
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
        answer = builder.call(self._function(result, [v.type for v in values]), values)
        answer = self._check(result, answer, place[2] if place else _nothing)
        found = []
        if signature.result != VOID:
            found.append(place[1]() if place else from_register(site, signature.result, answer))
        found += [from_storage(site, type_, data, self.dialect) for type_, data in outputs]
        if len(found) > 1:
            return site.context.make_tuple(builder, return_type(signature, self.dialect), found)
        return found[0] if found else site.context.get_dummy_value()

    def _result_place(self, owners: list[Any]) -> tuple[Any, Any, Any]:
        """Storage for a result, what makes the value of it after the call, and what gives it back if there is none."""
        site, signature = self.site, self.direct.signature
        given, kind = result_type(signature), result_kind(signature, self.dialect)
        if isinstance(kind, HandleType):
            return handle_place(site, signature, kind, owners)
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
