"""Frozen records are what ``dataclasses`` makes of the same class: of random classes, objects and bases."""

import inspect
import pickle
import random
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from samebytes.frozen import frozen

VALUES = [0, 1, True, 1.0, "x", "", None, (), (1, "y"), frozenset({2})]
Specification = list[tuple[str, Any]]


def _specification(source: random.Random) -> Specification:
    """Random fields by name: what stands behind ``=``, or Ellipsis where nothing does."""
    size = source.randint(0, 6)
    plain = source.randint(0, size)
    found: Specification = []
    for index in range(size):
        how = source.randrange(5)
        value = source.choice(VALUES)
        shown, compared = source.random() < 0.7, source.random() < 0.7
        if index < plain:
            found.append((f"f{index}", ... if how < 3 else {"repr": shown, "compare": compared}))
        elif how == 0:
            found.append((f"f{index}", {"default_factory": list, "compare": False}))
        elif how < 3:
            found.append((f"f{index}", {"default": value, "repr": shown, "compare": compared}))
        else:
            found.append((f"f{index}", ("plain", value)))
    return found


def _class(decorate: Callable[[type], Any], specification: Specification, *bases: type, **more: Any) -> Any:
    body: dict[str, Any] = {
        "__annotations__": {name: "Any" for name, _ in specification},
        "__module__": __name__,
    }
    for name, said in specification:
        if isinstance(said, dict):
            body[name] = field(**said)
        elif said is not ...:
            body[name] = said[1]
    return decorate(type("Made", bases, {**body, "__doc__": "Made.", **more}))


def _both(slots: bool, eq: bool) -> list[Callable[[type], Any]]:
    """Ours, and the oracle's."""
    return [frozen(slots=slots, eq=eq), dataclass(frozen=True, slots=slots, eq=eq)]


def _outcome(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except Exception as error:
        return type(error)


def _arguments(source: random.Random, names: list[str]) -> tuple[list[Any], dict[str, Any]]:
    """Mostly what fits; sometimes too many, too few, unknown ones or ones given twice."""
    split = source.randint(0, len(names))
    values = [source.choice(VALUES) for _ in range(split + (source.random() < 0.1))]
    named = {name: source.choice(VALUES) for name in names[split:] if source.random() < 0.8}
    if source.random() < 0.1:
        named["unknown" if source.random() < 0.5 else "f0"] = 1
    return values, named


@pytest.mark.parametrize("seed", range(40))
def test_random_classes_are_as_dataclasses_makes_them(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(seed)
    slots, eq, first, second = source.random() < 0.7, source.random() < 0.8, _specification(source), []
    derived = source.random() < 0.4 and all(said is not ... for _, said in first)
    if derived:
        second = [(f"g{name}", ("plain", 3)) for name, _ in _specification(source)]
    pairs = []
    for decorate in _both(slots, eq):
        made = _class(decorate, first)
        pairs.append(_class(decorate, second, made) if derived else made)
    ours, oracle = pairs
    names = [f.name for f in fields(oracle)]
    assert is_dataclass(ours)
    assert [f.name for f in fields(ours)] == names
    assert ours.__match_args__ == oracle.__match_args__
    assert hasattr(ours, "__slots__") == hasattr(oracle, "__slots__")
    assert [*inspect.signature(ours).parameters] == [*inspect.signature(oracle).parameters]
    objects: list[tuple[Any, Any]] = []
    for _ in range(25):
        values, named = _arguments(source, names)
        mine = _outcome(lambda v=values, n=named: ours(*v, **n))  # type: ignore[misc]
        theirs = _outcome(lambda v=values, n=named: oracle(*v, **n))  # type: ignore[misc]
        if isinstance(theirs, type):
            assert mine is theirs
        else:
            objects.append((mine, theirs))
    for mine, theirs in objects:
        _same(mine, theirs, eq, source, monkeypatch)
    for mine, theirs in objects:
        for other, others in objects:
            assert (mine == other) == (theirs == others)
        assert mine != theirs


def _same(mine: Any, theirs: Any, eq: bool, source: random.Random, patch: pytest.MonkeyPatch) -> None:
    assert repr(mine) == repr(theirs)
    assert asdict(mine) == asdict(theirs)
    if eq:
        assert _outcome(lambda: hash(mine)) == _outcome(lambda: hash(theirs))
    for name in mine.__match_args__:
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(mine, name, 1)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(mine, name)
        value = source.choice(VALUES)
        assert asdict(replace(mine, **{name: value})) == asdict(replace(theirs, **{name: value}))
    with pytest.raises(FrozenInstanceError):
        mine.other = 1
    patch.setattr(sys.modules[__name__], "Made", type(mine), raising=False)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(mine, protocol))
        assert type(again) is type(mine)
        assert asdict(again) == asdict(mine)


@frozen
class Chain:
    """Objects in a row, which may name each other."""

    name: str
    others: list[Any] = field(default_factory=list, compare=False)
    COUNT: ClassVar[int] = 3


@frozen(slots=False)
class Odd:
    """What says itself how it is compared, hashed and shown, and checks what it is given."""

    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("negative")
        object.__setattr__(self, "value", self.value + 1)

    def __repr__(self) -> str:
        return "odd"

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        return True


def test_a_text_ends_where_objects_name_each_other() -> None:
    chain = Chain("a")
    chain.others.append(chain)
    assert repr(chain) == "Chain(name='a', others=[...])"
    assert [f.name for f in fields(Chain)] == ["name", "others"]


def test_what_a_class_says_itself_stays() -> None:
    assert (Odd(1).value, repr(Odd(1)), hash(Odd(1))) == (2, "odd", 7)
    assert Odd(1) == Odd(2)
    with pytest.raises(ValueError, match="negative"):
        Odd(-1)


def test_a_subclass_may_have_attributes_and_a_constructor_of_its_own() -> None:
    class Derived(Chain):
        def __init__(self, size: int) -> None:
            super().__init__("d" * size)
            self.size = size

    assert (Derived(2).name, Derived(2).size) == ("dd", 2)
    assert [*inspect.signature(Derived).parameters] == ["size"]
    with pytest.raises(FrozenInstanceError):
        Derived(2).name = "e"  # type: ignore[misc]


def test_a_wrong_argument_is_said_by_its_name() -> None:
    with pytest.raises(TypeError, match=r"Chain\(\): missing a required argument: 'name'"):
        Chain()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Chain\(\): got an unexpected keyword argument 'nam'"):
        Chain("a", nam=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Chain\(\): multiple values for argument 'name'"):
        Chain("a", name="b")  # type: ignore[misc]


def test_other_fields_are_refused_when_the_class_is_made() -> None:
    for said in (field(init=False, default=1), field(kw_only=True)):
        with pytest.raises(TypeError, match=r"Made\.a is no field that the constructor takes by its place"):
            frozen(type("Made", (), {"__annotations__": {"a": int}, "a": said}))
    with pytest.raises(TypeError, match=r"Made sets attributes by itself"):
        frozen(type("Made", (), {"__annotations__": {}, "__setattr__": lambda *given: None}))
