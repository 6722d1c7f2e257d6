"""Objects that functions hand over: what ends them, and which declarations can mean that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...errors import IntentError
from ...later import at_first_use
from ...model.intents import RESULT, In, Intent, Owned, suggest
from ...model.module import Module
from ...model.signature import Parameter, Signature
from ...types import VOID, Const, Handle, Named, Owner, Pointer, Struct, Type

hashlib = at_first_use("hashlib")

# Functions of the C library that no header of the user's need declare.
_LIBRARY = dict.fromkeys(("free", "std::free", "::free"), "__builtin_free({0})")


class Owning:
    """The classes of a module whose objects may be handed over, and the functions that may end them."""

    def __init__(self, module: Module) -> None:
        self._records: Mapping[str, Struct] = {record.name: record for record in module.records}
        self._functions = module.functions
        self._in_c = module.language == "c"
        self._named: dict[str, set[str]] = {}  # deleters, and the classes whose objects they end

    def result(self, signature: Signature, intent: Intent) -> Signature:
        """The signature, whose result Python owns.

        Raises
        ------
        IntentError
            If the declaration cannot mean that.
        """
        if not isinstance(intent, Owned):
            raise IntentError(
                f"{signature.shown_name}(): the only intent of {RESULT!r} is 'owned', got {intent.name!r}."
            )
        where = f"{signature.shown_name}(): {RESULT!r} is 'owned'"
        pointed = signature.result if signature.result_passing == "value" else None
        owner = self._owner(pointed, signature.result_spelling, intent, where)
        return replace(signature, result=owner, hands_over=True)

    def output(self, signature: Signature, index: int, intent: Owned) -> Signature:
        """The signature with a parameter as an output whose object Python owns, or that takes over what it is given.

        Raises
        ------
        IntentError
            If the declaration cannot mean that.
        """
        parameter = signature.parameters[index]
        where = f"{signature.shown_name}() parameter {parameter.name!r}: 'owned'"
        place = _place(parameter)
        if not isinstance(place, Pointer):
            if not _is_object(parameter):
                raise IntentError(
                    f"{where} needs a place where C++ puts a pointer, T** or T*&, or a pointer to an object, T*, and "
                    f"it is {parameter.spelling}."
                )
            if intent.deleter:
                raise IntentError(
                    f"{where} with deleter {intent.deleter!r}: C++ ends what {parameter.spelling} takes over, by "
                    "delete; write 'owned' alone."
                )
            return self.taken(_with(signature, index, replace(parameter, intent=In(chosen=True))), index)
        owner = self._owner(place, parameter.spelling, intent, where)
        return _with(signature, index, replace(parameter, type=owner, passing="lvalue_ref", intent=intent))

    def taken(self, signature: Signature, index: int) -> Signature:
        """The signature with a pointer as a parameter that takes its object over, as a ``std::unique_ptr`` does.

        Its spelling stays that of the pointer: C++ gets what such a one releases.

        Raises
        ------
        IntentError
            If the declaration cannot mean that.
        """
        parameter = signature.parameters[index]
        where = f"{signature.shown_name}() parameter {parameter.name!r}: it owns its object"
        owner = self._owner(parameter.type, parameter.spelling, Owned(), where)
        return _with(signature, index, replace(parameter, type=owner))

    def _owner(self, type_: Type | None, spelling: str, intent: Owned, where: str) -> Owner:
        if self._in_c:
            raise IntentError(
                f"{where}, and the library is bound as C: there allocations= names what frees memory."
            )
        if not isinstance(type_, Pointer):
            raise IntentError(f"{where} needs a pointer to an object, and it is {spelling}.")
        named = type_.target
        record = self._records.get(named.name) if isinstance(named, Named | Struct) else None
        if record is None:
            known = (
                "whose class is not bound"
                if isinstance(named, Named | Struct)
                else "which is no object of a class"
            )
            raise IntentError(f"{where}, and {spelling} points to {named}, {known}.")
        text = record.spelling or record.name
        bare, target = (f"const {text}", Const(record)) if type_.const else (text, record)
        if not intent.deleter:
            _check_deletable(record, where)
            return Owner(f"std::unique_ptr<{bare}>", target, shared=False, own=True)
        ends = self._ends(record, intent.deleter, where)
        self._named.setdefault(intent.deleter.removeprefix("::"), set()).add(record.name)
        if type_.const:
            ends = ends.replace("{0}", f"const_cast<{text}*>({{0}})")
        return Owner(
            f"std::unique_ptr<{bare}, {deleter_name(bare, ends)}>", target, shared=False, own=False, ends=ends
        )

    def _ends(self, record: Struct, deleter: str, where: str) -> str:
        """How C++ ends ``{0}``."""
        names = {deleter, deleter.removeprefix("::")}
        free = [
            f for f in self._functions if f.kind in ("function", "static") and {f.name, f.qualified} & names
        ]
        if any(_takes_one(f, record) for f in free):
            found = next(f for f in free if _takes_one(f, record))
            return f"::{found.qualified.removeprefix('::')}({{0}})"
        methods = [f for f in self._functions if f.kind == "method" and {f.name, f.qualified} & names]
        if any(self._has(record, f.owner) and _required(f) == 1 for f in methods):
            return f"{{0}}->{methods[0].name}()"
        if deleter in _LIBRARY and not free:
            return _LIBRARY[deleter]
        known = [f.name for f in self._functions if f.kind != "constructor" and _takes_one(f, record)]
        why = "does not take one" if free or methods else "is not bound"
        raise IntentError(
            f"{where} with deleter {deleter!r}, which {why}: it is a function that takes a {record.name}*, or a "
            f"method of {record.name} without arguments.{suggest(deleter, known)}"
        )

    def ending(self, functions: list[Signature]) -> list[Signature]:
        """The functions; those that intents named as deleters, with all their overloads, end what they are given."""
        return [replace(f, ends=True) if self._ends_one(f) else f for f in functions]

    def _ends_one(self, signature: Signature) -> bool:
        classes = {c for name in (signature.name, signature.qualified) for c in self._named.get(name, ())}
        if not classes or signature.kind not in ("function", "static", "method"):
            return False
        if signature.kind == "method":
            return self._is_near(signature.owner, classes)
        first = signature.parameters[0].value_type if signature.parameters else None
        target = first.target if isinstance(first, Pointer) else None
        if isinstance(target, Named | Struct):
            return self._is_near(target.name, classes)
        return target == VOID

    def _is_near(self, name: str, classes: set[str]) -> bool:
        """Whether a class is one of others, or of their bases, or derives from one of them."""
        both = [(self._records.get(name), self._records.get(other)) for other in classes]
        return any((a and self._has(a, b.name)) or self._has(b, name) for a, b in both if b is not None)

    def _has(self, record: Struct, owner: str) -> bool:
        """Whether a class is of another, or derives from it."""
        if record.name == owner:
            return True
        bases = (self._records.get(base.name) for base in record.bases)
        return any(base is not None and self._has(base, owner) for base in bases)


def _with(signature: Signature, index: int, parameter: Parameter) -> Signature:
    """The signature with another parameter at a place."""
    before, after = signature.parameters[:index], signature.parameters[index + 1 :]
    return replace(signature, parameters=(*before, parameter, *after))


def _place(parameter: Parameter) -> Type | None:
    """The type of what C++ sets through a parameter; None: it sets nothing there."""
    type_ = parameter.type
    if parameter.passing == "value":
        return type_.pointee if isinstance(type_, Pointer) else None
    return type_ if parameter.passing == "lvalue_ref" else None


def _is_object(parameter: Parameter) -> bool:
    """Whether it is a pointer to an object of a class, by value."""
    type_ = parameter.type
    return (
        parameter.passing == "value"
        and isinstance(type_, Pointer)
        and isinstance(type_.target, Named | Struct)
    )


def deleter_name(spelling: str, ends: str) -> str:
    """The name of the class that ends objects of one class in one way."""
    return f"samebytes_ends_{hashlib.sha256(f'{spelling} {ends}'.encode()).hexdigest()[:16]}"


def _check_deletable(record: Struct, where: str) -> None:
    """Raise an IntentError for a class whose objects C++'s ``delete`` does not end."""
    if not isinstance(record, Handle):
        return
    advice = "name the function that ends it: {'intent': 'owned', 'deleter': ...}"
    if not record.destructible:
        raise IntentError(f"{where}, and the destructor of {record.name} is not public; {advice}.")
    if record.polymorphic and not record.virtual:
        raise IntentError(
            f"{where}, and {record.name} has virtual functions without a virtual destructor: C++ could not end an "
            f"object of a derived class; {advice}."
        )


def _required(signature: Signature) -> int:
    return sum(p.default is None for p in signature.parameters)


def _takes_one(signature: Signature, record: Struct) -> bool:
    """Whether a function can be called with the address of such an object alone."""
    if signature.kind == "method" or not signature.parameters or _required(signature) > 1:
        return False
    first = signature.parameters[0]
    target = first.value_type.target if isinstance(first.value_type, Pointer) else None
    same = isinstance(target, Named | Struct) and target.name == record.name
    return first.passing == "value" and (same or target == VOID)
