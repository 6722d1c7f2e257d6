"""How a C++ shim reaches what it calls: the proof of the exact declaration, the call by it, and the call by name."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ...frozen import frozen
from ...model.intents import OutArrayReturn
from ...model.signature import Parameter, Signature
from ...model.slots import element_type, factors, storage_type, viewed
from ...model.symbols import is_static
from ...types import VOID, CArray, Converted, Function, Handle, Named, Span, Struct, unqualified
from ...types.naming import is_unnamed, split_name
from . import converted
from .base import ARGS

_MADE, _PLACE = "samebytes_made<", "samebytes_place<"
_PACK = "static_cast<samebytes_a&&>(samebytes_v)..."


@frozen
class Form:
    """What a shim says about one declaration.

    Attributes
    ----------
    proof : str
        Statements that compile only if the declaration is what was read.
    called : callable
        The call with all arguments, given these; of a constructor what stands after ``new``.
    exact : str
        The same as an object that is called, for results that are taken apart.
    before : str
        What stands before the shim where fewer arguments are given.
    by_name : str
        What is called then: only a call by name has default arguments.
    result : str
        What the call yields; of a constructor ``samebytes_made<C>``.
    always : bool
        Whether ``before`` is needed with all arguments, too.
    stored : str
        The type as which that is stored for Python: of a reference that Python views, ``samebytes_place<C&>``.
    """

    proof: str
    called: Callable[[list[str]], str]
    exact: str
    before: str
    by_name: str
    result: str
    stored: str
    always: bool = False


def form(signature: Signature, index: int | str, given: int | str) -> Form:
    """The form of a call with the first ``given`` C++ arguments; a text only sets its names apart."""
    return (_expression if signature.expression else _FORMS[signature.kind])(signature, index, given)


def _function(signature: Signature, index: int | str, given: int | str) -> Form:
    types = ", ".join([*(p.spelling for p in signature.parameters), *(["..."] if signature.variadic else [])])
    pointer, name = f"samebytes_p{index}_{given}", f"samebytes_n{index}_{given}"
    called = f"{qualified(signature)}({_PACK})"
    return Form(
        f"  using samebytes_t = auto({types}) -> {signature.result_spelling};\n"
        f"  samebytes_t* const {pointer} = &{qualified(signature)};\n"
        f"  (void){pointer};\n",
        lambda given: f"{pointer}({', '.join(given)})",
        pointer,
        _functor(name, "", "", called),
        f"{name}{{}}",
        signature.result_spelling,
        _stored(signature),
    )


def _method(signature: Signature, index: int | str, given: int | str) -> Form:
    types = ", ".join(p.spelling for p in signature.arguments)
    pointer, name = f"samebytes_p{index}_{given}", f"samebytes_n{index}_{given}"
    last = split_name(signature.qualified)[-1]
    member = f"template {last}" if signature.instance and "<" in last else _named(signature)
    called = f"static_cast<samebytes_o&&>(samebytes_s).{member}({_PACK})"
    return Form(
        # Written out: g++ forgets the & of an alias for a method's type.
        f"  using samebytes_r = {signature.result_spelling};\n"
        f"  samebytes_r ({signature.home}::* const {pointer})({types}) {signature.qualifiers}"
        f" = &{qualified(signature)};\n"
        f"  (void){pointer};\n",
        lambda given: f"({given[0]}.*{pointer})({', '.join(given[1:])})",
        f"samebytes_method<decltype({pointer})>{{{pointer}}}",
        _functor(name, "class samebytes_o, ", "samebytes_o&& samebytes_s, ", called),
        f"{name}{{}}",
        signature.result_spelling,
        _stored(signature),
    )


def _constructor(signature: Signature, index: int | str, given: int | str) -> Form:
    class_ = signature.result_spelling
    made, result = f"samebytes_new<{class_}>{{}}", f"{_MADE}{class_}>"
    if opening := signature.braces:
        return Form(
            "", lambda given: f"{class_}{opening}{', '.join(given)}}}", made, "", made, result, result
        )
    return Form("", lambda given: f"{class_}({', '.join(given)})", made, "", made, result, result)


def _expression(signature: Signature, index: int | str, given: int | str) -> Form:
    """A call that C++ resolves by itself; its result must be what was read."""
    assert isinstance(given, int)
    name, numbers, text = f"samebytes_n{index}_{given}", range(given), signature.expression

    def call(given: list[str]) -> str:
        if text.endswith("("):  # of the arguments behind the object there may be fewer than are declared
            return f"{text.format(given[0])}{', '.join(given[1:])}){')' * is_static(signature)}"
        return text.format(*given) if "{" in text else f"{text}({', '.join(given)})"

    called = call([f"static_cast<samebytes_a{i}&&>(samebytes_v{i})" for i in numbers])
    classes = ", ".join(f"class samebytes_a{i}" for i in numbers)
    parameters = ", ".join(f"samebytes_a{i}&& samebytes_v{i}" for i in numbers)
    template = f"  template <{classes}>\n" if numbers else ""
    before = (
        f"struct {name} {{\n{template}"
        f"  SAMEBYTES_DEVICE auto operator()({parameters}) const -> decltype({called}) {{\n"
        f"    return {called};\n"
        "  }\n"
        "};\n"
    )
    exact = call([argument(p, i) for i, p in enumerate(signature.parameters[:given])])
    result = signature.result_spelling
    proof = f'  static_assert(samebytes_shim::same<decltype({exact}), {result}>::answer, "");\n'
    taken_apart = isinstance(unqualified(signature.result), Converted)
    return Form(
        proof, call, f"{name}{{}}", before, f"{name}{{}}", result, _stored(signature), always=taken_apart
    )


def _macro(signature: Signature, index: int | str, given: int | str) -> Form:
    """A macro that is an expression; its type must be what was read."""
    name, result = f"samebytes_n{index}_{given}", signature.result_spelling
    real = f"decltype(samebytes_value(({signature.name})))"
    proof = f'  static_assert(samebytes_shim::same<{real}, samebytes_bare<{result}>>::answer, "");\n'
    before = f"struct {name} {{ auto operator()() const -> {result} {{ return ({signature.name}); }} }};\n"
    exact = f"{name}{{}}"
    return Form(proof, lambda given: f"{exact}()", exact, before, exact, result, result, always=True)


def storing_call(how: Form, storage: str, given: list[str]) -> str:
    """The statement that calls with all arguments, and puts the result where it goes.

    Written out: a template for each would take the compiler most of its time.
    """
    call = how.called(given)
    if how.stored == "void":
        return call
    if how.stored.startswith(_MADE):
        return f"::new ({storage}, samebytes_here{{}}) {call}"
    if how.stored.startswith(_PLACE):
        return f"*static_cast<const volatile void**>({storage}) = __builtin_addressof({call})"
    return f"::new ({storage}, samebytes_here{{}}) samebytes_bare<{how.stored}>({call})"


_UNDO = "samebytes_u"


def may_undo(signature: Signature, given: int) -> bool:
    """Whether a call can fail when its result, which Python would have to end, is made already."""
    result = unqualified(signature.result)
    ends = isinstance(result, Handle) and result.destructible and not refers(signature)
    return (ends or isinstance(result, Converted)) and any(map(_made_for_call, signature.parameters[:given]))


def _made_for_call(parameter: Parameter) -> bool:
    """Whether the shim or C++ makes an object of a class for an argument or an output, and ends it after the call."""
    type_ = parameter.value_type
    return isinstance(type_, Converted) or (isinstance(type_, Handle) and parameter.passing == "value")


def undoing(
    signature: Signature, how: Form, call: str, storage: str, described: str, *, short: bool
) -> tuple[str, str, str]:
    """What stands before such a call, the call, and what stands behind: nothing of a failed one is left."""
    if isinstance(unqualified(signature.result), Converted):
        before, where = f"samebytes::undo_held {_UNDO}; ", f"{_UNDO}.slot"
        made = call if short else f"({call}, {storage})"
    else:
        class_ = f"samebytes_bare<{signature.result_spelling}>"
        before, where = f"samebytes_undo<{class_}> {_UNDO}; ", f"{_UNDO}.samebytes_object"
        made = f"static_cast<{class_}*>({call})" if short else call
    return before, f"{where} = {made}", f"{described}; {where} = nullptr"


def refers(signature: Signature) -> bool:
    """Whether a call gives the address of what the result refers to."""
    return signature.result_passing == "lvalue_ref" and viewed(signature) is not None


def _stored(signature: Signature) -> str:
    if signature.hands_over:
        return f"samebytes::handed<{unqualified(signature.result).spelling}>"  # type: ignore[attr-defined]
    if signature.result == VOID:
        return "void"  # also of what C++ gives back and Python has no use for
    return f"{_PLACE}{signature.result_spelling}>" if refers(signature) else signature.result_spelling


_FORMS: dict[str, Callable[[Signature, int | str, int | str], Form]] = {
    "function": _function,
    "static": _function,
    "method": _method,
    "constructor": _constructor,
    "macro": _macro,
}


def _functor(name: str, classes: str, parameters: str, called: str) -> str:
    return (
        f"struct {name} {{\n"
        f"  template <{classes}class... samebytes_a>\n"
        f"  SAMEBYTES_DEVICE auto operator()({parameters}samebytes_a&&... samebytes_v) const -> decltype({called}) {{\n"
        f"    return {called};\n"
        "  }\n"
        "};\n"
    )


def qualified(signature: Signature) -> str:
    """A function's name from the global scope."""
    whole = signature.qualified
    if is_unnamed(signature.home):
        return f"{signature.home}::{_named(signature)}"
    if (named := _named(signature)) != signature.name:
        whole = whole.removesuffix(signature.name) + named
    return whole if whole.startswith("::") else f"::{whole}"


def _named(signature: Signature) -> str:
    """A member's name as C++ takes it: a conversion's type stands in one word where it has parentheses of its own."""
    type_ = signature.name.removeprefix("operator ")
    return (
        signature.name if type_ == signature.name or "(" not in type_ else f"operator samebytes_type<{type_}>"
    )


def values(signature: Signature, given: int, retained: bool) -> list[str]:
    """The C++ arguments of a call; an object as one of the class that declares the method, accessible or not."""
    found = [argument(p, i, retained) for i, p in enumerate(signature.parameters[:given])]
    if signature.kind == "method" and not signature.expression and signature.home:
        spelling = signature.parameters[0].spelling
        sign = spelling[spelling.rindex(" ") :]
        exact = f"{'const ' * spelling.startswith('const ')}{signature.home}{sign}"
        if exact != spelling:
            found[0] = f"({exact}){found[0]}"
    return found


def beginnings(signature: Signature, given: int) -> str:
    """Statements before the call: outputs that are records begin with the initial values that C++ declares."""
    found = []
    for i, parameter in enumerate(signature.parameters[:given]):
        if parameter.intent.visible or isinstance(parameter.value_type, Converted):
            continue
        stored = storage_type(parameter)
        if isinstance(parameter.intent, OutArrayReturn):
            element, count = element_type(parameter), _count(signature, parameter.intent)
        elif isinstance(stored, CArray):
            element, count = stored.element, str(prod(stored.shape))
        else:
            element, count = stored, "1"
        made = unqualified(element)
        if isinstance(made, Struct | Named):
            name = made.spelling or made.name if isinstance(made, Struct) else made.name
            found.append(f"samebytes_begin<{name}>({ARGS}[{i}], {count}, 0); ")
    return "".join(found)


def _count(signature: Signature, intent: OutArrayReturn) -> str:
    """How many elements an output array has; before the call Python has found that there may be so many."""
    places = {p.name: (i, p) for i, p in enumerate(signature.parameters)}
    said = factors(intent.length) if isinstance(intent.length, str) else (intent.length or 1,)
    taken = [str(f) if isinstance(f, int) else argument(places[f][1], places[f][0]) for f in said]
    return " * ".join(f"static_cast<decltype(sizeof 0)>({factor})" for factor in taken)


def argument(parameter: Parameter, index: int, retained: bool = False) -> str:
    """The C++ argument in one slot; ``retained``: the result may point into it."""
    slot = f"{ARGS}[{index}]"
    if isinstance(parameter.value_type, Converted):
        return converted.argument(parameter, parameter.value_type, index, retained=retained)
    if not parameter.intent.visible and parameter.passing == "value":
        return f"static_cast<{parameter.spelling}>({slot})"  # the address of the output's storage
    target = getattr(parameter.value_type, "target", None)
    if isinstance(target, Function) and target.holder and parameter.spelling != target.spelling:
        return f"samebytes::function_of<{target.holder}>(samebytes_take<{target.spelling}>({slot}))"
    type_ = parameter.value_type
    mutable = isinstance(type_, Struct) and type_.copied_by_template
    if isinstance(type_, Handle):
        mutable |= type_.copies_mutable
    if (isinstance(type_, Handle) or mutable) and parameter.passing == "value":
        return f"samebytes_take<{'' if mutable else 'const '}{parameter.spelling} &>({slot})"  # C++ copies it
    if isinstance(parameter.value_type, Span) and not parameter.value_type.memory:
        if make := parameter.value_type.make:
            return f"samebytes::from_array<{parameter.value_type.ndim}>({slot}, {make})"
        return f"samebytes::from_descriptor<{parameter.value_type.spelling}>({slot})"
    return f"samebytes_take<{parameter.spelling}>({slot})"
