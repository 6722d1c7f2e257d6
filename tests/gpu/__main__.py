"""``make gpu``: the tests for hardware, each file in a process of its own, and a table of what became of them.

``python -m tests.gpu --own`` runs the same on the tests' own driver, which needs no GPU.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.gpu.noted import VARIABLE
from tests.gpu.present import lacking

ROOT = Path(__file__).parents[2]
FILES = [
    *(path for path in sorted((ROOT / "tests" / "launch").glob("test_*.py")) if "mark.hardware" in path.read_text()),
    *(path for path in sorted(Path(__file__).parent.glob("test_*.py")) if "hip" not in path.name),
]  # fmt: skip
SHOWN = (
    "numpy",
    "cuda-core",
    "cuda-bindings",
    "nvidia-cuda-nvrtc",
    "torch",
    "cupy-cuda13x",
    "cupy-cuda12x",
    "numba-cuda",
)
SECONDS = 450  # of all on a GPU: the files that are left then have failed


def facts(own: bool) -> dict[str, str]:
    """What the tests ran on."""
    said = {"device": "none: the tests' own driver"} if own else _of_device()
    said["Python"] = f"{platform.python_version()}, {platform.machine()}"
    for name in ("samebytes", *SHOWN):
        try:
            said[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return said


def _of_device() -> dict[str, str]:
    driver = ctypes.CDLL("libcuda.so.1")
    text, number, total = ctypes.create_string_buffer(256), ctypes.c_int(), ctypes.c_size_t()
    driver.cuInit(0), driver.cuDeviceGetName(text, 256, 0)
    driver.cuDeviceTotalMem_v2(ctypes.byref(total), 0)
    major, minor = ctypes.c_int(), ctypes.c_int()
    # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
    (
        driver.cuDeviceGetAttribute(ctypes.byref(major), 75, 0),
        driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, 0),
    )
    driver.cuDriverGetVersion(ctypes.byref(number))
    module = Path("/sys/module/nvidia/version")
    known = f"{module.read_text().strip()}, " if module.exists() else ""
    return {
        "device": f"{text.value.decode()}, {total.value / 2**30:.0f} GiB",
        "compute capability": f"{major.value}.{minor.value}",
        "driver": f"{known}CUDA {number.value // 1000}.{number.value % 1000 // 10}",
    }


def run(path: Path, environment: dict[str, str], seconds: float) -> list[dict[str, Any]]:
    """What the tests of a file said, in a process of its own: an error of the device ends that alone."""
    with tempfile.TemporaryDirectory() as folder:
        said, log = Path(folder, "rows"), Path(folder, "log")
        said.touch()
        marks = "hardware" if path.parent.name == "launch" else "full"
        options = ["-q", "-p", "tests.gpu.noted", "-p", "no:cacheprovider", "-m", marks, "-k", "not hip"]
        with log.open("w") as file:
            child = subprocess.Popen(
                [sys.executable, "-m", "pytest", *options, str(path)],
                cwd=ROOT, env=environment | {VARIABLE: str(said)}, stdout=file, stderr=subprocess.STDOUT,
            )  # fmt: skip
            try:
                status = child.wait(max(1, seconds))
            except subprocess.TimeoutExpired:
                child.kill()
                status = child.wait()
        lines = [json.loads(line) for line in said.read_text().splitlines()]
        counts = Counter(line["outcome"] for line in lines)
        died = counts["begun"] > counts["ended"]
        if died or (not counts["failed"] and status not in (0, 5)):  # 5: no test was chosen
            name = lines[-1]["test"] if lines else "its start"
            how = f"by signal {-status}" if status < 0 else f"with {status}"
            lines.append({"test": name, "outcome": "failed", "reason": f"the process ended {how}"})
            counts["failed"] += 1
        if counts["failed"]:
            print(log.read_text(errors="replace"), flush=True)
        return lines


def rows(lines: list[dict[str, Any]]) -> list[tuple[str, str, float]]:
    """One for each test: its name, what became of it and why, its seconds."""
    made = []
    for test in dict.fromkeys(line["test"] for line in lines):
        own = [line for line in lines if line["test"] == test]
        counts = Counter(line["outcome"] for line in own)
        result = ", ".join(f"{counts[o]} {o}" for o in ("failed", "passed", "skipped") if counts[o])
        why = dict.fromkeys(line["reason"] for line in own if line.get("reason"))
        text = "; ".join([result, *why]).replace("|", "\\|")
        made.append((test, text, sum(line.get("seconds", 0) for line in own)))
    return made


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gpu", description=__doc__)
    parser.add_argument("--own", action="store_true", help="run on the tests' own driver")
    parser.add_argument("--table", type=Path, help="write the table to a file, as Markdown")
    parser.add_argument("names", nargs="*", help="parts of the names of files; all without any")
    given = parser.parse_args()
    if not given.own and (reason := lacking()):
        print(f"make gpu needs an NVIDIA GPU: {reason}.", file=sys.stderr)
        return 1
    environment = {**os.environ, "SAMEBYTES_TESTS_ON": "own" if given.own else "gpu"}
    begun, failures = time.monotonic(), 0
    said = facts(given.own)
    limit = 3600 if given.own else SECONDS
    text = ["# Kernels on hardware", "", "What `make gpu` printed.", ""]
    text += ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in said.items()), ""]
    text += ["| test | result | s |", "|---|---|---|"]
    measured: dict[str, str] = {}
    drivers = tempfile.TemporaryDirectory()
    environment["SAMEBYTES_TESTS_DRIVERS"] = drivers.name
    for path in FILES:
        if given.names and not any(name in path.stem for name in given.names):
            continue
        lines = run(path, environment, limit - (time.monotonic() - begun))
        for test, result, seconds in rows(lines):
            text.append(f"| {path.stem}: {test.removeprefix('test_')} | {result} | {seconds:.1f} |")
            print(text[-1], flush=True)
        failures += sum(line["outcome"] == "failed" for line in lines)
        for line in lines:
            measured |= line.get("measured", {})
    counts = Counter(line.split("|")[2].split()[1].strip(";,") for line in text if line.startswith("| test_"))
    whole = f"{sum(counts.values())} tests in {time.monotonic() - begun:.0f} s, {counts['failed']} failed."
    text += ["", whole, ""]
    if measured:
        text += [
            "| a launch costs the host | ns |",
            "|---|---|",
            *(f"| {k} | {v} |" for k, v in measured.items()),
            "",
        ]
    print("\n" + "\n".join(text))
    if given.table:
        given.table.write_text("\n".join(text))
    return 1 if failures or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
