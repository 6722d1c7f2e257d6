"""Overloads on a hierarchy: the nearest base is meant, as in C++; bases of which neither is the other's are none."""

import pytest

import samebytes as sb

from ..hierarchies import CASES, arguments, source


@pytest.fixture(scope="module")
def lib():
    return sb.compile(source())


@pytest.mark.parametrize(("name", "given"), CASES)
def test_the_overload_of_cxx(lib, name, given):
    expected = lib.answer(CASES.index((name, given)))
    for call in (getattr(lib, name), getattr(lib, f"M_{name}")().call):
        for _ in range(2):
            if expected == -1:
                with pytest.raises(sb.ArgumentError):
                    call(*arguments(lib, given))
            else:
                assert call(*arguments(lib, given)) == expected
