"""What cppyy's test_datatypes.py is about: members, globals, enumerations, arrays, pointers, unions and aggregates."""

from __future__ import annotations

import array
import ctypes
import gc
import math
import pathlib
import struct
from types import ModuleType

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

# What holds as many numbers as C++'s.
KINDS = "Char:i1 SChar:i1 UChar:u1 Char16:u2 Char32:u4 Wide:i4 Int8:i1 UInt8:u1 Short:i2 UShort:u2 Int:i4 UInt:u4 "
KINDS += "Long:i8 ULong:u8 LLong:i8 ULLong:u8"
BOUNDS = [(name, np.iinfo(kind)) for name, kind in (word.split(":") for word in KINDS.split())]
INTEGERS = [(name, int(bounds.min), int(bounds.max)) for name, bounds in BOUNDS]
FLOATS = ["Float", "Double"]


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    found = sb.bind(pathlib.Path(__file__).with_name("datatypes.hpp"))
    with pytest.warns(sb.BindWarning, match="are not bound"):
        dir(found)  # it is a large header, which is read when somebody asks for all
    return found


# members


@pytest.mark.behaviour("test01_instance_data_read_access")
@pytest.mark.parametrize("name", ["Bool", *(row[0] for row in INTEGERS), *FLOATS])
def test_members_read(lib, name):
    box = getattr(lib, f"{name}Box")()
    assert box.value == box.get() == box.look() == box.reach() == box.now() == 1
    assert isinstance(box.value, bool if name == "Bool" else float if name in FLOATS else int)
    assert (box.row.tolist(), box.sum()) == ([1, 0, 1], 2)
    with pytest.raises(IndexError):
        box.row[3]


@pytest.mark.behaviour("test01_instance_data_read_access")
def test_members_that_are_bytes_and_complex(lib):
    special = lib.Special()
    assert (special.raw, special.look(), [*special.raws]) == (100, 100, [7, 8])
    assert (special.z, special.imag(), special.zf) == (99 + 101j, 101, 9 + 10j)
    assert special.get() == special.get_cr() == special.z
    sized = lib.Sized["double"]
    assert (sized(2).size, sized(2).z, sized(9 + 7j).z) == (2, 7 + 42j, 9 + 7j)
    with pytest.raises(sb.ArgumentError):
        sized(3.14)  # C++ takes it for a size of 3


@pytest.mark.behaviour("test01_instance_data_read_access", refused=True)
def test_long_double_has_no_format(lib):
    with pytest.raises(AttributeError, match="long double has no counterpart among Python's number formats"):
        print(lib.Special().precise)
    with pytest.raises(AttributeError, match="long double has no counterpart"):
        print(lib.Special().get_precise)


@pytest.mark.behaviour("test02_instance_data_write_access", "test06_range_access")
@pytest.mark.parametrize(("name", "low", "high"), INTEGERS)
def test_members_are_written_within_their_range(lib, name, low, high):
    box = getattr(lib, f"{name}Box")()
    for value in (low, 0, 7, high):
        box.value = value
        assert box.get() == value
    for setter in (box.set, box.set_const_ref, box.set_moved):
        for value in (low, high, 5):
            setter(value)
            assert box.value == value
        for value in (low - 1, high + 1):
            with pytest.raises(OverflowError, match=r"expected (u?int[0-9]+|char)"):
                setter(value)
    for value in (low - 1, high + 1):
        with pytest.raises(OverflowError):
            box.value = value
    assert box.value == 5


@pytest.mark.behaviour("test02_instance_data_write_access")
def test_other_members_are_written(lib):
    box = lib.BoolBox()
    box.value = False
    assert box.get() is False
    box.set(True)
    assert box.value is True
    with pytest.raises(sb.ArgumentError, match="expected bool"):
        box.set(10)
    for name in FLOATS:
        box = getattr(lib, f"{name}Box")()
        for value in (0.125, -3.5):
            box.value = value
            assert box.now() == value
            box.set_const_ref(2 * value)
            assert box.value == 2 * value
    special = lib.Special()
    special.set_z(1 - 2j)
    assert special.z == 1 - 2j
    special.z = 4j
    assert special.imag() == 4
    special.set(9)
    assert (special.raw, special.fixed) == (9, 17)
    with pytest.raises(AttributeError, match=r"const|read-only"):
        special.fixed = 71


@pytest.mark.behaviour("test02_instance_data_write_access")
def test_member_arrays_take_buffers_by_value(lib):
    buffers = lib.Buffers()
    source = np.array([9, 8, 7, 6], np.uint8)
    buffers.bytes = source
    assert bytes(buffers.bytes) == bytes([9, 8, 7, 6])
    source[0] = 1
    assert buffers.bytes[0] == 9
    buffers.longs = [6, 5, 4, 3, 2, 1]
    assert buffers.longs.tolist() == [6, 5, 4, 3, 2, 1]
    with pytest.raises(sb.ArgumentError, match="6"):
        buffers.longs = [1, 2]


@pytest.mark.behaviour("test03_array_passing")
def test_arrays_choose_the_overload_of_their_format(lib):
    for code, factor in (("d", 1), ("f", 10), ("i", 100), ("H", 1000)):
        assert lib.total(array.array(code, [0, 1, 2, 3]), 4) == 6 * factor
    assert lib.total_of_void(array.array("d", [1, 2.5]), 2) == 3.5
    assert lib.is_null(None)
    assert not lib.is_null(np.zeros(1, np.int16))
    with pytest.raises(sb.ArgumentError, match=r"float64|uint16"):
        lib.total(array.array("q", [1]), 1)


@pytest.mark.behaviour("test04_class_read_access", "test05_class_data_write_access")
@pytest.mark.parametrize("name", ["Bool", *(row[0] for row in INTEGERS), *FLOATS])
def test_static_members(lib, name):
    cls = getattr(lib, f"{name}Box")
    assert cls.shared == cls().shared == cls.shared_now() == 1
    one, zero = (True, False) if name == "Bool" else (1, 0)
    cls.shared = zero
    assert cls().shared == cls.shared_now() == 0
    cls().shared = one
    assert cls.shared == cls.shared_now() == 1


@pytest.mark.behaviour("test05_class_data_write_access")
def test_static_members_refuse_what_does_not_fit(lib):
    for name, low, high in INTEGERS:
        for value in (low - 1, high + 1):
            with pytest.raises(OverflowError):
                getattr(lib, f"{name}Box").shared = value
    lib.DoubleBox.shared = -math.pi
    assert lib.DoubleBox.shared_now() == -math.pi
    lib.DoubleBox.shared = 1.0


@pytest.mark.behaviour("test07_type_conversions")
def test_numbers_convert_only_without_loss(lib):
    box = lib.DoubleBox()
    box.value = -1
    assert box.get() == -1.0
    with pytest.raises(sb.ArgumentError, match="float64"):
        box.value = "c"
    for name, *_ in INTEGERS:
        box = getattr(lib, f"{name}Box")()
        for setter in (
            box.set,
            box.set_const_ref,
            box.set_moved,
            lambda v, box=box: setattr(box, "value", v),
        ):
            with pytest.raises(sb.ArgumentError, match=r"expected (u?int[0-9]+|char)"):
                setter(3.14)


# globals


@pytest.mark.behaviour("test08_global_builtin_type", "test08a_global_object")
def test_globals(lib):
    assert lib.number == lib.get_number() == 22
    lib.set_number(32)
    assert lib.number == 32
    lib.number = 23
    assert lib.get_number() == 23
    assert lib.text == lib.get_text() == "C++"
    lib.text = "Python"
    assert (lib.get_text(), (lib.text16, lib.text32)) == ("Python", ("zß水", "zß水\U0001f34c"))
    lib.held.word = "outer"
    assert lib.held.get_word() == "outer"
    assert lib.data.value == 5
    lib.data.value = 6
    assert lib.data.value == 6


@pytest.mark.behaviour("test09_global_ptr")
def test_global_pointer(lib):
    assert not lib.g_pod
    assert lib.get_global_pod() is None
    pod = lib.Pod(42, 3.5)
    lib.set_global_pod(pod)
    assert lib.is_global_pod(pod)
    lib.get_global_pod().m_int = 44
    assert pod.m_int == lib.global_pod_int() == 44
    assert lib.is_global_pod(lib.g_pod)
    other = lib.Pod(43, 2.5)
    with pytest.raises(
        sb.ArgumentError, match=r"Nothing would keep it alive.* give sb.Pointer\(0x"
    ) as refused:
        lib.g_pod = other
    advice = str(refused.value).rsplit(" give ")[-1]
    lib.g_pod = eval(advice)
    assert lib.is_global_pod(other)
    assert lib.get_global_pod().m_int == lib.global_pod_int() == 43
    lib.g_pod = None
    assert lib.global_pod_int() == -1


# enumerations


@pytest.mark.behaviour("test10_enum")
def test_enumerations(lib):
    assert (lib.What.EWhat.kNothing, lib.What.kSomething, lib.What.kLots) == (6, 111, 42)
    assert lib.What.EWhat(6) is lib.What.kNothing
    assert lib.What.EWhat(7) == 7  # C++ allows every number of as many bits
    what = lib.What()
    assert what.get() is what.now is lib.What.kNothing
    what.now = lib.What.kSomething
    assert what.get() == lib.What.kSomething
    what.set(lib.What.kLots)
    assert what.now is lib.What.kLots
    what.shared = lib.What.kSomething
    assert lib.What.shared is lib.What.kSomething
    assert (lib.kApple, lib.EFruit.kBanana, lib.EFruit.kCitrus) == (78, 29, 34)
    assert (lib.EFruit.__name__, lib.Named.E1, lib.places.Named.E1) == ("EFruit", 42, -42)
    assert (lib.places.AA, lib.places.letter_code.BB) == (1, 2)
    lib.favourite = lib.EFruit.kCitrus
    assert lib.favourite is lib.get_favourite() is lib.kCitrus
    with pytest.raises(AttributeError, match=r"kBanana|reassign"):
        lib.EFruit.kBanana = 42


@pytest.mark.behaviour("test11_typed_enums", "test46_small_int_enums")
def test_enumerations_of_a_stated_type(lib):
    typed = lib.Typed
    assert (typed.nums.ZERO, typed.ONE) == (0, 1)
    assert isinstance(typed.nums.ONE, int)
    assert (typed.dir.left, typed.dir.right) == (ord("l"), ord("r"))
    assert (typed.rank.SECOND, typed.rank.FAR) == (2, 5_000_000_000)
    assert (typed.truth.no, typed.truth.yes) == (False, True)
    sizes = {name: sb.layout(getattr(typed, name)).size for name in ("nums", "dir", "rank", "truth")}
    assert sizes == {"nums": 4, "dir": 1, "rank": 8, "truth": 1}
    small = lib.small
    assert (small.I8.EN2, small.I16.EN2, small.U8.EMAX, small.U16.EMAX) == (-2, -2, 255, 65535)
    assert small.C.E0 == small.UC.E0 == ord("0")
    assert small.func_i8() is small.I8.EN2
    assert small.func_u8() is small.U8.EMAX
    assert small.value(small.I8.EN2) == -2


@pytest.mark.behaviour("test12_enum_scopes")
def test_enumerators_stand_in_the_scope_that_c_puts_them_in(lib):
    assert (lib.g_one, lib.g_two, lib.places.n_two, lib.places.n_three) == (1, 2, 2, 3)
    assert lib.places.N1.n_three is lib.places.n_three
    assert lib.places.N2.n_five == 5
    for scope, name in ((lib, "n_one"), (lib.places, "g_one"), (lib.places, "n_five"), (lib.What, "g_one")):
        assert not hasattr(scope, name)


@pytest.mark.behaviour("test47_hidden_name_enum")
def test_enumeration_whose_name_a_function_hides(lib):
    assert (lib.hidden.foo(), lib.hidden.bar(lib.hidden.FOO)) == (7, 42)
    assert lib.hidden.Bar(lib.hidden.FOO).f == 42
    made = lib.hidden.point(7)
    assert (made.v, lib.hidden.value(made, lib.hidden.point(5))) == (7, 12)
    scope = lib.hidden.Scope()
    assert (scope.kind(), scope.get()) == (9, 3)


# texts, objects, addresses


@pytest.mark.behaviour("test13_string_passing", "test35_restrict")
def test_texts_of_every_width(lib):
    assert lib.same_text("aap") == "aap"
    assert lib.no_text() is None
    assert lib.same_text(None) is None
    for same in (lib.same_wide, lib.same16, lib.same32):
        assert (same("zß水\U0001f34c"), same("")) == ("zß水\U0001f34c", "")
    assert lib.restricted("aap") == lib.same_wide_ptr("aap") == "aap"


@pytest.mark.behaviour("test15_object_returns")
def test_objects_by_value_pointer_and_reference(lib):
    holder = lib.Holder()
    copy = holder.get()
    copy.m_int = 1
    assert holder.now() == 888
    holder.get_ptr().m_int = 777
    assert holder.now() == holder.get_ref().m_int == 777
    holder.get_ref().m_int = 666
    assert (holder.now(), holder.get_ref().m_double) == (666, 3.14)


@pytest.mark.behaviour("test16_object_arguments")
def test_objects_as_arguments(lib):
    pod = lib.Pod(123, 321.0)
    address = np.array([sb.Pointer(pod).address], np.uint64)
    for setter in ("set_val", "set_ptr_in", "set_ref", "set_ptrptr_in", "set_void_ptrptr_in"):
        holder = lib.Holder()
        getattr(holder, setter)(sb.Pointer(address) if "ptrptr" in setter else pod)
        assert holder.now() == 123, setter
    lib.Holder().set_ptr_out(pod)
    assert (pod.m_int, pod.m_double) == (888, 3.14)


@pytest.mark.behaviour("test16_object_arguments", refused=True)
def test_what_is_no_array_of_pointers(lib):
    with pytest.raises(sb.ArgumentError, match=r"expected contiguous pointer\[Pod\]\[n\] .*got Pod"):
        lib.Holder().set_ptrptr_in(lib.Pod())


@pytest.mark.behaviour("test17_nullptr_passing")
def test_none_is_the_null_pointer(lib):
    holder = lib.Holder()
    assert holder.has_other()
    holder.set_ptr(None)
    assert not holder.has_other()
    with pytest.raises(sb.ArgumentError, match="expected"):
        holder.set_ptr(0)


@pytest.mark.behaviour("test18_respect_privacy")
def test_private_members_are_not_there(lib):
    with pytest.raises(AttributeError, match="owns"):
        print(lib.Holder().owns)


@pytest.mark.behaviour(
    "test19_object_and_pointer_comparisons",
    "test21_object_validity",
    "test14_copy_constructor",
    "test20_object_comparisons_with_cpp__eq__",
)
def test_equality_truth_and_copies_of_objects(lib):
    assert lib.FourVector(1.0, 2.0, 3.0, 4.0) == lib.FourVector(1.0, 2.0, 3.0, 4.0)
    assert lib.FourVector(1.0, 2.0, 3.0, 4.0) != lib.FourVector(4.0, 3.0, 2.0, 1.0)
    assert lib.FourVector(1.0, 2.0, 3.0, 4.0) is not None
    assert None is not lib.FourVector(1.0, 2.0, 3.0, 4.0)
    holder = lib.Holder()
    assert holder == holder
    assert holder != lib.Holder()
    assert lib.FourVector(1.0, 2.0, 3.0, 4.0) != holder
    assert lib.Pod()
    assert lib.null_pod() is None
    first = lib.FourVector(1.0, 2.0, 3.0, -4.0)
    copy = lib.FourVector(first)
    assert copy == first
    assert copy is not first
    assert first != lib.FourVector(0.0, 0.0, 0.0, 0.0)
    assert [copy[i] for i in range(4)] == [1, 2, 3, -4]
    assert lib.DunderEq(27) == lib.DunderEq(27)
    assert lib.DunderEq(27) != lib.DunderEq(28)


@pytest.mark.behaviour("test24_voidp")
def test_void_pointers(lib):
    addresses = lib.Addresses()
    assert not addresses.p
    assert not addresses.get()
    assert not lib.Addresses.shared
    target = lib.Pod()
    addresses.set(target)
    assert int(addresses.get()) == int(addresses.p) == sb.Pointer(target).address
    addresses.p = None
    assert not addresses.get()
    addresses.p = sb.Pointer(target)
    assert int(addresses.get()) == sb.Pointer(target).address
    with pytest.raises(sb.ArgumentError, match="Nothing would keep it alive"):
        lib.Addresses.shared = sb.Pointer(target)
    lib.Addresses.shared = sb.Pointer(sb.Pointer(target).address)
    assert int(addresses.shared) == sb.Pointer(target).address
    lib.Addresses.shared = None


@pytest.mark.behaviour("test34_object_pointers")
def test_static_texts_and_pointers_to_texts(lib):
    assert lib.Strings.v == lib.Strings().v == "Hello"
    lib.Strings().v = "World"
    assert lib.Strings.v == "World"
    assert not lib.Strings.p
    assert lib.Strings.shown() == "none"


@pytest.mark.behaviour("test43_ccharp_memory_handling", "test44_buffer_memory_handling")
def test_records_keep_what_they_point_to(lib):
    first, second = lib.Buf(4, "abc"), lib.Buf(val=5, name="d" + "ef")
    gc.collect()
    assert (first.name, second.name) == ("abc", "def")
    first.name = "gh" + "i"
    gc.collect()
    assert (lib.named(first), lib.named(second)) == ("ghi", "def")
    first = lib.BufInfo(np.arange(10.0), 2 * np.arange(10.0), 10)
    second = lib.BufInfo()
    second.data1, second.data2, second.size = 4 * np.arange(10.0), 5 * np.arange(10.0), 10
    gc.collect()
    assert (lib.sum_info(first), lib.sum_info(second)) == (3 * 45, 9 * 45)


# arrays


@pytest.mark.behaviour("test22_buffer_shapes")
@pytest.mark.parametrize("name", ["Int", "Double", "Bool", "Char", "Enum"])
def test_member_arrays_have_their_shape(lib, name):
    shapes = getattr(lib, f"{name}Shapes")()
    assert (np.asarray(shapes.aa).shape, np.asarray(shapes.aaa).shape) == ((5, 4), (5, 4, 3))
    assert len(shapes.a) == 5


@pytest.mark.behaviour("test23_buffer_reshaping", "test50_int8_uint8_global_arrays")
def test_member_arrays_are_of_one_length(lib):
    buffers = lib.Buffers()
    assert buffers.longs.reshape(2, 3).tolist() == [[0, 1, 2], [3, 4, 5]]
    buffers.longs.reshape(2, 3)[1, 2] = 50
    assert buffers.longs[5] == 50
    with pytest.raises(ValueError, match="reshape"):
        buffers.longs.reshape(4)
    assert lib.signed_bytes.tolist() == [-18, -52, 0, 127]
    assert lib.unsigned_bytes.tolist() == [18, 52, 0, 255]


@pytest.mark.behaviour("test25_byte_arrays")
def test_bytes_go_in_from_every_kind_of_buffer(lib):
    text = b"123456789"
    for f in (lib.sum_bytes, lib.sum_std_bytes):
        for given in (
            text,
            bytearray(text),
            array.array("B", text),
            (ctypes.c_ubyte * 9).from_buffer_copy(text),
            np.frombuffer(text, np.uint8),
        ):
            assert f(given, 9) == sum(text)


@pytest.mark.behaviour("test30_multi_dim_arrays_of_builtins")
def test_arrays_of_pointers(lib):
    layers = lib.IntLayers(4)
    assert layers.at(2, 3) == 23
    read = [(ctypes.c_int * 4).from_address(int(layers.layers[i]))[:] for i in range(3)]
    assert read == [[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]


@pytest.mark.behaviour("test33_pointer_to_array", "test36_legacy_matrix", "test37_legacy_matrix_of_structs")
def test_arrays_of_structs_and_of_pointers(lib):
    cells = lib.CellArray()
    assert [cell.v for cell in cells.cells] == [42, 13]
    cells.cells[1].v = 14
    assert cells.cells[1].v == 14
    rows = lib.int_matrix(2, 3)
    assert lib.at(rows, 1, 2) == 13 + 1 * 3 + 2
    lib.drop_ints(rows)
    rows = lib.xy_matrix(2, 3)
    assert lib.y_at(rows, 1, 2) == 2 + 7
    lib.drop_xys(rows)


# callables


@pytest.mark.behaviour("test26_function_pointers")
def test_function_pointers(lib):
    assert (lib.call_double(lib.sum_double, 5.0, 0.5), lib.call_double(None, 5.0, 0.5)) == (5.5, -1)
    with pytest.raises(sb.ArgumentError, match="sum_int"):
        lib.call_double(lib.sum_int, 2, 3)
    assert lib.chosen(2, 3) == lib.call_chosen(2, 3) == 5
    lib.chosen = lib.sum_int2
    assert lib.call_chosen(2, 3) == 7
    chooses = lib.Chooses()
    assert not chooses.f
    chooses.f = lib.sum_int2
    assert chooses.f(2, 3) == 7
    lib.chosen = lib.sum_int


@pytest.mark.behaviour("test26_function_pointers", refused=True)
def test_returned_function_pointer_of_what_is_no_bytes(lib):
    with pytest.raises(sb.ArgumentError, match=r"cannot be called from Python: .* cannot travel as bytes"):
        lib.get_greeter()()


@pytest.mark.behaviour("test27_callable_passing", "test28_callable_through_function_passing")
@pytest.mark.parametrize("end", ["", "_sf"])
def test_callables(lib, end):
    call_double, call_int, call_void = (
        getattr(lib, f"call_{name}{end}") for name in ("double", "int", "void")
    )
    assert call_double(lambda a, b: a + b, 2, 3) == 5.0
    assert type(call_double(max, 2, 3)) is float
    assert (call_int(lambda a, b: a * b, 2, 3), call_double(math.atan2, 0, 3.0)) == (6, 0)
    seen = []
    assert call_void(seen.append, 5) is None
    assert seen == [5]
    with pytest.raises(ZeroDivisionError):
        call_int(lambda a, b: a // b, 1, 0)
    with pytest.raises(sb.ArgumentError, match="float"):
        call_int(lambda a, b: a / 2, 1, 1)


@pytest.mark.behaviour("test27_callable_passing")
def test_callables_that_an_object_keeps(lib):
    kept = lib.Kept(lambda a, b: a * b)
    gc.collect()
    assert kept(3, 3) == 9


@pytest.mark.behaviour("test29_std_function_life_lines")
def test_members_that_are_std_function_keep_their_callable(lib):
    class Mine(lib.Acts):
        def __init__(self):
            super().__init__()
            self.execute = self.text

        def text(self):
            return "xyz"

    mine = Mine()
    gc.collect()
    assert mine.run() == "xyz"


# unions, nameless types, aggregates


@pytest.mark.behaviour("test31_anonymous_union")
def test_unions(lib):
    for name in ("Event1", "Event2"):
        event = getattr(lib, name)()
        assert (event.num, event.shrd.a) == (1, 5.0)
        assert not hasattr(event, "a")
    assert (lib.Event3(42).b, lib.Event3(5.0).a) == (42, 5.0)
    assert lib.Event3(5.0).b == struct.unpack("<i", struct.pack("<d", 5.0)[:4])[0]
    point = lib.PointI()
    assert (point.x, point.i, point.intensity, point.data_c[1]) == (1, 2, 5, 5)


@pytest.mark.behaviour("test32_anonymous_struct")
def test_structs_without_a_name(lib):
    two = lib.Two()
    assert (two.bar.x, two.baz.x) == (5, 7)
    assert not hasattr(two.bar, "bar")
    assert lib.exported().outer.inner.f(2, 3) == 5


@pytest.mark.behaviour("test38_plain_old_data")
def test_plain_structs_take_their_fields(lib):
    assert (lib.PodA(), [lib.PodB().i, lib.PodB(42).i, lib.PodB(i=17).i]) == (lib.PodA(), [0, 42, 17])
    made = lib.PodC(), lib.PodC(42), lib.PodC(d=5.0), lib.PodC(88, 10.0), lib.PodC(d=5.0, i=77)
    assert [(c.i, c.d) for c in made] == [(0, 0), (42, 0), (0, 5), (88, 10), (77, 5)]
    assert (list(lib.PodD((1.0, 2.0, 3.0)).a), list(lib.PodD().a)) == ([1, 2, 3], [0, 0, 0])
    assert not lib.PodE().p
    assert not lib.PodF().p
    number = np.array([7], np.intc)
    assert int(lib.PodE(number).p) == number.ctypes.data


@pytest.mark.behaviour("test39_aggregates", "test40_more_aggregates", "test48_bool_typemap")
def test_aggregates(lib):
    assert (lib.Number(5).n, lib.Agg1().s) == (5, 17)
    assert (lib.Agg2.s, lib.Agg2().f, lib.Agg2(f=13).f) == (27, 42, 13)
    buf = lib.Buf(val=10, name="aap", kind=lib.SHAPE)
    assert (buf.val, buf.name, buf.kind) == (10, "aap", lib.SHAPE)
    assert lib.make_R1().e is lib.Green
    assert (lib.Flags.Set, lib.Flags.Small(44), lib.Flags().set) == (np.bool_, 44, True)


@pytest.mark.behaviour("test40_more_aggregates", "test45_const_ref_data", refused=True)
def test_members_that_cannot_be_copied(lib):
    with pytest.raises(AttributeError, match="its objects can only be moved"):
        print(lib.R2().s)
    with pytest.raises(AttributeError, match="a reference inside another type"):
        print(lib.Refers().body2)


@pytest.mark.behaviour("test41_complex_numpy_arrays", "test42_mixed_complex_arithmetic")
def test_complex_numbers(lib):
    for kind, f in ((np.complex128, lib.dot), (np.complex64, lib.dotf)):
        a, b = np.array([1 + 2j, 3 + 4j], kind), np.array([5 + 6j, 7 + 8j], kind)
        assert f(a, b, 2) == (a * b).sum()
    assert lib.cube(1 + 2j) == (1 + 2j) ** 3
