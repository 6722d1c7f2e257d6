"""Where a compiler puts random structs: as arguments and results of callbacks, and as further arguments."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest

import samebytes as sb
from samebytes import _native
from samebytes.layouts.processors import processor

pytestmark = pytest.mark.skipif(
    processor() is None or not _native.CLOSURES, reason="no file describes this processor"
)
COUNT = 32
NUMBERS = ("char", "short", "int", "long", *("float", "double") * 3, "unsigned char", "const void*")
INTEGERS = ("unsigned char", "unsigned short", "unsigned", "unsigned long")
BITS = {"unsigned char": 8, "unsigned short": 16, "unsigned": 32, "unsigned long": 64}


@dataclass(frozen=True)
class Made:
    """A random struct or union: its definition, and those that it needs."""

    name: str
    text: str
    inner: tuple[Made, ...] = ()

    def definitions(self) -> str:
        return "".join(part.definitions() for part in self.inner) + self.text


def random_type(dice: random.Random, name: str, depth: int = 0) -> Made:
    """Numbers, arrays, bit-fields and structs inside, packed or aligned, as a struct or a union."""
    members, inner = [], []
    for number in range(dice.randrange(1, 4)):
        kind = dice.choice(["number"] * 5 + ["bits"] * 2 + ["array"] + ["struct"] * 2)
        if kind == "bits":
            type_ = dice.choice(INTEGERS)
            # One byte into a struct lies the bit-field by which two rules once differed.
            members.append(f"{type_} m{number} : {dice.randrange(1, BITS[type_] + 1)};")
        elif kind == "array":
            members.append(f"{dice.choice(NUMBERS[:-1])} m{number}[{dice.randrange(1, 4)}];")
        elif kind == "struct" and depth < 2:
            made = random_type(dice, f"{name}_{number}", depth + 1)
            inner.append(made)
            members.append(f"{made.name} m{number};")
        else:
            members.append(f"{dice.choice(NUMBERS)} m{number};")
    packed = "__attribute__((packed)) " if dice.random() < 0.15 else ""
    aligned = "alignas(16) " if dice.random() < 0.1 and not packed else ""
    word = "union" if dice.random() < 0.2 else "struct"
    return Made(name, f"{word} {packed}{aligned}{name} {{ {' '.join(members)} }};\n", tuple(inner))


TYPES = [random_type(random.Random(number), f"T{number}") for number in range(COUNT)]
# What stands before and behind each value, so that registers run out at each place.
AROUND = [
    ("", ""),
    ("int", "double"),
    ("long, long, long, long, long", "long"),
    ("double, " * 7 + "double", "double"),
]

ROOM = 256  # bytes: more than any of the types has
SOURCE = """#include <cstring>
#include <cstdarg>
static unsigned char noted[256];
template <class T> T of(unsigned seed) {
  T t; unsigned char b[sizeof(T)];
  for (unsigned i = 0; i < sizeof(T); ++i) b[i] = (unsigned char)(seed + 37 * i);
  std::memcpy(&t, b, sizeof t);
  return t;
}
inline unsigned char noted_at(int i) { return noted[i]; }
"""


def source() -> str:
    parts = [SOURCE]
    for number, made in enumerate(TYPES):
        name = made.name
        parts.append(made.definitions())
        parts.append(f"inline {name} make{number}(unsigned seed) {{ return of<{name}>(seed); }}\n")
        for place, (before, behind) in enumerate(AROUND):
            counts = [len(side.split(",")) if side else 0 for side in (before, behind)]
            types = ", ".join(part for part in (before, name, behind, name) if part)
            values = [
                *map(str, range(1, counts[0] + 1)),
                f"of<{name}>(3)",
                *(["9"] * counts[1]),
                f"of<{name}>(5)",
            ]
            parts.append(
                f"inline {name} pass{number}_{place}({name} (*f)({types})) {{ return f({', '.join(values)}); }}\n"
            )
        parts.append(
            f"inline int further{number}(int n, ...) {{ va_list l; va_start(l, n); double d = 0;\n"
            f"  for (int i = 0; i < n; ++i) d = va_arg(l, double);\n"
            f"  {name} t = va_arg(l, {name}); std::memcpy(noted, &t, sizeof t); va_end(l);\n"
            f"  return sizeof t; }}\n"
        )
    return "".join(parts)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(source(), name="processors")


@pytest.mark.parametrize("place", range(len(AROUND)))
@pytest.mark.parametrize("number", range(COUNT))
def test_a_callback_gets_and_gives_each_value(lib: Any, number: int, place: int) -> None:
    """Members are compared, as padding crosses or does not: those of C's own objects against those that arrived."""
    first, second, back = (getattr(lib, f"make{number}")(seed) for seed in (3, 5, 11))
    seen: list[Any] = []

    def call(*args: Any) -> Any:
        seen.extend(args)
        return back

    found = getattr(lib, f"pass{number}_{place}")(call)
    before, behind = (len(side.split(",")) if side else 0 for side in AROUND[place])
    assert seen[:before] == [*range(1, before + 1)]
    assert seen[before + 1 : -1] == [9] * behind
    for arrived, due in ((seen[before], first), (seen[-1], second), (found, back)):
        assert members(arrived) == members(due)


@pytest.mark.parametrize("reals", [0, 8, 9])
@pytest.mark.parametrize("number", range(COUNT))
def test_a_further_argument_is_where_c_reads_it(lib: Any, number: int, reals: int) -> None:
    value = getattr(lib, f"make{number}")(7)
    function = getattr(lib, f"further{number}")
    try:
        size = function(reals, *[0.5] * reals, value.value)
    except sb.ArgumentError as error:
        assert "is not defined: pass its parts" in str(error)  # noqa: PT017
        return
    assert size <= ROOM
    arrived = bytes(lib.noted_at(i) for i in range(size))
    assert members(sb.unpack(arrived, type(value))) == members(value)


def members(value: Any) -> Any:
    """What Python sees of a record, in depth."""
    fields = getattr(type(value), "__match_args__", None)
    if not isinstance(value, _native.Record | _native.Value):
        return value.tobytes() if hasattr(value, "tobytes") else repr(value)
    return [members(getattr(value, name)) for name in fields or ()]
