"""What Python's exceptions say of C++'s: type, words, value, and what one holds; nothing stays behind."""

from __future__ import annotations

import copy
import gc
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

import samebytes as sb

THROWN = {
    # What C++ throws -> Python's class, its words, the type as C++ has it.
    'std::runtime_error("ran out")': (RuntimeError, "ran out", "std::runtime_error"),
    'std::invalid_argument("no such value")': (ValueError, "no such value", "std::invalid_argument"),
    'std::out_of_range("no such place")': (IndexError, "no such place", "std::out_of_range"),
    'std::overflow_error("too much")': (OverflowError, "too much", "std::overflow_error"),
    "std::bad_alloc()": (MemoryError, "std::bad_alloc", "std::bad_alloc"),
    'ns::Hidden("hidden")': (IndexError, "hidden", "ns::Hidden"),
    "ns::Of<int>()": (RuntimeError, "of a template", "ns::Of<int>"),
    '"a text"': (RuntimeError, "a text", "char const*"),
    'std::string("a string")': (RuntimeError, "a string", "std::string"),
    r'std::runtime_error("\xff bad")': (RuntimeError, "\udcff bad", "std::runtime_error"),
    "42": (RuntimeError, "a C++ exception that is not a std::exception: of type int: 42", "int"),
    "-7L": (RuntimeError, "a C++ exception that is not a std::exception: of type long: -7", "long"),
    "~0ull": (
        RuntimeError,
        f"a C++ exception that is not a std::exception: of type unsigned long long: {2**64 - 1}",
        "unsigned long long",
    ),
    "true": (RuntimeError, "a C++ exception that is not a std::exception: of type bool: true", "bool"),
    "2.5": (RuntimeError, "a C++ exception that is not a std::exception: of type double: 2.5", "double"),
    "'a'": (RuntimeError, "a C++ exception that is not a std::exception: of type char: 97", "char"),
    "ns::Plain{3}": (
        RuntimeError,
        "a C++ exception that is not a std::exception: of type ns::Plain",
        "ns::Plain",
    ),
}
ELSEWHERE = """
#include <exception>
#include <stdexcept>
#include <string>
namespace ns {
struct Hidden : std::out_of_range { using std::out_of_range::out_of_range; };
template <class T> struct Of : std::exception {
  const char* what() const noexcept override { return "of a template"; }
};
struct Plain { int n; };
struct Counted : std::exception {
  static int& alive() { static int n = 0; return n; }
  Counted() { ++alive(); }
  Counted(const Counted&) { ++alive(); }
  ~Counted() override { --alive(); }
};
}
"""
SOURCE = """
#include "elsewhere.hpp"
#include <functional>
inline int alive() { return ns::Counted::alive(); }
inline void deep(int depth) {
  try {
    if (!depth) throw ns::Hidden("0");
    deep(depth - 1);
  } catch (...) {
    if (depth % 2) std::throw_with_nested(std::invalid_argument(std::to_string(depth)));
    std::throw_with_nested(std::runtime_error(std::to_string(depth)));
  }
}
inline void nested_value() { try { throw 5; } catch (...) { std::throw_with_nested(ns::Counted()); } }
inline void counted() { throw ns::Counted(); }
inline int ask(std::function<int()> f) { return f(); }
struct Entries {
  int n;
  explicit Entries(int i) : n(i) { if (i < 0) throw ns::Hidden("entry"); }
  ~Entries() {}
  void method() const { throw ns::Hidden("entry"); }
  static void none() { throw ns::Hidden("entry"); }
  int operator+(int) const { throw ns::Hidden("entry"); }
  int operator[](int) const { throw ns::Hidden("entry"); }
  int operator()() const { throw ns::Hidden("entry"); }
  bool operator==(const Entries&) const { throw ns::Hidden("entry"); }
  explicit operator bool() const { throw ns::Hidden("entry"); }
  explicit operator int() const { throw ns::Hidden("entry"); }
  operator std::string() const { throw ns::Hidden("entry"); }
  const int* begin() const { throw ns::Hidden("entry"); }
  const int* end() const { return nullptr; }
};
struct Bad { Bad() {} Bad(const Bad&) { throw ns::Hidden("entry"); } ~Bad() {} };
struct Has { Bad member; Has() {} };
inline Bad takes(Bad b) { return b; }
template <class T> T later(T x) { throw ns::Hidden("entry"); return x; }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("exceptions")
    (place / "elsewhere.hpp").write_text(ELSEWHERE)
    return place


@pytest.fixture(scope="module")
def lib(folder):
    cases = [f"inline void throw_{i}() {{ throw {what}; }}" for i, what in enumerate(THROWN)]
    return sb.compile("\n".join([SOURCE, *cases]), include_dirs=[folder])


def raised(call, *args):
    with pytest.raises(Exception) as error:
        call(*args)
    return error.value


@pytest.mark.parametrize("what", THROWN)
def test_what_cxx_throws_says_its_type(lib, what):
    error = raised(getattr(lib, f"throw_{list(THROWN).index(what)}"))
    assert (type(error), str(error), error.cxx_type) == THROWN[what]


ENTRIES = {
    "constructor": lambda lib: lib.Entries(-1),
    "method": lambda lib: lib.Entries(1).method(),
    "static": lambda lib: lib.Entries.none(),
    "operator": lambda lib: lib.Entries(1) + 1,
    "item": lambda lib: lib.Entries(1)[0],
    "call": lambda lib: lib.Entries(1)(),
    "equality": lambda lib: lib.Entries(1) == lib.Entries(1),
    "truth": lambda lib: bool(lib.Entries(1)),
    "int": lambda lib: int(lib.Entries(1)),
    "str": lambda lib: str(lib.Entries(1)),
    "iteration": lambda lib: list(lib.Entries(1)),
    "argument": lambda lib: lib.takes(lib.Bad()),
    "copy": lambda lib: copy.copy(lib.Bad()),
    "template": lambda lib: lib.later(1),
    "through Python": lambda lib: lib.ask(lambda: lib.Entries(-1)),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_way_into_cxx_tells_it(lib, entry):
    error = raised(ENTRIES[entry], lib)
    assert (type(error), str(error), error.cxx_type) == (IndexError, "entry", "ns::Hidden")


@pytest.mark.parametrize("nogil", [True, False])
def test_with_and_without_the_gil(folder, nogil):
    other = sb.compile(SOURCE, include_dirs=[folder], nogil=nogil)
    assert raised(other.counted).cxx_type == "ns::Counted"
    assert other.alive() == 0


@pytest.mark.parametrize("depth", [0, 1, 4])
def test_what_one_holds_is_its_cause(lib, depth):
    error = raised(lib.deep, depth)
    kinds = {0: "std::runtime_error", 1: "std::invalid_argument"}
    expected = [(str(n), kinds[n % 2]) for n in range(depth, -1, -1)] + [("0", "ns::Hidden")]
    seen = []
    while error is not None:
        seen.append((str(error).partition(";")[0], error.cxx_type))
        error = error.__cause__
    assert seen == expected


def test_a_chain_without_an_end_is_cut(lib):
    error, length = raised(lib.deep, 300), 0
    while error is not None:
        error, length = error.__cause__, length + 1
    assert 50 < length <= 302


def test_a_value_is_a_cause(lib):
    error = raised(lib.nested_value)
    assert (error.cxx_type, error.__cause__.cxx_type) == ("ns::Counted", "int")
    assert str(error.__cause__).endswith("of type int: 5")


def test_what_python_raises_comes_back_itself(lib):
    error = KeyError("mine")

    def fails():
        raise error

    assert raised(lib.ask, fails) is error
    assert not hasattr(error, "cxx_type")
    inner = []

    def cxx():
        try:
            lib.throw_0()
        except RuntimeError as e:
            inner.append(e)
            raise

    assert raised(lib.ask, cxx) is inner[0]


def test_copies_say_the_same(lib):
    error = raised(lib.throw_5)
    again = copy.copy(error)
    assert (type(again), str(again), again.cxx_type) == (IndexError, "hidden", "ns::Hidden")


def test_in_threads(lib):
    seen = []

    def work():
        for _ in range(200):
            seen.append(raised(lib.deep, 2).cxx_type)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == ["std::runtime_error"] * 800


def test_nothing_stays_behind(lib):
    from measure import in_use

    def many():
        for _ in range(2000):
            for call in (lib.counted, lib.nested_value, lib.throw_0, lib.throw_9):
                with suppress(RuntimeError):
                    call()
        gc.collect()
        return sum(in_use())

    many()
    assert many() - many() == pytest.approx(0, abs=10_000)
    assert lib.alive() == 0


@pytest.mark.full  # a package is made
def test_packages_tell_it_too(folder, tmp_path):
    (folder / "packed.hpp").write_text("#pragma once\n" + SOURCE)
    made = [
        sys.executable,
        "-m",
        "samebytes",
        "bind",
        "packed.hpp",
        "--out",
        str(tmp_path),
        "--name",
        "packed_errors",
    ]
    subprocess.run([*made, f"-I{folder}"], check=True, cwd=folder, capture_output=True)
    code = (
        "import packed_errors as p\n"
        "try: p.deep(1)\n"
        "except ValueError as e: print(e.cxx_type, e.__cause__.__cause__.cxx_type)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout.split() == ["std::invalid_argument", "ns::Hidden"], ran.stderr
