"""LevelDB's C++: a `DB**` is an output once it is said; so are values; a batch, an iterator in their order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <leveldb/db.h>
#include <leveldb/write_batch.h>
int main() {
  leveldb::Options o; o.create_if_missing = true;
  leveldb::DB* db; tell(leveldb::DB::Open(o, "there", &db).ok());
  leveldb::WriteOptions w; leveldb::ReadOptions r; std::string v;
  tell(db->Put(w, "k2", "v2").ok()); tell(db->Put(w, "k1", "v1").ToString());
  tell(db->Get(r, "k1", &v).ok()); tell(v); tell(db->Get(r, "none", &v).ToString());
  leveldb::WriteBatch b; b.Put("k3", "v3"); b.Delete("k2"); tell(db->Write(w, &b).ok());
  leveldb::Iterator* it = db->NewIterator(r);
  for (it->SeekToFirst(); it->Valid(); it->Next()) { tell(it->key().ToString()); tell(it->value().ToString()); }
}
"""


@pytest.fixture(scope="module")
def leveldb(needs: Any) -> Any:
    needs("leveldb/db.h", "libleveldb-dev", "leveldb")
    outputs = {"leveldb::DB::Open": {"dbptr": "out_return"}, "leveldb::DB::Get": {"value": "out_return"}}
    return sb.bind(
        "leveldb/write_batch.h", libraries=["leveldb"], expose=["*/leveldb/*"], arg_intent=outputs,
        flags=["-include", "leveldb/db.h"],
    ).leveldb  # fmt: skip


def test_a_database(leveldb: Any, agree: Any, tmp_path: Path) -> None:
    options = leveldb.Options()
    options.create_if_missing = True
    status, db = leveldb.DB.Open(options, str(tmp_path / "here"))
    write, read = leveldb.WriteOptions(), leveldb.ReadOptions()
    values: list[Any] = [status.ok(), db.Put(write, "k2", "v2").ok(), db.Put(write, "k1", "v1").ToString()]
    status, value = db.Get(read, "k1")
    values += [status.ok(), value, db.Get(read, "none")[0].ToString()]
    batch = leveldb.WriteBatch()
    batch.Put("k3", "v3")
    batch.Delete("k2")
    values.append(db.Write(write, batch).ok())
    it = db.NewIterator(read)
    it.SeekToFirst()
    while it.Valid():
        values += [it.key().ToString(), it.value().ToString()]
        it.Next()
    agree(values, PROGRAM, "-lleveldb")


def test_what_new_made_is_not_ended(leveldb: Any, tmp_path: Path) -> None:
    options = leveldb.Options()
    options.create_if_missing = True
    _, db = leveldb.DB.Open(options, str(tmp_path / "here"))
    with pytest.raises(sb.IntentError, match="It is not Python's"):
        sb.delete(db)
