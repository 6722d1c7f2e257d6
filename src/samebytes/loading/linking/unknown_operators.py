"""Which operators of a header are no candidates, as templates, and for which operands they count; C++ is asked then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from ...forks import importing
from ...model.module import Module, Skipped, Template
from ...types import Enum, Struct
from ...types.operators import COMPARED
from ..operators import MAKING, may_take, may_take_one, names_enumeration
from .operator_choice import alike
from .unbound_operators import operands_of

_WORD = "operator"


class UnknownOperators:
    """What C++ may find for a sign, and Python does not know: templates, and what names no operands.

    Parameters
    ----------
    module : Module
    instantiate : callable
        Has C++ say what an operator means between some operands.
    library : mapping
        The templates of the library that a module adds to, by their operators.
    """

    def __init__(
        self, module: Module, instantiate: Callable[[tuple[str, ...]], Any],
        library: Mapping[str, Sequence[Template]],
    ) -> None:  # fmt: skip
        self._instantiate = instantiate
        self._rewrites = module.rewrites
        self._asked: dict[tuple[str, int], Any] = {}
        self._templates: dict[str, list[Template]] = {}
        self._anywhere: set[str] = set()
        self._of_classes: dict[str, set[str]] = {}
        self._of_makers: set[str] = set()  # friends of class templates
        for name, templates in library.items():
            sign = _sign(name)
            self._templates.setdefault(sign, []).extend(t for t in templates if t.kind not in MAKING)
            self._of_makers.update(sign for t in templates if t.kind in MAKING)
        classes = {record.name for record in module.records} | {enum.name for enum in module.enums}
        known = {overload.signature.location for overload in module.unbound}
        for missing in module.skipped:
            if missing.location not in known:
                self._add(*_of_skipped(missing, classes))

    def _add(self, owners: Iterable[str], name: str) -> None:
        if not name.startswith(_WORD):
            return
        owners = tuple(owners)
        for owner in owners:
            self._of_classes.setdefault(owner, set()).add(_sign(name))
        if not owners:
            self._anywhere.add(_sign(name))

    def concern_class(self, sign: str, cls: Any) -> bool:
        """Whether one of them may take objects of a class, whatever the other operand is."""
        signs = _alike(sign)
        if not signs.isdisjoint(self._anywhere):
            return True
        types = [vars(c).get("__samebytes_type__") for c in cls.__mro__]
        described = [type_ for type_ in types if isinstance(type_, Struct | Enum)]
        if any(not signs.isdisjoint(self._of_classes.get(type_.name, ())) for type_ in described):
            return True
        friends = {_WORD + one for one in signs & self._of_makers}
        return bool(friends) and any(_is_made(type_, friends) for type_ in described)

    def may_compare(self, sign: str, enumeration: Any) -> bool:
        """Whether a template may compare enumerators, on either side of a sign, with what is none of theirs."""
        signs = alike(sign) if sign in COMPARED else ()
        return any(may_take_one(t, enumeration) for one in signs for t in self._templates.get(one, ()))

    def names_enumeration(self, sign: str, operands: Sequence[Any]) -> bool:
        """Whether a template of a sign is declared for the enumeration of an operand, as C++ may turn comparisons."""
        kinds = [type(operand) for operand in operands]
        return any(names_enumeration(t, kinds) for one in alike(sign) for t in self._templates.get(one, ()))

    def concern(self, sign: str, operands: Sequence[Any]) -> bool:
        """Whether C++ may find one of them for some operands, in its order; comparisons it may turn round.

        To a template it prefers its built-in comparison of two enumerators of one enumeration.
        """
        kinds = [type(operand) for operand in operands]
        if sign in COMPARED and len({*kinds}) == 1 and issubclass(kinds[0], IntEnum):
            return self.concern_class(sign, kinds[0])
        orders = (kinds, kinds[::-1]) if sign in COMPARED else (kinds,)
        templates = [t for one in _alike(sign) for t in self._templates.get(one, ())]
        if any(may_take(template, order) for template in templates for order in orders):
            return True
        return any(self.concern_class(sign, kind) for kind in kinds if hasattr(kind, "__samebytes_type__"))

    def ask(self, sign: str, operands: Sequence[Any]) -> Any:
        """What C++ answers for some operands that it is asked about; NotImplemented where it has no such operator.

        Raises
        ------
        ArgumentError
            If C++ cannot be asked, or what it means is not bound.
        """
        return self._operator(sign, len(operands))(*operands)

    def may_be_turned(self, sign: str, operands: Sequence[Any]) -> bool:
        """Whether GCC before 13 turns a template of ``==`` round where others do not, as there is one of ``!=``.

        The parser is one of the others (ISO C++ [over.match.oper] since P2468).
        """
        if not self._rewrites or not {"==", "!="} <= self._templates.keys():
            return False
        left, right = operands
        turned = self._operator("==", 2)
        return (
            self._operator(sign, 2).is_built_in(left, right)
            and turned.applies(right, left)
            and not turned.is_built_in(right, left)
        )

    def _operator(self, sign: str, count: int) -> Any:
        key = sign, count
        if key not in self._asked:
            with importing:  # few programs need it
                from ..templates.operators import asked_operator
            self._asked[key] = asked_operator(sign, self._instantiate)
        return self._asked[key]


def _alike(sign: str) -> set[str]:
    return {sign, "<=>", "=="} if sign in COMPARED else {sign}


def _is_made(type_: Any, friends: set[str]) -> bool:
    """Whether a class template made a class, or the class befriends what such a template does."""
    return "<" in type_.name or not friends.isdisjoint(getattr(type_, "friends", ()))


def _sign(name: str) -> str:
    return name.removeprefix(_WORD).strip()


def _of_skipped(missing: Skipped, classes: set[str]) -> tuple[tuple[str, ...], str]:
    """The classes of the operands of one that is not bound, none where that does not tell, and its name."""
    whole = missing.name.partition("(")[0]
    scope, _, name = whole.rpartition("::")
    if scope in classes:
        return (scope,), name
    return tuple(classes.intersection(operands_of(missing.name, dict.fromkeys(classes)))), name
