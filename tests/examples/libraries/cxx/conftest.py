"""C++ libraries as users take them: what Python does prints what the same program prints that g++ compiled."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from samebytes.toolchain.compilers import find_compiler

TELLING = r"""
#include <cstdio>
#include <string>
#include <type_traits>
template <class T> void tell(const T& x) {
  if constexpr (std::is_floating_point_v<T>) std::printf("%.17g\n", (double)x);
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) std::printf("%lld\n", (long long)x);
  else std::printf("%s\n", std::string(x).c_str());
}
"""
Agree = Callable[..., None]


@pytest.fixture
def agree(tmp_path: Path) -> Agree:
    """``agree(values, program, *flags)``: the program, which runs in ``tmp_path``, tells the same values."""

    def check(values: list[Any], program: str, *flags: str) -> None:
        (tmp_path / "program.cpp").write_text(TELLING + program)
        command = [*find_compiler("c++").command, "-std=gnu++17", "-w", "program.cpp", "-o", "program"]
        subprocess.run([*command, *flags], cwd=tmp_path, check=True)
        ran = subprocess.run(["./program"], cwd=tmp_path, check=True, capture_output=True, text=True)
        assert list(map(_line, values)) == ran.stdout.splitlines()

    return check


def _line(value: object) -> str:
    """A value as ``tell`` prints it."""
    if isinstance(value, float):
        return f"{value:.17g}"
    return str(int(value)) if isinstance(value, int) else str(value)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What cannot be bound of them is no news."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore::samebytes.BindWarning"))
