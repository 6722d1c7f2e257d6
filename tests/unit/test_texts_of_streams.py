"""What a stream shows of an object is its text, whichever header says so; the operator itself is missed quietly."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_streams.py is the quick one

HIDDEN = """
#pragma once
#include <ostream>
#include <string>
namespace hid {
struct Friend { int a = 1; ~Friend() {}
  friend std::ostream& operator<<(std::ostream& o, const Friend& x) { return o << "F" << x.a; } };
struct Record { int a = 2; };
inline std::ostream& operator<<(std::ostream& o, const Record& x) { return o << "R" << x.a; }
struct ByValue { int a = 3; };
inline std::ostream& operator<<(std::ostream& o, ByValue x) { return o << "V" << x.a; }
struct Converts { int a = 4; operator std::string() const { return "text"; }
  friend std::ostream& operator<<(std::ostream& o, const Converts&) { return o << "stream"; } };
class Refers { std::string s = "kept"; public: int a = 5; explicit operator const std::string&() const { return s; } };
struct Number { int a = 6; operator int() const { return a; } };
struct Silent { int a = 7; };
struct Pointed { int a = 8; };
inline std::ostream& operator<<(std::ostream& o, const Pointed* x) { return o << "P" << x->a; }
}
"""
NAMES = ("Friend", "Record", "ByValue", "Converts", "Refers")
OTHERS = ("Silent", "Pointed")
SOURCE = '#include "hidden.hpp"\n' + "".join(
    f"inline hid::{name} make{name}() {{ return {{}}; }}\n" for name in (*NAMES, *OTHERS, "Number")
)
EXPOSED = """
#include <ostream>
namespace q { struct Dot { int x = 1; ~Dot() {} };
  inline std::ostream& operator<<(std::ostream& o, const Dot& d) { return o << "D" << d.x; } }
struct Mate { int x = 2; friend std::ostream& operator<<(std::ostream& o, const Mate& m) { return o << "M" << m.x; } };
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("hidden")
    (folder / "hidden.hpp").write_text(HIDDEN)
    return sb.compile(SOURCE, include_dirs=[folder], name="streamed")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What C++ shows: by a conversion to text where there is one, else by a stream."""
    folder: Path = tmp_path_factory.mktemp("answers")
    lines = "".join(
        f'std::cout << "{n}=" << {"std::string" if n in ("Converts", "Refers") else ""}(hid::{n}()) << "\\n";'
        for n in NAMES
    )
    (folder / "main.cpp").write_text(f"#include <iostream>\n{HIDDEN}\nint main() {{ {lines} }}")
    subprocess.run(["g++", "-w", "main.cpp", "-o", "main"], cwd=folder, check=True)
    shown = subprocess.run(["./main"], cwd=folder, check=True, capture_output=True, text=True).stdout
    return dict(line.split("=", 1) for line in shown.splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_a_class_whose_header_is_not_exposed(
    lib: Any, answers: dict[str, str], name: str
) -> None:
    made = getattr(lib, f"make{name}")()
    assert str(made) == f"{made}" == answers[name]
    assert repr(made) != str(made)


@pytest.mark.parametrize("name", OTHERS)
def test_no_text_is_made_up(lib: Any, name: str) -> None:
    made = getattr(lib, f"make{name}")()
    assert str(made) == repr(made)


def test_what_str_shows_costs_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", sb.BindWarning)
        lib = sb.compile(EXPOSED, name="shown_quietly")
    assert (str(lib.q.Dot()), str(lib.Mate())) == ("D1", "M2")
    reasons = [s.reason for s in lib.__skipped__ if "operator<<" in s.name]
    assert len(reasons) == 2
    assert all(reason.startswith("str() of an object is what it writes") for reason in reasons)


def test_what_str_does_not_show_is_told(lib: Any) -> None:
    with pytest.warns(sb.BindWarning, match="operator<<"):
        sb.compile(
            "#include <ostream>\nstruct P { int x; };\n"
            "inline std::ostream& operator<<(std::ostream& o, const P* p) { return o; }",
            name="not_shown",
        )
