"""Stand-ins for functions of a library that is opened later: each jumps to the address in its slot."""

from __future__ import annotations

from collections.abc import Sequence

# The table of addresses, in the order of ``Module.lazy``.
SLOTS = "samebytes_slots"

_HEAD = f"""\
/* Each function jumps through its slot, with every argument where it was. Python fills a slot before the
   function behind it can be reached. */
#if !defined(__x86_64__)
#error "functions that are looked up on first use (library=) need x86-64"
#endif
__attribute__((visibility("default"), used)) void* {SLOTS}[%d];
__asm__(".text\\n"
"""


def stand_ins(symbols: Sequence[str]) -> str:
    """The C unit that defines every symbol as a jump.

    Parameters
    ----------
    symbols : sequence of str
        Linker's names, in the order of their slots.
    """
    lines = [_HEAD % len(symbols)]
    # endbr64 lets the stand-in be reached by an indirect call where the processor insists on that.
    for slot, name in enumerate(symbols):
        lines.append(
            f'        ".globl {name}\\n.hidden {name}\\n.type {name}, @function\\n"\n'
            f'        "{name}: endbr64\\n movq {SLOTS}@GOTPCREL(%rip), %r11\\n jmp *{8 * slot}(%r11)\\n"\n'
        )
    return "".join([*lines, ");\n"])
