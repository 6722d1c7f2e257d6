"""YAML into plain values, with nothing dropped in silence."""

from __future__ import annotations

from typing import Any

import yaml

from ...errors import BindError


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # a class without its types
    """YAML without surprises: only true and false are booleans (as in YAML 1.2), and no key comes twice."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _construct_mapping(loader: _Loader, node: Any) -> dict[Any, Any]:
    seen: dict[Any, int] = {}
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        line = key_node.start_mark.line + 1
        if not isinstance(key, str | int | float | bool):
            raise BindError(f"line {line}: {key!r} is no key")
        if key in seen and type(key) is type(next(k for k in seen if k == key)):
            raise BindError(f"line {line}: the key {key!r} is there already, in line {seen[key]}")
        seen[key] = line
    loader.flatten_mapping(node)
    return dict(loader.construct_pairs(node, deep=True))


_Loader.add_constructor("tag:yaml.org,2002:map", _construct_mapping)
_Loader.add_constructor("!numbast_join", lambda loader, node: "".join(loader.construct_sequence(node)))


def read(text: str) -> Any:
    """The document as mappings, lists, texts and numbers.

    Raises
    ------
    BindError
        If it is no YAML, or a key comes twice.
    """
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        raise BindError(f"it cannot be read as YAML: {error}") from None
