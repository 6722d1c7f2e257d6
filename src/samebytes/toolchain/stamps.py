"""Whether a file is the very one of an earlier look, by what the file system says of it: nothing is read.

What no stamp shows: a file that is still mapped into memory by who wrote it, and written to again before the system has
written it back; and what is done below a mounted file system. Files that are compiled are not written that way.
"""

from __future__ import annotations

import os

from .. import _native

# Device, inode, size, time of the content and time of the inode, in nanoseconds: who changes a file's content may set
# its size and mtime as they were, but its ctime is the system's.
Stamp = tuple[int, int, int, int, int]
_COARSEST = 2_000_000_000  # ns between the ticks of the coarsest clock of a file system
# By Linux' numbers, those that this machine alone changes and that date each change: not network file systems and FUSE,
# which may say for a while what was; not images, whose ctime is what their maker wrote (squashfs, ISO 9660); not FAT,
# which has no ctime; not tmpfs, which dates nothing that is written through a mapping.
_DATED = {
    0xEF53,  # ext2, ext3, ext4
    0x58465342,  # XFS
    0x9123683E,  # Btrfs
    0xF2F52010,  # F2FS
    0x2FC12FC1,  # ZFS
    0xCA451A4E,  # bcachefs
    0x794C7630,  # overlayfs: containers; an image's layers are never changed below it
}
_dated: dict[int, bool] = {}  # by device


def stamp_of(found: os.stat_result) -> Stamp:
    """What tells a file from any other, and from itself before a change."""
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def lasts(stamp: Stamp, taken: int, descriptor: int) -> bool:
    """Whether each change from then on gives the file another stamp.

    One in the same tick of the clock gives it none, and one by a machine whose clock goes otherwise gives it any; a
    clock that is set back, and at the same nanosecond once more while a file of the same size is written to the same
    inode, is left to chance.

    Parameters
    ----------
    stamp : Stamp
    taken : int
        When the stamp was, by ``time.time_ns()``: no later.
    descriptor : int
        Of the open file.
    """
    return max(stamp[3:]) + _COARSEST <= taken and _is_dated(stamp[0], descriptor)


def _is_dated(device: int, descriptor: int) -> bool:
    if (known := _dated.get(device)) is None:
        known = _dated[device] = _native.file_system(descriptor) in _DATED
    return known
