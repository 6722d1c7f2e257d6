"""``int()`` and ``float()`` of objects that convert to ``bool``, alone or beside other numbers: C++'s choice."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

# The conversions of a class, and what int, float and bool give; None: refused.
ROWS: dict[str, tuple[str, int | None, float | None]] = {
    "Alone": ("operator bool() const { return true; }", 1, 1.0),
    "Explicit": ("explicit operator bool() const { return true; }", None, None),
    "WithDouble": (
        "operator bool() const { return true; } operator double() const { return 34.5; }",
        None,
        34.5,
    ),
    "WithInt": ("operator bool() const { return true; } operator int() const { return 34; }", 34, None),
    "WithExplicit": (
        "operator bool() const { return true; } explicit operator int() const { return 34; }",
        34,
        1.0,
    ),
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        "".join(
            f"struct {n} {{ {c} }}; struct {n}Held {{ ~{n}Held() {{}} {c} }}; "
            f"struct {n}Derived : {n} {{ int own = 1; }};\n"
            for n, (c, *_) in ROWS.items()
        )
    )


@each("name, kind", [(name, kind) for name in ROWS for kind in ("", "Held", "Derived")])
def test_numbers_are_those_of_cxx(lib: Any, name: str, kind: str) -> None:
    made = getattr(lib, name + kind)()
    assert bool(made) is True
    for form, due in zip((int, float), ROWS[name][1:], strict=True):
        if due is None:
            with pytest.raises(TypeError, match=r"ambiguous|no single number|real number|int\(\) argument"):
                form(made)
        else:
            assert form(made) == due
