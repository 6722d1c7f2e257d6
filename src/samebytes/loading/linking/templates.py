"""Puts the templates of a module where C++ has them: in namespaces, and in the classes that they are members of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from keyword import iskeyword

from ...model.module import Module, Template
from ...types.naming import split_name
from ..library import Library
from ..operators import MAKING, special_methods
from ..placing import put, standing
from ..templates.kernels import KernelTemplate
from ..templates.library import ClassTemplate, FunctionTemplate, Instantiate, TemplateBase, VariableTemplate
from ..templates.members import ConstructorTemplate, MethodTemplate
from ..templates.operators import add_enum_operators, add_operators
from .deferred import defer_members, drop_deferral
from .linker import Linker

_OPERATOR = re.compile(r"operator[^\w\s]")

_CLASSES: dict[str, type[TemplateBase]] = {
    "class": ClassTemplate,
    "alias": ClassTemplate,
    "variable": VariableTemplate,
    "function": FunctionTemplate,
    "method": MethodTemplate,
    "constructor": ConstructorTemplate,
    "kernel": KernelTemplate,
}


def add_templates(
    library: Library, module: Module, linker: Linker, instantiate: Instantiate, dialect: str
) -> None:
    """Add every template of a module; overloads and specializations of one name are one."""
    if dialect == "cxx":  # Python calls nothing of device code
        _add_operators(module, linker, instantiate)
    named: dict[str, list[Template]] = {}
    for template in module.templates:
        named.setdefault(template.qualified, []).append(template)
    functions = module.overload_sets
    # What a using-declaration names joins the overloads that the name has itself, or from elsewhere.
    meant: dict[str, list[str]] = {}
    for name, target in module.repeated:
        meant.setdefault(name, []).append(target)
    for name, target in module.repeated:
        if target in named and (name in functions or name in named or len(meant[name]) > 1):
            joining = [replace(t, qualified=name) for t in named[target]]
            named[name] = [*named.get(name, ()), *(t for t in joining if t not in named.get(name, ()))]
    renamed: Mapping[str, str] = dict(module.renamed)
    # Python's keywords get names that nothing else in C++ has.
    for name, group in sorted(named.items(), key=lambda item: iskeyword(item[0].rpartition("::")[2])):
        # Where static and other members share a name, all are called on objects.
        kind = max((t.kind for t in group), key=list(_CLASSES).index)
        made = _CLASSES[kind](group, instantiate, dialect)
        if kind in ("function", "method") and _is_special(name.rpartition("::")[2]):
            continue
        if isinstance(made, ConstructorTemplate):
            made.bound = vars(linker.records[group[0].owner]).get("__samebytes_new__")
            linker.records[group[0].owner].__samebytes_new__ = made
        else:
            plain = [one for one in (name, *meant.get(name, ())) if one in functions]
            if isinstance(made, FunctionTemplate) and plain:
                joined = standing(library, name, renamed)
                made.beside = standing(library, plain[0], renamed) if joined is None else joined
            made.home = library, put(library, name, made, renamed)


def _is_special(name: str) -> bool:
    """Whether the operator of a name is one of Python's, or a conversion; ``operator&&`` goes by its C++ name."""
    return name.startswith("operator ") or bool(_OPERATOR.match(name) and special_methods(name))


def _maker(name: str) -> str:
    """The class template of a name, whatever it is a member of: ``List::Iter`` of ``List<int>::Iter<int>``."""
    return "::".join(part.partition("<")[0] for part in split_name(name))


def _add_operators(module: Module, linker: Linker, instantiate: Instantiate) -> None:
    """Give classes the operators of templates; those without members get them when they are used."""
    for template in module.templates:
        if template.kind in MAKING:
            linker.makers.add(_maker(template.qualified))
        for name in (template.name, *template.operators):
            if _OPERATOR.match(name):
                known = linker.operators.setdefault(name, [])
                if template not in known:
                    known.append(replace(template, name=name, qualified=name))
    made = {i.target for i in module.instances if i.kind == "type"}
    unread = {found.name for found in module.unread if found.is_standard}
    for struct in module.records:
        if linker.records.waits(struct.name):
            continue  # it gets them when it is made
        name, cls = struct.name, linker.records[struct.name]
        if name in made:
            linker.whole.add(name)
            drop_deferral(cls)
        elif name not in linker.whole and (name in unread or ("<" in name and _maker(name) in linker.makers)):
            linker.whole.add(name)
            defer_members(cls, struct.spelling or name, instantiate)
            continue
        add_operators(cls, linker.operators, instantiate)
    for enum in module.enums if linker.operators else ():
        add_enum_operators(linker.enums[enum.name].python, linker.operators, instantiate)
