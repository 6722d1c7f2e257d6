"""S2: cells, distances and points on the sphere."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <s2/s2latlng.h>
#include <s2/s2cell_id.h>
int main() {
  auto p = S2LatLng::FromDegrees(48.8, 2.3), q = S2LatLng::FromDegrees(51.5, -0.1);
  tell(p.GetDistance(q).degrees()); tell(p.ToStringInDegrees());
  S2CellId c(p), up = c.parent(10);
  tell(c.ToToken()); tell(c.level()); tell(up.ToToken()); tell(up.contains(c)); tell(c.contains(up));
  tell(up.child_begin() < up.child_end()); tell(up.id()); tell(p == q); tell(c.ToLatLng().lat().degrees());
}
"""


@pytest.fixture(scope="module")
def s2(needs: Any) -> Any:
    needs("s2/s2latlng.h", "libs2-dev", "s2")
    flags = ["-include", "s2/s2cell_id.h"]
    expose = ["*/s2/s2latlng.h", "*/s2/s2cell_id.h", "*/s2/s1angle.h"]
    return sb.bind("s2/s2latlng.h", libraries=["s2"], expose=expose, flags=flags)


def test_the_sphere(s2: Any, agree: Any) -> None:
    p, q = s2.S2LatLng.FromDegrees(48.8, 2.3), s2.S2LatLng.FromDegrees(51.5, -0.1)
    values: list[Any] = [p.GetDistance(q).degrees(), p.ToStringInDegrees()]
    cell = s2.S2CellId(p)
    up = cell.parent(10)
    values += [cell.ToToken(), cell.level(), up.ToToken(), up.contains(cell), cell.contains(up)]
    values += [up.child_begin() < up.child_end(), up.id(), p == q, cell.ToLatLng().lat().degrees()]
    agree(values, PROGRAM, "-ls2")
