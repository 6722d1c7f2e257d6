"""Hostile scenes of objects that end: what threads do while others end them, lose them, or make and drop classes."""

from __future__ import annotations

import contextlib
import gc
from types import SimpleNamespace
from typing import Any

import numpy as np
from disturbing import Asks

import samebytes as sb

ENDED = """
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
struct P { double x; };
struct T {
  std::string text = "a text that lies on the heap, not in the object"; P p{2}; std::unique_ptr<int> k;
  T() : k(new int(7)) {}
  virtual ~T() { text = "gone"; k.reset(); }
  int get() const { return *k + static_cast<int>(text.size()); }
  int cb(const std::function<void()>& f) const { f(); return get(); }
  T& self() { return *this; }
  const char* words() const { return text.c_str(); }
};
struct Refers { const T& t; explicit Refers(const T& t) : t(t) {} ~Refers() {} int get() const { return t.get(); } };
struct Holder { T inner; ~Holder() {} T& at() { return inner; }
  std::unique_ptr<T> made() { return std::make_unique<T>(); } };
inline int take(std::unique_ptr<T> t) { return t->get(); }
inline int boom(std::unique_ptr<T> t) { throw std::runtime_error("no luck"); }
inline int later(const T& t, const double* x) { return t.get(); }
struct Cursor;
struct Base { int rows = 3; std::string text = "the text of a base that a cursor reads";
  virtual ~Base() { rows = -1; text = ""; }
  virtual Cursor* open(int from); };
struct Cursor { Base& base; int at; Cursor(Base& b, int at) : base(b), at(at) {}
  virtual ~Cursor() { if (base.rows != 3) throw_away(); } static void throw_away() { std::abort(); }
  int next() { return static_cast<int>(base.text.size()) + at++ * 0; } };
inline Cursor* Base::open(int from) { return new Cursor(*this, from); }
inline int connect(Base** out) { *out = new Base; return 0; }
struct S : std::enable_shared_from_this<S> { std::string text = "the text of a shared object"; ~S() { text = ""; }
  std::shared_ptr<S> me() { return shared_from_this(); } int get() const { return static_cast<int>(text.size()); } };
struct Db { std::string text = "the text of a database that a function closes"; T inner; ~Db() { text = ""; }
  int get() const { return static_cast<int>(text.size()); } T& at() { return inner; } };
inline Db* db_open() { return new Db; }
inline Db* db_same(Db* d) { return d; }
inline void db_close(Db* d) { delete d; }
struct Box { std::shared_ptr<S> s; ~Box() {} int get() const { return s ? s->get() : -1; } };
"""
INTENTS = {
    "connect": {"out": "owned"},
    "Base.open": {"return": "owned"},
    "db_open": {"return": sb.owned("db_close")},
    "db_same": {"return": sb.owned("db_close")},
}


def start(lib: Any) -> SimpleNamespace:
    return SimpleNamespace(
        one=lib.T(),
        holder=lib.Holder(),
        base=lib.connect()[1],
        s=lib.S(),
        box=lib.Box(),
        cursor=None,
        db=lib.db_open(),
    )


def _with(lib: Any, shared: SimpleNamespace) -> None:
    with shared.one as one:
        one.get()


def _cb(lib: Any, shared: SimpleNamespace) -> None:
    one = shared.one

    def end() -> None:
        with contextlib.suppress(sb.Error):
            sb.delete(one)

    assert one.cb(end) > 0


def _renew(lib: Any, shared: SimpleNamespace) -> None:
    shared.one, shared.holder, shared.base, shared.cursor = lib.T(), lib.Holder(), lib.connect()[1], None


def _inside(lib: Any, shared: SimpleNamespace) -> None:
    inside = shared.one.p
    assert inside.x == 2.0


def _refers(lib: Any, shared: SimpleNamespace) -> None:
    made = lib.Refers(shared.one)
    assert made.get() > 0


def _held(lib: Any, shared: SimpleNamespace) -> None:
    inner = shared.holder.at()
    assert inner.get() > 0


def _made(lib: Any, shared: SimpleNamespace) -> None:
    made = shared.holder.made()
    assert made.get() > 0
    sb.delete(made)


def _cursor(lib: Any, shared: SimpleNamespace) -> None:
    shared.cursor = shared.base.open(2)
    assert shared.cursor.next() > 0


def _next(lib: Any, shared: SimpleNamespace) -> None:
    if (cursor := shared.cursor) is not None:
        assert cursor.next() > 0


def _close(lib: Any, shared: SimpleNamespace) -> None:
    if (cursor := shared.cursor) is not None:
        sb.delete(cursor)


def _db_close(lib: Any, shared: SimpleNamespace) -> None:
    lib.db_close(shared.db)


def _db_same(lib: Any, shared: SimpleNamespace) -> None:
    db = shared.db
    same = lib.db_same(db)
    assert same is db
    assert same.at().get() > 0


def _db_renew(lib: Any, shared: SimpleNamespace) -> None:
    shared.db = lib.db_open()
    assert shared.db.get() > 0


def _boom(lib: Any, shared: SimpleNamespace) -> None:
    with contextlib.suppress(RuntimeError):
        lib.boom(shared.one)


def _delete(name: str) -> Any:
    return lambda lib, shared: sb.delete(getattr(shared, name))


def _share(lib: Any, shared: SimpleNamespace) -> None:
    shared.box.s = shared.s
    assert shared.s.get() > 0


def _unshare(lib: Any, shared: SimpleNamespace) -> None:
    shared.box.s = None
    shared.s = lib.S()


def _shared_again(lib: Any, shared: SimpleNamespace) -> None:
    seen = shared.box.s
    if seen is not None:
        assert seen.me().get() > 0
        sb.delete(seen)


def _later(lib: Any, shared: SimpleNamespace) -> None:
    one = shared.one

    def end() -> None:
        with contextlib.suppress(sb.Error):
            sb.delete(one)

    assert lib.later(one, Asks(end)) > 0


ACTS = (
    _renew, _renew, _with, _cb, _inside, _refers, _held, _made, _cursor, _next, _close, _boom, _later,
    _delete("one"), _delete("holder"), _delete("base"), _delete("s"), _share, _unshare, _shared_again,
    _db_close, _db_same, _db_renew, _delete("db"), lambda lib, shared: shared.db.at().get(),
    lambda lib, shared: shared.one.get(),
    lambda lib, shared: shared.one.text,
    lambda lib, shared: lib.take(shared.one),
    lambda lib, shared: shared.one.self().get(),
)  # fmt: skip

CLASSES = """
#include <samebytes/array.hpp>
#include <vector>
struct V { int v = 1; V() {} virtual ~V() {} int get() const { return v; } };
inline double array(samebytes::array<const double, 1> a) { return a.size(); }
inline double either(int x) { return x; }
inline double either(const std::vector<double>& x) { return x.size(); }
inline double either(const V& v) { return v.get(); }
inline int get(const V* v) { return v->get(); }
inline int call(int (*f)(int)) { return f(3); }
"""
_ROW = np.zeros(4)


def _once(lib: Any, shared: SimpleNamespace) -> None:
    obj = type("Once", (), {"__array_interface__": _ROW.__array_interface__})()
    assert lib.array(obj) == lib.either(obj) == 4


def _plain(lib: Any, shared: SimpleNamespace) -> None:
    for function in (lib.array, lib.either):
        try:
            function(type("Once", (), {})())
        except sb.Error:
            continue
        raise AssertionError("an object without an array was taken for one")


def _object(lib: Any, shared: SimpleNamespace) -> None:
    obj = type("Once", (lib.V,), {"__slots__": ()})()
    assert lib.either(obj) == lib.get(obj) == 1


def _number(lib: Any, shared: SimpleNamespace) -> None:
    assert lib.either(type("Once", (int,), {})(3)) == 3


def _callable(lib: Any, shared: SimpleNamespace) -> None:
    assert lib.call(type("Once", (), {"__call__": lambda self, x: x})()) == 3


def _shared_class(lib: Any, shared: SimpleNamespace) -> None:
    assert lib.either(shared.cls()) == 1
    shared.cls = type("Once", (lib.V,), {"__slots__": ()})


def _collect(lib: Any, shared: SimpleNamespace) -> None:
    gc.collect()


def start_classes(lib: Any) -> SimpleNamespace:
    return SimpleNamespace(cls=type("Once", (lib.V,), {"__slots__": ()}))


CLASS_ACTS = (_once, _plain, _object, _number, _callable, _shared_class, _shared_class, _collect)
