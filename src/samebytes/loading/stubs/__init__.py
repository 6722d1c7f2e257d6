"""Stubs: every bound name of a library with its types, and the words of the header's comments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from keyword import iskeyword
from pathlib import Path
from types import FunctionType
from typing import Any

from ... import _native
from ...call.c_api.api import PendingClass, PendingMethod
from ...call.c_api.opaque_pointers import OpaquePointer
from ...call.introspection import declaration_text, keyword_names
from ...errors import BindError
from ...launch.kernel import Kernel
from ...make.request import Request
from ...model.signature import Parameter, Signature
from ...model.symbols import BEGIN, CONTAINS, EXTENT, HAS_KEY, NEXT, PROTOCOLS
from ...types import MISSING, VOID, CArray, Enum, Field, Pointer, Scalar, Struct, Type, Vector, unqualified
from ...types.naming import python_names
from ...values.building import other_names
from ...values.handle import CxxHandle
from ..library import Library, Namespace
from ..operators import Operator, operators_of
from ..placing import names_made
from ..pythonic.draft import SAID, Accessors, is_hidden
from ..pythonic.draft import member as member_of
from ..templates.library import TemplateBase
from .annotations import Annotations, Results, plain, results_of

_HEAD = '''"""Bindings of {header}.

{written}
"""
# mypy: ignore-errors
# pyright: reportIncompatibleVariableOverride=false, reportIncompatibleMethodOverride=false
# pyright: reportOverlappingOverload=false, reportInconsistentOverload=false

{imports}
'''


# Where the words of annotations come from; a stub imports those that it uses.
_SOURCES = {
    "collections.abc": (
        "Callable", "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping", "Sequence", "ValuesView",
    ),
    "enum": ("IntEnum",),
    "pathlib": ("Path",),
    "typing": ("IO", "Any", "Final", "Self", "final", "overload"),
    "samebytes.call.callbacks": ("FunctionPointer",),
    "samebytes.call.c_api.opaque_pointers": ("OpaquePointer",),
    "samebytes.launch.kernel": ("Kernel",),
    "samebytes.loading.explaining": ("Explanation",),
    "samebytes.loading.templates.kernels": ("KernelTemplate",),
    "samebytes.loading.templates": ("ClassTemplate", "FunctionTemplate", "VariableTemplate"),
    "samebytes.model.module": ("Skipped",),
    "samebytes.typing": (
        "ArrayLike", "Bool", "CObject", "Complex", "ConstPointer", "Fields", "Float", "Int", "Place", "Pointer",
        "Values",
    ),
    "samebytes.values.flexible": ("FlexibleRecord",),
    "samebytes.values.handle": ("CxxHandle",),
    "samebytes.values.record": ("StructRecord",),
}  # fmt: skip
_MODULES = {
    "datetime": "import datetime",
    "os": "import os",
    "np": "import numpy as np",
    "sb": "import samebytes as sb",
}


# What every library has, and every package.
_ALWAYS = """
__skipped__: tuple[Skipped, ...]
def __explain__(name: str | None = ...) -> Explanation: ...
"""
# Special methods that have lines of their own.
_ELSEWHERE = frozenset({"__iter__", "__next__", "__contains__"})
_BY_BIND = "Written by ``samebytes bind``: to change it, run that again."

_SLICED = ("__getitem__", "__setitem__")
# Python's protocols that C++ may have for a class, and what each gives.
_PROTOCOLS = {
    "__len__": "int", "__bool__": "bool", "__str__": "str", "__int__": "int", "__float__": "float", "__hash__": "int",
}  # fmt: skip


def public_names(scope: Any) -> dict[str, Any]:
    """The names that C++ gave to a library, a namespace or a class, in the order in which they were bound."""
    there = {**names_made(scope), **getattr(scope, "__pending__", {})}
    order = [name for name in getattr(scope, "__order__", ()) if name in there]
    named = {name: there[name] for name in dict.fromkeys((*order, *there)) if name.isidentifier()}
    return {name: value for name, value in named.items() if not name.startswith("_") or _is_operator(value)}


def _whole_names(scope: Any) -> dict[str, Any]:
    """The same names, with the classes that nobody has asked for yet."""
    named = public_names(scope).items()
    return {name: value.make() if isinstance(value, PendingClass) else value for name, value in named}


def _is_operator(value: Any) -> bool:
    return type(value).__name__ in ("builtin_function_or_method", "method_descriptor")


def stub_text(library: Library, header: str, results: Results = plain, written: str = _BY_BIND) -> str:
    """The text of a stub, ``__init__.pyi`` or another.

    Parameters
    ----------
    library : Library
        Loaded, so that every name is the one that users will see.
    header : str
        What the first line calls the header.
    results : callable
        What becomes of the annotations of a call's results.
    written : str
        The sentence that says who wrote it.
    """
    body = "\n".join(_Stub(library, results).scope(library, 0)) + _ALWAYS
    return f"{_HEAD.format(header=header, written=written, imports=_imports(body))}{body}"


def _imports(body: str) -> str:
    words = set(re.findall(r"[A-Za-z_]\w*", body))
    lines = [line for name, line in _MODULES.items() if f"{name}." in body]
    lines += [
        f"from {module} import {', '.join(n for n in names if n in words)}"
        for module, names in _SOURCES.items() if words & {*names}
    ]  # fmt: skip
    return "\n".join(lines)


class _Stub:
    def __init__(self, library: Library, results: Results) -> None:
        bound, sets = library.__bound__, library.__model__.overload_sets
        made = {q: v.make() if isinstance(v, PendingMethod) else v for q, v in bound.items()}
        self._functions = {id(made[q]): tuple(s for _, s in o) for q, o in sets.items() if q in made}
        self._constructors: dict[str, tuple[Signature, ...]] = {}
        for signature in filter(_constructs, library.__model__.constructors):
            before = self._constructors.get(signature.owner, ())
            self._constructors[signature.owner] = (*before, signature)
        self._constructors |= {
            o[0][1].owner: tuple(s for _, s in o) for o in sets.values() if _constructs(o[0][1])
        }
        self._classes: dict[Any, str] = {}
        self._operators: dict[str, dict[str, list[tuple[Signature, Operator]]]] = {}
        self._sets = sets
        self._find_classes(library, "")
        self._find_operators()
        types = {cls.__samebytes_type__: path for cls, path in self._classes.items()}
        named = {t.name: path for t, path in types.items() if isinstance(t, Struct | Enum)}
        handles = {
            c.__samebytes_type__.pointee.name: p
            for c, p in self._classes.items()
            if issubclass(c, OpaquePointer)
        }
        self._types = Annotations(named | handles, results)

    def _find_classes(self, scope: Any, path: str) -> None:
        for name, value in _whole_names(scope).items():
            own = isinstance(value, type) and hasattr(value, "__samebytes_type__")
            if own and value not in self._classes:
                self._classes[value] = path + name
            if own or isinstance(value, Namespace):
                self._find_classes(value, f"{path}{name}.")

    def _find_operators(self) -> None:
        """The overloads of each special method, by class."""
        owners = {
            cls.__samebytes_type__.name: cls
            for cls in self._classes
            if hasattr(cls.__samebytes_type__, "name")
        }
        for overloads in self._sets.values():
            for _, signature in overloads:
                for operator in operators_of(signature, owners):
                    methods = self._operators.setdefault(operator.owner, {})
                    methods.setdefault(operator.method, []).append((signature, operator))

    def scope(self, scope: Any, indent: int, path: str = "") -> Iterator[str]:
        """The lines of everything in a scope."""
        for name, value in _whole_names(scope).items():
            for line in self._one(name, value, path):
                yield " " * indent + line if line else line
        for name, variable in getattr(scope, "__variables__", {}).items():
            if not name.isidentifier():
                continue
            yield f"{' ' * indent}{name}: {self._types.variable(variable.type)}"

    def _one(self, name: str, value: Any, path: str) -> Iterator[str]:
        signatures = self._functions.get(id(value))
        if isinstance(value, Kernel):
            yield f"{name}: Kernel"
            yield from _quoted(value.__doc__ or "", 0)
        elif signatures is not None:
            yield from self._function(name, signatures, bool(path))
        elif isinstance(value, Namespace):
            yield from self._namespace(name, value, path)
        elif isinstance(value, type):
            yield from self._class(name, value, path)
        elif isinstance(value, IntEnum):
            yield f"{name}: Final[{self._classes.get(type(value), 'int')}]"
        elif isinstance(value, bool | int | float | str):
            yield f"{name}: Final[{type(value).__name__}]  # {value!r}"
        else:
            yield f"{name}: {type(value).__name__ if isinstance(value, TemplateBase) else 'Any'}"

    def _namespace(self, name: str, value: Namespace, path: str) -> Iterator[str]:
        yield from ("", "@final", f"class {name}:", f'    """The C++ namespace {path}{name}."""')
        yield from self.scope(value, 4, f"{path}{name}.")

    def _class(self, name: str, cls: Any, path: str) -> Iterator[str]:
        known = self._classes.get(cls)
        if known is None:
            yield f"{name}: Any"
        elif known != path + name:
            yield f"{name} = {known}"
        elif issubclass(cls, OpaquePointer):
            yield from ("", f"class {name}(OpaquePointer):", *_quoted(cls.__doc__ or "", 4))
        elif isinstance(cls.__samebytes_type__, Pointer):
            yield from self._function_pointer(name, cls.__samebytes_type__.pointee)
        elif issubclass(cls, IntEnum):
            yield from ("", f"class {name}(IntEnum):", *_quoted(cls.__doc__ or "", 4))
            members = {n: value for n, value in cls.__members__.items() if not iskeyword(n)}
            yield from (f"    {member} = {int(value)}" for member, value in members.items())
            if not cls.__members__:
                yield "    ..."
        else:
            yield from self._record(name, cls, path)

    def _function_pointer(self, name: str, function: Any) -> Iterator[str]:
        taken = self._types.callable(function)
        named = [f"x{i}: {self._types.accepted(a.type)}" for i, a in enumerate(function.arguments)]
        back = "None" if function.result == VOID else self._types.returned(unqualified(function.result))
        yield from ("", f"class {name}(FunctionPointer):", *_quoted(function.spelling or str(function), 4))
        yield f"    def __init__(self, function: {taken} | Pointer | CObject) -> None: ..."
        yield f"    def __call__({', '.join(['self', *named])}) -> {back}: ..."

    def _record(self, name: str, cls: Any, path: str) -> Iterator[str]:
        described = cls.__samebytes_type__
        base = self._classes.get(cls.__mro__[1]) or _base(cls)
        yield from ("", f"class {name}({base}):", *_quoted(cls.__doc__ or "", 4))
        fields = described.fields if isinstance(described, Struct) and issubclass(cls, _native.Record) else ()
        for field, python in zip(fields, cls.__match_args__ if fields else (), strict=False):
            if is_hidden(cls, python):
                continue
            yield f"    {python}: {'bytes' if field.text else self._field(field)}"
        if fields:
            of = dict(zip(cls.__match_args__, fields, strict=False))
            for other, python in other_names(described).items():
                yield f"    {other}: {self._types.returned(_read(of[python]))}"
        if described.flexible is not None and described.aggregate:
            yield from self._flexible(cls, described)
            fields = ()
        constructors = None if described.flexible is not None else self._constructors.get(described.name)
        if constructors is not None:
            yield from (f"    {line}" for line in self._function("__init__", constructors, True))
        elif fields and not issubclass(cls, CxxHandle):
            named = zip(cls.__match_args__, fields, strict=False)
            given = [f"{name}: {self._types.accepted(f.taken or f.type)} = ..." for name, f in named]
            yield f"    def __init__(self, {', '.join(given)}) -> None: ..."
        inner = {
            n: v for n, v in _whole_names(cls).items() if id(v) in self._functions or isinstance(v, type)
        }
        yield from self._properties(cls)
        for member, value in inner.items():
            yield from (
                f"    {line}" if line else line for line in self._one(member, value, f"{path}{name}.")
            )
        for label in python_names(m.name for m in described.protected if m.name).values():
            if label not in inner:
                yield f"    {label}: Any  # protected: of classes derived from this one"
        yield from self._protocols(cls, described)
        yield from self._special(cls, described)

    def _flexible(self, cls: Any, described: Struct) -> Iterator[str]:
        """The array without a length in which a struct ends, and how one is made with its elements."""
        tail = described.flexible
        assert tail is not None
        element = unqualified(tail.element)
        number = isinstance(element, Scalar | Enum | CArray | Vector)
        read = "np.ndarray[Any, Any] | tuple[()]" if number else f"tuple[{self._types.lying(element)}, ...]"
        yield f"    {tail.name}: {read}{'' if tail.counted else ' | Pointer'}"
        named = zip(cls.__match_args__, described.fields, strict=False)
        given = [f"{name}: {self._types.accepted(f.taken or f.type)} = ..." for name, f in named]
        given.append(f"{tail.name}: Sequence[Any] | np.ndarray[Any, Any] = ...")
        yield f"    def __init__(self, {', '.join(given)}) -> None: ..."

    def _field(self, field: Field) -> str:
        """What a field is read as; a pointer that a member counts is several."""
        type_ = unqualified(field.type)
        if not (field.counted and isinstance(type_, Pointer)):
            return self._types.returned(_read(field))
        pointee = unqualified(type_.pointee)
        if isinstance(pointee, Scalar | Enum):
            return "np.ndarray[Any, Any] | tuple[()] | None"
        return f"tuple[{self._types.lying(pointee)}, ...] | None"

    def _properties(self, cls: Any) -> Iterator[str]:
        """The properties that pythonize() made, and its with statement."""
        for name, value in vars(cls).items():
            if not isinstance(value, Accessors):
                continue
            getter, setter = member_of(cls, value.getter_name), member_of(cls, value.setter_name)
            read = [
                s
                for s in self._functions.get(id(getter), ())
                if not [p for p in s.shown if p.default is None]
            ]
            given = self._types.result(read[0]) if read else "Any"
            yield from ("    @property", f"    def {name}(self) -> {given}:")
            yield from _quoted(value.__doc__ or name, 8)
            if value.setter_name:
                written = [s for s in self._functions.get(id(setter), ()) if s.shown]
                taken = " | ".join(dict.fromkeys(self._types.parameter(s.shown[0]) for s in written)) or "Any"
                yield from (f"    @{name}.setter", f"    def {name}(self, value: {taken}) -> None: ...")
        if SAID in vars(cls) and "__exit__" in vars(cls):
            yield "    def __enter__(self) -> Self: ..."
            yield "    def __exit__(self, kind: object, error: object, trace: object) -> None: ..."

    def _protocols(self, cls: Any, described: Any) -> Iterator[str]:
        """What C++ has of Python's protocols; those of the const object, and those of another."""
        begun = self._sets.get(f"{described.name}::{BEGIN}", ())
        steps = [self._sets[f"{unqualified(s.result)}::{NEXT}"][0][1] for _, s in begun]
        elements = dict.fromkeys(self._types.result(step) for step in steps)
        if elements:
            yield f"    def __iter__(self) -> Iterator[{' | '.join(elements)}]: ..."
        yield from self._membership(cls, described, steps)
        for method, gives in _PROTOCOLS.items():
            if vars(cls).get(method) is not None:
                yield f"    def {method}(self) -> {gives}: ..."

    def _special(self, cls: Any, described: Any) -> Iterator[str]:
        """The operators of C++ that Python has as special methods."""
        for method, forms in self._operators.get(described.name, {}).items():
            own = method.startswith("__samebytes_")  # what others of these are made of
            if vars(cls).get(method) is None or method in _PROTOCOLS or method in _ELSEWHERE or own:
                continue
            lines = dict.fromkeys(self._operator(method, *form) for form in forms)
            if PROTOCOLS[EXTENT] in vars(cls) and all(_counts(s) for s, _ in forms):
                lines |= dict.fromkeys(self._sliced(method, s) for s, _ in forms if method in _SLICED)
            for line in lines:
                if len(lines) > 1:
                    yield "    @overload"
                yield f"    {line}"
        if "__delitem__" in vars(cls):
            yield "    def __delitem__(self, x: int | slice) -> None: ..."

    def _sliced(self, method: str, signature: Signature) -> str:
        if method == "__getitem__":
            return f"def __getitem__(self, x0: slice) -> list[{self._types.result(signature)}]: ..."
        taken = self._types.parameter(signature.parameters[-1])
        return f"def __setitem__(self, x0: slice, x1: Iterable[{taken}]) -> None: ..."

    def _operator(self, method: str, signature: Signature, operator: Operator) -> str:
        operands = [signature.parameters[i] for i in operator.order[1:]]
        given = [f"x{i}: {self._types.parameter(p)}" for i, p in enumerate(operands)]
        result = "Self" if operator.in_place else self._types.result(signature)
        return f"def {method}({', '.join(['self', *given])}) -> {result}: ..."

    def _membership(self, cls: Any, described: Any, steps: Sequence[Signature]) -> Iterator[str]:
        """``in``, and of what is found by a key its views."""
        keyed = self._sets.get(f"{described.name}::{HAS_KEY}", ())
        asked = [s for _, s in keyed or self._sets.get(f"{described.name}::{CONTAINS}", ())]
        taken = dict.fromkeys(self._types.parameter(s.shown[-1]) for s in asked)
        if taken:
            yield f"    def __contains__(self, x: {' | '.join(taken)}) -> bool: ..."
        if keyed and steps:
            key, value = (self._types.returned(part) for part in _pair(steps[0]))
            for name, view in _views(key, value).items():
                if isinstance(vars(cls).get(name), FunctionType):
                    yield f"    def {name}(self) -> {view}: ..."

    def _function(self, name: str, signatures: Sequence[Signature], inside: bool) -> Iterator[str]:
        many = len(signatures) > 1
        for signature in signatures:
            if many:
                yield "@overload"
            own = signature.object is not None
            if inside and not own:
                yield "@staticmethod"
            given = (["self"] if own else []) + self._parameters(signature)
            result = "None" if name == "__init__" else self._types.result(signature)
            words = _quoted(f"{declaration_text(signature)}\n\n{signature.doc}".strip(), 4)
            yield f"def {name}({', '.join(given)}) -> {result}:"
            yield from words

    def _parameters(self, signature: Signature) -> list[str]:
        names = keyword_names(signature, signature.shown)
        given = [self._parameter(n, p) for n, p in zip(names, signature.shown, strict=True)]
        if signature.variadic:
            return [*given, "*args: Any"]
        told = [f"{n}: int | None = None" for n in keyword_names(signature, signature.measuring)]
        return [*given, "*", *told] if told else given

    def _parameter(self, name: str, parameter: Parameter) -> str:
        text = f"{name}: {self._types.parameter(parameter)}"
        if parameter.default is None:
            return text
        value = parameter.default.value
        plain = value is not MISSING and isinstance(value, bool | int | str) and len(repr(value)) < 30
        return f"{text} = {value!r}" if plain else f"{text} = ..."


def _pair(step: Signature) -> tuple[Type, ...]:
    """The types of the two parts of an element."""
    return tuple(unqualified(part) for part in unqualified(step.result).parts[:2])


def _views(key: str, value: str) -> dict[str, str]:
    return {
        "keys": f"KeysView[{key}]",
        "values": f"ValuesView[{value}]",
        "items": f"ItemsView[{key}, {value}]",
    }


def _read(field: Field) -> Type:
    """The type as which a field is read: of a text with its length, the one by which it is written."""
    return field.taken if isinstance(field.taken, Pointer) and field.taken.measured else field.type


def _constructs(signature: Signature) -> bool:
    return signature.kind == "constructor"


def _base(cls: Any) -> str:
    """What a class without a base of C++'s derives from."""
    if issubclass(cls, CxxHandle):
        return "CxxHandle"
    return "StructRecord" if cls.__samebytes_type__.flexible is None else "FlexibleRecord"


def _quoted(text: str, indent: int) -> list[str]:
    """A docstring with this text, as lines."""
    if not text:
        return []
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = [line.rstrip() for line in safe.split("\n")]
    last = lines[-1]
    lines[-1] = f"{last} " if last.endswith('"') else last
    shown = [f'"""{lines[0]}', *lines[1:]]
    shown = [f'{shown[0]}"""'] if len(shown) == 1 else [*shown, '"""']
    return [" " * indent + line if line else "" for line in shown]


def write_stub(library: Library, path: Path, request: Request, check: bool | frozenset[str]) -> None:
    """Write the stub of a library that was just bound, unless it is that of this very build.

    Parameters
    ----------
    library : Library
    path : Path
        ``lib.pyi``.
    request : Request
        What made the library.
    check : bool or frozenset of str
        Which functions of a C API raise for their status.

    Raises
    ------
    BindError
        If the file holds something that samebytes did not write.
    """
    written = f"Written by samebytes from build {os.path.basename(os.path.dirname(library.__file__))[:16]}."
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if written in before:
        return
    if before and "Written by samebytes from build " not in before:
        raise BindError(f"stub={str(path)!r} exists, and samebytes did not write it: choose another place")
    if not path.parent.is_dir():
        raise BindError(f"stub={str(path)!r}: there is no folder {str(path.parent)!r}")
    results = results_of(request, library.__model__, check)
    path.write_text(stub_text(library, request.name, results, written), encoding="utf-8")


def _counts(subscript: Signature) -> bool:
    """Whether a ``[]`` takes a number from zero on: then Python's count from the end, too, and there are slices."""
    index = unqualified(subscript.parameters[1].type) if len(subscript.parameters) > 1 else None
    return isinstance(index, Scalar) and index.kind == "uint"
