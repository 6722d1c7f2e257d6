"""nanobind's test_functions.py in our words: arguments, defaults, names, overloads, texts, numbers and callables."""

from __future__ import annotations

import enum
import pydoc
import sys
import threading
import traceback

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")]

INTEGERS = {
    "i8": "std::int8_t", "u8": "std::uint8_t", "i16": "std::int16_t", "u16": "std::uint16_t",
    "i32": "std::int32_t", "u32": "std::uint32_t", "i64": "std::int64_t", "u64": "std::uint64_t",
    "schar": "signed char", "uchar": "unsigned char", "short_": "short", "ushort_": "unsigned short",
    "int_": "int", "uint_": "unsigned", "long_": "long", "ulong_": "unsigned long",
    "llong": "long long", "ullong": "unsigned long long",
}  # fmt: skip

SOURCE = r"""
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

inline int calls = 0;
inline void nothing() { ++calls; }
inline int minus(int up = 8, int down = 1) { return up - down; }
inline int eight(int a, int b, int c, int d, int e, int f, int g, int h) { return a + b + c + d + e + f + g - h; }
inline std::function<int(int, int)> captures(int by) { return [=](int a, int b) { return by + a - b; }; }
inline int pick(int) { return 1; }
inline int pick(float) { return 2; }
inline long same(long n) { return n; }
/// Says which number.
inline int doc(int) { return 1; }
/// Says which text.
inline int doc(const std::string&) { return 2; }
inline void oops() { throw std::runtime_error("oops!"); }
template <class... T> std::pair<int, int> counted(int, int, T&&...) { return {2, int(sizeof...(T))}; }
inline std::pair<std::string, int> made() { return {"Hello", 123}; }
inline std::vector<int> numbers(const std::vector<int>& v) { return v; }
inline int call1(const std::function<int(int)>& f) { return f(1); }
inline void call2(const std::function<void(int, int)>& f) { f(1, 2); }
inline int total(std::vector<int>& v) { int s = 0; for (int n : v) s += n; v[2] = 123; v.push_back(s); return s; }
inline int dropped(std::vector<int>& v) { return total(v); }
inline int filled(std::vector<int>& v) { v = {1, 2}; return 3; }
inline int rvalue(int&& i) { return i; }
inline int in_thread(const std::function<int(int)>& f) {
  int r = 0;
  std::thread t([&] { r = f(4); });
  t.join();
  return r;
}
inline std::map<int, int> mapped(const std::map<int, int>& m) { return m; }
inline int at(const std::map<std::string, int>& m, const std::string& k) { return m.at(k); }
inline int third(const std::vector<int>& v) { return v.at(2); }
inline std::string text(const char* c) { return c; }
inline const char* literal() { return "test"; }
inline const char* same_text(const char* c) { return c; }
inline std::string first(const char* c, std::size_t n) { return std::string(c, n); }
inline std::string string(const std::string& s) { return s; }
inline std::string ill() { return "not utf8 \xff"; }
inline double plus_one(double d) { return d + 1.0; }
inline float plus_one_f(float f) { return f + 1.0f; }
inline void* one() { return reinterpret_cast<void*>(1); }
inline void* null() { return nullptr; }
inline std::uintptr_t address(void* p) { return reinterpret_cast<std::uintptr_t>(p); }
inline int no_throw(int i) noexcept { return i; }
inline char letter(char c) { return c; }
inline std::set<std::string> words() { return {"123", "abc"}; }
inline bool has(const std::set<std::string>& s, const std::string& w) { return s.count(w) != 0; }
inline int variable = 10;
inline const int fixed = 100;
inline std::pair<int*, const int*> pointers() { return {&variable, &fixed}; }
inline int read(const int* p) { return *p; }
inline int otherwise(double) { return 0; }
template <class T> int otherwise(const T&) { return 1; }
struct Sums { int sum(int i, std::optional<int> j = std::nullopt, int k = 0) const { return i + j.value_or(0) + k; } };
"""
SOURCE += "".join(f"inline {kind} {name}({kind} v) {{ return v; }}\n" for name, kind in INTEGERS.items())
SOURCE += "".join(
    f"inline {kind} {name}_{end}() {{ return std::numeric_limits<{kind}>::{end}(); }}\n"
    for name, kind in INTEGERS.items()
    for end in ("min", "max")
)


@pytest.fixture(scope="module")
def lib():
    intents = {"dropped": {"v": "in"}, "filled": {"v": "out_return"}}
    return sb.compile(SOURCE, std="c++17", name="nb_functions", arg_intent=intents)


class FloatLike:
    def __float__(self):
        return 1.5

    def __int__(self):
        return 1


class IntLike:
    def __init__(self, value=1):
        self.value = value

    def __index__(self):
        return self.value


@pytest.mark.behaviour("test01_capture")
@pytest.mark.behaviour("test35_return_capture")
def test_plain_functions_and_those_that_capture(lib):
    before = lib.calls
    assert (lib.nothing(), lib.calls) == (None, before + 1)
    assert (lib.minus(5, 3), lib.eight(0, 1, 2, 3, 4, 5, 6, 7)) == (2, 14)
    captured = lib.captures(42)
    assert (captured(3, 2), captured(-1, 0), lib.captures(0)(5, 7)) == (43, 41, -2)


@pytest.mark.behaviour("test02_default_args")
@pytest.mark.behaviour("test03_kwargs")
def test_defaults_and_names(lib):
    assert (lib.minus(), lib.minus(7)) == (7, 6)
    assert lib.minus(3, 5) == lib.minus(3, down=5) == lib.minus(down=5, up=3) == -2
    name = "".join(["do", "wn"])  # another str of that text
    assert (lib.minus(**{name: 5, "up": 3}), lib.minus(**{name: 5})) == (-2, 3)
    for kwargs, words in (
        ({"unexpected": 27}, "has no parameter 'unexpected'"),
        ({"down": None}, "argument 2 'down': expected int32"),
    ):
        with pytest.raises(TypeError, match=words):
            lib.minus(**kwargs)
    with pytest.raises(TypeError, match="got parameter 'up' twice, by position and by name"):
        lib.minus(3, up=3)
    sums = lib.Sums()
    assert (sums.sum(1), sums.sum(1, None), sums.sum(1, 2, 3), sums.sum(i=1, j=2)) == (1, 1, 6, 3)
    assert sums.sum(1, k=4) == sums.sum(1, j=None, k=4) == 5


@pytest.mark.behaviour("test04_overloads", refused=True)
@pytest.mark.behaviour("test21_numpy_overloads", refused=True)
def test_numbers_of_any_class_choose_as_what_they_say(lib):
    integers = (0, IntLike(), np.int32(0), enum.IntEnum("E", {"A": 5}).A)
    floats = (0.0, FloatLike(), np.float32(0.5), np.float16(0.5))
    assert [lib.pick(n) for n in integers] == [1] * 4
    assert [lib.pick(n) for n in floats] == [2] * 4
    assert lib.same(enum.IntEnum("E", {"A": 5}).A) == 5
    assert {f(np.int32(5)) for f in (lib.same, lib.ulong_, lib.llong, lib.ullong)} == {5}
    for wrong, advice in (("5", "int(x)"), (True, "int(x)"), (np.float32(0.5), "int(x)")):
        with pytest.raises(TypeError) as caught:
            lib.same(wrong)
        assert "argument 1 'n': expected int64" in str(caught.value)
        assert advice in str(caught.value)
    with pytest.raises(TypeError, match=r"pick\(float64\) is ambiguous.*\n.*\n.*\n.*lib.pick.overload"):
        lib.pick(np.float64(0.1))  # as C++ calls pick(double)
    assert lib.plus_one(np.float64(21)) == lib.plus_one_f(np.float32(21)) == 22.0
    assert lib.plus_one_f(21.1) == np.float32(21.1) + np.float32(1)


@pytest.mark.behaviour("test05_signature")
@pytest.mark.behaviour("test24_pydoc")
def test_documents(lib):
    assert lib.nothing.__doc__ == "nothing() -> None\n    void nothing()"
    assert (
        lib.minus.__doc__ == "minus(up: int32 = 8, down: int32 = 1) -> int32\n    int minus(int up, int down)"
    )
    assert lib.pick.__doc__.splitlines()[::2] == [
        "pick(arg0: int32) -> int32",
        "pick(arg0: float32) -> int32",
    ]
    for text in (
        "doc(arg0: int32) -> int32",
        "doc(arg0: str) -> int32",
        "Says which number.",
        "Says which text.",
    ):
        assert text in pydoc.plain(pydoc.render_doc(lib.doc))


@pytest.mark.behaviour("test06_signature_error")
@pytest.mark.behaviour("test06_signature_error_unencodable_kwarg")
def test_errors_show_what_there_is(lib):
    for name in ("y", "\udc80"):
        with pytest.raises(TypeError) as caught:
            lib.pick("x", **{name: 4})
        assert str(caught.value).splitlines() == [
            "pick() got 2 arguments; its overloads take",
            f"  pick(arg0: int32) -> int32: it has no parameter {name!r}",
            f"  pick(arg0: float32) -> int32: it has no parameter {name!r}",
        ]
    with pytest.raises(TypeError) as caught:
        lib.pick("x")
    for overload in ("pick(arg0: int32) -> int32", "pick(arg0: float32) -> int32", "got 'x' (str)"):
        assert overload in str(caught.value)


@pytest.mark.behaviour("test07_raises")
def test_what_cpp_throws(lib):
    with pytest.raises(RuntimeError, match=r"^oops!$"):
        lib.oops()


@pytest.mark.behaviour("test08_args_kwargs", refused=True)
def test_any_number_of_arguments(lib):
    assert [lib.counted(1, 2, *rest)[1] for rest in ((), (3,), (3, "a", None, 2.5))] == [0, 1, 4]
    with pytest.raises(TypeError, match=r"cannot deduce with 'c' by name; give the arguments by position"):
        lib.counted(1, 2, c=3)


@pytest.mark.behaviour("test09_maketuple")
def test_a_pair_is_a_tuple(lib):
    assert lib.made() == ("Hello", 123)


@pytest.mark.behaviour("test10_cpp_call_simple")
@pytest.mark.behaviour("test11_call_complex")
def test_cpp_calls_python(lib):
    seen = []
    lib.call2(lambda a, b: seen.append((a, b)))
    lib.call2(lambda *args, **kwargs: seen.append((args, kwargs)))
    assert seen == [(1, 2), ((1, 2), {})]
    with pytest.raises(TypeError, match=r"It takes \(a, b\); C\+\+ passes 1 argument"):
        lib.call1(lambda a, b: seen.append((a, b)))
    assert len(seen) == 2


@pytest.mark.behaviour("test12_list_tuple_manipulation", refused=True)
def test_a_list_that_cpp_changes(lib):
    given = [1, 5, 6, 7]
    with pytest.raises(
        sb.IntentError, match="arg_intent says of 'v' that it writes what the call returns, 'out_return'"
    ):
        lib.total(given)
    assert given == [1, 5, 6, 7]
    assert (lib.dropped(given), given) == (19, [1, 5, 6, 7])  # as the intent says
    number, numbers = lib.filled()
    assert (number, [*numbers]) == (3, [1, 2])


@pytest.mark.behaviour("test13_call_guard")
def test_other_threads_run_while_cpp_does(lib):
    assert lib.rvalue(1) == 1
    threads = set()
    assert lib.in_thread(lambda n: threads.add(threading.get_ident()) or n + 3) == 7
    assert threads
    assert threading.get_ident() not in threads


@pytest.mark.behaviour("test15_iter")
@pytest.mark.behaviour("test16_iter_tuple")
@pytest.mark.behaviour("test17_iter_tuple")
def test_sequences(lib):
    for given in ((), (1,), (1, 2, 3), [], [1, 2], range(3)):
        assert [*lib.numbers(given)] == [*given]
    assert [*lib.numbers(n for n in (1, 2))] == [1, 2]
    for wrong in ({1: 2}, 5):
        with pytest.raises(TypeError, match=r"argument 1 'v': expected a list or an array int32\[n\]"):
            lib.numbers(wrong)
    with pytest.raises(TypeError, match=r"argument 1 'v\[1\]': expected int32 .*, got 'a'"):
        lib.numbers([1, "a", None])


@pytest.mark.behaviour("test20_dict_iterator")
@pytest.mark.behaviour("test54_dict_getitem")
def test_dicts(lib):
    for given in ({}, {1: 2}, {1: 2, 3: 4}):
        assert lib.mapped(given) == given
    with pytest.raises(TypeError, match=r"expected int32 .*, got 'a'"):
        lib.mapped({1: 2, "a": "b"})
    assert lib.at({"key": 100}, "key") == 100
    with pytest.raises(IndexError, match="map::at"):  # std::out_of_range
        lib.at({"key": 100}, "missing")
    with pytest.raises(TypeError, match="argument 2 'k': expected text"):
        lib.at({"key": 100}, [1, 2, 3])
    with pytest.raises(IndexError):
        lib.third([])


@pytest.mark.behaviour("test22_string_return")
@pytest.mark.behaviour("test23_byte_return")
@pytest.mark.behaviour("test37_test_str")
def test_texts(lib):
    assert (lib.text("hello"), lib.literal(), lib.same_text("abc")) == ("hello", "test", "abc")
    assert (lib.text(b"abc"), lib.string(b"abc\0def\0ghi")) == ("abc", "abc\0def\0ghi")
    assert lib.first("hello world", 5) == "hello"
    assert lib.ill().encode(errors="surrogateescape") == b"not utf8 \xff"
    assert lib.string(lib.ill()) == lib.ill()
    with pytest.raises(TypeError, match="expected text"):
        lib.text(123)
    with pytest.raises(TypeError, match=r"C.. would see it end at its NUL character"):
        lib.text("abc\0def")


@pytest.mark.behaviour("test36_test_char")
def test_a_character(lib):
    assert [lib.letter(c) for c in ("c", "\0", 99)] == [99, 0, 99]
    for wrong in ("abc", "", "ü"):
        with pytest.raises(TypeError, match=r"argument 1 'c': expected char \(-128 to 127\)"):
            lib.letter(wrong)


@pytest.mark.behaviour("test26_capsule")
@pytest.mark.behaviour("test26b_capsule_nullptr")
def test_addresses(lib):
    assert lib.address(lib.one()) == lib.one().address == 1
    assert lib.address(lib.null()) == lib.address(None) == 0
    assert not lib.null()


@pytest.mark.behaviour("test29_traceback")
@pytest.mark.behaviour("test29_traceback_surrogate_filename")
def test_an_exception_through_cpp_shows_where_it_was(lib):
    names = {}
    exec(compile("def fails(a, b):\n raise RuntimeError('Foo')\n", "bad\udc80name.py", "exec"), names)
    with pytest.raises(RuntimeError, match=r"^Foo$") as caught:
        lib.call2(names["fails"])
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert (frames[-1].name, frames[-1].filename, frames[-1].lineno) == ("fails", "bad\udc80name.py", 2)


@pytest.mark.behaviour("test30_noexcept")
def test_functions_that_throw_nothing(lib):
    assert lib.no_throw(123) == 123


@pytest.mark.behaviour("test31_range")
@pytest.mark.parametrize("name", INTEGERS)
def test_each_integer_s_range(lib, name):
    function, low, high = (getattr(lib, name + end) for end in ("", "_min", "_max"))
    bits = (0, 7, 8, 15, 16, 29, 30, 31, 32, 45, 60, 63, 64, 75, 90, 127, 128, 1000)
    values = {sign * (2**n + k) for n in bits for k in (-1, 0, 1) for sign in (-1, 1)}
    for value in values:
        for given in (value, IntLike(value)):
            if low() <= value <= high():
                assert function(given) == value
            else:
                with pytest.raises(sb.RangeError, match="argument 1 'v': expected"):
                    function(given)


@pytest.mark.behaviour("test38_set")
@pytest.mark.behaviour("test52_frozenset")
def test_sets(lib):
    words = lib.words()
    assert words == {"123", "abc"}
    for given in (words, frozenset(words)):
        assert (lib.has(given, "123"), lib.has(given, "1234")) == (True, False)
    with pytest.raises(TypeError):
        lib.has({123}, "123")


@pytest.mark.behaviour("test42_ptr_return")
def test_pointers_in_a_pair(lib):
    variable, fixed = lib.pointers()
    assert (lib.read(variable), lib.read(fixed)) == (10, 100)
    lib.variable = 11
    assert lib.read(variable) == 11
    lib.variable = 10


@pytest.mark.behaviour("test53_fallback")
def test_a_template_takes_what_no_function_takes_better(lib):
    assert [lib.otherwise(x) for x in (3.0, 3, "3")] == [0, 1, 1]


class Nowhere:
    __module__ = None


class Unspoken(type):
    @property
    def __module__(cls):
        raise RuntimeError("boom")


@pytest.mark.behaviour("test_56_unusual_module_in_overload_error")
def test_classes_that_say_no_module(lib):
    for cls in (Nowhere, Unspoken("Unspoken", (), {})):
        for function in (lib.pick, lib.same, lib.numbers, lib.text, lib.call2, lib.address):
            with pytest.raises(TypeError, match=rf"got <\S*{cls.__name__} object at "):
                function(cls())


def test_the_source_is_as_wide_as_python_says(lib):
    assert lib.ullong_max() == 2**64 - 1 == 2 * sys.maxsize + 1
