"""NumPy's arrays of vectors, by the dtype of a vector's class, as arguments of compiled calls."""

from __future__ import annotations

import numpy as np
import pytest

numba = pytest.importorskip("numba")
import samebytes as sb  # noqa: E402

pytestmark = pytest.mark.full  # Numba compiles

SOURCE = """
#include <array>
#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
using V = samebytes::int32x3;
inline int pointer(const V* x) { return x[2].y; }
inline int written(V* x) { x[1].z = 40; return x[2].y; }
inline int descriptor(samebytes::array<V, 2> x) { return x(0, 2).y; }
inline int extent(const V (&x)[3]) { return x[2].y; }
inline int by_value(std::array<V, 3> x) { return x[2].y; }
"""


def test_arrays_of_vectors():
    lib = sb.compile(SOURCE, target="numba", std="c++20")
    x = np.arange(9, dtype="i4").view(sb.int32x3.dtype)
    other = np.arange(6, dtype="i4").view(sb.int32x2.dtype)
    for name in ("pointer", "written", "descriptor", "extent", "by_value"):
        f = getattr(lib, name)
        use = numba.njit(lambda x, f=f: f(x))
        given = x.reshape(1, 3) if name == "descriptor" else x
        assert use(given) == f(given) == 7
        with pytest.raises(numba.TypingError, match="expected"):
            use(other)
    assert x[1]["z"] == 40
