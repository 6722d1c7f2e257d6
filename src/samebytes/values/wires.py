"""Codecs of converted types: how the compiled core reads and writes their wires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

from .. import _native
from ..errors import RangeError, value_words
from ..later import at_first_use
from ..layouts import compute, round_up
from ..layouts.dialects import find_dialect
from ..model.slots import pointed
from ..types import (
    SCALARS,
    Array,
    Bits,
    ByKind,
    Callback,
    CArray,
    Choice,
    Const,
    Container,
    Dictionary,
    Duration,
    FilePath,
    Held,
    Instant,
    Matrix,
    Maybe,
    NdArray,
    Nothing,
    Object,
    Owner,
    Pointer,
    Product,
    Sparse,
    Stream,
    Target,
    Text,
    Type,
    unqualified,
)
from . import times

pathlib = at_first_use("pathlib")
sparse: Any = at_first_use("samebytes.values.sparse")
unicode: Any = at_first_use("samebytes.values.unicode")

# Makes the codec of a type inside, and the plain attributes of a codec of this kind.
Inner = Callable[[Type], _native.Codec]
Make = Callable[..., _native.Codec]


def refuse_codes(words: str, data: bytes) -> Any:
    """What reads text that Unicode lacks: it raises."""
    return unicode.refuse_codes(words, data)


def _array_of(dtype: np.dtype[Any], piece: Any) -> np.ndarray[Any, Any]:
    return np.frombuffer(piece, dtype)


def _chosen(parts: tuple[Any, ...]) -> Any:
    return parts[1 + parts[0]]


def _choice(type_: Choice, inner: Inner, make: Make) -> _native.Codec:
    whole = Product("", (SCALARS["uint64"], *type_.elements))
    return make("read", type_, element=inner(whole), reader=_chosen)


def _joined(words: tuple[int, ...]) -> int:
    return sum(word << 64 * i for i, word in enumerate(words))


def _shaped(type_: Matrix, parts: tuple[np.ndarray[Any, Any], tuple[int, ...]]) -> np.ndarray[Any, Any]:
    """The array of a matrix whose elements lie in a row."""
    flat, (rows, columns, _, step) = parts
    if type_.ndim == 1:
        return flat
    return flat.reshape((rows, columns), order="C" if step == 1 and columns > 1 else "F")


def _matrix(type_: Matrix, inner: Inner, make: Make) -> _native.Codec:
    return make("read", type_, element=inner(type_.wire), reader=partial(_shaped, type_))


def _strided(type_: NdArray, parts: tuple[np.ndarray[Any, Any], tuple[int, ...]]) -> np.ndarray[Any, Any]:
    """The array of elements that lie as their descriptor says."""
    flat, (ndim, element, *numbers) = parts
    shape, strides = numbers[:ndim], numbers[type_.MOST : type_.MOST + ndim]
    return np.ndarray(shape, type_.elements[element].dtype, flat, 0, strides)


def _ndarray(type_: NdArray, inner: Inner, make: Make) -> _native.Codec:
    return make("read", type_, element=inner(type_.wire), reader=partial(_strided, type_))


def _sparse(type_: Sparse, inner: Inner, make: Make) -> _native.Codec:
    return make("read", type_, element=inner(type_.wire), reader=lambda parts: sparse.matrix_of(type_, parts))


def _nothing(type_: Nothing, inner: Inner, make: Make) -> _native.Codec:
    return make("read", type_, element=inner(SCALARS["uint8"]), reader=lambda byte: None)


def _set_of(items: list[Any]) -> set[Any]:
    try:
        made = set(items)
    except TypeError:
        made = {_key_of(item) for item in items}
    return made if len(made) == len(items) else _refuse_one_key(items, "set")


def _dict_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    try:
        made = dict(pairs)
    except TypeError:
        made = {_key_of(key): value for key, value in pairs}
    return made if len(made) == len(pairs) else _refuse_one_key([key for key, _ in pairs], "dict")


def _refuse_one_key(keys: list[Any], what: str) -> NoReturn:
    """Of keys that C++ tells apart, and Python does not: 1, 1.0 and True, 0.0 and -0.0."""
    seen: dict[Any, Any] = {}
    one, other = next((seen[k], key) for key in keys if seen.setdefault(k := _key_of(key), key) is not key)
    raise RangeError(
        f"C++ has two keys, {value_words(one)} and {value_words(other)}, that are one to a {what} of Python's, "
        "which would lose one: a function of C++ that gives a std::vector of them has all"
    )


def _key_of(value: Any) -> Any:
    """What stands for a value in a set or as a key: of what can be changed the like that cannot.

    Raises
    ------
    TypeError
        If it is, or has in it, an object without a hash.
    """
    rule = _KEYS.get(type(value))
    if rule is not None:
        return rule(value)
    try:
        hash(value)
    except TypeError:
        name = type(value).__name__
        words = f"Python's sets and dicts take no objects without a hash; a std::hash<{name}> gives them one"
        raise TypeError(f"unhashable type: {name!r}: {words}") from None
    return value


_KEYS: dict[type, Callable[[Any], Any]] = {
    np.ndarray: lambda numbers: tuple(numbers.tolist()),
    list: lambda items: tuple(map(_key_of, items)),
    tuple: lambda items: tuple(map(_key_of, items)),
    set: lambda items: frozenset(map(_key_of, items)),
    dict: lambda items: frozenset((key, _key_of(value)) for key, value in items.items()),
}


def _sequence(type_: Container, inner: Inner, make: Make) -> _native.Codec:
    if (number := type_.numbers) is not None:
        described = Array(number, 1)
        return make(
            "array", described, element=inner(number), ndim=1, const=True, dtype=number.dtype, dl=number.dlpack,
            reader=partial(_array_of, number.dtype),
        )  # fmt: skip
    listed = make("sequence", type_, element=inner(type_.element))
    return make("read", type_, element=listed, reader=_set_of) if type_.unique else listed


def _mapping(type_: Dictionary, inner: Inner, make: Make) -> _native.Codec:
    listed = make("sequence", type_, element=inner(Product("", (type_.key, type_.value))))
    return make("read", type_, element=listed, reader=_dict_of)


def _maybe(type_: Maybe, inner: Inner, make: Make) -> _native.Codec:
    return make("maybe", type_, element=inner(type_.value), reader=_none_inside(type_))


def _none_inside(type_: Maybe) -> Callable[[], Any] | None:
    """What is read where there is a value that Python shows as None, as it does nothing at all; None: there is none."""
    value = unqualified(type_.value)
    if isinstance(value, Pointer | Object | Owner | Callback | Stream):
        return partial(_native.Pointer, 0)
    return partial(_refuse_empty, type_) if isinstance(value, Maybe | Nothing | Choice) else None


def _refuse_empty(type_: Maybe) -> None:
    raise RangeError(
        f"{type_.words} has a value, which is itself empty: Python's None is both, and would go back as no value. "
        "A function of C++ that gives a bool for each tells them apart"
    )


def _product(type_: Product, inner: Inner, make: Make) -> _native.Codec:
    fields, offset = [], 0
    for i, element in enumerate(type_.elements):
        codec = inner(element)
        offset = round_up(offset, codec.align)
        fields.append((f"_{i}", offset, codec, 0, 0))
        offset += codec.size
    return make("struct", type_, fields=tuple(fields))


def _seen(kind: str) -> Callable[[Any, Inner, Make], _native.Codec]:
    """For objects that Python views where C++ has them."""

    def build(type_: Any, inner: Inner, make: Make) -> _native.Codec:
        element = inner(unqualified(type_.target))
        if element.python is None:  # its class is made later, by the library
            return make("struct", type_, fields=(), tuples=False)
        return make(kind, type_, element=element, const=isinstance(type_.target, Const))

    return build


def _held(type_: Held, inner: Inner, make: Make) -> _native.Codec:
    place = compute(type_, find_dialect("cxx")).fields[-1]  # behind what keeps it
    return make("held", type_, element=inner(inner_objects(type_.type)), count=place.offset)


def inner_objects(type_: Type) -> Type:
    """The same; but a pointer itself may point into an argument, which it keeps: it stays one."""
    return type_ if isinstance(type_, Pointer) else with_objects(type_)


def with_objects(type_: Type) -> Type:
    """What a result is read as: pointers inside to objects of a class as these, as a result that is a pointer is."""
    if isinstance(type_, Pointer):
        seen = pointed(type_)
        if seen is None or not _is_class(seen[0].python):
            return type_
        return Object("", Const(seen[0]) if seen[1] else seen[0])
    if isinstance(type_, Dictionary):  # of keys nothing says that Python could hash the objects
        return replace(type_, value=with_objects(type_.value))
    plain = isinstance(type_, Container | Maybe | Product | Choice | CArray) and not getattr(
        type_, "unique", False
    )
    return type_.with_parts(with_objects) if plain else type_


def _is_class(python: type | None) -> bool:
    """Whether objects are of a class that the library made, and not one that ``types=`` chose."""
    return python is not None and issubclass(python, _native.Record)


BUILDERS: ByKind[Callable[[Any, Inner, Make], _native.Codec]] = ByKind(
    "values: the core's reader and writer of a wire",
    {
        Text: lambda type_, inner, make: make(
            "text", type_, count=type_.unit, reader=partial(refuse_codes, type_.words)
        ),
        FilePath: lambda type_, inner, make: make(
            "read", type_, element=make("text", type_, count=1), reader=pathlib.Path
        ),
        Container: _sequence,
        Dictionary: _mapping,
        **dict.fromkeys((Maybe, Target), _maybe),
        Product: _product,
        Choice: _choice,
        **dict.fromkeys(
            (Callback, Stream), lambda type_, inner, make: make("struct", type_, fields=(), tuples=False)
        ),
        Matrix: _matrix,
        NdArray: _ndarray,
        Sparse: _sparse,
        Nothing: _nothing,
        Bits: lambda type_, inner, make: make("read", type_, element=inner(type_.wire), reader=_joined),
        Instant: lambda type_, inner, make: make(
            "read", type_, element=inner(type_.count), reader=partial(times.moment, type_)
        ),
        Object: _seen("view"),
        Owner: _seen("owner"),
        Duration: lambda type_, inner, make: make(
            "read", type_, element=inner(type_.count), reader=partial(times.length, type_)
        ),
        Held: _held,
    },
    others="it travels as its bytes: values/codecs.py",
)
