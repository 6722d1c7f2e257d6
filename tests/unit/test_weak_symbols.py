"""Weak functions and variables that nothing defines are absent, in words, however the library is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # a library of each kind
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]

HEADER = """
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
extern int hook(int) __attribute__((weak));
extern int level __attribute__((weak));
extern int table[3] __attribute__((weak));
int plain(int);
static inline int has_hook(void) { return hook != 0; }
static inline int call_hook(int x) { return hook ? hook(x) : -1; }
#ifdef __cplusplus
}
#endif
"""
PLAIN = "int plain(int x) { return x + 1; }\n"
HOOK = "int hook(int x) { return 10 * x; }\nint level = 7; int table[3] = {1, 2, 3};\n"


def _header(folder: Path, more: str = "") -> Path:
    (folder / "weak.h").write_text(HEADER + more)
    (folder / "plain.c").write_text('#include "weak.h"\n' + PLAIN)
    (folder / "hook.c").write_text('#include "weak.h"\n' + HOOK)
    return folder / "weak.h"


def _shared(folder: Path, *sources: str) -> Path:
    made = folder / f"lib{'_'.join(sources)}.so"
    files = [f"{source}.c" for source in sources]
    subprocess.run(["cc", "-shared", "-fPIC", "-o", made, *files], cwd=folder, check=True)
    return made


def _check_absent(lib: Any) -> None:
    assert (lib.plain(1), lib.has_hook(), lib.call_hook(3)) == (2, 0, -1)
    assert {"hook(int)", "level", "table"} <= {s.name for s in lib.__skipped__}
    for name in ("hook", "level", "table"):
        with pytest.raises(AttributeError, match="no source or library given defines it"):
            getattr(lib, name)


def _check_there(lib: Any) -> None:
    assert (lib.plain(1), lib.hook(3), lib.has_hook(), lib.call_hook(3), lib.level) == (2, 30, 1, 30, 7)
    assert lib.table.tolist() == [1, 2, 3]


LANGUAGES = ["c", "c++"]


@each("language", LANGUAGES)
def test_by_sources(tmp_path_factory: pytest.TempPathFactory, language: str) -> None:
    folder = tmp_path_factory.mktemp("weak")
    header = _header(folder)
    both = [folder / "plain.c", folder / "hook.c"]
    _check_absent(sb.bind(header, sources=both[:1], language=language, name="absent"))
    _check_there(sb.bind(header, sources=both, language=language, name="there"))


@each("language", LANGUAGES)
def test_by_linked_libraries(tmp_path_factory: pytest.TempPathFactory, language: str) -> None:
    folder = tmp_path_factory.mktemp("weak")
    header = _header(folder)
    _check_absent(
        sb.bind(header, libraries=[str(_shared(folder, "plain"))], language=language, name="absent")
    )
    both = str(_shared(folder, "plain", "hook"))
    _check_there(sb.bind(header, libraries=[both], language=language, name="there"))


def test_by_a_library_that_is_opened_later(tmp_path: Path) -> None:
    header = _header(tmp_path)
    lib: Any = sb.bind(header, library=_shared(tmp_path, "plain"), language="c", name="absent")
    assert lib.plain(1) == 2
    for use in (lambda: lib.hook(1), lambda: lib.level, lambda: lib.table, lambda: lib.has_hook()):
        with pytest.raises(sb.MissingDependency, match="which the header declares"):
            use()
    _check_there(sb.bind(header, library=_shared(tmp_path, "plain", "hook"), language="c", name="there"))


def test_in_cxx_by_a_library_that_is_opened_later(tmp_path: Path) -> None:
    lib: Any = sb.bind(_header(tmp_path), library=_shared(tmp_path, "plain"), name="absent")
    assert lib.plain(1) == 2
    for name in ("level", "table"):
        with pytest.raises(AttributeError, match="no source or library given defines it"):
            getattr(lib, name)
    with pytest.raises(sb.MissingDependency, match="which the header declares"):
        lib.hook(1)


@each("eager", [True, False])
def test_of_a_large_header(tmp_path_factory: pytest.TempPathFactory, eager: bool) -> None:
    folder = tmp_path_factory.mktemp("weak")
    many = "".join(f"static inline int f{i}(int x) {{ return x + {i}; }}\n" for i in range(300))
    header = _header(folder, many)
    lib: Any = sb.bind(header, sources=[folder / "plain.c"], language="c", eager=eager)
    assert lib.f299(1) == 300
    for name in ("hook", "level"):
        with pytest.raises((AttributeError, sb.BindError), match="no source or library given defines it"):
            getattr(lib, name)(1)
    assert (lib.plain(1), lib.has_hook(), lib.call_hook(3)) == (2, 0, -1)


def test_of_packages(tmp_path: Path) -> None:
    header = _header(tmp_path)
    command = [sys.executable, "-m", "samebytes", "bind", str(header), "--source", str(tmp_path / "plain.c")]
    named = ["--language", "c", "--name", "weak_package", "-o", str(tmp_path)]
    subprocess.run([*command, *named], check=True, capture_output=True)
    code = "import weak_package as m; print(m.plain(1), m.has_hook(), m.call_hook(1)); m.hook(1)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == ["2", "0", "-1"]
    assert done.returncode == 1
    assert "no source or library given defines it" in done.stderr


def test_members_and_names_of_namespaces() -> None:
    lib: Any = sb.compile(
        "namespace n { inline int two() { return 2; } __attribute__((weak)) int free_one(int);"
        " extern int level __attribute__((weak)); }\n"
        "struct S { __attribute__((weak)) int method(int); __attribute__((weak)) static int still();\n"
        "  int own() { return 4; } };\n"
    )
    assert lib.S().own() == 4
    for use in (
        lambda: lib.n.free_one(1),
        lambda: lib.n.level,
        lambda: lib.S().method(1),
        lambda: lib.S.still(),
    ):
        with pytest.raises(AttributeError, match="no source or library given defines it"):
            use()
