"""HIP's run-time compiler, where ROCm has it: sources of kernels become code objects, in a process of its own."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import MissingDependency
from ..frozen import frozen
from .running import run

# Names the library, where it is not ROCm's own; empty: Clang compiles.
VARIABLE = "SAMEBYTES_HIPRTC"
_SYSTEM = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64")
# What it has before a source's first line, in its own copies, which the same files on disk would contradict.
_OWN = ("hip/hip_runtime.h", "hip/hip_fp16.h")
_PROCESS = os.path.join(os.path.dirname(__file__), "hiprtc_process.py")


@frozen
class HiprtcOutput:
    """What one run gave: its log, and a code object or a bundle of one, empty if it refused the source."""

    ok: bool
    log: str
    code: bytes = b""


@frozen(slots=False)
class Hiprtc:
    """The run-time compiler of HIP.

    Attributes
    ----------
    path : str
        The library.
    """

    path: str

    @property
    def identity(self) -> str:
        """What tells one version from another without loading it."""
        place = os.path.realpath(self.path)
        try:
            found = os.stat(place)
        except OSError as error:
            raise MissingDependency(f"${VARIABLE} names {self.path}, which is not there") from error
        return f"hiprtc {place} {found.st_size} {found.st_mtime_ns}"

    def compile(self, text: str, options: Sequence[str], name: str) -> HiprtcOutput:
        """Compile one source for a device; a refusal is told by ``ok``, worded by ``log``.

        Parameters
        ----------
        name : str
            The file's in messages.

        Raises
        ------
        MissingDependency
            If the library does not work.
        """
        job = {
            "library": self.path,
            "text": text,
            "name": name,
            "options": list(options),
            "headers": dict.fromkeys(_OWN, "#pragma once\n"),
        }
        with tempfile.TemporaryDirectory(prefix="samebytes-", ignore_cleanup_errors=True) as folder:
            given, answer, code = (Path(folder, each) for each in ("job.json", "answer.json", "code"))
            given.write_text(json.dumps(job))
            done = run([sys.executable, "-I", "-S", _PROCESS, *map(str, (given, answer, code))])
            if done.returncode:
                words = done.stderr.strip().rpartition("\n")[2] or "it said nothing"
                raise self._unusable(f"ended its process with status {done.returncode} ({words})")
            said = json.loads(answer.read_text())
            if unusable := said.get("unusable"):
                raise self._unusable(unusable)
            if "refused" in said:
                return HiprtcOutput(False, said["log"] or said["refused"])
            return HiprtcOutput(True, said["log"], code.read_bytes())

    def _unusable(self, words: str) -> MissingDependency:
        return MissingDependency(f"{self.path} {words}: ${VARIABLE}= has Clang compile")


def find_hiprtc() -> Hiprtc | None:
    """The run-time compiler: ``$SAMEBYTES_HIPRTC``, ROCm's, or the system's; None where Clang is to compile.

    That is where ``$HIP_CLANG`` names one, ``$SAMEBYTES_HIPRTC`` is empty, or no library is there.
    """
    said = os.environ.get(VARIABLE)
    if said is not None:
        return Hiprtc(said) if said else None
    if os.environ.get("HIP_CLANG"):
        return None
    roots = [os.environ.get(name) for name in ("ROCM_PATH", "ROCM_HOME")]
    places = [*(Path(root, "lib") for root in (*roots, "/opt/rocm") if root), *map(Path, _SYSTEM)]
    found = (str(place / "libhiprtc.so") for place in places if (place / "libhiprtc.so").is_file())
    return next(map(Hiprtc, found), None)
