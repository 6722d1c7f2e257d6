"""`make gpu`: without a GPU it says so, and what it runs on one runs here on the tests' own driver."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hardware import driver_of_machine

ROOT = Path(__file__).parents[2]


def ran(*call, **environment):
    return subprocess.run(
        call, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(driver_of_machine() is not None, reason="this machine has a GPU")
def test_without_a_gpu_it_ends_with_one_sentence():
    sentence = "make gpu needs an NVIDIA GPU: NVIDIA's driver is not here (libcuda.so.1).\n"
    for call in ((sys.executable, "tests/gpu/present.py"), (sys.executable, "-m", "tests.gpu")):
        done = ran(*call)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)
    done = ran("make", "--no-print-directory", "gpu", f"PYTHON={sys.executable}", MAKEFLAGS="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence)


@pytest.mark.full
def test_the_same_command_on_the_tests_own_driver(tmp_path):
    table = tmp_path / "gpu.md"
    done = ran(sys.executable, "-m", "tests.gpu", "--own", "--table", str(table), "blocks")
    assert done.returncode == 0, done.stdout + done.stderr
    text = table.read_text()
    assert done.stdout.endswith(text + "\n")
    results = dict(re.findall(r"^\| (test_\S+: \S+) \| (.+) \| [\d.]+ \|$", text, re.MULTILINE))
    assert results["test_blocks: a_reduction_by_shuffles_and_atomics"] == "1 passed"
    assert f"{len(results)} tests in " in text


@pytest.mark.full
def test_what_fails_or_dies_is_a_row_and_the_exit_status(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(ROOT))
    command = pytest.importorskip("tests.gpu.__main__")
    (tmp_path / "test_wrong.py").write_text(
        "import os, pytest\npytestmark = pytest.mark.full\n"
        "def test_right(): pass\ndef test_wrong(): assert 1 == 2\ndef test_dies(): os._exit(5)\n"
    )
    (tmp_path / "test_slow.py").write_text(
        "import time, pytest\npytestmark = pytest.mark.full\ndef test_slow(): time.sleep(60)\n"
    )
    said = command.rows(command.run(tmp_path / "test_wrong.py", dict(os.environ), 60))
    assert [(name, result.partition(";")[0]) for name, result, _ in said] == [
        ("test_right", "1 passed"), ("test_wrong", "1 failed"), ("test_dies", "1 failed"),
    ]  # fmt: skip
    assert said[1][1] == "1 failed; assert 1 == 2"
    assert said[2][1] == "1 failed; the process ended with 5"
    assert command.rows(command.run(tmp_path / "test_slow.py", dict(os.environ), 1))[0][1].startswith(
        "1 failed"
    )
    (tmp_path / "test_next.py").write_text(
        "import pytest\npytestmark = pytest.mark.full\ndef test_next(): pass\n"
    )
    monkeypatch.setattr(command, "FILES", [tmp_path / "test_wrong.py", tmp_path / "test_next.py"])
    monkeypatch.setattr(sys, "argv", ["tests.gpu", "--own"])
    assert command.main() == 1
    assert re.search(r"^4 tests in \d+ s, 2 failed\.$", capsys.readouterr().out, re.MULTILINE)
