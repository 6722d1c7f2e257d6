"""Objects that ended, or that C++ took over, are refused by compiled code in words."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest

import samebytes as sb

numba = pytest.importorskip("numba")

pytestmark = pytest.mark.full

SOURCE = r"""
#include <memory>
struct T { int v = 3; T() {} virtual ~T() { v = -1; } int get() const { return v; } };
inline int take(std::unique_ptr<T> t) { return t->get(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba")


def test_an_object_that_is_gone_is_refused(lib: Any) -> None:
    @numba.njit
    def get(t: Any) -> Any:
        return t.get()

    one, other = lib.T(), lib.T()
    assert get(one) == get(other) == 3
    sb.delete(one)
    lib.take(other)
    for _ in range(3):
        with pytest.raises(sb.IntentError, match=r"It is gone: sb\.delete\(\)"):
            get(one)
        with pytest.raises(sb.IntentError, match="a std::unique_ptr took it over"):
            get(other)
    gc.collect()
    before = sys.getrefcount(one)
    with pytest.raises(sb.IntentError):
        get(one)
    gc.collect()
    assert sys.getrefcount(one) == before
    with lib.T() as third:
        assert get(third) == 3
