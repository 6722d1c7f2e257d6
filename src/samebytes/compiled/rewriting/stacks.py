"""GPUs, where records lie on the stack: what a kernel owns, what loops would make twice, what functions return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ...frozen import frozen
from ..compiler import NumbaCompiler
from ..datamodel.kinds import RecordType, StructType
from .aliases import Groups, Names, assignments, loops
from .inserted import Converted


class Rewriting(Protocol):
    """What is asked of the rewriter: see :class:`.structs.Rewriter`."""

    compiler: NumbaCompiler
    own: Converted
    value: Converted

    def variable(self, func_ir: Any, label: int, loc: Any) -> Any: ...
    def insert(
        self, func_ir: Any, label: int, after: Any, target: Any, callee: Any, argument: Any
    ) -> None: ...
    def gives(self, names: Names, known: dict[str, Any], call: Any) -> tuple[bool, bool]: ...
    def written_by(self, names: Names, known: dict[str, Any], call: Any) -> list[str]: ...


@frozen(slots=False)
class Stack:
    """One function.

    Attributes
    ----------
    written : set of str
        The groups of variables whose records are written to.
    """

    rewriter: Rewriting
    func_ir: Any
    names: Names
    arguments: Sequence[Any]
    written: set[str]

    def own_parameters(self) -> None:
        """What a kernel is given by value and writes to is a record of its own."""
        names, func_ir = self.names, self.func_ir
        given = {name for i, name in names.parameters.items() if isinstance(self.arguments[i], StructType)}
        for label, assign in list(assignments(self.rewriter.compiler, func_ir)):
            target = assign.target
            if target.name in given and names.groups.find(target.name) in self.written:
                assign.target = self.rewriter.variable(func_ir, label, assign.loc)
                func_ir._definitions[assign.target.name] = [assign.value]
                self.rewriter.insert(func_ir, label, assign, target, self.rewriter.own, assign.target)

    def check_loops(self, made: list[Any]) -> None:
        """One place on the stack serves every turn of a loop: two names would be one record."""
        names, compiler = self.names, self.rewriter.compiler
        repeated = loops(compiler, self.func_ir)
        for label, assign in made:
            group = names.groups.find(assign.target.name)
            if label not in repeated or group not in self.written:
                continue
            users = sorted(n for n in names.users if names.groups.find(n) == group)
            if len(users) > 1:
                text = (
                    f"{' and '.join(users)} name one record, which is made in a loop and written to; on a GPU each "
                    f"turn of the loop makes it in the same place. Make a copy: {users[0]} = Class({users[1]})"
                )
                raise compiler.errors.TypingError(text, loc=assign.loc)

    def return_values(self, known: dict[str, Any], made: list[Any]) -> None:
        """A function's stack ends with it: what it made is returned as a value, and what it was given as it is."""
        group, compiler = self.names.groups.find, self.rewriter.compiler
        own = {group(a.target.name) for _, a in made if self._is_own(known, a.value)} & self.written
        given = {
            group(name) for i, name in self.names.parameters.items() if isinstance(self.arguments[i], RecordType)
        }  # fmt: skip
        leads = self._leads(known)
        own, given = ({leads.find(g) for g in some} for some in (own, given))
        for label, block in self.func_ir.blocks.items():
            last = block.body[-1]
            if not isinstance(last, compiler.ir.Return) or leads.find(group(last.value.name)) not in own:
                continue
            if leads.find(group(last.value.name)) in given:
                text = (
                    "it returns a record that was given to it, or one of its own, which ends with it on a GPU; "
                    "return a copy of either: Class(x)"
                )
                raise compiler.errors.TypingError(text, loc=last.loc)
            result = self.rewriter.variable(self.func_ir, label, last.loc)
            self.rewriter.insert(self.func_ir, label, block.body[-2], result, self.rewriter.value, last.value)
            last.value = result

    def _is_own(self, known: dict[str, Any], expression: Any) -> bool:
        """Whether what an expression gives lies in the function's own stack."""
        return expression.op != "call" or self.rewriter.gives(self.names, known, expression)[0]

    def _leads(self, known: dict[str, Any]) -> Groups:
        """Groups by what C++ refers to: it may lie in an argument."""
        found, group = Groups(), self.names.groups.find
        for _, assign in self.names.calls:
            if self.rewriter.gives(self.names, known, assign.value)[1]:
                for name in self.rewriter.written_by(self.names, known, assign.value):
                    found.join(group(assign.target.name), group(name))
        return found
