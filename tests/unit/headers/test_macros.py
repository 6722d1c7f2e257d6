"""Macros as constants: the rule, its limits, and what asking the compiler costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import samebytes as sb
from samebytes.model.module import MACRO_KIND, VALUELESS_KIND, Module
from samebytes.read.clang import saving
from samebytes.read.declarations.macro_texts import definitions
from samebytes.read.declarations.macro_texts import guard as guard_of

Read = Callable[..., Module]


def values(module: Module) -> dict[str, object]:
    return {c.qualified: c.value for c in module.constants}


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Counts how often the parser runs."""
    count = SimpleNamespace(made=0)
    parse = saving.parse

    def counted(*args: object, **options: object) -> object:
        count.made += 1
        return parse(*args, **options)

    monkeypatch.setattr(saving, "parse", counted)
    return count


@pytest.mark.parametrize(
    "body",
    [
        "static", "inline", "return 1", "{", "}", "(", ")", "[", "extern \"C\" {",
        "1, 2", "1, other = 2", "1; int other = 2", "1); int other = (2", "__attribute__((packed))", "f",
        "variable", "__LINE__", "__COUNTER__", "__FILE__", "_Pragma(\"pack(1)\") 1", "ITSELF", "= 3",
        "OPEN", "(OPEN 1", "CALL(", "do { } while (0)", "1 /* one */ 2", "",
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["c", "c++"])
def test_what_is_no_constant_says_so(read: Read, language: str, body: str) -> None:
    module = read(
        "#define OPEN {\n#define CALL(x) (x)\n"
        f"#define ITSELF {body}\n#define AFTER 7\n"
        "int f(int x);\nextern int variable;\nstruct S { int x; };\n",
        language=language,
    )
    assert values(module) == {"AFTER": 7}
    own = {} if body in ("f", "variable") else {"ITSELF": VALUELESS_KIND}  # else it is another name of that
    assert {s.name: s.kind for s in module.skipped} == {"CALL": MACRO_KIND, "OPEN": VALUELESS_KIND} | own
    assert [v.name for v in module.variables] == ["variable"]
    assert module.exposed == 4 + len(module.skipped)


def test_macros_with_parameters_are_no_constants_and_say_so(read: Read) -> None:
    module = read("#define TWICE(x) (2 * (x))\n#define NOTHING() 4\nint f(int);\n")
    assert (module.exposed, module.constants) == (3, ())
    assert [(s.name, s.kind) for s in module.skipped] == [
        (n, "macro with parameters") for n in ("TWICE", "NOTHING")
    ]


@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_macro_that_renames_repeats_a_name(language: str, tmp_path: Path) -> None:
    (tmp_path / "renamed.h").write_text(
        "#define device_s device_s600\n#define get_device get_device600\n#define again get_device\n"
        "#define nothing absent\n#define ring gnir\n#define gnir ring\n#define total gone\n#define MODE mode\n"
        "struct device_s { int id; };\nenum mode { OFF, ON };\n"
        "static inline int get_device(struct device_s d) { return d.id; }\n"
        "static inline int total(void) { return 9; }\n#undef total\n"
    )
    lib = sb.bind(tmp_path / "renamed.h", language=language)
    assert lib.device_s is lib.device_s600
    assert lib.again is lib.get_device is lib.get_device600
    assert lib.get_device(lib.device_s(7)) == 7
    assert lib.MODE is lib.mode
    assert not {"nothing", "ring", "gnir", "total"} & set(dir(lib))
    assert lib.gone() == 9


def test_a_macro_that_makes_a_functions_name_repeats_it(tmp_path: Path) -> None:
    (tmp_path / "pasted.h").write_text(
        "#define OWN(name) __own_##name\n#define twice OWN(twice)\n#define thrice (OWN(thrice))\n"
        "#define either 1 ? twice : thrice\n"
        "static inline int twice(int x) { return 2 * x; }\nint __own_thrice(int x);\n"
    )
    (tmp_path / "pasted.c").write_text('#include "pasted.h"\nint __own_thrice(int x) { return 3 * x; }\n')
    lib = sb.bind(tmp_path / "pasted.h", sources=tmp_path / "pasted.c", language="c")
    assert (lib.twice(4), lib.thrice(4)) == (8, 12)
    assert "either" not in dir(lib)


def test_only_exposed_files_count(read: Read, tmp_path: Path) -> None:
    (far := tmp_path.parent / f"{tmp_path.name}_of_another").mkdir()
    (far / "far.hpp").write_text("#define FAR 1\n#define NEAR_TOO 2\n")
    (tmp_path / "side.hpp").write_text("#define SIDE 3\n")
    text = '#include <far.hpp>\n#include "side.hpp"\n#ifndef NEAR_TOO\n#define NEAR_TOO 4\n#endif\n'
    text += "#define OWN FAR\n"
    flags = ("-isystem", str(far))
    assert values(read(text, flags=flags)) == {"SIDE": 3, "OWN": 1}
    assert values(read(text, flags=flags, expose=("far.hpp",))) == {
        "FAR": 1,
        "NEAR_TOO": 2,
        "SIDE": 3,
        "OWN": 1,
    }


def test_reserved_names_are_exposed_on_demand(read: Read) -> None:
    text = "#define _FULL 0\n#define __line 1\nint f(int);\n"
    assert values(read(text)) == {}
    assert values(read(text, expose=("_FULL",))) == {"_FULL": 0}


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        (b"#ifndef X_H\n#define X_H\n", b"X_H"),
        (b"/* about\n   # it */\n\n#  ifndef X_H\n# define X_H 1\n", b"X_H"),
        (b"// about\r\n#ifndef X_H\r\n#define X_H\r\n", b"X_H"),
        (b"#ifndef X_H /* why */\n#define X_H // it\n", b"X_H"),
        (b"int x; /* #if\n#if */\n#ifndef X_H\n#define X_H\n", b"X_H"),
        (b"/* never ends\n#ifndef X_H\n#define X_H\n", b"X_H"),
        (b"#ifndef SIZE\n#define SIZE 1024\n#endif\n", None),
        (b"#include <a>\n#ifndef X_H\n#define X_H\n", None),
        (b"int x;\n", None),
    ],
)
def test_guards(text: bytes, guard: bytes | None) -> None:
    assert guard_of(text) == guard


def test_definitions_end_where_the_preprocessor_ends_them() -> None:
    text = b'#define A 1 // not /* open\n# define B "/*" /* x\n y */ 2\n#define C(x) x\n'
    text += b"#define D 1 + \\\n  2\nx #define E\n#undef define\n#defined E 1\n// #define E 1\n \t#\tdefine\tF\tdefine"
    assert list(definitions(text)) == [
        (b"A", False, b"1"),
        (b"B", False, b'"/*"   2'),
        (b"C", True, b"x"),
        (b"D", False, b"1 +    2"),
        (b"F", False, b"define"),
    ]


def test_names_that_something_else_has(read: Read) -> None:
    module = read(
        "int f(int);\nenum Level { LOW = 1 };\nenum { ONE = 1 };\nconst int size = 2;\nlong double skipped(int);\n"
        "#define f f\n#define LOW LOW\n#define ONE ONE\n#define size size\n#define skipped 5\n"
    )
    assert values(module) == {"ONE": 1, "size": 2}
    assert [s.name for s in module.skipped] == ["skipped(int)"]


def test_old_dialects_have_constants_too(read: Read) -> None:
    assert values(read("#define N (1 << 4)\nint f(int);", flags=("-std=c++98",))) == {"N": 16}


def test_templates_and_macros_are_asked_together(read: Read, parses: SimpleNamespace) -> None:
    module = read(
        "template <class T> struct W { T t; W(const W&) = default; };\n"
        "#define N 5\n#define M sizeof(W<int>)\nint f(W<int> w);\n"
    )
    assert values(module) == {"N": 5, "M": 4}
    assert [f.name for f in module.functions] == ["f"]
    assert parses.made <= 4


@pytest.mark.parametrize(("name", "expected"), [("math.h", 2), ("stdio.h", 2)])
def test_one_more_parse(read_header: Read, parses: SimpleNamespace, name: str, expected: int) -> None:
    read_header(name)
    assert parses.made == expected


def test_none_without_macros(read: Read, parses: SimpleNamespace) -> None:
    read("#ifndef X\n#define X\n#include <stddef.h>\nint f(int);\n#endif\n")
    assert parses.made == 1


@pytest.mark.filterwarnings("ignore")
def test_bound_libraries_have_them() -> None:
    lib = sb.bind("math.h")
    assert (math.pi, math.e, math.inf) == (lib.M_PI, lib.M_E, lib.HUGE_VAL)
    assert math.isnan(lib.NAN)
    assert sb.bind("stdlib.h").RAND_MAX == 2**31 - 1
    assert sb.bind("time.h").CLOCKS_PER_SEC == 1_000_000
    with pytest.raises(AttributeError, match="long double has no counterpart"):
        lib.HUGE_VALL  # noqa: B018


@pytest.mark.parametrize("language", ["c", "c++"])
def test_reserved_names_that_macros_rename_to_are_for_users(language: str, tmp_path: Path) -> None:
    """GMP's functions are declared under names that a macro gives them."""
    (tmp_path / "big.h").write_text(
        "#define big_add __big_add\n"
        "static inline int big_add(int a, int b) { return a + b; }\n"
        "static inline int __big_own(int a) { return a; }\n"
    )
    lib = sb.bind(tmp_path / "big.h", language=language)
    assert lib.big_add(2, 3) == 5
    assert not hasattr(lib, "__big_own")
    assert [s.name for s in lib.__skipped__] == ["__big_own"]


def test_macros_that_name_one_another_by_the_thousand(read: Read) -> None:
    chain = "".join(f"#define _STEP{i} _STEP{i + 1}\n" for i in range(3000))
    module = read(f"{chain}#define _STEP3000 7\n#define FIRST _STEP0\n#define BAD _STEP0 ; _STEP1\n")
    assert values(module) == {"FIRST": 7}


@pytest.mark.parametrize("body", ["int z = 0;", "5;", "{1, 2}", "unknown", "missing.member"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_what_has_no_value_is_said_without_a_warning(read: Read, language: str, body: str) -> None:
    module = read(f"#define ITSELF {body}\n#define AFTER 7\nint f(int x);\n", language=language)
    assert values(module) == {"AFTER": 7}
    assert [(s.name, s.kind) for s in module.skipped] == [("ITSELF", VALUELESS_KIND)]
    assert module.exposed == 3


def expressions(module: Module) -> dict[str, str]:
    return {f.name: f.result_spelling for f in module.functions if f.kind == "macro"}


@pytest.mark.parametrize("language", ["c", "c++"])
def test_expressions_have_the_types_that_clang_tells(read: Read, language: str) -> None:
    module = read(
        "#define OPEN open_it(),\n#define HANDLE (OPEN handle_g)\n#define NEXT next(3)\n#define AGAIN (NEXT + HALF)\n"
        "#define HALF 0.5\n#define NAME name_of(handle_g)\n#define PLACE (&pair_g)\n#define PAIR pair_g\n"
        "#define ROW row_g\n#define NOTHING clear()\n#define LIST handle_g, handle_g\n#define LISTED LIST\n"
        "#define TYPE struct pair\n#define TWO 2\n#define CALLED(x) next(x)\n#define ALSO CALLED(5)\n"
        "#define ACTS do { next(1); } while (0)\n#define STATEMENT next(1);\n#define WIDE (long)next(1)\n"
        "struct pair { int x, y; };\nextern struct pair pair_g;\nextern short handle_g, row_g[3];\n"
        "int open_it(void);\nint next(int n);\nconst char *name_of(short n);\nvoid clear(void);\n",
        language=language,
    )
    pair = "struct pair" if language == "c" else "pair"
    due = {
        "HANDLE": "short", "NEXT": "int", "AGAIN": "double", "NAME": "const char *", "PLACE": f"{pair} *",
        "ROW": "short *", "ALSO": "int", "WIDE": "long",
    }  # fmt: skip
    assert expressions(module) == due
    assert (
        dict(module.repeated) == {"PAIR": "pair_g", "TYPE": "pair"} or ("PAIR", "pair_g") in module.repeated
    )
    assert values(module) == {"HALF": 0.5, "TWO": 2}
    valueless = ("OPEN", "NOTHING", "LIST", "LISTED", "ACTS", "STATEMENT")
    assert {s.name: s.kind for s in module.skipped} == {"CALLED": MACRO_KIND} | dict.fromkeys(
        valueless, VALUELESS_KIND
    )


def test_what_an_expression_lacks_is_said(read: Read) -> None:
    module = read(
        "#define BROKEN (missing + 1)\n#define WORD missing\n#define KEY missing word\nint f(void);\n"
    )
    words = "as an expression, its text is refused: use of undeclared identifier 'missing'"
    assert [(s.name, s.kind, s.location.line, s.reason) for s in module.skipped] == [
        ("BROKEN", "macro", 1, words),
        ("WORD", VALUELESS_KIND, 2, words),
        ("KEY", VALUELESS_KIND, 3, "its text is no expression: missing word"),
    ]
    wide = read("extern long double wide;\n#define WIDE (wide * 2)\n")
    assert [s.name for s in wide.skipped if "long double" in s.reason] == ["wide", "WIDE"]


def test_macros_of_numbers_ask_no_more(read: Read, parses: SimpleNamespace) -> None:
    from samebytes.read.questions.questions import Questions

    asked: list[tuple[str, ...]] = []
    kept = Questions.lines

    def lines(self: Questions, language: str) -> tuple[str, ...]:
        asked.append(self.expressions)
        return kept(self, language)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Questions, "lines", lines)
        many = "".join(
            f"#define N{i} {i}\n#define M{i} (N{i} | (unsigned long)0x{i:x}UL)\n" for i in range(500)
        )
        assert len(values(read(many + "int f(void);\n", language="c"))) == 1000
    assert parses.made == 2
    assert set(asked) == {()}
