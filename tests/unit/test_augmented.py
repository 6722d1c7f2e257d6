"""``a[i] += x``: one operation, as C++ has it, whatever an element's ``=`` does."""

from __future__ import annotations

import operator
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <string>
#include <vector>
// Each assignment doubles; `log` says what was called.
struct Proxy {
  int* place;
  std::string* log;
  Proxy(int* p, std::string* l) : place(p), log(l) {}
  Proxy(const Proxy&) = default;
  Proxy& operator=(int v) { *place = v * 2, *log += "="; return *this; }
  Proxy& operator=(const Proxy& o) { *place = *o.place * 2, *log += "p"; return *this; }
  Proxy& operator+=(int v) { *place += v, *log += "+"; return *this; }
  Proxy& operator<<=(int v) { *place <<= v, *log += "<"; return *this; }
  operator int() const { return *place; }
};
struct Cells {
  std::vector<int> v{1, 2, 3};
  std::string log;
  ~Cells() {}
  Proxy operator[](int i) { return Proxy(&v.at(i), &log); }
  int at(int i) const { return v.at(i); }
};
struct Doubling {
  int n;
  Doubling(int k = 1) : n(k) {}
  Doubling(const Doubling&) = default;
  Doubling& operator=(const Doubling& o) { n = o.n * 2; return *this; }
  Doubling& operator+=(int k) { n += k; return *this; }
  Doubling operator-(int k) const { return Doubling(n - k); }
};
struct Row {
  std::vector<Doubling> v{Doubling(4), Doubling(5)};
  std::string log;
  ~Row() {}
  Doubling& operator[](int i) { return v.at(i); }
  int at(int i) const { return v.at(i).n; }
};
struct Plain {
  std::vector<int> v{1, 2};
  std::string log;
  int& operator[](int i) { return v.at(i); }
  int at(int i) const { return v.at(i); }
};
// What C++ declares itself copies the place that a proxy refers to, and no number.
struct Place { int* p;  operator int() const { return *p; }  Place& operator=(int v) { *p = v * 3; return *this; } };
struct Places {
  std::vector<int> v{1, 2, 3};
  std::string log;
  ~Places() {}
  Place operator[](int i) { return Place{&v.at(i)}; }
  Place other(int i) { return Place{&v.at(i)}; }
  int at(int i) const { return v.at(i); }
};
"""
# What both languages do: the class, and the same line in either.
BOTH = [
    ("Cells", "a[1] += 10"), ("Cells", "a[1] <<= 3"), ("Cells", "a[0] = 5"), ("Cells", "a[0] = a[1]"),
    ("Cells", "a[0] += a[2]"), ("Row", "a[0] += 10"), ("Row", "a[1] = a[0]"), ("Plain", "a[0] += 10"),
    ("Row", "a[0] = a[1] - 2"), ("Places", "a[0] = a[1]"), ("Places", "a[0] = 5"), ("Places", "a[0] = a.other(2)"),
    ("Places", "a[0] = a[1] + 0"), ("Places", "a[1] = a[1]"),
]  # fmt: skip


def test_each_line_is_that_of_cxx(tmp_path: Path) -> None:
    bodies = "".join(
        f'{{ {cls} a; {line}; std::printf("%s %d %d\\n", a.log.c_str(), a.at(0), a.at(1)); }}\n'
        for cls, line in BOTH
    )
    (tmp_path / "main.cpp").write_text(f"{SOURCE}\n#include <cstdio>\nint main() {{\n{bodies}}}\n")
    subprocess.run(["g++", "-std=gnu++17", "-w", "-o", "main", "main.cpp"], cwd=tmp_path, check=True)
    output = subprocess.run(
        [tmp_path / "main"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    lib = sb.compile(SOURCE, name="augmented")
    answers = []
    for cls, line in BOTH:
        a = getattr(lib, cls)()
        exec(line, {"a": a})
        answers.append(f"{a.log} {a.at(0)} {a.at(1)}")
    assert answers == output


def _by_name(a: Any) -> None:
    p = a[1]
    p += 10
    a[1] = p


def _by_functions(a: Any) -> None:
    a[1] = operator.iadd(a[1], 10)


def _in_a_tuple(a: Any) -> None:
    p = a[1]
    p += 10
    a[0], a[1] = 7, p


@pytest.mark.parametrize(("use", "log"), [(_by_name, "+p"), (_by_functions, "+p"), (_in_a_tuple, "+=p")])
def test_an_assignment_that_is_written_is_made(use: Callable[[Any], None], log: str) -> None:
    cells = sb.compile(SOURCE, name="augmented").Cells()
    use(cells)
    assert cells.log == log


def test_an_operator_that_cxx_does_not_have_in_place_is_two() -> None:
    row = sb.compile(SOURCE, name="augmented").Row()
    row[0] -= 1  # C++ has no -= of these: Python subtracts, and assigns
    assert row.at(0) == 6


def test_a_line_of_a_class_of_pythons_is_one_operation_too() -> None:
    lib = sb.compile(SOURCE, name="augmented")
    more = type("More", (lib.Cells,), {})()
    more[1] += 10
    assert (more.log, more.at(1)) == ("+", 12)


MEMBERS = r"""
#include <string>
struct Text {
  std::string s;
  Text(const char* t = "") : s(t) {}
  Text& operator+=(const std::string& o) { s += o; return *this; }
  Text& operator*=(int n) { for (std::string t = s; n > 1; --n) s += t; return *this; }
  Text operator-(int n) const { return Text(s.substr(0, s.size() - n).c_str()); }
};
struct Sum { int n = 1; Sum& operator+=(int k) { n += k; return *this; } };
struct Holder { Text text{"a"}, other{"b"}; const Text fixed{"c"}; Sum sum; std::string plain{"p"}; ~Holder() {} };
struct Outer { Holder inner; static inline Text shared{"s"}; };
inline Text global{"g"};
"""


@pytest.mark.parametrize(
    ("line", "shown", "expected"),
    [
        ("h.text += 'x'", "h.text.s", "ax"),
        ("h.text *= 3", "h.text.s", "aaa"),
        ("h.sum += 4", "h.sum.n", 5),
        ("h.plain += 'q'", "h.plain", "pq"),
        ("h.text = h.text", "h.text.s", "a"),
        ("o.inner.text += 'x'", "o.inner.text.s", "ax"),
        ("lib.global_ += 'x'", "lib.global_.s", "gx"),
        ("lib.Outer.shared += 'x'", "lib.Outer.shared.s", "sx"),
    ],
)
def test_an_operation_on_a_member_is_that_of_cxx(line: str, shown: str, expected: object) -> None:
    lib = sb.compile(MEMBERS, name="members_augmented")
    scope = {"lib": lib, "h": lib.Holder(), "o": lib.Outer()}
    exec(line, scope)
    assert eval(shown, scope) == expected


@pytest.mark.parametrize(
    "line",
    ["h.text = h.other", "h.text -= 1", "h.text = lib.Text('z')", "h.fixed += 'x'", "lib.global_ = h.text"],
)
def test_another_object_is_not_assigned(line: str) -> None:
    lib = sb.compile(MEMBERS, name="members_augmented")
    scope = {"lib": lib, "h": lib.Holder()}
    with pytest.raises((TypeError, AttributeError, sb.Error)):
        exec(line, scope)
    assert (scope["h"].text.s, scope["h"].fixed.s) == ("a", "c")
