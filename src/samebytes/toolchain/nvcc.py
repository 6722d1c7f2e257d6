"""Compiles a ``.cu`` by nvcc: an object of its host code, and the code of its kernels beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import CompileError
from ..frozen import frozen
from .cuda import find_nvcc
from .driver import first_error
from .running import run

# For the host's compiler: a section for each function tells what each needs.
_HOST = (
    "-fPIC",
    "-fvisibility=hidden",
    "-w",
    "-ffunction-sections",
    "-fdata-sections",
    "-Wno-invalid-offsetof",
)


@frozen
class NvccOutput:
    """What nvcc made.

    Attributes
    ----------
    object : Path
        The code of the host.
    cubin : bytes
    ptx : str
    """

    object: Path
    cubin: bytes
    ptx: str


def compile_unit(source: Path, architecture: str, flags: Sequence[str]) -> NvccOutput:
    """Compile a source for one architecture, in its folder.

    Raises
    ------
    CompileError
        With nvcc's own words.
    MissingDependency
        If there is no nvcc.
    """
    work, target = source.parent, source.with_suffix(".o")
    parts = work / "nvcc"
    parts.mkdir(exist_ok=True)
    command = [
        *find_nvcc().command, *flags, f"-arch={architecture}", "-cudart", "none", "-O3", "-w",
        *(word for flag in _HOST for word in ("-Xcompiler", flag)),
        "--keep", "--keep-dir", str(parts), "-c", str(source), "-o", str(target),
    ]  # fmt: skip
    done = run(command, cwd=work)
    if done.returncode:
        said = (done.stderr + done.stdout).strip().replace(f"{work}/", "")
        raise CompileError(f"nvcc refused the source: {first_error(said)}\n\n{said}", said, command)
    cubins, texts = ([*parts.glob(f"{source.stem}*{suffix}")] for suffix in (".cubin", ".ptx"))
    if (len(cubins), len(texts)) != (1, 1):  # -gencode makes more
        names = ", ".join(sorted(path.name for path in (*cubins, *texts)))
        said = f"nvcc made {names or 'no code'}, and not the code for one architecture"
        raise CompileError(f"{said}: arch={architecture!r} says which", said, command)
    return NvccOutput(target, cubins[0].read_bytes(), texts[0].read_text())
