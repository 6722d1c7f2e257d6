"""Random programs on each target: how it binds the header of one, and makes its calls, in a child process.

``python -m tests.targets.judge.random_targets TARGET`` reads a seed, the answers of g++ and calls as JSON.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .arguments import Lacks
from .base import Fault, Outcome, Target, _words
from .devices import Hip, Kernel, Sycl
from .kinds import Kind
from .numba_kernels import NumbaCuda, typed_as
from .random_parameters import Output, Place, arguments
from .random_programs import Answer, Function, Program
from .sources import Dialect
from .targets import TARGETS, Njit


@dataclass(frozen=True)
class Written:
    """A random program as a target's dialect has it; stands for its :class:`Dialect`."""

    base: Dialect
    program: Program
    name: str  # of the dialect

    @property
    def lacks(self) -> dict[str, str]:
        """The tags that it does not have, and why."""
        other = f"other layout in {self.name}"
        more = {other: "the host lays out such a type otherwise"}
        if self.name == "sycl":
            more["default"] = "DPC++ takes no default argument of a kernel"
        return self.base.lacks | more

    def why_not(self, function: Function) -> str:
        return next((self.lacks[tag] for tag in sorted(function.tags) if tag in self.lacks), "")

    def has(self, function: Function) -> bool:
        return not self.why_not(function)

    def intents(self, kinds: Sequence[Any] = ()) -> dict[str, Any]:
        return {f.name: f.intents for f in self.program.functions if f.intents and self.has(f)}

    def source(self, kinds: Sequence[Any] = ()) -> str:
        form = self.base.form.replace("k_{name}", "{name}").replace(
            "({parameter}, Digest* d)", "(Digest* d, {parameter})"
        )
        form = form.replace("const Digest h = {fold}; {writes}", "{fold}")
        functions = "\n".join(
            form.format(name=f.name, parameter=f.declared, fold=f.body)
            for f in self.program.functions
            if self.has(f)
        )
        return f"{self.base.head}{self.program.types(self.name, self.lacks)}{functions}\n"


def lacks(target: str, program: Program) -> dict[str, str]:
    """The functions of a program that a target has not, and why."""
    written = Written(TARGETS[target].dialect, program, _dialect(TARGETS[target]))
    return {f.name: why for f in program.functions if (why := written.why_not(f))}


def _dialect(target: type[Target]) -> str:
    return {"numba_cuda": "cuda"}.get(target.options.get("target", ""), target.options.get("dialect", "cxx"))


def _use(function: Function, bound: Any, count: int, fixed: bool = True) -> Callable[..., None]:
    """A function of arguments, the digest's array and those of outputs, that calls and fills these."""
    outputs = [p for p in function.parameters if isinstance(p, Output)]
    given = [f"x{i}" for i in range(count)]
    names = ", ".join([*given, "d", *(f"o{i}" for i in range(len(outputs)))])
    lines = [f"r = f({', '.join(given)})", f"d[0] = r{'[0]' * bool(outputs)}"]
    for i, p in enumerate(outputs):
        lines += [f"o{i}[{j}] = r[{i + 1}]{f'[{j}]' * bool(p.kind)}" for j in range(3 if p.kind else 1)]
    scope = {"f": bound}
    exec(f"def use({names}):\n" + "".join(f"    {line}\n" for line in lines), scope)
    return scope["use"]


# As the judge has them.
_MEMORY = {
    "pointer": Kind("", "int* x"), "reference": Kind("", "int& x"), "value": Kind("", "int x"),
}  # fmt: skip


class Calls:
    """Makes the calls of a program on a target."""

    def __init__(self, name: str, program: Program, masks: dict[str, bytes]) -> None:
        self.target = TARGETS[name]([])
        self.target.dialect = Written(self.target.dialect, program, _dialect(type(self.target)))  # type: ignore[assignment]
        self.program, self.masks = program, masks
        self._uses: dict[tuple[str, int], Any] = {}

    def outcome(self, number: int, call: int, answer: Answer) -> Outcome:
        """What came of a call: as of the judge's cells, and whether all is as g++ has it."""
        function, target = self.program.functions[number], self.target
        if words := target.dialect.why_not(function):  # type: ignore[arg-type]
            return "absent", words
        if not hasattr(target.lib, function.name):
            found = [s.reason for s in target.lib.__skipped__ if s.name.partition("(")[0] == function.name]
            return "absent", " ".join(found)[:600] or "not bound"
        (left, forms), values = function.call(call, self.program.seed)
        parameters = function.parameters[: len(function.parameters) - left]
        target.reset()
        place = Place(target.lib, {kind: self._memory(kind) for kind in _MEMORY}, target.objects, self.masks)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                before = _of_each(function, answer.before)
                given = arguments(parameters, values, forms, before, place)
                digest = self._call(function, given, place.outputs)
        except Lacks as lack:
            return "refused", str(lack)
        except Fault as fault:
            return "died", str(fault)
        except Exception as error:
            return "refused", _words("", error)
        return "took", *_compared(digest, place, answer)

    def _memory(self, kind: str) -> Callable[[Any, Any], Any]:
        """Where an argument lies that C++ gets so."""
        on_host = self.target.reads_host(_MEMORY[kind])
        put = self.target.on_host if on_host else self.target.put
        return lambda array, base: put(array, base, True)

    def _call(self, function: Function, given: list[Any], outputs: list[np.ndarray[Any, Any]]) -> int:
        target = self.target
        bound = getattr(target.lib, function.name)
        if isinstance(target, (Kernel, Hip)):
            device = target.fake if isinstance(target, Kernel) else target.hip
            d = device.array(np.zeros(1, "u8"))
            bound[1, 1](d, *given)
            if device.errors:
                raise Fault(repr(device.errors[0]))
            return int(d.array[0])
        if isinstance(target, Sycl):
            import samebytes as sb

            d = sb.DeviceArray.from_host(np.zeros(1, "u8"), device="sycl", kind="shared")
            bound[1, 1](d, *given)
            target.fetch()
            return int(d.copy_to_host()[0])
        key, d = (function.name, len(given)), np.zeros(1, "u8")
        if key not in self._uses:
            use = _use(function, bound, len(given))
            self._uses[key] = __import__("numba").njit(use) if isinstance(target, Njit) else use
        if isinstance(target, NumbaCuda):
            from numba import typeof

            typed = [typed_as(x) for x in given]
            text = target.linked((*key, *typed), self._uses[key], *typed, *map(typeof, (d, *outputs)))
            target.run(text, [*zip(typed, given, strict=True)], [d, *outputs])
        else:
            self._uses[key](*given, d, *outputs)
        if hasattr(target, "checked"):
            target.checked()
        return int(d[0])


def _of_each(function: Function, shown: Sequence[bytes]) -> list[bytes]:
    """What g++ showed of each parameter; empty of those it shows nothing of."""
    rest = iter(shown)
    return [next(rest) if p.shown() else b"" for p in function.parameters]


def _compared(digest: int, place: Place, answer: Answer) -> tuple[str, str]:
    """Whether digest and memory are g++'s, and what is not."""
    if digest != answer.digest:
        return "wrong", "other bytes than g++'s"
    for i, ((now, expected), after) in enumerate(zip(place.watched, answer.after, strict=False)):
        if now() != expected(after):
            return "wrong", f"what C++ wrote differs: memory {i}"
    return "right", ""


def main() -> None:
    asked = json.load(sys.stdin)
    seed, count, place = asked["kinds"]
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is none of ours
    masks, answers = pickle.loads(Path(place).read_bytes())
    calls = Calls(sys.argv[1], Program(int(seed), int(count)), masks)
    for cell in asked["cells"]:
        number, call = map(int, cell)
        said.write(json.dumps(cell) + "\n")
        said.flush()
        said.write(json.dumps(calls.outcome(number, call, answers[number, call])) + "\n")
        said.flush()


if __name__ == "__main__":
    main()
