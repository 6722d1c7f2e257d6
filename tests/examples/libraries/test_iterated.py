"""Ranges of pugixml, Boost, nlohmann-json and the standard library: Python's elements are those of C++'s loop."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

XML = "<a x='1' y='2'><b>1</b><c/><b>2</b></a>"
PROGRAM = r"""
#include <pugixml.hpp>
#include <cstdio>
int main(int, char** args) {
  pugi::xml_document doc;
  doc.load_string(args[1]);
  for (auto n : doc) std::printf("%s ", n.name());
  for (auto n : doc.child("a")) std::printf("%s ", n.name());
  for (auto n : doc.child("a").children("b")) std::printf("%s ", n.child_value());
  for (auto a : doc.child("a").attributes()) std::printf("%s=%d ", a.name(), a.as_int());
  for (auto& n : doc.select_nodes("//b")) std::printf("%s ", n.node().child_value());
  std::printf("%d %d", bool(doc.child("a")), bool(doc.child("z")));
}
"""
RANGES = r"""
#include <boost/range/adaptor/strided.hpp>
#include <boost/range/irange.hpp>
#include <boost/range/iterator_range.hpp>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>
class Folder {
  std::filesystem::path at;
 public:
  explicit Folder(std::string path) : at(path) {}
  struct it {
    std::filesystem::directory_iterator i;
    std::string operator*() const { return i->path().filename().string(); }
    it& operator++() { ++i; return *this; }
    bool operator!=(const it& o) const { return i != o.i; }
  };
  it begin() const { return {std::filesystem::directory_iterator(at)}; }
  it end() const { return {}; }
};
class Words {
  std::istringstream in;
 public:
  explicit Words(std::string text) : in(text) {}
  auto begin() { return std::istream_iterator<std::string>(in); }
  auto end() { return std::istream_iterator<std::string>(); }
};
class Third {
  std::vector<int> all;
 public:
  Third() { for (int i = 0; i < 10; ++i) all.push_back(i * i); }
  auto begin() const { return boost::adaptors::stride(all, 3).begin(); }
  auto end() const { return boost::adaptors::stride(all, 3).end(); }
};
class Sub {
  std::vector<double> all{1, 2, 3, 4};
 public:
  boost::iterator_range<std::vector<double>::iterator> part{all.begin() + 1, all.end()};
  auto begin() { return part.begin(); }
  auto end() { return part.end(); }
  std::size_t size() const { return part.size(); }
};
struct Bits {
  std::vector<bool> v{true, false, true};
  auto begin() { return v.begin(); }
  auto end() { return v.end(); }
};
struct Pairs {
  std::map<std::string, std::vector<int>> m{{"a", {1}}, {"b", {2, 3}}};
  auto begin() const { return m.begin(); }
  auto end() const { return m.end(); }
  auto size() const { return m.size(); }
};
struct Backwards {
  std::set<int> s{3, 1, 2};
  auto begin() const { return s.rbegin(); }
  auto end() const { return s.rend(); }
};
class Numbers {
  nlohmann::json all;
 public:
  explicit Numbers(std::string text) : all(nlohmann::json::parse(text)) {}
  struct it {
    nlohmann::json::const_iterator i;
    double operator*() const { return i->get<double>(); }
    it& operator++() { ++i; return *this; }
    bool operator!=(const it& o) const { return i != o.i; }
  };
  it begin() const { return {all.begin()}; }
  it end() const { return {all.end()}; }
};
"""


def test_pugixml(needs: Callable[..., None], tmp_path: Path) -> None:
    needs("pugixml.hpp", "libpugixml-dev", "pugixml")
    (tmp_path / "main.cpp").write_text(PROGRAM)
    subprocess.run(["g++", "main.cpp", "-lpugixml", "-o", "main"], cwd=tmp_path, check=True)
    ran = subprocess.run([tmp_path / "main", XML], capture_output=True, text=True, check=True)
    doc = sb.bind("pugixml.hpp", libraries=["pugixml"]).pugi.xml_document()
    assert doc.load_string(XML)
    a = doc.child("a")
    told = [n.name() for n in doc] + [n.name() for n in a] + [n.child_value() for n in a.children("b")]
    told += [f"{x.name()}={x.as_int()}" for x in a.attributes()]
    told += [n.node().child_value() for n in doc.select_nodes("//b")]
    told += [str(int(bool(a))), str(int(bool(doc.child("z"))))]
    assert " ".join(told) == ran.stdout
    assert len(doc.select_nodes("//b")) == 2


@pytest.fixture(scope="module")
def ranges(needs: Callable[..., None]) -> Any:
    needs("boost/range/irange.hpp", "libboost-dev")
    needs("nlohmann/json.hpp", "nlohmann-json3-dev")
    return sb.compile(RANGES, name="ranges", std="c++17")


def test_ranges_of_libraries(ranges: Any, tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).write_text("")
    assert sorted(ranges.Folder(str(tmp_path))) == ["x", "y"]
    with pytest.raises(FileNotFoundError, match="No such file"):
        iter(ranges.Folder(str(tmp_path / "z")))
    assert list(ranges.Words("to be or not")) == ["to", "be", "or", "not"]
    assert list(ranges.Third()) == [0, 9, 36, 81]
    assert (list(ranges.Sub()), len(ranges.Sub())) == ([2.0, 3.0, 4.0], 3)
    assert list(ranges.Bits()) == [True, False, True]
    assert [(k, [*v]) for k, v in ranges.Pairs()] == [("a", [1]), ("b", [2, 3])]
    assert len(ranges.Pairs()) == 2
    assert list(ranges.Backwards()) == [3, 2, 1]
    assert list(ranges.Numbers("[1, 2.5]")) == [1.0, 2.5]
    assert list(ranges.Numbers("[]")) == []
    with pytest.raises(RuntimeError, match="type must be number"):
        list(ranges.Numbers('["a"]'))
