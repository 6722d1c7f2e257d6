"""What cppyy's test_doc_features.py is about: the examples of its manual, its tutorial and its talks."""

from __future__ import annotations

import array
import ctypes
import math
import pathlib
from types import ModuleType

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    with pytest.warns(sb.BindWarning, match=r"what C\+\+ writes to Concrete::assign"):
        return sb.bind(
            pathlib.Path(__file__).with_name("doc_features.hpp"),
            arg_intent={"Zoo::release": {"return": "owned"}},
        )


@pytest.mark.behaviour("test_abstract_class", "test_casting", "test_inheritance")
def test_abstract_classes_and_their_children(lib):
    with pytest.raises(sb.ArgumentError, match="it is abstract"):
        lib.Abstract()
    one = lib.Concrete()
    assert isinstance(one, lib.Abstract)
    assert "Abstract * Concrete::show()" in lib.Concrete.show.__doc__
    assert type(one.show()) is lib.Concrete
    assert one.show() == one
    assert lib.call_text(one) == one.text() == "Concrete"


@pytest.mark.behaviour("test_array", "test_data_members", "test_static_data_members")
def test_members(lib):
    one = lib.Concrete()
    assert one.sum(array.array("i", [1, 2, 3]), 3) == 6
    assert one.sum(array.array("d", [1, 2, 3]), 3) == 6.5
    assert one.data.tolist() == [1, 2, 3, 4]
    with pytest.raises(IndexError, match="out of bounds"):
        one.data[4]
    assert (one.m_int, one.m_const) == (42, 17)
    with pytest.raises(AttributeError, match=r"const|read-only"):
        one.m_const = 71
    one.s_int = 123
    assert lib.Concrete.s_int == 123
    lib.Concrete.s_int = 321


@pytest.mark.behaviour("test_builtin_data", "test_null")
def test_builtin_data(lib):
    assert lib.g_uint == 0
    with pytest.raises(OverflowError, match="expected uint32"):
        lib.g_uint = -1
    lib.g_uint = 7
    assert lib.g_uint == 7
    lib.g_uint = 0
    assert not sb.Pointer(None)


@pytest.mark.behaviour("test_classes_and_structs", "test_namespaces", "test_typedefs", "test_enums")
def test_scopes(lib):
    assert lib.Concrete is lib.Concrete_t
    assert lib.Concrete is not lib.Space.Concrete
    nested = lib.Space.Concrete.Nested
    assert nested.__qualname__ == "Concrete.Nested"
    assert len(nested().v) == 0
    assert (lib.Space.EFruit.kBanana, lib.Space.kApple, lib.Space.Scoped.E1) == (29, 78, 42)
    assert not hasattr(lib.Space, "E1")


@pytest.mark.behaviour("test_default_arguments", "test_keyword_arguments", "test_doc_strings")
def test_arguments(lib):
    made = (
        lib.Concrete(),
        lib.Concrete(13),
        lib.Concrete(*(27,)),
        lib.Concrete(n=17),
        lib.Concrete(n=18),
    )
    assert [one.m_int for one in made] == [42, 13, 27, 17, 18]
    with pytest.raises(sb.ArgumentError, match="it has no parameter 'm'"):
        lib.Concrete(m=18)
    for kind in ("int", "double"):
        assert f"double Concrete::sum(const {kind} * a, int n) const" in lib.Concrete.sum.__doc__


@pytest.mark.behaviour("test_functions", "test_callbacks")
def test_functions(lib):
    assert lib.global_function(1) == 42
    assert lib.global_function(1.0) == math.exp(1)
    assert lib.Space.global_function(1) == 84
    assert lib.call_int_int(lambda a, b: a + b, 3, 4) == 7
    assert lib.call_int_int(int.__mul__, 3, 7) == 21
    assert lib.call_fun(lambda i: 6 * i, 4) == 24
    with pytest.raises(TypeError, match="'<' not supported"):
        lib.call_fun(lambda i: i < "a", 4)


@pytest.mark.behaviour("test_memory", "test_pointers", "test_autocast_and_identiy")
def test_objects_have_one_owner_and_one_identity(lib):
    one = lib.PDerived()
    assert lib.pass_b(one) is one
    assert lib.pass_b(None) is None
    assert type(lib.pass_b(one)) is lib.PDerived
    with lib.Zoo.release(lib.Zoo.eLion) as lion:
        assert lion.sound() == "growl!"
    with pytest.raises(sb.IntentError, match="ended it"):
        lion.sound()


@pytest.mark.behaviour(
    "test_methods", "test_static_methods", "test_templated_methods", "test_unary_operators"
)
@pytest.mark.behaviour("test_operator_conversions", "test_operator_overloads", "test_strings")
def test_methods_and_operators(lib):
    one = lib.Concrete(5)
    assert (lib.Concrete.twice(4), one.twice(5)) == (8, 10)
    assert (one.get[int](), one.get["double"]()) == (5, 5.0)
    assert ((-one).m_int, (one + lib.Concrete(2)).m_int) == (-5, 7)
    assert str(one) == "Hello operator const char*!"
    assert lib.without_spaces("this is a C++ text") == "thisisaC++text"


@pytest.mark.behaviour("test_pyobject", "test_ref", refused=True)
def test_a_number_cannot_be_changed_in_place(lib):
    one, number = lib.Concrete(), ctypes.c_uint(0)
    with pytest.raises(
        sb.IntentError, match=r"got c_uint\(0\) .* it writes to this very memory, 'inout_ptr'"
    ):
        one.assign(number, 42)
    with pytest.raises(sb.ArgumentError, match=r"got <object object"):
        one.assign(object(), 42)


@pytest.mark.behaviour("test_ref")
def test_what_cpp_writes_to_a_reference():
    code = "struct S { void assign(unsigned int& target, unsigned int value) { target = value; } };"
    lib = sb.compile(code, arg_intent={"S::assign": {"target": "out_return"}})
    assert lib.S().assign(42) == 42


@pytest.mark.behaviour("test_templated_classes", "test_templated_functions", "test09_templated_function")
@pytest.mark.behaviour("test_fallbacks")
def test_templates(lib):
    multiply = lib.multiply
    assert (multiply(1, 2), multiply(1.0, 5), multiply[int](1, 1), multiply[int, int](2, 2)) == (2, 5.0, 1, 4)
    assert isinstance(multiply[int, int, float](1, 1), float)
    assert multiply["double, double, double"](1.0, 5) == 5
    with pytest.raises(sb.ArgumentError, match="too many template arguments"):
        multiply[int, int, int, int](1, 1)
    with pytest.raises(sb.ArgumentError, match=r"argument 2 'b': expected int32 .* got 1.5"):
        multiply[int, int](1, 1.5)
    assert type(lib.IntProducer(4)) is lib.Producer[int]
    assert lib.Consumer().consume(lib.IntProducer(4)) == "received: 8"
    for value in (1, 2**62, 1.5, True, np.uint64(2**64 - 1)):
        assert lib.pass_(value) == value


@pytest.mark.behaviour("test_fallbacks", refused=True)
def test_numbers_beyond_long_are_not_deduced(lib):
    with pytest.raises(OverflowError, match="fits none of C"):
        lib.pass_(2**64 - 1)


@pytest.mark.behaviour(
    "test_x_inheritance", "test10_llvm_blog", "test_cross_inheritance", "test_cross_and_templates"
)
def test_overriding_in_python(lib):
    for base in (lib.Abstract, lib.Concrete):
        assert type("Mine", (base,), {"text": lambda self: "mine"})().text() == "mine"
    mine = type("Mine", (lib.MyClass,), {"add": lambda self, i: 10 * i})
    assert (lib.callb(lib.MyClass(1), 2), lib.callb(mine(1), 2)) == (3, 20)


@pytest.mark.behaviour("test_multi_x_inheritance")
def test_two_bases_of_cpp(lib):
    assert type("Mine", (lib.Abstract1,), {"one": lambda self: "mine"})().one() == "mine"
    methods = {"one": lambda self: "first", "two": lambda self: "second" + super(type(self), self).two()}
    both = type("Mine", (lib.Abstract1, lib.Abstract2), methods)()
    assert (both.one(), both.two()) == ("first", "second2")
    assert isinstance(both, lib.Abstract1)
    assert isinstance(both, lib.Abstract2)


@pytest.mark.behaviour("test_exceptions")
def test_errors(lib):
    for which, words in ((1, "this is an error"), (0, "this is another")):
        with pytest.raises(RuntimeError, match=f"^{words}$"):
            lib.throw_an_error(which)


@pytest.mark.behaviour("test01_class_existence", "test02_python_introspection", "test03_STL_containers")
@pytest.mark.behaviour("test06_add_operator", "test_template_instantiation")
def test_tutorial_s_integers(lib):
    one = lib.Integer1(42)
    assert (one.m, isinstance(one, int), hasattr(one, "m")) == (42, False, True)
    assert lib.sum_all([lib.Integer1(j) for j in range(10)]) == 45
    two = lib.Math.Integer2(13)
    assert int(two) == 13
    assert int(two + one) == 55
    assert [c.data for c in lib.my_classes(10)] == list(range(10))


@pytest.mark.behaviour("test04_pretty_repr", "test05_pythonizer", "test09_custom_str")
def test_classes_take_methods_of_python(lib):
    for cls, show in (
        (lib.Integer1, lambda self: f"<{self.m}>"),
        (lib.Math.Integer2, lambda self: f"[{self.m}]"),
    ):
        before = cls.__repr__
        cls.__repr__ = show
        try:
            assert str([cls(j) for j in range(3)]) == str([cls(0), cls(1), cls(2)])
            assert repr(cls(7)).strip("<>[]") == "7"
        finally:
            cls.__repr__ = before

    class Shown(lib.Shell):
        def __str__(self):
            return self.type_text()

    assert str(Shown()) == "hi there!"


@pytest.mark.behaviour("test07_run_zoo", "test08_shared_ptr")
def test_zoo(lib):
    zoo = lib.Zoo
    with pytest.raises(sb.ArgumentError, match="it is abstract"):
        zoo.Animal()
    mouse, lion = zoo.release(zoo.eMouse), zoo.release(zoo.eLion)
    assert (type(mouse), type(lion)) == (zoo.Mouse, zoo.Lion)
    assert (mouse.sound(), lion.sound()) == ("peep!", "growl!")
    zoo.Lion.s_sound = "mooh!"
    assert lion.sound() == "mooh!"
    zoo.Lion.s_sound = "growl!"
    assert (zoo.identify(mouse), zoo.identify(lion)) == ("a mouse", "a lion")
    free = zoo.free_lion()
    assert type(free) is zoo.Lion
    assert (zoo.identify(free), zoo.identify_smart(free)) == ("a lion", "a shared lion")


@pytest.mark.behaviour("test10_stl_algorithm")
def test_algorithms_of_the_standard_library(lib):
    assert lib.without_spaces("this is a C++ string") == "thisisaC++string"


@pytest.mark.behaviour("test02_use_c_void_p", "test03_use_of_ctypes_and_enum")
def test_handles_and_arrays_that_c_makes(lib):
    camera = ctypes.c_void_p()
    lib.open_camera(ctypes.byref(camera))
    assert lib.close_camera(camera)
    place, count = ctypes.c_void_p(), ctypes.c_int()
    lib.build_enums(ctypes.byref(place), count)
    assert count.value == 4
    found = lib.enums_at(sb.Pointer(place.value), count.value)
    assert found == [lib.AA, lib.BB, lib.AA, lib.BB]
    lib.drop(place)
    with pytest.raises(sb.ArgumentError, match="says that a number is an address"):
        lib.enums_at(2**40, 4)


@pytest.mark.behaviour("test04_ptr_ptr_python_owns", "test05_ptr_ptr_with_array", "test06_c_char_p")
def test_pointers_to_pointers(lib):
    structs = np.array([(i,) for i in range(10)], lib.SomeStruct.dtype)
    addresses = (structs.ctypes.data + structs.itemsize * np.arange(10)).astype(np.uint64)
    assert lib.count_them(sb.Pointer(addresses), 10) == 45
    place, count = ctypes.c_void_p(), ctypes.c_int()
    lib.create_them(ctypes.byref(place), count)
    made = (ctypes.c_int * count.value).from_address(place.value)
    assert list(made) == [0, 1, 4, 9]
    lib.drop_them(sb.Pointer(place.value))
    text = ctypes.c_char_p()
    lib.create_text(ctypes.byref(text))
    assert text.value == b"a"
    lib.drop(ctypes.cast(text, ctypes.c_void_p))


@pytest.mark.behaviour("test04_ptr_ptr_python_owns")
def test_a_list_of_objects_is_an_array_of_pointers(lib):
    assert lib.count_them([lib.SomeStruct(i) for i in range(10)], 10) == 45


@pytest.mark.behaviour("test07_array_of_arrays", "test08_voidptr_array")
def test_arrays_of_addresses(lib):
    assert [int(p) for p in lib.Field().p] == [1, 2, 3]


@pytest.mark.behaviour("test01_reduction_of_overloads")
def test_overloads_are_chosen_by_values(lib):
    assert (lib.TwoWays(1).which, lib.TwoWays(1.0).which) == (1, 2)


@pytest.mark.behaviour("test_templated_callback")
def test_callables_of_a_known_type_are_deduced(lib):
    triple = sb.callback(lambda x: 3 * x, "int(*)(int)")
    assert lib.call_t(triple, 2) == 6
    assert lib.call_t(lib.Concrete.twice, 2) == 4


@pytest.mark.behaviour("test_templated_callback", refused=True)
def test_a_function_of_python_has_no_type_of_cpp(lib):
    with pytest.raises(sb.ArgumentError, match=r"its C[+][+] type cannot be told from <function"):
        lib.call_t(lambda x: x, 2)


@pytest.mark.behaviour("test_unicode")
def test_texts_that_are_no_utf8(lib):
    assert lib.utf8() == "中文"
    assert lib.gbk().encode("utf-8", "surrogateescape").decode("gbk") == "中文"
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        lib.gbk().encode()
