"""What the core has no room for is left out with the reason, or done by Python: the rest of a library is bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tables import warns_at_first

import samebytes as sb
from samebytes import _native

MANY = ", ".join(f"int a{i}" for i in range(_native.MAX_ARGUMENTS))
SOURCE = f"""
struct alignas({1 << 21}) Wide {{ int x; }};
inline int by_value(Wide w) {{ return w.x + (reinterpret_cast<unsigned long>(&w) % alignof(Wide) != 0); }}
struct Huge {{ char bytes[1L << 31]; }};
inline int takes(Huge h) {{ return h.bytes[0]; }}
inline Huge gives() {{ return Huge(); }}
inline int many({MANY}) {{ return a0; }}
inline int plain(int x) {{ return x; }}
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning):
        return sb.compile(SOURCE)


def test_the_rest_is_bound(lib: Any) -> None:
    assert lib.plain(3) == 3


def test_alignments_are_the_compilers(lib: Any) -> None:
    assert lib.by_value(lib.Wide(7)) == 7


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "takes",
            "2147483648 bytes are passed by value, and calls pass at most 1073741823: take it by reference",
        ),
        ("gives", "its result (Huge): 2147483648 bytes are passed by value"),
        ("many", "it has 4096 parameters, and calls pass fewer than 4096"),
    ],
)
def test_what_is_too_much_is_left_out_with_the_reason(lib: Any, name: str, reason: str) -> None:
    assert not hasattr(lib, name)
    (skipped,) = [s for s in lib.__skipped__ if s.name.partition("(")[0] == name]
    assert reason in skipped.reason


def test_more_factors_than_the_core_multiplies(tmp_path: Path) -> None:
    header = tmp_path / "pool.h"
    names = [f"n{i}" for i in range(_native.MOST_FACTORS + 1)]
    parameters = ", ".join(f"long {name}" for name in names)
    header.write_text(
        "#include <stdlib.h>\n"
        f"static int grab(void** p, {parameters}) {{ *p = malloc({' * '.join(names)}); return 0; }}\n"
    )
    rows = {"grab": {"pointer": "p", "size": names, "memory": "host"}}
    lib = sb.bind(header, style="c_api", allocations=rows)
    status, block = lib.grab(*range(1, len(names) + 1))
    assert (status, block.shape) == (0, (120,))
