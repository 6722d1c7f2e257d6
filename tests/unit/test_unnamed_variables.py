"""Variables whose types have no name: the type is spelled by the variable, in C and in C++."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HEADER = """
%(extern)s
static const struct { const char *name; int value; } table[] = {{"a", 1}, {"b", 2}};
static struct { int x; double y; } grid[2][3];
static enum { RED, GREEN } colour = GREEN;
static union { int i; float f; } bits;
static struct { struct { int a; } inner; int many[3]; } deep = {{7}, {1, 2, 3}};
"""
EXTERN = "extern struct { int width; const char *title; } screen;"  # C++ has no such variable
SOURCE = 'struct s { int width; const char *title; } screen = {640, "t"};\n'


@pytest.fixture(scope="module", params=["c", "c++"])
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("unnamed")
    in_c = request.param == "c"
    (folder / "unnamed.h").write_text(HEADER % {"extern": EXTERN if in_c else ""})
    (folder / "unnamed.c").write_text(SOURCE)
    return sb.bind(folder / "unnamed.h", sources=[folder / "unnamed.c"] * in_c, language=request.param)


def test_they_are_read_and_written_in_place(lib: Any) -> None:
    lib.grid[1][2].y = 2.5
    assert (lib.grid[1][2].y, lib.grid[0][0].y) == (2.5, 0)
    assert (lib.deep.inner.a, [*lib.deep.many]) == (7, [1, 2, 3])
    lib.bits.f = 1.0
    assert lib.bits.i == 0x3F800000
    assert lib.colour == lib.GREEN
    lib.colour = lib.RED
    assert lib.colour == lib.RED


def test_constants_are_not_written(lib: Any) -> None:
    assert [(row.name, row.value) for row in lib.table] == [("a", 1), ("b", 2)]
    with pytest.raises(AttributeError, match="cannot be changed"):
        lib.table[0].value = 3


def test_their_types_have_names(lib: Any) -> None:
    made = lib.typeof_grid(1, 2.5)
    assert repr(made) == "typeof_grid(x=1, y=2.5)"
    assert type(lib.grid[0][1]) is lib.typeof_grid
    assert pickle.loads(pickle.dumps(made)) == copy.copy(made) == made


def test_what_is_defined_elsewhere(lib: Any) -> None:
    if lib.__model__.language == "c++":  # which has no such variable
        assert "typeof_screen" not in dir(lib)
        return
    assert (lib.screen.width, lib.screen.title) == (640, "t")
    lib.screen.width = 800
    assert lib.screen.width == 800


SHARED = """
static union { int whole; float real; };
namespace deep { static union { long count; const char* name; char letters[8]; }; }
inline int seen() { return whole; }
inline long counted() { return deep::count; }
"""


def test_members_of_an_anonymous_union_are_variables_of_its_namespace() -> None:
    lib = sb.compile(SHARED)
    assert not lib.__skipped__
    lib.real = 1.0
    assert lib.whole == lib.seen() == 0x3F800000
    lib.deep.count = 0x414243
    assert lib.counted() == 0x414243
    assert bytes(lib.deep.letters[:3]) == b"CBA"
    assert {"whole", "real"} <= {*dir(lib)}
    lib.deep.name = None
    assert lib.counted() == 0


def test_structured_bindings_are_named_among_what_is_skipped() -> None:
    lib = sb.compile(
        "struct A { int a, b; }; static auto [first, second] = A{3, 4}; template <class T> T made = T(2);",
        name="structured", std="c++17",
    )  # fmt: skip
    assert {s.name: s.kind for s in lib.__skipped__} == dict.fromkeys(
        ("first", "second"), "structured binding"
    )
    with pytest.raises(AttributeError, match="it names a part of an object"):
        _ = lib.first
    assert lib.made["int"] == 2
