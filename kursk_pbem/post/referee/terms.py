"""The director's rules for all games, in ``referee.toml`` of the post folder. The director decides the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.wire import account as accounts

ASK, AUTOMATIC = "ask", "automatic"
MOST_DAYS, MOST_HOURS = 365, 30 * 24
_ALLOWED = {"entries": (ASK, AUTOMATIC), "remind": (True, False)}
_KEYS = {"days", "grace-hours", "entries", "remind", "director", "games"}


@frozen
class Terms:
    """A director's terms: ``days`` for an answer; ``games``: first digits of an id -> other days; ``grace`` in hours.

    ``entries``: whether to ask the director about a stranger's entry. ``director``: the address for the list of
    open decisions, or ''.
    """

    days: int
    grace: int = 24
    entries: str = ASK
    remind: bool = True
    director: str = ""
    games: Mapping[str, int] = field(default_factory=dict)

    def days_of(self, game: str) -> int:
        """Return the number of days for an answer in a game."""
        return next((days for short, days in self.games.items() if game.startswith(short)), self.days)


def terms_path(home: Path) -> Path:
    """Return the path of the terms file."""
    return post_folder.locate(home) / "referee.toml"


def load_terms(home: Path) -> Terms:
    """Return the director's terms. Raises UsageError if the file is missing or invalid."""
    said = accounts.read_settings(terms_path(home), _read_terms)
    if said is None:
        raise UsageError("set the days for an answer first: type 'kursk referee setup --days 7'")
    return said


def _read_terms(data: Mapping[str, Any]) -> Terms:
    """Return the terms in the file's data. Raises ValueError and UsageError."""
    accounts.check_names(data, _KEYS)
    games = data.get("games", {})
    if not isinstance(games, dict) or not all(len(short) >= 4 for short in games):
        raise ValueError("[games] contains lines like 1a2b3c4d = 3, the digits of a game and days")
    for name, allowed in _ALLOWED.items():
        if data.get(name, allowed[0]) not in allowed:
            raise ValueError(f"{name} is {allowed[0]!r} or {allowed[1]!r}")
    director = str(data.get("director", ""))
    return Terms(
        days=_read_number(data, "days", 1, MOST_DAYS),
        grace=_read_number({"grace-hours": 24, **data}, "grace-hours", 0, MOST_HOURS),
        entries=str(data.get("entries", ASK)),
        remind=bool(data.get("remind", True)),
        director=addresses.check_address(director) if director else "",
        games={short: _read_number(games, short, 1, MOST_DAYS) for short in sorted(games)},
    )


def _read_number(data: Mapping[str, Any], key: str, least: int, most: int) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{key} is a number from {least} to {most}")
    return value


def format_terms(terms: Terms) -> str:
    """Return the text of a terms file, with comments for the director."""
    return "\n".join(
        [
            "# The terms of a referee's mailbox. 'kursk referee' lists the cases for you to decide.",
            f"days = {terms.days}             # an answer is due this number of days after a message arrived",
            f"grace-hours = {terms.grace}     # a message is late only after this number of further hours",
            f'entries = "{terms.entries}"      # of a tournament: "ask" you, or "automatic", acknowledged on arrival',
            f"remind = {'true' if terms.remind else 'false'}         # at half the term, and a day before the end",
            f'director = "{terms.director}"       # address for a list of your open decisions',
            "# [games]",
            "# 1a2b3c4d = 3        # other days in one game",
            "",
        ]
    )
