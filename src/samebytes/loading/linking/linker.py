"""Gives every record, enumeration and function type of a library its class, and every type its linked form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...call.c_api import opaque_pointers
from ...call.c_api.api import PendingMethod
from ...call.callbacks import pointer
from ...errors import BindError, LayoutError
from ...forks import importing
from ...model.intents import OutArrayReturn, suggest
from ...model.module import Alias, Module, Template
from ...model.signature import Parameter, Signature
from ...model.symbols import NEXT
from ...types import (
    ByKind,
    Enum,
    Field,
    Function,
    Handle,
    Named,
    Pointer,
    Protected,
    Shape,
    Struct,
    Type,
    unqualified,
)
from ...types.naming import split_name
from ...values import beginning
from ...values import enum as enums
from ...values import handle as handles
from ...values import record as records
from ...values.conversion import structured
from ...values.pointer_type import name_class
from . import base_members
from .waiting import Classes, plain_records, told_of

if TYPE_CHECKING:
    from ...values.overriding import Way


class Linker:
    """Gives every record and enum of one library its Python class, and every type its linked form.

    Parameters
    ----------
    module : Module
    name : str
        The library's name, the ``__module__`` of its classes.
    chosen : mapping of str to type
        Classes that results of a C++ struct take instead of the record class (``types=``).
    restore : callable
        How a class, by its name, and an object, by its bytes, are pickled.
    at_once : bool
        Whether the classes of all records are made now, also those that could wait.
    known : Linker, optional
        Of a library whose names were read one by one before its header was: what linked these.
    """

    def __init__(
        self, module: Module, name: str, chosen: Mapping[str, type], restore: Callable[..., Any],
        *, at_once: bool = True, known: Linker | None = None, dialect: str = "cxx",
    ) -> None:  # fmt: skip
        self.name, self.dialect = name, dialect
        self.in_c = module.language == "c"
        self.enums: dict[str, Enum] = {}
        self.structs: dict[str, Struct] = {}
        self.shapes: dict[str, Shape | Enum] = {}  # by which a class is told from others of its name
        self.records = Classes(self._late, self._complete)
        self.thrown: Mapping[str, Any] = self.records  # of whose classes exceptions are made
        self._named: set[str] = set()  # also those whose classes are to come
        self.makers: set[str] = set()  # the class templates of the header
        self.operators: dict[str, list[Template]] = {}  # what declares the operators that are templates
        self.whole: set[str] = set()  # the instantiations that have their members, or get them on first use
        self.destroyed: set[str] = set()  # the classes that have their destructor
        self.dynamic: set[str] = set()  # the bases that know which derived classes there are
        self.handles = {
            opaque: opaque_pointers.opaque_pointer_class(opaque, name) for opaque in module.opaque
        }
        self.functions: dict[Function, Any] = {}
        self._typedefs: dict[Function, Alias] = {}
        self.name_functions(module)
        self._restore = restore
        self._ways: dict[tuple[Any, frozenset[str]], Way | None] = {}
        self.pythonic: Any = None  # what was said of the classes: the Rules of pythonize()
        self.home: Any = None  # the library that instantiations belong to
        self._methods: list[PendingMethod] = []
        # What a class gets that is made by being named: what its library gave the others, pass by pass.
        self.complete: Callable[[Any], None] | None = None
        self.overriding: Callable[[Any, frozenset[str]], Way | None] = lambda cls, private: None
        self.joining: Callable[[tuple[Any, ...]], Any] = lambda classes: None
        self.opening: Callable[[Any, tuple[Protected, ...]], Any] = lambda cls, members: None
        self._joined: dict[tuple[Any, ...], Any] = {}
        for opaque, handle in self.handles.items():
            name_class(handle, opaque, restore)
        records = {s.name for s in module.records}
        for key in chosen:
            if key not in records:
                raise BindError(f"types= names an unknown struct {key!r}.{suggest(key, sorted(records))}")
        if known is not None:
            self._adopt(known)
        self.extend(module, restore, chosen, set() if at_once else plain_records(module) - set(chosen))

    def _adopt(self, known: Linker) -> None:
        """Have the classes that another linker made as one's own."""
        self.enums.update(known.enums)
        self.shapes.update(known.shapes)
        for name, cls in known.records.items():
            cls.__samebytes_linker__ = self
            self.structs[name] = known.structs[name]
            self.records.add(name, cls)
        for function, cls in known.functions.items():
            cls.__samebytes_find__ = staticmethod(self.records.get)
            self.functions[function] = cls

    def name_functions(self, module: Module) -> None:
        """Note what pointers to functions are called, by the first of the typedefs of each that a module has."""
        for alias in module.aliases:
            if (function := function_of(alias.type)) is not None:
                self._typedefs.setdefault(function, alias)

    def extend(
        self, module: Module, restore: Callable[..., Any], chosen: Mapping[str, type] = MappingProxyType({}),
        waiting: Collection[str] = (),
    ) -> None:  # fmt: skip
        """Give the records and enums of a module their classes, but for those that have one already, or wait."""
        self.shapes.update((shape.name, shape) for shape in module.shapes)
        for enum in module.enums:
            if enum.name not in self.enums:
                self.enums[enum.name] = replace(enum, python=enums.enum_class(enum, self.name, restore))
        self._named.update(struct.name for struct in module.records)
        for name in self.records.told(told_of(module)) if self.records else ():
            self.records.ready(name)
        for struct in module.records:
            if struct.name in self.records:
                continue
            if struct.name in waiting:
                self.records.wait(struct)
            else:
                self._add(struct, chosen.get(struct.name), restore)
        for struct in module.records:
            if not self.records.waits(struct.name):
                self.records[struct.name].__qualname__ = self.qualname(struct.name)

    def waiting_method(self, make: Callable[[], Any]) -> PendingMethod:
        """A method of one of the classes, which is made when it is first asked for."""
        made = PendingMethod(make)
        self._methods.append(made)
        return made

    def make_methods(self) -> None:
        """Have all methods made, for those who look at what the classes hold."""
        while self._methods:
            self._methods.pop().make()

    def qualname(self, name: str) -> str:
        """A class's name behind those of the classes that it is declared in; empty of no class."""
        if name not in self._named:
            return ""
        *scopes, last = split_name(name)
        inside = last
        while scopes and "::".join(scopes) in self._named:
            inside = f"{scopes.pop()}.{inside}"
        return inside

    def struct(self, name: str) -> Struct | None:
        """The linked form of a record; none while it is made, as for one that points to itself."""
        self.records.ready(name)
        return self.structs.get(name)

    def _late(self, struct: Struct) -> Any:
        """The class of a record that waited: others see it when it is whole."""
        cls = self._class(struct, self._restore)
        cls.__qualname__ = self.qualname(struct.name)
        self.structs[struct.name] = cls.__samebytes_type__
        return cls

    def _complete(self, cls: Any) -> None:
        if self.complete is not None:
            self.complete(cls)

    def _add(self, struct: Struct, chosen: type | None, restore: Callable[..., Any]) -> None:
        cls = self._class(struct, restore)
        linked: Struct = cls.__samebytes_type__
        if chosen is not None:
            described = getattr(chosen, "__samebytes_type__", None)
            if not isinstance(described, Struct) or not structured.same_layout(described, linked, "cxx"):
                raise LayoutError(
                    f"types={{{struct.name!r}: {chosen.__name__}}}: its fields, types or offsets are not those "
                    "of the C++ struct"
                )
            linked = replace(linked, python=chosen)
        self.structs[struct.name] = linked
        self.records.add(struct.name, cls)

    def _field(self, field: Field) -> Field:
        type_, taken = with_rows(self.link(field.type), field.name), field.taken and self.link(field.taken)
        same = type_ is field.type and taken is field.taken  # a header has thousands of plain numbers
        return field if same else replace(field, type=type_, taken=taken)

    def _class(self, struct: Struct, restore: Callable[..., Any]) -> Any:
        """The Python class, derived from those of the C++ bases."""
        tail = struct.flexible and replace(struct.flexible, element=self.link(struct.flexible.element))
        struct = replace(struct, fields=tuple(map(self._field, struct.fields)), flexible=tail)
        bases = {b.name: self.records[b.name] for b in struct.bases if b.name in self.records}
        maker = _maker(struct)
        made: Callable[..., Any] = partial(maker, records=self.records.get)
        # A virtual base may stand before one that derives from it: Python finds it by that one.
        direct = [
            b for b in bases.values() if not any(o is not b and issubclass(o, b) for o in bases.values())
        ]
        try:
            cls: Any = made(struct, self.name, bases=tuple(direct))
        except TypeError:  # C++ allows orders of bases that Python does not
            cls = made(struct, self.name, bases=tuple(direct[:1]))
        cls.__samebytes_bases__ = handles.base_offsets(struct, bases)
        cls.__samebytes_direct__ = bases
        if bases:
            base_members.place_bases(cls, bases)
        cls.__samebytes_beside__ = frozenset(b for b in bases.values() if b not in cls.__mro__)
        cls.__samebytes_virtual__ = {}
        cls.__samebytes_linker__ = self
        cls.__samebytes_restore__ = restore
        cls.__samebytes_overridable__ = _overridable(struct)
        cls.__samebytes_overriding__ = staticmethod(self._overriding)
        cls.__samebytes_joining__ = staticmethod(self._joining)
        if struct.protected:
            with importing:  # many classes have none
                from ...values.protected import protect
            protect(cls, struct)
        cls.__samebytes_opening__ = staticmethod(self._open)
        cls.__samebytes_new__ = None  # constructors are not inherited
        cls.__samebytes_blank__ = None if struct.begins_as_zeros else beginning.blank_of(struct)
        return cls

    def _overriding(self, cls: Any, names: frozenset[str]) -> Way | None:
        """How C++ asks Python's classes of one of these about its virtual functions; None: it does not."""
        private = frozenset(
            v.name for v in cls.__samebytes_type__.virtuals if v.name in names and v.access == 3
        )
        key = cls, private
        if key not in self._ways:
            self._ways[key] = self.overriding(cls, private)
        return self._ways[key]

    def _joining(self, classes: tuple[Any, ...]) -> Any:
        """The class of C++'s that derives from several; None: C++ makes none."""
        if classes not in self._joined:
            self._joined[classes] = self.joining(classes)
        return self._joined[classes]

    def _open(self, cls: Any, members: tuple[Protected, ...]) -> Any:
        """The class that has protected members of one of C++'s as public ones; None: there is none."""
        return self.opening(cls, members)

    def link(self, type_: Type) -> Type:
        """The type with the classes of the records and enums inside it."""
        rule = _LINKS.get(type(type_))
        return rule(self, type_) if rule else type_.with_parts(self.link)

    def function(self, function: Function) -> Function:
        """A function type with the class of pointers to it, which is made when the type is first met."""
        if function not in self.functions:
            alias = self._typedefs.get(function)
            name = alias.name if alias else ""
            linked = replace(function.with_parts(self.link), name=name)
            made = pointer.function_class(linked, name or "FunctionPointer", self.name, self.records.get)
            name_class(made, alias.qualified if alias else "", self._restore)
            self.functions[function] = made
        found: Function = self.functions[function].__samebytes_type__.pointee
        return replace(found, holder=function.holder)

    def signature(self, signature: Signature) -> Signature:
        """The signature with every type linked."""
        parameters = tuple(map(self._parameter, signature.parameters))
        result = self.link(signature.result)
        if signature.name in _GIVE_ROWS:
            with importing:
                from ...call.rows import of_rows
            result = of_rows(result, f"{signature.owner}[…]")
        else:
            result = with_rows(result, f"{signature.shown_name}()")
        return replace(signature, parameters=parameters, result=result)

    def _parameter(self, parameter: Parameter) -> Parameter:
        intent = parameter.intent
        if isinstance(intent, OutArrayReturn) and isinstance(intent.dtype, Type):
            intent = replace(intent, dtype=self.link(intent.dtype))
        return replace(parameter, type=self.link(parameter.type), intent=intent)


# What these give is subscripted further: ``m[i][j]``, ``m(i)[j]``, ``(*it)[j]``.
_GIVE_ROWS = frozenset({"operator[]", "operator()", "operator*", NEXT})
# A pointer's pointee is linked by name, so that a record may point to itself.
_LINKS: ByKind[Callable[[Linker, Any], Type]] = ByKind(
    "loading: the class of a record, an enumeration or a function that was read",
    {
        **dict.fromkeys((Struct, Handle), lambda linker, t: linker.struct(t.name) or t),
        Named: lambda linker, t: (
            linker.struct(t.name) or replace(t, python=linker.handles.get(t.name), home=linker)
        ),
        Enum: lambda linker, t: linker.enums.get(t.name, t),
        Pointer: lambda linker, t: replace(t, pointee=linker.link(t.pointee), viewed=linker.in_c),
        Function: lambda linker, t: linker.function(t),
    },
    others="it has no class, and its parts are linked",
)


def _leads_on(type_: Type) -> bool:
    """Whether a type is that of an address of pointers."""
    outer: Type = unqualified(type_)
    return isinstance(outer, Pointer) and isinstance(unqualified(outer.pointee), Pointer)


def with_rows(type_: Type, name: str) -> Type:
    """A linked type, whose values are indexed to objects where it is that of an address of pointers to these."""
    if not _leads_on(type_):
        return type_
    with importing:  # few libraries have one
        from ...call.rows import leads_to_objects, of_rows
    return of_rows(type_, name) if leads_to_objects(type_) else type_


def _maker(struct: Struct) -> Callable[..., Any]:
    """What makes the class of a record."""
    if struct.flexible is not None:
        with importing:  # few libraries have one
            from ...values.flexible import flexible_class
        return flexible_class
    return handles.object_class if isinstance(struct, Handle) else records.record_class


def _overridable(struct: Struct) -> dict[str, str]:
    """The names that Python's classes cannot give to methods of theirs, and the virtual functions that have them."""
    found: dict[str, str] = {}
    for virtual in struct.virtuals if isinstance(struct, Handle) else ():
        if virtual.method:
            found[virtual.method] = f"{struct.name}::{virtual.name}()"
    return found


def function_of(type_: Type) -> Function | None:
    """The function type of a function pointer; None for other types."""
    return type_.pointee if isinstance(type_, Pointer) and isinstance(type_.pointee, Function) else None
