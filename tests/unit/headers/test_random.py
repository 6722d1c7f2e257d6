"""Random records: g++ confirms sizes, offsets and types, and a compiled program shows where each bit-field lies."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from samebytes.model.module import Module
from samebytes.types import BOOL, Struct

pytestmark = pytest.mark.full  # it takes long

NUMBERS = [
    "bool", "char", "signed char", "unsigned short", "int", "unsigned", "long", "float", "double", "unsigned long long",
    "std::complex<float>", "const char*", "void*", "Color", "samebytes::float32x3", "samebytes::float64x4",
]  # fmt: skip
# An anonymous struct cannot hold a class with constructors.
PLAIN = [n for n in NUMBERS if n != "std::complex<float>"]
BIT_TYPES = {"bool": 1, "unsigned char": 8, "short": 16, "int": 32, "unsigned": 32, "long": 64}
COUNT = 120


def _member(pick: random.Random, number: int, earlier: list[str]) -> str:
    kind = pick.random()
    if kind < 0.25:
        type_ = pick.choice(list(BIT_TYPES))
        return f"{type_} m{number} : {pick.randint(1, BIT_TYPES[type_])};"
    if kind < 0.3:
        return f"int : {pick.randint(0, 5)};"
    if kind < 0.4 and earlier:
        return f"{pick.choice(earlier)} m{number}{pick.choice(['', '[2]'])};"
    if kind < 0.5:
        return f"struct {{ char a{number}; {pick.choice(PLAIN)} b{number}; }};"
    if kind < 0.55:
        return f"struct {{ short u; {pick.choice(NUMBERS)} v; }} m{number}{pick.choice(['', '[3]'])};"
    align = f"alignas({pick.choice([16, 32])}) " if pick.random() < 0.1 else ""
    shape = pick.choice(["", "", "", "[3]", "[2][2]"])
    return f"{align}{pick.choice(NUMBERS)} m{number}{shape};"


def _record(pick: random.Random, name: str, earlier: list[str]) -> str:
    packed = "__attribute__((packed)) " if pick.random() < 0.1 else ""
    bases = [b for b in pick.sample(earlier, min(len(earlier), 2)) if pick.random() < 0.2]
    heritage = f" : {', '.join(bases)}" if bases else ""
    number = pick.randint(1, 7)
    prefix = int(name[1:]) * 100
    members = " ".join(_member(pick, prefix + i, earlier) for i in range(number))
    return f"struct {packed}{name}{heritage} {{ char first{name}; {members} }};"


@pytest.fixture(params=[20, 21])
def header(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    pick = random.Random(request.param)
    lines = [
        "#include <complex>",
        "#include <samebytes/vector.hpp>",
        "enum class Color : short { red = -3, blue };",
    ]
    names: list[str] = []
    for i in range(COUNT):
        lines.append(_record(pick, f"R{i}", names[-20:]))
        names.append(f"R{i}")
    path = tmp_path / "random.hpp"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_layouts(header: Path, read_header: Callable[..., Module], judge: Callable[..., None]) -> None:
    module = read_header(header)
    own = [r for r in module.records if r.name.startswith("R") and "::" not in r.name]
    # Compilers disagree on packed records that hold classes; those, and what holds them, are skipped.
    skipped = [s for s in module.skipped if s.kind != "field"]
    assert len(own) + len(skipped) == COUNT
    assert all("packed" in s.reason for s in skipped)
    assert sum(r.complete for r in own) > COUNT * 0.7
    judge(module, header)


def _expected(struct: Struct, name: str) -> bytes:
    field = next(f for f in struct.fields if f.name == name)
    assert struct.fixed is not None
    assert field.offset is not None
    mask = ((1 << field.bit_width) - 1) << (8 * field.offset + field.bit_offset)
    return mask.to_bytes(struct.fixed.size, "little")


def test_bit_fields(header: Path, read_header: Callable[..., Module], include: Path, tmp_path: Path) -> None:
    records = [r for r in read_header(header).records if any(f.bit_width for f in r.fields)]
    lines = [f'#include "{header}"', "#include <cstdio>", "#include <cstring>", "int main() {"]
    for record in records:
        for field in record.fields:
            if field.bit_width:
                value = "true" if field.type == BOOL else "-1"
                lines.append(
                    f"{{ union U {{ U() {{}} {record.spelling} r; unsigned char b[sizeof({record.spelling})]; }} u;"
                    f" std::memset(u.b, 0, sizeof u.b); u.r.{field.name} = {value};"
                    f' std::printf("{record.name} {field.name} ");'
                    ' for (auto b : u.b) std::printf("%02x", b); std::printf("\\n"); }'
                )
    program = tmp_path / "bits.cpp"
    program.write_text("\n".join([*lines, "}"]))
    subprocess.run(["g++", "-w", f"-I{include}", str(program), "-o", str(tmp_path / "bits")], check=True)
    output = subprocess.run([str(tmp_path / "bits")], capture_output=True, text=True, check=True).stdout
    by_name = {r.name: r for r in records}
    shown = [line.split() for line in output.splitlines()]
    assert len(shown) > 100
    for record_name, field_name, digits in shown:
        assert bytes.fromhex(digits) == _expected(by_name[record_name], field_name), (record_name, field_name)
