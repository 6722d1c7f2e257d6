"""The price of views: any array as a view, parts of a view, and handing it on, beside what other libraries offer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import c_api
import callbacks
from cases import LENGTH, Call
from peers.base import LeftOut
from readers import ARGUMENTS, FIRST, READERS, SOURCES

OURS = "samebytes"
ARGUMENT_RESULT = LENGTH + FIRST  # what case b1 makes of it
Row = tuple[str, dict[str, Call]]


@dataclass(frozen=True)
class Group:
    """One table: its columns, and what they mean."""

    key: str
    title: str
    words: str
    cases: tuple[str, ...]


IMPORT = Group(
    "import",
    "Any array as a view",
    "`sb.view(x)` beside the functions by which others take any array without a copy. `itself`: an object of their "
    "own, for which there is nothing to do. `CAI`, `dict`: an object with `__cuda_array_interface__` (nothing on a "
    "device is touched) or `__array_interface__` as an attribute. `buffer`: a bytearray.",
    ("itself", *SOURCES),
)
PARTS = Group(
    "parts",
    "Parts of a view",
    "`x` is a view, an array or a tensor of 8 × 6 float32. In it is the call of a function that holds the expression.",
    ("x[1:]", "x[::-1]", "x[2, :]", "x[:, 1]", "x[..., None]", "x.T", "x[2, 1]", "x.shape"),
)
EXPORT = Group(
    "export",
    "A view, handed on",
    "What others take from a view, and what they take from the original.",
    ("np.from_dlpack", "np.asarray", "memoryview", "torch.from_dlpack", "tvm_ffi.from_dlpack"),
)
ARGUMENT = Group(
    "argument",
    "An array as an argument",
    "Case b1, a function of one float32[64], with arrays of every library. A peer that does not take such an object, "
    "or gives another result, has an empty cell.",
    tuple(ARGUMENTS),
)
C_API = Group("c_api", "Calls of C APIs", c_api.WORDS, c_api.CASES)
CALLBACKS = Group("callbacks", "Callbacks", callbacks.WORDS, callbacks.CASES)
GROUPS = (IMPORT, PARTS, EXPORT, ARGUMENT, C_API, CALLBACKS)

# What others cannot read, or leave as it is.
_WITHOUT = {("np.asarray", "NumPy"), ("memoryview", "torch"), ("x[::-1]", "torch")}


def _operation(text: str) -> Callable[..., Any]:
    scope: dict[str, Any] = {}
    exec(f"def operation(x): return {text}", scope)
    return scope["operation"]  # type: ignore[no-any-return]


def _works(call: Call, words: str, left_out: list[str]) -> bool:
    function, args = call
    try:
        function(*args)
    except Exception as error:  # a library that is absent, or refuses, must not end the run
        text = " ".join(str(error).split())
        left_out.append(f"Views: {words} is left out: {type(error).__name__}: {text[:160]}")
        return False
    return True


def _made(sources: dict[str, Callable[[], Any]], left_out: list[str]) -> dict[str, Any]:
    return {
        name: make() for name, make in sources.items() if _works((make, ()), f"the column {name}", left_out)
    }


def _functions(left_out: list[str]) -> dict[str, Callable[..., Any]]:
    found = {}
    for name, reader in READERS.items():
        try:
            found[name] = reader.load()
        except LeftOut as reason:
            left_out.append(str(reason))
    return found


def _imports(functions: dict[str, Any], sources: dict[str, Any], left_out: list[str]) -> Iterator[Row]:
    for name, function in functions.items():
        reader = READERS[name]
        calls = {key: (function, (sources[key], *reader.more)) for key in reader.sources if key in sources}
        if reader.own in sources:
            calls["itself"] = (function, (function(sources[reader.own]),))
        yield name, {key: call for key, call in calls.items() if _works(call, f"{name} of {key}", left_out)}


def _originals(functions: dict[str, Any], sources: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield OURS, functions[OURS](sources["NumPy"])
    for name in ("NumPy", "torch"):
        if name in sources:
            yield name, sources[name]


def _takes(call: Call) -> bool:
    function, args = call
    try:
        return math.isclose(function(*args), ARGUMENT_RESULT, rel_tol=1e-6)
    except Exception:  # whatever a binding raises for what it does not know
        return False


def _arguments(peers: Mapping[str, Call]) -> Iterator[Row]:
    made = _made(ARGUMENTS, [])
    for name, (function, _) in peers.items():
        calls = {key: (function, (obj,)) for key, obj in made.items()}
        yield name, {key: call for key, call in calls.items() if _takes(call)}


def rows(left_out: list[str], peers: Mapping[str, Call], build: Path) -> dict[str, list[Row]]:
    """By group, the rows with the calls that work here; `left_out` gets a sentence for each that does not.

    `peers` are the calls of case b1.
    """
    sources, functions = _made(SOURCES, left_out), _functions(left_out)
    operations = {text: _operation(text) for text in PARTS.cases}
    taking = {name: functions[name] for name in EXPORT.cases if name in functions}
    originals = list(_originals(functions, sources))

    def of_originals(found: dict[str, Callable[..., Any]]) -> list[Row]:
        calls = {name: {t: (f, (obj,)) for t, f in found.items()} for name, obj in originals}
        return [
            (
                name,
                {
                    t: c
                    for t, c in row.items()
                    if (t, name) not in _WITHOUT and _works(c, f"{t} of {name}", left_out)
                },
            )
            for name, row in calls.items()
        ]

    return {
        IMPORT.key: list(_imports(functions, sources, left_out)),
        PARTS.key: of_originals(operations),
        EXPORT.key: of_originals(taking),
        ARGUMENT.key: list(_arguments(peers)),
        C_API.key: c_api.rows(left_out, build),
        CALLBACKS.key: callbacks.rows(left_out, build),
    }


def by_case(found: list[Row]) -> dict[str, dict[str, Call]]:
    """Turned: by case, the calls of each row."""
    cases: dict[str, dict[str, Call]] = {}
    for name, calls in found:
        for case, call in calls.items():
            cases.setdefault(case, {})[name] = call
    return cases
