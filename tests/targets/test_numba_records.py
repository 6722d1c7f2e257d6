"""Records, their fields and their owners in code that Numba compiles for the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from on_cpu import library, refused, run

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def lib() -> Any:
    return library()


class TestRecords:
    def test_fields_are_read_and_written(self, lib: Any) -> None:
        point = lib.geo.Point(1.0, 2.0)

        @njit
        def change(p: Any) -> Any:
            p.x = 7
            p.y += 0.5
            return p.x + p.y

        assert change(point) == 9.5
        assert (point.x, point.y) == (7, 2.5)

    def test_nested_records_and_arrays_are_places(self, lib: Any) -> None:
        box = lib.geo.Box(low=(0, 0), high=(2, 3), tags=(1, 2, 3))

        @njit
        def change(b: Any) -> Any:
            b.high.x = 10.0
            b.tags[2] = 9
            b.grid[1, 2] = 4.5
            high = b.high
            high.y = 5.0
            b.low = high
            return lib.geo.area(b), b.tags.sum(), b.grid.shape

        assert change(box) == (0.0, 12, (2, 3))
        assert (box.high.x, box.low.y, box.tags[2], box.grid[1, 2]) == (10, 5, 9, 4.5)

    def test_results_and_arguments(self, lib: Any) -> None:
        assert (
            run(
                lib, "lib.geo.middle(a, lib.geo.Point(4.0, b=0.0))".replace("b=", "y="), lib.geo.Point(2, 2)
            ).x
            == 3
        )
        box = lib.geo.Box(high=(1, 1))
        grown = run(lib, "lib.geo.grown(a, 1.5)", box)
        assert (grown.high.x, grown.tags[1], box.tags[1]) == (2.5, 7, 0)
        assert (
            run(lib, "lib.geo.middle(lib.geo.middle(a, a), lib.geo.middle(a, a)).y", lib.geo.Point(2, 8)) == 8
        )

    def test_a_record_made_in_compiled_code_can_be_changed(self, lib: Any) -> None:
        @njit
        def make(n: int) -> Any:
            first = lib.geo.Point(1.0, 2.0)
            second = first
            for i in range(n):
                second.x += i
            lib.geo.shift(first, 100.0)
            copy = lib.geo.Point(first)
            copy.x = -1.0
            return first, second.x, copy

        first, x, copy = make(4)
        assert (first.x, first.y, x, copy.x, copy.y) == (107, 102, 107, -1, 102)

    def test_each_turn_of_a_loop_makes_its_own(self, lib: Any) -> None:
        @njit
        def chain(n: int) -> Any:
            before = lib.geo.Point(0.0, 0.0)
            gaps = 0.0
            kept = []
            for i in range(n):
                now = lib.geo.middle(before, lib.geo.Point(2.0 * i, 0.0))
                gaps += abs(now.x - before.x)
                before = now
                mine = lib.geo.Point(1.0 * i, 0.0)
                mine.y = 5.0
                kept.append(mine)
            return gaps, before.x, kept[0].x, kept[n - 1].x

        x = gaps = 0.0
        for i in range(6):
            new = (x + 2.0 * i) / 2
            gaps, x = gaps + abs(new - x), new
        assert chain(6) == (gaps, x, 0.0, 5.0)

    def test_what_a_call_returned_can_be_changed(self, lib: Any) -> None:
        @njit
        def change(p: Any) -> Any:
            q = lib.geo.middle(p, p)
            alias = q
            lib.geo.shift(alias, 1.0)
            q.x += 10
            kept = (q, lib.geo.middle(q, q))
            kept[0].y = 50.0
            return q.x, q.y, alias.x, kept[1].y, p.x

        assert change(lib.geo.Point(2, 4)) == (13, 50, 13, 5, 2)

    def test_a_function_of_the_user_s_changes_its_argument(self, lib: Any) -> None:
        @njit
        def helper(p: Any) -> None:
            p.x = 99.0

        @njit
        def make(k: float) -> Any:
            return lib.geo.Point(k, k)

        @njit
        def use() -> Any:
            p = lib.geo.Point(1.0, 2.0)
            helper(p)
            q = make(3.0)
            q.y = 4.0
            r = make(5.0)
            return p.x, q.x, q.y, r.y

        assert use() == (99, 3, 4, 5)

    def test_structs_that_are_only_read_stay_in_registers(self, lib: Any) -> None:
        from numba.core.runtime import _nrt_python, rtsys

        @njit
        def read(n: int) -> float:
            p = lib.geo.Point(0.0, 0.0)
            for i in range(n):
                p = lib.geo.middle(p, lib.geo.Point(1.0 * i, 1.0))
            return p.x + p.y

        read(3)
        _nrt_python.memsys_enable_stats()
        before = rtsys.get_allocation_stats().mi_alloc
        read(1000)
        assert rtsys.get_allocation_stats().mi_alloc == before

    def test_structured_arrays_hold_records(self, lib: Any) -> None:
        points = np.zeros(4, lib.geo.Point.dtype)

        @njit
        def change(ps: Any) -> Any:
            for i in range(ps.size):
                lib.geo.shift(ps[i], 1.0 * i)
            return lib.geo.middle(ps[1], ps[3]).x

        assert change(points) == 2
        assert points["x"].tolist() == [0, 1, 2, 3]

    def test_layouts_that_are_not_plain(self, lib: Any) -> None:
        assert run(lib, "lib.sum_bits(lib.bits(5, -3, 70000))") == 5 - 30 + 70000000
        assert run(lib, "(lib.bits(5, -3, 9).a, lib.bits(5, -3, 9).b, lib.bits(1, 2, 3).c)") == (5, -3, 3)
        assert run(lib, "lib.last(lib.mixed(4))") == 305
        assert run(lib, "lib.mixed(4).v.w, lib.mixed(4).flag, lib.mixed(4).col, lib.mixed(4).big") == (
            4, True, lib.Col.blue, 1 << 40,
        )  # fmt: skip
        assert run(lib, "lib.aligned(lib.wide(2.0)), lib.wide(2.0).f[3]") == (True, 2.0)
        assert run(lib, "lib.of_large(lib.large(2.5)), lib.large(1.5).v[39]") == (2.5, 1.5)
        bits = lib.Bits()

        @njit
        def change(b: Any) -> Any:
            b.b = -7
            b.c = 1 << 20
            b.a = 6
            return b.a, b.b, b.c

        assert change(bits) == (6, -7, 1 << 20)
        assert (bits.a, bits.b, bits.c) == (6, -7, 1 << 20)

    def test_a_bit_field_takes_what_it_holds(self, lib: Any) -> None:
        @njit
        def change(b: Any, a: int, other: int) -> None:
            b.a = a
            b.b = other

        bits = lib.Bits()
        change(bits, 7, -16)
        assert (bits.a, bits.b) == (7, -16)
        for wrong in ((8, 0), (-1, 0), (0, 16), (0, -17)):
            with pytest.raises(sb.RangeError, match=r"Bits\.[ab].*an integer outside"):
                change(bits, *wrong)
        assert (bits.a, bits.b) == (0, -16)

    def test_an_object_is_not_moved_from(self) -> None:
        lib = sb.compile(
            "struct P { int a; int kind() const & { return 1; } int kind() && { return 2; } };"
            " inline int of(P&&) { return 2; } inline int of(const P&) { return 1; }",
            target="numba",
        )
        assert njit(lambda p: (p.kind(), lib.of(p)))(lib.P(3)) == (1, 1)

    def test_bases(self) -> None:
        lib = sb.compile(
            "struct A { int a = 1; int f() const { return a; } int same() const { return 1; } };"
            " struct B { int b = 2; int g() { return ++b; } int same() const { return 2; } };"
            " struct C : A, B { int c = 3; }; struct D : C { int d = 4; int f() const { return 40; } };"
            " inline int of(const B& x) { return x.b; } inline int at(B* x) { return x->b *= 10; }"
            " inline int which(const B&) { return 1; } inline int which(const D&) { return 2; }",
            target="numba",
        )

        @njit
        def use(d: Any) -> Any:
            d.g()
            return d.f(), d.g(), lib.of(d), lib.at(d), d.b, d.a

        d = lib.D()
        assert use(d) == (40, 4, 4, 40, 40, 1)
        assert d.b == 40
        assert njit(lambda d: lib.which(d) * 10 + lib.which(lib.C()))(d) == 21
        assert njit(lambda: lib.C().f() + lib.of(lib.C()))() == 3
        with pytest.raises(Exception, match="same"):
            njit(lambda d: d.same())(d)

    def test_a_template_beside_a_class(self) -> None:
        lib = sb.compile(
            "struct Pair { int a, b; }; template <class T> T twice(T x) { return x + x; }"
            " template <class T> T first(Pair p) { return p.a; }",
            target="numba",
        )
        twice, first = lib.twice[float], lib.first[int]
        assert njit(lambda x: twice(x))(2.5) == lib.twice(2.5) == 5
        assert njit(lambda p: first(p))(lib.Pair(3, 4)) == first((3, 4)) == 3

    def test_words(self, lib: Any) -> None:
        point = lib.geo.Point(1, 2)
        assert "area() argument 1 'b': expected geo::Box, got" in refused(lib, "lib.geo.area(a)", point)
        assert "Point(x, y)" in refused(lib, "lib.geo.Point(1.0, 2.0, 3.0)")
        assert "no field 'z'" in refused(lib, "lib.geo.Point(z=1.0)")
        with pytest.raises(numba.core.errors.TypingError, match="expected float64, got bool"):
            run(lib, "lib.geo.Point(a)", True)

    def test_records_do_not_leak(self, lib: Any) -> None:
        from numba.core.runtime import _nrt_python, rtsys

        _nrt_python.memsys_enable_stats()

        @njit
        def many(p: Any) -> Any:
            for i in range(100):
                q = lib.geo.Point(1.0 * i, 2.0)
                q.x += lib.large(1.0).v[39]
                p = lib.geo.middle(p, q)
            return p

        many(lib.geo.Point(1, 1))
        before = rtsys.get_allocation_stats()
        for _ in range(5):
            many(lib.geo.Point(1, 1))
        after = rtsys.get_allocation_stats()
        assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free > 0
