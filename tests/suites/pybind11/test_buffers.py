"""pybind11's test_buffers.py in our words: memory that Python's buffers show, and that of C++'s objects."""

from __future__ import annotations

import ctypes
import io
import struct

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full

NUMBERS = {
    "bool": ("?", np.bool_), "std::int8_t": ("b", np.int8), "std::uint8_t": ("B", np.uint8),
    "std::int16_t": ("h", np.int16), "std::uint16_t": ("H", np.uint16), "std::int32_t": ("i", np.int32),
    "std::uint32_t": ("I", np.uint32), "std::int64_t": ("q", np.int64), "std::uint64_t": ("Q", np.uint64),
    "float": ("f", np.float32), "double": ("d", np.float64), "std::complex<float>": ("Zf", np.complex64),
    "std::complex<double>": ("Zd", np.complex128),
}  # fmt: skip

SOURCE = r"""
#include <array>
#include <complex>
#include <cstdint>
#include <stdexcept>
#include <vector>
#include <samebytes/array.hpp>
class Matrix {
  std::size_t r, c;
  std::vector<float> data;
public:
  Matrix(std::size_t r, std::size_t c) : r(r), c(c), data(r * c) {}
  explicit Matrix(samebytes::array<const float, 2> a) : Matrix(a.shape[0], a.shape[1]) {
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < c; ++j) data[i * c + j] = a(i, j);
  }
  std::size_t rows() const { return r; }
  std::size_t cols() const { return c; }
  float& at(std::size_t i, std::size_t j) { return data.at(i * c + j); }
  float get(std::size_t i, std::size_t j) const { return data.at(i * c + j); }
};
class Square : public Matrix { public: explicit Square(std::size_t n) : Matrix(n, n) {} };
struct Plain { std::int32_t value = 0; };
struct Derived : Plain {};
struct Grid { float cells[5][4]; };
const int kFixed[3] = {1, 2, 3};
inline std::array<std::size_t, 3> of_chars(samebytes::array<const char, 1> a) { return {1, a.shape[0], sizeof(char)}; }
inline std::array<std::size_t, 3> of_ints(samebytes::array<const int, 1> a) { return {1, a.shape[0], sizeof(int)}; }
inline std::array<std::size_t, 3> of_longs(samebytes::array<const long, 1> a) { return {1, a.shape[0], sizeof(long)}; }
inline std::array<long, 4> of_ints2(samebytes::array<const int, 2> a) {
  return {long(a.shape[0]), long(a.shape[1]), a.strides[0] * 4, a.strides[1] * 4};
}
inline std::array<long, 4> of_longs2(samebytes::array<const long, 2> a) {
  return {long(a.shape[0]), long(a.shape[1]), a.strides[0] * 8, a.strides[1] * 8};
}
inline int bytes(const std::uint8_t* data, int n) { int s = 0; for (int i = 0; i < n; ++i) s += data[i]; return s; }
inline void clear(std::uint8_t* data, int n) { for (int i = 0; i < n; ++i) data[i] = 0; }
""" + "".join(
    f"inline int takes{i}(samebytes::array<const {name}, 1>) {{ return {i}; }}\n"
    for i, name in enumerate(NUMBERS)
)


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.mark.behaviour("test_format_descriptor_format_buffer_info_equiv")
@pytest.mark.parametrize("name", NUMBERS)
def test_each_number_has_one_format(lib, name):
    for i, (other, (letter, _)) in enumerate(NUMBERS.items()):
        f = getattr(lib, f"takes{i}")
        array = np.array([0], NUMBERS[name][1])
        if other == name:
            assert f(array) == i
            if len(letter) == 1:
                assert f(memoryview(bytes(array)).cast(letter)) == i
        else:
            with pytest.raises(sb.ArrayError, match="expected"):
                f(array)


@pytest.mark.behaviour("test_from_python")
def test_an_object_of_an_array(lib):
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    for b in (a, a.T, a[:, ::2]):
        m = lib.Matrix(b)
        assert (m.rows(), m.cols()) == b.shape
        assert [[m.get(i, j) for j in range(m.cols())] for i in range(m.rows())] == b.tolist()
    for wrong in (np.float32([1, 2, 3]), a.astype(float)):
        with pytest.raises(sb.Error, match="Matrix"):
            lib.Matrix(wrong)


@pytest.mark.behaviour("test_to_python", refused=True)
@pytest.mark.behaviour("test_inherited_protocol", refused=True)
@pytest.mark.behaviour("test_buffer_exception", refused=True)
@pytest.mark.parametrize("name", ["Matrix", "Square"])
def test_objects_of_cxx_are_no_bytes(lib, name):
    m = lib.Matrix(5, 4) if name == "Matrix" else lib.Square(5)
    with pytest.raises(BufferError, match=f"{name} objects are C.. objects and no bytes"):
        memoryview(m)
    with pytest.raises(BufferError, match="no bytes"):
        bytes(m)


@pytest.mark.behaviour("test_to_python")
def test_a_record_shows_its_memory(lib):
    grid = lib.Grid()
    cells = grid.cells
    assert cells.shape == (5, 4)
    cells[2, 3], cells[3, 2] = 4, 7
    assert struct.unpack_from("f", grid, (3 * 4 + 2) * 4) == (7,)
    assert struct.unpack_from("f", grid, (2 * 4 + 3) * 4) == (4,)
    again = np.asarray(grid.cells)
    assert abs(again).sum() == 11
    del grid
    again[2, 3] = 5
    assert cells[2, 3] == 5


@pytest.mark.behaviour("test_pointer_to_member_fn")
@pytest.mark.parametrize("name", ["Plain", "Derived"])
def test_the_bytes_of_a_record(lib, name):
    one = getattr(lib, name)()
    one.value = 0x12345678
    assert struct.unpack("i", bytearray(one)) == (0x12345678,)


@pytest.mark.behaviour("test_readonly_buffer")
def test_what_is_const_is_read_only(lib):
    frozen = memoryview(lib.kFixed)
    assert frozen.readonly
    assert frozen[0] == 1
    with pytest.raises(TypeError, match="read-only"):
        frozen[0] = 0


@pytest.mark.behaviour("test_selective_readonly_buffer")
def test_a_record_can_be_written_and_its_value_not(lib):
    one = lib.Plain()
    io.BytesIO(b"A\0\0\0").readinto(one)
    assert one.value == ord("A")
    view = memoryview(one)
    assert not view.readonly
    for fixed in (one.__samebytes_value__, b"1234"):
        with pytest.raises(TypeError):
            io.BytesIO(b"1").readinto(fixed)
        with pytest.raises(sb.Error, match=r"read-only|the value is immutable"):
            lib.clear(fixed, 1)


@pytest.mark.behaviour("test_ctypes_array_1d")
def test_arrays_of_ctypes(lib):
    assert tuple(lib.of_chars((ctypes.c_char * 10)())) == (1, 10, 1)
    assert tuple(lib.of_ints((ctypes.c_int * 15)())) == (1, 15, 4)
    assert tuple(lib.of_longs((ctypes.c_long * 7)())) == (1, 7, 8)


@pytest.mark.behaviour("test_ctypes_array_2d")
def test_arrays_of_arrays_of_ctypes(lib):
    assert tuple(lib.of_ints2(((ctypes.c_int * 15) * 3)())) == (3, 15, 60, 4)
    assert tuple(lib.of_longs2(((ctypes.c_long * 7) * 2)())) == (2, 7, 56, 8)


@pytest.mark.behaviour("test_ctypes_from_buffer")
def test_ctypes_over_other_memory(lib):
    text = b"0123456789"
    held = bytearray(text)
    over = (ctypes.c_uint8 * 10).from_buffer(held)
    copy = (ctypes.c_uint8 * 10).from_buffer_copy(text)
    assert (
        lib.bytes(text, 10) == lib.bytes(held, 10) == lib.bytes(over, 10) == lib.bytes(copy, 10) == sum(text)
    )
    lib.clear(over, 5)
    assert held == b"\0\0\0\0\x0056789"
    with pytest.raises(sb.ArrayError, match="read-only"):
        lib.clear(text, 5)
