"""Inline functions of a header that need what no library defines: they alone are missing, with the reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.tables import warns_at_first

import samebytes as sb
from samebytes.toolchain.compilers import find_compiler

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = """
extern "C" { extern int missing_number; int missing_call(int); struct Absent; extern struct Absent absent_object; }
inline int reads() { return missing_number; }
inline int calls(int n) { return missing_call(n); }
inline void* takes() { return &absent_object; }
struct S { int n; int method() { return missing_number + n; } int fine() { return n; } };
inline int fine(int n) { return n + 1; }
"""


@pytest.fixture(scope="module")
def library() -> sb.Library:
    with warns_at_first(sb.BindWarning):
        return sb.compile(SOURCE)


def test_the_rest_works(library: sb.Library) -> None:
    assert (library.fine(2), library.S(4).fine()) == (3, 4)


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("reads()", "missing_number"),
        ("calls(int)", "missing_call"),
        ("takes()", "absent_object"),
        ("S::method()", "missing_number"),
    ],
)
def test_what_is_missing_is_said(library: sb.Library, name: str, needs: str) -> None:
    reasons = {s.name: s.reason for s in library.__skipped__}
    assert reasons[name] == (
        f"it is compiled here, and uses {needs}, which no source or library given defines (sources=, libraries=)"
    )


@pytest.mark.parametrize("name", ["missing_number", "missing_call(int)"])
def test_what_is_only_declared_says_so(library: sb.Library, name: str) -> None:
    reasons = {s.name: s.reason for s in library.__skipped__}
    assert "is declared, but no source or library given defines it" in reasons[name]


ABSENT = """
extern "C" int close_it(int);
struct Base { virtual ~Base() {} virtual int id() const { return 1; } };
struct Known : Base { int id() const override { return 2; } };
struct Unknown : Base { Unknown() = default; int id() const override; int more; };
struct Closing { int n; Closing(int n) : n(n) {} ~Closing() { close_it(n); } int twice() const { return 2 * n; } };
namespace deep { template <class T> inline T helper(T n) { return close_it(n); }
__attribute__((noinline)) inline int further(int n) { return helper(n) + 1; } }
inline int first(int n) { return deep::further(n) + 1; }
inline Base* made() { static Known known; return &known; }
inline int fine(const Closing* c) { return c ? c->twice() : 7; }
"""


def test_classes_whose_virtual_functions_or_destructors_need_what_is_missing() -> None:
    with pytest.warns(sb.BindWarning):
        library = sb.compile(ABSENT)
    assert (library.made().id(), type(library.made()).__name__, library.fine(None)) == (2, "Known", 7)
    reasons = {s.name.partition("(")[0]: s.reason for s in library.__skipped__}
    assert "close_it" in reasons["first"]
    assert "the destructor of Closing uses close_it, which no source" in reasons["Closing::Closing"]
    assert "no source or library given defines it" in reasons["Unknown::Unknown"]


@pytest.mark.parametrize(
    ("how", "error"), [("libraries", sb.BindError), ("library", sb.MissingDependency), ("both", None)]
)
def test_a_library_that_needs_what_is_nowhere(
    how: str, error: type[Exception] | None, tmp_path: Path
) -> None:
    def shared(name: str, text: str) -> str:
        source, library = tmp_path / f"{name}.c", tmp_path / f"lib{name}.so"
        source.write_text(text)
        command = [*find_compiler("c").command, "-shared", "-fPIC", str(source), "-o", str(library)]
        subprocess.run(command, check=True)
        return str(library)

    needy = "int lies_nowhere(int); static int helper(int n) { return lies_nowhere(n); }"
    bad = shared("needy", f"{needy}\nint outer(int n) {{ return helper(n) + 1; }}")
    other = shared("other", "int lies_nowhere(int n) { return 2 * n; }")
    header = tmp_path / "needy.h"
    header.write_text("int outer(int n);")
    given = {
        "library": {"library": bad},
        "libraries": {"libraries": [bad]},
        "both": {"libraries": [bad, other]},
    }
    if error is None:
        assert sb.bind(header, language="c", flags=["-Wl,--no-as-needed"], **given[how]).outer(3) == 7
        return
    with pytest.raises(
        error, match=r"libneedy\.so needs lies_nowhere, which none of its libraries defines"
    ) as caught:
        sb.bind(header, language="c", **given[how]).outer(3)
    assert how == "libraries" or "outer()" in str(caught.value)


CODED = """
struct Base { virtual ~Base() {} virtual int id() const { return 1; } };
template <class T> struct Coded;
template <> struct Coded<char> : Base { int id() const override; char more; };
inline Base* made() { static Base known; return &known; }
inline int coded(const Coded<char>* c) { return c ? c->more : 8; }
"""


def test_a_specialization_whose_virtual_functions_are_missing() -> None:
    with pytest.warns(sb.BindWarning):
        library = sb.compile(CODED)
    assert (library.made().id(), library.coded(None)) == (1, 8)


def _of_c(folder: Path) -> Path:
    """A header of C that says nothing to C++, with its source and its library beside it."""
    (folder / "mean.h").write_text("double mean(double x);\n")
    (folder / "mean.c").write_text('#include "mean.h"\ndouble mean(double x) { return x; }\n')
    subprocess.run(
        [*find_compiler("c").command, "-shared", "-fPIC", "mean.c", "-o", "libmean.so"],
        cwd=folder,
        check=True,
    )
    return folder / "mean.h"


def test_a_header_with_sources_of_c_alone_is_c(tmp_path: Path) -> None:
    assert sb.bind(_of_c(tmp_path), sources=[tmp_path / "mean.c"]).mean(2) == 2


def test_that_a_function_may_be_of_c_is_said(tmp_path: Path) -> None:
    header, library = _of_c(tmp_path), tmp_path / "libmean.so"
    with pytest.warns(sb.BindWarning, match="If it is a function of C, say language='c'"):
        sb.bind(header, libraries=[library])
    assert sb.bind(header, libraries=[library], language="c").mean(2) == 2
