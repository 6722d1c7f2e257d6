"""Names of types that C++ can be told: explicit specializations with their arguments written out, and no closed ones.

Clang spells the arguments of an explicit specialization as somebody wrote them, in whatever namespace that was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress

from ..clang.kinds import ARRAYS, FUNCTIONS, POINTERS, RECORDS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    canonical,
    children,
    element_type,
    kind_of,
    template_arguments,
    template_of,
    type_kind,
    type_spelling,
)
from ..spellings import split_outside

# Arguments that mean the same wherever they are read.
_ANYWHERE = re.compile(
    r"(?:[\s\d,*&'-]|\b(?:unsigned|signed|bool|char|short|int|long|float|double|void|const|true|false|nullptr)\b)*"
)
_CLOSED = frozenset({2, 3})  # CX_CXXProtected, CX_CXXPrivate
_INTEGRAL = "INTEGRAL"


class Unwritable(Exception):
    """Why a specialization cannot be written out."""


def written_out(type_: ClangType) -> str:
    """Clang's spelling of a canonical type, with the arguments of explicit specializations written out, if possible."""
    text: str = type_.spelling
    if "<" not in text:
        return text
    specializations = Specializations(Unwritable)
    with suppress(Unwritable):
        specializations.learn(type_)
    return specializations.write_out(text)


def closed_name(type_: ClangType, known: set[str]) -> str | None:
    """The first name in a type that its class does not let others use, in words; None if there is none.

    Parameters
    ----------
    known : set of str
        Types without one, which the call adds to.
    """
    type_ = canonical(type_)
    text = type_spelling(type_)
    if "::" not in text or text in known:
        return None
    if type_kind(type_) in (Kind.RECORD, Kind.ENUM):
        declared = type_.get_declaration()
        while kind_of(declared.semantic_parent) in RECORDS:
            if declared.access_specifier.value in _CLOSED:
                return f"{declared.spelling} is no public name of {declared.semantic_parent.spelling}"
            declared = declared.semantic_parent
    found = next(filter(None, (closed_name(part, known) for part in _parts(type_))), None)
    if found is None:
        known.add(text)
    return found


class Specializations:
    """Those that types of one unit mention.

    Parameters
    ----------
    refuse : callable
        Makes the exception to raise, given the reason.
    """

    def __init__(self, refuse: Callable[[str], Exception]) -> None:
        self._refuse = refuse
        self._seen: set[str] = set()
        self._written_out: dict[str, str] = {}

    @property
    def count(self) -> int:
        """How many are known to be written otherwise than clang spells them."""
        return len(self._written_out)

    def learn(self, type_: ClangType) -> None:
        """Find the explicit specializations that a type is made of.

        Raises
        ------
        Exception
            What ``refuse`` makes, if the arguments of one cannot be written out.
        """
        type_ = canonical(type_)
        text = type_spelling(type_)
        if "<" not in text or text in self._seen:
            return
        for part in _parts(type_):
            self.learn(part)
        declared = type_.get_declaration()
        if type_kind(type_) == Kind.RECORD:
            if kind_of(declared.semantic_parent) in RECORDS:
                self.learn(declared.semantic_parent.type)
            if declared.get_num_template_arguments() > 0 and _is_explicit(declared):
                self._write_out(re.sub(r"^(?:(?:const|volatile) )+", "", text), type_)
        self._seen.add(text)

    def write_out(self, text: str) -> str:
        """A spelling in which every argument means the same wherever it is read."""
        for said, meant in self._written_out.items():
            if said in text:
                text = re.sub(rf"(?<![\w:]){re.escape(said)}", meant, text)
        return text

    def _write_out(self, text: str, type_: ClangType) -> None:
        start = _last_list(text)
        said = split_outside(text[start + 1 : -1], ",")
        if all(map(_ANYWHERE.fullmatch, said)):
            return
        count = type_.get_num_template_arguments()  # packs are told one by one, by libclang's types
        given = [*said, *[""] * (count - len(said))]
        arguments = [self._argument(type_, i, word.strip()) for i, word in enumerate(given)]
        if not all(arguments):
            raise self._refuse(
                f"the arguments of {text} are written as only its own namespace reads them, and clang does not say "
                "what they are"
            )
        self._written_out[text] = f"{text[:start]}<{', '.join(arguments)}>"

    def _argument(self, type_: ClangType, number: int, said: str) -> str:
        """An argument that means the same everywhere; empty where clang does not tell it."""
        argument = type_.get_template_argument_type(number)
        if type_kind(argument) != Kind.INVALID:
            self.learn(argument)
            return self.write_out(argument.get_canonical().spelling)
        if said and _ANYWHERE.fullmatch(said):
            return said
        declared = type_.get_declaration()
        template = template_of(declared)
        parameters = [] if template is None else children(template)
        try:
            told = declared.get_template_argument_kind(number).name == _INTEGRAL
        except ValueError:  # a template, or a pack
            return ""
        if not told or declared.get_num_template_arguments() != type_.get_num_template_arguments():
            return ""
        enum = parameters[number].type.get_canonical() if number < len(parameters) else None
        known = enum is not None and kind_of(parameters[number]) == Decl.VALUE_PARAMETER
        if enum is None or not known or type_kind(enum) != Kind.ENUM:
            return ""
        return f"({enum.spelling}){declared.get_template_argument_value(number)}"


def _is_explicit(declared: Cursor) -> bool:
    """Whether somebody wrote a specialization; those that the compiler makes stand where their template does."""
    template = template_of(declared)
    if template is None:
        return False
    return declared.location not in (template.location, template.canonical.location)


def _parts(type_: ClangType) -> Iterator[ClangType]:
    kind = type_kind(type_)
    if kind in POINTERS:
        yield type_.get_pointee()
    elif kind in ARRAYS:
        yield element_type(type_)
    elif kind in FUNCTIONS:
        yield type_.get_result()
        yield from argument_types(type_)
    yield from template_arguments(type_)


def _last_list(text: str) -> int:
    """Where the template arguments at the end of a name begin."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == ">") - (text[place] == "<")
        if text[place] == "<" and depth == 0:
            return place
    return len(text)
