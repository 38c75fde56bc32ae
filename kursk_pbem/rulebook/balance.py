"""Who wins a scenario, in one sentence, by the page docs/balance.md."""

from __future__ import annotations

import re
from functools import cache

from kursk_pbem.formats import data

PAGE = "balance.md"
_ROW = re.compile(r"^\| ([a-z0-9-]+/[a-z0-9-]+) \| ([0-9]) \| ([0-9,]+) \| ([^|]+) \|", re.MULTILINE)


@cache
def _read_rows() -> dict[str, str]:
    """Return the sentence of each scenario; {} without the page."""
    try:
        text = (data.find_folder("docs") / PAGE).read_text(encoding="utf-8")
    except OSError:
        return {}
    return {
        scenario: f"programs of level {level}: {wins.strip()} of {games}"
        for scenario, level, games, wins in _ROW.findall(text)
    }


def find_sentence(scenario: str) -> str:
    """Return a sentence such as 'programs of level 1: German 6 %, Russian 94 % of 2,000', '' without figures."""
    return _read_rows().get(scenario, "")
