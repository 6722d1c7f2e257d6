"""Lets the tests of this folder import what lies beside them: tables of rows, the seed's example, a machine for PTX."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
