"""pybind11's test_stl.py in our words: the standard library's classes as values of Python's, and back."""

from __future__ import annotations

import collections
import gc
import pathlib
from collections.abc import Mapping, Sequence, Set

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <array>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <valarray>
#include <variant>
#include <vector>

inline std::vector<int> vector() { return {1}; }
inline bool is_vector(const std::vector<int>& v) { return v == std::vector<int>{1, 2}; }
inline std::vector<bool> bits() { return {true, false}; }
inline bool is_bits(const std::vector<bool>& v) { return v == std::vector<bool>{true, false}; }
inline std::vector<bool>* many_bits() { static std::vector<bool> v(4513, true); return &v; }
inline const std::vector<std::string>* texts() { static std::vector<std::string> v{"lvalue", "lvalue"}; return &v; }
inline std::vector<std::string> copies(const std::vector<std::string_view>& v) { return {v.begin(), v.end()}; }
inline std::string joined(const std::vector<std::string_view>& v, const std::filesystem::path&) {
  std::string s;
  for (auto x : v) s += x;
  return s;
}
inline std::string deeply_joined(const std::vector<std::vector<std::string_view>>& v, const std::filesystem::path&) {
  std::string s;
  for (auto& x : v) for (auto y : x) s += y;
  return s;
}
inline std::deque<int> deque() { return {1}; }
inline bool is_deque(const std::deque<int>& v) { return v == std::deque<int>{1, 2}; }
inline std::array<int, 2> array() { return {1, 2}; }
inline bool is_array(const std::array<int, 2>& a) { return a[0] == 1 && a[1] == 2; }
struct Given { int v; std::string s; explicit Given(int v) : v(v) {} };
struct Arrays { std::array<Given, 2> all; explicit Arrays(int i) : all{{Given(10 + i), Given(20 + i)}} {} };
inline std::valarray<int> squares() { return {1, 4, 9}; }
inline int total(const std::valarray<int>& v) { return v.sum(); }
inline std::map<std::string, std::string> map() { return {{"key", "value"}}; }
inline bool is_map(const std::map<std::string, std::string>& m) { return m.size() == 2 && m.at("key2") == "value2"; }
inline std::set<std::string> set() { return {"key1", "key2"}; }
inline bool is_set(const std::set<std::string>& s) { return s.size() == 3 && s.count("key3"); }

struct Holder {
  int value;
  explicit Holder(int v) : value(v) { ++lives; }
  Holder(Holder&& o) : value(o.value) { ++lives; }
  ~Holder() { --lives; }
  static inline int lives = 0;
};
inline std::vector<std::unique_ptr<Holder>> owners() {
  std::vector<std::unique_ptr<Holder>> v;
  for (int i : {7, 42}) v.push_back(std::make_unique<Holder>(i));
  return v;
}
inline std::vector<Holder> moved() { std::vector<Holder> v; for (int i : {0, 1, 2}) v.emplace_back(i); return v; }
inline std::map<std::string, std::vector<std::array<std::map<std::string, int>, 1>>> nested() {
  return {{"a", {{{{{"b", 1}, {"c", 2}}}}, {{{{"d", 3}}}}}}};
}
struct Element { std::string text; explicit Element(std::string t) : text(t) {} Element(const Element&) = default; };
struct Container { std::vector<Element> list; };
inline std::vector<std::reference_wrapper<Element>> references(Element& e) {
  static Element first("first");
  return {first, e};
}
inline std::vector<Holder*> handed() { return {new Holder(1)}; }

inline int twice(const std::optional<int>& o) { return o ? 2 * *o : 0; }
inline std::optional<int> half(int n) { return n ? std::optional<int>(n / 2) : std::nullopt; }
inline int or_default(std::optional<int> o = std::nullopt) { return o.value_or(42); }
struct Fixed { const int n; explicit Fixed(int n) : n(n) {} ~Fixed() {} };
inline int of_fixed(const std::optional<Fixed>& f) { return f ? f->n : 42; }
struct Member { std::optional<std::string> text = "set"; bool has() const { return text.has_value(); } };
inline std::filesystem::path parent(const std::filesystem::path& p) { return p.parent_path(); }
inline std::vector<std::filesystem::path> parents(std::vector<std::filesystem::path> v) {
  for (auto& p : v) p = p.parent_path();
  return v;
}
using Any = std::variant<int, std::string, double, std::nullptr_t>;
inline std::string which(const Any& v) {
  const char* names[] = {"int", "string", "double", "null"};
  return names[v.index()];
}
inline std::pair<Any, Any> both() { return {5, "Hello"}; }
using Maybe = std::variant<std::monostate, int, std::string>;
inline std::string which_maybe(const Maybe& v) {
  const char* names[] = {"nothing", "int", "string"};
  return names[v.index()];
}
inline std::tuple<Maybe, Maybe, Maybe> all_maybe() { return {{}, 5, "Hello"}; }
inline std::vector<int> or_null(const std::vector<int>* v = nullptr) { return v ? *v : std::vector<int>{-1}; }
inline int count(const std::vector<std::string>& v) { return 10 + v.size(); }
inline int count(const std::string& s) { return s.size(); }

inline int of_vector(const std::vector<int>& v) { int n = 0; for (int x : v) n = 10 * n + x; return n; }
inline int of_array(const std::array<int, 2>& v) { return 10 * v[0] + v[1]; }
inline int of_pairs(const std::vector<std::pair<int, int>>& v) {
  int n = 0;
  for (auto& [a, b] : v) n += a * b;
  return n;
}
inline int of_set(const std::set<int>& v) { int n = 0; for (int x : v) n += x; return n; }
inline int of_map(const std::map<int, int>& v) { int n = 0; for (auto& [a, b] : v) n += a * b; return n; }

struct Spot { static inline int alive = 0; Spot() { ++alive; } Spot(const Spot&) { ++alive; } ~Spot() { --alive; } };
inline std::vector<Spot*> bare() { static Spot one; return {&one}; }
inline std::vector<std::unique_ptr<Spot>> owned() {
  std::vector<std::unique_ptr<Spot>> all;
  all.emplace_back(new Spot);
  return all;
}
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


class Like:
    """What has the methods of a sequence, a mapping or a set, and is none of Python's."""

    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, item):
        return item in self.data

    def __getitem__(self, key):
        return self.data[key]

    def items(self):
        return self.data.items()


@pytest.mark.behaviour("test_vector")
def test_vectors(lib):
    values = list(lib.vector())
    assert values == [1]
    assert lib.is_vector([*values, 2])
    assert lib.is_vector((1, 2))
    assert list(lib.bits()) == [True, False]
    assert lib.is_bits([True, False])
    assert lib.is_bits((True, False))
    assert lib.texts() == ["lvalue", "lvalue"]
    texts = [f"a{n}" for n in range(10000, 10010)]
    assert lib.copies(texts) == lib.copies([t.encode() for t in texts]) == texts


@pytest.mark.behaviour("test_string_view_life_support_during_argument_conversion")
def test_views_outlive_the_list_that_a_later_argument_clears(lib):
    source = ["".join(["fir", "st"]), "".join(["sec", "ond"])]

    class Clears:
        def __fspath__(self):
            source.clear()
            gc.collect()
            return "."

    assert lib.joined(source, Clears()) == "firstsecond"
    assert source == []


@pytest.mark.behaviour("test_string_view_life_support_for_nested_containers")
def test_views_in_lists_of_lists_outlive_them(lib):
    source = [["".join(["one", "!"])], ["".join(["two", "!"]), "".join(["three", "!"])]]

    class Clears:
        def __fspath__(self):
            source.clear()
            gc.collect()
            return "."

    assert lib.deeply_joined(source, Clears()) == "one!two!three!"


@pytest.mark.behaviour("test_string_view_life_support_for_generator")
def test_views_of_what_a_generator_makes(lib):
    made = (f"{word}{number}" for number, word in enumerate(["first", "second"]))
    assert lib.joined(made, ".") == lib.joined(["first0", "second1"], ".")


@pytest.mark.behaviour("test_deque")
def test_deques(lib):
    assert list(lib.deque()) == [1]
    assert lib.is_deque([1, 2])
    assert lib.is_deque((1, 2))
    assert lib.is_deque(np.array([1, 2], np.int32))


@pytest.mark.behaviour("test_array")
@pytest.mark.behaviour("test_array_cast_sequence")
def test_arrays(lib):
    assert tuple(lib.array()) == (1, 2)
    assert lib.is_array([1, 2])
    assert lib.is_array((1, 2))
    with pytest.raises(sb.ArgumentError, match="expected"):
        lib.is_array([1, 2, 3])


@pytest.mark.behaviour("test_array_no_default_ctor", refused=True)
def test_arrays_of_objects_that_need_an_argument(lib):
    arrays = lib.Arrays(3)
    assert [one.v for one in arrays.all] == [13, 23]
    with pytest.raises(
        sb.ArgumentError, match=r"field 'all' is an array of C\+\+ objects: only their methods"
    ):
        arrays.all = lib.Arrays(4).all
    assert [one.v for one in arrays.all] == [13, 23]


@pytest.mark.behaviour("test_valarray")
def test_valarrays(lib):
    assert lib.total(lib.squares()) == sum(lib.squares())
    assert lib.total([3, 4]) == lib.total(np.array([3, 4], np.int32)) == 7


@pytest.mark.behaviour("test_map")
def test_maps(lib):
    made = lib.map()
    assert made == {"key": "value"}
    assert lib.is_map(made | {"key2": "value2"})


@pytest.mark.behaviour("test_set")
def test_sets(lib):
    made = lib.set()
    assert made == {"key1", "key2"}
    assert lib.is_set(made | {"key3"})
    assert lib.is_set(frozenset(made | {"key3"}))


@pytest.mark.behaviour("test_recursive_casting")
@pytest.mark.behaviour("test_move_out_container")
def test_containers_in_containers(lib):
    assert lib.nested() == {"a": [({"b": 1, "c": 2},), ({"d": 3},)]}
    assert [one.value for one in lib.owners()] == [7, 42]
    assert [one.value for one in lib.moved()] == [0, 1, 2]
    gc.collect()
    assert lib.Holder.lives == 0


@pytest.mark.behaviour("test_optional")
def test_optionals(lib):
    assert (lib.twice(None), lib.twice(21), lib.half(0), lib.half(42)) == (0, 42, None, 21)
    with pytest.raises(sb.ArgumentError, match="got 'foo'"):
        lib.twice("foo")
    assert [lib.or_default(*args) for args in ((), (None,), (42,), (43,))] == [42, 42, 42, 43]
    assert (lib.of_fixed(None), lib.of_fixed(lib.Fixed(43))) == (42, 43)
    with pytest.raises(sb.ArgumentError, match="Fixed"):
        lib.of_fixed(43)
    member = lib.Member()
    assert (member.text, member.has()) == ("set", True)
    member.text = None
    assert (member.text, member.has()) == (None, False)


@pytest.mark.behaviour("test_fs_path")
def test_paths(lib):
    class Text:
        def __fspath__(self):
            return "foo/bar"

    class Bytes:
        def __fspath__(self):
            return b"foo/bar"

    for path in (pathlib.Path("foo/bar"), "foo/bar", b"foo/bar", Text(), Bytes()):
        assert lib.parent(path) == pathlib.Path("foo")
    assert lib.parents(["foo/bar", pathlib.Path("foo/baz")]) == [pathlib.Path("foo")] * 2


@pytest.mark.behaviour("test_variant")
@pytest.mark.behaviour("test_variant_monostate")
def test_variants(lib):
    assert [lib.which(x) for x in (1, "1", 1.0, None)] == ["int", "string", "double", "null"]
    assert lib.both() == (5, "Hello")
    assert [lib.which_maybe(x) for x in (None, 1, "1")] == ["nothing", "int", "string"]
    assert lib.all_maybe() == (None, 5, "Hello")


@pytest.mark.behaviour("test_vec_of_reference_wrapper")
def test_references_in_a_vector(lib):
    mine = lib.Element("mine")
    first, second = lib.references(mine)
    assert (first.text, second.text) == ("first", "mine")
    second.text = "changed"
    assert mine.text == "changed"


@pytest.mark.behaviour("test_stl_pass_by_pointer")
def test_containers_by_pointer(lib):
    assert list(lib.or_null([1, 2, 3])) == [1, 2, 3]
    assert list(lib.or_null(None)) == list(lib.or_null()) == [-1]  # null, as in C++


@pytest.mark.behaviour("test_function_with_string_and_vector_string_arg")
def test_a_text_is_no_list_of_texts(lib):
    assert (lib.count(("A", "B")), lib.count(["A", "B"]), lib.count("A")) == (12, 12, 1)


@pytest.mark.behaviour("test_issue_1561")
def test_a_member_that_is_a_list_of_objects(lib):
    one = lib.Container()
    one.list = [lib.Element("bar")]
    assert [e.text for e in one.list] == ["bar"]


@pytest.mark.behaviour("test_return_vector_bool_raw_ptr")
def test_a_pointer_to_bits(lib):
    many = lib.many_bits()
    assert (len(many), all(many)) == (4513, True)


@pytest.mark.behaviour("test_pass_std_vector_int", refused=True)
@pytest.mark.parametrize("name", ["of_vector", "of_array"])
def test_numbers_in_order_are_a_list_or_an_array(lib, name):
    f = getattr(lib, name)
    assert f([7, 3]) == f((7, 3)) == f(np.array([7, 3], np.int32)) == 73
    for other in ({6, 2}, {"x": 0}, {}):
        with pytest.raises(sb.ArgumentError, match=r"expected (a list|carray).* got .*"):
            f(other)


@pytest.mark.behaviour("test_pass_std_vector_int")
@pytest.mark.behaviour("test_list_caster_fully_consumes_generator_object")
def test_numbers_that_are_gone_through_once(lib):
    """A vector takes them; of an array of so many nothing is taken."""
    views = {"x": 8, "y": 1}.values(), {3: 1, 9: 1}.keys()
    assert [lib.of_vector(view) for view in views] == [81, 39]
    assert lib.of_vector(map(int, "12")) == 12
    generator = (i for i in [4, 7])
    for other in (*views, generator):
        with pytest.raises(sb.ArgumentError, match=r"expected carray.* got .*"):
            lib.of_array(other)
    assert (lib.of_vector(generator), list(generator)) == (47, [])


@pytest.mark.behaviour("test_pass_std_vector_pair_int", refused=True)
def test_pairs_in_order_are_a_list(lib):
    assert lib.of_pairs([(1, 2), [3, 4]]) == 14
    assert lib.of_pairs(list({1: 2, 3: 4}.items())) == 14
    assert lib.of_pairs({1: 2}.items()) == 2
    assert lib.of_pairs(zip([5], [13], strict=True)) == 65
    with pytest.raises(sb.ArgumentError, match="expected a list of tuple"):
        lib.of_pairs({1: 2})


@pytest.mark.behaviour("test_pass_std_set_int", refused=True)
@pytest.mark.behaviour("test_set_caster_dict_keys_failure")
@pytest.mark.behaviour("test_set_caster_protocol")
def test_sets_are_sets_or_lists(lib):
    assert lib.of_set({3, 15}) == lib.of_set(frozenset({3, 15})) == lib.of_set([3, 15, 3]) == 18
    assert lib.of_set(set()) == 0
    formal = type("Formal", (Like, Set), {})
    assert lib.of_set({5: 1}.keys()) == 5
    assert lib.of_set({}.values()) == lib.of_set(i for i in []) == 0
    assert lib.of_set(formal({1})) == 1
    for other in ({}, Like({1})):
        with pytest.raises(sb.ArgumentError, match="expected a set or a list of int32"):
            lib.of_set(other)
    for other in ({1, 2.0}, {1: 0, 2.0: 0}.keys()):
        with pytest.raises(sb.ArgumentError, match=r"got 2.0 \(float\)"):
            lib.of_set(other)


@pytest.mark.behaviour("test_pass_std_map_int", refused=True)
@pytest.mark.behaviour("test_map_caster_fully_consumes_generator_object", refused=True)
@pytest.mark.behaviour("test_mapping_caster_protocol")
def test_maps_are_dicts(lib):
    for kind in (dict, collections.OrderedDict, lambda d: collections.defaultdict(int, d)):
        assert lib.of_map(kind({1: 2, 3: 4})) == 14
    assert lib.of_map({}) == 0
    formal = type("Formal", (Like, Mapping), {})
    for other in ([], [(1, 2)], {1: 2}.items(), ((k, k) for k in [1]), Like({1: 2})):
        with pytest.raises(sb.ArgumentError, match="expected a dict"):
            lib.of_map(other)
    assert lib.of_map(formal({1: 2})) == 2
    with pytest.raises(sb.ArgumentError, match=r"expected int32 .*got 'x'"):
        lib.of_map({1: 2, 3: "x"})


@pytest.mark.behaviour("test_sequence_caster_protocol")
def test_sequences_of_other_classes(lib):
    formal = type("Formal", (Like, Sequence), {})
    assert lib.of_vector(formal([1, 2])) == lib.of_vector(collections.UserList([1, 2])) == 12
    with pytest.raises(sb.ArgumentError, match="expected a list or an array"):
        lib.of_vector(Like([1, 2]))
    assert lib.of_vector([]) == lib.of_vector(()) == 0
    assert lib.of_vector(list(formal([1, 2]))) == 12


@pytest.mark.behaviour("test_stl_ownership", refused=True)
def test_who_ends_the_elements_of_a_list(lib):
    """Those that `std::unique_ptr` holds are Python's; a bare pointer says nothing, so its object stays C++'s."""
    before = lib.Spot.alive
    spots = lib.owned()
    assert (len(spots), lib.Spot.alive) == (1, before + 1)
    del spots
    assert lib.Spot.alive == before
    (spot,) = lib.bare()
    with pytest.raises(
        sb.IntentError, match=r"It is not Python's: C\+\+ or another object owns it, and ends it"
    ):
        sb.delete(spot)
    alive = lib.Spot.alive
    del spot
    assert lib.Spot.alive == alive
