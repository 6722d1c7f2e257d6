"""Packages of bindings that need no header, no libclang and no compiler where they are used."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...api.bind import for_its_caller
from ...api.packaged import FORMAT, KINDS, LIBRARY, device_file, kernel_file, load
from ...api.recipes import report
from ...api.registry import remarks
from ...call.gil import AUTO, Nogil
from ...emit.base import report as report_text
from ...errors import BindError
from ...loading.stubs import stub_text
from ...loading.stubs.annotations import results_of
from ...make.applicability import PACKAGE, caller_of, check_applies, unused
from ...make.builds import Built, build
from ...make.config import load as load_config
from ...make.device_code import DeviceCode
from ...make.kernel_options import capability, check_hip_architecture
from ...make.model_data import encode
from ...make.portable import companions, described
from ...make.request import Request
from ...model.module import Module
from .module import module_text

# The oldest architecture that CUDA 13's compilers know.
OLDEST = "sm_75"
_TAKEN = sys.stdlib_module_names | {"numpy", "samebytes"}
_MARK = "Written by ``samebytes bind``"


def write_package(
    request: Request, out: Path, *, nogil: Nogil | tuple[str, ...] = AUTO, arch: tuple[str, ...] = (),
    check: bool | tuple[str, ...] = False,
) -> tuple[Path, ...]:  # fmt: skip
    """Write the package of a header.

    Parameters
    ----------
    request : Request
        What is bound; its name is the package's.
    out : Path
        The directory in which the package's own directory is made.
    nogil : bool, "auto" or tuple of str
        Where the GIL is released.
    arch : tuple of str
        Of device code, ``"sm_80"``: the oldest GPU that it is for. Of kernels several, each with its machine code; PTX
        of the oldest serves all later ones. Without it sm_75; HIP's kernels need it, SYCL's have none.
    check : bool or tuple of str
        Which functions of a C API raise for their status.

    Returns
    -------
    tuple of Path
        The files, in order: the same request writes the same bytes.

    Raises
    ------
    BindError
        If the name is none for Python, the directory holds something else, or nothing is bound.
    """
    if not request.name.isidentifier():
        raise BindError(f"{request.name!r} is no name for a Python package: choose one (--name, Output Name)")
    if request.name in _TAKEN:
        raise BindError(
            f"a package {request.name!r} would hide Python's own: choose another name (--name, Output Name)"
        )
    caller = caller_of({"dialect": request.dialect, "target": request.target, "style": request.style})
    said: dict[str, object] = {"nogil": nogil, "arch": arch, "check": check}
    if request.launches:  # without functions of the host, which a package has not
        said |= {"libraries": request.libraries, "arg_intent": request.intents}
    check_applies(caller, said, PACKAGE.__eq__)
    request, main = replace(request, portable=True), request.main
    assert main is not None
    if not request.launches:
        request = for_its_caller(request)
    kernels = _kernels(request, arch) if request.launches else {}
    built = next(iter(kernels.values()), None) or build(request)
    if request.sanitize:
        from ...toolchain.sanitizers import ensure_runtime

        ensure_runtime(request.sanitize)
    report(request.name, remarks(built.module))
    _check_bound(main, built.module)
    home = out / request.name
    _check(home)
    home.mkdir(parents=True, exist_ok=True)
    header = Path(main).name
    text, word = described(request, main, built.module)
    with tempfile.TemporaryDirectory(prefix=".samebytes-", dir=out) as work:
        staged = Path(work)
        if kernels:
            _kernel_parts(kernels, word, staged, request.dialect)
        elif request.target == "numba_cuda":
            _device_parts(request, built, word, staged, _capability(arch or (OLDEST,)))
        else:
            _host_parts(request, built, staged)
        # Loaded from where it will not stay: what it needs lies beside it, as it will in the package.
        options = _options(request, nogil, check)
        bound = load(request.name, str(staged / "__init__.py"), built.module, word, **options)
        texts = {
            "__init__.py": module_text(bound, header, options),
            "__init__.pyi": stub_text(bound, header, results_of(request, built.module, check)),
            "_declarations.py": text,
            "py.typed": "",
        }
        for name, content in texts.items():
            (staged / name).write_text(content, encoding="utf-8")
        names = sorted(file.name for file in staged.iterdir())
        for old in (*home.glob("device_*"), *home.glob("kernels_*")):
            old.unlink()
        for name in names:
            os.replace(staged / name, home / name)  # a library that some process has open stays whole
    return tuple(home / name for name in names)


def architectures(asked: Sequence[str], given: Mapping[str, Any]) -> tuple[str, ...]:
    """The architectures of a package's code: those asked for, else the configuration's where it is for devices."""
    if asked or unused("arch", caller_of(given), PACKAGE.__eq__):
        return tuple(asked)
    return tuple(load_config(given["config"])["GPU Arch"])


def _check_bound(header: str, module: Module) -> None:
    """A package of nothing is a mistake: the sources, the library or what is exposed were not given."""
    if any((module.functions, module.records, module.enums, module.constants, module.variables)) or any(
        (module.aliases, module.templates)
    ):
        return
    reasons = "".join(f"\n  {s}" for s in module.skipped[:3])
    raise BindError(
        f"nothing of {header} can be bound, no package is written{':' if reasons else ''}{reasons}\n"
        "Functions are defined by --source or --library; --expose says which included headers count, too"
    )


def _options(
    request: Request, nogil: Nogil | tuple[str, ...], check: bool | tuple[str, ...]
) -> dict[str, Any]:
    """What the package tells ``samebytes.api.packaged.load``; what is as usual goes without saying."""
    library = request.library and os.path.basename(request.library)
    allocations = {one.function: one.said() for one in request.allocations}
    pythonic = json.loads(request.pythonic) if request.pythonic else {}
    said = {
        "sources": len(request.sources) if request.target == "numba_cuda" else 0,
        "library": library, "style": request.style, "check": check, "allocations": allocations, "pythonic": pythonic,
    }  # fmt: skip
    if request.launches:
        return {"format": FORMAT, "dialect": request.dialect}
    usual = {"format": FORMAT, "target": request.target, "nogil": nogil}
    return usual | {name: value for name, value in said.items() if value}


def _host_parts(request: Request, built: Built, home: Path) -> None:
    """The compiled library with what it needs, and its sources."""
    for name, path in {LIBRARY: built.library, **companions(request, built.library), **_own(request)}.items():
        shutil.copyfile(path, home / name)
    for source in (*built.library.parent.glob("shims.c*"), *built.library.parent.glob("lazy.c")):
        shutil.copyfile(source, home / source.name)
    if built.module.language == "c++":
        (home / "report.cpp").write_text(report_text())


def _own(request: Request) -> dict[str, Path]:
    """The library whose functions are looked up, where it was given as a file."""
    path = Path(request.library or "")
    return {path.name: path} if path.is_absolute() and path.is_file() else {}


def _capability(arch: tuple[str, ...]) -> tuple[int, int]:
    """Of the one architecture of device code, which later ones take, too."""
    found = re.fullmatch(r"sm_(\d+)(\d)", arch[0])
    if found is None or len(arch) > 1:
        got = repr(arch[0]) if len(arch) == 1 else f"{len(arch)}: {', '.join(arch)}"
        raise BindError(f"GPU Arch is sm_ and a number, sm_80, got {got}")
    return int(found[1]), int(found[2])


def _kernels(request: Request, architectures: tuple[str, ...]) -> dict[str, Built]:
    """The builds of kernels, by architecture, the oldest first."""
    found: dict[str, Built] = {}
    if request.dialect == "sycl":
        asked = for_its_caller(request)
        return {asked.arch: build(asked)}
    if request.dialect == "hip" and not architectures:
        raise BindError(
            "kernels of HIP are compiled for the devices that --arch names: --arch gfx90a --arch gfx942"
        )
    order = capability if request.dialect == "cuda" else check_hip_architecture
    for arch in sorted(dict.fromkeys(architectures or (OLDEST,)), key=order):
        found[arch] = made = build(for_its_caller(request, arch))
        first = next(iter(found))
        if encode(found[first].module) != encode(made.module):
            raise BindError(
                f"the source declares other kernels for {arch} than for {first}: one package has one form"
            )
    return found


def _kernel_parts(kernels: dict[str, Built], word: str, home: Path, dialect: str) -> None:
    """Code for each architecture, and CUDA's PTX of the oldest, of which the driver makes code for later ones."""
    for arch, built in kernels.items():
        shutil.copyfile(built.library, home / kernel_file(word, arch, KINDS[dialect]))
    arch, oldest = next(iter(kernels.items()))
    text = oldest.library.with_suffix(".ptx")
    if dialect == "cuda" and text.is_file():  # code that others compiled is without
        shutil.copyfile(text, home / kernel_file(word, arch, "ptx"))


def _device_parts(request: Request, built: Built, word: str, home: Path, capability: tuple[int, int]) -> None:
    """Device code for the architecture asked for, which serves every later one, and its source."""
    shutil.copyfile(built.library, home / built.library.name)
    code = DeviceCode(request, built.library, word)
    for part, compiled in enumerate(code.units):
        for lto in (True, False):
            (home / device_file(word, part, lto=lto)).write_bytes(compiled(capability, lto=lto))


def _check(home: Path) -> None:
    """Refuse to write over what somebody else made."""
    first = home / "__init__.py"
    foreign = home.exists() and (not home.is_dir() or (any(home.iterdir()) and not first.is_file()))
    if foreign or (first.is_file() and _MARK not in first.read_text(encoding="utf-8", errors="replace")):
        raise BindError(f"{home} exists and is not of samebytes bind's making: choose another place")
