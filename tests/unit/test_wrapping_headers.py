"""A header that wraps the next one of its name by ``#include_next`` means what it means where others include it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

# Without guards: the header is read once, and never as its own next one.
FIRST = """
#include_next <x/cfg.h>
struct First { Second s; };
static inline int first(int i) { return i + second(i); }
"""
SECOND = """
#include_next <x/cfg.h>
typedef struct { int v; } Second;
static inline int second(int i) { return 2 * third(i); }
"""
THIRD = """
static inline int third(int i) { return i + 100; }
static inline double root(double x) { return x; }
#ifdef __cplusplus
namespace ns { using ::root; inline float root(float x) { return 2 * x; } }
using ns::root;  // each name repeats the other one
#endif
"""


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("wrapping")
    for name, text in {"a": FIRST, "b": SECOND, "c": THIRD}.items():
        (folder / name / "x").mkdir(parents=True)
        (folder / name / "x" / "cfg.h").write_text(text)
    given = [folder / name for name in "abc"]
    named = {language: sb.bind("x/cfg.h", include_dirs=given, language=language) for language in ("c", "c++")}
    return {**named, "by its path": sb.bind(folder / "a" / "x" / "cfg.h", include_dirs=given, language="c")}


@each("how", ["c", "c++", "by its path"])
def test_the_next_ones_belong_to_it(libraries: Any, how: str) -> None:
    lib = libraries[how]
    assert (lib.first(1), lib.second(1), lib.third(1)) == (203, 202, 101)
    assert lib.First(s=lib.Second(v=3)).s.v == 3
    assert not lib.__skipped__


def test_names_that_repeat_one_another(libraries: Any) -> None:
    lib = libraries["c++"]
    assert (lib.root(2.0), lib.ns.root(2.0), lib.root.overload("float")(2.0)) == (2.0, 2.0, 4.0)
