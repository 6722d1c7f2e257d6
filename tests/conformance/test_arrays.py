"""The chapter's arrays, requirement by requirement."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import samebytes as device
from samebytes.layouts.dialects import dialect_names

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")


@device.struct
class Sun:
    zenith: device.float64
    strength: float


RECORD = np.dtype([("zenith", np.float64), ("strength", np.float32)], align=True)
NUMBERS = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128", "bfloat16", "float8e4m3", "float8e5m2",
]  # fmt: skip


def words(data):
    """The descriptor as numbers: address, shape, strides."""
    return list(struct.unpack(f"<{len(data) // 8}q", data))


@pytest.mark.requirement("A.1")
@pytest.mark.parametrize("ndim", range(6))
def test_any_rank(ndim):
    kind = device.array[device.float32, ndim]
    assert device.sizeof(kind, "cuda") == 8 + 16 * ndim
    assert len(words(device.pack(np.zeros((2,) * ndim, np.float32), kind))) == 1 + 2 * ndim


@pytest.mark.requirement("A.4")
@pytest.mark.parametrize("name", NUMBERS)
def test_of_numbers(name):
    number = getattr(device, name)
    a = np.ones((2, 3), number)
    assert words(device.pack(a, device.array[number, 2])) == [a.ctypes.data, 2, 3, 3, 1]


@pytest.mark.requirement("A.4")
@pytest.mark.parametrize(
    ("builtin", "dtype"),
    [(bool, np.bool_), (int, np.int32), (float, np.float32), (complex, np.complex64)],
    ids=str,
)
def test_of_builtin_numbers(builtin, dtype):
    a = np.ones(4, dtype)
    assert words(device.pack(a, device.array[builtin, 1])) == [a.ctypes.data, 4, 1]


@pytest.fixture(scope="module")
def lib():
    return device.compile("""
        #include <samebytes/array.hpp>
        struct Sun { double zenith; float strength; };
        double strongest(samebytes::array<const Sun, 1> suns) {
          double found = 0;
          for (unsigned long i = 0; i < suns.shape[0]; ++i)
            if (suns(i).strength > found) found = suns(i).strength;
          return found;
        }
        long first_stride(samebytes::array<const float, 2> a) { return a.stride(0); }
        static_assert(sizeof(samebytes::array<float, 3>) == 8 + 3 * 8 + 3 * 8);
        static_assert(sizeof(decltype(samebytes::array<float, 3>::shape)) == 3 * 8);
    """)


@pytest.mark.requirement("A.5")
def test_of_structured_types(lib):
    suns = np.array([(10.0, 0.5), (20.0, 2.5), (30.0, 1.0)], RECORD)
    assert lib.strongest(suns) == 2.5
    assert lib.strongest(suns[::2]) == 1.0
    assert words(device.pack(suns, device.array[RECORD, 1])) == [suns.ctypes.data, 3, 1]


@pytest.mark.requirement("A.6")
def test_of_structs(lib):
    suns = np.zeros(3, RECORD)
    kind = device.array[Sun, 1]
    assert words(device.pack(suns, kind)) == [suns.ctypes.data, 3, 1]
    with pytest.raises(ValueError, match="expected"):
        device.pack(np.zeros(3), kind)


class Opaque:
    """Looks like an array, and shows its memory by no protocol."""

    dtype, shape, strides, ndim, size = np.dtype("f4"), (2, 2), (8, 4), 2, 4


class OnlyDLPack:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Both:
    """Host memory that two protocols show; each says which one was asked."""

    def __init__(self, array):
        self.array, self.asked = array, []

    def __dlpack__(self, **how):
        self.asked.append("DLPack")
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    @property
    def __cuda_array_interface__(self):
        self.asked.append("CUDA Array Interface")
        return {**self.array.__array_interface__, "version": 3}


@pytest.mark.requirement("A.8")
@pytest.mark.parametrize("dialect", [None, "cuda"])
def test_dlpack_comes_before_the_cuda_array_interface(dialect):
    both = Both(np.arange(3, dtype="f4"))
    seen = device.view(both, dialect=dialect)
    assert seen.protocol == "DLPack"
    assert both.asked == ["DLPack"]
    assert seen.ptr == both.array.ctypes.data


@pytest.mark.requirement("A.7")
def test_only_by_protocol(lib):
    a = np.zeros((2, 3), np.float32)
    assert lib.first_stride(OnlyDLPack(a)) == 3
    for nothing in (Opaque(), [[1.0, 2.0]], 5):
        with pytest.raises(TypeError):
            lib.first_stride(nothing)


@pytest.mark.requirement("A.9")
@pytest.mark.parametrize("dialect", dialect_names())
def test_descriptor(dialect):
    fields = device.layout(device.array[device.float32, 3], dialect).fields
    assert [(f.name, f.offset, f.size) for f in fields] == [
        ("data", 0, 8),
        ("shape", 8, 24),
        ("strides", 32, 24),
    ]
    assert device.layout(device.array[device.float32, 0], dialect).offsets == (0,)


@pytest.mark.requirement("A.9")
def test_descriptor_is_what_the_compiler_sees():
    for ndim in range(4):
        device.prove(device.array[device.float64, ndim])


@pytest.mark.requirement("A.10")
@pytest.mark.parametrize(
    "take",
    [np.s_[:], np.s_[::2], np.s_[:, ::-1], np.s_[1:, 2:], np.s_[::-1, ::3]],
    ids=["all", "rows", "back", "part", "both"],
)
def test_values(lib, take):
    a = np.arange(24, dtype=np.float32).reshape(4, 6)[take]
    strides = [s // a.itemsize for s in a.strides]
    assert words(device.pack(a, device.array[device.float32, 2])) == [a.ctypes.data, *a.shape, *strides]
    assert lib.first_stride(a) == strides[0]


# An mdspan as small as one can be: what the standard's class template names, with run-time extents and strides.
MDSPAN = """
#include <samebytes/array.hpp>
#include <cstddef>

template <std::size_t Rank>
struct Extents {
  using index_type = std::size_t;
  static constexpr std::size_t rank_dynamic() { return Rank; }
  std::size_t of[Rank];
  template <class... I> constexpr Extents(I... i) : of{static_cast<std::size_t>(i)...} {}
};
template <std::size_t Rank>
struct Steps {
  std::size_t of[Rank];
  constexpr std::size_t& operator[](std::size_t i) { return of[i]; }
};
template <std::size_t Rank>
struct Mapping {
  Extents<Rank> extents;
  Steps<Rank> steps;
  constexpr Mapping(Extents<Rank> e, Steps<Rank> s) : extents(e), steps(s) {}
  constexpr Steps<Rank> strides() const { return steps; }
  constexpr std::size_t stride(std::size_t i) const { return steps.of[i]; }
};
template <class T, std::size_t Rank>
struct Mdspan {
  using element_type = T;
  using extents_type = Extents<Rank>;
  using mapping_type = Mapping<Rank>;
  T* data;
  mapping_type map;
  constexpr Mdspan(T* p, mapping_type m) : data(p), map(m) {}
  static constexpr std::size_t rank() { return Rank; }
  static constexpr bool is_always_strided() { return true; }
  constexpr T* data_handle() const { return data; }
  constexpr const mapping_type& mapping() const { return map; }
  constexpr std::size_t extent(std::size_t i) const { return map.extents.of[i]; }
};
"""


@pytest.fixture(scope="module")
def spans():
    return device.compile(
        MDSPAN
        + """
        double by_mdspan(samebytes::array<const double, 2> a, unsigned i, unsigned j) {
          Mdspan<const double, 2> m = a;
          return m.data[i * m.mapping().stride(0) + j * m.mapping().stride(1)];
        }
        long size_by_mdspan(samebytes::array<const double, 2> a) {
          Mdspan<const double, 2> m = a;
          return m.extent(0) * 1000 + m.extent(1);
        }
        double by_descriptor(double* data, unsigned rows, unsigned columns, unsigned i, unsigned j) {
          Mdspan<double, 2> m(data, {{rows, columns}, {{columns, 1}}});
          samebytes::array<double, 2> a = m;
          samebytes::array<const double, 2> read_only = m;
          return a.shape[0] == rows && a.shape[1] == columns ? read_only(i, j) : -1;
        }
    """
    )


@pytest.mark.requirement("A.11")
def test_made_from_an_mdspan(spans):
    a = np.arange(12.0).reshape(3, 4)
    assert spans.by_descriptor(a, 3, 4, 2, 1) == a[2, 1]


@pytest.mark.requirement("A.12")
@pytest.mark.parametrize("take", [np.s_[:], np.s_[::2, 1:]], ids=["all", "part"])
def test_becomes_an_mdspan(spans, take):
    a = np.arange(24.0).reshape(4, 6)[take]
    assert spans.by_mdspan(a, 1, 2) == a[1, 2]
    assert spans.size_by_mdspan(a) == 1000 * a.shape[0] + a.shape[1]
