"""DLPack: the protocol that most array libraries share (versioned and legacy capsules)."""

from __future__ import annotations

from typing import Any

from .. import _native
from ..errors import ProtocolError
from ..view import ArrayView, Device, c_strides
from .base import Protocol, Refused, dlpack_type

MAX_VERSION = (1, 3)

# Immutable arrays whose producer never gives a versioned capsule, so that no read-only flag travels.
_IMMUTABLE = frozenset({"jax", "jaxlib"})


def is_immutable(cls: type) -> bool:
    """Whether objects of this class are read-only although their capsule cannot say so."""
    return cls.__module__.partition(".")[0] in _IMMUTABLE


def _capsule(obj: Any) -> Any:
    try:
        return obj.__dlpack__(max_version=MAX_VERSION)
    except TypeError:
        return obj.__dlpack__()  # a producer from before DLPack 1.0


def _refuse_lazy_sign(obj: Any) -> None:
    """torch marks a negated view by a bit that its capsule does not carry: the numbers would have the wrong sign."""
    is_neg = getattr(obj, "is_neg", None)
    if type(obj).__module__.partition(".")[0] == "torch" and is_neg is not None and is_neg():
        raise ProtocolError("a torch tensor whose negation is still pending; call .resolve_neg() first")


def describe(obj: Any) -> ArrayView:
    """The view of a DLPack producer; its deleter runs when the view dies."""
    _refuse_lazy_sign(obj)
    try:
        capsule = _capsule(obj)
    except (BufferError, NotImplementedError) as error:
        raise Refused(str(error)) from error
    except Exception as error:
        raise ProtocolError(f"{type(obj).__qualname__}.__dlpack__() failed: {error}") from error
    address, shape, strides, dtype, itemsize, device, device_id, readonly, owner = _native.describe_dlpack(
        capsule
    )
    kind, words = dlpack_type(*dtype)
    return ArrayView(
        kind, words, address, shape, c_strides(shape, itemsize) if strides is None else strides, itemsize,
        Device(device, device_id), readonly or is_immutable(type(obj)), "DLPack", (owner, obj),
    )  # fmt: skip


# Exact classes whose objects the native core may read by a shorter way that is known to say the same.
_ROUTES: dict[tuple[str, str], tuple[str, bool]] = {
    ("torch", "Tensor"): ("torch", False),
    ("torch", "Parameter"): ("torch", False),
    ("jaxlib", "ArrayImpl"): ("buffer", True),
}


def _route(cls: type) -> tuple[str, bool] | None:
    return _ROUTES.get((cls.__module__.partition(".")[0], cls.__qualname__))


PROTOCOL = Protocol("DLPack", 10, lambda cls: hasattr(cls, "__dlpack__"), describe, _route)
