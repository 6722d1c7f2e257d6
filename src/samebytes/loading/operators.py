"""C++ operators as Python's: which special methods a class gets, from which members and which free functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import no_operator, truth_in_doubt
from ..frozen import frozen
from ..model.module import ENUM_OPERAND, Template
from ..model.signature import Signature
from ..model.symbols import PROTOCOLS
from ..types import BOOL, CHAR, Const, Enum, Handle, Owner, Pointer, Scalar, Struct, Text, Type, unqualified
from ..types.naming import split_name
from ..types.operators import BINARY, CALLED, COMPARED, COUNTERPARTS, UNARY
from ..values import record as records

_C_TEXT = Pointer(Const(CHAR))
_NAME = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")
# Conversions by what they give, the first of each kind.
_CONVERTED: dict[str, str] = {"int": "int", "uint": "int", "float": "float", "complex": "complex"}

# The kinds of templates that make classes: their operators are friends.
MAKING = frozenset({"class", "alias"})

# On an __eq__ with no operator== behind it: it compares the numbers that C++ converts objects to.
COMPARES_NUMBERS = "__samebytes_numbers__"
# In a class: the comparisons that only follow from one with exchanged operands, the left of which C++ converts.
MIRRORED = "__samebytes_mirrored__"
# In a class: by special method, what types its bound overloads take beside the object.
OPERANDS = "__samebytes_operands__"
# In a class: the comparisons of which each overload has the object on the right in C++.
EXCHANGED = "__samebytes_exchanged__"


@frozen
class Operator:
    """One overload as a special method.

    Attributes
    ----------
    method : str
        ``__add__``.
    owner : str
        The class that gets it, by its qualified C++ name.
    order : tuple of int
        Which C++ argument each Python argument is: (1, 0) where the object is the right operand.
    in_place : bool
        Whether the call gives back the object itself.
    """

    method: str
    owner: str
    order: tuple[int, ...]
    in_place: bool = False


def reflected(method: str) -> str | None:
    """What Python asks of the right operand where the left one declines: ``__radd__`` for ``__add__``."""
    name = method.strip("_")
    plain = name.removeprefix("i") if name.startswith("i") and name[1:] in BINARY.values() else name
    if plain in BINARY.values():
        return f"__r{plain}__"
    sign = next((sign for sign, known in COMPARED.items() if known == name), "")
    return f"__{COMPARED[COUNTERPARTS[sign]]}__" if sign in COUNTERPARTS else None


def operators_of(signature: Signature, owners: Mapping[str, object]) -> Iterator[Operator]:
    """The special methods that one overload is, of classes among ``owners``."""
    sign = signature.name.removeprefix("operator").strip()
    if signature.name in PROTOCOLS:
        order = tuple(range(len(signature.parameters)))
        yield Operator(PROTOCOLS[signature.name], signature.owner, order)
    if signature.name == sign or signature.name.startswith("operator."):
        return
    if sign != "()" and len(signature.visible) != len(signature.parameters):
        return  # an operand left the call as an output: what remains goes by its C++ name
    operands = [_class_of(p.type) for p in signature.parameters]
    if (home := friend_of(signature)) in owners:
        # C++ finds it by that class alone, whatever else it takes.
        operands = [_as_found(operand, home, owners) for operand in operands]
    if signature.kind == "method" and len(signature.arguments) == 0 and _is_conversion(signature):
        if method := _conversion(signature.result):
            yield Operator(method, signature.owner, (0,))
    elif sign in CALLED and signature.kind == "method":
        yield Operator(f"__{CALLED[sign]}__", signature.owner, tuple(range(len(operands))))
    elif len(operands) == 1 and sign in UNARY and operands[0] in owners:
        yield Operator(f"__{UNARY[sign]}__", operands[0], (0,))
    elif len(operands) == 2:
        # What C++ assigns to a shared_ptr is another object than Python's left operand.
        rebinds = isinstance(unqualified(signature.parameters[0].type), Owner)
        yield from _of_two(sign, operands, owners, rebinds=rebinds)
        if home and operands == [home, home] and _class_of(signature.parameters[0].type) != home:
            yield from _of_two(sign, ["", home], owners, rebinds=rebinds)  # an object of a base on the left


def converting(signature: Signature, makes: Callable[[str], bool]) -> Operator | None:
    """A free operator on two objects, called by the right one where C++ would convert the left operand.

    Parameters
    ----------
    makes : callable
        Whether C++ makes objects of a class out of other things by itself.
    """
    sign = signature.name.removeprefix("operator").strip()
    operands = [_class_of(p.type) for p in signature.parameters]
    free = signature.kind == "function" and len(operands) == 2 and all(operands)
    home = friend_of(signature)
    if (
        not free
        or (home and not is_associated(operands[1], home))
        or signature.parameters[0].may_write
        or not makes(operands[0])
    ):
        return None
    if sign in COMPARED:
        return Operator(f"__{COMPARED[COUNTERPARTS[sign]]}__", operands[1], (1, 0))
    return Operator(f"__r{BINARY[sign]}__", operands[1], (1, 0)) if sign in BINARY else None


def friend_of(signature: Signature) -> str:
    """The class whose objects C++ finds a function by, as nothing but the class declares it; empty of any other."""
    return signature.home if signature.kind == "function" else ""


def is_associated(owner: str, home: str) -> bool:
    """Whether an operand of some type has C++ find the friends of a class (ISO C++ [basic.lookup.argdep]).

    So it does of the class itself, of what lies in it, and of what a template makes for one of these. Bases are looked
    at elsewhere.
    """
    return any(home in (name, "::".join(split_name(name)[:-1])) for name in with_arguments(owner))


def with_arguments(name: str) -> Iterator[str]:
    """The name of a class, and those in the arguments of its template."""
    yield name
    yield from _NAME.findall(name.partition("<")[2])


def _as_found(operand: str, home: str, owners: Mapping[str, object]) -> str:
    """The class by whose objects, as an operand of some class, C++ finds a friend of another; empty: by none."""
    if is_associated(operand, home):
        return operand
    one, other = owners.get(home), owners.get(operand)
    derived = isinstance(one, type) and isinstance(other, type) and issubclass(one, other)
    return home if derived else ""


def _of_two(
    sign: str, operands: list[str], owners: Mapping[str, object], *, rebinds: bool
) -> Iterator[Operator]:
    left, right = operands
    if sign in COMPARED:
        if left in owners:
            yield Operator(f"__{COMPARED[sign]}__", left, (0, 1))
        elif right in owners:
            yield Operator(f"__{COMPARED[COUNTERPARTS[sign]]}__", right, (1, 0))
    elif sign in BINARY:
        if left in owners:
            yield Operator(f"__{BINARY[sign]}__", left, (0, 1))
        elif right in owners:
            yield Operator(f"__r{BINARY[sign]}__", right, (1, 0))
    elif sign.removesuffix("=") in BINARY and left in owners and not rebinds:
        yield Operator(f"__i{BINARY[sign.removesuffix('=')]}__", left, (0, 1), in_place=True)


def in_a_place(function: Callable[[Any, Any], Any], enumeration: Any) -> Callable[[Any, Any], Any]:
    """What ``e |= x`` is where C++ changes an enumerator, and Python's never change: the one that C++ left.

    Parameters
    ----------
    function : callable
        C++'s operator, of a place with the number and of ``x``.
    enumeration : type
        The class of the enumerators.
    """
    dtype = enumeration.__samebytes_type__.underlying.dtype

    def change(self: Any, other: Any) -> Any:
        place = np.array(self._value_, dtype)
        found = function(place, other)
        return found if found is NotImplemented else enumeration(place.item())

    change.__doc__ = function.__doc__
    return change


def special_methods(name: str) -> tuple[tuple[str, bool], ...]:
    """The special methods that an operator's templates may be, and whether their operands are exchanged."""
    sign = name.removeprefix("operator")
    found: list[tuple[str, bool]] = []
    if sign in CALLED:
        found.append((f"__{CALLED[sign]}__", False))
    if sign in COMPARED:
        found.append((f"__{COMPARED[sign]}__", False))
    if sign in BINARY:
        found += [(f"__{BINARY[sign]}__", False), (f"__r{BINARY[sign]}__", True)]
    if sign in UNARY:
        found.append((f"__{UNARY[sign]}__", False))
    if sign.endswith("=") and sign[:-1] in BINARY:
        found.append((f"__i{BINARY[sign[:-1]]}__", False))
    return tuple(found)


def special_methods_of_enumerators(name: str) -> tuple[tuple[str, bool], ...]:
    """The same of an enumeration, the truth of whose enumerators is what ``!`` says."""
    return (("__bool__", False),) if name == "operator!" else special_methods(name)


def no_enumerator_operator(sign: str, operands: Sequence[Any]) -> TypeError:
    """That C++ has no operator for some operands, an enumerator among them, which to Python is a number."""
    classes = [type(operand).__name__ for operand in operands]
    return no_operator(sign, classes, "int(x) is the number of an enumerator, and E(n) an enumerator of E")


def truth_by_not(enumerator: Any, answer: Any) -> bool:
    """Whether an enumerator is true, of which C++'s ``!`` said something.

    Raises
    ------
    ArgumentError
        If ``if (e)`` of C++ says otherwise, which takes the number of an enumerator that is not scoped.
    """
    truth = not answer
    if not type(enumerator).__samebytes_type__.scoped and truth != bool(int(enumerator)):
        raise truth_in_doubt(repr(enumerator), truth)
    return truth


# What else a class has of an operator in Python, and of a conversion to a number.
_ALONG = {"operator[]": {"__setitem__", "__delitem__"}, "operator==": {"__ne__"}}
_NUMBERS = frozenset({"__int__", "__index__", "__float__", "__complex__"})


def methods_named(name: str) -> frozenset[str]:
    """All special methods that a member may be, whatever it takes: of ``operator[]``, of ``operator bool``."""
    if name.startswith("operator "):
        text = "string" in name or name.endswith("char *")
        return frozenset({"__str__"} if text else {"__bool__"} if name == "operator bool" else _NUMBERS)
    found = {method for method, exchanged in special_methods(name) if not exchanged}
    return frozenset(found | _ALONG.get(name, set()))


def is_in_place(method: str) -> bool:
    """Whether a special method is that of ``+=`` and its like."""
    return method.startswith("__i") and method.strip("_")[1:] in BINARY.values()


def all_special_methods() -> tuple[str, ...]:
    """Every special method that an operator can be."""
    signs = (*CALLED, *COMPARED, *BINARY, *UNARY, *(f"{sign}=" for sign in BINARY))
    return tuple(dict.fromkeys(method for sign in signs for method, _ in special_methods(sign)))


def signs_of() -> dict[str, tuple[str, str]]:
    """Each special method that a built-in operator of C++'s can be: its sign, and on which side the object stands.

    The side is ``left``, ``right`` or ``in place``; a unary operator's object stands on the left.
    """
    found = {f"__{name}__": (sign, "left") for sign, name in (*BINARY.items(), *COMPARED.items())}
    found |= {f"__r{name}__": (sign, "right") for sign, name in BINARY.items()}
    found |= {f"__i{name}__": (f"{sign}=", "in place") for sign, name in BINARY.items()}
    return found | {f"__{name}__": (sign, "left") for sign, name in UNARY.items()}


def _class_of(type_: Type) -> str:
    """The class of an operand, by its qualified C++ name; of a ``std::shared_ptr`` that of its object."""
    bare = unqualified(type_)
    if isinstance(bare, Owner) and bare.shared:
        bare = unqualified(bare.target)
    return bare.name if isinstance(bare, Struct | Enum) else ""


def _is_conversion(signature: Signature) -> bool:
    return signature.name.startswith("operator ")


def _conversion(result: Type) -> str | None:
    bare = unqualified(result)
    if bare == BOOL:
        return "__bool__"
    if isinstance(bare, Text) or bare == _C_TEXT:
        return "__str__"
    return f"__{_CONVERTED[bare.kind]}__" if isinstance(bare, Scalar) and bare.kind in _CONVERTED else None


def itself(iterator: Any) -> Any:
    """What ``iter()`` gives of an iterator."""
    return iterator


def is_true(instance: Any) -> bool:
    """Of an object of which C++ does not say whether it is true, whatever its length."""
    return True


def may_take(template: Template, kinds: Sequence[type]) -> bool:
    """Whether C++ may find a template of operators for objects of some Python classes, in C++'s order of operands."""
    needed = template.operands
    if template.kind == "method":
        if template.owner not in lineage(kinds[0]):
            return False
        kinds = kinds[1:]
    if needed is None:
        return True
    return len(needed) == len(kinds) and all(map(_may_be, needed, kinds))


def may_take_one(template: Template, kind: type) -> bool:
    """Whether C++ may find a template of free operators for an object of a Python class, on whichever side."""
    needed = template.operands
    return template.kind == "function" and (needed is None or any(_may_be(one, kind) for one in needed))


def names_enumeration(template: Template, kinds: Sequence[type]) -> bool:
    """Whether a template of as many operands is declared for the enumeration of one of some enumerators."""
    described = (getattr(kind, "__samebytes_type__", None) for kind in kinds)
    names = {ENUM_OPERAND + type_.name for type_ in described if isinstance(type_, Enum)}
    needed = template.operands or ()
    return len(needed) == len(kinds) and not names.isdisjoint(needed)


def _may_be(needed: str, kind: type) -> bool:
    """Whether an object may go to a parameter that takes those of one class template alone, or pointers."""
    if needed.startswith(ENUM_OPERAND):
        return True  # it may be converted to that
    described = getattr(kind, "__samebytes_type__", None)
    number = isinstance(described, Enum) or issubclass(kind, int | float | complex | np.number | np.bool_)
    if not needed or not (number or isinstance(described, Struct)):
        return True
    return not number and needed != "*" and needed in {name.partition("<")[0] for name in lineage(kind)}


def lineage(cls: type) -> set[str]:
    """The names of a class and of all its bases in C++; also of those that Python does not have, as far as known."""
    types = [vars(c).get("__samebytes_type__") for c in cls.__mro__]
    structs = [type_ for type_ in types if isinstance(type_, Struct)]
    return {s.name for s in structs} | {base.name for s in structs for base in s.bases}


def hide_protocols(cls: Any) -> None:
    """Let a class that declares ``begin``, ``size``, ``find`` … anew not inherit what these made of its base."""
    struct = getattr(cls, "__samebytes_type__", None)
    if not isinstance(struct, Struct) or not struct.bases:
        return
    asks_anew = struct.range or not {"contains", "find", "count"}.isdisjoint(struct.hidden)
    hiding = (("__iter__", struct.range), ("__len__", "size" in struct.hidden), ("__contains__", asks_anew))
    for method, hides in hiding:
        if hides and is_inherited(cls, method):
            setattr(cls, method, _by_loop if method == "__contains__" else _refusal(method))


def _by_loop(self: Any, value: object) -> bool:
    """What ``in`` does where C++ has nothing to ask."""
    return any(value is element or value == element for element in self)


def is_inherited(cls: type, name: str) -> bool:
    """Whether a class has a name of its bases of C++'s alone."""
    bound = (base for base in cls.__mro__[1:] if "__samebytes_codec__" in vars(base))
    return name not in vars(cls) and any(name in vars(base) for base in bound)


def hides(cls: type, name: str) -> bool:
    """Whether C++ looks for a name no further than in a class."""
    return name in getattr(vars(cls).get("__samebytes_type__"), "hidden", ())


def _refusal(method: str) -> Callable[[Any], Any]:
    words = {"__iter__": "{!r} object is not iterable", "__len__": "object of type {!r} has no len()"}[method]

    def refuse(self: Any) -> Any:
        raise TypeError(words.format(type(self).__name__))

    return refuse


def add_truth(cls: Any) -> None:
    """Let truth be C++'s also where an object has a length, which Python would ask else.

    Parameters
    ----------
    cls : type
        With all that it has of its own; its bases are done.
    """
    if not hasattr(cls, "__len__"):
        return
    known = [vars(base)["__bool__"] for base in cls.__mro__ if "__bool__" in vars(base)]
    said = [function for function in known if function is not is_true]
    if not known or (said and known[0] is is_true):
        cls.__bool__ = said[0] if said else is_true


def complete(cls: Any, names: Iterable[str]) -> None:
    """What the special methods of a class imply for others: equal objects have no hash, ``[]`` has no end.

    Parameters
    ----------
    names : iterable of str
        The special methods that the class got.
    """
    names = set(names)
    if "__eq__" in names:
        if vars(cls).get("__hash__") in (None, records.identity_hash):
            cls.__hash__ = None
        if "__ne__" not in {
            *names,
            *vars(cls),
        }:  # else that of the core's class, which knows identity, is inherited
            cls.__ne__ = object.__ne__
    if "__next__" in names:
        cls.__iter__ = itself
    handle = isinstance(getattr(cls, "__samebytes_type__", None), Handle)
    if handle and "__getitem__" in names and not hasattr(cls, "__iter__"):
        cls.__iter__ = None  # C++'s [] need not say where it ends
    if names & {f"__{n}__" for n in (*BINARY.values(), *COMPARED.values())}:
        cls.__array_ufunc__ = None  # NumPy leaves the operation to this class
