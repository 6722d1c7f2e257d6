"""NVRTC as a judge of CUDA's device code, and of how a kernel receives its arguments; needs no GPU."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import CompileError
from ...toolchain.cuda import find_nvrtc
from .. import round_up
from .base import INCLUDE, Judge, Outcome

_FLAGS = ("-std=c++17", "-default-device", f"-I{INCLUDE}")
# `.param .align 16 .b8 kernel_param_1[48]` or `.param .u64 kernel_param_2`; a pointer may have `.ptr .align 1`.
_PARAMETER = re.compile(
    r"\.param (?:\.align (\d+) )?\.[bfsu](\d+) (?:\.ptr (?:\.\w+ )?\.align \d+ )?"
    r"samebytes_kernel_param_\d+(?:\[(\d+)\])?"
)


def _compile(text: str) -> Outcome:
    done = find_nvrtc().compile(text, _FLAGS)
    return Outcome(done.ok, done.log, f"NVRTC {' '.join(_FLAGS)}")


def _arguments(preamble: str, spellings: Sequence[str]) -> list[tuple[int, int]]:
    parameters = ", ".join(f"{spelling} a{i}" for i, spelling in enumerate(spellings))
    text = f'{preamble}\nextern "C" __global__ void samebytes_kernel({parameters}) {{}}\n'
    done = find_nvrtc().compile(text, _FLAGS)
    if not done.ok:
        raise CompileError(f"NVRTC refused the kernel:\n{done.log}", done.log, _FLAGS)
    end, placed = 0, []
    for align, bits, count in _PARAMETER.findall(done.ptx):
        size = int(bits) // 8 * int(count or 1)
        offset = round_up(end, int(align or size))
        placed.append((offset, size))
        end = offset + size
    return placed


# NVRTC stops at a hundred errors.
JUDGE = Judge("nvrtc", ("cuda",), lambda: find_nvrtc().version, _compile, _arguments, limit=90)
