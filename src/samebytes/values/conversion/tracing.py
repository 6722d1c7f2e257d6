"""What stands for an array while a library traces or transforms a function: C++ cannot take part unseen."""

from __future__ import annotations

import sys
from typing import Any

from ...errors import OVERWHELMED, module_of

_TORCH_MODES = ("PROXY", "FAKE", "FUNCTIONAL")  # those that record operators; others only look on

_DROPPED = "the call would run now, or not at all, and be missing from what is recorded"
_OPERATOR = "torch.library.custom_op makes an operator of a function that calls it"


def foreign_attribute(obj: Any, name: str, default: Any = None) -> Any:
    """An attribute of a foreign object; what its code raises says that there is none."""
    try:
        return getattr(obj, name, default)
    except OVERWHELMED:
        raise
    except Exception:
        return default


def speaks(obj: Any, *names: str) -> bool:
    """Whether an object has one of the attributes, be it one whose code raises."""
    for name in names:
        try:
            getattr(obj, name)
        except AttributeError:
            continue
        except OVERWHELMED:
            raise
        except Exception:
            return True
        return True
    return False


def tracing_words(obj: Any) -> str:
    """Why an object has no numbers that C++ could use: it belongs to a function that is traced; empty: it does not."""
    return _torch_words(obj) or _jax_words(obj)


def _torch_words(obj: Any) -> str:
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(obj, foreign_attribute(torch, "Tensor", ())):
        return ""
    if _is_wrapped(torch, obj):
        return (
            "torch transforms this function (vmap, grad, jvp …), and the tensor stands for others: "
            f"{_DROPPED}. {_OPERATOR}, with register_vmap and register_autograd"
        )
    if foreign_attribute(torch._C, "_is_tracing", bool)():
        return f"torch.jit.trace records this function: {_DROPPED}. {_OPERATOR}"
    if _has_tangent(torch, obj):
        return (
            "a torch dual tensor (forward_ad, jvp): C++ would drop its tangent, or leave it as it was. Pass "
            "unpack_dual(x).primal, or make a torch.autograd.Function with a jvp()"
        )
    if _is_fake(obj) or _records(torch):
        return f"torch traces this function (make_fx, export, FakeTensor …): {_DROPPED}. {_OPERATOR}"
    return ""


def _is_wrapped(torch: Any, obj: Any) -> bool:
    functorch = foreign_attribute(torch._C, "_functorch")
    question = foreign_attribute(functorch, "is_functorch_wrapped_tensor")
    return question is not None and bool(question(obj))


def _has_tangent(torch: Any, obj: Any) -> bool:
    """Whether forward-mode differentiation is on and follows the tensor."""
    forward = foreign_attribute(foreign_attribute(torch, "autograd"), "forward_ad")
    if foreign_attribute(forward, "_current_level", -1) < 0:
        return False
    return forward.unpack_dual(obj).tangent is not None


def _is_fake(obj: Any) -> bool:
    names = {"FakeTensor", "FunctionalTensor"}
    return any(base.__name__ in names and module_of(base).startswith("torch.") for base in type(obj).__mro__)


def _records(torch: Any) -> bool:
    """Whether one of torch's own modes that record operators is on in this thread."""
    keys, mode = (
        foreign_attribute(torch._C, "_TorchDispatchModeKey"),
        foreign_attribute(torch._C, "_get_dispatch_mode"),
    )
    if keys is None or mode is None:
        return False
    return any(mode(getattr(keys, name)) is not None for name in _TORCH_MODES if hasattr(keys, name))


def _jax_words(obj: Any) -> str:
    if not any(base.__name__ == "Tracer" and module_of(base).startswith("jax") for base in type(obj).__mro__):
        return ""
    return (
        f"JAX traces this function (jit, grad, vmap …), and the tracer stands for values to come: {_DROPPED}. "
        "jax.pure_callback(function, result, x) makes the call a part of it"
    )
