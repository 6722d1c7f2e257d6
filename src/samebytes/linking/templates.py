"""Puts the templates of a module where C++ has them: in namespaces, and in the classes that they are members of."""

from __future__ import annotations

from collections.abc import Mapping

from ..headers.model import Module, Template
from ..library import Library, put
from ..member_templates import ConstructorTemplate, MethodTemplate
from ..templates import ClassTemplate, FunctionTemplate, Instantiate, TemplateBase, VariableTemplate
from .linker import Linker

_CLASSES: dict[str, type[TemplateBase]] = {
    "class": ClassTemplate,
    "alias": ClassTemplate,
    "variable": VariableTemplate,
    "function": FunctionTemplate,
    "method": MethodTemplate,
    "constructor": ConstructorTemplate,
}


def add_templates(
    library: Library, module: Module, linker: Linker, instantiate: Instantiate, dialect: str
) -> None:
    """Add every template of a module; overloads and specializations of one name are one."""
    named: dict[str, list[Template]] = {}
    for template in module.templates:
        named.setdefault(template.qualified, []).append(template)
    renamed: Mapping[str, str] = dict(module.renamed)
    for name, group in named.items():
        # Where static and other members share a name, all are called on objects.
        kind = max((t.kind for t in group), key=list(_CLASSES).index)
        made = _CLASSES[kind](group, instantiate, dialect)
        if kind == "constructor":
            linker.records[group[0].owner].__samebytes_new__ = made
        else:
            put(library, name, made, renamed)
