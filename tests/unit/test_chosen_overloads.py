"""``overload(f, "int, double")``: one overload by its C++ parameters, the very one that C++ means by them."""

from __future__ import annotations

import copy
import gc
import inspect
import json
import pickle
import pydoc
import types
import weakref
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

# Spellings of parameters, and arguments of such a call.
FREE: list[tuple[str, tuple[Any, ...]]] = [
    ("int", (1,)),
    ("const int", (1,)),
    ("double", (1,)),
    ("long double const", ()),
    ("unsigned", (1,)),
    ("long unsigned int", (1,)),
    ("unsigned long", (1,)),
    ("std::size_t, std::uint8_t", (1, 2)),
    ("unsigned long, unsigned char const", (1, 2)),
    ("const std::string&", ("x",)),
    ("std::string const &", ("x",)),
    ("std::vector<int>", ([1],)),
    ("std::vector<unsigned int>", ([1],)),
    ("std::vector<unsigned>", ([1],)),
    ("std::map<std::string, std::vector<long int> > const&", ({"a": [1]},)),
    ("const int*, int", (np.ones(1, np.int32), 1)),
    ("int const [], int", (np.ones(1, np.int32), 1)),
    ("int (*)(int, double)", (lambda x, y: x,)),
    ("", ()),
    ("void", ()),
]
SOURCE = r"""
#include <cstdint>
#include <map>
#include <string>
#include <vector>
using Text = std::string;
inline int f(int) { return 1; }
inline int f(double) { return 2; }
inline int f(long double) { return 3; }
inline int f(unsigned) { return 4; }
inline int f(unsigned long) { return 5; }
inline int f(unsigned long, unsigned char) { return 6; }
inline int f(const std::string&) { return 7; }
inline int f(std::vector<int>) { return 8; }
inline int f(std::vector<unsigned>) { return 9; }
inline int f(const std::map<std::string, std::vector<long>>&) { return 10; }
inline int f(const int*, int) { return 11; }
inline int f(int (*)(int, double)) { return 12; }
inline int f() { return 13; }
inline int g(float) { return 1; }
inline int g(unsigned short) { return 2; }
inline int h(long, double) { return 1; }
inline int h(double, long) { return 2; }
inline int later(int x, int y = 5) { return x + y; }
inline int later(double x, int y = 7) { return 100 + y; }
struct S {
  int n = 0;
  S() {}
  explicit S(int a) : n(a) {}
  S(double a) : n(100) {}
  S(const S& other) : n(other.n) {}
  virtual ~S() {}
  int m(int) { return 1; }
  int m(int) const { return 2; }
  int m(double) const { return 3; }
  static int s(int) { return 4; }
  static int s(double) { return 5; }
  virtual int v(int) { return 1; }
  virtual int v(double) { return 2; }
};
struct Record { int a; Record(int x) : a(x) {} Record(double) : a(-1) {} };
namespace deep {
struct Q {
  int n;
  Q(long, double) : n(1) {}
  Q(double, long) : n(2) {}
  int m(long, double) { return 1; }
  int m(double, long) { return 2; }
};
inline int k(long, double) { return 1; }
inline int k(double, long) { return 2; }
}  // namespace deep
template <class T> T t(T x) { return x; }
// What C++ means by such parameters.
template <class A> A some() {
  static typename std::remove_const<typename std::remove_reference<A>::type>::type value{};
  return static_cast<A>(value);
}
template <class... A> int number(int (*f)(A...)) { return f(some<A>()...); }
"""
TYPES = [types.replace("[]", "*") for types, _ in FREE]
ANSWERS = "".join(
    f"inline int answer_{i}() {{ return number(static_cast<int (*)({types})>(f)); }}\n"
    for i, types in enumerate(TYPES)
)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE + ANSWERS, name="chosen")


@pytest.mark.parametrize("row", [i for i, (types, _) in enumerate(FREE) if "long double" not in types])
def test_it_is_the_function_that_cxx_means(lib: Any, row: int) -> None:
    types, arguments = FREE[row]
    assert sb.overload(lib.f, types)(*arguments) == getattr(lib, f"answer_{row}")()
    assert sb.overload(lib.f, f"({types})")(*arguments) == getattr(lib, f"answer_{row}")()


def test_it_is_an_attribute_of_what_has_overloads(lib: Any) -> None:
    assert lib.f.overload("double")(3) == sb.overload(lib.f, "double")(3) == 2
    assert lib.S.m.overload("(int) const")(lib.S(), 1) == 2
    assert lib.S.s.overload("double")(1) == 5
    assert [hasattr(one, "overload") for one in (lib.answer_0, lib.S.__init__, len)] == [False] * 3
    with pytest.raises(sb.BindError, match="no overload 'int'"):
        lib.g.overload("int")


# What is asked of a function with overloads, as of any builtin function.
AS_BUILTIN = {
    "isbuiltin": lambda f: inspect.isbuiltin(f) and inspect.isroutine(f),
    "isinstance": lambda f: isinstance(f, types.BuiltinFunctionType),
    "names": lambda f: (f.__name__, f.__qualname__, f.__module__) == ("g", "chosen.g", "chosen"),
    "repr": lambda f: repr(f).startswith("<built-in method g of chosen object at "),
    "signature": lambda f: str(inspect.signature(f)) == "(*args, **kwargs)",
    "pydoc": lambda f: pydoc.render_doc(f, renderer=pydoc.plaintext).startswith(
        "Python Library Documentation: "
    ),
    "pickle": lambda f: pickle.loads(pickle.dumps(f)) is f,
    "copy": lambda f: copy.copy(f) is f and copy.deepcopy([f])[0] is f,
    "hash": lambda f: {f: 1}[f] == 1 and f != f.overload("float"),
    "weakref": lambda f: weakref.ref(f)() is f,
    "call slot": lambda f: type(f).__call__(f, np.float32(1.5)) == 1,
    "collected": lambda f: gc.is_tracked(f) and f.__self__ in gc.get_referents(f),
}


@pytest.mark.parametrize("what", AS_BUILTIN)
def test_it_is_a_builtin_function(lib: Any, what: str) -> None:
    assert AS_BUILTIN[what](lib.g)


def test_one_that_nobody_has_goes(lib: Any) -> None:
    gone = weakref.ref(lib.later.overload("int, int"))  # by one argument and by two: it has a choice
    gc.collect()
    assert gone() is None


def test_no_other_is_called(lib: Any) -> None:
    assert (lib.f(3), sb.overload(lib.f, "double")(3)) == (1, 2)
    with pytest.raises(sb.ArgumentError, match=r"f\(\) argument 1 'arg0': expected int32"):
        sb.overload(lib.f, "int")("text")


def test_defaults_are_the_functions_own(lib: Any) -> None:
    chosen = sb.overload(lib.later, "double, int")
    assert (chosen(1), chosen(1, 2), chosen(x=1, y=3)) == (107, 102, 103)
    assert str(inspect.signature(chosen)) == "(x, y=7)"


# What is asked of an object's method or of the class, and the answer.
METHODS = [
    (lambda lib, s: sb.overload(lib.S.m, "(int) const")(s, 1), 2),
    (lambda lib, s: sb.overload(s.m, "(int) const")(1), 2),
    (lambda lib, s: sb.overload(s.m, "(int)")(1), 1),
    (lambda lib, s: sb.overload(s.m, "int S::m(int arg0)")(1), 1),
    (lambda lib, s: sb.overload(s.m, "double")(1), 3),
    (lambda lib, s: sb.overload(lib.S.s, "double")(1), 5),
    (lambda lib, s: sb.overload(s.s, "int")(1), 4),
    (lambda lib, s: sb.overload(lib.S, "int")(7).n, 7),
    (lambda lib, s: sb.overload(lib.S, "double")(7).n, 100),
    (lambda lib, s: sb.overload(lib.Record, "double")(7).a, -1),
    (lambda lib, s: type(sb.overload(lib.S, "double")(7)) is lib.S, True),
]


@pytest.mark.parametrize("row", range(len(METHODS)))
def test_members_and_constructors(lib: Any, row: int) -> None:
    ask, answer = METHODS[row]
    assert ask(lib, lib.S()) == answer


def test_python_that_overrides_is_called_as_in_cxx(lib: Any) -> None:
    class Mine(lib.S):  # type: ignore[misc,name-defined]
        def v(self, x: Any) -> int:
            return 50 + int(sb.overload(super().v, "int")(int(x)))

    assert sb.overload(lib.S.v, "double")(Mine(), 1) == 51


def test_pickles(lib: Any) -> None:
    for chosen, arguments, answer in (
        (sb.overload(lib.f, "double"), (3,), 2),
        (sb.overload(lib.S.m, "(int) const"), (lib.S(), 1), 2),
    ):
        assert pickle.loads(pickle.dumps(chosen))(*arguments) == answer
    assert pickle.loads(pickle.dumps(sb.overload(lib.S, "double")))(3).n == 100


def test_explain_shows_the_declarations_that_it_takes(lib: Any) -> None:
    assert "int g(unsigned short arg0)" in str(sb.explain(lib, "g"))
    assert sb.overload(lib.g, "int g(unsigned short arg0)")(3) == 2
    assert "float" not in str(sb.explain(sb.overload(lib.g, "unsigned short")))


def test_explain_shows_what_to_write(lib: Any) -> None:
    functions = json.loads(sb.explain(lib).json())["functions"]
    shown = {one["chosen"]: one["cxx"] for one in functions if one["chosen"]}
    space = {name: getattr(lib, name) for name in ("S", "Record", *"fgh", "later")}
    space |= {"samebytes": sb, "Q": lib.deep.Q, "k": lib.deep.k}
    for text, declared in shown.items():
        chosen = eval(text, space)
        meant = repr(chosen) if text.startswith("samebytes") else sb.explain(chosen).functions[0].cxx
        assert declared in meant
    assert {
        'f.overload("unsigned long, unsigned char")',
        'S.m.overload("(int) const")',
        'S.m.overload("(int)")',
    } <= shown.keys()
    assert 'samebytes.overload(Record, "double")' in shown
    assert sb.explain(lib, "answer_0").functions[0].chosen == ""
    assert 'chosen by h.overload("long, double")' in str(sb.explain(lib, "h"))


TIES = {
    "function": ("lib.h", lambda lib: lib.h, lambda x: x),
    "in a namespace": ("lib.deep.k", lambda lib: lib.deep.k, lambda x: x),
    "method": ("lib.deep.Q.m", lambda lib: lib.deep.Q(1, 2.5).m, lambda x: x),
    "constructor": ("lib.deep.Q", lambda lib: lib.deep.Q, lambda x: x.n),
}


@pytest.mark.parametrize("kind", TIES)
def test_a_tie_says_what_to_write_instead(lib: Any, kind: str) -> None:
    name, function, answer = TIES[kind]
    with pytest.raises(sb.ArgumentError, match=r"is ambiguous") as raised:
        function(lib)(3, 3)
    written = str(raised.value).splitlines()[-1].strip().removesuffix(" chooses one by its C++ types")
    assert written == (
        f'samebytes.overload({name}, "...")' if kind == "constructor" else f'{name}.overload("...")'
    )
    chosen = eval(written.replace("...", "double, long"), {"lib": lib, "samebytes": sb})
    own = (function(lib).__self__,) if kind == "method" else ()
    assert answer(chosen(*own, 3, 3)) == 2


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (
            lambda lib: sb.overload(lib.g, "int"),
            sb.BindError,
            r"no overload 'int'; C\+\+ declares\n  int g\(float",
        ),
        (
            lambda lib: sb.overload(lib.S.m, "int"),
            sb.BindError,
            r"several overloads 'int'.*\n  int S::m\(int",
        ),
        (lambda lib: sb.overload(lib.S.m, "(double) volatile"), sb.BindError, "no overload"),
        (lambda lib: sb.overload(lib.S.m, "(double)"), None, ""),
        (lambda lib: sb.overload(lib.g, int), TypeError, "as a text, got <class 'int'>"),
        (lambda lib: sb.overload(len, "int"), TypeError, "that a library bound, got <built-in function len>"),
        (lambda lib: sb.overload(lib.t, "int"), TypeError, r"named in brackets, f\[int\]"),
        (lambda lib: sb.overload(type("M", (lib.S,), {}), "int"), TypeError, "that a library bound"),
        (lambda lib: lib.h(3, 3), sb.ArgumentError, r"\n  lib\.h\.overload\(\"\.\.\.\"\) chooses one"),
    ],
)
def test_what_is_none_says_so(lib: Any, ask: Any, error: Any, words: str) -> None:
    if error is None:
        ask(lib)
        return
    with pytest.raises(error, match=words):
        ask(lib)
