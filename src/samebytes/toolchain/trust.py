"""Whose a folder or a file is: libraries are loaded only from what nobody else can write to, or ever could.

Each is opened first, without following links, and then asked by its descriptor: what was checked is what is read. A
mode that was mended later says nothing about who wrote before, so owners are asked of every folder and every file.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK  # a pipe that somebody put there keeps nobody waiting


class Untrusted(Exception):
    """Something that is not ours alone.

    Attributes
    ----------
    path : str
    reason : str
        What follows the path in a sentence: ``belongs to user 1001, and you are user 1000``.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}")
        self.path, self.reason = path, reason


def reason(found: os.stat_result) -> str:
    """Why something is not ours alone, or nothing.

    A group is never trusted, not even one of the user's name: who is in it is not written in the file, and an access
    control list hides behind the group's bits. Where a server maps users to others (NFS, user namespaces), what we
    made is not ours either: nobody can tell it from what another made.
    """
    if found.st_uid != os.geteuid():
        return f"belongs to user {found.st_uid}, and you are user {os.geteuid()}"
    if found.st_mode & _OTHERS:
        return f"can be written to by others (mode {stat.S_IMODE(found.st_mode):04o})"
    return ""


@contextmanager
def folder(path: str | Path, inside: int | None = None) -> Iterator[int]:
    """The descriptor of a folder that is ours alone.

    Parameters
    ----------
    path : path
        Below another folder: its name there, which may be no link.
    inside : int, optional
        The descriptor of that folder.

    Raises
    ------
    Untrusted, OSError
    """
    try:
        descriptor = os.open(path, _FOLDER | (os.O_NOFOLLOW if inside is not None else 0), dir_fd=inside)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise Untrusted(str(path), "is a link or a file where a folder should be") from None
        raise
    try:
        if why := reason(os.fstat(descriptor)):
            raise Untrusted(str(path), why)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def file(name: str, inside: int) -> Iterator[int]:
    """The descriptor of a plain file that is ours alone, in a folder given by its descriptor.

    Raises
    ------
    Untrusted, OSError
    ValueError
        If it is a folder, a pipe or a device.
    """
    descriptor = os.open(name, _FILE | os.O_NOFOLLOW, dir_fd=inside)
    try:
        found = os.fstat(descriptor)
        if why := reason(found):
            raise Untrusted(name, why)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError(f"{name} is no plain file")
        yield descriptor
    finally:
        os.close(descriptor)


def check_items(inside: int) -> list[str]:
    """The names in a folder, each of which is ours and no link.

    Raises
    ------
    Untrusted
    """
    names = os.listdir(inside)
    for name in names:
        try:
            found = os.stat(name, dir_fd=inside, follow_symlinks=False)
        except FileNotFoundError:  # another process of ours has removed it
            continue
        if found.st_uid != os.geteuid():
            raise Untrusted(name, reason(found))
        if stat.S_ISLNK(found.st_mode):
            raise Untrusted(name, "is a link")
    return names


def folders_above(path: str) -> Iterator[str]:
    """The folders in which an absolute path lies, the nearest first."""
    while (above := os.path.dirname(path)) != path:
        yield above
        path = above


def check_above(path: str) -> None:
    """Whether everybody may put another folder in the place of this one: then it is ours by chance.

    A group that may do so, and the owner of a folder above, are trusted not to do it while something is compiled;
    what is loaded, they cannot exchange (:func:`steady`).

    Raises
    ------
    Untrusted
    """
    for above in folders_above(path):
        mode = os.stat(above).st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise Untrusted(above, "lets everybody rename what lies in it")


_open: dict[
    tuple[int, int], int
] = {}  # device and inode of a root -> its descriptor, for the rest of the process


def steady(root: str, path: str) -> str:
    """The path by which a file below a root that is ours is loaded: nobody else can make it mean another file.

    Where another may rename a folder above the root, it leads through a descriptor. The rest of it names the file's
    content, so that the dynamic linker, which knows libraries by their paths, never takes one for another.
    """
    if all(map(_is_firm, folders_above(root))):
        return path
    with folder(root) as descriptor:
        found = os.fstat(descriptor)
        key = found.st_dev, found.st_ino
        if key not in _open:
            _open[key] = os.dup(descriptor)
    return f"/proc/{os.getpid()}/fd/{_open[key]}/{os.path.relpath(path, root)}"


def _is_firm(above: str) -> bool:
    found = os.stat(above)
    ours = found.st_uid in (0, os.geteuid())
    return ours and (not found.st_mode & _OTHERS or bool(found.st_mode & stat.S_ISVTX))
