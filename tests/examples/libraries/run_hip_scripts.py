"""Runs scripts one after another, what each prints below its name: ``run_hip_scripts.py ours|peer SCRIPT…``.

A peer is HIP Python: the lines that bind the headers become the one that imports it, and nothing else is changed.
"""

from __future__ import annotations

import re
import sys
import traceback
import warnings
from pathlib import Path

BOUND = re.compile(r"^(\w+) = sb\.bind\(.*\)$", re.MULTILINE)
FILE = "=== "


def for_peer(text: str) -> str:
    names = BOUND.findall(text)
    return BOUND.sub("", text).replace("import samebytes as sb", f"from hip import {', '.join(names)}")


def main(who: str, scripts: list[str]) -> None:
    warnings.simplefilter("ignore")  # what of the headers is not bound
    for path in scripts:
        text = Path(path).read_text()
        print(f"{FILE}{Path(path).stem}", flush=True)
        try:
            exec(compile(for_peer(text) if who == "peer" else text, path, "exec"), {"__name__": "__main__"})
        except Exception:
            print(traceback.format_exc().splitlines()[-1])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
