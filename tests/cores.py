"""The native core compiled with flags of a test's own, for what the usual build does not show."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

NATIVE = Path(__file__).parents[1] / "native"
INCLUDES = (f"-I{sysconfig.get_path('include')}", f"-I{np.get_include()}", f"-I{NATIVE}")


def objects(folder: Path, flags: Sequence[str]) -> list[Path]:
    """The object files of all sources, compiled without optimisation.

    All headers are read once, which takes most of the time of a source.
    """
    flags = ("-std=c++17", "-O0", "-fPIC", "-fvisibility=hidden", *flags, *INCLUDES)
    headers = sorted(NATIVE.rglob("*.hpp"))
    first = folder / "headers.hpp"
    first.write_text("#include <Python.h>\n" + "".join(f'#include "{header}"\n' for header in headers))
    subprocess.run(["g++", *flags, "-x", "c++-header", str(first), "-o", f"{first}.gch"], check=True)

    def one(source: Path) -> Path:
        made = folder / f"{source.parent.name}_{source.stem}.o"
        subprocess.run(
            ["g++", *flags, "-Winvalid-pch", "-include", str(first), "-c", str(source), "-o", str(made)],
            check=True,
        )
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(one, sorted(NATIVE.rglob("*.cpp"))))
    Path(f"{first}.gch").unlink()
    return made
