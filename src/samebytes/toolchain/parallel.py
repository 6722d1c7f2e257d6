"""Work in threads, which wait for compilers; without ``concurrent.futures``, whose import no fork may meet halfway."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def each(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """What ``work`` makes of each item, as many at a time as there are processors.

    Raises
    ------
    Exception
        What the first item in order raised; none is begun after one has raised.
    """
    waiting, results, errors = iter(enumerate(items)), dict[int, R](), dict[int, BaseException]()

    def go_on() -> None:
        while not errors and (one := next(waiting, None)) is not None:
            try:
                results[one[0]] = work(one[1])
            except BaseException as error:  # raised by the thread that waits
                errors[one[0]] = error

    threads = [
        threading.Thread(target=go_on, name="samebytes") for _ in range(min(len(items), os.cpu_count() or 1))
    ]
    with _joined(threads, errors):
        pass
    if errors:
        raise errors[min(errors)]
    return [results[i] for i in range(len(items))]


@contextmanager
def beside(work: Callable[[], Any]) -> Iterator[None]:
    """Work during a block; what it raises is nobody's concern."""

    def quietly() -> None:
        with suppress(Exception):
            work()

    with _joined([threading.Thread(target=quietly, name="samebytes")]):
        yield


@contextmanager
def said_if_long(words: str, after: float = 2.0) -> Iterator[None]:
    """A block that somebody may wait for: if it lasts, one line on the terminal says what is done; nothing elsewhere.

    Parameters
    ----------
    words : str
    after : float
        Seconds.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    ended = threading.Event()

    def wait() -> None:
        if not ended.wait(after):
            print(words, file=sys.stderr, flush=True)

    with _joined([threading.Thread(target=wait, name="samebytes", daemon=True)]):
        try:
            yield
        finally:
            ended.set()


@contextmanager
def _joined(
    threads: Sequence[threading.Thread], errors: dict[int, BaseException] | None = None
) -> Iterator[None]:
    """Threads that run during a block and end with it; where it is interrupted, they begin nothing more."""
    started: list[threading.Thread] = []
    try:
        for thread in threads:
            thread.start()
            started.append(thread)
        yield
        for thread in threads:
            thread.join()
    except BaseException as error:
        if errors is not None:
            errors.setdefault(-1, error)
        for thread in started:
            thread.join()
        raise
