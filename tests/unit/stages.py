"""Which rooms a program goes through: ``python stages.py`` traces a cold ``compile`` and a warm one, with a call each.

A line is a step from one stage into another. Types, layouts, the model, values,
arrays and the toolchain are what every stage talks about, and no stages. ``stages.txt`` is the committed trace.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

ORDER = ("api", "make", "read", "styles", "emit", "loading", "call")
SOURCE = "struct P { double x; }; inline double twice(P p, double y = 2) { return p.x * y; }"
COMMITTED = Path(__file__).with_name("stages.txt")


Step = tuple[str, str]


def trace() -> list[Step]:
    """Steps between stages: from, and to."""
    import samebytes as sb

    before = sb.compile(f"{SOURCE}  // imports run functions, too: they are done before")
    assert before.twice(before.P(2.0)) == 4

    root = f"{Path(sb.__file__).parent}{os.sep}"

    def stage(frame: FrameType | None) -> str | None:
        while frame is not None:
            name = frame.f_code.co_filename
            room = name.removeprefix(root).partition(os.sep)[0] if name.startswith(root) else ""
            if room in ORDER:
                return room
            frame = frame.f_back
        return None

    steps: list[Step] = []

    def entered(frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(root):
            return
        here, before = stage(frame), stage(frame.f_back)
        if here is not None and before is not None and here != before and steps[-1:] != [(before, here)]:
            steps.append((before, here))

    sys.setprofile(entered)
    try:
        lib = sb.compile(SOURCE)
        assert lib.twice(lib.P(2.0)) == 4
    finally:
        sys.setprofile(None)
    return steps


def returns(steps: list[Step]) -> list[Step]:
    """The steps into a stage that comes before the one that was entered last."""
    places = [ORDER.index(to) for _, to in steps]
    return [steps[n + 1] for n in range(len(steps) - 1) if places[n + 1] < places[n]]


def traced(cache: str) -> str:
    """The trace of a process with that cache."""
    given = {**os.environ, "SAMEBYTES_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, __file__, "one"], env=given, capture_output=True, text=True, check=True
    )
    return done.stdout


def both() -> str:
    """The trace of a cold compile and of a warm one."""
    with TemporaryDirectory() as cache:
        os.chmod(cache, 0o700)
        cold = traced(cache)
        return f"cold\n{cold}\nwarm\n{traced(cache)}"


if __name__ == "__main__":
    if sys.argv[1:] == ["one"]:
        for before, to in trace():
            print(f"  {before} → {to}")
    else:
        COMMITTED.write_text(both())
        print(COMMITTED.read_text())
