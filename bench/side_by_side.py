"""Constructs of tests/targets, ours beside Numbast's: `side_by_side.py --numbast PYTHON [--only WORD] --markdown FILE`.

PYTHON has numbast, ast_canopy and numba-cuda with its CUDA wheels; each construct runs in processes of its own. The
machine for PTX of tests/targets runs what both compile, so that "right" means the right numbers on both sides.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TARGETS = Path(__file__).resolve().parents[1] / "tests" / "targets"
sys.path.insert(0, str(TARGETS))

import constructs  # noqa: E402
import own_constructs as own  # noqa: E402

HOST, DEVICE = constructs.HOST, constructs.DEVICE
_KERNEL = """
import importlib, json, sys
sys.path[:0] = [{here!r}, {targets!r}]
import machine, numpy as np, ptx
from numba import types
stage = "import"
try:
    f = importlib.import_module("bindings")
    for name in {spaces!r}:
        if not hasattr(f, name):
            setattr(f, name, f)
    for enum in [e for e in vars(f).values() if hasattr(e, "__members__")]:
        for name, member in enum.__members__.items():
            setattr(f, name, member)
    stage = "compile"
    scope = {{"f": f, "np": np}}
    exec({kernel!r}, scope)
    text = ptx.linked(scope["use"], types.float64[::1])
    stage = "run"
    print(json.dumps({{"found": machine.doubles(text, count=8), "calls": len(ptx.calls(text))}}))
except BaseException as error:
    print(json.dumps({{"stage": stage, "error": f"{{type(error).__name__}}: {{error}}"[:300]}}))
"""


@dataclass(frozen=True)
class Construct:
    """One row: what C++ declares, what uses it, and what that leaves, by target; text says why there is nothing."""

    name: str
    cxx: str
    statements: str
    expected: Mapping[str, list[float] | str]
    head: str
    intents: Mapping[str, Any] = field(default_factory=dict)


def compared() -> list[Construct]:
    """The 51 on which binding tools were compared."""
    found = []
    for name, cxx, statements, expected, targets in constructs.ROWS:
        by_target = {t: expected if t in targets else "elsewhere" for t in constructs.BOTH}
        intents = {k: v for k, v in constructs.INTENTS.items() if f" {k.partition('(')[0]}(" in cxx}
        found.append(
            Construct(name, cxx, statements, by_target, constructs._HEADS[DEVICE], intents)
        )  # fmt: skip
    return found


def ours_alone() -> list[Construct]:
    """Our own, of which kernels can have the C++."""
    return [
        Construct(
            r.name, r.cxx, r.statements, {t: r.result(t) for t in own.TARGETS}, own.HEADS[own.CUDA], r.intents
        )
        for r in own.ROWS
        if r.bound_for(own.CUDA)
    ]


def kernel(statements: str) -> str:
    return "def use(out):\n" + "\n".join(f"    {line}" for line in statements.split("\n"))


def verdict(expected: list[float] | str, answer: dict[str, Any]) -> str:
    """One word or two for an answer."""
    if "stage" in answer:
        return f"fails ({answer['stage']})"
    if not isinstance(expected, list):
        return "compiles"
    return (
        "right"
        if answer["found"][: len(expected)] == expected
        else f"**wrong**: {answer['found'][: len(expected)]}"
    )


def theirs(python: str, row: Construct, folder: Path) -> str:
    """What Numbast makes of a construct."""
    expected = row.expected[DEVICE]
    if isinstance(expected, str) and expected.startswith(("skipped", "elsewhere")):
        return "absent"
    head = row.head.replace("#define D __device__", "#define D inline __device__")
    body = row.cxx.replace("D static ", "static __device__ ").replace("D constexpr", "constexpr __device__")
    body = body.replace("static D ", "static __device__ ").replace("constexpr D", "constexpr __device__")
    (folder / "construct.h").write_text(f"#pragma once\n{head}{body}\n")
    classes = re.findall(r"\b(?:struct|class|union) (?:__attribute__\S+ |alignas\(\d+\) )?(\w+)", row.cxx)
    config = {
        "Entry Point": str(folder / "construct.h"), "File List": [str(folder / "construct.h")], "GPU Arch": ["sm_80"],
        "Output Name": "bindings.py", "Types": dict.fromkeys(classes, "Type"),
        "Data Models": dict.fromkeys(classes, "StructModel"),
    }  # fmt: skip
    if row.intents:
        config["Function Argument Intents"] = row.intents
    (folder / "config.yaml").write_text(json.dumps(config, default=str))  # JSON is YAML
    site = next(Path(python).parents[1].glob("lib/python3*/site-packages"))
    clang = next(site.glob("clang_tidy/data/lib/clang/*"), site)
    env = {**os.environ, "ASTCANOPY_CLANG_RESOURCE_DIR": str(clang), "CUDA_HOME": str(site / "nvidia/cu13")}
    command = [python, "-m", "numbast", "--cfg-path", "config.yaml", "--output-dir", "."]
    try:
        made = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
        if made.returncode or not (folder / "bindings.py").exists():
            return "fails (generate)"
        spaces = re.findall(r"\bnamespace (\w+)", row.cxx)
        text = _KERNEL.format(
            here=str(folder), targets=str(TARGETS), spaces=spaces, kernel=kernel(row.statements)
        )
        done = subprocess.run(
            [python, "-c", text], cwd=folder, env=env, capture_output=True, text=True, timeout=300
        )
    except subprocess.TimeoutExpired:
        return "fails (time)"
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return verdict(expected, json.loads(lines[-1])) if lines else "fails (crash)"


class Ours:
    """What samebytes makes of rows: one library for each table and target."""

    def __init__(self, table: Any, source: str, intents: Any, target: str) -> None:
        import samebytes as sb

        options: dict[str, Any] = {"std": "c++20"} if table is own else {}
        self.target = target
        self.library = sb.compile(source, target=target, name="constructs", arg_intent=intents, **options)

    def verdict(self, index: int, row: Construct) -> str:
        expected = row.expected[self.target]
        if isinstance(expected, str) and not expected.startswith("code"):
            return self._reason(index, row, expected)
        return verdict(expected, self._answer(index, row))

    def _reason(self, index: int, row: Construct, expected: str) -> str:
        kind, _, words = expected.partition(": ")
        if kind == "elsewhere":
            return ""
        if kind == "skipped":
            return f"skipped: {own.skipped(self.library, index)}"
        return f"{kind}: {words}"

    def _answer(self, index: int, row: Construct) -> dict[str, Any]:
        import numba
        import numpy as np
        import ptx

        import machine

        plain = numba.cfunc("int32(int32)")(lambda x: 2 * x)
        scope: dict[str, Any] = {"f": getattr(self.library, f"r{index}"), "np": np, "twice": plain}
        exec(kernel(row.statements), scope)
        try:
            if self.target == HOST:
                out = np.zeros(8)
                numba.njit(scope["use"])(out)
                return {"found": out.tolist()}
            text = ptx.linked(scope["use"], numba.types.float64[::1])
            return {"found": machine.doubles(text, count=8)}
        except Exception as error:
            return {"stage": "compile", "error": str(error)}


def theirs_of_all(python: str, rows: list[Construct], kept: Path | None) -> dict[str, str]:
    """What Numbast makes of the rows; what a file has of an earlier run is not asked again."""
    said: dict[str, str] = json.loads(kept.read_text()) if kept and kept.exists() else {}

    def ask(row: Construct) -> None:
        with tempfile.TemporaryDirectory() as folder:
            said[row.name] = theirs(python, row, Path(folder))
        print(f"Numbast, {row.name}: {said[row.name]}", flush=True)
        if kept:
            kept.write_text(json.dumps(dict(said)))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(ask, [row for row in rows if row.name not in said]))
    return said


def table(
    rows: list[Construct], said: Mapping[str, str], mine: dict[str, Ours], places: list[int]
) -> list[str]:
    """The lines of a table, and what they come to."""
    lines = [
        "| construct | Numbast, kernels | samebytes, kernels | samebytes, `@njit` |",
        "|---|---|---|---|",
    ]
    counts: list[Counter[str]] = [Counter(), Counter(), Counter()]
    for index, row in zip(places, rows, strict=True):
        cells = [said[row.name], mine[DEVICE].verdict(index, row), mine[HOST].verdict(index, row)]
        for count, cell in zip(counts, cells, strict=True):
            count[cell.partition(":")[0].partition(" (")[0].strip("*")] += 1
        lines.append("| " + " | ".join([row.name.replace("|", "\\|").replace("][", "]\\["), *cells]) + " |")
        print(lines[-1], flush=True)
    named = zip(("Numbast", "samebytes, kernels", "samebytes, `@njit`"), counts, strict=True)
    told = [f"{who}: {', '.join(f'{n} {word}' for word, n in c.most_common() if word)}" for who, c in named]
    return [*lines, "", "; ".join(told) + "."]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--numbast", required=True, help="a Python that has Numbast")
    parser.add_argument("--only", default="", help="rows with this in their names")
    parser.add_argument("--theirs", type=Path, help="a file that keeps Numbast's answers between runs")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    text = []
    for module, rows, heading in (
        (constructs, compared(), "The 51 of the comparison"), (own, ours_alone(), "Our own"),
    ):  # fmt: skip
        chosen = [r for r in rows if options.only in r.name]
        said = theirs_of_all(options.numbast, chosen, options.theirs)
        names = [r[0] if module is constructs else r.name for r in module.ROWS]
        mine = {t: Ours(module, module.source(t), module.intents(t), t) for t in (DEVICE, HOST)}
        text += [
            f"## {heading}",
            "",
            *table(chosen, said, mine, [names.index(r.name) for r in chosen]),
            "",
        ]
    if options.markdown:
        options.markdown.write_text("\n".join(text))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
