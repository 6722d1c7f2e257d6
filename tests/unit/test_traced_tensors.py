"""What torch and JAX trace: a call that would be dropped is refused in words, and torch.compile breaks its graph."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.errors import Error

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning"),
]

SOURCE = """
#include <cstddef>
#include <samebytes/array.hpp>
#include <vector>
using In = samebytes::array<const double, 1>;
using Out = samebytes::array<double, 1>;
double sum(In x) { double s = 0; for (std::size_t i = 0; i < x.shape[0]; ++i) s += x(i); return s; }
double sum_pointer(const double* x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
double sum_vector(std::vector<double> x) { double s = 0; for (double v : x) s += v; return s; }
double scaled(In x, double by) { return by * sum(x); }
int first(In x, int at) { return static_cast<int>(x(at)); }
void fill(Out x) { for (std::size_t i = 0; i < x.shape[0]; ++i) x(i) = static_cast<double>(i); }
struct Sum { double s; Sum(In x) : s(sum(x)) {} double add(In x) { return s += sum(x); } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def ones() -> Any:
    return torch.ones(3, dtype=torch.float64)


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "array": lambda lib, x: lib.sum(x),
    "pointer": lambda lib, x: lib.sum_pointer(x, 3),
    "vector": lambda lib, x: lib.sum_vector(x),
    "written": lambda lib, x: lib.fill(x),
    "method": lambda lib, x: lib.Sum(np.ones(2)).add(x),
    "constructor": lambda lib, x: lib.Sum(x),
    "number": lambda lib, x: lib.scaled(np.ones(2), x[0]),
    "integer": lambda lib, x: lib.first(np.ones(2), x[0]),
    "subclass": lambda lib, x: lib.sum(x.as_subclass(Subclass)),
    "view": lambda lib, x: sb.view(x),
    "Pointer": lambda lib, x: sb.Pointer(x),
    "mdspan": lambda lib, x: sb.to_host_mdspan(x, sb.float64, 1),
}


class Subclass(torch.Tensor):
    pass


def make_fx(mode: str) -> Callable[[Any], Any]:
    from torch.fx.experimental.proxy_tensor import make_fx

    return lambda f: make_fx(f, tracing_mode=mode)(ones())


def fake(function: Any) -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        return function(ones())


TRACERS: dict[str, Callable[[Any], Any]] = {
    "make_fx": make_fx("real"),
    "make_fx, fake": make_fx("fake"),
    "make_fx, symbolic": make_fx("symbolic"),
    "jit.trace": lambda f: torch.jit.trace(f, (ones(),), check_trace=False),
    "FakeTensor": fake,
    "vmap": lambda f: torch.vmap(f)(torch.ones(2, 3, dtype=torch.float64)),
    "grad": lambda f: torch.func.grad(f)(ones()),
    "jvp": lambda f: torch.func.jvp(f, (ones(),), (ones(),)),
    "functionalize": lambda f: torch.func.functionalize(f)(ones()),
    "export": lambda f: torch.export.export(Module(f), (ones(),), strict=False),
}


class Module(torch.nn.Module):
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Any) -> Any:
        return self.function(x)


FAKE = (
    "make_fx, fake",
    "make_fx, symbolic",
    "FakeTensor",
    "export",
)  # torch lets no FakeTensor be of another class


@pytest.mark.parametrize(
    ("tracer", "call"), [(t, c) for t in TRACERS for c in CALLS if (c, t in FAKE) != ("subclass", True)]
)
def test_torch_s_tracing_is_refused(lib, tracer, call):
    for learned in (False, True):
        if learned:
            CALLS["array"](lib, ones())
            CALLS["written"](lib, ones())
            sb.view(ones())

        def traced(x: Any) -> Any:
            CALLS[call](lib, x)
            return (x * 2).sum()

        with pytest.raises(Error, match=r"torch (traces|transforms) this function|torch\.jit\.trace records"):
            TRACERS[tracer](traced)


@pytest.mark.parametrize("call", ["array", "vector", "written", "view"])
def test_modes_that_only_look_on_are_none(lib, call):
    from torch.utils._python_dispatch import TorchDispatchMode

    class Looking(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func(*args, **(kwargs or {}))

    for _ in range(2):
        x = ones()
        with Looking():
            CALLS[call](lib, x)
    with torch.inference_mode(), torch.device("cpu"):
        CALLS[call](lib, ones())
    with torch.no_grad(), torch.autograd.profiler.profile():
        CALLS[call](lib, ones())


def test_numpy_s_arrays_are_none_of_torch_s_business(lib):
    seen = []
    torch.jit.trace(lambda x: (seen.append(lib.sum(np.ones(3))), x + 1)[1], (ones(),), check_trace=False)
    assert seen == [3.0]


def test_a_thread_that_traces_does_not_stop_another(lib):
    import threading

    found: list[float] = []

    def traced(x: Any) -> Any:
        other = threading.Thread(target=lambda: found.append(lib.sum(torch.ones(3, dtype=torch.float64))))
        other.start()
        other.join()
        return x + 1

    lib.sum(ones())
    torch.jit.trace(traced, (ones(),), check_trace=False)
    assert found == [3.0]


# --- JAX


@pytest.mark.parametrize("call", [c for c in CALLS if c not in ("subclass",)])
@pytest.mark.parametrize("tracer", ["jit", "grad", "vmap"])
def test_jax_s_tracers_are_refused(lib, tracer, call):
    jax = pytest.importorskip("jax")
    x = jax.numpy.ones((2, 3) if tracer == "vmap" else 3)

    def traced(x: Any) -> Any:
        CALLS[call](lib, x)
        return x.sum()

    with pytest.raises(Error, match="JAX traces this function") as raised:
        getattr(jax, tracer)(traced)(x)
    assert "item()" not in str(raised.value)


# --- torch.compile

PROGRAMS = {
    "function": "lib.fill(x)",
    "result": "y = y + lib.sum(x)",
    "constructor": "y = y + lib.Sum(x).s",
    "method": "y = y + made.add(x)",
    "view": "y = y + sb.view(x).size",
    "by name, and as a vector": "lib.fill(x=x); y = y + lib.sum_vector(x.as_subclass(Subclass))",
    "pointer object": "y = y + lib.sum_pointer(sb.Pointer(x), 3)",
    "error": """
        try:
            lib.sum("x")
        except sb.ArgumentError:
            y = y + 1
    """,
}

COMPILED = """
import warnings
import torch
import samebytes as sb

class Subclass(torch.Tensor):
    pass

lib = sb.compile(open({source!r}).read())
made = lib.Sum(__import__("numpy").ones(2))

def function(x):
    y = x * 2
    BODY
    return y * 3 + x

def fresh():
    global made
    made = lib.Sum(__import__("numpy").ones(2))
    return torch.arange(3, dtype=torch.float64)

compiled = torch.compile(function, backend="eager")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    first = compiled(fresh())  # no torch tensor has met samebytes before
expected = function(fresh())
assert torch.equal(first, expected), (first, expected)
assert torch.equal(compiled(fresh()), expected)
ours = [str(w.message) for w in said if "samebytes/" in str(w.message).replace("samebytes/include", "")]
assert not ours, ours  # Dynamo traces no frame of ours
"""


@pytest.mark.parametrize("body", PROGRAMS)
def test_torch_compile_breaks_its_graph_from_the_first_call_on(tmp_path, body):
    (tmp_path / "source.cpp").write_text(SOURCE)
    lines = textwrap.indent(textwrap.dedent(PROGRAMS[body]), "    ").strip()
    text = COMPILED.replace("{source!r}", repr(str(tmp_path / "source.cpp"))).replace("BODY", lines)
    program = tmp_path / "program.py"
    program.write_text(text)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, cwd=Path.cwd())
    assert not done.returncode, done.stderr[-3000:]


def test_a_full_graph_names_the_reason(lib):
    def function(x: Any) -> Any:
        lib.fill(x)
        return x + 1

    with pytest.raises(Exception, match=r"does not know how to trace the builtin .*fill") as raised:
        torch.compile(function, backend="eager", fullgraph=True)(ones())
    assert "custom operator" in str(raised.value)
