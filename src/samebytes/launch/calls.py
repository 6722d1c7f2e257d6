"""A launch as a call: its object is the launch, the arguments are the kernel's, the result is the driver's status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import _native
from ..call import Binding, Candidate
from ..call.binding import Finish
from ..model.signature import Parameter, Signature
from ..types import SCALARS, VOID, Pointer, in_memory

# What the core gets before the kernel's own arguments, and what it then calls; see native/launch.
_SHIMS = {"cuda": _native.LAUNCH_CUDA, "hip": _native.LAUNCH_CUDA, "sycl": _native.LAUNCH_SYCL}
_LAUNCH = Parameter("__launch__", Pointer(VOID), "void *")


def launched(
    signatures: Sequence[Signature], module: str, memory: str, failed: Finish, dialect: str = "cuda"
) -> Binding:
    """The calls of a kernel, or of the overloads of its name, on what reads a memory, ``"cuda:0"``; ``failed`` words a
    status that is not zero.

    The launch that a call is made of holds one for each of :func:`ways`, in their order.
    """
    called = [_launch(signature, memory) for signature in signatures]
    candidates = [
        Candidate(called[index], given + 1, address)
        for (index, given), address in zip(ways(signatures), _SHIMS[dialect], strict=False)
    ]
    return Binding(
        candidates, nogil=True, module=module, reduce=(), dialect=dialect, finish=failed, checks=True
    )


def ways(signatures: Sequence[Signature]) -> list[tuple[int, int]]:
    """How the overloads of a name are called: which one, and by how many arguments.

    C++ chooses among all that may be called by so many. Alone, a kernel gets its default arguments in Python.
    """
    alone = len(signatures) == 1
    return [
        (index, given)
        for index, signature in enumerate(signatures)
        for given in range(len(signature.parameters), -1, -1)
        if given == len(signature.parameters)
        or not (alone or any(p.default is None for p in signature.parameters[given:]))
    ]


def _launch(signature: Signature, memory: str) -> Signature:
    parameters = (_in_memory(p, memory) for p in signature.parameters)
    return replace(
        signature, kind="launch", parameters=(_LAUNCH, *parameters), result=SCALARS["int32"],
        noexcept=True,
    )  # fmt: skip


def _in_memory(parameter: Parameter, memory: str) -> Parameter:
    return replace(parameter, type=in_memory(parameter.type, memory))
