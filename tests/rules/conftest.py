"""Puts tests/ on the path, so that random play can be used from here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
