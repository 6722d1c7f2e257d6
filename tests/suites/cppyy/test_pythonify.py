"""What cppyy's test_pythonify.py is about: classes as Python's, static functions, memory, defaults, keywords."""

from __future__ import annotations

import gc
from functools import partial

import pytest

import samebytes as sb

from ..both import Both

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

CODE = r"""
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>
// What a gauge measures, and the gauge; both count how many of them live.
class Sample {
  double value;
public:
  static inline int alive = 0;
  Sample(double v = 0) : value(v) { ++alive; }
  Sample(const Sample& o) : value(o.value) { ++alive; }
  Sample& operator=(const Sample& o) { value = o.value; return *this; }
  ~Sample() { --alive; }
  double get() { return value; }
  void set(double v) { value = v; }
};
class Gauge {
public:
  static inline int alive = 0;
  int offset;
  Gauge() : offset(0) { ++alive; }
  Gauge(int n) : offset(n) { ++alive; }
  Gauge(const Gauge& o) : offset(o.offset) { ++alive; }
  Gauge& operator=(const Gauge&) = default;
  virtual ~Gauge() { --alive; }
  static int living() { return alive; }
  static int next(int a) { return static_cast<int>(static_cast<unsigned>(a) + 1u); }
  static int next(int a, int b) { return a + b + 1; }
  static double finer(double a) { return a + 0.01; }
  static int parse(const char* text) { return std::atoi(text); }
  static const char* echo(const char* text) { static char room[32]; return std::strncpy(room, text, 31); }
  static void calibrate(Sample* s, double v) { s->set(v); }
  static Sample* through(Sample* s, double v) { s->set(v); return s; }
  static Sample copied(Sample* s, double v) { s->set(v); return *s; }
  int plus(int a) { return offset + a; }
  double plus_real(double a) { return offset + a; }
  int plus_parsed(const char* text) { return offset + std::atoi(text); }
  std::string shown(const char* text) { return std::to_string(plus_parsed(text)); }
  int sum(int a) { return offset + a; }
  int sum(int a, int b) { return offset + a + 10 * b; }
  int sum(int a, int b, int c) { return offset + a + 10 * b + 100 * c; }
  void measure(Sample* s) { s->set(offset); }
  Sample* measured(Sample* s) { measure(s); return s; }
  Sample measured_copy(Sample* s) { measure(s); return *s; }
};
typedef Gauge Gauge_t;
inline int doubled(int a) { return 2 * a; }
namespace scale { inline int doubled(int a) { return 2 * a + 1; } inline int factor = 99; inline int read() {
  return factor; } }
inline int tared(Gauge& g, int a) { return g.offset + a; }

struct Pick {
  short of_short(short a, int n = 0, short b = 1, short c = 2) { return n ? n == 1 ? b : c : a; }
  unsigned short of_ushort(unsigned short a, int n = 0, unsigned short b = 1, unsigned short c = 2) {
    return n ? n == 1 ? b : c : a;
  }
  int of_int(int a, int n = 0, int b = 1, int c = 2) { return n ? n == 1 ? b : c : a; }
  unsigned of_uint(unsigned a, int n = 0, unsigned b = 1, unsigned c = 2) { return n ? n == 1 ? b : c : a; }
  long of_long(long a, int n = 0, long b = 1, long c = 2) { return n ? n == 1 ? b : c : a; }
  unsigned long of_ulong(unsigned long a, int n = 0, unsigned long b = 1, unsigned long c = 2) {
    return n ? n == 1 ? b : c : a;
  }
  float of_float(float a, int n = 0, float b = 1, float c = 2) { return n ? n == 1 ? b : c : a; }
  double of_double(double a, int n = 0, double b = 1, double c = 2) { return n ? n == 1 ? b : c : a; }
  std::string of_text(const std::string& a, int n = 0, const std::string& b = "none") { return n ? b : a; }
};
class under_ { public: int number = 3; under_& self_(under_& u) { return u; } };

namespace chain {
struct Leaf { Leaf(int v) : value(v) {} int value; };
struct Twig { Twig(int v) { of.emplace_back(v); } std::vector<Leaf> of; std::vector<Leaf>& get() { return of; } };
struct Branch { Branch(int v) { of.emplace_back(v); } std::vector<Twig> of; std::vector<Twig>& get() { return of; } };
struct Tree { Tree(int v) { of.emplace_back(v); } std::vector<Branch> of; std::vector<Branch>& get() { return of; } };
inline Tree grown(int v) { return Tree(v); }
}
namespace named {
struct Bag { Bag(std::initializer_list<int> v) : items(v) {} std::vector<int> items; };
struct Pair {
  Pair() = delete;
  Pair(const Bag& from, const Bag& to) : key(42), a(from), b(to) {}
  Pair(int k, const Bag& from, const Bag& to) : key(k), a(from), b(to) {}
  int key;
  Bag a, b;
};
inline int which(int choice, int a, int b, int c) { return choice == 0 ? a : choice == 1 ? b : c; }
struct Chooser { int choice; int which(int a, int b, int c) const { return named::which(choice, a, b, c); } };
inline int mixed(int a = 10, int b = 20, int c = 5, int d = 4) { return a - b / c * d; }
inline std::string joined(const std::string& a = "a", const std::string& b = "b") { return a + b; }
struct Empty {};
inline int empties(const Empty& one = Empty(), const Empty& two = Empty()) { return (void)one, (void)two, 7; }
inline bool flags(bool one = false, bool two = true) { return one && two; }
}
"""
# Python names some; C++ writes all up to the last one that differs.
KEYWORDS = {
    "mixed()": "mixed()", "mixed(a=100)": "mixed(100)", "mixed(b=100)": "mixed(10, 100)",
    "mixed(a=100, b=200)": "mixed(100, 200)", "mixed(a=100, b=200, d=0)": "mixed(100, 200, 5, 0)",
    "mixed(b=100, a=200)": "mixed(200, 100)", "joined()": "joined()", "joined(a='!')": 'joined("!")',
    "flags()": "flags()", "flags(two=False)": "flags(false, false)", "flags(one=True)": "flags(true)",
    "flags(two=False, one=True)": "flags(true, false)",
}  # fmt: skip
BOTH = Both(
    {
        "static": ["Gauge::next(1)", "Gauge::next(1, 2)", "Gauge::next(-1)", "Gauge::next(2147483646)",
                   "Gauge::next(2147483647)", "Gauge::finer(0.09)", 'Gauge::parse("1")'],
        "picked": [f"Pick().of_{kind}({given})" for given in ("11", "11, 0, 12, 13", "11, 1, 12, 13", "11, 1, 12",
                   "11, 2, 12", "11, 1", "11, 2")
                   for kind in ("short", "ushort", "int", "uint", "long", "ulong", "float", "double")],
        "texts": ['Pick().of_text("one", 0, "two")', 'Pick().of_text("one", 1)', 'Pick().of_text("one")',
                  'Pick().of_text("one", 1, "two")'],
        "summed": ["Gauge(1).sum(3)", "Gauge(1).sum(4, 5)", "Gauge(1).sum(6, 7, 8)"],
        "named": KEYWORDS,
    },
    before="using namespace named;",
)  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(CODE + BOTH.code)


@pytest.fixture
def counted(lib):
    """Nothing that a test makes is left."""
    gc.collect()
    before = (lib.Gauge.alive, lib.Sample.alive)
    yield lib
    gc.collect()
    assert (lib.Gauge.alive, lib.Sample.alive) == before == (0, 0)


@pytest.mark.behaviour("test01_load_dictionary_cache")
def test_the_same_source_is_the_same_library(lib):
    again = sb.compile(CODE + BOTH.code)
    assert again.Gauge is lib.Gauge
    assert again.doubled is lib.doubled


@pytest.mark.behaviour("test02_finding_classes")
def test_a_class_is_one_object(lib):
    assert lib.Gauge is lib.Gauge
    with pytest.raises(AttributeError, match="Guage"):
        lib.Guage  # noqa: B018


@pytest.mark.behaviour("test03_calling_static_functions")
def test_static_functions(lib):
    BOTH.check(lib, "static")
    assert lib.Gauge.echo("some") == "some"
    with pytest.raises(sb.ArgumentError, match="expected"):
        lib.Gauge.next(1, [])
    with pytest.raises(TypeError, match=r"1\.0"):
        lib.Gauge.next(1.0)
    with pytest.raises(sb.RangeError, match="2147483648"):
        lib.Gauge.next(2**31)
    with pytest.raises(TypeError, match=r"1\.0"):
        lib.Gauge.echo(1.0)


@pytest.mark.behaviour("test04_constructing_and_calling")
def test_objects_are_made_called_and_ended(counted):
    g = counted.Gauge(7)
    assert (counted.Gauge.living(), g.plus(4), g.plus(-4)) == (1, 11, 3)
    both = [g, counted.Gauge(8)]
    assert g.living() == 2
    del both[1]
    gc.collect()
    assert g.living() == 1
    g = counted.Gauge(-13)
    assert (g.plus_real(16), g.living()) == (3.0, 1 + len(both))
    assert (g.plus_parsed("13"), g.shown("-12")) == (0, "-25")
    assert g.next(1) == 2


@pytest.mark.behaviour("test05_passing_object_by_pointer")
def test_an_object_by_its_pointer(counted):
    s, g = counted.Sample(3.14), counted.Gauge(14)
    assert s.get() == 3.14
    for owner, value in ((counted.Gauge, 41.0), (counted.Gauge, 43.0), (g, 45.0)):
        owner.calibrate(s, value)
        assert s.get() == value
    g.measure(s)
    assert s.get() == 14.0


@pytest.mark.behaviour("test06_returning_object_by_pointer")
def test_a_returned_pointer_to_an_argument_is_the_argument(counted):
    s, g = counted.Sample(3.14), counted.Gauge(14)
    assert counted.Gauge.through(s, 38.0) is s
    assert s.get() == 38.0
    assert g.measured(s) is s
    assert s.get() == 14.0


@pytest.mark.behaviour("test07_returning_object_by_value")
def test_a_returned_value_is_another_object(counted):
    s, g = counted.Sample(3.14), counted.Gauge(14)
    copy = counted.Gauge.copied(s, 38.0)
    assert (copy.get(), copy is s, counted.Sample.alive) == (38.0, False, 2)
    other = g.measured_copy(s)
    s.set(1.0)
    assert (other.get(), copy.get(), counted.Sample.alive) == (14.0, 38.0, 3)


@pytest.mark.behaviour("test08_global_functions")
def test_functions_of_the_file_and_of_a_namespace(lib):
    for _ in range(2):
        assert lib.doubled(4) == 8
        assert lib.scale.doubled(4) == 9


@pytest.mark.behaviour("test09_memory")
def test_what_python_drops_is_destroyed(counted):
    s = counted.Sample(3.14)
    copy = counted.Gauge.copied(s, 38.0)
    assert (counted.Sample.alive, copy.get()) == (2, 38.0)
    del copy
    gc.collect()
    assert counted.Sample.alive == 1
    same = counted.Gauge.through(s, 66.0)
    del s
    gc.collect()
    assert (counted.Sample.alive, same.get()) == (1, 66.0)
    del same
    gc.collect()
    assert counted.Sample.alive == 0


@pytest.mark.behaviour("test10_default_arguments")
def test_default_arguments(lib):
    BOTH.check(lib, "picked")
    BOTH.check(lib, "texts")
    for name in dir(lib.Pick):
        if name.startswith("of_"):
            with pytest.raises(TypeError, match="arguments"):
                getattr(lib.Pick(), name)(*range(6))


@pytest.mark.behaviour("test11_overload_on_arguments")
def test_overloads_by_the_number_of_arguments(lib):
    BOTH.check(lib, "summed")


@pytest.mark.behaviour("test12_typedefs")
def test_a_typedef_is_the_class(lib):
    assert lib.Gauge_t is lib.Gauge


@pytest.mark.behaviour("test13_underscore_in_class_name")
def test_names_that_end_in_an_underscore(lib):
    u = lib.under_()
    assert u.number == 3
    assert u.self_(u) is u


@pytest.mark.behaviour("test14_bound_unbound_calls")
def test_methods_without_an_object(lib):
    method = lib.Gauge.plus
    assert method(lib.Gauge(2), 3) == 5
    for given in ((), (1,), (1, 2)):
        with pytest.raises(TypeError, match="plus"):
            method(*given)


@pytest.mark.behaviour("test15_installable_function")
def test_a_function_becomes_a_method(lib):
    class Scale(lib.Gauge):
        def tared(self, a: int) -> int:
            return lib.tared(self, a)

    assert Scale(3).tared(2) == lib.Gauge(3).plus(2)


@pytest.mark.behaviour("test16_subclassing")
def test_classes_derived_in_python(counted):
    class Named(counted.Gauge):
        def name(self) -> str:
            return f"gauge {self.offset}"

    class Told(counted.Gauge):
        def __new__(cls, what):
            return super().__new__(cls, len(what))

    class Late(counted.Gauge):
        def __init__(self, what):
            self.what = what

    class Here(counted.Gauge):
        def __init__(self, what):
            super().__init__(len(what))

    first, second = Named(3), Told("hi")
    assert (type(first), type(second)) == (Named, Told)
    assert isinstance(first, counted.Gauge)
    assert (first.name(), first.plus(1), second.plus(1)) == ("gauge 3", 4, 3)
    assert counted.Gauge.living() == 2
    second.what = "hi"
    assert (second.what, second.plus(1)) == ("hi", 3)
    with pytest.raises(sb.ArgumentError) as raised:
        Late("hi")
    assert "C++'s constructor runs before Late.__init__" in str(raised.value.__notes__)
    assert Here("four").plus(1) == 5


@pytest.mark.behaviour("test17_chaining")
def test_what_temporaries_return_stays(lib):
    assert lib.chain.grown(42).get()[0].get()[0].get()[0].value == 42


@pytest.mark.behaviour("test18_keywords")
def test_arguments_by_name(lib):
    pair = lib.named.Pair

    def seen(made):
        return made.key, list(made.a.items), list(made.b.items)

    assert seen(pair(from_=(256,), to=[32])) == (42, [256], [32])
    assert seen(pair(to=(32,), from_=(256,))) == (42, [256], [32])
    assert seen(pair(17, from_=(23,), to=(78, 79))) == (17, [23], [78, 79])
    for wrong in ({"of": (1,), "to": (2,)}, {"k": 1, "to": (2,)}):
        with pytest.raises(TypeError, match="from"):
            pair(**wrong)
    with pytest.raises(TypeError, match="k"):
        pair(17, k=23, from_=(1,), to=(78,))
    chooser = lib.named.Chooser()
    for i in range(3):
        chooser.choice = i
        for call in (partial(lib.named.which, i), chooser.which):
            assert call(a=1, b=2, c=3) == call(b=2, c=3, a=1) == call(c=3, a=1, b=2) == i + 1
    for given, words in (({"a": 1, "b": 2, "d": 3}, "'d'"), ({"a": 1, "b": 2}, "it takes")):
        with pytest.raises(TypeError, match=words):
            lib.named.which(0, **given)
    with pytest.raises(TypeError, match="'a'"):
        lib.named.which(0, 1, a=2, c=3)


@pytest.mark.behaviour("test19_keywords_and_defaults", refused=True)
def test_arguments_by_name_beside_defaults(lib):
    BOTH.check(lib, "named", **{name: getattr(lib.named, name) for name in ("mixed", "joined", "flags")})
    with pytest.raises(TypeError, match="'b'"):
        lib.named.mixed(1, 2, 3, 4, b=5)
    for call, last in ((lib.named.joined, {"b": "!"}), (lib.named.empties, {"two": lib.named.Empty()})):
        with pytest.raises(sb.ArgumentError, match=r"only C\+\+ knows its default .*: give '\w+', too"):
            call(**last)


@pytest.mark.behaviour("test03_write_access_to_globals")
def test_globals_are_written(lib):
    assert lib.scale.factor == lib.scale.read() == 99
    try:
        lib.scale.factor = 3
        assert lib.scale.factor == lib.scale.read() == 3
    finally:
        lib.scale.factor = 99
