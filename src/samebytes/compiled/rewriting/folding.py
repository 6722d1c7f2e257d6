"""Subscripts of templates in compiled code, ``f.Vec[float, 3]``: they are constants, so they are done beforehand."""

from __future__ import annotations

import operator
from typing import Any

from ...errors import Error
from ...loading.library import Namespace
from ...loading.templates.library import TemplateBase
from ..compiler import NumbaCompiler
from .aliases import assignments

_UNKNOWN = object()


class Constants:
    """The values of a function's variables that are known while it is read.

    Parameters
    ----------
    func_ir : numba IR
    """

    def __init__(self, compiler: NumbaCompiler, func_ir: Any) -> None:
        self._ir = compiler.ir
        self._known: dict[str, list[Any]] = {}
        for _, assign in assignments(compiler, func_ir):
            self._known.setdefault(assign.target.name, []).append(assign.value)

    def of(self, variable: Any) -> Any:
        """A variable's value; ``_UNKNOWN`` where it has several, or is computed."""
        definitions = self._known.get(variable.name, [])
        return self._value(definitions[0]) if len(definitions) == 1 else _UNKNOWN

    def _value(self, value: Any) -> Any:
        ir = self._ir
        if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
            return value.value
        if isinstance(value, ir.Var):
            return self.of(value)
        if not isinstance(value, ir.Expr):
            return _UNKNOWN
        if value.op == "getattr":
            owner = self.of(value.value)
            known = isinstance(owner, Namespace | type) or hasattr(owner, "__file__")
            return getattr(owner, value.attr, _UNKNOWN) if known else _UNKNOWN
        if value.op == "build_tuple":
            items = [self.of(item) for item in value.items]
            return _UNKNOWN if any(i is _UNKNOWN for i in items) else tuple(items)
        if value.op == "unary" and value.fn is operator.neg:
            number = self.of(value.value)
            return -number if isinstance(number, int) else _UNKNOWN
        if value.op in _SUBSCRIPTS:
            return self.subscript(value)
        return _UNKNOWN

    def subscript(self, value: Any) -> Any:
        """What a subscript of a template is; ``_UNKNOWN`` of anything else.

        Raises
        ------
        ArgumentError
            If C++ refuses it.
        """
        template = self.of(value.value)
        if not isinstance(template, TemplateBase):
            return _UNKNOWN
        index = value.index if value.op == "static_getitem" else self.of(value.index)
        if index is _UNKNOWN:
            raise Error(
                f"{template.__name__}[...]: in compiled code a template's arguments are constants or names of "
                "types that are known when it is compiled"
            )
        return template[index]


_SUBSCRIPTS = frozenset({"getitem", "static_getitem"})


def fold_templates(compiler: NumbaCompiler, func_ir: Any) -> None:
    """Put what subscripts of templates are in place of them."""
    ir = compiler.ir
    constants = Constants(compiler, func_ir)
    folded = []
    for _, assign in assignments(compiler, func_ir):
        value = assign.value
        if not isinstance(value, ir.Expr) or value.op not in _SUBSCRIPTS:
            continue
        try:
            found = constants.subscript(value)
        except Error as error:
            raise compiler.errors.TypingError(str(error), loc=assign.loc) from None
        if found is _UNKNOWN:
            continue
        index = value.index_var if value.op == "static_getitem" else value.index
        folded += [value.value.name, *([index.name] if index is not None else [])]
        assign.value = ir.Global("samebytes", found, assign.loc)
        func_ir._definitions[assign.target.name] = [assign.value]
    _drop(compiler, func_ir, folded)


def _drop(compiler: NumbaCompiler, func_ir: Any, names: list[str]) -> None:
    """Remove what nothing uses any more: Numba would look for a type of it."""
    ir = compiler.ir
    while names:
        used = {name for block in func_ir.blocks.values() for s in block.body for name in _read(ir, s)}
        dead = {n for n in names if n.startswith("$") and n not in used}
        names = []
        for block in func_ir.blocks.values():
            for statement in [s for s in block.body if isinstance(s, ir.Assign) and s.target.name in dead]:
                names += _read(ir, statement)
                block.body.remove(statement)


def _read(ir: Any, statement: Any) -> list[str]:
    """The names of the variables that a statement reads."""
    names = [v.name for v in statement.list_vars()]
    if isinstance(statement, ir.Assign):
        names.remove(statement.target.name)
    return names
