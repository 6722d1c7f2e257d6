"""Reads constant expressions out of a compiled object file: nothing is linked, loaded or run."""

from __future__ import annotations

import os
import shlex
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import CompileError, LayoutError
from ..toolchain import find_compiler

# Sixteen bytes before the answers, by which they are found in the object file.
_MARK = bytes.fromhex("5a6d6562797465737e6f7261636c65a7")
_INCLUDE = Path(__file__).parents[1] / "include"

# Dialect: the language of its compiler, and flags.
_DRIVERS: dict[str, tuple[str, tuple[str, ...]]] = {"cxx": ("c++", ("-std=c++17", "-Wno-invalid-offsetof"))}


def answers(preamble: str, expressions: Sequence[str], dialect: str = "cxx") -> tuple[list[int], str]:
    """The values of C++ constant expressions.

    Parameters
    ----------
    preamble : str
        C++ text before them: includes and definitions.
    expressions : sequence of str
        Each one non-negative and below 2**64.

    Returns
    -------
    list of int, and the compiler's name and version

    Raises
    ------
    CompileError
        With the compiler's own messages.
    """
    if dialect not in _DRIVERS:
        raise LayoutError(
            f"no compiler is known for dialect {dialect!r}: there is one for {', '.join(_DRIVERS)}"
        )
    language, flags = _DRIVERS[dialect]
    compiler = find_compiler(language)
    low, high = struct.unpack("<QQ", _MARK)
    numbers = ",\n  ".join(
        [f"{low}u", f"{high}u", *(f"static_cast<unsigned long long>({e})" for e in expressions)]
    )
    text = (
        f'{preamble}\nextern "C" {{\nextern const unsigned long long samebytes_answers[];\n'
        f"__attribute__((used)) const unsigned long long samebytes_answers[] = {{\n  {numbers}}};\n}}\n"
    )
    data = _compile(text, (*compiler.command, *flags, "-I", str(_INCLUDE)))
    start = data.find(_MARK)
    if start < 0 or data.find(_MARK, start + 1) >= 0:
        raise LayoutError(f"the answers cannot be found in the object file of {compiler.version}")
    return list(struct.unpack_from(f"<{len(expressions)}Q", data, start + len(_MARK))), compiler.version


def _compile(text: str, command: Sequence[str]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="samebytes-") as folder:
        source, target = Path(folder, "questions.cpp"), Path(folder, "questions.o")
        source.write_text(text)
        full = [*command, "-O0", "-c", str(source), "-o", str(target)]
        environment = {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(
            full, capture_output=True, text=True, errors="replace", env=environment, check=False
        )
        if done.returncode != 0:
            message = f"{command[0]} refused the questions:\n{done.stderr}\ncommand: {shlex.join(full)}"
            raise CompileError(message, done.stderr, full)
        return target.read_bytes()
