"""What cppyy's test_overloads.py is about: which overload Python's arguments choose, and whose error is told."""

from __future__ import annotations

import array

import numpy as np
import pytest

import samebytes as sb

from ..both import Both

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

CODE = r"""
#include <exception>
#include <string>
#include <type_traits>
#include <vector>
struct Apple { int a = 42, b = 0; };
struct Pear { int a = 13, b = 0; };
namespace red { struct Apple { int a = 88, b = 0; }; struct Basket { int count(const std::vector<int>* v) {
  return v->size(); } }; }
namespace green { struct Apple { int a = -33, b = 0; }; }
// The same overloads in two orders.
struct Scale {
  int of(Apple* p) { return p->a; }
  int of(red::Apple* p) { return p->a; }
  int of(green::Apple* p) { return p->a; }
  int of(short* p) { return *p; }
  int of(Pear* p) { return p->a; }
  int of(int* p) { return *p; }
};
struct Elacs {
  int of(int* p) { return *p; }
  int of(Pear* p) { return p->a; }
  int of(short* p) { return *p; }
  int of(green::Apple* p) { return p->a; }
  int of(red::Apple* p) { return p->a; }
  int of(Apple* p) { return p->a; }
};

// Classes that are declared and never shown.
class Hidden;
class Secret;
inline Hidden* hidden() { static long long room; return reinterpret_cast<Hidden*>(&room); }
inline Secret* secret() { static long long room; return reinterpret_cast<Secret*>(&room); }
inline Hidden* no_hidden() { return nullptr; }
struct Known {};
struct Other {};
struct Sorter {
  std::string which(const Known&) { return "known"; }
  std::string which(const Hidden&, void* = nullptr) { return "hidden"; }
  std::string which(const Other&) { return "other"; }
  std::string which(const Secret&) { return "secret"; }
  std::string which(double) { return "double"; }
  std::string which(int) { return "int"; }
  std::string late(int) { return "int"; }
  std::string late(double) { return "double"; }
  std::string by(const Hidden&) { return "reference"; }
  std::string by(const Hidden*) { return "pointer"; }
};

template <class T> double mean_of(long n, const T* a) { double sum = 0; for (long i = 0; i < n; ++i) sum += a[i];
  return sum / n; }
inline double mean(long n, const float* a) { return mean_of(n, a) + 1; }
inline double mean(long n, const double* a) { return mean_of(n, a) + 2; }
inline double mean(long n, const int* a) { return mean_of(n, a) + 3; }
inline double mean(long n, const short* a) { return mean_of(n, a) + 4; }
inline double mean(long n, const long* a) { return mean_of(n, a) + 5; }

struct Part {
  std::string owned;
  std::string slice(int) const { return "const"; }
  std::string slice(int) { return "plain"; }
  std::string slice(int, int) { return "plain, two"; }
  std::string slice(int, int) const { return "const, two"; }
  const Part& fixed() const { return *this; }
};

namespace both_1 { inline int f(int v) { return v; } inline bool f(bool v) { return v; } }
namespace both_2 { inline bool f(bool v) { return v; } inline int f(int v) { return v; } }
namespace only_int { inline int f(int v) { return v; } }
namespace only_bool { inline bool f(bool v) { return v; } }

class NotThere : public std::exception {
  std::string words;
public:
  NotThere(const std::string& name) : words("no file " + name) {}
  const char* what() const noexcept override { return words.c_str(); }
};
struct One { One(const std::string& f) { throw NotThere(f); } One(const One&) {} };
struct OneCall { void open(const std::string& f) { throw NotThere(f); } };
struct Two {
  Two(const std::string& f) { throw NotThere("string " + f); }
  Two(const char* f) { throw NotThere(f); }
};
struct TwoCalls {
  void open(const std::string& f) { throw NotThere("string " + f); }
  void open(const char* f) { throw NotThere(f); }
};
struct Fixed {
  Fixed(const char* f) { throw NotThere(f); }
  Fixed(const Fixed&) = delete;
};
struct FromFixed { FromFixed(int) {} FromFixed(const Fixed&) {} };

namespace deep {
struct A {}; struct B : A {}; struct C : B {}; struct D : A {}; struct E : D {};
inline std::string up(const B&) { return "B"; } inline std::string up(const C&) { return "C"; }
inline std::string down(const E&) { return "E"; } inline std::string down(const D&) { return "D"; }
}

struct Made { explicit Made(int) {} };
inline int foo(Made const&) { return 0; }
inline int foo(bool) { return 1; }
inline int bar(Made const&) { return 0; }
inline int bar(bool = true) { return 1; }
"""
BOTH = Both(
    {
        "numbers": ["Sorter().which(1)", "Sorter().which(1.)", "Sorter().late(1)", "Sorter().late(1.)"],
        "slices": ["Part().slice(0)", "Part().slice(0, 0)", "Part().fixed().slice(0)", "Part().fixed().slice(0, 0)"],
        "bools": [f"{n}::f({v})" for n in ("both_1", "both_2") for v in (0, 1, 2, "True", "False")],
        "deep": ["deep::up(deep::B())", "deep::up(deep::C())", "deep::down(deep::E())", "deep::down(deep::D())"],
        "explicit": ["foo(true)", "bar(true)", "bar()"],
        "hidden": ["Sorter().by(hidden())", "Sorter().by(no_hidden())", "Sorter().which(Known())",
                   "Sorter().which(Other())"],
    },
    before="const bool True = true, False = false; (void)True, (void)False;",
)  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(CODE + BOTH.code)


@pytest.mark.behaviour("test01_class_based_overloads")
@pytest.mark.parametrize("scale", ["Scale", "Elacs"])
def test_the_class_of_an_object_chooses(lib, scale):
    of = getattr(lib, scale)().of
    assert [of(kind()) for kind in (lib.Apple, lib.Pear, lib.red.Apple, lib.green.Apple)] == [42, 13, 88, -33]
    with pytest.raises(sb.ArgumentError, match="Basket"):
        of(lib.red.Basket())


@pytest.mark.behaviour("test03_fragile_class_based_overloads", refused=True)
def test_objects_of_classes_that_are_only_declared(lib):
    BOTH.check(lib, "hidden")
    left_out = {s.name: s.reason for s in lib.__skipped__}
    for name in ("Hidden", "Secret"):
        reasons = [
            reason for what, reason in left_out.items() if what.startswith(f"Sorter::which(const {name} &")
        ]
        assert ["it is incomplete: only its name is declared" in reason for reason in reasons] == [True]
    for given in (lib.hidden(), None):
        with pytest.raises(sb.ArgumentError, match=r"which.* (has no overload that fits|is ambiguous)"):
            lib.Sorter().which(given)


@pytest.mark.behaviour("test04_fully_fragile_overloads")
def test_a_pointer_before_a_reference_to_what_is_only_declared(lib):
    assert not lib.no_hidden()
    assert lib.Sorter().by(lib.no_hidden()) == lib.Sorter().by(None) == "pointer"


@pytest.mark.behaviour("test05_array_overloads")
@pytest.mark.parametrize("scale", ["Scale", "Elacs"])
@pytest.mark.parametrize(
    "made", [lambda code, v: array.array(code, [v]), lambda code, v: np.array([v], code)]
)
def test_the_elements_of_an_array_choose(lib, scale, made):
    of = getattr(lib, scale)().of
    assert (of(made("i", 525252)), of(made("h", 25))) == (525252, 25)


@pytest.mark.behaviour("test06_double_int_overloads")
def test_int_and_float(lib):
    BOTH.check(lib, "numbers")


@pytest.mark.behaviour("test07_mean_overloads")
def test_pointers_to_five_kinds_of_numbers(lib):
    numbers = [8, 2, 4, 2, 4, 2, 4, 4, 1, 5, 6, 3, 7]
    for more, code in enumerate("fdihl", start=1):
        assert lib.mean(len(numbers), array.array(code, numbers)) == pytest.approx(4 + more)


@pytest.mark.behaviour("test08_const_non_const_overloads")
def test_const_objects_choose_const_methods(lib):
    BOTH.check(lib, "slices")


@pytest.mark.behaviour("test09_bool_int_overloads", refused=True)
def test_bool_and_int(lib):
    BOTH.check(lib, "bools")
    assert (lib.only_int.f(1), lib.only_bool.f(True)) == (1, True)
    for given in (0, 1, 2):
        with pytest.raises(sb.ArgumentError, match=r"expected bool, got \d \(int\)\. bool\(x\) converts it"):
            lib.only_bool.f(given)
    with pytest.raises(sb.ArgumentError, match=r"got True \(bool\)\. int\(x\) converts it"):
        lib.only_int.f(True)


@pytest.mark.behaviour("test10_overload_and_exceptions")
def test_an_exception_of_the_chosen_overload_is_told(lib):
    for call in (lib.One, lib.OneCall().open, lib.Two, lib.TwoCalls().open, lib.Fixed):
        with pytest.raises(RuntimeError, match=r"^no file some$"):
            call("some")
    with pytest.raises(RuntimeError, match=r"^no file some$"):
        lib.FromFixed("some")  # C++ makes a Fixed of it first


@pytest.mark.behaviour("test11_deep_inheritance")
def test_the_nearest_base_chooses(lib):
    BOTH.check(lib, "deep")


@pytest.mark.behaviour("test12_explicit_constructor_in_implicit_conversion", refused=True)
def test_explicit_constructors_convert_nothing(lib):
    BOTH.check(lib, "explicit", true=True)
    for f in (lib.foo, lib.bar):  # in C++ the int is a bool
        with pytest.raises(sb.ArgumentError, match=r"(?s)no overload that fits.*Made.*expected bool, got 1"):
            f(1)
