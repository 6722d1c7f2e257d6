"""Further arguments lie where C reads them: a real compiler's va_arg notes the bytes of random arguments."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samebytes as sb
from samebytes.layouts.processors import processor
from samebytes.types import SCALARS, Field, Struct
from samebytes.types.stored import STORED

HEADER = Path(__file__).with_name("reader.h")


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.bind(HEADER, language="c")


# By the sign of a type: its values, and what makes the argument and the bytes that C must see.
INT = st.integers(-(2**31), 2**31 - 1)
LONG = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=False)
FLOAT = st.floats(allow_nan=False, width=32)


def record(name: str, *fields: st.SearchStrategy[Any]) -> Any:
    return st.tuples(*fields), lambda lib, v: getattr(lib, name)(*v).value, None


KINDS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any, Any], Any], Callable[[Any], bytes] | None]] = {
    "i": (INT, lambda lib, v: v, lambda v: np.int32(v).tobytes()),
    "u": (st.integers(0, 2**32 - 1), lambda lib, v: np.uint32(v), lambda v: np.uint32(v).tobytes()),
    "l": (LONG, lambda lib, v: v, lambda v: np.int64(v).tobytes()),
    "U": (st.integers(0, 2**64 - 1), lambda lib, v: v, lambda v: np.uint64(v).tobytes()),
    "d": (REAL, lambda lib, v: v, lambda v: np.float64(v).tobytes()),
    "p": (st.integers(0, 2**47), lambda lib, v: sb.Pointer(v), lambda v: np.uint64(v).tobytes()),
    "z": (st.tuples(REAL, REAL), lambda lib, v: complex(*v), lambda v: np.array(v).tobytes()),
    "f": (
        st.tuples(FLOAT, FLOAT),
        lambda lib, v: np.complex64(complex(*v)),
        lambda v: np.array(v, np.float32).tobytes(),
    ),
    "D": (
        REAL,
        lambda lib, v: np.longdouble(v),
        lambda v: np.longdouble(v).tobytes()[:10].ljust(16, b"\0"),
    ),
    "1": record("one_int", INT),
    "2": record("pair", INT, FLOAT),
    "3": record("reals", REAL, REAL),
    "4": record("floats", FLOAT, FLOAT, FLOAT),
    "5": record("mixed", REAL, LONG),
    "6": record("big", LONG, LONG, LONG),
    "7": record("loose", st.integers(0, 127), REAL),
    "8": record("bits", st.integers(0, 7), st.integers(0, 8191), st.integers(0, 2**39 - 1)),
    "9": (LONG, lambda lib, v: lib.number(n=v).value, lambda v: np.int64(v).tobytes()),
    "a": record("array", st.tuples(FLOAT, FLOAT, FLOAT, FLOAT)),
    "b": record("aligned", LONG, LONG),
}
ONE = st.sampled_from(sorted(KINDS)).flatmap(lambda sign: st.tuples(st.just(sign), KINDS[sign][0]))

# What stands before the room and the text of types.
BEFORE: dict[str, Callable[[Any, Any], tuple[Any, ...]]] = {
    "plain": lambda lib, out: (out,),
    "after_five": lambda lib, out: (1, 2, 3, out),
    "after_eight": lambda lib, out: (1, 2, 3, 4, 5, 6, out),
    "after_nine": lambda lib, out: (1, 2, 3, 4, 5, 6, 7, out),
    "after_reals": lambda lib, out: (1.5, 2.5, out, 3.5),
    "after_ten_reals": lambda lib, out: (*map(float, range(10)), out),
    "after_record": lambda lib, out: (lib.mixed(1.5, 2), lib.big(1, 2, 3), lib.loose(1, 2.5), out),
    "after_padded": lambda lib, out: (lib.padded(1.5), lib.padded_int(2), out),
    "gives_record": lambda lib, out: (out,),
    "gives_reals": lambda lib, out: (out,),
}


def seen(lib: Any, function: str, arguments: list[tuple[str, Any]]) -> tuple[bytes, bytes]:
    """The bytes that C noted, and those that it should have."""
    out = ctypes.create_string_buffer(32 * len(arguments) + 1)
    given = [KINDS[sign][1](lib, value) for sign, value in arguments]
    kinds = "".join(sign for sign, _ in arguments)
    count = getattr(lib, function)(*BEFORE[function](lib, out), kinds, *given)
    if not isinstance(count, int):
        count = int(count.a if hasattr(count, "a") else count.x)
    due = b"".join(
        (KINDS[sign][2] or (lambda v, held=held: bytes(held)))(value)
        for (sign, value), held in zip(arguments, given, strict=True)
    )
    return out.raw[:count], due


@pytest.mark.parametrize("examples", [25, pytest.param(120, marks=pytest.mark.full)])
@pytest.mark.parametrize("function", BEFORE)
def test_random_arguments(lib: Any, function: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(st.lists(ONE, max_size=24))
    def check(arguments: list[tuple[str, Any]]) -> None:
        found, due = seen(lib, function, arguments)
        assert found == due

    check()


def test_a_word_of_padding_takes_no_register(lib: Any) -> None:
    arguments: list[tuple[str, Any]] = [("d", n + 0.5) for n in range(9)] + [("l", n) for n in range(5)]
    found, due = seen(lib, "after_padded", arguments)
    assert found == due
    for value in (lib.padded(1.5), lib.padded_int(2)):
        with pytest.raises(sb.ArgumentError, match="is not defined: pass its parts"):
            lib.plain(ctypes.create_string_buffer(8), "d", value.value, 1.5)


def test_as_many_as_c_allows(lib: Any) -> None:
    arguments: list[tuple[str, Any]] = [("i", n) for n in range(125)]
    found, due = seen(lib, "plain", arguments)
    assert found == due
    with pytest.raises(sb.ArgumentError, match="too many further arguments: 128 words"):
        seen(lib, "plain", [("d", 0.5)] * 200)


def test_an_int_is_read_as_int_and_as_long(lib: Any) -> None:
    for value in (
        -1,
        1,
        -(2**31),
        2**31 - 1,
        True,
        np.int8(-3),
        np.uint16(9),
        ctypes.c_short(-4),
        ctypes.c_ubyte(5),
    ):
        whole = int(value.value if isinstance(value, ctypes.c_short | ctypes.c_ubyte) else value)
        for sign, type_ in (("i", np.int32), ("l", np.int64)):
            out = ctypes.create_string_buffer(8)
            count = lib.plain(out, sign, value)
            assert out.raw[:count] == type_(whole).tobytes(), (value, sign)


def test_on_one_processor_alone(lib: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from samebytes.layouts import processors
    from samebytes.model.further import free_registers

    signature = next(s for s in lib.__model__.functions if s.name == "plain")
    assert free_registers(signature) == processors.Registers(4, 8)
    monkeypatch.setattr(processors.platform, "machine", lambda: "aarch64")
    assert free_registers(signature) is None


UNKNOWN = """
#include <stdarg.h>
struct Wide { long double x; };
struct Lined { _Alignas(32) int a; };
static int first(va_list l) { return va_arg(l, int); }
static int wide(struct Wide w, int n, ...) { va_list l; va_start(l, n); n = first(l); va_end(l); return n; }
static int lined(struct Lined s, int n, ...) { va_list l; va_start(l, n); n = first(l); va_end(l); return n; }
static struct Wide gives(int n, ...) {
  va_list l;
  va_start(l, n);
  struct Wide w = {first(l)};
  va_end(l);
  return w;
}
"""


@pytest.fixture(scope="module")
def unknown() -> Any:
    return sb.compile(UNKNOWN, language="c")


@pytest.mark.parametrize("call", ["wide(lib.Wide(), 1, 77)", "lined(lib.Lined(), 1, 77)", "gives(1, 77)"])
def test_beside_what_travels_otherwise_there_is_no_further_argument(unknown: Any, call: str) -> None:
    """An own parameter, or a result, whose registers nobody counts: what follows it would lie elsewhere."""
    with pytest.raises(sb.ArgumentError, match="takes only its declared arguments here"):
        eval(f"lib.{call}", {"lib": unknown})


@pytest.mark.parametrize("name", STORED)
def test_how_storage_of_unknown_contents_travels_is_unknown(name: str) -> None:
    """Alone, and beside what is known."""
    machine = processor()
    assert machine is None or machine.shape(STORED[name]) is None
    pair = Struct("Pair", (Field("x", STORED[name]), Field("y", SCALARS["int32"])))
    assert machine is None or machine.shape(pair) is None
