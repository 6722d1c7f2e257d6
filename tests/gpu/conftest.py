"""The driver that `make gpu` has chosen, for each test of this folder; without it, the machine's as it is."""

import sys
from pathlib import Path

import pytest

for folder in ("launch", "targets"):  # importlib's import mode adds nothing itself
    sys.path.append(str(Path(__file__).parents[1] / folder))


@pytest.fixture(scope="session", autouse=True)
def _driver():
    from hardware import chosen, device

    from samebytes.toolchain.cuda import DRIVER_VARIABLE

    if not chosen():
        yield None
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DRIVER_VARIABLE, str(device().path))
        yield device()


@pytest.fixture(autouse=True)
def _as_before(_driver):
    if _driver is not None:
        _driver.reset()
    yield
    if _driver is not None:
        assert not _driver.errors, _driver.errors


@pytest.fixture
def device(_driver):
    """The driver, which has noted what it was given."""
    if _driver is None:
        pytest.skip("make gpu runs it")
    return _driver
