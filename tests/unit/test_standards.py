"""Language standards: the oldest that works, and the newer one that a header asks for, in words."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # compilers of several dialects are asked

PLAIN = "inline int twice(int n) { return 2 * n; }"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"std": "c++98"}, "std='c++98'"),
        ({"std": "gnu++03"}, "std='gnu++03'"),
        ({"flags": ["-ansi"]}, r"flags=\['-ansi'\]"),
        ({"flags": ["-std=c++98"]}, r"flags=\['-std=c++98'\]".replace("++", r"\+\+")),
    ],
)
def test_a_standard_that_is_too_old_says_which_is_not(given: dict[str, Any], said: str) -> None:
    with pytest.raises(sb.BindError, match="std='c\\+\\+11' or newer") as caught:
        sb.compile(PLAIN, **given)
    assert str(caught.value).startswith(said.replace("\\", ""))


@pytest.mark.parametrize(
    ("language", "std"), [("c++", "c++11"), ("c++", "gnu++14"), ("c", "c89"), ("c", "gnu11")]
)
def test_the_oldest_that_work(language: str, std: str) -> None:
    text = PLAIN if language == "c++" else PLAIN.removeprefix("inline ")
    assert sb.compile(text, language=language, std=std).twice(4) == 8


@pytest.mark.parametrize("std", ["c89", "c99", "gnu17"])
def test_further_arguments_in_every_c(std: str) -> None:
    source = "#include <stdarg.h>\nint total(int n, ...) { int s = 0; va_list rest; va_start(rest, n);\n"
    source += "  while (n--) s += va_arg(rest, int);\n  va_end(rest); return s; }\n"
    lib = sb.compile(source, language="c", std=std)
    assert (lib.total(3, -1, 5, 7), lib.total(12, *range(12))) == (11, 66)


@pytest.mark.parametrize(
    ("source", "given", "wanted"),
    [
        ("template <class T> concept any = true;\ninline int f(any auto x) { return x; }", None, "gnu++20"),
        ("#include <span>\ninline int f(std::span<int> s) { return s.size(); }", "c++17", "c++20"),
        ("consteval int one() { return 1; }\ninline int f() { return one(); }", "c++17", "c++20"),
        ("inline int f(int n) { if consteval { return n; } return nowhere; }", None, ""),
        (
            "#if __cplusplus < 202002L\n#error needs C++20\n#endif\ninline int f() { return 1; }",
            None,
            "gnu++20",
        ),
        ("inline int f() { return nothing; }  // C++20", None, ""),
        ("#include <memory>\ninline auto f() { return std::make_unique<int>(3); }", "c++11", "c++14"),
    ],
)
def test_a_header_for_a_newer_standard_says_which(source: str, given: str | None, wanted: str) -> None:
    with pytest.raises(sb.CompileError) as caught:
        sb.compile(source, std=given)
    found = [line for line in str(caught.value).splitlines() if "newer standard" in line]
    assert found == ([f"It is code for a newer standard: with std='{wanted}' it compiles."] if wanted else [])
    assert str(caught.value).startswith("the compiler refused")


def test_a_header_that_is_not_included_is_named() -> None:
    with pytest.raises(
        sb.CompileError, match="std::string is of the header <string>, which the source does not"
    ):
        sb.compile(
            "#include <vector>\nstd::string f();\ninline int g() { return std::exchange(*new int, 3); }"
        )
