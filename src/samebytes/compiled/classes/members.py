"""What namespaces and classes hold, in compiled code: functions, classes, enumerations, constants, variables."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types

from ...call.attribute import Attribute
from ...errors import Error, Mismatch, call_error
from ...frozen import frozen
from ...loading.library import Namespace
from ...loading.templates.library import FunctionTemplate, TemplateBase
from ...types import Const, Type, unqualified
from ...values.handle import CxxHandle
from ..arguments.rules import fit_type
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import struct_type
from ..datamodel.kinds import CallableType, NamespaceType, StructType
from ..datamodel.models import ADDRESS
from ..lowering.memory import array_at, is_place, read_type
from ..lowering.reading import from_storage
from ..lowering.site import Call, Site
from ..lowering.storing import store
from .fields import CLASS_MEMBERS, METHODS


@frozen(slots=False)
class Static:
    """A variable of C++.

    Attributes
    ----------
    type : Type
        Const where it cannot be written.
    address : int
        Where it lies; of a ``thread_local`` one, what tells where.
    told : bool
        Whether it is ``thread_local``.
    """

    type: Type
    address: int
    told: bool

    @property
    def const(self) -> bool:
        """Whether C++ does not let it be written."""
        return isinstance(self.type, Const)

    def place(self, site: Site) -> Any:
        """The address of its bytes."""
        found = site.context.add_dynamic_addr(site.builder, self.address, info="samebytes variable")
        if not self.told:
            return found
        place = site.compiler.cgutils.alloca_once(site.builder, ADDRESS)
        table = site.compiler.cgutils.alloca_once_value(site.builder, site.builder.bitcast(place, ADDRESS))
        form = ir.FunctionType(ir.VoidType(), [ADDRESS.as_pointer()])
        site.builder.call(site.builder.bitcast(found, form.as_pointer()), [table])
        return site.builder.load(place)


# Every variable of a library, by the attribute that Python reads it with.
VARIABLES: dict[Attribute, Static] = {}


def _owner(typ: Any) -> Any:
    """The namespace or the class itself."""
    if isinstance(typ, NamespaceType):
        return typ.space
    return typ.struct.python if isinstance(typ, StructType) else getattr(typ.bound, "python", None)


def _attribute(owner: Any, attr: str) -> Attribute | None:
    if isinstance(owner, Namespace):
        variables: dict[str, Attribute] = owner.__variables__
        return variables.get(attr)
    found = inspect.getattr_static(owner, attr, None)
    return found if isinstance(found, Attribute) else None


def _static(compiler: NumbaCompiler, owner: Any, attr: str) -> Static | None:
    """The variable that a name is; None for what is none."""
    held = _attribute(owner, attr)
    if held is None:
        return None
    if held not in VARIABLES:
        kind = "text or a container" if held.type is None else f"{held.type}"
        raise compiler.errors.TypingError(
            f"{attr} is a variable of C++ ({kind}) that compiled code cannot read"
        )
    return VARIABLES[held]


def _member_type(compiler: NumbaCompiler, typ: Any, attr: str) -> Any:
    owner = _owner(typ)
    if owner is None or attr == "__call__":
        return None
    if (static := _static(compiler, owner, attr)) is not None:
        try:
            return read_type(static.type, compiler.dialect, writable=not static.const)
        except Mismatch as mismatch:
            raise compiler.errors.TypingError(f"{attr}: {mismatch}") from None
    try:
        value = getattr(owner, attr)
    except AttributeError as error:
        raise compiler.errors.TypingError(str(error)) from None
    if isinstance(value, TemplateBase) and not isinstance(value, FunctionTemplate):
        raise compiler.errors.TypingError(f"{attr} is a template of C++: {attr}[...] says of which types")
    return _value_type(compiler, owner, attr, value)


def _value_type(compiler: NumbaCompiler, owner: Any, attr: str, value: Any) -> Any:
    known = _lookup(compiler, value)
    if known is not None:
        return known
    struct = getattr(owner, "__samebytes_type__", None) if isinstance(owner, type) else None
    methods = METHODS.get(struct_type(struct, compiler.dialect, owner), {}) if struct is not None else {}
    if attr in methods:
        return CallableType(getattr(methods[attr], "of_class", methods[attr]))
    if isinstance(value, type) and issubclass(value, CxxHandle):
        why = (
            "only C++ makes and destroys its objects"
            if compiler.cuda
            else "its library is not bound for Numba"
        )
        raise compiler.errors.TypingError(f"{attr} is a class that compiled code cannot use: {why}")
    try:
        return compiler.typing.resolve_value_type(value)
    except Exception as error:
        words = str(error).partition("\n")[0]
        raise compiler.errors.TypingError(f"{attr} is nothing that compiled code can use: {words}") from None


def _lookup(compiler: NumbaCompiler, value: Any) -> Any:
    try:
        return compiler.typing._lookup_global(value)
    except TypeError:  # no hash: an array, a record
        return None


def _lower_read(compiler: NumbaCompiler) -> Callable[..., Any]:
    def read(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
        owner, kind = _owner(typ), _member_type(compiler, typ, attr)
        static = _static(compiler, owner, attr)
        if static is None:
            if isinstance(kind, types.Callable | types.Dummy):
                return context.get_dummy_value()
            return context.get_constant_generic(builder, kind, getattr(owner, attr))
        site = Site(compiler, context, builder)
        place = static.place(site)
        if isinstance(kind, types.Array):
            return array_at(site, kind, unqualified(static.type), place, None)  # type: ignore[arg-type]
        if is_place(static.type, writable=not static.const):
            return site.make_record(kind, place, site.no_owner)
        return from_storage(site, static.type, place, compiler.dialect)

    return read


def _of_object(compiler: NumbaCompiler, typ: StructType, attr: str) -> Any:
    """The type of what an object has from its class: a static data member, a constant, an enumerator."""
    found = inspect.getattr_static(typ.struct.python, attr, None)
    return _member_type(compiler, typ, attr) if isinstance(found, Attribute | int | float) else None


# --- writing


def fit_static(compiler: NumbaCompiler, typ: Any, attr: str, value: Any) -> Any:
    """How a value serves a variable that is set; TypingError in words where it does not.

    Returns
    -------
    tuple of (Static, Fit)
    """
    owner = _owner(typ)
    static = _static(compiler, owner, attr) if owner is not None else None
    if static is None:
        raise compiler.errors.TypingError(f"{attr} is no variable of C++: compiled code cannot set it")
    if static.const:
        raise compiler.errors.TypingError(f"{attr} is const in C++ and cannot be set")
    try:
        return static, fit_type(unqualified(static.type), value, compiler.dialect)
    except Mismatch as mismatch:
        mismatch.index, mismatch.name = 0, attr
        words = str(call_error(f"{attr} = x, in", [mismatch]))
        raise compiler.errors.TypingError(words) from None
    except Error as error:
        raise compiler.errors.TypingError(str(error)) from None


def _lower_write(compiler: NumbaCompiler) -> Callable[..., Any]:
    def write(context: Any, builder: Any, signature: Any, args: Any, attr: str) -> Any:
        typ, given = signature.args
        static, fitted = fit_static(compiler, typ, attr, given)
        call = Call(compiler, context, builder, attr)
        store(call, static.type, static.place(call), fitted.lower(call, args[1]))

    return write


def register_members(compiler: NumbaCompiler) -> None:
    """Teach a compiler what namespaces and classes hold."""
    templates = compiler.templates

    for kind in (NamespaceType, CallableType):

        class Members(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
            key = kind

            def generic_resolve(self, typ: Any, attr: str) -> Any:
                return _member_type(compiler, typ, attr)

        compiler.typing.insert_attributes(Members(compiler.typing))
        compiler.registry.lower_getattr_generic(kind)(_lower_read(compiler))
        compiler.registry.lower_setattr_generic(kind)(_lower_write(compiler))

    @compiler.typeof.typeof_impl.register(Namespace)
    def typeof_namespace(value: Any, context: Any) -> Any:
        return NamespaceType(value)

    compiler.install()
    CLASS_MEMBERS[compiler.name] = _of_object, _lower_read(compiler)
    original = compiler.typing.resolve_setattr

    def resolve_setattr(target: Any, attr: str, value: Any) -> Any:
        if not isinstance(target, NamespaceType | CallableType):
            return original(target, attr, value)
        fit_static(compiler, target, attr, value)
        return templates.signature(types.none, target, value)

    compiler.typing.resolve_setattr = resolve_setattr
