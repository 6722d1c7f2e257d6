"""The price of a virtual call into Python, by a class of Python's, beside nanobind's and pybind11's."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cases import Call
from peers.base import LeftOut, build_extension
from timing import time_together

ROUNDS = 100  # invocations in one call from Python
CASES = {
    "void()": "nothing",
    "int(int)": "ints",
    "double(double, double)": "doubles",
    "size_t(const std::string&)": "texts",
}

_CLASS = """
#include <cstddef>
#include <string>
struct Base {
  virtual ~Base() = default;
  virtual void nothing() {}
  virtual int whole(int x) { return x; }
  virtual double real(double x, double y) { return x + y; }
  virtual std::size_t text(const std::string& s) { return s.size(); }
};
inline void run_nothing(Base& b, int n) { while (n--) b.nothing(); }
inline long run_ints(Base& b, int n) { long s = 0; while (n--) s += b.whole(n); return s; }
inline double run_doubles(Base& b, int n) { double s = 0; while (n--) s += b.real(n, 2.0); return s; }
inline long run_texts(Base& b, int n) {
  const std::string t = "sixteen letters.";
  long s = 0;
  while (n--) s += b.text(t);
  return s;
}
"""
_TRAMPOLINE = """
struct Mine : Base {{
  {head}
  void nothing() override {{ {macro}(void, {base}nothing{empty}); }}
  int whole(int x) override {{ {macro}(int, {base}whole, x); }}
  double real(double x, double y) override {{ {macro}(double, {base}real, x, y); }}
  std::size_t text(const std::string& s) override {{ {macro}(std::size_t, {base}text, s); }}
}};
"""
_MODULE = """
  {space}::class_<Base, Mine>(m, "Base").def({space}::init<>());
  m.def("run_nothing", &run_nothing);
  m.def("run_ints", &run_ints);
  m.def("run_doubles", &run_doubles);
  m.def("run_texts", &run_texts);
}}
"""


def _ours(build: Path) -> Any:
    import samebytes as sb

    return sb.compile(_CLASS, name="virtuals", nogil=False)


def _nanobind(build: Path) -> Any:
    import nanobind

    root = Path(nanobind.__file__).parent
    # Its macro has no type for the result.
    macro = "#define SB_OVERRIDE(R, ...) NB_OVERRIDE(__VA_ARGS__)\n"
    made = _TRAMPOLINE.format(head="NB_TRAMPOLINE(Base, 4);", macro="SB_OVERRIDE", base="", empty="")
    source = (
        "#include <nanobind/nanobind.h>\n#include <nanobind/stl/string.h>\n#include <nanobind/trampoline.h>\n"
        f"{macro}{_CLASS}{made}NB_MODULE(nanobind_virtuals, m) {{{_MODULE.format(space='nanobind')}"
    )
    return build_extension(
        build, "nanobind_virtuals", source, include=[root / "include", root / "ext/robin_map/include"],
        flags=["-fno-strict-aliasing", "-DNB_COMPACT_ASSERTIONS"], extra=[root / "src/nb_combined.cpp"],
    )  # fmt: skip


def _pybind11(build: Path) -> Any:
    import pybind11

    made = _TRAMPOLINE.format(head="using Base::Base;", macro="PYBIND11_OVERRIDE", base="Base, ", empty=", ")
    source = (
        f"#include <pybind11/pybind11.h>\n{_CLASS}{made}PYBIND11_MODULE(pybind11_virtuals, m) {{"
        f"{_MODULE.format(space='pybind11')}"
    )
    return build_extension(build, "pybind11_virtuals", source, include=[pybind11.get_include()])


def _object(lib: Any) -> Any:
    class Derived(lib.Base):  # type: ignore[misc]
        def nothing(self) -> None:
            pass

        def whole(self, x: int) -> int:
            return x

        def real(self, x: float, y: float) -> float:
            return x

        def text(self, s: str) -> int:
            return 3

    return Derived()


_PEERS: dict[str, Callable[[Path], Any]] = {"samebytes": _ours, "nanobind": _nanobind, "pybind11": _pybind11}


def measured(build: Path, repeats: int) -> dict[str, dict[str, float]]:
    """Nanoseconds of one virtual call, by peer and case; the least of the slices, taken in turn."""
    libraries = {}
    for name, make in _PEERS.items():
        try:
            libraries[name] = make(build)
        except (LeftOut, ImportError) as reason:
            print(f"{name} is left out: {reason}")
    objects = {name: _object(lib) for name, lib in libraries.items()}
    rows: dict[str, dict[str, float]] = {name: {} for name in libraries}
    for turn, (case, run) in enumerate(CASES.items()):
        calls: dict[str, Call] = {
            name: (getattr(lib, f"run_{run}"), (objects[name], ROUNDS)) for name, lib in libraries.items()
        }
        for name, ns in time_together(calls, repeats, turn, min).items():
            rows[name][case] = ns / ROUNDS
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=60)
    parser.add_argument("--build", type=Path, default=Path("build/bench"))
    given = parser.parse_args()
    print(f"| ns per virtual call | {' | '.join(CASES)} |\n|---{'|---' * len(CASES)}|")
    for name, row in measured(given.build, given.repeats).items():
        print(f"| {name} | {' | '.join(f'{row[case]:.1f}' for case in CASES)} |")


if __name__ == "__main__":
    main()
