"""Outputs that a rule takes for one value: what lies behind them stays as it is, or the call is an error."""

from __future__ import annotations

from typing import NoReturn

from ..errors import IntentError
from ..model.signature import Parameter, Signature
from .introspection import overrun_text


def refuse_overrun(signature: Signature, parameter: Parameter) -> NoReturn:
    """Raise the error for an output that C wrote behind."""
    raise IntentError(overrun_text(signature, parameter))
