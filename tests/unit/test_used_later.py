"""Classes that a header makes of its templates, where they are many: each is read and compiled when it is used."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.make import builds
from samebytes.read.clang import saving

pytestmark = pytest.mark.full  # it takes long

MANY = 200
TEMPLATES = """
#pragma once
#include <string>
#include <stdexcept>
namespace n {
template <class T, int N> struct Vec;
template <class T, int N> struct Mat {
  T d[N];
  Mat() : d() {}
  Vec<T, N> row() const;
  static int kind() { return N; }
  enum { count = N };
};
template <class T, int N> struct Vec : Mat<T, N> {
  Vec() {}
  explicit Vec(T x) { for (T& v : this->d) v = x; }
  Vec(const char* text) { this->d[0] = T(std::string(text).size()); }
  T sum() const { T s{}; for (T v : this->d) s += v; return s; }
  Vec<T, N + 1> grown() const { return Vec<T, N + 1>(sum()); }
  Vec operator+(const Vec& o) const { Vec r; for (int i = 0; i < N; ++i) r.d[i] = this->d[i] + o.d[i]; return r; }
  operator double() const { return double(sum()) + 0.5; }
  long double unknown() const { return 0; }
  void broken() const { T::nothing(); }
};
template <class T, int N> Vec<T, N> Mat<T, N>::row() const { Vec<T, N> r; r.d[0] = this->d[0]; return r; }
template <class T, int N> struct Named {
  std::string text;
  Named() : text(std::to_string(N)) {}
  int size() const { return int(text.size()); }
};
struct Last : Mat<float, 3> { int more = 4; };
inline double total(const Vec<double, 2>& v) { return v.sum(); }
inline int which(const Vec<double, 2>&) { return 2; }
inline int which(const Vec<float, 2>&) { return 3; }
inline double half(double x) { return x / 2; }
inline Vec<double, 3> three() { return Vec<double, 3>(3.0); }
inline Last last() { return {}; }
"""


def header_of(many: int) -> str:
    """The templates with so many names of what they make."""
    kinds = ("Vec<double, {0}> V{0}", "Mat<int, {0}> M{0}", "Named<char, {0}> N{0}")
    named = "".join(f"typedef {kinds[(i - 1) % 3].format(i)};\n" for i in range(1, many + 1))
    return f"{TEMPLATES}{named}}}\n"


class Counted:
    """How many parses, questions and builds a test has cost."""

    def __init__(self, patch: pytest.MonkeyPatch, cache: Path) -> None:
        patch.setenv("SAMEBYTES_CACHE_DIR", str(cache))
        self.questions: list[int] = []
        self.builds = 0
        parse, made = saving.Parses.__call__, builds._made

        def parsed(parses: Any, lines: tuple[str, ...] = (), **options: Any) -> Any:
            if options:  # not of bases of bases alone
                self.questions.append(len(lines))
            return parse(parses, lines, **options)

        def built(request: Any, work: Path) -> Any:
            self.builds += 1
            return made(request, work)

        patch.setattr(saving.Parses, "__call__", parsed)
        patch.setattr(builds, "_made", built)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(header_of(MANY), name="used_later")


def test_what_is_not_named_costs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    costs = []
    for many in (60, MANY):
        with monkeypatch.context() as patch:
            counted = Counted(patch, tmp_path)
            lib = sb.compile(header_of(many), name=f"later_{many}")
            module = lib.__model__
            assert len(module.later) >= many - 2
            assert counted.builds == 1
            costs.append((counted.questions, len(module.functions), len(module.records)))
            assert {f"V{i}" for i in range(1, many + 1, 3)} <= {*dir(lib.n)}
            assert counted.builds == 1
            assert "V7" not in vars(lib.n)
    assert costs[0] == costs[1]


def test_few_are_read_with_the_header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    counted = Counted(monkeypatch, tmp_path)
    few = "template <class T, int N> struct P { T d[N]; int size() const { return N; } };"
    lib = sb.compile(few + "".join(f"typedef P<int, {i}> P{i};" for i in range(1, 33)), name="used_at_once")
    assert (lib.P1().size(), lib.P32().size(), counted.builds) == (1, 32, 1)


def test_names_of_const_and_volatile_objects_are_read_with_the_header() -> None:
    named = "using Fixed = const Vec<char, 70>; using Changed = volatile Vec<char, 71>;\n}"
    lib = sb.compile(header_of(60).removesuffix("}\n") + named, name="used_qualified")
    waits = {row.name for row in lib.__model__.later}
    assert "M2" in waits
    assert not waits & {"Fixed", "Changed"}
    assert lib.n.Fixed is lib.n.Vec["char", 70]
    assert (lib.n.Fixed.kind(), lib.n.Changed.kind()) == (70, 71)


EXPRESSIONS: list[tuple[str, str]] = [
    ("n.V7(2.0).sum()", "n::V7(2.0).sum()"),
    ("n.V7.kind()", "n::V7::kind()"),
    ("n.V10.count", "n::V10::count"),
    ("n.three().sum()", "n::three().sum()"),
    ("n.three().grown().grown().sum()", "n::three().grown().grown().sum()"),
    ("(n.three() + n.three()).sum()", "(n::three() + n::three()).sum()"),
    ("n.three().row().sum()", "n::three().row().sum()"),
    ("n.total('four')", 'n::total("four")'),
    ("n.half(n.V13(3.0))", "n::half(n::V13(3.0))"),
    ("n.which(n.Vec['float', 2](1))", "n::which(n::Vec<float, 2>(1))"),
    ("n.M2().row().sum()", "n::M2().row().sum()"),
    ("n.N120().size()", "n::N120().size()"),
    ("n.last().row().sum() + n.Last.kind() + n.Last.count", "n::last().row().sum() + n::Last::kind() + n::Last::count"),
    ("float(n.V22(1.0))", "double(n::V22(1.0))"),
    ("n.V49(1.0).sum()", "n::V49(1.0).sum()"),
]  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[float]:
    """What g++ says of each expression."""
    home = tmp_path_factory.mktemp("answers")
    (home / "given.hpp").write_text(header_of(MANY))
    printed = "".join(f"  std::cout << double({cxx}) << '\\n';\n" for _, cxx in EXPRESSIONS)
    (home / "main.cpp").write_text(f'#include "given.hpp"\n#include <iostream>\nint main() {{\n{printed}}}\n')
    subprocess.run(["g++", "-std=c++17", home / "main.cpp", "-o", home / "main"], check=True)
    told = subprocess.run([home / "main"], check=True, capture_output=True, text=True).stdout
    return [float(line) for line in told.split()]


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)), ids=[python for python, _ in EXPRESSIONS])
def test_each_works_when_it_is_used(lib: Any, answers: list[float], number: int) -> None:
    assert eval(EXPRESSIONS[number][0], {"n": lib.n}) == answers[number]


def test_a_class_is_one_however_it_is_come_by(lib: Any) -> None:
    met = lib.n.three()
    assert type(met) is lib.n.Vec["double", 3] is type(lib.n.Vec["double", 2](1.0).grown())
    assert isinstance(lib.n.V4(1.0), lib.n.Vec["double", 4])
    assert type(met.grown()) is lib.n.V4
    assert issubclass(lib.n.V4, lib.n.Mat["double", 4])
    assert isinstance(lib.n.last(), lib.n.Mat["float", 3])
    assert not isinstance(met, lib.n.V4)


def test_names_that_wait_are_said(lib: Any) -> None:
    assert "V22" in dir(lib.n)
    assert hasattr(lib.n, "V22")
    assert {"sum", "grown", "kind"} <= {*dir(lib.n.V22)}
    with pytest.raises(AttributeError, match="has no 'V1990'"):
        _ = lib.n.V1990
    with pytest.raises(AttributeError, match="cannot be replaced"):
        lib.n.V16 = 1


def test_what_is_missing_is_said(lib: Any) -> None:
    known = {s.name for s in lib.__skipped__}
    assert not any("Vec<double, 31>" in name for name in known)
    with pytest.warns(sb.BindWarning, match="broken"):
        v = lib.n.V31(1.0)
    assert {"n::Vec<double, 31>::broken", "n::Vec<double, 31>::unknown"} <= {
        s.name.partition("(")[0] for s in lib.__skipped__
    }
    for name in ("broken", "unknown"):
        with pytest.raises(AttributeError, match="and not bound"):
            getattr(v, name)


def test_all_that_is_skipped_is_what_reading_at_once_skips() -> None:
    texts = []
    for many in (6, 36):  # so many are read at once; so many are not
        lib = sb.compile(header_of(many), name=f"skipping_{many}")
        for name in ("N3", "V4"):
            getattr(lib.n, name)()
        texts.append(
            {(s.name, s.kind) for s in lib.__skipped__ if "<double, 4>" in s.name or "<char" in s.name}
        )
    assert texts[0]
    assert texts[0] == texts[1]


def test_python_derives_from_one_that_waits(lib: Any) -> None:
    class Mine(type(lib.n.V13(1.0).grown())):  # type: ignore[misc]
        def doubled(self) -> Any:
            return 2 * self.sum()

    assert Mine(1.0).doubled() == 2 * 14


def _at_once(act: Callable[[], Any], many: int = 8) -> list[Any]:
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(act())) for _ in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize(
    ("prepare", "act", "expected"),
    [
        (lambda n: n, lambda n: n.V49(1.0).sum(), 49),
        (lambda n: n.V22(1.0).grown(), lambda v: v.sum(), 23 * 22),
        (lambda n: n.V49(1.0).grown(), lambda v: (v + v).sum(), 2 * 50 * 49),
        (lambda n: type(n.V7(1.0).grown()), lambda cls: cls(1.0).sum(), 8),
        (lambda n: type(n.V13(1.0).grown()), lambda cls: cls.kind(), 14),
    ],
    ids=["by name", "a method", "an operator", "its constructor", "a static method"],
)
@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_threads_use_one_at_once(lib: Any, prepare: Any, act: Any, expected: float) -> None:
    thing = prepare(lib.n)
    assert _at_once(lambda: act(thing)) == [expected] * 8


PICKLED = """
import pickle, sys
grown, obj, cls = pickle.loads(bytes.fromhex(sys.stdin.read()))
print(grown(obj).sum(), cls(2.0).sum(), obj.grown().grown().sum())
"""


def test_another_process_gets_them_pickled(lib: Any) -> None:
    cls = lib.n.V49
    given = pickle.dumps((cls.grown, cls(1.0), lib.n.V7)).hex()
    told = subprocess.run(
        [sys.executable, "-c", PICKLED], input=given, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["2450.0", "14.0", str(51.0 * 50 * 49)]


def test_a_package_has_them_all(tmp_path: Path) -> None:
    (tmp_path / "given.hpp").write_text(header_of(36))
    home = tmp_path / "few"
    command = [sys.executable, "-m", "samebytes", "bind", str(tmp_path / "given.hpp"), "-o", str(home)]
    subprocess.run(command, check=True, capture_output=True)
    told = subprocess.run(
        [sys.executable, "-c", "import given; print(given.n.V34(1.0).sum())"],
        cwd=home, env={"PATH": "/nowhere"}, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert told.split() == ["34.0"]


def test_levels_of_bases_cost_no_reading_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    readings = []
    for depth in (3, 12):
        with monkeypatch.context() as patch:
            counted = Counted(patch, tmp_path)
            lib = sb.compile(
                "template <int N> struct Level : Level<N - 1> { int own() const { return N; } };"
                "template <> struct Level<0> { int d[2]; int least() const { return d[0]; } };"
                f"struct Whole : Level<{depth}> {{ }}; inline Whole whole() {{ Whole w; w.d[0] = 7; return w; }}",
                name=f"levels_{depth}",
            )
            readings.append(len(counted.questions))
            found = lib.whole()
            assert (found.own(), found.least(), found.d[0]) == (depth, 7, 7)
            assert isinstance(found, lib.Level[1])
            assert [b.name for r in lib.__model__.records if r.name == "Level<0>" for b in r.bases] == []
    assert readings[0] == readings[1]
