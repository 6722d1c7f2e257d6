"""libcurl from its own header: options of every kind through the dots, callbacks that are Python's."""

from __future__ import annotations

import ctypes
import ctypes.util
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module")
def curl(needs: Callable[[str, str], None]) -> Any:
    needs("curl/curl.h", "libcurl4-openssl-dev")
    library = ctypes.util.find_library("curl")
    if library is None:
        pytest.skip("libcurl is not there: apt install libcurl4")
    lib: Any = sb.bind("curl/curl.h", library=library, style="c_api", check=True)
    lib.curl_global_init(lib.CURL_GLOBAL_DEFAULT)
    return lib


@pytest.fixture
def easy(curl: Any) -> Any:
    made = curl.curl_easy_init()
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
    curl.curl_easy_setopt(easy, curl.CURLOPT_URL, f"file://{tmp_path}/data.bin".encode())
    curl.curl_easy_setopt(easy, curl.CURLOPT_WRITEFUNCTION, writer)
    curl.curl_easy_perform(easy)
    assert found == data
    text, number, size = ctypes.c_char_p(), np.ones(1, np.int64), ctypes.c_double()
    curl.curl_easy_getinfo(easy, curl.CURLINFO_EFFECTIVE_URL, ctypes.byref(text))
    curl.curl_easy_getinfo(easy, curl.CURLINFO_RESPONSE_CODE, number)
    curl.curl_easy_getinfo(easy, curl.CURLINFO_SIZE_DOWNLOAD, ctypes.byref(size))
    assert text.value == f"file://{tmp_path}/data.bin".encode()
    assert (number[0], size.value) == (0, len(data))


def test_a_file_is_written(curl: Any, easy: Any, tmp_path: Path) -> None:
    rest = bytearray(b"same bytes " * 5000)
    data = bytes(rest)

    def read(room: Any, size: int, n: int, context: Any) -> int:
        piece = rest[: size * n]
        del rest[: size * n]
        ctypes.memmove(int(room), bytes(piece), len(piece))
        return len(piece)

    reader = curl.curl_read_callback(read)
    curl.curl_easy_setopt(easy, curl.CURLOPT_URL, f"file://{tmp_path}/out.bin".encode())
    curl.curl_easy_setopt(easy, curl.CURLOPT_UPLOAD, 1)
    curl.curl_easy_setopt(easy, curl.CURLOPT_READFUNCTION, reader)
    curl.curl_easy_perform(easy)
    assert (tmp_path / "out.bin").read_bytes() == data


def test_a_server_of_this_machine(curl: Any, easy: Any) -> None:
    asked = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append((self.path, self.headers["X-One"], self.headers["User-Agent"], body))
            self.send_response(201)
            self.end_headers()
            self.wfile.write(body[::-1])

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    found = bytearray()

    def write(buffer: Any, size: int, n: int, context: Any) -> int:
        found.extend(ctypes.string_at(int(buffer), size * n))
        return size * n

    try:
        headers = curl.curl_slist_append(None, "X-One: 1")
        body, writer = b"same bytes", curl.curl_write_callback(write)
        for option, value in {
            curl.CURLOPT_URL: f"http://127.0.0.1:{server.server_port}/path",
            curl.CURLOPT_NOPROXY: "*",
            curl.CURLOPT_POST: True,
            curl.CURLOPT_POSTFIELDS: body,
            curl.CURLOPT_POSTFIELDSIZE_LARGE: len(body),
            curl.CURLOPT_HTTPHEADER: sb.Pointer(headers),
            curl.CURLOPT_USERAGENT: "samebytes",
            curl.CURLOPT_TIMEOUT: 20,
            curl.CURLOPT_WRITEFUNCTION: writer,
        }.items():
            curl.curl_easy_setopt(easy, option, value)
        curl.curl_easy_perform(easy)
        code = np.zeros(1, np.int64)
        curl.curl_easy_getinfo(easy, curl.CURLINFO_RESPONSE_CODE, code)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert asked == [("/path", "1", "samebytes", body)]
    assert (code[0], found) == (201, body[::-1])
    curl.curl_slist_free_all(headers)


def test_options_that_are_refused(curl: Any, easy: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"curl_easy_setopt\(\) argument 3: .*lib.its_typedef"):
        curl.curl_easy_setopt(easy, curl.CURLOPT_WRITEFUNCTION, lambda *args: 0)
    with pytest.raises(sb.StatusError, match="CURLE_UNKNOWN_OPTION"):
        curl.curl_easy_setopt(easy, 9999, 0)
    wrong = [
        (curl.CURLOPT_TIMEOUT, 2.5, r"expected an integer .* for CURLOPT_TIMEOUT, got 2.5"),
        (curl.CURLOPT_URL, 5, "expected an address for CURLOPT_URL"),
        (curl.CURLOPT_WRITEFUNCTION, "text", "expected a pointer to a C function for CURLOPT_WRITEFUNCTION"),
        (curl.CURLOPT_INFILESIZE_LARGE, None, "expected an integer"),
    ]
    for option, value, words in wrong:
        with pytest.raises(sb.ArgumentError, match=words):
            curl.curl_easy_setopt(easy, option, value)
    with pytest.raises(sb.ArgumentError, match="CURLOPT_URL asks for 1 further argument, got 0"):
        curl.curl_easy_setopt(easy, curl.CURLOPT_URL)
    for info, place in (
        (curl.CURLINFO_RESPONSE_CODE, ctypes.byref(ctypes.c_int())),
        (curl.CURLINFO_RESPONSE_CODE, np.zeros(1, np.int32)),
        (curl.CURLINFO_TOTAL_TIME, np.zeros(1, np.float32)),
        (curl.CURLINFO_EFFECTIVE_URL, np.zeros(1, np.int8)),
        (curl.CURLINFO_EFFECTIVE_URL, "text"),
    ):
        with pytest.raises(sb.Error, match=f"for {info.name}"):
            curl.curl_easy_getinfo(easy, info, place)


def test_statuses(curl: Any, easy: Any, tmp_path: Path) -> None:
    message = np.zeros(curl.CURL_ERROR_SIZE, np.uint8)
    curl.curl_easy_setopt(easy, curl.CURLOPT_ERRORBUFFER, message)
    curl.curl_easy_setopt(easy, curl.CURLOPT_URL, f"file://{tmp_path}/none".encode())
    with pytest.raises(sb.StatusError, match="CURLE_FILE_COULDNT_READ_FILE") as caught:
        curl.curl_easy_perform(easy)
    assert "Couldn't open file" in message.tobytes().decode()
    assert "read a file" in curl.curl_easy_strerror(caught.value.status)


def test_a_python_error_ends_the_transfer(curl: Any, easy: Any, tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(b"x" * 10)

    def write(buffer: Any, size: int, n: int, context: Any) -> int:
        raise OSError("the disk is full")

    writer = curl.curl_write_callback(write)
    curl.curl_easy_setopt(easy, curl.CURLOPT_URL, f"file://{tmp_path}/data.bin".encode())
    curl.curl_easy_setopt(easy, curl.CURLOPT_WRITEFUNCTION, writer)
    with pytest.raises(OSError, match="the disk is full"):
        curl.curl_easy_perform(easy)


def test_urls(curl: Any) -> None:
    url = curl.curl_url()
    curl.curl_url_set(url, curl.CURLUPART_URL, "https://user@example.com:8443/a/b?q=1#end", 0)
    parts = (curl.CURLUPART_HOST, curl.CURLUPART_PORT, curl.CURLUPART_PATH, curl.CURLUPART_QUERY)
    found = []
    for part in parts:
        text = curl.curl_url_get(url, part, 0)
        found.append(ctypes.string_at(int(text)).decode())
        curl.curl_free(text)
    assert found == ["example.com", "8443", "/a/b", "q=1"]
    curl.curl_url_cleanup(url)
