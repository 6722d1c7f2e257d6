"""Descriptions as Python expressions: what was read from a header, written so that it can be read again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import Field, fields, is_dataclass
from typing import Any

from ...types import MISSING, SCALARS, Scalar, Void

_WIDTH = 110


class Literals:
    """Writes values, and notes what a file must import to read them.

    Parameters
    ----------
    clean : callable
        What becomes of each text: paths of this machine are taken out.
    """

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._named: dict[Any, str] = {}
        self._imports: dict[str, set[str]] = {}

    def name(self, value: Any, wanted: str) -> str:
        """Give a value a name of its own; from then on expressions say the name."""
        plain = "".join(c if c.isalnum() else "_" for c in wanted).strip("_") or "unnamed"
        plain = f"_{plain}"  # never the name of an imported class
        taken, name = set(self._named.values()) | {"MODULE", "BUILD"}, plain
        while name in taken:
            name += "_"
        self._named[value] = name
        return name

    def imports(self) -> list[str]:
        """The import statements, sorted."""
        return [f"from {module} import {', '.join(sorted(n))}" for module, n in sorted(self._imports.items())]

    def use(self, module: str, name: str) -> str:
        """A name that has to be imported."""
        self._imports.setdefault(module, set()).add(name)
        return name

    def define_named(self, value: Any, wanted: str) -> str:
        """A definition of a value that later ones mention by its name."""
        text = self._text(value, 0, True)
        return f"{self.name(value, wanted)} = {text}"

    def define(self, name: str, value: Any) -> str:
        """``name = expression``; the value itself is not said by its name."""
        return f"{name} = {self._text(value, 0, True)}"

    def _text(self, value: Any, indent: int, own: bool = False) -> str:
        rule = _RULES.get(type(value))
        if rule is not None:
            return rule(self, value)
        if not own and _is_named(value) and value in self._named:
            return self._named[value]
        if isinstance(value, tuple):
            return self._row(
                "(", [self._text(v, indent + 4) for v in value], ",)" if len(value) == 1 else ")", indent
            )
        if is_dataclass(value) and not isinstance(value, type):
            return self._object(value, indent)
        raise TypeError(f"a {type(value).__name__} cannot be written to a package: {value!r}")

    def _object(self, value: Any, indent: int) -> str:
        name = self.use(type(value).__module__, type(value).__name__)
        given = [
            f"{f.name}={self._text(getattr(value, f.name), indent + 4)}"
            for f in fields(value) if f.init and not _is_default(f, getattr(value, f.name))
        ]  # fmt: skip
        return self._row(f"{name}(", given, ")", indent)

    @staticmethod
    def _row(head: str, items: Sequence[str], tail: str, indent: int) -> str:
        line = f"{head}{', '.join(items)}{tail}"
        if len(line) + indent <= _WIDTH and "\n" not in line:
            return line
        inner = " " * (indent + 4)
        body = "".join(f"{inner}{item},\n" for item in items)
        return f"{head}\n{body}{' ' * indent}{tail.lstrip(',')}"


def _is_named(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return is_dataclass(value)


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default is not NO_DEFAULT:
        return value is field.default or (type(value) is type(field.default) and bool(value == field.default))
    return field.default_factory is not NO_DEFAULT and bool(value == field.default_factory())


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'


def _mapping(literals: Literals, value: Mapping[Any, Any]) -> str:
    return f"{{{', '.join(f'{literals._text(k, 0)}: {literals._text(v, 0)}' for k, v in value.items())}}}"


def _scalar(literals: Literals, value: Scalar) -> str:
    assert SCALARS[value.name] == value
    return f'{literals.use("samebytes.types", "SCALARS")}["{value.name}"]'


_RULES: dict[type, Callable[[Literals, Any], str]] = {
    str: lambda literals, value: repr(literals._clean(value)),
    bytes: lambda literals, value: repr(value),
    int: lambda literals, value: repr(value),
    bool: lambda literals, value: repr(value),
    type(None): lambda literals, value: "None",
    float: lambda literals, value: _float(value),
    dict: _mapping,
    Scalar: _scalar,
    Void: lambda literals, value: literals.use("samebytes.types", "VOID"),
    type(MISSING): lambda literals, value: literals.use("samebytes.types", "MISSING"),
}
