"""What C++ has of Python's protocols: iteration, length, hash and text of an object, each as a method of its class.

Whether there is such a thing, and of which type, clang says of the expressions themselves. Their names are no C++
function's: ``operator.begin()``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...model.module import TEXT_KIND, Skipped
from ...model.signature import Signature
from ...model.slots import viewed
from ...model.symbols import BEGIN, HASH, ITERATION, LENGTH, NEXT, TEXT, THROW
from ...types import SCALARS, VOID, Extent, Handle, Pointer, Scalar, Struct, Type, unqualified
from ...types.naming import split_name
from ..clang.kinds import ARRAYS, FUNCTIONS, Kind
from ..clang.libclang import ClangType, Cursor, passing_of, type_kind
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.lifetimes import check_kept, check_told
from ..functions.derived import of_object, told_truth
from ..functions.functions import location, type_and_passing
from ..functions.limits import check_values
from ..questions.questions import Questions
from ..records.records import Records
from .collected import Collected
from .containers import MEMBERSHIP, changes, extent, membership
from .texts import STRING, conversion_to_text, streamed

# Of iterating/iteration.hpp: five words of its head, and the loop's address.
_ITERATION = Extent(48, 8)
_SIZE = SCALARS["uint64"]
_QUALIFIERS = ("const", "")
_EQUAL = frozenset({"operator==", "operator<=>"})


class Protocols:
    """The classes of one unit that were read, and what C++ has of the protocols for each."""

    def __init__(
        self, types: Types, records: Records, questions: Questions, collected: Collected, *, alone: bool
    ) -> None:
        self._types, self._records = types, records
        self._ask, self._told = questions.ask, questions.told
        self._inheritance = questions.inheritance
        self._collected = collected
        self._alone = alone  # what the header declares beside the classes is not read again
        self._classes: dict[str, tuple[Struct, Cursor]] = {}

    def note(self, owner: Struct, cursor: Cursor) -> None:
        """A class whose members are bound."""
        self._classes.setdefault(owner.name, (owner, cursor))

    def read(self) -> None:
        """Bind what there is, when all functions have been read."""
        begun, compared = self._free("begin"), self._operands("operator==") | self._operands("operator<=>")
        streamed, negated = self._alone or self._streams(), self._free("operator!")
        converting = self._converting() if streamed else set()
        for owner, cursor in self._classes.values():
            friends = self._inheritance.befriended(cursor.type)
            if owner.range or owner.name in begun or "begin" in friends:
                self._add(owner, cursor, "begin() and end()", self._iteration(owner))
            if owner.range:
                self._add(owner, cursor, "size()", self._size(owner))
            if owner.range or not MEMBERSHIP.isdisjoint(owner.hidden):
                self._collected.add(list(self._container(owner)))
            if self._alone or _EQUAL & friends or compared.intersection(self._lineage(owner)):
                self._collected.add(self._hash(owner))
            anew = any(map(_may_say_truth, (*owner.hidden, *(name for name, _ in owner.found))))
            if (anew or owner.name in negated or "operator!" in friends) and not self._says_truth(owner):
                self._collected.add(told_truth(owner, self._ask))
            if isinstance(owner, Handle) and owner.exception:
                self._collected.add(list(self._throwing(owner)))
            if (text := self._base_text(cursor.type)) is not None:
                self._add(owner, cursor, "text", self._text_of_base(owner, text))
            elif streamed:
                converts = not converting.isdisjoint(self._lineage(owner))
                self._add(owner, cursor, "operator<<", self._text(owner, "own text" if converts else "text"))
        skipped = self._collected.skipped
        skipped[:] = [self._as_text(missing) for missing in skipped]

    def show_elsewhere(
        self, owners: Iterable[tuple[Struct, Cursor]], lost: Iterable[Skipped]
    ) -> list[Skipped]:
        """Bind the texts of classes in headers that are not exposed, which are read for no more than that.

        Parameters
        ----------
        owners : iterable of (Struct, clang cursor)
        lost : iterable of Skipped
            Operators in such headers.

        Returns
        -------
        list of Skipped
            Those of which ``str()`` says nothing.
        """
        shown = {operands[1] for s in lost if (operands := streamed(s)) is not None}
        for owner, cursor in owners:
            if (text := conversion_to_text(cursor)) is not None:
                self._add(owner, cursor, "operator std::string()", self._text_by_conversion(owner, text))
            elif owner.name in shown:
                self._add(owner, cursor, "operator<<", self._text(owner, "own text"))
        return [missing for missing in map(self._as_text, lost) if missing.kind != TEXT_KIND]

    def _as_text(self, missing: Skipped) -> Skipped:
        """An operator that writes an object to a stream, as ``str()`` shows it."""
        operands = streamed(missing)
        texts = {f.owner for f in self._collected.functions if f.name == TEXT} if operands else ()
        if operands is None or not any(t == operands[1] or t.endswith(f"::{operands[1]}") for t in texts):
            return missing
        reason = f"str() of an object is what it writes. By itself it is not bound: {missing.reason}"
        return replace(missing, kind=TEXT_KIND, reason=reason)

    def _text_by_conversion(self, owner: Struct, type_: ClangType) -> Iterator[Signature]:
        result, _, spelling = self._result(passing_of(type_)[1].get_declaration().type.get_canonical())
        expression = f"std::string({{0}}.operator {self._types.spelling(type_)}())"
        yield of_object(owner, TEXT, "const", expression, result, spelling)

    def _add(self, owner: Struct, cursor: Cursor, what: str, made: Iterator[Signature]) -> None:
        try:
            self._collected.add(list(made))
        except CannotCross as reason:
            self._collected.exposed += 1
            words = f"Python cannot follow these: {reason}"
            name = f"{owner.name}::operator.{what}"
            self._collected.skipped.append(Skipped(name, "protocol", words, location(cursor)))

    def _iteration(self, owner: Struct) -> Iterator[Signature]:
        """What begins an iteration, of a const object and of another, and what makes a step of it."""
        throws = self._ask("throws")
        told = [(q, self._told.ask("range", f"{'const ' * bool(q)}{owner.spelling}")) for q in _QUALIFIERS]
        seen = set[str]()
        for qualifiers, type_ in told:
            if type_ is None or type_.spelling in seen:
                continue  # begin() is const, and gives the same of every object
            if not throws:
                raise CannotCross(
                    "exceptions are off (-fno-exceptions), and one of them tells where the elements end"
                )
            seen.add(type_.spelling)
            yield from self._iterated(owner, qualifiers, type_)

    def _iterated(self, owner: Struct, qualifiers: str, type_: ClangType) -> Iterator[Signature]:
        name = f"{ITERATION}{'const ' * bool(qualifiers)}{owner.spelling}>"
        made = Handle(name, (), fixed=_ITERATION, complete=False, spelling=name, destructible=True)
        result, passing, spelling = self._result(_shown(type_))
        if passing == "value" and isinstance(result, Pointer):
            spelling = spelling.removesuffix(
                "const"
            )  # what a function returns by value has no const of its own
        step = of_object(made, NEXT, "const", "", result, spelling, passing)
        # Of a pointer C++ has said how long its target is there: where the pointer lies does not matter.
        shown = str(passing != "value" and viewed(step) is not None).lower()
        self._records.structs.setdefault(name, made)
        yield of_object(owner, BEGIN, qualifiers, "samebytes::iterate({0})", made, name)
        yield replace(step, expression=f"{{0}}.template step<{spelling}, {shown}>()")

    def _container(self, owner: Struct) -> Iterator[Signature]:
        """Whether something is in it, and how many elements ``[]`` counts, of what is iterated."""
        told = (self._told.ask("range", f"{'const ' * bool(q)}{owner.spelling}") for q in _QUALIFIERS)
        element = next((type_ for type_ in list(told) if type_ is not None), None)
        functions = self._collected.functions
        has = {f.name for f in functions if f.owner == owner.name}
        if element is None:
            return
        yield from membership(owner, element, self._types, self._ask)
        if LENGTH in has:
            given = self._result(element)[0]
            yield from extent(owner, given, functions, self._ask)
            yield from changes(owner, element, given, functions, self._types, self._ask)

    def _size(self, owner: Struct) -> Iterator[Signature]:
        """``size() const`` of what is iterated, where it takes nothing and gives an integer."""
        type_ = self._told.ask("size", owner.spelling)
        iterated = any(f.owner == owner.name and f.name == BEGIN for f in self._collected.functions)
        if type_ is None or not iterated:
            return
        with_none = self._result(type_)
        bare = unqualified(with_none[0])
        if isinstance(bare, Scalar) and bare.kind in ("int", "uint"):
            result, passing, spelling = with_none
            yield of_object(owner, LENGTH, "const", "{0}.size()", result, spelling, passing)

    def _throwing(self, owner: Handle) -> Iterator[Signature]:
        """What throws a copy of an object, of a class of exceptions."""
        name = owner.spelling or owner.name
        copied = f"{name}(((const {name} & (*)())0)())"
        if self._ask("throws") and self._ask("gives", copied, name):
            yield of_object(owner, THROW, "const", "throw {0}", VOID, "void")

    def _hash(self, owner: Struct) -> Iterator[Signature]:
        if self._ask("hashes", owner.spelling, f"const {owner.spelling} &"):
            expression = f"std::hash<{owner.spelling}>()({{0}})"
            yield of_object(owner, HASH, "const", expression, _SIZE, "unsigned long")

    def _says_truth(self, owner: Struct) -> bool:
        functions = self._collected.functions
        return any(f.owner == owner.name and f.name == "operator bool" for f in functions)

    def _text(self, owner: Struct, form: str) -> Iterator[Signature]:
        """What a stream shows of an object; its "own text" is not that of the number, say, that it converts to."""
        for qualifiers in _QUALIFIERS:
            type_ = self._told.ask(form, f"{'const ' * bool(qualifiers)}{owner.spelling}")
            if type_ is not None:
                result, passing, spelling = self._result(type_)
                expression = "samebytes::streamed({0})"
                yield of_object(owner, TEXT, qualifiers, expression, result, spelling, passing)
                return

    def _base_text(self, type_: ClangType) -> ClangType | None:
        """The ``std::string`` that every object of a class is."""
        texts = (base for base in self._inheritance.line(type_) if base.spelling == STRING)
        return next((base for base in texts if self._inheritance.shows(type_, base)), None)

    def _text_of_base(self, owner: Struct, base: ClangType) -> Iterator[Signature]:
        result, _, spelling = self._result(base)
        yield of_object(
            owner, TEXT, "const", "std::string(static_cast<const std::string &>({0}))", result, spelling
        )

    def _result(self, canonical: ClangType) -> tuple[Type, str, str]:
        """A type that clang told, as the result of a call: with its passing and its spelling.

        Raises
        ------
        CannotCross
            With the reason.
        """
        try:
            if type_kind(passing_of(canonical)[1]) in ARRAYS | FUNCTIONS:
                raise CannotCross("a reference to an array or a function is not bound")
            result, passing = type_and_passing(canonical, self._types)
            check_told(result)
            check_kept(result, passing)
            check_values([(result, passing)])
            bare = unqualified(result)
            if passing != "lvalue_ref" and isinstance(bare, Handle) and not bare.destructible:
                raise CannotCross("only its own class can destroy it")
            if isinstance(bare, Handle) and bare.name.startswith(ITERATION):
                raise CannotCross("it is itself an iteration")
        except CannotCross as reason:
            raise CannotCross(f"{self._types.shown(canonical)}: {reason}") from None
        return result, passing, self._types.spelling(canonical)

    def _lineage(self, owner: Struct) -> Iterator[str]:
        """A class and those that it derives from, as far as they are known."""
        yield owner.name
        for base in owner.bases:
            known = self._records.structs.get(base.name)
            yield from self._lineage(known) if known else (base.name,)

    def _operands(self, name: str) -> set[str]:
        """The classes that a bound operator takes first."""
        functions = (f for f in self._collected.functions if f.name == name and f.parameters)
        found = (unqualified(p.type) for f in functions for p in f.parameters[:2])
        return {t.name for t in found if isinstance(t, Struct)}

    def _free(self, name: str) -> set[str]:
        """The classes that a function of one argument takes."""
        functions = (f for f in self._collected.functions if f.name == name and f.kind == "function")
        found = (unqualified(f.parameters[0].type) for f in functions if len(f.parameters) == 1)
        return {t.name for t in found if isinstance(t, Struct)}

    def _streams(self) -> bool:
        """Whether the header declares that something is written to a stream; no stream crosses to Python."""
        skipped = (_last(s) for s in self._collected.skipped)
        templates = (n for t in self._collected.templates for n in (t.name, *t.operators))
        return any(name.startswith("operator<<") for name in (*skipped, *templates))

    def _converting(self) -> set[str]:
        """The classes of whose objects C++ may make something else by itself."""
        names = [(f.owner, f.name) for f in self._collected.functions if f.kind == "method"]
        skipped = (s for s in self._collected.skipped if _last(s).startswith("operator "))
        names += [("::".join(split_name(_whole(s))[:-1]), _last(s)) for s in skipped]
        return {owner for owner, name in names if owner and name.startswith("operator ")}


def _whole(skipped: Skipped) -> str:
    """The name of what is skipped, without its parameters."""
    return skipped.name.partition("(")[0]


def _last(skipped: Skipped) -> str:
    return _whole(skipped).rpartition("::")[2]


def _shown(element: ClangType) -> ClangType:
    """What Python gets of an element: of one that is a pointer to an object, wherever it lies, the object."""
    inner = passing_of(element)[1].get_canonical()
    to_object = (
        type_kind(inner) == Kind.POINTER and type_kind(inner.get_pointee().get_canonical()) == Kind.RECORD
    )
    return inner if to_object else element


def _may_say_truth(name: str) -> bool:
    """Whether a member of a name may say whether an object is true."""
    return name == "operator!" or name.startswith("operator ")
