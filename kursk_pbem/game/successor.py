"""A successor game by agreement: an agreed take-back, other keys or other options (protocol 2.9).

The new game's message 0 names the message before the offer and begins from a position of the old game, without seals.
The new game counts only if the old game accepts an offer that names the new game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, TrustError, UsageError, Where, shell_word
from kursk_pbem.formats.canonical import REFEREE, shorten
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, games, histories, inbox, journal, scenarios
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import party
from kursk_pbem.trust import sshsig

ACCEPTED, OPEN, REFUSED = "accepted", "open", "refused"


@frozen
class Terms:
    """The agreed changes in a successor game: new ``options``; new ``keys`` by side.

    ``at``: the old game's message after which the new game begins, ``None`` for the last message.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    at: int | None = None


def plan(old: Sequence[Game], terms: Terms) -> tuple[str, dict[str, Any], State]:
    """Plan a successor game: return the side that proposes, message 0's fields with the terms, and the first position.

    ``old``: the earlier game after each message. Raises UsageError if these terms allow no successor.
    """
    now, head = old[-1], old[-1].chain.head
    if "tournament" in head:
        raise UsageError("the game belongs to a tournament, so no other game can continue it")
    _check_offerable(now)
    at = len(old) - 1 if terms.at is None else terms.at
    if not 0 <= at < len(old):
        raise UsageError(f"message {at} does not exist; the last is message {len(old) - 1}")
    options = {**head["options"], **terms.options}
    setting = scenarios.make_setting(now.ruleset, now.setting.scenario, options, head["dice-from"])
    state = now.ruleset.data.resume(setting, old[at].state)
    if isinstance(state, str):
        raise UsageError(f"no game can continue after message {at}: {state}; {_describe_positions(old)}")
    pinned = {
        "continues": {"game": now.chain.game, "seq": str(now.chain.next_seq - 1), "id": now.chain.head_id},
        "keys": {side: terms.keys.get(side, key) for side, key in now.chain.keys.items()},
        "names": dict(head["names"]),
        "ruleset": dict(head["ruleset"]),
        "scenario": dict(head["scenario"]),
        "options": dict(sorted(options.items())),
    }
    if now.chain.refereed:
        return REFEREE, {**pinned, "dice-from": REFEREE, "next": state.side}, state
    return now.ruleset.other(state.side), pinned, state


def _check_offerable(now: Game) -> None:
    if now.what_if is not None:
        raise UsageError("a what-if game has no successor: 'kursk propose' begins a game")
    if now.over:
        raise UsageError("the game is over; offers are impossible")
    if now.chain.offer:
        raise UsageError("an offer is open already; reply to the offer first")
    if now.chain.next_seq < now.chain.first_offer:
        raise UsageError(f"offers are possible from message {now.chain.first_offer} on; propose another game instead")
    if now.chain.refereed and now.chain.writer(now.chain.next_seq) == REFEREE:
        raise UsageError(f"the referee writes message {now.chain.next_seq}; you can offer after the referee's dice")


def _describe_positions(old: Sequence[Game]) -> str:
    """Return which messages ``--at`` allows."""
    good = [str(seq) for seq, game in enumerate(old) if _first_position(game, game)]
    return f"--at takes {', '.join(good)}" if good else "no earlier position is possible either"


def _first_position(new: Game, old: Game) -> State | None:
    """Return the first position of the new game from the old game's position; ``None`` if impossible."""
    state = new.ruleset.data.resume(new.setting, old.state)
    return None if isinstance(state, str) else state


def find_origin(old: Sequence[Game], new: Game) -> int:
    """Return the number of the latest message of the old game after which the new game begins.

    ``old``: the old game after each message; ``new``: the new game after message 0. Raises TrustError if the games do
    not belong together.
    """
    said = new.chain.head.get("continues", {})
    chain = old[-1].chain
    name = folders.folder_name(chain.game)
    if said.get("game") != chain.game:
        raise TrustError("chain", f"the game does not continue {name}")
    seq = int(said["seq"])
    if seq >= len(old) or chain.ids[seq] != said["id"]:
        raise TrustError("chain", f"the continued message {seq} differs from message {seq} of {name}")
    if new.chain.nonce == chain.nonce:  # openings and seals are bound to the nonce (T14, T34)
        raise TrustError("head", "the game repeats the nonce of the earlier game, but needs a fresh nonce")
    before, after = (game.chain.head["ruleset"] for game in (old[-1], new))
    if any(before.get(field) != after.get(field) for field in ("id", "package")):
        raise TrustError("head", "the ruleset differs from the ruleset of the earlier game")
    if new.chain.refereed != chain.refereed:
        raise TrustError("head", "the dice must come from the same source as before: the players, or a referee")
    for at in range(seq, -1, -1):
        if _first_position(new, old[at]) == new.state:
            return at
    raise TrustError("state", f"the first position of the new game never occurred in {name}")


def find_agreement(old: Sequence[Game], new: Game) -> str:
    """Return the state of the offer of the new game in the old game: accepted, open or refused."""
    chain, at = old[-1].chain, int(new.chain.head["continues"]["seq"])
    reply = at + (3 if chain.refereed else 2)  # a referee hands the offer on
    if chain.agreed.get("game") == new.chain.game and chain.next_seq == reply + 1:
        return ACCEPTED
    named = chain.offer.get("game") == new.chain.game and at + 1 < chain.next_seq <= reply
    return OPEN if named or chain.next_seq == at + 1 else REFUSED


def is_accepted(old: Sequence[Game], new: Game) -> bool:
    """Return whether both players accepted the new game in the old game. Raises TrustError for an unrelated game."""
    find_origin(old, new)
    return find_agreement(old, new) == ACCEPTED


def need_agreement(new: Game, home: Path) -> None:
    """Raise UsageError unless both players have agreed to a successor game in the old game. Raises TrustError.

    ``new``: the successor game after message 0. The old game comes from the player's private record.
    """
    said = new.chain.head.get("continues")
    if said is None:
        return
    name = folders.folder_name(said["game"])
    own = journal.find(home, said["game"])
    if own is None:
        raise UsageError(
            f"the game continues {name}, but {name} was not played from this machine (KURSK_HOME); "
            "if the record is lost, type 'kursk restore'"
        )
    if not is_accepted(histories.load(Path(own.folder)).games, new):
        raise UsageError(
            f"the game continues {name}, and counts only after the offer in {name} is accepted: see 'kursk status "
            f"{shell_word(own.folder)}'"
        )


def describe_terms(old: Sequence[Game], new: Game, *, undone: bool = False, side: str = "") -> list[str]:
    """Return the differences between a successor game and the old game, in words.

    ``undone``: the new game would also undo dice or reveals in the offer itself. ``side``: the reader's side.
    """
    now, at = old[-1], find_origin(old, new)
    seq = int(new.chain.head["continues"]["seq"])
    here = old[at].state
    where = f"turn {here.turn}, {here.side} to write, {old[at].stage.brings}"
    lines = [f"position: as now, after message {at} ({where})"]
    if at < seq:
        gone = f"message {seq} is" if at + 1 == seq else f"messages {at + 1} to {seq} are"
        lines = [f"position: TAKEN BACK to the position after message {at} ({where}); {gone} undone"]
    if undone:
        lines.append(f"dice and reveals of message {seq + 1}, the offer, are UNDONE too")
    if any(key.startswith("sealed/") for key in here.agenda):
        lines.append("sealed plans there count no more")
    return [
        *lines,
        *_compare_keys(now, new, side),
        *_compare_pins(now, new),
        *_compare_names(now, new),
        (
            f"{party(new.chain.writer(0))} has proposed it, the {new.chain.writer(1)} side writes message 1: "
            f"{new.stage.brings}"
        ),
    ]


def _compare_keys(old: Game, new: Game, side: str) -> list[str]:
    was, now = old.chain.keys, new.chain.keys
    changed = sorted(whose for whose in {*was, *now} if was.get(whose) != now.get(whose))
    lines = [
        f"key of {whose}: CHANGES from {_show_key(was.get(whose, ''))} to {_show_key(now.get(whose, ''))}"
        + (": the owner of the new key plays YOUR side" if whose == side else "")
        for whose in changed
    ]
    return lines or ["keys: as before"]


EXPLAINED = frozenset(("keys", "names", "note", "options", "ruleset", "scenario"))
"""Fields of message 0 that the description explains in lines of their own."""
NEW = frozenset(("commit", "continues", "from", "next", "nonce", "state-out"))
"""Fields of message 0 that always differ between two games."""


def _compare_pins(old: Game, new: Game) -> list[str]:
    """Return lines on options, ruleset, scenario, and on other changed fields."""
    lines = []
    for option in old.ruleset.options:
        name = option.key
        was, now = (game.chain.head["options"].get(name, option.values[0]) for game in (old, new))
        if was != now or not option.many:
            lines.append(f"option {name}: {f'CHANGES from {was} to {now}' if was != now else f'{now}, as before'}")
    for what, word in (("ruleset", "version"), ("scenario", "sha256")):
        was, now = (game.chain.head[what] for game in (old, new))
        one, two = shorten(was[word], now[word])
        change = f"CHANGES from {was['id']} {one} to {now['id']} {two}"
        lines.append(f"{what}: {change}" if was != now else f"{what}: {now['id']}, as before")
    for what in sorted({*old.chain.head, *new.chain.head} - EXPLAINED - NEW):
        was, now = (show(str(game.chain.head.get(what, "nothing"))) for game in (old, new))
        if was != now:
            lines.append(f"{what}: CHANGES from {was} to {now}")
    return lines


def _compare_names(old: Game, new: Game) -> list[str]:
    """Return lines on changed names and the note. A long note is cut."""
    was, now = old.chain.head["names"], new.chain.head["names"]
    lines = [
        f"name of {side}: changes from {was.get(side, '')!r} to {now.get(side, '')!r}"
        for side in new.chain.keys
        if was.get(side, "") != now.get(side, "")
    ]
    note = str(new.chain.head.get("note", ""))
    return [*lines, *([f"note: {note[:MAX_NOTE]!r}{'...' if len(note) > MAX_NOTE else ''}"] if note else [])]


MAX_NOTE = 400


def _show_key(key: str) -> str:
    return sshsig.fingerprint(key) if key else "none"


def read(path: Path) -> Game:
    """Return the proposal of a successor game as a game of one message. Raises FileError, TrustError.

    ``path``: a turn file, or a mail with it.
    """
    message = inbox.read_file(path, 0)
    if "continues" not in message.content:
        raise FileError("the file is no proposal of a successor game", message.where("type"))
    return games.begin(message)


def check_agreement(old: History, new: History) -> tuple[bool, str]:
    """Return whether the files of both games show that the players agreed, and a text that says so.

    Raises TrustError if the new game does not follow from the old game.
    """
    first = new.steps[0].after
    name, at = folders.folder_name(old.game.chain.game), find_origin(old.games, first)
    outcome = find_agreement(old.games, first)
    if outcome == ACCEPTED:
        return True, f"agreed to in {name}, from its position after message {at}"
    lacks = f"no offer of the game was accepted in {name}"
    if outcome == OPEN:  # a copy without its last messages looks equal
        lacks = f"this copy of {name} does not end with the acceptance: look for later messages"
    if len(new.steps) > 1:
        raise TrustError("order", f"the new game has begun, but {lacks}", Where(new.steps[1].message.document.name))
    if new.papers.forfeit is not None:
        raise TrustError("order", f"the game was declared lost, but {lacks}", new.papers.forfeit.where())
    return False, f"a proposal only: not {'yet agreed to' if outcome == OPEN else 'agreed to'} in {name}"
