"""A test that needs a library asks for the library, not only for its header."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize(
    ("header", "libraries", "said"),
    [
        ("stdio.h", ("c", "m", "libc.so.6"), None),
        ("no/such.h", (), "<no/such.h> is not installed: apt install it-dev"),
        (
            "stdio.h",
            ("c", "nosuchlibrary"),
            "<stdio.h> is installed, but not nosuchlibrary: apt install it-dev",
        ),
        (
            "stdio.h",
            ("libnosuch.so.3",),
            "<stdio.h> is installed, but not libnosuch.so.3: apt install it-dev",
        ),
    ],
)
def test_what_is_missing_is_named(
    needs: Callable[..., None], header: str, libraries: tuple[str, ...], said: str | None
) -> None:
    if said is None:
        needs(header, "it-dev", *libraries)
        return
    with pytest.raises(pytest.skip.Exception) as caught:
        needs(header, "it-dev", *libraries)
    assert caught.value.msg == said
