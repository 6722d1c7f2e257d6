"""Packages: readable, the same bytes each time, free of this machine, and usable where nothing can be compiled."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from samebytes.toolchain.elf import Elf
from samebytes.tools.cli import main

pytestmark = pytest.mark.full  # it takes long

HEADER = """#pragma once
#include <stdexcept>
#include <string>
#include "depth.hpp"
/// Everything about lakes.
namespace lake {
enum class Kind : unsigned char { fresh = 1, salt };
enum Flags { SMALL = 1, LARGE = 2 };
constexpr double kDeep = 100.5;
constexpr float kNone = __builtin_nanf("");
/// Adds "metres"; a back\\slash.
inline Depth add(Depth a, double b = 1.5, int lambda = 3) { a.metres += b; return a; }
inline int over(int x) { return x; }
inline const char* over(const char* s) { return s; }
inline Kind kind(Kind k) { return k; }
typedef int (*Step)(int);
inline int apply(Step f, int x) { return f(x); }
inline Step same(Step f) { return f; }
inline std::string where() { return __FILE__; }
inline void measure(Depth& d) { d.metres *= 2; }
inline void mean(const double* x, int n, double& out) { out = n ? x[0] : 0; }
inline void grid(float out[2][2]) { out[1][1] = 4; }
inline void many(int n, float* out) { for (int i = 0; i < n; ++i) out[i] = i; }
inline void refuse() { throw std::invalid_argument("no"); }
struct Counter { int n; Counter(int start) : n(start) {} int add(int k = 1) { return n += k; } };
struct Boat {
  std::string name;
  Boat(std::string name) : name(name) {}
  virtual ~Boat() {}
  virtual int oars() const { return 2; }
};
struct Galley : Boat { Galley() : Boat("galley") {} int oars() const override { return 50; } };
inline int row(const Boat& boat) { return boat.oars(); }
inline Galley launch() { return Galley(); }
inline bool operator<(Depth a, Depth b) { return a.metres < b.metres; }
template <class T> T twice(T x) { return x + x; }
template <class T> struct Box { T value; };
long double skipped(long double);
}
#define LAKE_MAX 12
inline int level = 3;
inline double heights[2] = {1, 2};
inline int get_level() { return level; }
int far(int x);
"""
DEPTH = (
    "#pragma once\nnamespace lake { /** A depth. */ struct Depth { double metres; int measured : 3; }; }\n"
)
CONFIG = """
Entry Point: lake.hpp
Output Name: lakes.py
Sources: far.cpp
Instantiate: ["lake::twice<int>", "lake::twice(double)", "lake::Box<float>"]
API Prefix Removal: {Function: f}
Function Argument Intents:
  measure: {d: inout_ptr}
  mean: {out: out_return}
  grid: {out: {intent: out_array_return, shape: true}}
  many: {out: {intent: out_array_return, length: n, as_array: true}}
"""


def home(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "lake.hpp": HEADER, "depth.hpp": DEPTH, "lake.yaml": CONFIG,
        "far.cpp": "#include \"lake.hpp\"\nint far(int x) { return 2 * x; }\n",
    }.items():  # fmt: skip
        (folder / name).write_text(text)
    return folder


def write(folder: Path, out: Path, *more: str) -> Path:
    done = CliRunner().invoke(main, ["bind", "-c", str(folder / "lake.yaml"), "-o", str(out), *more])
    assert done.exit_code == 0, done.output
    return out / "lakes"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return write(home(tmp_path_factory.mktemp("lake")), tmp_path_factory.mktemp("out"))


def run(code: str, place: Path) -> str:
    """What a program prints where there is no libclang and no compiler."""
    hidden = (
        "import sys\n"
        f"sys.path.insert(0, {str(place)!r})\n"
        "class Hidden:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('clang', 'yaml', 'ziglang'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", hidden + code],
        capture_output=True, text=True, check=False, cwd="/",
        env={"PATH": "", "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


USE = """
import numpy, pickle, lakes
from lakes import lake
d = lake.Depth(2.0)
lake.measure(d)
print(d.metres, lake.add(d).metres, lake.over(3), lake.over('x'), lake.kind(lake.Kind.salt).name, lake.kDeep)
print(lake.apply(lambda x: x + 1, 4), lake.same(lake.Step(lambda x: x * 2))(4), lake.mean(numpy.ones(2), 2))
print(lake.grid(), lake.many(3))
print(lakes.LAKE_MAX, lakes.ar(4), lake.kNone != lake.kNone, lake.LARGE.value, lake.where())
c = lake.Counter(5)
print(c.add(), c.add(3), c.n, lake.Depth.__module__)
print(pickle.loads(pickle.dumps(lake.add)) is lake.add, pickle.loads(pickle.dumps(d)) == d)
assert pickle.loads(pickle.dumps((lake.Kind.salt, lake.Depth))) == (lake.Kind.salt, lake.Depth)
print([s.name for s in lakes.__skipped__], lakes.__all__)
galley = lake.launch()
print(lake.row(galley), lake.row(lake.Boat('b')), isinstance(galley, lake.Boat), getattr(lake, 'operator<')(d, d))
print(lake.twice(2), lake.twice(0.5), lake.Box[float](3).value)
try:
    lake.twice[__import__('numpy').int8](1)
except TypeError as error:
    print('without it' in str(error))
lakes.level += 4
lakes.heights[1] = 9
print(lakes.level, lakes.get_level(), lakes.heights.tolist(), 'level' in dir(lakes))
try:
    lakes.ar = 3
except AttributeError as error:
    print(error)
try:
    lake.refuse()
except ValueError as error:
    print(error)
"""
USED = """4.0 5.5 3 x salt 100.5
5 8 1.0
((0.0, 0.0), (0.0, 4.0)) [0. 1. 2.]
12 8 True 2 ./lake.hpp
6 9 9 lakes
True True
['lake::skipped(long double)'] ['LAKE_MAX', 'ar', 'get_level', 'lake']
50 2 True False
4 1.0 3.0
True
7 7 [1.0, 9.0] True
'ar' of 'lakes' is bound to C++ and cannot be replaced
no"""


def test_it_works_without_libclang_and_without_a_compiler(package):
    assert run(USE, package.parent) == USED


def test_it_can_be_moved(package, tmp_path):
    shutil.copytree(package, tmp_path / "elsewhere" / "lakes")
    assert run(USE, tmp_path / "elsewhere") == USED


def test_it_is_the_same_bytes_each_time(package, tmp_path, monkeypatch):
    """Built anew, from another directory, into another directory, with an empty cache."""
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    again = write(home(tmp_path / "x" / "y"), Path("second"))
    names = sorted(p.name for p in package.iterdir())
    assert sorted(p.name for p in again.iterdir()) == names
    for name in names:
        assert (again / name).read_bytes() == (package / name).read_bytes(), name


def test_no_file_names_this_machine(package, tmp_path_factory):
    here = (tmp_path_factory.getbasetemp(), Path(__file__).parents[2])
    words = [*map(str, here), f"{Path.home()}/", "/usr/include"]
    for file in package.iterdir():
        content = file.read_bytes()
        assert not [word for word in words if word.encode() in content], file.name


def test_writing_again_replaces(package, tmp_path):
    folder = home(tmp_path / "src")
    out = tmp_path / "out"
    write(folder, out)
    (folder / "depth.hpp").write_text(DEPTH.replace("double metres", "float metres"))
    write(folder, out)
    assert "float32" in (out / "lakes" / "_declarations.py").read_text()
    assert run("import lakes; print(lakes.lake.Depth(1.5).metres)", out) == "1.5"


def test_shims_can_be_built_again(package, tmp_path):
    """The sources that it carries are the ones it was made of."""
    import samebytes

    folder = home(tmp_path / "src")
    include = Path(samebytes.__file__).parent / "include"
    shutil.copytree(package, tmp_path / "lakes")
    (tmp_path / "lakes" / "library.so").unlink()
    subprocess.run(
        ["g++", "-std=gnu++17", "-O1", "-shared", "-fPIC", "-w", "-iquote", str(folder), "-I", str(include),
         "shims.cpp", "report.cpp", str(folder / "far.cpp"), "-o", "library.so"],
        check=True, cwd=tmp_path / "lakes",
    )  # fmt: skip
    assert (
        run("import lakes; print(lakes.ar(4), lakes.lake.grid())", tmp_path) == "8 ((0.0, 0.0), (0.0, 4.0))"
    )


def test_a_library_of_the_users_own_comes_along(tmp_path):
    folder = home(tmp_path / "src")
    (tmp_path / "lib").mkdir()
    library = tmp_path / "lib" / "libfar.so.1"
    flags = ["-shared", "-fPIC", "-Wl,-soname,libfar.so.1"]
    subprocess.run(["g++", *flags, str(folder / "far.cpp"), "-o", str(library)], check=True)
    (tmp_path / "lib" / "libfar.so").symlink_to("libfar.so.1")
    (folder / "lake.yaml").write_text(
        CONFIG.replace("Sources: far.cpp", "Libraries: far\nLibrary Paths: ../lib")
    )
    package = write(folder, tmp_path / "out")
    assert "libfar.so.1" in Elf((package / "library.so").read_bytes()).needed()
    assert (package / "libfar.so.1").is_file()
    shutil.rmtree(tmp_path / "lib")
    assert run("import lakes; print(lakes.ar(4))", tmp_path / "out") == "8"


class TestRefused:
    def test_files_that_do_not_belong_together(self, package, tmp_path):
        shutil.copytree(package, tmp_path / "lakes")
        text = (tmp_path / "lakes" / "_declarations.py").read_text()
        build = text.rpartition('BUILD = "')[2][:32]
        (tmp_path / "lakes" / "_declarations.py").write_text(text.replace(build, "0" * 32))
        words = run("try:\n    import lakes\nexcept Exception as e: print(type(e).__name__, e)", tmp_path)
        assert words == (
            "BindError lakes: library.so was compiled from other declarations than those beside it: "
            "run `samebytes bind` again"
        )

    def test_another_format(self, package, tmp_path):
        shutil.copytree(package, tmp_path / "lakes")
        init = tmp_path / "lakes" / "__init__.py"
        init.write_text(init.read_text().replace("format=1", "format=0"))
        words = run("try:\n    import lakes\nexcept Exception as e: print(e)", tmp_path)
        assert words.startswith("lakes was written in format 0, and this samebytes reads format 1")

    def test_a_library_that_is_gone(self, package, tmp_path):
        shutil.copytree(package, tmp_path / "lakes")
        (tmp_path / "lakes" / "library.so").unlink()
        words = run("try:\n    import lakes\nexcept Exception as e: print(e)", tmp_path)
        assert words == (
            "lakes: the compiled library library.so is not beside __init__.py: run `samebytes bind` again, or install "
            "the package whole"
        )

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["bind", "-o", "x"], "needs a header, or a configuration with an Entry Point"),
            (["bind", "none.hpp", "-o", "x"], "no header 'none.hpp'"),
            (["bind", "math.h", "-o", "x"], "a package 'math' would hide Python's own"),
            (["bind", "math.h", "-o", "x", "--name", "a-b"], "'a-b' is no name for a Python package"),
        ],
    )
    def test_the_command(self, tmp_path, monkeypatch, arguments, words):
        monkeypatch.chdir(tmp_path)
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 1
        assert words in done.output

    def test_a_package_of_nothing(self, tmp_path):
        (tmp_path / "stats.hpp").write_text("double mean(const double* values, int n);")
        arguments = ["bind", str(tmp_path / "stats.hpp"), "-o", str(tmp_path)]
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 1
        for word in (
            "nothing of",
            "no package is written",
            "mean(const double *, int)",
            "--source or --library",
        ):
            assert word in done.output
        assert not (tmp_path / "stats").exists()

    def test_it_writes_over_nothing_else(self, tmp_path):
        (tmp_path / "lakes").mkdir()
        (tmp_path / "lakes" / "mine.txt").write_text("mine")
        done = CliRunner().invoke(
            main, ["bind", "-c", str(home(tmp_path / "src") / "lake.yaml"), "-o", str(tmp_path)]
        )
        assert done.exit_code == 1
        assert "is not of samebytes bind's making" in done.output


PROGRAM = """
from __future__ import annotations

import numpy as np

import lakes
from lakes import lake

depth: lake.Depth = lake.Depth(1.5)
lake.measure(depth)
metres: float = lake.add(depth, b=2).metres + lake.add((1.0, 2)).metres
number: int = lake.over(3) + lakes.ar(np.int32(2)) + lakes.LAKE_MAX
text: str | None = lake.over("x")
kind: lake.Kind = lake.kind(lake.Kind.salt)
mean: float = lake.mean(np.ones(3), 3) + lake.kDeep
step: int = lake.Step(lambda x: x + 1)(3)
rows: tuple[tuple[float, ...], ...] = lake.grid()
many: np.ndarray = lake.many(3)
counter = lake.Counter(3)
oars: int = lake.row(lake.Galley()) + lake.launch().oars()
boat: lake.Boat = lake.launch()
lakes.level = 5
height: float = lakes.heights[0]
total: int = lakes.level + counter.add() + counter.add(k=2) + counter.n + lake.apply(lambda x: x + 1, 2)
"""
WRONG = (
    'lake.row("x")', 'lakes.ar("x")', "lake.measure(1.5)", "lake.add()", "lake.over()", "lake.nothing",
    "counter.add('x')", "x: str = lake.add(depth)", "lakes.none", "lake.grid(3)",
)  # fmt: skip


class TestStub:
    def test_the_words_of_the_header_are_there(self, package):
        text = (package / "__init__.pyi").read_text()
        assert 'Adds "metres"; a back\\\\slash.' in text
        assert '"""A depth."""' in text
        compile(text, "stub", "exec")

    @pytest.mark.full
    @pytest.mark.parametrize("checker", ["mypy", "pyright"])
    def test_a_program_is_judged_by_it(self, package, tmp_path, checker):
        pytest.importorskip(checker, reason=f"{checker} judges programs by the stub")
        command = {
            "mypy": [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")],
            "pyright": [sys.executable, "-m", "pyright", "--pythonpath", sys.executable],
        }[checker]
        shutil.copytree(package, tmp_path / "lakes")
        good = PROGRAM.replace("np.ndarray =", "np.ndarray[tuple[int, ...], np.dtype[np.float32]] =")
        (tmp_path / "good.py").write_text(good)
        lines = [good, *(f"{line}" for line in WRONG)]
        (tmp_path / "wrong.py").write_text("\n".join(lines) + "\n")
        done = subprocess.run(
            [*command, "good.py"], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stdout
        done = subprocess.run(
            [*command, "wrong.py"], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        first = good.count("\n") + 1
        for number, line in enumerate(WRONG, first + 1):
            assert f"wrong.py:{number}:" in done.stdout, (line, done.stdout)
