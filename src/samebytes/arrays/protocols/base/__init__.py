"""What a protocol is: how a foreign object says which memory it shows."""

from .dicts import Described, described, entries, parsed_dtype
from .facts import attribute, dlpack_type, from_ndarray, interface_route, library, usm_kind, view_of_facts
from .protocol import HOSTS, Protocol, Refusals, Refused
from .tensors import refuse_unready

__all__ = [
    "HOSTS",
    "Described",
    "Protocol",
    "Refusals",
    "Refused",
    "attribute",
    "described",
    "dlpack_type",
    "entries",
    "from_ndarray",
    "interface_route",
    "library",
    "parsed_dtype",
    "refuse_unready",
    "usm_kind",
    "view_of_facts",
]
