"""Options of every public function times a dozen values that are no such thing: errors in our words, or accepted."""

from __future__ import annotations

import inspect
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

WRONG: list[Any] = [
    5, -1, 3.5, True, None, "word", "", b"b", [], [1], {}, {"a": 1}, {1: 2}, object(), (), ("x", 3), np.zeros(2), int,
    2**70, float("nan"),
]  # fmt: skip


@sb.struct
class Pair:
    x: int
    y: sb.float64


# What a call of each function needs.
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "compile": (sb.compile, ("int f(int a) { return a; }",), {}),
    "bind": (sb.bind, ("HEADER",), {"style": "c_api"}),
    "explain": (sb.explain, ("LIBRARY",), {}),
    "Atomic": (sb.Atomic, (sb.float32,), {}),
    "align": (sb.align, (sb.float32, 16), {}),
    "alignof": (sb.alignof, (sb.float32,), {}),
    "as_type": (sb.as_type, ("int",), {}),
    "callback": (sb.callback, (len, "int(*)(int)"), {}),
    "declare": (sb.declare, (Pair,), {}),
    "layout": (sb.layout, (Pair,), {}),
    "mirror": (sb.mirror, (Pair,), {}),
    "out_array_return": (sb.out_array_return, (), {}),
    "pack": (sb.pack, (Pair(1, 2),), {}),
    "prove": (sb.prove, (sb.float32, "nothing"), {}),
    "result_type": (sb.result_type, (sb.int32(1),), {}),
    "sizeof": (sb.sizeof, (Pair,), {}),
    "unpack": (sb.unpack, (bytes(16), Pair), {}),
    "vector": (sb.vector, (sb.float32, 4), {}),
    "view": (sb.view, (np.zeros(3),), {}),
    "configure": (sb.DeviceArray(np.zeros((2, 3), np.float32)).configure, (), {}),
    "from_host": (sb.DeviceArray.from_host, (np.zeros(3),), {"device": "cpu"}),
    "DeviceArray": (sb.DeviceArray, (np.zeros(4, np.float32),), {}),
    "ListOfInt": (sb.ListOfInt, ([1],), {}),
    "LaunchExtra": (sb.LaunchExtra, ([1],), {}),
    "KernelParams": (sb.KernelParams, ([1],), {}),
}  # fmt: skip


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    header = Path(tmp_path_factory.mktemp("options")) / "options.h"
    header.write_text("typedef struct { int x; } P;\nstatic inline int f(int *a) { return *a = 1; }\n")
    return {"HEADER": header, "LIBRARY": sb.bind(header)}


def worded(error: BaseException) -> bool:
    """Whether an error is ours: of our classes, or raised by a statement of ours, in words."""
    if isinstance(error, sb.Error):
        return True
    last = traceback.extract_tb(error.__traceback__)[-1]
    return "samebytes" in last.filename and (last.line or "").lstrip().startswith("raise ")


def options(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # the core's own classes say nothing of theirs
        return [inspect.Parameter("obj", inspect.Parameter.POSITIONAL_ONLY)]
    return [p for p in found if p.kind is not p.VAR_KEYWORD]


# Those that build a library of each value that is taken are long.
_BUILDS = ("compile", "bind")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.full) if n in _BUILDS else n for n in CALLS]
)
def test_what_is_no_option_is_an_error_in_words(name: str, given: dict[str, Any]) -> None:
    function, args, settings = CALLS[name]
    args = tuple(given.get(a, a) if isinstance(a, str) else a for a in args)
    bare = []
    for place, parameter in enumerate(options(function)):
        for wrong in WRONG:
            positional = parameter.kind is not parameter.KEYWORD_ONLY
            if positional and place < len(args):
                changed, named = (*args[:place], wrong, *args[place + 1 :]), settings
            elif parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
                changed, named = (*args[:place], wrong), settings
            else:
                changed, named = args, {**settings, parameter.name: wrong}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(*changed, **named)
            except Exception as error:
                if not worded(error):
                    bare.append(f"{parameter.name}={wrong!r}: {type(error).__name__}: {error}")
    assert not bare


WORDS = [
    (lambda h: sb.bind([h]), r"bind\(\): header is a header's name or path, got .*\(list\)"),
    (lambda h: sb.bind(h, types=5), r"bind\(\): types is .*got 5 \(int\)"),
    (lambda h: sb.bind(h, style="c_api", check=5), r"check is True, False, or the names of functions, got 5"),
    (lambda h: sb.bind(h, library=5), r"library is a shared library's name or path, got 5"),
    (
        lambda h: sb.bind(h, style="c_api", allocations=3),
        r"allocations is .*got 3",
    ),
    (lambda h: sb.bind(h, arg_intent=5), r"arg_intent is .*got 5"),
    (lambda h: sb.bind(h, style="c_api", instantiate="f<int>"), "read as C, which has no templates"),
    (lambda h: sb.compile(None), r"compile\(\): source is source text"),
    (lambda h: sb.sizeof(sb.float32, []), r"dialect is the name of a dialect, 'cxx', got \[\]"),
]


@pytest.mark.parametrize(("call", "words"), WORDS, ids=[w for _, w in WORDS])
def test_words(call: Callable[[Any], Any], words: str, given: dict[str, Any]) -> None:
    with pytest.raises(sb.Error, match=words):
        call(given["HEADER"])
