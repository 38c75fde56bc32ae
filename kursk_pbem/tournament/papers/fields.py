"""Which papers there are in a tournament, who writes them, and which fields each holds: docs/directors.md 6.

The form of a field stands in ``schemas/tournament.schema.json``. A log paper is the director's and has a number; the
others are signed by the key that stands in ``from``.
"""

from __future__ import annotations

from collections.abc import Mapping

DIRECTOR = "director"
"""What stands in ``from`` of a log paper."""

RULES, RECEIVED, REFUSED, FIELD, DRAWN, ROUND, BIDS = "rules", "received", "refused", "field", "drawn", "round", "bids"
GAME, CLOCK, RESULT, JUDGED, WITHDRAWN, SUBSTITUTE = "game", "clock", "result", "judged", "withdrawn", "substitute"
KEY, STANDINGS, CORRECT, END = "key", "standings", "correct", "end"

ENTRY, OPEN, BID, BID_OPEN, AGREE, ABSENT = "entry", "open", "bid", "bid-open", "agree", "absent"
WITHDRAW, CLAIM, NEW_KEY, STAND_IN, RULING = "withdraw", "claim", "new-key", "stand-in", "ruling"
STRANGERS = (ENTRY, STAND_IN)
"""What people sign who take no part yet."""

_Fields = tuple[tuple[str, ...], tuple[str, ...]]
"""(fields that a paper holds, fields that it may hold besides), in the order of a file."""

LOG: Mapping[str, _Fields] = {
    RULES: (
        (
            "nonce",
            "key",
            "title",
            "systems",
            "format",
            "method",
            "mirror",
            "sides",
            "order",
            "award",
            "odd",
            "tie-breaks",
            "terms",
            "substitutes",
            "dice-from",
            "missing",
            "publish",
            "commit",
            "program",
        ),
        ("assistants", "rounds", "pods", "late", "rating", "cap", "note"),
    ),
    RECEIVED: (("papers",), ()),
    REFUSED: (("paper", "why"), ()),
    FIELD: (("draw", "entrants"), ()),
    DRAWN: (("draw", "openings", "absentees", "open", "commit"), ("void",)),
    ROUND: (("round", "method", "input", "pairs", "absent", "due"), ("bye",)),
    BIDS: (("round",), ("sealed", "opened")),
    GAME: (("board", "game"), ("instead-of",)),
    CLOCK: (("who", "why"), ("days", "until")),
    RESULT: (("board", "game", "head", "winner", "how"), ("margin",)),
    JUDGED: (("board", "by", "winner", "why"), ("papers", "game", "head", "margin")),
    WITHDRAWN: (("number", "why"), ("papers",)),
    SUBSTITUTE: (("number", "paper", "why"), ("board",)),
    KEY: (("number", "paper"), ()),
    STANDINGS: (("round", "sha256"), ()),
    CORRECT: (("corrects", "id", "now", "why"), ()),
    END: (("sha256", "played"), ()),
}
"""The director's papers, numbered and chained."""

PLAYERS: Mapping[str, _Fields] = {
    ENTRY: (("name", "draw", "commit"), ("guest", "shown")),
    OPEN: (("draw", "open", "next", "commit", "plays", "games"), ()),
    BID: (("round", "board", "seal"), ()),
    BID_OPEN: (("round", "board", "salt", "value"), ()),
    AGREE: (("board", "game", "head", "winner"), ("margin",)),
    ABSENT: (("first", "last"), ("note",)),
    WITHDRAW: ((), ("note",)),
    CLAIM: (("board", "note"), ("papers",)),
    NEW_KEY: (("new", "draw", "commit"), ()),
    STAND_IN: (("number", "name", "draw", "commit"), ()),
    RULING: (("board", "game", "head", "winner", "note"), ("margin",)),
}
"""What entrants sign, and an assistant of the director (``ruling``)."""

_LOG_HEAD = ("kursk-tournament", "type", "tournament", "seq", "prev", "from", "time")
_FIRST_HEAD = ("kursk-tournament", "type", "seq", "from", "time")
_PLAYER_HEAD = ("kursk-tournament", "type", "tournament", "from", "seen")


def of_type(kind: str) -> _Fields:
    """The fields that a paper of this type holds, and those it may hold, its head first. KeyError for another type."""
    if kind in LOG:
        required, optional = LOG[kind]
        return (*(_FIRST_HEAD if kind == RULES else _LOG_HEAD), *required), optional
    required, optional = PLAYERS[kind]
    return (*_PLAYER_HEAD, *required), optional


def misfits(content: Mapping[str, object]) -> tuple[list[str], list[str]]:
    """(fields that a paper of its type must hold and this one lacks, fields it holds and must not), in order."""
    required, optional = of_type(str(content["type"]))
    return [name for name in required if name not in content], [
        name for name in content if name not in (*required, *optional)
    ]
