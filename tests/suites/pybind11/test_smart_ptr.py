"""pybind11's test_smart_ptr.py in our words: who owns an object, by C++'s own smart pointers and a library's."""

from __future__ import annotations

import gc

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

inline int& lives() { static int n = 0; return n; }
inline int alive() { return lives(); }
struct Life { Life() { ++lives(); } Life(const Life&) { ++lives(); } ~Life() { --lives(); } };

// A count inside of the object, and a pointer of the library's own that counts.
class Counted {
  mutable int n = 0;
public:
  Counted() = default;
  Counted(const Counted&) = delete;
  virtual ~Counted() = default;
  int count() const { return n; }
  void grab() const { ++n; }
  void drop() const { if (--n == 0) delete this; }
  virtual std::string name() const = 0;
};
template <class T> class Ref {
  T* p = nullptr;
public:
  Ref() = default;
  Ref(T* p) : p(p) { if (p) p->grab(); }
  Ref(const Ref& o) : p(o.p) { if (p) p->grab(); }
  Ref& operator=(const Ref& o) { if (o.p) o.p->grab(); if (p) p->drop(); p = o.p; return *this; }
  ~Ref() { if (p) p->drop(); }
  T* get() const { return p; }
};
class Tile : public Counted {
  int id;
  Life life;
public:
  explicit Tile(int id) : id(id) {}
  std::string name() const override { return "Tile " + std::to_string(id); }
  static Ref<Tile> make(int id) { return Ref<Tile>(new Tile(id)); }
};
inline std::string by_pointer(const Counted* c) { return c->name(); }
inline std::string by_ref(Ref<Tile> r) { return r.get()->name(); }
inline std::string by_const_ref(const Ref<Tile>& r) { return r.get()->name(); }
inline int while_copied(Ref<Tile> r) { Ref<Tile> other = r; return other.get()->count(); }

class Shared {
  int id;
  Life life;
public:
  Shared(int id) : id(id) {}
  virtual ~Shared() = default;
  std::string name() const { return "Shared " + std::to_string(id); }
};
inline std::shared_ptr<Shared> make_shared(int id) { return std::make_shared<Shared>(id); }
inline std::string shared_pointer(const Shared* s) { return s->name(); }
inline std::string shared_value(std::shared_ptr<Shared> s) { return s->name(); }
inline std::string shared_const(const std::shared_ptr<Shared>& s) { return s->name(); }
inline long uses(const std::shared_ptr<Shared>* s) { return s->use_count(); }

// Destroyed by its own class alone.
class Pinned {
  ~Pinned() { all().erase(this); }
  Life life;
public:
  static std::set<Pinned*>& all() { static std::set<Pinned*> s; return s; }
  int value;
  explicit Pinned(int v) : value(v) { all().insert(this); }
  static Pinned* make(int v) { return new Pinned(v); }
  static void clear() { for (auto copy = all(); Pinned* p : copy) delete p; }
};
class Guarded {
  Life life;
protected:
  virtual ~Guarded() { all().erase(this); }
public:
  static std::set<Guarded*>& all() { static std::set<Guarded*> s; return s; }
  int value;
  explicit Guarded(int v) : value(v) { all().insert(this); }
  Guarded(const Guarded&) = delete;
  static Guarded* make(int v) { return new Guarded(v); }
  static void clear() { for (auto copy = all(); Guarded* p : copy) delete p; }
};
class Opened : public Guarded {
public:
  explicit Opened(int v) : Guarded(v) {}
  ~Opened() override = default;
};

// Pointers of a library's own.
template <class T> class Padded {
  std::unique_ptr<T> p;
  double padding[12] = {};
public:
  explicit Padded(int v) : p(new T(v)) {}
  T* get() { return p.get(); }
};
template <class T> class Hidden {
  std::shared_ptr<T> p;
public:
  explicit Hidden(int v) : p(new T(v)) {}
  T* get() const { return p.get(); }
  T** operator&() { throw std::logic_error("the address of the pointer was asked for"); }
};
template <class T> class HiddenOnce {
  std::unique_ptr<T> p;
public:
  explicit HiddenOnce(int v) : p(new T(v)) {}
  T* get() const { return p.get(); }
  T** operator&() { throw std::logic_error("the address of the pointer was asked for"); }
};
template <class T> class ReadOnly {
  std::shared_ptr<const T> p;
public:
  explicit ReadOnly(int v) : p(new T(v)) {}
  const T* get() const { return p.get(); }
};
struct Held {
  Life life;
  int value;
  explicit Held(int v) : value(v) {}
  Held(const Held&) = delete;
  int twice() const { return 2 * value; }
  void set(int v) { value = v; }
};
inline Padded<Held> padded(int v) { return Padded<Held>(v); }
inline Hidden<Held> hidden(int v) { return Hidden<Held>(v); }
inline HiddenOnce<Held> hidden_once(int v) { return HiddenOnce<Held>(v); }
inline ReadOnly<Held> read_only(int v) { return ReadOnly<Held>(v); }
inline int read_hidden(Hidden<Held> h) { return h.get()->value; }
inline int read_hidden_const(const Hidden<Held>& h) { return h.get()->value; }
inline std::unique_ptr<Held> only(int v) { return std::unique_ptr<Held>(new Held(v)); }
inline int look(const Held& h) { return h.value; }

// A value and a shared one, side by side.
struct Part { Life life; int n = 1; };
struct Both {
  Part value;
  std::shared_ptr<Part> shared = std::make_shared<Part>();
  const Part& ref() const { return value; }
  Part copy() const { return value; }
  std::shared_ptr<Part> share() const { return shared; }
  long users() const { return shared.use_count(); }
};
inline bool same(const Part& a, const Part* b) { return &a == b; }
inline std::shared_ptr<Part> kept;
inline int keep(std::shared_ptr<Part> p) { kept = p; return p ? p->n : 0; }
inline int kept_number() { return kept->n; }

struct Self : std::enable_shared_from_this<Self> {
  Life life;
  Self() = default;
  Self(const Self& o) : std::enable_shared_from_this<Self>(), life(o.life) {}
  long users() { return shared_from_this().use_count(); }
};
struct BothSelves {
  Self value;
  std::shared_ptr<Self> shared = std::make_shared<Self>();
  Self& ref() { return *shared; }
  Self& lone() { return value; }
  std::shared_ptr<Self> share() const { return shared; }
};
inline bool holds(std::shared_ptr<Self> s) { return bool(s); }
struct Root : std::enable_shared_from_this<Root> {
  virtual ~Root() = default;
  virtual std::string who() { return "Root"; }
};
struct Below : virtual Root {
  std::string who() override { return "Below"; }
  static Below* get() { static std::shared_ptr<Below> one(new Below); return one.get(); }
};
struct Middle : Root { std::string who() override { return "Middle"; } };
struct Last : virtual Middle {
  std::string who() override { return "Last"; }
  std::string ask(const std::shared_ptr<Last>& other) { return other->who(); }
};
inline std::shared_ptr<Last> make_last() { return std::make_shared<Last>(); }

struct Element { virtual ~Element() = default; };
struct Number : Element { int v; explicit Number(int v) : v(v) {} int value() const { return v; } };
struct Elements {
  std::vector<std::shared_ptr<Element>> all;
  void add(std::shared_ptr<Element> e) { all.push_back(e); }
  std::vector<std::shared_ptr<Element>> get() const { return all; }
};
class Secret : std::enable_shared_from_this<Secret> { public: int n = 3; };
struct WithSecret { std::shared_ptr<Secret> ptr; };

class Private {
  Private() = default;
  ~Private() = default;
  Life life;
public:
  int n = 8;
  static std::shared_ptr<Private> create() { return {new Private, [](Private* p) { delete p; }}; }
};
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.fixture
def count(lib):
    """How many objects that count themselves are alive, beside those before this test."""
    gc.collect()
    before = lib.alive()
    return lambda: lib.alive() - before


@pytest.mark.behaviour("test_smart_ptr")
def test_objects_go_by_pointer_and_by_a_counting_pointer(lib, count):
    ref = lib.Tile.make(4)
    tile = ref.get()
    assert tile.count() == 1
    assert lib.by_pointer(tile) == lib.by_ref(ref) == lib.by_const_ref(ref) == "Tile 4"
    assert tile.count() == 1
    assert count() == 1
    del ref, tile
    assert count() == 0


@pytest.mark.behaviour("test_smart_ptr")
@pytest.mark.parametrize("origin", ["Shared", "make_shared"])
def test_shared_objects_go_in_every_form(lib, count, origin):
    one = getattr(lib, origin)(6)
    assert lib.shared_pointer(one) == lib.shared_value(one) == lib.shared_const(one) == "Shared 6"
    assert lib.uses(one) >= 1
    assert count() == 1
    del one
    assert count() == 0


@pytest.mark.behaviour("test_smart_ptr")
def test_an_implicit_conversion_makes_what_is_shared(lib, count):
    with pytest.raises(sb.ArgumentError, match="Shared"):  # in C++ an int is no shared_ptr either
        lib.shared_value(7)
    assert count() == 0


@pytest.mark.behaviour("test_smart_ptr_refcounting")
def test_the_count_inside_is_that_of_cxx(lib, count):
    ref = lib.Tile.make(0)
    assert lib.while_copied(ref) == 3  # ours, the parameter, and its copy
    other = lib.Ref["Tile"](ref)
    assert ref.get().count() == 2
    del other
    assert ref.get().count() == 1
    del ref
    assert count() == 0


@pytest.mark.behaviour("test_unique_nodelete", refused=True)
def test_what_python_could_not_destroy_it_does_not_make(lib):
    with pytest.raises(sb.Error, match="destructor is not public"):
        lib.Pinned(23)


@pytest.mark.behaviour("test_unique_nodelete", "test_unique_nodelete4a")
@pytest.mark.parametrize("name", ["Pinned", "Guarded"])
def test_objects_of_a_hidden_destructor_stay_cxx(lib, count, name):
    cls = getattr(lib, name)
    one = cls.make(23)
    assert one.value == 23
    assert count() == 1
    del one
    gc.collect()
    assert count() == 1
    cls.clear()
    assert count() == 0


@pytest.mark.behaviour("test_unique_deleter")
def test_a_derived_class_opens_the_destructor(lib, count):
    stays = lib.Guarded.make(0)
    one = lib.Opened(23)
    assert one.value == 23
    assert count() == 2
    del one
    assert count() == 1
    del stays
    lib.Guarded.clear()
    assert count() == 0


@pytest.mark.behaviour("test_large_holder")
def test_a_pointer_of_many_bytes(lib, count):
    held = lib.padded(5)
    one = held.get()
    assert one.value == 5
    del held
    assert one.twice() == 10  # the view keeps the pointer that owns it
    del one
    assert count() == 0


@pytest.mark.behaviour("test_shared_ptr_and_references")
def test_values_and_shared_ones_of_one_object(lib, count):
    both = lib.Both()
    assert count() == 2
    ref, value = both.ref(), both.value
    assert lib.same(ref, value)
    assert count() == 2
    with pytest.raises(sb.IntentError, match="const"):
        lib.keep(ref)
    copy = both.copy()
    assert count() == 3
    assert lib.keep(copy) == 1
    shared, again = both.shared, both.share()
    assert count() == 3
    assert shared == again
    assert shared != value
    assert lib.keep(shared) == 1
    assert both.users() >= 2
    assert lib.keep(value) == 1  # the whole, of which it is a part, stays as long as C++ has the part
    value.n = 7
    del ref, value, copy, shared, again, both
    gc.collect()
    assert count() == 2
    assert lib.kept_number() == 7
    lib.keep(None)
    gc.collect()
    assert count() == 0


@pytest.mark.behaviour("test_shared_ptr_from_this_and_references")
def test_an_object_that_shares_itself(lib, count):
    both = lib.BothSelves()
    shared = both.shared
    ref = both.ref()
    assert lib.holds(ref)  # its own control block is found
    assert ref.users() >= 2
    lone = both.lone()
    assert lib.holds(lone)  # the whole stays as long as C++ has the part
    with pytest.raises(RuntimeError, match="weak_ptr"):
        lone.users()  # that part is shared by nobody now, as C++ says
    copy = lib.Self(both.value)
    assert count() == 3
    assert lib.holds(copy)
    assert lib.holds(both.share())
    del both, shared, ref, lone, copy
    gc.collect()
    assert count() == 0


@pytest.mark.behaviour("test_shared_ptr_from_this_and_references")
def test_of_a_virtual_base(lib):
    first, second = lib.Below.get(), lib.Below.get()
    assert first == second
    assert first.who() == "Below"


@pytest.mark.behaviour("test_shared_from_this_virt_shared_ptr_arg")
def test_as_an_argument_below_a_virtual_base(lib):
    assert lib.Root().who() == "Root"
    assert lib.Middle().who() == "Middle"
    for one in (lib.Last(), lib.make_last()):
        assert one.who() == "Last"
        assert one.ask(one) == "Last"


@pytest.mark.behaviour("test_move_only_holder")
def test_what_can_only_be_moved_arrives(lib, count):
    first, second = lib.only(1), lib.padded(2)
    assert count() == 2
    del second
    assert count() == 1
    assert first.twice() == 2
    del first
    assert count() == 0


@pytest.mark.behaviour("test_holder_with_addressof_operator")
def test_a_class_with_an_address_operator(lib, count):
    one = lib.hidden(42)
    assert one.get().value == 42
    assert lib.read_hidden(one) == lib.read_hidden_const(one) == 42
    two = lib.Hidden["Held"](3)
    other = lib.Hidden["Held"](two)
    assert count() == 2
    assert other.get() == two.get() != one.get()
    del two
    assert count() == 2
    del other
    assert count() == 1
    del one
    assert count() == 0


@pytest.mark.behaviour("test_move_only_holder_with_addressof_operator")
def test_a_move_only_class_with_an_address_operator(lib, count):
    one = lib.hidden_once(0)
    one.get().set(42)
    assert one.get().value == 42
    assert count() == 1
    del one
    assert count() == 0


@pytest.mark.behaviour("test_smart_ptr_from_default")
def test_what_python_made_can_be_shared(lib, count):
    part = lib.Part()
    assert lib.keep(part) == 1
    del part
    assert lib.kept_number() == 1
    assert count() == 1
    lib.keep(None)
    assert count() == 0


@pytest.mark.behaviour("test_shared_ptr_gc")
def test_elements_outlive_their_list(lib):
    elements = lib.Elements()
    for i in range(10):
        elements.add(lib.Number(i))
    gc.collect()
    found = elements.get()
    del elements
    gc.collect()
    assert [type(e) for e in found] == [lib.Number] * 10
    assert [e.value() for e in found] == list(range(10))


@pytest.mark.behaviour("test_private_esft_tolerance")
def test_a_private_enable_shared_from_this(lib):
    one = lib.WithSecret()
    assert one.ptr is None
    one.ptr = lib.Secret()
    assert one.ptr.n == 3


@pytest.mark.behaviour("test_const_only_holder")
def test_a_pointer_that_reads_alone(lib):
    one = lib.read_only(9)
    assert one.get().value == 9
    assert one.get().twice() == 18
    with pytest.raises(sb.IntentError, match="const"):
        one.get().set(1)


@pytest.mark.behaviour("test_shared_ptr_cast_for_custom_holder_throws")
def test_a_shared_pointer_with_its_own_deleter(lib, count):
    one = lib.Private.create()
    assert one.n == 8
    assert count() == 1
    del one
    assert count() == 0
