"""RocksDB: a database by its own headers; what C++ refuses in them is left out by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <rocksdb/db.h>
int main() {
  rocksdb::Options o; o.create_if_missing = true;
  rocksdb::DB* db; tell(rocksdb::DB::Open(o, "there", &db).ok());
  rocksdb::WriteOptions w; rocksdb::ReadOptions r;
  tell(db->Put(w, "k2", "v2").ok()); tell(db->Put(w, "k1", "v1").ToString());
  rocksdb::Iterator* it = db->NewIterator(r);
  for (it->SeekToFirst(); it->Valid(); it->Next()) { tell(it->key().ToString()); tell(it->value().ToString()); }
}
"""


def test_a_database(needs: Any, agree: Any, tmp_path: Path) -> None:
    needs("rocksdb/db.h", "librocksdb-dev", "rocksdb")
    headers = [f"*/rocksdb/{name}.h" for name in ("db", "options", "status", "slice", "iterator")]
    outputs = {"rocksdb::DB::Open": {"dbptr": "out_return"}}
    rocksdb = sb.bind("rocksdb/db.h", libraries=["rocksdb"], arg_intent=outputs, expose=headers).rocksdb
    options = rocksdb.Options()
    options.create_if_missing = True
    status, db = rocksdb.DB.Open(options, str(tmp_path / "here"))
    write, read = rocksdb.WriteOptions(), rocksdb.ReadOptions()
    values: list[Any] = [status.ok(), db.Put(write, "k2", "v2").ok(), db.Put(write, "k1", "v1").ToString()]
    it = db.NewIterator(read)
    it.SeekToFirst()
    while it.Valid():
        values += [it.key().ToString(False), it.value().ToString(False)]
        it.Next()
    agree(values, PROGRAM, "-lrocksdb")
