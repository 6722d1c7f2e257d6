"""Compilers are found and named exactly; builds are stored by content, safely."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from samebytes.errors import BindError, CompileError, MissingDependency
from samebytes.toolchain import running
from samebytes.toolchain.cache import Cache, Inputs
from samebytes.toolchain.compilers import Compiler, find_compiler, system_includes
from samebytes.toolchain.driver import CompileCommand, UndefinedSymbols, build_library, compile_object
from samebytes.toolchain.mirrored import defined, mirrored_macros


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def unit(path: Path, text: str, *flags: str, language: str = "c++") -> CompileCommand:
    path.write_text(text)
    return CompileCommand(path, find_compiler(language), flags)


class Maker:
    """Counts how often it is asked to build, and reads one input file."""

    def __init__(self, source: Path) -> None:
        self.source, self.calls = source, 0

    def __call__(self, work: Path) -> Inputs:
        self.calls += 1
        (work / "out").write_bytes(self.source.read_bytes())
        return Inputs((str(self.source),))


@pytest.fixture
def maker(tmp_path):
    source = tmp_path / "input"
    source.write_text("one")
    return Maker(source)


class TestCache:
    def test_same_request_and_content_is_built_once(self, cache, maker):
        first = cache.get({"a": 1}, maker)
        assert cache.get({"a": 1}, maker).path == first.path
        assert maker.calls == 1
        assert first.file("out").read_text() == "one"

    def test_another_request_is_another_build(self, cache, maker):
        assert cache.get({"a": 1}, maker).path != cache.get({"a": 2}, maker).path

    def test_changed_input_is_rebuilt_and_the_old_entry_still_serves_the_old_content(self, cache, maker):
        first = cache.get("r", maker)
        maker.source.write_text("two!")
        second = cache.get("r", maker)
        assert second.file("out").read_text() == "two!"
        assert first.file("out").read_text() == "one"
        maker.source.write_text("one")
        assert cache.get("r", maker).path == first.path
        assert maker.calls == 2

    def test_vanished_input_is_rebuilt(self, cache, maker, tmp_path):
        cache.get("r", maker)
        maker.source.unlink()
        maker.source = tmp_path / "elsewhere"
        maker.source.write_text("three")
        assert cache.get("r", maker).file("out").read_text() == "three"

    @pytest.mark.parametrize("damage", ["truncate", "garbage", "manifest", "missing"])
    def test_corrupt_entry_is_rebuilt(self, cache, maker, damage):
        entry = cache.get("r", maker)
        match damage:
            case "truncate":
                entry.file("out").write_bytes(b"")
            case "garbage":
                entry.file("out").write_bytes(b"xyz")
            case "manifest":
                entry.file("manifest.json").write_text('{"inputs": [')
            case "missing":
                entry.file("out").unlink()
        assert cache.get("r", maker).file("out").read_text() == "one"
        assert maker.calls == 2

    def test_what_was_looked_for_and_appears(self, cache, maker, tmp_path):
        wanted = tmp_path / "wanted.hpp"

        def make(work: Path) -> Inputs:
            return Inputs(maker(work).read, [str(wanted)])

        cache.get("r", make)
        cache.get("r", make)
        assert maker.calls == 1
        wanted.touch()
        cache.get("r", make)
        assert maker.calls == 2

    def test_a_file_that_is_edited_while_it_is_read(self, cache, maker):
        def edited(work: Path) -> Inputs:
            found = maker(work)
            if maker.calls == 1:
                maker.source.write_text("after")
            return found

        assert cache.get("r", edited).file("out").read_text() == "after"
        assert maker.calls == 2

    def test_a_root_that_cannot_be_made(self, tmp_path, maker):
        (tmp_path / "file").touch()
        with pytest.raises(BindError, match="SAMEBYTES_CACHE_DIR"):
            Cache(tmp_path / "file" / "cache").get("r", maker)

    def test_a_failed_build_leaves_nothing(self, cache, maker):
        def fail(work: Path) -> Inputs:
            (work / "half").write_text("x")
            raise CompileError("no")

        with pytest.raises(CompileError):
            cache.get("r", fail)
        assert cache.get("r", maker).file("out").read_text() == "one"
        assert not list(cache.root.rglob(".build-*"))

    def test_modes_are_private(self, cache, maker):
        entry = cache.get("r", maker)
        assert stat.S_IMODE(cache.root.stat().st_mode) == 0o700
        assert stat.S_IMODE(entry.path.parent.stat().st_mode) == 0o700

    def test_a_directory_that_others_may_write_is_refused(self, cache, maker):
        cache.root.mkdir()
        cache.root.chmod(0o777)
        with pytest.raises(BindError, match="can be written to by others"):
            cache.get("r", maker)

    def test_manifest_names_the_inputs(self, cache, maker):
        manifest = json.loads(cache.get("r", maker).file("manifest.json").read_text())
        assert list(manifest["inputs"]) == [str(maker.source)]

    @pytest.mark.full
    def test_many_processes_build_once(self, cache, tmp_path):
        log = tmp_path / "log"
        with multiprocessing.get_context("spawn").Pool(4) as pool:
            paths = pool.starmap(_build_logged, [(str(cache.root), str(log))] * 8)
        assert len(set(paths)) == 1
        assert log.read_text().count("built") == 1


def _build_logged(root: str, log: str) -> str:
    def make(work: Path) -> Inputs:
        with open(log, "a") as file:
            file.write("built\n")
        (work / "out").write_text("x")
        return Inputs(())

    return str(Cache(Path(root)).get("r", make).path)


@pytest.mark.parametrize("language", ["c++", "c"])
@pytest.mark.parametrize(
    "name",
    [
        "plain.h",
        "a b.h",
        "a\\ b.h",
        "a\\\\ b.h",
        "end\\.h",
        "$$a$.h",
        "#a\\#b.h",
        "t\tab.h",
        "ä\xa0\u2028.h",
        "a: b.h",
        "%*?.h",
    ],
)
def test_dependencies_of_any_name(tmp_path, name, language):
    """What the compiler itself writes about files with odd names, in folders with the same names."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / name).write_text("")
    source = folder / "main.c"
    source.write_text(f'#include "{name}"\n#include "plain.h"\n')
    (folder / "plain.h").touch()
    used = compile_object(CompileCommand(source, find_compiler(language), ()), folder / "out.o")
    assert set(map(os.path.abspath, used)) >= {str(source), str(folder / name), str(folder / "plain.h")}
    assert all(map(os.path.exists, used))


class TestCompilers:
    def test_finds_both_languages(self):
        assert find_compiler("c++").version
        assert find_compiler("c").language == "c"

    def test_environment_overrides(self, monkeypatch):
        monkeypatch.setenv("CXX", "g++ -pipe")
        assert find_compiler("c++").command == ("g++", "-pipe")

    def test_a_broken_override_is_one_sentence(self, monkeypatch):
        monkeypatch.setenv("CXX", "no-such-compiler")
        with pytest.raises(MissingDependency, match=r"\$CXX is 'no-such-compiler'"):
            find_compiler("c++")

    def test_none_found_says_what_to_install(self, monkeypatch):
        monkeypatch.setenv("PATH", "/nonexistent")
        monkeypatch.delenv("CXX", raising=False)
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        from samebytes.toolchain.compilers import _search

        _search.cache_clear()
        try:
            with pytest.raises(MissingDependency, match="apt install g"):
                find_compiler("c++")
        finally:
            _search.cache_clear()

    def test_system_includes_hold_the_standard_headers(self):
        found = system_includes(find_compiler("c++"))
        assert any(os.path.exists(os.path.join(d, "vector")) for d in found)
        assert any(os.path.exists(os.path.join(d, "math.h")) for d in found)

    def test_macros_of_the_driver_are_known_in_each_way_of_writing_them(self):
        assert (
            "-D_GNU_SOURCE" in mirrored_macros(find_compiler("c++"), ())
            or "clang" in find_compiler("c++").version
        )
        words = ["zig", "-cc1", "-D", "_LIBCPP_ABI_NAMESPACE=__1", "-DONE", "-E", "-D", "TWO=2"]
        assert [*defined(words)] == ["-D_LIBCPP_ABI_NAMESPACE=__1", "-DONE", "-DTWO=2"]

    def test_flags_choose_another_library(self, tmp_path):
        (tmp_path / "usr" / "include").mkdir(parents=True)
        plain, compiler = system_includes(find_compiler("c++")), find_compiler("c++")
        assert system_includes(compiler, ("-O2", "-DX", "-Wall")) == plain
        assert system_includes(compiler, (f"--sysroot={tmp_path}",)) != plain
        assert system_includes(compiler, ("-nostdinc",)) != plain

    def test_a_driver_that_does_not_say_where_it_looks_is_named(self):
        gcc = find_compiler("c++")
        if "Free Software Foundation" not in gcc.identity:
            pytest.skip("another compiler knows this flag")
        with pytest.raises(MissingDependency, match=r"-stdlib=libnone does not say where .*-stdlib"):
            system_includes(gcc, ("-stdlib=libnone",))

    def test_one_driver_is_asked_for_each_language(self):
        compiler = find_compiler("c++")
        as_c = Compiler(compiler.command, "c", compiler.identity)
        assert not any(os.path.exists(os.path.join(d, "vector")) for d in system_includes(as_c))
        assert any(os.path.exists(os.path.join(d, "vector")) for d in system_includes(compiler))

    def test_half_a_list_of_folders_is_none(self, monkeypatch):
        from samebytes.toolchain import compilers

        half = SimpleNamespace(stderr="#include <...> search starts here:\n /usr/include\n", returncode=-9)
        monkeypatch.setattr(compilers, "_run", lambda command: half)
        with pytest.raises(MissingDependency, match=r"does not say where .*ended with -9"):
            compilers._named_folders(Compiler(("c++",), "c++", ""), ())

    def test_zig_compiles_for_every_processor_of_its_kind(self, monkeypatch):
        from samebytes.toolchain import compilers

        monkeypatch.setattr("importlib.util.find_spec", lambda name: True)
        monkeypatch.setattr(
            compilers, "_identify", lambda command, language: command if "ziglang" in command else None
        )
        assert compilers._search.__wrapped__("c++", None)[1:] == ("-m", "ziglang", "c++", "-mcpu=baseline")


class TestPatience:
    """A command that is known to be slow says why, once, when it is."""

    @pytest.mark.parametrize(
        ("seconds", "slow", "said"), [(0.3, "it is new", ["it is new"]), (0, "it is new", []), (0.3, "", [])]
    )
    def test_said_once(self, monkeypatch, caplog, seconds, slow, said):
        monkeypatch.setattr(running, "PATIENCE", 0.1 if seconds else 30)
        monkeypatch.setattr(running, "_said", set())
        command = [
            sys.executable,
            "-S",
            "-c",
            f"import time; print('o' * 100000); time.sleep({seconds}); print('end')",
        ]
        for _ in range(2):
            done = running.run(command, slow=slow)
            assert (done.returncode, len(done.stdout), done.stderr) == (0, 100005, "")
        assert [record.getMessage() for record in caplog.records] == said

    def test_only_zig_has_something_to_say(self):
        assert find_compiler("c++").slow_to_link == ""
        assert "once" in Compiler((sys.executable, "-m", "ziglang", "c++"), "c++", "").slow_to_link


class TestDriver:
    def test_builds_from_two_languages(self, tmp_path):
        a = unit(tmp_path / "a.cpp", 'extern "C" int two(); extern "C" int four() { return 2 * two(); }')
        b = unit(tmp_path / "b.c", "int two(void) { return 2; }", language="c")
        read = build_library([a, b], tmp_path / "lib.so", linker=find_compiler())
        assert {str(tmp_path / "a.cpp"), str(tmp_path / "b.c")} <= set(read)
        import ctypes

        assert ctypes.CDLL(str(tmp_path / "lib.so")).four() == 4

    def test_error_shows_the_compilers_words_and_the_users_line(self, tmp_path):
        broken = unit(tmp_path / "mine.cpp", "int f() {\n  return undeclared_name;\n}\n")
        with pytest.raises(CompileError) as caught:
            build_library([broken], tmp_path / "lib.so", linker=find_compiler())
        assert "mine.cpp:2" in str(caught.value)
        assert "undeclared_name" in caught.value.output
        assert caught.value.command

    def test_undefined_symbols_are_named(self, tmp_path):
        lost = unit(tmp_path / "a.cpp", "int missing(double); int f() { return missing(1); }")
        with pytest.raises(UndefinedSymbols) as caught:
            build_library([lost], tmp_path / "lib.so", linker=find_compiler())
        assert caught.value.symbols == {"_Z7missingd"}


@pytest.mark.skipif(sys.platform != "linux", reason="GNU linkers only")
def test_dependencies_with_spaces(tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "h.hpp").write_text("#pragma once\n")
    source = unit(folder / "s.cpp", '#include "h.hpp"\nint f() { return 1; }')
    read = build_library([source], folder / "lib.so", linker=find_compiler())
    assert str(folder / "h.hpp") in read
