"""Where the cache is: a variable of the environment or the platform's directory, as an absolute path."""

from __future__ import annotations

import os
import sys

from ..errors import BindError


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""


_STARTED_IN = _working_directory()


# What a file's name may not hold: no preprocessor can write it in an #include, no list of dependencies names it.
_UNNAMEABLE = {
    '"': "a quote ends the name in an #include",
    "\n": "a line ends there",
    "\r": "a line ends there",
    "\v": "compilers take it for a space",
    "\f": "compilers take it for a space",
    "\0": "a name ends there",
}


def check_name(path: str, what: str, advice: str = "Give it by another name, such as that of a link") -> None:
    """Whether C++ can name a file or a directory; what to do about it where it cannot.

    Raises
    ------
    BindError
        If it cannot, with the character.
    """
    found = next((f"holds {char!r}: {why}" for char, why in _UNNAMEABLE.items() if char in path), "")
    try:
        path.encode()
    except UnicodeEncodeError:
        found = found or "is not UTF-8"
    if found:
        raise BindError(f"{what}: the name {path!r} {found}. {advice}.")


def another() -> str:
    """A folder that is not there yet, where the user has one of their own."""
    home = os.path.expanduser("~/.cache")
    base = home if os.path.isabs(home) and os.access(os.path.dirname(home), os.W_OK) else "/tmp"
    names = (f"{base}/samebytes-{os.geteuid()}{'-' * bool(n)}{n or ''}" for n in range(10**6))
    return next(name for name in names if not os.path.lexists(name))


def absolute(chosen: str) -> str:
    """The path of a directory: ``~`` is the home, and a relative one starts where samebytes was imported.

    Raises
    ------
    BindError
        If it leads nowhere.
    """
    path = os.path.expanduser(chosen)
    if path.startswith("~"):
        raise BindError(
            f"the cache {chosen}: there is no such home directory; set SAMEBYTES_CACHE_DIR to a full path."
        )
    if not os.path.isabs(path) and not _STARTED_IN:
        raise BindError(
            f"the cache {chosen} is relative to a directory that was removed; set SAMEBYTES_CACHE_DIR to a full path."
        )
    return os.path.join(_STARTED_IN, path)


def users_caches() -> str | None:
    """Where the user's caches lie if the environment says it, by the XDG Base Directory Specification.

    None where it does not, and on other systems: there platformdirs, which loads much, knows more.
    """
    if sys.platform != "linux" or "ANDROID_ROOT" in os.environ:
        return None
    said, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
    if os.path.isabs(said):
        return said
    return os.path.join(home, ".cache") if os.path.isabs(home) else None
