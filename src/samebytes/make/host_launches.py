"""Functions of a ``.cu`` that launch kernels by ``<<<>>>``: code of the host, which device compilers refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import MissingDependency
from ..frozen import frozen
from ..model.module import Module, Skipped
from ..toolchain.cuda import find_nvcc

WHY = (
    "it launches kernels from the host by <<<>>>, and CUDA's run-time compiler makes code for devices alone: "
    "k[grid, block](...) launches a kernel from Python"
)
_NOT_COMPILED = ". nvcc, which compiles both, refuses the source: {}"
# What is no code, and what a launch and a block are made of.
_PARTS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'
    r"'(?:\\.|[^'\\\n])+'|<<<|[{};]",
    re.DOTALL,
)
_OPEN = re.compile(
    r'\s*(?:inline\s+)?(?:namespace\b|extern\s*(?:"C(?:\+\+)?")?\s*$|(?:template\s*<.*>\s*)?(?:class|struct|union)\b[^()]*$)',
    re.DOTALL,
)

# Where those of a constructor begin.
_INITIALISERS = re.compile(r"\)\s*(?:noexcept\b[^:{]*)?(:)(?!:)")


@frozen
class Launcher:
    """The body of a function.

    Attributes
    ----------
    begins, ends : int
        Where it stands in the text, with its braces; of a constructor from the colon of its initialisers on.
    first, last : int
        The lines of its declaration and of its end.
    head : str
        What stands before it, from the end of the declaration before.
    launches : bool
        Whether it has ``<<<``, outside of comments and texts.
    """

    begins: int
    ends: int
    first: int
    last: int
    head: str
    launches: bool


def launchers(text: str) -> list[Launcher]:
    """The functions whose bodies have ``<<<``, outside of comments and texts."""
    return [block for block in blocks(text) if block.launches]


def blocks(text: str) -> Iterator[Launcher]:
    """The bodies of all functions of a source."""
    scopes: list[int] = []  # where open blocks begin that are namespaces and classes: -1
    statement, body, launches = 0, -1, False
    depth = 0
    for found in _PARTS.finditer(text):
        part = found[0]
        if part == "<<<":
            launches = launches or body >= 0
        elif part == "{":
            if body < 0 and _OPEN.match(_code(text[statement : found.start()])):
                scopes.append(depth)
            elif body < 0:
                body, launches = found.start(), False
                declared = statement
                body_depth = depth
            depth += 1
            statement = found.end() if body < 0 else statement
        elif part == "}":
            depth -= 1
            if body >= 0 and depth == body_depth:
                start = declared + len(text[declared:body]) - len(text[declared:body].lstrip())
                lines = text.count("\n", 0, start) + 1, text.count("\n", 0, found.end()) + 1
                head = text[declared:body]
                initialisers = _INITIALISERS.search(head)
                begins = declared + initialisers.start(1) if initialisers else body
                yield Launcher(begins, found.end(), *lines, head, launches)
                body = -1
            elif body < 0 and scopes and scopes[-1] == depth:
                scopes.pop()
            statement = found.end() if body < 0 else statement
        elif part == ";" and body < 0:
            statement = found.end()


def _code(text: str) -> str:
    """The text without comments and lines of the preprocessor."""
    bare = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    return "\n".join(line for line in bare.splitlines() if not line.lstrip().startswith("#"))


def has_host_functions(source: str | None, main: str | None) -> bool:
    """Whether some CUDA C++, given as text or as a file, launches by ``<<<>>>``, and nvcc is there for it."""
    text = source
    if text is None:
        text = Path(main or "").read_text(encoding="utf-8", errors="surrogateescape")
    try:
        return "<<<" in text and bool(launchers(text)) and bool(find_nvcc())
    except MissingDependency:
        return False


def without_bodies(text: str, found: Sequence[Launcher]) -> str:
    """The text in which these functions are only declared, on the same lines."""
    for one in reversed(found):
        lines = "\n" * text.count("\n", one.begins, one.ends)
        text = f"{text[: one.begins]};{lines}{text[one.ends :]}"
    return text


def for_devices(main: Path, work: Path) -> tuple[Path, list[Launcher]]:
    """The source as a compiler of device code takes it: itself, or a copy beside it without those bodies."""
    text = main.read_text(encoding="utf-8", errors="surrogateescape")
    found = launchers(text) if "<<<" in text else []
    if not found:
        return main, found
    copy = work / ("device_" + main.name)
    shown = f'#line 1 "{main.name if main.parent == work else main}"\n'
    copy.write_text(shown + without_bodies(text, found), encoding="utf-8", errors="surrogateescape")
    return copy, found


def told(module: Module, found: Sequence[Launcher], main: Path, nvcc: str = "") -> Module:
    """The module that says why those functions are not bound; ``nvcc`` is why nvcc has not compiled them."""
    if not found:
        return module
    why = WHY + (_NOT_COMPILED.format(nvcc) if nvcc else "")

    def one(skipped: Skipped) -> Skipped:
        place = skipped.location
        inside = place is not None and Path(place.file).name == main.name
        if inside and any(f.first <= place.line <= f.last for f in found):
            return replace(skipped, kind="function", reason=why)
        return skipped

    return replace(module, skipped=tuple(map(one, module.skipped)))
