"""Buffers with their lengths in style="c_api": zlib, bzip2, lzma, zstd, LZ4 and OpenSSL, compared with Python's own."""

from __future__ import annotations

import bz2
import ctypes.util
import hashlib
import hmac
import lzma
import zlib
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # it takes long
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]
TEXT = np.frombuffer(b"the same bytes on both sides " * 300, np.uint8).copy()


def bound(header: str, library: str, **more: Any) -> Any:
    found = ctypes.util.find_library(library)
    if found is None:
        pytest.skip(f"lib{library} is not there")
    try:
        return sb.bind(header, library=found, style="c_api", **more)
    except sb.BindError as error:
        if "no header" not in str(error):
            raise
        pytest.skip(f"{header} is not there")


class TestZlib:
    def test_there_and_back(self) -> None:
        lib = bound("zlib.h", "z")
        packed, out = np.zeros(20000, np.uint8), bytearray(TEXT.size)
        status, length = lib.compress(packed, TEXT, TEXT.size)
        assert (status, zlib.decompress(packed[:length].tobytes())) == (lib.Z_OK, TEXT.tobytes())
        assert lib.uncompress(out, packed, length) == (lib.Z_OK, TEXT.size)
        assert out == TEXT.tobytes()
        # What is left of the source is left: nothing says where its end is but the array.
        assert lib.uncompress2(bytearray(TEXT.size), packed) == (lib.Z_OK, TEXT.size, length)

    def test_too_little_room_is_a_status(self) -> None:
        lib = bound("zlib.h", "z")
        packed = np.zeros(1000, np.uint8)
        assert lib.compress(packed, TEXT, TEXT.size, destLen=20)[0] == lib.Z_BUF_ERROR
        assert not packed[20:].any()


def test_bzip2() -> None:
    lib = bound("bzlib.h", "bz2", language="c")
    packed, out = bytearray(20000), np.zeros(TEXT.size, np.int8)
    status, length = lib.BZ2_bzBuffToBuffCompress(packed, TEXT.view(np.int8), TEXT.size, 9, 0, 0)
    assert (status, bz2.decompress(packed[:length])) == (lib.BZ_OK, TEXT.tobytes())
    assert lib.BZ2_bzBuffToBuffDecompress(out, packed, length, 0, 0) == (lib.BZ_OK, TEXT.size)
    assert out.tobytes() == TEXT.tobytes()


def test_lzma() -> None:
    """Its capacities come by value; the position, which starts at 0, comes back."""
    lib = bound("lzma.h", "lzma", arg_intent={"lzma_stream_buffer_decode": {"memlimit": "inout_ptr"}})
    packed, out = np.zeros(20000, np.uint8), np.zeros(TEXT.size, np.uint8)
    status, length = lib.lzma_easy_buffer_encode(
        6, lib.lzma_check.LZMA_CHECK_CRC64, None, TEXT, TEXT.size, packed, packed.size
    )
    assert (status.name, lzma.decompress(packed[:length].tobytes())) == ("LZMA_OK", TEXT.tobytes())
    limit = np.array([1 << 30], np.uint64)
    status, _, length = lib.lzma_stream_buffer_decode(limit, 0, None, packed, length, out, out.size)
    assert (status.name, length, out.tobytes()) == ("LZMA_OK", TEXT.size, TEXT.tobytes())


def test_zstd() -> None:
    lib = bound("zstd.h", "zstd")
    room = lib.ZSTD_compressBound(TEXT.size)
    packed, out = np.zeros(room, np.uint8), np.zeros(TEXT.size, np.uint8)
    length = lib.ZSTD_compress(packed, packed.size, TEXT, TEXT.size, 3)
    assert lib.ZSTD_isError(length) == 0
    assert lib.ZSTD_decompress(out, out.size, packed, length) == TEXT.size
    assert out.tobytes() == TEXT.tobytes()


def test_lz4_frames() -> None:
    """What goes in and what comes out are both measured by what comes back."""
    lib = bound("lz4frame.h", "lz4")
    packed = np.zeros(int(lib.LZ4F_compressFrameBound(TEXT.size, None)), np.uint8)
    length = lib.LZ4F_compressFrame(packed, packed.size, TEXT, TEXT.size, None)
    _, context = lib.LZ4F_createDecompressionContext(lib.LZ4F_VERSION)
    out, parts, at = np.zeros(1000, np.uint8), [], 0
    while at < length:
        left, written, read = lib.LZ4F_decompress(context, out, packed[at:length], None)
        parts.append(out[:written].tobytes())
        at += read
    assert (left, b"".join(parts)) == (0, TEXT.tobytes())
    assert lib.LZ4F_freeDecompressionContext(context) == 0


class TestOpenSSL:
    @pytest.fixture(scope="class")
    @classmethod
    def lib(cls) -> Any:
        return bound("openssl/evp.h", "crypto")

    def test_digests(self, lib: Any) -> None:
        out = np.zeros(lib.EVP_MAX_MD_SIZE, np.uint8)
        context = lib.EVP_MD_CTX_new()
        assert lib.EVP_DigestInit_ex(context, lib.EVP_sha256(), None) == 1
        assert lib.EVP_DigestUpdate(context, TEXT, TEXT.size) == 1
        assert lib.EVP_DigestFinal_ex(context, out) == (1, 32)
        assert out[:32].tobytes() == hashlib.sha256(TEXT).digest()
        status, length = lib.EVP_Q_digest(None, "SHA512", None, TEXT, TEXT.size, out)
        assert (status, out[:length].tobytes()) == (1, hashlib.sha512(TEXT).digest())

    def test_signatures_ask_for_their_room_first(self, lib: Any) -> None:
        """``EVP_DigestSignFinal(ctx, NULL, &len)`` says how much room is needed, and reads how much there is."""
        key = b"a key"
        pkey = lib.EVP_PKEY_new_raw_private_key(
            lib.EVP_PKEY_HMAC, None, np.frombuffer(key, np.uint8), len(key)
        )
        context = lib.EVP_MD_CTX_new()
        assert lib.EVP_DigestSignInit(context, lib.EVP_sha256(), None, pkey)[0] == 1
        assert lib.EVP_DigestSignUpdate(context, TEXT, TEXT.size) == 1
        status, needed = lib.EVP_DigestSignFinal(context, None)
        assert (status, needed) == (1, 32)
        signature = bytearray(needed)
        assert lib.EVP_DigestSignFinal(context, signature) == (1, 32)
        assert signature == hmac.digest(key, TEXT.tobytes(), "sha256")

    def test_ciphers(self, lib: Any) -> None:
        """Block by block, as CTR mode is defined: no other library of Python's has the cipher to compare with."""
        key, start = np.arange(32, dtype=np.uint8), np.zeros(16, np.uint8)
        context = lib.EVP_CIPHER_CTX_new()
        packed, blocks = bytearray(TEXT.size + 16), np.zeros(TEXT.size + 32, np.uint8)
        assert lib.EVP_EncryptInit_ex(context, lib.EVP_aes_256_ctr(), None, key, start) == 1
        assert lib.EVP_EncryptUpdate(context, packed, TEXT, TEXT.size) == (1, TEXT.size)
        assert lib.EVP_EncryptFinal_ex(context, packed) == (1, 0)
        assert lib.EVP_EncryptInit_ex(context, lib.EVP_aes_256_ecb(), None, key, None) == 1
        count = -(-TEXT.size // 16)
        counters = np.zeros((count, 16), np.uint8)
        counters[:, 14], counters[:, 15] = np.arange(count) // 256, np.arange(count) % 256
        assert lib.EVP_EncryptUpdate(context, blocks, counters, counters.size) == (1, counters.size)
        assert bytes(packed[: TEXT.size]) == (blocks[: TEXT.size] ^ TEXT).tobytes()
        lib.EVP_CIPHER_CTX_free(context)
