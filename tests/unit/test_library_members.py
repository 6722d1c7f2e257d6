"""Members and variables of the standard library's types: values, as parameters and results, and no silent copies."""

from __future__ import annotations

import array
import copy
import datetime
import json
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CODE = r"""
#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

struct Point { int x = 1; };
using Sec = std::chrono::seconds;
using Clock = std::chrono::system_clock::time_point;

struct Bytes {  // trivially copyable
  std::optional<int> maybe;
  std::optional<Point> point;
  std::optional<std::variant<int, double>> either;
  std::variant<int, double> choice{3};
  std::chrono::duration<double> length{0.5};
  Sec seconds{5};
  Clock moment{};
  std::bitset<8> bits{5};
  std::array<std::optional<int>, 2> both{1, 2};
  std::array<Point, 2> points{};
  std::string_view text{"abc"};
  std::chrono::steady_clock::time_point opaque{};
  int tail = 7;
};

struct Fixed { const std::optional<int> fixed{4}; };

struct Deeper : Bytes {
  union { std::optional<short> inner; int raw; };
  Deeper() : inner(9) {}
};

struct Object {
  std::string own;
  std::optional<int> maybe;
  std::optional<std::string> words;
  std::variant<int, std::string> choice{3};
  std::pair<int, double> pair{1, 2.5};
  std::tuple<int, std::string> product{1, "a"};
  std::array<std::pair<int, int>, 2> pairs{};
  std::filesystem::path path{"/tmp"};
  Sec seconds{5};
  std::string_view text{"abc"};
  std::vector<std::string_view> texts{"d"};
  const std::string fixed{"q"};
  const std::function<void()> called;
  std::vector<int> numbers{1, 2};
  std::vector<std::string> names{"a"};
  std::map<std::string, std::vector<std::string>> table{{"k", {"v"}}};
  std::set<int> group{1};
  std::optional<std::vector<std::string>> perhaps{{"p"}};
  std::pair<int, std::vector<std::string>> beside{1, {"b"}};
};

struct Octets { std::uint8_t b[4]; };
template <class T> using List = std::vector<T>;
template <class T> using Table = std::map<std::string, T>;
inline std::vector<std::string> names{"a"};
inline std::string_view shown{"q"};
inline int sum(const std::vector<int>& v) { int s = 0; for (int x : v) s += x; return s; }
inline int count(const std::vector<std::string>& v) { return static_cast<int>(v.size()); }
inline int keys(const std::map<std::string, std::vector<std::string>>& m) { return static_cast<int>(m.size()); }
inline int tripled(const Bytes& b) { return 3 * b.maybe.value_or(-1); }
"""

UTC = datetime.UTC
MEMBERS: dict[
    str, tuple[Any, Any, Any]
] = {  # class and member: first value, another one, one that does not fit
    "Bytes.maybe": (None, 4, "x"),
    "Bytes.point": (None, (5,), "x"),
    "Bytes.either": (None, 2.5, "x"),
    "Bytes.choice": (3, 2.5, "x"),
    "Bytes.length": (datetime.timedelta(seconds=0.5), datetime.timedelta(seconds=1.5), 5),
    "Bytes.seconds": (datetime.timedelta(seconds=5), datetime.timedelta(minutes=2), 5),
    "Bytes.moment": (
        datetime.datetime(1970, 1, 1, tzinfo=UTC),
        datetime.datetime(2001, 2, 3, 4, 5, tzinfo=UTC),
        "x",
    ),
    "Bytes.bits": (5, 255, 256),
    "Bytes.both": ((1, 2), (None, 3), (1,)),
    "Deeper.maybe": (None, 4, "x"),
    "Deeper.inner": (9, None, "x"),
    "Object.maybe": (None, 4, "x"),
    "Object.words": (None, "w", 5),
    "Object.choice": (3, "w", 2.5),
    "Object.pair": ((1, 2.5), (3, 4.0), (1, 2, 3)),
    "Object.product": ((1, "a"), (2, "b"), ("b", 2)),
    "Object.pairs": (((0, 0), (0, 0)), ((1, 2), (3, 4)), ((1, 2),)),
    "Object.path": (Path("/tmp"), Path("/usr/lib"), 5),
    "Object.seconds": (datetime.timedelta(seconds=5), datetime.timedelta(minutes=2), 5),
}


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    return sb.compile(CODE)


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_is_a_value(lib: ModuleType, member: str) -> None:
    kind, name = member.split(".")
    first, other, wrong = MEMBERS[member]
    made = getattr(lib, kind)()
    assert getattr(made, name) == first
    setattr(made, name, other)
    read = getattr(made, name)
    assert (read.x if isinstance(read, lib.Point) else read) == (other[0] if name == "point" else other)
    with pytest.raises(
        sb.Error, match=rf"^{kind.replace('Deeper', '(Bytes|Deeper)')}\.{name}.*: expected"
    ) as refused:
        setattr(made, name, wrong)
    assert "operator" not in str(refused.value)
    assert getattr(made, name) == read


def test_c_plus_plus_sees_what_python_set(lib: ModuleType) -> None:
    made = lib.Bytes()
    made.maybe = 14
    assert lib.tripled(made) == 42
    assert copy.copy(made).maybe == 14
    assert made.tail == 7


def test_objects_in_an_array_are_where_they_lie(lib: ModuleType) -> None:
    made = lib.Bytes()
    made.points[0].x = 11
    assert [point.x for point in made.points] == [11, 1]


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ("Fixed.fixed", r"Fixed\.fixed is const in C\+\+ and cannot be changed"),
        ("Object.fixed", r"Object\.fixed is const in C\+\+ and cannot be changed"),
        ("Bytes.text", r"Bytes\.text is a std::string_view, which only shows text"),
        ("Object.text", r"Object\.text is a std::string_view, which only shows text"),
        ("Object.texts", r"Object\.texts is a std::vector<std::string_view>, which only shows text"),
        ("Object.called", r"Object\.called is const in C\+\+ and cannot be changed"),
    ],
)
def test_what_cannot_be_set_says_why(lib: ModuleType, member: str, words: str) -> None:
    kind, name = member.split(".")
    with pytest.raises(AttributeError, match=words):
        setattr(getattr(lib, kind)(), name, "x")


def test_what_shows_text_is_read(lib: ModuleType) -> None:
    assert (lib.Bytes().text, lib.Object().text, lib.Object().texts, lib.shown) == ("abc", "abc", ["d"], "q")
    with pytest.raises(AttributeError, match="'shown' only shows text"):
        lib.shown = "x"


def test_what_python_knows_no_time_for_stays_what_it_is(lib: ModuleType) -> None:
    one, other = lib.Bytes(), lib.Bytes()
    one.opaque = other.opaque
    assert "steady_clock" in type(one.opaque).__name__


# --- containers are copies, and say so

IN_VAIN = {
    "list": lambda o: o.names.append("b"),
    "item of a list": lambda o: o.names.__setitem__(0, "b"),
    "array": lambda o: o.numbers.__setitem__(0, 100),
    "slice of an array": lambda o: o.numbers[1:].__setitem__(0, 100),
    "array in place": lambda o: o.numbers.sort(),
    "dict": lambda o: o.table.__setitem__("z", []),
    "update of a dict": lambda o: o.table.update(z=[]),
    "list in a dict": lambda o: o.table["k"].append("z"),
    "set": lambda o: o.group.add(5),
    "list that may be there": lambda o: o.perhaps.clear(),
    "list in a pair": lambda o: o.beside[1].pop(),
}


@pytest.mark.parametrize("what", IN_VAIN)
def test_no_change_of_a_copy_is_silent(lib: ModuleType, what: str) -> None:
    made = lib.Object()
    with pytest.raises((TypeError, ValueError), match=r"assign the whole to Object|read-only"):
        IN_VAIN[what](made)


def test_variables_are_copies_that_say_so(lib: ModuleType) -> None:
    with pytest.raises(TypeError, match="assign the whole to names"):
        lib.names.append("b")
    lib.names = [*lib.names, "b"]
    assert lib.names == ["a", "b"]
    with pytest.raises(sb.ArgumentError, match=r"^names\[0\]: expected text"):
        lib.names = [5]


def test_assignments_in_place_assign_the_whole(lib: ModuleType) -> None:
    made = lib.Object()
    made.names += ["b"]
    made.names *= 2
    made.table |= {"l": ["m"]}
    made.group |= {4}
    made.group -= {1}
    made.numbers = made.numbers + 1
    assert made.names == ["a", "b", "a", "b"]
    assert (made.table, made.group) == ({"k": ["v"], "l": ["m"]}, {4})
    assert made.numbers.tolist() == [2, 3]


def test_copies_are_lists_dicts_and_sets_otherwise(lib: ModuleType) -> None:
    made = lib.Object()
    kinds = (list, dict, set)
    for read, kind in zip((made.names, made.table, made.group), kinds, strict=True):
        plain = kind(read)
        assert isinstance(read, kind)
        assert read == plain
        assert repr(read) == repr(plain)
        assert pickle.loads(pickle.dumps(read)) == plain
        assert [type(x) for x in (copy.copy(read), copy.deepcopy(read), read.copy())] == [kind] * 3
        assert type(pickle.loads(pickle.dumps(read))) is kind
    assert type(made.names[:]) is list
    assert type(made.names.__add__(["b"])) is list
    assert json.dumps([made.names, made.table]) == '[["a"], {"k": ["v"]}]'
    with pytest.raises(TypeError):
        hash(made.names)


def test_copies_go_back_to_c_plus_plus(lib: ModuleType) -> None:
    made, other = lib.Object(), lib.Object()
    assert (lib.sum(made.numbers), lib.count(made.names), lib.keys(made.table)) == (3, 1, 1)
    other.names, other.table, other.group = [], {}, set()
    other.names, other.table, other.group = made.names, made.table, made.group
    assert (other.names, other.table, other.group) == (["a"], {"k": ["v"]}, {1})
    assert np.array_equal(made.numbers, [1, 2])


@pytest.mark.parametrize(
    "value",
    [
        array.array("B", [1, 2, 3, 4]),
        range(1, 5),
        bytes([1, 2, 3, 4]),
        bytearray([1, 2, 3, 4]),
        memoryview(b"\1\2\3\4"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_arrays_of_bytes_take_what_shows_bytes(lib: ModuleType, value: Any) -> None:
    made = lib.Octets()
    made.b = value
    assert made.b.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("alias", "words"),
    [
        ("List", r"std::vector<int> is no class in Python: its values are converted .*, as int32\[n\]"),
        ("Table", r"std::map<std::string, int> is no class in Python: .*, as dict\[str, int32\]"),
    ],
)
def test_aliases_of_templates_of_the_library_say_what_stands_for_them(
    lib: ModuleType, alias: str, words: str
) -> None:
    with pytest.raises(sb.ArgumentError, match=words):
        getattr(lib, alias)[int]
