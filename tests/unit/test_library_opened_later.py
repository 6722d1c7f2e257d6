"""A library that is opened on first use: what a header's own code needs of it, and its variables."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # programs of their own
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]

HEADER = """
struct hidden;
extern int counter;
extern const char version[];
extern const int table[3];
extern double weights[];
extern const char *motto;
extern struct hidden secret;
extern int gone;
extern double (*hook)(double);
int __plus(int, int);
int __minus(int, int);
int not_there(int);
int plain(int);
static inline int alone(int x) { return x + 1; }
static inline int deeper(int x) { return __plus(x, x); }
static inline int twice(int x) { return deeper(x); }
static inline int next_count(void) { return ++counter; }
static inline int lacks(int x) { return not_there(x) + __plus(x, 1); }
static inline int lost(void) { return gone; }
static inline void *where(void) { return &secret; }
extern inline __attribute__((gnu_inline)) int negative(int x) { return __minus(0, x); }
static inline int chosen(int minus) { int (*f)(int, int) = minus ? __minus : __plus; return f(5, 3); }
static inline int at(int i) { return table[i]; }
"""
SOURCE = """
int counter = 41;
const char version[] = "7.5";
const int table[3] = {2, 3, 5};
double weights[] = {1.5, 2.5};
const char *motto = "same bytes";
struct hidden { int number; } secret = {99};
static double half(double x) { return x / 2; }
double (*hook)(double) = half;
int __plus(int a, int b) { return a + b; }
int __minus(int a, int b) { return a - b; }
int plain(int x) { return -x; }
int negative(int x) { return -x; }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("later")
    (made / "later.h").write_text(HEADER)
    (made / "later.c").write_text(SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "liblater.so", "later.c"], cwd=made, check=True)
    return made


@pytest.fixture(scope="module")
def lib(folder: Path) -> Any:
    return sb.bind(folder / "later.h", library=folder / "liblater.so", language="c")


CALLS = {
    "lib.plain(3)": -3,
    "lib.alone(3)": 4,
    "lib.twice(3)": 6,
    "lib.negative(3)": -3,
    "(lib.chosen(0), lib.chosen(1))": (8, 2),
    "[lib.at(i) for i in range(3)]": [2, 3, 5],
    "lib.table.tolist()": [2, 3, 5],
    "lib.motto": "same bytes",
    "lib.hook(3.0)": 1.5,
    "int(lib.where()) != 0": True,
}


@pytest.mark.parametrize("call", CALLS)
def test_a_headers_own_code_uses_the_library(lib: Any, call: str) -> None:
    assert eval(call, {"lib": lib}) == CALLS[call]


@each("flags", [["-O0"], ["-O1"], ["-O2", "-fno-inline"], ["-fno-plt"], ["-Og"]])
def test_code_that_only_takes_addresses_uses_the_library(folder: Path, flags: list[str]) -> None:
    """Without a call nothing in an object says that a name which is not exposed is a function's."""
    lib = sb.bind(folder / "later.h", library=folder / "liblater.so", language="c", flags=flags)
    for call, expected in CALLS.items():
        assert eval(call, {"lib": lib}) == expected, call


def test_a_variable_is_the_librarys_own(lib: Any) -> None:
    lib.counter = 6
    assert (lib.next_count(), lib.counter) == (7, 7)


def test_arrays_of_unknown_length(lib: Any) -> None:
    assert lib.version == "7.5"
    assert (ctypes.c_double * 2).from_address(int(lib.weights))[:] == [1.5, 2.5]
    for name in ("version", "weights"):
        with pytest.raises(AttributeError, match="is an array and cannot be set"):
            setattr(lib, name, None)


def test_arrays_of_unknown_length_in_cxx(tmp_path: Path) -> None:
    lib: Any = sb.compile(
        'extern "C" { extern const char motto[]; extern int primes[]; }', sources=[_defined(tmp_path)]
    )
    assert lib.motto == "oats"
    assert (ctypes.c_int * 2).from_address(int(lib.primes))[:] == [2, 3]


def _defined(folder: Path) -> Path:
    made = folder / "defined.c"
    made.write_text('const char motto[] = "oats"; int primes[] = {2, 3};')
    return made


@pytest.mark.parametrize(
    ("use", "words"),
    [
        ("lib.lacks(1)", r"liblater\.so has no not_there, which the header declares"),
        ("lib.lost()", r"liblater\.so has no gone, which the header declares"),
        ("lib.gone", r"liblater\.so has no gone, which the header declares"),
    ],
)
def test_what_the_library_lacks_is_said(lib: Any, use: str, words: str) -> None:
    with pytest.raises(sb.MissingDependency, match=words):
        eval(use)


@pytest.mark.parametrize("use", ["lib.twice(1)", "lib.counter", "lib.next_count()"])
def test_a_library_that_is_not_there(folder: Path, use: str) -> None:
    lib = sb.bind(folder / "later.h", library="libnowhere.so.9", language="c", name="nowhere_later")
    assert lib.alone(3) == 4
    with pytest.raises(sb.MissingDependency, match=r"is in libnowhere\.so\.9, which cannot be opened"):
        eval(use)


def test_functions_are_explained_before_anyone_opens_the_library(folder: Path) -> None:
    lib: Any = sb.bind(folder / "later.h", library="libnowhere.so.7", language="c", name="unopened")
    assert sb.explain(lib, "plain").functions[0].python == "plain(arg0: int32) -> int32"
    assert {f.name for f in sb.explain(lib).functions} >= {"plain", "not_there", "alone"}


def test_a_variable_of_the_name_of_something_else(tmp_path: Path) -> None:
    """The name is a field's, too: its macro would break the header, so the variable is left out."""
    (tmp_path / "both.h").write_text(
        "typedef struct { int level; } tank; extern int level; int fill(int);\n"
        "static inline int half(const tank *t) { return t->level / 2; }\n"
        "static inline int full(void) { return level; }\n"
    )
    with pytest.warns(sb.BindWarning):
        lib = sb.bind(tmp_path / "both.h", library="libnowhere.so.9", language="c")
    assert lib.half(lib.tank(level=8)) == 4
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert "no source or library given defines it" in reasons["level"]
    assert "uses level" in reasons["full()"]


def test_a_variable_that_its_header_makes_a_macro(folder: Path, tmp_path: Path) -> None:
    """As libxml2's are: the name is a call, where threads have variables of their own."""
    (tmp_path / "own.h").write_text(
        "#undef counter\nextern int counter;\nextern const int table[3];\nint plain(int);\n"
        "int *counter_of_thread(void);\n#define counter (*(counter_of_thread()))\n"
    )
    lib: Any = sb.bind(tmp_path / "own.h", library=folder / "liblater.so", language="c")
    assert (lib.plain(2), lib.table.tolist()) == (-2, [2, 3, 5])
    assert "counter" in {s.name for s in lib.__skipped__}


@pytest.mark.parametrize(
    "body",
    [
        "int f(int counter) { return counter + 1; }",
        "int f(int x) { int counter; counter = x; return counter + 1; }",
        "int f(int x) { int y = x, counter = y; return counter + 1; }",
        "int f(int x) { struct { int counter; } s = {x}; return s.counter + 1; }",
        "int f(int x) { int *p = &x, *counter = p; return *counter + 1; }",
    ],
)
def test_a_variables_name_that_means_something_else_too(folder: Path, tmp_path: Path, body: str) -> None:
    """The name cannot be a macro there: the variable is left out, and the function is what it was."""
    header = tmp_path / "again.h"
    header.write_text(
        f"extern int counter;\nextern const int table[3];\nint plain(int);\nstatic inline {body}\n"
    )
    lib: Any = sb.bind(header, library=folder / "liblater.so", language="c")
    assert (lib.f(4), lib.plain(2), lib.table.tolist()) == (5, -2, [2, 3, 5])
    assert "counter" in {s.name for s in lib.__skipped__}


def test_packages(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "samebytes", "bind", str(folder / "later.h"), "--language", "c"]
    subprocess.run(
        [*command, "--library", str(folder / "liblater.so"), "--name", "later_package", "-o", str(tmp_path)],
        check=True,
    )
    code = "import later_package as m; print(m.twice(4), m.counter, m.next_count(), m.counter)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["8", "41", "42", "42"]


def test_a_large_header(tmp_path: Path) -> None:
    """Large libraries are compiled in pieces: what is missing there is judged piece by piece."""
    many = "".join(f"int f{i}(int);\n" for i in range(300))
    own = "static inline int twice(int x) { return __plus(x, x); }\nint __plus(int, int);\n"
    (tmp_path / "large.h").write_text(f"int __plus(int, int);\nextern int counter;\n{many}{own}")
    source = "int counter = 5; int __plus(int a, int b) { return a + b; }\n"
    (tmp_path / "large.c").write_text(
        source + "".join(f"int f{i}(int x) {{ return x + {i}; }}\n" for i in range(300))
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "liblarge.so", "large.c"], cwd=tmp_path, check=True)
    lib: Any = sb.bind(tmp_path / "large.h", library=tmp_path / "liblarge.so", language="c")
    assert (lib.twice(4), lib.f299(1), lib.counter) == (8, 300, 5)
    with pytest.warns(sb.BindWarning):
        alone: Any = sb.bind(tmp_path / "large.h", language="c", name="large_alone", eager=True)
    assert {s.name for s in alone.__skipped__} >= {"f0(int)", "counter", "twice(int)"}
    later: Any = sb.bind(tmp_path / "large.h", language="c", name="large_later")
    with pytest.raises(
        sb.BindError, match=r"f0\(int\) is not bound: .*no source or library given defines it"
    ):
        later.f0(1)
    assert "f0(int)" in {s.name for s in later.__skipped__}
