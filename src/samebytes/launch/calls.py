"""A launch as a call: its object is the launch, the arguments are the kernel's, the result is the driver's status."""

from __future__ import annotations

from dataclasses import replace

from .. import _native
from ..call import Binding, Candidate
from ..call.binding import Finish
from ..model.signature import Parameter, Signature
from ..types import SCALARS, VOID, Pointer, in_memory

# What the core gets before the kernel's own arguments; see native/launch/cuda.cpp.
_LAUNCH = Parameter("__launch__", Pointer(VOID), "void *")


def launched(signature: Signature, module: str, device: int, failed: Finish) -> Binding:
    """The calls of a kernel on a device; ``failed`` words a status that is not zero."""
    memory = f"cuda:{device}"
    parameters = (_in_memory(p, memory) for p in signature.parameters)
    called = replace(
        signature, kind="launch", parameters=(_LAUNCH, *parameters), result=SCALARS["int32"],
        noexcept=True,
    )  # fmt: skip
    candidate = Candidate(called, len(called.parameters), _native.LAUNCH_CUDA)
    return Binding(
        [candidate], nogil=True, module=module, reduce=(), dialect="cuda", finish=failed, checks=True
    )


def _in_memory(parameter: Parameter, memory: str) -> Parameter:
    return replace(parameter, type=in_memory(parameter.type, memory))
