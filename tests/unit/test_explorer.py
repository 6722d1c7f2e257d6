"""The explorer's page: all that is bound, one picture for each layout, nothing from elsewhere, a search that finds."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from samebytes.tools.cli import main

HEADER = """
#include <string>
/// A <point>.
struct P { char tag; double x; };
inline double norm(P p, const double* weights) { return p.x; }
inline int f(std::string text) { return 1; }
long double odd(long double x);
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    home = tmp_path_factory.mktemp("page")
    (home / "few.hpp").write_text(HEADER)
    out = home / "out.html"
    done = CliRunner().invoke(main, ["explain", str(home / "few.hpp"), "--html", str(out)])
    assert done.exit_code == 0, done.output
    assert done.output == f"The page is {out}.\n"
    return out.read_text()


def entries(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<article data-name="([^"]*)" data-search="([^"]*)"', page)


def test_every_declaration_has_an_entry(page: str) -> None:
    assert [name for name, _ in entries(page)] == ["norm", "f", "P", "odd(long double)"]
    assert "3 of 4 declarations are bound" in page
    assert "long double has no counterpart" in page


def test_nothing_comes_from_elsewhere(page: str) -> None:
    assert not re.findall(r"(?:src|href)=[\"'](?!#)[^\"']*", page)
    assert "@import" not in page
    assert "<!--" not in page


def test_dialects_that_agree_share_a_picture(page: str) -> None:
    captions = re.findall(r"<figcaption>([^<]*)</figcaption>", page)
    assert captions == ["cxx, cuda, hip, sycl"]
    assert "cxx: 16 bytes" in page
    assert page.count("x: float64 at byte 8, 8 bytes, aligned to 8") == 1


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", ["norm", "f", "P", "odd(long double)"]),
        ("std::STRING", ["f"]),
        ("double NORM", ["norm"]),
        ("zzz", []),
    ],
)
def test_what_the_search_shows(page: str, typed: str, found: list[str], tmp_path: Path) -> None:
    script = re.search(r"<script>\n(.*)</script>", page, re.DOTALL)
    assert script is not None
    facts = [{"name": name, "dataset": {"search": text}, "hidden": False} for name, text in entries(page)]
    (tmp_path / "run.js").write_text(f"""
const entries_ = {json.dumps(facts)};
const input = {{ value: "", addEventListener(kind, f) {{ this.run = f; }} }}, output = {{}};
globalThis.location = {{ hash: "", pathname: "/p" }};
globalThis.history = {{ replaceState() {{}} }};
globalThis.document = {{
  querySelector: (what) => ({{ input, output }})[what],
  querySelectorAll: (what) => (what === "article" ? entries_ : []),
}};
{script[1]}
input.value = {json.dumps(typed)};
input.run();
console.log(JSON.stringify(entries_.filter((e) => !e.hidden).map((e) => e.name)));
""")
    done = subprocess.run(["node", tmp_path / "run.js"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == found
