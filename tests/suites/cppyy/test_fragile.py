"""What cppyy's test_fragile.py is about: incomplete declarations, misleading names, and errors in C++ and in calls."""

from __future__ import annotations

import array
import pathlib
import pickle
from types import ModuleType

import pytest

import samebytes as sb

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    with pytest.warns(sb.BindWarning, match="are not bound"):
        return sb.bind(pathlib.Path(__file__).with_name("fragile.hpp"))


@pytest.mark.behaviour("test01_load_failure", "test21_failing_cppcode")
def test_headers_and_code_that_are_not_there():
    with pytest.raises(sb.BindError, match="does_not_exist"):
        sb.bind("does_not_exist.hpp")
    with pytest.raises(sb.CompileError, match=r"does_not_exist\.h"):
        sb.compile("#include <does_not_exist.h>")
    for language in ("c++", "c"):
        with pytest.raises(sb.CompileError, match=r"source\.c(pp)?:1:9: error: .*aap"):
            sb.compile("int a = 1aap;", language=language)


@pytest.mark.behaviour("test02_missing_classes", "test04_unsupported_arguments")
def test_classes_that_are_only_declared(lib):
    fragile = lib.fragile
    for scope in (lib, fragile):
        with pytest.raises(AttributeError, match="no_such"):
            print(scope.no_such)
    assert [getattr(fragile, name)().check() for name in "ABCD"] == [ord(c) for c in "ABCD"]
    assert fragile.A is fragile.A
    assert not fragile.B().give()
    assert fragile.C().use(None) == fragile.E().overload(None) == 0
    assert not fragile.E().pp
    for bad in (fragile.A(), 1.5, "text"):
        with pytest.raises(sb.ArgumentError, match="argument 1"):
            fragile.C().use(bad)


@pytest.mark.behaviour("test03_arguments", "test10_documentation")
def test_wrong_arguments_are_told_by_overload(lib):
    d = lib.fragile.D()
    assert (d.overload(), d.overload(1), d.overload(1, 2), d.overload(1.0, 2.0)) == (0, 2, 2, 3)
    with pytest.raises(
        sb.ArgumentError, match=r"(?s)overload\(str\) has no overload that fits.*no_such_class.*char"
    ):
        d.overload("word")
    with pytest.raises(sb.ArgumentError, match=r"got 3 arguments"):
        d.overload(None, None, None)
    with pytest.raises(sb.ArgumentError, match=r"(?s)got 1 argument.*check\(\).*check\(arg0"):
        d.check(None)
    assert "int fragile::J::method1(int a, double b)" in lib.fragile.J.method1.__doc__
    assert "int fragile::fglobal(int a, double arg1, char arg2)" in lib.fragile.fglobal.__doc__
    with pytest.raises(sb.ArgumentError, match="it is abstract"):
        lib.fragile.O()


@pytest.mark.behaviour("test06_wrong_this")
def test_a_method_takes_objects_of_its_class(lib):
    a, b = lib.fragile.A(), lib.fragile.B()
    assert lib.fragile.A.check(a) == ord("A")
    for method, wrong, name in ((lib.fragile.A.check, b, "A"), (lib.fragile.B.check, a, "B")):
        with pytest.raises(sb.ArgumentError, match=f"expected an object of .*{name}"):
            method(wrong)
    assert a.null() is None
    with pytest.raises(sb.ArgumentError, match=r"it is called on an object of fragile::A, got None"):
        lib.fragile.A.check(a.null())


@pytest.mark.behaviour(
    "test07_unnamed_enum", "test08_unhandled_scoped_datamember", "test14_double_enum_trouble"
)
def test_nested_and_unnamed_types(lib):
    fragile = lib.fragile
    assert (fragile.G.unnamed1, fragile.G.unnamed2, fragile.G().g) == (24, 96, 1)
    assert not fragile.H().m
    assert (fragile.M.kOnce, fragile.N.kOnce, fragile.M.kTwice, fragile.N.kTwice) == (42, 42, 12, 13)
    assert fragile.N.E2.kTwice == 13


@pytest.mark.behaviour("test09_operator_bool")
def test_truth_is_the_class_s_own(lib):
    assert not lib.fragile.I()
    assert not lib.fragile.gI


@pytest.mark.behaviour("test11_dir", "test12_imports")
def test_namespaces(lib):
    fragile = lib.fragile
    assert {"A", "B", "C", "D", "nested1", "fglobal", "gI"} <= set(dir(fragile))
    assert "A" not in dir(lib)
    nested1 = fragile.nested1
    found = [fragile.A, nested1.A, nested1.nested2.A, nested1.nested2.nested3.A]
    assert len(set(found)) == 4
    assert [cls().v for cls in found[1:]] == [1, 2, 3]
    assert [cls.__name__ for cls in found] == ["A"] * 4
    assert {"method1"} <= set(dir(fragile.J))


@pytest.mark.behaviour("test13_missing_casts")
def test_objects_keep_their_identity(lib):
    one, two = lib.fragile.K(), lib.fragile.K()
    assert one.give(None) is one
    assert one.give(two) is two
    assert type(lib.fragile.derived()) is lib.fragile.L
    assert lib.fragile.derived() == lib.fragile.derived()


@pytest.mark.behaviour("test15_const_in_name", "test03_clashing_using_in_global", "test01_stl_in_std")
@pytest.mark.behaviour("test02_ctypes_in_both", "test04_no_legacy")
def test_names_that_mislead(lib):
    assert (lib.my1.v, lib.my2.v, lib.my3.v) == (1, 2, 3)
    assert type(lib.my1) is lib.constSomeClass
    assert lib.vector().own == 3
    for name in ("array", "function", "list", "set"):
        assert not hasattr(lib, name)
    assert (lib.twice(4), lib.neg(-42), lib.next(7)) == (8, 42, 8)
    assert (lib.ELogLevel.kLogEmerg, lib.kLogDebug) == (0, 7)


@pytest.mark.behaviour("test16_opaque_handle")
def test_opaque_handles(lib):
    handle = lib.fragile.create()
    assert handle
    assert int(handle) != 0
    assert lib.fragile.destroy(handle) == 5
    with pytest.raises(AttributeError, match="Opaque"):
        print(lib.fragile.Opaque)
    with pytest.warns(sb.BindWarning, match="are not bound"):
        complete = sb.bind(pathlib.Path(__file__).with_name("fragile.hpp"), defines={"FRAGILE_HERE": ""})
    assert complete.fragile.Opaque().n == 5
    assert complete.fragile.create().n == 5


@pytest.mark.behaviour("test18_overload")
def test_overloads_of_a_constructor(lib):
    assert lib.Variable(1.0, 2.0, True, "x").which == 1
    assert lib.Variable(1).which == 2


@pytest.mark.behaviour("test20_capture_output")
def test_what_cpp_prints(capfd):
    lib = sb.compile('#include <iostream>\ninline void hello() { std::cerr << "Hello" << std::endl; }')
    lib.hello()
    assert capfd.readouterr().err == "Hello\n"


@pytest.mark.behaviour("test25_cppdef_error_reporting")
def test_errors_of_definitions(lib):
    assert lib.fragile.add42(1) == 43
    with pytest.raises(sb.CompileError, match=r"redefinition of 'int add42\(int\)'"):
        sb.compile("int add42(int i) { return i + 42; }\nint add42(int i) { return i; }")


@pytest.mark.behaviour("test26_macro")
def test_macros(lib):
    assert (lib.HELLO, lib.SOME_INT) == ("Hello, World!", 42)
    with pytest.raises(AttributeError, match="OTHER_INT"):
        print(lib.OTHER_INT)


@pytest.mark.behaviour("test27_pickle_enums")
def test_pickled_enumerators(lib):
    for enumerator in (lib.PickleFoo, lib.MyEnum.PickleBar, lib.other.PickleBar):
        again = pickle.loads(pickle.dumps(enumerator))
        assert again is enumerator
    assert (lib.PickleBar, lib.other.PickleBar) == (1, 5)


@pytest.mark.behaviour("test28_memoryview_of_empty")
def test_empty_memory(lib):
    for empty in (b"", memoryview(array.array("B", [])), array.array("B")):
        assert lib.first_byte(empty, 0) == -1
    assert lib.first_byte(memoryview(b"a"), 1) == ord("a")


@pytest.mark.behaviour("test29_vector_datamember", "test30_two_nested_ambiguity")
def test_vectors_as_members(lib):
    one = lib.HasVector()
    one.v = [1, 2]
    assert list(one.v) == [1, 2]
    for family, n in ((lib.Family1, 2), (lib.Family2, 3)):
        children = family.Parent().children
        assert [type(child) for child in children] == [family.Parent.Child] * n


@pytest.mark.behaviour("test31_template_with_class_enum")
def test_templates_over_an_enumeration(lib):
    assert lib.OfEnum[lib.ClassEnum.A]().foo() == lib.OfA().foo() == 42
    assert lib.OfEnum[lib.ClassEnum.B]().foo() == 37


@pytest.mark.behaviour("test05_span_compatibility")
def test_a_global_span():
    code = """
        #include <span>
        int numbers[3] = {1, 2, 3};
        inline std::span<int> shown;
        inline void show() { shown = numbers; }
        """
    lib = sb.compile(code, std="gnu++20")
    assert list(lib.shown) == []
    lib.show()
    assert list(lib.shown) == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):  # it is a copy of what the span shows
        lib.shown[1] = 20
    with pytest.raises(AttributeError, match="only shows elements: nothing would keep"):
        lib.shown = lib.numbers


@pytest.mark.behaviour("test24_asan")
def test_sanitizer_s_header():
    lib = sb.compile("#include <sanitizer/asan_interface.h>\ninline int f() { return 3; }")
    assert lib.f() == 3
