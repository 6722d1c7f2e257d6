"""libcurl from its own header: its variadic options in a header of a few lines, callbacks that are Python's."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

# curl_easy_setopt(handle, option, ...) takes one argument of three kinds.
HEADER = """
#include <curl/curl.h>
static inline CURLcode set_number(CURL *h, CURLoption o, long value) { return curl_easy_setopt(h, o, value); }
static inline CURLcode set_pointer(CURL *h, CURLoption o, const void *value) { return curl_easy_setopt(h, o, value); }
static inline CURLcode writer(CURL *h, curl_write_callback f) { return curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, f); }
static inline CURLcode reader(CURL *h, curl_read_callback f) { return curl_easy_setopt(h, CURLOPT_READFUNCTION, f); }
static inline CURLcode get_number(CURL *h, CURLINFO what, long *value) { return curl_easy_getinfo(h, what, value); }
static inline CURLcode get_text(CURL *h, CURLINFO what, const char **text) { return curl_easy_getinfo(h, what, text); }
"""


@pytest.fixture(scope="module")
def curl(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    needs("curl/curl.h", "libcurl4-openssl-dev")
    library = ctypes.util.find_library("curl")
    if library is None:
        pytest.skip("libcurl is not there: apt install libcurl4")
    header: Path = tmp_path_factory.mktemp("curl") / "own_curl.h"
    header.write_text(HEADER)
    lib: Any = sb.bind(header, library=library, style="c_api", language="c", expose=["*/curl/*"], check=True)
    lib.curl_global_init(lib.CURL_GLOBAL_DEFAULT)
    return lib


@pytest.fixture
def easy(curl: Any) -> Any:
    (made,) = curl.curl_easy_init()
    yield made
    curl.curl_easy_cleanup(made)


def test_a_file_is_read(curl: Any, easy: Any, tmp_path: Path) -> None:
    data = bytes(range(256)) * 300
    (tmp_path / "data.bin").write_bytes(data)
    found = bytearray()

    def write(buffer: Any, size: int, n: int, context: Any) -> int:
        found.extend(ctypes.string_at(int(buffer), size * n))
        return size * n

    writer = curl.curl_write_callback(write)
    curl.set_pointer(easy, curl.CURLOPT_URL, f"file://{tmp_path}/data.bin".encode())
    curl.writer(easy, writer)
    curl.curl_easy_perform(easy)
    assert found == data
    assert curl.get_text(easy, curl.CURLINFO_EFFECTIVE_URL) == f"file://{tmp_path}/data.bin"
    assert curl.get_number(easy, curl.CURLINFO_RESPONSE_CODE) == 0


def test_a_file_is_written(curl: Any, easy: Any, tmp_path: Path) -> None:
    rest = bytearray(b"same bytes " * 5000)
    data = bytes(rest)

    def read(room: Any, size: int, n: int, context: Any) -> int:
        piece = rest[: size * n]
        del rest[: size * n]
        ctypes.memmove(int(room), bytes(piece), len(piece))
        return len(piece)

    reader = curl.curl_read_callback(read)
    curl.set_pointer(easy, curl.CURLOPT_URL, f"file://{tmp_path}/out.bin".encode())
    curl.set_number(easy, curl.CURLOPT_UPLOAD, 1)
    curl.reader(easy, reader)
    curl.curl_easy_perform(easy)
    assert (tmp_path / "out.bin").read_bytes() == data


def test_statuses(curl: Any, easy: Any, tmp_path: Path) -> None:
    message = np.zeros(curl.CURL_ERROR_SIZE, np.uint8)
    curl.set_pointer(easy, curl.CURLOPT_ERRORBUFFER, message)
    curl.set_pointer(easy, curl.CURLOPT_URL, f"file://{tmp_path}/none".encode())
    with pytest.raises(sb.StatusError, match="CURLE_FILE_COULDNT_READ_FILE") as caught:
        curl.curl_easy_perform(easy)
    assert "Couldn't open file" in message.tobytes().decode()
    assert "read a file" in curl.curl_easy_strerror(caught.value.status)[0]


def test_a_python_error_ends_the_transfer(curl: Any, easy: Any, tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(b"x" * 10)

    def write(buffer: Any, size: int, n: int, context: Any) -> int:
        raise OSError("the disk is full")

    writer = curl.curl_write_callback(write)
    curl.set_pointer(easy, curl.CURLOPT_URL, f"file://{tmp_path}/data.bin".encode())
    curl.writer(easy, writer)
    with pytest.raises(OSError, match="the disk is full"):
        curl.curl_easy_perform(easy)


def test_urls(curl: Any) -> None:
    (url,) = curl.curl_url()
    curl.curl_url_set(url, curl.CURLUPART_URL, "https://user@example.com:8443/a/b?q=1#end", 0)
    parts = (curl.CURLUPART_HOST, curl.CURLUPART_PORT, curl.CURLUPART_PATH, curl.CURLUPART_QUERY)
    found = []
    for part in parts:
        text = curl.curl_url_get(url, part, 0)
        found.append(ctypes.string_at(int(text)).decode())
        curl.curl_free(text)
    assert found == ["example.com", "8443", "/a/b", "q=1"]
    curl.curl_url_cleanup(url)
