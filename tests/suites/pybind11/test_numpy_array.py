"""pybind11's test_numpy_array.py in our words: arrays as C++ sees them, and which C++ takes."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SCALARS = {
    "signed char": np.int8, "unsigned char": np.uint8, "short": np.int16, "unsigned short": np.uint16,
    "int": np.int32, "unsigned": np.uint32, "long": np.int64, "unsigned long": np.uint64, "float": np.float32,
    "double": np.float64, "std::complex<float>": np.complex64, "std::complex<double>": np.complex128, "bool": np.bool_,
}  # fmt: skip

SOURCE = r"""
#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>
#include <samebytes/array.hpp>
using U16 = std::uint16_t;
template <class T, std::size_t N> std::array<long, N> strides_of(const samebytes::array<T, N>& a) {
  std::array<long, N> s;
  for (std::size_t i = 0; i < N; ++i) s[i] = long(sizeof(T)) * a.strides[i];
  return s;
}
inline std::array<std::size_t, 1> shape1(samebytes::array<const U16, 1> a) { return {a.shape[0]}; }
inline std::array<std::size_t, 2> shape2(samebytes::array<const U16, 2> a) { return {a.shape[0], a.shape[1]}; }
inline std::array<std::size_t, 3> shape3(samebytes::array<const int, 3> a) {
  return {a.shape[0], a.shape[1], a.shape[2]};
}
inline std::array<long, 1> strides1(samebytes::array<const U16, 1> a) { return strides_of(a); }
inline std::array<long, 2> strides2(samebytes::array<const U16, 2> a) { return strides_of(a); }
inline std::array<long, 3> strides3(samebytes::array<const int, 3> a) { return strides_of(a); }
inline long offset(samebytes::array<const U16, 2> a, int i, int j) { return (&a(i, j) - a.data) * long(sizeof(U16)); }
inline U16 at(samebytes::array<const U16, 2> a, int i, int j) { return a(i, j); }
inline void raise_at(samebytes::array<U16, 2> a, int i, int j) { ++a(i, j); }
inline std::vector<U16> from(const U16* data, int first, int n) { return {data + first, data + n}; }
inline void doubled(U16* data, int n) { for (int i = 0; i < n; ++i) data[i] *= 2; }
inline std::uintptr_t where(samebytes::array<const double, 3> a) { return std::uintptr_t(a.data); }
inline std::array<long, 3> steps(samebytes::array<const double, 3> a) { return strides_of(a); }
inline double last(samebytes::array<const double, 3> a) { return a(a.shape[0] - 1, a.shape[1] - 1, a.shape[2] - 1); }
inline void add(samebytes::array<double, 2> a, double x) {
  for (std::size_t i = 0; i < a.shape[0]; ++i)
    for (std::size_t j = 0; j < a.shape[1]; ++j) a(i, j) += x;
}
inline double norm(samebytes::array<const double, 1> a) {
  double s = 0;
  for (std::size_t i = 0; i < a.shape[0]; ++i) s += a(i) * a(i);
  return s;
}
inline int& lives() { static int n = 0; return n; }
inline int alive() { return lives(); }
class Block {
public:
  int data[2] = {1, 2};
  Block() { ++lives(); }
  Block(const Block&) = delete;
  ~Block() { --lives(); }
};
inline std::uint64_t word(std::uint64_t n) { return n; }
inline double number(double x) { return x; }
inline std::string over(samebytes::array<const double, 1>) { return "double"; }
inline std::string over(samebytes::array<const float, 1>) { return "float"; }
inline std::string over(samebytes::array<const int, 1>) { return "int"; }
inline std::string over(samebytes::array<const unsigned short, 1>) { return "unsigned short"; }
inline std::string over(samebytes::array<const long long, 1>) { return "long long"; }
inline std::string over(samebytes::array<const std::complex<double>, 1>) { return "double complex"; }
inline std::string over(samebytes::array<const std::complex<float>, 1>) { return "float complex"; }
inline std::string greedy(const std::string&) { return "string"; }
inline std::string greedy(samebytes::array<const signed char, 1>) { return "array"; }
inline std::string greedy(int) { return "other"; }
inline int strided(samebytes::array<const double, 2>) { return 1; }
inline int together(const double*) { return 1; }
""" + "".join(
    f"inline int size{i}(const {name}*) {{ return sizeof({name}); }}\n" for i, name in enumerate(SCALARS)
)


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.fixture
def arr():
    return np.array([[1, 2, 3], [4, 5, 6]], np.uint16)


@pytest.mark.behaviour("test_dtypes")
@pytest.mark.parametrize("name", SCALARS)
def test_each_number_has_its_dtype(lib, name):
    f = getattr(lib, f"size{list(SCALARS).index(name)}")
    assert f(np.zeros(3, SCALARS[name])) == np.dtype(SCALARS[name]).itemsize
    for other in SCALARS.values():
        if other is not SCALARS[name]:
            with pytest.raises(sb.ArrayError, match="expected"):
                f(np.zeros(3, other))


@pytest.mark.behaviour("test_array_attributes")
@pytest.mark.behaviour("test_shape_strides_span")
def test_shapes_and_strides(lib, arr):
    assert (tuple(lib.shape1(arr[0])), tuple(lib.strides1(arr[0]))) == ((3,), (2,))
    for a in (arr, arr.T, arr[:, ::2], arr[::-1, ::-1]):
        assert (tuple(lib.shape2(a)), tuple(lib.strides2(a))) == (a.shape, a.strides)
    deep = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    for a in (deep, deep.transpose(2, 0, 1), deep[:, 1:, ::-2]):
        assert (tuple(lib.shape3(a)), tuple(lib.strides3(a))) == (a.shape, a.strides)


@pytest.mark.behaviour("test_index_offset")
@pytest.mark.behaviour("test_at")
@pytest.mark.parametrize(("i", "j"), [(0, 0), (0, 2), (1, 0), (1, 2)])
def test_elements(lib, arr, i, j):
    assert lib.at(arr, i, j) == arr[i, j]
    assert lib.offset(arr, i, j) == 6 * i + 2 * j
    assert lib.at(arr.T, j, i) == arr[i, j]
    before = arr.copy()
    lib.raise_at(arr, i, j)
    before[i, j] += 1
    assert (arr == before).all()


@pytest.mark.behaviour("test_dim_check_fail")
def test_another_rank(lib, arr):
    for wrong in (arr[0], arr[None], np.uint16(3)):
        with pytest.raises(sb.Error, match=r"expected array\[.*uint16, 2\]|expected .*uint16\[.*"):
            lib.at(wrong, 0, 0)


@pytest.mark.behaviour("test_data")
@pytest.mark.behaviour("test_mutate_data")
def test_addresses(lib, arr):
    assert [list(lib.from_(arr, n, 6)) for n in (0, 3, 5)] == [[1, 2, 3, 4, 5, 6], [4, 5, 6], [6]]
    lib.doubled(arr, 6)
    assert arr.ravel().tolist() == [2, 4, 6, 8, 10, 12]
    lib.doubled(arr[1], 3)
    assert arr.ravel().tolist() == [2, 4, 6, 16, 20, 24]


@pytest.mark.behaviour("test_mutate_readonly")
def test_what_is_read_only_is_not_written(lib, arr):
    arr.flags.writeable = False
    for call in (lambda: lib.doubled(arr, 6), lambda: lib.raise_at(arr, 0, 0)):
        with pytest.raises(sb.ArrayError, match="read-only"):
            call()
    assert lib.at(arr, 0, 0) == 1


@pytest.mark.behaviour("test_wrap")
def test_cxx_sees_the_very_memory(lib):
    a = np.random.default_rng(1).random((4, 4, 4))
    frozen = a.copy()
    frozen.flags.writeable = False
    for b in (a, a.T, a[::-1, ::-1, ::-1], a[1:, ::2, 2:], frozen, np.asfortranarray(a)):
        assert lib.where(b) == b.__array_interface__["data"][0]
        assert tuple(lib.steps(b)) == b.strides
        assert lib.last(b) == b[-1, -1, -1]


@pytest.mark.behaviour("test_numpy_view")
def test_an_array_of_cxx_lives_as_long_as_its_views(lib):
    block = lib.Block()
    first, second = block.data, block.data
    assert first.tolist() == [1, 2]
    del block
    gc.collect()
    assert lib.alive() == 1
    first[:] = 4, 3
    assert second.tolist() == [4, 3]
    del first, second
    gc.collect()
    assert lib.alive() == 0


@pytest.mark.behaviour("test_cast_numpy_int64_to_uint64")
def test_integers_of_numpy(lib):
    assert lib.word(123) == lib.word(np.uint64(123)) == lib.word(np.int64(123)) == 123
    assert lib.word(2**64 - 1) == lib.word(np.uint64(2**64 - 1)) == 2**64 - 1
    with pytest.raises(sb.RangeError, match="uint64"):
        lib.word(np.int64(-1))


@pytest.mark.behaviour("test_overload_resolution", refused=True)
def test_the_overload_of_the_dtype(lib):
    names = {
        "float64": "double", "float32": "float", "ushort": "unsigned short", "intc": "int",
        "longlong": "long long", "complex128": "double complex", "complex64": "float complex",
    }  # fmt: skip
    for dtype, name in names.items():
        assert lib.over(np.array([1], dtype)) == name
    for wrong in (np.array([1], np.uint8), np.array([1], np.uint32), "not an array"):  # nothing is converted
        with pytest.raises(
            sb.ArgumentError, match=r"no overload that fits(.|\n)*over\(arg0: array\[float64|float64"
        ):
            lib.over(wrong)


@pytest.mark.behaviour("test_greedy_string_overload")
def test_an_array_is_no_text(lib):
    found = [lib.greedy(x) for x in ("abc", np.array([97, 98], np.int8), 123)]
    assert found == ["string", "array", "other"]


@pytest.mark.behaviour("test_array_unchecked_fixed_dims")
def test_loops_in_cxx(lib):
    a = np.array([[1.0, 2], [3, 4]])
    lib.add(a, 10)
    assert a.tolist() == [[11, 12], [13, 14]]
    lib.add(a.T[:, ::-1], 1)
    assert a.tolist() == [[12, 13], [14, 15]]
    with pytest.raises(sb.ArrayError, match="2"):
        lib.add(np.array([1.0, 2, 3]), 5.0)
    assert lib.norm(np.arange(6.0)) == 55


@pytest.mark.behaviour("test_argument_conversions", refused=True)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(2, 2), (1, 1), (3, 1), (0, 2)])
def test_nothing_is_converted(lib, order, shape):
    for dtype in (np.float32, np.complex128, np.int64, ">f8"):
        with pytest.raises(sb.ArrayError, match="float64"):
            lib.strided(np.zeros(shape, dtype, order=order))
    a = np.zeros(shape, order=order)
    assert lib.strided(a) == 1
    if a.flags.c_contiguous:
        assert lib.together(a) == 1
    else:
        with pytest.raises(sb.ArrayError, match="contiguous"):
            lib.together(a)


@pytest.mark.behaviour("test_dtype_refcount_leak")
def test_dtypes_are_not_kept(lib):
    dtype = np.dtype([("a", "f8"), ("b", "i4")])
    numbers = np.ones(3)
    wrong = np.zeros(2, dtype)

    def calls():
        lib.norm(numbers)
        with pytest.raises(sb.ArrayError):
            lib.norm(wrong)

    calls()
    before = (sys.getrefcount(dtype), sys.getrefcount(numbers.dtype))
    for _ in range(50):
        calls()
    gc.collect()
    after = (sys.getrefcount(dtype), sys.getrefcount(numbers.dtype))
    assert all(abs(b - a) < 10 for a, b in zip(after, before, strict=True))


@pytest.mark.behaviour("test_round_trip_float")
def test_an_array_without_dimensions_is_a_number(lib):
    assert lib.number(np.array(37.25)) == lib.number(np.float64(37.25)) == 37.25
