"""Which functions of libraries let a callback's exception out: those that GCC and Clang compiled, stripped or not."""

from __future__ import annotations

import shutil
import subprocess
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes import _native

pytestmark = pytest.mark.full  # libraries of several compilers

HEADER = r"""
#include <functional>
#include <stdexcept>
struct Refused : std::runtime_error { int code; Refused(int c) : std::runtime_error("refused"), code(c) {} };
int plain(int (*f)(int));
int cleanup(int (*f)(int));
int caught(int (*f)(int));
int typed(int (*f)(int));
int local(int (*f)(int));
int loop(int (*f)(int));
int quiet(int (*f)(int)) noexcept;
int through(int (*f)(int));
int through_cleanup(int (*f)(int));
int through_inline(int (*f)(int));
int destructor(int (*f)(int));
int through_c(int (*f)(int));
int holding(const std::function<int(int)>& f);
int many(int (*f)(int));
int many_others(int (*f)(int));
int through_many(int (*f)(int));
"""
SOURCE = r"""
#include "forms.hpp"
#include <vector>
#define APART __attribute__((noinline))
using ints = std::vector<int>;
int plain(int (*f)(int)) { return f(1) + 1; }
int cleanup(int (*f)(int)) { ints v(f != nullptr); std::vector<ints> w(f(1), ints(3)); return f(1) + v[0]; }
int caught(int (*f)(int)) { try { return f(1); } catch (const Refused& r) { return r.code; } catch (...) { return 5; } }
int typed(int (*f)(int)) { ints v(f != nullptr); try { return f(1); } catch (const std::out_of_range&) { return 5; } }
APART static int own(int (*f)(int)) { return f(1) - f(3); }
int local(int (*f)(int)) { return own(f) + 1; }
int loop(int (*f)(int)) { int n = 0; while (!f(n)) ++n; return n; }
APART int quiet(int (*f)(int)) noexcept { return f(1) + 1; }
APART static int quiet_cleanup(int (*f)(int)) noexcept { ints v(f != nullptr); return f(1) + v[0]; }
static inline int quiet_inline(int (*f)(int)) noexcept { ints v(f != nullptr); return f(1) + v[0]; }
int through(int (*f)(int)) { return quiet(f) + 1; }
int through_cleanup(int (*f)(int)) { ints v(f != nullptr); return quiet_cleanup(f) + v[0]; }
int through_inline(int (*f)(int)) { ints v(f != nullptr); return quiet_inline(f) + v[0]; }
struct Last { int (*f)(int); ~Last() { f(1); } };
int destructor(int (*f)(int)) { Last last{f}; return 1; }
extern "C" APART int c_function(int (*f)(int)) { return f(1) + f(2); }
int through_c(int (*f)(int)) { return c_function(f) + 1; }
APART static int quiet_holding(const std::function<int(int)>& f) noexcept { return f(1) + 1; }
int holding(const std::function<int(int)>& f) { std::function<int(int)> g = f; return quiet_holding(g); }
template <int> struct Other { int n; };
#define ONE(number) catch (const Other<number>& o) { return o.n + number; }
#define MANY(least) ONE(least) ONE(least + 1) ONE(least + 2) ONE(least + 3)
int many(int (*f)(int)) { try { return f(1) + 1; } MANY(0) MANY(4) catch (const Refused& r) { return r.code + 1; } }
int many_others(int (*f)(int)) { ints v(f != nullptr); try { return f(1) + v[0]; } MANY(0) MANY(4) }
APART static int quiet_many(int (*f)(int)) noexcept { try { return f(1) + 1; } MANY(0) MANY(4) }
int through_many(int (*f)(int)) { return quiet_many(f) + 1; }
"""
THROWN = ("plain", "cleanup", "caught", "typed", "local", "loop", "many", "many_others")
VALUES = (
    "quiet", "through", "through_cleanup", "through_inline", "destructor", "through_c", "holding", "through_many",
)  # fmt: skip
NUMBERS = count()
COMPILERS = {"gcc": ["g++"], "clang": ["clang-15", "--driver-mode=g++"]}
FLAGS = {
    "plain": ["-O0"],
    "fast": ["-O2"],
    "stripped": ["-O2", "-s"],
    "bound": ["-O3", "-Wl,-z,now", "-fno-plt"],
    "sections": ["-O2", "-ffunction-sections", "-fno-semantic-interposition"],
}


def failing(*_: Any) -> Any:
    raise KeyError("the callable's")


def notes_of(call: Any, f: Any = failing, error: type[BaseException] = KeyError) -> int:
    with pytest.raises(error) as raised:
        call(f)
    return len([n for n in getattr(raised.value, "__notes__", ()) if n.startswith("C++ went on")])


def compiled(folder: Path, compiler: list[str], flags: list[str]) -> Path:
    """A library whose name no other one of the process has."""
    if not shutil.which(compiler[0]):
        pytest.skip(f"no {compiler[0]}")
    (folder / "forms.hpp").write_text(HEADER)
    (folder / "forms.cpp").write_text(SOURCE)
    library = folder / f"libforms_{next(NUMBERS)}.so"
    made = [*compiler, "-std=c++17", "-shared", "-fPIC", "-w", *flags, "forms.cpp", "-o", str(library)]
    subprocess.run(made, cwd=folder, check=True)
    return library


def bound(library: Path) -> Any:
    return sb.bind(library.with_name("forms.hpp"), library=library, std="c++17")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", FLAGS)
def test_which_functions_let_an_exception_out(tmp_path: Path, compiler: str, flags: str) -> None:
    lib = bound(compiled(tmp_path, COMPILERS[compiler], FLAGS[flags]))
    found = {name: notes_of(getattr(lib, name)) for name in (*THROWN, *VALUES)}
    assert found == {**dict.fromkeys(THROWN, 0), **dict.fromkeys(VALUES, 1)}

    def refusing(_: int) -> int:
        raise lib.Refused.exception(42)

    assert (lib.many(refusing), notes_of(lib.many_others, refusing, lib.Refused.exception)) == (43, 0)
    assert lib.caught(refusing) == 42  # C++'s own exception, by its type, through a function of numbers
    with pytest.raises(lib.Refused.exception):
        lib.plain(refusing)


def test_what_has_no_tables_gets_a_value(tmp_path: Path) -> None:
    flags = ["-O2", "-fno-exceptions", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
    (tmp_path / "bare.hpp").write_text("int bare(int (*f)(int));")
    (tmp_path / "bare.cpp").write_text('#include "bare.hpp"\nint bare(int (*f)(int)) { return f(1) + f(2); }')
    made = ["g++", "-shared", "-fPIC", *flags, "bare.cpp", "-o", "libbare.so"]
    subprocess.run(made, cwd=tmp_path, check=True)
    assert notes_of(sb.bind(tmp_path / "bare.hpp", library=tmp_path / "libbare.so").bare) == 1


def test_a_file_that_has_changed_since_tells_nothing(tmp_path: Path) -> None:
    library = compiled(tmp_path, COMPILERS["gcc"], FLAGS["fast"])
    lib = bound(library)
    assert lib.cleanup(lambda n: n) == 1  # it is loaded
    compiled(tmp_path, COMPILERS["gcc"], FLAGS["plain"]).replace(library)
    assert {name: notes_of(getattr(lib, name)) for name in ("cleanup", *VALUES)} == dict.fromkeys(
        ("cleanup", *VALUES), 1
    )


@pytest.fixture(scope="module")
def c() -> Any:
    return sb.compile(
        "typedef int (*ready_t)(int); static ready_t stored;\n"
        "int wait_for(ready_t f) { int n = 0; while (!f(n)) if (++n == 3) break; return n; }\n"
        "void store(ready_t f) { stored = f; }\nint call(void) { return stored(1) + stored(2); }\n",
        language="c",
    )


def test_c_gets_a_value(c: Any) -> None:
    counts = []

    def counted(n: int) -> int:
        counts.append(n)
        raise KeyError(n)

    assert notes_of(c.wait_for, counted) == 1
    assert notes_of(c.wait_for, sb.callback(counted, on_error=1)) == 1
    stored = c.ready_t(sb.callback(counted, on_error=5))
    c.store(stored)
    assert notes_of(lambda _: c.call()) == 1
    assert counts == [0, 1, 2, 0, 1, 2]


def test_one_that_has_ended_stops_what_calls_it() -> None:
    lib = sb.compile(
        "using F = int (*)(int); inline F stored; void store(F f) { stored = f; }\n"
        "int loop() { int n = 0; while (!stored(n)) ++n; return n; }"
    )
    lib.store(lambda n: 1)
    with pytest.raises(sb.ArgumentError, match="when its C function had ended"):
        lib.loop()


def test_the_value_is_one_that_cxx_takes() -> None:
    lib = sb.compile("int one(int (*f)(int)) { return f(1); } void none(void (*f)(int)) { f(1); }")
    with pytest.raises(sb.ArgumentError, match=r"one\(\) argument 1 'f.on_error': expected int32.*got 'x'"):
        lib.one(sb.callback(failing, on_error="x"))
    with pytest.raises(sb.ArgumentError, match=r"'f.on_error': expected None, as C\+\+ gets nothing, got 1"):
        lib.none(sb.callback(failing, on_error=1))
    with pytest.raises(TypeError, match="on_error= is for a callable"):
        sb.callback(None, on_error=1)
    with pytest.raises(TypeError, match=r"needs the type of the function, or .*on_error="):
        sb.callback(failing)  # type: ignore[call-overload]
    chosen = sb.callback(lambda n: n + 1, on_error=0)
    assert (chosen(1), lib.one(chosen)) == (2, 2)
    with pytest.raises(sb.ArgumentError, match="It takes"):
        lib.one(sb.callback(lambda: 1, on_error=1))


def test_functions_that_ctypes_makes_give_the_value() -> None:
    held = [sb.callback(lambda: None, "void(*)()") for _ in range(_native.CLOSURES)]
    lib = sb.compile(
        "int sum(int (*f)(int)) { return f(1) + f(2); } int seen; void put(int (*f)(int)) { seen = f(1); }"
    )
    for on_error in (0, 9):
        with pytest.raises(KeyError):
            lib.put(sb.callback(failing, on_error=on_error))
        assert lib.seen == on_error
    assert len(held) == _native.CLOSURES
