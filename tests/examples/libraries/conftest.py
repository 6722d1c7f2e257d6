"""Skips the tests of a library whose development package is not installed, and says which it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from samebytes.headers.clang.finding import locate
from samebytes.toolchain import find_compiler, system_includes


@pytest.fixture(scope="session")
def needs() -> Callable[[str, str], None]:
    """``needs(header, package)``: skip if the compiler would not find the header."""
    places = [d for language in ("c", "c++") for d in system_includes(find_compiler(language))]

    def check(header: str, package: str) -> None:
        if locate(header, places) is None:
            pytest.skip(f"<{header}> is not installed: apt install {package}")

    return check
