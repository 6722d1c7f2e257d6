"""The site of the documents: it is built without a warning, loads nothing from elsewhere, and its search finds C++."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import samebytes as sb

pytestmark = pytest.mark.full
ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for module in ("material", "mkdocstrings"):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed: pip install 'samebytes[docs]'")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(folder)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr  # a dead link or anchor is a warning, and fails
    return folder


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loads = re.compile(
        r"<(?:script|img|link|iframe)[^>]*(?:src|href)=[\"']?(?:https?:)?//[^>]*|@import[^;]*//[^;]*|url\([\"']?http[^)]*"
    )
    found = [
        (page.name, load)
        for kind in ("html", "css")
        for page in site.rglob(f"*.{kind}")
        for load in loads.findall(page.read_text())
        if "canonical" not in load
    ]
    assert not found


def test_the_reference_has_every_public_name(site: Path) -> None:
    page = (site / "reference.html").read_text()
    assert [name for name in sb.__all__ if not re.search(rf"\b{name}\b", page)] == []


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize("words", ["std::string", "unique_ptr<T>", "out_return"])
def test_the_search_finds(site: Path, words: str, tmp_path: Path) -> None:
    assert CHROMIUM is not None
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    options += [
        "--disable-background-networking",
        f"--user-data-dir={tmp_path}",
        "--virtual-time-budget=20000",
    ]
    done = subprocess.run(
        [CHROMIUM, *options, "--dump-dom", f"{(site / 'why.html').as_uri()}?q={words}"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, timeout=120,
    )  # fmt: skip
    results = done.stdout.partition('class="md-search-result__list"')[2].split("md-search-result__item")[1:]
    assert results
    assert "<mark" in results[0]
    if words == "std::string":
        assert "What crosses" in results[0]  # the page about it, not one that has std and string somewhere
    assert all("Missing:" not in result for result in results)  # each has every part
