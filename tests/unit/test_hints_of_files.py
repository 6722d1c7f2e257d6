"""What the hints of the cache, headers, C APIs and packages advise works when it is followed.

Each row is refused once, with the hint in the words, and then does what the hint says.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import samebytes as sb
from samebytes.arrays.memory import memories
from samebytes.toolchain.kernel_metadata import _need
from samebytes.tools.demo.run import LIBRARIES

pytestmark = pytest.mark.full  # it takes long

ROOT = Path(__file__).parents[2]
PACKAGE = Path(sb.__file__).parent


# --- the cache

USE = "import samebytes as sb; lib = sb.compile('inline int f() { return 4; }'); print(lib.f(), lib.__file__)"


def last_line(cache: Path | str, **environment: str) -> str:
    """What a process with this cache prints last: the result of a call and where it is from, or an error."""
    given = {**os.environ, "SAMEBYTES_CACHE_DIR": str(cache), **environment}
    done = subprocess.run([sys.executable, "-c", USE], env=given, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip().splitlines()[-1]


def open_to_all(folder: Path) -> Path:
    folder.mkdir()
    folder.chmod(0o777)
    return folder


CACHES: dict[str, tuple[Callable[[Path], Path | str], str]] = {
    "no directory": (lambda tmp: "/dev/null/x", r"set SAMEBYTES_CACHE_DIR to a directory of yours\.$"),
    "no home": (lambda tmp: "~nobody-of-this-name/x", r"set SAMEBYTES_CACHE_DIR to a full path\.$"),
    "no name": (lambda tmp: tmp / 'quo"te', r"Set SAMEBYTES_CACHE_DIR to a directory of another name"),
    "a file": (lambda tmp: Path(__file__), r"set SAMEBYTES_CACHE_DIR to a new directory"),
    "for all": (lambda tmp: open_to_all(tmp / "all"), r"set SAMEBYTES_CACHE_DIR to a new directory of yours"),
}


@pytest.mark.parametrize("case", CACHES)
def test_another_cache_is_set(tmp_path: Path, case: str) -> None:
    tmp_path.chmod(0o700)
    place, words = CACHES[case]
    refused = last_line(place(tmp_path), HOME=str(tmp_path))
    assert re.search(words, refused), refused
    named = re.search(r"such as (\S+), which samebytes makes", refused)
    another = Path(named[1]) if named else tmp_path / "mine"
    assert last_line(another).startswith(f"4 {another}")


def test_a_cache_is_not_given_by_a_link(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / 'quo"te').mkdir()
    (tmp_path / "link").symlink_to(tmp_path / 'quo"te')
    assert "links are followed" in last_line(tmp_path / "link")


def test_a_size_of_the_cache_is_written_as_the_hint_says(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    refused = last_line(tmp_path, SAMEBYTES_CACHE_MAX_SIZE="much")
    sizes = re.search(r"write (\w+), (\w+) or (\w+)$", refused)
    assert sizes is not None, refused
    for size in sizes.groups():
        assert last_line(tmp_path, SAMEBYTES_CACHE_MAX_SIZE=size).startswith("4 ")


# --- headers and options

FILES = {
    "plain.hpp": "#pragma once\ninline int plain() { return 1; }",
    'quo"te/odd.hpp': "inline int odd() { return 2; }",
    "open.h": "int without();\nint with_void(void);",
    "open.c": '#include "open.h"\nint without() { return 1; }\nint with_void(void) { return 3; }',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text)
    (home / "link").symlink_to(home / 'quo"te')
    return home


class Advice(NamedTuple):
    """An expression of ``at``, a folder, that is refused, the hint, one that follows it, and its result."""

    refused: str
    hint: str
    followed: str
    result: Any


MADE = "struct H { int n = 1; friend void end(H*); private: ~H() {} }; inline void end(H* h) { delete h; }"
ONE = ["sb.compile('inline int f() { return 1; }'", ").f()"]
OWNED = [
    f"sb.compile('{MADE} inline H* made() {{ return new H; }}', arg_intent={{'made': {{'return': ",
    "}})",
]
FILLS = ["sb.compile('inline void f(int (&p)[2]) { p[0] = p[1] = 3; }', arg_intent={'f': {'p': {", "}}}).f()"]
COUNTS = [
    "sb.compile('inline void g(int (&p)[2], int n) { p[0] = n; }', arg_intent={'g': {'p': {",
    "}}}).g(5)",
]
PLACE = ["sb.compile('inline int f(int& v) { return v = 4; }'", ")"]
TICKS = [
    "sb.compile('#include <chrono>\\nusing S = std::chrono::duration<double>; inline auto f() { return S(1e300)",
    "; }').f()",
]
ARRAY = "'intent': 'out_array_return'"
HEADERS = [
    Advice("sb.bind('plain.hpp')", "give its directory as include_dirs=",
           "sb.bind('plain.hpp', include_dirs=[at]).plain()", 1),
    Advice("sb.bind(at / 'quo\"te' / 'odd.hpp')", "Give it by another name, such as that of a link",
           "sb.bind(at / 'link' / 'odd.hpp').odd()", 2),
    Advice("sb.bind(at / 'open.h', sources=[at / 'open.c'], language='c').without", "write (void)",
           "sb.bind(at / 'open.h', sources=[at / 'open.c'], language='c').with_void()", 3),
    Advice("sb.compile(str(at / 'plain.hpp'))", "for the file write compile(Path(",
           "sb.compile(at / 'plain.hpp').plain()", 1),
    Advice(", std='c++98'".join(ONE), "give std='c++11' or newer", ", std='c++11'".join(ONE), 1),
    Advice(", std='c++98'".join(ONE), "or leave it out (gnu++17)", "".join(ONE), 1),
    Advice(", config={'Module Callbacks': {'setup': 's'}}".join(ONE), "keys that have no effect; take them out",
           ", config={}".join(ONE), 1),
    Advice("'owned'".join(OWNED), "name the function that ends it: {'intent': 'owned', 'deleter': ...}",
           "{'intent': 'owned', 'deleter': 'end'}".join(OWNED) + ".made().n", 1),
    Advice(f"{ARRAY}, 'dtype': 'float'".join(FILLS), "leave dtype out", ARRAY.join(FILLS), (3, 3)),
    Advice(f"{ARRAY}, 'length': 'n'".join(COUNTS), "leave length out", ARRAY.join(COUNTS), (5, 0)),
    Advice("".join(PLACE) + ".f(np.zeros(1, 'i4'))", "writes to this very memory, 'inout_ptr'",
           "(p := np.zeros(1, 'i4'), " + ", arg_intent={'f': {'v': 'inout_ptr'}}".join(PLACE)
           + ".f(p), p.tolist())[1:]", (4, [4])),
    Advice("".join(PLACE) + ".f(np.zeros(1, 'i4'))", "or what is dropped, 'in', for a plain value",
           ", arg_intent={'f': {'v': 'in'}}".join(PLACE) + ".f(np.zeros(1, 'i4')[0])", 4),
    Advice("".join(PLACE) + ".f([3])", "that it writes what the call returns, 'out_return'",
           ", arg_intent={'f': {'v': 'out_return'}}".join(PLACE) + ".f()", (4, 4)),
    Advice("".join(TICKS), "let C++ give its number of ticks", ".count()".join(TICKS), 1e300),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize("row", HEADERS, ids=lambda row: row.hint[:50])
def test_what_a_header_or_an_option_advises(folder: Path, row: Advice) -> None:
    names = {"sb": sb, "np": np, "at": folder}
    with pytest.raises((sb.Error, AttributeError)) as caught:
        eval(row.refused, dict(names))
    assert row.hint in str(caught.value)
    assert eval(row.followed, dict(names)) == row.result


def test_without_pkg_config_directories_and_libraries_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PKG_CONFIG", "/dev/null/none")
    source = "#include <math.h>\ninline double f(double x) { return cbrt(x); }"
    with pytest.raises(sb.MissingDependency, match="or give include_dirs= and libraries="):
        sb.compile(source, pkg=["m"])
    assert sb.compile(source, include_dirs=["/usr/include"], libraries=["m"]).f(8.0) == 2


def test_a_compiler_that_does_not_work_is_unset(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    refused = last_line(tmp_path, CXX="/dev/null/none")
    assert "which is not a working compiler; correct it or unset it" in refused
    assert last_line(tmp_path, CXX="").startswith("4 ")


# --- C APIs

C_HEADER = """
typedef enum { OK, BAD } status;
typedef struct ctx_s* ctx;
status ctx_make(ctx* c);
status ctx_get(ctx c, int* value);
status ctx_sort(ctx c, int* items);
status take(void** block, int bytes);
void give(void* block);
void give_back(void* block, int bytes);
"""
C_SOURCE = """
#include "api.h"
#include <stdlib.h>
status ctx_make(ctx* c) { *c = 0; return OK; }
status ctx_get(ctx c, int* value) { *value = 7; return OK; }
status ctx_sort(ctx c, int* items) { *items = 3; return OK; }
status take(void** block, int bytes) { *block = calloc(bytes, 1); return OK; }
void give(void* block) { free(block); }
void give_back(void* block, int bytes) { free(block); }
"""


@pytest.fixture(scope="module")
def c_api(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    home = tmp_path_factory.mktemp("api")
    (home / "api.h").write_text(C_HEADER)
    (home / "api.c").write_text(C_SOURCE)
    return lambda **options: sb.bind(
        home / "api.h", sources=[home / "api.c"], language="c", style="c_api", **options
    )


def test_what_c_writes_is_returned_as_the_advice_says(c_api: Callable[..., Any]) -> None:
    with pytest.raises(sb.ArgumentError) as caught:
        c_api().ctx_sort(None)
    advised = re.search(r"if C writes one value there, arg_intent=(.+) returns it", str(caught.value))
    assert advised is not None
    assert c_api(arg_intent=ast.literal_eval(advised[1])).ctx_sort(None)[1] == 3


TAKE = {"pointer": "block", "size": "bytes", "memory": "host"}
ALLOCATIONS: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    ({**TAKE, "memory": "hots"}, "Did you mean 'host'?", TAKE),
    ({**TAKE, "kind": "pinned"}, "kind is host of host memory", {**TAKE, "kind": "host"}),
    ({**TAKE, "size": "byte"}, "it has: block, bytes", TAKE),
    ({**TAKE, "size": 0.5}, "a list of parameters and positive numbers", {**TAKE, "size": ["bytes", 1]}),
    ({"pointer": "block"}, "does not say size, memory", TAKE),
    ({**TAKE, "free": "gvie"}, "Did you mean 'give'?", {**TAKE, "free": "give"}),
    ({**TAKE, "free": "1 give"}, "free is a function, 'f'", {**TAKE, "free": "give"}),
    ({**TAKE, "free": "1 give"}, "or a call of it, 'f(pool, block)'", {**TAKE, "free": "give(block)"}),
    ({**TAKE, "free": "give_back"}, "write 'give_back(…)' with what it gets",
     {**TAKE, "free": "give_back(block, bytes)"}),
]  # fmt: skip


@pytest.mark.parametrize("row", ALLOCATIONS, ids=lambda row: row[1])
def test_what_an_allocation_advises(c_api: Callable[..., Any], row: Any) -> None:
    refused, hint, followed = row
    with pytest.raises(sb.BindError) as caught:
        c_api(allocations={"take": refused})
    assert hint in str(caught.value)
    assert c_api(allocations={"take": followed}).take(3)[1].shape == (3,)


def test_a_pointer_that_is_no_output_becomes_one(c_api: Callable[..., Any]) -> None:
    intents = {"take": {"block": "in"}}
    with pytest.raises(sb.BindError) as caught:
        c_api(allocations={"take": TAKE}, arg_intent=intents)
    advised = re.search(r"arg_intent=(.+) makes it one", str(caught.value))
    assert advised is not None
    found = c_api(allocations={"take": TAKE}, arg_intent=ast.literal_eval(advised[1]))
    assert found.take(3)[1].shape == (3,)


# --- what is to be installed: every name in an advice is one that the project's own files ask for, or in this table

# Names, in quotes where they have extras or versions.
PIP = re.compile(r"pip install ((?:'[^']+'|[a-z][\w-]*(?:\[[\w-]+\])?)(?: '[^']+')*)")
APT = re.compile(r"apt install ([\w.+-]+\w)")
# Not asked by pyproject.toml, since they are heavy or belong to a platform: PyPI has them.
ELSEWHERE = {"torch", "cupy-cuda13x", "hip-python", "dpnp", "cmake"}
PACKAGES = {
    "g++", "pkg-config", "clang", "cmake",  # Debian's own defaults
    "libamdhip64-5",  # the library of libamdhip64-dev
}  # fmt: skip


def texts() -> Iterator[str]:
    """Every text in the package, and what advices are filled in with."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    yield from (f"pip install {memory.install}" for memory in memories().values())
    yield from (f"pip install {library.package}" for library in LIBRARIES)
    for module in ("elftools", "msgpack"):
        with pytest.raises(sb.MissingDependency) as caught:
            _need(f"{module}_is_not_here", {"elftools": "pyelftools"}.get(module, module))
        yield str(caught.value)


def test_what_is_to_be_installed_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = {*project["dependencies"], *(name for part in extras.values() for name in part)}
    known = {re.split(r"[\[<>=]", name)[0] for name in asked} | {f"samebytes[{extra}]" for extra in extras}
    debian = set(re.findall(r"[\w.+-]+", (ROOT / "Makefile").read_text())) | PACKAGES
    advised = [words for text in texts() for words in PIP.findall(text)]
    names = [name for words in advised for name in re.findall(r"[a-z][^' ]*", words)]
    bounded = {name for name in names if re.search("[<>=]", name)}
    assert bounded <= asked
    assert {*names} - bounded <= known | ELSEWHERE
    packages = {name for text in texts() for name in APT.findall(text)}
    assert packages <= debian
    assert len(names) > 30
    assert len(packages) > 4


# --- what is not exposed, or not instantiated

DEEP = """
#pragma once
namespace deep {
struct Far { int n; int twice() const { return 2 * n; } };
inline int far(int x) { return x; }
template <class T> struct Box { T v; T get() const { return v; } };
}
"""
TOP = """
#pragma once
#include <deep.hpp>
using deep::far;
inline deep::Far made() { return {3}; }
inline deep::Box<int> boxed() { return {4}; }
"""


@pytest.mark.parametrize(
    ("expression", "result"), [("lib.far(3)", 3), ("lib.made().twice()", 6), ("lib.boxed().get()", 4)]
)
def test_what_is_not_exposed_is_as_the_hint_says(tmp_path: Path, expression: str, result: int) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "deep.hpp").write_text(DEEP)
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "top.hpp").write_text(TOP)
    header, below = tmp_path / "beside" / "top.hpp", tmp_path / "below"
    with pytest.raises(AttributeError) as caught:
        eval(expression, {"lib": sb.bind(header, include_dirs=[below])})
    advised = re.search(r"deep.hpp is not exposed: expose=(\[.+?\])", str(caught.value))
    assert advised is not None
    lib = sb.bind(header, include_dirs=[below], expose=ast.literal_eval(advised[1]))
    assert eval(expression, {"lib": lib}) == result


COUNTED = """
static int counter = 0;
inline int counted() { return counter; }
template <class T> int count() { return ++counter; }
"""


@pytest.fixture
def counted(tmp_path: Path) -> Path:
    (tmp_path / "counted.hpp").write_text(COUNTED)
    return tmp_path / "counted.hpp"


def test_an_instantiation_that_is_listed_shares_the_variables(counted: Path) -> None:
    lib = sb.bind(counted)
    with pytest.warns(sb.BindWarning) as said:
        lib.count[int]()
    assert lib.counted() == 0
    advised = re.search(
        r"instantiate=(\[.+?\]) makes it share the variables of this one", str(said[0].message)
    )
    assert advised is not None
    listed = sb.bind(counted, instantiate=ast.literal_eval(advised[1]))
    assert (listed.count[int](), listed.counted()) == (1, 1)


def python(folder: Path, *arguments: str) -> str:
    """What Python prints when it is run in a folder."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


BIND = ("-m", "samebytes", "bind", "counted.hpp", "-o", ".")


def test_an_instantiation_of_a_package_is_listed(counted: Path) -> None:
    use = ("-c", "import counted; print(counted.count[int](), counted.counted())")
    python(counted.parent, *BIND)
    assert "list it in instantiate=" in python(counted.parent, *use)
    python(counted.parent, *BIND, "--instantiate", "count<int>")
    assert python(counted.parent, *use) == "1 1\n"


BREAKS: dict[str, Callable[[Path], object]] = {
    "library.so": lambda part: part.unlink(),
    "_declarations.py": lambda part: part.write_text(
        re.sub(r'BUILD = "\w+"', 'BUILD = "0"', part.read_text())
    ),
}


@pytest.mark.parametrize("part", BREAKS)
def test_a_package_that_is_broken_is_bound_again(counted: Path, part: str) -> None:
    use = ("-c", "import counted; print(counted.counted())")
    python(counted.parent, *BIND)
    BREAKS[part](counted.parent / "counted" / part)
    assert "run `samebytes bind` again" in python(counted.parent, *use)
    python(counted.parent, *BIND)
    assert python(counted.parent, *use) == "0\n"
