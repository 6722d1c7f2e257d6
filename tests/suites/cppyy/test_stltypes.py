"""What cppyy's test_stltypes.py is about: the standard library's containers, texts, iterators and errors."""

from __future__ import annotations

import gc
import itertools
import pathlib
from types import ModuleType

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

N = 13
NUMBERS = {
    "ints": np.int32,
    "floats": np.float32,
    "doubles": np.float64,
    "uchars": np.uint8,
    "uint8s": np.uint8,
    "schars": np.int8,
    "int8s": np.int8,
}


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    with pytest.warns(sb.BindWarning, match="are not bound"):
        return sb.bind(
            pathlib.Path(__file__).with_name("stltypes.hpp"),
            arg_intent={"Texty.fill": {"out": "out_return"}},
        )


class TestVector:
    @pytest.mark.behaviour("test01_builtin_type_vector_types", "test24_byte_vectors")
    @pytest.mark.parametrize(("name", "dtype"), NUMBERS.items())
    def test_of_numbers(self, lib, name, dtype):
        first = -5 if name in ("schars", "int8s") else 0
        found = getattr(lib, name)(10)
        assert isinstance(found, np.ndarray)
        assert found.dtype == dtype
        assert found.tolist() == list(range(first, first + 10))
        found[3] = 77
        assert found[3] == 77
        assert len(getattr(lib, name)(0)) == 0

    @pytest.mark.behaviour("test02_user_type_vector_type")
    def test_of_a_class(self, lib):
        found = lib.plains(3)
        for i, plain in enumerate(found):
            plain.m = i
        assert [plain.m for plain in found] == [0, 1, 2]
        assert all(isinstance(plain, lib.Plain) for plain in found)

    @pytest.mark.behaviour("test03_empty_vector_type", "test04_vector_iteration")
    def test_iteration(self, lib):
        assert list(lib.ints(0)) == []
        assert list(lib.ints(N)) == list(range(N))
        assert [lib.at(lib.ints(N), i) for i in range(N)] == list(range(N))
        assert lib.shared(0) == []

    @pytest.mark.behaviour("test05_push_back_iterables_with_iadd")
    def test_extending(self, lib):
        for more in ([4, 5], (4, 5), np.array([4, 5], np.int32), lib.extended([], [4, 5])):
            assert lib.extended([1, 2, 3], more).tolist() == [1, 2, 3, 4, 5]
        assert lib.extended([1], []).tolist() == [1]
        with pytest.raises(sb.ArgumentError, match=r"argument 2 'more\[1\]': expected int32 .* got '8'"):
            lib.extended([1], (7, "8"))

    @pytest.mark.behaviour("test06_vector_indexing", "test15_vector_slicing")
    def test_indices_and_slices(self, lib):
        found, python = lib.ints(10), list(range(10))
        assert (found[-1], found[-2]) == (9, 8)
        for i in (10, 11, -11):
            with pytest.raises(IndexError, match="out of bounds"):
                found[i]
        with pytest.raises(IndexError, match="vector"):
            lib.at(found, 10)
        bounds, steps = (None, -100, -3, 0, 2, 5, 100), (None, -100, -2, -1, 1, 2, 7)
        for piece in itertools.starmap(slice, itertools.product(bounds, bounds, steps)):
            assert found[piece].tolist() == python[piece]
            assert lib.total(found[piece]) == sum(python[piece])

    @pytest.mark.behaviour("test07_vector_bool")
    def test_of_bool(self, lib):
        found = list(lib.flags(8))
        assert found == [True, *[False] * 6, True]
        assert found[4:8] == [False, False, False, True]
        found[1] = True
        assert lib.how_many(found) == 3

    @pytest.mark.behaviour("test08_vector_enum")
    def test_of_enumerators(self, lib):
        assert lib.tints([lib.Pale]) == [lib.Tint.Pale, lib.Tint.Deep]
        assert lib.inner_tints([lib.inner.Tint.Pale]) == [5, 42]
        assert lib.inner_tints([])[0] is lib.inner.Tint.Deep

    @pytest.mark.behaviour("test09_vector_of_string")
    def test_a_text_is_no_vector_of_texts(self, lib):
        for text in ("", "a", "abc"):
            assert lib.kind_of(text) == lib.kind_in_order(text) == 2
            with pytest.raises(sb.ArgumentError, match="expected a list of str"):
                lib.words_only(text)
        assert lib.kind_of(["a"]) == lib.kind_in_order(["a"]) == 1

    @pytest.mark.behaviour("test10_vector_std_distance")
    def test_iterators(self, lib):
        walk = lib.Walk()
        assert lib.apart(walk.begin(), walk.end()) == 3
        assert lib.apart(walk.end(), walk.begin()) == -3
        assert lib.apart(walk.end(), walk.end()) == 0

    @pytest.mark.behaviour("test11_vector_of_pair", "test14_vector_of_vector_of_")
    def test_nested(self, lib):
        assert lib.pairs([[1.0, 2.0], (3.0, 4.0)]) == [(1.0, 2.0), (3.0, 4.0)]
        with pytest.raises(sb.ArgumentError, match=r"'v\[1\]\[1\]': expected float64, got 'a'"):
            lib.pairs([[1.0, 2.0], [2.0, "a"]])
        with pytest.raises(sb.ArgumentError, match=r"'v\[0\]'"):
            lib.pairs(["a"])
        assert [list(one) for one in lib.nested(((1, 2), [3, 4], []))] == [[1, 2], [3, 4], []]

    @pytest.mark.behaviour("test12_vector_lifeline", "test13_vector_smartptr_iteration")
    def test_elements_keep_what_they_lie_in(self, lib):
        assert lib.alive == 0
        assert [one.x for one in lib.made()] == [1337, 1338]
        last = lib.made()[1]
        gc.collect()
        assert last.twice() == 2676
        shared = lib.shared(10)
        assert [one.x for one in shared] == list(range(10))
        one = shared[7]
        del shared, last
        gc.collect()
        assert one.twice() == 14
        del one
        assert lib.alive == 0

    @pytest.mark.behaviour("test16_vector_construction")
    def test_made_of_sequences(self, lib):
        for values in (range(0), range(1000), range(2000, 2200, 5)):
            for kind in (list, tuple, lambda v: np.array(v, np.int32), lambda v: v):
                assert lib.total(kind(values)) == sum(values)

    @pytest.mark.behaviour("test16_vector_construction")
    def test_what_is_gone_through_once_is_a_sequence(self, lib):
        for once in (iter([1]), (i for i in [1]), map(int, "1")):
            assert (lib.total(once), list(once)) == (1, [])
        with pytest.raises(sb.ArgumentError, match=r"expected a list or an array int32\[n\]"):
            lib.total({1: 2})

    @pytest.mark.behaviour("test17_vector_cpp17_style", "test04_set_cpp17_style", "test07_map_cpp17_style")
    def test_arguments_of_class_templates_are_deduced(self, lib):
        assert lib.size_of([1.0, 2.0, 3.0]) == lib.size_of(np.arange(3)) == 3
        assert lib.least_of({2, 1}) == 1
        assert lib.only_of({"a": 2}) == 2

    @pytest.mark.behaviour("test05_list_cpp17_style", "test02_deque_cpp17_style", refused=True)
    def test_a_list_is_deduced_as_a_vector_alone(self, lib):
        for deduce in (lib.first_of, lib.last_of):
            with pytest.raises(
                sb.ArgumentError, match=r"std::vector<double>.* could not match '(list|deque)'"
            ):
                deduce([1.0, 2.0])
        assert lib.first_of[float]([1.0, 2.0]) == 1
        assert lib.last_of["double"]([1.0, 2.0]) == 2

    @pytest.mark.behaviour("test18_array_interface")
    def test_memory_is_shared_with_numpy(self, lib):
        found = lib.ints(3)
        view, copy = np.asarray(found), np.array(found)
        found[0] = 4
        assert (view[0], copy[0]) == (4, 0)
        assert lib.total(np.arange(10, dtype=np.intc)) == 45
        with pytest.raises(sb.ArrayError, match=r'x.astype\("int32"\) makes a converted copy'):
            lib.total(np.arange(10, dtype=np.uint8))

    @pytest.mark.behaviour("test19_vector_point3d", "test21_vector_of_structs_data")
    def test_of_objects_by_value(self, lib):
        found = lib.points(10)
        assert (
            sum(point.square() for point in found) == lib.squares(found) == sum(14 * i * i for i in range(10))
        )
        found = lib.packed(5)
        assert [(p.c, p.x, p.y) for p in found] == [(ord("a"), i, 5 * i) for i in range(5)]
        assert np.asarray(found[4]).dtype.itemsize == sb.layout(lib.Packed).size == 9

    @pytest.mark.behaviour("test20_vector_cstring")
    def test_of_c_texts(self, lib):
        assert lib.c_texts == lib.get_c_texts() == ["hello"]

    @pytest.mark.behaviour("test23_copy_conversion", refused=True)
    def test_of_another_format(self, lib):
        with pytest.raises(sb.ArrayError, match=r'x.astype\("float32"\) makes a converted copy'):
            lib.total_of_floats(np.array([5.0, 25.0]))
        assert (
            lib.total_of_floats(np.array([5.0, 25.0]).astype("float32"))
            == lib.total_of_floats([5, 25.0])
            == 30
        )


class TestText:
    @pytest.mark.behaviour("test01_string_argument_passing", "test02_string_data_access")
    def test_members_and_arguments(self, lib):
        for cls in (lib.Narrow, lib.Wide):
            text = cls("")
            for put in (text.set_cr, text.set, lambda v, text=text: setattr(text, "s", v)):
                put("test ℕ")
                assert text.get() == text.s == text.fill() == "test ℕ"
                put("")
            assert isinstance(text.s, str)

    @pytest.mark.behaviour("test03_string_with_null_character")
    def test_zero_bytes(self, lib):
        for cls in (lib.Narrow, lib.Wide):
            text = cls("aap\0noot")
            assert (text.size(), text.get()) == (8, "aap\0noot")
        with pytest.raises(sb.ArgumentError, match="NUL"):
            lib.size_cc("aap\0noot")

    @pytest.mark.behaviour("test04_array_of_strings", refused=True)
    def test_arrays_of_texts(self, lib):
        for name in ("names1", "names2"):
            with pytest.raises(AttributeError, match=r"not bound: .*it is not trivially copyable"):
                getattr(lib, name)

    @pytest.mark.behaviour("test05_stlstring_and_unicode")
    def test_unicode(self, lib):
        for given in ("ℕ", "ℕ".encode()):
            assert lib.size_s(given) == lib.size_cr(given) == lib.size_cc(given) == 3
            assert lib.same(given) == "ℕ"
        assert lib.size_w("ℕ") == lib.size_wcr("ℕ") == 1
        assert lib.same_w("ℕ") == "ℕ"

    @pytest.mark.behaviour("test06_stlstring_bytes_and_text")
    def test_bytes_that_are_no_text(self, lib):
        lib.field = b"\xe9"
        assert lib.field.encode("utf-8", "surrogateescape") == b"\xe9"
        assert lib.size_s(lib.field) == 1

    @pytest.mark.behaviour("test07_stlstring_in_dictionaries", "test08_string_operators")
    def test_texts_are_those_of_python(self, lib):
        assert {lib.same("x"): 0}["x"] == 0
        assert (
            lib.plus("Hello", ", World") == lib.same("Hello") + ", World" == "Hello" + lib.same_w(", World")
        )

    @pytest.mark.behaviour("test09_string_as_str_bytes")
    def test_methods_of_texts(self, lib):
        text = lib.same("aap noot")
        assert text.split() == ["aap", "noot"]
        for what, by in (("a", "*"), ("oo", ""), ("zz", "y")):
            assert text.replace(what, by) == lib.replaced(text, what, by)
            assert text.find(what) == lib.found(text, what)
        assert lib.found(text, "zz") == -1

    @pytest.mark.behaviour("test01_string_through_string_view", "test03_multiple_string_view_arguments")
    def test_views(self, lib):
        for text in ("noot", b"noot", lib.same("noot")):
            assert lib.view_size(text) == lib.view_size_cr(text) == 4
        assert lib.joined("hello", "world") == "hello world"

    @pytest.mark.behaviour("test02_string_view_from_unicode")
    def test_an_object_keeps_the_text_that_it_views(self, lib):
        kept = [lib.KeepsView(("ℕ" * 500) + str(i)) for i in range(10)]
        gc.collect()
        assert [one.text()[500:] for one in kept] == list("0123456789")


class TestOtherContainers:
    @pytest.mark.behaviour("test01_builtin_list_type", "test02_empty_list_type", "test04_iter_of_iter")
    def test_lists(self, lib):
        assert list(lib.list_of([])) == []
        found = lib.list_of(range(N))
        assert list(iter(found)) == list(range(N))
        assert 11 in found
        assert list(lib.list_of_doubles(3)) == [0.0, 1.0, 2.0]

    @pytest.mark.behaviour("test06_convert_list_of_strings")
    def test_list_of_texts(self, lib):
        assert lib.words(["aap", "noot"]) == ["aap", "noot"]

    @pytest.mark.behaviour("test01_builtin_map_type", "test02_keyed_maptype", "test03_empty_maptype")
    @pytest.mark.behaviour("test06_initialize_from_dict")
    def test_maps(self, lib):
        for squares, named in ((lib.squares_map, lib.named), (lib.squares_hash, lib.named_hash)):
            assert squares(N) == {i: i * i for i in range(N)}
            assert squares(0) == {}
            assert named({"1": 1, "2": 2}) == {"1": 1, "2": 2}
            with pytest.raises(
                sb.ArgumentError, match=r"expected text \(str or bytes\) for std::string, got 1"
            ):
                named({1: 1})
        assert list(lib.squares_map(3).items()) == [(0, 0), (1, 1), (2, 4)]

    @pytest.mark.behaviour("test04_unsignedvalue_typemap_types")
    def test_maps_of_unsigned_numbers(self, lib):
        for take, bits in ((lib.unsigneds, 32), (lib.ulongs, 64)):
            assert take({"most": 2**bits - 1}) == {"most": 2**bits - 1}
            for value in (-1, 2**bits):
                with pytest.raises(OverflowError, match=f"expected uint{bits}"):
                    take({"no": value})

    @pytest.mark.behaviour("test05_STL_like_class_indexing_overloads")
    def test_overloaded_indices(self, lib):
        assert (lib.Indexed()["some"], lib.Indexed()[3.25]) == ("string", "double")

    @pytest.mark.behaviour("test08_map_derived_objects")
    def test_derived_objects_are_copied_as_their_base(self, lib):
        assert lib.sum_who({"a": lib.Base(), "b": lib.Derived()}) == 2
        assert lib.sum_pairs([("a", lib.Base()), ("b", lib.Derived())]) == 2

    @pytest.mark.behaviour("test01_array_of_basic_types", "test04_array_from_aggregate")
    def test_arrays(self, lib):
        assert lib.four([1, 2, 3, 4]) == (2, 4, 6, 8)
        assert lib.three([1.0, 1.5, 2.0]) == (1.0, 1.5, 2.0)
        with pytest.raises(sb.ArgumentError, match="3"):
            lib.three([1.0] * 4)
        with pytest.raises(sb.ArgumentError, match=r"'a\[0\]': expected float64, got 'a'"):
            lib.three(["a", 1.0, 1.0])

    @pytest.mark.behaviour("test02_array_of_pods", "test03_array_of_pointer_to_pods")
    def test_arrays_of_structs_and_of_pointers_to_them(self, lib):
        assert [p.px for p in lib.two_points([lib.P(1, 2), lib.P(3, 4)])] == [1, 4]
        assert lib.sum_px([lib.P(1, 2), lib.P(3, 4)]) == 4
        holder = lib.HasPoints()
        holder.at[1].px = 6
        assert holder.at[1].px == 6
        with pytest.raises(sb.ArgumentError, match=r"'a\[1\]'"):
            lib.sum_px([lib.P(), 42])

    @pytest.mark.behaviour("test01_deque_byvalue_regression", refused=True)
    def test_deque_of_long_double(self, lib):
        with pytest.raises(AttributeError, match="long double has no counterpart"):
            lib.long_doubles()
        assert list(lib.deque_of([0.0, 2.5])) == [0.0, 2.5]

    @pytest.mark.behaviour("test01_set_iteration", "test03_initialize_from_set", "test05_contains")
    def test_sets(self, lib):
        assert lib.set_of(set(range(N))) == lib.set_of(range(N)) == set(range(N))
        assert lib.contains({1, 2}, 2)
        assert not lib.contains({1, 2}, 3)
        assert 3 not in lib.set_of([1, 1, 2])
        for bad in ({1, "2"}, {"aap"}):
            with pytest.raises(sb.ArgumentError, match=r"expected int32 .* got '(2|aap)'"):
                lib.set_of(bad)

    @pytest.mark.behaviour("test01_tuple_creation_and_access", "test02_tuple_size", "test03_tuple_iter")
    @pytest.mark.behaviour("test01_pair_pack_unpack")
    def test_tuples(self, lib):
        a, b, c = lib.mixed(1, "2", 5.0)
        assert (a, b, c) == lib.mixed(1, "2", 5.0) == (1, "2", 5.0)
        numbers, flag = lib.vector_and_flag(N)
        assert (len(numbers), flag) == (N, False)
        assert lib.tuple_size_of(("aap", 42, 5.0)) == 45
        first, second = lib.a_pair((1, "b"))
        assert (first, second) == (1, "b")

    @pytest.mark.behaviour("test04_tuple_lifeline")
    def test_objects_of_tuples_live_on(self, lib):
        first, second = lib.two_counted()
        gc.collect()
        assert (first.x, second.x, lib.alive) == (42, 43, 2)
        del first, second
        assert lib.alive == 0


class TestIteration:
    @pytest.mark.behaviour("test02_STL_like_class_iterators", "test03_stllike_preinc")
    def test_classes_that_look_like_containers(self, lib):
        fixed = lib.Fixed2()
        fixed[0], fixed[1] = 27, 42
        assert list(fixed) == [27.0, 42.0]
        assert len(fixed) == 2
        assert list(lib.Ends()) == [4, 5, 6]
        assert [token.value for token in lib.Stream()] == [0, 1, 2, 3]
        steps = iter(lib.Stream())
        assert [next(steps).value, next(steps).value] == [0, 1]
        grows = lib.Grows()
        for i in (1, 2, 3):
            grows.push_back(i)
        assert (len(grows), sum(grows)) == (3, 6)
        assert list(lib.Walk()) == [1, 2, 3]


class TestErrors:
    @pytest.mark.behaviour("test01_basics", "test03_memory")
    def test_error_classes_are_classes(self, lib):
        assert issubclass(lib.YourError, lib.MyError)
        error = lib.YourError("Oops")
        assert (error.what(), lib.errors_alive) == ("Oops", 1)
        del error
        assert lib.errors_alive == 0

    @pytest.mark.behaviour("test02_raising", refused=True)
    def test_python_does_not_raise_them(self, lib):
        assert not issubclass(lib.MyError, BaseException)
        with pytest.raises(TypeError, match="exceptions must derive from BaseException"):
            raise lib.MyError("Oops")
        gc.collect()
        assert lib.errors_alive == 0

    @pytest.mark.behaviour("test04_from_cpp")
    def test_errors_that_cpp_throws(self, lib):
        for which, words in ((0, "mine"), (1, "yours")):
            with pytest.raises(RuntimeError, match=f"^{words}$"):
                lib.throw_error(which)
        assert lib.errors_alive == 0

    @pytest.mark.behaviour("test04_from_cpp", refused=True)
    def test_their_class_is_no_python_exception(self, lib):
        def caught():
            try:
                lib.throw_error(0)
            except lib.MyError:
                return True

        with pytest.raises(TypeError, match="catching classes that do not inherit from BaseException"):
            caught()


class TestIterators:
    @pytest.fixture(scope="class")
    def own(self) -> ModuleType:
        return sb.compile("""
#include <set>
#include <string>
#include <vector>
struct Row { std::vector<int> v{1, 2}; auto first() { return v.begin(); } auto last() { return v.end(); } };
struct Bag { std::set<int> v{1, 2}; auto first() { return v.begin(); } auto last() { return v.end(); } };
inline bool same(std::vector<int>::iterator a, std::vector<int>::iterator b) { return a == b; }
struct Animal { virtual ~Animal() {} virtual std::string says() const { return "?"; } };
struct Dog : Animal { std::string says() const override { return "woof"; } };
inline std::vector<Animal*>& zoo() {
  static Dog dog;
  static Animal animal;
  static std::vector<Animal*> all{&dog, &animal};
  return all;
}
struct Dunder { std::string __str__() const { return "s"; } };
""")

    @pytest.mark.behaviour("test01_builtin_vector_iterators")
    def test_of_a_vector(self, own):
        row = own.Row()
        for a, b in itertools.product((row.first(), row.last()), repeat=2):
            assert (a == b) is own.same(a, b)

    @pytest.mark.behaviour("test02_set_iterators")
    def test_of_a_set(self, own):
        bag = own.Bag()
        assert bag.first() == bag.first()
        assert bag.first() != bag.last()

    @pytest.mark.behaviour("test10_string_in_repr_and_str_bytes", refused=True)
    def test_a_name_that_cxx_reserves(self, own):
        assert any("C++ keeps its name" in str(s) for s in own.__skipped__ if s.name == "Dunder::__str__")

    @pytest.mark.behaviour("test22_polymorphic")
    def test_elements_that_are_pointers_to_a_base(self, own):
        assert [type(one) for one in own.zoo()] == [own.Dog, own.Animal]
        assert [one.says() for one in own.zoo()] == ["woof", "?"]


@pytest.mark.behaviour("test04_stllike_confusing_name")
def test_a_container_with_iterator_in_its_name() -> None:
    made = sb.compile(
        """
        namespace runs_of_iterators {
        template <class I> class iterator_span {
          I first, last;
         public:
          iterator_span(I a, I b) : first(a), last(b) {}
          I begin() const { return first; }
          I end() const { return last; }
        };
        class iterator {
          const int* at;
         public:
          iterator(const int* p) : at(p) {}
          bool operator==(const iterator& o) const { return at == o.at; }
          const int& operator*() const { return *at; }
          iterator& operator++() { ++at; return *this; }
        };
        class row_of_iterators {
          int n[3] = {4, 5, 6};
         public:
          iterator_span<iterator> all() const { return {iterator(n), iterator(n + 3)}; }
        };
        }
        """,
        std="c++20",  # where `!=` follows from `==`
    )
    assert list(made.runs_of_iterators.row_of_iterators().all()) == [4, 5, 6]
