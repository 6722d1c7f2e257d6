"""Calls of bound C++: what goes in comes back, defaults, overloads, keywords, exceptions, pickling, introspection."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from tests.tables import warns_at_first

import samebytes as sb

SOURCE = r"""
#include <samebytes/array.hpp>
#include <complex>
#include <cstdint>
#include <stdexcept>
#include <new>
#include <string>

struct Sun { float azimuth, altitude; double cell; };
enum class Mode : unsigned char { off, on = 5 };
enum Color { RED, GREEN = 5 };
constexpr int kAnswer = 42;
constexpr double kHalf = 0.5;

bool not_(bool x) { return !x; }
int8_t i8(int8_t x) { return x; }
uint8_t u8(uint8_t x) { return x; }
short i16(short x) { return x; }
unsigned short u16(unsigned short x) { return x; }
int i32(int x) { return x; }
unsigned u32(unsigned x) { return x; }
long i64(long x) { return x; }
unsigned long long u64(unsigned long long x) { return x; }
float f32(float x) { return x; }
double f64(double x) { return x; }
std::complex<float> c64(std::complex<float> x) { return x; }
std::complex<double> c128(std::complex<double> x) { return x; }
Mode mode(Mode m) { return m; }
Color color(Color c) { return c; }

namespace ns {
/// Adds two numbers.
double add(double a, double b) { return a + b; }
namespace inner { int seven() { return 7; } }
}

int defaults(int a, int b = 2, int c = kAnswer) { return a * 10000 + b * 100 + c; }
static int runtime() { return 9; }
int hidden_default(int a, int b = runtime(), int c = 3) { return a + 10 * b + 1000 * c; }

const char* over(int) { return "int"; }
const char* over(long) { return "long"; }
const char* over(float) { return "float"; }
const char* over(double) { return "double"; }
const char* over(bool) { return "bool"; }
const char* over(const char*) { return "text"; }
const char* over(Sun) { return "Sun"; }
const char* over(samebytes::array<const float, 1>) { return "const float[1]"; }
const char* over(samebytes::array<double, 1>) { return "double[1]"; }
const char* over(int, int) { return "int, int"; }

void split(double x, int& whole, double& rest) { whole = (int)x; rest = x - whole; }
int half_of(int x, bool* odd) { *odd = x % 2; return x / 2; }
void touch(Sun& sun) { sun.cell += 1; }
double cell(const Sun& sun) { return sun.cell; }
double take(Sun&& sun) { return sun.cell; }
Sun twice(Sun s) { return {s.azimuth * 2, s.altitude * 2, s.cell * 2}; }
void grow(Sun* sun) { sun->cell += 1; }
double peek(const Sun* sun) { return sun ? sun->cell : -1; }

double sum(const double* x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
float first(samebytes::array<const float, 1> x) { return x[0]; }
void fill(samebytes::array<float, 2> x, float value) {
  for (uint64_t i = 0; i < x.extent(0); ++i) for (uint64_t j = 0; j < x.extent(1); ++j) x(i, j) = value;
}
int* same(int* p) { return p; }
std::string upper(const std::string& s) { return s; }
long double wide(long double x) { return x; }

void raise(int kind) {
  switch (kind) {
    case 1: throw std::invalid_argument("invalid");
    case 2: throw std::out_of_range("range");
    case 3: throw std::bad_alloc();
    case 4: throw std::overflow_error("over");
    case 5: throw std::runtime_error("runtime");
    case 6: throw 42;
    case 7: throw std::domain_error("domain");
  }
}
int unnamed(int, int) { return 3; }
int from(int lambda) { return lambda; }
int gamma(int x) { return x + 1; }
int call_gamma(int x) { return gamma(x); }
"""


@pytest.fixture(scope="module")
def lib():
    with warns_at_first(sb.BindWarning):
        return sb.compile(
            SOURCE,
            arg_intent={"split": {"whole": "out_return", 2: "out_return"}, "half_of": {"odd": "out_return"}},
        )


SCALARS = [
    ("not_", False, True),
    ("i8", -128, -128),
    ("u8", 255, 255),
    ("i16", -(2**15), -(2**15)),
    ("u16", 65535, 65535),
    ("i32", -(2**31), -(2**31)),
    ("u32", 2**32 - 1, 2**32 - 1),
    ("i64", -(2**63), -(2**63)),
    ("u64", 2**64 - 1, 2**64 - 1),
    ("f32", 0.5, 0.5),
    ("f32", 3, 3.0),
    ("f64", 0.1, 0.1),
    ("c64", 1 + 2j, 1 + 2j),
    ("c128", 0.1j, 0.1j),
    ("c128", 2.5, 2.5 + 0j),
    ("i32", np.int32(7), 7),
    ("i32", np.int8(7), 7),
    ("i32", np.int64(7), 7),
    ("f64", np.float32(0.1), float(np.float32(0.1))),
    ("f32", np.float32(0.1), float(np.float32(0.1))),
    ("f64", np.array(2.5), 2.5),
    ("f32", ml_dtypes.bfloat16(1.5), 1.5),
    ("not_", np.bool_(True), False),
    ("color", 5, 5),
    ("f32", 0.1, float(np.float32(0.1))),
]


@pytest.mark.parametrize(("name", "given", "back"), SCALARS, ids=lambda v: repr(v))
def test_scalars_arrive_whole(lib, name, given, back):
    assert getattr(lib, name)(given) == back


REFUSED = [
    ("i8", 128, sb.RangeError, "int8"),
    ("u8", -1, sb.RangeError, "uint8"),
    ("i32", 2**31, sb.RangeError, "2147483647"),
    ("u64", 2**64, sb.RangeError, "uint64"),
    ("f32", 1e39, sb.RangeError, "float32"),
    ("f64", 2**53 + 1, sb.RangeError, "float64"),
    ("i32", 1.0, sb.ArgumentError, "float"),
    ("i32", float("nan"), sb.ArgumentError, "int32"),
    ("i32", True, sb.ArgumentError, "bool"),
    ("i32", np.bool_(True), sb.ArgumentError, "bool"),
    ("f32", np.float64(0.5), sb.ArgumentError, "float32"),
    ("f32", "1", sb.ArgumentError, "str"),
    ("not_", 1, sb.ArgumentError, "bool"),
    ("i32", None, sb.ArgumentError, "NoneType"),
    ("cell", None, sb.ArgumentError, "Sun"),
    ("i32", np.int64(2**40), sb.RangeError, "int32"),
    ("i32", [1], sb.ArgumentError, "list"),
    ("f64", 1j, sb.ArgumentError, "complex"),
    ("mode", 256, sb.RangeError, "Mode"),
    ("f32", np.array([1.0]), sb.ArgumentError, "float32"),
    ("i32", np.array(1.0), sb.ArgumentError, "int32"),
]


@pytest.mark.parametrize(("name", "given", "error", "word"), REFUSED, ids=lambda v: repr(v)[:30])
def test_nothing_is_converted_silently(lib, name, given, error, word):
    with pytest.raises(error) as caught:
        getattr(lib, name)(given)
    text = str(caught.value)
    assert text.startswith(f"{name}() argument 1 ")
    assert "expected" in text
    assert "got" in text
    assert word in text


def test_all_mismatches_are_named_at_once(lib):
    with pytest.raises(sb.ArgumentError) as caught:
        lib.ns.add("a", None)
    assert [m.name for m in caught.value.mismatches] == ["a", "b"]
    assert "argument 2 'b'" in str(caught.value)


def test_the_first_mismatch_decides_the_class(lib):
    with pytest.raises(sb.RangeError) as caught:
        lib.defaults(2**40, "x")
    assert [m.error for m in caught.value.mismatches] == [sb.RangeError, sb.ArgumentError]


class TestArity:
    def test_too_few(self, lib):
        with pytest.raises(TypeError, match=r"add\(\) got 1 argument; it takes"):
            lib.ns.add(1.0)

    def test_too_many(self, lib):
        with pytest.raises(sb.ArgumentError, match="got 3 arguments"):
            lib.ns.add(1.0, 2.0, 3.0)

    def test_unknown_keyword(self, lib):
        with pytest.raises(sb.ArgumentError, match="no parameter 'c'"):
            lib.ns.add(1.0, c=2.0)

    def test_twice(self, lib):
        with pytest.raises(sb.ArgumentError, match="twice"):
            lib.ns.add(1.0, 2.0, a=3.0)

    def test_keywords(self, lib):
        assert lib.ns.add(b=1.0, a=2.0) == 3.0
        assert lib.ns.add(2.0, b=1.0) == 3.0

    def test_python_keyword_as_parameter(self, lib):
        assert lib.from_(lambda_=3) == 3

    def test_unnamed_parameters(self, lib):
        assert lib.unnamed(1, 2) == 3


class TestDefaults:
    @pytest.mark.parametrize(
        ("args", "kwargs", "expected"),
        [
            ((1,), {}, 10242),
            ((1, 3), {}, 10342),
            ((1, 3, 4), {}, 10304),
            ((1,), {"c": 7}, 10207),
            ((), {"a": 1}, 10242),
            ((1,), {"c": 7, "b": 1}, 10107),
        ],
    )
    def test_completed(self, lib, args, kwargs, expected):
        assert lib.defaults(*args, **kwargs) == expected

    def test_a_default_that_only_cxx_knows(self, lib):
        assert lib.hidden_default(1) == 3091
        with pytest.raises(sb.ArgumentError, match=r"only C\+\+ knows"):
            lib.hidden_default(1, c=2)


class TestOverloads:
    CASES = (
        (1, "int"),
        (2**40, "long"),
        (1.5, "double"),
        (True, "bool"),
        ("x", "text"),
        (np.float32(1), "float"),
        (np.float64(1), "double"),
        (np.int64(1), "long"),
        (np.zeros(2, "f4"), "const float[1]"),
        (np.zeros(2), "double[1]"),
        ((1.0, 2.0, 3.0), "Sun"),
    )

    @pytest.mark.parametrize("_", range(3))  # the second and third calls meet the cache
    def test_chosen_by_value(self, lib, _):
        for value, expected in self.CASES:
            assert lib.over(value) == expected
        assert lib.over(1, 2) == "int, int"

    def test_none_fits(self, lib):
        with pytest.raises(sb.ArgumentError, match="no overload that fits"):
            lib.over(object())

    def test_ties_list_the_candidates(self):
        tie = sb.compile("int f(int, double){return 1;} int f(double, int){return 2;}")
        assert tie.f(1, 0.5) == 1
        with pytest.raises(sb.ArgumentError, match="ambiguous") as caught:
            tie.f(1, 1)
        assert str(caught.value).count("-> int32") == 2

    def test_defaults_and_overloads(self):
        lib = sb.compile(
            "int f(int){return 1;} int f(double, int = 0){return 2;} int f(int, int, int = 1){return 3;}"
        )
        assert [lib.f(1), lib.f(1.5), lib.f(1.5, 1), lib.f(1, 1), lib.f(1, 1, 1)] == [1, 2, 2, 3, 3]


class TestRanks:
    """What C++ would choose between references, pointers and promotions."""

    @pytest.fixture
    def ranked(self):
        return sb.compile(
            "struct S { int a; }; int r(S& s) { return 1; } int r(const S& s) { return 2; }\n"
            "int p(const void*) { return 1; } int p(const int*) { return 2; }\n"
            "int n(int) { return 1; } int n(long) { return 2; }\n"
            "int f(float) { return 1; } int f(double) { return 2; }\n"
            "int h(int a, int b = 2) { return 2; } int h(const char*) { return 1; }",
            arg_intent={"r": {0: "in"}},
        )

    def test_a_record_prefers_the_reference_that_may_write(self, ranked):
        assert ranked.r(ranked.S(1)) == 1
        assert ranked.r((1,)) == 2  # a temporary binds to const T&

    def test_arrays_prefer_their_type_to_void(self, ranked):
        assert ranked.p(np.zeros(2, "i4")) == 2
        assert ranked.p(np.zeros(2)) == 1

    def test_promotions(self, ranked):
        assert ranked.n(np.int16(1)) == 1
        assert ranked.n(np.int64(1)) == 2
        assert ranked.f(np.float16(1)) == 2

    def test_a_pointer_among_pointers_is_a_tie_in_words(self, ranked):
        with pytest.raises(sb.ArgumentError, match="ambiguous"):
            ranked.p(sb.Pointer(0))

    def test_defaults_beside_another_kind(self, ranked):
        assert (ranked.h(1), ranked.h("x")) == (2, 1)

    def test_the_choice_does_not_depend_on_earlier_calls(self):
        text = (
            "#include <complex>\n#include <samebytes/array.hpp>\n"
            "int g(double* p) { return 1; } int g(samebytes::array<const double, 1> a) { return 2; }\n"
            "int f(float) { return 1; } int f(std::complex<double>) { return 2; }"
        )
        a = np.arange(6.0)
        lib = sb.compile(text)
        assert [lib.g(a[::2]), lib.g(a), lib.g(a[::2])] == [2, 1, 2]
        assert lib.f(1.0) == 1
        with pytest.raises(sb.RangeError):  # C++ calls f(float), too
            lib.f(1e39)
        assert lib.f(1.0) == 1


class TestOutputs:
    def test_no_room_can_be_made(self):
        for text, word in (
            ("int f(void* a) { return 1; }", "void"),
            ("struct O; int f(O* o) { return 1; }", "not bound"),
        ):
            with pytest.raises(sb.IntentError, match=word):
                sb.compile(text, arg_intent={"f": {0: "out_return"}})

    def test_declared_extents_make_room_for_all(self):
        lib = sb.compile(
            "void h(double x[3]) { for (int i = 0; i < 3; ++i) x[i] = i + 1; }\n"
            "void m(int x[2][3]) { for (int i = 0; i < 6; ++i) x[i / 3][i % 3] = i; }",
            arg_intent={"h": {0: "out_return"}, "m": {0: "out_return"}},
        )
        assert lib.h() == (1.0, 2.0, 3.0)
        assert lib.m() == ((0, 1, 2), (3, 4, 5))

    def test_void_with_outputs(self, lib):
        assert lib.split(2.5) == (2, 0.5)

    def test_result_comes_first(self, lib):
        assert lib.half_of(7) == (3, True)

    def test_a_reference_writes_through(self, lib):
        sun = lib.Sun(1, 2, 3.0)
        lib.touch(sun)
        assert sun.cell == 4.0

    def test_pointer_to_record_writes_through(self, lib):
        sun = lib.Sun(1, 2, 3.0)
        lib.grow(sun)
        assert sun.cell == 4.0

    def test_const_pointer_takes_a_value(self, lib):
        assert lib.peek(None) == -1
        assert lib.peek((1.0, 2.0, 3.0)) == 3.0
        assert lib.peek(lib.Sun(1, 2, 4.0)) == 4.0

    def test_an_immutable_value_cannot_be_written(self, lib):
        @sb.struct
        class Sun:
            azimuth: sb.float32
            altitude: sb.float32
            cell: sb.float64

        with pytest.raises(sb.Error, match=r"immutable|record"):
            lib.grow(Sun(1, 2, 3.0))
        assert lib.peek(Sun(1, 2, 3.0)) == 3.0


class TestStructs:
    def test_everything_that_holds_the_same_fields(self, lib):
        @sb.struct
        class Mine:
            azimuth: sb.float32
            altitude: sb.float32
            cell: sb.float64

        record = np.zeros((), [("azimuth", "f4"), ("altitude", "f4"), ("cell", "f8")])
        record["cell"] = 30
        for sun in (
            lib.Sun(0, 0, 30.0),
            Mine(0, 0, 30.0),
            (0.0, 0.0, 30.0),
            record,
            record[()],
            lib.Sun(cell=30),
        ):
            for _ in range(2):
                assert lib.cell(sun) == 30.0
                assert lib.take(sun) == 30.0
                assert lib.twice(sun).cell == 60.0
        assert isinstance(lib.twice((0.0, 0.0, 1.0)), lib.Sun)

    def test_another_struct_is_refused(self, lib):
        @sb.struct
        class Other:
            azimuth: sb.float32
            altitude: sb.float64
            cell: sb.float64

        with pytest.raises(sb.ArgumentError, match="Sun"):
            lib.cell(Other(1, 2, 3))

    def test_a_tuple_of_wrong_length(self, lib):
        with pytest.raises(sb.ArgumentError, match="Sun"):
            lib.cell((1.0, 2.0))

    def test_results_as_a_class_of_ones_own(self):
        @sb.struct
        class Pair:
            a: sb.int32
            b: sb.float64

        lib = sb.compile(
            "namespace n { struct P { int a; double b; }; P make() { return {1, 2}; } }", types={"n::P": Pair}
        )
        assert lib.n.make() == Pair(1, 2.0)
        with pytest.raises(sb.BindError, match="Did you mean"):
            sb.compile(
                "namespace n { struct P { int a; double b; }; P make() { return {1, 2}; } }",
                types={"n::Q": Pair},
            )


class TestExceptions:
    CASES = (
        (1, ValueError, "invalid"),
        (2, IndexError, "range"),
        (3, MemoryError, "bad_alloc"),
        (4, OverflowError, "over"),
        (5, RuntimeError, "runtime"),
        (6, RuntimeError, "std::exception"),
        (7, RuntimeError, "domain"),
    )

    @pytest.mark.parametrize(("kind", "error", "text"), CASES)
    def test_become_python_ones(self, lib, kind, error, text):
        with pytest.raises(error, match=text) as caught:
            lib.raise_(kind)
        assert type(caught.value) is error


class TestNames:
    def test_namespaces(self, lib):
        assert lib.ns.inner.seven() == 7
        assert lib.ns.add(1.0, 2.0) == 3.0

    def test_constants_and_enums(self, lib):
        assert lib.kAnswer == 42
        assert lib.kHalf == 0.5
        assert lib.GREEN is lib.Color.GREEN
        assert lib.color(lib.GREEN) == lib.Color.GREEN
        assert lib.mode(lib.Mode.on) is lib.Mode.on

    def test_a_users_gamma_is_not_libms(self, lib):
        assert lib.gamma(1) == 2
        assert lib.call_gamma(1) == 2

    def test_unknown_names_suggest(self, lib):
        with pytest.raises(AttributeError, match="Did you mean 'defaults'"):
            _ = lib.default
        with pytest.raises(AttributeError, match="not bound"):
            _ = lib.wide

    def test_skipped_is_counted(self, lib):
        assert any("wide" in s.name for s in lib.__skipped__)

    def test_doc_and_signature(self, lib):
        assert "Adds two numbers." in lib.ns.add.__doc__
        assert "double ns::add(double a, double b)" in lib.ns.add.__doc__
        assert str(inspect.signature(lib.ns.add)) == "(a, b)"
        assert str(inspect.signature(lib.defaults)) == "(a, b=2, c=42)"

    def test_pointers(self, lib):
        x = np.array([1, 2], "i4")
        p = lib.same(x)
        assert p.address == x.ctypes.data
        assert lib.same(p) == p
        assert lib.same(None).address == 0


class TestUnusualNames:
    def test_a_keyword_beside_its_own_escape(self):
        lib = sb.compile(
            "struct S { int in; int in_; int __class__; int value; };\n"
            "int f(int in, int in_) { return in * 10 + in_; }\nint raise(int x) { return x; }\n"
            "int raise_(int x) { return -x; }\nint sum(S s) { return s.in + s.in_ + s.__class__ + s.value; }"
        )
        assert lib.f(in__=1, in_=2) == 12
        with pytest.raises(sb.ArgumentError):
            lib.f(in_=1)
        s = lib.S(in__=1, in_=2, __class___=3, value=4)
        assert (s.in__, s.in_, s.__class___, s.value) == (1, 2, 3, 4)
        assert lib.sum(s) == 10
        assert (lib.raise_(1), lib.raise__(1)) == (-1, 1)

    def test_enums_of_bool_and_without_members(self):
        lib = sb.compile(
            "enum class B : bool { no, yes }; B other(B b) { return b == B::no ? B::yes : B::no; }\n"
            "enum class Byte : unsigned char {}; int number(Byte b) { return (int)b; }"
        )
        assert lib.other(lib.B.no) is lib.B.yes
        assert lib.number(200) == 200
        with pytest.raises(sb.RangeError):
            lib.number(256)


class TestPickling:
    def test_the_very_function_with_its_classes(self):
        @sb.struct
        class Sun:
            a: sb.float32

        text = "struct Sun { float a; }; Sun rs(Sun x) { return x; }"
        plain, typed = sb.compile(text), sb.compile(text, types={"Sun": Sun})
        assert plain.rs is not typed.rs
        assert isinstance(plain.rs((1,)), plain.Sun)
        assert isinstance(typed.rs((1,)), Sun)
        assert sb.compile(text) is plain

    def test_functions_and_records(self, lib):
        assert (
            pickle.loads(pickle.dumps(lib.ns.add)) is lib.ns.add
            or pickle.loads(pickle.dumps(lib.ns.add))(1.0, 2.0) == 3.0
        )
        sun = lib.Sun(1, 2, 3.0)
        assert pickle.loads(pickle.dumps(sun)) == sun

    def test_in_another_process(self, lib, tmp_path):
        (tmp_path / "f.pickle").write_bytes(pickle.dumps((lib.ns.add, lib.Sun(1, 2, 3.0))))
        code = "import pickle, sys; f, s = pickle.load(open(sys.argv[1], 'rb')); print(f(1.0, 2.0), s.cell)"
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "f.pickle")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.split() == ["3.0", "3.0"], done.stderr
