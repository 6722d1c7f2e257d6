"""pybind11's test_class.py in our words: how classes are made, named, derived from and ended."""

from __future__ import annotations

import gc
import sys
import threading
from unittest import mock

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

inline int& lives() { static int n = 0; return n; }
inline int alive() { return lives(); }

/// A thing that is weighed.
class Parcel {
  int grams = 0;
public:
  explicit Parcel(int g) : grams(g) {}
  Parcel(const Parcel& o) : grams(o.grams) {}
  /// What the scales say.
  int weight() const { return grams; }
};

class Made {
  Made() { ++lives(); }
  Made(const Made&) { ++lives(); }
public:
  ~Made() { --lives(); }
  /// One more.
  static Made* create() { return new Made; }
  static Made here() { return Made(); }
};
class Sunk { public: Sunk() { ++lives(); } ~Sunk() { --lives(); } };
inline int sink(std::unique_ptr<Sunk>&& s) { return s ? 1 : 0; }
inline int swallow(std::unique_ptr<Sunk>&& s) { auto mine = std::move(s); return mine ? 1 : 0; }

struct Outer {
  struct Inner {
    std::string fn(int, const Outer&, const Inner&) const { return "fn"; }
    std::string text;
  };
  std::string text;
  std::string g(const Inner&) const { return "g"; }
};

class Plant {
  std::string name_, kind_;
public:
  Plant(const std::string& name, const std::string& kind) : name_(name), kind_(kind) {}
  std::string name() const { return name_; }
  std::string kind() const { return kind_; }
};
class Tree : public Plant {
public:
  explicit Tree(const std::string& name) : Plant(name, "tree") {}
  std::string rustle() const { return "sh"; }
};
class Fern : public Plant { public: explicit Fern(const std::string& name) : Plant(name, "fern") {} };
class Moss : public Plant { public: explicit Moss(const std::string& name) : Plant(name, "moss") {} };
class Graft : public Plant { Graft() : Plant("graft", "tree") {} };
inline std::string describe(const Plant& p) { return p.name() + " is a " + p.kind(); }
inline std::string rustle(const Tree& t) { return t.rustle(); }

struct Base { virtual ~Base() = default; };
struct First : Base {};
struct Second : Base {};
inline Base* make(int n) {
  static Base base; static First first; static Second second;
  Base* all[] = {&base, &first, &second, nullptr};
  return all[n];
}

struct Upper { static std::unique_ptr<Upper> make() { return std::make_unique<Upper>(); } virtual ~Upper() = default; };
struct Lower : Upper { static std::unique_ptr<Lower> make() { return std::make_unique<Lower>(); } };

struct Label {
  std::string text;
  Label(const Parcel& p) : text(std::to_string(p.weight()) + " g") { ++lives(); }
  Label(const Label& o) : text(o.text) { ++lives(); }
  ~Label() { --lives(); }
};
inline std::string print(const Label& l) { return l.text + ", " + std::to_string(lives()); }
inline const Label& pass(const Label& l) { return l; }

inline std::vector<std::string>& journal() { static std::vector<std::string> j; return j; }
inline std::vector<std::string> read_journal() { return std::exchange(journal(), {}); }
inline void note(const char* what, std::size_t n) { journal().push_back(what + std::to_string(n)); }
struct Logged {
  std::uint64_t i = 5;
  ~Logged() {}
  static void* operator new(std::size_t n) { note("new ", n); return ::operator new(n); }
  static void operator delete(void* p, std::size_t n) { note("delete ", n); ::operator delete(p); }
};
struct LoggedBelow : Logged { std::uint64_t j = 6; };
inline Logged* make_logged() { return new Logged; }
inline std::unique_ptr<LoggedBelow> make_below() { return std::unique_ptr<LoggedBelow>(new LoggedBelow); }
inline std::uint64_t take_logged(std::unique_ptr<Logged> l) { return l->i; }

class Closed {
  int value = 42;
protected:
  virtual int inner() const { return value; }
  Closed* self() { return this; }
  int plain() const { return value + 1; }
public:
  Closed() = default;
  Closed(const Closed&) = delete;
  virtual ~Closed() = default;
};
class Published : public Closed {
public:
  using Closed::inner;
  using Closed::self;
  using Closed::plain;
};
inline int inner_of(const Published& p) { return p.inner(); }

struct Braced { int number; std::string text; };
class Listed {
public:
  std::vector<int> all;
  bool by_list;
  explicit Listed(std::vector<int> v) : all(std::move(v)), by_list(false) {}
  Listed(std::initializer_list<int> l) : all(l), by_list(true) {}
};

struct CopiesOnly { CopiesOnly(const CopiesOnly&) = default; std::string text; };
struct Wrapped { std::string text; Wrapped(std::string t) : text(std::move(t)) {} };
inline int over(int x) { return x; }
inline long double over(const Wrapped& w) { return w.text.size(); }

struct alignas(1024) Aligned { char c = 'a'; std::uintptr_t at() const { return std::uintptr_t(this); } };
struct alignas(256) AlignedHandle { std::string text; std::uintptr_t at() const { return std::uintptr_t(this); } };
struct Whole final { std::string text = "whole"; };

struct Throws { ~Throws() { ++lives(); } int go() { throw std::runtime_error("went"); } };

struct Kernel { std::string text = "kernel"; };
struct Shell { Kernel kernel; std::string text = "shell"; };

struct Above { struct Inside { static std::string where() { return "Above"; } }; };
struct Beneath : Above { struct Inside { static std::string where() { return "Beneath"; } }; };

template <int N> struct Hollow {};
using Hollow0 = Hollow<0>;
template <class T> std::string about(const T&) { return "about " + std::to_string(sizeof(T)); }
inline std::string about_hollow(const Hollow0& h) { return about(h); }
struct FromAnything { FromAnything() = default; template <class T> FromAnything(T&&) {} int n = 4; };
inline FromAnything anything() { return {}; }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(
        SOURCE, arg_intent={"Made.create": {"return": "owned"}, "make_logged": {"return": "owned"}}
    )


@pytest.fixture
def count(lib):
    """How many objects that count themselves are alive, beside those before this test."""
    gc.collect()
    before = lib.alive()
    return lambda: lib.alive() - before


@pytest.mark.behaviour("test_repr")
def test_a_class_is_named_and_so_are_its_objects(lib):
    assert "Parcel" in repr(lib.Parcel)
    assert "Parcel" in repr(lib.Parcel(1))


@pytest.mark.behaviour("test_instance")
@pytest.mark.behaviour("test_instance_new")
def test_without_a_public_constructor(lib, count):
    with pytest.raises(sb.ArgumentError, match="Made") as error:
        lib.Made()
    assert "private" in str(error.value) or "constructor" in str(error.value)
    one, other = lib.Made.create(), lib.Made.here()
    assert count() == 2
    del one
    assert count() == 1
    del other
    assert count() == 0


@pytest.mark.behaviour("test_get_referrers")
def test_objects_of_python_s_classes_have_attributes(lib):
    one = type("Noted", (lib.Parcel,), {})(1)
    one.note = note = ["fragile"]
    assert one.__dict__ in gc.get_referrers(note)
    assert one in gc.get_referrers(one.__dict__)
    with pytest.raises(AttributeError, match="has no attribute 'note'"):
        lib.Parcel(1).note = "fragile"


@pytest.mark.behaviour("test_pass_unique_ptr")
def test_an_object_for_a_unique_ptr(lib, count):
    one = lib.Sunk()
    assert lib.sink(one) == 1
    assert count() == 1  # C++ left it in place: Python has it still
    assert lib.swallow(one) == 1
    assert count() == 0
    with pytest.raises(sb.IntentError, match="gone"):
        lib.sink(one)


@pytest.mark.behaviour("test_docstrings")
def test_comments_of_the_header_are_docstrings(lib):
    assert "A thing that is weighed." in lib.Parcel.__doc__
    assert "What the scales say." in lib.Parcel.weight.__doc__
    assert "One more." in lib.Made.create.__doc__
    assert (lib.Parcel.__name__, lib.Parcel.weight.__name__) == ("Parcel", "weight")


@pytest.mark.behaviour("test_qualname")
def test_a_class_inside_of_a_class(lib):
    assert lib.Outer.__qualname__ == "Outer"
    assert lib.Outer.Inner.__qualname__ == "Outer.Inner"
    assert lib.Outer.__module__ == lib.Outer.Inner.__module__
    inner, outer = lib.Outer.Inner(), lib.Outer()
    assert inner.fn(1, outer, inner) + outer.g(inner) == "fng"
    with pytest.raises(sb.ArgumentError, match=r"expected .*Inner"):
        outer.g(outer)


@pytest.mark.behaviour("test_inheritance")
def test_classes_derive_as_in_cxx(lib):
    oak, grass = lib.Tree("Oak"), lib.Plant("Reed", "grass")
    assert oak.name() + oak.kind() == "Oaktree"
    assert lib.describe(oak) == "Oak is a tree"
    assert lib.describe(grass) == "Reed is a grass"
    assert lib.describe(lib.Fern("Ada")) == "Ada is a fern"
    assert lib.rustle(oak) == "sh"
    with pytest.raises(sb.ArgumentError, match=r"rustle.*expected .*Tree.*Plant"):
        lib.rustle(grass)
    with pytest.raises(sb.ArgumentError, match="Graft"):
        lib.Graft("oak", "apple")


@pytest.mark.behaviour("test_inheritance_init", refused=True)
def test_no_object_without_its_base(lib):
    class Lazy(lib.Plant):
        def __init__(self, *args):
            pass

    for args in ((), ("Ivo",), (1, 2)):  # C++ makes the base before __init__, of the same arguments
        with pytest.raises(sb.ArgumentError, match="Plant") as error:
            Lazy(*args)
        assert "C++'s constructor runs before Lazy.__init__" in error.value.__notes__[0]
    assert lib.describe(Lazy("Ivo", "moss")) == "Ivo is a moss"

    class Told(lib.Plant):
        def __new__(cls, name):
            return super().__new__(cls, name, "moss")

        def __init__(self, name):
            assert self.name() == name

    assert lib.describe(Told("Ada")) == "Ada is a moss"


@pytest.mark.behaviour("test_inheritance_init", refused=True)
def test_no_object_of_two_bases_that_cxx_never_joined(lib):
    class Both(lib.Fern, lib.Moss):
        def __init__(self, *names):
            for base, name in zip((lib.Fern, lib.Moss), names, strict=False):
                base.__init__(self, name)

    for names in ((), ("Ada",)):
        with pytest.raises(TypeError, match=r"Both\.__init__\(\) has not called .* that of each base"):
            Both(*names)
    both = Both("Ada", "Ivo")
    assert isinstance(both, lib.Fern)
    assert isinstance(both, lib.Moss)
    with pytest.raises(sb.ArgumentError, match="expected an object of Plant"):  # it is two
        lib.describe(both)
    assert lib.describe(type("One", (lib.Fern, lib.Plant), {})("Ada")) == "Ada is a fern"


@pytest.mark.behaviour("test_mock_new")
@pytest.mark.parametrize("value", [None, (1, 2, 3)])
def test_new_can_be_mocked(lib, value):
    with mock.patch.object(lib.Plant, "__new__", return_value=value) as new:
        assert lib.Plant("No", "one") is value
    new.assert_called_once_with(lib.Plant, "No", "one")


@pytest.mark.behaviour("test_automatic_upcasting")
def test_results_are_of_the_class_that_they_really_are(lib):
    names = ["Base", "First", "Second", "NoneType"]
    for n in (1, 2, 3, 0, 2, 2, 0, 1, 3, 1):
        assert type(lib.make(n)).__name__ == names[n]


@pytest.mark.behaviour("test_isinstance")
def test_isinstance_is_is_a(lib):
    oak = lib.Tree("Oak")
    classes = (lib.Plant, lib.Tree, lib.Fern, lib.Base, dict)
    assert [isinstance(oak, c) for c in classes] == [True, True, False, False, False]


@pytest.mark.behaviour("test_override_static")
def test_a_static_function_of_the_same_name(lib):
    assert type(lib.Upper.make()) is lib.Upper
    assert type(lib.Lower.make()) is lib.Lower


@pytest.mark.behaviour("test_implicit_conversion_life_support")
def test_what_a_conversion_makes_lives_long_enough(lib, count):
    parcel = lib.Parcel(5)
    assert lib.print(parcel) == f"5 g, {lib.alive() + 1}"
    assert count() == 0
    seen = lib.pass_(parcel) if hasattr(lib, "pass_") else getattr(lib, "pass")(parcel)
    assert count() == 1
    assert seen.text == "5 g"
    del seen
    assert count() == 0


@pytest.mark.behaviour("test_operator_new_delete")
def test_operators_new_and_delete_of_a_class(lib):
    lib.read_journal()
    one = lib.make_logged()
    assert lib.read_journal() == ["new 8"]
    del one
    assert lib.read_journal() == ["delete 8"]
    below = lib.make_below()
    assert lib.read_journal() == ["new 16"]
    assert below.j == 6
    del below
    assert lib.read_journal() == ["delete 16"]


@pytest.mark.behaviour("test_operator_new_delete")
def test_operator_delete_gets_what_operator_new_gave(lib):
    lib.read_journal()
    assert lib.take_logged(lib.Logged()) == 5
    done = lib.read_journal()
    assert done in ([], ["new 8", "delete 8"])


@pytest.mark.behaviour("test_bind_protected_functions")
def test_protected_members_are_public_where_using_says_so(lib):
    assert not hasattr(lib.Closed, "inner")
    one = lib.Published()
    assert one.inner() == 42
    assert one.plain() == 43
    assert one.self() == one


@pytest.mark.behaviour("test_bind_protected_functions")
def test_a_published_virtual_function_is_overridden(lib):
    mine = type("Mine", (lib.Published,), {"inner": lambda self: 23})()
    assert (lib.inner_of(mine), lib.inner_of(lib.Published())) == (23, 42)
    assert (mine.inner(), mine.plain()) == (23, 43)


@pytest.mark.behaviour("test_brace_initialization")
def test_braces_and_lists(lib):
    one = lib.Braced(123, "test")
    assert (one.number, one.text) == (123, "test")
    assert lib.Listed([123, 456]).by_list  # braces mean the std::initializer_list


@pytest.mark.behaviour("test_class_refcount")
def test_objects_hold_their_class(lib):
    class Mine(lib.Plant):
        pass

    for cls in (lib.Plant, Mine):
        before = sys.getrefcount(cls)
        many = [cls("a", "b") for _ in range(10)]
        assert sys.getrefcount(cls) >= before + 10
        del many
        gc.collect()
        assert sys.getrefcount(cls) == before


@pytest.mark.behaviour("test_reentrant_implicit_conversion_failure")
def test_a_class_that_can_only_be_copied(lib):
    with pytest.raises(sb.ArgumentError, match="CopiesOnly"):
        lib.CopiesOnly(0)


@pytest.mark.behaviour("test_error_after_conversions", refused=True)
def test_an_overload_whose_result_does_not_cross(lib):
    assert lib.over(3) == 3
    with pytest.raises(sb.ArgumentError) as error:
        lib.over("hello")
    assert "over" in str(error.value)
    assert any("over" in str(s) and "long double" in str(s) for s in lib.__skipped__)


@pytest.mark.behaviour("test_aligned")
def test_objects_lie_where_their_alignment_says(lib):
    many = [lib.Aligned() for _ in range(5)]
    assert [one.at() % 1024 for one in many] == [0] * 5
    handles = [lib.AlignedHandle() for _ in range(5)]
    assert [one.at() % 256 for one in handles] == [0] * 5


@pytest.mark.behaviour("test_final")
def test_a_final_class_has_no_derived_ones(lib):
    with pytest.raises(TypeError, match="Whole, which C\\+\\+ declares final"):
        type("Part", (lib.Whole,), {})


@pytest.mark.behaviour("test_exception_rvalue_abort")
def test_a_temporary_whose_method_throws(lib, count):
    with pytest.raises(RuntimeError, match="went"):
        lib.Throws().go()
    assert count() == 1  # its destructor ran once


@pytest.mark.behaviour("test_multiple_instances_with_same_pointer")
def test_objects_at_one_address(lib):
    shell = lib.Shell()
    views = [(shell.kernel, shell) for _ in range(100)]
    assert {type(a) for a, _ in views} == {lib.Kernel}
    for i in range(100):
        views[i] = lib.Kernel()
    assert (shell.kernel.text, shell.text) == ("kernel", "shell")


@pytest.mark.behaviour("test_base_and_derived_nested_scope")
def test_classes_inside_of_base_and_derived(lib):
    assert issubclass(lib.Beneath, lib.Above)
    assert lib.Above.Inside is not lib.Beneath.Inside
    assert lib.Above.Inside.where() == "Above"
    assert lib.Beneath.Inside.where() == "Beneath"


@pytest.mark.behaviour("test_pr4220_tripped_over_this")
def test_an_empty_class_of_a_template(lib):
    assert lib.about_hollow(lib.Hollow0()) == lib.about(lib.Hollow0()) == "about 1"
    assert lib.anything().n == 4


@pytest.mark.behaviour("test_all_type_info_multithreaded")
def test_threads_meet_a_new_class_at_once(lib):
    for _ in range(5):

        class Fresh(lib.Plant):
            pass

        barrier, names = threading.Barrier(4), []

        def work(cls=Fresh, barrier=barrier, names=names):
            barrier.wait()
            names.append(lib.describe(cls("Iva", "tree")))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert names == ["Iva is a tree"] * 4
