"""The instructions of x86-64 that end by themselves, and do nothing but compute, read and write.

A list of what is known, not of what is forbidden: what is not here waits, loops, traps, or nobody has looked at it.
Left out on purpose: ``div`` and ``idiv``, which raise signals; ``rep``; system calls; ``pause``; ``bt`` and its kin in
memory, which reach beyond their operand; gathers and masked moves, whose addresses stand elsewhere.
"""

from __future__ import annotations

from functools import cache

from ...later import later_pattern

_CONDITIONS = frozenset({
    "o", "no", "b", "nb", "c", "nc", "ae", "nae", "e", "ne", "z", "nz", "be", "nbe", "a", "na", "s", "ns",
    "p", "np", "pe", "po", "l", "nl", "ge", "nge", "le", "nle", "g", "ng",
})  # fmt: skip
# Their first operand is what they change.
_NUMBERS = frozenset({
    "mov", "movabs", "movzx", "movsx", "movsxd", "movbe", "lea", "add", "sub", "adc", "sbb", "inc", "dec",
    "neg", "not", "and", "or", "xor", "shl", "sal", "shr", "sar", "rol", "ror", "rcl", "rcr", "shld", "shrd",
    "imul", "bsf", "bsr", "bswap", "popcnt", "lzcnt", "tzcnt", "andn", "bextr", "blsi", "blsr", "blsmsk",
    "bzhi", "pdep", "pext", "rorx", "sarx", "shlx", "shrx", "adcx", "adox", "crc32", "cmpxchg",
})  # fmt: skip
# They change nothing but flags.
READING = frozenset({
    "cmp", "test", "bt", "clc", "stc", "cmc", "nop", "fnop", "endbr64", "ucomiss", "ucomisd", "comiss", "comisd",
    "vucomiss", "vucomisd", "vcomiss", "vcomisd", "ptest", "vptest", "vzeroupper", "mfence", "lfence", "sfence",
})  # fmt: skip
# Both of their first operands change.
EXCHANGING = frozenset({"xchg", "xadd", "mulx"})
# What else than their operands they change.
FURTHER: dict[str, tuple[str, ...]] = {
    "mul": ("rax", "rdx"), "imul": ("rax", "rdx"), "mulx": ("rax",), "cdq": ("rdx",), "cqo": ("rdx",), "cwd": ("rdx",),
    "cbw": ("rax",), "cwde": ("rax",), "cdqe": ("rax",), "cmpxchg": ("rax",), "lahf": ("rax",), "fnstsw": ("rax",),
}  # fmt: skip
# The stack and the ways through the code, each with a rule of its own.
CONTROL = frozenset({"push", "pop", "leave", "ret", "call", "jmp"})
# They change bits of their first operand, which must be a register.
BITS = frozenset({"bts", "btr", "btc"})

_PARTS = "ss|sd|ps|pd"
# A pattern each, the usual ones first: most programs compile one or two of them. With a "v" before them, too.
_VECTOR = tuple(later_pattern(text) for text in (
    rf"mov({_PARTS}|[au]p[sd]|[hl]p[sd]|lhps|hlps|dq[au]|d|q|ddup|s[hl]dup|mskp[sd])",
    rf"(add|sub|mul|div|sqrt|min|max|round)({_PARTS})|(h?add|hsub|addsub|and|andn|or|xor|shuf|unpck[hl]|blend|dp)p[sd]",
    rf"(rcp|rsqrt)[sp]s|cmp\w{{0,8}}({_PARTS})|cvt\w+",
    r"p(add|sub|cmpeq|cmpgt|min[su]|max[su]|abs|sll|srl|sra|sign|hadd|hsub)[bwdq]|p(sll|srl)dq",
    r"p(adds|addus|subs|subus|avg)[bw]",
    r"pmul(l[wd]|h[w]|huw|hrsw|dq|udq)|pmadd(wd|ubsw)|psadbw|p(and|andn|or|xor)|packu?s[sw]?[wd][bw]|packss(wb|dw)",
    r"punpck[hl](bw|wd|dq|qdq)|pshuf(b|d|hw|lw)|palignr|pblendw|pinsr[bwdq]|pextr[bwdq]|pmovmskb|pmov[sz]x[bwd][wdq]",
    r"insertps|extractps|broadcast(s[sd]|[fi]128)|pbroadcast[bwdq]|(perm|insert|extract)\w+128|perm(il)?p[sd]|perm[dq]",
    rf"f(n?m)(add|sub)(132|213|231)({_PARTS})|fmaddsub(132|213|231)p[sd]|fmsubadd(132|213|231)p[sd]|zeroupper",
    r"p(blend)d|ps[lr]lv[dq]|psravd",
))  # fmt: skip
_X87 = later_pattern("|".join((
    "fi?(ld|st|stp|stt?p|add|sub|subr|mul|div|divr)|fld(z|1|pi)|f(chs|abs|xch|sqrt|rndint)|fcmov\\w+|fnstsw",
    "f(add|sub|subr|mul|div|divr)p|fu?com(p|pp|i|pi)?",
)))  # fmt: skip


def is_conditional_jump(mnemonic: str) -> bool:
    return mnemonic.startswith("j") and mnemonic[1:] in _CONDITIONS


@cache
def is_allowed(mnemonic: str) -> bool:
    """Whether an instruction ends by itself; with ``lock``, too: alone it does not wait."""
    name = mnemonic.removeprefix("lock ")
    listed = (READING, EXCHANGING, CONTROL, BITS, _NUMBERS, FURTHER)
    return any(name in names for names in listed) or is_conditional_jump(name) or _is_changing(name)


def _is_changing(name: str) -> bool:
    """Whether an instruction whose name has parts changes its first operand, or the stack of floating-point numbers."""
    for start in ("cmov", "set"):
        if name.startswith(start):
            return name.removeprefix(start) in _CONDITIONS
    if name.startswith("f") and _X87.fullmatch(name):
        return True
    return any(pattern.fullmatch(name.removeprefix("v")) for pattern in _VECTOR)
