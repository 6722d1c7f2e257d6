"""Where a compiled kernel expects its arguments, as its compiler wrote it into the code object."""

from __future__ import annotations

import importlib
import io
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from ..errors import BindError, Error, MissingDependency
from ..frozen import frozen
from . import ptx
from .elf import OBJECT, Elf, Symbol

_AMDGPU, _CUDA = 224, 190  # e_machine: EM_AMDGPU, EM_CUDA
_AMDGPU_METADATA = 32  # NT_AMDGPU_METADATA
_KPARAM_INFO = 0x17  # EIATTR_KPARAM_INFO
_ABI_VERSION, _SECOND_VERSION = 8, 8  # the byte of the ELF header, and what it is from CUDA 13 on
_INFO = ".nv.info."  # and the kernel's name
_SIZED_VALUE = 4  # EIFMT_SVAL: two bytes of length and as many bytes follow
BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"


@frozen
class ArgumentPlace:
    """Where a kernel reads one argument.

    Attributes
    ----------
    offset, size : int
        Bytes, from the start of the block of arguments.
    name : str
        The parameter's name where the compiler kept it, else empty.
    dialect : str
        Whose kernel it is, ``"hip"`` or ``"cuda"``; empty where nothing says it.
    """

    offset: int
    size: int
    name: str = ""
    dialect: str = field(default="", compare=False)


def kernel_arguments(code: bytes | str | os.PathLike[str], kernel: str) -> tuple[ArgumentPlace, ...]:
    """Where a compiled kernel reads its arguments.

    Parameters
    ----------
    code : bytes or path
        A code object for AMD GPUs (also inside Clang's offload bundle), a CUDA cubin or PTX, whose declarations say it.
    kernel : str
        The kernel's name in the code object (mangled, unless it is ``extern "C"``).

    Returns
    -------
    tuple of ArgumentPlace
        In order; arguments that the compiler adds for itself are left out.

    Raises
    ------
    BindError
        If the code is none of these, or has no such kernel; the message lists those it has.
    MissingDependency
        If, for AMD, ``pyelftools`` and ``msgpack`` are not installed.

    Notes
    -----
    AMD: the note NT_AMDGPU_METADATA (LLVM, "User Guide for AMDGPU Backend", Code Object Metadata). CUDA:
    EIATTR_KPARAM_INFO in the section ``.nv.info.<kernel>``.
    """
    found = every_kernel(code)
    if kernel not in found:
        raise BindError(f"the code object has no kernel {kernel!r}; it has: {', '.join(found) or '(none)'}")
    return found[kernel]


def every_kernel(code: bytes | str | os.PathLike[str]) -> dict[str, tuple[ArgumentPlace, ...]]:
    """The same of every kernel of a code object, by its name there.

    Raises
    ------
    BindError, MissingDependency
        As :func:`kernel_arguments`, but for what is not there.
    """
    data = code if isinstance(code, bytes) else _content(code)
    if data.startswith(BUNDLE):
        data = _device_part(data)
    if ptx.is_ptx(data):
        declared = ptx.places(data)
        return {k: tuple(ArgumentPlace(*place, dialect="cuda") for place in p) for k, p in declared.items()}
    if not data.startswith(b"\x7fELF"):
        raise BindError(
            "kernel_arguments() takes a code object for AMD GPUs or a cubin, which are ELF files, or PTX, as bytes or "
            "by its path"
        )
    try:
        return _read(data)
    except Error:
        raise
    except Exception as error:  # of pyelftools, msgpack and struct: whichever meets the damage
        raise BindError(f"the code object is damaged: {type(error).__name__}: {error}") from error


def _read(data: bytes) -> dict[str, tuple[ArgumentPlace, ...]]:
    elf = Elf(data)
    read = _READERS.get(elf.machine)
    if read is None:
        raise BindError(f"the code object is for machine {elf.machine}, neither AMD's GPUs nor NVIDIA's")
    return read(elf)


def _content(path: str | os.PathLike[str]) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _need(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingDependency(
            f"reading a kernel's metadata needs {package}: pip install {package}"
        ) from None


def _device_part(bundle: bytes) -> bytes:
    """The first part of an offload bundle that is code for a device."""
    for _, code in bundled(bundle):
        return code
    raise BindError("the offload bundle holds no code for a device")


def bundled(bundle: bytes) -> Iterator[tuple[str, bytes]]:
    """The code for devices in an offload bundle, each behind its target."""
    (count,) = struct.unpack_from("<Q", bundle, len(BUNDLE))
    cursor = len(BUNDLE) + 8
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", bundle, cursor)
        triple = bundle[cursor + 24 : cursor + 24 + length]
        cursor += 24 + length
        if size and not triple.startswith(b"host"):
            yield triple.decode(errors="replace"), bundle[offset : offset + size]


def amdgpu_target(data: bytes) -> str:
    """For which device a code object is, as its metadata says it; empty where it does not."""
    return next((str(told.get("amdhsa.target", "")) for told in _amdgpu_notes(data)), "")


def _amdgpu_notes(data: bytes) -> Iterator[dict[str, Any]]:
    elf = _need("elftools.elf.elffile", "pyelftools").ELFFile(io.BytesIO(data))
    unpackb: Callable[[bytes], Any] = _need("msgpack", "msgpack").unpackb
    for section in elf.iter_sections("SHT_NOTE"):
        for note in section.iter_notes():
            if note["n_type"] in (_AMDGPU_METADATA, "NT_AMDGPU_METADATA"):
                yield unpackb(bytes(note["n_descdata"]))


def _amdgpu(file: Elf) -> dict[str, tuple[ArgumentPlace, ...]]:
    kernels = [kernel for told in _amdgpu_notes(bytes(file.data)) for kernel in told["amdhsa.kernels"]]
    return {kernel[".name"]: tuple(_written_arguments(kernel)) for kernel in kernels}


def _written_arguments(kernel: dict[str, Any]) -> Iterator[ArgumentPlace]:
    for argument in kernel.get(".args", ()):
        if not argument[".value_kind"].startswith("hidden_"):
            yield ArgumentPlace(argument[".offset"], argument[".size"], argument.get(".name", ""), "hip")


def code_architecture(data: bytes) -> str:
    """For which architecture a cubin or PTX is, ``sm_90``; empty where it does not say.

    Notes
    -----
    The flags of a cubin's ELF header have it in their lowest byte, or from its second version on in the next one
    (LLVM, ``BinaryFormat/ELF.h``: ``EF_CUDA_SM_MASK``).
    """
    if ptx.is_ptx(data):
        return ptx.target(data)
    if not data.startswith(b"\x7fELF") or len(data) < 52 or Elf(data).machine != _CUDA:
        return ""
    (flags,) = struct.unpack_from("<I", data, 48)
    number = flags >> 8 & 0xFF if data[_ABI_VERSION] >= _SECOND_VERSION else flags & 0xFF
    return f"sm_{number}"


# Variables of the device: zeroed, with initial values, constants. What has no name in the source begins with a $.
_VARIABLES = (".nv.global", ".nv.global.init", ".nv.constant3")


def variables(cubin: bytes) -> tuple[str, ...]:
    """The variables of the device in a cubin, by their linker's names: ``__device__`` and ``__constant__``."""
    return tuple(s.name for s in _variables(Elf(cubin)))


def variable_sizes(code: bytes) -> dict[str, int]:
    """Those of a cubin or of PTX, and their bytes; 0 in PTX, where the driver says them."""
    if ptx.is_ptx(code):
        return dict.fromkeys(ptx.variables(code), 0)
    if Elf(code).machine == _AMDGPU:
        return {s.name: s.size for s in Elf(code).symbols() if _is_amd_variable(s)}
    return {s.name: s.size for s in _variables(Elf(code))}


def _is_amd_variable(symbol: Symbol) -> bool:
    """Whether it is the source's: beside them are what describes a kernel, and what names the unit."""
    written = not (symbol.name.endswith(".kd") or symbol.name.startswith("__hip_cuid"))
    return symbol.kind == OBJECT and symbol.lies_in_section and written


def _variables(elf: Elf) -> list[Symbol]:
    return [
        s for s in elf.symbols()
        if s.kind == OBJECT and s.lies_in_section and not s.name.startswith("$")
        and elf.name(elf.sections[s.section]) in _VARIABLES
    ]  # fmt: skip


def _cuda(elf: Elf) -> dict[str, tuple[ArgumentPlace, ...]]:
    sections = ((elf.name(s), s) for s in elf.sections)
    return {
        name.removeprefix(_INFO): _kernel_info(bytes(elf.data[s.offset : s.offset + s.size]))
        for name, s in sections
        if name.startswith(_INFO)
    }


def _kernel_info(data: bytes) -> tuple[ArgumentPlace, ...]:
    places: dict[int, ArgumentPlace] = {}
    cursor = 0
    while cursor + 4 <= len(data):
        form, attribute, length = struct.unpack_from("<BBH", data, cursor)
        cursor += 4
        if form != _SIZED_VALUE:
            continue
        if attribute == _KPARAM_INFO:
            _, ordinal, offset, packed = struct.unpack_from("<IHHI", data, cursor)
            places[ordinal] = ArgumentPlace(offset, packed >> 18, dialect="cuda")
        cursor += length
    return tuple(places[ordinal] for ordinal in sorted(places))


_READERS: dict[int, Callable[[Elf], dict[str, tuple[ArgumentPlace, ...]]]] = {_AMDGPU: _amdgpu, _CUDA: _cuda}
