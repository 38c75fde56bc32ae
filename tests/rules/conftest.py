"""Puts tests/ on the path, so that random play can be used from here; hypothesis the same in every run."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[1]))

settings.register_profile("rules", deadline=None, database=None, derandomize=True)
settings.load_profile("rules")
