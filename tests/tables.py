"""A table of rows as one test that tells each that fails, and what fixtures of a file say once."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

_SHOWN = 20  # failures


def each(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Any], Any]:
    """What ``pytest.mark.parametrize`` takes, for many rows of one assertion, above a test or a class of tests.

    A test of its own costs more than such an assertion does. Fixtures are made once for the whole table: a test that
    changes them is no row.

    Parameters
    ----------
    names : str or sequence of str
        The arguments that a row gives.
    rows : iterable
        The values, in tuples where there are several names.

    Raises
    ------
    ExceptionGroup
        With the failure of each row, which says its row. Skipped where a row is, and none fails.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    table = [row if len(arguments) > 1 else (row,) for row in rows]
    assert table, "a table has rows"

    def decorate(test: Any) -> Any:
        if isinstance(test, type):
            for name, method in [*vars(test).items()]:
                if name.startswith("test"):
                    setattr(test, name, decorate(method))
            return test

        @functools.wraps(test)
        def whole(*args: object, **given: object) -> None:
            failures: list[Exception] = []
            skips: list[BaseException] = []
            for row in table:
                try:
                    test(*args, **given, **dict(zip(arguments, row, strict=True)))
                except pytest.skip.Exception as skip:
                    skips.append(skip)
                except (Exception, pytest.fail.Exception) as failure:
                    error = failure if isinstance(failure, Exception) else AssertionError(str(failure))
                    error.add_note(f"row: {', '.join(map(str, row))}")
                    failures.append(error)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(table)} rows fail", failures[:_SHOWN])
            if skips:  # the others have passed; who counts skipped tests sees that not all of it ran
                pytest.skip(f"{len(skips)} of {len(table)} rows: {skips[0]}")

        own = inspect.signature(test)
        left = [p for name, p in own.parameters.items() if name not in arguments]
        whole.__signature__ = own.replace(parameters=left)  # type: ignore[attr-defined]
        return whole

    return decorate


_WARNED: set[tuple[str, int]] = set()


@contextmanager
def warns_at_first(category: type[Warning], match: str | None = None) -> Iterator[None]:
    """As ``pytest.warns()``, in a fixture of a file: where a worker comes back to the file, what was said is said."""
    caller = sys._getframe(2)
    place = (caller.f_code.co_filename, caller.f_lineno)
    if place in _WARNED:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", category)
            yield
    else:
        _WARNED.add(place)
        with pytest.warns(category, match=match):
            yield
