"""What cppyy's test_advancedcpp.py is about: inheritance of all kinds, namespaces, templates, globals, exceptions."""

from __future__ import annotations

import gc

import pytest

import samebytes as sb

from ..both import Both

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

KINDS = {
    "short": "short", "ushort": "unsigned short", "int": "int", "uint": "unsigned", "long": "long",
    "ulong": "unsigned long", "llong": "long long", "ullong": "unsigned long long", "float": "float",
    "double": "double",
}  # fmt: skip
TRIPLES = "".join(
    f"""
struct {name}_triple {{
  {cxx} x, y, z;
  {name}_triple({cxx} a = 11, {cxx} b = 22, {cxx} c = 33) : x(a), y(b), z(c) {{}}
}};
inline {cxx} {name}_third(int which = 0, {cxx} a = 11, {cxx} b = 22, {cxx} c = 33) {{
  return which == 0 ? a : which == 1 ? b : which == 2 ? c : static_cast<{cxx}>(which);
}}"""
    for name, cxx in KINDS.items()
)
CODE = r"""
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>
inline std::string worded(int n, const std::string& a = "one", std::string b = "two") {
  return n == 0 ? a : n == 1 ? b : "more"; }

struct Plain {
  int b = 1;
  double rb = 1.5;
  virtual ~Plain() {}
  virtual int value() { return b; }
  double base_value() { return rb; }
  virtual Plain* through(Plain* p) { return p; }
  virtual std::unique_ptr<Plain> twin() { return std::make_unique<Plain>(); }
  virtual void* masked(void* p) { return p; }
};
struct Fancy : Plain {
  int d = 2;
  double rd = 2.5;
  int value() override { return d; }
  double derived_value() { return rd; }
  std::unique_ptr<Plain> twin() override { return std::make_unique<Fancy>(); }
};

// A rhombus, and one that names its bases twice.
struct Top { int t = 1; double rt = 1.25; virtual ~Top() {} virtual int value() = 0; };
struct Side : virtual Top { int s = 2; double rs = 2.25; int value() override { return s; } };
struct LowA : virtual Top, virtual Side { int l = 3; int value() override { return l; } };
struct LowB : virtual Side, virtual Top { int l = 3; int value() override { return l; } };
typedef LowB Low;
struct Bottom : virtual Low, virtual Top { int o = 4; int value() override { return o; } };
inline int top_of(Top& x) { return x.t; }
inline int side_of(Side& x) { return x.s; }
inline int low_of(Low& x) { return x.l; }
inline int bottom_of(Bottom& x) { return x.o; }
inline std::unique_ptr<Top> make_a() { return std::make_unique<LowA>(); }
inline std::unique_ptr<Top> make_b() { return std::make_unique<LowB>(); }

namespace outer {
inline int g = 11;
inline int get_g() { return g; }
struct Box { int v = -2; static inline int s = 22; struct Lid { int v = -3; static inline int s = 33; }; };
namespace inner {
inline int g = 44;
inline int get_g() { return g; }
struct Cup { int v = -5; static inline int s = 55; struct Ear { int v = -6; static inline int s = 66; }; };
}
}
namespace outer {  // goes on
struct Later { int v = -7; };
namespace inner { struct Later { int v = -9; }; inline int later() { return 111; } }
}

template <class T> class One { public: One(T v = T(1)) : m(v) {} T get() { return m; } T m; };
template <class T> class Wrapped { public: Wrapped(T v = T(2)) : m(v) {} T get() { return m; } T m; };
template <class T, class U> class Two { public: Two(T a = T(3), U b = U(33)) : m(a), n(b) {} T m; U n; };
namespace outer { template <class T> class Four { public: Four(T v = T(4)) : m(v) {} T get() { return m; } T m; }; }
using KeptOne = One<int>;
using KeptWrapped = Wrapped<One<int>>;
using KeptTwo = Two<int, double>;
using KeptFour = outer::Four<outer::Four<Two<int, double>>>;
template <class T> struct Floats { T of; };
using KeptFloats = Floats<std::vector<float>>;
template <class T> T same(T v) { return v; }

struct Shape { virtual ~Shape() {} virtual int corners() = 0; };
struct Square : Shape { int corners() override { return 4; } };

struct Addresses {
  unsigned long long by_value(void* p) { return reinterpret_cast<unsigned long long>(p); }
  unsigned long long by_pointer(void** p) { return reinterpret_cast<unsigned long long>(*p); }
  static void set(void** p) { *p = reinterpret_cast<void*>(0x4321); }
};

inline unsigned long long address_of(struct Linked* o) { return reinterpret_cast<unsigned long long>(o); }
struct Ticket { static inline int alive = 0; Ticket() { ++alive; } Ticket(const Ticket&) { ++alive; } ~Ticket() {
  --alive; } };
struct Holder {
  int padding = 0;
  Ticket ticket;
  Holder copy() { return *this; }
  const Ticket& get() { return ticket; }
  Ticket& edit() { return ticket; }
};
inline bool one(const Ticket& a, const Ticket& b) { return &a == &b; }
struct Linked { Linked* other = nullptr; int v = 0; Linked* get() { return other; } void set(Linked* o) {
  other = o; } };

class First { int v; public: First(int n) : v(n) {} virtual ~First() {} int first() { return v; } };
class Second { int v; public: Second(int n) : v(n) {} virtual ~Second() {} int second() { return v; } };
class Multi : public First, public Second {
  int v;
public:
  Multi(int a, int b, int c) : First(a), Second(b), v(c) {}
  int own() { return v; }
};
inline int second_of(Second& s) { return s.second(); }

struct Pooled {
  static inline int alive = 0;
  static void* operator new(std::size_t n) { ++alive; return ::operator new(n); }
  static void* operator new(std::size_t, void* p) noexcept { ++alive; return p; }
  static void operator delete(void* p) { --alive; ::operator delete(p); }
  virtual ~Pooled() {}
};
inline std::unique_ptr<Pooled> pooled() { return std::unique_ptr<Pooled>(new Pooled); }

class Slot {
public:
  int v;
  Slot(int n = -99) : v(n) {}
  Slot(const Slot& o) : v(o.v) {}
  Slot& operator=(const Slot& o) { v = o.v; return *this; }
  ~Slot() {}
};
struct Slots { std::vector<Slot> of{Slot(42)}; Slot& operator[](int i) { return of.at(i); } int at(int i) {
  return of.at(i).v; } };
struct Number { int i = -99; double d = -99; operator int() { return i; } operator long() { return i + 1; }
  operator double() { return d; } };
struct Odd { int v = 0; };
inline bool operator==(const Odd& a, const Odd& b) { return &a != &b; }
inline bool operator!=(const Odd& a, const Odd& b) { return &a != &b; }
struct OneWay { std::string owned; int get() const { return 1; } std::string get() { return "changed"; } };
struct OtherWay { std::string owned; std::string get() { return "changed"; } int get() const { return 1; } };
inline const OneWay& fixed_one() { static OneWay o; return o; }
inline const OtherWay& fixed_other() { static OtherWay o; return o; }

inline double real = 12.;
inline double reals[500] = {1, 2};
inline double many[] = {1234., 5.};
inline double* pointed = many;
static const char text_1[] = "one" " two";
inline const char text_2[] = "three";
inline const char* texts[3] = {"a", "bc", "d"};
struct Kept { int v; char gap[7]; Kept(int n) : v(n), gap{} {} };
inline Kept kept[3] = {13, 42, -1};
inline Shape* chosen = nullptr;
inline void choose(Shape* s) { chosen = s; }
inline int corners_of_chosen() { return chosen ? chosen->corners() : 0; }

struct Thrower { void number() { throw 1; } void error() { throw std::runtime_error("the tank is empty"); } };

struct Using1 { int m; Using1(int n = 13) : m(n) {} virtual ~Using1() {} virtual std::string who() { return "A"; } };
struct Using2 : Using1 { using Using1::Using1; std::string who() override { return "B"; } int m2 = 42; };
struct Using3 : Using1 { using Using1::who; virtual std::string who(int) { return "B"; } };

class Secret { struct Inside { int v = 42; }; typedef Inside Alias; public: Alias get() { return Alias(); } };

namespace used1 { inline int foo() { return 1; } namespace inner { inline int deep() { return 3; } } }
namespace used2 { inline int bar() { return 2; } }
namespace user { using namespace used1; using namespace used2; using namespace used1::inner; using used1::foo; }

namespace shadow {
struct A { typedef std::shared_ptr<A> Ptr; typedef int Val; struct In { int a = 1; }; };
struct B : A { typedef std::shared_ptr<B> Ptr; typedef double Val; struct In { int b = 2; }; };
struct C : A {};
}
namespace linkage { extern "C" inline int c_named(void) { return 21; } inline int named() { return c_named(); }
namespace deeper { extern "C" inline int c_deeper(void) { return 42; } } }

namespace told {
struct Own { friend std::ostream& operator<<(std::ostream& o, const Own&) { return o << "own"; } };
struct Free { int v; };
inline std::ostream& operator<<(std::ostream& o, const Free& f) { return o << "free " << f.v; }
struct Derived : Free { Derived() : Free{7} {} };
}
"""
BOTH = Both(
    {
        "triples": [f"{name}_triple({given}).{c}" for name in KINDS for given in ("", "0", "1, 2", "3, 4, 5")
                    for c in "xyz"],
        "thirds": [f"{name}_third({given})" for name in KINDS
                   for given in ("", "0", "1", "2", "3", "0, 5", "2, 5, 6, 7")],
        "words": ["worded(0)", 'worded(0, "x")', "worded(1)", 'worded(1, "x")', 'worded(1, "x", "y")', "worded(2)"],
        "fields": ["Plain().b", "Plain().value()", "Plain().rb", "Plain().base_value()", "Fancy().d", "Fancy().value()",
                   "Fancy().rd", "Fancy().derived_value()", "Fancy().b", "Fancy().base_value()"],
        "rhombus": ["Side().t", "Side().rt", "Side().value()", *(f"{c}().{f}" for c in ("LowA", "LowB", "Bottom")
                    for f in ("t", "rt", "s", "rs", "l", "value()"))],
        "spaces": ["outer::g", "outer::get_g()", "outer::Box::s", "outer::Box().v", "outer::Box::Lid::s",
                   "outer::Box::Lid().v", "outer::inner::g", "outer::inner::get_g()", "outer::inner::Cup::s",
                   "outer::inner::Cup().v", "outer::inner::Cup::Ear::s", "outer::inner::Cup::Ear().v"],
        "reopened": ["outer::Later().v", "outer::inner::Later().v", "outer::inner::later()"],
        "multi": ["Multi(1, 2, 3).first()", "Multi(1, 2, 3).second()", "Multi(1, 2, 3).own()"],
        "const": ["OneWay().get()", "OtherWay().get()", "fixed_one().get()", "fixed_other().get()"],
        "using": ["Using1().who()", "Using2().m", "Using2().m2", "Using2().who()", "Using2(10).m",
                  "Using2(Using2(10)).m", "Using3().who()", "Using3().who(1)"],
        "directives": ["user::foo()"],
        "linkage": ["linkage::named()", "linkage::c_named()", "linkage::deeper::c_deeper()"],
        "same": ["same(3.)", "same(7)", "same(true)"],
        "chars": {"same['char']('c')": "same<char>('c')", "same['std::string']('c')": 'same<std::string>("c")'},
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(TRIPLES + CODE + BOTH.code)


@pytest.mark.behaviour("test01_default_arguments")
def test_defaults_of_constructors_and_functions(lib):
    BOTH.check(lib, "triples")
    BOTH.check(lib, "thirds")
    BOTH.check(lib, "words")


@pytest.mark.behaviour("test02_simple_inheritance")
def test_a_derived_class(lib):
    assert issubclass(lib.Fancy, lib.Plain)
    assert not issubclass(lib.Plain, lib.Fancy)
    assert not isinstance(lib.Plain(), lib.Fancy)
    BOTH.check(lib, "fields")
    d = lib.Fancy()
    d.b, d.rb, d.d, d.rd = 11, 11.5, 22, 22.5
    assert (d.b, d.base_value(), d.value(), d.derived_value()) == (11, 11.5, 22, 22.5)


@pytest.mark.behaviour("test03_namespaces")
def test_namespaces_and_inner_classes(lib):
    BOTH.check(lib, "spaces")
    for path in ("outer", "outer.inner", "outer.Box", "outer.Box.Lid", "outer.inner.Cup.Ear"):
        assert eval(f"lib.{path} is lib.{path}")
    with pytest.raises(TypeError, match="not callable"):
        lib.outer()


@pytest.mark.behaviour("test03a_namespace_lookup_on_update")
def test_a_namespace_goes_on(lib):
    BOTH.check(lib, "reopened")


@pytest.mark.behaviour("test04_template_types")
def test_classes_of_templates(lib):
    assert lib.One[int] is lib.One["int"] is lib.KeptOne
    assert lib.Wrapped[lib.One[int]] is lib.Wrapped["One<int>"] is lib.KeptWrapped
    assert lib.Two[int, "double"] is lib.Two["int, double"] is lib.Two["int", "double"] is lib.KeptTwo
    nested = lib.outer.Four[lib.outer.Four[lib.Two[int, "double"]]]
    assert nested is lib.outer.Four["outer::Four<Two<int, double> >"] is lib.KeptFour
    assert lib.One[int] is not lib.One["double"]
    one = lib.One[int]()
    assert (one.m, one.get()) == (1, 1)
    one = lib.One[int](11)
    one.m += 100
    assert (one.m, one.get()) == (111, 111)
    two = lib.KeptWrapped(lib.One[int](32))
    two.m.m += 1
    assert (two.m.get(), two.get().m) == (33, 33)


@pytest.mark.behaviour("test05_abstract_classes")
def test_an_abstract_class_makes_no_object(lib):
    for abstract in (lib.Shape, lib.Top):
        with pytest.raises(TypeError, match="abstract"):
            abstract()
    assert issubclass(lib.Square, lib.Shape)
    assert isinstance(lib.Square(), lib.Shape)


@pytest.mark.behaviour("test06_datamembers")
def test_members_of_virtual_bases(lib):
    BOTH.check(lib, "rhombus")
    for derived, bases in ((lib.Side, (lib.Top,)), (lib.LowA, (lib.Top, lib.Side)), (lib.LowB, (lib.Top, lib.Side)),
                           (lib.Bottom, (lib.Top, lib.Side, lib.LowB))):  # fmt: skip
        made = derived()
        for base in bases:
            assert issubclass(derived, base)
            assert isinstance(made, base)
        made.t = 11
        made.s = 22
        assert (lib.top_of(made), lib.side_of(made), made.t, made.s) == (11, 22, 11, 22)


@pytest.mark.behaviour("test07_pass_by_reference")
def test_references_to_virtual_bases(lib):
    made = lib.Bottom()
    made.t, made.s, made.l, made.o = 11, 22, 33, 44
    assert [f(made) for f in (lib.top_of, lib.side_of, lib.low_of, lib.bottom_of)] == [11, 22, 33, 44]
    assert made.value() == 44


@pytest.mark.behaviour("test10_object_identity")
def test_which_objects_are_one(lib):
    h = lib.Holder()
    assert h.copy() is not h
    assert lib.one(h.edit(), h.edit())
    assert lib.one(h.get(), h.edit())
    assert not lib.one(h.edit(), h.copy().edit())
    a, b = lib.Linked(), lib.Linked()
    a.set(b)
    b.v = 42
    assert a.get().v == 42
    a.get().v = 43
    assert b.v == 43


@pytest.mark.behaviour("test08_void_pointer_passing", refused=True)
def test_objects_as_void_pointers(lib):
    at, o = lib.Addresses(), lib.Linked()
    assert at.by_value(o) == at.by_value(o) == lib.address_of(o) != 0
    assert (at.by_value(None), at.by_value(sb.Pointer(16))) == (0, 16)
    with pytest.raises(sb.ArgumentError, match=r"sb\.Pointer\(address\) says that a number is an address"):
        at.by_value(16)
    with pytest.raises(sb.ArgumentError, match=r"expected contiguous pointer\[void\]\[n\]"):
        at.by_pointer(o)


@pytest.mark.behaviour("test11_multi_methods")
def test_methods_of_two_bases(lib):
    BOTH.check(lib, "multi")
    assert lib.Multi.__bases__ == (lib.First, lib.Second)
    assert ("own" in vars(lib.Multi), "first" in vars(lib.Multi), "second" in vars(lib.Multi)) == (
        True,
        False,
        False,
    )
    assert lib.second_of(lib.Multi(1, 2, 3)) == 2


@pytest.mark.behaviour("test12_actual_type")
def test_a_pointer_to_a_base_that_comes_back(lib):
    b, d = lib.Plain(), lib.Fancy()
    for by in (b, d):
        assert by.through(b) is b
        assert by.through(d) is d
    assert (b.twin().value(), d.twin().value()) == (1, 2)


@pytest.mark.behaviour("test13_actual_type_virtual_multi")
def test_objects_behind_a_virtual_base(lib):
    for made in (lib.make_a(), lib.make_b()):
        assert isinstance(made, lib.Top)
        assert (made.value(), made.t) == (3, 1)


@pytest.mark.behaviour("test14_new_overloader")
def test_new_and_delete_of_a_class(lib):
    made = lib.pooled()
    assert lib.Pooled.alive == 1
    del made
    gc.collect()
    assert lib.Pooled.alive == 0


@pytest.mark.behaviour("test15_template_instantiation_with_vector_of_float")
def test_a_class_of_a_container(lib):
    made = lib.Floats["std::vector<float>"]()
    made.of = [float(i) for i in range(5)]
    assert list(made.of) == [0, 1, 2, 3, 4]


@pytest.mark.behaviour("test16_template_global_functions")
def test_function_templates(lib):
    BOTH.check(lib, "same", true=True)
    BOTH.check(lib, "chars")


@pytest.mark.behaviour("test17_assign_to_return_byref")
def test_an_element_is_assigned(lib):
    slots = lib.Slots()
    assert slots[0].v == 42
    slots[0] = lib.Slot(33)
    assert (slots[0].v, slots.at(0)) == (33, 33)


@pytest.mark.behaviour("test18_math_converters", refused=True)
def test_conversions_to_several_integers(lib):
    n = lib.Number()
    n.i, n.d = 1234, 4321.5
    assert float(n) == 4321.5
    with pytest.raises(sb.ArgumentError, match=r"is ambiguous.*\n.*operator int\(\).*\n.*operator long\(\)"):
        int(n)
    assert (getattr(n, "operator int")(), getattr(n, "operator long")()) == (1234, 1235)


@pytest.mark.behaviour("test19_comparator")
def test_free_equality(lib):
    a, b = lib.Odd(), lib.Odd()
    assert (a == b, b == a, a == a, a != a, a != b) == (True, True, False, False, True)


@pytest.mark.behaviour("test20_overload_order_with_proper_return")
def test_const_decides_the_overload(lib):
    BOTH.check(lib, "const")


@pytest.mark.behaviour("test21_access_to_global_variables", refused=True)
def test_globals(lib):
    assert lib.real == 12.0
    assert (len(lib.reals), lib.reals[1]) == (500, 2.0)
    assert (lib.text_1, lib.text_2) == ("one two", "three")
    assert [k.v for k in lib.kept] == [13, 42, -1]
    assert not lib.chosen
    with pytest.raises(sb.ArgumentError, match="Nothing would keep it alive"):
        lib.chosen = lib.Square()
    square = lib.Square()
    lib.choose(square)
    assert lib.corners_of_chosen() == 4
    lib.chosen = None
    assert lib.corners_of_chosen() == 0


@pytest.mark.behaviour("test22_exceptions")
def test_exceptions(lib):
    with pytest.raises(RuntimeError, match="not a std::exception"):
        lib.Thrower().number()
    with pytest.raises(RuntimeError, match="the tank is empty"):
        lib.Thrower().error()


@pytest.mark.behaviour("test24_typedef_to_private_class", refused=True)
def test_a_result_of_a_private_class(lib):
    with pytest.raises(AttributeError, match="Inside is no public name of Secret"):
        lib.Secret().get()


@pytest.mark.behaviour("test25_ostream_printing")
def test_what_streams_write(lib):
    assert str(lib.told.Own()) == "own"
    assert str(lib.told.Free(3)) == "free 3"
    assert str(lib.told.Derived()) == "free 7"


@pytest.mark.behaviour("test26_using_directive")
def test_using_directives(lib):
    BOTH.check(lib, "directives")
    assert (lib.user.bar(), lib.user.deep()) == (2, 3)


@pytest.mark.behaviour("test27_shadowed_typedef")
def test_inner_names_of_a_derived_class(lib):
    ns = lib.shadow
    assert ns.A.In().a == 1
    assert ns.B.In().b == 2
    assert ns.C.In is ns.A.In


@pytest.mark.behaviour("test28_extern_C_in_namespace")
def test_c_functions_in_a_namespace(lib):
    BOTH.check(lib, "linkage")


@pytest.mark.behaviour("test23_using")
def test_constructors_that_a_class_takes_over():
    lib = sb.compile("""
struct Root { int m; Root(int n = 13) : m(n) {} virtual ~Root() {} };
struct Leaf : Root { using Root::Root; };
""")
    assert (lib.Root().m, lib.Leaf(10).m, lib.Leaf().m) == (13, 10, 13)
