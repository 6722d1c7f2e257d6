"""Packages of bindings that need no header, no libclang and no compiler where they are used."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from ..errors import BindError
from ..generate.base import part
from ..live import report
from ..make import build
from ..packaged import FORMAT, LIBRARY, load
from ..portable import companions, described
from ..request import Request
from .module import module_text
from .stub import stub_text

_TAKEN = sys.stdlib_module_names | {"numpy", "samebytes"}
_MARK = "Written by ``samebytes bind``"


def write_package(request: Request, out: Path, *, nogil: bool | tuple[str, ...] = True) -> tuple[Path, ...]:
    """Write the package of a header.

    Parameters
    ----------
    request : Request
        What is bound; its name is the package's.
    out : Path
        The directory in which the package's own directory is made.
    nogil : bool or tuple of str
        Where the GIL is released.

    Returns
    -------
    tuple of Path
        The files, in order: the same request writes the same bytes.

    Raises
    ------
    BindError
        If the name is none for Python, or the directory holds something else.
    """
    if not request.name.isidentifier():
        raise BindError(f"{request.name!r} is no name for a Python package: choose one (--name, Output Name)")
    if request.name in _TAKEN:
        raise BindError(
            f"a package {request.name!r} would hide Python's own: choose another name (--name, Output Name)"
        )
    request, main = replace(request, portable=True), request.main
    assert main is not None
    built = build(request)
    report(request.name, built.module)
    home = out / request.name
    _check(home)
    home.mkdir(parents=True, exist_ok=True)
    header = Path(main).name
    shims = next(built.library.parent.glob("shims.c*"))
    with tempfile.TemporaryDirectory(prefix=".samebytes-", dir=out) as work:
        staged = Path(work)
        for name, path in {LIBRARY: built.library, **companions(request, built.library)}.items():
            shutil.copyfile(path, staged / name)
        text, word = described(request, main, built.module)
        # Loaded from where it will not stay: what it needs lies beside it, as it will in the package.
        bound = load(request.name, str(staged / "__init__.py"), built.module, word, format=FORMAT)
        texts = {
            "__init__.py": module_text(bound, header, format=FORMAT, nogil=nogil),
            "__init__.pyi": stub_text(bound, header),
            "_declarations.py": text,
            "py.typed": "",
            shims.name: shims.read_text(),
            **({"report.cpp": part("report.cpp")} if built.module.language == "c++" else {}),
        }
        for name, content in texts.items():
            (staged / name).write_text(content, encoding="utf-8")
        names = sorted(file.name for file in staged.iterdir())
        for name in names:
            os.replace(staged / name, home / name)  # a library that some process has open stays whole
    return tuple(home / name for name in names)


def _check(home: Path) -> None:
    """Refuse to write over what somebody else made."""
    first = home / "__init__.py"
    foreign = home.exists() and (not home.is_dir() or (any(home.iterdir()) and not first.is_file()))
    if foreign or (first.is_file() and _MARK not in first.read_text(encoding="utf-8", errors="replace")):
        raise BindError(f"{home} exists and is not of samebytes bind's making: choose another place")
