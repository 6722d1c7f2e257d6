"""For which Linux systems a wheel's compiled files serve: the platform tag that is true, and why it is no better."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...frozen import frozen
from ...toolchain.elf import Elf

Version = tuple[int, ...]

# Versions of glibc, and of GCC's libraries on the systems that have it: the facts of PyPA's policies (auditwheel,
# manylinux-policy.json). A glibc between two rows has at least what the row before it says.
_FAMILIES = ("GLIBCXX", "CXXABI", "GCC", "LIBATOMIC")
_SYSTEMS: tuple[tuple[Version, tuple[Version, ...]], ...] = (
    ((2, 17), ((3, 4, 19), (1, 3, 7), (4, 8, 0), (1, 0))),
    ((2, 24), ((3, 4, 22), (1, 3, 10), (4, 8, 0), (1, 2))),
    ((2, 27), ((3, 4, 24), (1, 3, 11), (7, 0, 0), (1, 2))),
    ((2, 31), ((3, 4, 28), (1, 3, 12), (7, 0, 0), (1, 2))),
    ((2, 34), ((3, 4, 29), (1, 3, 13), (7, 0, 0), (1, 2))),
    ((2, 35), ((3, 4, 30), (1, 3, 13), (12, 0, 0), (1, 2))),
    ((2, 39), ((3, 4, 33), (1, 3, 15), (14, 0, 0), (1, 2))),
)
# Versions that are no numbers, by the first glibc whose systems have them.
_WORDS: Mapping[str, Version] = {
    "CXXABI_TM_1": (2, 17), "CXXABI_FLOAT128": (2, 24), "GLIBC_ABI_DT_RELR": (2, 36),
}  # fmt: skip
# What every such system has.
_EVERYWHERE = re.compile(
    r"(lib(c|m|mvec|dl|rt|pthread|util|anl|resolv)\.so\.\d+|libstdc\+\+\.so\.6|libgcc_s\.so\.1|libatomic\.so\.1"
    r"|ld-linux-x86-64\.so\.2)"
)
_VERSION = re.compile(r"([A-Z]+)_(\d+(?:\.\d+)*)")
# Flags by which code is for some processors only; the plain x86-64 is everybody's.
_PROCESSOR = re.compile(
    r"-m(arch|cpu)=(?!x86-64$).+|-m(avx|sse3|ssse3|sse4|fma|bmi|f16c|lzcnt|popcnt|aes|sha).*"
)
MACHINE = "x86_64"


@frozen
class Platform:
    """A wheel's platform.

    Attributes
    ----------
    tag : str
        ``"manylinux_2_34_x86_64"``; ``"linux_x86_64"`` where nothing is known of other systems.
    reasons : tuple of str
        What decided: sentences.
    """

    tag: str
    reasons: tuple[str, ...]

    @property
    def portable(self) -> bool:
        """Whether the tag names other systems than this one, as package indexes ask for."""
        return self.tag.startswith("manylinux")


def platform_of(libraries: Mapping[str, bytes], flags: Sequence[str] = ()) -> Platform:
    """The platform of a wheel.

    Parameters
    ----------
    libraries : mapping of str to bytes
        Its compiled files, by their names in the wheel.
    flags : sequence of str
        The compiler's: some are for this machine's processor alone.
    """
    bound = [*_outside(libraries), *_processor(flags)]
    least, why = _SYSTEMS[0][0], "it needs nothing newer"
    for name, data in libraries.items():
        for needed in _versions(data):
            system = _system(needed)
            if system is None:
                bound.append(f"{name} needs {needed}, and no manylinux platform is known to have it")
            elif system > least:
                least, why = system, f"{name} needs {needed}"
    if bound:
        return Platform(f"linux_{MACHINE}", tuple(dict.fromkeys(bound)))
    return Platform(f"manylinux_{least[0]}_{least[1]}_{MACHINE}", (why,))


def _outside(libraries: Mapping[str, bytes]) -> list[str]:
    """Why what the files are linked with ties them to this machine."""
    found = []
    for name, data in libraries.items():
        for needed in Elf(data).needed():
            if needed not in libraries and not _EVERYWHERE.fullmatch(needed):
                found.append(f"{name} needs {needed}, which is neither in the wheel nor on every system")
    return found


def _processor(flags: Sequence[str]) -> list[str]:
    return [f"{flag} makes code for some processors only" for flag in flags if _PROCESSOR.fullmatch(flag)]


def _versions(data: bytes) -> list[str]:
    return [version for versions in Elf(data).versions_needed().values() for version in versions]


def _system(needed: str) -> Version | None:
    """The oldest glibc whose systems have a version of symbols; None where none is known to."""
    if needed in _WORDS:
        return _WORDS[needed]
    match = _VERSION.fullmatch(needed)
    if match is None:
        return None
    family, version = match[1], tuple(map(int, match[2].split(".")))
    if family == "GLIBC":
        return max(version[:2], _SYSTEMS[0][0])
    if family not in _FAMILIES:
        return None
    place = _FAMILIES.index(family)
    return next((glibc for glibc, has in _SYSTEMS if version <= has[place]), None)
