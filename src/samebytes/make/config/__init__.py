"""Configuration files: Numbast's schema and a few keys of our own, read strictly and reported in full."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from ...errors import BindError, BindWarning
from ...frozen import frozen
from ...model.curation import Curation
from ..options import OPTIONS, Given, strings
from .schema import KEYS, check_key


@frozen(slots=False)
class Config:
    """A configuration with every value checked.

    Attributes
    ----------
    name : str
        The file's, or ``config``; what messages begin with.
    values : mapping
        By key, as :data:`KEYS` says; keys that were not given have their default.
    folder : str
        What paths are relative to.
    """

    name: str = "config"
    values: Mapping[str, Any] = field(default_factory=dict)
    folder: str = ""

    def __getitem__(self, key: str) -> Any:
        return self.values.get(key, KEYS[key].default)

    @property
    def curation(self) -> Curation:
        """What is left out, and the prefixes that are removed."""
        return Curation(
            files=self["File List"],
            functions=self["Exclude"].get("Function", ()),
            structs=self["Exclude"].get("Struct", ()),
            skip_prefix=self["Skip Prefix"],
            prefixes=tuple(sorted(self["API Prefix Removal"].items())),
        )

    @property
    def library(self) -> str | None:
        """The library's name: ``Output Name`` without its suffix."""
        named: str | None = self["Output Name"]
        return os.path.splitext(os.path.basename(named.rstrip(os.sep)))[0] if named else None

    def added_to(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options that the configuration speaks of, too: lists add up; of other values what Python gave counts."""
        found: dict[str, Any] = {}
        for name, option in OPTIONS.items():
            if name not in given or not option.key or name == "allocations":
                continue
            own = self[option.key]
            if isinstance(own, dict) and isinstance(given[name] or {}, Mapping):
                found[name] = {**own, **(given[name] or {})}
            elif not option.is_list or (option.may_be_all and isinstance(given[name], bool)):
                found[name] = given[name] or own
            else:
                found[name] = (*strings(given[name], name), *own)
        return {**found, "arg_intent": self.intents(given["arg_intent"])}

    def intents(self, more: Mapping[Any, Any] | None) -> Any:
        """The intents, with those given in Python; where both speak of one parameter, Python's count."""
        own = self["Function Argument Intents"]
        if not own or (more is not None and not isinstance(more, Mapping)):
            return more
        merged = {function: dict(chosen) for function, chosen in own.items()}
        for function, chosen in (more or {}).items():
            both = isinstance(chosen, Mapping) and function in merged
            merged[function] = {**merged[function], **chosen} if both else chosen
        return merged

    def report(self, target: str, more: Mapping[str, str], *, stacklevel: int = 3) -> None:
        """Warn of the keys that have no effect on a target, and say why; ``more`` are those that this call replaced."""
        reasons = {
            k: row.unused for k, row in KEYS.items() if row.unused and target not in row.targets
        } | dict(more)
        unused = [
            f"\n  {key}: {reasons[key]}" for key, value in self.values.items() if value and key in reasons
        ]
        if unused:
            warnings.warn(f"{self.name}: not used here:{''.join(unused)}", BindWarning, stacklevel=stacklevel)


def load(given: Given | None) -> Config:
    """A configuration from a YAML file, or from a mapping with the same keys.

    Raises
    ------
    BindError
        If the file does not exist, is no YAML, or has an unknown key, a wrong value or a key that never has an effect.
    """
    if given is None:
        return Config()
    if isinstance(given, Mapping):
        return _checked(given, "config", os.getcwd())
    if not isinstance(given, str | os.PathLike):
        raise BindError(f"config: a configuration is a YAML file or a mapping of keys, got {given!r}")
    from pathlib import Path

    path = Path(os.fspath(given))
    if not path.is_file():
        raise BindError(f"config: there is no file {path}")
    from .reader import read  # YAML's reader is loaded when a file is read

    try:
        found = read(path.read_text(encoding="utf-8"))
    except (BindError, UnicodeError) as error:
        raise BindError(f"{path.name}: {error}") from None
    if found is not None and not isinstance(found, Mapping):
        raise BindError(f"{path.name}: a configuration is a mapping of keys, got {type(found).__name__}")
    return _checked(found or {}, path.name, str(path.parent.absolute()))


def _checked(found: Mapping[Any, Any], name: str, folder: str) -> Config:
    for key in found:
        check_key(key, tuple(KEYS), name)
    values = {k: KEYS[k].check(v, folder, f"{name}: {k}") for k, v in found.items() if v is not None}
    idle = [f"\n  {key}: {KEYS[key].never}" for key, value in values.items() if value and KEYS[key].never]
    if idle:
        raise BindError(f"{name}: keys that have no effect; take them out:{''.join(idle)}")
    return Config(name, values, folder)
