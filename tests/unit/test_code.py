"""The code of libraries is read as binutils have it: functions, what they call, where exceptions go on."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from samebytes.toolchain.code import decoding
from samebytes.toolchain.code.flow import COMPUTED, LONG, UNREADABLE, Flow, flow
from samebytes.toolchain.code.image import Image, Target
from samebytes.toolchain.code.presence import can_decode

pytestmark = pytest.mark.skipif(not can_decode(), reason="Capstone is not installed")

SOURCE = r"""
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#define OWN extern "C" __attribute__((noinline))
OWN int own(int x) { return x * 3 + 1; }
OWN int calls_own(int x) { return own(x) + own(x + 1); }
OWN int ends_in_own(int x) { return own(x - 1); }
OWN void* calls_library(std::size_t n) { void* made = std::malloc(n); own(int(n)); return made; }
OWN int calls_pointer(int (*f)(int)) { return f(3) + 1; }
OWN int jumps_to_pointer(int (*f)(int)) { return f(3); }
OWN int chooses(int x) {
  switch (x) { case 0: return own(7); case 1: return std::rand(); case 2: return std::abs(own(x)); case 3: return x * x;
    case 4: return own(2) - 3; case 5: return std::atoi("1"); case 6: return own(x) * 7; case 7: return own(-x); }
  return 0;
}
OWN int throws(int x) { if (x < 0) throw std::out_of_range("negative"); return x; }
OWN void locks(std::mutex& m) { m.lock(); }
OWN int catches(int x, std::mutex& m) {
  try { return throws(x); } catch (const std::logic_error&) { locks(m); return -1; }
}
OWN int retries(int x) {
again:
  try { return throws(x); } catch (...) { x += 1; goto again; }
}
static int (*chosen)(int) = own;
OWN void choose(int (*f)(int)) { chosen = f; }
OWN int calls_variable(int x) { return chosen(x) + 1; }
OWN int loops(int n, const int* a) { int sum = 0; for (int i = 0; i < n; ++i) sum += a[i]; return sum; }
OWN int fails(const char*) __attribute__((cold, noreturn));
int fails(const char* words) { throw std::runtime_error(words); }
OWN int guards(int x) { if (x < 0) fails("negative"); return x + 1; }
OWN int traps(int x) { if (x < 0) __builtin_trap(); return x + 1; }
"""


@pytest.fixture(scope="module", params=["-O0", "-O2", "-O3 -fcf-protection", "-O2 -fno-plt", "-Os"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("code")
    (folder / "a.cpp").write_text(SOURCE)
    made = folder / "liba.so"
    flags = request.param.split()
    command = ["g++", *flags, "-fPIC", "-shared", "-Wl,-Bsymbolic", "a.cpp", "-o", str(made)]
    subprocess.run(command, cwd=folder, check=True)
    return made


@pytest.fixture(scope="module")
def image(library: Path) -> Image:
    return Image(library)


def read(image: Image, name: str) -> Flow:
    return flow(image, image.functions[name].address)


def called(image: Image, name: str) -> set[str]:
    """The names of what is called; ``?`` for what nobody can tell."""
    targets = read(image, name).calls.values()
    at = [image.function_at(t.address) if t.address is not None else None for t in targets]
    return {extent.name if extent else t.name or "?" for t, extent in zip(targets, at, strict=True)}


def reaches_itself(found: Flow) -> bool:
    """Whether some instruction may run twice."""

    def behind(start: int) -> Iterator[int]:
        seen, open_ = set[int](), [*found.successors[start]]
        while open_:
            address = open_.pop()
            if address not in seen:
                seen.add(address)
                yield address
                open_.extend(found.successors.get(address, ()))

    return any(start in behind(start) for start in found.instructions)


@pytest.mark.skipif(shutil.which("nm") is None, reason="binutils are not installed")
def test_functions_lie_where_nm_says(library: Path, image: Image) -> None:
    text = subprocess.run(["nm", "-S", library], capture_output=True, text=True, check=True).stdout
    due = {n: (int(a, 16), int(s, 16)) for a, s, n in re.findall(r"^(\w+) (\w+) [tTW] (\S+)$", text, re.M)}
    assert {"own", "catches", "chooses"} <= due.keys()
    for name, (address, size) in due.items():
        assert (image.functions[name].address, image.functions[name].size) == (address, size)
        assert len(image.code(image.functions[name])) == size
        assert image.function_at(address + size - 1).name in {n for n, at in due.items() if at[0] == address}  # type: ignore[union-attr]


@pytest.mark.skipif(shutil.which("objdump") is None, reason="binutils are not installed")
def test_instructions_are_those_of_objdump(library: Path, image: Image) -> None:
    """Decoded one way through, each function has the instructions that objdump shows, at the same addresses."""
    text = subprocess.run(["objdump", "-d", library], capture_output=True, text=True, check=True).stdout
    shown = {int(a, 16) for a in re.findall(r"^ +([0-9a-f]+):\t", text, re.M)}
    for name in ("own", "catches", "retries", "loops", "throws", "calls_library"):
        assert read(image, name).instructions.keys() <= shown, name


CALLS = [
    ("calls_own", {"own"}),
    ("calls_library", {"malloc", "own"}),
    ("calls_pointer", {"?"}),
    ("calls_variable", {"?"}),  # whatever it is set to at first
    ("retries", {"throws", "__cxa_begin_catch", "__cxa_end_catch"}),
    ("guards", {"fails"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "due"), CALLS, ids=[name for name, _ in CALLS])
def test_what_is_called(image: Image, name: str, due: set[str]) -> None:
    found = called(image, name)
    assert due <= found
    assert found - due <= {"_Unwind_Resume", "__cxa_end_catch"}


def test_what_is_caught_is_reached(image: Image) -> None:
    """The call behind a landing pad is one of the function, wherever the compiler put it (``.cold``)."""
    assert {"throws", "locks", "__cxa_begin_catch"} <= called(image, "catches")


@pytest.mark.parametrize("name", ["loops", "retries"])
def test_what_runs_twice(image: Image, name: str) -> None:
    assert reaches_itself(read(image, name))


@pytest.mark.parametrize("name", ["own", "calls_own", "throws", "catches", "guards", "traps"])
def test_what_runs_once(image: Image, name: str) -> None:
    found = read(image, name)
    assert found.is_complete
    assert not reaches_itself(found)


def test_the_last_call_goes_on(image: Image) -> None:
    """A jump to another function is part of the flow; so is a call of it."""
    found = read(image, "ends_in_own")
    own = image.functions["own"].address
    assert own in found.instructions or Target(own) in found.calls.values()


def test_what_is_computed_is_said(image: Image) -> None:
    found = read(image, "jumps_to_pointer")
    assert COMPUTED in found.problems.values() or Target() in found.calls.values()


def test_it_gives_up(image: Image) -> None:
    found = flow(image, image.functions["catches"].address, most=3)
    assert LONG.format(most=3) in found.problems.values()
    assert not found.is_complete


def test_what_is_no_code(image: Image) -> None:
    assert [*flow(image, 0).problems.values()] == [UNREADABLE]


def test_the_numbers_are_those_of_capstone() -> None:
    capstone = pytest.importorskip("capstone.x86")
    named = ["GRP_JUMP", "GRP_CALL", "GRP_RET", "GRP_IRET", "OP_IMM", "OP_MEM", "REG_RIP"]
    ours = (
        *(decoding._JUMP, decoding._CALL, decoding._RETURN, decoding._INTERRUPT_RETURN),
        *(decoding._NUMBER, decoding._MEMORY, decoding._RIP),
    )
    assert ours == tuple(getattr(capstone, f"X86_{name}") for name in named)


def test_no_library(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no code")
    with pytest.raises(ValueError, match="no 64-bit"):
        Image(tmp_path / "text")
