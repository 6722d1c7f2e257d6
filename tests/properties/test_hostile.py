"""Producers that lie never crash us, never make us read what is not there, and leak nothing: see hostile.py."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from tests.cores import INCLUDES, NATIVE, objects

HERE = Path(__file__).parent
CASES, SEED = 2500, 20261121
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")

pytestmark = [
    pytest.mark.full,  # it takes long
    pytest.mark.skipif(
        bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        reason="hostile.py knows the type objects of CPython with a GIL",
    ),
]


def run(**more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(HERE / "hostile.py"), str(CASES), str(SEED)]
    return subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, timeout=600)


def check(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    assert f"survived {CASES}" in done.stdout
    for kind in ("DLPack", "buffer", "CAI", "SUAI", "__array_interface__"):
        assert f"{kind}: view: " in done.stdout, "no case was sound enough to be read"
        assert f"{kind}: ProtocolError: " in done.stdout


def test_generated_lies():
    check(run())


def compile_core(sanitize: tuple[str, ...] = SANITIZE) -> Path:
    """The compiled core with AddressSanitizer and UndefinedBehaviorSanitizer, or another one.

    It is compiled once, whoever asks: where it lies says of what it was made.
    """
    flags = ["-g1", *sanitize]
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True).stdout
    made_of = hashlib.sha256(repr([flags, INCLUDES, compiler, sys.version, np.__version__]).encode())
    for file in sorted(NATIVE.rglob("*.?pp")):
        made_of.update(str(file).encode() + file.read_bytes())
    folder = NATIVE.parent / "build" / "cores" / made_of.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "_native.so"

    with FileLock(folder / "lock"):
        if not library.exists():
            made_of_each = objects(folder, flags)
            whole = folder / "whole.so"
            linked = ["g++", "-shared", *sanitize, *map(str, made_of_each), "-o", str(whole), "-ldl"]
            subprocess.run(linked, check=True)
            for made in made_of_each:
                made.unlink()
            whole.rename(library)
    return library


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++ and its sanitizers")
def test_generated_lies_under_sanitizers():
    runtime = subprocess.run(
        ["g++", "-print-file-name=libasan.so"], capture_output=True, text=True
    ).stdout.strip()
    if not os.path.isabs(runtime):
        pytest.skip("g++ has no AddressSanitizer here")
    library = compile_core()
    options = (
        "detect_leaks=0:abort_on_error=0:allocator_may_return_null=1"  # CPython itself never frees everything
    )
    check(run(HOSTILE_NATIVE=str(library), LD_PRELOAD=runtime, ASAN_OPTIONS=options, PYTHONMALLOC="malloc"))
