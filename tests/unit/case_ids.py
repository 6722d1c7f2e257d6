"""Names of test cases that are the same in every process, so that tests can run side by side."""

import re


def plain(value: object) -> str:
    """The value's repr without addresses."""
    return re.sub(r"(?: at)? 0x[0-9a-f]+|\b\d{13,}\b", "", repr(value))
