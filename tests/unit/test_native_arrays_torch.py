"""How the compiled core reads torch tensors."""

from __future__ import annotations

import gc
import struct
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from measure import in_use

from samebytes import _native

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning"),
]

_native.set_route(torch.Tensor, "torch")
_native.set_route(torch.nn.Parameter, "torch")

ELEMENTS = {  # name -> (DLPack type, torch dtype, bytes, alignment)
    "bool": ((6, 8, 1), torch.bool, 1, 1),
    **{f"int{8 * n}": ((0, 8 * n, 1), getattr(torch, f"int{8 * n}"), n, n) for n in (1, 2, 4, 8)},
    **{f"uint{8 * n}": ((1, 8 * n, 1), getattr(torch, f"uint{8 * n}"), n, n) for n in (1, 2, 4, 8)},
    "float16": ((2, 16, 1), torch.float16, 2, 2),
    "bfloat16": ((4, 16, 1), torch.bfloat16, 2, 2),
    "float32": ((2, 32, 1), torch.float32, 4, 4),
    "float64": ((2, 64, 1), torch.float64, 8, 8),
    "complex64": ((5, 64, 1), torch.complex64, 8, 4),
    "complex128": ((5, 128, 1), torch.complex128, 16, 8),
    "float8e4m3": ((10, 8, 1), torch.float8_e4m3fn, 1, 1),
    "float8e5m2": ((12, 8, 1), torch.float8_e5m2, 1, 1),
}


def codec(name: str = "float32", ndim: int = 1, pointer: bool = False, const: bool = False) -> _native.Codec:
    dl, _, size, align = ELEMENTS[name]
    element = _native.Codec(name, size=size, align=align)
    if pointer:
        return _native.Codec("pointer", size=8, align=8, element=element, dl=dl, const=const)
    return _native.Codec("array", size=8 + 16 * ndim, align=8, element=element, dl=dl, ndim=ndim, const=const)


def read(t: Any, c: _native.Codec) -> tuple[int, ...] | None:
    raw = c.pack(t)
    return None if raw is None else struct.unpack(f"={len(raw) // 8}q", raw)


def described(t: Any) -> tuple[int, ...]:
    return (t.data_ptr(), *t.shape, *t.stride())


@pytest.mark.parametrize("name", ELEMENTS)
def test_every_element_type(name: str) -> None:
    t = torch.zeros(6, 4, dtype=ELEMENTS[name][1])[::2, 1:]
    assert read(t, codec(name, 2)) == described(t)
    for other in ELEMENTS:
        if other != name:
            assert read(t, codec(other, 2)) is None


PLAIN: list[Callable[[], Any]] = [
    lambda: torch.zeros(5),
    lambda: torch.zeros(()),
    lambda: torch.zeros(0, 3),
    lambda: torch.zeros(4, 5).t(),
    lambda: torch.zeros(1).expand(4, 3),
    lambda: torch.zeros(2, 3, 4, 5, 2),
    lambda: torch.zeros(2, 3, 4, 5, 2, 3),
    lambda: torch.zeros((1,) * 40),
    lambda: torch.zeros(2, 3, 4, 5, 2, 3)[0],
    lambda: torch.zeros(2, 3, 4, 5, 2, 3).resize_(3, 2),
    lambda: torch.zeros(3, 2).resize_(2, 3, 4, 5, 2, 3),
    lambda: torch.zeros(9)[3:].view(2, 3),
    lambda: torch.inference_mode()(lambda: torch.zeros(3))(),
    lambda: torch.nn.Parameter(torch.zeros(3), requires_grad=False),
    lambda: torch.zeros(3, requires_grad=True).detach(),
    lambda: torch._lazy_clone(torch.zeros(3)),
    lambda: torch.zeros(3, dtype=torch.complex64).real,
    lambda: torch.from_numpy(__import__("numpy").zeros(3, "f")),
]


@pytest.mark.parametrize("make", PLAIN)
def test_plain_tensors(make: Callable[[], Any]) -> None:
    t = make()
    found = read(t, codec(ndim=t.ndim, const=True))
    assert found == described(t)
    assert read(t, codec(ndim=t.ndim)) == (
        None if 0 in t.stride() and t.numel() else found
    )  # its elements overlap
    assert _native.describe_exchange(t)[:3] == (
        t.data_ptr(),
        tuple(t.shape),
        tuple(4 * s for s in t.stride()),
    )
    assert read(t, codec(pointer=True)) == ((t.data_ptr(),) if t.is_contiguous() else None)


class Subclass(torch.Tensor):
    pass


def fake() -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        return torch.zeros(3)


REFUSED: list[Callable[[], Any]] = [
    lambda: torch.zeros(3, requires_grad=True),
    lambda: torch.nn.Parameter(torch.zeros(3)),
    lambda: torch.zeros(3, requires_grad=True) * 2,
    lambda: torch._neg_view(torch.zeros(3)),
    lambda: torch.zeros(3, dtype=torch.complex64).conj().imag,
    lambda: torch.zeros(3).to_sparse(),
    lambda: torch.eye(3).to_sparse_csr(),
    lambda: torch.zeros(3).to_mkldnn(),
    lambda: torch.zeros(3, device="meta"),
    lambda: torch.quantize_per_tensor(torch.zeros(3), 1.0, 0, torch.qint8),
    lambda: torch.nested.nested_tensor([torch.zeros(3)]),
    lambda: torch._efficientzerotensor(3),
    lambda: torch.zeros(3).as_subclass(Subclass),
    fake,
]


@pytest.mark.parametrize("make", REFUSED)
def test_refused(make: Callable[[], Any], capfd: pytest.CaptureFixture[str]) -> None:
    t = make()
    for name in ("float32", "complex64", "int8"):
        for ndim in range(3):
            assert read(t, codec(name, ndim, const=True)) is None
        assert read(t, codec(name, pointer=True, const=True)) is None
    with pytest.raises((BufferError, TypeError)):
        _native.describe_exchange(t)
    assert capfd.readouterr() == ("", "")  # torch's shim reports its exceptions there


def test_conjugate() -> None:
    t = torch.zeros(3, dtype=torch.complex64)
    assert read(t, codec("complex64")) == described(t)
    assert read(t.conj(), codec("complex64")) is None
    assert read(t.conj().resolve_conj(), codec("complex64")) is not None


@pytest.mark.parametrize("transform", ["vmap", "grad", "functionalize", "jvp"])
def test_tensors_inside_transforms(transform: str, capfd: pytest.CaptureFixture[str]) -> None:
    seen = []

    def look(t: Any) -> Any:
        seen.append((type(t), read(t, codec()), read(t, codec(ndim=2))))
        return t.sum()

    x = torch.zeros(3, 3)
    run = {
        "vmap": lambda: torch.vmap(look)(x),
        "grad": lambda: torch.func.grad(look)(x[0]),
        "functionalize": lambda: torch.func.functionalize(look)(x[0]),
        "jvp": lambda: torch.func.jvp(look, (x[0],), (x[0],)),
    }
    run[transform]()
    assert seen == [(torch.Tensor, None, None)]
    assert capfd.readouterr() == ("", "")


def test_unaligned() -> None:
    raw = torch.zeros(17, dtype=torch.uint8)
    t = torch.frombuffer(bytearray(17), dtype=torch.float32, count=2, offset=1)
    assert t.data_ptr() % 4
    assert read(t, codec()) is None
    assert read(raw[1:], codec("uint8")) is not None


def test_lazily_cloned_tensors_get_their_own_memory() -> None:
    source = torch.zeros(3)
    t = torch._lazy_clone(source)
    found = read(t, codec())
    assert found is not None
    assert found[0] == t.data_ptr() != source.data_ptr()


def test_the_shim_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(_: Any) -> bool:
        raise AssertionError

    monkeypatch.setattr(torch.Tensor, "is_neg", asked)
    assert read(torch.zeros(3), codec()) is not None


HEAD = f"""
import sys
sys.path.insert(0, {_native.__file__.rsplit("/", 2)[0]!r})
import torch
from samebytes import _native
f = _native.Codec("float32", size=4, align=4)
c = _native.Codec("array", size=24, align=8, element=f, dl=(2, 32, 1), ndim=1)
plain = torch.zeros(8)[::2]
"""

# What the setup may meet, and must neither be misled nor broken by.
SETUPS = {
    "no shim": """
del torch._C._dispatch_keys  # now nothing in a tensor can be found
_native.set_route(torch.Tensor, "torch")
assert int.from_bytes(c.pack(plain)[:8], "little") == plain.data_ptr()
assert _native.describe_exchange(plain)[:3] == (plain.data_ptr(), (4,), (8,))
for refused in (torch.zeros(3, requires_grad=True), torch._neg_view(plain), torch.zeros(3, device="meta")):
    assert c.pack(refused) is None
    try:
        _native.describe_exchange(refused)
    except (BufferError, RuntimeError):  # the second is torch's own
        continue
    raise AssertionError(refused)
torch.Tensor.is_neg = property(lambda t: 1 / 0)
assert c.pack(plain) is None
""",
    "another default device": """
torch.set_default_device("meta")
_native.set_route(torch.Tensor, "torch")
assert c.pack(torch.zeros(3)) is None
assert int.from_bytes(c.pack(plain)[:8], "little") == plain.data_ptr()
""",
    "inside a transform": """
seen = []
def look(x):
    _native.set_route(torch.Tensor, "torch")
    seen.append((c.pack(x), c.pack(torch.zeros(3)), c.pack(plain)))
    return x
torch.func.functionalize(look)(torch.zeros(3))
assert seen[0][:2] == (None, None), seen
_native.set_route(torch.Tensor, "torch")
torch.Tensor.is_neg = property(lambda t: 1 / 0)
assert int.from_bytes(c.pack(plain)[:8], "little") == plain.data_ptr()
""",
    "fake tensors": """
from torch._subclasses.fake_tensor import FakeTensorMode
with FakeTensorMode():
    _native.set_route(torch.Tensor, "torch")
    fake = torch.zeros(3)
assert c.pack(fake) is None
assert int.from_bytes(c.pack(plain)[:8], "little") == plain.data_ptr()
""",
}


@pytest.mark.parametrize("setup", SETUPS)
def test_setup(setup: str) -> None:
    code = HEAD + SETUPS[setup]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


def test_only_torchs_own_types() -> None:
    with pytest.raises(ValueError, match="neither torch"):
        _native.set_route(Subclass, "torch")
    with pytest.raises(ValueError, match="neither torch"):
        _native.set_route(list, "torch")


def test_no_references_or_memory_are_kept() -> None:
    c, good, bad = codec(), torch.zeros(3), torch.zeros(3, requires_grad=True)
    before = sys.getrefcount(good), sys.getrefcount(bad)
    for rounds in (1000, 1_000_000):
        blocks, size = in_use()
        for _ in range(rounds):
            c.pack(good)
            c.pack(bad)
    more = in_use()
    assert (more[0] - blocks < 1000, more[1] - size < 100_000) == (True, True)
    for _ in range(1000):
        _native.describe_exchange(good)
    gc.collect()
    assert (sys.getrefcount(good), sys.getrefcount(bad)) == before


def test_plain_exchange_route_gives_the_same() -> None:
    _native.set_route(torch.Tensor, "exchange")
    try:
        t = torch.zeros(4, 6)[::2]
        assert read(t, codec(ndim=2)) == described(t)
    finally:
        _native.set_route(torch.Tensor, "torch")
