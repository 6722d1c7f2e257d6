"""One build's search for what its compiler refuses: in rounds, until the rest of the shims compiles."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..emit.shims import GENERATORS, Owner, Shims, joined
from ..errors import CompileError, first_sentence
from ..later import later_pattern
from ..model.module import Module
from ..toolchain.compilers import find_compiler
from ..toolchain.driver import CompileCommand, check_syntax, compile_object
from . import disproved, families, refusals
from .isolating import Trials, blamed, names_at_places, of_shims, suspects
from .request import Request
from .units import EXTENSION, OPTIMISED, compile_flags, portable_flags, prologue

# How the assertions of shim.hpp begin: where one fails, the parser and the compiler disagree about a type.
_DISPROVED = "samebytes: the "
_KNOWN_PLACE = later_pattern(r"known\.cpp:(\d+)")
_WORD = later_pattern(r"\w+")
# By this the shims name a class that a function of its name hides (emit/parts/shim.hpp).
_AS = "template <class T> struct samebytes_as { using type = T; };"


class Isolation:
    """What one build has learned of what its compiler refuses.

    A compiler says once for each file that some code does not compile, and names one way that led there. So where an
    error comes again after all that it blamed is gone, parts of the text are tried, as where it blames nothing.
    """

    def __init__(self, request: Request, main: Path, work: Path) -> None:
        self._request, self._main, self._work = request, main, work
        self._seen: dict[str, set[str]] = {}
        self._asked = False
        self._trials: Trials | None = None

    def less(self, module: Module, error: CompileError, shims: Shims) -> Module:
        """The module without what the compiler refused of its shims.

        Raises
        ------
        CompileError
            Where other code is to blame; where the compiler lays out a type of the user's source differently than the
            parser; and where it refuses what was asked for by its template arguments: that is the answer.
        """
        if not of_shims(error):
            raise error
        if _DISPROVED in error.output:
            return self._less_different(module, error, shims)
        if module.language == "c++" and not self._request.portable and not self._asked:
            self._asked = True
            less = refusals.without_unknown(module, partial(self._unknown, module))
            if less is not None:
                return less
        refused = self._refused(module, error, shims)
        if not refused or any(o.kind == "function" and module.functions[o.key].instance for o in refused):  # type: ignore[index]
            raise error
        return refusals.without_refused(module, refused)

    def _less_different(self, module: Module, error: CompileError, shims: Shims) -> Module:
        """A header without the types that the compiler lays out differently than the parser.

        Who wrote the source can mend it; of a header that others wrote the rest is proven, type by type.
        """
        found = disproved.differences(error, shims)
        if self._request.source is not None or not found:
            raise disproved.disproved(error, found)
        refused = blamed(error, shims) | {owner: "; ".join(words) for owner, words in found.items()}
        return refusals.without_refused(module, refused)

    def error(self, module: Module, shims: Shims) -> CompileError | None:
        """What the compiler says of a file of shims; no code is made of it."""
        try:
            check_syntax(self._command(module, shims))
        except CompileError as error:
            return error
        return None

    def _refused(self, module: Module, error: CompileError, shims: Shims) -> dict[Owner, str]:
        told, sentence = blamed(error, shims), first_sentence(error)
        classes = {word for record in module.records for word in _WORD.findall(record.name)}
        texts = shims.texts()
        named = {word for owner in told for word in _WORD.findall(texts[owner])} & classes
        repeated = sentence in self._seen
        self._seen.setdefault(sentence, set()).update(named)
        if told and not repeated:
            return told
        names = names_at_places(error) or self._seen[sentence]
        return told | self._tried(module, shims, names, [o for o in texts if o not in told])

    def _tried(self, module: Module, shims: Shims, names: set[str], owners: list[Owner]) -> dict[Owner, str]:
        """What does not compile among the likely ones, or else among all."""
        deep = self.error(module, shims) is None
        self._trials = self._trials or Trials(partial(self._judge, module))
        self._trials.judge = partial(self._judge, module, deep=deep)
        own = self._trials.judge(())
        if own is not None:
            raise own[0]
        likely = {*suspects(names, shims)}
        return self._trials.refused(owners, [o for o in owners if o in likely])

    def _judge(
        self, module: Module, owners: Collection[Owner], deep: bool = False
    ) -> tuple[CompileError, Shims] | None:
        """The error about a part of the shims; ``deep``: one that shows only when code is made."""
        pieces = GENERATORS[module.language].pieces(module, self._prologue(module), {*owners})
        shims = joined(pieces)
        if not deep:
            error = self.error(module, shims)
            return None if error is None else (error, shims)
        try:
            compile_object(self._command(module, shims), self._work / "trial.o")
        except CompileError as found:
            return found, shims
        return None

    def _command(self, module: Module, shims: Shims) -> CompileCommand:
        source = self._work / f"shims.{EXTENSION[module.language]}"
        source.write_text(shims.text)
        return CompileCommand(
            source, find_compiler(module.language), shim_flags(self._request, module, OPTIMISED)
        )

    def _prologue(self, module: Module) -> str:
        return prologue(self._request, self._main, module)

    def _unknown(self, module: Module, lines: Sequence[str]) -> set[int]:
        """The places of those of some declarations, which stand behind the user's, that the compiler refuses."""
        before = f"{self._prologue(module)}\n{_AS}"
        asked = [f"namespace samebytes_known{n} {{ {line} }}" for n, line in enumerate(lines)]
        source = self._work / "known.cpp"
        source.write_text("\n".join([before, *asked, ""]))
        try:
            check_syntax(CompileCommand(source, find_compiler("c++"), compile_flags(self._request, "c++")))
        except CompileError as error:
            first = before.count("\n") + 2
            found = {int(place) - first for place in _KNOWN_PLACE.findall(error.output)}
            return {n for n in found if 0 <= n < len(lines)}
        return set()


def shim_flags(request: Request, module: Module, optimised: str) -> tuple[str, ...]:
    # The unit itself has the macros, in the prologue: before our part they would stand in for its names.
    plain = replace(request, defines=())
    own = compile_flags(plain, module.language, optimised)
    return (*own, *portable_flags(request), *families.flags(request, module))
