"""What many files begin with is precompiled: what is built behind it is what is built of the text, or the text is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.errors import ArgumentError
from samebytes.make import precompiling
from samebytes.make.naming import GCC
from samebytes.toolchain.compilers import find_compiler
from samebytes.toolchain.driver import CompileCommand

pytestmark = [
    pytest.mark.full,  # large headers, each compiled several times
    pytest.mark.optimised,  # another level is one thing that GCC does not take
    pytest.mark.skipif(
        GCC not in find_compiler("c++").identity, reason="headers are precompiled where the compiler is GCC"
    ),
]

# The state of the preprocessor and of the compiler behind the header; state of its own; names of places.
HEADER = """
#pragma once
#define VALUE 1
#pragma push_macro("VALUE")
#undef VALUE
#define VALUE 2
inline int calls = 0;
inline const int first = __COUNTER__;
namespace { struct Hidden { int value = 5; }; }
template <class T> T twice(T x) { ++calls; return x + x; }
template <class T> const char* place(T) { return __FILE__; }
template <class T> long facts(T) {
  long said = 0;
  int all[] = {__INCLUDE_LEVEL__, __LINE__, first, __COUNTER__, VALUE, Hidden{}.value};
  for (int n : all) said = said * 100 + n;
  return said;
}
template <class T> struct Box { T value; static inline int made = 0; Box(T v) : value(v) { ++made; } };
template <class T> T refused(T x) { return x.no_member_of_any_number; }
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, where the first instantiation has the header precompiled."""
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(precompiling, "_WHOLE", 1)
    monkeypatch.setattr(precompiling, "_WORTH", 0)
    return tmp_path / "cache"


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are compiled behind what is precompiled."""
    found, compile_object = list[str](), precompiling.compile_object

    def noted(unit: CompileCommand, target: Path) -> list[str]:
        if unit.flags[-1].endswith(precompiling._HEADER) and target.name != "trial.o":
            found.append(unit.source.name)
        return compile_object(unit, target)

    monkeypatch.setattr(precompiling, "compile_object", noted)
    return found


def precompiled(cache: Path) -> list[Path]:
    return [*cache.glob("*/*/*.gch")]


def bound(folder: Path, text: str = HEADER, **options: Any) -> Any:
    folder.mkdir(exist_ok=True)
    (folder / "shapes.hpp").write_text(text)
    return sb.bind(folder / "shapes.hpp", **options)


def uses(lib: Any) -> list[Any]:
    found = [
        lib.place(1),
        lib.facts(1.5),
        lib.twice(4),
        lib.calls,
        lib.Box["int"](3).value,
        lib.Box["int"].made,
    ]
    with pytest.raises(ArgumentError) as refused:
        lib.refused(1.5)
    return [*found, str(refused.value)]


def test_what_is_built_behind_it_is_what_is_built_of_the_text(
    cache: Path, behind: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = uses(bound(tmp_path / "a"))
    assert len(precompiled(cache)) == 1
    assert behind == ["shims.cpp"] * 4  # all but the first
    behind.clear()
    monkeypatch.setattr(precompiling, "_opening", lambda *given: "")
    whole = uses(bound(tmp_path / "b"))
    assert not behind
    assert [str(value).replace("/a/", "/b/") for value in found] == [*map(str, whole)]
    assert found[0] == f"{tmp_path}/a/shapes.hpp"
    assert str(found[1]).startswith("1")


def test_a_header_that_has_changed_is_read(cache: Path, behind: list[str], tmp_path: Path) -> None:
    """What it includes, too, and what would be found before that."""
    for folder in ("inner", "outer"):
        (tmp_path / folder).mkdir()
    (tmp_path / "outer" / "part.hpp").write_text("enum { part = 1 };\n")
    text = "#include <part.hpp>\ntemplate <class T> T more(T x) { return x + part; }\n"

    def first() -> Any:
        lib = bound(tmp_path / "a", text, include_dirs=[tmp_path / "inner", tmp_path / "outer"])
        return lib.more(1), lib.more(1.5)

    assert first() == (2, 2.5)
    assert behind == ["shims.cpp"]
    (tmp_path / "outer" / "part.hpp").write_text("enum { part = 2 };\n")
    assert first() == (3, 3.5)
    (tmp_path / "inner" / "part.hpp").write_text("enum { part = 3 };\n")
    assert first() == (4, 4.5)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("template <class T> int more(T) { return sizeof(__TIME__); }", {}),
        ("template <class T> int more(T) { return sizeof(__BASE_FILE__) > 1 ? 9 : 8; }", {}),
        ("template <class T> int more(T) { return 9; }", {"flags": ["-g"]}),
        ("template <class T> int more(T) { return 9; }", {"flags": ["-include", "cstddef"]}),
    ],
)
def test_some_headers_are_compiled_as_they_are(
    text: str, options: Any, cache: Path, behind: list[str], tmp_path: Path
) -> None:
    lib = bound(tmp_path / "a", f"{text}\n", **options)
    assert (lib.more(1), lib.more(1.5)) == (9, 9)
    assert not precompiled(cache)
    assert not behind


@pytest.mark.parametrize(
    "spoilt", [("-O0",), ("-DNEW=1", "-fno-exceptions"), ("-fno-syntax-known-to-nobody",)]
)
def test_what_gcc_does_not_take_is_not_kept(
    spoilt: tuple[str, ...], cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precompile = precompiling.precompile
    monkeypatch.setattr(
        precompiling,
        "precompile",
        lambda unit, to: precompile(replace(unit, flags=(*unit.flags, *spoilt)), to),
    )
    lib = bound(tmp_path / "a", "template <class T> T more(T x) { return x + 1; }\n")
    assert (lib.more(1), lib.more(1.5)) == (2, 2.5)
    assert not precompiled(cache)


def test_it_is_made_once_it_is_worth_its_time_and_its_room(
    cache: Path, behind: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def more(lib: Any, *values: Any) -> int:
        assert [lib.more(value) for value in values] == [value + 1 for value in values]
        return len(precompiled(cache))

    text = "template <class T> T more(T x) { return x + 1; }"
    monkeypatch.setattr(precompiling, "_WHOLE", 2)
    with monkeypatch.context() as patch:
        patch.setattr(precompiling, "_WORTH", 500_000)
        assert more(bound(tmp_path / "small", text), 1, 1.5) == 0
    a, b = bound(tmp_path / "a", text), bound(tmp_path / "b", text)
    assert (more(a, 1), more(b, 1)) == (0, 0)
    assert more(a, 1.5) == 1
    size = precompiled(cache)[0].stat().st_size
    monkeypatch.setenv("SAMEBYTES_CACHE_MAX_SIZE", str(int(size * 1.5 / precompiling._ALL)))
    assert more(b, 1.5) == 1  # in the place of the other
    monkeypatch.setenv("SAMEBYTES_CACHE_MAX_SIZE", str(size))
    assert more(bound(tmp_path / "c", text), 1, 1.5) == 0  # too large for such a cache
    assert not behind
