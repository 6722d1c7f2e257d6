"""Machines without g++: the ziglang wheel alone, and Clang with LLVM's library; what the README shows works there."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from samebytes.toolchain.compilers import named_compiler

HERE = Path(__file__).parent
README = HERE.parents[1] / "README.md"
_SYSTEM = ("c++", "g++", "clang++", "cc", "gcc", "clang", "ld", "as")


@pytest.fixture(scope="module", params=["zig", "libc++"])
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a machine whose only C++ library is LLVM's."""
    plain = {k: v for k, v in os.environ.items() if k not in ("CXX", "CC")}
    cache = str(tmp_path_factory.mktemp("cache"))
    if request.param == "libc++":
        if not shutil.which("clang++-19") or not Path("/usr/lib/llvm-19/include/c++/v1/string").exists():
            pytest.skip("Clang's C++ library is not installed: apt install clang-19 libc++-19-dev")
        return {**plain, "CXX": "clang++-19 -stdlib=libc++", "CC": "clang-19", "SAMEBYTES_CACHE_DIR": cache}
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("zig is not installed: pip install 'samebytes[compiler]'")
    path = tmp_path_factory.mktemp("bin")
    for name in ("env", "sh"):
        (path / name).symlink_to(shutil.which(name) or "")
    assert not any(shutil.which(name, path=str(path)) for name in _SYSTEM)
    return {**plain, "PATH": str(path), "SAMEBYTES_CACHE_DIR": cache}


def _run(machine: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env=machine, capture_output=True, text=True, check=False
    )


@pytest.mark.full
def test_each_type_of_the_standard_library_crosses(machine: dict[str, str]) -> None:
    # Both have LLVM's library; zig, which compiles it first, is asked about every tenth type.
    done = _run(machine, str(HERE / "standard_types.py"), "1" if "CXX" in machine else "10")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "sizes 242424\n"  # LLVM's, not GNU's 482432


@pytest.mark.full
def test_the_readme_runs(machine: dict[str, str], tmp_path: Path) -> None:
    # Its Python without the words around it, which test_documents.py keeps as empty lines for tracebacks.
    parts = [part.partition("```")[0] for part in README.read_text().split("```python\n")[1:]]
    (tmp_path / "readme.py").write_text("\n".join(parts))
    done = _run(machine, str(tmp_path / "readme.py"))
    assert done.returncode == 0, done.stderr


@pytest.mark.full
def test_the_doctor_tells_the_truth(machine: dict[str, str]) -> None:
    done = _run({**machine, "COLUMNS": "200"}, "-m", "samebytes", "doctor")
    lines = {line.split("│")[1].strip(): line for line in done.stdout.splitlines() if line.count("│") > 2}
    assert "clang version" in lines["C++ compiler"]
    assert ("zig" in lines["C++ compiler"]) == ("CXX" not in machine)
    assert ("apt install g++" in lines["g++"]) == ("CXX" not in machine)
    assert done.returncode == 0


@pytest.mark.full
def test_words_of_newer_compilers_mean_the_same(tmp_path: Path) -> None:
    """What the parser is told for LLVM's builtins, against the builtins, at every width."""
    from samebytes.read.clang.libcxx import _NEWER

    clang = named_compiler(("clang++-19",), "c++", "") if shutil.which("clang++-19") else None
    if clang is None:
        pytest.skip("Clang 19 is not installed: apt install clang-19")
    lines = ["#include <cstdint>", "struct B { B(int); }; struct N { N(int) noexcept; };"]
    for word, meaning in _NEWER.items():
        lines.append(f"#define ours{word} {meaning}")
    for kind in ("unsigned char", "unsigned short", "unsigned", "unsigned long", "unsigned __int128"):
        bits = f"(8 * (int)sizeof({kind}))"
        for value in ("0", "1", "6", "128", "(~0)", f"(({kind})1 << ({bits} - 1))"):
            x = f"(({kind}){value})"
            lines += [
                f"static_assert(ours__builtin_{w}g({x}, 77) == __builtin_{w}g({x}, 77));"
                for w in ("clz", "ctz")
            ]
            lines.append(f"static_assert(ours__builtin_popcountg({x}) == __builtin_popcountg({x}));")
    for pair in ("int, long", "int, B", "int, N", "void, void", "int, void", "B, int", "int*, const int*"):
        lines.append(
            f"static_assert(ours__is_nothrow_convertible({pair}) == __is_nothrow_convertible({pair}));"
        )
    source = tmp_path / "words.cpp"
    source.write_text("\n".join(lines))
    done = subprocess.run(
        [*clang.command, "-std=c++17", "-fsyntax-only", "-w", str(source)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
