"""Enumerators whose names Python keeps for itself have a name with an underscore, scoped or not."""

from __future__ import annotations

import ast
import pickle
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

HEADER = """
enum class Align { None, Left, Right };
enum class Twice { None, None_, in, in__ };
enum class Kept { name, name_, value, mro };
struct W { enum Kind { None, True, in } k = in; enum class Inner { pass, del }; };
enum Plain { pass, yield };
namespace n { enum class Mode : unsigned char { from, is = 9 }; }
inline int align(Align a) { return static_cast<int>(a); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(HEADER)


@each(
    ("read", "value"),
    [
        (lambda m: m.Align.None_, 0),
        (lambda m: m.Align["None"], 0),
        (lambda m: m.Align["None_"], 0),
        (lambda m: m.align(m.Align.None_), 0),
        (lambda m: getattr(m.Align, "None"), 0),
        (lambda m: m.Twice.None_, 1),  # C++'s own name comes first
        (lambda m: m.Twice.None__, 0),
        (lambda m: m.Twice.in_, 2),
        (lambda m: [m.Kept.name_, m.Kept.name__, m.Kept.value_, m.Kept.mro_], [1, 0, 2, 3]),
        (lambda m: [m.W.Kind.None_, m.W.Kind.True_, m.W.Kind.in_, m.W.None_, m.W.in_], [0, 1, 2, 0, 2]),
        (lambda m: [m.W.Inner.pass_, m.W.Inner.del_], [0, 1]),
        (lambda m: [m.Plain.pass_, m.Plain.yield_, m.pass_, m.yield_], [0, 1, 0, 1]),
        (lambda m: [m.n.Mode.from_, m.n.Mode.is_], [0, 9]),
        (lambda m: [len(m.Align), [*m.Align]], [3, [0, 1, 2]]),
        (lambda m: m.Align(0).name, "None"),
        (lambda m: pickle.loads(pickle.dumps(m.Align.None_)) is m.Align["None"], True),
    ],
)
def test_reserved_names(lib: Any, read: Any, value: Any) -> None:
    assert read(lib) == value


def test_the_stub_has_names_that_python_knows(tmp_path: Any) -> None:
    sb.compile(HEADER, stub=tmp_path / "lib.pyi")
    assert "    None_ = 0" in ast.unparse(ast.parse((tmp_path / "lib.pyi").read_text()))
