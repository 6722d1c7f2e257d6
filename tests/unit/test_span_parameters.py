"""Parameters declared as std::span, as an mdspan or as DLTensor*: any array is taken, what does not fit is named."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tables import warns_at_first

import samebytes as sb

HERE = Path(__file__).parent

# The test's own mdspan under the name of Kokkos': known by name, and its layout is nobody's business.
SOURCE = r"""
#define mini Kokkos
#include "mini_mdspan.hpp"
#undef mini
#include <span>
#include <string>

struct Sun { float azimuth; double altitude; };
constexpr std::size_t any = Kokkos::dynamic_extent;
template <class T, class L = Kokkos::layout_right>
using matrix = Kokkos::mdspan<T, Kokkos::extents<int, any, any>, L>;

double total(std::span<const double> x) { double s = 0; for (double v : x) s += v; return s; }
void fill(std::span<float> x, float v) { for (float& e : x) e = v; }
int three(const std::span<const int, 3>& x) { return x[0] * 100 + x[1] * 10 + x[2]; }
double suns(std::span<const Sun> s) { double a = 0; for (auto& v : s) a += v.altitude; return a; }
int moved(std::span<int>&& x) { return static_cast<int>(x.size()); }
int changed(std::span<int>& x) { return static_cast<int>(x.size()); }
std::span<int> back(std::span<int> x) { return x; }
double scaled(std::span<const double> x, double k = 2) { return k * total(x); }

template <class M>
long code(const M& m, const void* p) {
  long c = reinterpret_cast<const char*>(m.data_handle()) - static_cast<const char*>(p);
  c = c * 100 + m.extent(0) * 10 + m.extent(1);
  for (int d = 0; d < 2; ++d) c = c * 100 + m.mapping().stride(d);
  return c;
}
long right(matrix<const int> m, const void* p) { return code(m, p); }
long left(matrix<int, Kokkos::layout_left> m, const void* p) { return code(m, p); }
long stride(const matrix<const int, Kokkos::layout_stride>& m, const void* p) { return code(m, p); }
long fixed(Kokkos::mdspan<const int, Kokkos::extents<long, 2, any>> m, const void* p) { return code(m, p); }
long scalar(Kokkos::mdspan<const double, Kokkos::extents<int>> m) { return static_cast<long>(*m.data_handle()); }

double tensor(const DLTensor* t) {
  double s = 0;
  const int64_t n = t->ndim ? t->shape[0] : 1;
  for (int64_t i = 0; i < n; ++i) {
    auto* at = static_cast<const char*>(t->data) + t->byte_offset;
    at += t->ndim ? i * t->strides[0] * t->dtype.bits / 8 : 0;
    s += t->dtype.code == 2 ? *reinterpret_cast<const double*>(at) : *reinterpret_cast<const int64_t*>(at);
  }
  return s;
}
int describe(DLTensor* t) {
  return t->device.device_type * 1000 + t->ndim * 100 + t->dtype.lanes * 10 + (t->shape && t->strides);
}
int missing(const DLTensor* t) { return t == nullptr; }
int which(const DLTensor* t) { return t ? t->ndim + 10 : 1; }
int which(double) { return 2; }
int which(const std::string&) { return 3; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning, match=r"a span that C\+\+ would change"):
        return sb.compile(SOURCE, std="c++20", include_dirs=[HERE])


class TestSpan:
    def test_any_array(self, lib: Any) -> None:
        for x in (np.arange(4.0), memoryview(np.arange(4.0)), (ctypes.c_double * 4)(0, 1, 2, 3), np.zeros(0)):
            for _ in range(2):
                assert lib.total(x) == sum(x)

    def test_written_through(self, lib: Any) -> None:
        x = np.zeros(3, "f4")
        lib.fill(x, 2)
        assert x.tolist() == [2, 2, 2]

    def test_fixed_extent(self, lib: Any) -> None:
        assert lib.three(np.array([1, 2, 3], "i4")) == 123
        with pytest.raises(sb.ArrayError, match=r"the shape must be \[3\]"):
            lib.three(np.arange(4, dtype="i4"))

    def test_structs(self, lib: Any) -> None:
        x = np.zeros(2, np.dtype([("azimuth", "f4"), ("altitude", "f8")], align=True))
        x["altitude"] = 1, 2
        assert lib.suns(x) == 3

    def test_references_and_defaults(self, lib: Any) -> None:
        assert lib.moved(np.zeros(5, "i4")) == 5
        assert (lib.scaled(np.ones(3)), lib.scaled(np.ones(3), 3)) == (6, 9)

    def test_what_has_no_counterpart_is_skipped(self, lib: Any) -> None:
        reasons = {s.name.partition("(")[0]: s.reason for s in lib.__skipped__}
        assert "take it by value" in reasons["changed"]

    @pytest.mark.parametrize(
        ("x", "words"),
        [(np.arange(6.0)[::2], "not contiguous in C order"), (np.arange(3), r'x\.astype\("float64"\)'),
         (np.zeros((2, 2)), "pass an array of 1 dimension, not 2")],
    )  # fmt: skip
    def test_refusals(self, lib: Any, x: Any, words: str) -> None:
        with pytest.raises(sb.ArrayError, match=words) as caught:
            lib.total(x)
        said = "total() argument 1 'x': expected float64[n] in host memory (std::span<const double>)"
        assert str(caught.value).startswith(said)

    def test_read_only(self, lib: Any) -> None:
        x = np.zeros(3, "f4")
        x.flags.writeable = False
        with pytest.raises(sb.ArrayError, match="C\\+\\+ may write to it"):
            lib.fill(x, 1)


class TestMdspan:
    x = np.arange(12, dtype="i4").reshape(3, 4)
    address = sb.Pointer(x.__array_interface__["data"][0])

    def test_layouts(self, lib: Any) -> None:
        assert lib.right(self.x, self.address) == 34_04_01
        assert lib.left(self.x.T, self.address) == 43_01_04
        assert lib.stride(self.x[1:, ::2], self.address) == 16_22_04_02
        assert lib.fixed(self.x[:2], self.address) == 24_04_01
        assert lib.scalar(np.array(7.0)) == 7

    def test_the_core_refuses_what_python_refuses(self, lib: Any) -> None:
        for good, bad, name in (
            (self.x, self.x.T, "right"),
            (self.x.T, self.x, "left"),
            (self.x, self.x[::-1], "stride"),
        ):
            for _ in range(3):
                getattr(lib, name)(good, self.address)
            with pytest.raises(sb.ArrayError):
                getattr(lib, name)(bad, self.address)
            assert getattr(lib, name)(np.zeros((0, 4), "i4")[::-1], None)

    def test_unused_strides_put_no_constraint(self, lib: Any) -> None:
        one = np.lib.stride_tricks.as_strided(self.x, (1, 4), (-400, 4))
        assert lib.right(one, self.address) == 14_04_01
        assert lib.stride(one, self.address) == 14_04_01
        none = np.zeros((0, 3), "i4")[::-1]
        assert lib.right(none, sb.Pointer(none.__array_interface__["data"][0])) == 3_03_01

    @pytest.mark.parametrize(
        ("name", "x", "words"),
        [("right", x.T, "not contiguous in C order"), ("left", x, "not contiguous in Fortran order"),
         ("stride", x[::-1], "strides are not all positive"), ("fixed", x, r"the shape must be \[2, m\]"),
         ("stride", np.broadcast_to(x[0], (3, 4)), "strides are not all positive")],
    )  # fmt: skip
    def test_refusals(self, lib: Any, name: str, x: Any, words: str) -> None:
        with pytest.raises(sb.ArrayError, match=words) as caught:
            getattr(lib, name)(x, self.address)
        assert "Kokkos::mdspan<" in str(caught.value)


class TestTensor:
    def test_any_array(self, lib: Any) -> None:
        assert lib.tensor(np.arange(6.0)[::2]) == 6
        assert lib.tensor(np.arange(6.0)[::-1]) == 15
        assert lib.tensor(np.arange(4)) == 6
        assert lib.tensor(np.array(2.5)) == 2.5
        assert lib.describe(np.zeros((2, 3))) == 1211
        assert lib.describe(np.array(1.0)) == 1010
        assert lib.missing(None) == 1

    def test_read_only(self, lib: Any) -> None:
        x = np.arange(3.0)
        x.flags.writeable = False
        assert lib.tensor(x) == 3
        with pytest.raises(sb.ArrayError, match="pass a writable array"):
            lib.describe(x)

    def test_mdspans_and_tensors(self, lib: Any) -> None:
        x = np.arange(6.0)
        m = sb.to_host_mdspan(x[::-2], sb.const[sb.float64], 1, "relaxed")
        assert lib.tensor(m) == lib.tensor(m.to_dlpack()) == 9

    def test_refusals(self, lib: Any) -> None:
        with pytest.raises(
            sb.ArgumentError, match=r"describe\(\) argument 1 't': expected an array, a record DLTensor"
        ):
            lib.describe([1, 2])
        with pytest.raises(sb.ArrayError, match="DLPack has no name for such elements"):
            lib.tensor(np.zeros(2, [("a", "i4"), ("b", "f4")]))

    def test_of_overloads(self, lib: Any) -> None:
        """None stands for a null tensor among overloads, too; a number or a text does not."""
        for _ in range(2):
            assert [lib.which(x) for x in (None, 1.5, "t", np.zeros((2, 2)))] == [1, 2, 3, 12]


def test_a_standard_span_in_a_class_does_not_unbind_it() -> None:
    """Its extent is of a class whose name means nothing outside of the standard library."""
    source = """
    #include <span>
    struct Seen { int n; std::span<int> s; int sum() const { int r = n; for (int x : s) r += x; return r; } };
    inline Seen seen() { static int a[3] = {1, 2, 3}; return {1, a}; }
    inline int sum(const Seen& s) { return s.sum(); }
    """
    lib = sb.compile(source, std="c++20")
    one = lib.seen()
    assert (one.n, one.sum(), lib.sum(one)) == (1, 7, 7)
    one.n = 4
    assert one.sum() == 10
    one.s = lib.seen().s
    assert lib.sum(one) == 10
    with pytest.raises(sb.ArgumentError):
        one.s = [5, 6]
