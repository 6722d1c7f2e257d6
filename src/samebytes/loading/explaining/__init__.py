"""What a library binds and how: signatures, intents, conversions, costs, and what was skipped and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ...call import Binding
from ...errors import BindError
from ...frozen import frozen
from ...model.intents import suggest
from ...model.module import Skipped
from ...model.names import names_of
from ...options import check_options
from .facts import PATHS, ArgumentFacts, ClassFacts, DeviceSet, FunctionFacts, class_facts, function_facts

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


@frozen(slots=False)
class Explanation:
    """Printed, by Python or by rich, it is a report; ``json()`` is the same as text for programs.

    Attributes
    ----------
    library : str
    functions : tuple of FunctionFacts
        Every overload that was asked for.
    skipped : tuple of Skipped
        What is not bound, with reason and place.
    exposed, bound : int
        Declarations of the header; those that are bound.
    classes : tuple of ClassFacts
        Every class that was asked for.
    """

    library: str
    functions: tuple[FunctionFacts, ...]
    skipped: tuple[Skipped, ...] = ()
    exposed: int = 0
    bound: int = 0
    classes: tuple[ClassFacts, ...] = ()

    def json(self) -> str:
        """The facts as JSON."""
        return json.dumps(asdict(self), indent=2)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from .show import report_lines

        yield from report_lines(self, options.max_width)

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(width=110, color_system=None, force_terminal=False)
        with console.capture() as captured:
            console.print(self)
        return "\n".join(line.rstrip() for line in captured.get().splitlines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from .fragments import explanation_html

        return explanation_html(self)


def explanation(
    library: str,
    bindings: Mapping[str, Binding | DeviceSet],
    classes: Mapping[str, Any],
    skipped: Iterable[Skipped],
    exposed: int,
    name: str | None,
) -> Explanation:
    """The explanation of one name, or of everything.

    Raises
    ------
    BindError
        If nothing has that name.
    """
    left_out = tuple(skipped)
    if name is None:
        every = tuple(facts for binding in bindings.values() for facts in function_facts(binding))
        of_classes = tuple(class_facts(name, cls) for name, cls in classes.items())
        return Explanation(library, every, left_out, exposed, exposed - len(left_out), of_classes)
    chosen = [b for b in bindings.values() if any(name in names_of(s) for s in b.signatures)]
    why = tuple(s for s in left_out if name in _names(s))
    of_classes = tuple(class_facts(n, cls) for n, cls in classes.items() if name in (n, n.replace("::", ".")))
    if not chosen and not why and not of_classes:
        known = sorted(
            {n for b in bindings.values() for s in b.signatures for n in names_of(s) if "(" not in n}
        )
        raise BindError(f"{library} has no function or class {name!r}.{suggest(name, known)}")
    found = tuple(facts for binding in chosen for facts in function_facts(binding))
    return Explanation(library, found, why, exposed, exposed - len(left_out), of_classes)


def _names(skipped: Skipped) -> tuple[str, ...]:
    plain = skipped.name.partition("(")[0]
    return skipped.name, plain, plain.rpartition("::")[2], plain.replace("::", ".")


def explain(library: Any, name: str | None = None) -> Explanation:
    """What a call of each function does: its Python signature, each argument's intent, conversion and cost.

    Of a class it says what ``==`` compares.

    Parameters
    ----------
    library : Library, package or function
        What ``bind`` or ``compile`` made, a package that ``samebytes bind`` wrote, or one bound function.
    name : str, optional
        One function, as in ``arg_intent``: ``"f"``, ``"ns::f"``, ``"Struct.method"``; or one class.

    Returns
    -------
    Explanation
        Print it; ``.json()`` is for programs.

    Raises
    ------
    BindError
        If nothing has that name.
    TypeError
        If the first argument is none of these.
    """
    check_options("explain", name=name)
    own = getattr(library, "__explain__", None)
    if own is not None:
        found: Explanation = own(name)
        return found
    plan = getattr(library, "__plan__", None) or getattr(library, "__self__", None)
    binding = getattr(getattr(plan, "fallback", None), "__self__", None)
    if not isinstance(binding, Binding) or name is not None:
        raise TypeError(f"explain() takes a bound library and a name, or one bound function, got {library!r}")
    return Explanation(binding.name, tuple(function_facts(binding)))


__all__ = [
    "PATHS",
    "ArgumentFacts",
    "ClassFacts",
    "DeviceSet",
    "Explanation",
    "FunctionFacts",
    "explain",
    "explanation",
]
