"""Results that refer to containers of C++'s, of which Python gets copies: who would change one in vain is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model.signature import Signature
from ...types import VOID, Const, Target, Type, lends_elements
from ...values.copied import Place, first_copied, is_copied


def shown_copies(signatures: Sequence[Signature]) -> dict[str, Any]:
    """What finishes the calls of overloads one of which gives a container that C++ lets its callers change.

    Parameters
    ----------
    signatures : sequence of Signature
        Those of one name; what C++ gives as const beside it is shown so, too.

    Returns
    -------
    dict
        For :class:`samebytes.call.Binding`.
    """
    if not any(is_copied(_referred(signature)) for signature in signatures):
        return {}
    place = Place(f"what {signatures[0].shown_name}() gives", const=True)
    return {"finish": lambda results, arguments: first_copied(results, place)}


def _referred(signature: Signature) -> Type:
    """What a result refers to and does not say to be const; VOID of others."""
    result = signature.result
    if lends_elements(result):
        return result
    if signature.result_passing == "lvalue_ref":
        return VOID if isinstance(result, Const) else result
    if isinstance(result, Target) and not signature.result_spelling.startswith("const "):
        return result.value
    return VOID
