"""RE2: matching, quoting and what is wrong with an expression. What it captures goes to a `StringPiece` array."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <re2/re2.h>
int main() {
  re2::RE2 pair("(\\w+):(?P<number>\\d+)");
  tell(pair.ok()); tell(pair.NumberOfCapturingGroups()); tell(pair.pattern());
  tell(re2::RE2::FullMatch("ruby:1234", pair)); tell(re2::RE2::FullMatch("ruby:", pair));
  tell(re2::RE2::PartialMatch("an opal:12 here", pair));
  for (const auto& [name, number] : pair.NamedCapturingGroups()) { tell(name); tell(number); }
  tell(re2::RE2::QuoteMeta("a.b*"));
  re2::RE2 quiet("(", re2::RE2::Quiet);
  tell(quiet.ok()); tell(quiet.error()); tell(quiet.error_code());
}
"""


@pytest.fixture(scope="module")
def re2(needs: Any) -> Any:
    needs("re2/re2.h", "libre2-dev", "re2")
    return sb.bind("re2/re2.h", libraries=["re2"]).re2


def test_expressions(re2: Any, agree: Any) -> None:
    pair = re2.RE2(r"(\w+):(?P<number>\d+)")
    values = [pair.ok(), pair.NumberOfCapturingGroups(), pair.pattern()]
    values += [re2.RE2.FullMatch("ruby:1234", pair), re2.RE2.FullMatch("ruby:", pair)]
    values.append(re2.RE2.PartialMatch("an opal:12 here", pair))
    for name, number in pair.NamedCapturingGroups().items():
        values += [name, number]
    values.append(re2.RE2.QuoteMeta("a.b*"))
    quiet = re2.RE2("(", re2.RE2.CannedOptions.Quiet)
    agree([*values, quiet.ok(), quiet.error(), quiet.error_code()], PROGRAM, "-lre2")
