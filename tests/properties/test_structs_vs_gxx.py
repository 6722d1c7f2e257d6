"""Random structs: Python and the compiler agree on every offset, and on every value in both directions."""

import ctypes
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest

import samebytes
from samebytes.layouts.dialects import declare, layout
from samebytes.toolchain.compilers import find_compiler
from samebytes.types import (
    ELEMENTS,
    SCALARS,
    CArray,
    Extent,
    Field,
    Scalar,
    Struct,
    Vector,
    as_type,
)
from samebytes.values.conversion import pack, unpack
from samebytes.values.record import record_class
from samebytes.values.struct import struct

BATCH = 110
INCLUDE = Path(samebytes.__file__).parent / "include"
STORAGE_ONLY = ("float16", "bfloat16", "float8e4m3", "float8e5m2")


class Generator:
    """Random struct classes, and random values for them with their C++ spelling."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.count = 0

    def struct(self, depth=0):
        hints = {f"f{i}": self.hint(depth) for i in range(self.random.randint(1, 6))}
        name = f"S{self.seed}_{self.count}"
        self.count += 1
        made = type(name, (), {"__annotations__": hints, "__module__": __name__})
        align = self.random.choice([None, None, None, 4, 8, 16, 32, 64])
        return struct(align=align)(made) if align else struct(made)

    def hint(self, depth):
        kind = self.random.choice("nnnvva" + "s" * (depth < 2))
        if kind == "n":
            return SCALARS[self.random.choice(list(SCALARS))]
        if kind == "v":
            return Vector(SCALARS[self.random.choice(ELEMENTS)], self.random.randint(1, 4))
        if kind == "a":
            shape = tuple(self.random.randint(1, 3) for _ in range(self.random.randint(1, 2)))
            inner = self.hint(depth + 1)
            return CArray(as_type(inner), shape)
        return self.struct(depth + 1)

    def value(self, type_, path):
        """A Python value, and `(C++ expression, C++ value)` for each number in it."""
        if isinstance(type_, Scalar):
            return self.number(type_, path)
        if isinstance(type_, Vector):
            parts = [self.number(type_.element, f"{path}.{c}") for c in "xyzw"[: type_.size]]
        elif isinstance(type_, Struct):
            parts = [self.value(f.type, f"{path}.{f.name}") for f in type_.fields]
        else:
            return self.carray(type_, type_.shape, path)
        return tuple(v for v, _ in parts), [leaf for _, leaves in parts for leaf in leaves]

    def carray(self, type_, shape, path):
        if not shape:
            return self.value(type_.element, path)
        parts = [self.carray(type_, shape[1:], f"{path}[{i}]") for i in range(shape[0])]
        return tuple(v for v, _ in parts), [leaf for _, leaves in parts for leaf in leaves]

    def number(self, type_, path):
        if type_.kind == "bool":
            value = self.random.random() < 0.5
            return value, [(path, str(value).lower())]
        if type_.kind in ("int", "uint"):
            info = np.iinfo(type_.numpy)
            value = self.random.choice([int(info.min), int(info.max), self.random.randint(-100, 100) % 127])
            suffix = "ull" if value > 2**63 - 1 else "ll"
            text = f"(-{-value - 1}ll - 1)" if value < 0 else f"{value}{suffix}"
            return value, [(path, text)]
        if type_.kind == "complex":
            re, im = self.random.randint(-64, 64) / 4, self.random.randint(-64, 64) / 4
            return complex(re, im), [(path, f"{{{re}f, {im}f}}")]
        value = self.random.randint(-8, 8) / 4
        if type_.name in STORAGE_ONLY:
            # The oracle of the bits is NumPy's and ml_dtypes' own conversion.
            bits = int(np.array(value, type_.dtype).view(f"u{type_.size}"))
            return value, [(f"{path}.bits", str(bits))]
        return value, [(path, f"{value}f")]


def plain(value):
    """Structs and vectors as tuples, numbers as Python's."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if hasattr(type(value), "__samebytes_type__"):
        return tuple(map(plain, value))
    return value.item() if isinstance(value, np.generic) and hasattr(value, "item") else value


def compile_library(text, folder):
    source, library = folder / "batch.cpp", folder / "batch.so"
    source.write_text(text)
    command = [*find_compiler("c++").command, "-std=c++17", "-O0", "-shared", "-fPIC", "-I", str(INCLUDE)]
    done = subprocess.run(
        [*command, str(source), "-o", str(library)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:4000]
    return ctypes.CDLL(str(library))


def functions(index, name, leaves):
    """C++ that fills one struct, and C++ that reads it and returns the first wrong leaf's number, or 0."""
    writes = "".join(f"  s.{path[1:]} = {text};\n" for path, text in leaves)
    checks = "".join(
        f"  {{ auto want = s.{path[1:]}; want = {text}; if (s.{path[1:]} != want) return {i + 1}; }}\n"
        for i, (path, text) in enumerate(leaves)
    )
    return (
        f'extern "C" void write_{index}(void* p) {{ auto& s = *static_cast<{name}*>(p);\n{writes}}}\n'
        f'extern "C" int check_{index}(const void* p) {{ const auto& s = *static_cast<const {name}*>(p);\n'
        f"{checks}  return 0; }}\n"
    )


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3))])
def test_random_structs(seed, tmp_path):
    generator = Generator(seed)
    classes = [generator.struct() for _ in range(BATCH)]
    values = [generator.value(as_type(c), "") for c in classes]
    everything = Struct("All", tuple(Field(f"s{i}", as_type(c)) for i, c in enumerate(classes)))
    text = declare(everything) + "".join(
        functions(i, c.__name__, leaves)
        for i, (c, (_, leaves)) in enumerate(zip(classes, values, strict=True))
    )
    library = compile_library(text, tmp_path)  # the declarations prove size, alignment, offsets and types
    for index, (cls, (value, leaves)) in enumerate(zip(classes, values, strict=True)):
        size, align = layout(cls).size, layout(cls).align
        for packed in (pack(value, cls), bytes(memoryview(cls(*value)))):
            room = _aligned(size, align)
            room[:] = np.frombuffer(packed, np.uint8)
            wrong = library[f"check_{index}"](ctypes.c_void_p(room.ctypes.data))
            assert wrong == 0, (cls, leaves[wrong - 1])
        room = _aligned(size, align)
        library[f"write_{index}"](ctypes.c_void_p(room.ctypes.data))
        assert plain(unpack(room, cls)) == value
        assert cls.__samebytes_from_buffer__(room) == cls(*value)


def _aligned(size, align):
    room = np.zeros(size + align, np.uint8)
    start = -room.ctypes.data % align
    return room[start : start + size]


# --- bit-fields: only the compiler knows their place, so it is asked, and then both sides must agree ---

BITS = [
    [("int8", 3), ("int8", 5), ("uint8", 8)],
    [("uint32", 1), ("int32", 31), ("uint32", 17), ("uint32", 16)],
    [("int64", 40), ("uint64", 24), ("int16", 9), ("bool", 1)],
    [("uint16", 3), ("uint32", 30), ("int32", 5), ("uint8", 7)],
    [("int32", 12), ("int64", 50), ("uint64", 64)],
]


def _bit_text(index, fields):
    spelled = {n: SCALARS[n].name if n == "bool" else f"std::{n}_t" for n, _ in fields}
    members = "".join(f"  {spelled[n]} f{i} : {w};\n" for i, (n, w) in enumerate(fields))
    probes = "".join(
        f'extern "C" void probe_{index}_{i}(B{index}* p) {{ p->f{i} = static_cast<{spelled[n]}>(-1); }}\n'
        f'extern "C" void set_{index}_{i}(B{index}* p, long long v) {{ p->f{i} = static_cast<{spelled[n]}>(v); }}\n'
        f'extern "C" long long get_{index}_{i}(const B{index}* p) {{ return static_cast<long long>(p->f{i}); }}\n'
        for i, (n, _) in enumerate(fields)
    )
    return (
        f"struct B{index} {{\n{members}}};\n{probes}"
        f'extern "C" int size_{index}() {{ return sizeof(B{index}); }}\n'
        f'extern "C" int align_{index}() {{ return alignof(B{index}); }}\n'
    )


def _bit_class(library, index, fields):
    extent = Extent(library[f"size_{index}"](), library[f"align_{index}"]())
    placed = []
    for i, (name, width) in enumerate(fields):
        room = ctypes.create_string_buffer(extent.size)
        library[f"probe_{index}_{i}"](room)
        bits = int.from_bytes(room.raw, "little")
        first = (bits & -bits).bit_length() - 1
        assert bits >> first == (1 << width) - 1
        unit = 8 * SCALARS[name].size
        placed.append(Field(f"f{i}", SCALARS[name], first // unit * SCALARS[name].size, first % unit, width))
    return record_class(Struct(f"B{index}", tuple(placed), fixed=extent), "test")


def test_bit_fields(tmp_path):
    text = "#include <cstdint>\n" + "".join(_bit_text(i, f) for i, f in enumerate(BITS))
    library = compile_library(text, tmp_path)
    generator = random.Random(0)
    for index, fields in enumerate(BITS):
        cls = _bit_class(library, index, fields)
        for _ in range(20):
            values = []
            for name, width in fields:
                signed = SCALARS[name].kind == "int"
                low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
                number = generator.choice([low, high, generator.randint(low, high)])
                values.append(bool(number) if name == "bool" else number)
            made = cls(*values)
            assert tuple(made) == tuple(values)
            assert cls(**dict(zip(cls.__match_args__, values, strict=True))) == made
            there = cls()
            for i, value in enumerate(values):
                get = library[f"get_{index}_{i}"]
                get.restype = ctypes.c_longlong
                data = (ctypes.c_char * len(memoryview(made))).from_buffer(made)
                assert get(data) == (value if value < 2**63 else value - 2**64)
                room = (ctypes.c_char * len(memoryview(there))).from_buffer(there)
                library[f"set_{index}_{i}"](
                    room, ctypes.c_longlong(value if value < 2**63 else value - 2**64)
                )
            assert there == made
            for i, value in enumerate(values):
                setattr(there, f"f{i}", value)
            assert there == made
