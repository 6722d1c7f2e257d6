"""Where g++ has its sanitizers."""

from __future__ import annotations

import os
import subprocess

import pytest


def runtimes(library: str, name: str) -> str:
    """What is loaded before all else: the sanitizer, and the library whose exceptions it watches."""
    found = []
    for file in (library, "libstdc++.so.6"):
        asked = ["g++", f"-print-file-name={file}"]
        found.append(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    if not os.path.isabs(found[0]):
        pytest.skip(f"g++ has no {name} here")
    return " ".join(found)
