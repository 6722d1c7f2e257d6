"""What Python's classes may derive from, and what their own constructors have to do with C++'s."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
namespace shop {
struct Crate { int n; Crate(int n) : n(n) {} int count() const { return n; }
  struct Lid { int w; struct Knob { int r; }; }; };
struct Box : Crate { Box() : Crate(3) {} };
struct Sealed final { int n; };
struct SealedHandle final { int n = 2; ~SealedHandle() {} };
class Bag { int n; public: Bag(int n) : n(n) {} ~Bag() {} int count() const { return n; }
  struct Handle { ~Handle() {} }; };
class Sack : public Bag { public: Sack() : Bag(4) {} };
class Trunk : public Bag { public: Trunk() : Bag(5) {} };
inline int both(const Crate& c, const Bag& b) { return c.count() + b.count(); }
inline int of_trunk(Trunk* t) { return t->count(); }
struct Shelf { static inline int value = 23; static const int width = 4; };
struct Rack : Shelf { static inline int value = 24; };
}
"""


@pytest.fixture(scope="module")
def shop() -> Any:
    return sb.compile(SOURCE, name="deriving").shop


@pytest.mark.parametrize(
    ("bases", "args", "both"),
    [
        (("Crate", "Bag"), (5, 6), 11),
        (("Bag", "Crate"), (5, 6), 11),
        (("Box", "Bag"), ("Box", 6), 9),
        (("Sack", "Box"), (), 7),
    ],
)
def test_two_classes_that_cxx_never_joined(
    shop: Any, bases: tuple[str, str], args: tuple[Any, ...], both: int
) -> None:
    """One is bytes, the other an object: an object of both has each of them, as a class that C++ derives from both."""
    first, second = (getattr(shop, name) for name in bases)
    given = [getattr(shop, a)() if isinstance(a, str) else a for a in args]
    for derived in (
        type("Both", (first, second), {}),
        type("Both", (type("Mine", (first,), {}), second), {}),
    ):
        one = derived(*given)
        assert shop.both(one, one) == both
        with pytest.raises(AttributeError, match="several bases have it"):
            one.count()
    mixin = type("Mixin", (), {"__slots__": (), "twice": lambda self: 2 * self.count()})
    alone = () if bases[0] in ("Box", "Sack") else (5,)
    assert type("Mine", (mixin, first), {})(*alone).twice() == 2 * first(*alone).count()


@pytest.mark.parametrize(("derived", "base"), [("Box", "Crate"), ("Sack", "Bag")])
def test_a_class_and_its_base(shop: Any, derived: str, base: str) -> None:
    made = type("Mine", (getattr(shop, derived), getattr(shop, base)), {})()
    assert made.count() == getattr(shop, derived)().count()


@pytest.mark.parametrize("name", ["Sealed", "SealedHandle"])
def test_a_final_class(shop: Any, name: str) -> None:
    with pytest.raises(TypeError, match=f"class Mine derives from {name}, which C.. declares final"):
        type("Mine", (getattr(shop, name),), {})


@pytest.mark.parametrize("base", ["Crate", "Bag"])
def test_an_error_of_a_constructor_says_which_runs_first(shop: Any, base: str) -> None:
    class Mine(getattr(shop, base)):
        def __init__(self, *args: Any) -> None:
            raise AssertionError

    for args in (("text",), (1, 2, 3)):
        with pytest.raises(sb.ArgumentError) as error:
            Mine(*args)
        assert "C++'s constructor runs before Mine.__init__" in error.value.__notes__[0]
        with pytest.raises(sb.ArgumentError) as error:
            getattr(shop, base)(*args)
        assert not hasattr(error.value, "__notes__")

    class Told(getattr(shop, base)):
        def __new__(cls, text: str) -> Any:
            return super().__new__(cls, len(text))

    assert Told("four").count() == 4


@pytest.mark.parametrize("base", ["Crate", "Bag"])
def test_an_object_is_there_before_init(shop: Any, base: str) -> None:
    class Hands(getattr(shop, base)):
        def __init__(self, n: int) -> None:
            super().__init__(5)

    class Sets(getattr(shop, base)):
        def __init__(self, n: int) -> None:
            super().__init__()
            self.mine = n

    class Both(getattr(shop, base)):
        def __new__(cls, text: str) -> Any:
            return super().__new__(cls, len(text))

        def __init__(self, text: str) -> None:
            super().__init__()
            if base == "Crate":
                self.n += 1

    for _ in range(2):
        if base == "Bag":  # a handle, which __init__ makes
            assert Hands(7).count() == 5
            with pytest.raises(sb.ArgumentError, match=r"Bag\(\) got 0 arguments"):
                Sets(7)
            continue
        with pytest.raises(
            TypeError, match=r"super\(\).__init__\(\) takes no arguments here: .* of those of Hands\(\)"
        ):
            Hands(7)
        with pytest.raises(
            AttributeError, match=r"no attribute 'mine': its instances are C.* no room for attributes"
        ):
            Sets(7)
    assert Both("four").count() == 4 + (base == "Crate")
    assert getattr(shop, base)(3).count() == 3
    with pytest.raises(TypeError, match="takes no arguments"):
        getattr(shop, base).__init__(Both("four"), 3)
    if base == "Crate":
        with pytest.raises(AttributeError, match=r"^'Plain' object has no attribute 'mine'(?!: its)"):
            type("Plain", (getattr(shop, base),), {})(1).mine = 3


def test_names_of_classes_inside_of_classes(shop: Any) -> None:
    names = {cls.__qualname__ for cls in (shop.Crate, shop.Crate.Lid, shop.Crate.Lid.Knob, shop.Bag.Handle)}
    assert names == {"Crate", "Crate.Lid", "Crate.Lid.Knob", "Bag.Handle"}
    assert pickle.loads(pickle.dumps(shop.Crate.Lid)) is shop.Crate.Lid
    assert pickle.loads(pickle.dumps(shop.Crate.Lid.Knob(7))).r == 7


def test_an_init_leaves_the_setattr_of_a_base(shop: Any) -> None:
    class Positive:
        __slots__ = ()

        def __setattr__(self, name: str, value: Any) -> None:
            if value < 0:
                raise ValueError(f"{name} is negative")
            super().__setattr__(name, value)

    made = type("Counted", (Positive, shop.Crate), {"__init__": lambda self, n: None})(2)
    made.n = 3
    with pytest.raises(ValueError, match="n is negative"):
        made.n = -1
    assert made.n == 3


@pytest.mark.parametrize(("base", "args"), [("Crate", (5,)), ("Bag", (5,)), ("Lid", (5,))])
def test_an_object_is_made_once(shop: Any, base: str, args: tuple[int, ...]) -> None:
    own = getattr(shop, base, None) or getattr(shop.Crate, base)
    for cls in (own, type("Mine", (own,), {})):
        made = cls(*args)
        with pytest.raises(TypeError, match=rf"{cls.__name__}.__init__\(\) makes no object anew"):
            made.__init__(7)
        made.__init__()
        assert (made.w if base == "Lid" else made.count()) == 5
    remade = type("Remade", (own,), {"__new__": lambda cls, *_: own.__new__(cls, 6)})(1, 2, 3)
    assert (remade.w if base == "Lid" else remade.count()) == 6


def test_variables_of_a_class_stay(shop: Any) -> None:
    for cls, name in ((shop.Shelf, "value"), (shop.Shelf, "width"), (shop.Rack, "value")):
        before = getattr(cls, name)
        with pytest.raises(AttributeError, match=rf"{cls.__name__}.{name} is bound to C\+\+ and cannot be"):
            delattr(cls, name)
        assert getattr(cls, name) == before


def test_an_object_of_another_class_is_no_bytes(shop: Any) -> None:
    with pytest.raises(
        sb.ArgumentError, match=r"expected an object of shop::Trunk, .*Sack at 0x\w+> \([\w.]+\)$"
    ):
        shop.of_trunk(shop.Sack())
    assert shop.of_trunk(shop.Trunk()) == 5
