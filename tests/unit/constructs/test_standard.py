"""Classes of the standard library cross: each row is bound and called, and gives the right result."""

from __future__ import annotations

import datetime
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from construct_table import Row, check, source

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CLANG = "clang++-19"
INCLUDES = """
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
"""
F8, I4 = np.float64, np.int32
LONG = "x" * 100

ROWS = [
    Row("string by value", "std::string f(std::string s) { s += '!'; return s; }", 'f.f("é")', "é!"),
    Row("string with NUL", "std::size_t f(std::string s) { return s.size(); }", 'f.f("a\\0b")', 3),
    Row("string from bytes", "std::string f(const std::string& s) { return s; }", 'f.f(b"\\xff")', "\udcff"),
    Row("undecodable text goes back", "int f(const std::string& s) { return (unsigned char)s[0]; }",
        'f.f("\\udcff")', 255),
    Row("string &&", "std::string f(std::string&& s) { return std::move(s); }", f'f.f("{LONG}")', LONG),
    Row("const string& returned", "const std::string& f(const std::string& s) { return s; }", f'f.f("{LONG}")', LONG),
    Row("string& in", "int f(std::string& s) { s += 'x'; return (int)s.size(); }", 'f.f("ab")', 3),
    Row("string* ", "int f(const std::string* s) { return s ? (int)s->size() : -1; }", '(f.f("ab"), f.f(None))',
        (2, -1)),
    Row("string default", 'std::string f(std::string s = "d") { return s; }', "f.f()", "d"),
    Row("string refused", "void f(std::string s) {}", "f.f(3)", sb.ArgumentError),
    Row("string_view", "std::size_t f(std::string_view s) { return s.size(); }", 'f.f("abc")', 3),
    Row("string_view into a temporary", "std::string_view f(const std::string& s) { return s; }",
        f'f.f("{LONG}")', LONG),
    Row("char* into a temporary", "const char* f(const std::string& s) { return s.c_str(); }",
        f'f.f("{LONG}")', LONG),
    Row("null char* beside a string", "const char* f(const std::string& s) { return nullptr; }", 'f.f("")', None),
    Row("wstring", "std::wstring f(std::wstring s) { return s + L'é'; }", 'f.f("𝄞")', "𝄞é"),
    Row("u16string", "std::u16string f(std::u16string_view s) { return std::u16string(s); }", 'f.f("a𝄞")', "a𝄞"),
    Row("u32string", "std::size_t f(const std::u32string& s) { return s.size(); }", 'f.f("a𝄞")', 2),
    Row("u8string", "std::u8string f(const std::u8string& s) { return s; }", 'f.f("é")', "é"),
    Row("vector of numbers", "std::vector<double> f(std::vector<double> v) { v.push_back(1); return v; }",
        "f.f([1, 2.5])", np.array([1, 2.5, 1])),
    Row("strided array",
        "double f(const std::vector<double>& v) { double s = 0; for (auto x : v) s += x; return s; }",
        "f.f(np.arange(6.0)[::-2])", 9.0),
    Row("read-only array", "int f(const std::vector<int>& v) { return v.at(0); }",
        "f.f(np.broadcast_to(np.int32(7), 3))", 7),
    Row("wrong dtype", "void f(const std::vector<double>& v) {}", "f.f(np.ones(3, int))", sb.ArrayError),
    Row("wrong rank", "void f(const std::vector<double>& v) {}", "f.f(np.ones((3, 2)))", sb.ArrayError),
    Row("wrong element", "void f(const std::vector<int>& v) {}", "f.f([1, 2.5])", sb.ArgumentError),
    Row("element out of range", "void f(const std::vector<signed char>& v) {}", "f.f([1, 200])", sb.RangeError),
    Row("an empty vector", "std::vector<float> f(const std::vector<float>& v) { return v; }", "f.f([])",
        np.array([], "f4")),
    Row("vector<bool>", "std::vector<bool> f(std::vector<bool> v) { v.flip(); return v; }",
        "f.f([True, False])", np.array([False, True])),
    Row("vector<bool> of an array", "std::vector<bool> f(std::vector<bool> v) { v.flip(); return v; }",
        "f.f(np.array([True]))", np.array([False])),
    Row("vector<complex>", "std::complex<float> f(const std::vector<std::complex<float>>& v) { return v[0] * v[1]; }",
        "f.f([1j, 2j])", -2 + 0j),
    Row("vector<string>", "std::vector<std::string> f(std::vector<std::string> v) { std::reverse(v.begin(), v.end());"
        " return v; }", f'f.f(["a", "{LONG}"])', [LONG, "a"]),
    Row("vector<vector<int>>", "std::vector<std::vector<int>> f(int n) { return {{}, {n}, {n, n}}; }",
        "f.f(3)", [np.array([], I4), np.array([3], I4), np.array([3, 3], I4)]),
    Row("vector of records", "struct P { float x; int y; };"
        "std::vector<P> f(const std::vector<P>& v) { return {v[1], v[0]}; }",
        "[(p.x, p.y) for p in f.f([f.P(1, 2), (3, 4)])]", [(3.0, 4), (1.0, 2)]),
    Row("vector of enums", "enum class E : short { a = -1, b }; std::vector<E> f(std::vector<E> v) { return v; }",
        "f.f([f.E.a])[0] is f.E.a", True),
    Row("vector of string_view", "std::vector<std::string_view> f(const std::string& s) {"
        " return {std::string_view(s).substr(0, 1), std::string_view(s).substr(1)}; }", 'f.f("abc")', ["a", "bc"]),
    Row("vector&&", "int f(std::vector<int>&& v) { return (int)v.size(); }", "f.f(range(4))", 4),
    Row("vector*", "int f(const std::vector<int>* v) { return v ? (int)v->size() : -1; }", "(f.f([1]), f.f(None))",
        (1, -1)),
    Row("a pointer into a temporary", "const int* f(const std::vector<int>& v) { return &v[1]; }"
        " int g(const int* p) { return *p; }", "f.g(f.f([1, 5]))", 5),
    Row("deque", "std::deque<int> f(std::deque<int> v) { v.push_front(0); return v; }", "f.f([1])",
        np.array([0, 1], I4)),
    Row("list", "std::list<double> f(std::list<double> v) { v.reverse(); return v; }", "f.f([1, 2])",
        np.array([2.0, 1])),
    Row("set", "std::set<int> f(const std::vector<int>& v) { return {v.begin(), v.end()}; }",
        "f.f([3, 1, 3])", {1, 3}),
    Row("set in", "std::size_t f(const std::set<std::string>& v) { return v.size(); }", 'f.f({"a", "b"})', 2),
    Row("unordered_set", "std::unordered_set<int> f(std::unordered_set<int> s) { s.insert(9); return s; }",
        "f.f([1])", {1, 9}),
    Row("map", "std::map<std::string, int> f(std::map<std::string, int> m) { m[\"z\"] = 26; return m; }",
        'f.f({"a": 1})', {"a": 1, "z": 26}),
    Row("unordered_map of vectors", "std::size_t f(const std::unordered_map<int, std::vector<double>>& m)"
        " { return m.at(3).size(); }", "f.f({3: [1.0, 2.0]})", 2),
    Row("map refused", "void f(std::map<std::string, int> m) {}", 'f.f({"a": "b"})', sb.ArgumentError),
    Row("optional in", "int f(std::optional<int> x) { return x.value_or(-1); }", "(f.f(3), f.f(None))", (3, -1)),
    Row("optional out", "std::optional<std::string> f(bool b) { if (b) return \"y\"; return std::nullopt; }",
        "(f.f(True), f.f(False))", ("y", None)),
    Row("optional record", "struct P { int a; }; std::optional<P> f(std::optional<P> p) { if (p) p->a++; return p; }",
        "(f.f((1,)).a, f.f(None))", (2, None)),
    Row("optional default", "int f(std::optional<int> x = std::nullopt) { return x ? 1 : 0; }", "(f.f(), f.f(2))",
        (0, 1)),
    Row("pair", "std::pair<int, double> f(int a) { return {a, a * .5}; }", "f.f(3)", (3, 1.5)),
    Row("pair in", "double f(std::pair<char, double> p) { return p.first + p.second; }", "f.f((1, 0.5))", 1.5),
    Row("tuple", "std::tuple<bool, std::string, std::tuple<>> f(std::tuple<std::string, int> t) {"
        " return {true, std::get<0>(t), {}}; }", 'f.f(("k", 1))', (True, "k", ())),
    Row("tuple of references", "std::tuple<int, int> f(const std::tuple<int, int>& t) { return t; }",
        "f.f((1, 2))", (1, 2)),
    Row("tuple too short", "void f(std::tuple<int, int> t) {}", "f.f((1,))", sb.ArgumentError),
    Row("pair of vectors", "std::pair<std::vector<double>, std::vector<int>> f() { return {{1, 2}, {3}}; }",
        "f.f()", (np.array([1.0, 2]), np.array([3], I4))),
    Row("array", "std::array<float, 3> f(const std::array<float, 3>& a) { return {a[2], a[1], a[0]}; }",
        "f.f((1, 2, 3))", (3.0, 2.0, 1.0)),
    Row("array of arrays", "int f(std::array<std::array<int, 2>, 3> a) { return a[2][1]; }",
        "f.f(((1, 2), (3, 4), (5, 6)))", 6),
    Row("array of strings",
        "std::array<std::string, 2> f(std::array<std::string, 2> a) { std::swap(a[0], a[1]); return a; }",
        'f.f(("a", "b"))', ("b", "a")),
    Row("array as a field", "struct S { std::array<short, 3> a; }; int f(S s) { return s.a[1]; }",
        "f.f(((1, 2, 3),))", 2),
    Row("array&", "void f(std::array<int, 2>& a) { a[0] = 9; }", "f.f((1, 2))", None),
    Row("complex", "std::complex<double> f(std::complex<double> z) { return std::conj(z); }", "f.f(1 + 2j)", 1 - 2j),
    Row("byte", "std::byte f(std::byte b) { return ~b; }", "f.f(1)", 254),
    Row("byte*", "int f(const std::byte* p, std::size_t n) { return (int)p[n - 1]; }", 'f.f(b"abc", 3)', 99),
    Row("nullptr_t", "int f(std::nullptr_t) { return 3; }", "f.f(None)", 3),
    Row("size_t, ptrdiff_t", "std::ptrdiff_t f(std::size_t n) { return -(std::ptrdiff_t)n; }", "f.f(2**40)",
        -(2**40)),
    Row("milliseconds", "std::chrono::milliseconds f(std::chrono::seconds s) { return 3 *"
        " std::chrono::milliseconds(s) / 2; }", "f.f(np.timedelta64(1, 's'))", datetime.timedelta(seconds=1.5)),
    Row("duration<double>", "std::chrono::duration<double> f(std::chrono::microseconds s) { return s; }",
        "f.f(np.timedelta64(5, 'us'))", datetime.timedelta(microseconds=5)),
    Row("nanoseconds", "std::chrono::nanoseconds f(std::chrono::nanoseconds s) { return s; }",
        "f.f(np.timedelta64(5, 'ns'))", np.timedelta64(5, "ns")),
    Row("half a second", "void f(std::chrono::seconds s) {}", "f.f(np.timedelta64(500, 'ms'))", sb.RangeError),
    Row("path", "std::filesystem::path f(const std::filesystem::path& p) { return p.parent_path(); }",
        'f.f("/a/b")', Path("/a")),
    Row("span", "int f(std::span<const int> s) { return s[1]; }", "f.f(np.array([1, 2], 'i4'))", 2),
    Row("exception", "std::vector<int> f(const std::string& s) { throw std::invalid_argument(s); }",
        'f.f("no")', ValueError),
    Row("overloads", "int f(const std::string&) { return 1; } int f(const std::vector<double>&) { return 2; }"
        " int f(int) { return 3; }", 'f.f("a"), f.f([1.0]), f.f(np.ones(2)), f.f(4)', (1, 2, 2, 3)),
    Row("function", "int f(std::function<int(int)> g) { return g(1); }", "f.f(lambda x: x + 1)", 2),
    Row("variant of a number and a text", "using V = std::variant<int, std::string>; V f(V v) { return v; }",
        '[f.f(3), f.f("a")]', [3, "a"]),
    Row("variant by the value's own kind", "int f(const std::variant<float, double, std::int64_t, int, bool>& v) {"
        " return (int)v.index(); }", "[f.f(1.5), f.f(1), f.f(2**40), f.f(True), f.f(np.float32(1))]", [1, 3, 2, 4, 0]),
    Row("variant of objects", "struct A { int a; }; struct B { std::string b; ~B() {} };"
        "using V = std::variant<std::monostate, A, B, std::vector<double>>; V f(int i) { if (i == 1) return A{7};"
        ' if (i == 2) { B b; b.b = "b"; return b; } if (i == 3) return std::vector<double>{1, 2}; return {}; }'
        "int g(V v) { return (int)v.index(); }",
        "[f.f(0), f.f(1).a, f.f(2).b, f.f(3).tolist(), f.g(None), f.g(f.A(1)), f.g(f.B()), f.g([1.5])]",
        [None, 7, "b", [1.0, 2.0], 0, 1, 2, 3]),
    Row("variant in a list", "std::vector<std::variant<int, std::string>> f("
        "std::vector<std::variant<int, std::string>> v) { return v; }", 'f.f([1, "b", 2])', [1, "b", 2]),
    Row("variant of none of them", "void f(std::variant<int, float>) {}", 'f.f("x")', sb.ArgumentError),
    Row("variant that two fit", "void f(std::variant<std::string, std::u8string>) {}", 'f.f("x")', sb.ArgumentError),
    Row("variant out of range", "void f(std::variant<signed char, bool>) {}", "f.f(200)", sb.ArgumentError),
    Row("monostate", "std::monostate f(std::monostate m) { return m; }", "f.f(None)", None),
    Row("bitset", "std::bitset<8> f(std::bitset<8> b) { return b << 1; }", "[f.f(3), f.f(255)]", [6, 254]),
    Row("bitset out of range", "void f(std::bitset<8>) {}", "f.f(256)", sb.RangeError),
    Row("a wide bitset", "std::bitset<65> f(std::bitset<65> b) { return b << 1; }", "f.f(1 << 63 | 1)", 1 << 64 | 2),
    Row("a huge bitset is skipped", "void f(std::bitset<65537>) {}", "", "skipped: up to 65536 bits"),
    Row("initializer_list of numbers",
        "double f(std::initializer_list<double> v) { double s = 0; for (auto x : v) s += x; return s; }",
        "[f.f([1, 2.5]), f.f(np.arange(4.0)[::2]), f.f([])]", [3.5, 2.0, 0.0]),
    Row("initializer_list of texts", "std::string f(std::initializer_list<std::string> v) {"
        " std::string s; for (auto& x : v) s += x; return s; }", 'f.f(["a", "bc"])', "abc"),
    Row("a constructor of an initializer_list",
        "struct S { int n = 0; S(std::initializer_list<int> v) { for (int x : v) n += x; } };", "f.S([1, 2, 3]).n", 6),
    Row("a constructor of a map's pairs",
        "struct S { std::map<std::string, int> m; S(std::initializer_list<std::pair<const std::string, int>> v) : m(v)"
        ' {} int at(const std::string& k) const { return m.at(k); } };', 'f.S([("a", 1), ("b", 2)]).at("b")', 2),
    Row("tuples that are const in part", "std::size_t f(const std::vector<std::tuple<const int, std::string>>& v) {"
        " return v.size() + std::get<0>(v[1]); }", 'f.f([(1, "a"), (40, "b")])', 42),
    Row("initializer_list as a result", "std::initializer_list<int> f() { static std::initializer_list<int> v{1, 2};"
        ' return v; } std::initializer_list<std::string> g() { static std::initializer_list<std::string> v{"a", "bc"};'
        " return v; }", "[f.f().tolist(), f.g()]", [[1, 2], ["a", "bc"]]),
    Row("initializer_list of bool is skipped", "void f(std::initializer_list<bool>) {}", "", "skipped: writes braces"),
    Row("multimap", "std::multimap<int, std::string> f(std::multimap<int, std::string> m) { return m; }",
        'f.f([(2, "b"), (1, "a"), (2, "a")])', [(1, "a"), (2, "b"), (2, "a")]),
    Row("multimap of a dict",
        "std::multimap<int, std::string> f(const std::multimap<int, std::string>& m) { return m; }"
        "std::size_t g(std::unordered_multimap<std::string, std::vector<int>> m) { return m.size(); }",
        '[f.f({2: "b", 1: "a"}), f.f(__import__("types").MappingProxyType({3: "c"})), f.g({"a": [1], "b": []})]',
        [[(1, "a"), (2, "b")], [(3, "c")], 2]),
    Row("a dict goes to a map first", "int f(const std::multimap<int, int>&) { return 2; }"
        "int f(const std::map<int, int>&) { return 1; } using M = std::multimap<int, int>;"
        "std::size_t g(std::variant<M, std::map<int, int>> v) { return v.index(); }",
        "[f.f({1: 2}), f.f([(1, 2)]), f.g({1: 2}), f.g([(1, 2)])]", [1, 2, 1, 0]),
    Row("multimap of what is no pairs", "void f(std::multimap<int, int>) {}", "f.f([1, 2])", sb.ArgumentError),
    Row("multiset", "std::multiset<std::string> f(std::multiset<std::string> m) { return m; }",
        'f.f(["b", "a", "b"])', ["a", "b", "b"]),
    Row("multiset of numbers", "std::multiset<int> f(std::multiset<int> m) { return m; }",
        "f.f(np.array([2, 0, 1, 0, 2], 'i4')[::2])", np.array([1, 2, 2], I4)),
    Row("a span as a result", "std::span<const int> f() { static int v[3] = {1, 2, 3}; return v; }", "f.f()",
        np.array([1, 2, 3], I4)),
    Row("a span into a temporary", "std::span<const double> f(const std::vector<double>& v) { return v; }",
        "f.f([1.5, 2])", np.array([1.5, 2])),
    Row("a span of objects is skipped", "struct S { std::string s; ~S() {} }; std::span<S> f() { return {}; }", "",
        "skipped: shows nothing"),
    Row("spans in a list are skipped", "void f(std::vector<std::span<int>>) {}", "", "skipped: outlive what it shows"),
    Row("reference_wrapper", "struct P { double x; }; struct H { int n = 0; ~H() {} };"
        "void f(std::reference_wrapper<P> p) { p.get().x = 7; } void f(std::reference_wrapper<H> h) { h.get().n = 8; }"
        "std::vector<std::reference_wrapper<H>> g() { static H h; h.n = 9; return {h, h}; }",
        "(p := f.P(1.0), h := f.H(), f.f(p), f.f(h), p.x, h.n, [x.n for x in f.g()])[4:]", (7.0, 8, [9, 9])),
    Row("time_point", "using T = std::chrono::system_clock::time_point; T f(T t) { return t + std::chrono::hours(1); }",
        "f.f(datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.UTC))",
        datetime.datetime(2026, 1, 2, 4, tzinfo=datetime.UTC)),
    Row("time_point of nanoseconds", "using T = std::chrono::system_clock::time_point; T f(T t) { return t; }",
        'f.f(np.datetime64("2026-01-02T03:04:05.000000001"))', np.datetime64("2026-01-02T03:04:05.000000001")),
    Row("time_point without a zone", "void f(std::chrono::system_clock::time_point t) {}",
        "f.f(datetime.datetime(2026, 1, 2))", sb.ArgumentError),
    Row("a steady clock is skipped", "void f(std::chrono::steady_clock::time_point t) {}", "",
        "skipped: only the system's clock"),
    Row("any", "std::any g() { return 4; } int f(const std::any& a) { return std::any_cast<int>(a); }",
        "f.f(f.g())", 4),
    Row("an atomic by value is skipped", "void f(std::atomic<int>*, std::atomic<int>) {}", "",
        "skipped: it can only be moved"),
    Row("initializer_list inside another class", "void f(std::vector<std::initializer_list<int>> v) {}", "",
        "skipped: would outlive what it shows"),
    Row("initializer_list by reference", "void f(std::initializer_list<int>& v) {}", "",
        "skipped: would outlive what it shows"),
    Row("initializer_list by const reference",
        "int f(const std::initializer_list<int>& v) { return static_cast<int>(v.size()); }", "f.f([1, 2])", 2),
    *(
        Row(f"{prefix}string_view is aligned",
            f"bool f(std::{prefix}string_view s) {{ return (unsigned long)s.data() % alignof(*s.data()) == 0; }}",
            'all(f.f("x" * n) for n in range(64))', True)
        for prefix in ("u16", "u32", "w")
    ),
]  # fmt: skip


@pytest.fixture(scope="module", params=["the usual compiler", pytest.param(CLANG, marks=pytest.mark.full)])
def lib(request: Any) -> Any:
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore", sb.BindWarning)
        if request.param == CLANG:
            if not shutil.which(CLANG):
                pytest.skip(f"{CLANG} is not installed")
            patch.setenv("CXX", CLANG)
        return sb.compile(source(INCLUDES, ROWS), std="c++20")


@pytest.mark.parametrize("index", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_row(lib: Any, index: int) -> None:
    check(lib, index, ROWS[index])


@pytest.fixture(scope="module")
def outputs() -> Any:
    return sb.compile(
        INCLUDES
        + """
        int split(const std::string& s, std::string& head, std::vector<int>* codes) {
          head = s.substr(0, 1);
          for (char c : s) codes->push_back(c);
          return (int)s.size();
        }
        void get(std::map<std::string, double>& out, std::optional<int>& o) { out["k"] = 1.5; o = 2; }
        void boom(std::string& out) { out = "x"; throw std::out_of_range("no"); }
        void f(const std::string& s) {}
        """,
        arg_intent={
            "split": {"head": "out_return", "codes": "out_return"},
            "get": {0: "out_return", 1: "out_return"},
            "boom": {"out": "out_return"},
        },
    )


def test_outputs(outputs: Any) -> None:
    size, head, codes = outputs.split("ab")
    assert (size, head) == (2, "a")
    assert codes.tolist() == [97, 98]
    assert outputs.get() == ({"k": 1.5}, 2)
    with pytest.raises(IndexError, match="no"):
        outputs.boom()


def test_an_output_that_cannot_be_one() -> None:
    text = "#include <string>\nvoid f(const std::string& s) {} void g(std::string& s) {}"
    with pytest.raises(sb.IntentError, match="cannot write through const std::basic_string"):
        sb.compile(text, arg_intent={"f": {"s": "out_return"}})
    with pytest.raises(sb.IntentError, match=r"makes its own std::string: 'out_return' begins"):
        sb.compile(text, arg_intent={"g": {"s": "inout_ptr"}})


def test_a_returned_array_owns_the_vector(lib: Any) -> None:
    made = lib.row18.f([1.0] * 1000)
    other = [lib.row18.f([2.0] * 1000) for _ in range(50)]
    assert made.tolist() == [1.0] * 1001
    assert made.flags.writeable
    made[0] = 5
    assert made[0] == 5
    assert all(o[0] == 2 for o in other)


def test_what_cxx_writes_to_a_container_is_said_to_be_lost() -> None:
    with pytest.warns(sb.BindWarning, match="discarded"):
        sb.compile("#include <vector>\n#include <string>\nvoid lost(std::vector<short>* v) { v->clear(); }")
