"""The protocol's test vectors, as plain data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[1] / "vectors"


@pytest.fixture(scope="session")
def vectors():
    return json.loads((VECTORS / "vectors.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def messages():
    """Return the message contents by name of the sample, in order."""
    found = {sample: sorted((VECTORS / sample).glob("0*.json")) for sample in ("sample-players", "sample-referee")}
    return {sample: [json.loads(path.read_text(encoding="utf-8")) for path in paths] for sample, paths in found.items()}
