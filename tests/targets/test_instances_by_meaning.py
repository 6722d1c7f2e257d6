"""An instantiation is found by what its arguments mean, whatever it was asked for as, by all who call it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.tables import each

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = """
#ifndef __CUDACC__
#define __device__
#endif
enum class Mode : short { add = -1, mul = 5 };
namespace ns { enum Kind { one = 1, two }; struct Point { int x; }; }
constexpr Mode favourite = Mode::mul;
using Short = Mode;
template <Mode M> __device__ inline int k() { return int(M); }
template <ns::Kind K> __device__ inline int kinds() { return int(K); }
template <Mode M, class T> __device__ inline T both(T x) { return x + T(int(M)); }
template <class T, T V> __device__ inline int typed() { return int(V); }
template <auto V> __device__ inline int any() { return int(V); }
template <class T> __device__ inline int sized() { return sizeof(T); }
template <unsigned long N> __device__ inline int counted() { return N; }
template <bool B> __device__ inline int flag() { return B; }
template <Mode M = Mode::mul, int N = 3> __device__ inline int usual() { return N * int(M); }
template <Mode M> struct Box { int v; __device__ int mode() const { return int(M) + v; } };
template <class T> struct Cell { T v; };
struct Owner { int n; template <Mode M> __device__ static int of() { return int(M); } };
"""
# What is asked for, what Python names it by, and what a call of it gives.
ROWS: tuple[tuple[str, Callable[[Any], Any], Any], ...] = (
    ("k<Mode::mul>", lambda lib: lib.k[lib.Mode.mul], 5),
    ("k<(Mode)5>", lambda lib: lib.k[lib.Mode.mul], 5),
    ("k<Mode(5)>", lambda lib: lib.k[lib.Mode.mul], 5),
    ("k<Mode{5}>", lambda lib: lib.k[lib.Mode.mul], 5),
    ("k< static_cast<Mode>( 5 ) >", lambda lib: lib.k[lib.Mode.mul], 5),
    ("::k<::Mode::mul>", lambda lib: lib.k[lib.Mode.mul], 5),
    ("k<favourite>", lambda lib: lib.k[lib.Mode.mul], 5),
    ("k<Short::mul>", lambda lib: lib.k[lib.Mode.mul], 5),
    ("k<Mode::add>", lambda lib: lib.k["(Mode)-1"], -1),
    ("k<static_cast<Mode>(-1)>", lambda lib: lib.k[lib.Mode.add], -1),
    ("kinds<ns::two>", lambda lib: lib.kinds[lib.ns.Kind.two], 2),
    ("kinds<ns::Kind::two>", lambda lib: lib.kinds["ns::two"], 2),
    ("kinds<(ns::Kind)2>", lambda lib: lib.kinds[lib.ns.Kind.two], 2),
    ("typed<Mode, Mode::add>", lambda lib: lib.typed[lib.Mode, lib.Mode.add], -1),
    ("any<Mode::add>", lambda lib: lib.any[lib.Mode.add], -1),
    ("sized<unsigned>", lambda lib: lib.sized[sb.uint32], 4),
    ("sized<const float *>", lambda lib: lib.sized[sb.pointer[sb.const[sb.float32]]], 8),
    ("sized<ns::Point>", lambda lib: lib.sized[lib.ns.Point], 4),
    ("sized<Cell<unsigned char>>", lambda lib: lib.sized["Cell<unsigned char >"], 1),
    ("counted<7u>", lambda lib: lib.counted[7], 7),
    ("flag<true>", lambda lib: lib.flag[True], 1),
    ("usual<>", lambda lib: lib.usual[lib.Mode.mul, 3], 15),
    ("Owner::of<Mode::mul>", lambda lib: lib.Owner.of[lib.Mode.mul], 5),
)
CLASSES = (
    ("Box<Mode::mul>", lambda lib: lib.Box[lib.Mode.mul]),
    ("Box<(Mode)5>", lambda lib: lib.Box[lib.Mode.mul]),
    ("Box<favourite>", lambda lib: lib.Box["Mode::mul"]),
    ("Cell<unsigned>", lambda lib: lib.Cell[sb.uint32]),
)
TARGETS = ("host", "numba", "numba_cuda")


def library(target: str, asked: str) -> Any:
    if target != "host":
        pytest.importorskip("numba", reason="Numba is not installed")
    if target == "numba_cuda":
        pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
    return sb.compile(SOURCE, target=target, name="meanings", instantiate=[asked])


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_there_is_not_built_again(target: str) -> None:
    for asked, named, result in ROWS:
        lib = library(target, asked)
        there = dict(lib.__instances__)
        function = named(lib)
        assert function is there[asked], asked
        assert lib.__instances__ == there, asked
        if target != "numba_cuda":
            assert function() == result, asked
    for asked, named in CLASSES:
        lib = library(target, asked)
        assert named(lib) is lib.__instances__[asked], asked


def test_another_value_is_another_instantiation() -> None:
    lib = library("host", "k<Mode::mul>")
    assert lib.k[lib.Mode.add]() == -1
    assert lib.k[lib.Mode.add] is not lib.k[lib.Mode.mul]


def test_a_package_builds_nothing_and_has_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: dict[Any, tuple[str, Callable[[Any], Any], Any]] = {}
    for asked, named, result in ROWS:
        chosen.setdefault((asked.lstrip(":").partition("<")[0], result), (asked, named, result))
    header = tmp_path / "meanings.hpp"
    header.write_text(SOURCE)
    said = [
        word
        for asked in [a for a, *_ in chosen.values()] + ["Box<(Mode)5>"]
        for word in ("--instantiate", asked)
    ]
    done = CliRunner().invoke(
        main, ["bind", str(header), "-o", str(tmp_path), "--name", "meanings_packaged", *said]
    )
    assert done.exit_code == 0, done.output
    header.unlink()
    monkeypatch.syspath_prepend(str(tmp_path))
    lib = importlib.import_module("meanings_packaged")
    for asked, named, result in chosen.values():
        assert named(lib)() == result, asked
    assert lib.Box[lib.Mode.mul](1).mode() == 6
    with pytest.raises(sb.ArgumentError, match="this package was written without it"):
        lib.flag[False]


@each("row", [("k<Mode::nothing>", "nothing"), ("k<(Mode)>", "k<"), ("k<5>", "k<5>")])
def test_what_cxx_refuses_is_refused(row: tuple[str, str]) -> None:
    asked, words = row
    with pytest.raises(sb.BindError, match=words):
        library("host", asked)
