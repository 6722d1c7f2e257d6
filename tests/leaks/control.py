"""Run by test_races.py with a core of its own: a race on purpose, which ThreadSanitizer must see through our calls."""

from __future__ import annotations

import sys
import threading

import own_core

CORE = sys.argv[1]
own_core.load(CORE)

import samebytes as sb  # noqa: E402

SOURCE = """
inline int& shared() { static int n; return n; }
inline int bump(int times) { for (int i = 0; i < times; ++i) ++shared(); return shared(); }
"""
lib = sb.compile(SOURCE, flags=["-fsanitize=thread", "-O0"], libraries=["tsan"], name="races")
threads = [threading.Thread(target=lib.bump, args=(30_000_000,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("raced")
