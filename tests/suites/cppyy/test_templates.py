"""What cppyy's test_templates.py is about: which instantiation a call or square brackets mean."""

from __future__ import annotations

import pytest

import samebytes as sb

from ..both import Both

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

CODE = r"""
#include <array>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>
struct Sizes {
  double room[3] = {};
  template <class A> long of(A&) { return sizeof(A); }
  template <class A> long of(const A&) { return sizeof(A) + 1; }
  template <class B> long of() { return sizeof(B); }
};
template <> inline long Sizes::of<long>() { return 42; }
typedef Sizes SizesAlias;
template <int I> int constant() { return I; }
template <class T> long size() { return sizeof(T); }
template <class T> int any(T) { return 42; }
namespace inside {
template <int T> int value() { return T; }
struct Static { template <int T> static int value() { return 10 * T; } };
inline std::string joined() { return "."; }
template <class T, class... More> std::string joined(T v, More... more) {
  std::ostringstream o;
  o << v << ",";
  return o.str() + joined(more...);
}
}
template <class F> struct Got { F value; };
template <class I, class O = float> Got<O> first(const I& of) { return {O(of[0])}; }
template <class... T> int how_many() { return sizeof...(T); }
inline bool is_int(int) { return true; }
inline bool is_int(double) { return false; }
template <class... A> bool is_int(A...) { return false; }

struct HasWidth { int width; };
struct HasHeight { int height; };
template <class T> constexpr auto has_width(T t) -> decltype(t.width, true) { return true; }
template <class... A> constexpr bool has_width(A...) { return false; }
template <class T> struct Limit { static T const most; };
template <class T> T const Limit<T>::most = 42;
template <class T> struct Limited : Limit<T> {
  using Limit<T>::most;
  T value;
  explicit Limited(T x) : value(x > most ? most : x) {}
};
struct Callable { template <class I, class O = double> O operator()(const I& in) const { return O(in) / 2; } };
struct Hidden { template <class T> int call(T t = T(1)) { return 2 * t; } };
struct Hiding : Hidden { int call(int t = 2) { return t; } };
template <class T> struct Constructed {
  double v;
  Constructed() : v(-1) {}
  template <class R> Constructed(int n, R r) : v(n + r) {}
};
template <class T> using Row = std::vector<T>;
template <class T, std::size_t N> struct Fixed { T m = N; };
template <class T, std::size_t... N> struct Nested { typedef T type; };
template <class T, std::size_t M, std::size_t... N> struct Nested<T, M, N...> {
  typedef Fixed<typename Nested<T, N...>::type, M> type;
};
template <class T, std::size_t... N> using Nest = typename Nested<T, N...>::type;
using Nest3 = Nest<int, 3>;
inline int row_total(const Row<int>& r) { int s = 0; for (int x : r) s += x; return s; }
template <class... T> struct Types { int count = sizeof...(T); };
template <class... T> auto types_of(T...) { return Types<T...>{}; }
template <class T> bool is_set(T&& v) { return v != T{}; }
template <class... A> struct Pack {
  int n = sizeof...(A);
  template <class... F> int with(F&&...) { return 10 * sizeof...(A) + sizeof...(F); }
  template <class T, class... F> T as(F&&...) { return T(100 + sizeof...(F)); }
  template <class... F> static int alone(F&&...) { return 1000 + sizeof...(F); }
};
struct NoPack {
  template <class... F> int with(F&&...) { return sizeof...(F); }
  template <class T, class... F> static T as(F&&...) { return T(sizeof...(F)); }
};
inline std::string effect = "none";
template <class T> void no_result() { effect = "some"; }
struct Some { int a[5] = {}; };
struct Greedy {
  template <class T> int of(T*) { return sizeof(T); }
  int of(void*, bool) { return -1; }
  int of(void**) { return -2; }
};
template <class V> class Vec {
  V v;
public:
  Vec(V x = 0) : v(x) {}
  V x() const { return v; }
  template <class W> Vec operator+(const W& o) { return Vec(v + o.x()); }
};
struct Integral {
  int how;
  template <class I, std::enable_if_t<std::is_integral<I>::value, int> = 0> Integral(I) : how(1) {}
  Integral(const std::string&) : how(2) {}
};
struct Base { int b = 1; };
struct Derived : Base {};
template <class T> int count(const std::vector<Derived*>& v) { return v.size(); }
inline int count_bases(const std::vector<Base*>& v) { return v.size(); }
template <class T> T same(T t) { return t; }
template <class T> struct Set {
  std::vector<T> of;
  Set(int n) : of(n) {}
  T& operator[](std::size_t i) { return of.at(i); }
  template <class I> T operator[](const std::vector<I>& i) { return of.at(i.at(0)); }
};
inline double called(const std::function<double(std::vector<double>)>& f, std::vector<double> x) { return f(x); }
inline double called_pointer(double (*f)(double), double x) { return f(x); }
template <class T> struct Tagged { T v = 7; };
template <class T> bool by_reference(const std::function<bool(const Tagged<T>&)>& f) { return f({}); }
struct Plain { int v = 8; };
inline bool plain_reference(const std::function<bool(const Plain&)>& f) { return f({}); }
template <class A, class B> B partly(B b) { return b + sizeof(A); }
template <class A, class... O, class B> B partly_packed(B b) { return b + sizeof(A); }
struct Atom {
  double mass = 0;
  Atom() {}
  template <class... A> explicit Atom(const double& m, A&&...) : mass(m + sizeof...(A)) {}
};
struct Enumerated {
  enum Kind { I32 = 3 };
  enum Op { EQ, NE };
  int sum;
  template <class T> Enumerated(const std::string&, const Kind k, Op o, const T& e) : sum(k + o + int(e)) {}
};
struct Unindexed { double v = 0; double& operator[](int) { return v; } };
struct Indexed : Unindexed {
  double& operator[](int) { return v; }
  template <class T> double& operator[](T*) { return v; }
};
template <class T, std::uint8_t X> struct Shifted {
  std::array<T, 3> a;
  std::array<T, X> b;
  std::array<T, (1 << X) + 1> c;
  static constexpr int most = X << 2;
};
template <class T> class F;
template <class T> class V;
using FunctionOf = F<void(V<int>, int)>;
struct Test { int v = 1; };
using TestPointer = Test*;
template <class T> bool is_null(T const& x) { return !(bool)x; }
template <class... A> std::string told(A&&... a) { std::ostringstream o; ((o << a << ' '), ...); return o.str(); }
template <class T> struct Wrap { static auto what(T t) { return t; } };
namespace shade { struct C { int v = 3; }; namespace inner { template <class T> int f() { return sizeof(T); }
  struct C { char c; }; } }
"""
BOTH = Both(
    {
        "sizes": {"Sizes().of(1)": "Sizes().of(1)", "Sizes().of['char']()": "Sizes().of<char>()",
                  "Sizes().of[int]()": "Sizes().of<int>()", "Sizes().of['long']()": "Sizes().of<long>()",
                  "Sizes().of['double']()": "Sizes().of<double>()", "Sizes().of[Sizes]()": "Sizes().of<Sizes>()",
                  "Sizes().of['SizesAlias']()": "Sizes().of<SizesAlias>()"},
        "constants": {f"constant[{n}]()": f"constant<{n}>()" for n in (1, 256)},
        "functions": {"size['char']()": "size<char>()", "any[int](3)": "any<int>(3)", "any(3)": "any(3)",
                      "any(3.)": "any(3.)", "inside.value[3]()": "inside::value<3>()",
                      "inside.Static.value[8]()": "inside::Static::value<8>()"},
        "results": {"first['std::vector<float>']([0.5]).value": "first<std::vector<float>>({0.5f}).value",
                    "first['std::vector<int>']([5]).value": "first<std::vector<int>>({5}).value",
                    "first['std::vector<float>', int]([1.5]).value": "first<std::vector<float>, int>({1.5f}).value"},
        "variadic": {"inside.joined(1, 4.5, 'x')": 'inside::joined(1, 4.5, "x")',
                     "how_many[int, 'double', 'void*']()": "how_many<int, double, void*>()"},
        "overloaded": ["is_int(3.)", "is_int(1)", "is_int()", "is_int(1, 2, 3)"],
        "sfinae": ["has_width(HasWidth())", "has_width(HasHeight())", "has_width(3)", 'has_width("x")'],
        "limits": {f"Limited['std::size_t']({n}).value": f"Limited<std::size_t>({n}).value" for n in (0, 100)},
        "callable": ["Callable()(5)"],
        "hiding": ["Hidden().call(1)", "Hiding().call()", "Hiding().call(3)"],
        "constructed": {"Constructed[int](1, 3.25).v": "Constructed<int>(1, 3.25).v", "Constructed[int]().v":
                        "Constructed<int>().v"},
        "aliases": {"Nest3().m": "Nest3().m", "Nest['int', 4]().m": "Nest<int, 4>().m", "row_total([1, 2])":
                    "row_total(Row<int>{1, 2})"},
        "lists": {"types_of(Some(), 1).count": "types_of(Some(), 1).count", "types_of(Some()).count":
                  "types_of(Some()).count"},
        "rvalues": ["is_set(3)", "is_set(0)", "is_set(1.)", "is_set(0.)"],
        "packs": {"Pack[int, 'double']().n": "Pack<int, double>().n", "Pack[int, 'double']().with_(1, 1.)":
                  "Pack<int, double>().with(1, 1.)", "Pack[int, 'double']().as_[int](1, 1., 2)":
                  "Pack<int, double>().as<int>(1, 1., 2)",
                  "Pack[int, 'double'].alone(1)": "Pack<int, double>::alone(1)",
                  "NoPack().with_(1, 2)": "NoPack().with(1, 2)", "NoPack.as_[int](1, 2)": "NoPack::as<int>(1, 2)"},
        "greedy": {"Greedy().of(Some())": "Greedy().of(&some)",
                   "Greedy().of(Some(), True)": "Greedy().of(&some, true)"},
        "added": {"(Vec['double'](5.25) + Vec[int](1)).x()": "(Vec<double>(5.25) + Vec<int>(1)).x()"},
        "enabled": ["Integral(0).how", 'Integral("x").how'],
        "same": {f"same({n})": f"same({n})" for n in (1, 100000000000, -4294967296, 4294967295)},
        "partial": {"partly['double', int](17)": "partly<double, int>(17)",
                    "partly['double'](17)": "partly<double>(17)",
                    "partly_packed['double', int](17)": "partly_packed<double, int>(17)",
                    "partly_packed['double'](17)": "partly_packed<double>(17)"},
        "atoms": ["Atom(1567.5).mass", "Atom(1.5, 2).mass"],
        "enums": ['Enumerated("i", Enumerated::I32, Enumerated::EQ, 10).sum',
                  'Enumerated("i", Enumerated::Kind::I32, Enumerated::Op::NE, 10).sum'],
        "shifted": {"len(Shifted[int, 10]().c)": "int(Shifted<int, 10>().c.size())", "len(Shifted[int, 10]().b)":
                    "int(Shifted<int, 10>().b.size())", "Shifted[int, 10].most": "+Shifted<int, 10>::most"},
        "told": ['told("a")', 'told("a", "b")', "told(1, 2, 3)"],
        "deduced": {"Wrap[int].what(3)": "Wrap<int>::what(3)"},
        "shaded": {"shade.inner.f[shade.C]()": "shade::inner::f<shade::C>()", "shade.inner.f['::shade::C']()":
                   "shade::inner::f<::shade::C>()"},
    },
    before="Some some; (void)some;",
)  # fmt: skip
BEFORE = [  # built with the library; the rest on first use
    "constant<1>", "constant<256>", "size<char>", "any<int>",
    "inside::value<3>", "how_many<int, double, void*>", "Limited<std::size_t>", "Constructed<int>", "Pack<int, double>",
    "Vec<double>", "Vec<int>", "Shifted<int, 10>", "Wrap<int>",
    "any(double)", "is_int(int, int, int)", "types_of(Some)", "types_of(Some, int)",
    "same(int)", "same(long)", "told(const char*)", "told(int, int, int)", "partly<double, int>",
]  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(CODE + BOTH.code, std="c++17", instantiate=BEFORE)


@pytest.mark.behaviour("test01_template_member_functions")
def test_sizes(lib):
    BOTH.check(lib, "sizes")


@pytest.mark.behaviour("test02_non_type_template_args")
def test_constants(lib):
    BOTH.check(lib, "constants")


@pytest.mark.behaviour("test03_templated_function")
def test_functions(lib):
    BOTH.check(lib, "functions")


@pytest.mark.behaviour("test03_templated_function")
def test_results(lib):
    BOTH.check(lib, "results")


@pytest.mark.behaviour("test04_variadic_function")
def test_variadic(lib):
    BOTH.check(lib, "variadic")


@pytest.mark.behaviour("test05_variadic_overload")
def test_overloaded(lib):
    BOTH.check(lib, "overloaded")


@pytest.mark.behaviour("test06_variadic_sfinae")
def test_sfinae(lib):
    BOTH.check(lib, "sfinae")


@pytest.mark.behaviour("test08_using_of_static_data")
def test_limits(lib):
    BOTH.check(lib, "limits")


@pytest.mark.behaviour("test09_templated_callable")
def test_callable(lib):
    BOTH.check(lib, "callable")


@pytest.mark.behaviour("test10_templated_hidding_methods")
def test_hiding(lib):
    BOTH.check(lib, "hiding")


@pytest.mark.behaviour("test11_templated_ctor")
def test_constructed(lib):
    BOTH.check(lib, "constructed")


@pytest.mark.behaviour("test12_template_aliases")
def test_aliases(lib):
    BOTH.check(lib, "aliases")


@pytest.mark.behaviour("test14_templated_return_type")
def test_lists(lib):
    BOTH.check(lib, "lists")


@pytest.mark.behaviour("test15_rvalue_templates")
def test_rvalues(lib):
    BOTH.check(lib, "rvalues")


@pytest.mark.behaviour("test16_variadic")
def test_packs(lib):
    BOTH.check(lib, "packs")


@pytest.mark.behaviour("test18_greedy_overloads")
def test_greedy(lib):
    BOTH.check(lib, "greedy")


@pytest.mark.behaviour("test19_templated_operator_add")
def test_added(lib):
    BOTH.check(lib, "added")


@pytest.mark.behaviour("test20_templated_ctor_with_defaults")
def test_enabled(lib):
    BOTH.check(lib, "enabled")


@pytest.mark.behaviour("test22_type_deduction_of_proper_integer_size")
def test_same(lib):
    BOTH.check(lib, "same")


@pytest.mark.behaviour("test26_partial_templates")
def test_partial(lib):
    BOTH.check(lib, "partial")


@pytest.mark.behaviour("test27_variadic_constructor")
def test_atoms(lib):
    BOTH.check(lib, "atoms")


@pytest.mark.behaviour("test28_enum_in_constructor")
def test_enums(lib):
    BOTH.check(lib, "enums")


@pytest.mark.behaviour("test31_ltlt_in_template_name")
def test_shifted(lib):
    BOTH.check(lib, "shifted")


@pytest.mark.behaviour("test34_cstring_template_argument")
def test_told(lib):
    BOTH.check(lib, "told")


@pytest.mark.behaviour("test04_type_deduction")
def test_deduced(lib):
    BOTH.check(lib, "deduced")


@pytest.mark.behaviour("test06_type_deduction_and_scoping")
def test_shaded(lib):
    BOTH.check(lib, "shaded")


@pytest.mark.behaviour("test22_type_deduction_of_proper_integer_size")
@pytest.mark.parametrize("n", [2**64, -(2**63) - 1])
def test_integers_that_no_type_holds(lib, n):
    with pytest.raises(sb.RangeError, match=f"{n} fits none of C.*s int, long and long long"):
        lib.same(n)


@pytest.mark.behaviour("test17_empty_body")
def test_a_template_without_a_result(lib):
    assert lib.effect == "none"
    assert lib.no_result[int]() is None
    assert lib.effect == "some"


@pytest.mark.behaviour("test21_type_deduction_with_conversion")
def test_lists_of_pointers(lib):
    one, two = lib.Derived(), lib.Derived()
    assert (lib.count_bases([one]), lib.count_bases([one, two])) == (1, 2)
    assert (lib.count[int]([one]), lib.count[int]([one, two])) == (1, 2)


@pytest.mark.behaviour("test23_overloaded_setitem")
def test_elements_beside_a_template(lib):
    made = lib.Set["float"](2)
    made[0] = 1
    assert (made[0], made[1]) == (1.0, 0.0)


@pytest.mark.behaviour("test24_stdfunction_templated_arguments")
def test_callables_that_take_containers(lib):
    assert lib.called(sum, [1, 2, 3]) == 6.0
    assert lib.called_pointer(lambda x: 2 * x, 4) == 8.0


@pytest.mark.behaviour("test25_stdfunction_ref_and_ptr_args")
def test_callables_that_take_references(lib):
    assert lib.plain_reference(lambda p: p.v == 8)
    assert lib.by_reference[int](lambda t: t.v == 7)


@pytest.mark.behaviour("test30_mix_and_match")
def test_subscripts_beside_templates(lib):
    made = lib.Indexed()
    made[3] = 5.0
    assert (made[0], made.v) == (5.0, 5.0)


@pytest.mark.behaviour("test32_template_of_function_with_templated_args", refused=True)
def test_a_template_of_a_function_type(lib):
    with pytest.raises(AttributeError, match=r"FunctionOf.* it is incomplete: only its name is declared"):
        lib.FunctionOf  # noqa: B018


@pytest.mark.behaviour("test33_using_template_argument")
def test_an_alias_of_a_pointer_as_an_argument(lib):
    assert lib.is_null["TestPointer"](None)
    assert not lib.is_null["TestPointer"](lib.Test())


@pytest.fixture(scope="module")
def told() -> object:
    return sb.compile(
        """
template <int N, class T> struct Chosen { using type = T; };
template <class T> struct Chosen<1, T> { using type = double; };
struct Sized { enum { size = 4 }; enum Kind { small = 3 }; };
class Shows : Sized { public: using Sized::size; using Sized::Kind; using Sized::small; };
template <class T> struct Whole { T v = 3; T get() const { return v; } auto twice() const { return 2 * v; } };
template struct Whole<int>;

template <class T> class Adds {
 public:
  template <class R> R only(T t) { return t + R{5}; }
  T two() { return T{7}; }
  template <class R> R both(T t) { return t + R{5}; }
  T both() { return T{9}; }
};
template <class T> class AddsToo : public Adds<T> {
 public:
  typedef Adds<T> Base;
  using Base::only; using Base::two; using Base::both;
};

struct Node { int n; };
struct Delay { double seconds; };
inline int moved(Node& node) { return node.n += 1; }
struct Clock {
  template <class... U, class... T> static int later(const Delay&, int (*f)(U...), T&&... args) { return f(args...); }
};
"""
    )


@pytest.mark.behaviour("test07_type_deduction")
def test_the_type_that_a_class_chooses(told):
    assert told.Chosen[0, int].type is sb.int32
    assert told.Chosen[1, int].type is sb.float64


@pytest.mark.behaviour("test01_using")
def test_enumerators_that_using_names(told):
    assert (told.Shows.size, told.Shows.small, told.Shows.Kind.small) == (4, 3, 3)


@pytest.mark.behaviour("test05_type_deduction_and_extern")
def test_a_class_that_is_instantiated_explicitly(told):
    whole = told.Whole[int]()
    assert (whole.get(), whole.twice()) == (3, 6)


@pytest.mark.behaviour("test13_using_templated_method")
def test_templates_and_methods_that_using_names(told):
    adds = told.AddsToo[int]()
    assert (adds.two(), adds.both(), told.Adds[int]().both()) == (7, 9, 9)
    assert (adds.only["double"](5), adds.both["double"](5)) == (10.0, 10.0)
    assert type(adds.both["double"](5)) is float


@pytest.mark.behaviour("test29_function_ptr_as_template_arg", refused=True)
def test_a_function_whose_parameters_are_a_pack(told):
    node, delay = told.Node(40), told.Delay(1.0)
    for clock in (told.Clock, told.Clock()):
        for later in (clock.later, clock.later["Node&"]):
            before = node.n
            assert later(delay, told.moved, node) == node.n == before + 1
    # A lambda of C++'s would not do: nothing tells what it takes, but for template arguments that say it.
    with pytest.raises(sb.ArgumentError, match=r"its C\+\+ type cannot be told from <function "):
        told.Clock.later(delay, lambda node: 3, node)
    assert told.Clock.later["Node&"](delay, lambda node: 3, node) == 3
