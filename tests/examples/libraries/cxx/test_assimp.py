"""assimp: a scene is read from a file; its meshes are objects, counted by members."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

TEXT = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2.5\no front\nf 1 2 3\no side\nf 1 3 4\nf 1 2 4\n"
PROGRAM = r"""
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
int main() {
  Assimp::Importer i;
  const aiScene* s = i.ReadFile("t.obj", aiProcess_Triangulate);
  tell(s->mNumMeshes); tell(s->mNumMaterials); tell(s->HasMeshes()); tell(s->mFlags);
  for (unsigned m = 0; m < s->mNumMeshes; ++m) {
    const aiMesh* mesh = s->mMeshes[m];
    tell(mesh->mName.C_Str()); tell(mesh->mNumVertices); tell(mesh->mNumFaces); tell(mesh->HasNormals());
    for (unsigned v = 0; v < mesh->mNumVertices; ++v) { tell(mesh->mVertices[v].x); tell(mesh->mVertices[v].z); }
    for (unsigned f = 0; f < mesh->mNumFaces; ++f)
      for (unsigned k = 0; k < mesh->mFaces[f].mNumIndices; ++k) tell(mesh->mFaces[f].mIndices[k]);
  }
  for (unsigned c = 0; c < s->mRootNode->mNumChildren; ++c) {
    const aiNode* node = s->mRootNode->mChildren[c];
    tell(node->mName.C_Str()); tell(node->mMeshes[0]); tell(node->mParent == s->mRootNode);
  }
  tell(i.ReadFile("none.obj", 0) == nullptr); tell(i.GetErrorString());
}
"""
# One rule for most pairs of its members; vertices count more than themselves.
COUNTS = {"m*": "mNum*", "aiMesh::mNormals": "mNumVertices", "aiFace::mIndices": "mNumIndices"}


def test_a_scene(needs: Any, agree: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("assimp/Importer.hpp", "libassimp-dev", "assimp")
    (tmp_path / "t.obj").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    flags = ["-include", "assimp/scene.h", "-include", "assimp/postprocess.h"]
    lib = sb.bind(
        "assimp/Importer.hpp", libraries=["assimp"], expose=["*/assimp/*"], flags=flags, counts=COUNTS
    )
    importer = lib.Assimp.Importer()
    scene = importer.ReadFile("t.obj", lib.aiProcess_Triangulate)
    values: list[Any] = [scene.mNumMeshes, scene.mNumMaterials, scene.HasMeshes(), scene.mFlags]
    for mesh in scene.mMeshes:
        values += [mesh.mName.C_Str(), mesh.mNumVertices, mesh.mNumFaces, mesh.HasNormals()]
        values += [part for vertex in mesh.mVertices for part in (vertex.x, vertex.z)]
        values += [int(i) for face in mesh.mFaces for i in face.mIndices]
    for node in scene.mRootNode.mChildren:
        values += [node.mName.C_Str(), int(node.mMeshes[0]), node.mParent == scene.mRootNode]
    values += [importer.ReadFile("none.obj", 0) is None, importer.GetErrorString()]
    agree(values, PROGRAM, "-lassimp")
