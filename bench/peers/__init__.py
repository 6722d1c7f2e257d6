"""Finds the peers: every file of this folder but `base` ends in `PEERS`, a tuple of rows."""

from __future__ import annotations

import importlib
from pathlib import Path

from peers.base import Peer


def all_peers() -> list[Peer]:
    """All rows, the floors first and ours next, then by file name."""
    stems = {path.stem for path in Path(__file__).parent.glob("*.py")} - {"__init__", "base"}
    peers = [peer for name in sorted(stems) for peer in importlib.import_module(f"peers.{name}").PEERS]
    return sorted(peers, key=lambda peer: ("floor" not in peer.name, not peer.ours))
