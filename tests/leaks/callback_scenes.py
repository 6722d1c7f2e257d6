"""Hostile scenes of what callbacks get: kept, shared, ended and read by other threads while C++ drops its own."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import samebytes as sb

GIVEN = """
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>
struct H { std::string text = "a text that lies on the heap, not in the object"; H() {} H(const H& o) : text(o.text) {}
  virtual ~H() { text = ""; } int get() const { return static_cast<int>(text.size()); } };
inline void shared(std::function<void(const std::shared_ptr<H>&)> f) { f(std::make_shared<H>()); }
inline void in_thread(std::function<void(std::shared_ptr<const H>)> f) {
  std::thread t([&] { f(std::make_shared<H>()); }); t.join(); }
inline void several(std::function<void(std::vector<std::shared_ptr<H>>)> f) {
  auto h = std::make_shared<H>(); f({h, h}); }
inline void value(std::function<void(H)> f) { f(H()); }
inline void moved(std::function<void(H&&)> f) { f(H()); }
inline void pair(std::function<void(std::tuple<std::vector<double>, std::shared_ptr<H>>)> f) {
  f(std::make_tuple(std::vector<double>(100, 1.0), std::make_shared<H>())); }
inline int use(std::shared_ptr<const H> h) { return h->get(); }
struct Bus { std::function<void(std::shared_ptr<H>)> heard; std::shared_ptr<H> last{new H}; ~Bus() {}
  void say() { heard(last); } };
"""
TEXT = "a text that lies on the heap, not in the object"
_MOST = 40


def start(lib: Any) -> SimpleNamespace:
    shared = SimpleNamespace(kept=[], arrays=[], bus=lib.Bus())
    shared.bus.heard = shared.kept.append
    return shared


def _keeps(name: str) -> Any:
    return lambda lib, shared: getattr(lib, name)(shared.kept.append)


def _several(lib: Any, shared: SimpleNamespace) -> None:
    lib.several(shared.kept.extend)


def _pair(lib: Any, shared: SimpleNamespace) -> None:
    def keep(both: Any) -> None:
        shared.arrays.append(both[0])
        shared.kept.append(both[1])

    lib.pair(keep)


def _read(lib: Any, shared: SimpleNamespace) -> None:
    for h in shared.kept[-_MOST:]:
        with contextlib.suppress(sb.Error):
            assert h.get() == len(TEXT)
    for array in shared.arrays[-_MOST:]:
        assert array.sum() == 100


def _use(lib: Any, shared: SimpleNamespace) -> None:
    for h in shared.kept[:3]:
        assert lib.use(h) == len(TEXT)


def _drop(lib: Any, shared: SimpleNamespace) -> None:
    del shared.kept[:_MOST], shared.arrays[:_MOST]


def _delete(lib: Any, shared: SimpleNamespace) -> None:
    for h in shared.kept[:3]:
        sb.delete(h)


ACTS = (
    *map(_keeps, ("shared", "in_thread", "value", "moved")), _several, _pair, _read, _read, _use, _drop, _drop, _delete,
    lambda lib, shared: shared.bus.say(),
)  # fmt: skip
