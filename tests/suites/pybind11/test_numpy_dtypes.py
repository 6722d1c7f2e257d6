"""pybind11's test_numpy_dtypes.py in our words: structs of C++ as NumPy's structured dtypes."""

from __future__ import annotations

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include <samebytes/array.hpp>
struct Simple { bool b; std::uint32_t u; float f; double d; };
#pragma pack(push, 1)
struct Packed { bool b; std::uint32_t u; float f; double d; };
#pragma pack(pop)
struct Nested { Simple a; Packed b; };
struct Partial { bool b; std::uint32_t u; float f; private: std::uint64_t hidden[2] = {0, 0}; public: double d; };
struct Texts { char a[3]; char b[3]; };
struct Arrays { char a[3][4]; std::int32_t b[2]; unsigned char c[3]; float d[4][2]; };
enum class E1 : std::int64_t { A = -1, B = 1 };
enum E2 : unsigned char { X = 1, Y };
struct Enums { E1 e1; E2 e2; };
struct Complexes { std::complex<float> f; std::complex<double> d; };
template <class A, class B> struct Two { A a; B b; };
struct Trailing { std::int32_t a; char b; };
inline Two<int, float> one_two() { return {1, 2.5f}; }
inline Two<short, unsigned short> other_two() { return {1, 2}; }

inline std::vector<Simple> simples(int n) {
  std::vector<Simple> v;
  for (int i = 0; i < n; ++i) v.push_back({i % 2 == 1, std::uint32_t(i), 1.5f * i, -2.5 * i});
  return v;
}
inline double sum(samebytes::array<const Simple, 1> a) {
  double s = 0;
  for (std::size_t i = 0; i < a.shape[0]; ++i) s += a(i).u + a(i).f + a(i).d + a(i).b;
  return s;
}
inline double sum_packed(const Packed* p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += p[i].u + p[i].f + p[i].d + p[i].b;
  return s;
}
inline double sum_nested(const std::vector<Nested>& v) {
  double s = 0;
  for (auto& n : v) s += n.a.u + n.b.d;
  return s;
}
inline void fill(samebytes::array<Arrays, 1> a) {
  for (std::size_t i = 0; i < a.shape[0]; ++i) {
    for (int j = 0; j < 3; ++j) for (int k = 0; k < 4; ++k) a(i).a[j][k] = char('A' + 4 * j + k + i);
    for (int j = 0; j < 2; ++j) a(i).b[j] = 1000 * i + j;
    for (int j = 0; j < 3; ++j) a(i).c[j] = 10 * i + j;
    for (int j = 0; j < 4; ++j) for (int k = 0; k < 2; ++k) a(i).d[j][k] = 100 * i + 10 * j + k;
  }
}
inline std::string texts(samebytes::array<const Texts, 1> a) {
  std::string s;
  for (std::size_t i = 0; i < a.shape[0]; ++i) s += std::string(a(i).a, 3) + "|";
  return s;
}
inline std::string enums(samebytes::array<const Enums, 1> a) {
  std::string s;
  for (std::size_t i = 0; i < a.shape[0]; ++i) {
    s += a(i).e1 == E1::A ? "A" : "B";
    s += a(i).e2 == X ? "X" : "Y";
  }
  return s;
}
inline double imaginary(samebytes::array<const Complexes, 1> a) {
  double s = 0;
  for (std::size_t i = 0; i < a.shape[0]; ++i) s += a(i).f.imag() + a(i).d.imag();
  return s;
}
inline int of_simple(const Simple& s) { return s.u * 10; }
inline int of_packed(Packed p) { return p.u * 10; }
"""

# A struct, and what C++ makes of it in NumPy's words.
SIMPLE = {
    "names": ["b", "u", "f", "d"],
    "formats": ["?", "u4", "f4", "f8"],
    "offsets": [0, 4, 8, 16],
    "itemsize": 24,
}
PACKED = [("b", "?"), ("u", "u4"), ("f", "f4"), ("d", "f8")]
DTYPES = {
    "Simple": SIMPLE,
    "Packed": PACKED,
    "Nested": {"names": ["a", "b"], "formats": [SIMPLE, PACKED], "offsets": [0, 24], "itemsize": 48},
    "Texts": [("a", "S3"), ("b", "S3")],
    "Enums": {"names": ["e1", "e2"], "formats": ["i8", "u1"], "offsets": [0, 8], "itemsize": 16},
    "Complexes": {"names": ["f", "d"], "formats": ["c8", "c16"], "offsets": [0, 8], "itemsize": 24},
    "Trailing": {"names": ["a", "b"], "formats": ["i4", "S1"], "offsets": [0, 4], "itemsize": 8},
}


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


def fields_of(dtype):
    """Names, kinds, sizes and offsets: what C++ fixes. Text may be bytes or numbers."""
    return {
        name: (field[0].base.itemsize * int(np.prod(field[0].shape or (1,))), field[1])
        for name, field in dtype.fields.items()
    }


@pytest.mark.behaviour("test_format_descriptors")
@pytest.mark.behaviour("test_dtype")
@pytest.mark.parametrize("name", DTYPES)
def test_structs_are_structured_dtypes(lib, name):
    cls, expected = getattr(lib, name), np.dtype(DTYPES[name])
    assert (cls.dtype.itemsize, cls.dtype.names) == (expected.itemsize, expected.names)
    assert fields_of(cls.dtype) == fields_of(expected)
    shown = memoryview(cls())
    assert shown.nbytes == expected.itemsize
    assert np.asarray(cls()).dtype == cls.dtype


@pytest.mark.behaviour("test_recarray")
@pytest.mark.behaviour("test_dtype")
def test_arrays_of_structs(lib):
    expected = [(False, 0, 0.0, -0.0), (True, 1, 1.5, -2.5), (False, 2, 3.0, -5.0)]
    made = lib.simples(3)
    assert [(s.b, s.u, s.f, s.d) for s in made] == expected
    assert list(lib.simples(0)) == []
    total = 3 + 4.5 - 7.5 + 1
    assert lib.sum(np.array(expected, SIMPLE)) == total
    assert lib.sum(np.array(expected, lib.Simple.dtype)[::-1]) == total
    assert lib.sum_packed(np.array(expected, PACKED), 3) == total
    nested = np.zeros(2, lib.Nested.dtype)
    nested["a"]["u"], nested["b"]["d"] = 3, 0.5
    assert lib.sum_nested(nested) == 7
    with pytest.raises(sb.ArrayError, match="expected"):
        lib.sum(np.array(expected, PACKED))
    with pytest.raises(sb.ArrayError, match="expected"):
        lib.sum_packed(np.array(expected, SIMPLE), 3)


@pytest.mark.behaviour("test_recarray", refused=True)
def test_members_that_python_does_not_see(lib):
    one = lib.Partial()
    one.d = 2.5
    assert (one.d, one.u) == (2.5, 0)
    with pytest.raises(
        AttributeError, match="no type that lies as Partial: it has members that Python does not see"
    ):
        np.dtype(lib.Partial.dtype)


@pytest.mark.behaviour("test_templated_dtype")
def test_instances_of_a_template(lib):
    assert fields_of(type(lib.one_two()).dtype) == {"a": (4, 0), "b": (4, 4)}
    assert fields_of(type(lib.other_two()).dtype) == {"a": (2, 0), "b": (2, 2)}
    assert (lib.one_two().b, lib.other_two().b) == (2.5, 2)


@pytest.mark.behaviour("test_string_array", refused=True)
def test_texts_of_fixed_length(lib):
    texts = np.array([(b"", b""), (b"a", b"a"), (b"ab", b"ab"), (b"abc", b"abc")], DTYPES["Texts"])
    assert lib.texts(texts.view(lib.Texts.dtype)) == "\0\0\0|a\0\0|ab\0|abc|"
    # NumPy's S3 is a text, char[3] three numbers.
    with pytest.raises(
        sb.ArrayError, match=r"field a is \|S3, not carray\[char, 3\]. Texts.dtype is the struct's"
    ):
        lib.texts(texts)


@pytest.mark.behaviour("test_array_array")
def test_arrays_in_structs(lib):
    a = np.zeros(3, lib.Arrays.dtype)
    lib.fill(a)
    assert a["b"].tolist() == [[0, 1], [1000, 1001], [2000, 2001]]
    assert a["c"].tolist() == [[0, 1, 2], [10, 11, 12], [20, 21, 22]]
    assert a["d"][1].tolist() == [[100, 101], [110, 111], [120, 121], [130, 131]]
    assert a["a"].tobytes() == b"ABCDEFGHIJKLBCDEFGHIJKLMCDEFGHIJKLMN"
    assert fields_of(a.dtype) == {"a": (12, 0), "b": (8, 12), "c": (3, 20), "d": (32, 24)}


@pytest.mark.behaviour("test_enum_array")
def test_enumerations_in_structs(lib):
    a = np.array([(-1, 1), (1, 2), (-1, 1)], DTYPES["Enums"])
    assert lib.enums(a) == "AXBYAX"
    assert lib.enums(np.asarray(lib.Enums(lib.E1.B, lib.E2.X)).reshape(1)) == "BX"


@pytest.mark.behaviour("test_complex_array")
def test_complex_numbers_in_structs(lib):
    a = np.zeros(2, DTYPES["Complexes"])
    a["f"], a["d"] = 1 + 0.25j, [2j, 3j]
    assert lib.imaginary(a) == 5.5


@pytest.mark.behaviour("test_scalar_conversion")
@pytest.mark.behaviour("test_cls_and_dtype_conversion")
def test_one_element_is_a_struct(lib):
    simple = np.array([(False, 2, 0.0, 0.0)], SIMPLE)
    packed = np.array([(False, 2, 0.0, 0.0)], PACKED)
    record = lib.Simple(False, 2, 0.0, 0.0)
    assert lib.of_simple(record) == lib.of_simple(simple[0]) == lib.of_simple((False, 2, 0.0, 0.0)) == 20
    assert lib.of_packed(packed[0]) == lib.of_packed(lib.Packed(False, 2, 0.0, 0.0)) == 20
    for f, wrong in (
        (lib.of_simple, packed[0]),
        (lib.of_packed, simple[0]),
        (lib.of_simple, np.array([record], object)),
    ):
        with pytest.raises(sb.Error, match=r"expected|dtype"):
            f(wrong)
    assert np.asarray(record) == simple[0]
    with pytest.raises(sb.Error, match="expected"):
        lib.sum(np.array([record], object))
