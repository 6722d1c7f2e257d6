"""Makes `try` in compiled code hold: in what Numba inlines there, in conditions, and where blocks are nested in loops.

Inside `try` a statement that fails falls through, and the check behind it goes to the handler. Numba writes such a
check behind each of the statements that it reads itself, but behind none that it inlines from another function, nor
where an object is asked for its truth: what follows would run with zeros, on an object that is not there. And it counts
how many blocks it is in, by marks that it forgets where one block ends in another: in a loop an exception then leaves
the function though a handler is there. Here each place knows whether it is inside, whichever way was taken to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps
from importlib import import_module
from typing import Any

from numba import types
from numba.core import ir
from numba.core.unsafe import eh
from numba.extending import intrinsic

_RAISING = frozenset({
    "call", "binop", "inplace_binop", "unary", "getattr", "getitem", "static_getitem", "typed_getitem", "getiter",
    "iternext", "exhaust_iter",
})  # fmt: skip
_WRITES = (ir.SetAttr, ir.SetItem, ir.StaticSetItem, ir.DelItem)
_RAISES = {ir.StaticRaise: ir.StaticTryRaise, ir.DynamicRaise: ir.DynamicTryRaise}


@intrinsic
def inside(typing: Any) -> Any:
    """From here on an exception waits for a check."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.call_conv._get_try_state(builder)
        builder.store(place.type.pointee(1), place)
        return context.get_dummy_value()

    return types.none(), write


@intrinsic
def outside(typing: Any) -> Any:
    """From here on an exception leaves the function; one that was caught is forgotten."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        context.call_conv.unset_try_status(builder)
        place = context.call_conv._get_try_state(builder)
        builder.store(place.type.pointee(0), place)
        return context.get_dummy_value()

    return types.none(), write


_OURS = {eh.mark_try_block: inside, eh.end_try_block: outside, eh.exception_check: eh.exception_check}


def register_checks() -> None:
    """Have this done before Numba gives each assignment a name of its own, which joins those of the handlers' ways."""
    names: Any = import_module("numba.core.untyped_passes").ReconstructSSA
    original = names.run_pass

    @wraps(original)
    def run_pass(self: Any, state: Any) -> Any:
        write_checks(state.func_ir)
        return original(self, state)

    names.run_pass = run_pass


def write_checks(func_ir: Any) -> None:
    """Make the `try` blocks of a function hold."""
    writer = _Writer(func_ir)
    if writer.marks:
        writer.write()


class _Writer:
    """One function.

    Attributes
    ----------
    marks : dict
        The calls that say where `try` blocks begin, end, and are left: the identity of each statement.
    handlers : dict
        By block with a check: where the check goes, and the variables that Numba sets to None for the handler.
    """

    def __init__(self, func_ir: Any) -> None:
        self.func_ir = func_ir
        self._count = 0
        self.marks: dict[int, Any] = {}
        self.handlers: dict[int, tuple[int, list[Any]]] = {}
        named: dict[str, Any] = {}
        for block in func_ir.blocks.values():
            for statement in block.body:
                self._read(statement, named)
        for label, block in func_ir.blocks.items():
            if self._checked(block) and isinstance(block.terminator, ir.Branch):
                self.handlers[label] = block.terminator.truebr, [s for s in block.body if _is_none(s)]

    def _read(self, statement: Any, named: dict[str, Any]) -> None:
        value = getattr(statement, "value", None)
        if isinstance(value, ir.Global) and any(value.value is mark for mark in _OURS):
            named[statement.target.name] = value.value = _OURS[value.value]
        elif isinstance(value, ir.Expr) and value.op == "call" and value.func.name in named:
            self.marks[id(statement)] = named[value.func.name]

    def _checked(self, block: Any) -> bool:
        return any(self.marks.get(id(s)) is eh.exception_check for s in block.body)

    def write(self) -> None:
        """Write what is missing."""
        within = self._within()
        entered = self._entered()
        for label, handler in within.items():
            if label not in self.handlers and handler is not None:
                self._split(label, handler)
            elif label in self.handlers and label in entered:
                block = self.func_ir.blocks[label]
                block.body[:0] = self._call(block.scope, inside, block.loc)

    def _entered(self) -> set[int]:
        """The blocks that are reached otherwise than past a check: they may be the first of a `try` block."""
        return {
            target for label, block in self.func_ir.blocks.items() for target in block.terminator.get_targets()
            if label not in self.handlers or target == self.handlers[label][0]
        }  # fmt: skip

    def _within(self) -> dict[int, Any]:
        """For each block the handler of the `try` block that is around its beginning; None for none."""
        found: dict[int, Any] = {}
        waiting: list[tuple[int, Any]] = [(min(self.func_ir.blocks), None)]
        while waiting:
            label, handler = waiting.pop()
            if label in found and (handler is None or found[label] is not None):
                continue
            found[label] = handler
            block = self.func_ir.blocks[label]
            for statement in block.body:
                if id(statement) in self.marks and self.marks[id(statement)] is not eh.exception_check:
                    handler = None
            handler = self.handlers.get(label, handler)
            waiting += [(target, handler) for target in block.terminator.get_targets()]
        return found

    def _split(self, label: int, handler: Any) -> None:
        """A block of its own for what follows each statement that may fail."""
        blocks = self.func_ir.blocks
        block, statements = blocks[label], list(blocks[label].body)
        block.body = []
        for statement in statements:
            if id(statement) in self.marks:
                handler = None
            target, nones = handler or (None, [])
            if target is not None and type(statement) in _RAISES:
                raised = _RAISES[type(statement)](statement.exc_class, statement.exc_args, statement.loc)
                block.body += [raised, *self._nones(nones), ir.Jump(target, statement.loc)]
                continue
            block.body.append(statement)
            if target is not None and _may_fail(statement):
                number = max(blocks) + 1
                block.body += [*self._nones(nones), *self._check(block.scope, target, number, statement.loc)]
                blocks[number] = block = ir.Block(block.scope, statement.loc)

    def _nones(self, given: list[Any]) -> Iterator[Any]:
        for assign in given:
            value = ir.Const(None, assign.loc)
            self.func_ir._definitions[assign.target.name].append(value)
            yield ir.Assign(value, assign.target, assign.loc)

    def _check(self, scope: Any, handler: int, follower: int, loc: Any) -> Iterator[Any]:
        made = self._call(scope, eh.exception_check, loc)
        yield from made
        yield ir.Branch(made[-1].target, handler, follower, loc)

    def _call(self, scope: Any, function: Any, loc: Any) -> list[Any]:
        self._count += 1
        callee, found = (ir.Var(scope, f"$samebytes.{kind}.{self._count}", loc) for kind in ("try", "tried"))
        values = ir.Global("samebytes", function, loc), ir.Expr.call(callee, (), (), loc)
        for variable, value in zip((callee, found), values, strict=True):
            self.func_ir._definitions[variable.name].append(value)
        return [ir.Assign(values[0], callee, loc), ir.Assign(values[1], found, loc)]


def _is_none(statement: Any) -> bool:
    """Whether a statement sets a variable that stands for the exception: Numba has None for each."""
    value = getattr(statement, "value", None)
    return isinstance(value, ir.Const) and value.value is None and statement.target.is_temp


def _may_fail(statement: Any) -> bool:
    if isinstance(statement, ir.Assign):
        return isinstance(statement.value, ir.Expr) and statement.value.op in _RAISING
    return isinstance(statement, _WRITES)
