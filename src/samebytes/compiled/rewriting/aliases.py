"""Which variables of a function mean the same object, and whether it is written to: read from Numba's IR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..compiler import NumbaCompiler

# Expressions whose value is, holds, or is a part of what they are made of.
_PARTS = frozenset({"cast", "getattr", "static_getitem", "getitem", "typed_getitem", "exhaust_iter", "getiter",
                    "iternext", "pair_first", "pair_second"})  # fmt: skip
_SUBSCRIPTS = frozenset({"static_getitem", "getitem", "typed_getitem"})
_HOLDERS = frozenset({"build_tuple", "build_list"})


class Groups:
    """Names joined into groups (union-find)."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, name: str) -> str:
        """The name that stands for a group."""
        while (up := self._parent.get(name, name)) != name:
            name = up
        return name

    def join(self, one: str, other: str) -> None:
        """Make two groups one."""
        self._parent[self.find(one)] = self.find(other)


@dataclass
class Names:
    """What a function's IR says about its variables.

    Attributes
    ----------
    objects : dict
        The Python objects that variables are constants of.
    groups : Groups
        Variables that may share an object, parts and holders included.
    same : Groups
        Variables that are one object.
    written : set of str
        Variables whose object is written to in sight: ``s.x = v``, ``s.a[i] = v``.
    updated : set of str
        Left operands of ``+=`` and its like: most of them are numbers.
    parts : set of str
        Variables that were read from somewhere: a field, an element, a variable of C++.
    calls, operations, items : list
        ``(label, assignment)`` of every call, of every use of an operator, and of every ``x[i]``.
    """

    objects: dict[str, Any] = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    same: Groups = field(default_factory=Groups)
    written: set[str] = field(default_factory=set)
    updated: set[str] = field(default_factory=set)
    calls: list[tuple[int, Any]] = field(default_factory=list)
    operations: list[tuple[int, Any]] = field(default_factory=list)
    items: list[tuple[int, Any]] = field(default_factory=list)
    getattrs: dict[str, tuple[str, str]] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    parameters: dict[int, str] = field(default_factory=dict)


def assignments(compiler: NumbaCompiler, func_ir: Any) -> Iterator[tuple[int, Any]]:
    """Every assignment of a function, with the label of its block."""
    for label, block in func_ir.blocks.items():
        for statement in block.body:
            if isinstance(statement, compiler.ir.Assign):
                yield label, statement


def read_names(compiler: NumbaCompiler, func_ir: Any, members: type) -> Names:
    """Read a function's IR.

    Parameters
    ----------
    members : type
        The class of namespaces: their attributes are constants.
    """
    names = Names()
    ir = compiler.ir
    for _, assign in assignments(compiler, func_ir):
        if isinstance(assign.value, ir.Global | ir.FreeVar):
            names.objects[assign.target.name] = assign.value.value
        if not assign.target.name.startswith("$"):
            names.users.add(assign.target.name)
    for label, assign in assignments(compiler, func_ir):
        target, value = assign.target.name, assign.value
        if isinstance(value, ir.Var):
            names.groups.join(target, value.name)
            names.same.join(target, value.name)
        elif isinstance(value, ir.Arg):
            names.parameters[value.index] = target
        elif isinstance(value, ir.Expr):
            _read_expression(names, label, assign, members)
    _follow(compiler, func_ir, names)
    returned: list[str] = []
    for block in func_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, ir.Return):
                returned.append(statement.value.name)
            if isinstance(statement, ir.SetAttr | ir.SetItem | ir.StaticSetItem):
                names.written.add(statement.target.name)
    for name in returned[1:]:  # what calls give has one type
        names.groups.join(returned[0], name)
        names.same.join(returned[0], name)
    return names


def _follow(compiler: NumbaCompiler, func_ir: Any, names: Names) -> None:
    """Know callees behind other names: a conditional expression among the arguments gives them one for each way."""
    given: dict[str, list[Any]] = {}
    for _, assign in assignments(compiler, func_ir):
        given.setdefault(assign.target.name, []).append(assign.value)

    def root(name: str, seen: frozenset[str] = frozenset()) -> str:
        """What a name always means: another one, or itself."""
        if name in seen:
            return ""
        values = given.get(name, [])
        if not values or not all(isinstance(v, compiler.ir.Var) for v in values):
            return name
        found = {root(v.name, seen | {name}) for v in values} - {""}
        return found.pop() if len(found) == 1 else name

    for name in given:
        if (meant := root(name)) == name:
            continue
        for known in (names.objects, names.getattrs):
            if meant in known:
                known.setdefault(name, known[meant])


def _read_expression(names: Names, label: int, assign: Any, members: type) -> None:
    target, value = assign.target.name, assign.value
    if value.op in ("getattr", *_SUBSCRIPTS):
        names.parts.add(target)
    if value.op == "call":
        names.calls.append((label, assign))
    elif value.op == "getattr" and value.value.name in names.objects:
        owner = names.objects[value.value.name]
        if isinstance(owner, members | type) or hasattr(owner, "__file__"):
            names.objects[target] = getattr(owner, value.attr, None)
    elif value.op in _PARTS:
        names.groups.join(target, value.value.name)
        if value.op == "cast":
            names.same.join(target, value.value.name)
        if value.op == "getattr":
            names.getattrs[target] = (value.value.name, value.attr)
        elif value.op in _SUBSCRIPTS:
            names.items.append((label, assign))
    elif value.op in ("binop", "unary"):
        names.operations.append((label, assign))
    elif value.op == "inplace_binop":
        names.updated.add(value.lhs.name)
        names.groups.join(target, value.lhs.name)
    elif value.op in _HOLDERS:
        for item in value.items:
            names.groups.join(target, item.name)
    elif value.op == "phi":
        for item in value.incoming_values:
            names.groups.join(target, item.name)
            names.same.join(target, item.name)


def loops(compiler: NumbaCompiler, func_ir: Any) -> set[int]:
    """The labels of the blocks that run more than once."""
    graph = compiler.analysis.compute_cfg_from_blocks(func_ir.blocks)
    return {label for loop in graph.loops().values() for label in loop.body}
