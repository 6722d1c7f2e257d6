"""Names that Python reads otherwise than C++ (NFKC): each is found as source text writes it."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # a class that Python derives is built

MICRO, OHM, LIGATURE = "\u00b5", "\u2126", "\ufb01t"


@pytest.fixture(scope="module")
def lib() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return sb.compile(
            f"""
            struct Lens {{ double {MICRO} = 1; virtual ~Lens() {{}} double seen() const {{ return {MICRO}; }}
              virtual double {MICRO}r() {{ return 2; }} double asked() {{ return {MICRO}r(); }} }};
            struct Gas {{ double {MICRO} = 1, {OHM} = 2; static double {LIGATURE}() {{ return 5; }} }};
            inline double {MICRO}(double x) {{ return x; }}
            inline double half(double {MICRO}) {{ return {MICRO} / 2; }}
            inline int {LIGATURE}() {{ return 7; }}
            inline int {OHM}_count = 3;
            constexpr int {MICRO}_max = 9;
            enum class Unit {{ {MICRO}, {OHM} }};
            namespace {LIGATURE}s {{ inline int one() {{ return 1; }} }}
            """
        )


# Python's source text, as Python reads it, and what it gives.
ROWS = [
    (f"lib.{MICRO}(3.0)", 3), (f"getattr(lib, '{MICRO}')(3.0)", 3), (f"lib.Gas().{MICRO}", 1), (f"lib.Gas().{OHM}", 2),
    (f"lib.Gas({MICRO}=4.0).{MICRO}", 4), (f"lib.half({MICRO}=4.0)", 2), (f"lib.{LIGATURE}()", 7),
    (f"lib.Gas.{LIGATURE}()", 5), (f"lib.{OHM}_count", 3), (f"lib.{MICRO}_max", 9), (f"int(lib.Unit.{OHM})", 1),
    (f"lib.{LIGATURE}s.one()", 1), (f"'{MICRO}' in dir(lib) or '\u03bc' in dir(lib)", True),
]  # fmt: skip


@each("text, due", ROWS)
def test_source_text_finds_the_name(lib: Any, text: str, due: object) -> None:
    assert eval(text) == due


def test_classes_of_python_set_and_override_it(lib: Any) -> None:
    space: dict[str, Any] = {"lib": lib}
    exec(
        f"class Mine(lib.Lens):\n  def __init__(self):\n    super().__init__()\n    self.{MICRO} = 0.5\n"
        f"  def {MICRO}r(self): return 8\n",
        space,
    )
    made = space["Mine"]()
    assert (made.seen(), made.asked()) == (0.5, 8)


def test_two_names_that_are_one_in_python() -> None:
    with pytest.warns(sb.BindWarning, match="is another name of C"):
        lib = sb.compile("inline int \u00b5() { return 1; } inline int \u03bc() { return 2; }")
    assert lib.μ() == 2
    assert lib.μ_() == 1
