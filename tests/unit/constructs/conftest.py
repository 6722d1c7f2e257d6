"""Makes the table's rows importable beside their tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
