"""nanobind: ndarray parameters constrained to contiguous host float32[n], a bound class by value."""

from __future__ import annotations

from pathlib import Path

from cases import A1, A2, SUN, Call, Data, array_calls, class_calls
from peers.base import Peer, build_extension

SOURCE = r"""
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <stdexcept>
#include "cases.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using Input = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static float b(Input x) { return work::b(x.data(), static_cast<int64_t>(x.shape(0))); }

static double e(Doubles x) { return work::e(x.data(), static_cast<int64_t>(x.shape(0))); }

static void c(Input x, Input y, Output out, float scale, int32_t shift) {
  if (y.shape(0) != x.shape(0) || out.shape(0) != x.shape(0)) throw std::invalid_argument("lengths differ");
  work::c(x.data(), y.data(), out.data(), static_cast<int64_t>(x.shape(0)), scale, shift);
}

NB_MODULE(nanobind_calls, m) {
  nb::class_<Sun>(m, "Sun").def(
      "__init__", [](Sun* self, float a, float b, double c) { new (self) Sun{a, b, c}; });
  m.def("a1", &work::a1, "x"_a);
  m.def("a2", &work::a2, "i"_a, "x"_a);
  m.def("b", &b, "x"_a.noconvert());
  m.def("c", &c, "x"_a.noconvert(), "y"_a.noconvert(), "out"_a.noconvert(), "scale"_a, "shift"_a);
  m.def("d", &work::d, "sun"_a);
  m.def("e", &b, "x"_a.noconvert());
  m.def("e", &e, "x"_a.noconvert());
  nb::class_<Label>(m, "Label").def(nb::init<const std::string&>()).def("length", &Label::length, "more"_a);
}
"""


def prepare(build: Path, data: Data) -> dict[str, Call]:
    import nanobind

    root = Path(nanobind.__file__).parent
    include = [root / "include", root / "ext/robin_map/include"]
    flags = ["-fno-strict-aliasing", "-DNB_COMPACT_ASSERTIONS", "-ffunction-sections", "-Wl,--gc-sections,-s"]
    extra = [root / "src/nb_combined.cpp"]
    lib = build_extension(build, "nanobind_calls", SOURCE, include=include, flags=flags, extra=extra)
    calls = {"a1": (lib.a1, A1), "a2": (lib.a2, A2), "d": (lib.d, (lib.Sun(*SUN),))}
    calls |= class_calls(data.arrays, lib.e, lib.Label)
    return calls | array_calls(data.families(), lib.b, lib.c)


PEERS = (Peer("nanobind", prepare, ("nanobind",)),)
