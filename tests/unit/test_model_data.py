"""A stored model is data: it comes back as it was, and any other text is refused without running anything."""

from __future__ import annotations

import json
import math
import pickle
from contextlib import suppress
from dataclasses import is_dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samebytes as sb
from samebytes import types
from samebytes.make.model_data import _CLASSES, Unreadable, decode, encode
from samebytes.model import intents, signature
from samebytes.model import module as model
from samebytes.model.module import Constant, Module
from samebytes.model.signature import Location
from samebytes.types import MISSING, Field, Pointer, Struct

RICH = """
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
namespace geo {
/// A point.
struct P { double x = 1.5, y; int bits : 3; P* next; float m[2][3]; };
enum class Colour : unsigned char { red = 3, green };
enum Old { A, B = -7 };
class Shape { public: virtual ~Shape() {} virtual double area() const = 0; };
class Square : public Shape {
    double a;
public:
    explicit Square(double a = 2) : a(a) {}
    double area() const override { return a * a; }
};
inline std::map<std::string, std::vector<P>> all(std::optional<int> n = {}, const std::string& = "ä\\n") { return {}; }
inline std::variant<int, std::string> v(std::tuple<int, float> t, std::function<int(int)> f) { return f(1); }
inline std::complex<float> c(std::complex<float> c) { return c; }
inline std::unique_ptr<Shape> make(std::shared_ptr<Square> s) { return nullptr; }
inline double sum(const double* p, int n, bool flag = true, double scale = -0.0) { return n; }
template <class T> T twice(T t) { return t + t; }
inline int (*pick(int i))(double) { return nullptr; }
const double inf = 1e999;
const long long big = 0x7fffffffffffffff;
}
#define TEXT "a\\tb"
using Real = double;
"""


@pytest.fixture(scope="module")
def rich() -> Module:
    return sb.compile(RICH).__model__


@pytest.fixture(scope="module")
def text(rich: Module) -> bytes:
    return encode(rich)


def test_it_comes_back(rich: Module, text: bytes) -> None:
    back = decode(text)
    assert back == rich
    assert repr(back) == repr(rich)  # what == does not compare, too
    assert back.included == rich.included
    assert encode(back) == text


def test_equal_parts_are_one(text: bytes) -> None:
    locations = [f.location for f in decode(text).functions]
    assert len({id(where) for where in locations}) == len(set(locations))


@pytest.mark.parametrize(
    "value",
    [
        0, 1, -1, True, False, 1.0, 0.0, -0.0, math.inf, -math.inf, 5e-324, 2**63, -(10**300),
        "", "ä\ud800\0\n\"", "1", None, MISSING,
    ],
    ids=ascii,
)  # fmt: skip
def test_atoms_keep_their_types(value: Any) -> None:
    field = Field("f", types.INT32, default=value)
    beside = tuple(
        Field(f"g{n}", types.INT32, default=v) for n, v in enumerate((0, 1, True, 1.0, 0.0, -0.0, "1"))
    )
    back = decode(encode(Module("c", records=(Struct("S", (field, *beside)),)))).records[0].fields
    assert repr(back[0].default) == repr(value)
    assert type(back[0].default) is type(value)
    assert [repr(f.default) for f in back[1:]] == [repr(f.default) for f in beside]
    if value is MISSING:
        assert back[0].default is MISSING


def test_not_a_number() -> None:
    constant = Constant("n", "n", math.nan, "double", Location("f", 1))
    assert math.isnan(decode(encode(Module("c", constants=(constant,)))).constants[0].value)


def test_nesting_has_no_end() -> None:
    nested: types.Type = types.INT32
    for _ in range(20_000):
        nested = Pointer(nested)
    alias = model.Alias("a", "a", "deep", Location("f", 1), nested)
    back = decode(encode(Module("c", aliases=(alias,)))).aliases[0].type
    depth = 0
    while isinstance(back, Pointer):
        back, depth = back.target, depth + 1
    assert (back, depth) == (types.INT32, 20_000)


def test_every_class_of_a_model_is_in_the_table() -> None:
    found = {
        value
        for module in (types, signature, intents, model)
        for value in vars(module).values()
        if isinstance(value, type) and is_dataclass(value) and value.__module__.startswith("samebytes.")
    }
    # What a device's pointer is stands in its type, and what is asked of an array follows from it.
    assert found - set(_CLASSES) <= {intents.Intent, intents.OfDevice, types.ArrayRule}
    assert len({cls.__name__ for cls in _CLASSES}) == len(_CLASSES)


def test_what_is_no_data_is_not_stored(rich: Module) -> None:
    with pytest.raises(TypeError, match="a model cannot hold a function"):
        encode(replace(rich, origin=encode))  # type: ignore[arg-type]


def _rows(**changed: Any) -> bytes:
    whole = json.loads(encode(Module("c")))
    return json.dumps({**whole, **changed}).encode()


ODD = {
    "empty": b"",
    "a pickle": pickle.dumps(Module("c")),
    "not UTF-8": b"\xff",
    "truncated": encode(Module("c"))[:-3],
    "a list": b"[]",
    "a huge number": b"[" + b"9" * 5000 + b"]",
    "deep": b"[" * 10**6,
    "an old version": _rows(version=0),
    "a later version": _rows(version=2),
    "a version in words": _rows(version="1"),
    "other classes": _rows(classes="os.system"),
    "no atoms": _rows(atoms=None),
    "nested atoms": _rows(atoms=[["c"]]),
    "no rows": _rows(rows=[]),
    "rows of texts": _rows(rows=["ab"]),
    "an empty row": _rows(rows=[[]]),
    "an unknown class": _rows(rows=[[10**9]]),
    "a negative class": _rows(rows=[[-1]]),
    "a class in words": _rows(rows=[["tuple"]]),
    "a cycle": _rows(rows=[[0, len(json.loads(_rows())["atoms"])]]),
    "a number from the end": _rows(rows=[[0, -1]]),
    "a number like a float": _rows(rows=[[0, 0.0]]),
    "too many values": _rows(rows=[[1, *[0] * 40]]),
    "too few values": _rows(rows=[[1]]),
    "another class at the end": _rows(rows=[[0]]),
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_odd_texts_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        decode(data)


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_damaged_texts_are_refused_or_read(text: bytes, data: st.DataObject) -> None:
    damaged = bytearray(text)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 9))] = data.draw(
            st.binary(max_size=4) | st.from_regex(rb"\A[0-9,\[\]]{0,4}\Z")
        )
    with suppress(Unreadable):
        assert type(decode(bytes(damaged))) is Module


def test_a_library_with_an_unreadable_model_is_built_again(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from samebytes.make import builder

    tmp_path.chmod(0o700)
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path))
    seen: list[Module] = []

    def encoded(module: Module) -> bytes:
        seen.append(module)
        return encode(module) if len(seen) > 1 else b"odd"

    monkeypatch.setattr(builder, "encode", encoded)
    assert sb.compile("inline int unreadable_once() { return 7; }").unreadable_once() == 7
    assert len(seen) == 2
