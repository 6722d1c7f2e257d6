"""How a function shows itself: keyword names, one-line signatures, C++ declarations, docstrings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import ArgumentError, Error, plain_error
from ..model.signature import Parameter, Signature
from ..model.slots import storage_type
from ..types import VOID, Type, unqualified
from ..types.naming import python_names, without_beneath
from .candidate import AMBIGUOUS

_LITERALS = frozenset({bool, int, float, str, type(None)})


def keyword_names(signature: Signature, parameters: Sequence[Parameter]) -> tuple[str, ...]:
    """The names by which some of a function's parameters are given."""
    own = signature.object
    names = python_names({p.name: None for p in (*((own,) if own else ()), *signature.parameters)})
    return tuple(names[p.name] for p in parameters)


def shown_type(parameter: Parameter) -> Type:
    """What a parameter is to the caller: the record that C++ may change, and not its address."""
    return parameter.value_type if parameter.is_aliased else storage_type(parameter)


def visible_text(signature: Signature) -> str:
    """The Python signature in one line: ``frexp(x: float64) -> tuple[float64, int32]``."""
    if signature.kind == "macro":
        return f"{signature.name}: {unqualified(signature.result)}"
    shown = []
    for parameter, name in zip(signature.shown, keyword_names(signature, signature.shown), strict=True):
        default = f" = {parameter.default.text}" if parameter.default else ""
        shown.append(f"{name}: {shown_type(parameter)}{default}")
    if signature.variadic:
        shown.append("*args")
    if signature.measuring and not signature.variadic:
        shown.append("*")
    for parameter in signature.measuring:
        (name,) = keyword_names(signature, (parameter,))
        shown.append(f"{name}: {storage_type(parameter)} = len({getattr(parameter.intent, 'capacity', '')})")
    shows = signature.result != VOID and signature.kind != "launch"  # whose result is a status
    outputs = [str(unqualified(signature.result))] if shows else []
    outputs += [str(storage_type(p)) for p in signature.parameters if not p.intent.visible]
    result = "None" if not outputs else outputs[0] if len(outputs) == 1 else f"tuple[{', '.join(outputs)}]"
    return without_beneath(f"{signature.shown_name}({', '.join(shown)}) -> {result}")


def parameters_text(signature: Signature, overloads: Sequence[Signature]) -> str:
    """The C++ types of the parameters, as they choose it among its overloads: ``int, double``, ``(int) const``."""
    text = _types_text(signature)
    alike = [s for s in overloads if _types_text(s) == text]
    return text if len(alike) < 2 else f"({text}) {signature.qualifiers}".rstrip()


def choice_text(signature: Signature) -> str:
    """How users choose one of its overloads, where the library is ``lib``: ``lib.ns.f.overload("...")``."""
    named = signature.kind in ("function", "method", "static") and not signature.instance
    if any("<" in part for part in signature.namespace):  # a name of Python's own stands for it
        path = signature.shown_name
    else:
        own = () if signature.kind == "constructor" else (signature.name,)
        path = ".".join(("lib", *signature.namespace, *own))
    return f'{path}.overload("...")' if named else f'samebytes.overload({path}, "...")'


def _types_text(signature: Signature) -> str:
    return ", ".join(p.spelling for p in signature.arguments)


def declaration_text(signature: Signature) -> str:
    """The C++ declaration in one line."""
    if signature.kind == "macro":
        return f"#define {signature.name} ({signature.result_spelling})"
    dots = ["..."] if signature.variadic else []
    declared = (p.declaration for p in signature.arguments if not (dots and p.is_ellipsis))
    parameters = ", ".join([*declared, *dots])
    result = "" if signature.kind == "constructor" else f"{signature.result_spelling} "
    after = f" {signature.qualifiers}" if signature.qualifiers else ""
    return f"{result}{signature.qualified}({parameters}){after}"


def candidate_text(signature: Signature, unbound: str = "") -> str:
    """An overload as errors list it; ``unbound`` is why it is not bound."""
    if unbound and unbound != AMBIGUOUS:
        return f"{declaration_text(signature)}, which is not bound: {unbound}"
    return f"{visible_text(signature)}    [{declaration_text(signature)}]"


def unbound_error(function: str, signature: Signature, reason: str) -> Error:
    """C++ calls an overload that is not bound, and so no other one answers."""
    place = f" ({signature.location})" if signature.location else ""
    what = f"means {declaration_text(signature)}{place}, which is declared in C++ and not bound: {reason}"
    return plain_error(ArgumentError, function, what)


def unknown_parameter_text(signature: Signature, name: str) -> str:
    """What follows a function's name where a call names a parameter that it does not have."""
    return f"has no parameter {name!r}; it takes {visible_text(signature)}"


def overrun_text(signature: Signature, parameter: Parameter) -> str:
    """What is wrong where C wrote more than the one value that a rule took an output for."""
    name = parameter.name
    return (
        f"{signature.shown_name}() wrote past {name!r}, which style='c_api' took for one {storage_type(parameter)} "
        f"that comes back: it is an array. arg_intent={{{signature.shown_name!r}: {{{name!r}: 'in'}}}} makes it an "
        "argument"
    )


def capacity_text(buffer: str, keyword: str, got: str) -> str:
    """What follows a function's name where nothing says how much room there is."""
    return (
        f"cannot tell how much room {buffer!r} has, which goes in as {keyword!r}: got {got}. "
        f"Pass an array, or say it by name, {keyword}=n"
    )


def needed_default_text(name: str, default: str, later: str) -> str:
    """What follows a function's name where a call leaves out what only C++ could supply."""
    return (
        f"needs {name!r} where {later!r} is given, which comes after it: only C++ knows its default ({default}), "
        f"and C++ leaves out last arguments alone: give {name!r}, too"
    )


def docstring(signatures: Sequence[Signature]) -> str:
    """The builtin's doc: a text signature that ``inspect`` reads where there is one form, then words."""
    written = [s for s in signatures if not s.implicit] or signatures
    several = f"{written[0].name}({'$self, ' * bool(written[0].object)}*args, **kwargs)\n--\n\n"
    header = (_text_signature(written[0]) if len(written) == 1 else "") or several
    forms = "\n".join(f"{visible_text(s)}\n    {declaration_text(s)}" for s in signatures)
    words = "\n\n".join(dict.fromkeys(s.doc for s in signatures if s.doc))
    return f"{header}{forms}\n\n{words}".rstrip()


def _text_signature(signature: Signature) -> str:
    """The line that ``inspect`` reads; empty where it could not, see :func:`_is_read`."""
    names, last = (keyword_names(signature, some) for some in (signature.shown, signature.measuring))
    shown = [f"{name}{_default_text(p)}" for p, name in zip(signature.shown, names, strict=True)]
    shown += ["*args"] * signature.variadic + ["*"] * (bool(last) and not signature.variadic)
    shown += [f"{name}=None" for name in last]
    if not _is_read(signature, (*names, *last)):
        return ""
    own = ["$self"] if signature.object else []
    return f"{signature.name}({', '.join([*own, *shown])})\n--\n\n"


def _is_read(signature: Signature, names: Sequence[str]) -> bool:
    """Whether ``inspect`` reads a function's line: it is ASCII, names differ, and what has no default comes first."""
    given = [p.default is not None for p in signature.shown]
    distinct = len({*names, "args"} if signature.variadic else {*names}) == len(names) + signature.variadic
    return all(map(str.isascii, names)) and distinct and given == sorted(given)


def _default_text(parameter: Parameter) -> str:
    """``=3``; ``=...`` for what no literal in ASCII says."""
    if parameter.default is None:
        return ""
    value = parameter.default.value
    if isinstance(value, float) and not math.isfinite(value):
        return "=..." if math.isnan(value) else "=1e999" if value > 0 else "=-1e999"
    return f"={value!a}" if type(value) in _LITERALS else "=..."
