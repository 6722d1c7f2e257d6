"""Around all tests: which are collected, how what they build is optimised, and nothing in them is left to chance."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples each time, however slow the machine is: what fails here fails everywhere.
settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")

QUICK = "not full"
SKIPPED = "samebytes/skipped"  # in pytest's cache: the tests that the last whole quick run has skipped
_LONG_FILE = re.compile(r"^pytestmark = (?:\[[^\]]*|.*)\bmark\.full\b", re.MULTILINE)
_OPTIMIZE = "SAMEBYTES_OPTIMIZE"


# --- what is collected


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--remaining",
        action="store_true",
        help="run what the quick tests leave out: the long ones, and those they skipped",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files with nothing to run are not imported."""
    if not re.fullmatch(r"test_.*\.py", collection_path.name):
        return None
    if config.option.markexpr == QUICK:
        return True if _LONG_FILE.search(collection_path.read_text()) else None
    if config.option.remaining and (skipped := config.cache.get(SKIPPED, None)) is not None:
        place = collection_path.relative_to(config.rootpath).as_posix()
        known = any(name.startswith(place) for name in skipped)
        return None if known or "mark.full" in collection_path.read_text() else True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of collected tests live until the end; each ``gc.collect()`` would walk through them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)  # others have marked their tests by then
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.remaining and (skipped := config.cache.get(SKIPPED, None)) is not None:
        names = {*skipped}
        rest, others = [], []
        for item in items:
            (rest if item.get_closest_marker("full") or names & _names(item) else others).append(item)
        config.hook.pytest_deselected(items=others)
        items[:] = rest


def _names(item: pytest.Item) -> set[str]:
    """The item's name and its file's, which stands for all tests of a file that was skipped whole."""
    return {item.nodeid, item.nodeid.partition("::")[0]}


class _Skipped:
    """Notes which tests a quick run of everything skips: another run may have what they need."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._names.add(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self._names.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        session.config.cache.set(SKIPPED, sorted(self._names))


def pytest_configure(config: pytest.Config) -> None:
    os.environ.setdefault(_OPTIMIZE, "0")  # to optimise takes a third of the time of a build
    option = config.option
    if option.markexpr == QUICK and not (
        option.file_or_dir or option.keyword or hasattr(config, "workerinput")
    ):
        config.pluginmanager.register(_Skipped(), "samebytes-skipped")


# --- how it is built


@pytest.fixture(autouse=True, scope="module")
def optimisation(request: pytest.FixtureRequest) -> Iterator[None]:
    """A file whose mark says ``optimised`` builds as users do."""
    with pytest.MonkeyPatch.context() as patch:
        if request.node.get_closest_marker("optimised"):
            patch.delenv(_OPTIMIZE, raising=False)
        yield


# --- what is left behind


@pytest.fixture(autouse=True, scope="module")
def settled() -> None:
    """Nor are the libraries of the files before; what died is gone, and what lives is looked at no more."""
    gc.collect()
    gc.freeze()
