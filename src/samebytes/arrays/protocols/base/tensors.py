"""What must be asked of an object before its memory is shown: whether it is traced, and what torch leaves pending."""

from __future__ import annotations

from typing import Any

from .... import _native
from ....errors import OVERWHELMED, ProtocolError, module_of
from ....values.conversion.tracing import tracing_words

# What torch marks by a bit that not every protocol's description carries: the numbers would be others.
_PENDING = {
    "is_neg": "a torch tensor whose negation is still pending; call .resolve_neg() first",
    "is_conj": "a torch tensor whose conjugation is still pending; call .resolve_conj() first",
}

_met: set[type] = set()  # torch.Tensor, once the core knows where its tensors keep what they are


def refuse_unready(obj: Any) -> None:
    """Refuse what has no numbers yet, or others than its memory.

    Raises
    ------
    ProtocolError
    """
    if words := tracing_words(obj):
        raise ProtocolError(words)
    tensor = _torch_class(type(obj))
    if tensor is None:
        return
    for question, words in _PENDING.items():
        if _asked(obj, question):
            raise ProtocolError(words)
    _refuse_freed(obj, tensor)
    if tensor not in _met:  # of several threads each waits until its tensors can be looked at again
        _native.meet_torch(tensor)
        _met.add(tensor)


def _refuse_freed(obj: Any, tensor: Any) -> None:
    """Refuse a tensor whose storage was freed or made shorter, as ``untyped_storage().resize_(0)`` does."""
    if type(obj).__dlpack__ is not tensor.__dlpack__:  # it may show other memory than its own
        return
    try:
        if str(obj.layout) != "torch.strided" or not obj.numel():
            return
        steps = (
            int(stride) * (int(extent) - 1) for extent, stride in zip(obj.shape, obj.stride(), strict=True)
        )
        needed = (int(obj.storage_offset()) + sum(steps) + 1) * obj.element_size()
        there = int(obj.untyped_storage().nbytes())
    except OVERWHELMED:
        raise
    except Exception as error:
        raise ProtocolError(f"{type(obj).__qualname__} does not say where it lies: {error}") from error
    if there < needed:
        raise ProtocolError(
            f"a torch tensor that needs {needed} bytes of a storage of {there}: it was freed or made shorter"
        )


def _torch_class(cls: type) -> Any:
    """torch.Tensor, where a class is derived from it."""
    for base in cls.__mro__:
        if module_of(base).partition(".")[0] == "torch" and base.__name__ == "Tensor":
            return base
    return None


def _asked(obj: Any, question: str) -> bool:
    """A subclass may answer by any code."""
    try:
        return bool(getattr(obj, question)())
    except OVERWHELMED:
        raise
    except Exception as error:
        raise ProtocolError(f"{type(obj).__qualname__}.{question}() failed: {error}") from error
