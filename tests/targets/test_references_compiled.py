"""What C++ refers to, in @njit: the very object, which keeps its owner; what Python gets of it; what is in use."""

from __future__ import annotations

import gc
import sys
import threading
import time
from typing import Any

import pytest

import samebytes as sb
from samebytes import _native

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full

SOURCE = r"""
#include <atomic>
#include <stdexcept>
#include <thread>
inline std::atomic<int>& stage() { static std::atomic<int> n(0); return n; }
inline int at() { return stage(); }
inline void go(int n) { stage() = n; }

struct Inner { int n; Inner& self() { return *this; }
  int wait() const { stage() = 1; while (stage() != 2) std::this_thread::yield(); return n; } };
struct Outer { Inner in; Inner& inner() { return in; }
  Inner& fail(bool f) { if (f) throw std::runtime_error("no"); return in; } };
inline Inner& pick(Inner& a, Inner& b, bool first) { return first ? a : b; }
inline Inner& global() { static Inner one{5}; return one; }
inline Inner make(int n) { return {n}; }
inline void bump(Inner& i) { ++i.n; }

class Holder { int kept = 3; Inner in{7};
 public: ~Holder() { in.n = -1; kept = -1; } Inner& inner() { return in; } int get() const { return kept; } };
inline Holder& either(Holder& a, Holder& b, bool first) { return first ? a : b; }
inline Inner& either_inner(Holder& a, Holder& b, bool first) { return first ? a.inner() : b.inner(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba", name="references")


class TestWhatPythonGets:
    def test_an_argument_is_the_argument(self, lib: Any) -> None:
        one = lib.Inner(1)
        assert njit(lambda i: i)(one) is one
        assert njit(lambda i: i.self())(one) is one
        assert njit(lambda i, k: i if k else lib.make(4))(one, True) is one
        assert njit(lambda i, k: i if k else lib.make(4))(one, False).n == 4

    @pytest.mark.parametrize("use", [lambda o: o.inner(), lambda o: o.fail(False), lambda o: o.in_])
    def test_what_lies_inside_keeps_its_owner(self, lib: Any, use: Any) -> None:
        outer = lib.Outer()
        before = sys.getrefcount(outer)
        seen = njit(use)(outer)
        seen.n = 77
        assert outer.in_.n == 77
        assert sys.getrefcount(outer) == before + 1
        del seen
        assert sys.getrefcount(outer) == before

    def test_one_of_two_keeps_both(self, lib: Any) -> None:
        one, other = lib.Inner(1), lib.Inner(2)
        before = sys.getrefcount(one), sys.getrefcount(other)
        seen = njit(lambda a, b: lib.pick(a, b, False))(one, other)
        seen.n = 44
        assert (one.n, other.n) == (1, 44)
        assert (sys.getrefcount(one), sys.getrefcount(other)) == (before[0] + 1, before[1] + 1)
        del seen
        assert (sys.getrefcount(one), sys.getrefcount(other)) == before

    def test_of_three_by_two_calls(self, lib: Any) -> None:
        given = [lib.Inner(i) for i in range(3)]
        before = [sys.getrefcount(g) for g in given]
        seen = njit(lambda a, b, c: lib.pick(lib.pick(a, b, False), c, True))(*given)
        seen.n = 9
        assert [g.n for g in given] == [0, 9, 2]
        assert [sys.getrefcount(g) for g in given] == [b + 1 for b in before]
        del seen
        assert [sys.getrefcount(g) for g in given] == before

    def test_a_variable_of_cxx(self, lib: Any) -> None:
        njit(lambda: lib.global_())().n = 8
        assert njit(lambda: lib.global_().n)() == lib.global_().n == 8

    def test_two_names_for_one(self, lib: Any) -> None:
        @njit
        def both() -> Any:
            outer = lib.Outer()
            outer.in_.n = 3
            return outer, outer.in_, outer

        one, inner, other = both()
        inner.n = 9
        assert (one.in_.n, other.in_.n) == (9, 9)

    def test_what_is_made_is_new(self, lib: Any) -> None:
        made = njit(lambda i: lib.make(i.n))
        assert made(lib.Inner(3)).n == 3
        assert njit(lambda i: lib.pick(i, lib.Inner(4), False))(lib.Inner(1)).n == 4


class TestInside:
    def test_a_view_keeps_its_owner(self, lib: Any) -> None:
        @njit
        def keep(n: int) -> int:
            last = lib.Outer().inner()
            for i in range(n):
                last = lib.Outer().inner()
                last.n = i
                lib.bump(last)
            return last.n

        assert keep(100) == 100

    def test_owners_are_given_up(self, lib: Any) -> None:
        from numba.core.runtime import _nrt_python, rtsys

        _nrt_python.memsys_enable_stats()

        @njit
        def many(i: Any, fails: bool) -> int:
            total = 0
            for k in range(50):
                outer = lib.Outer()
                seen = lib.pick(outer.inner(), i, k % 2 == 0)
                seen.n += 1
                i = seen if k % 3 else lib.make(k)
                total += i.n
                outer.fail(fails and k == 40)
            return total

        one = lib.Inner(1)
        expected = many.py_func(lib.Inner(1), False)
        assert many(one, False) == expected
        before, count = rtsys.get_allocation_stats(), sys.getrefcount(one)
        for _ in range(5):
            many(one, False)
            with pytest.raises(RuntimeError, match="no"):
                many(one, True)
        gc.collect()
        after = rtsys.get_allocation_stats()
        assert after.alloc - before.alloc == after.free - before.free
        assert sys.getrefcount(one) == count

    def test_another_name_of_an_argument(self, lib: Any) -> None:
        @njit
        def use(p: Any, q: Any, k: bool) -> int:
            r = p if k else lib.Inner(1)
            q.n = 50
            return r.n

        for k in (True, False):
            one, two = lib.Inner(2), lib.Inner(2)
            assert use(one, one, k) == use.py_func(two, two, k)

    def test_what_compiled_functions_pass_on(self, lib: Any) -> None:
        same, made = njit(lambda i: i.self()), njit(lambda n: lib.make(n))

        @njit
        def use(p: Any, k: bool) -> int:
            r = same(p) if k else made(3)
            p.n = 9
            return r.n

        assert (use(lib.Inner(1), True), use(lib.Inner(1), False)) == (9, 3)

    def test_elements_of_arrays_are_places(self, lib: Any) -> None:
        import numpy as np

        @njit
        def use(a: Any) -> None:
            a[0].self().n = 4
            lib.bump(a[1])

        given = np.zeros(2, lib.Inner.dtype)
        use(given)
        assert given["n"].tolist() == [4, 1]


class TestInUse:
    def test_a_reference_into_one_of_two_stops_delete(self, lib: Any) -> None:
        for use in (lib.either, lib.either_inner):
            call = njit(lambda a, b, use=use: use(a, b, True))
            one, other = lib.Holder(), lib.Holder()
            seen = call(one, other)
            for holder in (one, other):
                with pytest.raises(sb.IntentError, match="lie inside of it"):
                    sb.delete(holder)
            del seen
            sb.delete(one)
            sb.delete(other)

    @pytest.mark.parametrize("nested", [False, True])
    def test_what_a_record_lies_in_is_in_use(self, lib: Any, nested: bool) -> None:
        @njit(nogil=True)
        def wait(i: Any) -> int:
            return i.wait()

        @njit(nogil=True)
        def wait_inside(pair: Any) -> int:
            return pair[0].wait()

        call = (lambda i: wait_inside((i, i))) if nested else wait
        holder = lib.Holder()
        seen = holder.inner()
        wait.compile((numba.typeof(seen),))
        wait_inside.compile((numba.typeof((seen, seen)),))
        del seen
        lib.go(0)
        got: list[int] = []
        thread = threading.Thread(target=lambda: got.append(call(holder.inner())))
        thread.start()
        try:
            while lib.at() != 1:
                time.sleep(0.001)
            assert _native.in_use(holder)
            with pytest.raises(sb.IntentError, match="running uses it"):
                sb.delete(holder)
        finally:
            lib.go(2)
            thread.join()
        assert got == [7]
        assert not _native.in_use(holder)
        sb.delete(holder)
