"""The parser has the compiler's macros of optimisation, language and target; a layout that still differs is named."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import samebytes as sb
from samebytes.toolchain.compilers import find_compiler
from samebytes.toolchain.mirrored import _MIRRORED, mirrored_macros

pytestmark = pytest.mark.optimised  # whether the compiler optimises shows in macros

# Those of all rows, and processors' of which a machine has some.
MACROS = [
    *(name for names in _MIRRORED.values() for name in names),
    "__SSE__", "__SSE2__", "__SSE4_2__", "__AVX__", "__AVX2__", "__FMA__", "__F16C__", "__BMI2__", "__AVX512F__",
    "__haswell__", "__k8__", "__POPCNT__", "__LZCNT__",
]  # fmt: skip
VALUES = ("__cplusplus", "__FINITE_MATH_ONLY__", "__PIC__", "__STDC_VERSION__")
FLAGS = [
    (),
    ("-O0",),
    ("-Ofast", "-march=haswell"),
    ("-Os", "-std=c++20", "-fopenmp"),
    ("-std=gnu++14", "-fno-rtti", "-fno-exceptions"),
]
# A field for each that is there, and for some their values: the assertions on the layout prove the parser's.
FIELDS = "\n".join(f"#ifdef {name}\nint has{name};\n#endif" for name in MACROS)
NUMBERS = "\n".join(f"#ifdef {name}\nchar is{name}[1 + {name} % 1000];\n#endif" for name in VALUES)
SIZE = "static inline int size(void) { return sizeof(struct Has); }"
SOURCE = f"struct Has {{\n{FIELDS}\n{NUMBERS}\nint last; }};\n{SIZE}\n"


def _defined(language: str, flags: tuple[str, ...]) -> set[str]:
    """What the compiler says by itself."""
    command = [
        *find_compiler(language).command,
        "-O3",
        *flags,
        "-fPIC",
        "-E",
        "-dM",
        "-x",
        language,
        "/dev/null",
    ]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {line.split()[1].partition("(")[0] for line in text.splitlines()}


def _check(language: str, flags: tuple[str, ...]) -> None:
    lib = sb.compile(SOURCE, language=language, flags=list(flags))
    assert lib.size() == sb.sizeof(lib.Has)
    standard = () if any(f.startswith("-std") for f in flags) or language == "c" else ("-std=gnu++17",)
    there = _defined(language, (*standard, *flags))
    assert {name for name in MACROS if hasattr(lib.Has, f"has{name}")} == there.intersection(MACROS)


@pytest.mark.parametrize("flags", [(), ("-Ofast", "-march=haswell")], ids=" ".join)
def test_both_have_the_same_macros(flags: tuple[str, ...]) -> None:
    _check("c++", flags)


@pytest.mark.full
@pytest.mark.parametrize("compiler", ["g++", "clang++-19", "zig"])
@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
def test_with_each_compiler(flags: tuple[str, ...], compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    language = "c++"
    if compiler == "zig":
        pytest.importorskip("ziglang", reason="zig is not installed: pip install 'samebytes[compiler]'")
        # For each other optimisation and processor zig compiles its C++ library, which takes a minute; C has none.
        language = "c" if any(flag.startswith(("-O", "-m")) for flag in flags) else "c++"
        if language == "c":  # without optimisation zig's C has sanitizers, whose library it does not link
            flags = (*(flag for flag in flags if not flag.startswith("-std")), "-fno-sanitize=undefined")
        compiler = f"{sys.executable} -m ziglang {'cc' if language == 'c' else 'c++'} -mcpu=baseline"
    elif not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("CXX" if language == "c++" else "CC", compiler)
    if "-fopenmp" in flags and not _links(compiler, "-fopenmp"):
        pytest.skip(f"{compiler} has no OpenMP library to link")
    _check(language, flags)


def _links(compiler: str, flag: str) -> bool:
    """Whether a compiler makes a library with a flag, of which it may lack what it links."""
    command = [*shlex.split(compiler), flag, "-shared", "-x", "c++", "-", "-o", os.devnull]
    return subprocess.run(command, input="", text=True, capture_output=True, check=False).returncode == 0


@pytest.mark.full
@pytest.mark.parametrize("flags", [(), ("-O0",), ("-ffast-math", "-mavx2")], ids=" ".join)
def test_in_c(flags: tuple[str, ...]) -> None:
    _check("c", flags)


def test_the_identity_stays_the_parsers() -> None:
    names = {word[2:].partition("=")[0] for word in mirrored_macros(find_compiler("c++"), ("-O3",))}
    assert "__OPTIMIZE__" in names
    assert names.isdisjoint({"__GNUC__", "__GNUC_MINOR__", "__clang__", "__clang_major__", "__VERSION__"})


CLANG = "#ifdef __clang__\n{}\n#else\n{}\n#endif\n"
DIFFERENT = {
    "another size": (
        CLANG.format("char c;", ""),
        "c++",
        ["S has a member 'c' to the parser, and none to the compiler"],
    ),
    "another place": (
        CLANG.format("long long d;", "char d;"),
        "c++",
        ["member 'd' of S has the type", "sizeof(S) is 24 to the parser and 12 to the compiler"],
    ),
    "another type": (
        CLANG.format("int e;", "float e;"),
        "c++",
        ["member 'e' of S has the type int to the parser"],
    ),
    "in C": (
        CLANG.format("int e;", "float e;"),
        "c",
        ["member 'e' of struct S has the type int to the parser"],
    ),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_a_difference_names_type_and_member(case: str) -> None:
    members, language, expected = DIFFERENT[case]
    source = f"struct S {{ int a;\n{members} int z; }};\nstatic inline int z(struct S s) {{ return s.z; }}\n"
    with pytest.raises(sb.CompileError) as caught:
        sb.compile(source, language=language)
    first, advice, *_ = str(caught.value).splitlines()
    assert all(words in first for words in expected), first
    assert "CXX=clang++" in advice


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_of_a_header_the_rest_is_bound(tmp_path: Path) -> None:
    different = CLANG.format("char c;", "")
    header = tmp_path / "differs.hpp"
    header.write_text(
        f"#pragma once\nstruct S {{ int a;\n{different} }};\nstruct Holder {{ S s; }};\nstruct Same {{ int b; }};\n"
        "inline int of_s(S s) { return s.a; }\ninline int of_holder(const Holder* h) { return h->s.a; }\n"
        "inline int of_same(Same s) { return s.b; }\n"
    )
    lib = sb.bind(header)
    assert lib.of_same(lib.Same(4)) == 4
    reasons = {s.name.partition("(")[0]: s.reason for s in lib.__skipped__}
    assert set(reasons) == {"S", "Holder", "of_s", "of_holder"}
    assert all("to the parser" in reason for reason in reasons.values())


@pytest.mark.full
def test_the_advice_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = next((c for c in ("clang++", "clang++-19", "clang++-15") if shutil.which(c)), None)
    if compiler is None:
        pytest.skip("no clang++ is installed")
    monkeypatch.setenv("CXX", compiler)
    lib = sb.compile(
        "struct S { int a;\n" + CLANG.format("char c;", "") + "}; inline int a(S s) { return s.a; }"
    )
    assert lib.a(lib.S(3, 1)) == 3


@pytest.mark.full
def test_the_compilers_own_headers_are_read(tmp_path: Path) -> None:
    """They define what is built into clang."""
    header = tmp_path / "intrinsics.hpp"
    header.write_text(
        "#pragma once\n#include <immintrin.h>\ntemplate <class T> T same(T x) { _mm_pause(); return x; }\n"
    )
    assert sb.bind(header).same(3) == 3
