"""Random C++ structs, bit-fields and complex numbers included, are proven by the compiler in one build."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

import samebytes as sb
from samebytes.emit.base import report
from samebytes.emit.shims import GENERATORS
from samebytes.make import builder, builds
from samebytes.make.request import Request
from samebytes.toolchain.compilers import find_compiler
from samebytes.toolchain.driver import CompileCommand, build_library
from samebytes.types import SCALARS, Extent

pytestmark = pytest.mark.full  # it takes long

COUNT = 320
NUMBERS = (
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "std::complex<float>",
    "std::complex<double>",
    "samebytes::float32x3",
    "samebytes::float32x4",
    "samebytes::int16x2",
    "Small",
    "Wide",
    "void*",
    "double*",
)
BITS = (
    ("unsigned", 32),
    ("int", 32),
    ("unsigned char", 8),
    ("long", 64),
    ("bool", 1),
    ("unsigned short", 16),
)
PRELUDE = """#include <complex>
#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
enum Small { small_a, small_b = 7 };
enum class Wide : long { a = -1, b = 1L << 40 };
"""


def member(rng: random.Random, name: str, earlier: list[str]) -> str:
    if rng.random() < 0.2:
        kind, widest = rng.choice(BITS)
        return f"{kind} {name} : {rng.randint(1, widest)};"
    kind = rng.choice(earlier) if earlier and rng.random() < 0.2 else rng.choice(NUMBERS)
    natural = kind in NUMBERS  # of a struct, the alignment may be stricter than what is asked for
    align = f"alignas({2 ** rng.randint(4, 6)}) " if natural and rng.random() < 0.08 else ""
    extents = "".join(f"[{rng.randint(1, 3)}]" for _ in range(rng.choice((0, 0, 0, 1, 2))))
    return f"{align}{kind} {name}{extents};"


def source(seed: int, count: int = COUNT) -> str:
    rng = random.Random(seed)
    depth: dict[str, int] = {}
    text = [PRELUDE, "namespace r {"]
    for i in range(count):
        shallow = [n for n, d in depth.items() if d < 3]
        name = f"S{i}"
        members = [
            member(rng, f"m{j}", rng.sample(shallow, min(3, len(shallow)))) for j in range(rng.randint(1, 8))
        ]
        base = f" : {rng.choice(shallow)}" if shallow and rng.random() < 0.05 else ""
        if base:
            members = [m.replace(" m", " d") for m in members]
        align = "alignas(64) " if rng.random() < 0.05 else ""  # never below a member's own
        text.append(f"struct {align}{name}{base} {{ {' '.join(members)} }};")
        used = [n for n in shallow if any(f" {n} " in f" {m} " for m in members) or base.endswith(n)]
        depth[name] = 1 + max((depth[n] for n in used), default=0)
        text.append(f"inline {name} back{i}({name} x) {{ return x; }}")
    return "\n".join([*text, "}"])


@pytest.fixture(scope="module")
def lib():
    return sb.compile(source(1), name="random")


def test_all_are_bound_and_proven(lib):
    """Building has asserted size, alignment, offsets and types; loading has probed every bit-field."""
    records = [s for s in lib.__model__.records if s.name.startswith("r::S")]
    assert len(records) == COUNT
    assert sum(bool(f.bit_width) for s in records for f in s.fields) > 100
    assert sum("complex" in f.spelling for s in records for f in s.fields) > 50
    assert not lib.__skipped__


def test_bytes_pass_through_unchanged(lib):
    rng = np.random.default_rng(1)
    for i in range(COUNT):
        cls = getattr(lib.r, f"S{i}")
        record = cls()
        noise = rng.integers(0, 2, memoryview(record).nbytes, dtype="u1")  # 0 and 1 are valid for bool, too
        np.frombuffer(record, "u1")[:] = noise
        back = getattr(lib.r, f"back{i}")(record)
        for field in cls.__samebytes_type__.fields:
            assert repr(getattr(back, field.name)) == repr(getattr(record, field.name)), (i, field.name)


LIES = {
    "offset": lambda s: replace(
        s, fields=(replace(s.fields[0], offset=s.fields[0].offset + 1), *s.fields[1:])
    ),
    "size": lambda s: replace(s, fixed=Extent(s.fixed.size + 8, s.fixed.align)),
    "align": lambda s: replace(s, fixed=Extent(s.fixed.size, s.fixed.align * 2)),
    "type": lambda s: replace(s, fields=(replace(s.fields[0], spelling="float"), *s.fields[1:])),
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    work = tmp_path_factory.mktemp("honest")
    text = "struct T { int a; double b; unsigned c : 3; unsigned d : 5; }; inline T f(T t, long n = 1) { return t; }"
    request = Request(name="t", source=text, language="c++")
    (work / "source.cpp").write_text(text)
    return request, builds.build(request).module, work


def emit_and_build(honest, module):
    _, _, work = honest
    shims = work / "shims.cpp"
    shims.write_text(GENERATORS["c++"].emit(module, '#include "source.cpp"'))
    flags = ("-std=gnu++17", "-Wno-invalid-offsetof", "-w")
    (work / "report.cpp").write_text(report())
    units = [CompileCommand(file, find_compiler(), flags) for file in (shims, work / "report.cpp")]
    build_library(units, work / "x.so", linker=find_compiler())


def test_the_truth_builds(honest):
    emit_and_build(honest, honest[1])


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_a_struct_does_not_build(honest, lie):
    module = honest[1]
    with pytest.raises(sb.CompileError, match="Python assumes"):
        emit_and_build(honest, replace(module, records=(LIES[lie](module.records[0]),)))


@pytest.mark.parametrize("spelling", ["int", "unsigned long", "long long", "const long &"])
def test_a_lie_about_a_parameter_does_not_build(honest, spelling):
    module = honest[1]
    function = module.functions[0]
    parameters = (function.parameters[0], replace(function.parameters[1], spelling=spelling))
    with pytest.raises(sb.CompileError):
        emit_and_build(honest, replace(module, functions=(replace(function, parameters=parameters),)))


def test_a_lie_about_a_bit_field_does_not_load(monkeypatch):
    text = "struct B { unsigned c : 3; unsigned d : 5; }; inline unsigned f(B b) { return b.d; }"
    real = builder.read_header

    def lying(*args, **kwargs):
        module = real(*args, **kwargs)
        record = module.records[0]
        fields = (record.fields[0], replace(record.fields[1], bit_offset=4))
        return replace(module, records=(replace(record, fields=fields),))

    assert sb.compile(text, name="true").f((1, 9)) == 9
    monkeypatch.setattr(builder, "read_header", lying)
    with pytest.raises(sb.LayoutError, match=r"B\.d"):
        sb.compile(text, name="lie")


def test_the_kinds_are_all_known():
    assert SCALARS["complex64"].size == 8
