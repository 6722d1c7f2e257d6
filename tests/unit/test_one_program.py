"""Shims and the shared libraries that they are linked with are one program, as by g++; two of ours are two."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = pytest.mark.full  # several libraries of each source

HEADER = r"""
#pragma once
#include <stdexcept>
struct Cfg { int v = 1; Cfg() { ++made(); } static int& made() { static int n = 0; return n; }
  static Cfg& get() { static Cfg c; return c; } };
inline int counter = 1;
inline int at_start = 1 + counter;
struct Holder { static inline int held = 1; };
template <class T> struct Sing { static T value; };
template <class T> T Sing<T>::value = 1;
template <class T> T of_type = T(1);
inline int& in_function() { static int n = 1; return n; }
inline thread_local int of_thread = 1;
struct Error : std::runtime_error { using runtime_error::runtime_error; };
struct Base { virtual ~Base() {} };
struct Derived : Base {};
inline int own() { static int n = 0; return ++n; }

API int lib_get(int what);
API void lib_set(int x);
API void lib_throw();
API bool lib_derived(Base* b);

inline void set(int x) {
  Cfg::get().v = counter = at_start = Holder::held = Sing<int>::value = of_type<int> = in_function() = of_thread = x;
}
inline int get(int what) {
  int* all[] = {&Cfg::get().v, &counter, &at_start, &Holder::held, &Sing<int>::value, &of_type<int>, &in_function(),
                &of_thread, &Cfg::made()};
  return *all[what];
}
inline int caught() { try { lib_throw(); } catch (const Error&) { return 1; } catch (...) { return 2; } return 0; }
inline bool derived() { Derived d; return lib_derived(&d); }
"""
TEMPLATES = "template <class T> void set_of(T x) { Sing<T>::value = x; counter = x; }\n"
SOURCE = """
#include "program.hpp"
int lib_get(int what) { return get(what); }
void lib_set(int x) { set(x); }
void lib_throw() { throw Error("no"); }
bool lib_derived(Base* b) { return dynamic_cast<Derived*>(b) != nullptr; }
"""
WHAT = range(8)
_SHOWN, _HIDDEN = "#define API\n", '#define API __attribute__((visibility("default")))\n'


def _built(
    folder: Path, header: str, compiler: str = "g++", *flags: str, name: str = "program", source: str = SOURCE
) -> Path:
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    (folder / "program.hpp").write_text(header)
    (folder / f"{name}.cpp").write_text(source)
    library = folder / f"lib{name}.so"
    command = [
        compiler,
        "-std=c++17",
        "-shared",
        "-fPIC",
        str(folder / f"{name}.cpp"),
        "-o",
        str(library),
        *flags,
    ]
    subprocess.run(command, check=True)
    return library


def _check(lib: Any, runtimes: int = 1) -> None:
    lib.set(5)
    assert [lib.lib_get(n) for n in WHAT] == [5] * len(WHAT)
    lib.lib_set(6)
    assert [lib.get(n) for n in WHAT] == [6] * len(WHAT)
    assert (lib.get(8), lib.lib_get(8)) == (1, 1)  # Cfg is made once
    assert lib.derived() is True
    if (
        runtimes == 1
    ):  # an exception of one C++ runtime is none of another's: zig's is linked into its libraries
        assert lib.caught() == 1


def test_the_linked_library_is_one_program(tmp_path: Path) -> None:
    library = _built(tmp_path, _SHOWN + HEADER)
    lib = sb.bind(tmp_path / "program.hpp", libraries=[str(library)])
    _check(lib)
    lib.counter = 9
    lib.Holder.held = 10
    assert (lib.lib_get(1), lib.lib_get(3)) == (9, 10)


@pytest.mark.full
@pytest.mark.parametrize("templates", ["", TEMPLATES], ids=["plain", "with templates"])
@pytest.mark.parametrize("loaded", [False, True], ids=["", "loaded before"])
@pytest.mark.parametrize("theirs", ["g++", "clang++-19"])
@pytest.mark.parametrize("ours", ["c++", "clang++-19", "zig"])
def test_with_each_compiler(
    ours: str, theirs: str, loaded: bool, templates: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"program_{theirs}_{ours}_{loaded}_{bool(templates)}"  # a process takes one library of a file name
    library = _built(tmp_path, _SHOWN + HEADER + templates, theirs, name=name)
    if ours == "zig":
        pytest.importorskip("ziglang", reason="zig is not installed: pip install 'samebytes[compiler]'")
        monkeypatch.setenv("CXX", f"{sys.executable} -m ziglang c++ -mcpu=baseline")
    elif not shutil.which(ours):
        pytest.skip(f"{ours} is not installed")
    else:
        monkeypatch.setenv("CXX", ours)
    if loaded:
        ctypes.CDLL(str(library), mode=ctypes.RTLD_LOCAL)
    lib = sb.bind(tmp_path / "program.hpp", libraries=[name], library_dirs=[tmp_path])
    _check(lib, 2 if ours == "zig" else 1)
    if templates:  # an instantiation that is built later is of the same program
        lib.set_of["int"](7)
        assert (lib.lib_get(1), lib.lib_get(4), lib.get(4)) == (7, 7, 7)


@pytest.mark.full
def test_what_a_linked_library_needs_is_of_the_program(tmp_path: Path) -> None:
    inner = _built(tmp_path, _SHOWN + HEADER)
    outer = _built(
        tmp_path, _SHOWN + HEADER, "g++", str(inner), f"-Wl,-rpath,{tmp_path}", name="outer",
        source="int lib_get(int); int outer_get(int n) { return lib_get(n); }",
    )  # fmt: skip
    (tmp_path / "outer.hpp").write_text(
        '#include "program.hpp"\nint outer_get(int n);\ninline void put(int x) { set(x); }\n'
    )
    lib = sb.bind(tmp_path / "outer.hpp", libraries=[str(outer)])
    lib.put(5)
    assert [lib.outer_get(n) for n in WHAT] == [5] * len(WHAT)


@pytest.mark.full
def test_link_time_optimisation_changes_nothing(tmp_path: Path) -> None:
    library = _built(tmp_path, _SHOWN + HEADER)
    _check(sb.bind(tmp_path / "program.hpp", libraries=[str(library)], flags=["-flto"]))


def test_two_libraries_of_ours_never_meet(tmp_path: Path) -> None:
    source = "inline int counter = 1; inline int& n() { static int n = 1; return n; }\n"
    source += "inline int next() { return ++counter + ++n(); }\n"
    one, two = (sb.compile(f"{source}inline int which() {{ return {n}; }}") for n in (1, 2))
    assert [one.next(), one.next(), two.next()] == [4, 6, 4]


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_what_a_library_hides_is_said(tmp_path: Path) -> None:
    library = _built(tmp_path, _HIDDEN + HEADER, "g++", "-fvisibility=hidden")
    lib = sb.bind(tmp_path / "program.hpp", libraries=[str(library)])
    reasons = {s.name: s.reason for s in lib.__skipped__}
    hidden = {"counter", "at_start", "Holder::held", "in_function()::n", "Cfg::get()::c", "Sing<int>::value"}
    assert hidden <= set(reasons)
    assert all("libprogram.so hides its own copy" in reasons[name] for name in hidden)
    assert "own()::n" not in reasons  # the library has none
    assert "hides its own copy" in str(sb.explain(lib, "counter"))
    assert not hasattr(lib, "counter")
    lib.set(5)
    assert (lib.get(1), lib.lib_get(1)) == (5, 1)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_of_a_library_that_is_opened_later_it_is_said(tmp_path: Path) -> None:
    library = _built(tmp_path, _SHOWN + HEADER)
    lib = sb.bind(tmp_path / "program.hpp", library=str(library))
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert all(
        "opened later" in reasons[n] and "libraries=" in reasons[n] for n in ("counter", "Holder::held")
    )


@pytest.mark.full
def test_a_package_is_of_the_program(tmp_path: Path) -> None:
    library = _built(tmp_path, _SHOWN + HEADER)
    header, made = str(tmp_path / "program.hpp"), str(tmp_path / "made")
    done = CliRunner().invoke(main, ["bind", header, "-l", str(library), "-o", made])
    assert done.exit_code == 0, done.output
    check = "import program as p; p.set(5); assert [p.lib_get(n) for n in range(8)] == [5] * 8"
    subprocess.run([sys.executable, "-c", check], cwd=tmp_path / "made", check=True)
