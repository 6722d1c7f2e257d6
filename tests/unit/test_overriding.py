"""Virtual functions that Python's classes override: C++ calls Python's, Python's calls C++'s own, or it is refused."""

from __future__ import annotations

import copy
import gc
import pathlib
import subprocess
import sys
import threading
import weakref
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Base {
  int a = 1;
  std::string born;
  Base() : born(name()) {}
  explicit Base(int a_, int more = 0) : a(a_ + more), born(name()) {}
  virtual ~Base() { died() = name(); }
  static std::string& died() { static std::string text; return text; }
  virtual std::string name() const { return "Base"; }
  virtual int f() const { return a; }
  virtual int f(int x) { return a + x; }
  virtual int f(const std::string& text) { return a + int(text.size()); }
  virtual int operator()(int x) { return x; }
  virtual void del() { a = 100; }
  virtual void fill(int& x) { x = 5; }
  virtual void listed(std::vector<int>& all) { all.push_back(1); }
  virtual int last() final { return 8; }
  virtual int promised() noexcept { return 9; }
  virtual int mixed() { return 10; }
  int mixed(int x) { return x; }
  int plain() { return 3; }
  int calls() { return hook() + secret(); }
 protected:
  virtual int hook() { return 40; }
 private:
  virtual int secret() { return 500; }
};
inline std::string died() { return Base::died(); }
struct Derived : Base {
  int f() const override { return 2; }
};
template <class T> struct Shape {
  virtual ~Shape() {}
  virtual T area() const { return 1; }
  virtual int scaled(const T& by, T more) { return int(area() * by + more); }
  virtual int plain(int n) const { return n; }
  virtual std::vector<T> all() const { return {area()}; }
};
template <class T> struct Shape<T*> {
  struct Inner { int x; }; enum Side { left, right };
  virtual ~Shape() {}
  virtual T get() { return T(); }
  virtual int plain() { return 1; }
  virtual Inner inner(Side) { return {1}; }
};
template struct Shape<int*>;
template <int N> struct Numbered { virtual ~Numbered() {} virtual int n() const { return N; } };
template struct Numbered<3>;
template struct Shape<int>;
struct Square : Shape<int> { int side = 1; int scaled(const int& by, int more) override { return by * more; } };
struct Told : Shape<double> { int plain(int n) const override { return n + 1; } };
inline int scaled(Shape<int>& s) { return s.scaled(3, 4) + s.plain(1000); }
inline int n_of(const Numbered<3>& n) { return n.n(); }
inline int plain_of(Shape<int*>& s) { return s.plain(); }
class Mute { public: ~Mute() {} int f() { return 6; } };

inline std::string name_of(const Base& b) { return b.name(); }
inline int f_of(const Base* b) { return b->f(); }
inline int f_of_int(Base& b, int x) { return b.f(x); }
inline int f_of_text(Base& b, const char* x) { return b.f(std::string(x)); }
inline int f_shared(std::shared_ptr<Base> b) { return b->f(); }
inline int f_copy(Base b) { return b.f(); }
inline int f_elsewhere(const Base& b) { int r = 0; std::thread([&] { r = b.f(); }).join(); return r; }
inline int filled(Base& b) { int x = 1; b.fill(x); return x; }
inline Base& given(Base& b) { return b; }
inline const Base& looked(const Base& b) { return b; }
inline int caught(const Base& b) { try { return b.f(); } catch (const std::exception&) { return -1; } }
struct Pool {
  std::vector<std::shared_ptr<Base>> shared;
  std::vector<Base*> seen;
  ~Pool() {}
  void add(std::shared_ptr<Base> b) { shared.push_back(b); }
  void see(Base& b) { seen.push_back(&b); }
  Base* look(int i) { return seen.at(i); }
  std::shared_ptr<Base> get(int i) { return shared.at(i); }
  int sum() { int s = 0; for (auto& b : shared) s += b->f(); for (auto* b : seen) s += b->f(); return s; }
};

struct Named { virtual ~Named() {} virtual std::string label() = 0; virtual int rank() { return 1; } };
struct Sized { virtual ~Sized() {} virtual int size() const = 0; long pad = 0; };
struct Both : Named, Sized { int x = 0; };
struct Top : virtual Sized { int size() const override { return 5; } };
inline std::string label_of(Named& n) { return n.label(); }
inline int size_of(const Sized& s) { return s.size(); }
inline Sized* sized(Sized* s) { return s; }
struct Shy {
  virtual ~Shy() {}
  int run() { return step(2); }
 protected:
  Shy() {}
  virtual int step(int) = 0;
};
struct Shyer {
  virtual ~Shyer() {}
  virtual int step(int) { return 1; }
 protected:
  explicit Shyer(int) {}
};
struct Owned {
  static inline int alive = 0;
  Owned() { ++alive; }
  Owned(const Owned&) { ++alive; }
  virtual ~Owned() { --alive; }
  virtual int f() { return 1; }
  virtual Owned* spare() { return this; }
};
inline int alive_while_spared(Owned& o) { return o.spare()->f() * Owned::alive; }
inline int take(std::unique_ptr<Owned> o) { return o->f(); }
struct Lone { virtual ~Lone() {} virtual int f() const { return 1; } virtual int pure() const = 0; };
inline const Lone& lone(const Lone& l) { return l; }
inline const Lone* lone_at(const Lone* l) { return l; }
inline std::vector<const Lone*> lones(const Lone* l) { return {l}; }
struct Of { const Lone* one = nullptr; std::shared_ptr<const Lone> shared; };
inline Of of(const Lone* l, std::shared_ptr<const Lone> shared) { return {l, shared}; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="overriding")


@pytest.fixture(scope="module")
def mine(lib: Any) -> Any:
    class Mine(lib.Base):  # type: ignore[misc,name-defined]
        def name(self) -> str:
            return "Mine, of " + super().name()

        def f(self, *args: Any) -> int:
            return 1000 + super().f(*args)

        def del_(self) -> None:
            super().del_()
            self.a += 1

        def fill(self, x: Any) -> None:
            super().fill(x)  # a Pointer, as callbacks are shown an int&

        def hook(self) -> int:
            return super().hook() + 1

        def promised(self) -> int:
            return super().promised() + 10

    return Mine


def test_cpp_calls_python(lib: Any, mine: Any) -> None:
    one = mine(7)
    assert (lib.name_of(one), one.name()) == ("Mine, of Base",) * 2
    assert (lib.f_of(one), one.f(), lib.Base(7).f()) == (1007, 1007, 7)
    assert (lib.f_of_int(one, 5), lib.f_of_text(one, "abc")) == (1012, 1010)
    assert (lib.f_shared(one), lib.f_copy(one)) == (1007, 7)
    assert lib.f_elsewhere(one) == 1007
    assert lib.filled(one) == 5
    assert one.calls() == 541
    one.del_()
    assert one.a == 101
    assert isinstance(one, lib.Base)
    assert mine(7, more=1).a == 8
    assert mine().a == 1


def test_base_classes_run_their_own_while_they_are_made_and_end(lib: Any, mine: Any) -> None:
    one = mine()
    assert one.born == "Base"
    del one
    assert lib.died() == "Base"


def test_a_class_that_derives_further(lib: Any, mine: Any) -> None:
    class Further(mine):  # type: ignore[misc]
        def f(self, *args: Any) -> int:
            return super().f(*args) + 10000

    class Last(Further):
        pass

    for cls in (Further, Last):
        one = cls(7)
        assert (lib.f_of(one), lib.name_of(one)) == (11007, "Mine, of Base")


def test_mixins(lib: Any) -> None:
    class Mixin:
        __slots__ = ()

        def f(self, *args: Any) -> int:
            return 5 + super().f(*args)  # type: ignore[misc]

    class Plain(lib.Base):  # type: ignore[misc,name-defined]
        def more(self) -> int:
            return 4

    first = type("First", (Mixin, lib.Base), {})
    later = type("Later", (Mixin, Plain), {})
    behind = type("Behind", (lib.Base, Mixin), {})
    assert [lib.f_of(cls(2)) for cls in (first, later, behind, Plain)] == [7, 7, 2, 2]
    assert later().more() == 4
    assert behind.__mro__.index(lib.Base) < behind.__mro__.index(Mixin)


def test_the_method_is_the_class_s_at_each_call(lib: Any, mine: Any) -> None:
    cls = type("Changed", (mine,), {"f": lambda self, *args: 1})
    one = cls()
    assert lib.f_of(one) == 1
    cls.f = lambda self, *args: 2
    assert lib.f_of(one) == 2
    cls.f = staticmethod(lambda *args: 3)
    assert lib.f_of(one) == 3
    del cls.f
    assert lib.f_of(one) == 1001


def test_what_is_const_asks_python_too(lib: Any) -> None:
    """Of a class from which C++ derives none, as of any other: C++'s own body answered, or none for a pure one."""

    class Mine(lib.Lone):
        def f(self) -> int:
            return 10 + super().f()

        def pure(self) -> int:
            return 20

    one = Mine()
    of = lib.of(one, one)
    for seen in (lib.lone(one), lib.lone_at(one), lib.lones(one)[0], of.one, of.shared):
        assert (seen.f(), seen.pure()) == (11, 20)
    assert lib.Lone.f(one) == 1  # as super() does


def test_a_base_gives_the_very_object(lib: Any, mine: Any) -> None:
    one, pool = mine(7), lib.Pool()
    assert lib.given(one) is one
    assert lib.f_of(lib.looked(one)) == 1007
    pool.see(one)
    assert pool.look(0) is one
    pool.add(one)
    assert pool.get(0) is one
    number = id(one)
    del one
    gc.collect()
    assert id(pool.get(0)) == number
    assert (type(pool.get(0)), pool.sum()) == (mine, 2014)


def test_what_cpp_shares_lives_as_long(lib: Any, mine: Any) -> None:
    pool = lib.Pool()
    pool.add(mine())
    gc.collect()
    lib.Base()  # it ends at once
    assert (pool.sum(), lib.died()) == (1001, "Base")
    lib.Base.died()
    before = sum(type(o) is mine for o in gc.get_objects())
    del pool
    gc.collect()
    assert sum(type(o) is mine for o in gc.get_objects()) == before - 1


def test_exceptions_go_through_cpp_as_themselves(lib: Any) -> None:
    class Failing(lib.Base):  # type: ignore[misc,name-defined]
        def f(self, *args: Any) -> int:
            raise KeyError("mine")

    one = Failing()
    for call in (
        lambda: lib.f_of(one),
        lambda: lib.caught(one),
        lambda: lib.f_elsewhere(lib.Base()) and one.f(),
    ):
        with pytest.raises(KeyError, match="mine"):
            call()
    wrong = type("Wrong", (lib.Base,), {"f": lambda self, *args: "text"})()
    with pytest.raises(sb.ArgumentError, match=r"f\(\) returned what C\+\+ does not take"):
        lib.f_of(wrong)


def test_threads(lib: Any, mine: Any) -> None:
    one, found = mine(7), list[int]()
    threads = [
        threading.Thread(target=lambda: found.append(sum(lib.f_of(one) for _ in range(200))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200 * 1007] * 4


def test_several_bases(lib: Any) -> None:
    class Mine(lib.Both):  # type: ignore[misc,name-defined]
        def label(self) -> str:
            return f"{self.rank()}"

        def size(self) -> int:
            return 7

    class Over(lib.Top):  # type: ignore[misc,name-defined]
        def size(self) -> int:
            return super().size() + 1

    one = Mine()
    assert (lib.label_of(one), lib.size_of(one)) == ("1", 7)
    assert lib.sized(one) is one
    assert lib.size_of(Over()) == 6


def test_an_abstract_class_names_what_it_lacks(lib: Any) -> None:
    class Half(lib.Both):  # type: ignore[misc,name-defined]
        def label(self) -> str:
            return ""

    with pytest.raises(TypeError, match=r"Half makes no object: it is abstract, as it lacks Sized::size\(\)"):
        Half()
    whole = type("Whole", (Half,), {"size": lambda self: 3})
    assert lib.size_of(whole()) == 3
    with pytest.raises(TypeError, match="pure or private"):
        super(whole, whole()).size()


# The base, the name that Python gives, what the error says.
REFUSED = [
    ("Base", "last", r"overrides Base::last\(\), which is virtual, and which C\+\+ declares final"),
    ("Base", "mixed", r"overrides Base::mixed\(\), .*: other functions of its name are not virtual"),
    ("Square", "all", r"overrides Square::all\(\), .*: its class is made by a template"),
    ("Base", "listed", r"overrides Base::listed\(\), .*: a Python callable cannot take std::vector<int> &"),
]


@pytest.mark.parametrize(("base", "name", "words"), REFUSED)
def test_refused_when_the_class_is_made(lib: Any, base: str, name: str, words: str) -> None:
    cls = getattr(lib, base)
    mixin = type("Mixin", (), {"__slots__": (), name: lambda self: 0})
    plain = type("Plain", (cls,), {})
    for make in (
        lambda: type("Mine", (cls,), {name: lambda self: 0}),
        lambda: type("Mine", (mixin, cls), {}),
        lambda: type("Mine", (plain,), {name: lambda self: 0}),
    ):
        with pytest.raises(TypeError, match=words):
            make()
    with pytest.raises(TypeError, match="when it is there already"):
        setattr(plain, name, lambda self: 0)
    order = type("Behind", (cls, mixin), {})().__class__.__mro__
    assert order.index(cls) < order.index(mixin)


def test_a_private_function_is_not_overridden_later(lib: Any) -> None:
    plain = type("Plain", (lib.Base,), {})
    with pytest.raises(TypeError, match=r"overrides Base::secret\(\), .* when it is there already"):
        plain.secret = lambda self: 0


def test_constructors_of_python_s_own(lib: Any) -> None:
    class Mine(lib.Base):  # type: ignore[misc,name-defined]
        def __new__(cls, text: str) -> Any:
            return super().__new__(cls, len(text))

        def __init__(self, text: str) -> None:
            super().__init__()
            self.seen = lib.f_of(self)

        def f(self, *args: Any) -> int:
            return 10 * super().f(*args)

        seen = property(lambda self: self.a, lambda self, value: setattr(self, "a", value))

    assert (Mine("abc").a, lib.f_of(Mine("abc"))) == (30, 300)


def test_constructors_that_are_protected(lib: Any) -> None:
    mine = type("Mine", (lib.Shy,), {"step": lambda self, n: 10 * n})
    assert mine().run() == 20
    bold = type("Mine", (lib.Shyer,), {"step": lambda self, n: 10 * n})
    assert bold(1).step(2) == 20
    with pytest.raises(sb.ArgumentError, match=r"means Shyer::Shyer\(int.*it is protected"):
        lib.Shyer(1)  # C++ lets nobody else call it: there is the copy alone


def test_named_functions_release_the_gil() -> None:
    lib = sb.compile(
        "struct S { virtual ~S() {} virtual int f() { return 1; } }; inline int ask(S& s) { return s.f(); }",
        name="named", nogil="ask",
    )  # fmt: skip
    assert lib.ask(type("Mine", (lib.S,), {"f": lambda self: 7})()) == 7


def test_what_is_no_function(lib: Any) -> None:
    with pytest.raises(
        TypeError, match=r"overrides Base::f\(\), which is virtual, with what is no function: 5"
    ):
        type("Mine", (lib.Base,), {"f": 5})


def test_a_template_s_class(lib: Any) -> None:
    assert lib.scaled(type("Mine", (lib.Shape["int"],), {"area": lambda self: 20})()) == 1064
    for cls, own in ((lib.Shape["int"], 7), (lib.Square, 12)):
        members = {
            "scaled": lambda self, by, more: 5 * lib.Shape["int"].scaled(self, by, more) + by,
            "plain": lambda self, n: n // 2,
        }
        one = type("Mine", (cls,), members)()
        assert (lib.scaled(cls()), lib.scaled(one)) == (own + 1000, 5 * own + 503)
    one = type("Mine", (lib.Numbered[3],), {"n": lambda self: super(type(self), self).n() + 1})()
    assert lib.n_of(one) == 4
    part = lib.Shape["int*"]
    assert lib.plain_of(type("Mine", (part,), {"plain": lambda self: 8})()) == 8
    with pytest.raises(
        TypeError, match=r"overrides Shape<int ?\*>::get\(\), .*: its class is made by a template"
    ):
        type("Mine", (part,), {"get": lambda self: 2})


def test_private_functions(lib: Any, mine: Any) -> None:
    one = type("Mine", (lib.Derived,), {"secret": lambda self: 600})()
    assert (one.calls(), lib.f_of(one)) == (640, 2)
    with pytest.raises(TypeError, match="it is private: derive a class that overrides it from Base itself"):
        type("Late", (mine,), {"secret": lambda self: 600})


def test_a_unique_ptr_takes_python_s(lib: Any) -> None:
    one = type("Mine", (lib.Owned,), {"f": lambda self: 5})()
    assert lib.take(one) == 5
    with pytest.raises(sb.IntentError, match="It is gone"):
        lib.take(one)


def test_copies_and_pickles(lib: Any, mine: Any) -> None:
    one = mine(7)
    other = copy.copy(one)
    assert (type(other), lib.f_of(other), lib.given(other) is other) == (mine, 1007, True)
    with pytest.raises(TypeError, match="cannot pickle Mine"):
        one.__reduce_ex__(4)


def test_what_is_not_virtual_may_be_hidden(lib: Any) -> None:
    class Mine(lib.Base):  # type: ignore[misc,name-defined]
        def plain(self) -> int:
            return super().plain() * 10

        def __repr__(self) -> str:
            return "mine"

    class Muted(lib.Mute):  # type: ignore[misc,name-defined]
        def f(self) -> int:
            return 7

    one = Mine()
    assert (one.plain(), repr(one), one.f(), one.calls(), Muted().f()) == (30, "mine", 1, 540, 7)
    Mine.more = 3
    assert one.more == 3


def test_the_class_of_python_s_ends(lib: Any) -> None:
    cls = type("Mine", (lib.Base,), {"f": lambda self, *args: 1})
    assert lib.f_of(cls()) == 1
    gone = weakref.ref(cls)
    del cls
    gc.collect()
    assert gone() is None


def test_results_that_point_live_until_the_next_call(lib: Any) -> None:
    mine = type("Mine", (lib.Owned,), {"spare": lambda self: lib.Owned()})()
    before = lib.Owned.alive
    assert lib.alive_while_spared(mine) == before + 1


def test_variables_of_which_each_library_has_one() -> None:
    lib = sb.compile(
        "static int calls = 0; struct S { virtual ~S() {} virtual int f() { return ++calls; } };",
        name="copied",
    )
    with pytest.warns(sb.BindWarning, match="a class that Python derives from S .* which has its own calls"):
        type("Mine", (lib.S,), {"f": lambda self: 1})


AT_THE_END = r"""
import samebytes as sb
lib = sb.compile(r'''
#include <cstdio>
#include <memory>
struct Base { virtual ~Base() {} virtual int f() const { return 1; } virtual int pure() const = 0; };
struct Last {
  std::shared_ptr<Base> kept;
  ~Last() { std::printf("%d %d\n", kept->f(), kept->pure()); }
  int ask() const { return kept->f() + kept->pure(); }
};
inline Last& last() { static Last it; return it; }
''')
class Mine(lib.Base):
    def f(self):
        return 20
    def pure(self):
        return 30
lib.last().kept = Mine()
print(lib.last().ask(), flush=True)
"""


def test_after_the_interpreter_has_ended(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(AT_THE_END)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "50\n1 0\n"), done.stderr
