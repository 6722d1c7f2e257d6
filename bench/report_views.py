"""The tables of views: nanoseconds, and how many times the price of ours every other is."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from readers import READERS
from views import C_API, CALLBACKS, GROUPS, OURS, Group

Round = dict[str, dict[str, dict[str, float]]]  # ns by group, case and row


def _names(rounds: Sequence[Round], group: Group) -> list[str]:
    found = {name: None for one in rounds for row in one[group.key].values() for name in row}
    order = list(READERS)  # ours first, then as they stand there
    return sorted(found, key=lambda name: order.index(name) if name in order else 0)


def ratio(rounds: Sequence[Round], group: Group, case: str, name: str) -> float | None:
    """Median over the rounds of a row's price in ours; above 1, ours is ahead."""
    rows = [one[group.key].get(case, {}) for one in rounds]
    found = [row[name] / row[OURS] for row in rows if name in row and OURS in row]
    return median(found) if found else None


def _cell(rounds: Sequence[Round], group: Group, case: str, name: str) -> str:
    values = [one[group.key][case][name] for one in rounds if name in one[group.key].get(case, {})]
    if not values:
        return ""
    ns = median(values)
    text = f"{ns:.1f}" if ns < 100 else f"{ns:.0f}"
    times = ratio(rounds, group, case, name)
    return text if name == OURS or times is None else f"{text} ({times:.2f}×)"


def grid(rounds: Sequence[Round], group: Group) -> list[list[str]]:
    """Header and rows of one table."""
    cases = [case for case in group.cases if any(case in one[group.key] for one in rounds)]
    body = [[name, *(_cell(rounds, group, case, name) for case in cases)] for name in _names(rounds, group)]
    return [["ns", *(case.replace("|", "\\|") for case in cases)], *body]


_OF = {C_API: "C APIs", CALLBACKS: "Callbacks"}


def behind(rounds: Sequence[Round]) -> list[str]:
    """One sentence for each comparison in which another is ahead of ours."""
    return [
        f"{_OF.get(group, 'Views')}, {case}: {name} costs {times:.2f} of ours."
        for group in GROUPS
        for case in group.cases
        for name in _names(rounds, group)
        if not name.startswith(OURS) and "floor" not in name
        if (times := ratio(rounds, group, case, name)) is not None and times < 1
    ]


METHOD = """\
The tables of views and of C APIs are measured as the others are, with the rows in turn, but a round's value
is the least of its slices. In brackets: how many times the price of ours. What a function gives differs: a view knows
the element's type, the device, whether it may be written, and the stream to wait for; it checks that what a
producer says is possible, and it refuses tensors that require grad, are conjugate or negative. The other
libraries' arrays are made to compute with."""
