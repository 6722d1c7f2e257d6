"""The tests' own driver in the place of NVIDIA's, for each test of this folder that asks for it."""

import sys
from pathlib import Path

import pytest

for folder in ("launch", "targets"):  # importlib's import mode adds nothing itself
    sys.path.append(str(Path(__file__).parents[1] / folder))


@pytest.fixture(scope="session", autouse=True)
def _compiler():
    import samebytes as sb
    from samebytes.toolchain.cuda import find_nvrtc

    try:
        find_nvrtc()
    except sb.MissingDependency as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def _driver():
    from hardware import device

    return device()


@pytest.fixture
def fake(_driver, monkeypatch):
    from samebytes.toolchain.cuda import DRIVER_VARIABLE

    monkeypatch.setenv(DRIVER_VARIABLE, str(_driver.path))
    _driver.reset()
    yield _driver
    assert not _driver.errors, _driver.errors


@pytest.fixture(scope="session")
def _hip(tmp_path_factory):
    import samebytes as sb
    from samebytes.toolchain.rocm import find_hip_clang, rocm_headers

    try:
        find_hip_clang(), rocm_headers()
    except sb.MissingDependency as reason:
        pytest.skip(str(reason))
    pytest.importorskip("elftools"), pytest.importorskip("msgpack")
    from hip_device import FakeHip

    return FakeHip(tmp_path_factory.mktemp("hip"))


@pytest.fixture
def hip(_hip, monkeypatch):
    from samebytes.toolchain.rocm import DRIVER_VARIABLE

    monkeypatch.setenv(DRIVER_VARIABLE, str(_hip.path))
    _hip.launches.clear(), _hip.errors.clear()
    _hip.code = 0
    _hip.library.fake_hold(0), _hip.library.fake_fail_later(0)
    yield _hip
    assert not _hip.errors, _hip.errors
