"""Tensors that forward-mode differentiation follows: C++ would drop their tangents, or leave them as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

torch = pytest.importorskip("torch")
forward: Any = pytest.importorskip("torch.autograd.forward_ad")

pytestmark = pytest.mark.full  # torch is imported, and traces

# What a dual tensor becomes and still is one.
FORMS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda x: x, "a part": lambda x: x[1:], "a view": lambda x: x.view(2, 2), "sum": lambda x: x + 1,
    "a row": lambda x: x.view(2, 2)[1], "a parameter": lambda x: x.reshape(1, 4),
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        """
        #include <samebytes/array.hpp>
        inline float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
        inline void twice(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
        inline float first(samebytes::array<const float, 1> a) { return a(0); }
        struct Held { const float* p; };
        """
    )


@each("form", FORMS)
def test_a_dual_tensor_is_refused(lib: Any, form: str) -> None:
    lib.sum(torch.ones(4), 4)  # which the core has met
    with forward.dual_level():
        x = FORMS[form](forward.make_dual(torch.ones(4), torch.ones(4)))
        for call in (
            lambda: lib.sum(x, 1), lambda: lib.twice(x, 1), lambda: lib.first(x.flatten()), lambda: sb.view(x),
            lambda: lib.Held(x),
        ):  # fmt: skip
            with pytest.raises(sb.Error, match=r"dual tensor .*unpack_dual\(x\).primal"):
                call()
        assert forward.unpack_dual(x).primal.flatten()[0] == 1 + (form == "sum")


def test_others_are_taken(lib: Any) -> None:
    with forward.dual_level():
        x = forward.make_dual(torch.ones(4), torch.ones(4))
        assert lib.sum(forward.unpack_dual(x).primal, 4) == 4
        plain = torch.ones(4)
        lib.twice(plain[1:], 3)
        assert plain.tolist() == [1, 2, 2, 2]
    assert lib.sum(x, 4) == 4  # the level has ended, and with it the tangent
    assert lib.sum(torch.ones(4).requires_grad_().detach(), 4) == 4


TRANSFORMS: dict[str, Callable[[Any, Any], Any]] = {
    "func.jvp": lambda f, x: torch.func.jvp(f, (x,), (x,)),
    "func.grad": lambda f, x: torch.func.grad(f)(x),
    "func.vmap": lambda f, x: torch.func.vmap(f)(x),
    "func.jacfwd": lambda f, x: torch.func.jacfwd(f)(x),
    "func.hessian": lambda f, x: torch.func.hessian(f)(x),
    "functionalize": lambda f, x: torch.func.functionalize(f)(x),
    "requires_grad": lambda f, x: f(x.clone().requires_grad_()),
    "jit.trace": lambda f, x: torch.jit.trace(f, (x,)),
    "make_fx": lambda f, x: torch.fx.experimental.proxy_tensor.make_fx(f)(x),
    "checkpoint": lambda f, x: torch.utils.checkpoint.checkpoint(
        f, x.clone().requires_grad_(), use_reentrant=False
    ),
}


@each("name, writes", [(name, writes) for name in TRANSFORMS for writes in (False, True)])
def test_every_transform_is_refused(lib: Any, name: str, writes: bool) -> None:
    import torch.fx.experimental.proxy_tensor
    import torch.utils.checkpoint

    taken = []

    def f(x: Any) -> Any:
        taken.append(lib.twice(x.reshape(-1), 1) if writes else lib.sum(x.reshape(-1), 1))
        return x.sum()

    with pytest.raises(Exception, match=r"torch|gradient|grad"):
        TRANSFORMS[name](f, torch.ones(4))
    assert not taken
