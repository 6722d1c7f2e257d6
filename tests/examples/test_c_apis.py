"""Real C APIs in style="c_api", used for real: SQLite and zlib."""

import ctypes
import ctypes.util
import zlib

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")


def bound(header, library, package, **more):
    found = ctypes.util.find_library(library)
    if found is None:
        pytest.skip(f"lib{library} is not there: apt install {package}")
    try:
        return sb.bind(header, library=found, style="c_api", **more)
    except sb.BindError as error:
        if "no header" not in str(error):
            raise
        pytest.skip(f"{header} is not there: apt install {package}")


class TestSqlite:
    @pytest.fixture(scope="class")
    @classmethod
    def lib(cls):
        return bound(
            "sqlite3.h",
            "sqlite3",
            "libsqlite3-dev",
            arg_intent={"sqlite3_prepare_v2": {"pzTail": "in"}},
            texts=["sqlite3_column_text"],
        )

    @pytest.fixture
    def db(self, lib):
        status, db = lib.sqlite3_open(":memory:")
        assert status == lib.SQLITE_OK
        script = "create table t(a int, b text); insert into t values (1, 'x'), (2, 'ÿ')"
        assert lib.sqlite3_exec(db, script, None, None) == (lib.SQLITE_OK, sb.Pointer(None))
        yield db
        assert lib.sqlite3_close(db) == lib.SQLITE_OK

    def test_handles(self, lib, db):
        assert type(db) is lib.sqlite3
        with pytest.raises(
            sb.ArgumentError, match=r"sqlite3_step\(\) argument 1 .*expected a sqlite3_stmt handle"
        ):
            lib.sqlite3_step(db)

    def test_a_callback_gets_every_row(self, lib, db):
        rows = []

        def row(context, count, values, names):
            texts = (ctypes.c_char_p * count).from_address(int(values))
            rows.append(tuple(text.decode() for text in texts))
            return 0

        assert lib.sqlite3_exec(db, "select * from t order by a", row, None)[0] == lib.SQLITE_OK
        assert rows == [("1", "x"), ("2", "ÿ")]

    def test_an_exception_in_a_callback_is_the_calls(self, lib, db):
        def row(context, count, values, names):
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            lib.sqlite3_exec(db, "select * from t", row, None)

    def test_statements(self, lib, db):
        status, statement = lib.sqlite3_prepare_v2(
            db, "select a * 2.5, a from t where a > ? order by a", -1, None
        )
        assert status == lib.SQLITE_OK
        assert lib.sqlite3_bind_int(statement, 1, 0) == lib.SQLITE_OK
        found = []
        while lib.sqlite3_step(statement) == lib.SQLITE_ROW:
            found.append((lib.sqlite3_column_double(statement, 0), lib.sqlite3_column_int64(statement, 1)))
        assert found == [(2.5, 1), (5.0, 2)]
        assert lib.sqlite3_finalize(statement) == lib.SQLITE_OK

    def test_columns_are_texts(self, lib, db):
        _, statement = lib.sqlite3_prepare_v2(db, "select b, null, x'00' from t order by a desc", -1, None)
        assert lib.sqlite3_step(statement) == lib.SQLITE_ROW
        assert lib.sqlite3_column_text(statement, 0) == "ÿ"
        assert lib.sqlite3_column_bytes(statement, 0) == 2
        assert lib.sqlite3_column_text(statement, 1) is None
        blob, size = lib.sqlite3_column_blob(statement, 2), lib.sqlite3_column_bytes(statement, 2)
        assert ctypes.string_at(int(blob), size) == b"\0"
        assert lib.sqlite3_finalize(statement) == lib.SQLITE_OK

    def test_errors_have_words(self, lib, db):
        status, message = lib.sqlite3_exec(db, "select nonsense from t", None, None)
        assert status == lib.SQLITE_ERROR
        assert ctypes.string_at(int(message)) == b"no such column: nonsense"
        lib.sqlite3_free(message)
        assert lib.sqlite3_errmsg(db) == "no such column: nonsense"


class TestZlib:
    TEXT = np.frombuffer(b"samebytes " * 200, np.uint8)

    @pytest.fixture(scope="class")
    @classmethod
    def lib(cls):
        intents = {name: {"destLen": "inout_ptr"} for name in ("compress", "uncompress")}
        return bound("zlib.h", "z", "zlib1g-dev", arg_intent=intents)

    def test_there_and_back(self, lib):
        packed, length = np.zeros(4000, np.uint8), np.array([4000], np.uint64)
        assert lib.compress(packed, length, self.TEXT, self.TEXT.size) == lib.Z_OK
        assert zlib.decompress(packed[: length[0]].tobytes()) == self.TEXT.tobytes()
        out, size = np.zeros_like(self.TEXT), np.array([self.TEXT.size], np.uint64)
        assert lib.uncompress(out, size, packed, length[0]) == lib.Z_OK
        assert (out == self.TEXT).all()

    def test_the_stream_struct(self, lib):
        stream, out = lib.z_stream(), np.zeros(4000, np.uint8)
        assert lib.deflateInit_(stream, 6, lib.ZLIB_VERSION, lib.z_stream.c_sizeof()) == lib.Z_OK
        stream.next_in, stream.avail_in = (
            self.TEXT.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)),
            self.TEXT.size,
        )
        stream.next_out, stream.avail_out = out, out.size
        assert lib.deflate(stream, lib.Z_FINISH) == lib.Z_STREAM_END
        assert zlib.decompress(out[: stream.total_out].tobytes()) == self.TEXT.tobytes()
        assert lib.deflateEnd(stream) == lib.Z_OK
