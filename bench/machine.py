"""Describes the machine, as a reader of the numbers needs it."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path

from peers.base import compiler


def describe() -> dict[str, str]:
    """CPU, cores, kernel, Python, compiler and date (UTC)."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    version = subprocess.run([compiler(), "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return {
        "CPU": models[0] if models else platform.processor(),
        "cores": str(os.cpu_count()),
        "kernel": f"{platform.system()} {platform.release()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": version,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
