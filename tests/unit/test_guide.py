"""The guide: every link leads somewhere, every page is in the menu, every option of a build stands in its table."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tables import each

from samebytes.make.applicability import CALLERS, UNUSED
from samebytes.make.options import OPTIONS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Python-Markdown and GitHub make them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", _CODE.sub("", page.read_text()), re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        found.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()))
    return found


@each("page", PAGES)
def test_every_link_leads_somewhere(page: Path) -> None:
    for name, anchor in _LINK.findall(re.sub(r"`[^`\n]*`", "", _CODE.sub("", page.read_text()))):
        target = (page.parent / name) if name else page
        assert target.exists(), f"{page.name}: {name}"
        if anchor:
            assert anchor in anchors(target), f"{page.name}: {name}#{anchor}"


def test_every_page_is_in_the_menu() -> None:
    listed = set(re.findall(r"(?:: |- )(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert listed == {str(page.relative_to(ROOT / "docs")) for page in PAGES[1:]}


def test_every_option_is_beside_its_other_words() -> None:
    rows = re.findall(
        r"^\| `(\w+)=` \| (.*?) \| (.*?) \| (.*?) \|$",
        (ROOT / "docs" / "building.md").read_text().partition("## Where an option applies")[0],
        re.MULTILINE,
    )
    assert [name for name, *_ in rows] == [*OPTIONS]
    for name, command, key, _ in rows:
        option = OPTIONS[name]
        for spelling in option.command:
            assert f"`{spelling}`" in command, name
        if option.key:
            assert key == f"`{option.key}`", name


def test_where_options_apply_is_what_the_table_says() -> None:
    text = (ROOT / "docs" / "building.md").read_text().partition("## Where an option applies")[2]
    rows = {
        name: cells
        for name, cells in re.findall(r"^\| `(\w+)=?` \|(.*)\|$", text, re.MULTILINE)
        if name in UNUSED
    }
    assert [*rows] == [*UNUSED]
    for name, cells in rows.items():
        said = {caller: cell.strip() for caller, cell in zip(CALLERS, cells.split("|"), strict=True)}
        refused = {caller for row in UNUSED[name] for caller in row.callers}
        assert {caller for caller, cell in said.items() if cell.startswith("–")} == refused, name


def test_the_readme_fits_on_two_screens() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 100
    assert ".venv/bin/" in text
