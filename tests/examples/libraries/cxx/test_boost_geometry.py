"""Boost.Geometry: points and polygons are classes of its own, functions of one's own give them to its algorithms."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

SOURCE = r"""
#include <boost/geometry/algorithms/area.hpp>
#include <boost/geometry/algorithms/distance.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/geometries/polygon.hpp>
#include <boost/geometry/io/wkt/read.hpp>
namespace bg = boost::geometry;
using Point = bg::model::d2::point_xy<double>;
using Polygon = bg::model::polygon<Point>;
inline Polygon read(const std::string& s) { Polygon y; bg::read_wkt(s, y); return y; }
inline double area(const Polygon& y) { return bg::area(y); }
inline double distance(const Point& a, const Point& b) { return bg::distance(a, b); }
"""
PROGRAM = r"""
int main() {
  tell(area(read("POLYGON((0 0,0 4,4 4,4 0,0 0))"))); tell(distance(Point(0, 0), Point(3, 4))); tell(Point(3, 4).x());
  try { read("POLY"); } catch (const std::exception& e) { tell(e.what()); }
}
"""


def test_a_polygon(needs: Any, agree: Any) -> None:
    needs("boost/geometry/algorithms/area.hpp", "libboost-dev")
    lib = sb.compile(SOURCE, expose=["boost::geometry::model::d2::point_xy"])
    values = [lib.area(lib.read("POLYGON((0 0,0 4,4 4,4 0,0 0))"))]
    point = lib.Point
    values += [lib.distance(point(0.0, 0.0), point(3.0, 4.0)), point(3.0, 4.0).x()]
    with pytest.raises(RuntimeError) as refused:
        lib.read("POLY")
    agree([*values, str(refused.value)], SOURCE + PROGRAM)
