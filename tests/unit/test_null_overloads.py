"""None among overloads is nullptr: std::nullptr_t before what nullptr converts to, as g++ chooses."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_chosen_overloads.py is the quick one

CODE = """
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>
struct P { int x; };
struct N { int way; N(std::nullptr_t) : way(3) {} N(int*) : way(1) {} };
inline int pointers(int*) { return 1; }
inline int pointers(double*) { return 2; }
inline int pointers(std::nullptr_t) { return 3; }
inline int text(const char*) { return 1; }
inline int text(decltype(nullptr)) { return 3; }
inline int untyped(void*) { return 1; }
inline int untyped(std::nullptr_t) { return 3; }
inline int record(P*) { return 1; }
inline int record(std::nullptr_t) { return 3; }
inline int function(int (*)(int)) { return 1; }
inline int function(std::nullptr_t) { return 3; }
inline int shared(std::shared_ptr<P>) { return 1; }
inline int shared(std::nullptr_t) { return 3; }
inline int optional(std::optional<int>) { return 1; }
inline int optional(std::nullptr_t) { return 3; }
inline int second(int, int*) { return 1; }
inline int second(int, std::nullptr_t) { return 3; }
struct Json { int way; Json(std::nullptr_t) : way(3) {} Json(const std::string&) : way(1) {} };
inline int vector(const std::vector<double>&) { return 1; }
inline int vector(std::nullptr_t) { return 3; }
inline int only(std::nullptr_t) { return 3; }
inline std::nullptr_t given() { return nullptr; }
struct Base { virtual ~Base() {} virtual int see(std::nullptr_t) { return 1; } int ask() { return see(nullptr); } };
inline int made(const N& n) { return n.way; }
"""
CALLS = ["pointers", "text", "untyped", "record", "function", "shared", "optional"]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, std="c++17")


def test_nullptr_is_none(lib: Any, tmp_path: Path) -> None:
    forms = [f"{name}(nullptr)" for name in CALLS] + ["second(1, nullptr)", "N(nullptr).way"]
    (tmp_path / "main.cpp").write_text(
        f'#include <cstdio>\n{CODE}\nint main() {{ for (int n : {{{", ".join(forms)}}}) std::printf("%d ", n); }}'
    )
    subprocess.run(["g++", "-std=c++17", "main.cpp", "-o", "main"], cwd=tmp_path, check=True)
    told = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    found = [getattr(lib, name)(None) for name in CALLS] + [lib.second(1, None), lib.N(None).way]
    assert found == [int(n) for n in told.split()]


def test_others_are_what_they_were(lib: Any) -> None:
    ints, doubles = np.zeros(1, np.int32), np.zeros(1)
    assert (lib.pointers(ints), lib.pointers(doubles), lib.text("a"), lib.record(lib.P(1))) == (1, 2, 1, 1)
    assert (lib.second(1, ints), lib.optional(1), lib.made(ints)) == (1, 1, 1)


@pytest.mark.parametrize(
    "given", [np.zeros(3), b"x", bytearray(3), 0, False, sb.Pointer(5), [], "x"], ids=repr
)
def test_nothing_else_is_nullptr(lib: Any, given: object) -> None:
    with pytest.raises(sb.ArgumentError, match="expected None, got"):
        lib.only(given)


def test_an_array_is_no_nullptr_among_overloads(lib: Any) -> None:
    assert lib.vector(np.zeros(2)) == 1
    assert lib.Json(b"x").way == 1
    with pytest.raises(sb.ArgumentError, match="expected None, got array"):
        lib.Json(np.zeros(3))


def test_a_nullptr_that_cpp_gives_is_none(lib: Any) -> None:
    class Mine(lib.Base):  # type: ignore[misc, name-defined]
        def see(self, given: object) -> int:
            return 5 if given is None else 6

    assert lib.given() is None
    assert Mine().ask() == 5
