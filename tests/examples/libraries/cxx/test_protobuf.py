"""protobuf: a message's C++ as protoc writes it; what it inherits from headers that are not exposed is there, too."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

MESSAGE = """
syntax = "proto3";
package shop;
message Item {
  string name = 1; int32 n = 2; bytes raw = 3; repeated double v = 4;
  enum Kind { A = 0; B = 1; }
  Kind kind = 5;
}
"""
PROGRAM = r"""
#include "item.pb.h"
int main() {
  shop::Item i; i.set_name("\xc3\xa9"); i.set_n(5); i.add_v(1.5); i.add_v(2.5); i.set_kind(shop::Item::B);
  tell(i.name()); tell(i.n()); tell(i.v_size()); tell(i.v(1)); tell(i.kind()); tell(i.ByteSizeLong());
  std::string s = i.SerializeAsString(); tell(s.size()); for (unsigned char c : s) tell((int)c);
  shop::Item j; tell(j.ParseFromString(s)); tell(j.name()); tell(j.v(0)); tell(j.ParseFromString("\xff"));
}
"""


@pytest.fixture(scope="module")
def folder(needs: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("google/protobuf/message.h", "libprotobuf-dev", "protobuf")
    if shutil.which("protoc") is None:
        pytest.skip("protoc is not installed: apt install protobuf-compiler")
    made: Path = tmp_path_factory.mktemp("item")
    (made / "item.proto").write_text(MESSAGE)
    subprocess.run(["protoc", "--cpp_out=.", "item.proto"], cwd=made, check=True)
    return made


def test_a_message(folder: Path, agree: Any) -> None:
    lib = sb.bind(folder / "item.pb.h", sources=[folder / "item.pb.cc"], libraries=["protobuf"])
    item = lib.shop.Item()
    item.set_name("é")
    item.set_n(5)
    item.add_v(1.5)
    item.add_v(2.5)
    item.set_kind(lib.shop.Item_Kind_B)
    values: list[Any] = [item.name(), item.n(), item.v_size(), item.v(1), item.kind(), item.ByteSizeLong()]
    data = item.SerializeAsString()
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")
    values += [len(raw), *raw]
    again = lib.shop.Item()
    values += [again.ParseFromString(raw), again.name(), again.v(0), again.ParseFromString(b"\xff")]
    sources = [str(folder / "item.pb.cc"), f"-I{folder}", "-lprotobuf", "-lpthread"]
    agree(values, PROGRAM, *sources)
