"""The names of types: how C or C++ spells each one exactly, and how messages show it."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...later import later_pattern
from ..clang.kinds import RECORDS, Decl
from ..clang.libclang import ClangType, Cursor, canonical, declarations_in, of_kinds, type_spelling
from ..clang.parse import ParsedUnit
from ..exposed.specialized import Specializations, closed_name
from .standard import CannotCross

# A va_list as a parameter: clang's name for what it points to is none that other compilers know.
_VA_LIST_TAG = later_pattern(r"\b(?:struct )?__va_list_tag \*")
_QUALIFIERS = later_pattern(r"^(?:(?:const|volatile) )+")
_UNSPELLABLE = later_pattern(r"\((unnamed|anonymous|lambda)[^)]*\)")
# A name, however qualified, that is neither a keyword nor the standard library's nor a template's.
_TAG = later_pattern(
    r"(?<![\w:])(?!(?:const|volatile|unsigned|signed|void|bool|char|short|int|long|float|double|wchar_t|char8_t|char16_t"
    r"|char32_t|__restrict|struct|class|union|enum|std|_Complex|_Float16|__bf16)\b)[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?![\w:(<])"
)
# What hides a class or an enumeration of the same name and scope.
_HIDING = frozenset({Decl.FUNCTION, Decl.VARIABLE, Decl.METHOD, Decl.FIELD})
_KEYWORDS: dict[int, str] = {Decl.UNION: "union", Decl.ENUM: "enum"}
_NAMING = of_kinds(_HIDING | RECORDS | {Decl.ENUM, Decl.NAMESPACE, Decl.LINKAGE})


class TypeNames:
    """Spells types of one unit."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.unit = unit
        self._scopes: dict[str, _Scope] = {}
        self._unnamed: dict[str, str] = {}
        self._spelled: dict[int, str] = {}  # by the address of the canonical type
        self._specializations = Specializations(CannotCross)
        self._open: set[str] = set()  # types whose names anybody may use
        # Finds what spells a type without a name.
        self.learn_unnamed: Callable[[ClangType], None] = lambda type_: None

    def spelling(self, type_: ClangType) -> str:
        """The exact C or C++ spelling, all namespaces written out.

        Raises
        ------
        CannotCross
            If no spelling exists, as for a lambda.
        """
        meant = canonical(type_)
        key = meant.data[0]
        if (found := self._spelled.get(key)) is None:
            if not self.unit.c and (closed := closed_name(meant, self._open)):
                raise CannotCross(closed)
            name = self.name_of(meant)
            if "(unnamed" in name and not self.unit.c:
                self.learn_unnamed(meant)
            found = self._spelled[key] = self.spell(name)
        return found

    def name_of(self, type_: ClangType) -> str:
        """Clang's spelling of a type, with the arguments of explicit specializations written out.

        Raises
        ------
        CannotCross
            If that cannot be done.
        """
        if not self.unit.c:
            before = self._specializations.count
            self._specializations.learn(type_)
            if self._specializations.count != before:
                self._spelled.clear()  # they may be in any of these
        return self._specializations.write_out(type_spelling(type_))

    def spell(self, text: str) -> str:
        """A canonical spelling made valid: anonymous namespaces vanish, hidden names get their keyword."""
        text = _VA_LIST_TAG.sub("__builtin_va_list", text).replace("(anonymous namespace)::", "")
        for unnamed, expression in self._unnamed.items():
            if unnamed not in text:
                continue
            text = re.sub(rf"((struct|class|enum|union) )?{re.escape(unnamed)}", expression, text)
        if _UNSPELLABLE.search(text):
            raise CannotCross("its type has no name that C++ could spell")
        if not self.unit.c and _TAG.search(text):
            text = _TAG.sub(lambda tag: f"{self._keyword(tag[0])} {tag[0]}".lstrip(), text)
        return text

    def shown(self, type_: ClangType) -> str:
        """A type as messages show it: types without a name are not told by their place in a file."""
        return _UNSPELLABLE.sub(r"(\1)", type_.spelling.replace("(anonymous namespace)::", ""))

    def name_unnamed(self, text: str, expression: str) -> None:
        """Teach the spelling of a record without a name, through the member that has its type."""
        self._unnamed.setdefault(text, expression)
        self._spelled.clear()

    def _keyword(self, tag: str) -> str:
        """The keyword of a tag that a function or variable of the same name hides, as ``stat`` does in C++."""
        outer, _, name = tag.rpartition("::")
        scope = self._scope(outer)
        return scope.tags[name] if name in scope.others and name in scope.tags else ""

    def _scope(self, path: str) -> _Scope:
        """The names of a namespace or a class that no header of the system declares; of no other one there are any."""
        if path not in self._scopes:
            outer, _, name = path.rpartition("::")
            inner = self._scope(outer).inner.get(name, ()) if path else ()
            own = [cursor for cursor in inner if not cursor.location.is_in_system_header]
            self._scopes[path] = _names_in(own if path else [self.unit.tu.cursor])
        return self._scopes[path]


class _Scope:
    """The keywords of the tags of one scope, its other names that may hide such, and the scopes in it, by name."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.others: set[str] = set()
        self.inner: dict[str, list[Cursor]] = {}


def _names_in(cursors: list[Cursor]) -> _Scope:
    scope = _Scope()
    for outer in cursors:  # grows while it is read
        for kind, cursor, name, *_ in declarations_in(outer, _NAMING, None):
            if kind == Decl.LINKAGE:
                cursors.append(cursor)
            elif kind in _HIDING:
                scope.others.add(name)
            else:
                if kind != Decl.NAMESPACE:
                    scope.tags[name] = _KEYWORDS.get(kind, "struct")
                if kind != Decl.ENUM:
                    scope.inner.setdefault(name, []).append(cursor)
    return scope


def unqualified_name(spelling: str) -> str:
    """A spelling without leading qualifiers."""
    return _QUALIFIERS.sub("", spelling)


def plain_name(spelling: str) -> str:
    """A record's qualified name: its spelling without qualifiers and tag keyword."""
    return re.sub(r"^(struct|class|union|enum) ", "", unqualified_name(spelling))
