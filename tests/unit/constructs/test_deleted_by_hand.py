"""Objects of intent ``"owned"`` that are given to their deleter by hand, or handed over twice: each ends once."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <functional>
#include <memory>
#include <stdexcept>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
struct P { double x; };
struct Inner { int k = 4; ~Inner() {} };
struct Base { P p{2}; Inner inner; int v = 5; Base() { ++alive(); } virtual ~Base() { --alive(); v = -1; }
  virtual void Release() { delete this; }
  Inner& at() { return inner; } int get() const { return v; }
  int with(const std::function<void()>& f) { f(); return v; } };
struct Far { int far = 1; virtual ~Far() {} };
struct Db : Base, Far { void Release() override { delete static_cast<Base*>(this); } };
struct Lock { int held = 1; ~Lock() {} void Release() { held = 0; } };
struct Row { int n; };
inline Db* db_open() { return new Db; }
inline Base* base_open() { return new Db; }
inline Far* far_open() { return new Db; }
inline Base* raising_open() { return new Base; }
inline Base* freed_open() { return new Base; }
inline Row* row_open() { return new Row{3}; }
inline void row_close(Row* r) { delete r; }
inline void db_close(Base* b) { delete b; }
inline void db_close(Base* b, int why) { delete b; }
inline int far_close(void* f) { delete static_cast<Far*>(f); return 0; }
inline void raising_close(Base* b) { delete b; throw std::runtime_error("late"); }
inline void pair_close(Base* b, const Base* other = nullptr) { delete b; }
inline Base* seen(Base* b) { return b; }
inline int use(const Base* b) { return b->v; }
inline int use(const Far* f) { return f->far; }
inline Base* kept(Base* b = nullptr) { static Base* last = nullptr; if (b) last = b; return last; }

inline void two(Base** a, Base** b) { *a = new Base; *b = *a; }
inline void two_ways(Base** a, Base** b) { *a = new Base; *b = *a; }
inline Base* same(Base* b) { return b; }
inline Base*& global() { static Base* b = nullptr; return b; }
inline Base* again() { if (!global()) global() = new Base; return global(); }
inline void renew() { global() = nullptr; }
inline Base* plain() { return new Base; }
struct S : std::enable_shared_from_this<S> { ~S() {} std::shared_ptr<S> me() { return shared_from_this(); } };
inline std::shared_ptr<S> shared() { return std::make_shared<S>(); }
inline Row* row_again() { static Row* r = new Row{8}; return r; }
"""
CLOSE = sb.owned("db_close")
INTENTS: dict[str, dict[Any, Any]] = {
    "db_open": {"return": sb.owned("Release")},
    "base_open": {"return": CLOSE},
    "far_open": {"return": sb.owned("far_close")},
    "raising_open": {"return": sb.owned("raising_close")},
    "freed_open": {"return": sb.owned("pair_close")},
    "row_open": {"return": sb.owned("row_close")},
    "two": {"a": "owned", "b": "owned"},
    "two_ways": {"a": "owned", "b": CLOSE},
    "same": {"return": "owned"},
    "again": {"return": "owned"},
    "plain": {"return": "owned"},
    "row_again": {"return": "owned"},
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, arg_intent=INTENTS)


def test_explain_says_what_ends_a_result(lib: Any) -> None:
    found = {
        name: sb.explain(lib, name).functions[0].returns
        for name in ("db_open", "base_open", "plain", "shared")
    }
    assert found == {
        "db_open": "owned; Python ends it by it->Release()",
        "base_open": "owned; Python ends it by db_close(it)",
        "plain": "owned; Python ends it by delete it",
        "shared": "the object itself, which Python and C++ share",
    }
    assert "the result: owned; Python ends it by delete it" in str(sb.explain(lib, "plain"))


def _count(lib: Any) -> int:
    gc.collect()
    count: int = lib.count()
    return count


def _kept_method(lib: Any, db: Any) -> None:
    release = db.Release
    release()


ENDS: dict[str, tuple[str, Any, str]] = {
    "a method": ("db_open", lambda lib, o: o.Release(), r"Release\(\)"),
    "a bound method": ("db_open", _kept_method, r"Release\(\)"),
    "of its class": ("db_open", lambda lib, o: lib.Db.Release(o), r"Release\(\)"),
    "of its base": ("db_open", lambda lib, o: lib.Base.Release(o), r"Release\(\)"),
    "a function": ("base_open", lambda lib, o: lib.db_close(o), r"db_close\(\)"),
    "an overload": ("base_open", lambda lib, o: lib.db_close(o, 3), r"db_close\(\)"),
    "a keyword": ("base_open", lambda lib, o: lib.db_close(b=o), r"db_close\(\)"),
    "keywords in another order": ("base_open", lambda lib, o: lib.db_close(why=1, b=o), r"db_close\(\)"),
    "void*": ("far_open", lambda lib, o: lib.far_close(o), r"far_close\(\)"),
    "what else sees it": ("base_open", lambda lib, o: lib.db_close(lib.seen(o)), r"db_close\(\)"),
    "a view of it": ("base_open", lambda lib, o: (lib.kept(o), lib.db_close(lib.kept())), r"db_close\(\)"),
    "an argument by default": ("freed_open", lambda lib, o: lib.pair_close(o), r"pair_close\(\)"),
    "owned by delete": ("plain", lambda lib, o: lib.db_close(o), r"db_close\(\)"),
}  # fmt: skip


@pytest.mark.parametrize("case", ENDS)
def test_it_is_gone_and_ends_once(lib: Any, case: str) -> None:
    make, close, words = ENDS[case]
    before = _count(lib)
    one = getattr(lib, make)()
    close(lib, one)
    assert _count(lib) == before
    with pytest.raises(sb.IntentError, match=rf"It is gone: it was given to .*{words}"):
        lib.use(one)
    with pytest.raises(sb.IntentError, match="It is gone"):
        close(lib, one)
    with pytest.raises(sb.IntentError, match="It is gone already: it was given to"):
        sb.delete(one)
    del one
    assert _count(lib) == before


REFUSED: dict[str, tuple[Any, str]] = {
    "inside": (lambda lib, o: (o.p, lib.pair_close(o)), r"objects that lie inside of it or refer to it \(P\)"),
    "a sub-object": (lambda lib, o: (o.at(), lib.pair_close(o)), r"refer to it \(Inner\)"),
    "twice": (lambda lib, o: lib.pair_close(o, o), "Another argument of this call is it"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_as_delete_is(lib: Any, case: str) -> None:
    act, words = REFUSED[case]
    one = lib.freed_open()
    with pytest.raises(sb.IntentError, match=words):
        act(lib, one)
    gc.collect()
    assert one.get() == 5
    lib.pair_close(one)
    with pytest.raises(sb.IntentError, match="It is gone"):
        one.get()


def test_a_running_call_uses_it(lib: Any) -> None:
    one, words = lib.freed_open(), []

    def end() -> None:
        with pytest.raises(sb.IntentError, match="A call that is still running uses it") as found:
            lib.pair_close(one)
        words.append(found)

    call = getattr(one, "with_", None) or getattr(one, "with")
    assert (call(end), len(words)) == (5, 1)


def test_a_deleter_that_raises_has_ended_it(lib: Any) -> None:
    before, one = _count(lib), lib.raising_open()
    with pytest.raises(RuntimeError, match="late") as found:
        lib.raising_close(one)
    assert "gone: Base" in found.value.__notes__[0]
    with pytest.raises(sb.IntentError, match=r"given to raising_close\(\), which raised RuntimeError: late"):
        one.get()
    del one
    assert _count(lib) == before


def test_what_python_made_or_nobody_owns(lib: Any) -> None:
    made, lock = lib.Base(), lib.Lock()
    with pytest.raises(sb.IntentError, match="Python made it"):
        lib.pair_close(made)
    lock.Release()
    assert (made.get(), lock.held) == (5, 0)
    row = lib.row_open()
    with pytest.raises(sb.IntentError, match="Python owns it, and ends it with the last reference"):
        lib.row_close(row)
    assert row.n == 3


def test_two_outputs_are_one_object(lib: Any) -> None:
    before = _count(lib)
    a, b = lib.two()
    assert a is b
    sb.delete(a)
    assert _count(lib) == before


def test_a_second_deleter_is_refused(lib: Any) -> None:
    before = _count(lib)
    with pytest.raises(sb.IntentError, match="Python owns already"):
        lib.two_ways()
    assert _count(lib) == before


def test_an_argument_comes_back(lib: Any) -> None:
    one = lib.plain()
    assert lib.same(one) is one
    made = lib.Base()
    with pytest.raises(sb.IntentError, match="Python owns already"):
        lib.same(made)
    assert (one.get(), made.get()) == (5, 5)


def test_a_getter_that_is_no_maker(lib: Any) -> None:
    lib.renew()
    one = lib.again()
    inner = one.at()
    assert lib.again() is one
    del one
    two = lib.again()  # what lies inside of it kept it
    assert (two.get(), inner.k) == (5, 4)
    del inner
    sb.delete(two)
    lib.renew()
    assert lib.again().get() == 5
    lib.renew()


def test_records_have_one_owner(lib: Any) -> None:
    first, second = lib.row_again(), lib.row_again()
    assert (first.n, second.n) == (8, 8)


def test_addresses_that_come_again_are_other_objects(lib: Any) -> None:
    before = _count(lib)
    for _ in range(200):
        one = lib.plain()
        lib.db_close(one)
        two = lib.plain()
        assert two is not one
        assert two.get() == 5
        sb.delete(two)
        three = lib.base_open()
        del three
    assert _count(lib) == before


def _fail(one: Any, keeps: list[Any]) -> None:
    with one:
        keeps.append(one.p)
        raise ValueError("of the body")


@pytest.mark.parametrize("make", ["plain", "Base"])
def test_the_body_of_a_with_statement_raises(lib: Any, make: str) -> None:
    one, keeps = getattr(lib, make)(), list[Any]()
    with pytest.raises(ValueError, match="of the body") as found:
        _fail(one, keeps)
    assert "was not ended" in found.value.__notes__[0]
    assert "lie inside of it or refer to it (P)" in found.value.__notes__[0]
    with pytest.raises(sb.IntentError, match="lie inside of it"):
        one.__exit__(None, None, None)
    keeps.clear()
    sb.delete(one)


def test_what_else_shares_it(lib: Any) -> None:
    one = lib.shared()
    me = one.me()
    with pytest.raises(sb.IntentError, match=r"refer to it \(S\): drop them first"):
        sb.delete(one)
    del me
    sb.delete(one)
