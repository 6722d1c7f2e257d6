"""Stand-ins for functions of a library that is opened later: each jumps to the address in its slot.

A variable has no stand-in. The header is compiled with its name as a macro, ``(*samebytes_later_x)``: C declares as it
uses, so ``extern int x[3]`` then declares a pointer to such an array, which is the slot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model.symbols import LATER

_POINTER = "samebytes_later_"

_HEAD = f"""\
/* Each function jumps through its slot, with every argument where it was. Python fills a slot before the
   function behind it can be reached. */
#if !defined(__x86_64__)
#error "functions that are looked up on first use (library=) need x86-64"
#endif
__attribute__((visibility("default"), used)) void* {LATER}[%d];
__asm__(".text\\n"
"""


def pointers(variables: Sequence[str]) -> list[str]:
    """The macros with which a header is compiled whose variables lie in a library that is opened later."""
    return [f"#define {name} (*{_POINTER}{name})" for name in variables]


def slot_names(variables: Sequence[str]) -> list[str]:
    """What object files call the slots of variables."""
    return [f"{_POINTER}{name}" for name in variables]


def unknown_pointers(messages: str) -> list[str]:
    """The variables for whose pointers a compiler found no declaration: the header takes their macros back."""
    lines = (line for line in messages.splitlines() if "undeclared" in line)
    found = (re.search(rf"{_POINTER}(\w+)", line) for line in lines)  # the first: others are suggestions
    return [name[1] for name in found if name]


def pointed(symbol: str) -> str:
    """The variable that an object file's symbol means."""
    return symbol.removeprefix(_POINTER)


def stand_ins(symbols: Sequence[str], variables: Sequence[str] = ()) -> str:
    """The C unit that defines every symbol as a jump, or as the slot that points to it.

    Parameters
    ----------
    symbols : sequence of str
        Linker's names, in the order of their slots.
    variables : sequence of str
        Those that are variables.
    """
    lines = [_HEAD % len(symbols)]
    # endbr64 lets the stand-in be reached by an indirect call where the processor insists on that.
    for slot, name in enumerate(symbols):
        if name in variables:
            lines.append(
                f'        ".globl {_POINTER}{name}\\n.hidden {_POINTER}{name}\\n"\n'
                f'        ".set {_POINTER}{name}, {LATER} + {8 * slot}\\n"\n'
            )
            continue
        lines.append(
            f'        ".globl {name}\\n.hidden {name}\\n.type {name}, @function\\n"\n'
            f'        "{name}: endbr64\\n movq {LATER}@GOTPCREL(%rip), %r11\\n jmp *{8 * slot}(%r11)\\n"\n'
        )
    return "".join([*lines, ");\n"])
