"""What GCC's flags, attributes and pragmas change of a number's sign or bytes: right, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

pytestmark = pytest.mark.full  # each row is a build

CHARS = "struct P { char c; }; static int c_of(struct P p) { return p.c; }"


@each(
    "flags, language",
    [
        (flags, language)
        for flags in (["-funsigned-char"], ["-fno-signed-char"], ["-fsigned-char", "-funsigned-char"])
        for language in ("c", "c++")
    ],
)
def test_an_unsigned_char_is_refused(tmp_path: Path, flags: list[str], language: str) -> None:
    header = tmp_path / "chars.h"
    header.write_text(CHARS)
    with pytest.raises(sb.BindError, match="char is unsigned with these flags"):
        sb.bind(header, language=language, flags=flags)


def test_an_unsigned_char_of_the_compiler_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "g++ -funsigned-char")
    with pytest.raises(sb.BindError, match="-fsigned-char"):
        sb.compile("struct Own { char c; }; inline int c_of(Own p) { return p.c; }")


def test_the_last_flag_decides() -> None:
    lib = sb.compile(CHARS, flags=["-funsigned-char", "-fsigned-char"])
    assert lib.c_of(lib.P(-56)) == -56


FOREIGN = '__attribute__((scalar_storage_order("big-endian")))'
# Members of a struct whose bytes are in the other order, which GCC obeys and clang, which reads, ignores.
ORDERED = [
    "int a;",
    "short a[2];",
    "double a[2][3];",
    "long a : 40;",
    "int a : 12; int b : 4;",
    "_Complex double a;",
]


@each("member, form", [(m, f) for m in ORDERED for f in ("attribute", "pragma", "union")])
def test_another_order_of_bytes_is_refused(tmp_path: Path, member: str, form: str) -> None:
    header = tmp_path / "device.h"
    kind = "union" if form == "union" else "struct"
    declared = f"{kind} {'' if form == 'pragma' else FOREIGN} H {{ {member} }};"
    before, after = ("#pragma scalar_storage_order big-endian\n", "#pragma scalar_storage_order default\n")
    text = f"{before}{declared}\n{after}" if form == "pragma" else declared
    header.write_text(
        f"{text}\nstatic {kind} H same({kind} H h) {{ return h; }}\nstatic int one(void) {{ return 1; }}"
    )
    if " : " in member:  # where bits are, the compiled library alone tells
        with pytest.raises(sb.LayoutError, match="the compiler uses"):
            sb.bind(header, language="c").H()
        return
    with pytest.warns(sb.BindWarning, match="reverse storage order"):
        lib = sb.bind(header, language="c")
    assert lib.one() == 1
    assert not hasattr(lib, "same")


def test_a_pointer_has_one_order(tmp_path: Path) -> None:
    header = tmp_path / "pointing.h"
    header.write_text(f"struct {FOREIGN} H {{ int* a; }};\nstatic int read(struct H h) {{ return *h.a; }}")
    lib = sb.bind(header, language="c")
    assert lib.read(lib.H(np.array([7], np.int32))) == 7


# Bit-fields and what C reads of -1 in them, with each flag.
BITS: list[tuple[str, str]] = [
    ("int f : 4;", "unsigned"), ("signed int f : 4;", "signed"), ("unsigned f : 4;", "unsigned"),
    ("long f : 4;", "unsigned"), ("signed char f : 4;", "signed"), ("_Bool f : 1;", "unsigned"),
]  # fmt: skip


@each("member, sign, language", [(*row, language) for row in BITS for language in ("c", "c++")])
def test_unsigned_bit_fields(tmp_path: Path, member: str, sign: str, language: str) -> None:
    header = tmp_path / "bits.h"
    member = member.replace("_Bool", "bool") if language == "c++" else member
    header.write_text(
        f"struct B {{ {member} }};\nstatic struct B ones(void) {{ struct B b; b.f = -1; return b; }}\n"
        "static int negative(void) { return ones().f < 0; }"
    )
    plain = member in ("int f : 4;", "long f : 4;")
    if plain and language == "c":
        with pytest.raises(sb.LayoutError, match="Declare it signed or unsigned"):
            sb.bind(header, language=language, flags=["-funsigned-bitfields"]).B()
        return
    if plain:
        with pytest.warns(sb.BindWarning):
            assert not hasattr(sb.bind(header, language=language, flags=["-funsigned-bitfields"]), "ones")
        return
    lib = sb.bind(header, language=language, flags=["-funsigned-bitfields"])
    assert (lib.ones().f < 0, bool(lib.negative())) == ((sign == "signed",) * 2)


@pytest.mark.parametrize("language", ["c", "c++"])
def test_signs_of_enumerations_and_wide_fields(language: str) -> None:
    lib: Any = sb.compile(
        """
        enum Low { LOW = -1, ZERO }; enum High { ONE = 1, TWO };
        struct Bits { enum Low low : 2; enum High high : 3; long long wide : 50; unsigned long top : 64; char c : 5; };
        static struct Bits all(void) {
          struct Bits b; b.low = LOW; b.high = TWO; b.wide = -5; b.top = ~0ul; b.c = -3; return b; }
        """,
        language=language,
    )
    b = lib.all()
    assert (b.low, b.high, b.wide, b.top, b.c) == (lib.Low.LOW, lib.High.TWO, -5, 2**64 - 1, -3)
