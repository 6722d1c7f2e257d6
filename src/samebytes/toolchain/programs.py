"""Where a program lies: ``shutil.which``, without what else that module loads (archives, their compressions)."""

from __future__ import annotations

import os


def program_path(name: str) -> str | None:
    """The path by which a program is started; None where there is none of that name."""
    if os.path.dirname(name):
        return name if _runs(name) else None
    said = os.environ.get("PATH")
    places = os.confstr("CS_PATH") or os.defpath if said is None else said
    found = (os.path.join(place, name) for place in places.split(os.pathsep) if places)
    return next(filter(_runs, found), None)


def _runs(path: str) -> bool:
    return os.access(path, os.X_OK) and not os.path.isdir(path)
