"""TagLib: the tags of a WAV file. A C text is Latin-1 to it, as its documents say, unless `UTF8` is."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <taglib/fileref.h>
#include <taglib/tag.h>
using namespace TagLib;
int main() {
  FileRef f("theirs.wav"); tell(f.isNull());
  f.tag()->setTitle("Z\xc3\xbcrich"); tell(f.tag()->title().to8Bit(true));
  f.tag()->setTitle(String("Z\xc3\xbcrich", String::UTF8)); tell(f.tag()->title().to8Bit(true));
  f.tag()->setYear(1999); tell(f.save());
  FileRef g("theirs.wav"); tell(g.tag()->title().to8Bit(true)); tell(g.tag()->year());
  tell(g.audioProperties()->sampleRate()); tell(g.audioProperties()->length());
  tell(FileRef("none.wav").isNull());
}
"""


@pytest.fixture(scope="module")
def taglib(needs: Any) -> Any:
    needs("taglib/fileref.h", "libtag1-dev", "tag")
    include = "/usr/include/taglib"
    flags = ["-include", "taglib/tag.h"]
    return sb.bind(
        "taglib/fileref.h", include_dirs=[include], libraries=["tag"], expose=["*/taglib/*"], flags=flags
    ).TagLib


def test_tags(taglib: Any, agree: Any, tmp_path: Path) -> None:
    for name in ("ours.wav", "theirs.wav"):
        with wave.open(str(tmp_path / name), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(bytes(16000))
    file = taglib.FileRef(str(tmp_path / "ours.wav"))
    tag = file.tag()
    values: list[Any] = [file.isNull()]
    tag.setTitle("Zürich")
    values.append(tag.title().to8Bit(True))
    tag.setTitle(taglib.String("Zürich", taglib.String.Type.UTF8))
    values.append(tag.title().to8Bit(True))
    tag.setYear(1999)
    values.append(file.save())
    again = taglib.FileRef(str(tmp_path / "ours.wav"))
    values += [again.tag().title().to8Bit(True), again.tag().year()]
    values += [again.audioProperties().sampleRate(), again.audioProperties().length()]
    values.append(taglib.FileRef(str(tmp_path / "none.wav")).isNull())
    agree(values, PROGRAM, "-I/usr/include/taglib", "-ltag")
