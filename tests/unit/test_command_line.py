"""The command line: whole sentences, its own words in messages, quick help, a quiet end when it is interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

import samebytes as sb
from samebytes.make.options import OPTIONS
from samebytes.tools.cli import COMMANDS, main
from samebytes.tools.commands.words import spoken, spoken_error
from samebytes.tools.entry import CUT_OFF, INTERRUPTED

PROGRAM = [sys.executable, "-m", "samebytes"]


def run(*arguments: str) -> str:
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("line") / "few.hpp"
    path.write_text("struct P { double x; };\nint twice(int x);\nlong double odd(long double x);\n")
    path.with_suffix(".cpp").write_text('#include "few.hpp"\nint twice(int x) { return 2 * x; }\n')
    return path


class TestHelp:
    def test_the_list_is_of_whole_sentences(self) -> None:
        text = words(CliRunner().invoke(main, ["--help"]).output.partition("Commands:")[2])
        assert "..." not in text
        for name, sentence in COMMANDS.items():
            assert f"{name} {sentence}" in text

    @pytest.mark.parametrize("name", COMMANDS)
    def test_each_sentence_is_the_command_s_own_first(self, name: str) -> None:
        command = main.get_command(None, name)  # type: ignore[arg-type]
        assert words((command.help or "").split("\n\n")[0]) == COMMANDS[name]  # type: ignore[union-attr]

    @pytest.mark.parametrize("command", [[], ["bind"], ["explain"], ["layout"], ["cache"]])
    def test_help_imports_nothing_that_takes_long(self, command: list[str]) -> None:
        code = (
            "import sys\nfrom samebytes.tools.cli import main\n"
            "main.main(sys.argv[1:], standalone_mode=False)\n"
            "print(sorted({'numpy', 'rich', 'clang', 'samebytes._native'} & set(sys.modules)))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, *command, "--help"], capture_output=True, text=True, check=True
        )
        assert done.stdout.endswith("[]\n")

    def test_every_option_of_bind_says_what_it_is(self) -> None:
        command = main.get_command(None, "bind")  # type: ignore[arg-type]
        for parameter in command.params:  # type: ignore[union-attr]
            assert (getattr(parameter, "help", None) or "A sentence.").endswith("."), parameter.name


SAID = [
    ("nothing defines it (sources=, libraries=)", "nothing defines it (--source, -l)"),
    ("give its directory as include_dirs=", "give its directory as -I"),
    ("include_dirs=['/a b', 'c'] has one", "-I '/a b' -I c has one"),
    ("not in include_dirs, or elsewhere", "not in -I, or elsewhere"),
    ("expose=['geo/*.h'] binds it", "--expose 'geo/*.h' binds it"),
    ("with std='c++20' it compiles", "with --std c++20 it compiles"),
    ("check= is for style='c_api'", "--check is for --style c_api"),
    ("(check=True)", "(--check)"),
    ("instantiate=[...] builds it", "--instantiate builds it"),
    (
        "arg_intent={'f': {'x': 'out_return'}} returns it",
        "'Function Argument Intents' in the configuration (-c), {\"Function Argument Intents\": "
        '{"f": {"x": "out_return"}}}, returns it',
    ),
    ("the flag -std=c++17, and a.std=3, and std==3", "the flag -std=c++17, and a.std=3, and std==3"),
]


class TestWords:
    @pytest.mark.parametrize(("python", "line"), SAID)
    def test_an_option_is_as_the_line_has_it(self, python: str, line: str) -> None:
        assert spoken(python) == line

    def test_every_option_of_the_line_is_translated(self) -> None:
        for name, option in OPTIONS.items():
            if option.command:
                assert spoken(f"({name}=)") == f"({option.command[-1]})"

    def test_what_the_compiler_said_stays(self) -> None:
        error = sb.CompileError("give std='c++20'\n  4 | std=5;\n", "  4 | std=5;\n")
        assert spoken_error(error) == "give --std c++20\n  4 | std=5;"

    def test_commands_speak_so(self, header: Path) -> None:
        runner = CliRunner()
        missing = runner.invoke(main, ["explain", "nowhere.hpp"]).output
        assert "give its directory as -I" in missing
        assert "include_dirs" not in missing
        assert "bind()" not in missing
        assert "it (--source, -l)" in runner.invoke(main, ["explain", str(header)]).output
        assert "expose=" not in runner.invoke(main, ["explain", str(header), "--expose", "zzz*"]).output


class TestJson:
    @pytest.mark.full
    def test_explain_and_bind_say_nothing_else(self, header: Path, tmp_path: Path) -> None:
        source = ["--source", str(header.with_suffix(".cpp"))]
        facts = json.loads(run("explain", str(header), *source, "--json"))
        assert [f["name"] for f in facts["functions"]] == ["twice"]
        assert [s["name"] for s in facts["skipped"]] == ["odd(long double)"]
        written = json.loads(run("bind", str(header), *source, "-o", str(tmp_path), "--json"))
        assert written["package"] == "few"
        assert all(Path(file).is_file() for file in written["files"])

    def test_doctor(self) -> None:
        facts = json.loads(CliRunner().invoke(main, ["doctor", "--json"]).output)
        assert {"group", "name", "found", "missing", "required"} == set(facts["parts"][0])

    @pytest.mark.full
    def test_layout_and_cache(self) -> None:
        facts = json.loads(CliRunner().invoke(main, ["layout", "samebytes:float32x3", "--json"]).output)
        assert (facts["size"], [f["offset"] for f in facts["fields"]]) == (12, [0, 4, 8])
        assert json.loads(CliRunner().invoke(main, ["cache", "info", "--json"]).output)["builds"] >= 0


def test_explain_breaks_no_word_at_40_columns(header: Path) -> None:
    lib = sb.compile("double take(const double* values, int n) { return n ? values[0] : 0; }", name="narrow")
    console = Console(width=40, color_system=None)
    with console.capture() as captured:
        console.print(sb.explain(lib, "take"))
    lines = captured.get().splitlines()
    assert max(map(len, lines)) <= 40
    text = words("\n".join(lines))
    for argument in sb.explain(lib, "take").functions[0].arguments:
        assert f"{argument.name} in taken natively: {argument.takes}" in text
        assert f"copied: {argument.copies}" in text


class TestEnds:
    def test_a_reader_that_has_enough(self) -> None:
        with subprocess.Popen(
            [*PROGRAM, "doctor", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            said = process.stderr.read()
        assert said == ""
        assert process.returncode == CUT_OFF

    @pytest.mark.full
    def test_an_interrupt_while_something_is_built(self, tmp_path: Path) -> None:
        source, cache = tmp_path / "slow.hpp", tmp_path / "cache"
        source.write_text("#include <regex>\ninline int f(std::regex r) { return 1; }\n")
        with subprocess.Popen(
            [*PROGRAM, "bind", str(source), "-o", str(tmp_path)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "SAMEBYTES_CACHE_DIR": str(cache)},
        ) as process:  # fmt: skip
            end = time.monotonic() + 60
            while not cache.exists() and time.monotonic() < end:
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGINT)
            assert process.stderr
            said = process.stderr.read()
        assert said.strip() == "Interrupted."
        assert process.returncode == INTERRUPTED
        assert not [*tmp_path.glob(".samebytes-*")]

    def test_an_interrupt_while_modules_are_imported(self, tmp_path: Path) -> None:
        (tmp_path / "click.py").write_text(
            "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n"
        )
        done = subprocess.run(
            [*PROGRAM, "--help"], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of(shell: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert "_SAMEBYTES_COMPLETE" in done.output


def test_what_a_shell_is_told() -> None:
    asked = {"_SAMEBYTES_COMPLETE": "bash_complete", "COMP_WORDS": "samebytes bind --sou", "COMP_CWORD": "2"}
    done = subprocess.run(PROGRAM, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert "--source" in done.stdout
