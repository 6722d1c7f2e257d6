"""Whether two classes of one name are one class: an object of one library is another's only then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from ..types import Enum, Handle, Shape, Struct

# By class of a library, by class of another one: how they differ. Each pair is compared once.
_KNOWN: WeakKeyDictionary[type, WeakKeyDictionary[type, str]] = WeakKeyDictionary()


def class_difference(expected: Struct, got: Struct) -> str:
    """The first way in which two classes of C++'s that have one name are not the same one; empty if they are.

    Private members count, and so do bases, virtual functions, and the classes that members have or point to. One that
    is only declared is any of its name.
    """
    want, have = _home(expected), _home(got)
    if expected is got or (want is not None and want is have):
        return ""
    if expected.python is None or got.python is None:
        return _difference(expected, got)
    known = _KNOWN.setdefault(expected.python, WeakKeyDictionary())
    if (found := known.get(got.python)) is None:
        found = known[got.python] = _difference(expected, got)
    return found


def enumeration_difference(expected: Enum, got: Enum) -> str:
    """The first way in which two enumerations of one name are not the same one; empty if they are.

    The order of the enumerators does not matter, and one that is only declared (``enum class E : int;``) is any that
    has its underlying type.
    """
    if expected.underlying != got.underlying:
        return f"its underlying type is {got.underlying}, expected {expected.underlying}"
    if expected.scoped != got.scoped:
        return f"it is {_KEYS[got.scoped]}, expected {_KEYS[expected.scoped]}"
    want, have = expected.enumerators, got.enumerators
    if not want or not have or want == have:
        return ""
    name = next(n for n in (*want, *have) if want.get(n) != have.get(n))
    if name not in have:
        return f"it has no {name}"
    return f"its {name} is {have[name]}, expected {want[name]}" if name in want else f"it also has {name}"


_KEYS = {False: "an enum", True: "an enum class"}


def _home(struct: Struct) -> Any:
    """What linked the library that a class belongs to; None where nothing has."""
    return getattr(struct.python, "__samebytes_linker__", None)


def _difference(expected: Struct, got: Struct) -> str:
    if isinstance(expected, Handle) != isinstance(got, Handle):
        words = {
            True: "C++ copies or ends its objects by code of its own",
            False: "its objects are plain bytes",
        }
        return f"{words[isinstance(got, Handle)]}, expected that {words[isinstance(expected, Handle)]}"
    want, have = _shapes(expected), _shapes(got)
    if expected.name in want and got.name in have:
        return _reached_difference(expected.name, want, have)
    return _first(tuple(_facts(expected)), tuple(_facts(got)))


def _shapes(struct: Struct) -> Mapping[str, Shape | Enum]:
    return getattr(_home(struct), "shapes", {})


def _facts(struct: Struct) -> Iterator[tuple[str, str]]:
    """What is known of a class whose library says no more: packages of earlier versions, structs of Python's."""
    for field in struct.fields:
        bits = f" of {field.bit_width} bits at bit {field.bit_offset}" * bool(field.bit_width)
        yield f"its {field.name}", f"{field.type}{bits} at byte {field.offset}"
    for base in struct.bases:
        yield f"its base {base.name}", "virtual" if base.virtual else f"at byte {base.offset}"
    for number, virtual in enumerate(struct.virtuals if isinstance(struct, Handle) else ()):
        yield f"its virtual function {number}", f"{virtual.name}({', '.join(virtual.arguments)})"
    if struct.fixed is not None:
        yield "its size", f"{struct.fixed.size} B"
        yield "its alignment", f"{struct.fixed.align} B"


def _reached_difference(name: str, want: Mapping[str, Shape | Enum], have: Mapping[str, Shape | Enum]) -> str:
    """The first difference of two classes, or of those of one name that both of them have or point to."""
    open_, seen, follows = [(name, "")], {name}, ""
    while open_:
        at, way = open_.pop(0)
        one, other = want[at], have[at]
        if (found := _one_difference(one, other)) and not found.startswith(_FOLLOWS):
            return f"{way}{found}"
        follows = follows or f"{way}{found}" * bool(found)
        if isinstance(one, Shape) and isinstance(other, Shape):
            further = [n for n in one.reaches if n in want and n in have and n not in seen]
            seen.update(further)
            open_ += ((n, f"{_place(one, n)} another {n}: ") for n in further)
    return follows


_FOLLOWS = ("its size", "its alignment")  # from something else, most often, which says more


def _place(shape: Shape, name: str) -> str:
    """Where a class has one that it reaches, in words."""
    facts = [(fact, words.rpartition(" at ")[0] or words) for fact, words in shape.facts]
    if fact := next((fact for fact, words in facts if words == name), ""):
        return f"{fact} is"
    fact = next((fact for fact, words in facts if name in words), "one of its members")
    return f"{fact} reaches"


def _one_difference(want: Shape | Enum, have: Shape | Enum) -> str:
    if isinstance(want, Enum) and isinstance(have, Enum):
        return enumeration_difference(want, have)
    if isinstance(want, Enum) or isinstance(have, Enum):
        return f"it is {_SORTS[isinstance(have, Enum)]}, expected {_SORTS[isinstance(want, Enum)]}"
    return _first(want.facts, have.facts)


_SORTS = {True: "an enumeration", False: "a class"}


def _first(want: tuple[tuple[str, str], ...], have: tuple[tuple[str, str], ...]) -> str:
    """The first fact that is not the same; members in another order lie at other places."""
    if want == have:
        return ""
    wanted, there = dict(want), dict(have)
    fact = next((f for f in (*wanted, *there) if wanted.get(f) != there.get(f)), None)
    if fact is None:
        return "its members stand in another order"
    if fact not in there:
        return f"it has no {fact.removeprefix('its ')} ({wanted[fact]})"
    if fact not in wanted:
        return f"it also has {fact.removeprefix('its ')} ({there[fact]})"
    return f"{fact} is {there[fact]}, expected {wanted[fact]}"
