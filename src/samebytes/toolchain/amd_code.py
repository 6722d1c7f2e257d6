"""Code for AMD's devices as files hold it: code objects, and Clang's bundles of several."""

from __future__ import annotations

import re
import struct

from ..errors import BindError
from .kernel_metadata import BUNDLE, amdgpu_target, bundled

_AMDGPU, _MACHINE = 224, 18  # EM_AMDGPU, and where e_machine lies in an ELF header
_COMPRESSED = b"CCOB"  # of Clang's compressed bundles
_NAME = re.compile(r"gfx[0-9a-f]{3,5}")


def is_amd_code(data: bytes) -> bool:
    """Whether a file's first bytes are those of code for AMD's devices."""
    if data.startswith((BUNDLE, _COMPRESSED)):
        return True
    is_elf = data.startswith(b"\x7fELF") and len(data) >= _MACHINE + 2
    return is_elf and struct.unpack_from("<H", data, _MACHINE)[0] == _AMDGPU


def amd_code(data: bytes) -> dict[str, bytes]:
    """The code objects in a file, by their architectures, ``gfx90a``; none where it holds no such code.

    Raises
    ------
    BindError
        If it is a compressed bundle.
    """
    if data.startswith(_COMPRESSED):
        raise BindError("the bundle is compressed: clang-offload-bundler --unbundle writes what is in it")
    if not is_amd_code(data):
        return {}
    parts = bundled(data) if data.startswith(BUNDLE) else [(amdgpu_target(data), data)]
    found = ((_NAME.search(triple), code) for triple, code in parts)
    return {name[0]: code for name, code in found if name}
