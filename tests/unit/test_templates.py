"""Templates: instantiated by subscript, by the arguments of a call, and beforehand; what C++ refuses is said."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.api import registry
from samebytes.tools.cli import main

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <complex>
#include <string>
#include <type_traits>
#include <vector>
namespace ns {
/** Doubles. */
template <class T> T twice(T x) { return x + x; }
template <class T> T sum(const T* p, int n) { T s{}; for (int i = 0; i < n; ++i) s += p[i]; return s; }
template <class T> void fill(T* p, int n, T x) { for (int i = 0; i < n; ++i) p[i] = x; }
template <class T> T total(const std::vector<T>& v) { T s{}; for (const auto& x : v) s += x; return s; }
template <int N, class T> T scale(T x) { return N * x; }
template <class R, class T> R cast(T x) { return static_cast<R>(x); }
template <class... Ts> int count(Ts... args) { return sizeof...(args); }
template <class T, class U = T> U same(T x, U y = U(2)) { return x + y; }
template <class T> std::enable_if_t<std::is_integral_v<T>, int> kind(T) { return 1; }
template <class T> std::enable_if_t<std::is_floating_point_v<T>, int> kind(T) { return 2; }
inline int kind(const char*) { return 3; }
template <class T> const char* name(T) { return "other"; }
template <> inline const char* name<int>(int) { return "int"; }
template <class T> int form(T) { return 1; }
template <class T> int form(T*) { return 2; }
template <class T> requires (sizeof(T) > 4) T big(T x) { return x; }
struct Rec { int v; };
enum class Mode { off, on };
template <Mode M> int mode() { return static_cast<int>(M); }
template <class T> int value_of(const T& x) { return x.v; }
template <class T, int N> struct TA {
  T d[N];
  TA() { for (auto& x : d) x = T(-1); }
  TA(T v) { for (auto& x : d) x = v; }
  /** One element. */
  T get(int i) const { return d[i]; }
  void set(int i, T v) { d[i] = v; }
  auto size() const { return N; }
  static int made;
  static T zero() { return T(); }
  int broken() const { return d[0].no_such_member; }
};
template <class T, int N> int TA<T, N>::made = 5;
template <class T> struct TA<T, 0> { int special; int only() const { return special; } };
template <> struct TA<char, 1> { short whole; int half() const { return whole / 2; } };
template <class T> constexpr T pi = T(3.14159265358979);
template <class T> using Three = TA<T, 3>;
using TF3 = TA<float, 3>;
inline float first(TF3 t) { return t.d[0]; }
template <class T, int N> T last(const TA<T, N>& a) { return a.d[N - 1]; }
auto half(auto x) { return x / 2; }
template <class T> void minmax(const T* p, int n, T& low, T& high) {
  low = high = p[0];
  for (int i = 1; i < n; ++i) { if (p[i] < low) low = p[i]; if (p[i] > high) high = p[i]; }
}
inline int plain(int x) { return x; }
}
"""


# Built with the source, so that the tests are quick; what is not here is built when it is used.
READY = [
    *(f"ns::twice<{t}>" for t in ("int", "long", "double", "float", "short", "signed char", "std::string")),
    "ns::twice(std::complex<double>)", "ns::sum<float>", "ns::sum<long>", "ns::sum<double>", "ns::total<int>",
    "ns::total<std::string>", "ns::total<double>", "ns::fill(double *, int, double)", "ns::value_of<ns::Rec>",
    "ns::last<float, 3>", "ns::count()", "ns::count(int, const char *, double)", "ns::same(int)", "ns::same(int, int)",
    "ns::half(int)", "ns::half(double)", "ns::kind(int)", "ns::kind(double)", "ns::kind(const char *)", "ns::name(int)",
    "ns::name(double)", "ns::form(int)", "ns::form(double *)", "ns::big(double)", "ns::scale<3, int>",
    "ns::scale<3>(double)", "ns::cast<int>(double)", "ns::kind<int>(int)", "ns::TA<float, 3>", "ns::Three<float>",
    "ns::pi<float>", "ns::pi<double>", "ns::TA<int, 0>", "ns::TA<char, 1>", "ns::minmax<float>", "ns::name<int>",
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        intents = {"minmax": {"low": "out_return", "high": "out_return"}}
        yield sb.compile(SOURCE, std="c++20", arg_intent=intents, instantiate=READY)


@pytest.fixture
def ns(lib: Any) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        yield lib.ns


def test_everything_is_bound(lib: Any) -> None:
    assert [s.name for s in lib.__skipped__] == ["ns::TA<float, 3>::broken()"]
    model = lib.__model__
    parts = (model.functions, model.records, model.enums, model.constants, model.variables, model.aliases)
    assert model.exposed == sum(map(len, parts)) + len(model.templates) + len(model.skipped)


class TestDeduced:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (3, 6), (2**40, 2**41), (1.5, 3.0), (np.float32(0.1), float(np.float32(0.1) * 2)), (1j, 2j),
            (np.int16(4), 8), ("ab", "abab"),
        ],
    )  # fmt: skip
    def test_from_a_value(self, ns: Any, value: Any, expected: Any) -> None:
        found = ns.twice(value)
        assert found == expected
        assert type(found) is type(expected)

    def test_from_arrays_and_containers(self, ns: Any) -> None:
        assert ns.sum(np.ones(3, "f4"), 3) == 3.0
        assert ns.sum(np.arange(4), 4) == 6
        assert ns.sum(np.broadcast_to(np.float64(2), 1), 1) == 2.0
        assert ns.total([1, 2, 3]) == 6
        assert ns.total(["a", "b"]) == "ab"
        assert ns.total(np.arange(6.0)[::2]) == 6.0
        x = np.zeros(3)
        ns.fill(x, 2, 5.0)
        assert x.tolist() == [5, 5, 0]

    def test_from_records_and_instantiated_classes(self, ns: Any) -> None:
        assert ns.value_of(ns.Rec(7)) == 7
        assert ns.last(ns.TA[float, 3](2.5)) == 2.5

    def test_packs_defaults_and_auto(self, ns: Any) -> None:
        assert ns.count() == 0
        assert ns.count(1, "a", 2.0) == 3
        assert (ns.same(1), ns.same(1, 5)) == (3, 6)
        assert (ns.half(7), ns.half(7.0)) == (3, 3.5)

    def test_cxx_chooses_among_overloads(self, ns: Any) -> None:
        assert (ns.kind(3), ns.kind(3.0), ns.kind("x")) == (1, 2, 3)
        assert (ns.name(1), ns.name(1.0)) == ("int", "other")
        assert (ns.form(1), ns.form(np.ones(1))) == (1, 2)
        assert ns.big(2.0) == 2.0

    def test_by_name(self, ns: Any) -> None:
        assert ns.twice(x=3) == 6
        assert ns.sum(np.ones(2), n=2) == 2.0
        with pytest.raises(sb.ArgumentError, match="cannot deduce with 'y' by name"):
            ns.twice(y=3)

    def test_what_cxx_refuses(self, ns: Any) -> None:
        with pytest.raises(
            sb.ArgumentError, match=r"twice\(\): C\+\+ refuses it: .*requires single argument"
        ) as error:
            ns.twice()
        assert "template <class T> ns::twice(T)" in str(error.value)
        with pytest.raises(sb.ArgumentError, match=r"sum\(int, int\): .*could not match 'const T \*'"):
            ns.sum(3, 4)
        with pytest.raises(sb.ArgumentError, match=r"twice\(ns::Rec &\): .*no match for 'operator\+'"):
            ns.twice(ns.Rec(1))
        with pytest.raises(sb.ArgumentError, match="constraints not satisfied"):
            ns.big(np.float32(1))
        with pytest.raises(sb.RangeError, match=r"twice\(\) cannot be deduced: .* fits none of C"):
            ns.twice(2**70)
        with pytest.raises(sb.ArgumentError, match="cannot be told from"):
            ns.twice(object())
        with pytest.raises(sb.ArgumentError, match="have one C"):
            ns.total([1, 2.0])


class TestNamed:
    def test_arguments(self, ns: Any) -> None:
        assert ns.twice[int](4) == 8
        assert ns.twice[float](0.1) == float(np.float32(0.1) * 2)
        assert ns.twice[np.int8](3) == 6
        assert ns.twice["std::string"]("ab") == "abab"
        assert ns.scale[3, int](2) == 6
        assert ns.mode[ns.Mode.on]() == 1

    def test_the_rest_is_deduced(self, ns: Any) -> None:
        assert ns.scale[3](2.5) == 7.5
        assert ns.cast[int](2.7) == 2
        assert ns.kind[int](3) == 1

    def test_is_the_same_function(self, ns: Any) -> None:
        assert ns.twice[int] is ns.twice[int]
        assert ns.twice[int] is ns.twice["int"]
        with pytest.raises(sb.RangeError):
            ns.twice[int](2**40)

    def test_intents(self, ns: Any) -> None:
        assert ns.minmax[float](np.array([2, 1, 3], "f4"), 3) == (1.0, 3.0)

    def test_variables(self, ns: Any) -> None:
        assert ns.pi[float] == np.float32(np.pi)
        assert ns.pi["double"] == pytest.approx(np.pi)

    def test_what_is_no_argument(self, ns: Any) -> None:
        for wrong in (object(), "int; int x", "vector<", 1.5):
            with pytest.raises(sb.ArgumentError):
                ns.twice[wrong](1)

    def test_pickles(self, ns: Any) -> None:
        twice = ns.twice[int]
        assert pickle.loads(pickle.dumps(twice)) is twice
        made = ns.TA[float, 2](3.0)
        assert pickle.loads(pickle.dumps(made)).get(1) == 3.0


class TestClasses:
    def test_members(self, ns: Any) -> None:
        cls = ns.TA[float, 3]
        made = cls(2.0)
        made.set(1, 5.0)
        assert (made.get(0), made.get(1), list(made.d)) == (2.0, 5.0, [2.0, 5.0, 2.0])
        assert (made.size(), cls.zero(), cls.made) == (3, 0.0, 5)
        assert cls().get(0) == -1.0
        assert "One element." in cls.get.__doc__

    def test_is_the_class_of_every_alias(self, ns: Any) -> None:
        assert ns.TA[float, 3] is ns.TF3
        assert ns.Three[float] is ns.TF3
        assert ns.first(ns.TF3(4.0)) == 4.0

    def test_specializations(self, ns: Any) -> None:
        partial = ns.TA[int, 0]
        assert [f.name for f in partial.__samebytes_type__.fields] == ["special"]
        assert partial(special=4).only() == 4
        assert ns.TA["char", 1](whole=8).half() == 4

    def test_a_body_that_cxx_refuses_is_left_out(self, lib: Any) -> None:
        with pytest.warns(sb.BindWarning, match="broken"):
            made = lib.ns.TA["double", 2](1.0)
        assert made.get(1) == 1.0
        assert not hasattr(made, "broken")

    def test_what_cxx_refuses(self, ns: Any) -> None:
        with pytest.raises(sb.ArgumentError, match="too few template arguments"):
            ns.TA[float]


class TestHandles:
    """Classes that are no bytes, as templates make them."""

    @pytest.fixture
    def pile(self) -> Any:
        text = """
        #include <string>
        #include <vector>
        template <class T> class Pile {
         public:
          Pile() = default;
          explicit Pile(std::vector<T> items) : items_(std::move(items)) {}
          void push(const T& x) { items_.push_back(x); }
          T top() const { return items_.at(items_.size() - 1); }
          std::vector<T> all() const { return items_; }
          int size() const { return static_cast<int>(items_.size()); }
         private:
          std::vector<T> items_;
        };
        template <class T> int deep(const Pile<T>& p) { return p.size(); }
        template <class T> Pile<T> filled(T x, int n) { return Pile<T>(std::vector<T>(n, x)); }
        """
        ready = ["Pile<std::string>", "deep<std::string>", "filled<double>", "Pile<double>"]
        return sb.compile(text, instantiate=ready)

    def test_of_text(self, pile: Any) -> None:
        made = pile.Pile["std::string"](["a"])
        made.push("bb")
        assert (made.size(), made.top(), made.all()) == (2, "bb", ["a", "bb"])
        assert pile.deep(made) == 2
        with pytest.raises(IndexError):
            pile.Pile["std::string"]([]).top()

    def test_returned(self, pile: Any) -> None:
        made = pile.filled["double"](1.5, 3)
        assert type(made) is pile.Pile["double"]
        assert made.all().tolist() == [1.5] * 3


def test_a_package_has_what_it_was_written_with(tmp_path: Path) -> None:
    header = tmp_path / "shapes.hpp"
    header.write_text(
        "#pragma once\ntemplate <class T> T twice(T x) { return x + x; }\n"
        "template <class T> struct Box { T value; T get() const { return value; } };\n"
        "template <class T> constexpr T three = T(3);\n"
    )
    wanted = [f"--instantiate={spelling}" for spelling in ("twice<int>", "Box<float>", "three<double>")]
    done = CliRunner().invoke(main, ["bind", str(header), "-o", str(tmp_path / "out"), *wanted])
    assert done.exit_code == 0, done.output
    header.unlink()
    script = (
        "import shapes; assert shapes.twice(3) == shapes.twice[int](3) == 6\n"
        "assert shapes.Box[float](2.0).get() == 2.0 and shapes.three['double'] == 3.0\n"
        "try: shapes.twice(1.5)\n"
        "except TypeError as error: assert 'instantiate=' in str(error), error\n"
        "else: raise SystemExit('it was built')\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path / "out", check=True)


class TestBeforehand:
    def test_needs_no_build(self, monkeypatch: pytest.MonkeyPatch) -> None:
        wanted = ["ns::twice<int>", "ns::twice<std::string>", "ns::sum<float>", "ns::total<double>", "ns::TA<int, 2>",
                  "ns::pi<double>", "ns::half(int)"]  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sb.BindWarning)
            lib = sb.compile(SOURCE, std="c++20", instantiate=wanted)

        def refuse(*args: Any) -> None:
            raise AssertionError("this builds")

        monkeypatch.setattr(registry, "build", refuse)
        ns = lib.ns
        assert (ns.twice(2), ns.twice[int](2), ns.half(7)) == (4, 4, 3)
        assert ns.twice["std::string"]("ab") == "abab"
        assert ns.sum(np.ones(2, "f4"), 2) == 2.0
        assert ns.sum(np.broadcast_to(np.float32(2), 1), 1) == 2.0
        assert ns.total([1.0, 2.0]) == ns.total(np.array([1.0, 2.0])) == 3.0
        assert ns.TA[int, 2](3).get(1) == 3
        assert ns.pi["double"] == pytest.approx(np.pi)
        with pytest.raises(AssertionError, match="this builds"):
            ns.twice(1.5)

    def test_what_cxx_refuses(self) -> None:
        with pytest.raises(
            sb.BindError, match=r"ns::twice<no_such> cannot be instantiated: use of undeclared"
        ):
            sb.compile(SOURCE, std="c++20", instantiate=["ns::twice<no_such>"])

    def test_shares_the_variables_of_the_source(self) -> None:
        text = "static int calls = 0; template <class T> void call(T) { ++calls; }"
        lib = sb.compile(text, instantiate=["call<int>"])
        lib.call(1)
        assert lib.calls == 1
        with pytest.warns(sb.BindWarning, match="calls"):
            lib.call(1.5)
        assert lib.calls == 1


class TestClassesThatTheHeaderNames:
    """What a header makes of its own class template is a whole class, without a word of Python's."""

    @pytest.fixture
    def lib(self) -> Any:
        return sb.compile(
            """
            #include <vector>
            template <class T, int N> struct Row {
              T data[N];
              explicit Row(T x) { for (T& d : data) d = x; }
              T sum() const { T s{}; for (const T& d : data) s += d; return s; }
              Row operator+(const Row& o) const { Row r(sum() + o.sum()); return r; }
              static constexpr int size = N;
            };
            using Row3 = Row<float, 3>;
            template <class T> class Store {
              std::vector<T> held;
            public:
              Store() {}
              void add(const T& x) { held.push_back(x); }
              int count() const { return held.size(); }
            };
            inline void fill(Store<double>& s) { s.add(1); s.add(2); }
            inline Row<int, 2> made() { return Row<int, 2>(4); }
            template <> struct Row<char, 1> { char c; int only() const { return c + 1; } };
            using Special = Row<char, 1>;
            """
        )

    def test_by_an_alias(self, lib: Any) -> None:
        row = lib.Row3(1.5)
        assert (row.sum(), (row + row).sum(), lib.Row3.size) == (4.5, 27, 3)
        assert lib.Row["float", 3] is lib.Row3

    def test_by_a_signature(self, lib: Any) -> None:
        assert (lib.made() + lib.made()).sum() == 32
        store = lib.Store["double"]()
        lib.fill(store)
        assert store.count() == 2

    def test_a_specialization(self, lib: Any) -> None:
        assert lib.Special(c=4).only() == 5
        assert not hasattr(lib.Special, "sum")

    def test_what_such_a_class_refuses(self) -> None:
        with pytest.warns(sb.BindWarning, match="Box<int>::worse"):
            lib = sb.compile(
                "template <class T> struct Box { T v; T get() const { return v; } T worse() const { return v.no; } };"
                " using Ints = Box<int>;"
            )
        assert lib.Ints(v=3).get() == 3


def test_a_template_may_be_declared_once_more() -> None:
    lib = sb.compile(
        "#include <algorithm>\n"
        "template <class T> constexpr T first(T x) { return x; } template <class T> constexpr T first(T x);"
        "template <class T> constexpr T last(T x); template <class T> constexpr T last(T x) { return x; }"
        "template <class T> constexpr T nowhere(T x);",
        expose=["std::max"],
    )
    assert (lib.first(3), lib.last(3), lib.std.max(3, 4)) == (3, 3, 4)
    with pytest.raises(sb.ArgumentError, match="its body is not here"):
        lib.nowhere(3)
