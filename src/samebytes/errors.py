"""Every error class of samebytes, and all the wording of what went wrong with an argument."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Error(Exception):
    """The root of every error that samebytes raises."""

    def _render_traceback_(self) -> list[str]:
        """What IPython and notebooks show: the user's own lines, and the words; our frames say nothing to a user."""
        from .notebook import traceback_lines

        return traceback_lines(self)


class ArgumentError(Error, TypeError):
    """An argument of the wrong kind, or a wrong number of arguments.

    Attributes
    ----------
    mismatches : tuple of Mismatch
        Every argument that did not fit, not only the first.
    """

    mismatches: tuple[Mismatch, ...] = ()


class RangeError(Error, OverflowError):
    """A value that its C++ type cannot hold."""

    mismatches: tuple[Mismatch, ...] = ()


class ArrayError(Error, ValueError):
    """An array of the wrong type, rank, device, layout or writability."""

    mismatches: tuple[Mismatch, ...] = ()


class ArrayIndexError(ArrayError, IndexError):
    """An index that leads to no element, or that would need a copy."""


class ProtocolError(Error, BufferError):
    """An array's producer broke the protocol by which it shows its memory."""

    mismatches: tuple[Mismatch, ...] = ()


class IntentError(Error, ValueError):
    """An intent that contradicts the declaration, or a value that cannot serve it."""


class BindError(Error, ValueError):
    """A header, a configuration or a library that cannot be bound."""


# Why C++ does not instantiate something, where it says nothing of it.
UNKNOWN_TO_CXX = "C++ knows no such thing"


class InstantiationError(BindError):
    """A template that C++ cannot instantiate as it was asked, or whose instantiation cannot cross.

    Attributes
    ----------
    asked : str
        The spelling that was asked for.
    reason : str
        The compiler's own words, or why it cannot cross.
    crossing : bool
        Whether C++ accepts it, and it cannot cross.
    """

    def __init__(self, asked: str, reason: str, crossing: bool = False) -> None:
        super().__init__(f"{asked} cannot be instantiated: {reason}")
        self.asked = asked
        self.reason = reason
        self.crossing = crossing

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.asked, self.reason, self.crossing)


# What says nothing about the object that was asked: it passes through, as what is no Exception does, and nothing is
# asked again.
OVERWHELMED = (RecursionError, MemoryError)


class LayoutError(Error, RuntimeError):
    """A layout that the compiler does not confirm."""


class LaunchError(Error, RuntimeError):
    """A kernel that the driver does not load or launch, or that has failed."""


_OURS = frozenset({__package__.partition(".")[0], "numpy"}) | sys.stdlib_module_names


def _is_foreign(error: BaseException) -> bool:
    """Whether code of the user's ran where an error came up: what it raises says nothing about types."""
    frames, entry = [], error.__traceback__
    while entry is not None:
        frames.append(str(entry.tb_frame.f_globals.get("__name__", "")).partition(".")[0])
        entry = entry.tb_next
    return not _OURS.issuperset(frames)


def not_too_deep(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function about types refuse in words what is nested beyond Python's own stack."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RecursionError as error:
            if _is_foreign(error):
                raise
            raise LayoutError(f"{function.__name__}(): the type is nested too deeply") from None

    return call


class CompileError(Error, RuntimeError):
    """The C++ compiler refused the source.

    Attributes
    ----------
    output : str
        The compiler's own messages, unabridged.
    command : tuple of str
        The command that failed.
    """

    def __init__(self, message: str, output: str = "", command: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.output = output
        self.command = tuple(command)

    def renamed(self, old: str, new: str) -> CompileError:
        """The same error with every place ``old`` named ``new``: the user knows no temporary directory."""
        return self._as(str(self).replace(old, new), self.output.replace(old, new))

    def advised(self, sentence: str) -> CompileError:
        """The same error with a sentence behind its first line."""
        first, _, rest = str(self).partition("\n")
        return self._as(f"{first}\n{sentence}\n{rest}", self.output)

    def _as(self, message: str, output: str) -> CompileError:
        error = type(self)(message, output, self.command)
        error.__dict__.update({k: v for k, v in vars(self).items() if k not in ("output", "command")})
        return error


class StatusError(Error, RuntimeError):
    """A C API's function returned a status other than success (``check=True``).

    Attributes
    ----------
    status : int or enum member
        What it returned.
    results : tuple
        What it had put into its outputs.
    """

    status: Any
    results: tuple[Any, ...]

    @classmethod
    def of(cls, function: str, status: Any, results: tuple[Any, ...]) -> StatusError:
        """The error for one call."""
        error = cls(f"{function}() returned {getattr(status, 'name', None) or 'the status'} ({int(status)})")
        error.status, error.results = status, results
        return error


class AllocationError(Error, MemoryError):
    """A library that gives no memory, or does not copy it."""


def lacking(error: OSError) -> str:
    """What a library lacks that the dynamic linker could not load for want of a symbol; empty if that is not why."""
    found = re.search(r"(\S+): (?:undefined symbol|symbol lookup error): (\w+)", str(error))
    if found is None:
        return ""
    return (
        f"{found[1]} needs {found[2]}, which none of its libraries defines; give the one that does in libraries=, "
        "after it, or link it with that one"
    )


def first_sentence(error: CompileError) -> str:
    """The compiler's first error without its place."""
    found = re.search(r"error: (.+)", error.output or str(error))
    return found[1].strip() if found else str(error).partition("\n")[0]


class MissingDependency(Error, ImportError):
    """An optional part that is not installed; the message says what to install."""


class BindWarning(UserWarning):
    """Said once per library: declarations that were skipped, or outputs that are discarded."""


_PLAIN_WORD = re.compile(r"[a-z]+ ")


@dataclass
class Mismatch(Exception):
    """Why one value does not fit one parameter.

    Attributes
    ----------
    error : type
        The class that the call raises for it.
    expected, got : str
        What the parameter takes and what came, in words.
    advice : str
        What to do: one sentence, or empty.
    path : str
        Where inside the argument, ``".v[2]"``; empty for the argument itself.
    index : int
        0-based position among the visible parameters; -1 while it is not known.
    name : str
        The parameter's name.
    """

    error: type[Error]
    expected: str
    got: str
    advice: str = ""
    path: str = ""
    index: int = -1
    name: str = ""

    def __str__(self) -> str:
        place = f" '{self.name}{self.path}'" if self.name or self.path else ""
        subject = f"argument {self.index + 1}{place}: " if self.index >= 0 else ""
        if self.index < 0 and self.name:
            subject = f"its object '{self.name}': "  # of a method
        elif self.index < 0 and self.path:
            subject = f"{self.path.lstrip('.')}: "
        # A sentence of its own begins with a capital or with code, ``x.copy()``; plain words go on.
        mark = ":" if _PLAIN_WORD.match(self.advice) else "."
        advice = f"{mark} {self.advice}" if self.advice else ""
        return f"{subject}expected {self.expected}, got {self.got}{advice}"


def value_words(value: object) -> str:
    """A value as messages show it: its repr, shortened, and its class."""
    try:
        text = _tensor_words(value) if _is_tensor(type(value)) else repr(value)
    except OVERWHELMED:
        raise
    except Exception as error:  # any code may run there: torch's __torch_function__ does
        text = f"an object whose repr() raises {type(error).__name__}"
    if len(text) > 60:
        text = text[:57] + "..."
    return f"{text} ({class_name(type(value))})"


def _is_tensor(kind: type) -> bool:
    """Whether objects of a class are torch's tensors, whose repr() reads their memory, be it there or freed."""
    return any(module_of(base) == "torch" and base.__name__ == "Tensor" for base in kind.__mro__)


def _tensor_words(tensor: Any) -> str:
    return f"a tensor of shape {tuple(tensor.shape)}, {tensor.dtype}"


def module_of(kind: type) -> str:
    """The module of a class; empty where nothing says it, as of a class that ``exec`` made with names of its own."""
    try:
        found = _MODULE.__get__(kind)
    except AttributeError:
        return ""
    return found if isinstance(found, str) else ""


# As CPython knows it: a metaclass may say something else, or raise.
_MODULE: Any = vars(type)["__module__"]


def class_name(kind: type) -> str:
    """A class as messages name it: ours by their public names."""
    module, name = module_of(kind), kind.__qualname__
    if module in ("", "builtins", "__main__"):
        return name
    home = module.partition(".")[0]
    public = home == __package__ and getattr(sys.modules.get(home), name, None) is kind
    return f"{home if public else module}.{name}"


# What sets a member that is no bytes: users wrote an assignment.
_SETTER = r"(.*\.)?operator\.(\w+)="


def call_error(function: str, mismatches: Sequence[Mismatch]) -> Error:
    """One error for a call, of the first mismatch's class, that carries and shows them all, and what caused one."""
    if (member := re.fullmatch(_SETTER, function)) is not None and mismatches[0].index == 0:
        path = f"{member[1] or ''}{member[2]}{mismatches[0].path}"
        return value_error("", replace(mismatches[0], index=-1, name="", path=path))
    first, *rest = mismatches
    lines = [f"{function}() {first}"]
    lines += [f"  also {m}" for m in rest]
    error = first.error("\n".join(lines))
    error.mismatches = tuple(mismatches)  # type: ignore[attr-defined]
    error.__cause__ = next((m.__cause__ for m in mismatches if m.__cause__), None)
    return error


def value_error(subject: str, mismatch: Mismatch) -> Error:
    """The error for a value converted outside a call, as by ``pack`` or a struct's constructor."""
    error = mismatch.error(f"{subject} {mismatch}".strip())
    error.mismatches = (mismatch,)  # type: ignore[attr-defined]
    return error


def absent_error(name: str, owner: str, reason: object) -> AttributeError:
    """A name that C++ declares, in a class or a namespace, and that is not bound."""
    return AttributeError(f"{name!r} is declared in {owner!r} and not bound: {reason}")


def uncounted_error(what: str, count: float) -> RangeError:
    """A time of C++'s that no time of Python's is."""
    return RangeError(
        f"C++ gave a {what} of {count!r} ticks, which no datetime and no time of NumPy is: "
        "let C++ give its number of ticks"
    )


def count_error(pointer: str, member: str, count: int) -> RangeError:
    """A member of a class that counts elements, and is less than none."""
    return RangeError(f"{pointer} cannot be read: {member}, which says how many there are, is {count}")


def arity_error(
    function: str,
    signatures: Sequence[str],
    given: int,
    places: Sequence[tuple[str, str, str]] = (),
    outputs: Sequence[str] = (),
) -> ArgumentError:
    """A call with a number of arguments that no overload takes.

    ``places`` are parameters that a style asked about, as :func:`place_advice` takes them; ``outputs`` those that C++
    may write to, of a function that was called without them.
    """
    forms = "\n".join(f"  {s}" for s in signatures)
    what = "it takes" if len(signatures) == 1 else "its overloads take"
    advice = f"\n{place_advice(places)}" if places else ""
    if outputs:
        said = ", ".join(f"{name!r}: 'out_return'" for name in outputs)
        they, them = ("it is an output", "it") if len(outputs) == 1 else ("they are outputs", "them")
        named = " and ".join(map(repr, outputs))
        advice = f"\n{named}: if {they}, arg_intent={{{function!r}: {{{said}}}}} returns {them}"
    return ArgumentError(
        f"{function}() got {given} argument{'s' if given != 1 else ''}; {what}\n{forms}{advice}"
    )


def place_advice(places: Sequence[tuple[str, str, str]]) -> str:
    """How to say what parameters are that a style takes for what goes in: of each function, name and rule."""
    lines = [
        f"{name!r} goes in: {rule}; if C writes one value there, "
        f"arg_intent={{{function!r}: {{{name!r}: 'out_return'}}}} returns it"
        for function, name, rule in places
    ]
    return "\n".join(lines)


# Of a container or a text that C++ changes: each call makes its own.
READ_AND_CHANGED = (
    "'out_return' begins with an empty one; where C++ reads it and changes it, write a function in C++ that takes it "
    "by value and returns it"
)
_RETURNED = "what the call returns, 'out_return',"
# Whether C++ writes to bytes, and whether the argument has such: what it writes to.
_WRITTEN = {
    (True, True): "to this very memory, 'inout_ptr',",
    (True, False): f"{_RETURNED} to an array's memory, 'inout_ptr',",
    (False, True): _RETURNED,
    (False, False): _RETURNED,
}


def unstated_advice(name: str, *, place: bool, memory: bool = True, one: bool = False) -> str:
    """How to say what becomes of what C++ writes to an argument.

    ``place``: it can be the caller's own memory; ``memory``: what came has such, and is no list of objects; ``one``: a
    copy is made of a plain value alone, of no array.
    """
    taken = ", for a plain value" if one else ""
    words = f"arg_intent says of {name!r} that it writes {_WRITTEN[place, memory]} or what is dropped, 'in'{taken}"
    return f"C++ may write there: {words}{'' if place else f'. {READ_AND_CHANGED}'}"


def dropped_text(function: str, position: int, name: str, got: str, record: str) -> str:
    """What is lost where a plain value stands for a record that C++ may change."""
    return (
        f"{function}() argument {position + 1} {name!r}: what C++ writes to {got} is dropped; "
        f"a record, {record}(...), is the very object that it changes"
    )


# Of an object that lies in a container or an optional of C++'s, say, as Python reads those.
GIVEN_AS_CONST = "C++ gave it as const"
CONST_OBJECT = f"{GIVEN_AS_CONST}: copy.copy(x) makes one of your own"
POINTS_TO_CONST = f"{GIVEN_AS_CONST}: sb.Pointer(x, readonly=True) says that nothing is written through it"
COPIED = "It is a copy of what C++ has, which that would not change: copy.copy(x) makes one of your own"


def copy_text(function: str) -> str:
    """What a method that is not const may lose on an object that is such a copy."""
    return f"{function}() is not const, and its object is a copy of what C++ has, which does not see what it changes"


# Of a call whose arguments fit when they are asked for again.
CHANGED = (
    "was refused for an object that another thread used while it was read, and uses no more: call it again"
)


def plain_error(error: type[Error], function: str, sentence: str) -> Error:
    """An error about a call as a whole: an unknown keyword, a repeated or a missing argument."""
    return error(f"{function}() {sentence}")


def index_error(owner: str, index: int, extent: int) -> IndexError:
    """A subscript that counts further from the end than there are elements."""
    return IndexError(f"{owner}[{index}]: it has {extent} element{'s' * (extent != 1)}")


def overload_error(
    function: str, candidates: Sequence[str], got: str, *, tie: bool, choice: str = "", certain: bool = True
) -> ArgumentError:
    """No overload fits, or several fit equally well; ``choice``: what chooses one, as users write it."""
    forms = "\n".join(f"  {c}" for c in candidates)
    why = "is ambiguous: these overloads fit equally well" if tie else "has no overload that fits"
    if not certain:
        why = "is one of these in C++, and which one is not known here"
    advice = f"\n  {choice} chooses one by its C++ types" if tie and choice else ""
    return ArgumentError(f"{function}({got}) {why}\n{forms}{advice}")


def no_overload(function: str, asked: str, declared: Sequence[str]) -> BindError:
    """``overload()`` found no function of such parameters."""
    forms = "".join(f"\n  {d}" for d in declared)
    return BindError(f"{function}() has no overload {asked!r}; C++ declares{forms}")


def several_overloads(function: str, asked: str, declared: Sequence[str]) -> BindError:
    """``overload()`` found several."""
    forms = "".join(f"\n  {d}" for d in declared)
    return BindError(
        f'{function}() has several overloads {asked!r}; write what tells them apart, "(...) const", or all of one'
        f"{forms}"
    )


def sides_error(
    error: type[Error],
    asked: tuple[str, str, str, object],
    turned: tuple[str, str, str, object],
    methods: tuple[str, str],
) -> Error:
    """C++ answers otherwise with a derived object on the left than with the base's there; Python cannot tell which."""
    (derived, sign, base, answer), (_, mirrored, _, back) = asked, turned
    return error(
        f"{derived} {sign} {base} is {answer} in C++, {base} {mirrored} {derived} is {back}, and Python asks {derived} "
        f"for both: write {derived}.{methods[0]}.__wrapped__(x, y) for the one, {base}.{methods[1]}(y, x) for the other"
    )


def loss_words(function: str, error: BaseException) -> str:
    """Why an object is gone that a failed call took over."""
    return f"it was given to {function}(), which raised {type(error).__name__}: {error}"


def end_words(function: str) -> str:
    """Why an object is gone that a call of its deleter ended."""
    return f"it was given to {function}()"


SECOND_OWNER = (
    "C++ handed an object over that Python owns already, by another deleter or as one that it made: two owners would "
    "end it twice. It stays the first one's; one of the two is not 'owned'"
)


def loss_note(function: str, classes: Sequence[str]) -> str:
    """What an error says of the objects that its call took over and lost."""
    return f"C++ had taken over what was given to {function}() before it raised; gone: {', '.join(classes)}"


def base_twice(name: str, base: str) -> str:
    """What to do with an object that has a base several times."""
    return (
        f"A {name} has several {base} objects as bases, and C++ does not say which is meant: a C++ function that takes "
        f"a {name} and names the way, static_cast<{base}&>(static_cast<Way&>(x)), hands one on"
    )


def ambiguous_number(name: str, sign: str, conversions: Sequence[str]) -> TypeError:
    """Which number an object is to a built-in operator, C++ does not say, or Python does not know."""
    several = "C++ knows several conversions to a number, and none is better"
    why = several if len(conversions) > 1 else "C++ converts it to an enumeration"
    advice = "write int(x) or float(x), or call one by its name, getattr(x, 'operator int')()"
    return TypeError(f"operator{sign} of a {name}: {why} ({', '.join(conversions)}): {advice}")


def no_operand(sign: str, name: str) -> TypeError:
    """A unary operator of an object that C++ converts to no number."""
    return TypeError(f"bad operand type for unary {sign}: {name!r}, which C++ converts to no number")


def no_operator(sign: str, classes: Iterable[str], advice: str) -> TypeError:
    """C++ refuses an operator between operands of some classes, of which Python would make something up."""
    words = "C++ has no such operator for these operands"
    return TypeError(f"operator{sign}({', '.join(classes)}): {words}: {advice}")


def unusable_operator(sign: str, name: str) -> TypeError:
    """An operator that C++ finds before the built-in one, and that is not public."""
    words = "is not public, not bound, or several bases have one: C++ tries no other"
    return TypeError(f"operator{sign} of a {name} {words}")


def number_in_doubt(sign: str, enumeration: str) -> TypeError:
    """A built-in operator of an enumerator gives one result as int, and another one as unsigned."""
    return TypeError(
        f"operator{sign}: C++ takes a {enumeration} for an int, or for an unsigned where it is declared with that, "
        "and the results differ: int(x) or numpy.uint32(x) says which"
    )


def truth_in_doubt(shown: str, truth: bool, other: str = "number") -> ArgumentError:
    """``!e`` of C++ and its ``if (e)`` say different things; Python asks the same for both."""
    advice = " e == 0 compares the number" if other == "number" else ""
    return ArgumentError(
        f"C++'s operator! makes {shown} {str(truth).lower()}, and its {other} is {str(not truth).lower()}: "
        f"Python asks the same for 'not e' and 'if e'.{advice}"
    )


def no_number_operator(sign: str, type_name: str) -> TypeError:
    """A built-in operator that C++ has for integers alone."""
    return TypeError(f"C++ has no operator{sign} of {type_name}")


def number_overflow(sign: str, value: int, type_name: str) -> str:
    """A result that its C++ type does not hold."""
    return (
        f"operator{sign} gives {value}, which C++'s {type_name} does not hold: what it gives then is undefined. "
        "int(x) is Python's integer, which holds any"
    )


def number_shift(sign: str, count: int, type_name: str) -> str:
    """A shift by as many bits as there are, or more, or by less than none."""
    return f"operator{sign} by {count} is undefined in C++ for {type_name}"


def number_too_wide(value: int) -> str:
    """An integer of Python's that is none of C++'s."""
    return f"C++ has no integer that holds {value}: int(x) and float(x) are Python's numbers"


def zero_division(sign: str) -> ZeroDivisionError:
    """An integer divided by zero."""
    return ZeroDivisionError(f"operator{sign} of an integer by zero is undefined in C++")


def rebinding_number(sign: str, name: str) -> TypeError:
    """``x += 1`` where C++ has no such operator of the class: Python would make a number of the name."""
    return TypeError(
        f"C++ has no operator{sign} of a {name}, and the number that it is converted to is not part of it: "
        f"write x = x {sign[:-1]} y for the number"
    )


def number_sides(name: str, sign: str, answer: object, number: object) -> ArgumentError:
    """A class's own comparison says another thing than its number's; Python asks it for both sides of the sign."""
    return ArgumentError(
        f"operator{sign} of a {name} and a number is {answer} as the class declares it, and {number} of the number "
        f"that C++ converts it to, which may be meant with the number on the left: Python asks {name} for both: "
        f"write int(x) or float(x) for the number, and getattr(x, 'operator{sign}')(y) for the class's"
    )
