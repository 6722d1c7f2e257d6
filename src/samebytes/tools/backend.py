"""A build backend (PEP 517, 660): pip builds a project of bindings by ``build-backend = "samebytes.tools.backend"``.

``[tool.samebytes]`` in ``pyproject.toml`` has ``header`` and the options of :func:`samebytes.bind` by their names;
paths start at the project. ``package`` names the package, ``python`` is a folder of Python files beside it.
"""

from __future__ import annotations

import io
import os
import tarfile
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..api.requests import header_request
from ..errors import BindError
from ..make.applicability import check_applies
from ..make.options import OPTIONS, completed, strings
from ..make.request import Request
from .packages import architectures, write_package
from .wheels import Metadata, platform_of, project_metadata, write_wheel
from .wheels.archive import write_archive

_TABLE = "pyproject.toml: [tool.samebytes]"
_OWN = ("header", "package", "python", "gil")
# What a project's folder has that is no source.
_BUILT = frozenset({"build", "dist", "__pycache__", "node_modules"})
# Where the bindings of an editable install are.
_EDITABLE = Path("build") / "editable"


def build_wheel(
    wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None
) -> str:
    """Write the project's wheel; its file name."""
    project = _Project()
    made = write_wheel(
        project.request(), project.metadata, Path(wheel_directory), further=project.python, **project.settings
    )
    return made.path.name


def build_editable(
    wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None
) -> str:
    """Write a wheel that leads to the project: Python files are those of the project, bindings are built once.

    After a change of C++ the project is installed again.
    """
    project, home = _Project(), Path.cwd() / _EDITABLE
    home.mkdir(parents=True, exist_ok=True)
    write_package(project.request(), home, **project.settings)
    places = [home, *([Path.cwd() / project.python] if project.python else [])]
    line = "".join(f"{place}\n" for place in places).encode()
    stem = project.metadata.stem.partition("-")[0]
    path = write_archive(
        {f"_{stem}_editable.pth": line}, project.metadata, platform_of({}).tag, Path(wheel_directory)
    )
    return path.name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Write the project's source archive; its file name."""
    metadata = _Project().metadata
    path = Path(sdist_directory) / f"{metadata.stem}.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in _sources():
            archive.add(name, f"{metadata.stem}/{name}", recursive=False)
        told = tarfile.TarInfo(f"{metadata.stem}/PKG-INFO")
        data = metadata.text().encode()
        told.size = len(data)
        archive.addfile(told, io.BytesIO(data))
    return path.name


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: object = None) -> str:
    """Write the metadata alone, which needs no compiler; its folder's name."""
    metadata = _Project().metadata
    home = Path(metadata_directory) / f"{metadata.stem}.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text(metadata.text(), encoding="utf-8")
    return home.name


def _sources() -> list[str]:
    """The files of the project, relative to it; what begins with a dot belongs to tools, but for a repository's own."""
    found = []
    for folder, folders, names in os.walk("."):
        folders[:] = sorted(f for f in folders if f not in _BUILT and not f.startswith("."))
        found += [os.path.normpath(os.path.join(folder, n)) for n in sorted(names) if not n.startswith(".")]
    return found


class _Project:
    """The project in the current directory, where PEP 517 has builds begin.

    Attributes
    ----------
    metadata : Metadata
    python : Path or None
        The folder of its own Python files.
    settings : dict
        What :func:`samebytes.tools.packages.write_package` is told beside the request.
    """

    def __init__(self) -> None:
        try:
            said = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise BindError(f"pyproject.toml: {error}") from None
        self.metadata: Metadata = project_metadata(said.get("project", {}), Path())
        self._table: Mapping[str, Any] = said.get("tool", {}).get("samebytes", {})
        self._check()
        self.python = Path(self._table["python"]) if "python" in self._table else None
        self.settings: dict[str, Any] = {"check": self._table.get("check", False)}
        if "gil" in self._table:
            self.settings["nogil"] = not self._table["gil"]

    def _check(self) -> None:
        if "header" not in self._table and "config" not in self._table:
            raise BindError(f'{_TABLE} needs header = "include/stats.hpp", the header that is bound')
        if unknown := sorted(self._table.keys() - OPTIONS.keys() - set(_OWN)):
            raise BindError(
                f"{_TABLE} has {', '.join(unknown)}; it takes {', '.join(_OWN)} and the options of bind()"
            )
        if "python" in self._table and not Path(self._table["python"]).is_dir():
            raise BindError(f"{_TABLE}: no folder {self._table['python']!r}")

    def request(self) -> Request:
        """What is bound."""
        options = {n: tuple(v) if isinstance(v, list) else v for n, v in self._table.items() if n not in _OWN}
        check_applies("package", options)
        named = strings(options.pop("arch", ()), "arch")
        given = completed("bind", OPTIONS, options)
        self.settings["arch"] = architectures(named, given)
        asked = header_request(self._table.get("header"), given)
        name = self._table.get("package", self._table.get("name", self.metadata.stem.partition("-")[0]))
        return replace(asked, name=name)
