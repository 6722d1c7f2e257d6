"""pybind11: array_t parameters without conversion, a bound class by value."""

from __future__ import annotations

from pathlib import Path

from cases import A1, A2, SUN, Call, Data, array_calls, class_calls
from peers.base import Peer, build_extension

SOURCE = r"""
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <stdexcept>
#include "cases.hpp"

namespace py = pybind11;
using namespace py::literals;
using Array = py::array_t<float, py::array::c_style>;

static float b(const Array& x) {
  auto view = x.unchecked<1>();
  return work::b(view.data(0), view.shape(0));
}

static double e(const py::array_t<double, py::array::c_style>& x) {
  auto view = x.unchecked<1>();
  return work::e(view.data(0), view.shape(0));
}

static void c(const Array& x, const Array& y, Array& out, float scale, int32_t shift) {
  auto vx = x.unchecked<1>(), vy = y.unchecked<1>();
  auto vout = out.mutable_unchecked<1>();
  if (vy.shape(0) != vx.shape(0) || vout.shape(0) != vx.shape(0))
    throw std::invalid_argument("lengths differ");
  work::c(vx.data(0), vy.data(0), vout.mutable_data(0), vx.shape(0), scale, shift);
}

PYBIND11_MODULE(pybind11_calls, m) {
  py::class_<Sun>(m, "Sun").def(py::init([](float a, float b, double c) { return Sun{a, b, c}; }));
  m.def("a1", &work::a1, "x"_a);
  m.def("a2", &work::a2, "i"_a, "x"_a);
  m.def("b", &b, "x"_a.noconvert());
  m.def("c", &c, "x"_a.noconvert(), "y"_a.noconvert(), "out"_a.noconvert(), "scale"_a, "shift"_a);
  m.def("d", &work::d, "sun"_a);
  m.def("e", &b, "x"_a.noconvert());
  m.def("e", &e, "x"_a.noconvert());
  py::class_<Label>(m, "Label").def(py::init<const std::string&>()).def("length", &Label::length, "more"_a);
}
"""


def prepare(build: Path, data: Data) -> dict[str, Call]:
    import pybind11

    lib = build_extension(build, "pybind11_calls", SOURCE, include=[pybind11.get_include()])
    calls = {"a1": (lib.a1, A1), "a2": (lib.a2, A2), "d": (lib.d, (lib.Sun(*SUN),))}
    calls |= class_calls(data.arrays, lib.e, lib.Label)
    return calls | array_calls([("1", data.arrays)], lib.b, lib.c)


PEERS = (Peer("pybind11", prepare, ("pybind11",)),)
