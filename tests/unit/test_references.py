"""``T&`` without const or an intent: a record is the very object, a value a copy; an array or a list is refused."""

from __future__ import annotations

import array
import ctypes
import re
import warnings
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
#include <array>
#include <map>
#include <optional>
#include <samebytes/vector.hpp>
#include <set>
#include <string>
#include <vector>
enum class Level : int { low, high };
struct Point { double x; double y; };
struct Solid : Point { double z; };
struct Named { Point at; };
class Hidden { int n = 1; public: int shown = 0; int get() const { return n; } friend void grow(Hidden& h) { ++h.n; } };
void grow(Hidden& h);
inline Point& same(Point& p) { p.x += 1; return p; }
inline void shift(Point& p, double by = 1) { p.x += by; }
inline void shift(Named& n, int by, int) { n.at.x += by; }
inline void swap_points(Point& a, Point& b) { Point c = a; a = b; b = c; }
inline int which(Point&) { return 1; }
inline int which(const Point&) { return 2; }
inline int which(double&) { return 3; }
inline int which(const double&) { return 4; }
inline int read(const Point& p) { return p.x; }
struct Tool { void use(Point& p) { p.y = 5; } static void make(Point& p) { p.y = 6; } };
inline void number(double& x) { x += 1; }
inline void level(Level& x) { x = Level::high; }
inline void vec(samebytes::float32x4& x) { x.x = 1; }
inline void three(float (&x)[3]) { x[0] = 9; }
inline void fixed(std::array<double, 2>& x) { x[0] = 9; }
inline void numbers(std::vector<double>& x) { x.push_back(1); }
inline void points(std::vector<Point>& x) { x.clear(); }
inline void unique(std::set<int>& x) { x.clear(); }
inline void table(std::map<int, int>& x) { x.clear(); }
inline void pair(std::pair<int, int>& x) { x.first = 1; }
inline void text(std::string& x) { x += "!"; }
inline void maybe(std::optional<int>& x) { x = 1; }
inline void address(double*& x) { *x = 4; }
inline void moved(std::vector<double>&& x) { x.clear(); }
inline void stated(Point& p) { p.x = 9; }
inline void stated_numbers(std::vector<double>& x) { x.push_back(1); }
inline void placed(double& x) { x = 9; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        made = sb.compile(
            SOURCE, name="references",
            arg_intent={"stated": {"p": "in"}, "stated_numbers": {"x": "in"}, "placed": {"x": "inout_ptr"}},
        )  # fmt: skip
    (text,) = [str(w.message) for w in said if w.category is sb.BindWarning]
    assert "which(double & arg0), number(double & x)" in text  # and of records nothing: they are not lost
    return made


class TestRecords:
    def test_it_is_the_very_object(self, lib: Any) -> None:
        p = lib.Point(1, 2)
        assert lib.same(p) is p
        lib.shift(p)
        lib.shift(p, by=5)
        assert p == lib.Point(8, 2)
        lib.Tool().use(p)
        assert p.y == 5
        lib.Tool.make(p)
        assert p.y == 6

    def test_a_derived_object_and_what_lies_inside(self, lib: Any) -> None:
        solid, named = lib.Solid(), lib.Named()
        lib.shift(solid)
        lib.shift(named.at)
        assert (solid.x, named.at.x) == (1, 1)
        assert lib.same(named.at).x == 2
        assert named.at.x == 2

    def test_two_and_one_twice(self, lib: Any) -> None:
        a, b = lib.Point(1, 2), lib.Point(3, 4)
        lib.swap_points(a, b)
        lib.swap_points(a, a)
        assert (a, b) == (lib.Point(3, 4), lib.Point(1, 2))

    def test_members_that_python_does_not_see(self, lib: Any) -> None:
        hidden = lib.Hidden()
        lib.grow(hidden)
        assert hidden.get() == 2

    def test_a_temporary_lives_as_long_as_what_refers_to_it(self, lib: Any) -> None:
        assert lib.same(lib.Point(1, 2)).x == 2

    def test_a_place_of_ctypes_and_a_pointer(self, lib: Any) -> None:
        class CPoint(ctypes.Structure):
            _fields_ = (("x", ctypes.c_double), ("y", ctypes.c_double))

        held, p = CPoint(), lib.Point(1, 1)
        lib.shift(held)
        lib.shift(sb.Pointer(p))
        assert (held.x, p.x) == (1, 2)

    def test_null_is_no_reference(self, lib: Any) -> None:
        for null in (None, sb.Pointer(0)):
            with pytest.raises(sb.ArgumentError, match="A C\\+\\+ reference is never null"):
                lib.shift(null)

    def test_a_value_is_a_copy_and_that_is_said_once(self, lib: Any) -> None:
        function = sb.compile(SOURCE, name="references_again").shift
        value = lib.Point(1, 2).value
        with pytest.warns(sb.BindWarning, match=r"shift\(\) argument 1 'p': what C\+\+ writes to \(1, 2\) "):
            function((1, 2))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            function((1, 2))
            function((1, 2), 3)
            lib.Point(1, 2)
        with pytest.warns(
            sb.BindWarning, match=r"shift\(\) argument 1 'n': what C\+\+ writes to"
        ):  # another overload
            function(((1, 2),), 3, 4)
        with pytest.warns(sb.BindWarning, match=r"a record, Point\(\.\.\.\), is the very object"):
            assert lib.same(value).x == 2
        assert value.x == 1

    def test_overloads_are_chosen_as_in_cxx(self, lib: Any) -> None:
        assert lib.which(lib.Point(1, 2)) == 1
        assert lib.which(2.0) == 4

    def test_a_stated_in_is_a_copy(self, lib: Any) -> None:
        p = lib.Point(1, 2)
        lib.stated(p)
        lib.stated(np.zeros((), lib.Point.dtype))
        assert p.x == 1


KINDS = ("shift", "number", "level", "vec", "three", "fixed", "numbers", "points", "unique", "table", "pair")


def lists(lib: Any) -> dict[str, list[Any]]:
    """What must not be given where C++ may write, by function."""
    point = np.zeros(1, lib.Point.dtype)
    return {
        "shift": [point, point[0], point.reshape(()), [1, 2]],
        "number": [
            np.zeros(1),
            np.zeros(()),
            np.zeros(3),
            [1.0],
            array.array("d", [1]),
            ctypes.c_double(1),
            bytearray(8),
        ],
        "level": [np.zeros(1, np.int32), [0]],
        "vec": [np.zeros(4, np.float32), [1, 2, 3, 4]],
        "three": [np.zeros(3, np.float32), [1, 2, 3], array.array("f", [1, 2, 3]), (ctypes.c_float * 3)()],
        "fixed": [np.zeros(2), [1, 2]],
        "numbers": [np.zeros(2), [1.0, 2.0], array.array("d", [1])],
        "points": [point, [lib.Point(1, 2)]],
        "unique": [{1, 2}, [1, 2]],
        "table": [{1: 2}],
        "pair": [[1, 2]],
    }


class TestArraysAndLists:
    @pytest.mark.parametrize("name", KINDS)
    def test_they_are_refused_with_both_spellings(self, lib: Any, name: str) -> None:
        for given in lists(lib)[name]:
            for _ in range(2):
                with pytest.raises(sb.IntentError) as refusal:
                    getattr(lib, name)(given)
            words = str(refusal.value)
            first = (
                "'out_return'" if name in ("numbers", "points", "unique", "table", "pair") else "'inout_ptr'"
            )
            assert words.startswith(f"{name}() argument 1 ")
            assert re.search(rf"arg_intent .*{first}.*'in'", words)

    def test_what_other_functions_have_taught_the_core_counts_not(self, lib: Any) -> None:
        for _ in range(3):
            lib.moved(np.zeros(2))
            with pytest.raises(sb.IntentError):
                lib.numbers(np.zeros(2))

    def test_what_is_advised_works(self) -> None:
        source = """
        #include <vector>
        inline void number(double& x) { x = 9; }
        inline void numbers(std::vector<int>& x) { x.push_back(1); }
        """
        x = np.zeros(1)
        sb.compile(source, arg_intent={"number": {"x": "inout_ptr"}, "numbers": {"x": "in"}}).number(x)
        assert x[0] == 9
        lib = sb.compile(source, arg_intent={"number": {"x": "in"}, "numbers": {"x": "in"}})
        assert lib.number(3.0) is None
        assert lib.numbers([1, 2]) is None
        assert sb.compile(source, arg_intent={"numbers": {"x": "out_return"}}).numbers() == [1]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("number", 1.0), ("number", np.float64(1)), ("three", (1, 2, 3)), ("fixed", (1, 2)), ("numbers", (1, 2)),
            ("pair", (1, 2)), ("text", "a"), ("text", b"a"), ("maybe", 1), ("maybe", None), ("numbers", range(3)),
            ("unique", frozenset({1})),
        ],
    )  # fmt: skip
    def test_plain_values_go_in(self, lib: Any, name: str, value: Any) -> None:
        assert getattr(lib, name)(value) is None

    def test_what_cxx_reaches_by_an_address_is_no_copy(self, lib: Any) -> None:
        x = np.zeros(2)
        lib.address(x)
        assert x[0] == 4
        assert lib.moved([1.0]) is None
        lib.placed(x[:1])
        assert x[0] == 9
        assert lib.stated_numbers([1.0]) is None


class TestExplain:
    def test_it_says_what_becomes_of_a_record_and_of_a_value(self, lib: Any) -> None:
        (facts,) = sb.explain(lib, "same").functions
        assert facts.python == "same(p: Point) -> Point"
        assert facts.returns == "the object itself, or a view of it, which keeps what it may lie in"
        (argument,) = facts.arguments
        assert (argument.intent, argument.discarded) == ("in", False)
        assert argument.copies.startswith("nothing of a record: C++ changes it; of a value all")
        assert argument.copies.endswith("what C++ writes there is discarded")

    def test_numbers_are_marked(self, lib: Any) -> None:
        (facts,) = sb.explain(lib, "number").functions
        assert facts.arguments[0].discarded
