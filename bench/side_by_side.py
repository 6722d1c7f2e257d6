"""The constructs of tests/targets, ours beside Numbast's: `side_by_side.py --numbast PYTHON --markdown FILE`.

PYTHON has numbast, ast_canopy and numba-cuda with its CUDA wheels; each construct runs in processes of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TARGETS = Path(__file__).resolve().parents[1] / "tests" / "targets"
sys.path.insert(0, str(TARGETS))

import constructs  # noqa: E402

_ONE = """
import importlib, json, sys
sys.path[:0] = [{here!r}, {targets!r}]
import numpy as np, ptx
from numba import types
stage = "import"
try:
    f = importlib.import_module("bindings")
    for name in ("ns",):
        if not hasattr(f, name):
            setattr(f, name, f)
    for enum in [e for e in vars(f).values() if hasattr(e, "__members__")]:
        for name, member in enum.__members__.items():
            setattr(f, name, member)
    stage = "compile"
    scope = {{"f": f, "np": np}}
    exec({kernel!r}, scope)
    text = ptx.linked(scope["use"], types.float64[::1])
    try:
        found = [float(n) for n in ptx.numbers(text, "d")]
    except ValueError:
        found = None
    print(json.dumps({{"found": found, "calls": len(ptx.calls(text))}}))
except BaseException as error:
    print(json.dumps({{"stage": stage, "error": f"{{type(error).__name__}}: {{error}}"[:300]}}))
"""


def kernel(statements: str) -> str:
    return "def use(out):\n" + "\n".join(f"    {line}" for line in statements.split("\n"))


def verdict(expected: Any, answer: dict[str, Any]) -> str:
    """One word or two for an answer."""
    if "stage" in answer:
        return f"fails ({answer['stage']})"
    if answer["found"] is None or not isinstance(expected, list):
        return "compiles"
    return "right" if answer["found"][: len(expected)] == expected else f"**wrong**: {answer['found']}"


def theirs(python: str, row: Any, folder: Path) -> str:
    """What Numbast makes of a construct."""
    _, cxx, statements, expected, _ = row
    if not isinstance(expected, list | str) or (isinstance(expected, str) and expected.startswith("skipped")):
        return "absent"
    head = constructs._HEADS[constructs.DEVICE].replace("#define D __device__", "#define D inline __device__")
    body = cxx.replace("D static ", "static __device__ ").replace("D constexpr", "constexpr __device__")
    (folder / "construct.h").write_text(f"#pragma once\n{head}{body}\n")
    classes = re.findall(r"\b(?:struct|class|union) (?:__attribute__\S+ )?(\w+)", cxx)
    intents = {k: v for k, v in constructs.INTENTS.items() if f" {k}(" in cxx}
    config = {
        "Entry Point": str(folder / "construct.h"), "File List": [str(folder / "construct.h")], "GPU Arch": ["sm_80"],
        "Output Name": "bindings.py", "Types": dict.fromkeys(classes, "Type"),
        "Data Models": dict.fromkeys(classes, "StructModel"),
        **({"Function Argument Intents": intents} if intents else {}),
    }  # fmt: skip
    (folder / "config.yaml").write_text(json.dumps(config))  # JSON is YAML
    site = next(Path(python).parents[1].glob("lib/python3*/site-packages"))
    clang = next(site.glob("clang_tidy/data/lib/clang/*"), site)
    env = {**os.environ, "ASTCANOPY_CLANG_RESOURCE_DIR": str(clang), "CUDA_HOME": str(site / "nvidia/cu13")}
    command = [python, "-m", "numbast", "--cfg-path", "config.yaml", "--output-dir", "."]
    made = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    if made.returncode or not (folder / "bindings.py").exists():
        return "fails (generate)"
    text = _ONE.format(here=str(folder), targets=str(TARGETS), kernel=kernel(statements))
    done = subprocess.run(
        [python, "-c", text], cwd=folder, env=env, capture_output=True, text=True, timeout=120
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return verdict(expected, json.loads(lines[-1])) if lines else "fails (crash)"


def ours() -> dict[str, dict[str, str]]:
    """What samebytes makes of the constructs on its three targets' two compiled ones, by target and construct."""
    import warnings

    import numba
    import numpy as np
    import ptx

    import machine
    import samebytes as sb

    warnings.simplefilter("ignore")
    found: dict[str, dict[str, str]] = {target: {} for target in constructs.BOTH}
    for target in constructs.BOTH:
        intents = constructs.intents(target)
        lib = sb.compile(constructs.source(target), target=target, name="constructs", arg_intent=intents)
        for i, (name, _, statements, expected, targets) in enumerate(constructs.ROWS):
            if target not in targets:
                found[target][name] = ""
                continue
            if not isinstance(expected, list) and expected.startswith("skipped"):
                reason = next(s.reason for s in lib.__skipped__ if s.name.startswith(f"r{i}::{statements}"))
                found[target][name] = f"skipped: {reason}"
                continue
            scope: dict[str, Any] = {"f": getattr(lib, f"r{i}"), "np": np}
            exec(kernel(statements), scope)
            if target == constructs.DEVICE:
                text = ptx.linked(scope["use"], numba.types.float64[::1])
                answer = {"found": machine.doubles(text) if isinstance(expected, list) else None}
            else:
                out = np.zeros(4)
                numba.njit(scope["use"])(out)
                answer = {"found": out.tolist()}
            found[target][name] = verdict(expected, answer)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--numbast", required=True, help="a Python that has Numbast")
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    options = parser.parse_args()
    mine = ours()
    lines = [
        "| construct | Numbast, kernels | samebytes, kernels | samebytes, `@njit` |",
        "|---|---|---|---|",
    ]
    for row in constructs.ROWS:
        with tempfile.TemporaryDirectory() as folder:
            other = theirs(options.numbast, row, Path(folder))
        lines.append(
            f"| {row[0]} | {other} | {mine[constructs.DEVICE][row[0]]} | {mine[constructs.HOST][row[0]]} |"
        )
        print(lines[-1], flush=True)
    if options.markdown:
        options.markdown.write_text("\n".join([*lines, ""]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
