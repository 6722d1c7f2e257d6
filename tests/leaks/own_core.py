"""Loads a core of one's own, as one that is instrumented, in the place of samebytes._native, before samebytes."""

from __future__ import annotations

import importlib.util
import sys


def load(path: str) -> None:
    """Have samebytes find the core at a path."""
    spec = importlib.util.spec_from_file_location("samebytes._native", path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])
