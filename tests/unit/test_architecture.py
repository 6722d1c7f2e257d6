"""Holds the import order of ARCHITECTURE.md, and shows that breaking it is noticed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

from samebytes.toolchain import own_sources

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "samebytes"
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
ORDERS = [contract["layers"] for contract in CONFIG["contracts"] if contract["type"] == "layers"]
LAYERS = ORDERS[0]


def rooms(layer: str) -> list[str]:
    return [name.strip(" ()") for name in layer.replace("|", ":").split(":")]


def kept(config: Path) -> bool:
    return lint_imports(config_filename=str(config), no_cache=True, no_logo=True) == 0


def test_import_order() -> None:
    assert kept(ROOT / "pyproject.toml")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """An empty package with our rooms and our contract; its name is new each time, as imports are cached."""
    name = f"house_{abs(hash(request.node.name))}"
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").touch()
    for layer in LAYERS:
        for room in rooms(layer):
            (package / f"{room}.py").touch()
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.importlinter]\nroot_package = "{name}"\n[[tool.importlinter.contracts]]\nname = "order"\n'
        f'type = "layers"\ncontainers = ["{name}"]\nexhaustive = true\nlayers = {LAYERS!r}\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return package


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("make", "types", True),
        ("call", "read", True),
        ("options", "errors", True),
        ("types", "layouts", False),
        ("toolchain", "types", False),
        ("types", "toolchain", False),
        ("read", "call", False),
        ("emit", "values", False),
        ("arrays", "call", False),
        ("errors", "tools", False),
    ],
)
def test_order_is_enforced(house: Path, importer: str, imported: str, allowed: bool) -> None:
    (house / f"{importer}.py").write_text(f"from . import {imported}\n")
    assert kept(house.parent / "pyproject.toml") is allowed


def test_a_new_room_must_take_its_place(house: Path) -> None:
    (house / "attic.py").touch()
    assert not kept(house.parent / "pyproject.toml")


def shown_orders() -> list[list[set[str]]]:
    """The orders of the page: each stands in a quotation of its own."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    quoted = [block for block in page.split("\n\n") if block.startswith("> ")]
    lines = [" ".join(line.removeprefix("> ") for line in block.splitlines()) for block in quoted]
    return [[{room.strip() for room in re.split("[,|]", step)} for step in line.split("→")] for line in lines]


@pytest.mark.parametrize(
    ("shown", "layers"), list(zip(shown_orders(), ORDERS, strict=True)), ids=["root", "compiled", "read"]
)
def test_the_page_shows_the_order(shown: list[set[str]], layers: list[str]) -> None:
    assert shown == [set(rooms(layer)) for layer in reversed(layers) if layer != "__main__"]


def test_circles_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "circular_house"
    (package / "attic").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "attic" / "__init__.py").touch()
    (package / "attic" / "chest.py").write_text("from . import lamp\n")
    (package / "attic" / "lamp.py").write_text("def burn():\n    from . import chest\n")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.importlinter]\nroot_package = "circular_house"\n[[tool.importlinter.contracts]]\nname = "circles"\n'
        'type = "acyclic_siblings"\nancestors = ["circular_house"]\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert not kept(tmp_path / "pyproject.toml")


def taken_from_the_package(path: Path) -> set[str]:
    """The names that a file imports from ``samebytes`` itself."""
    depth = len(path.relative_to(SOURCE).parts)
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            root = node.level == depth and not node.module
            names |= {name.name for name in node.names if root or node.module == "samebytes"}
        elif isinstance(node, ast.Import):
            names |= {"samebytes" for name in node.names if name.name == "samebytes"}
    return names


@pytest.mark.full
def test_rooms_do_not_go_round_by_the_public_names() -> None:
    known = {"_native"} | {room for layer in LAYERS for room in rooms(layer)}
    for path in SOURCE.rglob("*.py"):
        if path != SOURCE / "__init__.py" and path.parent != SOURCE / "tools" / "demo":
            strangers = taken_from_the_package(path) - known
            assert not strangers, f"{path.relative_to(ROOT)} takes {sorted(strangers)} from samebytes itself"


# Every device language is C++ first: its file may build on host C++'s.
PARENTS = {"layouts.dialects": "cxx"}


PLUGINS = (
    "layouts.dialects",
    "layouts.mirrors",
    "layouts.processors",
    "arrays.protocols",
    "arrays.memory",
    "loading.backends",
)


@pytest.mark.parametrize("folder", PLUGINS)
def test_plugins_do_not_know_each_other(folder: str) -> None:
    graph = grimp.build_graph("samebytes", cache_dir=None)
    package = f"samebytes.{folder}"
    if package not in graph.modules:
        pytest.skip(f"there is no {package}")
    for plugin in graph.find_children(package) - {f"{package}.base"}:
        known = {f"{package}.base", f"{package}.{PARENTS.get(folder)}"}
        siblings = graph.find_modules_directly_imported_by(plugin) & graph.find_children(package)
        assert siblings <= known, f"{plugin} imports {sorted(siblings - known)}"


def test_every_file_says_what_it_is_for() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        assert path.read_text().startswith('"""'), f"{path.relative_to(ROOT)} opens without its sentence"


def test_files_stay_small() -> None:
    sources = [p for folder in ("src", "native", "tests", "bench") for p in (ROOT / folder).rglob("*")]
    for path in sources:
        if path.suffix in {".py", ".cpp", ".hpp"}:
            assert len(path.read_text().splitlines()) <= 600, f"{path.relative_to(ROOT)} is over 600 lines"


def test_frozen_classes_are_made_without_compiling_methods() -> None:
    """``samebytes.frozen`` makes them: compiled methods of a hundred classes were a third of a start."""
    for path in SOURCE.rglob("*.py"):
        compiled = re.search(r"^ *@dataclass\(.*frozen=True", path.read_text(), re.MULTILINE)
        assert not compiled, f"{path.relative_to(ROOT)}: {compiled.group()}"


def test_signatures_of_functions_of_python_are_our_own() -> None:
    """Attributes of ``ctypes.pythonapi`` are the whole process's, and other packages set their argtypes."""
    sets = re.compile(r"^.*= *(ctypes\.)?pythonapi\.\w+$|pythonapi\.\w+\.(arg|res)types?\b.*", re.MULTILINE)
    for path in [*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        shared = sets.search(path.read_text())
        assert not shared, (
            f"{path.relative_to(ROOT)}: {shared.group()}: take ctypes.PyDLL(None) or a prototype"
        )


HEAVY = "clang rich click yaml matplotlib platformdirs importlib.metadata difflib email logging concurrent.futures"
# What is loaded where something in it is asked for.
RARE = "ml_dtypes shutil tempfile fractions decimal pkgutil shlex glob subprocess"


def loaded(text: str, heavy: str = HEAVY, brought: str = "numpy") -> tuple[list[str], list[str]]:
    """Which modules of ours a program loads, and which of the heavy ones that `brought` does not bring by itself."""
    program = (
        f"import sys, {brought}; before = set(sys.modules)\n"
        f"{text}\n"
        "found = sorted(set(sys.modules) - before)\n"
        "print(*(m for m in found if m.partition('.')[0] == 'samebytes'), sep=',')\n"
        f"print(*(m for m in found if m in {heavy.split()}), sep=',')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    ours, others = done.stdout.splitlines()[-2:]
    return ours.split(","), [name for name in others.split(",") if name]


def test_rooms_that_decide_no_build_come_after_what_makes_one() -> None:
    """A library of the cache is made anew where a file of the others has changed."""
    assert {*LAYERS[: LAYERS.index("make")]} - {"__main__"} == own_sources._LATER_ROOMS


def test_an_import_loads_next_to_nothing() -> None:
    ours, others = loaded("import samebytes")
    assert len(ours) <= 3
    assert not others


@pytest.mark.full
def test_every_public_name_can_be_the_first() -> None:
    """Whatever is named first finds what it needs."""
    program = (
        "import samebytes as sb, sys\n"
        "for name in sorted(sb.__dir__()):\n"
        "    assert getattr(sb, name) is getattr(sb, name), name\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    # Each in a process of its own, which begins where nothing is imported: a fork is one.
    each = (
        "import os, sys, samebytes as sb\n"
        "for name in 'Pointer pack view struct explain prove Mdspan mirror DeviceArray owned'.split():\n"
        "    if not (child := os.fork()):\n"
        "        code = 1\n"
        "        try:\n"
        "            getattr(sb, name)\n"
        "            code = 0\n"
        "        finally:\n"
        "            os._exit(code)\n"
        "    assert os.waitpid(child, 0)[1] == 0, name\n"
    )
    subprocess.run([sys.executable, "-c", each], check=True)


def test_a_name_that_is_the_first_understands_every_type() -> None:
    program = "import ctypes, samebytes as sb; print(sb.out_array_return(ctypes.c_float, 3))"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_threads_may_name_the_first_at_once() -> None:
    program = (
        "import threading, samebytes as sb\n"
        "names = ['compile', 'vector', 'view', 'Mdspan', 'float32x4', 'explain', 'DeviceArray', 'owned', '_load']\n"
        "ready, made = threading.Barrier(len(names)), []\n"
        "def name(one): ready.wait(); made.append(getattr(sb, one))\n"
        "threads = [threading.Thread(target=name, args=(one,)) for one in names]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert len(made) == len(names)\n"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_library_of_the_cache_is_loaded_without_what_makes_one() -> None:
    text = "import samebytes as sb; assert sb.compile('double twice(double x) { return 2 * x; }').twice(2.0) == 4"
    loaded(text)
    heavy = f"{RARE} clang rich click yaml matplotlib logging concurrent.futures"
    ours, others = loaded(text, heavy, "numpy, pathlib")  # Python 3.13's pathlib brings glob
    assert not [name for name in ours if name.startswith(("samebytes.emit", "samebytes.read"))]
    assert not {f"samebytes.{name}" for name in ("make.builder", "toolchain.driver")} & {*ours}
    assert not others
    assert len(ours) <= 117


def test_a_library_of_the_cache_is_at_hand_before_its_names_are_linked() -> None:
    """What a compile of an unchanged source loads: nothing that knows types, values, arrays or calls."""
    text = "import samebytes as sb; lib = sb.compile('double thrice(double x) { return 3 * x; }')"
    loaded(text)
    ours, others = loaded(text, f"{HEAVY} {RARE} pathlib hashlib")
    rooms = {name.split(".")[1] for name in ours if "." in name}
    assert not rooms & {
        "types",
        "layouts",
        "values",
        "arrays",
        "call",
        "compiled",
        "read",
        "emit",
        "styles",
        "tools",
    }
    assert not others
    assert len(ours) <= 41


@pytest.mark.full
def test_a_package_loads_what_its_calls_need(tmp_path: Path) -> None:
    """One function of numbers: nothing that reads arrays, makes classes of records, converts or finds compilers."""
    header = tmp_path / "one.hpp"
    header.write_text("inline double twice(double x) { return 2 * x; }")
    bound = ["bind", str(header), "--out", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "samebytes", *bound], check=True, capture_output=True)
    text = f"sys.path.insert(0, {str(tmp_path)!r}); import one; assert one.twice(2.0) == 4"
    ours, others = loaded(text, f"{HEAVY} {RARE} pathlib hashlib json")
    rooms = {name.split(".")[1] for name in ours if "." in name}
    assert not rooms & {"toolchain", "make", "read", "emit", "tools"}
    late = (
        "arrays.protocols",
        "arrays.view",
        "call.addresses.arrays",
        "call.callbacks.pointer",
        "values.record",
    )
    assert not {f"samebytes.{name}" for name in late} & {*ours}
    assert not others
    assert len(ours) <= 93


def test_the_core_has_one_cache_of_elements_and_one_list_of_classes() -> None:
    """What many files of the core remembered for themselves has one home."""
    homes = {"std::atomic<Elements*> ": set[str](), "__atomic_load_n(&entry.type": set[str]()}
    for path in (ROOT / "native").rglob("*.[ch]pp"):
        for text, found in homes.items():
            if text in path.read_text():
                found.add(path.name)
    assert list(homes.values()) == [{"known_elements.cpp"}, {"classes.hpp"}]
