"""Macros of a header with names that samebytes's own headers have for something else cost nothing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.make.clashing import own_words
from samebytes.toolchain.compilers import find_compiler
from samebytes.toolchain.headers import INCLUDE

pytestmark = pytest.mark.full  # it takes long

HEADER = """
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>
struct Item { std::string name = "item"; };
struct Row { std::vector<Item> items{3}; auto begin() const { return items.begin(); }
  auto end() const { return items.end(); } std::size_t size() const { return items.size(); } };
inline std::ostream& operator<<(std::ostream& to, const Row& row) { return to << row.size(); }
inline std::map<std::string, int> counted(const std::vector<std::string>& all) {
  std::map<std::string, int> made; for (auto& one : all) ++made[one]; return made; }
inline std::shared_ptr<Item> shared(std::optional<std::string> s) {
  return std::make_shared<Item>(Item{s.value_or("-")}); }
inline int called(const std::function<int(int)>& f) { return f(3); }
inline int state() { static int n = 3; return ++n; }
"""


def _check(lib: Any) -> None:
    assert lib.counted(["a", "b", "a"]) == {"a": 2, "b": 1}
    assert lib.shared(None).name == "-"
    assert lib.called(lambda x: -x) == -3
    row = lib.Row()
    assert ([item.name for item in row], len(row), str(row)) == (["item"] * 3, 3, "3")


# What a class of a user's, or a question about one, cannot do without: keywords, the standard library's names.
WORDS = re.compile(r"\b[A-Za-z]\w*")
KEYWORDS = frozenset(
    WORDS.findall("""alignas alignof auto bool
    break case catch char class const constexpr const_cast continue decltype default delete
    do double else enum explicit extern false final float for friend if inline int long mutable namespace new noexcept
    nullptr operator override private protected public reinterpret_cast requires return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union
    unsigned using virtual void volatile while""")
)


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_each_word_is_a_macro() -> None:
    texts = "".join(path.read_text() for path in Path(INCLUDE).rglob("*.h*"))
    standard = {*re.findall(r"std::(\w+)", texts), "std", "value_type"}
    words = own_words() - KEYWORDS - standard - set(WORDS.findall(HEADER))
    assert {"T", "P", "in", "wire", "samebytes", "arena"} <= words
    broken = "".join(f"#define {word} ) broken {{\n" for word in sorted(words))
    _check(sb.compile(HEADER + broken, std="c++17"))


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_short_names(tmp_path: Path) -> None:
    (tmp_path / "names.hpp").write_text(
        "#define T 4\n#define in\n#define value(x) (x + T)\n#define wire state()\n"
    )
    lib = sb.compile(
        HEADER + '#include "names.hpp"\ninline int A_and_T() { return A + value(1); }\n',
        std="c++17", include_dirs=tmp_path, defines=["A=30"], flags=["-DI=2"], expose=["*/names.hpp"],
    )  # fmt: skip
    _check(lib)
    assert (lib.A_and_T(), lib.T) == (35, 4)
    first = lib.wire  # what a macro says is evaluated as ever
    assert lib.wire == first + 1


# They include other libraries, which may not be there.
OF_OTHERS = {"hip.hpp", "eigen.hpp", "eigen_sparse.hpp", "arma.hpp", "cv.hpp", "xt.hpp"}


def test_no_word_is_a_macro_of_the_standard_library() -> None:
    """Without it their own headers would not be read: what is set aside stays away."""
    headers = sorted(
        path
        for path in Path(INCLUDE, "samebytes").rglob("*.hpp")
        if not path.name.startswith(("cuda", "hip", "sycl")) and path.name not in OF_OTHERS
    )
    source = "".join(f'#include "{path}"\n' for path in headers)
    command = [*find_compiler("c++").command, "-std=c++20", "-E", "-dM", "-I", INCLUDE, "-x", "c++", "-"]
    ran = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    macros = {line.split()[1].partition("(")[0] for line in ran.stdout.splitlines()}
    assert len(macros) > 500
    assert macros & own_words() == set()
