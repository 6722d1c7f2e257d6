"""A library of the other ABI of ``std::string`` than its header is read with is refused, and the advice works."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

from ..tables import each

pytestmark = pytest.mark.full  # it compiles libraries of both ABIs, with containers

HEADER = """#pragma once
#include <list>
#include <string>
#include <vector>
namespace ns {
extern std::string title;
struct Named {
  explicit Named(const std::string& s);
  virtual ~Named();
  virtual std::string name() const;  // whose symbol nothing needs
  Named& operator+=(const std::vector<std::string>& v);
  std::string text;
};
}
std::list<int> numbers(std::wstring);
inline int times_two(int n) { return 2 * n; }
inline void fail() { throw std::string("a text"); }
"""
SOURCE = """#include "named.hpp"
namespace ns {
std::string title = "a title";
Named::Named(const std::string& s) : text(s) {}
Named::~Named() {}
std::string Named::name() const { return "name " + text; }
Named& Named::operator+=(const std::vector<std::string>& v) { text += v[0]; return *this; }
}
std::list<int> numbers(std::wstring s) { return {1, static_cast<int>(s.size())}; }
"""
OLD = "_GLIBCXX_USE_CXX11_ABI=0"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("abi")
    (folder / "named.hpp").write_text(HEADER)
    (folder / "named.cpp").write_text(SOURCE)

    def run(*words: str) -> None:
        subprocess.run(words, cwd=folder, check=True)

    run("g++", "-c", "-fPIC", f"-D{OLD}", "named.cpp", "-o", "named.o")
    run("g++", "-shared", "named.o", "-o", "libnamed.so")
    run("ar", "rcs", "libnamed.a", "named.o")
    return folder


@each("option, name", [("libraries", "libnamed.so"), ("libraries", "libnamed.a"), ("library", "libnamed.so")])
def test_the_error_names_library_and_advice(home: Path, option: str, name: str) -> None:
    given: Any = str(home / name)
    with pytest.raises(sb.BindError, match="compiled with the old ABI of std::string and std::list") as error:
        sb.bind(home / "named.hpp", **{option: [given] if option == "libraries" else given})
    assert str(error.value).startswith(f"{name} was compiled")
    assert f"defines=['{OLD}']" in str(error.value)


def test_the_advice_works(home: Path) -> None:
    lib = sb.bind(home / "named.hpp", libraries=[home / "libnamed.so"], defines=[OLD])
    named = lib.ns.Named("x")
    named += ["yz"]
    assert (named.name(), named.text, lib.ns.title) == ("name xyz", "xyz", "a title")
    assert (list(lib.numbers("abc")), lib.times_two(4)) == ([1, 3], 8)
    with pytest.raises(RuntimeError, match=r"^a text$") as error:
        lib.fail()
    assert error.value.cxx_type == "std::string"


@pytest.mark.full  # a further library
def test_the_other_way_round(home: Path) -> None:
    subprocess.run(["g++", "-shared", "-fPIC", "named.cpp", "-o", "libnew.so"], cwd=home, check=True)
    with pytest.raises(sb.BindError, match=r"new ABI .* leave _GLIBCXX_USE_CXX11_ABI out"):
        sb.bind(home / "named.hpp", libraries=[home / "libnew.so"], defines=[OLD])
    assert sb.bind(home / "named.hpp", libraries=[home / "libnew.so"]).ns.Named("x").name() == "name x"


@pytest.mark.full  # a further library
def test_what_nothing_defines_is_no_matter_of_it(home: Path) -> None:
    (home / "none.hpp").write_text(f"{HEADER}std::string none(const std::string&);\n")
    lib = sb.bind(home / "none.hpp", libraries=[home / "libnamed.so"], defines=[OLD])
    with pytest.raises(AttributeError, match="no source or library given defines it"):
        lib.none("x")
    assert list(lib.numbers("ab")) == [1, 2]
