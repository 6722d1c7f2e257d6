"""Where C++'s names stand in Python: in the library, in namespaces, in the classes that enclose them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, EnumType
from types import BuiltinFunctionType
from typing import Any

from ..call.attribute import Attribute
from ..call.c_api.api import Pending, PendingClass, PendingMethod
from ..errors import ArgumentError, plain_error
from ..model.module import USING_KIND, Skipped
from ..types import Struct
from ..types.naming import normalized, python_names, split_name
from ..values import record_type
from .library import Library, Namespace, leave_out, own_names


def inner(library: Library, path: tuple[str, ...]) -> Any:
    """What a library has under some names, one in the other: a namespace, a template."""
    found: Any = library
    for name in path:
        found = getattr(found, name)
    return found


def restored(library: Library, qualified: str, data: bytes | None) -> Any:
    """What was pickled: a record from its bytes, or without them a class of records, enumerators or pointers."""
    cls = (
        library.__records__.get(qualified) or library.__enums__.get(qualified) or library.__bound__[qualified]
    )
    return cls if data is None else cls.__samebytes_from_buffer__(data)


class DeviceFunction:
    """A function that runs in kernels: compiled code calls it, Python does not.

    Attributes
    ----------
    __doc__ : str
        Its forms, as of a function of the host.
    """

    def __init__(self, name: str, module: str, doc: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.__module__ = module
        self.__doc__ = doc

    def __call__(self, *args: object, **kwargs: object) -> Any:
        raise plain_error(
            ArgumentError,
            self.__name__,
            "runs on the GPU: call it in code that numba.cuda compiles (@cuda.jit)",
        )

    def __repr__(self) -> str:
        return f"<device function {self.__module__}.{self.__name__}>"


def place(
    library: Library, items: Iterable[tuple[str, Any]], renamed: Mapping[str, str], hidden: Mapping[str, str],
    waits: Callable[[str], bool] = lambda name: False,
) -> None:  # fmt: skip
    """Put names where C++ has them: in their namespaces, or in the record that encloses them.

    Parameters
    ----------
    items : iterable of (str, object)
        Qualified C++ names; of two objects with one name, the first has it.
    renamed : mapping of str to str
        The unqualified names that Python uses for some of them.
    hidden : mapping of str to str
        The qualified names by which Python finds what others of the same name hide.
    waits : callable
        Whether a class, by its qualified name, is yet to be made, and gets its members then.
    """
    items = list(items)
    object.__setattr__(library, "__bound__", dict(reversed(items)))
    scopes: dict[tuple[str, ...], dict[str, Any]] = {}
    clashes: list[str] = []
    for qualified, value in items:
        *path, name = [
            part for part in _said(qualified, renamed) if part and not part.startswith("(anonymous")
        ]
        scopes.setdefault(tuple(path), {}).setdefault(name, value)
    inside: dict[tuple[str, ...], dict[str, None]] = {}
    for home in scopes:
        for depth, part in enumerate(home):
            inside.setdefault(home[:depth], {})[part] = None
    for home in sorted(dict.fromkeys([*scopes, *inside]), key=len):  # also one that has namespaces alone
        if waits("::".join(home)):
            continue
        named, scope = scopes.get(home, {}), _scope(library, home)
        if scope is None:
            continue
        names = python_names(dict.fromkeys([*named, *inside.get(home, ())]))
        library.__spaces__.update({(*home, part): names[part] for part in inside.get(home, ())})
        clashes += (_said_otherwise(home, n, p) for n, p in names.items() if p not in _expected(n))
        for name in named:
            if names[name] not in names_made(scope):
                _set(scope, names[name], named[name])
            elif _of_field(scope, names[name]) not in ("", name):
                clashes.append(
                    f"{'::'.join([*home, name])} has no name in Python: {names[name]!r} is a field's"
                )
    for struct in library.__model__.records:
        fields = _field_names(struct)
        clashes += (_said_otherwise((struct.name,), n, p) for n, p in fields.items() if p not in _expected(n))
    for qualified, said in hidden.items():
        if said != f"{qualified}_":
            *outer, name = split_name(qualified)
            clashes.append(_said_otherwise(tuple(outer), name, split_name(said)[-1]))
    object.__setattr__(library, "__clashes__", tuple(clashes))


def place_members(cls: Any, items: Sequence[tuple[str, Any]]) -> None:
    """Put functions, by their qualified C++ names, into the class that they are members of."""
    named = {split_name(qualified)[-1]: value for qualified, value in reversed(items)}
    for name, python in python_names(split_name(qualified)[-1] for qualified, _ in items).items():
        if python not in names_made(cls):
            _set(cls, python, named[name])


def _field_names(struct: Struct) -> dict[str, str]:
    return python_names(field.name for field in struct.fields)


def _of_field(scope: Any, python: str) -> str:
    """The C++ name of the field that has a name in Python; empty where no field has it."""
    struct = getattr(scope, "__samebytes_type__", None)
    fields = _field_names(struct) if isinstance(struct, Struct) else {}
    return next((name for name, known in fields.items() if known == python), "")


def _expected(name: str) -> tuple[str, ...]:
    """What a user takes a C++ name to be in Python."""
    return name, f"{name}_", normalized(name)


def _said_otherwise(home: tuple[str, ...], name: str, python: str) -> str:
    return f"{'::'.join([*home, name])} is {python!r} in Python, where {name + '_'!r} is another name of C++"


def _said(qualified: str, renamed: Mapping[str, str]) -> list[str]:
    """The parts of a qualified name as Python says them."""
    parts = split_name(qualified)
    return [renamed.get("::".join(parts[: i + 1]), part) for i, part in enumerate(parts)]


def put(library: Library, qualified: str, value: Any, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """Put something where C++ has it, whatever else has the name; nowhere, if what is in the way has no names.

    Returns
    -------
    tuple of str
        The names by which Python finds it, one in the other.
    """
    *path, name = _said(qualified, renamed)
    scope = _scope(library, tuple(path))
    if scope is None:
        return ()
    python = python_names([name])[name]
    while python != name and _find(scope, [python]) is not None:  # C++ has that name, too
        python += "_"
    _set(scope, python, value)
    return (*path, python)


def standing(library: Library, qualified: str, renamed: Mapping[str, str]) -> Any:
    """What Python has under the name of something of C++'s by now; None for nothing."""
    *path, name = _said(qualified, renamed)
    scope = _scope(library, tuple(path))
    python = python_names([name])[name]
    if scope is None or _find(scope, [python]) is None:
        return None
    return getattr(scope, python, None)  # a function is made when it is named


def repeat(library: Library, names: Iterable[tuple[str, str]]) -> None:
    """Put what is placed under a second name, as using-declarations and macros do.

    Second names of what the library says is not bound are not bound either, and it says so of them.
    """
    lost: list[tuple[str, str]] = []
    for name, target in names:
        home = target.split("::")
        found = _find(
            library, [library.__spaces__.get(tuple(home[:i]), part) for i, part in enumerate(home, 1)]
        )
        *path, last = name.split("::")
        if found is None and home[-1] == last and len(home) <= len(path):
            # A class that a typedef names has the longer name, where an inline namespace is around it.
            longer = _find(library, [*path, last])
            if isinstance(longer, type | Enum | PendingClass):
                found, (*path, last) = longer, home
        if found is None:
            lost.append((name, target))
            continue
        scope = _scope(library, tuple(path))
        if scope is not None and _find(scope, [last]) is None:
            _set(scope, last, found)
    if lost and library.__skipped__:
        _leave_out_repeated(library, lost)


def _leave_out_repeated(library: Library, names: Iterable[tuple[str, str]]) -> None:
    said = {s.name.partition("(")[0]: s for s in reversed(library.__skipped__)}
    leave_out(
        library,
        (
            Skipped(name, USING_KIND, f"it is {target}, which is not bound: {why.reason}", why.location)
            for name, target in names
            if name not in said and (why := said.get(target)) is not None
        ),
    )


def _find(scope: Any, path: Sequence[str]) -> Any:
    for part in path:
        if isinstance(scope, EnumType):
            return scope.__members__.get(part)
        inside = names_made(scope)
        places = (inside, inside.get("__variables__", {}), inside.get("__pending__", {}))
        scope = next((place[part] for place in places if part in place), None)
        if scope is None:
            return None
    return scope


def _scope(library: Library, path: tuple[str, ...]) -> Any:
    """Where the names of a path live; None where something that has no names is in the way."""
    scope: Any = library
    said: tuple[str, ...] = ()
    for depth, name in enumerate(path, 1):
        part = library.__spaces__.get(tuple(path[:depth]), name)
        said = (*said, part)
        hidden = library.__records__.get("::".join(path[:depth]))
        if hidden is not None and (part not in names_made(scope) or _hides(scope, part)):
            scope = hidden
            continue
        if part not in names_made(scope):
            made = Namespace(part, library.__skipped__)
            object.__setattr__(made, "__home__", (inner, (library, said)))
            _set(scope, part, made)
        scope = names_made(scope)[part]
        if not isinstance(scope, Namespace | type):
            if hidden is None:
                return None
            scope = hidden  # a variable or a field has the name of the class, or is of one without a name
    return scope


def _hides(scope: Any, name: str) -> bool:
    """Whether a function has a name that is a class's, too: C++ says ``struct name`` for that."""
    made = names_made(scope)
    return name in made.get("__pending__", ()) or isinstance(made.get(name), BuiltinFunctionType)


def names_made(scope: Any) -> Mapping[str, Any]:
    """What a namespace or a class has so far: what waits in it stays as it is."""
    if isinstance(scope, Namespace):
        return own_names(scope)
    names: Mapping[str, Any] = vars(scope)
    if record_type.LATER not in names:
        return names
    return {name: value for name, value in names.items() if not hasattr(value, record_type.DEFERRED)}


def _set(scope: Any, name: str, value: Any) -> None:
    if isinstance(value, Attribute) and isinstance(scope, Namespace):
        scope.__variables__[name] = value
    elif isinstance(scope, Namespace):
        if not isinstance(value, Pending) or isinstance(value, PendingClass):
            scope.__order__[name] = None
        if isinstance(value, Pending):
            scope.__pending__[name] = value
        else:
            object.__setattr__(scope, name, value)
    elif isinstance(value, PendingMethod):
        value.stand(scope, name)
    else:
        record_type.set_own(scope, name, value)


def bound(library: Library, qualified: str) -> Any:
    """A bound object by its qualified C++ name."""
    found = library.__bound__[qualified]
    return found.make() if isinstance(found, Pending) else found
