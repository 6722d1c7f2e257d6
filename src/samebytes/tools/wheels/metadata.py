"""A wheel's metadata: of a project's ``pyproject.toml``, or of a command's few words (PyPA's core metadata, 2.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from ...errors import BindError
from ...frozen import frozen
from ...version import __version__

_NAME = re.compile(r"[A-Z0-9]|[A-Z0-9][A-Z0-9._-]*[A-Z0-9]", re.IGNORECASE)
# The public versions of PEP 440 in their normal form, and a local part.
_VERSION = re.compile(r"(\d+!)?\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?(\+[a-z0-9]+(\.[a-z0-9]+)*)?")
_CONTENT = {".md": "text/markdown", ".rst": "text/x-rst", ".txt": "text/plain"}
_PYTHON = ">=3.11"
_OURS = f"samebytes>={__version__}"
_KNOWN = frozenset({
    "name", "version", "description", "readme", "requires-python", "license", "license-files", "keywords", "authors",
    "maintainers", "classifiers", "urls", "dependencies", "optional-dependencies", "scripts", "gui-scripts",
    "entry-points",
})  # fmt: skip


@frozen
class Metadata:
    """What a wheel says of itself.

    Attributes
    ----------
    name, version : str
    fields : tuple of (str, str)
        The further lines of METADATA, in order.
    description : str
        The text that an index shows.
    entry_points : mapping of str to mapping
        By group: what is installed as commands or plug-ins.
    licenses : mapping of str to bytes
        The licence's files, by their paths.
    """

    name: str
    version: str
    fields: tuple[tuple[str, str], ...]
    description: str = ""
    entry_points: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    licenses: Mapping[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise BindError(f"{self.name!r} is no name for a distribution: letters, digits, '-', '_' and '.'")
        if not _VERSION.fullmatch(self.version):
            raise BindError(
                f"{self.version!r} is no version as wheels have it: '1.0', '0.2.1', '1.0rc1', '1.0.post1'"
            )

    @property
    def stem(self) -> str:
        """What the names of its files begin with."""
        return f"{re.sub(r'[-_.]+', '_', self.name).lower()}-{self.version}"

    def text(self) -> str:
        """The file METADATA."""
        head = [("Metadata-Version", "2.4"), ("Name", self.name), ("Version", self.version), *self.fields]
        lines = [f"{key}: {' '.join(value.split())}" for key, value in head]
        return "\n".join(lines) + f"\n\n{self.description.strip()}\n"

    def entry_points_text(self) -> str:
        """The file entry_points.txt; empty where there are none."""
        groups = (
            "\n".join([f"[{group}]", *(f"{name} = {place}" for name, place in entries.items())])
            for group, entries in self.entry_points.items()
        )
        return "\n\n".join(groups) + "\n" if self.entry_points else ""


def plain_metadata(name: str, version: str, header: str, readme: Path | None) -> Metadata:
    """Of bindings that a command makes, without a project."""
    text, kind = _read(readme) if readme else (_said(name, header), "text/markdown")
    fields = (
        ("Summary", f"Python bindings of {header}"),
        ("Requires-Python", _PYTHON),
        ("Requires-Dist", _OURS),
        ("Description-Content-Type", kind),
    )
    return Metadata(name, version, fields, text)


def _said(name: str, header: str) -> str:
    return (
        f"# {name}\n\nPython bindings of `{header}`, written by samebytes: `import {name}`. The one wheel serves every "
        f"Python that samebytes has, and needs no compiler where it is used.\n"
    )


def project_metadata(project: Mapping[str, Any], folder: Path) -> Metadata:
    """Of the table ``[project]``.

    Raises
    ------
    BindError
        If a key is missing, or one that no wheel of ours can serve is there.
    """
    for key in ("name", "version"):
        if not isinstance(project.get(key), str):
            raise BindError(f"pyproject.toml: [project] needs {key}, a text")
    if unknown := sorted(project.keys() - _KNOWN):
        raise BindError(
            f"pyproject.toml: [project] has {', '.join(unknown)}, which samebytes' builds do not know"
        )
    text, kind = _readme(project.get("readme"), folder)
    licenses = _licenses(project.get("license-files", ()), folder)
    fields = [*_fields(project), *(("License-File", path) for path in licenses)]
    if kind:
        fields.append(("Description-Content-Type", kind))
    entries = dict(project.get("entry-points", {}))
    for key, group in (("scripts", "console_scripts"), ("gui-scripts", "gui_scripts")):
        if key in project:
            entries[group] = project[key]
    return Metadata(project["name"], project["version"], tuple(fields), text, entries, licenses)


def _fields(project: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "description" in project:
        yield "Summary", project["description"]
    yield "Requires-Python", project.get("requires-python", _PYTHON)
    if "license" in project:
        if not isinstance(project["license"], str):
            raise BindError('pyproject.toml: license is an SPDX expression, license = "MIT"')
        yield "License-Expression", project["license"]
    if "keywords" in project:
        yield "Keywords", ",".join(project["keywords"])
    for key, word in (("authors", "Author"), ("maintainers", "Maintainer")):
        yield from _people(word, project.get(key, ()))
    yield from (("Classifier", one) for one in project.get("classifiers", ()))
    yield from (("Project-URL", f"{label}, {url}") for label, url in project.get("urls", {}).items())
    yield from (("Requires-Dist", one) for one in _required(project.get("dependencies", ())))
    for extra, wanted in project.get("optional-dependencies", {}).items():
        yield "Provides-Extra", extra
        for one in wanted:
            requirement, _, marker = (part.strip() for part in one.partition(";"))
            also = f"({marker}) and " if marker else ""
            yield "Requires-Dist", f'{requirement}; {also}extra == "{extra}"'


def _people(word: str, people: Iterable[Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    for one in people:
        if "email" in one:
            yield f"{word}-email", f"{one['name']} <{one['email']}>" if "name" in one else one["email"]
        else:
            yield word, one["name"]


def _required(dependencies: Iterable[str]) -> list[str]:
    """With samebytes, which every package of bindings needs."""
    wanted = [*dependencies]
    ours = any(re.match(r"samebytes\b(?!-)", one, re.IGNORECASE) for one in wanted)
    return wanted if ours else [*wanted, _OURS]


def _readme(said: Any, folder: Path) -> tuple[str, str]:
    if said is None:
        return "", ""
    if isinstance(said, str):
        return _read(folder / said)
    if "file" in said:
        text, kind = _read(folder / said["file"])
        return text, said.get("content-type", kind)
    return said["text"], said["content-type"]


def _read(path: Path) -> tuple[str, str]:
    kind = _CONTENT.get(path.suffix.lower())
    if kind is None:
        raise BindError(f"{path}: a readme ends in {', '.join(_CONTENT)}")
    if not path.is_file():
        raise BindError(f"no readme {path}")
    return path.read_text(encoding="utf-8"), kind


def _licenses(patterns: Iterable[str], folder: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for pattern in patterns:
        paths = sorted(path for path in folder.glob(pattern) if path.is_file())
        if not paths:
            raise BindError(f"pyproject.toml: license-files has {pattern!r}, which matches no file")
        found |= {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return found
