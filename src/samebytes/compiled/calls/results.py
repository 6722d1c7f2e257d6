"""What compiled calls give back: the type of a result and of each output."""

from __future__ import annotations

from math import prod
from typing import Any

from numba import types

from ...errors import IntentError, Mismatch
from ...model.signature import Parameter, Signature
from ...model.slots import MOST_COMPILED, result_type, storage_type, viewed
from ...types import VOID, Array, CArray, Const, Type
from ..datamodel.kinds import HandleType, RecordType
from ..lowering.reading import given_type


def return_type(signature: Signature, dialect: str) -> Any:
    """One type: of nothing, of the only output, or of the tuple of all (Numbast, "Argument intents")."""
    found = output_types(signature, dialect)
    if len(found) < 2:
        return found[0] if found else types.void
    return types.Tuple(found)


def output_types(signature: Signature, dialect: str) -> tuple[Any, ...]:
    """The result's type, if there is one, and those of the parameters that are returned."""
    results = [] if signature.result == VOID else [result_kind(signature, dialect)]
    hidden = [p for p in signature.parameters if not p.intent.visible]
    return (*results, *(given_type(output_storage(p), dialect) for p in hidden))


def result_kind(signature: Signature, dialect: str) -> Any:
    """The type in which compiled code receives a result: what C++ refers to is that object, which may be const."""
    found = given_type(result_type(signature), dialect)
    if not refers(signature):
        return found
    if isinstance(found, HandleType):
        return HandleType(found.dtype, isinstance(signature.result, Const))
    return found if isinstance(found, RecordType) else RecordType(found)


def refers(signature: Signature) -> bool:
    """Whether a result is the very object that C++ refers to; of a record that is const it is a copy."""
    return signature.result_passing == "lvalue_ref" and viewed(signature) is not None


def output_storage(parameter: Parameter) -> Type:
    """The type of an output, whose size compiled code must know.

    Raises
    ------
    Mismatch
        If only the call knows it, or a NumPy array is asked for.
    """
    if getattr(parameter.intent, "as_array", False):
        raise Mismatch(IntentError, "tuples", "as_array=True", f"It is for host calls ({parameter.name!r})")
    if buffer := getattr(parameter.intent, "capacity", ""):
        advice = f"arg_intent='inout_ptr' for {parameter.name!r} makes it an argument that says so"
        raise Mismatch(
            IntentError, f"the room behind {buffer!r}", "an output that must hold it before the call", advice
        )
    found = storage_type(parameter)
    if isinstance(found, Array):
        advice = "Compiled code makes storage of a fixed length: pass an array with out_ptr"
        raise Mismatch(
            IntentError, f"a number as the length of {parameter.name!r}", "the name of a parameter", advice
        )
    if isinstance(found, CArray) and (count := prod(found.shape)) > MOST_COMPILED:
        raise Mismatch(
            IntentError, f"at most {MOST_COMPILED} elements in {parameter.name!r}", str(count),
            "Each is one of its own in compiled code: pass an array with out_ptr",
        )  # fmt: skip
    return found
