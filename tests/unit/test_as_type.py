"""as_type: what other libraries and C++ call types, and why some have no machine representation."""

import ctypes

import ml_dtypes
import numpy as np
import pytest
from tests.tables import each

import samebytes as sb
from samebytes.types import (
    CHAR,
    SCALARS,
    SPELLED,
    VOID,
    Aligned,
    Array,
    Atomic,
    CArray,
    Const,
    Named,
    Pointer,
    Tuple,
    Vector,
    as_type,
)

sb.layout(int)  # what reads names and dtypes is in `layouts`, which a program's first question loads
S = SCALARS


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int8), ("b", ctypes.c_double), ("c", ctypes.c_int16 * 3))


class TorchDtype:
    """Stands for torch.dtype: read by its class's module and its text."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


TorchDtype.__module__, TorchDtype.__name__ = "torch", "dtype"

KNOWN = [
    (np.dtype("f4"), S["float32"]),
    (np.longlong, S["int64"]),
    (np.dtype(ml_dtypes.bfloat16), S["bfloat16"]),
    (np.dtype("S8"), CArray(CHAR, (8,))),
    (np.dtype(("i2", (2, 3))), CArray(S["int16"], (2, 3))),
    (ctypes.c_bool, S["bool"]),
    (ctypes.c_long, S["int64"]),
    (ctypes.c_size_t, S["uint64"]),
    (ctypes.c_char, CHAR),
    (ctypes.c_void_p, Pointer(VOID)),
    (ctypes.c_char_p, Pointer(Const(CHAR))),
    (ctypes.POINTER(ctypes.c_float), Pointer(S["float32"])),
    (ctypes.c_float * 3 * 2, CArray(S["float32"], (2, 3))),
    (TorchDtype("torch.float8_e4m3fn"), S["float8e4m3"]),
    (TorchDtype("torch.int64"), S["int64"]),
    ("float", S["float32"]),
    ("unsigned", S["uint32"]),
    ("long long int", S["int64"]),
    ("short unsigned int", S["uint16"]),
    ("signed char", S["int8"]),
    ("char", CHAR),
    ("const unsigned long long*", Pointer(Const(S["uint64"]))),
    ("float const* const*", Pointer(Const(Pointer(Const(S["float32"]))))),
    ("void*", Pointer(VOID)),
    ("double[3][4]", CArray(S["float64"], (3, 4))),
    ("std::size_t", S["uint64"]),
    ("::std::uint8_t", S["uint8"]),
    ("cuda::std::complex<float>", SPELLED["cuda::std::complex<float>"]),
    ("std::complex<double>", SPELLED["std::complex<double>"]),
    ("float _Complex", SPELLED["std::complex<float>"]),
    ("complex64", S["complex64"]),
    ("std::complex<float>*", Pointer(S["complex64"])),
    ("dim3", Tuple.of([S["uint32"]] * 3)),
    ("double4_32a", Aligned(Vector(S["float64"], 4), 32)),
    ("ulong4_16a", Vector(S["uint64"], 4)),
    ("half2", Vector(S["float16"], 2)),
    ("nv_bfloat162", Vector(S["bfloat16"], 2)),
    ("__half_raw", S["float16"]),
    ("uint", S["uint32"]),
    ("f4", S["float32"]),
    ("=c16", S["complex128"]),
    ("S8", CArray(CHAR, (8,))),
    ("__half", S["float16"]),
    ("__half3", Vector(S["float16"], 3)),
    ("__nv_bfloat162", Vector(S["bfloat16"], 2)),
    ("__nv_fp8x4_e5m2", Vector(S["float8e5m2"], 4)),
    ("float4", Vector(S["float32"], 4)),
    ("char1", Vector(S["int8"], 1)),
    ("ulonglong2", Vector(S["uint64"], 2)),
    ("samebytes::float32x3", Vector(S["float32"], 3)),
    ("sycl::vec<float, 3>", Vector(S["float32"], 3)),
    ("std::atomic<int>", Atomic(S["int32"])),
    ("std::array<float, 3>", CArray(S["float32"], (3,))),
    ("samebytes::array<const float, 2>", Array(Const(S["float32"]), 2)),
]


@each(("hint", "expected"), KNOWN)
def test_known(hint, expected):
    assert as_type(hint) == expected


UNKNOWN = [
    ("flaot4", "near are float4"),
    ("long double", "no such number"),
    ("wchar_t", "no type is called"),
    ("int&", "a reference"),
    ("std::vector<int>", "no type is called 'std::vector'"),
    ("mine::float4", "namespace 'mine' is not known"),
    ("", "no type is called ''"),
    ("float*[", "expected a positive number"),
    ("float x", "'x' is not understood"),
    ("unsigned float", "no such number"),
    ("std::complex<int>", "no complex number of int32"),
    ("sycl::complex<float>", "no type is called 'sycl::complex'"),
    (">f4", "byte order"),
    ("int[0]", "positive number"),
    ("$", "'$' is not understood"),
    ("samebytes::array<float>", "expected ','"),
    (np.dtype("O"), "Python objects"),
    (np.dtype("U4"), "four bytes"),
    (np.dtype("M8[s]"), "ticks"),
    (np.dtype("V8"), "no type"),
    (np.dtype(">f4"), "byte order"),
    (np.dtype("g"), "another format on each machine"),
    (np.dtype({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [0, 2]}), "overlaps"),
    (np.dtype(("f4", (0,))), "no elements"),
    (np.generic, "no format of numbers"),
    (ctypes.c_wchar, "no such type"),
    (ctypes.c_longdouble, "no such type"),
    (type("U", (ctypes.Union,), {"_fields_": [("a", ctypes.c_int, 3)]}), "bit-field"),
    (type("B", (ctypes.Structure,), {"_fields_": [("a", ctypes.c_int, 3)]}), "bit-field"),
    (type("E", (ctypes.Structure,), {"_fields_": []}), "no fields"),
    (type("W", (ctypes.BigEndianStructure,), {"_fields_": [("a", ctypes.c_int)]}), "byte order"),
    (TorchDtype("torch.qint8"), "quantized"),
    (str, "use bool, int, float"),
    (list[int], "use bool, int, float"),
    (5, "use bool, int, float"),
]


@pytest.mark.parametrize(("hint", "says"), UNKNOWN, ids=lambda v: repr(v)[:40])
def test_unknown(hint, says):
    with pytest.raises(TypeError) as error:
        as_type(hint)
    assert "no machine representation" in str(error.value)
    assert says in str(error.value)


@pytest.mark.parametrize("name", SPELLED)
def test_a_complex_number_by_its_c_name_has_its_alignment_everywhere(name):
    type_ = as_type(name)
    align = type_.size // 2 if name.startswith("std::") else type_.size
    for dialect in ("cxx", "cuda", "hip", "sycl"):
        assert (sb.sizeof(type_, dialect), sb.alignof(type_, dialect)) == (type_.size, align)
    assert sb.unpack(sb.pack(1 + 2j, name), name) == 1 + 2j
    assert name in sb.declare(type_, "cuda")


def test_near_names_are_said_once():
    with pytest.raises(TypeError, match=r"near are float, float4, float3$"):
        as_type("flaot")


def test_a_pointer_may_lead_to_what_is_declared_later():
    assert sb.pointer["ns::Node"] == Pointer(Named("ns::Node"))
    for typo in ("flaot", "Float", "std::vector<int>", "float*["):
        with pytest.raises(TypeError):
            sb.pointer[typo]

    @sb.struct
    class Node:
        value: sb.float32
        next: sb.pointer["Node"]
        first: "sb.pointer[sb.const[Node]]"

    assert "Node* next;" in sb.declare(Node)
    sb.prove(Node)
    lib = sb.compile(
        """
        struct Node { float value; Node* next; const Node* first; };
        float total(const Node* n) { return n ? n->value + total(n->next) : 0; }
        """
    )
    last = lib.Node(2, None, None)
    assert lib.total(Node(1, last, None)) == 3

    with pytest.raises(TypeError, match="struct Whole, field 'part': Whole is known by name only"):

        @sb.struct
        class Whole:
            part: "Whole"


def test_records_of_ctypes_and_numpy_have_fixed_layouts():
    records = [as_type(Pair), as_type(np.dtype([("a", "i1"), ("b", "f8"), ("c", "i2", 3)], align=True))]
    for record in records:
        for dialect in ("cxx", "cuda"):
            found = sb.layout(record, dialect)
            assert (found.size, found.align, found.offsets) == (24, 8, (0, 8, 16))
        sb.prove(record)
        assert sb.unpack(sb.pack((1, 2.5, (3, 4, 5)), record), record) == (1, 2.5, (3, 4, 5))


def test_packed_records_pack_but_cannot_be_declared():
    packed = as_type(np.dtype([("a", "i1"), ("b", "f8")]))
    assert (sb.sizeof(packed), sb.alignof(packed), sb.layout(packed).offsets) == (9, 1, (0, 1))
    assert sb.unpack(sb.pack((1, 2.5), packed), packed) == (1, 2.5)
    with pytest.raises(sb.LayoutError, match="b: it lies at byte 1, where C\\+\\+ puts no float64"):
        sb.declare(packed)


def test_padding_is_written_out():
    spaced = np.dtype(
        {"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [4, 16], "itemsize": 32}, align=True
    )
    sb.prove(as_type(spaced))


def test_classes_are_dtypes():
    @sb.struct
    class Point:
        x: sb.int8
        v: sb.float32x3

    array = np.zeros(3, dtype=Point)
    array["v"]["y"] = 5
    assert sb.unpack(array[1].tobytes(), Point).v == sb.float32x3(0, 5, 0)
    points = [Point(1, (1, 2, 3)), Point(2, (4, 5, 6))]
    assert np.frombuffer(b"".join(points), Point)["v"]["z"].tolist() == [3, 6]
    assert np.zeros(2, sb.float32x4).dtype == sb.mirror(sb.float32x4, "numpy")
    assert sb.float32x4(1, 2, 3, 4).dtype == np.float32
