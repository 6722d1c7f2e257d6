"""What C++ code can do with structs of numbers and pointers is told without asking clang, and is what g++ says."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from samebytes.make.model_data import encode
from samebytes.model.module import Module
from samebytes.read import header as reader
from samebytes.read.questions.questions import Questions
from samebytes.read.records import records
from samebytes.read.records.bytes_alone import is_bytes_alone

Read = Callable[..., Module]

BEFORE = """
enum Color { red, green };
enum class Sized : short { low };
typedef int three[3];
namespace n { struct In { int i; }; using Own = unsigned long; }
struct Other { Other(int); int x; };
struct Moves { Moves(Moves&&) = default; int x; };
constexpr int many = 4;
"""
# The body of a struct, and whether its members alone say all.
TOLD = [
    "int a; double b; float c[3];", "unsigned char bytes[2][3]; bool yes; wchar_t w; char16_t u;", "Color c; Sized s;",
    "n::In in; n::In more[2]; n::Own o;",
    "void* p; const char* text; int* const* q; S* self;", "three t; long double d;",
    "int* __restrict p;",
]  # fmt: skip
ASKED = [
    "int a = 3;", "int a{};", "float c[2] = {1, 2};", "three t = {1};", 'char text[4] = "abc";', "int* p = nullptr;",
    "int* p = 0;", "n::In in = {1};", "Color c = green;", "const int a;",
    "const int a[2];", "const three t;", "volatile int v;", "volatile int v[2][2];", "const Color c[2][2];", "int& r;",
    "int low : 3; int high : 5;", "S() {} int a;", "S() = default; int a;", "S() = delete; int a;", "int a; ~S() {}",
    "S(const S&) = delete; int a;", "S& operator=(const S&) = delete; int a;",
    "private: int a;", "int a; private: int b;",
    "Other o;", "Moves m;", "int a; virtual void f() {}", "int a; int f() const { return a; }",
    "union { int i; float f; };",
    "struct Inner { int i; } inner;", "int a; static int b;", "int a; S(int);", "explicit S(int); int a = 1; int b;",
    "int grid[many];", "double (S::*member)(); int a;", "alignas(16) int a;", "",
]  # fmt: skip
TRAITS = """
#include <type_traits>
static_assert(std::is_copy_constructible<S>::value, ""); static_assert(std::is_destructible<S>::value, "");
static_assert(!std::is_abstract<S>::value, ""); static_assert(std::is_trivially_default_constructible<S>::value, "");
static_assert(!std::has_virtual_destructor<S>::value, ""); static_assert(!std::is_polymorphic<S>::value, "");
#if __cplusplus >= 201703L
static_assert(std::is_aggregate<S>::value, "");
#endif
"""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """What the reader says of each struct by its members."""
    found: dict[str, bool] = {}

    def watch(type_: Any, known: dict[str, bool]) -> bool:
        found[type_.spelling] = answer = is_bytes_alone(type_, known)
        return answer

    monkeypatch.setattr(records, "is_bytes_alone", watch)
    return found


def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []
    ask = Questions.ask

    def watch(self: Questions, form: str, *spellings: str) -> int | None:
        texts.append(f"{form} {' '.join(spellings)}")
        return ask(self, form, *spellings)

    monkeypatch.setattr(Questions, "ask", watch)
    return texts


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++17", "c++20"])
@pytest.mark.parametrize("body", TOLD)
def test_the_compiler_says_the_same(
    body: str, standard: str, read: Read, told: dict[str, bool], tmp_path: Path
) -> None:
    source = f"{BEFORE}struct S {{ {body} }};\n"
    read(source, flags=(f"-std={standard}",))
    assert told["S"]
    path = tmp_path / "proof.cpp"
    path.write_text(source + TRAITS)
    command = ["g++", f"-std={standard}", "-fsyntax-only", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("body", ASKED)
def test_of_all_others_clang_is_asked(
    body: str, read: Read, told: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = asked(monkeypatch)
    read(f"{BEFORE}struct S {{ {body} }};\ninline int f() {{ return 1; }}\n", flags=("-std=c++17",))
    assert not told.get("S")
    assert ("traits S" in texts) == ("S" in told)


def test_the_model_is_the_one_that_clang_tells(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = [body.replace("S", "T") for body in (*TOLD, *ASKED)]
    source = BEFORE + "".join(
        f"namespace x{i} {{ struct T {{ {body} }}; inline int f(const T&) {{ return 1; }} }}\n"
        for i, body in enumerate(bodies)
    )
    by_members = encode(read(source))
    monkeypatch.setattr(records, "is_bytes_alone", lambda type_, known: False)
    assert encode(read(source)) == by_members


def test_a_header_of_them_is_read_once(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    times = []
    reading = reader.Reading
    monkeypatch.setattr(
        reader, "Reading", lambda *given, **named: times.append(1) or reading(*given, **named)
    )
    module = read(
        "".join(
            f"struct S{i} {{ int a; float b[2]; }}; inline int f{i}(S{i} s) {{ return s.a; }}\n"
            for i in range(3)
        )
    )
    assert len(module.records) == len(module.functions) == 3
    assert len(times) == 1
