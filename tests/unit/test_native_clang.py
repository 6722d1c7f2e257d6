"""libclang's answers through the core are those of its own Python binding."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from samebytes.read.clang.kinds import Decl
from samebytes.read.clang.libclang import (
    children,
    children_of,
    cindex,
    declarations_in,
    inclusions,
    library,
    of_kinds,
    overloaded,
    overloads,
    queries,
)
from samebytes.read.clang.places import extent_of, file_at, file_of, offset_of, place_of

HEADER = """
#define TEN 10
/** Says so. */
namespace outer { inline namespace v1 {
enum class Colour : unsigned char { red, gr\u00fcn = TEN };
template <class T, int N = 3> struct Box : T { T held[N]; const T *begin() const; };
struct Empty {};
struct Plain { int a : 3; const double b[2]; Box<Empty> *box; void set(int x = TEN, const char *y = "="); };
using Other = Plain;
typedef int (*Called)(double, Other &);
extern template struct Box<Empty, 2>;
} }
outer::Plain twice(outer::Other given, outer::Called &&, int (&rows)[4], ...) noexcept;
outer::Plain twice(int);
namespace others { using ::twice; using outer::Plain; }
"""
TEXTS = ("spelling", "displayname", "raw_comment")
CURSORS = ("semantic_parent", "lexical_parent", "referenced", "canonical")


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("clang") / "header.hpp"
    header.write_text(HEADER, encoding="utf-8")
    return cindex().Index.create().parse(str(header), args=["-x", "c++", "-std=c++17"], options=1)


def pairs(native: Any, binding: Any) -> Iterator[tuple[Any, Any]]:
    """The same cursors, as the core and as the binding have them."""
    inner, expected = children(native), list(binding.get_children())
    assert len(inner) == len(expected)
    for one, other in zip(inner, expected, strict=True):
        yield one, other
        yield from pairs(one, other)


def same_types(native: Any, binding: Any, depth: int = 0) -> None:
    """A type and what it is made of, from both."""
    assert (native._kind_id, native.spelling) == (binding._kind_id, binding.spelling)
    assert native._tu is not None
    assert native.is_const_qualified() == binding.is_const_qualified()
    count = binding.get_num_template_arguments()
    assert native.get_num_template_arguments() == count
    assert [f.spelling for f in native.get_fields()] == [f.spelling for f in binding.get_fields()]
    assert native.get_declaration() == binding.get_declaration()
    parts = [
        (native.get_template_argument_type(i), binding.get_template_argument_type(i)) for i in range(count)
    ]
    if depth < 2 and binding._kind_id:
        for name in ("get_canonical", "get_pointee", "get_result", "get_named_type"):
            parts.append((getattr(native, name)(), getattr(binding, name)()))
        parts.append((queries().element_type(native), library().clang_getElementType(binding)))
        number = max(ctypes.c_int(library().clang_getNumArgTypes(binding)).value, 0)
        given = [library().clang_getArgType(binding, i) for i in range(number)]
        parts += zip(queries().argument_types(native), given, strict=True)
        for one, other in parts:
            same_types(one, other, depth + 1)


def test_cursors_and_their_types(unit: Any) -> None:
    seen = 0
    for native, binding in pairs(unit.cursor, unit.cursor):
        seen += 1
        assert native == binding
        assert not native != binding  # noqa: SIM202
        assert native.hash == binding.hash
        assert [getattr(native, n) for n in TEXTS] == [getattr(binding, n) for n in TEXTS]
        if (
            binding._kind_id == Decl.FUNCTION
        ):  # libclang itself does not survive the question about a template
            assert native.mangled_name == binding.mangled_name
        for name in CURSORS:
            assert getattr(native, name) == getattr(binding, name), (name, binding.spelling)
        assert native.get_definition() == binding.get_definition()
        assert list(native.get_arguments()) == list(binding.get_arguments())
        assert queries().specialized_template(native) == library().clang_getSpecializedCursorTemplate(binding)
        same_types(native.type, binding.type)
        same_types(native.result_type, binding.result_type)
        if binding._kind_id in (Decl.TYPEDEF, Decl.ALIAS):
            same_types(native.underlying_typedef_type, binding.underlying_typedef_type)
        if binding._kind_id == Decl.ENUM:
            same_types(native.enum_type, binding.enum_type)
    assert seen > 60


def test_places(unit: Any) -> None:
    for native, binding in pairs(unit.cursor, unit.cursor):
        place, extent = binding.location, binding.extent
        file = place.file and place.file.name
        assert file_of(native) == file
        assert place_of(native) == (file, place.line, place.column)
        assert offset_of(native) == place.offset
        start = extent.start.file and extent.start.file.name
        assert extent_of(native) == (start, extent.start.offset, extent.end.offset)


def asked_of(cursor: Any) -> tuple[Any, ...]:
    """What the binding says of one declaration."""
    parent, outer = cursor.semantic_parent, cursor.lexical_parent
    at_home = parent is None or (outer is not None and parent == outer)
    access = cursor.access_specifier.value
    return cursor._kind_id, cursor, cursor.spelling, at_home, access, cursor.canonical.hash


def test_declarations_are_asked_all_at_once(unit: Any) -> None:
    every = of_kinds(frozenset(range(1000)))
    asked = 0
    for native, binding in pairs(unit.cursor, unit.cursor):
        rows = declarations_in(native, every, None)
        assert [(*row[:3], *row[4:]) for row in rows] == [asked_of(c) for c in binding.get_children()]
        assert {row[3] for row in rows} <= {None}
        asked += len(rows)
    assert asked > 40


def test_declarations_are_chosen(unit: Any) -> None:
    class Files(dict[int, str | None]):
        def __missing__(self, file: int) -> str | None:
            name = self[file] = file_at(unit, file)
            return name

    kinds = of_kinds({Decl.FUNCTION, Decl.MACRO_DEFINITION}, {Decl.NAMESPACE})
    for words, expected in (
        (None, ["TEN", "outer", "twice", "twice", "others"]),
        ({"TEN", "other"}, ["TEN", "outer", "others"]),
        ({"twice"}, ["outer", "twice", "twice", "others"]),
    ):
        found = declarations_in(unit.cursor, kinds, Files(), words and frozenset(words))
        assert [name for _, _, name, *_ in found] == expected
        assert {file for _, _, _, file, *_ in found} == {unit.spelling}
    one = next(row[1] for row in found)
    nothing = dict.fromkeys([queries().place(one)[0]])
    assert declarations_in(unit.cursor, kinds, nothing) == []
    with pytest.raises(KeyError):
        declarations_in(unit.cursor, kinds, {})


def test_overloads(unit: Any) -> None:
    namespace = next(c for c in children(unit.cursor) if c.spelling == "others")
    lib, named = library(), []
    for using in children(namespace):
        for reference in children_of(using, Decl.OVERLOADS_REFERENCE):
            count = lib.clang_getNumOverloadedDecls(reference)
            assert overloaded(reference) == [lib.clang_getOverloadedDecl(reference, i) for i in range(count)]
            named += [found.displayname for found in overloads(using)]
    assert [name.partition("(")[0] for name in named] == ["twice", "twice", "Plain"]


def test_inclusions(tmp_path: Path) -> None:
    for name, text in (
        ("a.h", '#include "b.h"\n#include "inner/../b.h"\n'),
        ("b.h", "int b;\n"),
        ("main.c", '#include "a.h"\n#include <stddef.h>\n'),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "inner").mkdir()
    unit = cindex().Index.create().parse(str(tmp_path / "main.c"))
    expected = [found.include.name for found in unit.get_includes()]
    assert inclusions(unit) == expected
    assert len(expected) >= 3


def test_what_is_no_cursor_is_an_error(unit: Any) -> None:
    native = children(unit.cursor)[-1]
    for wrong in (native.type, b"", 3, None):
        with pytest.raises(TypeError):
            queries().children(wrong)
    with pytest.raises(TypeError, match="expected"):
        queries().element_type(native)
    assert native != 3
