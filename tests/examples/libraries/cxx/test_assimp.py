"""assimp: a scene is read from a file; fields that point to records or to arrays of them are plain pointers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

TEXT = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
PROGRAM = r"""
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
int main() {
  Assimp::Importer i;
  const aiScene* s = i.ReadFile("t.obj", aiProcess_Triangulate);
  tell(s->mNumMeshes); tell(s->mNumMaterials); tell(s->HasMeshes()); tell(s->mFlags);
  tell(i.ReadFile("none.obj", 0) == nullptr); tell(i.GetErrorString());
}
"""


def test_a_scene(needs: Any, agree: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("assimp/Importer.hpp", "libassimp-dev", "assimp")
    (tmp_path / "t.obj").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    flags = ["-include", "assimp/scene.h", "-include", "assimp/postprocess.h"]
    lib = sb.bind("assimp/Importer.hpp", libraries=["assimp"], expose=["*/assimp/*"], flags=flags)
    importer = lib.Assimp.Importer()
    scene = importer.ReadFile("t.obj", lib.aiProcess_Triangulate)
    values: list[Any] = [scene.mNumMeshes, scene.mNumMaterials, scene.HasMeshes(), scene.mFlags]
    assert isinstance(scene.mMeshes, sb.Pointer)  # to the first of mNumMeshes pointers
    assert isinstance(scene.mRootNode, lib.aiNode)
    values += [importer.ReadFile("none.obj", 0) is None, importer.GetErrorString()]
    agree(values, PROGRAM, "-lassimp")
