"""What a judge is: a compiler that accepts or refuses assertions about layout, and how its messages are read."""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ...errors import CompileError, LayoutError
from ...frozen import frozen
from ...toolchain import running
from ...toolchain.headers import get_include

INCLUDE = get_include()

# Compilers print a template's arguments when an assertion inside it fails: so both numbers stand in the message,
# and the third says of which fact.
_TEMPLATE = """
template <decltype(sizeof 0) Said, decltype(sizeof 0) Real, int Fact>
struct samebytes_fact {
  static_assert(Said == Real, "Python said the first number, the compiler says the second");
};
"""
_NUMBERS = re.compile(
    r"samebytes_fact<(\d+)\w*, (\d+)\w*, (\d+)\w*>|Said=(\d+)\w*, Real=(\d+)\w*, Fact=(\d+)"
)
# Any other error may have changed the answers.
_OTHER_ERROR = re.compile(r"\berror[ #\w-]*:(?!.*Python said)")
# No type has this size: a question that expects it is always answered.
_UNKNOWN = 2**64 - 1


@frozen
class Outcome:
    """What a compiler did with a source: whether it took it, what it printed, and how it was started."""

    ok: bool
    output: str
    command: str


@frozen(slots=False)
class Judge:
    """One compiler, in one of its roles.

    Attributes
    ----------
    name : str
        The file's name.
    dialects : tuple of str
        Which languages it decides.
    find : callable
        Its name and version; raises MissingDependency if it is not there.
    compile : callable
        Takes C++ text; raises MissingDependency if the text needs headers that are not there.
    arguments : callable or None
        Takes definitions and the spellings of a kernel's parameters; gives the offset and size in bytes of each,
        as the compiler hands them to the device.
    limit : int
        How many failed assertions it reports before it stops.
    """

    name: str
    dialects: tuple[str, ...]
    find: Callable[[], str]
    compile: Callable[[str], Outcome]
    arguments: Callable[[str, Sequence[str]], list[tuple[int, int]]] | None = None
    limit: int = 1_000_000

    def disputed(self, preamble: str, facts: Sequence[tuple[str, int]]) -> dict[int, int]:
        """The facts that the compiler does not confirm.

        Parameters
        ----------
        preamble : str
            Includes and definitions.
        facts : sequence of (expression, expected number)

        Returns
        -------
        dict
            From a fact's place in the sequence to the compiler's number; at most ``limit`` of them.

        Raises
        ------
        CompileError
            If it refuses the text for another reason.
        """
        lines = [
            f"template struct samebytes_fact<{int(expected)}u, ({expression}), {i}>;"
            for i, (expression, expected) in enumerate(facts)
        ]
        outcome = self.compile("\n".join([preamble, _TEMPLATE, *lines, ""]))
        if outcome.ok:
            return {}
        found: dict[int, int] = {}
        for match in _NUMBERS.finditer(outcome.output):
            _, real, fact = match.groups()[:3] if match[1] else match.groups()[3:]
            found[int(fact)] = int(real)
        if not found or _OTHER_ERROR.search(outcome.output):
            message = f"{self.find()} refused the questions:\n{outcome.output}\ncommand: {outcome.command}"
            raise CompileError(message, outcome.output, shlex.split(outcome.command))
        return found

    def answers(self, preamble: str, expressions: Sequence[str]) -> list[int]:
        """The values of constant expressions, each below 2**64 - 1, as the compiler says them unasked.

        Raises
        ------
        CompileError
            If it refuses the text for another reason.
        LayoutError
            If it takes assertions that are wrong.
        """
        found: list[int] = []
        for start in range(0, len(expressions), self.limit):
            part = expressions[start : start + self.limit]
            told = self.disputed(preamble, [(e, _UNKNOWN) for e in part])
            if len(told) != len(part):
                silent = [e for i, e in enumerate(part) if i not in told]
                raise LayoutError(f"{self.find()} says nothing about {', '.join(silent)}")
            found += [told[i] for i in range(len(part))]
        return found


def run(text: str, suffix: str, command: Sequence[str]) -> Outcome:
    """Give a text to a compiler, as a file of that suffix.

    ``command`` names the source as ``{source}`` and what may be written as ``{output}``.
    """
    with tempfile.TemporaryDirectory(prefix="samebytes-") as folder:
        return run_in(Path(folder), text, suffix, command)


def run_in(folder: Path, text: str, suffix: str, command: Sequence[str]) -> Outcome:
    """As :func:`run`, with the files in ``folder``: ``facts`` and the suffix, and ``output``."""
    source = folder / f"facts{suffix}"
    source.write_text(text)
    places = {"{source}": str(source), "{output}": str(folder / "output")}
    full = [places.get(word, word) for word in command]
    done = running.run(full)
    return Outcome(done.returncode == 0, done.stderr + done.stdout, shlex.join(full))
