"""The targets: those of the host, and the table of all."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from .base import Target, written
from .devices import CuHost, Hip, Kernel, Sycl
from .kinds import Kind
from .numba_kernels import NumbaCuda


class Njit(Target):
    options = {"target": "numba", "std": "c++20"}  # noqa: RUF012

    def __init__(self, kinds: Sequence[Kind]) -> None:
        super().__init__(kinds)
        self._uses: dict[str, Any] = {}

    def using(self, kind: Kind) -> Any:
        if kind.name not in self._uses:
            self._uses[kind.name] = import_module("numba").njit(written(kind, self.function(kind)))
        return self._uses[kind.name]


class Python(Target):
    options = {"std": "c++20"}  # noqa: RUF012


class Package(Target):
    """What ``samebytes bind`` writes."""

    options = {"std": "c++20"}  # noqa: RUF012

    @cached_property
    def lib(self) -> Any:
        from click.testing import CliRunner

        from samebytes.tools.cli import main

        self._folder = tempfile.TemporaryDirectory()
        home = Path(self._folder.name)
        (home / "judged.hpp").write_text("#pragma once\n" + self.dialect.source(self.kinds))
        rows = [
            f"  {name}:\n" + "".join(f"    {p}: {_said(intent)}\n" for p, intent in intents.items())
            for name, intents in self.dialect.intents(self.kinds).items()
        ]
        config = home / "judged.yaml"
        config.write_text("Function Argument Intents:\n" + "".join(rows) if rows else "{}\n")
        command = [
            "bind",
            str(home / "judged.hpp"),
            "-c",
            str(config),
            "-o",
            str(home / "out"),
            "--name",
            "judged",
        ]
        done = CliRunner().invoke(main, [*command, "--std", "c++20"])
        assert done.exit_code == 0, done.output
        sys.path.insert(0, str(home / "out"))
        return import_module("judged")


def _said(intent: Any) -> str:
    """An intent in a configuration."""
    if isinstance(intent, str):
        return intent
    return "{intent: out_array_return, dtype: double, length: 3}"


TARGETS: dict[str, type[Target]] = {
    "Python": Python, "package": Package, "@njit": Njit, "numba-cuda": NumbaCuda, "CUDA kernel": Kernel,
    ".cu function": CuHost, "HIP kernel": Hip, "SYCL kernel": Sycl,
}  # fmt: skip
