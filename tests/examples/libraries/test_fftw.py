"""FFTW from its own header: opaque plans, complex arrays as C's pairs of numbers; compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # a library that few machines have
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]


@pytest.fixture(scope="module")
def lib(needs: Callable[[str, str], None]) -> Any:
    needs("fftw3.h", "libfftw3-dev", "fftw3", "fftw3f")
    return sb.bind("fftw3.h", libraries=["fftw3", "fftw3f"])


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_forward_and_back(lib: Any, dtype: Any) -> None:
    rng = np.random.default_rng(1)
    signal = (rng.normal(size=60) + 1j * rng.normal(size=60)).astype(dtype)
    spectrum, again = np.zeros_like(signal), np.zeros_like(signal)
    kind = "fftw" if dtype == np.complex128 else "fftwf"
    make, run, drop = (getattr(lib, f"{kind}_{name}") for name in ("plan_dft_1d", "execute", "destroy_plan"))
    for source, target, sign in (
        (signal, spectrum, lib.FFTW_FORWARD),
        (spectrum, again, lib.FFTW_BACKWARD),
    ):
        plan = make(60, source, target, sign, lib.FFTW_ESTIMATE)
        assert plan
        run(plan)
        drop(plan)
    assert spectrum == pytest.approx(np.fft.fft(signal), rel=1e-4 if dtype == np.complex64 else 1e-12)
    assert again / 60 == pytest.approx(signal, rel=1e-4 if dtype == np.complex64 else 1e-12)


def test_real_numbers_in_two_dimensions(lib: Any) -> None:
    image = np.random.default_rng(2).normal(size=(6, 8))
    expected = np.fft.rfft2(image)
    spectrum = np.zeros((6, 5), complex)
    plan = lib.fftw_plan_dft_r2c_2d(6, 8, image, spectrum, lib.FFTW_ESTIMATE)
    lib.fftw_execute(plan)
    lib.fftw_destroy_plan(plan)
    assert spectrum == pytest.approx(expected)


def test_other_formats_are_refused(lib: Any) -> None:
    with pytest.raises(sb.ArrayError, match=r"complex64\[4\]"):
        lib.fftw_plan_dft_1d(4, np.zeros(4, np.complex64), np.zeros(4, complex), -1, lib.FFTW_ESTIMATE)
    with pytest.raises(sb.ArrayError, match=r"shape must be \[n, 2\]"):
        lib.fftw_plan_dft_1d(4, np.zeros(8), np.zeros(4, complex), -1, lib.FFTW_ESTIMATE)


def test_pairs_of_numbers_serve_as_well(lib: Any) -> None:
    signal = np.zeros((4, 2))
    signal[1, 0] = 1
    spectrum = np.zeros(4, complex)
    plan = lib.fftw_plan_dft_1d(4, signal, spectrum, lib.FFTW_FORWARD, lib.FFTW_ESTIMATE)
    lib.fftw_execute(plan)
    lib.fftw_destroy_plan(plan)
    assert spectrum == pytest.approx(np.fft.fft([0, 1, 0, 0]))


def test_a_callback_writes_the_wisdom(lib: Any) -> None:
    text: list[str] = []
    lib.fftw_export_wisdom(lambda character, data: text.append(chr(character)), None)
    assert "".join(text).startswith("(fftw-")
