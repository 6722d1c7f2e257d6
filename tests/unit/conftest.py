"""The shims that the tests of the compiled core call, compiled once per session."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes._native import Record, Value

sys.path.append(str(Path(__file__).parents[1] / "leaks"))  # for measure
sys.path.append(str(Path(__file__).parent))  # for native_codecs: importlib's import mode adds nothing itself

SHIMS = Path(__file__).with_name("native_shims.cpp")


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shelf of the object that sorts exceptions, for caches that would compile it once more."""
    cache = tmp_path_factory.mktemp("report")
    cache.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SAMEBYTES_CACHE_DIR", str(cache))
        sb.compile("inline void nothing() {}")
    return next(cache.glob("*/*/report.obj")).parents[1]


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], int]:
    """The address of a function of native_shims.cpp by its name."""
    library = tmp_path_factory.mktemp("native") / "shims.so"
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, "-std=c++17", "-O1", "-shared", "-fPIC", "-o", library, SHIMS], check=True)
    loaded = ctypes.CDLL(str(library))

    def address(name: str) -> int:
        found = ctypes.cast(getattr(loaded, name), ctypes.c_void_p).value
        assert found
        return found

    return address


@pytest.fixture
def pair() -> Any:
    """A class of immutable pairs, made by the core alone."""
    from native_codecs import make_pair

    return make_pair(Value)


@pytest.fixture
def record() -> Any:
    """A class of mutable ones."""
    from native_codecs import make_pair

    return make_pair(Record)
