"""Where the kernels of SPIR-V expect their arguments, as the types of its functions say it."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

from ..errors import BindError
from ..frozen import frozen

_MAGIC, _HEADER = 0x07230203, 5  # words
# Opcodes (SPIR-V specification, 3.49), each with the place of its result.
_ENTRY_POINT, _FUNCTION, _PARAMETER, _CONSTANT, _DECORATE = 15, 54, 55, 43, 71
_BOOL, _INT, _FLOAT, _VECTOR, _ARRAY, _STRUCT, _POINTER = 20, 21, 22, 23, 28, 30, 32
_TYPES = frozenset({_BOOL, _INT, _FLOAT, _VECTOR, _ARRAY, _STRUCT, _POINTER})
_KERNEL = 6  # the execution model
_WORKGROUP = 4  # a storage class
_CPACKED, _BUILT_IN, _FUNC_PARAM_ATTR, _LINKAGE = 10, 11, 38, 41  # decorations
_BY_VALUE, _IMPORT = 2, 1  # of parameters, of linkage
_ADDRESS = 8
_MARK = "__sycl_kernel_"
_FILE = b"samebytes SPIR-V\n"


@frozen
class Parameter:
    """What a kernel reads for one argument.

    Attributes
    ----------
    size : int
        Bytes; those of the object where it is one by value, of the address where it is a pointer.
    kind : str
        ``"value"``, ``"pointer"``, or ``"local"``: memory of a work-group, whose size a launch says.
    """

    size: int
    kind: str = "value"


def is_spirv(code: bytes) -> bool:
    """Whether code is SPIR-V in this machine's byte order."""
    return len(code) >= 4 * _HEADER and struct.unpack_from("<I", code)[0] == _MAGIC


def kernels(code: bytes) -> dict[str, tuple[Parameter, ...]]:
    """What each kernel of a module reads, by its name there.

    Raises
    ------
    BindError
        If it is no SPIR-V, or damaged.
    """
    return _read(code).found


def missing(code: bytes) -> list[str]:
    """The functions that a module calls and does not have.

    Raises
    ------
    BindError
        As :func:`kernels`.
    """
    return _read(code).missing


def symbol(name: str) -> str:
    """The linker's name of the function that DPC++ made a kernel of, whose first word has its mark before it."""
    mangled = re.sub(rf"(\d+){_MARK}", lambda found: str(int(found[1]) - len(_MARK)), name, count=1)
    return mangled.removeprefix(_MARK)


def packed(modules: Sequence[bytes]) -> bytes:
    """Several modules as one file."""
    return b"".join((_FILE, *(struct.pack("<Q", len(module)) + module for module in modules)))


def unpacked(data: bytes) -> tuple[bytes, ...]:
    """The modules of such a file; SPIR-V itself is one.

    Raises
    ------
    BindError
        If it is neither.
    """
    if is_spirv(data):
        return (data,)
    if not data.startswith(_FILE):
        raise BindError("the file is no SPIR-V")
    found, place = list[bytes](), len(_FILE)
    while place < len(data):
        (size,) = struct.unpack_from("<Q", data, place)
        found.append(data[place + 8 : place + 8 + size])
        place += 8 + size
    return tuple(found)


def _read(code: bytes) -> _Module:
    if not is_spirv(code):
        raise BindError("the code is no SPIR-V: it does not begin with its number")
    try:
        return _Module(code)
    except (
        KeyError,
        IndexError,
        TypeError,
        ValueError,
        RecursionError,
        struct.error,
        UnicodeDecodeError,
    ) as error:
        raise BindError(f"the SPIR-V is damaged: {type(error).__name__}: {error}") from error


class _Module:
    """The types, constants and functions of a module, by the numbers of their results."""

    def __init__(self, code: bytes) -> None:
        words = struct.unpack(f"<{len(code) // 4}I", code[: len(code) // 4 * 4])
        self.types = dict[int, tuple[int, Sequence[int]]]()
        self.constants = dict[int, int]()
        self.functions = dict[int, list[tuple[int, int]]]()  # the types and numbers of their parameters
        self.entries = dict[str, int]()
        self.decorations = set[tuple[int, int, int]]()
        self.imports, self.builtin = dict[int, str](), set[int]()
        current: list[tuple[int, int]] = []
        for opcode, operands in _instructions(words):
            if opcode in _TYPES:
                self.types[operands[0]] = opcode, operands[1:]
            elif opcode == _CONSTANT:
                self.constants[operands[1]] = operands[2]
            elif opcode == _DECORATE:
                self._decorate(*operands)
            elif opcode == _FUNCTION:
                current = self.functions.setdefault(operands[1], [])
            elif opcode == _PARAMETER:
                current.append((operands[0], operands[1]))
            elif opcode == _ENTRY_POINT and operands[0] == _KERNEL:
                self.entries[_text(operands[2:])] = operands[1]
        self.found = self._kernels()
        self.missing = [name for number, name in self.imports.items() if number not in self.builtin]

    def _decorate(self, number: int, decoration: int, *said: int) -> None:
        self.decorations.add((number, decoration, said[0] if said else 0))
        if decoration == _BUILT_IN:
            self.builtin.add(number)
        elif decoration == _LINKAGE and said[-1] == _IMPORT:
            self.imports[number] = _text(said[:-1])

    def _kernels(self) -> dict[str, tuple[Parameter, ...]]:
        return {
            name: tuple(self._parameter(*parameter) for parameter in self.functions[function])
            for name, function in self.entries.items()
        }

    def _parameter(self, type_: int, number: int) -> Parameter:
        opcode, operands = self.types[type_]
        if opcode != _POINTER:
            return Parameter(self._extent(type_)[0])
        if (number, _FUNC_PARAM_ATTR, _BY_VALUE) in self.decorations:
            return Parameter(self._extent(operands[1])[0])
        return Parameter(_ADDRESS, "local" if operands[0] == _WORKGROUP else "pointer")

    def _extent(self, type_: int) -> tuple[int, int]:
        """The size and the alignment of a type, in bytes."""
        opcode, operands = self.types[type_]
        if opcode == _BOOL:
            return 1, 1
        if opcode in (_INT, _FLOAT):
            return operands[0] // 8, operands[0] // 8
        if opcode == _POINTER:
            return _ADDRESS, _ADDRESS
        if opcode == _VECTOR:  # of three elements: the room and the alignment of four
            room = self._extent(operands[0])[0] * (4 if operands[1] == 3 else operands[1])
            return room, room
        if opcode == _ARRAY:
            size, align = self._extent(operands[0])
            return size * self.constants[operands[1]], align
        packed = (type_, _CPACKED, 0) in self.decorations
        end, widest = 0, 1
        for size, align in map(self._extent, operands):
            align = 1 if packed else align
            end, widest = -(-end // align) * align + size, max(widest, align)
        return -(-end // widest) * widest, widest


def _instructions(words: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
    place = _HEADER
    while place < len(words):
        count, opcode = words[place] >> 16, words[place] & 0xFFFF
        if not count or place + count > len(words):
            raise ValueError(f"an instruction of {count} words at word {place} of {len(words)}")
        yield opcode, words[place + 1 : place + count]
        place += count


def _text(words: Sequence[int]) -> str:
    return struct.pack(f"<{len(words)}I", *words).partition(b"\0")[0].decode()
