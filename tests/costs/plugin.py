"""A pytest plugin that writes the CPU time of each test, its compilers' included, split by cause.

``python -m tests.costs`` loads it. Each process writes a file of its own in the folder that ``SAMEBYTES_TEST_COSTS``
names: one line of JSON a test, and one for what came before the first test.
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from importlib.abc import Loader, MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = "SAMEBYTES_TEST_COSTS"
STACKS = {
    "torch", "jax", "jaxlib", "numba", "numba_cuda", "pyarrow", "scipy", "warp", "dpctl", "tvm_ffi", "cuda",
    "matplotlib", "mypy", "nanobind", "Cython", "IPython", "basix", "ml_dtypes",
}  # fmt: skip
COMPILERS = re.compile(r"(?:.*-)?(?:g\+\+|gcc|c\+\+|cc|clang|clang\+\+|cpp|nvcc|hipcc|ld|lld|ar)(?:-[\d.]+)?")

# CPU seconds so far: of other programs that are compilers, and of this process while it reads or imports.
seconds: Counter[str] = Counter()


def used() -> dict[str, float]:
    """CPU seconds of this process and of the programs that it waited for, since it began, by cause."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    children = others.ru_utime + others.ru_stime
    own_seconds = own.ru_utime + own.ru_stime
    return {
        "compiling": seconds["compiling"],
        "programs": children - seconds["compiling"],
        "reading": seconds["reading"],
        "importing": seconds["importing"],
        "running": own_seconds - seconds["reading"] - seconds["importing"],
    }


def _timed(cause: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose CPU time counts for a cause. What it calls that is timed, too, counts once."""
    depth = 0

    @functools.wraps(function)
    def timed(*args: object, **kwargs: object) -> Any:
        nonlocal depth
        begin, depth = time.process_time(), depth + 1
        try:
            return function(*args, **kwargs)
        finally:
            depth -= 1
            if not depth:
                seconds[cause] += time.process_time() - begin

    return timed


class _Stacks(MetaPathFinder):
    """Finds nothing itself: the first import of an optional stack is timed."""

    def __init__(self) -> None:
        self._execute: Callable[[Loader, ModuleType], None] = _timed(
            "importing", lambda loader, module: loader.exec_module(module)
        )

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in STACKS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _TimedLoader(spec.loader, self._execute)
        return spec


class _TimedLoader(Loader):
    def __init__(self, loader: Loader, execute: Callable[[Loader, ModuleType], None]) -> None:
        self._loader, self._execute = loader, execute

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._loader  # as if nobody had looked
        self._execute(self._loader, module)


def _wait_for(process: subprocess.Popen[Any], flags: int) -> tuple[int, int]:
    """What ``Popen._try_wait`` does, and the program's CPU time counts if it is a compiler."""
    try:
        pid, status, usage = os.wait4(process.pid, flags)
    except ChildProcessError:
        return process.pid, 0
    if pid == process.pid and COMPILERS.fullmatch(os.path.basename(_program(process.args))):
        seconds["compiling"] += usage.ru_utime + usage.ru_stime
    return pid, status


def _program(args: object) -> str:
    first = args if isinstance(args, str | bytes | os.PathLike) else args[0]  # type: ignore[index]
    return os.fsdecode(first)


class _Recorder:
    def __init__(self, folder: Path) -> None:
        name = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self._file = (folder / f"{name}.jsonl").open("a", buffering=1)

    def _write(self, name: str, before: dict[str, float], wall: float) -> None:
        costs = {cause: round(value - before.get(cause, 0), 4) for cause, value in used().items()}
        self._file.write(json.dumps({"test": name, "wall": round(wall, 4), **costs}) + "\n")

    def pytest_collection_finish(self) -> None:
        self._write("", {}, time.perf_counter())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before, begin = used(), time.perf_counter()
        try:
            return (yield)
        finally:
            self._write(item.nodeid, before, time.perf_counter() - begin)


def pytest_configure(config: pytest.Config) -> None:
    """Begin to record. Nothing is recorded where no folder is named."""
    if folder := os.environ.get(FOLDER):
        sys.meta_path.insert(0, _Stacks())
        subprocess.Popen._try_wait = _wait_for  # type: ignore[attr-defined]
        from samebytes.read import header

        header.read_header = _timed("reading", header.read_header)
        config.pluginmanager.register(_Recorder(Path(folder)), "samebytes-costs")
