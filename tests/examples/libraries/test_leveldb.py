"""LevelDB from its own headers: databases that a function puts into a DB**, iterators, and all of it closed again."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

HEADER = """
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/write_batch.h>
"""
CONFIG = """
Libraries: [leveldb]
Expose: ["*/leveldb/*"]
Function Argument Intents:
  leveldb::DB::Open: {dbptr: owned}
  leveldb::DB::NewIterator: {return: owned}
  leveldb::DB::Get: {value: out_return}
  leveldb::DB::GetProperty: {value: out_return}
  leveldb::NewLRUCache: {return: {intent: owned}}
  leveldb::NewBloomFilterPolicy: {return: {intent: owned, deleter: delete}}
"""


@pytest.fixture(scope="module")
def leveldb(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    needs("leveldb/db.h", "libleveldb-dev", "leveldb")
    folder = tmp_path_factory.mktemp("leveldb")
    (folder / "own_leveldb.hpp").write_text(HEADER)
    (folder / "leveldb.yaml").write_text(CONFIG)
    return sb.bind(folder / "own_leveldb.hpp", config=folder / "leveldb.yaml").leveldb


@pytest.fixture
def options(leveldb: Any) -> Any:
    made = leveldb.Options()
    made.create_if_missing = True
    return made


def _opened(leveldb: Any, options: Any, place: Path) -> Any:
    status, db = leveldb.DB.Open(options, str(place))
    assert status.ToString() == "OK"
    return db


def test_open_put_get_iterate_close_reopen(leveldb: Any, options: Any, tmp_path: Path) -> None:
    write, read = leveldb.WriteOptions(), leveldb.ReadOptions()
    db = _opened(leveldb, options, tmp_path / "db")
    for i in range(100):
        assert db.Put(write, f"key {i:03}", f"value {i}").ok()
    batch = leveldb.WriteBatch()
    batch.Delete("key 007")
    batch.Put("last", "one")
    assert db.Write(write, batch).ok()
    status, value = db.Get(read, "key 042")
    assert (status.ok(), value) == (True, "value 42")
    assert db.Get(read, "key 007")[0].IsNotFound()
    assert db.GetProperty("leveldb.stats")[0]

    found = []
    with db.NewIterator(read) as rows:
        rows.SeekToFirst()
        while rows.Valid():
            found.append((rows.key().ToString(), rows.value().ToString()))
            rows.Next()
    assert len(found) == 100
    assert found[-1] == ("last", "one")

    with pytest.raises(sb.IntentError, match=r"refer to it \(Status\): drop them first"):
        sb.delete(db)  # C++ does not say whether a Status needs its database
    del status
    sb.delete(db)
    with pytest.raises(sb.IntentError, match=r"It is gone: sb\.delete"):
        db.Get(read, "last")
    with _opened(leveldb, options, tmp_path / "db") as db:
        assert db.Get(read, "last")[1] == "one"
    with _opened(leveldb, options, tmp_path / "db"):
        pass


def test_a_database_is_locked_while_it_is_open(leveldb: Any, options: Any, tmp_path: Path) -> None:
    db = _opened(leveldb, options, tmp_path / "db")
    status, none = leveldb.DB.Open(options, str(tmp_path / "db"))
    assert none is None
    assert "already held by process" in status.ToString()
    del db
    gc.collect()  # the last reference closes it, too
    with _opened(leveldb, options, tmp_path / "db"):
        pass


def test_an_iterator_is_closed_before_its_database(leveldb: Any, options: Any, tmp_path: Path) -> None:
    db = _opened(leveldb, options, tmp_path / "db")
    rows = db.NewIterator(leveldb.ReadOptions())
    with pytest.raises(sb.IntentError, match=r"refer to it .*: drop them first"):
        sb.delete(db)
    assert db.Put(leveldb.WriteOptions(), "a", "b").ok()
    sb.delete(rows)
    sb.delete(db)


def test_caches_and_filters_outlive_the_database(leveldb: Any, options: Any, tmp_path: Path) -> None:
    cache, policy = leveldb.NewLRUCache(1 << 20), leveldb.NewBloomFilterPolicy(10)
    assert policy.Name() == "leveldb.BuiltinBloomFilter2"
    options.block_cache, options.filter_policy = cache, policy
    db = _opened(leveldb, options, tmp_path / "db")
    assert db.Put(leveldb.WriteOptions(), "a", "b").ok()
    with pytest.raises(sb.IntentError, match=r"refer to it .*: drop them first"):
        sb.delete(cache)
    sb.delete(db)
    options.block_cache = options.filter_policy = None
    sb.delete(cache)
    sb.delete(policy)
