"""An object that C++ gave, and that goes back to where it came from, keeps that no longer."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <memory>
#include <string>
#include <vector>
inline std::string& log() { static std::string s; return s; }
inline std::string logged() { std::string s = log(); log().clear(); return s; }
struct Part { std::string name = "part"; ~Part() { log() += "p"; } };
struct Whole {
  std::unique_ptr<Part> part = std::make_unique<Part>();
  std::vector<std::unique_ptr<Part>> parts;
  ~Whole() { log() += "W"; }
  std::unique_ptr<Part> release() { return std::move(part); }
  void install(std::unique_ptr<Part> p) { part = std::move(p); }
  void swap_in(std::unique_ptr<Part>&& p) { part = std::move(p); }
  void look(const std::unique_ptr<Part>&) {}
  void refuse(std::unique_ptr<Part>&& p) {}
};
inline void give(Whole& w, std::unique_ptr<Part> p) { w.part = std::move(p); }
"""
WAYS = {
    "a method": "w.install(p)", "by &&": "w.swap_in(p)", "a function": "lib.give(w, p)", "a member": "w.part = p",
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_goes_back_keeps_nothing(lib: Any, way: str) -> None:
    lib.logged()
    w = lib.Whole()
    p = w.release()
    exec(way, {"lib": lib, "w": w, "p": p})
    assert lib.logged() == ""
    del w
    gc.collect()
    assert lib.logged() == "Wp"
    with pytest.raises(sb.IntentError, match="a std::unique_ptr took it over"):
        assert p.name


@pytest.mark.parametrize("way", ["w.look(p)", "w.refuse(p)", "None"])
def test_what_is_pythons_keeps_where_it_came_from(lib: Any, way: str) -> None:
    lib.logged()
    w = lib.Whole()
    p = w.release()
    exec(way, {"w": w, "p": p})
    del w
    gc.collect()
    assert (lib.logged(), p.name) == ("", "part")
    del p
    gc.collect()
    assert sorted(lib.logged()) == ["W", "p"]
