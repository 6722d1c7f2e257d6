"""GEOS: geometries from text, their intersection, its exceptions; a factory with a private deleter is not bound."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

HEADERS = ["geos/io/WKTReader.h", "geos/io/WKTWriter.h", "geos/geom/Point.h", "geos/geom/Polygon.h"]
PROGRAM = (
    "".join(f"#include <{header}>\n" for header in HEADERS)
    + r"""
#include <geos/geom/GeometryFactory.h>
int main() {
  auto f = geos::geom::GeometryFactory::getDefaultInstance();
  geos::io::WKTReader r(f);
  auto a = r.read("POLYGON((0 0,4 0,4 4,0 4,0 0))"), b = r.read("POLYGON((2 2,6 2,6 6,2 6,2 2))");
  tell(a->getArea()); tell(a->intersects(b.get()));
  auto c = a->intersection(b.get());
  tell(c->getArea()); tell(c->toString()); tell(a->getCentroid()->toString()); tell(c->getNumPoints());
  tell(geos::io::WKTWriter().write(c.get()));
  try { r.read("POLYGON(("); } catch (const std::exception& e) { tell(e.what()); }
}
"""
)


@pytest.fixture(scope="module")
def geos(needs: Any) -> Any:
    needs("geos/geom/GeometryFactory.h", "libgeos++-dev", "geos")
    flags = [part for header in HEADERS for part in ("-include", header)]
    expose = ["*/geos/geom/*", "*/geos/io/WKT*"]
    return sb.bind("geos/geom/GeometryFactory.h", libraries=["geos"], expose=expose, flags=flags).geos


def test_geometries(geos: Any, agree: Any) -> None:
    reader = geos.io.WKTReader(geos.geom.GeometryFactory.getDefaultInstance())
    a, b = reader.read("POLYGON((0 0,4 0,4 4,0 4,0 0))"), reader.read("POLYGON((2 2,6 2,6 6,2 6,2 2))")
    assert isinstance(a, geos.geom.Polygon)
    c = a.intersection(b)
    values: list[Any] = [a.getArea(), a.intersects(b), c.getArea(), c.toString(), a.getCentroid().toString()]
    values += [c.getNumPoints(), geos.io.WKTWriter().write(c)]
    with pytest.raises(RuntimeError) as refused:
        reader.read("POLYGON((")
    agree([*values, str(refused.value)], PROGRAM, "-lgeos")


def test_a_private_deleter_is_said(geos: Any) -> None:
    with pytest.raises(AttributeError, match="GeometryFactoryDeleter"):
        geos.geom.GeometryFactory.create()
