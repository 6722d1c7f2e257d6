"""spdlog: messages through a logger of its own into a file; a format that C++ checks when it compiles is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

DEFINES = ["SPDLOG_COMPILED_LIB", "SPDLOG_FMT_EXTERNAL"]
PROGRAM = r"""
#include <spdlog/spdlog.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <fstream>
int main() {
  auto log = spdlog::basic_logger_mt("mine", "theirs.txt");
  log->set_pattern("%n %l %v"); log->set_level(spdlog::level::warn);
  log->info("not seen"); log->warn("caf\xc3\xa9 {}"); log->error("gone"); log->flush();
  tell(log->name()); tell(log->level()); tell(log->should_log(spdlog::level::info));
  std::ifstream in("theirs.txt"); for (std::string line; std::getline(in, line);) tell(line);
}
"""


@pytest.fixture(scope="module")
def spdlog(needs: Any) -> Any:
    needs("spdlog/spdlog.h", "libspdlog-dev", "spdlog", "fmt")
    return sb.bind(
        "spdlog/spdlog.h", expose=["*/spdlog/*"], libraries=["spdlog", "fmt"], defines=DEFINES,
        flags=["-include", "spdlog/sinks/basic_file_sink.h"],
    ).spdlog  # fmt: skip


def test_a_file(spdlog: Any, agree: Any, tmp_path: Path) -> None:
    log = spdlog.basic_logger_mt("mine", str(tmp_path / "ours.txt"))
    log.set_pattern("%n %l %v")
    log.set_level(spdlog.level.level_enum.warn)
    log.info("not seen")
    log.warn("café {}")
    log.error("gone")
    log.flush()
    values = [log.name(), log.level(), log.should_log(spdlog.level.level_enum.info)]
    values += (tmp_path / "ours.txt").read_text().splitlines()
    agree(values, PROGRAM, "-lspdlog", "-lfmt", *(f"-D{d}" for d in DEFINES))


def test_a_checked_format_is_refused(spdlog: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="basic_format_string"):
        spdlog.info("{} {}", 3, 4)
