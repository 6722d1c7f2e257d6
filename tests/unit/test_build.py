"""compile() and bind(): files, flags, libraries, intents by name, the cache, and errors that say what to do."""

from __future__ import annotations

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import samebytes as sb
from samebytes.toolchain.lookups import absent

HEADER = """#pragma once
namespace lake {
struct Depth { double metres; int soundings; };
Depth add(Depth d, double metres);
int count(const Depth& d);
}
"""
SOURCE = """#include "lake.hpp"
namespace lake {
Depth add(Depth d, double metres) { return {d.metres + metres, d.soundings + 1}; }
int count(const Depth& d) { return d.soundings; }
}
"""


@pytest.fixture
def lake(tmp_path):
    (tmp_path / "lake.hpp").write_text(HEADER)
    (tmp_path / "lake.cpp").write_text(SOURCE)
    return tmp_path


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch, report):
    """Empty, but for the object that is in every C++ library."""
    shutil.copytree(report, tmp_path / "cache" / report.name)
    (tmp_path / "cache").chmod(0o700)
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path / "cache"))


def entries(tmp_path):
    return sorted((tmp_path / "cache").glob("*/*/library.so"))


class TestFiles:
    @pytest.mark.full
    def test_header_and_sources(self, lake):
        lib = sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp")
        assert lib.lake.count(lib.lake.add((1.0, 2), 0.5)) == 3
        assert not lib.__skipped__

    def test_relative_to_the_current_directory(self, lake, monkeypatch):
        monkeypatch.chdir(lake)
        assert sb.bind("lake.hpp", sources=["lake.cpp"]).lake.count((1.0, 2)) == 2

    def test_found_in_include_dirs(self, lake):
        lib = sb.bind("lake.hpp", sources=[lake / "lake.cpp"], include_dirs=lake)
        assert lib.lake.count((1.0, 2)) == 2

    def test_a_path_is_a_file(self, lake):
        lib = sb.compile(lake / "lake.cpp")
        assert lib.__name__ == "lake"
        assert lib.lake.count((1.0, 2)) == 2

    def test_a_path_given_as_text_is_noticed(self, lake):
        with pytest.raises(sb.BindError, match=r"Path\("):
            sb.compile(str(lake / "lake.cpp"))

    def test_c_sources(self, tmp_path):
        (tmp_path / "old.h").write_text(
            "struct point { int x, new; };\nint norm(struct point p, int class);\n"
        )
        (tmp_path / "old.c").write_text(
            '#include "old.h"\nint norm(struct point p, int class) { return p.x + class; }\n'
        )
        lib = sb.bind(tmp_path / "old.h", sources=tmp_path / "old.c", language="c")
        assert lib.__model__.language == "c"
        assert lib.norm(lib.point(1, 2), 3) == 4
        assert lib.norm(p=(1, 2), class_=3) == 4

    def test_a_prebuilt_library(self, lake):
        library = lake / "liblake.so"
        subprocess.run(["g++", "-shared", "-fPIC", lake / "lake.cpp", "-o", library], check=True)
        for how in ({"libraries": str(library)}, {"libraries": ["lake"], "library_dirs": lake}):
            assert sb.bind(lake / "lake.hpp", **how).lake.count((1.0, 2)) == 2

    def test_what_nothing_defines_is_skipped_with_that_reason(self, lake):
        with pytest.warns(sb.BindWarning, match="no source or library given defines it"):
            lib = sb.bind(lake / "lake.hpp")
        assert {s.name.partition("(")[0] for s in lib.__skipped__} == {"lake::add", "lake::count"}
        with pytest.raises(AttributeError, match="libraries="):
            _ = lib.lake.count

    @pytest.mark.parametrize("name", ["nowhere.hpp", "/no/such/file.h"])
    def test_a_header_that_is_not_there(self, name):
        with pytest.raises(sb.BindError, match="no header"):
            sb.bind(name)

    def test_a_header_below_the_compilers_directories(self):
        with pytest.raises(sb.BindError, match=r"include_dirs=\['[^']*/linux'\] .*has one"):
            sb.bind("futex.h")

    def test_a_source_that_is_not_there(self, lake):
        with pytest.raises(sb.BindError, match=r"gone\.cpp does not exist"):
            sb.bind(lake / "lake.hpp", sources=lake / "gone.cpp")


class TestFlags:
    @pytest.mark.full
    def test_defines_and_standard_reach_parser_and_compiler(self):
        text = "#if N != 4 || __cplusplus < 202002L\n#error wrong\n#endif\ninline int n() { return N; }"
        assert sb.compile(text, defines=["N=4"], std="c++20").n() == 4

    def test_a_define_changes_the_signature_and_the_code_alike(self):
        text = "#ifdef WIDE\nusing T = double;\n#else\nusing T = float;\n#endif\nT id(T x) { return x; }"
        assert sb.compile(text).id(0.1) != 0.1
        assert sb.compile(text, flags=["-DWIDE"]).id(0.1) == 0.1

    @pytest.mark.parametrize("language", ["c", "c++"])
    def test_defines_mean_the_header_and_not_the_shims(self, language):
        names = [*"ACEFRSTaces", "value", "type", "call", "here"]
        text = "int n(int x) { return N + ONLY + x; }"
        lib = sb.compile(text, defines=["N=16", "ONLY", *(f"{name}=1" for name in names)], language=language)
        assert lib.n(1) == 18

    def test_unknown_language_and_dialect(self):
        with pytest.raises(sb.BindError, match="language"):
            sb.compile("", language="fortran")
        with pytest.raises(sb.BindError, match="dialect"):
            sb.compile("", dialect="cobol")


class TestBrokenSource:
    def test_the_compilers_own_message_and_the_users_line(self):
        with pytest.raises(sb.CompileError) as caught:
            sb.compile("int good() { return 1; }\nint bad() { return nothing_here; }\n")
        text = str(caught.value)
        assert "source.cpp:2" in text
        assert "nothing_here" in text
        assert "return nothing_here" in text  # the line itself
        assert ".build-" not in text
        assert ".build-" not in caught.value.output

    @pytest.mark.parametrize(
        ("text", "word"),
        [
            ("int f(;", "source.cpp:1"),
            ("#include <no_such_header.h>\nint f();", "no_such_header.h"),
            ("Missing f(int x);", "Missing"),
        ],
    )
    def test_syntax_errors_and_missing_headers(self, text, word):
        with pytest.raises(sb.Error) as caught:
            sb.compile(text)
        assert word in str(caught.value)

    def test_nothing_stays_behind(self, tmp_path):
        with pytest.raises(sb.CompileError):
            sb.compile("int bad() { return nothing_here; }")
        assert not entries(tmp_path)
        assert not list((tmp_path / "cache").rglob(".build-*"))


class TestCache:
    def test_second_time_nothing_is_built(self, lake, tmp_path, monkeypatch):
        sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp")
        before = entries(tmp_path)
        monkeypatch.setattr("samebytes.make.joining.link_library", None)
        sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp")
        assert entries(tmp_path) == before

    def test_a_changed_header_is_read_and_built_anew(self, lake, tmp_path):
        sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp")
        header = lake / "lake.hpp"
        header.write_text(HEADER.replace("double metres; int soundings", "int soundings; double metres"))
        source = lake / "lake.cpp"
        source.write_text(
            SOURCE.replace("{d.metres + metres, d.soundings + 1}", "{d.soundings + 1, d.metres + metres}")
        )
        lib = sb.bind(header, sources=source)
        assert lib.lake.add((2, 1.0), 0.5) == lib.lake.Depth(3, 1.5)
        assert len(entries(tmp_path)) == 2

    def test_a_changed_included_header_counts(self, tmp_path):
        (tmp_path / "inner.hpp").write_text("constexpr int kN = 1;")
        (tmp_path / "outer.hpp").write_text('#include "inner.hpp"\ninline int n() { return kN; }')
        assert sb.bind(tmp_path / "outer.hpp").n() == 1
        (tmp_path / "inner.hpp").write_text("constexpr int kN = 2;")
        assert sb.bind(tmp_path / "outer.hpp").n() == 2

    @pytest.mark.full
    def test_a_header_that_comes_to_shadow_another(self, tmp_path):
        for folder in ("first", "second"):
            (tmp_path / folder).mkdir()
        (tmp_path / "n.hpp").write_text(
            "#include <q.hpp>\n#if __has_include(<opt.hpp>)\n#define O 1\n#else\n#define O 0\n#endif\n"
            "inline int q() { return Q * 10 + O; }"
        )
        (tmp_path / "second" / "q.hpp").write_text("#define Q 1")

        def q():
            return sb.bind(tmp_path / "n.hpp", include_dirs=[tmp_path / "first", tmp_path / "second"]).q()

        assert q() == 10
        (tmp_path / "first" / "q.hpp").write_text("#define Q 2")
        assert q() == 20
        (tmp_path / "first" / "opt.hpp").touch()
        assert q() == 21

    @pytest.mark.full
    def test_a_folder_that_comes_to_shadow_another(self, tmp_path):
        """Of a folder that is not there, the outermost is what the cache looks for again: none of its files."""
        (tmp_path / "second" / "lib" / "detail").mkdir(parents=True)
        for name in ("q.hpp", "r.hpp"):
            (tmp_path / "second" / "lib" / "detail" / name).write_text("#pragma once\n#define Q 1\n")
        (tmp_path / "n.hpp").write_text(
            "#include <lib/detail/r.hpp>\n#include <lib/detail/q.hpp>\ninline int q() { return Q; }"
        )
        folders = [tmp_path / "first", tmp_path / "second"]
        read = [str(path) for path in (tmp_path / "second").rglob("*.hpp")]
        assert absent(read, tuple(map(str, folders))) == [str(tmp_path / "first")]
        (tmp_path / "first").mkdir()
        assert absent(read, tuple(map(str, folders))) == [str(tmp_path / "first" / "lib")]

        assert sb.bind(tmp_path / "n.hpp", include_dirs=folders).q() == 1
        (tmp_path / "first" / "lib" / "detail").mkdir(parents=True)
        (tmp_path / "first" / "lib" / "detail" / "q.hpp").write_text("#define Q 2\n")
        (tmp_path / "second" / "lib" / "detail" / "r.hpp").write_text("")
        assert sb.bind(tmp_path / "n.hpp", include_dirs=folders).q() == 2

    @pytest.mark.full
    def test_a_header_that_comes_to_lie_beside_the_one_that_names_it(self, tmp_path):
        """Names in quotes are looked for there before anywhere else."""
        (tmp_path / "far").mkdir()
        (tmp_path / "near").mkdir()
        (tmp_path / "near" / "n.hpp").write_text(
            '#pragma once\n #  include "q.hpp"\ninline int q() { return Q; }'
        )
        (tmp_path / "far" / "q.hpp").write_text("#define Q 1")

        def q():
            return sb.bind(tmp_path / "near" / "n.hpp", include_dirs=tmp_path / "far").q()

        assert q() == 1
        (tmp_path / "near" / "q.hpp").write_text("#define Q 2")
        assert q() == 2

    @pytest.mark.full
    def test_a_changed_archive_is_linked_anew(self, tmp_path):
        (tmp_path / "z.hpp").write_text("int lf();")
        for value in (1, 2):
            (tmp_path / "z.cpp").write_text(f"int lf() {{ return {value}; }}")
            subprocess.run(["g++", "-c", "-fPIC", "z.cpp"], cwd=tmp_path, check=True)
            subprocess.run(["ar", "rcs", "libzz.a", "z.o"], cwd=tmp_path, check=True)
            assert sb.bind(tmp_path / "z.hpp", libraries="zz", library_dirs=tmp_path).lf() == value

    @pytest.mark.full
    def test_a_corrupt_library_is_rebuilt(self, lake, tmp_path):
        files = f"{str(lake / 'lake.hpp')!r}, sources={str(lake / 'lake.cpp')!r}"
        code = f"import samebytes as sb; print(sb.bind({files}).lake.count((1.0, 2)))"
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
            assert done.stdout.strip() == "2", done.stderr
            for library in entries(tmp_path):
                library.write_bytes(b"\x7fELF garbage")


class TestOptions:
    def test_nogil_by_name(self, lake):
        sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp", nogil=["lake::add"])
        with pytest.raises(sb.BindError, match="Did you mean 'add'"):
            sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp", nogil=["ad"])

    @pytest.mark.parametrize(
        ("intent", "error", "words"),
        [
            ({"ad": {0: "in"}}, sb.BindError, "Did you mean 'add'"),
            ({"add": {"metre": "in"}}, sb.BindError, "Did you mean 'metres'"),
            ({"add": {7: "in"}}, sb.BindError, "index 7 is out of range for 2 parameters"),
            ({"add": {True: "in"}}, sb.BindError, "neither a parameter name nor an index"),
            ({"add": {0: "inn"}}, sb.IntentError, "Did you mean 'in'"),
            ({"add": {1: "out_return"}}, sb.IntentError, "by value"),
            ({"count": {"d": "out_return"}}, sb.IntentError, "cannot write through const"),
            ({"add": "in"}, sb.BindError, "maps parameter names"),
            ({"add": {0: "in", "d": "in"}}, sb.BindError, "twice"),
        ],
    )
    def test_intents_are_checked_against_the_declaration(self, lake, intent, error, words):
        with pytest.raises(error, match=words):
            sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp", arg_intent=intent)

    def test_an_intent_reaches_the_overloads_that_have_the_parameter(self):
        lib = sb.compile(
            "int f(int x, int y) { return x + y; } void f(int x, float& out) { out = x; }",
            arg_intent={"f": {"out": "out_return"}},
        )
        assert (lib.f(1), lib.f(1, 2)) == (1.0, 3)

    def test_discarded_outputs_are_said_once_and_can_be_acknowledged(self):
        text = "void f(int& x) { x = 1; }"
        with pytest.warns(sb.BindWarning, match="discarded"):
            sb.compile(text)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sb.compile(text, arg_intent={"f": {"x": "in"}})

    def test_skipped_declarations_name_the_users_place(self):
        with pytest.warns(sb.BindWarning, match=r"source\.cpp:2"):
            lib = sb.compile("int f(int x) { return x; }\nlong double g(long double x) { return x; }")
        (skipped,) = lib.__skipped__
        assert (skipped.location.file, skipped.location.line) == ("source.cpp", 2)


def test_the_library_introduces_itself(lake):
    lib = sb.bind(lake / "lake.hpp", sources=lake / "lake.cpp")
    assert repr(lib).startswith("<samebytes library 'lake'")
    assert "lake" in dir(lib)
    assert Path(lib.__file__).is_file()
    with pytest.raises(AttributeError, match="cannot be replaced"):
        lib.lake = 1


def test_names_that_python_or_the_preprocessor_take():
    lib = sb.compile(
        "struct K { int from; double lambda; };\n"
        "struct mark { int x; };\nint mark(struct mark m) { return m.x; }\n"
        "double half(double x) { return x / 2; }\n#define half(x) wrong(x)\n"
        "double both(K k) { return k.from + k.lambda; }\n"
    )
    k = lib.K(from_=1, lambda_=2.0)
    assert (k.from_, k.lambda_) == (1, 2.0)
    assert (repr(k), k == lib.K(1, 2.0), k.value.from_) == ("K(from=1, lambda=2.0)", True, 1)
    k.from_ = 5
    assert lib.both(k) == 7
    assert lib.mark(lib.mark_(3)) == 3
    assert lib.half(3.0) == 1.5


class TestHostileNames:
    """Valid C++ whose names or macros could collide with generated code."""

    MACROS = "value message report code F args T same put at fill type answer bare here A R Call call error"

    def test_macros(self):
        defines = "".join(f"#define {name} !!!\n" for name in self.MACROS.split())
        lib = sb.compile(
            "#include <stdexcept>\nstruct P { int x; unsigned bits : 3; };\n"
            + defines
            + "int f(P p, int k = 2) "
            '{ if (k == 9) throw std::out_of_range("r"); return p.x * k; }'
        )
        assert lib.f((3, 1)) == 6
        assert lib.f((3, 1), 4) == 12
        with pytest.raises(IndexError):
            lib.f((3, 1), 9)

    @pytest.mark.parametrize(
        "name", ["F", "f", "args", "R", "A", "T", "call", "a", "here", "bare", "samebytes"]
    )
    def test_type_names(self, name):
        lib = sb.compile(
            f"struct {name} {{ int x : 4; int y; }}; int go({name} v, int k = 1) {{ return v.y + k; }}"
        )
        assert (lib.go((1, 2)), lib.go((1, 2), 5)) == (3, 7)

    @pytest.mark.parametrize("name", ["A", "R", "Alpha", "f", "put", "samebytes_a"])
    def test_function_names(self, name):
        lib = sb.compile(f"int {name}(int x, int k = 2) {{ return x * k; }}")
        assert (vars(lib)[name](3), vars(lib)[name](3, 3)) == (6, 9)

    def test_template_types_with_commas(self):
        lib = sb.compile(
            "template <class A, class B> struct Q { A a; B b; };\n"
            "struct R { Q<int, double> q; int n; };\nR f(R r) { return r; }"
        )
        assert lib.f(((1, 2.0), 3)).q.b == 2.0

    def test_feature_macros_of_the_source_come_first(self):
        assert (
            sb.compile("#define _FILE_OFFSET_BITS 64\n#include <features.h>\nint f() { return 1; }").f() == 1
        )
        text = "#define _POSIX_C_SOURCE 1\n#include <features.h>\nint f(void) { return _POSIX_C_SOURCE; }"
        assert sb.compile(text, language="c").f() == 1

    def test_without_exceptions(self):
        assert sb.compile("int f(int x) { return x; }", flags=["-fno-exceptions"]).f(2) == 2

    def test_what_may_be_null(self):
        lib = sb.compile(
            "#include <exception>\n"
            "struct E : std::exception { const char* what() const noexcept override { return 0; } };\n"
            "void f() { throw E(); }"
        )
        with pytest.raises(RuntimeError):
            lib.f()

    def test_defaults_beside_a_reference_overload(self):
        with pytest.warns(sb.BindWarning, match=r"g\(double & a\) is discarded"):
            lib = sb.compile(
                "int f(int a, int b = 2) { return a + b; } int f(const int& a);\nint f(const int& a) { return 100; }\n"
                "int g(double a, int b = 2) { return 1; } int g(double& a) { return 2; }"
            )
        assert lib.f(1, 1) == 2
        with pytest.raises(sb.ArgumentError, match="fit equally well"):  # as in C++
            lib.f(1)
        assert lib.g(1.0, 1) == 1
