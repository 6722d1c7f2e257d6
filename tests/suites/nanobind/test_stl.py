"""nanobind's test_stl.py in our words: values of the standard library as arguments, results and members."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")]

SOURCE = r"""
#include <algorithm>
#include <array>
#include <complex>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
inline int alive = 0;
struct Item {
  int value = 5;
  Item() { ++alive; }
  Item(int v) : value(v) { ++alive; }
  Item(const Item& o) : value(o.value) { ++alive; }
  Item& operator=(const Item&) = default;
  ~Item() { --alive; }
  bool operator<(const Item& o) const { return value < o.value; }
};
inline Item make() { return Item(5); }
inline Item* make_ptr() { static Item one(5); return &one; }
inline int by_value(Item i) { return i.value; }
inline int by_ref(Item& i) { return i.value; }
inline int by_ptr(Item* i) { return i->value; }
inline int by_rvalue(Item&& i) { return i.value; }
inline std::tuple<Item, int> a_tuple() { return {Item(6), 7}; }
inline int of_tuple(std::tuple<Item, int> t) { return std::get<0>(t).value + std::get<1>(t); }
inline int of_tuple_ref(const std::tuple<Item, int>& t) { return std::get<0>(t).value + std::get<1>(t); }
inline int of_tuple_rvalue(std::tuple<Item, int>&& t) { return std::get<0>(t).value + std::get<1>(t); }
inline std::tuple<> nothing(std::tuple<> t) { return t; }
inline std::tuple<double, int> swapped(std::tuple<int, double> t) { return {std::get<1>(t), std::get<0>(t)}; }
inline std::pair<double, int> swapped_pair(std::pair<int, double> p) { return {p.second, p.first}; }
inline std::vector<Item> items(int n) { std::vector<Item> v; for (int i = 0; i < n; ++i) v.emplace_back(i); return v; }
inline int sum(std::vector<Item> v) { int s = 0; for (auto& i : v) s += i.value; return s; }
inline int sum_ref(const std::vector<Item>& v) { return sum(v); }
inline int sum_rvalue(std::vector<Item>&& v) { return sum(v); }
inline std::function<int(int)> adder(int n) { return [n](int x) { return x + n; }; }
inline std::function<int(int)> none() { return {}; }
inline int run(std::function<int(int)> f, int x) { return f ? f(x) : -1; }
inline std::function<void()> same(std::function<void()> f) { return f; }
inline std::list<int> same_list(std::list<int> l) { return l; }
inline std::string text(std::string s) { return s; }
inline std::string_view view(std::string_view s) { return s; }
inline std::wstring wide(std::wstring s) { return s; }
inline int maybe(std::optional<Item> i) { return i ? i->value : -1; }
inline std::string maybe_text(std::optional<std::string> s) { return s.value_or("none"); }
inline std::optional<Item> maybe_item(bool is) { return is ? std::optional<Item>(Item(5)) : std::nullopt; }
inline std::optional<int> defaulted(std::optional<int> x = std::nullopt) { return x; }
struct Fixed {
  const int value = 5;
  Fixed() = default;
  Fixed(const Fixed&) = default;
  Fixed& operator=(const Fixed&) = delete;
};
inline std::optional<Fixed> fixed(std::optional<Fixed> f) { return f; }
inline double added(float a, std::optional<int> b) { return a + b.value_or(0); }
inline int either(std::variant<Item, int> v) { return v.index() ? -std::get<1>(v) : std::get<0>(v).value; }
inline int or_none(std::variant<std::monostate, Item, int> v) { return static_cast<int>(v.index()); }
inline std::variant<Item, int> either_out(bool item) {
  if (item) return Item(5);
  return 6;
}
inline std::map<std::string, Item> mapped() { return {{"a", Item(0)}, {"b", Item(1)}}; }
inline int of_map(std::map<std::string, Item> m) { int s = 0; for (auto& [k, v] : m) s += v.value; return s; }
inline int of_map_ref(const std::map<std::string, Item>& m) { return of_map(m); }
inline int of_map_rvalue(std::map<std::string, Item>&& m) { return of_map(m); }
inline std::string written(const std::map<std::string, int>& m) {
  std::string s;
  for (auto& [k, v] : m) s += k + "=" + std::to_string(v) + ";";
  return s;
}
struct Holds { const std::map<std::string, int> map{{"a", 0}, {"b", 1}}; };
inline std::array<int, 3> three() { return {1, 2, 3}; }
inline int of_three(std::array<int, 3> a) { return a[0] + a[1] + a[2]; }
inline std::set<std::string> letters() { return {"a", "b"}; }
inline std::unordered_set<std::string> loose() { return {"a", "b"}; }
inline int of_set(const std::set<std::string>& s) { return static_cast<int>(s.size()); }
inline int of_loose(std::unordered_set<std::string>&& s) { return static_cast<int>(s.size()); }
struct Member { std::vector<Item> items; };
inline std::filesystem::path renamed(std::filesystem::path p, std::string e) { return p.replace_extension(e); }
inline std::filesystem::path parent(const std::filesystem::path& p) { return p.parent_path(); }
inline std::vector<bool> flipped(std::vector<bool> v) { v.flip(); return v; }
inline std::complex<double> same_complex(std::complex<double> z) { return z; }
inline std::complex<float> same_complex_float(std::complex<float> z) { return z; }
inline std::vector<std::complex<double>> same_complexes(std::vector<std::complex<double>> v) { return v; }
inline std::vector<std::complex<float>> same_complex_floats(std::vector<std::complex<float>> v) { return v; }
inline std::vector<std::optional<std::string>> some(std::vector<std::optional<std::string>> v) { return v; }
inline std::string which(std::string) { return "string"; }
inline std::string which(std::vector<std::string>) { return "vector"; }
struct Id1 { int n; Id1(int n) : n(n) {} };
struct Id2 { int n; Id2(int n) : n(n) {} };
struct Event { std::optional<std::variant<Id1, Id2>> id; };
inline std::string null(std::nullptr_t) { return "nullptr"; }
inline std::string state(std::monostate) { return "monostate"; }

inline int alternative(const std::variant<Id1, Id2>& id) { return int(id.index()); }
"""


@pytest.fixture(scope="module")
def library():
    return sb.compile(SOURCE, std="c++17", name="nb_stl")


@pytest.fixture
def lib(library):
    yield library
    gc.collect()
    library.make_ptr()
    assert library.alive == 1  # that of make_ptr(): all others have ended


@pytest.mark.behaviour("test01_movable_return")
@pytest.mark.behaviour("test02_movable_return_ptr")
@pytest.mark.behaviour("test07_copyable_return")
@pytest.mark.behaviour("test08_copyable_return_ptr")
def test_objects_as_results(lib):
    assert lib.make().value == 5
    assert lib.make_ptr().value == 5
    lib.make_ptr().value = 6
    assert lib.make_ptr().value == 6  # C++'s own, not a copy
    lib.make_ptr().value = 5


@pytest.mark.behaviour("test03_movable_in_value")
@pytest.mark.behaviour("test04_movable_in_lvalue_ref")
@pytest.mark.behaviour("test05_movable_in_ptr")
@pytest.mark.behaviour("test06_movable_in_rvalue_ref")
@pytest.mark.behaviour("test09_copyable_in_value")
@pytest.mark.behaviour("test10_copyable_in_lvalue_ref")
@pytest.mark.behaviour("test11_copyable_in_ptr")
@pytest.mark.behaviour("test12_copyable_in_rvalue_ref")
def test_objects_as_arguments(lib):
    item = lib.Item(7)
    assert [f(item) for f in (lib.by_value, lib.by_ref, lib.by_ptr)] == [7, 7, 7]
    assert lib.by_rvalue(lib.Item(8)) == 8
    for function in (lib.by_value, lib.by_ref):
        with pytest.raises(sb.ArgumentError, match="Item"):
            function(None)


@pytest.mark.behaviour("test13_tuple_movable_return")
@pytest.mark.behaviour("test14_tuple_movable_return_ptr")
@pytest.mark.behaviour("test15_tuple_movable_in_value")
@pytest.mark.behaviour("test16_tuple_movable_in_lvalue_ref")
@pytest.mark.behaviour("test17_tuple_movable_in_lvalue_ref_2")
@pytest.mark.behaviour("test18_tuple_movable_in_ptr")
@pytest.mark.behaviour("test19_tuple_movable_in_rvalue_ref")
@pytest.mark.behaviour("test20_tuple_movable_in_rvalue_ref_2")
def test_tuples_of_objects(lib):
    item, number = lib.a_tuple()
    assert (item.value, number) == (6, 7)
    for function in (lib.of_tuple, lib.of_tuple_ref, lib.of_tuple_rvalue):
        assert function((lib.Item(3), 4)) == 7


@pytest.mark.behaviour("test21_tuple_pair_basic")
@pytest.mark.behaviour("test21b_seq_getitem_raises")
def test_tuples_and_pairs_of_numbers(lib):
    assert lib.nothing(()) == ()
    assert lib.swapped((1, 2.5)) == (2.5, 1)
    assert lib.swapped_pair((1, 2.5)) == (2.5, 1)


@pytest.mark.behaviour("test21b_seq_getitem_raises", refused=True)
@pytest.mark.behaviour("test21c_tuple_pair_generic_sequence", refused=True)
def test_a_sequence_of_ones_own_is_no_tuple(lib):
    class Own:
        def __len__(self):
            return 2

        def __getitem__(self, i):
            raise ValueError("asked")

    for function in (lib.swapped, lib.swapped_pair):
        with pytest.raises(sb.ArgumentError, match="expected a tuple of 2"):
            function(Own())
    with pytest.raises(sb.ArgumentError, match="expected carray"):
        lib.of_three(Own())


@pytest.mark.behaviour("test22_vec_return_movable")
@pytest.mark.behaviour("test23_vec_return_copyable")
def test_vectors_of_objects_as_results(lib):
    assert [i.value for i in lib.items(10)] == [*range(10)]


@pytest.mark.behaviour("test24_vec_movable_in_value")
@pytest.mark.behaviour("test25_vec_movable_in_value")
@pytest.mark.behaviour("test26_vec_movable_in_lvalue_ref")
@pytest.mark.behaviour("test27_vec_movable_in_ptr_2")
@pytest.mark.behaviour("test28_vec_movable_in_rvalue_ref")
@pytest.mark.behaviour("test33_vec_type_check")
@pytest.mark.behaviour("test71_null_input")
def test_vectors_of_objects_as_arguments(lib):
    for function in (lib.sum, lib.sum_ref, lib.sum_rvalue):
        assert function([lib.Item(i) for i in range(10)]) == 45
        for wrong in ([None], 0, None):
            with pytest.raises(sb.ArgumentError, match="argument 1 'v"):
                function(wrong)


@pytest.mark.behaviour("test30_std_function")
@pytest.mark.behaviour("test33_vec_type_check")
def test_callables_as_std_function(lib):
    assert lib.run(lambda x: 5 + x, 3) == 8
    assert lib.run(None, 3) == -1
    with pytest.raises(sb.ArgumentError, match="callable"):
        lib.run(5, 3)
    with pytest.raises(TypeError, match="argument"):
        lib.run(lambda x, y: x + y, 3)


@pytest.mark.behaviour("test30_std_function")
@pytest.mark.behaviour("test31_std_function_roundtrip")
def test_a_std_function_as_a_result_is_called(lib):
    assert (lib.adder(5)(3), lib.run(lib.adder(-5), 3)) == (8, -2)
    assert not lib.none()
    assert lib.run(lib.none(), 3) == -1
    seen = []
    lib.same(lambda: seen.append(1))()
    assert seen == [1]
    assert not lib.same(None)


@pytest.mark.behaviour("test34_list")
@pytest.mark.behaviour("test58_array")
@pytest.mark.behaviour("test67_vector_bool")
def test_lists_and_arrays_of_numbers(lib):
    for given in ([], [1, 2, 3], (), (1, 2, 3)):
        assert [*lib.same_list(given)] == [*given]
    assert [*lib.three()] == [1, 2, 3]
    assert lib.of_three([1, 2, 3]) == lib.of_three((1, 2, 3)) == 6
    with pytest.raises(sb.ArgumentError, match="3 elements"):
        lib.of_three((1, 2, 3, 4))
    assert [*lib.flipped([True, False])] == [False, True]


@pytest.mark.behaviour("test35_string_and_string_view")
@pytest.mark.behaviour("test72_wstr")
def test_text(lib):
    for given in ("", "orange", "橘子", "ส้ม", "البرتقالي", "🍊"):
        assert lib.text(given) == lib.view(given) == lib.wide(given) == given


@pytest.mark.behaviour("test36_std_optional_copyable")
@pytest.mark.behaviour("test37_std_optional_copyable_ptr")
@pytest.mark.behaviour("test38_std_optional_none")
@pytest.mark.behaviour("test39_std_optional_ret_opt_movable")
@pytest.mark.behaviour("test40_std_optional_ret_opt_movable_ptr")
@pytest.mark.behaviour("test41_std_optional_ret_opt_none")
@pytest.mark.behaviour("test42_std_optional_unbound_type")
def test_optionals(lib):
    assert (lib.maybe(lib.Item(3)), lib.maybe(None)) == (3, -1)
    assert (lib.maybe_text("hi"), lib.maybe_text(None)) == ("hi", "none")
    assert lib.maybe_item(True).value == 5
    assert lib.maybe_item(False) is None
    assert (lib.defaulted(3), lib.defaulted(None), lib.defaulted()) == (3, None, None)


@pytest.mark.behaviour("test42a_std_optional_non_assignable")
def test_an_optional_of_what_cannot_be_assigned(lib):
    assert lib.fixed(lib.Fixed()).value == 5
    assert lib.fixed(None) is None


@pytest.mark.behaviour("test38b_std_optional_implicit_convert", refused=True)
def test_a_number_that_a_float_cannot_hold_is_refused(lib):
    assert lib.added(16777216, 10) == 16777226.0
    with pytest.raises(sb.RangeError, match=r"got 16777217 \(int\)\. float\(x\) rounds it"):
        lib.added(16777217, 10)
    assert lib.added(float(16777217), None) == 16777216.0


@pytest.mark.behaviour("test43_std_variant_copyable")
@pytest.mark.behaviour("test44_std_variant_copyable_none")
@pytest.mark.behaviour("test45_std_variant_copyable_ptr")
@pytest.mark.behaviour("test46_std_variant_copyable_ptr_none")
@pytest.mark.behaviour("test47_std_variant_ret_var_copyable")
@pytest.mark.behaviour("test48_std_variant_ret_var_none")
@pytest.mark.behaviour("test49_std_variant_unbound_type")
@pytest.mark.behaviour("test49b_std_variant_nondefault")
@pytest.mark.behaviour("test75_weird_nones")
def test_variants(lib):
    assert (lib.either(lib.Item(10)), lib.either(20)) == (10, -20)
    assert [lib.or_none(v) for v in (None, lib.Item(), 5)] == [0, 1, 2]
    assert lib.either_out(True).value == 5
    assert lib.either_out(False) == 6
    assert (lib.null(None), lib.state(None)) == ("nullptr", "monostate")
    with pytest.raises(sb.ArgumentError):
        lib.either("text")


@pytest.mark.behaviour("test50_map_return_movable_value")
@pytest.mark.behaviour("test51_map_return_copyable_value")
@pytest.mark.behaviour("test52_map_movable_in_value")
@pytest.mark.behaviour("test53_map_copyable_in_value")
@pytest.mark.behaviour("test54_map_movable_in_lvalue_ref")
@pytest.mark.behaviour("test55_map_movable_in_rvalue_ref")
@pytest.mark.behaviour("test56_map_movable_in_ptr")
@pytest.mark.behaviour("test59_map_movable_in_failure")
def test_maps(lib):
    assert {k: v.value for k, v in lib.mapped().items()} == {"a": 0, "b": 1}
    for function in (lib.of_map, lib.of_map_ref, lib.of_map_rvalue):
        assert function({"a": lib.Item(3), "b": lib.Item(4)}) == 7
        for wrong in ({1: lib.Item(2)}, {"a": None}):
            with pytest.raises(sb.ArgumentError, match="argument 1 'm"):
                function(wrong)


@pytest.mark.behaviour("test57_map_return_readonly_value")
def test_a_member_that_is_const(lib):
    holds = lib.Holds()
    assert holds.map == {"a": 0, "b": 1}
    with pytest.raises(AttributeError):
        holds.map = {}


@pytest.mark.behaviour("test76_map_from_other_mappings")
def test_dicts_of_any_class(lib):
    class Loud(dict):
        def items(self):
            return [(k.upper(), v) for k, v in super().items()]

    assert lib.written({}) == ""
    assert lib.written({"a": 1, "b": 2}) == "a=1;b=2;"
    assert lib.written(Loud(a=1)) == "A=1;"


@pytest.mark.behaviour("test60_set_return_value")
@pytest.mark.behaviour("test61_set_in_value")
@pytest.mark.behaviour("test62_set_in_lvalue_ref")
@pytest.mark.behaviour("test63_set_in_rvalue_ref")
@pytest.mark.behaviour("test64_set_in_failure")
@pytest.mark.behaviour("test73_bad_input_to_set")
def test_sets(lib):
    assert lib.letters() == lib.loose() == {"a", "b"}
    for function in (lib.of_set, lib.of_loose):
        assert function({"a", "b", "c"}) == 3
        for wrong in ({1, 2}, None):
            with pytest.raises(sb.ArgumentError, match="argument 1 's"):
                function(wrong)


@pytest.mark.behaviour("test64b_set_of_temporaries")
def test_a_set_of_what_a_generator_makes(lib):
    assert lib.of_set(str(i) for i in (0, 1, 2, 3, 4, 3)) == 5


@pytest.mark.behaviour("test65_class_with_movable_field")
def test_a_member_that_is_a_vector_of_objects(lib):
    member = lib.Member()
    member.items = [lib.Item(1), lib.Item(2)]
    gc.collect()
    assert [i.value for i in member.items] == [1, 2]


@pytest.mark.behaviour("test66_replace_extension")
def test_paths(lib):
    class Own:
        def __fspath__(self):
            return "foo/bar"

    for path in (Path("test.txt"), Path("🍊.html")):
        assert Path(lib.renamed(path, ".obj")) == path.with_suffix(".obj")
    for given in (Path("foo/bar"), "foo/bar", b"foo/bar", Own()):
        assert Path(lib.parent(given)) == Path("foo")


@pytest.mark.behaviour("test68_complex_value")
@pytest.mark.behaviour("test69_complex_array")
def test_complex_numbers(lib):
    for z in (1.0, 1j, 0, -0.0 - 1j, np.complex64(1 + 2j), np.float32(2)):
        assert lib.same_complex(z) == z
        assert lib.same_complex_float(z) == z
    for array in ([1.0, 1j], np.array([1, -1j])):
        assert [*lib.same_complexes(array)] == [*array]
    assert [*lib.same_complex_floats([1, 2j])] == [1, 2j]
    assert lib.same_complex_float(0.1 + 0j) == np.complex64(0.1)
    with pytest.raises(sb.ArgumentError, match=r"sb\.complex64\(x\) rounds it"):
        lib.same_complex_float(np.complex128(0.1))


@pytest.mark.behaviour("test70_vec_char")
def test_text_is_no_list_of_texts(lib):
    assert lib.which("123") == "string"
    assert lib.which(["1", "2"]) == "vector"
    assert lib.some(["abc", None]) == ["abc", None]


@pytest.mark.behaviour("test74_variant_implicit_conversions")
def test_a_field_of_one_class_of_several_or_none(lib):
    event = lib.Event()
    assert event.id is None
    for number, cls in enumerate((lib.Id1, lib.Id2)):
        event.id = cls(78)
        assert type(event.id) is cls
        assert event.id.n == 78
        assert lib.alternative(cls(3)) == number  # both lie alike: the class decides
    event.id = None
    assert event.id is None
