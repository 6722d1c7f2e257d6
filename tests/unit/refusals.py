"""The Mismatch behind a conversion that fails."""

import pytest

from samebytes.errors import Error, Mismatch
from samebytes.values.conversion import convert, pack


def refusal(type_, value):
    """The Mismatch of a conversion that must fail, found out also through the public function."""
    with pytest.raises(Mismatch) as mismatch:
        convert(type_, value)
    with pytest.raises(Error) as error:
        pack(value, type_)
    assert type(error.value) is mismatch.value.error
    assert error.value.mismatches
    return mismatch.value
