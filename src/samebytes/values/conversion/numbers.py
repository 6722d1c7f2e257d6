"""One Python number into one machine format, by the rules of the guide's table ("Numbers"); never silently wrong."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import WrapperDescriptorType
from typing import Any

import numpy as np

from ... import _native
from ...errors import OVERWHELMED, ArgumentError, Error, Mismatch, RangeError, value_words
from ...types import CHAR, SCALARS, Scalar, scalar_for
from ..codecs import codec
from .base import Packed
from .tracing import foreign_attribute, tracing_words

_KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
_ROWS: dict[type, str] = {bool: "bool", np.bool_: "bool", int: "int", float: "float", complex: "complex"}

# Significant bits, largest exponent, exponent of the least positive number: wider formats have more of each.
_FORMATS = {
    "float8e4m3": (4, 8, -9),
    "float8e5m2": (3, 15, -16),
    "float16": (11, 15, -24),
    "bfloat16": (8, 127, -133),
    "float32": (24, 127, -149),
    "float64": (53, 1023, -1074),
}
_PARTS = {"complex64": "float32", "complex128": "float64"}
_OURS: Any = _native.Record | _native.Value | _native.Pointer
_COLUMNS = {"bool": "bool", "int": "integer", "uint": "integer", "float": "floating", "complex": "complex"}


def limits(format_: Scalar) -> tuple[int, int]:
    """The least and the largest value of an integer format."""
    bits = 8 * format_.size
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if format_.kind == "int" else (0, (1 << bits) - 1)


def words(format_: Scalar) -> str:
    """A format as messages name it."""
    if _COLUMNS[format_.kind] == "integer":
        low, high = limits(format_)
        return f"{format_} ({low} to {high})"
    return str(format_)


def is_wider(source: str, target: str) -> bool:
    """Whether every number of the floating or complex format ``source`` is one of ``target``."""
    if source in _PARTS and target not in _PARTS:
        return False
    a, b = _FORMATS[_PARTS.get(source, source)], _FORMATS[_PARTS.get(target, target)]
    return a[0] <= b[0] and a[1] <= b[1] and a[2] >= b[2]


def convert_number(type_: Scalar, value: object, dialect: str) -> Packed:
    """A number in the format of a type."""
    return Packed(number(type_, value))


def number(format_: Scalar, value: object) -> bytes:
    """The bytes of ``value`` in a format.

    Parameters
    ----------
    format_ : Scalar
    value : bool, int, float, complex, NumPy or ml_dtypes scalar, 0-d array, or what says a number
        By ``__index__``, ``__float__`` or ``__complex__``; anything else is refused.

    Raises
    ------
    Mismatch
        ArgumentError for a value of the wrong kind, RangeError for one that the format cannot hold.
    """
    value = spoken(scalar_of(value), _COLUMNS[format_.kind])
    if format_ == CHAR and isinstance(value, str | bytes) and len(value) == 1 and ord(value) < 128:
        return value.encode() if isinstance(value, str) else value
    rule = _TABLE.get((_row(value), _COLUMNS[format_.kind]))
    if rule is None:
        raise _refusal(format_, value, _kind_advice(format_, value))
    return rule(format_, value)


def scalar_of(value: Any) -> Any:
    """A scalar for a 0-d array in host memory, else the value itself."""
    if isinstance(value, np.ndarray):
        return value[()] if value.ndim == 0 else value
    is_array = (
        foreign_attribute(value, "shape") == ()
        and foreign_attribute(value, "__dlpack_device__")
        and not _is_numpy(value)
    )
    if is_array and not tracing_words(value):
        try:
            return np.asarray(value)[()] if value.__dlpack_device__()[0] == 1 else value
        except OVERWHELMED:
            raise
        except (TypeError, ValueError, RuntimeError, BufferError):
            return value  # a format that NumPy lacks, or a tensor that records gradients
    return value


# By which special methods an object says a number, for each column: __int__ and __trunc__ cut off.
_SPOKEN: dict[str, tuple[tuple[str, Callable[[Any], Any]], ...]] = {
    "integer": (("__index__", operator.index),),
    "floating": (("__float__", float), ("__index__", operator.index)),
    "complex": (("__complex__", complex), ("__float__", float), ("__index__", operator.index)),
}


def speaks_number(value: object, column: str) -> bool:
    """Whether an object of a class of its own says a number: an array is many, and C++ converts its own objects."""
    return _row(value) == "" and _speaker(value, column) is not None


def _speaker(value: object, column: str) -> Callable[[Any], Any] | None:
    kind = type(value)
    ways = (way for name, way in _SPOKEN.get(column, ()) if getattr(kind, name, None) is not None)
    found = next(ways, None)
    if found is None or hasattr(kind, "__samebytes_type__") or isinstance(value, _OURS | np.ndarray):
        return None
    # Its class is asked, too: an array whose own code raises is one all the same.
    is_array = hasattr(kind, "shape") or foreign_attribute(value, "shape") is not None
    return None if is_array else found


def spoken(value: Any, column: str) -> Any:
    """The number that an object says it is, else the object itself.

    Raises
    ------
    Mismatch
        If the object itself says that the number is another than it: ``Fraction(1, 3)`` is no float.
    """
    way = None if _row(value) else _speaker(value, column)
    if way is None:
        return value
    try:
        found = way(value)
    except OverflowError:
        found = None
    except TypeError:
        if isinstance(getattr(type(value), f"__{way.__name__}__", None), WrapperDescriptorType):
            return value  # a class in C has the method for some of its objects alone, as cffi's pointers
        raise
    if found is not None and (found != found or _says_equal(value, found)):
        return found
    rounds = "" if found is None or np.isinf(found) else f"{way.__name__}(x) rounds it"
    raise Mismatch(RangeError, f"what {way.__name__}() says exactly", value_words(value), rounds)


def _says_equal(value: Any, number: object) -> bool:
    """Whether an object equals a number, as far as it can be compared with one."""
    found: Any = type(value).__eq__(value, number)  # type: ignore[call-arg]
    return found is NotImplemented or bool(found)


def whole_number(value: Any) -> int | None:
    """The integer that an int, a NumPy integer or an object with ``__index__`` is; None for anything else."""
    found = spoken(scalar_of(value), "integer")
    is_whole = isinstance(found, int | np.integer) and _row(found) not in ("bool", "enumerator")
    return int(found) if is_whole and not isinstance(found, np.timedelta64) else None


def _is_numpy(value: object) -> bool:
    return isinstance(value, np.generic)


def _row(value: object) -> str:
    found = _ROWS.get(type(value))
    if found:
        return found
    if getattr(getattr(type(value), "__samebytes_type__", None), "scoped", False):
        return "enumerator"
    if _is_numpy(value):
        return "numpy"
    return next((_ROWS[base] for base in (int, float, complex) if isinstance(value, base)), "")


def _refusal(
    format_: Scalar, value: object, advice: str = "", error: type[Error] = ArgumentError
) -> Mismatch:
    return Mismatch(error, words(format_), value_words(value), advice)


NO_NUMBER = "C++ makes no number of an enum class by itself: int(x) is its number"


def _kind_advice(format_: Scalar, value: object) -> str:
    column, row = _COLUMNS[format_.kind], _row(value)
    if isinstance(value, str | bytes):
        return _text_advice(format_, column, value)
    if not row:
        if words := tracing_words(value):
            return words
        if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
            return "It is masked, and has no value: x.filled(v).item() is v"
        return (
            "x.item() is its value"
            if foreign_attribute(value, "item") and foreign_attribute(value, "shape") == ()
            else ""
        )
    if row == "enumerator":
        return NO_NUMBER
    casts = {"bool": "bool(x)", "integer": "int(x)", "floating": "float(x)", "complex": "complex(x)"}
    if isinstance(value, complex | np.complexfloating) and column != "complex":
        return "x.real is its real part"
    if column == "integer" and isinstance(value, float | np.floating) and not np.isfinite(value):
        return "NaN and infinity are no integers"
    if isinstance(value, np.datetime64 | np.timedelta64):  # int(x) is asked of Python's date, which has none
        ticks = 'x.astype("int64")'
        counted = ticks if column == "integer" else casts[column].replace("(x)", f"({ticks})")
        return "" if np.isnat(value) else f"{counted} is its number of ticks"
    return f"{casts[column]} converts it"


def _text_advice(format_: Scalar, column: str, text: str | bytes) -> str:
    """What makes a number of a text: a character has a code, which has to fit; digits say one."""
    if column == "bool":
        return ""
    reads = int if column == "integer" else float
    fits = column == "integer" and len(text) == 1 and ord(text) <= limits(format_)[1]
    ways = ["ord(x) is its code"] if fits else []
    try:
        reads(text)
    except ValueError:
        return ", ".join(ways)
    return ", ".join([f"{reads.__name__}(x) reads a number from text", *ways])


def _bool(format_: Scalar, value: Any) -> bytes:
    return b"\x01" if value else b"\x00"


def _integer(format_: Scalar, value: Any) -> bytes:
    low, high = limits(format_)
    whole = int(value)
    if low <= whole <= high:
        return whole.to_bytes(format_.size, "little", signed=format_.kind == "int")
    raise _refusal(format_, value, _larger(whole), RangeError)


# What to do where a type is declared; where it is told from the value, another value will do: see `of_itself`.
DECLARE = " would hold it: declare it so"


def of_itself(mismatch: Mismatch) -> Mismatch:
    """The same of a number whose format nobody declared."""
    if mismatch.advice.endswith(DECLARE):
        mismatch.advice = f"sb.{mismatch.advice.removesuffix(DECLARE)}(x) holds it"
    return mismatch


def _larger(value: int) -> str:
    for name in ("int32", "uint32", "int64", "uint64"):
        low, high = limits(SCALARS[name])
        if low <= value <= high:
            return f"{name}{DECLARE}"
    return "No integer format holds it"


def _exact(format_: Scalar, value: Any) -> bytes:
    whole, native = int(value), codec(format_)
    try:
        packed = native.pack(complex(whole) if format_.kind == "complex" else float(whole))
    except OverflowError:
        packed = None
    if packed is None or native.unpack(packed) != whole:
        raise _refusal(format_, value, "float(x) rounds it" if packed else "", RangeError)
    return bytes(packed)


def _rounded(format_: Scalar, value: Any) -> bytes:
    number = complex(value) if format_.kind == "complex" else float(value)
    packed = codec(format_).pack(number)
    if packed is None:
        raise _refusal(format_, value, "It is finite and would become infinite", RangeError)
    return bytes(packed)


def _from_numpy(format_: Scalar, value: Any) -> bytes:
    dtype = value.dtype
    source = scalar_for(type(value))
    if source == format_:
        return bytes(value.tobytes())
    kind = source.kind if source else _KINDS.get(dtype.kind, "")
    column = _COLUMNS[format_.kind]
    if column == "integer" and _COLUMNS.get(kind) == "integer":
        return _integer(format_, value)
    if source is None or not takes_format(format_, source):
        rounds = (kind, column) != ("complex", "floating") and {kind, format_.kind} <= {"float", "complex"}
        raise _refusal(
            format_, value, f"sb.{format_}(x) rounds it" if rounds else _kind_advice(format_, value)
        )
    return _rounded(format_, value)


def takes_format(format_: Scalar, source: Scalar) -> bool:
    """Whether a number whose format is known becomes one of another: an integer if it is in range, a float always."""
    columns = _COLUMNS[source.kind], _COLUMNS[format_.kind]
    if source == format_ or columns == ("integer", "integer"):
        return True
    floats = {source.kind, format_.kind} <= {"float", "complex"} and columns != ("complex", "floating")
    return floats and is_wider(source.name, format_.name)


# The design's table "value × parameter kind"; a pair that is not here is refused.
_TABLE: dict[tuple[str, str], Callable[[Scalar, Any], bytes]] = {
    ("bool", "bool"): _bool,
    ("int", "integer"): _integer,
    ("int", "floating"): _exact,
    ("int", "complex"): _exact,
    ("float", "floating"): _rounded,
    ("float", "complex"): _rounded,
    ("complex", "complex"): _rounded,
    ("numpy", "integer"): _from_numpy,
    ("numpy", "floating"): _from_numpy,
    ("numpy", "complex"): _from_numpy,
}
