"""Stubs beside scripts: of what sb.compile makes, whole with C++'s operators, judged by a type checker."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tables import warns_at_first

import samebytes as sb
from samebytes.loading.operators import all_special_methods

SOURCE = """
#include <string>
/// A vector.
struct V {
  double x;
  V operator+(const V& o) const { return {x + o.x}; }
  V operator-() const { return {-x}; }
  V& operator*=(double k) { x *= k; return *this; }
  V& operator*=(const V& o) { x *= o.x; return *this; }
  bool operator==(const V& o) const { return x == o.x; }
  double operator()(int a, int b) const { return a + b; }
};
inline V operator*(double k, V v) { return {k * v.x}; }
inline bool operator<(const V& a, const V& b) { return a.x < b.x; }
class Row {
  double d[4] = {};
 public:
  double& operator[](int i) { return d[i]; }
  const double& operator[](int i) const { return d[i]; }
  explicit operator bool() const { return true; }
  Row& operator+=(const std::string& s) { d[0] += s.size(); return *this; }
};
inline int over(int x) { return x; }
inline std::string over(std::string x) { return x; }
long double odd(long double x);
"""
USER = """
from typing import TYPE_CHECKING, assert_type

if TYPE_CHECKING:
    import lib
else:
    import samebytes as sb
    from pathlib import Path

    lib = sb.compile(Path("source.hpp"), stub="lib.pyi")

v = lib.V(1.5)
v *= 2
assert_type(v + v, lib.V)
assert_type(2.0 * v, lib.V)
assert_type(-v, lib.V)
assert_type(v(1, 2), float)
assert_type(v < v, bool)
assert_type(v == v, bool)
row = lib.Row()
row[1] = 2.5
assert_type(row[1], float)
row += "ab"
assert_type(lib.over(1), int)
assert_type(lib.over("a"), str)
assert_type(lib.__skipped__[0].reason, str)
print(v.x, row[0], len(lib.__skipped__))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stub")
    (folder / "source.hpp").write_text(SOURCE)
    (folder / "user.py").write_text(USER)
    with warns_at_first(sb.BindWarning):
        sb.compile(folder / "source.hpp", stub=folder / "lib.pyi")
    return folder


def methods(stub: Path) -> dict[str, dict[str, int]]:
    """How many forms each method of each class has."""
    found: dict[str, dict[str, int]] = {}
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.ClassDef):
            own = found.setdefault(node.name, {})
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    own[member.name] = own.get(member.name, 0) + 1
    return found


def test_every_operator_has_its_line(home: Path) -> None:
    lib = sb.compile(home / "source.hpp", stub=home / "lib.pyi")
    said = methods(home / "lib.pyi")
    for name in ("V", "Row"):
        has = {m for m in all_special_methods() if vars(getattr(lib, name)).get(m) is not None}
        assert has - {"__ne__", "__gt__"} <= said[name].keys()  # C++ has no > here: Python's refuses
    assert said["V"]["__imul__"] == 2
    assert {m: n for m, n in said["Row"].items() if m not in ("__init__", "__hash__")} == dict.fromkeys(
        ("__getitem__", "__setitem__", "__bool__", "__iadd__"), 1
    )


def test_a_stub_is_written_once_for_a_build(home: Path, tmp_path: Path) -> None:
    stub = tmp_path / "lib.pyi"
    sb.compile("int first() { return 1; }", stub=stub)
    before = stub.stat().st_mtime_ns, stub.read_text()
    sb.compile("int first() { return 1; }", stub=stub)
    assert (stub.stat().st_mtime_ns, stub.read_text()) == before
    sb.compile("int second() { return 1; }", stub=str(stub))
    assert "def second() -> int:" in stub.read_text()


def test_what_samebytes_did_not_write_stays(tmp_path: Path) -> None:
    own = tmp_path / "lib.pyi"
    own.write_text("x: int\n")
    with pytest.raises(sb.BindError, match="did not write it"):
        sb.compile("int f() { return 1; }", stub=own)
    assert own.read_text() == "x: int\n"
    with pytest.raises(sb.BindError, match="there is no folder"):
        sb.compile("int f() { return 1; }", stub=tmp_path / "no" / "lib.pyi")
    with pytest.raises(sb.BindError, match=r"a path that ends in \.pyi"):
        sb.compile("int f() { return 1; }", stub="lib.py")


def test_the_user_s_script_runs(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "user.py"], cwd=home, capture_output=True, text=True, check=False
    )
    assert done.stdout == "3.0 2.0 1\n", done.stderr


@pytest.mark.full
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_type_checker_judges_the_script(checker: str, home: Path) -> None:
    pytest.importorskip(checker, reason=f"{checker} judges programs by the stub")
    strict = {"mypy": ["--strict", "--no-incremental"], "pyright": ["--pythonpath", sys.executable]}[checker]
    done = subprocess.run(
        [sys.executable, "-m", checker, *strict, "user.py"],
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
