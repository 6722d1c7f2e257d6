"""Which declarations of a header are built together, when one of them is needed, and what each of them needs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from ..layouts import walk_all
from ..model.module import Module
from ..model.owner import Owner
from ..model.signature import Signature
from ..model.symbols import accessors, call_symbol, derived_classes
from ..types import Function, Struct, Type

# So many functions of one file are built together, by their names, and so many variables.
_TOGETHER = 32
# A class that a template makes is built whole up to so many names: each member of it is code that is made anew.
_MADE_WHOLE = 16
_TYPE = "type "
_CALL = re.compile("samebytes_c[0-9a-f]{16}")
_NUMBERED = {"samebytes_v": "variable", "samebytes_destroy": "ending", "samebytes_room": "ending"}
_NUMBERED |= {"samebytes_unroom": "ending", "samebytes_dynamic": "record", "samebytes_bits": "record"}


class Groups:
    """The declarations of a module in groups: a class with its members, functions of a file that stand together.

    Groups follow from the module alone, so that every process builds the same ones.

    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self._of: dict[Owner, str] = {}
        self._members: dict[str, list[Owner]] = defaultdict(list)
        places = {id(f): n for n, f in enumerate(module.functions)}
        left: dict[tuple[str, bool], tuple[str, int]] = {}  # by file: the group that is filled, and its names
        sizes = Counter(overloads[0][1].owner for overloads in module.overload_sets.values())
        self._large = {owner for owner, size in sizes.items() if "<" in owner and size > _MADE_WHOLE}
        for overloads in module.overload_sets.values():
            first = overloads[0][1]
            if first.owner in self._large:
                group = f"member {places[id(first)]}"
            elif first.owner:
                group = f"class {first.owner}"
            else:
                shelf = first.location.file if first.location else "", first.kind == "macro"
                group, names = left.get(shelf, ("", _TOGETHER))
                if names == _TOGETHER:
                    group, names = f"function {places[id(first)]}", 0
                left[shelf] = group, names + 1
            for _, signature in overloads:
                self._put(Owner("function", places[id(signature)]), group)
        for number in range(len(module.variables)):
            self._put(Owner("variable", number), f"variable {number - number % _TOGETHER}")

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (*self._members, *(_TYPE + f.spelling for f in self._types.values()))

    def _put(self, owner: Owner, group: str) -> None:
        self._of[owner] = group
        self._members[group].append(owner)

    @cached_property
    def _types(self) -> dict[str, Function]:
        """What there are calls through pointers of, by their shims."""
        return {call_symbol(f): f for f in self.module.function_types}

    @cached_property
    def _records(self) -> dict[str, int]:
        return {record.name: n for n, record in enumerate(self.module.records)}

    @cached_property
    def _derived(self) -> dict[str, tuple[Struct, ...]]:
        return derived_classes(self.module)

    @cached_property
    def _enums(self) -> dict[str, int]:
        return {enum.name: n for n, enum in enumerate(self.module.enums)}

    def owner(self, symbol: str) -> Owner:
        """What a shim is of."""
        if _CALL.fullmatch(symbol):
            return Owner("type", self._types[symbol].spelling)
        word, _, rest = symbol.removeprefix("samebytes_f").partition("_")
        if symbol.startswith("samebytes_f") and rest:
            digits = word.lstrip("gset")
            return Owner("function" if digits == word else "variable", int(digits))
        stem = symbol.rstrip("0123456789")
        return Owner(_NUMBERED[stem], int(symbol.removeprefix(stem)))

    def group(self, owner: Owner) -> str:
        """The group of a function, a variable or a type."""
        return f"{_TYPE}{owner.key}" if owner.kind == "type" else self._of[owner]

    def named(self, words: set[str]) -> Iterator[str]:
        """The groups of the functions, and of the classes, whose names have only such words."""
        found = (
            group for owner, group in self._of.items()
            if owner.kind == "function" and words.issuperset(self._path(int(owner.key)))
        )  # fmt: skip
        return iter(dict.fromkeys(found))

    def _path(self, number: int) -> list[str]:
        function = self.module.functions[number]
        if function.owner in self._large:
            return [function.name]
        return (function.owner or function.qualified).split("::")

    def members(self, names: Iterable[str]) -> list[Owner]:
        """What is in some groups."""
        found: list[Owner] = []
        for name in names:
            found += (
                [Owner("type", name.removeprefix(_TYPE))] if name.startswith(_TYPE) else self._members[name]
            )
        return found

    def has(self, name: str) -> bool:
        """Whether there is a group of a name."""
        return name in self._members or name in self.names

    def part(self, owners: Collection[Owner]) -> Module:
        """The module of some functions and variables alone, and of the types that they mention."""
        module = self.module
        functions = sorted(int(o.key) for o in owners if o.kind == "function")
        chosen = [module.functions[n] for n in functions]
        variables = [(n, v) for n, v in enumerate(module.variables) if Owner("variable", n) in owners]
        own = [s for n, v in variables for _, s in accessors(n, v)]
        types = [t for f in (*chosen, *own) for t in _types(f)] + [v.type for _, v in variables]
        types += [f for f in self._types.values() if Owner("type", f.spelling) in owners]
        mentioned, enums = self._mentioned(types, [f.owner for f in chosen])
        return replace(
            module,
            functions=tuple(chosen),
            numbers=tuple(functions),
            variables=tuple(v for _, v in variables),
            records=tuple(r for n, r in enumerate(module.records) if n in mentioned),
            enums=tuple(e for n, e in enumerate(module.enums) if n in enums),
            aliases=(),
        )

    def needed(self, owners: Collection[Owner], part: Module) -> Iterator[Owner]:
        """All that is emitted for some functions and variables: they, their types, and what ends their objects."""
        yield from (o for o in owners if o.kind in ("function", "variable", "type"))
        for record in part.records:
            yield Owner("record", self._records[record.name])
            yield Owner("ending", self._records[record.name])
        yield from (Owner("enum", self._enums[enum.name]) for enum in part.enums)
        yield from (Owner("type", f.spelling) for f in part.function_types)

    def _mentioned(self, types: Iterable[Type], owners: Iterable[str]) -> tuple[set[int], set[int]]:
        """The numbers of records and enumerations: of some types, of what they are made of, and of their relatives."""
        records, found, enums = self.module.records, set[int](), set[int]()
        open_ = [self._records[name] for name in owners if name in self._records]

        def see(types: Iterable[Type]) -> None:
            for type_ in walk_all(types):
                name = getattr(type_, "name", "")
                if name in self._records:
                    open_.append(self._records[name])
                elif name in self._enums:
                    enums.add(self._enums[name])

        see(types)
        while open_:
            number = open_.pop()
            if number in found:
                continue
            found.add(number)
            record = records[number]
            see([field.type for field in record.fields])
            related = [base.name for base in record.bases] + [
                derived.name for derived in self._derived.get(record.name, ())
            ]
            open_ += [self._records[name] for name in related if name in self._records]
        return found, enums


def _types(signature: Signature) -> list[Type]:
    return [signature.result, *(p.type for p in signature.parameters)]
