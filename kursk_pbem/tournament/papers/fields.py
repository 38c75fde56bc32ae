"""The types of papers, their writers and their fields (docs/directors.md 6).

The form of a field is in ``schemas/tournament.schema.json``. Log papers are numbered and come from the director. Other
papers are signed with the key in ``from``.
"""

from __future__ import annotations

from collections.abc import Mapping

DIRECTOR = "director"
"""The value of ``from`` in a log paper."""

VOID = "void"
"""The field of a log paper that lists the ids of void papers: the director's papers on other lines."""

VERSION = "2"
"""The version of the form of papers."""

RULES, RECEIVED, REFUSED, FIELD, DRAWN, ROUND, BIDS = "rules", "received", "refused", "field", "drawn", "round", "bids"
MISSING, CLOSED = "missing", "closed"
GAME, CLOCK, RESULT, JUDGED, WITHDRAWN, SUBSTITUTE = "game", "clock", "result", "judged", "withdrawn", "substitute"
KEY, STANDINGS, CORRECT, END = "key", "standings", "correct", "end"

ENTRY, OPEN, BID, BID_OPEN, AGREE, ABSENT = "entry", "open", "bid", "bid-open", "agree", "absent"
WITHDRAW, CLAIM, NEW_KEY, STAND_IN, RULING = "withdraw", "claim", "new-key", "stand-in", "ruling"
PLAYS, SENT, WITNESS, REVEAL = "plays", "sent", "witness", "reveal"
STRANGERS = (ENTRY, STAND_IN)
"""Papers of people who do not take part yet."""

_Fields = tuple[tuple[str, ...], tuple[str, ...]]
"""(required fields, optional fields), in file order."""

_RULES = (
    *("nonce", "key", "title", "systems", "format", "method", "mirror", "sides", "order", "award", "odd"),
    *("tie-breaks", "terms", "substitutes", "dice-from", "publish", "commit", "program", "times"),
)
_MORE = ("assistants", "witness", "rounds", "finals", "apart", "pods", "late", "rating", "cap", "assistance", "note")
LOG: Mapping[str, _Fields] = {
    RULES: (_RULES, _MORE),
    RECEIVED: (("papers",), ()),
    REFUSED: (("paper", "why"), ()),
    FIELD: (("draw", "entrants"), ()),
    MISSING: (("draw", "entrants"), ()),
    CLOSED: (("draw", "openings", "absentees"), ()),
    DRAWN: (("draw", "open", "commit"), ("reveal",)),
    ROUND: (("round", "method", "input", "pairs", "absent", "due"), ("bye",)),
    BIDS: (("round",), ("sealed", "opened")),
    GAME: (("board", "game"), ()),
    CLOCK: (("who", "why"), ("days", "until")),
    RESULT: (("board", "game", "head", "winner", "how"), ("margin",)),
    JUDGED: (("board", "by", "winner", "why"), ("papers", "game", "head", "margin")),
    WITHDRAWN: (("number", "why"), ("papers",)),
    SUBSTITUTE: (("number", "paper", "why"), ()),
    KEY: (("number", "paper"), ()),
    STANDINGS: (("round", "sha256"), ()),
    CORRECT: (("corrects", "id", "now", "why"), ()),
    END: (("sha256", "played"), ()),
}
"""The director's papers, numbered and chained."""

PLAYERS: Mapping[str, _Fields] = {
    ENTRY: (("name", "draw", "commit"), ("guest", "shown")),
    OPEN: (("draw", "open", "next", "commit", "games"), ()),
    PLAYS: (("draw", "plays"), ()),
    SENT: (("draw",), ()),
    WITNESS: (("draw", "commit"), ()),
    REVEAL: (("draw", "open", "next", "commit"), ()),
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
"""Papers of entrants, of an assistant (``ruling``), and of the witness (``witness``, ``reveal``)."""

NOUNS = {
    OPEN: "reveal",
    BID_OPEN: "revealed bid",
    AGREE: "agreement",
    ABSENT: "absence",
    WITHDRAW: "withdrawal",
    NEW_KEY: "new key",
    STAND_IN: "offer to take over a number",
    PLAYS: "wish for a round",
    SENT: "complaint about a missing reveal",
    WITNESS: "commitment of the witness",
    REVEAL: "secret of the witness",
}
"""Type of a player's paper -> its name for people, if the type is no noun."""

_LOG_HEAD = ("kursk-tournament", "type", "tournament", "seq", "prev", "from", "time")
_FIRST_HEAD = ("kursk-tournament", "type", "seq", "from", "time")
_PLAYER_HEAD = ("kursk-tournament", "type", "tournament", "from", "seen")


def fields_of_type(kind: str) -> _Fields:
    """Return the required fields (in two groups with the head first) and the optional fields of a type of paper."""
    if kind == RULES:
        return (*_FIRST_HEAD, *_RULES), _MORE
    if kind in LOG:
        required, optional = LOG[kind]
        return (*_LOG_HEAD, *required), (*optional, VOID)
    required, optional = PLAYERS[kind]
    return (*_PLAYER_HEAD, "time", *required), (*optional, "unlogged", "sights")


def find_misfits(content: Mapping[str, object]) -> tuple[list[str], list[str]]:
    """Return the missing and the forbidden fields of a paper, in order of the type's fields."""
    required, optional = fields_of_type(str(content["type"]))
    missing = [name for name in required if name not in content]
    return missing, [name for name in content if name not in (*required, *optional)]
