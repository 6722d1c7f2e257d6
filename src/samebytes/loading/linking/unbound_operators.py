"""Operators that C++ declares and that are not bound: an object says why, where Python would say that there is none.

An enumerator is a number to Python, which would compute with it whatever C++'s operator means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from ...model.module import Skipped
from ...values.record_type import RecordType, has_own, set_own
from ..operators import reflected, special_methods_of_enumerators

_WORD = "operator"
_ELSEWHERE = frozenset({"__eq__", "__ne__", "__call__", "__getitem__"})  # of these absent.py knows
_ORDERED = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_UNARY = frozenset({"__neg__", "__pos__", "__invert__", "__bool__"})
# On a special method that refuses what is not bound; `asks=False` has it not ask the other operand.
REFUSES = "__samebytes_refuses__"


def refuse_operators(classes: Mapping[str, Any], skipped: Iterable[Skipped]) -> None:
    """Have classes refuse what is skipped and bound by nothing else.

    Parameters
    ----------
    classes : mapping
        Records and enumerations by their qualified C++ names.
    skipped : iterable of Skipped
    """
    for missing in skipped:
        for method, owner, other in _methods(missing.name, classes):
            cls: Any = classes[owner]
            if isinstance(cls, RecordType) and method != "__bool__":
                if not has_own(cls, method):
                    set_own(cls, method, _refusal(method, missing, None, None))
            elif not isinstance(cls, RecordType) and method not in vars(cls):
                setattr(
                    cls, method, _refusal(method, missing, getattr(cls, method, None), classes.get(other))
                )


def _methods(name: str, classes: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The special methods of a skipped operator, the class that has each, and its other operand."""
    whole, _, rest = name.partition("(")
    scope, found, sign = whole.rpartition(_WORD)
    if not found or (scope and not scope.endswith("::")) or not rest:
        return
    operands = operands_of(name, classes)
    for method, exchanged in special_methods_of_enumerators(_WORD + sign):
        unary = reflected(method) is None and method in _UNARY
        if len(operands) != (1 if unary else 2) or method in _ELSEWHERE:
            continue
        owner = operands[exchanged]
        if owner in classes and not (exchanged and (operands[0] in classes or sign in ("<<", ">>"))):
            yield method, owner, "" if unary else operands[not exchanged]


def operands_of(name: str, classes: Mapping[str, Any]) -> list[str]:
    """The classes of the operands of a skipped operator; of others what their types are called."""
    whole, _, rest = name.partition("(")
    scope = whole.rpartition(_WORD)[0].removesuffix("::")
    written = split_parameters(rest.rpartition(")")[0])
    return [scope] * (scope in classes) + [_class_of(text, scope, classes) for text in written]


def split_parameters(parameters: str) -> list[str]:
    """The types of a list of parameters; commas inside of brackets separate none."""
    found, depth = [""], 0
    for letter in parameters:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [text for text in found if text.strip()]


def _class_of(written: str, scope: str, classes: Mapping[str, Any]) -> str:
    """The class that a parameter's type names, as C++ finds it from inside of a scope."""
    bare = written.strip().removeprefix("const ").rstrip("& ").removesuffix(" const")
    path = scope.split("::") if scope else []
    names = ("::".join([*path[:n], bare]) for n in range(len(path), -1, -1))
    return next((name for name in names if name in classes), bare)


def _refusal(method: str, missing: Skipped, pythons: Callable[..., Any] | None, operand: Any) -> Any:
    """A special method that refuses, where neither the other operand answers nor it is another's."""
    back = reflected(method)

    def refuse(self: Any, *other: Any, asks: bool = True) -> Any:
        if pythons is not None and operand is not None and other and not isinstance(other[0], operand):
            return pythons(self, *other)
        if method in _ORDERED and pythons is None and not isinstance(other[0], (type(self), int, float, str)):
            return NotImplemented
        answers = _method(type(other[0]), back) if asks and other and back and pythons is None else None
        if answers is not None and not hasattr(answers, REFUSES):
            found = answers(other[0], self)
            if found is not NotImplemented:
                return found
        refuse_unbound(type(self).__name__, method, missing)

    setattr(refuse, REFUSES, True)
    return refuse


def _method(cls: type, name: str) -> Any:
    """A special method of a class's objects; the class itself, as an object, may have one of that name, too."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def refuse_unbound(name: str, method: str, missing: Skipped) -> NoReturn:
    """Raise the error of an operator that is not bound."""
    raise TypeError(f"{name}.{method} is declared in C++ and not bound: {missing}")
