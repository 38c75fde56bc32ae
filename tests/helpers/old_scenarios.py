"""Older versions of scenarios, kept as docs/formats.md 7 says (decision 75)."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.game import scenario_files


def keep(root: Path, before: Path, *names: str) -> None:
    """Keep the versions of scenarios below ``before`` as older versions below ``root``."""
    for name in names:
        old = root / name / "old" / scenario_files.load(before / name).sha256
        old.mkdir(parents=True)
        for part, (_path, raw) in zip(scenario_files.PARTS, scenario_files.read_contents(before / name), strict=True):
            (old / f"{part}.yaml").write_bytes(raw)
