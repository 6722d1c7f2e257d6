"""An instantiation built on first use is one program with the library of its header: one copy of every variable."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.toolchain import driver

pytestmark = pytest.mark.full  # several libraries of each source

HEADER = r"""
#pragma once
#include <vector>
extern int counter;
int next();
struct Base { virtual ~Base() = default; virtual int kind() const; };
inline int shared = 1;
inline std::vector<int> registry = {1, 2, 3};
template <class T> struct S {
  static int made;
  static std::vector<T> all;
  static int bump() { return ++made; }
};
template <class T> int S<T>::made = 10;
template <class T> std::vector<T> S<T>::all = {T(1)};
inline int once() { static int n = 5; return ++n; }
template <class T> int bump(T) {
  ++counter; ++shared; registry.push_back(1); S<int>::all.push_back(3);
  return ++S<int>::made;
}
template <class T> int again(T) { return next() + 100 * once(); }
template <class T> int kind(const T& x) { return x.kind() + (dynamic_cast<const Base*>(&x) != nullptr); }

inline int bump_here() { ++shared; S<int>::all.push_back(3); registry.push_back(5); return ++S<int>::made; }
inline int sizes() { return 100 * (int)registry.size() + (int)S<int>::all.size(); }
"""
SOURCE = """
#include "shared.hpp"
int counter = 0;
int next() { return ++counter; }
int Base::kind() const { return 7; }
int gamma(int x) { return -x; }
"""


@pytest.fixture
def lib(tmp_path: Path) -> Any:
    (tmp_path / "shared.hpp").write_text(HEADER)
    (tmp_path / "shared.cpp").write_text(SOURCE)
    return sb.bind(tmp_path / "shared.hpp", sources=[tmp_path / "shared.cpp"])


def test_variables_are_one(lib: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_object = driver.compile_object

    def noted(unit: Any, target: Path) -> Any:
        compiled.append(unit.source.name)
        return compile_object(unit, target)

    monkeypatch.setattr(driver, "compile_object", noted)
    assert (lib.bump_here(), lib.bump(1), lib.bump(1.5), lib.bump_here()) == (11, 12, 13, 14)
    assert (lib.counter, lib.shared, lib.sizes()) == (2, 5, 705)
    assert (lib.next(), lib.again(1), lib.again(2.0), lib.once()) == (3, 604, 705, 8)
    assert (lib.S["int"].bump(), lib.S["int"].made) == (15, 15)
    lib.S["int"].made = 30
    assert lib.bump(True) == 31
    assert lib.kind(lib.Base()) == 8
    assert set(compiled) <= {"shims.cpp", "report.cpp"}, "the source was compiled again"


def test_libraries_of_other_headers_are_apart() -> None:
    text = (
        "template <class T> struct S {{ static int made; static int bump() {{ return ++made; }} }};"
        " template <class T> int S<T>::made = {0}; inline int first() {{ return S<int>::bump(); }}"
    )
    one, two = (sb.compile(text.format(start)) for start in (10, 20))
    assert (one.first(), two.first()) == (11, 21)
    assert (one.S["int"].bump(), two.S["int"].bump()) == (12, 22)
    assert (one.first(), two.first()) == (13, 23)


def test_threads_that_ask_a_class_for_its_members_at_once_wait_for_one_another() -> None:
    lib = sb.compile(
        "template <class T> struct Box { T v, w; T twice() const { return 2 * v; }"
        " bool operator==(const Box& o) const { return v == o.v; } };"
        " inline Box<double> make(double x) { return {x, 1}; }",
        name="asked_at_once",
    )
    found: list[object] = []
    ready = threading.Barrier(6)

    def ask() -> None:
        box, other = lib.make(3.0), lib.make(3.0)
        ready.wait()
        try:
            found.append((box == other, box.twice()))
        except AttributeError as error:
            found.append(error)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(True, 6.0)] * 6
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        assert lib.make(1.0).nothing
