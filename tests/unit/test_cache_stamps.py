"""A build that is there is found without a compiler and without reading what it was made of, and never wrongly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from samebytes import _native
from samebytes.toolchain import answers, compilers, mirrored, stamps, verifying
from samebytes.toolchain.cache import Cache, Inputs
from samebytes.toolchain.stamps import stamp_of

# What starts another process, by the names of Python's audit events.
WATCHED = """
import sys, os
started = []
sys.addaudithook(lambda event, args: event in (
    "subprocess.Popen", "os.fork", "os.exec", "os.posix_spawn", "os.system") and started.append(args))
import samebytes as sb
lib = sb.compile("double twice(double x) { return 2 * x; }")
assert lib.twice(2.0) == 4
bound = sb.bind("only_here.h", include_dirs=[sys.argv[1]])
assert bound.thrice(2) == 6
print(len(started), "libclang" in open("/proc/self/maps").read(), *(m for m in sys.modules if m == "clang"))
"""


@pytest.mark.full
def test_a_warm_start_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "only_here.h").write_text("static inline int thrice(int x) { return 3 * x; }")
    given = {**os.environ, "SAMEBYTES_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", WATCHED, str(tmp_path)]
    said = [
        subprocess.run(command, env=given, check=True, capture_output=True, text=True).stdout for _ in "12"
    ]
    if "Free Software" not in compilers.find_compiler("c++").identity:
        pytest.skip("the compiler is not GCC's own program, and is asked each time")
    assert not said[0].startswith("0 ")
    assert said[1] == "0 False\n"


class Maker:
    """Builds that hold what a header says."""

    def __init__(self, header: Path) -> None:
        self.header, self.calls = header, 0

    def __call__(self, work: Path) -> Inputs:
        self.calls += 1
        (work / "out").write_text(self.header.read_text())
        return Inputs((str(self.header),))


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    header = tmp_path / "h.hpp"
    header.write_text("one")
    return Maker(header)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def again(cache: Cache, maker: Maker, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[str, int]]:
    """What another process finds, and how many files it reads for it."""

    def find() -> tuple[str, int]:
        read, digest = [], verifying._digest_from
        with monkeypatch.context() as patch:
            patch.setattr(verifying, "_digests", {})
            patch.setattr(verifying, "_digest_from", lambda *given: read.append(given) or digest(*given))
            entry = cache.get("r", maker)
        return entry.file("out").read_text(), len(read)

    return find


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if everything was two seconds old, and on a disk of this machine."""
    monkeypatch.setattr(stamps, "_COARSEST", 0)
    monkeypatch.setattr(stamps, "_is_dated", lambda *given: True)
    time.sleep(0.02)  # more than a tick of this file system


Again = Callable[[], tuple[str, int]]


@pytest.mark.usefixtures("old")
def test_what_did_not_change_is_not_read_and_what_is_loaded_always_is(again: Again, maker: Maker) -> None:
    assert again()[0] == "one"
    time.sleep(0.02)
    assert again() == ("one", 2)
    assert [again(), again()] == [("one", 1)] * 2
    os.utime(maker.header)  # another stamp of the same content: read once
    time.sleep(0.02)
    assert [again(), again()] == [("one", 2), ("one", 1)]
    assert maker.calls == 1


def _written_now(header: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stamps, "_COARSEST", 2 * 10**12)


def _dated_back(header: Path, patch: pytest.MonkeyPatch) -> None:
    """``touch -d yesterday``: it has just been changed nevertheless."""
    patch.setattr(stamps, "_COARSEST", 2 * 10**12)
    os.utime(header, (1, 1))


def _dated_ahead(header: Path, patch: pytest.MonkeyPatch) -> None:
    os.utime(header, (time.time() + 1000,) * 2)


def _clock_set_back(header: Path, patch: pytest.MonkeyPatch) -> None:
    now = time.time_ns()
    patch.setattr(time, "time_ns", lambda: now - 10**12)


def _slowly_read(header: Path, patch: pytest.MonkeyPatch) -> None:
    """It may be changed, in the tick of its stamp, after it was read and before its stamp is stored."""
    now, digest, later = time.time_ns(), verifying._digest_from, [0]

    def slow(opened: Any, *given: Any) -> Any:
        later[0] = 10**13 if os.fstat(opened.fileno()).st_ino == header.stat().st_ino else 0
        return digest(opened, *given)

    patch.setattr(time, "time_ns", lambda: now + later[0])
    patch.setattr(verifying, "_digest_from", slow)
    patch.setattr(stamps, "_COARSEST", 2 * 10**12)


def _elsewhere(header: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stamps, "_is_dated", lambda *given: False)


@pytest.mark.usefixtures("old")
@pytest.mark.parametrize(
    "change", [_written_now, _dated_back, _dated_ahead, _clock_set_back, _slowly_read, _elsewhere]
)
def test_what_may_change_without_another_stamp_is_read_each_time(
    again: Again, maker: Maker, monkeypatch: pytest.MonkeyPatch, change: Callable[..., None]
) -> None:
    again()
    change(maker.header, monkeypatch)
    time.sleep(0.02)
    assert [again(), again(), again()] == [("one", 2)] * 3
    assert maker.calls == 1


@pytest.mark.parametrize(
    ("number", "dated"),
    [
        (0xEF53, True),
        (0x794C7630, True),
        *((n, False) for n in (0x6969, 0x65735546, 0xFF534D42, 0xFE534D42, 0x517B, 0x01021997, 0x5346414F)),
        *(
            (n, False)
            for n in (0x4D44, 0x2011BAB0, 0x01021994, 0x73717368, 0xE0F5E1E2, 0x9660, 0x28CD3D45, 0)
        ),
    ],
)
def test_file_systems_that_date_each_change(
    monkeypatch: pytest.MonkeyPatch, number: int, dated: bool
) -> None:
    """Not NFS, FUSE, CIFS, SMB2, SMB, 9P, AFS; FAT, exFAT; tmpfs; squashfs, EROFS, ISO 9660, cramfs; nor others."""
    monkeypatch.setattr(stamps, "_dated", {})
    monkeypatch.setattr(stamps, "_native", SimpleNamespace(file_system=lambda descriptor: number))
    assert stamps.lasts((1, 2, 3, 4, 5), time.time_ns(), 0) is dated


def test_the_core_says_which_file_system_it_is(tmp_path: Path) -> None:
    with open("/proc/self/status") as proc, open(tmp_path / "x", "w") as plain:
        assert _native.file_system(proc) == 0x9FA0  # type: ignore[arg-type]
        told = subprocess.run(
            ["stat", "-f", "-c", "%t", plain.name], capture_output=True, text=True, check=True
        )
        assert f"{_native.file_system(plain.fileno()):x}" == told.stdout.strip()
    with pytest.raises(OSError, match="Bad file descriptor"):
        _native.file_system(10**6)
    with pytest.raises(TypeError):
        _native.file_system("a path")  # type: ignore[arg-type]


def _in_place(header: Path) -> None:
    with open(header, "r+") as opened:
        opened.write("two")


def _replaced(header: Path) -> None:
    new = header.with_suffix(".new")
    new.write_text("two")
    new.rename(header)


def _mapped(header: Path) -> None:
    import mmap

    with open(header, "r+b") as opened, mmap.mmap(opened.fileno(), 3) as mapped:
        mapped[:] = b"two"
        mapped.flush()


def _reused(header: Path) -> None:
    """A file system may give a new file the inode of one that was removed."""
    header.unlink()
    header.write_text("two")


def _switched(header: Path) -> None:
    """As alternatives are: a link that leads elsewhere."""
    other = header.with_name("other.hpp")
    other.write_text("two")
    header.unlink()
    header.symlink_to(other)


@pytest.mark.usefixtures("old")
@pytest.mark.parametrize("change", [_in_place, _replaced, _mapped, _reused, _switched])
def test_another_content_of_the_same_size_and_time_is_noticed(
    again: Again, maker: Maker, change: Callable[[Path], None]
) -> None:
    for _ in range(3):
        again()
        time.sleep(0.02)
    before = maker.header.stat()
    change(maker.header)
    os.utime(maker.header, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = maker.header.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    time.sleep(0.02)
    assert again()[0] == "two"
    assert maker.calls == 2


@pytest.mark.usefixtures("old")
def test_a_change_in_the_same_tick_of_a_coarse_clock_is_noticed(
    again: Again, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock may tick every two seconds: two contents have one stamp."""

    def coarse(found: os.stat_result) -> tuple[int, ...]:
        *same, mtime, ctime = stamp_of(found)
        return (*same, mtime - mtime % 10**12, ctime - ctime % 10**12)

    monkeypatch.setattr(verifying, "stamp_of", coarse)
    monkeypatch.setattr(stamps, "_COARSEST", 2 * 10**12)
    for _ in range(3):
        again()
    _in_place(maker.header)
    assert again()[0] == "two"


@pytest.mark.usefixtures("old")
def test_one_process_notices_it_too(cache: Cache, maker: Maker) -> None:
    cache.get("r", maker)
    time.sleep(0.02)
    before = maker.header.stat()
    cache.get("r", maker)
    _in_place(maker.header)
    os.utime(maker.header, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cache.get("r", maker).file("out").read_text() == "two"


@pytest.mark.usefixtures("old")
@pytest.mark.parametrize("text", ["", "[]", "7", '{"h": 1}', "[" * 100_000, '{"out": null}', "\0"])
def test_odd_stamps_are_no_stamps(again: Again, cache: Cache, maker: Maker, text: str) -> None:
    for _ in range(3):
        again()
    (entry,) = cache.root.glob("*/*/stamps.json")
    entry.write_text(text)
    assert again() == ("one", 2)
    assert again() == ("one", 1)
    _replaced(maker.header)
    assert again()[0] == "two"


@pytest.mark.usefixtures("old")
def test_stamps_of_a_copied_cache_are_not_believed(again: Again, cache: Cache, maker: Maker) -> None:
    """It may be another machine's, whose files had the same numbers by chance."""
    for _ in range(3):
        again()
        time.sleep(0.02)
    moved = cache.root.with_name("moved")
    cache.root.rename(moved)
    shutil.copytree(moved, cache.root)
    assert [again(), again()] == [("one", 2), ("one", 1)]
    assert maker.calls == 1


@pytest.mark.usefixtures("old")
def test_a_damaged_library_is_noticed_whatever_its_stamp(cache: Cache, again: Again, maker: Maker) -> None:
    for _ in range(3):
        again()
        time.sleep(0.02)
    (entry,) = cache.root.glob("*/*/out")
    (stored,) = cache.root.glob("*/*/stamps.json")
    entry.write_text("bad")
    found = json.loads(stored.read_text())
    found["stamps"]["out"] = [*stamp_of(entry.stat())]
    with open(stored, "r+") as opened:  # the same file
        opened.write(json.dumps(found))
    time.sleep(0.02)
    assert again()[0] == "one"
    assert maker.calls == 2


def test_processes_and_threads_look_at_once(tmp_path: Path) -> None:
    program = (
        "import sys, threading\n"
        "from pathlib import Path\n"
        "from samebytes.toolchain import cache, stamps, verifying\n"
        "stamps._COARSEST, stamps._is_dated = 0, lambda *given: True\n"
        "def make(work): (work / 'out').write_text('one'); return cache.Inputs((sys.argv[1],))\n"
        "def look():\n"
        "    for _ in range(20):\n"
        "        verifying._digests.clear()\n"
        "        assert cache.Cache(Path(sys.argv[2])).get('r', make).read('out') == b'one'\n"
        "threads = [threading.Thread(target=look) for _ in range(4)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
    )
    (tmp_path / "h.hpp").write_text("one")
    command = [sys.executable, "-c", program, str(tmp_path / "h.hpp"), str(tmp_path / "cache")]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [(p.communicate()[1], p.returncode) for p in running] == [("", 0)] * 3
    assert [*tmp_path.glob("cache/*/*/stamps.json")]
    assert not [*tmp_path.glob("cache/*/*/.stamps*")]


@pytest.mark.usefixtures("old")
def test_a_cache_that_is_only_read_serves(
    again: Again, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    again()
    monkeypatch.setattr(verifying, "replace_file", lambda *given: (_ for _ in ()).throw(OSError("read-only")))
    assert [again(), again()] == [("one", 2)] * 2
    assert not [*cache.root.glob("*/*/.stamps*")]


def counting(runs: list[tuple[str, ...]]) -> Callable[[tuple[str, ...]], Any]:
    """What starts compilers, and says which."""
    run = compilers._run
    return lambda command: (runs.append(command), run(command))[1]


class TestCompilers:
    """What a driver says is remembered while its file and the folders that it named are as they were."""

    @pytest.fixture(autouse=True)
    def home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: None) -> None:
        monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path / "cache"))

    @pytest.fixture
    def driver(self, tmp_path: Path) -> Path:
        found = Path(os.path.realpath(shutil.which("g++") or "/nowhere"))
        if not found.is_file() or found.read_bytes()[:4] != b"\x7fELF":
            pytest.skip("there is no g++")
        copy = tmp_path / "bin" / "g++-99"
        copy.parent.mkdir()
        shutil.copy(found, copy)
        time.sleep(0.02)
        return copy

    def identities(self, driver: Path) -> list[tuple[Any, int]]:
        """What two processes find, and how often they start it."""
        found = []
        for _ in range(2):
            runs: list[tuple[str, ...]] = []
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(compilers, "_run", counting(runs))
                compiler = compilers._identify((str(driver),), "c++")
            found.append((compiler and compiler.identity, len(runs)))
        return found

    def test_started_once(self, driver: Path) -> None:
        (first, runs), (second, more) = self.identities(driver)
        assert (runs, more) == (2, 0)
        assert first == second
        assert "Free Software Foundation" in first

    def test_another_file_is_asked(self, driver: Path) -> None:
        self.identities(driver)
        before = driver.stat()
        data = driver.read_bytes()
        with open(driver, "r+b") as opened:
            opened.write(data)
        os.utime(driver, ns=(before.st_atime_ns, before.st_mtime_ns))
        time.sleep(0.02)
        assert [runs for _, runs in self.identities(driver)] == [2, 0]

    def test_one_that_was_put_there_just_now_is_asked_again(
        self, driver: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stamps, "_COARSEST", 2 * 10**12)
        assert [runs for _, runs in self.identities(driver)] == [2, 2]

    @pytest.mark.parametrize("name", ["g++-99", "ccache", "g++.sh", "g++"])
    def test_what_starts_another_is_asked_each_time(self, driver: Path, name: str) -> None:
        """A script, or a program of another name: what it starts may be another one tomorrow."""
        if name == "ccache":
            other = driver.rename(driver.with_name(name))
        elif name == "g++":  # a copy of ccache under a compiler's name says what the compiler says
            other = driver.rename(driver.with_name(name))
            other.write_bytes(other.read_bytes().replace(b"COLLECT_GCC_OPTIONS", b"COLLECT_GCC_OPTIONZ"))
            time.sleep(0.02)
        else:
            real = driver.rename(driver.with_name("real"))
            other = driver.with_name(name)
            other.write_text(f'#!/bin/sh\nexec {real} "$@"\n')
            other.chmod(0o755)
        assert [runs for _, runs in self.identities(other)] == [2, 2]

    def test_a_link_to_ccache_is_no_compiler(self, driver: Path) -> None:
        cached = driver.rename(driver.with_name("ccache"))
        driver.symlink_to(cached)
        assert [runs for _, runs in self.identities(driver)] == [2, 2]

    def test_other_variables_are_another_question(
        self, driver: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.identities(driver)
        monkeypatch.setenv("COMPILER_PATH", "/elsewhere")
        assert [runs for _, runs in self.identities(driver)] == [2, 0]

    @pytest.mark.parametrize("text", ["", "[]", '{"version": 1, "answers": 3}', "[" * 100_000])
    def test_an_odd_file_is_none(self, driver: Path, tmp_path: Path, text: str) -> None:
        self.identities(driver)
        (tmp_path / "cache" / answers.ANSWERS).write_text(text)
        assert [runs for _, runs in self.identities(driver)] == [2, 0]

    def test_a_file_that_others_can_write_to_is_not_believed(self, driver: Path, tmp_path: Path) -> None:
        self.identities(driver)
        file = tmp_path / "cache" / answers.ANSWERS
        file.write_text(file.read_text().replace("Free Software Foundation", "Mallory"))
        file.chmod(0o666)
        (identity, runs), _ = self.identities(driver)
        assert runs == 2
        assert "Mallory" not in identity

    def gcc(self) -> compilers.Compiler:
        compiler = compilers.find_compiler("c++")
        if "Free Software" not in compiler.identity:
            pytest.skip("the compiler is none of GCC's")
        return compiler

    def folders(self, flags: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
        compiler = self.gcc()
        runs: list[Any] = []
        compilers._directories.cache_clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compilers, "_run", counting(runs))
            found = compilers.system_includes(compiler, flags)
        return found, len(runs)

    def macros(self, *flags: str) -> tuple[tuple[str, ...], int]:
        compiler = self.gcc()
        runs: list[Any] = []
        mirrored._mirrored.cache_clear()
        with pytest.MonkeyPatch.context() as patch:
            run = mirrored.run
            patch.setattr(mirrored, "run", lambda command: (runs.append(command), run(command))[1])
            found = mirrored.mirrored_macros(compiler, flags)
        return found, len(runs)

    def test_macros_are_asked_for_once(self, tmp_path: Path) -> None:
        first, runs = self.macros("-O3", "-std=c++17", "-DNDEBUG", "-I", str(tmp_path))
        assert runs == 1
        assert "-D__OPTIMIZE__=1" in first
        assert self.macros("-O3", "-std=c++17", "-DNDEBUG", "-include", "no.h") == (first, 0)
        assert self.macros("-O0", "-std=c++17", "-DNDEBUG")[1] == 1
        assert self.macros("-O3", "-std=c++20", "-DNDEBUG")[1] == 1
        assert "-DNDEBUG=0" in self.macros("-O3", "-std=c++17", "-DNDEBUG=0")[0]
        (tmp_path / "stdc-predef.h").write_text("#define NDEBUG 3\n")  # GCC includes it before any source
        assert "-DNDEBUG=3" in self.macros("-O3", "-I", str(tmp_path))[0]

    @pytest.mark.parametrize("flag", ["-march=native", "-specs={}", "@{}", "-B{}"])
    def test_macros_that_others_decide_are_asked_for_each_time(self, flag: str, tmp_path: Path) -> None:
        (tmp_path / "more").touch()
        flags = ("-O3", flag.format(tmp_path / "more"))
        assert [self.macros(*flags)[1] for _ in "12"] == [1, 1]

    def test_macros_are_asked_for_where_a_file_that_decides_them_changes(
        self, driver: Path, tmp_path: Path
    ) -> None:
        end, specs, runs = tmp_path / "cc1plus", tmp_path / "specs", []

        def said() -> list[str]:
            files = [str(end), str(specs)]
            return answers.about_front_end(
                str(driver), ["-O3"], lambda: (runs.append(1), ([str(len(runs))], files))[1]
            )

        end.write_text("one")
        time.sleep(0.02)
        assert [said(), said()] == [["1"], ["1"]]
        end.write_text("two")
        time.sleep(0.02)
        assert [said(), said()] == [["2"], ["2"]]
        specs.touch()
        time.sleep(0.02)
        assert [said(), said()] == [["3"], ["3"]]

    def test_folders_are_asked_again_where_another_is_there(self, tmp_path: Path) -> None:
        """GCC passes over what is not there: it may be there the next time."""
        root, local = tmp_path / "root", tmp_path / "root" / "usr" / "local" / "include"
        (root / "usr" / "include").mkdir(parents=True)
        flags = (f"--sysroot={root}",)
        first, runs = self.folders(flags)
        assert (runs, self.folders(flags)) == (1, (first, 0))
        local.mkdir(parents=True)
        second, runs = self.folders(flags)
        assert runs == 1
        assert str(local) in second
        assert self.folders(flags) == (second, 0)
        local.rmdir()
        assert self.folders(flags) == (first, 1)

    def test_a_file_that_comes_to_be_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place = tmp_path / "late"
        place.touch()
        monkeypatch.setenv("CPATH", str(place))
        assert str(place) not in self.folders(())[0]
        place.unlink()
        place.mkdir()
        assert str(place) in self.folders(())[0]

    def test_relative_folders_are_asked_each_time(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("one", "two"):
            (tmp_path / name / "inc").mkdir(parents=True)
            monkeypatch.chdir(tmp_path / name)
            monkeypatch.setenv("CPLUS_INCLUDE_PATH", "inc")
            assert str(tmp_path / name / "inc") in self.folders(())[0]
        said = (
            json.loads((tmp_path / "cache" / answers.ANSWERS).read_text())
            if (tmp_path / "cache").exists()
            else {}
        )
        assert not [question for question in said.get("answers", ()) if '"folders"' in question]
