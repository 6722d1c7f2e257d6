"""nanobind's test_holders.py in our words: who owns an object, shared and unique, from Python and from C++."""

from __future__ import annotations

import gc

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")]

SOURCE = r"""
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>
inline int made = 0, ended = 0;
inline std::pair<int, int> counts() { return {made, ended}; }
inline void reset() { made = ended = 0; }
struct Source { int value = 42; };
class Thing {
  int v;
 public:
  explicit Thing(int v) : v(v) { ++made; }
  Thing(const Source& s) : v(s.value) { ++made; }
  Thing(const Thing&) = delete;
  ~Thing() { ++ended; }
  int value() const { return v; }
  void set(int n) { v = n; }
  static std::shared_ptr<Thing> shared(int v) { return std::make_shared<Thing>(v); }
  static std::unique_ptr<Thing> unique(int v) { return std::make_unique<Thing>(v); }
};
class Shares {
  std::shared_ptr<Thing> held;
 public:
  explicit Shares(std::shared_ptr<Thing> t) : held(std::move(t)) {}
  std::shared_ptr<Thing> get() const { return held; }
  void put(std::shared_ptr<Thing> t) { held = std::move(t); }
  int value() const { return held->value(); }
  void set(int v) { held->set(v); }
};
class Owns {
  std::unique_ptr<Thing> held;
 public:
  explicit Owns(std::unique_ptr<Thing> t) : held(std::move(t)) {}
  std::unique_ptr<Thing> get() { return std::move(held); }
  bool has() const { return held != nullptr; }
};
inline int by_pointer(Thing* t) { return t->value(); }
inline int by_shared(std::shared_ptr<Thing> t) { return t->value(); }
inline int by_shared_const(std::shared_ptr<const Thing> t) { return t->value(); }
inline std::shared_ptr<Thing> through(std::shared_ptr<Thing> t) { return t; }
inline std::unique_ptr<Thing> through_unique(std::unique_ptr<Thing> t) { return t; }
inline int both(std::unique_ptr<Thing> a, std::unique_ptr<Thing> b) { return a->value() + b->value(); }
inline int pairs(std::vector<std::pair<std::unique_ptr<Thing>, std::unique_ptr<Thing>>> v) { return int(v.size()); }
inline std::shared_ptr<Thing> stored;
inline void store(std::shared_ptr<Thing> t) { stored = std::move(t); }
inline int stored_value() { return stored->value(); }
inline void forget() { stored.reset(); }

class Self : public std::enable_shared_from_this<Self> {
  int v;
 public:
  explicit Self(int v) : v(v) { ++made; }
  ~Self() { ++ended; }
  int value() const { return v; }
  bool is_shared() const { return !weak_from_this().expired(); }
  long uses() const { return weak_from_this().use_count(); }
  std::shared_ptr<Self> self() { return shared_from_this(); }
  static std::shared_ptr<Self> shared(int v) { return std::make_shared<Self>(v); }
};
class DerivedSelf : public Self {
 public:
  using Self::Self;
  static std::shared_ptr<DerivedSelf> derived(int v) { return std::make_shared<DerivedSelf>(v); }
};
class SharesSelf {
  std::shared_ptr<Self> held;
 public:
  explicit SharesSelf(std::shared_ptr<Self> s) : held(std::move(s)) {}
  static SharesSelf of(Self& s) { return SharesSelf(s.shared_from_this()); }
  std::shared_ptr<Self> get() const { return held; }
  long uses() const { return held.use_count(); }
  bool same_owner(const SharesSelf& o) const { return !held.owner_before(o.held) && !o.held.owner_before(held); }
};

struct Base { int b = 1; };
struct Sub : Base { int s = 2; };
struct PolyBase { virtual ~PolyBase() = default; int n = 3; };
struct PolySub : PolyBase { int m = 4; };
namespace { struct Unseen : PolyBase {}; }
inline std::shared_ptr<PolyBase> s_poly() { return std::make_shared<PolySub>(); }
inline std::shared_ptr<PolyBase> s_unseen() { return std::make_shared<Unseen>(); }
inline std::shared_ptr<Base> s_plain() { return std::make_shared<Sub>(); }
inline std::unique_ptr<PolyBase> u_poly() { return std::make_unique<PolySub>(); }
inline std::unique_ptr<PolyBase> u_unseen() { return std::make_unique<Unseen>(); }

struct Fields { std::shared_ptr<Thing> maybe; };
inline int of_fields(const Fields& f) { return f.maybe ? f.maybe->value() : -1; }
"""


@pytest.fixture(scope="module")
def library():
    return sb.compile(SOURCE, std="c++17", name="nb_holders")


@pytest.fixture
def lib(library):
    gc.collect()
    library.reset()
    return library


def counts(lib):
    gc.collect()
    return tuple(lib.counts())


@pytest.mark.behaviour("test01_create")
def test_python_makes_and_ends_an_object(lib):
    thing = lib.Thing(123)
    assert (thing.value(), lib.by_pointer(thing), lib.by_shared(thing), lib.by_shared_const(thing)) == (
        123,
    ) * 4
    del thing
    assert counts(lib) == (1, 1)


@pytest.mark.behaviour("test02_sharedptr_from_python")
def test_cpp_shares_what_python_made(lib):
    thing = lib.Thing(234)
    shares = lib.Shares(thing)
    assert shares.get().value() == 234
    thing.set(5)
    assert shares.value() == 5
    del thing
    assert counts(lib) == (1, 0)
    shares.put(lib.Thing(6))
    assert counts(lib) == (2, 1)
    del shares
    assert counts(lib) == (2, 2)


@pytest.mark.behaviour("test03_sharedptr_from_cpp")
def test_python_shares_what_cpp_made(lib):
    thing = lib.Thing.shared(5)
    assert lib.through(thing).value() == 5
    shares = lib.Shares(thing)
    shares.set(6)
    assert thing.value() == 6
    del thing
    assert shares.value() == 6
    del shares
    assert counts(lib) == (1, 1)


@pytest.mark.behaviour("test03b_sharedptr_implicit")
def test_no_implicit_conversion_behind_a_shared_pointer(lib):
    with pytest.raises(TypeError, match="Thing"):
        lib.store(lib.Source())
    assert counts(lib) == (0, 0)
    thing = lib.Thing(7)
    lib.store(thing)
    del thing
    assert counts(lib) == (1, 0)
    assert lib.stored_value() == 7
    lib.forget()
    assert counts(lib) == (1, 1)


@pytest.mark.behaviour("test04_uniqueptr_from_cpp")
@pytest.mark.behaviour("test05a_uniqueptr_from_cpp")
@pytest.mark.behaviour("test05d_uniqueptr_reinit")
def test_what_cpp_gave_it_may_take_back(lib):
    thing = lib.Thing.unique(1)
    assert thing.value() == 1
    owns = lib.Owns(thing)
    for use in (type(thing).value, lib.by_pointer, lib.Owns, lib.by_shared):
        with pytest.raises(sb.Error, match=r"It is gone: .* took it over"):
            use(thing)
    back = owns.get()
    assert back.value() == 1
    assert not owns.has()
    assert counts(lib) == (1, 0)
    del back, thing, owns
    assert counts(lib) == (1, 1)


@pytest.mark.behaviour("test05b_uniqueptr_list")
def test_cpp_takes_over_what_a_list_holds(lib):
    things = lib.Thing(1), lib.Thing(2)
    assert lib.pairs([things]) == 1
    for thing in things:
        with pytest.raises(sb.IntentError, match=r"It is gone: .* took it over"):
            thing.value()
    twice = lib.Thing(5)
    with pytest.raises(sb.IntentError, match="Another argument of this call is it"):
        lib.pairs([(twice, twice)])
    assert twice.value() == 5
    del things, thing, twice
    assert counts(lib) == (3, 3)


@pytest.mark.behaviour("test05c_uniqueptr_structure_duplicate")
def test_one_object_is_not_given_twice(lib):
    thing = lib.Thing(3)
    with pytest.raises(sb.Error, match="both"):
        lib.both(thing, thing)
    assert thing.value() == 3  # and is not lost
    del thing
    assert counts(lib) == (1, 1)


@pytest.mark.behaviour("test06_uniqueptr_from_py")
@pytest.mark.behaviour("test07_uniqueptr_passthrough")
def test_what_python_made_may_be_given_away_and_come_back(lib):
    owns = lib.Owns(lib.Thing(1))
    assert owns.get().value() == 1
    assert lib.through_unique(lib.Thing(2)).value() == 2
    assert lib.through_unique(lib.Thing.unique(3)).value() == 3
    assert lib.through_unique(None) is None
    del owns
    assert counts(lib) == (3, 3)


@pytest.mark.behaviour("test07_polymorphic_downcast_unique")
@pytest.mark.behaviour("test08_polymorphic_downcast_shared")
def test_an_object_is_of_the_class_that_it_is_of(lib):
    for give in (lib.s_poly, lib.u_poly):
        assert type(give()) is lib.PolySub
        assert give().m == 4
    for give in (lib.s_unseen, lib.u_unseen):  # whose own class nobody outside of C++ knows
        assert isinstance(give(), lib.PolyBase)
        assert give().n == 3
    assert type(lib.s_plain()) is lib.Base  # no virtual function: nothing tells what it is


@pytest.mark.behaviour("test10_shared_from_this_create_in_python")
@pytest.mark.behaviour("test11_shared_from_this_create_raw_in_cpp")
def test_what_knows_its_shares_made_in_python(lib):
    for cls in (lib.Self, lib.DerivedSelf):
        lib.reset()
        one = cls(42)
        shares = lib.SharesSelf(one)
        assert one.is_shared()
        other = lib.SharesSelf.of(one)
        assert shares.same_owner(other)
        assert other.get().value() == 42
        del one
        assert counts(lib) == (1, 0)
        del shares, other
        assert counts(lib) == (1, 1)


@pytest.mark.behaviour("test12_shared_from_this_create_shared_in_cpp")
@pytest.mark.behaviour("test13_shared_from_this_create_derived_in_cpp")
def test_what_knows_its_shares_made_in_cpp(lib):
    for make in (lib.Self.shared, lib.DerivedSelf.derived):
        lib.reset()
        one = make(10)
        assert one.is_shared()
        assert one.uses() == 1
        assert one.self().value() == 10
        shares = lib.SharesSelf.of(one)
        assert one.uses() == 2
        del one
        gc.collect()
        assert shares.uses() == 2  # what was made of a reference keeps what it refers to
        again = shares.get()
        assert (again.value(), shares.uses()) == (10, 3)
        del again, shares
        assert counts(lib) == (1, 1)


@pytest.mark.behaviour("test14_nullable_properties")
def test_a_member_that_may_be_null(lib):
    fields = lib.Fields()
    assert fields.maybe is None
    assert lib.of_fields(fields) == -1
    fields.maybe = lib.Thing(456)
    assert (fields.maybe.value(), lib.of_fields(fields)) == (456, 456)
    fields.maybe = None
    assert fields.maybe is None
    assert counts(lib) == (1, 1)
    with pytest.raises(sb.ArgumentError):
        fields.maybe = 3
