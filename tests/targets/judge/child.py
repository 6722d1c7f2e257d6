"""Runs cells of one target, and says before each which it is: a process that ends has named what ended it.

``python -m tests.targets.judge.child TARGET`` reads cells, ``[kind, argument]``, as JSON; it writes a line for each.
"""

from __future__ import annotations

import json
import os
import sys

from .arguments import ARGUMENTS
from .kinds import KINDS
from .targets import TARGETS


def main() -> None:
    asked = json.load(sys.stdin)
    cells = asked["cells"]
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is none of ours
    target = TARGETS[sys.argv[1]]([KINDS[name] for name in asked["kinds"]])
    for kind, argument in cells:
        said.write(json.dumps([kind, argument]) + "\n")
        said.flush()
        said.write(json.dumps(target.outcome(KINDS[kind], ARGUMENTS[argument])) + "\n")
        said.flush()


if __name__ == "__main__":
    main()
