"""Notebooks: the magic of cells, HTML of libraries, functions and what is not bound, errors without our own frames."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from tests.tables import warns_at_first

import samebytes as sb

SOURCE = """
/// A point <of the plane>.
struct P { double x, y; };
/// Its square.
double norm(P p) { return p.x * p.x + p.y * p.y; }
namespace inner { int f(int a, const double* data); inline int f(int a, const double* data) { return a; } }
constexpr int size = 3;
int counter = 0;
long double odd(long double x) { return x; }
"""


class Text(HTMLParser):
    """The text of a fragment; tags that do not fit each other are errors."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.gap(tag)
        if tag != "br":
            self.open.append(tag)

    def gap(self, tag: str) -> None:
        if tag not in ("b", "code", "small"):
            self.said.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.gap(tag)
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def text(html: str) -> str:
    return " ".join("".join(Text(html).said).split())


@pytest.fixture(scope="module")
def lib() -> sb.Library:  # type: ignore[name-defined]
    with warns_at_first(sb.BindWarning):
        return sb.compile(SOURCE, name="shown")


class TestHtml:
    def test_of_a_library_made_or_not(self, lib) -> None:
        before = text(lib._repr_html_())
        assert "shown, a library of 5 names" in before
        assert "norm double norm(P p)" in before
        assert "P class A point <of the plane>." in before
        assert "inner.f int inner::f(int a, const double * data)" in before
        assert "size 3" in before
        assert "counter a variable of C++" in before
        assert "1 not bound" in before
        assert "odd(long double) its result (long double): long double has no counterpart" in before
        assert lib.norm((3.0, 4.0)) == 25
        assert lib.P
        assert text(lib._repr_html_()) == before

    def test_of_a_large_library(self) -> None:
        many = sb.compile("".join(f"inline int f{i}() {{ return {i}; }}\n" for i in range(70)), name="large")
        said = text(many._repr_html_())
        assert "a library of 70 names" in said
        assert "… and 10 more" in said
        assert "everything is bound" in said

    def test_of_a_function(self, lib) -> None:
        said = text(sb.explain(lib.norm)._repr_html_())
        assert "norm(p: P) -> float64 double norm(P p)" in said
        for argument in sb.explain(lib.norm).functions[0].arguments:
            assert argument.takes in said
            assert argument.copies in said

    def test_of_everything(self, lib) -> None:
        said = text(sb.explain(lib)._repr_html_())
        assert "P == compares the fields" in said
        assert "odd(long double)" in said


def lines_of(code: str, wanted: type[Exception]) -> str:
    space: dict[str, object] = {"__name__": "__main__", "sb": sb}
    with pytest.raises(wanted) as caught:
        exec(compile(code, "<ipython-input-3-abc>", "exec"), space)
    return "\n".join(caught.value._render_traceback_())  # type: ignore[attr-defined]


class TestErrors:
    def test_only_the_user_s_frames(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NO_COLOR", "1")
        shown = lines_of(
            "f = sb.compile('int twice(int x) { return 2 * x; }').twice\ndef run():\n    f(2**31)\nrun()\n",
            sb.RangeError,
        )
        assert re.findall(r"^the cell, line (\d)(.*)$", shown, re.MULTILINE) == [
            ("4", ""),
            ("3", ", in run()"),
        ]
        assert "samebytes/" not in shown
        assert shown.splitlines()[-1].startswith("RangeError: twice() argument 1 'x'")

    def test_a_compiler_s_error_is_short_and_in_colour(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("NO_COLOR", raising=False)
        shown = lines_of("sb.compile('int g(int a) { return b; }')", sb.CompileError)
        assert len(shown.splitlines()) < 20
        assert re.search(r"\x1b\[31msource\.cpp:1:23: error: 'b' was not declared.*\x1b\[0m", shown)
        assert shown.count("'b' was not declared") == 1

    def test_ipython_asks_so(self) -> None:
        assert sb.Error._render_traceback_.__qualname__ == "Error._render_traceback_"


def test_ipython_is_imported_by_nobody() -> None:
    code = (
        "import sys, samebytes as sb; lib = sb.compile('int f() { return 1; }'); lib._repr_html_(); "
        "print({'IPython', 'click', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


class Shell:
    """What the extension asks of a shell of IPython's, with nothing of IPython."""

    def __init__(self) -> None:
        self.magics: dict[str, object] = {}
        self.variables: dict[str, object] = {}
        self.rules: dict[type, object] = {}
        self.display_formatter = self
        self.formatters = {"text/html": self}

    def register_magic_function(self, function, kind: str, name: str) -> None:
        self.magics[f"{kind} {name}"] = function

    def for_type(self, cls: type, function) -> None:
        self.rules[cls] = function

    def push(self, names: dict[str, object]) -> None:
        self.variables |= names


class TestMagic:
    @pytest.fixture
    def shell(self) -> Shell:
        made = Shell()
        sb.load_ipython_extension(made)
        return made

    def test_a_cell_of_c_plus_plus(self, shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
        magic = shell.magics["cell samebytes"]
        made = magic(
            "geo -D N=4 --std c++20", "#include <span>\nint f() { return N; }\nlong double odd(long double);"
        )
        assert shell.variables == {"geo": made}
        assert made.f() == 4
        assert "odd(long double) (source.cpp:3)" in capsys.readouterr().err
        assert magic("", "int g() { return 1; }") is shell.variables["lib"]

    def test_what_the_line_must_not_have(self, shell: Shell) -> None:
        with pytest.raises(sb.BindError, match=r"%%samebytes: No such option.*--nope"):
            shell.magics["cell samebytes"]("--nope", "int x;")

    def test_help(self, shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
        assert shell.magics["cell samebytes"]("--help", "") is None
        assert "--std" in capsys.readouterr().out

    def test_functions_and_what_is_skipped(self, shell: Shell, lib) -> None:
        function, found = shell.rules[type(len)], shell.rules[tuple]
        assert "double norm(P p)" in text(function(lib.norm))
        assert function(len) is None
        assert "odd(long double)" in text(found(lib.__skipped__))
        assert found((1, 2)) is None
        assert found(()) is None


@pytest.mark.full
def test_in_a_shell_of_ipython() -> None:
    interactive = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    shell = interactive.InteractiveShell.instance()
    for cell in ("%load_ext samebytes", "%%samebytes geo\nint f(int a) { return a; }"):
        shell.run_cell(cell).raise_error()
    assert "int f(int a)" in text(shell.display_formatter.format(shell.user_ns["geo"].f)[0]["text/html"])
    failed = shell.run_cell("geo.f('x')").error_in_exec
    assert isinstance(failed, sb.ArgumentError)
