"""What g++ makes of the launch signatures' arguments: written as C++, it says where and which bytes they are."""

from __future__ import annotations

import ctypes
import subprocess
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from launch_signatures import CASES, PREAMBLE

import samebytes as sb

PROGRAM = """#include <cstddef>
#include <cstdio>
{preamble}{declarations}
static void show(int n, std::size_t offset, const void* value, std::size_t size) {{
  std::printf("%d %zu ", n, offset);
  for (std::size_t i = 0; i < size; ++i) std::printf("%02x", static_cast<const unsigned char*>(value)[i]);
  std::printf("\\n");
}}
int main() {{
{calls}
}}
"""


def initialiser(value: Any) -> str:
    """A value as C++ writes it, of whatever type the parameter is."""
    if value is None or isinstance(value, int | np.ndarray | sb.Pointer):
        address = value.ctypes.data if isinstance(value, np.ndarray) else int(value or 0)
        return f"reinterpret_cast<float*>({address}ull)"
    return _written(value)


def _written(value: Any) -> str:
    fields = getattr(getattr(value, "__samebytes_type__", None), "fields", None)
    if isinstance(value, ctypes.Structure):
        return _list(getattr(value, name) for name, *_ in value._fields_)
    if fields is not None:
        return _list(getattr(value, field.name) for field in fields)
    if isinstance(value, bytes):
        return str(value[0]) if len(value) == 1 else _list(value)
    if isinstance(value, np.void) or hasattr(value, "__samebytes_type__"):
        return _list(value)
    if hasattr(value, "value"):
        return _written(value.value)
    return str(value.item() if isinstance(value, np.generic) else value).lower()


def _list(values: Any) -> str:
    return "{" + ", ".join(map(_written, values)) + "}"


def said_by_gxx(folder: Path) -> list[list[tuple[int, bytes]]]:
    """For each case each argument's offset in a struct of all, and its bytes; g++ leaves zero in the padding."""
    declarations, calls = [], []
    for n, case in enumerate(CASES):
        declarations.append(f"struct Args{n} {{ {' '.join(f'{t} a{k};' for k, t in enumerate(case.cxx))} }};")
        for k, (spelling, value) in enumerate(zip(case.cxx, case.args, strict=True)):
            declarations.append(f"static {spelling} v{n}_{k} = {initialiser(value)};")
            calls.append(f"show({n}, offsetof(Args{n}, a{k}), &v{n}_{k}, sizeof v{n}_{k});")
    source = PROGRAM.format(preamble=PREAMBLE, declarations="\n".join(declarations), calls="\n".join(calls))
    (folder / "said.cpp").write_text(source)
    subprocess.run(["g++", "-w", folder / "said.cpp", "-o", folder / "said"], check=True)
    said = subprocess.run([folder / "said"], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in said.splitlines()]
    return [
        [(int(offset), bytes.fromhex(data)) for _, offset, data in group]
        for _, group in groupby(rows, key=lambda row: row[0])
    ]
