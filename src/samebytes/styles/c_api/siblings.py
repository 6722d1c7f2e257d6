"""Which pointers are arrays, told by another function of the same API: one that counts them, or sets the like."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ...model.signature import Parameter, Signature
from ...types import Pointer, Type, unqualified

_GET = re.compile(r"Get|(?<![a-zA-Z])get(?![a-z])")
# What asks how many of something there are, after that.
_COUNTS = ("Num{}", "{}Count", "_num{}", "{}_count", "Num{}s", "_num{}s")


def many(signature: Signature, others: Mapping[str, Signature]) -> Iterator[int]:
    """The indices of pointers to several: ``nvrtcGetSupportedArchs(int* archs)``, ``get_lower_bounds(double* bounds)``.

    Parameters
    ----------
    others : mapping of str to Signature
        The functions of the API by their names.
    """
    counted, set_ = _is_counted(signature.name, others), _set(signature.name, others)
    for index, parameter in enumerate(signature.parameters):
        target = _target(parameter)
        if target is not None and (counted or target in set_):
            yield index


def _is_counted(name: str, names: Collection[str]) -> bool:
    """Whether another function says how many there are: ``GetNumSupportedArchs`` for ``GetSupportedArchs``."""
    found = _GET.search(name)
    if found is None or not name.endswith("s"):
        return False
    before, asked = name[: found.end()], name[found.end() :]
    stems = {asked, asked.removesuffix("s")}
    return any(f"{before}{form.format(stem)}" in names for stem in stems for form in _COUNTS)


def _set(name: str, others: Mapping[str, Signature]) -> set[Type]:
    """Of what the function that sets what this one gets takes many: one number would go by value."""
    found = others.get(_GET.sub(lambda word: word[0].replace("G", "S").replace("g", "s"), name, count=1))
    if found is None or found.name == name:
        return set()
    consts = (p for p in found.parameters if isinstance(p.type, Pointer) and p.type.const)
    return {target for p in consts if (target := _target(p)) is not None}


def _target(parameter: Parameter) -> Type | None:
    type_ = parameter.type
    return unqualified(type_.pointee) if isinstance(type_, Pointer) and parameter.passing == "value" else None
