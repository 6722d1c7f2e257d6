"""C++20 modules are refused in one sentence; what only looks like one is C++ as any other."""

from __future__ import annotations

from pathlib import Path

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

USE = "inline int f(int x) { return x; }"
REFUSED: dict[str, tuple[str, str]] = {
    "module": (f"export module foo;\nexport {USE}", r"^source.cpp:1: .*\('export module foo;'\)"),
    "global fragment": (f"module;\n#include <cmath>\nexport module foo.bar;\n{USE}", r"source.cpp:1: .*\('module;'\)"),
    "partition": (f"/* a\n b */ export module foo:part;\n{USE}", r"source.cpp:2: .*\('export module foo:part;'\)"),
    "import": (f"import std;\n{USE}", r"\('import std;'\)"),
    "header unit": (f"#include <cmath>\nimport <vector>;\n{USE}", r"cpp:2: .*\('import <vector>;'\)"),
    "quoted": (f'import "a.hpp";\n{USE}', r"""\('import "a.hpp";'\)"""),
}  # fmt: skip
HIDDEN = """// import std;
/*
module;
*/
const char* t = R"(
import a;
)";
int f() { return nothing_of_the_kind; }
"""


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("std", [None, "c++20"])
def test_a_module_is_refused_in_a_sentence(name: str, std: str | None) -> None:
    text, words = REFUSED[name]
    with pytest.raises(sb.BindError, match=words) as caught:
        sb.compile(text, std=std)
    assert "\n" not in str(caught.value)
    assert "bind a header with the declarations" in str(caught.value)


def test_a_file_with_the_compiler_s_own_flags(tmp_path: Path) -> None:
    (tmp_path / "foo.cppm").write_text("export module foo;\nexport int f(int x) { return x; }\n")
    with pytest.raises(sb.BindError, match=r"foo\.cppm:1: C\+\+20 modules are not bound"):
        sb.bind(tmp_path / "foo.cppm", flags=["-fmodules-ts"], std="c++20")


def test_names_are_no_modules() -> None:
    lib = sb.compile("struct module { int x = 3; };\nmodule import;\ninline int f() { return import.x; }")
    assert lib.f() == 3
    with pytest.raises(sb.CompileError, match="nothing_of_the_kind"):
        sb.compile(HIDDEN)
