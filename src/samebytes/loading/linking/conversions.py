"""Which of a class's conversions ``int()``, ``float()``, ``str()`` and truth use, inherited ones too: C++'s choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...call import Candidate
from ...call.class_conversions import bare, lost_conversions
from ...call.introspection import declaration_text
from ...errors import overload_error
from ...model.symbols import TEXT
from ...types import Converted, Pointer, Struct, Type, unqualified
from ..operators import Operator

Item = tuple[str, Candidate, Operator]
Found = dict[tuple[str, str], list[Item]]
Named = dict[
    str, list[Item]
]  # by the name of the function, which may be there for const objects and for others


def settle_conversions(found: Found, classes: Mapping[str, Any]) -> None:
    """Leave to each special method the conversion that it uses; where C++ has no one, each use raises an error.

    Parameters
    ----------
    found : dict
        The functions of each class and special method; it is changed.
    classes : mapping
        By qualified name.
    """
    own = {key: _by_name(items) for key, items in found.items() if key[1] in (*_CHOICES, _TRUTH)}
    for name, cls in classes.items():
        struct = getattr(cls, "__samebytes_type__", None)
        if not isinstance(struct, Struct):
            continue
        for method, choose in _CHOICES.items():
            seen = _visible(struct, method, own, classes)
            if not seen and method in _OTHER:
                others = _visible(struct, _OTHER[method], own, classes) | _visible(
                    struct, _TRUTH, own, classes
                )
                _convert_twice(cls, method, others)
            if len(seen) < 2 and not (seen and len(struct.bases) > 1):
                continue  # its own, or one that Python finds in its only base
            chosen = choose(seen)
            if chosen:
                found[name, method] = seen[chosen]
            else:
                found.pop((name, method), None)
                setattr(cls, method, _ambiguous(struct.short_name, method, seen))
        numbers = {
            n: i for m in ("__int__", "__float__") for n, i in _visible(struct, m, own, classes).items()
        }
        implicit = {n: i for n, i in numbers.items() if not i[0][1].signature.explicit}
        if len(implicit) > 1 and not _has_truth(struct, own, classes):
            cls.__bool__ = _ambiguous(struct.short_name, "__bool__", implicit)


def _convert_twice(cls: Any, method: str, seen: Named) -> None:
    """Let a class without a conversion to a kind of number use the only one to another, as C++ does by itself."""
    implicit = {name: items for name, items in seen.items() if not items[0][1].signature.explicit}
    if method in vars(cls) or lost_conversions(cls):
        return
    if len(implicit) == 1:
        (items,) = implicit.values()
        first, then = _caller([candidate for _, candidate, _ in items]), _KINDS[method]
        setattr(cls, method, lambda self: then(first(self)))
    elif "operator bool" in implicit:
        setattr(cls, method, _ambiguous(cls.__samebytes_type__.short_name, method, implicit))


def _caller(candidates: Sequence[Candidate]) -> Callable[[Any], Any]:
    """What calls a conversion by its name: of one for const objects and one for others that for the object."""
    names = {"const" in c.signature.qualifiers: c.signature.name for c in candidates}

    def call(self: Any) -> Any:
        is_const = getattr(self, "__samebytes_const__", False)
        return getattr(self, names[is_const] if is_const in names else next(iter(names.values())))()

    return call


def _has_truth(struct: Struct, own: Mapping[tuple[str, str], Named], classes: Mapping[str, Any]) -> bool:
    """Whether C++ says whether an object is true: what it found for a base is none for a class with more."""
    inherited = _visible(struct, _TRUTH, own, classes).values()
    declared = any(not candidate.signature.expression for items in inherited for _, candidate, _ in items)
    return declared or (struct.name, _TRUTH) in own


def _by_name(items: Sequence[Item]) -> Named:
    named: Named = {}
    for item in items:
        named.setdefault(_unreferred(item[1].signature.name), []).append(item)
    return named


def _unreferred(name: str) -> str:
    """A conversion's name without a reference: of ``operator const int &() const`` as of ``operator int &``."""
    type_ = name.removeprefix("operator ")
    if type_ == name or not type_.endswith("&"):
        return name
    return f"operator {type_.rstrip(' &').removeprefix('const ')}"


def _visible(
    struct: Struct, method: str, own: Mapping[tuple[str, str], Named], classes: Mapping[str, Any]
) -> Named:
    """The conversions of a class: those of its bases, too, unless it has one to the same type."""
    seen, hidden = dict(own.get((struct.name, method), {})), frozenset(map(bare, struct.hidden))
    homes = {bare(name): home for name, home in struct.found}
    for base in struct.bases:
        known = getattr(classes.get(base.name), "__samebytes_type__", None)
        inherited = _visible(known, method, own, classes) if isinstance(known, Struct) else {}
        shown = {
            name: items
            for name, items in inherited.items()
            if bare(name) not in hidden
            and homes.get(bare(name), items[0][1].signature.owner) == items[0][1].signature.owner
        }
        seen = {**shown, **seen}
    return seen


def _number(exact: str) -> Callable[[Named], str | None]:
    """The conversion to just the type that Python's number is; else the only one that is not ``explicit``."""

    def choose(seen: Named) -> str | None:
        implicit = [name for name, items in seen.items() if not items[0][1].signature.explicit]
        return exact if exact in seen else implicit[0] if len(implicit) == 1 else None

    return choose


def _text(seen: Named) -> str:
    return min(seen, key=lambda name: _text_rank(name, seen[name][0][1].signature.result))


def _text_rank(name: str, result: Type) -> int:
    bare = unqualified(result)
    if name == TEXT:
        return 3
    return (
        1
        if isinstance(bare, Pointer)
        else 2
        if isinstance(bare, Converted) and "_view" in bare.spelling
        else 0
    )


# Of several conversions, the name of the one that a special method uses; None where C++ finds them equally good.
_CHOICES: dict[str, Callable[[Named], str | None]] = {
    "__int__": _number("operator long long"),
    "__float__": _number("operator double"),
    "__str__": _text,
}

_TRUTH = "__bool__"
_OTHER = {"__int__": "__float__", "__float__": "__int__"}
# The attribute of a special method that refuses, as C++ has several conversions to its kind of number.
AMBIGUOUS = "__samebytes_ambiguous__"
_KINDS: dict[str, Callable[[Any], Any]] = {"__int__": int, "__float__": float}


def _ambiguous(owner: str, method: str, seen: Named) -> Callable[[Any], Any]:
    shown = [declaration_text(items[0][1].signature) for items in seen.values()]

    def refuse(self: Any) -> Any:
        raise overload_error(f"{owner}.{method}", shown, "", tie=True)

    setattr(refuse, AMBIGUOUS, True)
    return refuse
