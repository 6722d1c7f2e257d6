"""The one door to libclang: its Python binding, and the queries that the binding lacks."""

from __future__ import annotations

import atexit
import ctypes
import importlib
from collections.abc import Iterator, Mapping, Set
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeAlias

from ... import _native
from ...errors import MissingDependency
from ...forks import importing
from .choosing import MISSING, choose, version_of
from .kinds import ARRAYS, RECORDS, REFERENCES, TEMPLATE_PARAMETERS, Decl, Kind

_TEMPLATES = frozenset({Decl.CLASS_TEMPLATE, Decl.FUNCTION_TEMPLATE})
# What the name and the arguments of a specialization mention: types, templates, namespaces, members, values.
_MENTIONS = frozenset({43, *range(45, 50), *range(100, 200)})

# The binding carries no types, so Any enters samebytes here and only here.
Cursor: TypeAlias = Any
ClangType: TypeAlias = Any
TranslationUnit: TypeAlias = Any
Row: TypeAlias = tuple[int, Cursor, str, str | None, bool, int, int]  # see declarations_in


@cache
def cindex() -> Any:
    """The Python binding, imported when a header is first read: generated packages do without it.

    Raises
    ------
    MissingDependency
        If it is not installed, or too old.
    """
    try:
        with importing:
            binding = importlib.import_module("clang.cindex")
    except ImportError as error:
        raise MissingDependency(MISSING) from error
    choose(binding)
    try:
        _ = binding.conf.lib
    except binding.LibclangError as error:
        raise MissingDependency(f"{error}\n{MISSING}") from error
    return binding


@cache
def version() -> int:
    """The version of the libclang that reads."""
    words = library().clang_getCString(library().clang_getClangVersion())
    return version_of(words.decode() if isinstance(words, bytes) else words)


_EXTRA: tuple[tuple[str, list[Any], Any], ...] = (
    ("clang_isInvalidDeclaration", ["Cursor"], ctypes.c_uint),
    ("clang_Cursor_isFunctionInlined", ["Cursor"], ctypes.c_uint),
    ("clang_Cursor_isMacroFunctionLike", ["Cursor"], ctypes.c_uint),
    ("clang_Cursor_Evaluate", ["Cursor"], ctypes.c_void_p),
    ("clang_getCursorBinaryOperatorKind", ["Cursor"], ctypes.c_int),
    ("clang_EvalResult_getKind", [ctypes.c_void_p], ctypes.c_int),
    ("clang_EvalResult_isUnsignedInt", [ctypes.c_void_p], ctypes.c_uint),
    ("clang_EvalResult_getAsLongLong", [ctypes.c_void_p], ctypes.c_longlong),
    ("clang_EvalResult_getAsUnsigned", [ctypes.c_void_p], ctypes.c_ulonglong),
    ("clang_EvalResult_getAsDouble", [ctypes.c_void_p], ctypes.c_double),
    ("clang_EvalResult_getAsStr", [ctypes.c_void_p], ctypes.c_char_p),
    ("clang_EvalResult_dispose", [ctypes.c_void_p], None),
    ("clang_getCursorPrintingPolicy", ["Cursor"], ctypes.c_void_p),
    ("clang_PrintingPolicy_setProperty", [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint], None),
    ("clang_PrintingPolicy_dispose", [ctypes.c_void_p], None),
    ("clang_getCursorPrettyPrinted", ["Cursor", ctypes.c_void_p], "_CXString"),
    ("clang_getClangVersion", [], "_CXString"),
)


@cache
def library() -> Any:
    """The loaded library, with the extra queries registered once."""
    found = cindex().conf.lib
    for name, arguments, result in _EXTRA:
        function = getattr(found, name)
        function.argtypes = [cindex().Cursor if a == "Cursor" else a for a in arguments]
        function.restype = cindex()._CXString if result == "_CXString" else result
    return found


_TERSE = 17  # CXPrintingPolicy_TerseOutput: declarations without their bodies


def printed(cursor: Cursor) -> str:
    """A declaration as clang writes it, with the attributes that macros make."""
    lib = library()
    policy = lib.clang_getCursorPrintingPolicy(cursor)
    try:
        lib.clang_PrintingPolicy_setProperty(policy, _TERSE, 1)
        text = lib.clang_getCString(lib.clang_getCursorPrettyPrinted(cursor, policy))
    finally:
        lib.clang_PrintingPolicy_dispose(policy)
    return text.decode() if isinstance(text, bytes) else text


@cache
def index() -> Any:
    """One index for the process; translation units keep it alive."""
    version()  # one that is too old is refused
    atexit.register(index.cache_clear)  # while clang's own module still has what its destructors need
    return cindex().Index.create()


def kind_of(cursor: Cursor) -> int:
    """The cursor's kind as a number (compare with :class:`Decl`)."""
    return int(cursor._kind_id)


def type_kind(type_: ClangType) -> int:
    """The type's kind as a number (compare with :class:`Kind`)."""
    return int(type_._kind_id)


@cache
def queries() -> Any:
    """What the core asks libclang natively, by name; its answers are cursors and types that do so themselves.

    They are the binding's, in every other way: through ctypes a question costs ten times as much.
    """
    binding = cindex()
    loaded = binding.conf.lib
    cursors = type("Cursor", (binding.Cursor,), {"__slots__": ("_tu",)})
    types = type("Type", (binding.Type,), {"__slots__": ("_tu",)})

    def address_of(name: str) -> int | None:
        return ctypes.cast(loaded[name], ctypes.c_void_p).value

    return SimpleNamespace(**_native.clang_queries(address_of, cursors, types))


def canonical(type_: ClangType) -> ClangType:
    """The canonical type."""
    return type_.get_canonical()


def type_spelling(type_: ClangType) -> str:
    """Clang's spelling of a type; each type of a unit is spelled once."""
    known = _remembered(type_)
    key = type_.data[0]
    if (found := known.get(key)) is None:
        found = known[key] = type_.spelling
    return found


def _remembered(type_: ClangType) -> dict[int, str]:
    """The spellings of a unit's types, by their addresses, which mean no others for as long as there is the unit."""
    unit = type_._tu
    try:
        found: dict[int, str] = unit.samebytes_types
    except AttributeError:
        found = unit.samebytes_types = {}
    return found


def element_type(type_: ClangType) -> ClangType:
    """The element of an array, vector or complex type."""
    return queries().element_type(type_)


def argument_types(type_: ClangType) -> list[ClangType]:
    """The parameter types of a function type."""
    found: list[ClangType] = queries().argument_types(type_)
    return found


def passing_of(type_: ClangType) -> tuple[str, ClangType]:
    """How a canonical type passes, and what: of a reference, what it refers to."""
    passing = REFERENCES.get(type_kind(type_))
    return (passing, type_.get_pointee()) if passing else ("value", type_)


def innermost(type_: ClangType) -> ClangType:
    """The canonical type inside an array type of any rank."""
    type_ = canonical(type_)
    while type_kind(type_) in ARRAYS:
        type_ = canonical(element_type(type_))
    return type_


def template_arguments(type_: ClangType) -> Iterator[ClangType]:
    """The types among the template arguments of a class; none of another type."""
    for number in range(max(type_.get_num_template_arguments(), 0)):
        argument = type_.get_template_argument_type(number)
        if type_kind(argument) != Kind.INVALID:
            yield argument


def rank_of(type_: ClangType) -> int:
    """The number of dimensions of a canonical array type; 0 for any other."""
    rank = 0
    while type_kind(type_) in ARRAYS:
        rank, type_ = rank + 1, element_type(type_)
    return rank


def children(cursor: Cursor) -> list[Cursor]:
    """All children, in the order of the source."""
    found: list[Cursor] = queries().children(cursor)
    return found


def children_of(cursor: Cursor, kind: Decl) -> list[Cursor]:
    """The children of one kind, in the order of the source."""
    found: list[Cursor] = queries().children_between(cursor, kind, kind)
    return found


def children_beside(cursor: Cursor, first: Decl, last: Decl) -> list[Cursor]:
    """The children whose kinds do not lie between two."""
    found: list[Cursor] = queries().children_beside(cursor, first, last)
    return found


def of_kinds(named: Set[int], always: Set[int] = frozenset()) -> bytes:
    """The kinds that are asked for, of some of them whatever words the others have to be called by."""
    return bytes(2 if kind in always else kind in named for kind in range(max(named | always) + 1))


def declarations_in(
    cursor: Cursor, kinds: bytes, files: Mapping[int, str | None] | None, words: frozenset[str] | None = None
) -> list[Row]:
    """What is asked of each declaration in another, in the order of the source, asked for all of them at once.

    Parameters
    ----------
    kinds : bytes
        Which kinds are asked for: see :func:`of_kinds`.
    files : mapping or None
        The name of each file in which declarations are asked for, by its address, and None of the others; None: in any.
    words : frozenset of str or None
        How those are called that are asked for; None: anyhow.

    Returns
    -------
    list of (int, cursor, str, str or None, bool, int, int)
        Kind, cursor, spelling, the file's name, whether it stands where it belongs, C++'s access, and what it has in
        common with its redeclarations.
    """
    found: list[Row] = queries().declarations(cursor, kinds, files, words)
    return found


def access_of(cursor: Cursor) -> int:
    """C++'s access to a member; 0 outside of classes."""
    found: int = queries().access(cursor)
    return found


def canonical_hash(cursor: Cursor) -> int:
    """What a declaration has in common with its redeclarations."""
    found: int = queries().canonical_hash(cursor)
    return found


def inclusions(unit: TranslationUnit) -> list[str]:
    """The names of the files that a unit includes, as clang found them, each as often as it does."""
    address = ctypes.cast(unit.obj, ctypes.c_void_p).value
    found: list[str] = queries().inclusions(address)
    return found


def is_invalid(cursor: Cursor) -> bool:
    """Whether clang marked the declaration as broken by an error."""
    return bool(library().clang_isInvalidDeclaration(cursor))


def is_inline_function(cursor: Cursor) -> bool:
    """Whether the function is ``inline``, in writing or by being ``constexpr``."""
    return bool(library().clang_Cursor_isFunctionInlined(cursor))


def is_inline_namespace(cursor: Cursor) -> bool:
    """Whether the namespace is ``inline``."""
    return bool(queries().is_inline_namespace(cursor))


def is_function_like(macro: Cursor) -> bool:
    """Whether a macro's definition has a parameter list."""
    return bool(library().clang_Cursor_isMacroFunctionLike(macro))


def referred(cursor: Cursor) -> Cursor | None:
    """What the last name in a using-declaration or an alias of a namespace means; of overloads, the first."""
    found = None
    for child in children(cursor):
        kind = kind_of(child)
        if kind == Decl.OVERLOADS_REFERENCE:
            found = overloaded(child)[0]
        elif kind == Decl.NAMESPACE_REFERENCE:
            found = child.referenced
    return found


def overloads(using: Cursor) -> list[Cursor]:
    """All that a using-declaration names."""
    return [meant for name in children_of(using, Decl.OVERLOADS_REFERENCE) for meant in overloaded(name)]


def overloaded(name: Cursor) -> list[Cursor]:
    """All that a name of overloads may mean."""
    found: list[Cursor] = queries().overloaded(name)
    return found


def descendants(cursor: Cursor | None) -> Iterator[Cursor]:
    """All cursors inside one, outer before inner."""
    for child in children(cursor) if cursor is not None else ():
        yield child
        yield from descendants(child)


def is_internal(cursor: Cursor) -> bool:
    """Whether a name is known in its own translation unit alone."""
    return int(library().clang_getCursorLinkage(cursor)) == 2  # CXLinkage_Internal


def is_thread_local(cursor: Cursor) -> bool:
    """Whether each thread has its own instance of a variable."""
    return int(library().clang_getCursorTLSKind(cursor)) != 0


def is_virtual_base(cursor: Cursor) -> bool:
    """Whether a base specifier says ``virtual``."""
    return bool(library().clang_isVirtualBase(cursor))


def template_of(cursor: Cursor) -> Cursor | None:
    """The template that an instantiation comes from, as somebody wrote it: where it is defined, not only declared.

    A template inside an instantiated class comes from one inside the class's template, which has the members.
    """
    found = queries().specialized_template(cursor)
    while found is not None and kind_of(found) in _TEMPLATES:
        outer = queries().specialized_template(found)
        if outer is None or kind_of(outer) not in _TEMPLATES:
            break
        found = outer
    return (found.get_definition() or found) if found is not None else None


def written_class(type_: ClangType) -> Cursor:
    """Where the members of a class are written: of an instantiation, its template; a specialization has its own."""
    cursor = type_.get_declaration()
    if "<" not in type_spelling(type_) or any(kind_of(c) not in _MENTIONS for c in children(cursor)):
        return cursor
    return template_of(cursor) or cursor


def friend_functions(cursor: Cursor) -> list[Cursor]:
    """The functions, and templates of them, that a class or its template declares as friends."""
    return [f for friend in children_of(cursor, Decl.FRIEND) for f in befriended_by(friend)]


def befriended_by(friend: Cursor) -> list[Cursor]:
    """The functions of one declaration of friends."""
    return [f for f in children(friend) if kind_of(f) in (Decl.FUNCTION, Decl.FUNCTION_TEMPLATE)]


def tells_truth(member: Cursor) -> bool:
    """Whether C++ may tell by a member whether an object is true: it converts objects, or negates them."""
    return kind_of(member) == Decl.CONVERSION or bool(member.spelling == "operator!")


def constructs(member: Cursor, owner: Cursor) -> bool:
    """Whether a member of a class, or of a class template, is a constructor or the template of one."""
    template = kind_of(member) == Decl.FUNCTION_TEMPLATE
    return kind_of(member) == Decl.CONSTRUCTOR or (
        template and member.spelling.partition("<")[0] == owner.spelling
    )


def is_explicit_instantiation(cursor: Cursor) -> bool:
    """Whether a declaration is ``template class T<int>;`` or ``extern template …``: its members are its template's.

    libclang lists none of its members, as of every instantiation.
    """
    special = kind_of(cursor) in RECORDS and cursor.get_num_template_arguments() > 0
    return special and cursor.is_definition() and all(kind_of(c) in _MENTIONS for c in children(cursor))


def template_parameters(template: Cursor) -> list[Cursor]:
    """The parameters of a template."""
    return [c for c in children(template) if kind_of(c) in TEMPLATE_PARAMETERS]


_BRACKETS = {"<": 1, "(": 1, "[": 1, "{": 1, ">": -1, ")": -1, "]": -1, "}": -1, ">>": -2}


def parameter_text(parameter: Cursor) -> str:
    """A template's parameter as it is declared, in one line.

    Of one that a macro declares clang has all tokens of the macro from there, with the names that the macro has.
    """
    words: list[str] = []
    depth = 0
    for token in parameter.get_tokens():
        word = token.spelling
        if depth == 0 and word in (",", ">", ">>"):
            break
        if depth == 1 and word == ">>":  # the second one closes the template's own list
            words.append(">")
            break
        depth += _BRACKETS.get(word, 0)
        if not word.startswith(("\\", "//", "/*")):  # where a line of a macro goes on, and comments
            words.append(word)
    name = parameter.spelling
    if name and name not in words:
        kind = "class" if kind_of(parameter) == Decl.TYPE_PARAMETER else parameter.type.spelling
        return f"{kind} {name}"
    return " ".join(words)


def scopes_of(cursor: Cursor) -> tuple[list[str], list[str]]:
    """What opens the namespaces around a declaration again, and how they are named from outside."""
    opened: list[str] = []
    path: list[str] = []
    while (cursor := cursor.semantic_parent) is not None:
        if kind_of(cursor) != Decl.NAMESPACE:
            continue
        name = "" if "(" in cursor.spelling else cursor.spelling
        opened.insert(0, f"{'inline ' * is_inline_namespace(cursor)}namespace {name} {{ ")
        if name:
            path.insert(0, name)
    return opened, path


_DIVIDING = frozenset({4, 5})  # CXBinaryOperator_Div, CXBinaryOperator_Rem


def divides_by_zero(cursor: Cursor) -> bool:
    """Whether an expression inside of a declaration divides an integer by a zero that clang sees."""
    for inner in descendants(cursor):
        if inner.kind.value != Decl.BINARY_OPERATOR:
            continue
        operands = children(inner)
        divides = library().clang_getCursorBinaryOperatorKind(inner) in _DIVIDING and len(operands) == 2
        if divides and type(zero := evaluate(operands[1])) is int and zero == 0:
            return True
    return False


def evaluate(cursor: Cursor) -> int | float | str | None:
    """The constant that an expression or an initialiser has, or None where clang finds none."""
    lib = library()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        kind = lib.clang_EvalResult_getKind(result)
        if kind == 1:
            unsigned = lib.clang_EvalResult_isUnsignedInt(result)
            read = lib.clang_EvalResult_getAsUnsigned if unsigned else lib.clang_EvalResult_getAsLongLong
            return int(read(result))
        if kind == 2:
            return float(lib.clang_EvalResult_getAsDouble(result))
        if kind in (3, 4, 5):
            text = lib.clang_EvalResult_getAsStr(result)
            return None if text is None else str(text.decode("utf-8", "surrogateescape"))
        return None
    finally:
        lib.clang_EvalResult_dispose(result)
