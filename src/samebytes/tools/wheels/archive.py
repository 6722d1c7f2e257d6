"""Writes a wheel: the same files make the same bytes (PyPA's binary distribution format, 1.0)."""

from __future__ import annotations

import base64
import hashlib
import os
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ...version import __version__
from .metadata import Metadata

_START = 315532800  # 1980-01-01, where the dates of archives begin


def write_archive(files: Mapping[str, bytes], metadata: Metadata, platform: str, out: Path) -> Path:
    """Write the wheel; the path of it.

    Parameters
    ----------
    files : mapping of str to bytes
        What is installed, by its path there.
    metadata : Metadata
    platform : str
        The last part of the tag.
    out : Path
        The folder of the wheel.
    """
    tag = f"py3-none-{platform}"
    home = f"{metadata.stem}.dist-info"
    own = {
        "METADATA": metadata.text().encode(),
        "WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: samebytes ({__version__})\nRoot-Is-Purelib: false\nTag: {tag}\n"
        ).encode(),
        "entry_points.txt": metadata.entry_points_text().encode(),
        **{f"licenses/{path}": data for path, data in metadata.licenses.items()},
    }
    every = dict(sorted(files.items())) | {f"{home}/{name}": data for name, data in own.items() if data}
    record = f"{home}/RECORD"
    lines = [f"{_quoted(path)},sha256={_digest(data)},{len(data)}" for path, data in every.items()]
    every[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{metadata.stem}-{tag}.whl"
    whole = path.with_name(f".{path.name}.new")
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", _START)), _START))[:6]
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in every.items():
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100644 | (0o111 if ".so" in Path(name).name else 0)) << 16
            archive.writestr(entry, data)
    os.replace(whole, path)  # nobody sees half of it
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _quoted(path: str) -> str:
    """A field of the table RECORD."""
    return '"' + path.replace('"', '""') + '"' if set(path) & set(',"') else path
