"""One round in one process: prepares every peer, checks its results, times case by case, prints JSON."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import refusals
import timing
import views
from cases import CASES, Call, Case, Data
from peers import all_peers
from peers.base import LeftOut, Peer

Prepared = tuple[dict[str, dict[str, Call]], dict[str, dict[str, Any]], list[str]]


def prepare(build: Path, data: Data) -> Prepared:
    """Return the checked calls by case and peer, the facts by peer, and a sentence per thing left out."""
    calls: dict[str, dict[str, Call]] = {case.key: {} for case in CASES}
    facts: dict[str, dict[str, Any]] = {}
    left_out: list[str] = []
    for peer in all_peers():
        try:
            versions, own = peer.versions(), peer.prepare(build, data)
        except LeftOut as reason:
            left_out.append(str(reason))
            continue
        except Exception as error:  # another project's failure must not end the run
            left_out.append(f"{peer.name} is left out: {type(error).__name__}: {error}")
            continue
        facts[peer.name] = {"versions": versions, "gil": peer.gil, "ours": peer.ours}
        for case in CASES:
            if case.key in own:
                wrong = fault(peer, case, own[case.key], data)
                if wrong:
                    left_out.append(wrong)
                else:
                    calls[case.key][peer.name] = own[case.key]
    return calls, facts, left_out


def fault(peer: Peer, case: Case, call: Call, data: Data) -> str | None:
    """Call once; return the sentence that says what is wrong, or None."""
    try:
        got = data.result(case, call)
    except Exception as error:
        return f"{peer.name}, case {case.key}, is left out: {type(error).__name__}: {error}"
    if math.isclose(got, case.expected):
        return None
    return f"{peer.name}, case {case.key}, is left out: it returned {got}, not {case.expected}."


def time_views(cases: dict[str, dict[str, Call]], options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Nanoseconds by case and row; the least of the slices, as objects that come and go feel the machine's noise."""
    return {c: timing.time_together(row, options.repeats, options.first, min) for c, row in cases.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--repeats", type=int, required=True, help="slices per call site; 0: only build and check"
    )
    parser.add_argument("--first", type=int, default=0, help="which peer begins")
    options = parser.parse_args()
    data = Data.create()
    calls, facts, left_out = prepare(options.build, data)
    timed = {key: row for key, row in calls.items() if row and options.repeats}
    ns = {key: timing.time_together(row, options.repeats, options.first) for key, row in timed.items()}
    shown = {
        key: views.by_case(rows) for key, rows in views.rows(left_out, calls["b1"], options.build).items()
    }
    seen = {key: time_views(cases, options) for key, cases in shown.items() if options.repeats}
    accepted = {} if options.repeats else refusals.accepted(calls, data)
    found = {"peers": facts, "left_out": left_out, "accepted": accepted, "ns": ns, "views": seen}
    options.out.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
