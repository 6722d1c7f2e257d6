"""Codecs of the compiled core: what they are built of, and what is refused."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from native_codecs import (
    FLOAT64,
    INT32,
    INT64,
    make_pair,
    pointer,
)

from samebytes._native import Codec, Value

PAIR = struct.Struct("<i4xd")


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("int33", {"size": 4, "align": 4}),
        ("int32", {"size": 8, "align": 4}),
        ("int32", {"size": 4, "align": 3}),
        ("int32", {"size": 4, "align": 0}),
        ("int32", {"size": 4, "align": 4, "scalar": object}),
        ("struct", {"size": 0, "align": 1}),
        ("struct", {"size": -8, "align": 1}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 4, INT64, 0, 0),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", -1, INT64, 0, 0),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 0, FLOAT64, 0, 3),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 0, INT64, 60, 5),)}),
        ("struct", {"size": 8, "align": 8, "fields": (("a", 0, INT64, 0, 65),)}),
        ("struct", {"size": 8, "align": 8, "python": int}),
        ("carray", {"size": 8, "align": 4}),
        ("carray", {"size": 8, "align": 4, "element": INT32, "count": 3}),
        ("carray", {"size": 8, "align": 4, "element": INT32, "count": -1}),
        ("enum", {"size": 4, "align": 4}),
        ("enum", {"size": 4, "align": 4, "element": FLOAT64}),
        ("enum", {"size": 8, "align": 4, "element": INT32}),
        ("array", {"size": 24, "align": 8, "element": FLOAT64, "ndim": 2}),
        ("array", {"size": 24, "align": 8, "ndim": 1}),
    ],
)
def test_impossible_codecs_are_refused(kind: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Codec(kind, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"python": 3},
        {"scalar": "x"},
        {"fields": [("a",)]},
        {"fields": (3,)},
        {"fields": (("a", 0, 5, 0, 0),)},
        {"dl": 5},
        {"element": 5},
    ],
)
def test_wrong_types_in_codecs_are_refused(options: Any) -> None:
    with pytest.raises(TypeError):
        Codec("struct", size=8, align=8, **options)


def test_a_codec_says_what_it_is() -> None:
    codec = make_pair(Value).__samebytes_codec__
    assert (codec.kind, codec.size, codec.align, codec.count) == ("struct", 16, 8, 0)
    assert [f[0] for f in codec.fields] == ["a", "b"]
    assert codec.python is codec.type
    assert codec.element is None
    assert repr(INT32) == "Codec('int32', size=4, align=4, type='int32')"
    with pytest.raises(AttributeError):
        codec.size = 4


def test_tuples_may_be_refused() -> None:
    fields = (("a", 0, INT32, 0, 0), ("b", 8, FLOAT64, 0, 0))
    assert Codec("struct", size=16, align=8, fields=fields).pack((1, 2.0)) is not None
    codec = Codec("struct", size=16, align=8, fields=fields, tuples=False)
    assert codec.pack((1, 2.0)) is None
    assert codec.unpack(PAIR.pack(1, 2.0)) == (1, 2.0)


@pytest.mark.parametrize("dtype", ["O", [("a", "i4"), ("b", "O")]], ids=str)
def test_python_objects_are_no_elements(dtype: Any) -> None:
    anything = Codec("pointer", size=8, align=8)
    assert anything.pack(np.zeros(3, dtype)) is None
    for codec in (anything, pointer()):
        with pytest.raises(TypeError, match="Python objects"):
            codec.accept_dtype(np.dtype(dtype))
        assert codec.pack(np.zeros(3, dtype)) is None
