"""The words by which a class gets Python's forms, one table: what each takes, and what it plans on a draft of it.

Nothing changes where one of them is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from keyword import iskeyword
from string import Formatter
from typing import Any

from ...errors import BindError
from ...frozen import frozen
from ...model.intents import suggest
from ...values.overriding import overridable
from .draft import Accessors, Draft, Moved, getattr_static, member, reached, signatures_of, takes


def _rename(draft: Draft, value: Mapping[str, str]) -> None:
    for old, new in value.items():
        made = draft.found("rename", old)
        if signatures_of(made) is None:
            raise draft.refuse(
                f"rename: {old!r} of {draft.cls.__qualname__} is no method; its name is C++'s field's"
            )
        draft.free("rename", new, besides=(old,))
        draft.edits[new] = made
        draft.edits[old] = Moved(f"{old!r} of {draft.cls.__qualname__} is {new!r}: pythonize() renamed it")
        if old in overridable(draft.cls.__mro__):
            draft.virtual[new] = old
        draft.said.append(f"{new}: C++'s {old}")


def _property(draft: Draft, value: Any) -> None:
    pairs = dict(_by_rule(draft)) if value is True else value
    for name, given in pairs.items():
        getter, setter = (given, "") if isinstance(given, str) else (*given, "")[:2]
        read = draft.method("property", getter, 0)
        if setter:
            draft.method("property", setter, 1)
        draft.free("property", name, besides=(getter,))
        draft.edits[name] = _accessors(name, getter, setter, getattr(read, "__doc__", None))
        draft.said.append(f"{name}: property of {', '.join(filter(None, (getter, setter)))}")


def _accessors(name: str, getter: str, setter: str, doc: str | None) -> Accessors:
    def read(self: Any) -> Any:
        return reached(self, getter)()

    def write(self: Any, value: Any) -> None:
        reached(self, setter)(value)

    made = Accessors(read, write if setter else None)
    made.getter_name, made.setter_name = getter, setter
    made.__doc__ = doc
    return made


_GETTER = re.compile(r"get(?:_(?=[a-z])|(?=[A-Z]))(\w+)")
_CAPITALS = re.compile(r"[A-Z]+(?=[A-Z][a-z]|[\d_]|$)|[A-Z]")


def _by_rule(draft: Draft) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The properties of all ``getX`` and ``get_x`` that take nothing, with ``setX`` and ``set_x`` where they are."""
    for getter in sorted(draft.names()):
        match = _GETTER.fullmatch(getter)
        if match is None or not _fits(draft.cls, getter, 0):
            continue
        name = _CAPITALS.sub(lambda found: found[0].lower(), match[1], count=1)
        setter = f"s{getter[1:]}"
        if name.isidentifier() and not iskeyword(name) and getattr_static(draft.cls, name) is None:
            yield name, (getter, setter) if _fits(draft.cls, setter, 1) else (getter,)


def _fits(cls: type, name: str, count: int) -> bool:
    signatures = signatures_of(member(cls, name)) or ()
    return any(s.object is not None and takes(s, count) for s in signatures)


def _context(draft: Draft, value: Any) -> None:
    opens, closes = ("", value) if isinstance(value, str) else value
    for name in filter(None, (opens, closes)):
        draft.method("context", name, 0)

    def enter(self: Any) -> Any:
        if opens:
            reached(self, opens)()
        return self

    def leave(self: Any, kind: object, error: object, trace: object) -> None:
        reached(self, closes)()

    draft.edits |= {"__enter__": enter, "__exit__": leave}
    draft.said.append(f"with: {', '.join(filter(None, (opens, closes)))}")


def _len(draft: Draft, value: str) -> None:
    draft.method("len", value, 0)

    def length(self: Any) -> Any:
        return reached(self, value)()

    draft.edits["__len__"] = length
    draft.said.append(f"len(): {value}")


def _repr(draft: Draft, value: str) -> None:
    if "{" not in value:
        draft.method("repr", value, 0)

        def text(self: Any) -> Any:
            return reached(self, value)()
    else:
        try:
            names = [
                re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(value) if name is not None
            ]
        except ValueError as error:
            raise draft.refuse(f"repr: {value!r} is no format ({error})") from None
        for name in names:
            if name not in draft.edits:
                draft.found("repr", name)

        def text(self: Any) -> Any:
            return value.format_map(_Shown(self))

    draft.edits["__repr__"] = text
    draft.said.append(f"repr(): {value}")


class _Shown(dict[str, Any]):
    """An object's attributes by their names; of a method, what it gives."""

    def __init__(self, instance: Any) -> None:
        self._instance = instance

    def __missing__(self, name: str) -> Any:
        cls = type(self._instance)
        held = getattr_static(cls, name)
        found = held if held is not None else member(cls, name)
        value = found.__get__(self._instance, cls)
        return value() if signatures_of(found) is not None else value


def _doc(draft: Draft, value: str) -> None:
    draft.edits["__doc__"] = value
    draft.said.append("docstring")


def _hide(draft: Draft, value: Iterable[str]) -> None:
    for name in (value,) if isinstance(value, str) else value:
        if name not in draft.edits or isinstance(draft.edits[name], Accessors):
            draft.found("hide", name)
        if name in draft.edits:
            raise draft.refuse(f"hide: {name!r} is what another word makes of {draft.cls.__qualname__}")
        draft.edits[name] = Moved(f"{name!r} of {draft.cls.__qualname__} is hidden: pythonize() says so")
        draft.said.append(f"{name}: hidden")


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_texts(value: Any) -> bool:
    return _is_text(value) or (_texts(value) and bool(value))


def _is_names(value: Any) -> bool:
    return isinstance(value, Mapping) and all(_is_text(one) for pair in value.items() for one in pair)


def _is_properties(value: Any) -> bool:
    return value is True or (
        isinstance(value, Mapping)
        and all(_is_text(n) and (_is_text(v) or (_texts(v) and 1 <= len(v) <= 2)) for n, v in value.items())
    )


def _is_context(value: Any) -> bool:
    return _is_text(value) or (_texts(value) and len(value) == 2)


@frozen
class Word:
    """One word of :func:`pythonize`.

    Attributes
    ----------
    fits : callable
        Whether a value is of its kind.
    expected : str
        The kind in words.
    plan : callable
        Says on a draft what it changes.
    """

    fits: Callable[[Any], bool]
    expected: str
    plan: Callable[[Draft, Any], None]


# In the order in which they are done: what is hidden may have served the words before.
WORDS: dict[str, Word] = {
    "rename": Word(_is_names, "new names by C++'s, {'getArea': 'area'}", _rename),
    "property": Word(
        _is_properties, "getters and setters by name, {'width': ['getWidth', 'setWidth']}, or True for all get…, set…",
        _property,
    ),
    "context": Word(_is_context, "the method that ends a with statement, or ['open', 'close']", _context),
    "len": Word(_is_text, "the name of a method", _len),
    "repr": Word(_is_text, "the name of a method, or a format, 'Box({width})'", _repr),
    "doc": Word(_is_text, "a text", _doc),
    "hide": Word(_is_texts, "names of members", _hide),
}  # fmt: skip
# Words that name members, which a derived class may have again.
INHERITED = ("rename", "property", "hide")


def check_words(words: Mapping[Any, Any], where: str) -> dict[str, Any]:
    """The words, each of its kind, in their order.

    Raises
    ------
    BindError
        If there is no such word, or a value is of another kind.
    """
    for word, value in words.items():
        if word not in WORDS:
            near = suggest(str(word), list(WORDS))
            raise BindError(f"{where}: there is no word {word!r}; known: {', '.join(WORDS)}.{near}")
        if not WORDS[word].fits(value):
            raise BindError(f"{where}: {word} is {WORDS[word].expected}, got {value!r}")
    if not words:
        raise BindError(f"{where}: nothing is said; known: {', '.join(WORDS)}")
    return {word: words[word] for word in WORDS if word in words}
