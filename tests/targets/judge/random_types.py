# ruff: noqa: E501  (a row of a table, or of C++, is a line)
"""Random types of random programs: how C++ declares, folds, reads and writes each, and Python's values of it.

A value is the list of its atoms: the bytes of each number in it, in C++'s order. The stream of a program is all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import ml_dtypes
import numpy as np

import samebytes as sb

# What every program has: ``get`` reads the program's stream, ``put`` writes bytes that follow from a seed.
PRELUDE = """
typedef unsigned long long Digest;
D Digest mix(Digest h, Digest v) {
  h = (h ^ v) * 1099511628211ull;
  return h ^ (h >> 31);
}
template <int N> D Digest mixed(Digest h, const void* p) {
  for (int i = 0; i < N; i += 8) {
    Digest v = 0;
    COPY(&v, (const char*)p + i, N - i < 8 ? N - i : 8);
    h = mix(h, v);
  }
  return h;
}
D Digest next(Digest& s) { return s = s * 6364136223846793005ull + 1442695040888963407ull; }
template <int N, int E> D void put(void* p, Digest& s) {
  for (int i = 0; i < N; ++i) {
    unsigned char v = (unsigned char)(next(s) >> 40);
    if (E && i % (E ? E : 1) == E - 1) v &= 0x3f;
    ((unsigned char*)p)[i] = v;
  }
}
"""
READER = """
#include <cstdio>
#include <cstring>
#include <vector>
static const unsigned char* at;
static void take(void* p, int n) { std::memcpy(p, at, n); at += n; }
template <class T> T taken() { T v; take(&v, sizeof v); return v; }
static void hex(const void* p, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) std::printf("%02x", ((const unsigned char*)p)[i]);
}
static void shown(const void* p, std::size_t n) { std::printf(" x"), hex(p, n); }
template <class T> T* room(std::size_t n) {
  void* p = nullptr;
  if (posix_memalign(&p, 64, n * sizeof(T) + 64)) std::abort();
  std::memset(p, 0xa5, n * sizeof(T) + 64);
  return (T*)p;
}
"""


@dataclass(frozen=True)
class Type:
    """A type; ``tags`` say which targets lack it."""

    spelled: str
    tags: frozenset[str] = frozenset()

    def fold(self, x: str) -> str:
        raise NotImplementedError

    def put(self, x: str) -> str:
        raise NotImplementedError

    def get(self, x: str) -> str:
        raise NotImplementedError

    def draw(self, pick: Random) -> list[bytes]:
        raise NotImplementedError

    def build(self, atoms: Iterator[bytes], lib: Any, form: str = "py") -> Any:
        """A Python value; ``form``: ``"py"``, ``"np"``, ``"tuple"``."""
        raise NotImplementedError

    def dtype(self, lib: Any) -> np.dtype[Any]:
        raise NotImplementedError

    @property
    def described(self) -> bool:
        """Whether NumPy has a type that lies so."""
        return True


def _patterns(dtype: np.dtype[Any]) -> list[int]:
    """Bits at and near the limits, of a number that is no complex."""
    bits = 8 * dtype.itemsize
    top, ones = 1 << (bits - 1), (1 << bits) - 1
    if dtype.kind in "iu":
        return [0, 1, 2, ones, ones - 1, top, top - 1, top + 1, 1 << (bits // 2)]
    info = ml_dtypes.finfo(dtype)
    small = [np.array(info.max, dtype), np.array(info.tiny, dtype), np.array(1, dtype), np.array(1.5, dtype)]
    known = [int.from_bytes(x.tobytes(), "little") for x in small]
    nan = int.from_bytes(np.array(np.nan, dtype).tobytes(), "little")
    some = [0, top, 1, top | 1, *known, known[0] | top, nan, nan | 1, nan | top, ones]
    if bits >= 16:
        infinity = int.from_bytes(np.array(np.inf, dtype).tobytes(), "little")
        some += [infinity, infinity | top, infinity | 5, nan | 0x2A]  # a signalling NaN, too
    return some


@dataclass(frozen=True)
class Plain(Type):
    """A type without padding: a number, a complex, a vector: ``count`` numbers of a format."""

    format: str = ""
    count: int = 1
    vector: str = ""

    @cached_property
    def number(self) -> np.dtype[Any]:
        return np.dtype(getattr(ml_dtypes, self.format, None) or self.format)

    @property
    def size(self) -> int:
        return self.number.itemsize * self.count

    def fold(self, x: str) -> str:
        return f"h = mixed<{self.size}>(h, &{x});"

    def put(self, x: str) -> str:
        if self.format == "?":
            return f"{x} = next(s) >> 40 & 1;"
        float_size = (
            0 if self.number.kind in "iu" else self.number.itemsize // (1 + (self.number.kind == "c"))
        )
        return f"put<{self.size}, {float_size}>(&{x}, s);"

    def get(self, x: str) -> str:
        return f"take(&{x}, {self.size});"

    def draw(self, pick: Random) -> list[bytes]:
        return [b"".join(self._number(pick) for _ in range(self.count))]

    def _number(self, pick: Random) -> bytes:
        dtype = self.number
        if dtype.kind == "b":
            return bytes([pick.randrange(2)])
        if dtype.kind == "c":
            part = Plain("", format=f"f{dtype.itemsize // 2}")
            return part._number(pick) + part._number(pick)
        bits = 8 * dtype.itemsize
        value = pick.choice(_patterns(dtype)) if pick.random() < 0.5 else pick.getrandbits(bits)
        return value.to_bytes(dtype.itemsize, "little")

    def dtype(self, lib: Any) -> np.dtype[Any]:
        return np.dtype(getattr(sb, self.vector).__numpy_dtype__) if self.vector else self.number

    def build(self, atoms: Iterator[bytes], lib: Any, form: str = "py") -> Any:
        data = next(atoms)
        if self.vector:
            return getattr(sb, self.vector)(*np.frombuffer(data, self.number))
        scalar = np.frombuffer(data, self.number)[0]
        return scalar if form == "np" else plain(scalar)


def plain(scalar: Any) -> Any:
    """A number of Python's with the same bits; NumPy's own where Python has none."""
    dtype = scalar.dtype
    if dtype.itemsize <= 2 and dtype.kind not in "biu" and not np.isfinite(float(scalar)):
        return scalar  # a conversion of Python's number makes CUDA's NaN of it, or the largest number
    value = complex(scalar) if dtype.kind == "c" else scalar.item() if dtype.kind in "biu" else float(scalar)
    return value if np.array(value).astype(dtype).tobytes() == scalar.tobytes() else scalar


@dataclass(frozen=True)
class Enum(Type):
    """An enumeration; ``values`` are its enumerators."""

    format: str = ""
    values: tuple[int, ...] = ()
    declared: str = ""

    def fold(self, x: str) -> str:
        return f"h = mixed<{np.dtype(self.format).itemsize}>(h, &{x});"

    def put(self, x: str) -> str:
        n = len(self.values)
        chosen = "".join(f"k == {i} ? {self.spelled}::e{i} : " for i in range(n - 1))
        return f"{{ const int k = (int)((next(s) >> 40) % {n}); {x} = {chosen}{self.spelled}::e{n - 1}; }}"

    def get(self, x: str) -> str:
        return f"take(&{x}, {np.dtype(self.format).itemsize});"

    def draw(self, pick: Random) -> list[bytes]:
        return [np.array(pick.choice(self.values), self.format).tobytes()]

    def build(self, atoms: Iterator[bytes], lib: Any, form: str = "py") -> Any:
        scalar = np.frombuffer(next(atoms), self.format)[0]
        if form == "np":
            return scalar
        return getattr(lib, self.spelled)(scalar.item())

    def dtype(self, lib: Any) -> np.dtype[Any]:
        return np.dtype(self.format)


@dataclass(frozen=True)
class Member:
    """A member: ``shape`` is its extents, ``bits`` the width of a bit-field, ``initial`` its initial value."""

    name: str
    type: Type
    shape: tuple[int, ...] = ()
    bits: int = 0
    initial: str = ""

    @property
    def declared(self) -> str:
        extents = "".join(f"[{n}]" for n in self.shape)
        width = f" : {self.bits}" * bool(self.bits)
        return f"{self.type.spelled} {self.name}{extents}{width}{self.initial};"

    def each(self, what: str, x: str) -> str:
        """``fold``, ``put`` or ``get`` of all of it."""
        place = f"{x}.{self.name}"
        if self.bits:
            is_bool = self.type.spelled == "bool"
            return {
                "fold": f"h = mix(h, (Digest)(long long){place});",
                "put": f"{place} = ({self.type.spelled})(next(s) >> 40{' & 1' * is_bool});",
                "get": f"{place} = ({self.type.spelled})(taken<long long>(){' & 1' * is_bool});",
            }[what]
        loops = "".join(f"for (int i{d} = 0; i{d} < {n}; ++i{d}) " for d, n in enumerate(self.shape))
        element = place + "".join(f"[i{d}]" for d in range(len(self.shape)))
        return f"{loops}{{ {getattr(self.type, what)(element)} }}"

    def draw(self, pick: Random) -> list[bytes]:
        if self.bits:
            low, high = self.limits
            value = pick.choice([low, high, 0, pick.randint(low, high)])
            return [value.to_bytes(8, "little", signed=True)]
        return [a for _ in range(int(np.prod(self.shape, dtype=int))) for a in self.type.draw(pick)]

    @property
    def limits(self) -> tuple[int, int]:
        assert isinstance(self.type, Plain)
        if self.type.number.kind == "i":
            return -(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1
        return 0, (1 << self.bits) - 1

    def build(self, atoms: Iterator[bytes], lib: Any, form: str) -> Any:
        if self.bits:
            value = int.from_bytes(next(atoms), "little", signed=True)
            return bool(value) if self.type.spelled == "bool" else value

        def part(shape: tuple[int, ...]) -> Any:
            if not shape:
                return self.type.build(atoms, lib, form)
            return [part(shape[1:]) for _ in range(shape[0])]

        return part(self.shape)


@dataclass(frozen=True)
class Struct(Type):
    """A struct or a union: of a union one member counts."""

    members: tuple[Member, ...] = ()
    head: str = "struct"
    tail: tuple[Member, ...] = ()  # the other members of a union

    @property
    def counting(self) -> tuple[Member, ...]:
        return self.members

    @cached_property
    def declared(self) -> str:
        name = self.spelled
        every = " ".join(m.declared for m in (*self.members, *self.tail))
        bodies = "".join(
            f"{mark} void {what}_{name}({const}{name}& x{more}) {{ {' '.join(m.each(what, 'x') for m in self.members)} }}\n"
            for what, mark, const, more in (
                ("fold", "D", "const ", ", Digest& h"),
                ("put", "D", "", ", Digest& s"),
            )
        )
        return f"{self.head} {name} {{ {every} }};\n{bodies}"

    @property
    def reader(self) -> str:
        return f"static void get_{self.spelled}({self.spelled}& x) {{ {' '.join(m.each('get', 'x') for m in self.members)} }}\n"

    def fold(self, x: str) -> str:
        return f"fold_{self.spelled}({x}, h);"

    def put(self, x: str) -> str:
        return f"put_{self.spelled}({x}, s);"

    def get(self, x: str) -> str:
        return f"get_{self.spelled}({x});"

    def draw(self, pick: Random) -> list[bytes]:
        return [a for m in self.members for a in m.draw(pick)]

    def build(self, atoms: Iterator[bytes], lib: Any, form: str = "py") -> Any:
        given = {m.name: m.build(atoms, lib, form) for m in self.members}
        if form == "tuple":
            return tuple(given.values())
        return getattr(lib, self.spelled)(**given)

    def dtype(self, lib: Any) -> np.dtype[Any]:
        return np.dtype(getattr(lib, self.spelled).dtype)

    @property
    def described(self) -> bool:
        return all(not m.bits and m.type.described for m in self.members)


def _t(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBERS = tuple(
    Plain(spelled, _t(tags), format_)
    for spelled, format_, tags in (
        ("bool", "?", ""), ("char", "i1", ""), ("signed char", "i1", ""), ("unsigned char", "u1", ""), ("short", "i2", ""),
        ("unsigned short", "u2", ""), ("int", "i4", ""), ("unsigned", "u4", ""), ("long", "i8", ""),
        ("unsigned long", "u8", ""), ("long long", "i8", ""), ("unsigned long long", "u8", ""), ("float", "f4", ""),
        ("double", "f8", ""), ("wchar_t", "i4", ""), ("char16_t", "u2", ""), ("char32_t", "u4", ""), ("HALF", "f2", ""),
        ("BF16", "bfloat16", ""), ("E4M3", "float8_e4m3fn", "fp8"), ("E5M2", "float8_e5m2", "fp8"),
        ("STD::complex<float>", "c8", "complex"), ("STD::complex<double>", "c16", "complex"),
    )
)  # fmt: skip
_ELEMENTS = {
    "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
    "float16": "f2", "bfloat16": "bfloat16", "float8e4m3": "float8_e4m3fn", "float8e5m2": "float8_e5m2", "float32": "f4",
    "float64": "f8",
}  # fmt: skip


def _vector_tags(element: str, n: int) -> frozenset[str]:
    """Where the bytes of an array of it are not the host's, it has a tag."""
    tags = {"fp8"} if element.startswith("float8") else set()
    for dialect in ("hip", "sycl"):
        ours, theirs = (sb.layout(getattr(sb, f"{element}x{n}"), d) for d in ("cxx", dialect))
        if (ours.size, ours.align) != (theirs.size, theirs.align):
            tags.add(f"other layout in {dialect}")
    return frozenset(tags)


VECTORS = tuple(
    Plain(f"V_{e}x{n}", _vector_tags(e, n), f, n, f"{e}x{n}") for e, f in _ELEMENTS.items() for n in (2, 3, 4)
)
BIT_BASES = tuple(
    n for n in NUMBERS if n.spelled in ("bool", "unsigned char", "short", "int", "unsigned", "long long")
)
UNDERLYING = tuple(
    n for n in NUMBERS if n.number.kind in "iu" and not n.spelled.startswith(("wchar", "char1", "char3"))
)


def enumeration(pick: Random, name: str) -> Enum:
    base = pick.choice(UNDERLYING)
    info = np.iinfo(base.format)
    values = tuple(dict.fromkeys((0, int(info.min), int(info.max), pick.randint(1, 100))))
    suffix = "ull" if base.number.kind == "u" else "ll"
    listed = ", ".join(
        f"e{i} = ({base.spelled}){f'(-{-(v + 1)}ll - 1)' if v < 0 else f'{v}{suffix}'}"
        for i, v in enumerate(values)
    )
    return Enum(
        name, frozenset(), base.format, values, f"enum class {name} : {base.spelled} {{ {listed} }};\n"
    )


def _initial(type_: Type, pick: Random) -> str:
    if isinstance(type_, Plain) and type_.number.kind in "iuf" and type_.count == 1 and type_.format != "f2":
        return f" = {pick.randint(1, 99)}"
    return ""


def record(pick: Random, name: str, parts: list[Type], *, initial: bool) -> Struct:
    """A random struct; of it may be made what ``parts`` has."""
    members: list[Member] = []
    for i in range(pick.randint(1, 6)):
        chance = pick.random()
        if chance < 0.2:
            base = pick.choice(BIT_BASES)
            width = pick.randint(1, 1 if base.spelled == "bool" else 8 * base.size)
            members.append(Member(f"m{i}", base, (), width))
            continue
        type_ = pick.choice(parts) if chance < 0.45 else pick.choice(NUMBERS)
        shape = pick.choice([(), (), (), (3,), (2, 2), (1,)])
        members.append(
            Member(f"m{i}", type_, shape, 0, "" if shape or not initial else _initial(type_, pick))
        )
    head = pick.choice(
        ["struct"] * 7 + ["struct alignas(16)", "struct alignas(32)", "struct __attribute__((packed))"]
    )
    if "packed" in head:  # a reference to a member that is misaligned is no C++
        members = [
            m for m in members if isinstance(m.type, Plain) and m.type.spelled[0].islower() and not m.bits
        ] or [Member("m0", NUMBERS[6])]
    tags = frozenset().union(*(m.type.tags for m in members))
    if "complex" in tags:  # of libcu++, whose alignment is its size
        tags |= {"other layout in cuda"}
    if "packed" in head:  # HIP's compiler places one by value otherwise, and the whole library is refused
        tags |= {"other layout in hip"}
    return Struct(name, tags, tuple(members), head)


def union(pick: Random, name: str) -> Struct:
    """A random union, whose first member counts; it is as large as any."""
    numbers = [n for n in NUMBERS if n.number.kind in "iuf" and not n.tags and n.spelled[0].islower()]
    first, other = pick.choice(numbers), pick.choice(numbers)
    if other.size > first.size:
        first, other = other, first
    return Struct(name, _t("union"), (Member("m0", first),), "union", (Member("m1", other),))
