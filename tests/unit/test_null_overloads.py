"""None among overloads is nullptr: std::nullptr_t before what nullptr converts to, as g++ chooses."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

CODE = """
#include <cstddef>
#include <memory>
#include <optional>
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
