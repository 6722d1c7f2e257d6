"""What cppyy's test_regression.py is about: one small case for each defect that the peer had."""

from __future__ import annotations

import ctypes
import gc
import inspect
import pathlib
import pydoc
import sys
import sysconfig
from types import ModuleType

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    with pytest.warns(sb.BindWarning, match="are not bound"):
        return sb.bind(pathlib.Path(__file__).with_name("regression.hpp"))


@pytest.mark.behaviour("test02_dir", "test31_enum_in_dir")
def test_dir_and_help(lib):
    assert {"Documented", "one", "iii"} <= set(dir(lib.docs))
    assert {"n", "fn"} <= set(dir(lib.docs.one))
    text = pydoc.render_doc(lib.docs.one)
    assert "Documented" in text
    assert "void docs::Documented::fn()" in text
    assert "namespace" in pydoc.render_doc(lib.docs)
    assert {"prod", "a", "b", "smth", "my_enum", "ONE"} <= set(dir(lib.in_dir))
    assert "int docs::iii()" in inspect.getdoc(lib.docs.iii)


@pytest.mark.behaviour("test03_pyfunc_doc", "test09_gil_not_released", refused=True)
def test_cpp_that_calls_python():
    code = """#include <Python.h>
    #include <vector>
    inline long number(PyObject* o) { return PyLong_AsLong(o); }
    inline std::vector<float> floats(size_t o) { return {float(PyFloat_AsDouble((PyObject*)o))}; }"""
    with pytest.warns(sb.BindWarning, match="2 of 2 declarations are not bound"):
        lib = sb.compile(code, include_dirs=[sysconfig.get_config_var("INCLUDEPY")])
    for name, uses in (("number", "PyLong_AsLong"), ("floats", "PyFloat_AsDouble")):
        with pytest.raises(AttributeError, match=f"uses {uses}, which no source or library given defines"):
            getattr(lib, name)


@pytest.mark.behaviour("test04_avx")
def test_vector_instructions_are_those_of_the_flags(lib):
    assert not lib.has_avx
    assert lib.sum4([1.0, 2.0, 3.0, 4.0]) == 10


@pytest.mark.behaviour("test05_default_template_arguments")
def test_templates_whose_arguments_all_have_defaults(lib):
    one = lib.AllDefault[int](24)
    one.t = 21
    assert one.stuff() == 24
    assert one.stuff[3]() == 26


@pytest.mark.behaviour("test06_default_float_or_unsigned_argument")
@pytest.mark.parametrize("kind", ["float", "double", "long", "ulong"])
def test_default_values_with_suffixes(lib, kind):
    take = getattr(lib, f"take_{kind}")
    assert take() == take(b=2) == take(5) == 10
    assert take(b=3) == 15
    assert take(a=1) == 2


@pytest.mark.behaviour("test07_class_refcounting")
def test_objects_do_not_hold_references_of_their_class(lib):
    for cls in (lib.Countable, lib.S1, lib.Info[lib.E1]):
        cls()
        before = sys.getrefcount(cls)
        for _ in range(100):
            cls()
        gc.collect()
        assert sys.getrefcount(cls) <= before + 1


@pytest.mark.behaviour("test08_typedef_identity")
def test_an_alias_is_the_class_itself(lib):
    assert lib.S2.One is lib.S1
    assert lib.S2().row.tolist() == [1, 2]


@pytest.mark.behaviour("test08_typedef_identity")
def test_an_alias_of_a_container(lib):
    assert repr(lib.S2.Row) == "<C++ type S2::Row: float64[n]>"
    assert list(lib.S2().row) == [1, 2]


@pytest.mark.behaviour("test10_enum_in_global_space")
def test_enumerators_of_a_c_header():
    lib = sb.bind("search.h", language="c")
    assert (lib.FIND, lib.ENTER) == (0, 1)
    assert type(lib.ENTER) is lib.ACTION


@pytest.mark.behaviour("test12_exception_while_exception")
def test_an_error_while_another_is_handled(lib):
    with pytest.raises(AttributeError, match="blabla") as first:
        print(lib.blabla)
    try:
        raise first.value
    except AttributeError:
        with pytest.raises(AttributeError, match="blublu") as second:
            print(lib.docs.blublu)
    assert second.value.__context__ is first.value


@pytest.mark.behaviour("test13_char_star_over_char")
def test_a_text_is_a_text_before_a_character(lib):
    assert lib.csoc1.call("0") == lib.csoc1.call(48) == "char"
    with pytest.raises(sb.ArgumentError, match=r"expected char .* got '00'"):
        lib.csoc1.call("00")
    for text in ("0", "00"):
        assert lib.csoc2.call(text) == "const char*"
        assert lib.csoc3.call(text) == "string"
    assert lib.csoc2.call(48) == lib.csoc3.call(48) == "char"


@pytest.mark.behaviour("test14_struct_direct_definition")
def test_structs_defined_where_they_are_used(lib):
    assert [list(baz.data) for baz in lib.Bar().baz] == [[3.5], [2.5]]
    assert lib.Foo().bar.x == 5


@pytest.mark.behaviour("test15_vector_vs_initializer_list", "test22_initializer_list_and_temporary")
def test_lists_are_vectors_of_templates_and_lists_of_constructors(lib):
    for name in (lib.name1, lib.name2):
        assert "vector" in name(list(range(10)))
    assert lib.sizeit(list(range(10))) == 10
    for argument, called in ((1, "Bar(int)"), ([1, 2], "Bar(il<2>)")):
        lib.called = ""
        lib.InitBar(argument)
        assert lib.called == called


@pytest.mark.behaviour("test16_iterable_enum")
def test_iterating_over_an_enumeration(lib):
    assert list(lib.Colours()) == [lib.Colour.Black, lib.Colour.Blue, lib.Colour.Red]


@pytest.mark.behaviour("test17_operator_eq_pickup")
def test_equality_is_that_of_the_derived_class(lib):
    assert lib.EqDerived() == lib.EqDerived()
    assert lib.NeDerived() != lib.NeDerived()
    assert (lib.EqBase() == lib.EqBase()) is False


@pytest.mark.behaviour(
    "test18_operator_plus_overloads", "test19_std_string_hash", "test21_temporaries_and_vector"
)
def test_texts(lib):
    found = lib.concat("a", "b")
    assert found + "c" == "abc"
    assert {lib.concat("te", "xt"): 1}["text"] == 1
    assert [one for one in lib.temporary()] == ["x", "y", "z"]  # noqa: C416
    assert "['x'" in str(lib.temporary())


@pytest.mark.behaviour("test20_signed_char_ref")
def test_references_to_signed_char(lib):
    one = lib.SChar()
    one.set(-100)
    assert one.get() == one.c == -100


@pytest.mark.behaviour("test23_copy_constructor")
def test_every_copy_is_destroyed_once(lib):
    assert lib.Countable.n == 0
    first = lib.Countable()
    copies = [lib.Countable(first), lib.countable()]
    assert lib.Countable.n == 3
    del first, copies
    assert lib.Countable.n == 0
    given = lib.countable()
    lib.give(given)
    del given
    gc.collect()
    assert lib.Countable.n == 1
    lib.destroy()
    assert lib.Countable.n == 0


@pytest.mark.behaviour("test24_C_style_enum", "test32_typedef_class_enum", "test41_typedefed_enums")
def test_enumerations(lib):
    c_style = lib.c_style
    assert (c_style.mine, c_style.yours) == (c_style.Mine.kOne, c_style.Yours.kThree)
    c_style.yours = c_style.kFour
    assert c_style.yours is c_style.Yours.kFour
    assert c_style.now() == 1
    for enum in (lib.E1, lib.E2, lib.E3):
        info = lib.Info[enum]()
        for x, y in ((enum.BAR, 0), (enum.BAZ, 1)):
            info.x, info.y = x, y
            assert (info.x, info.y) == (x, y)
    assert lib.day_number(lib.WEDNESDAY) == 2


@pytest.mark.behaviour("test26_const_charptr_data")
def test_a_pointer_to_const_can_be_set_and_a_const_pointer_cannot(lib):
    io = lib.Io1()
    for text in ("aap", "noot"):
        io.name = text
        assert lib.io_name(io) == io.name == text
    with pytest.raises(sb.ArgumentError, match="NUL"):
        io.name = "aap\0noot"
    with pytest.raises(AttributeError, match=r"const|read-only"):
        lib.Io2().name = "aap"


@pytest.mark.behaviour("test27_exception_by_value", "test28_exception_as_shared_ptr")
def test_errors_as_values(lib):
    assert lib.CountedError.n == 0
    error = lib.make_error()
    assert lib.CountedError.n == 1
    del error
    assert lib.CountedError.n == 0
    assert lib.no_error() is None


@pytest.mark.behaviour("test29_callback_pointer_values")
def test_an_object_in_a_callback_is_of_its_real_class(lib):
    owner, seen = lib.Owner(), []
    owner.derived.id = 77
    owner.derived.send(lambda sender: seen.append((type(sender), sender.id, sender == owner.derived)))
    assert seen == [(lib.SenderDerived, 77, True)]
    assert owner.derived != lib.SenderDerived()


@pytest.mark.behaviour("test30_uint64_t")
def test_64_bits(lib):
    assert lib.same64(lib.umax) == lib.umax == 2**64 - 1
    for value in (lib.smin, 2**63 - 1, np.uint64(lib.umax), 1.25, True):
        assert lib.wrap(value).t == value
    assert lib.wrap(True).t is True


@pytest.mark.behaviour("test30_uint64_t", refused=True)
def test_an_int_of_more_than_63_bits_is_not_deduced(lib):
    with pytest.raises(OverflowError, match="cannot be deduced: 18446744073709551615 fits none"):
        lib.wrap(lib.umax)


@pytest.mark.behaviour("test33_explicit_template_in_namespace")
def test_templates_of_nested_namespaces(lib):
    assert lib.props.type.mos["double"]() == lib.chem.Mo["double"]()
    assert lib.chem.produce()[0] == 10
    assert lib.props.run_as[lib.props.Wave["double"]]() == (20.0, 2)


@pytest.mark.behaviour("test34_print_empty_collection", "test35_filesytem")
def test_shown(lib):
    assert str(list(lib.axes(0))) == "[]"
    assert lib.shown_path() == '"/usr"'


@pytest.mark.behaviour("test36_ctypes_sizeof")
def test_ctypes_objects_are_memory(lib):
    for wrap in (lambda x: x, ctypes.pointer, ctypes.byref):
        held = ctypes.c_uint32(17)
        lib.write42(wrap(held))
        assert held.value == 42


@pytest.mark.behaviour("test37_array_of_pointers_argument")
def test_arrays_of_pointers(lib):
    numbers = np.array([3, 4], np.intc)
    addresses = np.array([numbers.ctypes.data, numbers.ctypes.data + 4], np.uint64)
    assert lib.first_of(sb.Pointer(addresses)) == 7


@pytest.mark.behaviour("test37_array_of_pointers_argument")
def test_a_list_is_an_array_of_pointers(lib):
    assert lib.first_of([np.array([3], np.intc), np.array([4], np.intc)]) == 7
    with pytest.raises(sb.ArrayError, match="It has 1, and 2 are declared"):
        lib.first_of([np.array([3], np.intc)])


@pytest.mark.behaviour("test38_char16_arrays", "test42_char_arrays_consistence")
def test_arrays_of_characters(lib):
    axis = lib.Axis()
    axis.name = [ord(c) for c in "hello\0"]
    assert bytes(axis.name).decode("utf-16-le") == "hello\0"
    assert [bytes(one.name).decode("utf-16-le") for one in lib.axes(2)] == ["hello\0"] * 2
    with pytest.raises(sb.ArgumentError, match="expected 6 elements"):
        axis.name = [ord(c) for c in "too long"]
    chars = lib.Chars()
    lib.set_pointers(chars)
    texts = [bytes(chars.val), *map(bytes, chars.values)]
    assert [text.rstrip(b"\0") for text in texts] == [b"howdy!", b"hello", b"world!"]
    pointed = [chars.ptr, *chars.pointers]
    assert [ctypes.string_at(int(one)) for one in pointed] == [b"howdy!", b"hello", b"world!"]


@pytest.mark.behaviour("test38_char16_arrays", refused=True)
def test_a_text_is_no_array_of_numbers(lib):
    with pytest.raises(
        sb.ArgumentError,
        match=r"expected carray\[uint16, 6\], got 'hello'.* Pass a list, a tuple or an array",
    ):
        lib.Axis().name = "hello"


@pytest.mark.behaviour("test40_explicit_initializer_list")
def test_initializer_lists_of_pairs(lib):
    assert lib.TakesDict([(lib.E1.BAZ, 4), (lib.E1.BAR, 12)]).sum == 28


@pytest.mark.behaviour("test43_static_with_default")
def test_static_methods_of_objects(lib):
    assert lib.WithStatic().joined("one", "two") == "onetwo"
    assert lib.WithStatic().joined("one") == lib.WithStatic.joined("one") == "one!"


@pytest.mark.behaviour("test45_typedef_resolution")
def test_typedefs_of_const(lib):
    assert lib.typedefs(3, 1) == 2
    assert lib.c_value == 7
    with pytest.raises(
        AttributeError, match=r"'c_value' of 'regression' is bound to C[+][+] and cannot be replaced"
    ):
        lib.c_value = 8


@pytest.mark.behaviour("test46_exception_narrowing")
def test_errors_of_overloads(lib):
    with pytest.raises(RuntimeError, match=r"^fine$"):
        lib.Throws().bar()


@pytest.mark.behaviour("test25_const_iterator")
def test_const_iterators():
    lib = sb.compile("""
#include <list>
#include <string>
struct Names {
  std::list<std::string> v{"a", "b"};
  auto begin() const { return v.cbegin(); }
  auto end() const { return v.cend(); }
};
""")
    assert list(lib.Names()) == ["a", "b"]


@pytest.mark.behaviour("test39_vector_of_pointers_conversion")
def test_elements_are_objects_of_their_class():
    lib = sb.compile("""
#include <vector>
struct Shape { virtual ~Shape() {} virtual int sides() const { return 0; } };
struct Square : Shape { int sides() const override { return 4; } };
inline std::vector<Shape*> made() { static Square one; static Shape two; return {&one, &two, nullptr}; }
inline int sides(const std::vector<Shape*>& all) {
  int n = 0;
  for (auto* one : all) n += one ? one->sides() : 100;
  return n;
}
""")
    square, shape, nothing = lib.made()
    assert (type(square), type(shape), nothing) == (lib.Square, lib.Shape, None)
    assert lib.sides([square, shape]) == 4
    assert lib.sides([lib.Square(), None]) == 104
