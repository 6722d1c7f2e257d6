"""Wheels: one for every Python, whose tag claims no more systems than its compiled files have, and projects of them."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.toolchain.elf import Elf
from samebytes.tools import backend
from samebytes.tools.cli import main
from samebytes.tools.projects import write_project
from samebytes.tools.wheels import Metadata, platform_of, project_metadata
from samebytes.version import __version__

pytestmark = pytest.mark.full  # wheels are built and installed

HEADER = """#pragma once
/// The sum of two depths.
struct Depth { double metres; };
Depth add(Depth a, Depth b);
"""
SOURCE = '#include "lake.hpp"\nDepth add(Depth a, Depth b) { return {a.metres + b.metres}; }\n'


def files_of(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    (folder / "lake.hpp").write_text(HEADER)
    (folder / "lake.cpp").write_text(SOURCE)
    return folder


def make(home: Path, out: str, *more: str) -> tuple[Path, str]:
    given = ["wheel", str(home / "lake.hpp"), "--source", str(home / "lake.cpp"), "-o", str(home / out)]
    done = CliRunner().invoke(main, [*given, *more])
    assert done.exit_code == 0, done.output
    (wheel,) = (home / out).glob("*.whl")
    return wheel, done.output


@pytest.fixture(scope="module")
def wheel(home: Path) -> Path:
    return make(home, "dist", "--version", "1.2")[0]


class TestWheel:
    def test_its_name_says_every_python(self, wheel: Path) -> None:
        assert re.fullmatch(r"lake-1\.2-py3-none-manylinux_2_\d+_x86_64\.whl", wheel.name)
        said = files_of(wheel)["lake-1.2.dist-info/WHEEL"].decode()
        assert f"Tag: {wheel.stem.partition('1.2-')[2]}\n" in said
        assert "Root-Is-Purelib: false" in said

    def test_every_file_is_recorded(self, wheel: Path) -> None:
        files = files_of(wheel)
        record = "lake-1.2.dist-info/RECORD"
        rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(files[record].decode()))}
        assert rows.keys() == files.keys()
        assert rows.pop(record) == ["", ""]
        for name, (digest, size) in rows.items():
            right = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={right}", str(len(files[name])))

    def test_its_metadata(self, wheel: Path) -> None:
        said = Parser().parsestr(files_of(wheel)["lake-1.2.dist-info/METADATA"].decode())
        assert (said["Name"], said["Version"], said["Requires-Python"]) == ("lake", "1.2", ">=3.11")
        assert said.get_all("Requires-Dist") == [f"samebytes>={__version__}"]
        assert "import lake" in said.get_payload()

    def test_the_same_input_writes_the_same_bytes(self, home: Path, wheel: Path) -> None:
        again, words = make(home, "again", "--version", "1.2")
        assert again.read_bytes() == wheel.read_bytes()
        assert "It serves Linux on x86-64 with glibc" in words

    def test_code_for_this_processor_is_no_wheel_for_others(self, home: Path) -> None:
        found, words = make(home, "native", "--flag=-march=native")
        assert found.name == "lake-0.1.0-py3-none-linux_x86_64.whl"
        assert "-march=native makes code for some processors only" in words

    def test_programs_are_told_the_same(self, home: Path) -> None:
        facts = json.loads(make(home, "told", "--json")[1])
        assert facts["platform"] in facts["wheel"]

    @pytest.mark.parametrize("version", ["1.0-final", "v1", "1..2", ""])
    def test_a_version_that_no_wheel_may_have(self, home: Path, version: str) -> None:
        given = ["wheel", str(home / "lake.hpp"), "-o", str(home / "no"), "--version", version]
        assert "is no version" in CliRunner().invoke(main, given).output

    def test_installed_it_is_called_and_loads_no_tool(self, wheel: Path, tmp_path: Path) -> None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-index"]
        subprocess.run([*pip, "--no-deps", "--target", str(tmp_path), str(wheel)], check=True)
        code = (
            "import lake, sys; print(lake.add(lake.Depth(1), (2.0,)).metres); "
            "print({'clang', 'capstone', 'rich', 'click', 'yaml', 'filelock'} & set(sys.modules))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PATH": ""},
        )  # fmt: skip
        assert done.stdout.split() == ["3.0", "set()"]

    @pytest.mark.full
    def test_the_same_wheel_serves_every_python(self, wheel: Path, tmp_path: Path) -> None:
        """Those in which samebytes is installed here: `make test-pythons` makes their environments."""
        pythons = [
            made.parent / "bin/python" for made in Path(__file__).parents[2].glob(".venv-3.*/installed")
        ]
        if not pythons:
            pytest.skip("no other Python here has samebytes: make test-pythons installs it")
        shutil.unpack_archive(wheel, tmp_path, "zip")
        for python in pythons:
            done = subprocess.run(
                [python, "-c", "import lake; print(lake.add(lake.Depth(1), (2.0,)).metres)"],
                capture_output=True, text=True, check=False,
                env={**os.environ, "PYTHONPATH": str(tmp_path), "PATH": ""},
            )  # fmt: skip
            assert done.stdout == "3.0\n", (python, done.stderr)


LIBRARIES = sorted(Path("/usr/lib/x86_64-linux-gnu").glob("lib[c-s]*.so.?"))[:40]


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
class TestPlatform:
    def test_versions_are_those_that_readelf_shows(self) -> None:
        for path in LIBRARIES:
            said = subprocess.run(
                ["readelf", "-VW", path], capture_output=True, text=True, check=False
            ).stdout
            needs = said.partition("Version needs section")[2]
            shown = sorted(re.findall(r"Name: (\S+)  Flags", needs))
            found = Elf(path.read_bytes()).versions_needed()
            assert sorted(v for versions in found.values() for v in versions) == shown, path
            assert set(found) == set(re.findall(r"File: (\S+)", needs)), path

    def test_no_older_system_is_claimed_than_is_needed(self) -> None:
        claimed = 0
        for path in LIBRARIES:
            data = path.read_bytes()
            found = platform_of({path.name: data})
            if not found.portable:
                continue
            claimed += 1
            least = tuple(map(int, found.tag.split("_")[1:3]))
            for versions in Elf(data).versions_needed().values():
                for version in versions:
                    if match := re.fullmatch(r"GLIBC_(\d+)\.(\d+).*", version):
                        assert (int(match[1]), int(match[2])) <= least, path
        assert claimed


MADE = [
    ("libc.so.6", "GLIBC_2.33", (), "manylinux_2_33_x86_64"),
    ("libc.so.6", "GLIBC_2.99", (), "manylinux_2_99_x86_64"),
    ("libc.so.6", "GLIBC_2.2.5", (), "manylinux_2_17_x86_64"),
    ("libc.so.6", "GLIBC_PRIVATE", (), "linux_x86_64"),
    ("libstdc++.so.6", "GLIBCXX_3.4.19", (), "manylinux_2_17_x86_64"),
    ("libstdc++.so.6", "GLIBCXX_3.4.25", (), "manylinux_2_31_x86_64"),
    ("libstdc++.so.6", "GLIBCXX_3.4.30", (), "manylinux_2_35_x86_64"),
    ("libstdc++.so.6", "CXXABI_1.3.15", (), "manylinux_2_39_x86_64"),
    ("libstdc++.so.6", "GLIBCXX_3.4.99", (), "linux_x86_64"),
    ("libgcc_s.so.1", "GCC_7.0.0", (), "manylinux_2_27_x86_64"),
    ("libmine.so.2", "MINE_1", (), "linux_x86_64"),
    ("libc.so.6", "GLIBC_2.2.5", ("-march=x86-64", "-O3", "-msse2"), "manylinux_2_17_x86_64"),
    ("libc.so.6", "GLIBC_2.2.5", ("-mavx2",), "linux_x86_64"),
]  # fmt: skip


@pytest.mark.parametrize(("soname", "version", "flags", "tag"), MADE)
def test_what_a_needed_version_claims(
    soname: str, version: str, flags: tuple[str, ...], tag: str, tmp_path: Path
) -> None:
    (tmp_path / "map").write_text(f"{version} {{ f; }};\n")
    for name, text in {
        "has": "int f(void) { return 1; }",
        "needs": "int f(void); int g(void) { return f(); }",
    }.items():
        (tmp_path / f"{name}.c").write_text(text)
    build = ["gcc", "-shared", "-fPIC", "-nostdlib"]
    mine = ["-Wl,--version-script=map", f"-Wl,-soname,{soname}", "has.c", "-o", "has.so"]
    subprocess.run([*build, *mine], cwd=tmp_path, check=True)
    subprocess.run([*build, "needs.c", "has.so", "-o", "needs.so"], cwd=tmp_path, check=True)
    found = platform_of({"needs.so": (tmp_path / "needs.so").read_bytes()}, flags)
    assert found.tag == tag
    assert found.reasons


PROJECT = {
    "name": "Lake.Tools", "version": "2.0rc1", "description": "Depths.", "requires-python": ">=3.12", "license": "MIT",
    "keywords": ["lake", "depth"], "authors": [{"name": "A", "email": "a@b.c"}, {"name": "B"}],
    "classifiers": ["Programming Language :: C++"], "urls": {"Home": "https://example.org"},
    "dependencies": ["numpy>=2"], "optional-dependencies": {"plot": ["matplotlib; python_version < '4'"]},
    "scripts": {"lake": "lake:main"},
}  # fmt: skip


class TestMetadata:
    def test_of_a_project(self, tmp_path: Path) -> None:
        (tmp_path / "LICENSE").write_text("Do.")
        (tmp_path / "README.md").write_text("# Lake\n")
        project = PROJECT | {"readme": "README.md", "license-files": ["LICEN*"]}
        made = project_metadata(project, tmp_path)
        assert made.stem == "lake_tools-2.0rc1"
        said = Parser().parsestr(made.text())
        assert said.get_all("Requires-Dist") == [
            "numpy>=2", f"samebytes>={__version__}", "matplotlib; (python_version < '4') and extra == \"plot\"",
        ]  # fmt: skip
        assert (said["Keywords"], said["Author-email"], said["Author"]) == ("lake,depth", "A <a@b.c>", "B")
        assert (said["License-Expression"], said["License-File"]) == ("MIT", "LICENSE")
        assert made.entry_points_text() == "[console_scripts]\nlake = lake:main\n"

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"dynamic": ["version"]}, "has dynamic"),
            ({"version": None}, "needs version"),
            ({"name": "a b"}, "is no name"),
            ({"readme": "nowhere.md"}, "no readme"),
            ({"license": {"text": "MIT"}}, "SPDX"),
            ({"license-files": ["NO*"]}, "matches no file"),
        ],
    )
    def test_what_is_refused(self, change: dict[str, object], words: str, tmp_path: Path) -> None:
        with pytest.raises(sb.BindError, match=words):
            project_metadata(PROJECT | change, tmp_path)

    def test_a_line_is_one_line(self) -> None:
        assert "Summary: a b\n" in Metadata("x", "1", (("Summary", "a\n b"),)).text()


class TestProject:
    def test_its_two_commands_work(self, tmp_path: Path) -> None:
        written = write_project("lake-tools", tmp_path)
        project, site = tmp_path / "lake-tools", tmp_path / "site"
        said = (project / "README.md").read_text()
        install, test = re.findall(r"^python (-m .*)$", said, re.MULTILINE)
        assert install.endswith("--no-build-isolation .")
        assert {path.name for path in written} >= {"pyproject.toml", "ci.yml", ".gitignore", "lake_tools.hpp"}
        offline = ["--disable-pip-version-check", "-q", "--no-index", "--no-deps", "--target", str(site)]
        subprocess.run([sys.executable, *install.split(), *offline], cwd=project, check=True)
        done = subprocess.run(
            [sys.executable, *test.split()], cwd=project, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(site)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Ran 3 tests" in done.stderr

    @pytest.mark.parametrize("name", ["class", "3d", "a b", "json", "über"])
    def test_a_name_that_serves_no_package(self, name: str, tmp_path: Path) -> None:
        done = CliRunner().invoke(main, ["init", name, "-o", str(tmp_path)])
        assert done.exit_code == 1
        assert not [*tmp_path.iterdir()]

    def test_nothing_is_written_over(self, tmp_path: Path) -> None:
        write_project("lake", tmp_path)
        assert (
            "is not an empty folder" in CliRunner().invoke(main, ["init", "lake", "-o", str(tmp_path)]).output
        )

    def test_the_backend_s_other_hooks(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_project("lake", tmp_path)
        monkeypatch.chdir(tmp_path / "lake")
        assert backend.prepare_metadata_for_build_wheel(str(tmp_path / "told")) == "lake-0.1.0.dist-info"
        archive = backend.build_sdist(str(tmp_path))
        shutil.unpack_archive(tmp_path / archive, tmp_path / "sources")
        names = {p.relative_to(tmp_path / "sources/lake-0.1.0").as_posix()
                 for p in (tmp_path / "sources").rglob("*") if p.is_file()}  # fmt: skip
        assert {
            "PKG-INFO",
            "pyproject.toml",
            "include/lake.hpp",
            "src/lake.cpp",
            "tests/test_lake.py",
        } <= names
        editable = backend.build_editable(str(tmp_path / "editable"))
        line = files_of(tmp_path / "editable" / editable)["_lake_editable.pth"].decode().strip()
        code = "import lake; print(lake.Tally('a').text())"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": line},
        )  # fmt: skip
        assert done.stdout == "a: 0\n", done.stderr

    @pytest.mark.parametrize(
        ("table", "words"),
        [
            ("", "needs header"),
            ('header = "a.hpp"\nsource = ["a"]', "has source;"),
            ('header = "a.hpp"\npython = "x"', "no folder 'x'"),
        ],
    )
    def test_what_the_backend_refuses(
        self, table: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = f'[project]\nname = "a"\nversion = "1"\n[tool.samebytes]\n{table}\n'
        (tmp_path / "pyproject.toml").write_text(text)
        monkeypatch.chdir(tmp_path)
        with pytest.raises(sb.BindError, match=words):
            backend.build_wheel(str(tmp_path))


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
@pytest.mark.parametrize(
    ("cxx", "include", "words"),
    [
        ("no-such-compiler", "", "there is no C++ compiler: apt install g++"),
        pytest.param(
            "g++", "/nowhere", "Python's headers are missing: apt install python3-dev", marks=pytest.mark.full
        ),
    ],
)
def test_what_an_installation_lacks_is_said(cxx: str, include: str, words: str, tmp_path: Path) -> None:
    given = [
        f"-DPython_EXECUTABLE={sys.executable}",
        *([f"-DPython_INCLUDE_DIR={include}"] if include else []),
    ]
    done = subprocess.run(
        ["cmake", "-S", Path(__file__).parents[2], "-B", tmp_path, *given],
        capture_output=True, text=True, check=False, env={**os.environ, "CXX": cxx},
    )  # fmt: skip
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert words in said
    assert said.count("CMake Error") == 1
