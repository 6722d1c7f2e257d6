"""``SAMEBYTES_OPTIMIZE``: how hard the compiler optimises what is built; each level has builds of its own."""

from __future__ import annotations

import pytest

import samebytes as sb
from samebytes.make.request import Request
from samebytes.make.units import compile_flags

SOURCE = """
inline bool is_optimised() {
#ifdef __OPTIMIZE__
  return true;
#else
  return false;
#endif
}
"""


@pytest.mark.parametrize(
    ("level", "flag"), [(None, "-O3"), ("", "-O3"), ("0", "-O0"), ("1", "-O1"), ("2", "-O2"), ("3", "-O3")]
)
def test_the_flag(level: str | None, flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if level is None:
        monkeypatch.delenv("SAMEBYTES_OPTIMIZE")
    else:
        monkeypatch.setenv("SAMEBYTES_OPTIMIZE", level)
    assert compile_flags(Request("f"), "c++")[0] == flag


def test_each_level_has_builds_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for level, optimised in (("1", True), ("0", False), ("1", True)):
        monkeypatch.setenv("SAMEBYTES_OPTIMIZE", level)
        assert sb.compile(SOURCE).is_optimised() == optimised


@pytest.mark.parametrize("level", ["4", "-O2", "fast", " "])
def test_another_word_is_refused(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEBYTES_OPTIMIZE", level)
    with pytest.raises(sb.BindError, match=r"SAMEBYTES_OPTIMIZE is '.*': it is one of 0, 1, 2, 3"):
        sb.compile("inline int one() { return 1; }  // another")


def test_a_flag_of_the_user_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEBYTES_OPTIMIZE", "0")
    assert sb.compile(SOURCE, flags=["-O2"]).is_optimised()
