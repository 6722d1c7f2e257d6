"""A new project of bindings: header, source, tests, and what builds, installs and checks them."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

from ...errors import BindError

_TEMPLATES = Path(__file__).with_name("template")
# Templates by the path that each becomes; NAME is the project's package in both.
_FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "gitignore": ".gitignore",
    "ci.yml": ".github/workflows/ci.yml",
    "header.hpp": "include/NAME.hpp",
    "source.cpp": "src/NAME.cpp",
    "tests.py.txt": "tests/test_NAME.py",
}
_TAKEN = sys.stdlib_module_names | {"numpy", "samebytes"}


def write_project(name: str, folder: Path) -> tuple[Path, ...]:
    """Write a project.

    Parameters
    ----------
    name : str
        Of the distribution; the package has ``_`` for each ``-``.
    folder : Path
        The folder in which the project's own is made.

    Returns
    -------
    tuple of Path
        The files.

    Raises
    ------
    BindError
        If the name serves no package, or the project's folder has something in it.
    """
    package = name.replace("-", "_")
    if not package.isidentifier() or keyword.iskeyword(package) or not package.isascii():
        raise BindError(f"{name!r} is no name for a package: letters, digits and '_', and no digit first")
    if package in _TAKEN:
        raise BindError(f"a package {package!r} would hide Python's own: choose another name")
    home = folder / name
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise BindError(f"{home} exists, and is not an empty folder")
    words = {"NAME": package, "DISTRIBUTION": name, "CLASS": package.title().replace("_", "")}
    written = []
    for template, place in _FILES.items():
        path = home / _filled(place, words)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled((_TEMPLATES / template).read_text(encoding="utf-8"), words), encoding="utf-8")
        written.append(path)
    return tuple(written)


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text
