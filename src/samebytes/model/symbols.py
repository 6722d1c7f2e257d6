"""What a library of shims has under which names: agreed between what writes the shims and what loads them."""

from __future__ import annotations

from ..later import at_first_use
from ..types import (
    MISSING,
    VOID,
    Const,
    Converted,
    Field,
    Function,
    Handle,
    Owner,
    Pointer,
    Struct,
    converted_parts,
    shows_elements,
    shows_text,
    unqualified,
)
from .module import Module, Variable
from .signature import Parameter, Signature
from .slots import fewest_arguments

hashlib = at_first_use("hashlib")

# The table of the bound functions' own addresses, null where a function has none that C could call.
ADDRESSES = "samebytes_functions"
# The table of addresses of functions that are looked up later, in the order of ``Module.lazy``.
LATER = "samebytes_slots"
# The digest of what a package's library was built from.
BUILD_SYMBOL = "samebytes_build"
# The namespace of the C++ classes whose virtual functions ask Python's.
OVERRIDING = "samebytes_overriding"


def shim_symbol(index: int | str, given: int) -> str:
    """The shim of function ``index`` called with its first ``given`` C++ arguments."""
    return f"samebytes_f{index}_{given}"


def further_symbol(index: int | str, words: int) -> str:
    """The shim of function ``index`` that passes further arguments, so many words of them on the stack."""
    return f"samebytes_f{index}_further{words}"


def call_symbol(function: Function) -> str:
    """The shim that calls through a pointer to a function of one type."""
    return f"samebytes_c{hashlib.sha256(function.spelling.encode()).hexdigest()[:16]}"


def destroy_symbol(index: int) -> str:
    """The shim that destroys an object of class ``index`` (of ``Module.records``)."""
    return f"samebytes_destroy{index}"


def dynamic_symbol(index: int) -> str:
    """The shim that tells of which derived class an object of class ``index`` is."""
    return f"samebytes_dynamic{index}"


def upcast_symbol(index: int, number: int) -> str:
    """The shim that finds a virtual base of an object of class ``index``."""
    return f"samebytes_up{index}_{number}"


def room_symbol(index: int) -> str:
    """The shim that makes memory for an object of class ``index`` that C++ may take over."""
    return f"samebytes_room{index}"


def unroom_symbol(index: int) -> str:
    """The shim that frees such memory where no object came into being."""
    return f"samebytes_unroom{index}"


def probe_symbol(index: int) -> str:
    """The function that shows where the bit-fields of record ``index`` lie."""
    return f"samebytes_bits{index}"


def variable_symbol(index: int) -> str:
    """The function that tells where a variable lies."""
    return f"samebytes_v{index}"


# The class of what Python's iterators hold: include/samebytes/iterating/iteration.hpp.
ITERATION = "samebytes::iteration<"
# What reads and sets a member that is no bytes, and what C++ has of Python's protocols: no names of C++.
ACCESS = "operator."
BEGIN, NEXT, LENGTH = "operator.begin()", "operator.next()", "operator.size()"
HASH, TEXT = "operator.hash()", "operator.text()"
# Whether an element, or the first of a pair, is in what is iterated; how many elements ``[]`` counts.
CONTAINS, HAS_KEY, EXTENT = "operator.contains()", "operator.has_key()", "operator.extent()"
# What makes room for an element, and what takes some out.
INSERT, ERASE = "operator.insert()", "operator.erase()"
# What throws a copy of an object.
THROW = "operator.throw()"
PROTOCOLS = {
    BEGIN: "__iter__", NEXT: "__next__", LENGTH: "__len__", HASH: "__hash__", TEXT: "__str__",
    CONTAINS: "__contains__", HAS_KEY: "__contains__", EXTENT: "__samebytes_extent__", THROW: "__samebytes_throw__",
    INSERT: "__samebytes_insert__", ERASE: "__samebytes_erase__",
}  # fmt: skip


# --- of what there are shims


def call_signature(function: Function) -> Signature:
    """What such a shim takes: the pointer, then the function's own arguments."""
    pointer = Parameter("function", Pointer(function), function.spelling)
    rest = (Parameter(f"arg{i}", a.type, a.spelling, a.passing) for i, a in enumerate(function.arguments))
    return Signature(
        function.name or "function", "", (pointer, *rest), function.result, function.result_spelling,
        function.result_passing,
    )  # fmt: skip


# A static method that Python calls on an object, as others of its name are methods; behind it stands its name.
ON_OBJECT = "((void){0}, ::"


def is_static(signature: Signature) -> bool:
    """Whether a function that Python calls on an object needs none in C++."""
    return signature.expression.startswith(ON_OBJECT)


def has_address(signature: Signature) -> bool:
    """Whether a bound function is one that a C function pointer can point to."""
    return signature.kind in ("function", "static") and not signature.expression and not signature.variadic


def arities(signature: Signature, overloads: tuple[Signature, ...]) -> tuple[int, ...]:
    """The numbers of leading C++ arguments with which this overload can be called, most first.

    C++ completes the rest with its own defaults. An arity is left out where another overload begins with the same
    parameters: C++ finds such a call ambiguous, or means the overload that has just so many.
    """
    others = [o for o in overloads if o is not signature]
    shorter = (n for n in _shorter(signature) if not any(_starts_alike(signature, o, n) for o in others))
    return (len(signature.parameters), *shorter)


def ambiguous_arities(signature: Signature, overloads: tuple[Signature, ...]) -> tuple[int, ...]:
    """The arities that are left out and by which C++ finds a call ambiguous: the header declares both overloads."""
    if signature.implicit or signature.braces:
        return ()
    others = [o for o in overloads if o is not signature and not (o.implicit or o.braces)]
    return tuple(n for n in _shorter(signature) if any(_starts_alike(signature, o, n) for o in others))


def _shorter(signature: Signature) -> list[int]:
    """The numbers of leading arguments that C++ completes with its own defaults, most first."""
    total = len(signature.parameters)
    fewest, least = total, fewest_arguments(signature)
    while fewest > least and signature.parameters[fewest - 1].default:
        fewest -= 1
    return [n for n in range(total - 1, fewest - 1, -1) if _is_completed(signature, n)]


def _is_completed(signature: Signature, given: int) -> bool:
    """Whether C++ completes a call by so many arguments: of members, which may be many, with what it alone knows.

    A call by one means a copy else.
    """
    left = (p.default for p in signature.parameters[given:])
    return not signature.braces or given == 1 or any(d is not None and d.value is MISSING for d in left)


def _starts_alike(one: Signature, other: Signature, count: int) -> bool:
    if one.kind == other.kind == "method" and (one.qualifiers, one.home) != (other.qualifiers, other.home):
        return False  # C++ looks at the object, too
    required = sum(1 for p in other.parameters if p.default is None)
    if not required <= count <= len(other.parameters):
        return False
    return all(
        a.value_type == b.value_type
        for a, b in zip(one.parameters[:count], other.parameters[:count], strict=True)
    )


def keeps_value(signature: Signature) -> bool:
    """Whether it sets a member that may have the addresses of objects, which its object keeps: it tells where it is."""
    return signature.name.startswith(ACCESS) and signature.name.endswith("=") and signature.result != VOID


def accessors(index: int, variable: Variable) -> tuple[tuple[str, Signature], ...]:
    """Name, for the shim's symbol, and signature of the functions that get and set it; none where bytes do."""
    inner = unqualified(variable.type)
    if not isinstance(inner, Converted):
        return ()
    spelling = f"const {inner.spelling} &"
    get = Signature(variable.name, f"samebytes_get{index}", (), Const(inner), spelling, "lvalue_ref")
    if isinstance(variable.type, Const) or shows_text(inner) or shows_elements(inner):
        return ((f"get{index}", get),)  # nothing would keep what Python gives
    value = Parameter("value", Const(inner), spelling, "lvalue_ref")
    put = Signature(f"{ACCESS}{variable.name}=", f"samebytes_set{index}", (value,), VOID, "void")
    return (f"get{index}", get), (f"set{index}", put)


def bit_fields(struct: Struct) -> tuple[Field, ...]:
    """The bit-fields of a record, in order."""
    return tuple(f for f in struct.fields if f.bit_width)


def overrides(struct: Struct) -> bool:
    """Whether a class overrides virtual functions for Python: what it declares is its base's."""
    return struct.name.startswith(f"{OVERRIDING}::")


def derived_classes(module: Module) -> dict[str, tuple[Struct, ...]]:
    """By the names of polymorphic classes, those that their objects may really be of, where there are any.

    The class beneath Python's classes is none: a view of it would call C++'s own functions, as ``super()`` does.
    """
    above: dict[str, frozenset[str]] = {}  # every base of a class: bases come first
    found: dict[str, list[Struct]] = {}
    for record in module.records:
        direct = [base.name for base in record.bases]
        above[record.name] = frozenset(direct).union(*(above.get(name, ()) for name in direct))
        beneath = overrides(record)
        if isinstance(record, Handle) and record.polymorphic and not beneath:  # else nothing tells it
            for name in above[record.name].difference(record.twice):  # of these C++ converts no object back
                found.setdefault(name, []).append(record)
    known = {r.name for r in module.records if isinstance(r, Handle) and r.polymorphic}
    return {name: tuple(derived) for name, derived in found.items() if name in known}


def virtual_bases(module: Module, struct: Struct) -> tuple[Struct, ...]:
    """The virtual bases of a class that Python knows."""
    wanted = {base.name for base in struct.bases if base.virtual}
    return tuple(record for record in module.records if record.name in wanted) if wanted else ()


def given_away(module: Module, *, abstract: bool = False) -> frozenset[str]:
    """The names of the classes whose objects C++ may take over: those a std::unique_ptr takes, and derived ones.

    Parameters
    ----------
    abstract : bool
        Also those of which C++ itself makes no objects, for the classes of Python's that derive from them.
    """
    crossing = (p.value_type for f in module.functions for p in f.parameters)
    parts = (part for type_ in crossing if isinstance(type_, Converted) for part in converted_parts(type_))
    found = {unqualified(p.target).name for p in parts if isinstance(p, Owner) and not p.shared}  # type: ignore[attr-defined]
    while more := {
        r.name for r in module.records if r.name not in found and any(b.name in found for b in r.bases)
    }:
        found |= more
    handles = (r for r in module.records if isinstance(r, Handle) and r.destructible)
    made = {r.name for r in handles if abstract or not r.abstract}
    return frozenset(found & made)


def is_accessor(name: str) -> bool:
    """Whether a function is one that reads or writes a member; it has no name of its own."""
    return name.startswith(ACCESS) and name not in PROTOCOLS
