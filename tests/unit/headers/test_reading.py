"""How a header is found, in which language it is read, what it exposes, and which errors stop it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from samebytes.errors import BindError
from samebytes.model.module import Module
from samebytes.read import header as reader
from samebytes.read.clang.finding import front_end_flags
from samebytes.read.functions.functions import parameter_names
from samebytes.types import MISSING, SCALARS, CArray, Const, Handle, Pointer

Read = Callable[..., Module]


def names(module: Module) -> set[str]:
    return {f.qualified for f in module.functions}


def reasons(module: Module) -> dict[str, str]:
    return {s.name.partition("(")[0]: s.reason for s in module.skipped}


class TestErrors:
    def test_missing_include_names_the_users_line(self, read: Read) -> None:
        with pytest.raises(BindError, match=r"source\.hpp:2: 'not_here\.h' file not found"):
            read("int f(int);\n#include <not_here.h>\n")

    def test_nothing_usable(self, read: Read) -> None:
        with pytest.raises(
            BindError, match=r"nothing in .*source\.hpp could be read:\n.*:1: unknown type name 'Nope'"
        ):
            read("void f(Nope x);\n")

    def test_no_such_header(self, read_header: Read) -> None:
        with pytest.raises(BindError, match=r"no such header: surely_missing\.h \(searched"):
            read_header("surely_missing.h")

    def test_error_directive_is_reported(self, read: Read) -> None:
        module = read("int f(int);\n#error not for this platform\n")
        assert names(module) == {"f"}
        assert module.skipped[0].location.line == 2
        assert "not for this platform" in module.skipped[0].reason
        assert module.exposed == 2

    def test_unknown_language(self, read: Read) -> None:
        with pytest.raises(BindError, match=r"language='rust' is unknown: it is 'c' or 'c\+\+'"):
            read("int f();", language="rust")

    def test_nothing_given(self) -> None:
        with pytest.raises(BindError, match="neither a header nor a source"):
            reader.read_header(None)

    def test_an_error_in_an_included_file_reaches_its_users(self, read: Read, tmp_path: Path) -> None:
        (tmp_path / "deep").mkdir()
        (tmp_path / "deep" / "broken.hpp").write_text("typedef Missing handle;\nstruct S { Missing m; };\n")
        module = read(
            '#include "deep/broken.hpp"\nint ok(int);\nint f(handle h);\nint g(S* s);\nint h(S s);\n'
        )
        assert names(module) == {"ok"}
        assert reasons(module).keys() == {"f", "g", "h", "handle", "S"}
        assert all("unknown type name 'Missing'" in r for r in reasons(module).values())


class TestLanguage:
    def test_system_c_header_is_c(self, read_header: Read) -> None:
        assert read_header("ctype.h").language == "c"

    def test_language_overrides(self, read_header: Read) -> None:
        module = read_header("ctype.h", language="c++")
        assert module.language == "c++"
        assert "isalpha" in names(module)

    @pytest.mark.parametrize(
        ("name", "text", "language"),
        [
            ("a.h", "int f(int x);", "c++"),
            ("a.h", "int f(int class);", "c"),
            ("a.h", "int f(int x = 1);", "c++"),
            ("a.hpp", "int f(int x);", "c++"),
            ("a.cu", "int f(int x);", "c++"),
            ("a.c", "int f(int x) { return x; }", "c"),
        ],
    )
    def test_of_a_users_file(self, read: Read, name: str, text: str, language: str) -> None:
        assert read(text, name).language == language

    def test_flags_of_the_other_language_are_left_out(self) -> None:
        flags = ("-std=c++20", "-O3", "-DX=1", "-D", "Y", "-Wall", "-I/x", "-lm", "-march=native")
        assert front_end_flags(flags, "c") == ["-DX=1", "-D", "Y", "-I/x", "-march=native"]
        assert front_end_flags(flags, "c++")[0] == "-std=c++20"


class TestExposure:
    @pytest.fixture
    def tree(self, tmp_path: Path) -> Path:
        (tmp_path / "sub").mkdir()
        (tmp_path / "side.hpp").write_text("#pragma once\nint side(int);\nstruct Side { int x; };\n")
        (tmp_path / "sub" / "deep.hpp").write_text("#pragma once\nint deep(int);\nstruct Deep { int x; };\n")
        (tmp_path / "main.hpp").write_text(
            '#include "side.hpp"\n#include "sub/deep.hpp"\n#include <cstdlib>\nint own(Deep d);\n'
            "int __hidden(int);\n"
            "namespace __detail { int h(int); }\nint _Reserved(int);\nint _fine(int);\n"
        )
        return tmp_path / "main.hpp"

    def test_main_file_and_what_lies_under_its_root(self, tree: Path, read_header: Read) -> None:
        module = read_header(tree)
        assert names(module) == {"own", "side", "deep", "_fine"}
        assert {r.name for r in module.records} == {"Side", "Deep"}
        assert {s.name for s in module.skipped} == {"__hidden", "__detail", "_Reserved"}
        assert module.exposed == 9

    @pytest.mark.parametrize(
        ("pattern", "added"),
        [
            ("deep.hpp", set()),  # it is the header's own already
            ("*/sub/*", set()),
            ("div", {"div"}),
            ("__hidden", {"__hidden"}),
            ("zz*", set()),
        ],
    )
    def test_expose_widens(self, tree: Path, read_header: Read, pattern: str, added: set[str]) -> None:
        module = read_header(tree, expose=(pattern,))
        assert names(module) == {"own", "side", "deep", "_fine"} | added

    def test_included_files_are_listed(self, tree: Path, read_header: Read) -> None:
        included = read_header(tree).included
        assert included[0] == str(tree)
        assert {Path(f).name for f in included} >= {"side.hpp", "deep.hpp", "cstdlib", "stdlib.h"}
        assert all(Path(f).is_absolute() and Path(f).exists() for f in included)


class TestSource:
    def test_text_that_is_not_on_disk(self, tmp_path: Path) -> None:
        (tmp_path / "near.hpp").write_text("struct Near { int x; };\n")
        module = reader.read_header(
            tmp_path / "ghost.cpp", source='#include "near.hpp"\nint f(Near n) { return n.x; }\n'
        )
        assert names(module) == {"f"}
        assert module.functions[0].location.file == str(tmp_path / "ghost.cpp")
        assert module.functions[0].location.line == 2

    def test_without_a_name(self) -> None:
        module = reader.read_header(None, source="int f(int x) { return x; }\nint g(int y) { return oops; }")
        assert names(module) == {"f", "g"}

    def test_flags_and_include_dirs(self, read: Read, tmp_path: Path) -> None:
        (tmp_path / "inc").mkdir()
        (tmp_path / "inc" / "types.hpp").write_text("typedef TYPE scalar;\n")
        text = "#include <types.hpp>\nscalar f(scalar x);\n#ifdef MORE\nint g(int);\n#endif\n"
        module = read(text, flags=("-DTYPE=float", "-D", "MORE"), include_dirs=(tmp_path / "inc",))
        assert names(module) == {"f", "g"}
        assert module.functions[0].result == SCALARS["float32"]

    def test_macros_place_declarations_at_their_use(self, read: Read) -> None:
        module = read("#define DECLARE(name) \\\n  int name(int x);\n\nDECLARE(first)\nDECLARE(second)\n")
        assert [f.location.line for f in module.functions] == [4, 5]


class TestDeclarations:
    def test_unnamed_parameters_are_unique(self) -> None:
        assert parameter_names(["", "arg0", ""]) == ["arg0_", "arg0", "arg2"]
        assert parameter_names(["__x", "x"]) == ["__x", "x"]
        assert parameter_names(["__x", "__y"]) == ["x", "y"]
        assert parameter_names(["", "", "arg1"]) == ["arg0", "arg1_", "arg1"]
        assert parameter_names(["__"]) == ["__"]

    def test_default_on_a_later_declaration(self, read: Read) -> None:
        (f,) = read(
            "int f(int a, int b);\nint f(int a, int b = 4);\nint f(int x, int y) { return x; }"
        ).functions
        assert [p.name for p in f.parameters] == ["a", "b"]
        assert f.parameters[1].default.value == 4

    def test_default_that_only_cxx_can_supply(self, read: Read) -> None:
        (f,) = read("struct S { int x; };\nint f(S s = S{3});").functions
        assert f.parameters[0].default.text == "S{3}"
        assert f.parameters[0].default.value is MISSING

    def test_array_parameters_decay(self, read: Read) -> None:
        (f,) = read("void f(const float m[2][3]);").functions
        assert f.parameters[0].type == Pointer(Const(CArray(SCALARS["float32"], (3,))), least=2)

    def test_a_tag_that_a_function_hides(
        self, read: Read, judge: Callable[..., None], tmp_path: Path
    ) -> None:
        module = read("struct mark { int x; };\nint mark(int);\nint f(struct mark m, const struct mark* p);")
        spellings = [p.spelling for f in module.functions if f.name == "f" for p in f.parameters]
        assert spellings == ["struct mark", "const struct mark *"]
        judge(module, tmp_path / "source.hpp")

    def test_inline_namespaces_are_transparent(self, read: Read) -> None:
        (f,) = read("namespace a { inline namespace v2 { namespace b { int f(int); } } }").functions
        assert (f.qualified, f.namespace) == ("a::b::f", ("a", "b"))

    def test_types_that_python_knows_are_no_records(self, read_header: Read, include: Path) -> None:
        module = read_header(include / "samebytes" / "vector.hpp")
        assert module.records == ()
        assert reasons(module)["samebytes::float32x4"] == "Python knows it as float32x4"

    def test_forward_declaration_and_definition_are_one(self, read: Read) -> None:
        module = read("struct S;\nstruct S;\nstruct S { int x; };\nstruct S;\nint f(S*);")
        assert module.exposed == 2

    def test_two_level_questions(self, read: Read, judge: Callable[..., None], tmp_path: Path) -> None:
        module = read(
            "struct A { int x; A(const A&) = default; };\nstruct B { A a; B(const B&) = default; };\n"
            "template <class T> struct W { T t; W(const W&) = default; };\n"
            "template <class T> struct Bad { T t; ~Bad(); };\nB f(W<B> w, W<W<A>> v);\n"
            "int g(W<Bad<int>> b);\n"
        )
        made = {"Bad<int>::Bad<int>", "W<Bad<int>>::W<Bad<int>>"}
        assert names(module) == {"A::A", "B::B", "f", "g", *made}
        assert {r.name for r in module.records if isinstance(r, Handle)} == {"Bad<int>", "W<Bad<int>>"}
        judge(module, tmp_path / "source.hpp")

    def test_noncopyable_class_cannot_be_passed(self, read: Read) -> None:
        module = read("struct N { int x; N() = default; N(const N&) = delete; };\nint f(N n);\nint g(N* n);")
        assert names(module) == {"N::N", "g"}
        assert "can only be moved" in reasons(module)["f"]

    def test_doc_comments(self, read: Read) -> None:
        module = read(
            "/// One.\n///   indented\nint a(int);\n/*! Two. */\nint b(int);\n"
            "/**\n * Three.\n *\n * - item\n */\nint c(int);\n"
            "// plain\nint d(int);\n"
        )
        docs = {f.name: f.doc for f in module.functions}
        assert docs == {
            "a": "One.\n  indented",
            "b": "Two.",
            "c": "Three.\n\n- item",
            "d": "",
        }

    def test_bit_fields_lie_inside_the_record(self, read: Read) -> None:
        module = read(
            "struct __attribute__((packed)) P { char a, b, c, d, e; unsigned x : 4; unsigned y : 9; };\n"
            "struct __attribute__((packed)) Q { unsigned x : 4; };\n"
            "struct M { char c; int x : 20; long long y : 40; bool z : 1; };\n"
            "struct __attribute__((packed)) R { unsigned char x : 5; unsigned char y : 6; };\n"
        )
        for record in module.records:
            for field in record.fields:
                bits = field.bit_offset + (field.bit_width or 8 * field.type.size)
                assert 0 <= 8 * field.offset + bits <= 8 * record.fixed.size
        assert [(f.offset, f.bit_offset, f.bit_width) for f in module.records[-1].fields] == [
            (0, 0, 5),
            (0, 5, 6),
        ]
        assert all(record.complete for record in module.records)

    def test_extents_of_array_parameters(self, read: Read) -> None:
        module = read(
            "typedef double vec3[3];\nvoid f(double a[3], vec3 b, float c[3][4], int d[], int* e, int (*g)[5]);\n"
            "void h(int* x);\nvoid h(int x[6]);\nvoid h(int x[2]);\n"
        )
        f, h = module.functions
        assert [p.extent for p in f.parameters] == [3, 3, 3, 0, None, None]
        assert f.parameters[2].type == Pointer(CArray(SCALARS["float32"], (4,)), least=3)
        assert [p.extent for p in h.parameters] == [6]
