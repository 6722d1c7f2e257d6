"""hnswlib: nearest neighbours of NumPy's rows, by a class template's instance; a queue of them is a list."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <hnswlib/hnswlib.h>
int main() {
  hnswlib::L2Space space(4);
  hnswlib::HierarchicalNSW<float> index(&space, 50);
  for (int i = 0; i < 50; ++i) {
    float row[4]; for (int j = 0; j < 4; ++j) row[j] = (i * 7 + j * 3) % 17;
    index.addPoint(row, i);
  }
  float at[4] = {1, 2, 3, 4};
  for (auto& [distance, label] : index.searchKnnCloserFirst(at, 5)) { tell(distance); tell(label); }
  for (auto queue = index.searchKnn(at, 3); !queue.empty(); queue.pop()) {
    tell(queue.top().first); tell(queue.top().second);
  }
  tell(index.cur_element_count);
}
"""


@pytest.fixture(scope="module")
def hnswlib(needs: Any) -> Any:
    needs("hnswlib/hnswlib.h", "libhnswlib-dev")
    return sb.bind("hnswlib/hnswlib.h", expose=["*/hnswlib/*"]).hnswlib


def test_neighbours(hnswlib: Any, agree: Any) -> None:
    space = hnswlib.L2Space(4)
    index = hnswlib.HierarchicalNSW["float"](space, 50)
    rows = np.array([[(i * 7 + j * 3) % 17 for j in range(4)] for i in range(50)], np.float32)
    for i, row in enumerate(rows):
        index.addPoint(row, i)
    at = np.array([1, 2, 3, 4], np.float32)
    found = [*index.searchKnnCloserFirst(at, 5), *index.searchKnn(at, 3)]
    agree([part for pair in found for part in pair] + [index.cur_element_count], PROGRAM)
