"""Structs that a function writes to become records, all others values: decided before Numba infers types.

In Python every struct is an object. Compiled code needs the object only where it is written to, directly or by C++;
elsewhere a value, which lives in registers, cannot be told from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from numba import types

from ...loading.library import Namespace
from ...loading.templates.library import FunctionTemplate
from ..calls.deducing import Deduced, Known, deduced
from ..calls.overloads import Overloads
from ..classes.constructors import FieldsConstructor
from ..classes.fields import METHODS
from ..compiler import NumbaCompiler
from ..datamodel.kinds import LARGEST_VALUE, CallableType, RecordType, StructType
from .aliases import Names, read_names
from .effects import gives_reference, gives_struct, is_pure, makes_struct, writes, written_operands
from .folding import fold_templates
from .inserted import Converted, ElementWrite, UnboundMethod
from .literals import mark_literals, register_literals
from .stacks import Stack


@dataclass(eq=False)
class Rewriter:
    """Decides for one function.

    Attributes
    ----------
    own, value : Converted
    known : callable
        The overloads of a bound function.
    """

    compiler: NumbaCompiler
    own: Converted
    value: Converted
    known: Known
    methods: dict[str, UnboundMethod] = field(default_factory=dict)
    elements: dict[str, ElementWrite] = field(default_factory=dict)

    def rewrite(self, func_ir: Any, arguments: Sequence[Any], *, owned: bool = False) -> None:
        """Change a function's IR in place; it is left alone where nothing of ours is used or given.

        Parameters
        ----------
        owned : bool
            Whether structs that are given by value are the function's own to write to: a kernel's.
        """
        fold_templates(self.compiler, func_ir)
        names = read_names(self.compiler, func_ir, Namespace)
        known = {name: found for name, o in names.objects.items() if (found := self._bound(o)) is not None}
        if not known and not any(isinstance(a, StructType | RecordType) for a in arguments):
            return
        written = {names.groups.find(n) for n in names.written}
        for _, assign in names.calls:
            written |= {names.groups.find(n) for n in self.written_by(names, known, assign.value)}
        structs = self._structs(names, known, arguments)
        for _, assign in (*names.operations, *names.items):
            operands = [n for n in written_operands(assign.value) if names.same.find(n) in structs]
            written |= {names.groups.find(n) for n in operands}
        made = [(label, a) for label, a in names.calls if self._makes_struct(names, known, a.value)]
        made += [(label, a) for label, a in names.operations if names.groups.find(a.target.name) in written]
        written |= {names.groups.find(n) for n in names.updated}
        met = self._met(names, known, arguments)
        made += [
            (label, a) for label, a in names.operations if a.target.name in met and (label, a) not in made
        ]
        written |= {names.groups.find(n) for n in met}
        for label, assign in made:
            self._decide(func_ir, label, assign, known, names.groups.find(assign.target.name) in written)
        self._bind_methods(func_ir, names, known, arguments)
        self._fit_elements(func_ir, names)
        stack = Stack(self, func_ir, names, arguments, written)
        if owned:
            stack.own_parameters()
        if self.compiler.cuda:
            stack.check_loops(made)
            stack.return_values(known, made)

    def _bound(self, value: Any) -> Any:
        """The function or class of ours that an object is."""
        if isinstance(value, FunctionTemplate):
            return deduced(self.compiler, value, self.known)
        try:
            kind = self.compiler.typing._lookup_global(value)
        except TypeError:
            return None
        return kind.bound if isinstance(kind, CallableType) else None

    def written_by(self, names: Names, known: dict[str, Any], call: Any) -> list[str]:
        """The variables whose objects a call may write to."""
        given = [(i, a.name) for i, a in enumerate(call.args)] + [(k, a.name) for k, a in call.kws]
        bound = known.get(call.func.name)
        if isinstance(bound, Overloads):
            return [n for place, n in given if writes(bound, place, 0)]
        if isinstance(bound, Deduced):
            return [n for _, n in given]  # it is known when types are
        if bound is not None or is_pure(names.objects.get(call.func.name)):
            return []
        found = []
        if (method := names.getattrs.get(call.func.name)) is not None:
            options = [m[method[1]] for m in METHODS.values() if method[1] in m]
            if options:
                found = [method[0]] if any(writes(o, 0, 0) for o in options) else []
                return found + [n for place, n in given if any(writes(o, place, 1) for o in options)]
            found = [method[0]]
        elif call.func.name not in names.objects:
            found = [call.func.name]  # an object that is called
        return found + [n for _, n in given]

    def _makes_struct(self, names: Names, known: dict[str, Any], call: Any) -> bool:
        bound = known.get(call.func.name)
        if isinstance(bound, FieldsConstructor | Deduced):
            return True
        if isinstance(bound, Overloads):
            return gives_struct(bound)
        if _is_compiled(names.objects.get(call.func.name)):
            return True  # a compiled function of the user's may give one
        method = names.getattrs.get(call.func.name)
        return method is not None and any(
            gives_struct(m[method[1]]) for m in METHODS.values() if method[1] in m
        )

    def _structs(self, names: Names, known: dict[str, Any], arguments: Sequence[Any]) -> set[str]:
        """The groups of variables that may be structs: of those that were given, and of those that calls gave."""
        given = {
            names.same.find(name) for i, name in names.parameters.items()
            if i < len(arguments) and isinstance(arguments[i], StructType | RecordType)
        }  # fmt: skip
        made = [a.target.name for _, a in names.calls if any(self.gives(names, known, a.value))]
        return given | {names.same.find(name) for name in made}

    def _met(self, names: Names, known: dict[str, Any], arguments: Sequence[Any]) -> set[str]:
        """The variables that are a value on one way, and on another what others know: the value is made a record."""
        same = names.same.find
        known_to_others: dict[Any, str] = {
            i: same(name) for i, name in names.parameters.items()
            if i < len(arguments) and isinstance(arguments[i], RecordType)
        }  # fmt: skip
        values: dict[int, str] = {}
        for _, assign in names.calls:
            value, refers = self.gives(names, known, assign.value)
            if refers:
                known_to_others[id(assign)] = same(assign.target.name)
            if value:
                values[id(assign)] = assign.target.name
        objects = set(known_to_others.values())
        met = {a.target.name for _, a in names.operations if same(a.target.name) in objects}
        shared = [*known_to_others.items(), *((name, same(name)) for name in names.parts)]
        return met | {n for i, n in values.items() if any(o != i and g == same(n) for o, g in shared)}

    def gives(self, names: Names, known: dict[str, Any], call: Any) -> tuple[bool, bool]:
        """Whether a call may give a struct by value, and whether what others may know, too."""
        bound = known.get(call.func.name)
        if isinstance(bound, FieldsConstructor):
            return True, False
        if isinstance(bound, Overloads):
            return gives_struct(bound), gives_reference(bound)
        if isinstance(bound, Deduced) or _is_compiled(names.objects.get(call.func.name)):
            return True, True
        method = names.getattrs.get(call.func.name)
        options = [m[method[1]] for m in METHODS.values() if method[1] in m] if method else []
        return any(map(gives_struct, options)), any(map(gives_reference, options))

    def _decide(self, func_ir: Any, label: int, assign: Any, known: dict[str, Any], written: bool) -> None:
        bound = known.get(assign.value.func.name) if assign.value.op == "call" else None
        if isinstance(bound, FieldsConstructor):
            if bound.struct.immutable:
                return
            if not written and bound.handle is None and bound.struct.layout.size <= LARGEST_VALUE:
                self._call(func_ir, label, assign, bound.value_form())
        elif written:
            made = self.variable(func_ir, label, assign.loc)
            target, assign.target = assign.target, made
            func_ir._definitions[made.name].append(assign.value)
            self.insert(func_ir, label, assign, target, self.own, made)

    def variable(self, func_ir: Any, label: int, loc: Any) -> Any:
        self._count = getattr(self, "_count", 0) + 1
        return self.compiler.ir.Var(func_ir.blocks[label].scope, f"$samebytes.{self._count}", loc)

    def _call(self, func_ir: Any, label: int, assign: Any, callee: Any) -> None:
        """Have a call go to another callee."""
        ir, block = self.compiler.ir, func_ir.blocks[label]
        variable = self.variable(func_ir, label, assign.loc)
        constant = ir.Global("samebytes", callee, assign.loc)
        func_ir._definitions[variable.name].append(constant)
        block.body.insert(block.body.index(assign), ir.Assign(constant, variable, assign.loc))
        assign.value.func = variable

    def insert(self, func_ir: Any, label: int, after: Any, target: Any, callee: Any, argument: Any) -> None:
        """``target = callee(argument)`` behind a statement."""
        ir, block = self.compiler.ir, func_ir.blocks[label]
        loc, function = after.loc, self.variable(func_ir, label, after.loc)
        constant = ir.Global("samebytes", callee, loc)
        expression = ir.Expr.call(function, (argument,), (), loc)
        func_ir._definitions[function.name].append(constant)
        func_ir._definitions[target.name] = [
            expression if d is after.value else d for d in func_ir._definitions[target.name]
        ] or [expression]
        place = next(i for i, s in enumerate(block.body) if s is after) + 1
        block.body[place:place] = [ir.Assign(constant, function, loc), ir.Assign(expression, target, loc)]

    def _bind_methods(
        self, func_ir: Any, names: Names, known: dict[str, Any], arguments: Sequence[Any]
    ) -> None:
        """``x.f(y)`` of an ``x`` that is a struct becomes ``f(x, y)``: a bound method would count references."""
        structs = {
            names.same.find(a.target.name)
            for _, a in names.calls
            if makes_struct(known.get(a.value.func.name))
        }
        structs |= {
            names.same.find(name) for i, name in names.parameters.items()
            if i < len(arguments) and isinstance(arguments[i], StructType | RecordType)
        }  # fmt: skip
        for label, assign in names.calls:
            call = assign.value
            owner, name = names.getattrs.get(call.func.name, ("", ""))
            if names.same.find(owner) in structs and any(name in m for m in METHODS.values()):
                receiver = self.compiler.ir.Var(func_ir.blocks[label].scope, owner, assign.loc)
                self._call(func_ir, label, assign, self._unbound(name))
                call.args = [receiver, *call.args]

    def _fit_elements(self, func_ir: Any, names: Names) -> None:
        """What is written to elements of the array that a field is goes through the rule of fields."""
        fields = dict(names.getattrs)
        for _, assign in names.items:  # x.f[i][j] = v
            if assign.value.value.name in fields:
                fields.setdefault(assign.target.name, fields[assign.value.value.name])
        ir = self.compiler.ir
        for label, block in func_ir.blocks.items():
            for statement in [s for s in block.body if isinstance(s, ir.SetItem | ir.StaticSetItem)]:
                if statement.target.name not in fields:
                    continue
                owner, attr = fields[statement.target.name]
                callee, target = (self.variable(func_ir, label, statement.loc) for _ in "12")
                constant = ir.Global("samebytes", self._element(attr), statement.loc)
                given = (ir.Var(block.scope, owner, statement.loc), statement.value)
                expression = ir.Expr.call(callee, given, (), statement.loc)
                func_ir._definitions[callee.name].append(constant)
                func_ir._definitions[target.name].append(expression)
                place = next(i for i, s in enumerate(block.body) if s is statement)
                block.body[place:place] = [
                    ir.Assign(constant, callee, statement.loc), ir.Assign(expression, target, statement.loc)
                ]  # fmt: skip
                statement.value = target

    def _element(self, name: str) -> ElementWrite:
        if name not in self.elements:
            made = self.elements[name] = ElementWrite(self.compiler, name)
            made.register()
        return self.elements[name]

    def _unbound(self, name: str) -> UnboundMethod:
        if name not in self.methods:
            made = self.methods[name] = UnboundMethod(self.compiler, name)
            made.register()
        return self.methods[name]


def _is_compiled(function: Any) -> bool:
    """Whether it is a function of the user's that Numba compiles."""
    return hasattr(function, "py_func") or (
        hasattr(function, "underlying") and not isinstance(function, type)
    )


def register_rewriting(compiler: NumbaCompiler, known: Known) -> None:
    """Have a compiler rewrite every function before it infers types.

    Parameters
    ----------
    known : callable
        The overloads of a bound function.
    """
    own, value = Converted(compiler, "own"), Converted(compiler, "value")
    own.register()
    value.register()
    register_literals(compiler)
    rewriter = Rewriter(compiler, own, value, known)

    @compiler.rewrites.register_rewrite("before-inference")
    class Records(compiler.rewrites.Rewrite):  # type: ignore[name-defined,misc]
        """Runs once for each function, though Numba asks once for each block."""

        def __init__(self, state: Any = None) -> None:
            self._arguments = tuple(getattr(state, "args", None) or ())
            self._kernel = compiler.cuda and getattr(state, "return_type", None) == types.void
            self._seen = False

        def match(self, func_ir: Any, block: Any, typemap: Any, calltypes: Any) -> bool:
            if not self._seen:
                self._seen = True
                rewriter.rewrite(func_ir, self._arguments, owned=self._kernel)
                mark_literals(compiler, func_ir, self._arguments)
            return False
