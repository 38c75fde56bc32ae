"""What if: a separate game from a position of a game, with all seats on this machine.

The what-if game has new keys and a new nonce, so the dice tell no die of the game. The messages up to the position have
no orders. These messages keep the numbers, and seal the sealed values again. The position of message 0 follows from no
scenario, so only a private record opens the what-if game, and no other program accepts, verifies or proves a message.

The program reads the messages of the game up to the position, and the player's own sealed values. The program never
reads the player's secret.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.deals import director
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks, register
from kursk_pbem.desk.own.desks import SECOND, Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import entropy, folders, games, histories, journal, keyring, verified
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.game.journal import RECEIVED, SIGNED, Slot
from kursk_pbem.kernel.state import State
from kursk_pbem.trust import commit, keys, messages, sshsig
from kursk_pbem.trust.keys import Signer

SEALED = "sealed/"
TERMS = ("kursk-pbem", "dice-from", "ruleset", "scenario", "options")
"""The fields of message 0 that a what-if game copies from the real game."""

Guess = Callable[[Game, str], Any]
"""A function that guesses a sealed value: game, label of the value -> guess."""


@frozen
class Start:
    """The start of a what-if game: the real ``game`` up to a message, and ``sealed``: label -> value.

    ``guessed``: labels whose values are guesses, because the opponent sealed them. ``now``: the real game today.
    """

    game: Game
    sealed: Mapping[str, Any]
    guessed: tuple[str, ...]
    now: Game = field(repr=False)
    folder: Path

    @property
    def seq(self) -> int:
        """The number of the last message of the real game that the what-if game includes."""
        return self.game.chain.next_seq - 1

    @property
    def told(self) -> str:
        """A line for the player about the first position of the what-if game."""
        who = self.game.due
        told = f"What if: {self.game.title} after message {self.seq}, turn {self.game.state.turn}; next is {who}"
        guess = f"; guessed values of the other side: {', '.join(self.guessed)}" if self.guessed else ""
        return f"{told}{guess}. The game does not change, and the dice here are new"


def guess_first(game: Game, label: str) -> Any:
    """Return the first value that the rules allow for a sealed label. Raises UsageError if the rules list no value."""
    if values := game.ruleset.play.guesses(label):
        return values[0]
    raise UsageError(f"the program cannot guess {label}, which the other side sealed: add a file with --guess FILE")


def find_start(
    folder: Path, home: Path, seq: int | None = None, typed: Path | None = None, guess: Guess = guess_first
) -> Start:
    """Return the position of a game after message ``seq``, or after the newest message before the end.

    ``typed``: a file with guesses of sealed values. ``guess``: a function that guesses the other values. Skips an
    offer and the reply. Raises KurskError.
    """
    history = verified.load_plain(folder, home)
    last = len(history.steps) - 1
    if seq is not None and not 0 <= seq <= last:
        raise UsageError(f"the game has no message {seq}: the last is message {last}")
    at = last if seq is None else seq
    while at and (_has_offer(history, at) or (seq is None and history.steps[at].after.played_out)):
        at -= 1
    if history.steps[at].after.played_out:
        raise UsageError(f"the game is over after message {at}: choose an earlier message")
    return _read_seals(history, at, home, folder, typed, guess)


def _has_offer(history: History, seq: int) -> bool:
    """Return whether an offer waits for its reply, or for the orders after a decline."""
    chain = history.steps[seq].after.chain
    return history.steps[seq].message.type in ("offer", "reply") or bool(chain.offer or chain.declined)


def _read_seals(history: History, at: int, home: Path, folder: Path, typed: Path | None, guess: Guess) -> Start:
    """Return the position with its sealed values: own values from the journal, others typed or guessed."""
    game = history.steps[at].after
    hidden = {key.removeprefix(SEALED): entry for key, entry in game.state.agenda.items() if key.startswith(SEALED)}
    sealed: dict[str, Any] = {}
    guessed = []
    for label, entry in sorted(hidden.items()):
        seq = int(entry["seq"])
        own = [journal.read_own_seals(each, game.chain.game, seq) for each in (home, home / SECOND)]
        known = next((values for values in own if label in values), None)
        if known is None:
            guessed.append(label)
            before = history.steps[max(seq - 1, 0)].after
            known = dict(_read_typed(typed, before, seq)) if typed is not None else {}
        sealed[label] = known[label] if label in known else guess(game, label)
    return Start(game, sealed, tuple(guessed), history.game, folder)


def _read_typed(path: Path, game: Game, seq: int) -> Mapping[str, Any]:
    """Read sealed values from a file: labels with values, or a draft."""
    raw = folders.read_bytes(path)
    if "kursk-pbem" not in (data := strictyaml.read_edited(raw, str(path)).data):
        inner = data.get("seal", data)
        if not isinstance(inner, dict):
            raise FileError(f"{path}: write each label with its value, as under 'seal' in a draft")
        return inner
    draft = messages.read_draft(raw, str(path))
    if draft.seq != seq:
        raise FileError(f"--guess needs a draft of message {seq}, not of message {draft.seq}", draft.where("seq"))
    games.check_choices(draft.content, game.ruleset, draft.document)
    _shown, plans = game.ruleset.seal(game.setting, draft.mapping("orders"), seq)
    return {**draft.mapping("seal"), **plans}


@frozen
class _Seat:
    """A side of a what-if game: private folder, key, and the parent of the game folder."""

    side: str
    home: Path
    key: Path
    parent: Path
    signer: Signer = field(repr=False)
    secret: bytes = field(repr=False)


def start_game(home: Path, start: Start, side: str = "", names: Mapping[str, str] | None = None) -> str:
    """Begin a what-if game and return the id. ``side``: the player's side. Raises KurskError.

    ``names``: the names of the sides, for example of a program that plays the other side.
    """
    chain, nonce = start.game.chain, entropy.random_bytes()
    sides = start.game.ruleset.sides
    first = next(who for who in (side, chain.writer(start.seq + 1), *sides) if who in sides)
    order = [first, start.game.ruleset.other(first), *([REFEREE] if chain.refereed else [])]
    seats: dict[str, _Seat] = {}
    place = home
    for who in order:
        parent = place / register.WHAT_IF
        key = keyring.find_or_make(parent)
        signer = keys.load_key(key)
        seats[who] = _Seat(who, place, key, parent, signer, desks.derive_secret(signer, nonce))
        place /= SECOND
    return _Writer(start, seats, nonce, dict(names or {})).write()


class _Writer:
    """Write the messages of a what-if game up to its position into the folders and journals of all seats."""

    def __init__(self, start: Start, seats: Mapping[str, _Seat], nonce: bytes, names: dict[str, str]) -> None:
        self.start, self.seats, self.nonce = start, seats, nonce
        self.chain = start.game.chain  # of the game; its writers and numbers are the pattern
        self.names = {who: f"{who}, what if" for who in seats} | names
        self.desks: dict[str, Desk] = {}
        self.seals = self._seal()
        self.state = self._make_state()

    def write(self) -> str:
        """Write all messages and the next draft; return the id of the what-if game."""
        state = self.state.sha256()
        head = self.chain.head
        opening = self.chain.writers[0]
        second = commit.next_opening(self.seats[opening].secret, 2, commit.NO_PREV, self.nonce)
        content = {
            **{name: head[name] for name in TERMS},
            "type": "propose",
            "what-if": str(self.start.seq),
            "seq": "0",
            "from": opening,
            "nonce": self.nonce.hex(),
            "state-out": state,
            "commit": commit.commit_to_opening(self.nonce, 2, second).hex(),
            "keys": {who: seat.signer.public for who, seat in self.seats.items()},
            "names": self.names,
            **({"next": self.chain.writer(1)} if self.chain.refereed else {}),
        }
        self._begin(self._sign(opening, content, self.state))
        game = next(iter(self.desks.values())).game.chain.game
        for seq in range(1, self.start.seq + 1):
            self._add(seq, game, state)
        due = self.chain.writer(self.start.seq + 1)
        if due != REFEREE and not self.chain.offer:
            drafts.write_draft(self.desks[due])
        return game

    def _seal(self) -> dict[int, dict[str, Any]]:
        """Return the new seals by the number of the last message of their writer: seq -> label -> {salt, value}."""
        seals: dict[int, dict[str, Any]] = {}
        for label, value in self.start.sealed.items():
            was = int(self.start.game.state.agenda[f"{SEALED}{label}"]["seq"])
            who = self.chain.writer(was)
            seq = max(seq for seq in range(self.start.seq + 1) if self.chain.writer(seq) == who)
            salt = entropy.random_bytes()[: commit.SALT_BYTES]
            seals.setdefault(seq, {})[label] = {"salt": salt.hex(), "value": value}
        return seals

    def _hash(self, seq: int) -> dict[str, str]:
        return {
            label: commit.choice_hash(self.nonce, seq, label, bytes.fromhex(entry["salt"]), entry["value"]).hex()
            for label, entry in sorted(self.seals.get(seq, {}).items())
        }

    def _make_state(self) -> State:
        """Return the position with the new seals."""
        hashed = {label: (seq, digest) for seq in self.seals for label, digest in self._hash(seq).items()}
        agenda = {
            key: {**entry, "seq": str(hashed[label][0]), "hash": hashed[label][1]}
            if (label := key.removeprefix(SEALED)) in hashed and key.startswith(SEALED)
            else entry
            for key, entry in self.start.game.state.agenda.items()
        }
        return self.start.game.state.with_(agenda=agenda)

    def _sign(self, who: str, content: Mapping[str, Any], state: State | None = None) -> str:
        ordered = {name: content[name] for name in messages.READING_ORDER if name in content}
        armour = self.seats[who].signer.sign(sshsig.NAMESPACE, messages.signed_bytes(ordered))
        if state is None:
            return messages.emit_message(ordered, armour)
        return messages.emit_for_mail(ordered, armour, state.to_plain())

    def _begin(self, text: str) -> None:
        """Make the record and the folder of each seat, with message 0."""
        message = messages.read_message(text.encode("ascii"), "0000.yaml")
        history = histories.begin(message, self.start.seq)
        for who, seat in self.seats.items():
            folder = seat.parent / folders.folder_name(message.id)
            folders.make(folder)
            entries = {"game": message.id, "side": who, "what-if": str(self.start.seq)}
            entries |= {"key": os.path.realpath(seat.key), "folder": os.path.realpath(folder)}
            own = journal.create(Path(os.path.realpath(seat.home)), entries, seat.secret)
            self.desks[who] = Desk(folder, history, own)
        self._release(message.sender, Slot(0, SIGNED, message.id, text))

    def _add(self, seq: int, game: str, state: str) -> None:
        """Write a message without orders."""
        who, chain = self.chain.writer(seq), next(iter(self.desks.values())).game.chain
        accepts = seq in ((1, 3) if chain.refereed else (1,))
        content: dict[str, Any] = {
            "kursk-pbem": messages.VERSION,
            "type": "accept" if accepts else "turn",
            "game": game,
            "seq": str(seq),
            "from": who,
            "prev": chain.head_id,
            "state-in": state,
            "state-out": state,
        }
        seat, desk = self.seats[who], self.desks[who]
        opened = entropy.random_bytes()
        if desk.own is not None:
            opened = desks.compute_opening(desk, desk.own) or opened
        if chain.refereed and who != REFEREE:
            content["mix"] = opened.hex()
        else:
            content["open"] = opened.hex()
            content["commit"] = desks.commit_to_next(chain, seat.secret, opened, content)
        if hashes := self._hash(seq):
            content["secret"] = hashes
        if chain.refereed and who == REFEREE:
            content["next"] = self.chain.writer(seq + 1)
        text = self._sign(who, content)
        message = messages.read_message(text.encode("ascii"), f"{seq:04}.yaml")
        history = desk.history.extend(message)
        self.desks = {each: replace(had, history=history) for each, had in self.desks.items()}
        self._release(who, Slot(seq, SIGNED, message.id, text, self.seals.get(seq, {})))

    def _release(self, who: str, slot: Slot) -> None:
        for each, desk in reversed(self.desks.items()):  # the player's folder last: without its messages no game shows
            desks.record_slot(desk, slot if each == who else Slot(slot.seq, RECEIVED, slot.id))
            folders.write(folders.message_path(desk.folder, slot.seq), slot.text)


def list_seats(home: Path, game: str) -> list[Desk]:
    """Return the desks of a what-if game, for the player, the other side and the referee. Raises KurskError."""
    found: list[Desk] = []
    while (own := journal.find(home, game)) is not None:
        found.append(desks.open_desk(Path(own.folder), home))
        home /= SECOND
    return found


def pass_on(home: Path, game: str, write: Callable[[Desk], Desk] | None = None) -> None:
    """Pass each new message to all desks of a what-if game, and roll the referee's dice. Raises KurskError.

    ``write``: a function for the other side's next message, if a program plays the other side.
    """
    while True:
        seats = list_seats(home, game)
        ahead = max(seats, key=lambda desk: desk.seq)
        for desk in seats:
            play.exchange_messages(ahead, desk)
        due = next((desk for desk in list_seats(home, game) if desk.mine), None)
        if due is None or (due.own_side != REFEREE and (write is None or due.own_side == seats[0].own_side)):
            return
        if due.own_side == REFEREE:
            director.sign_answer(due, None)
        elif write is not None:
            write(due)


def take_back(home: Path, game: str, *, program: bool = False) -> int:
    """Take back a player's last message, with the dice and all later messages; return the message's number.

    ``program``: a program plays the other side; also take back the program's answers. Raises UsageError at the start.
    """
    seats = list_seats(home, game)
    if not seats or (start := seats[0].game.what_if) is None:
        raise UsageError("messages can be taken back only in a what-if game")
    ahead = max(seats, key=lambda desk: desk.seq)
    others = {REFEREE, *([seats[1].own_side] if program else [])}
    numbers = [seq for seq in range(start + 1, ahead.seq) if ahead.game.chain.writer(seq) not in others]
    if not numbers:
        raise UsageError("the what-if game is at its start: no message can be taken back")
    for desk in seats:
        for seq in range(ahead.seq + 1, numbers[-1] - 1, -1):  # newest first, so a stopped program can continue
            if desk.own is not None and seq < ahead.seq:
                desk.own.drop(seq)
            for path in (folders.message_path, folders.draft_path, folders.report_path):
                path(desk.folder, seq).unlink(missing_ok=True)
        if desk.own is not None:
            (desk.own.path / verified.NAME).unlink(missing_ok=True)
    for desk in list_seats(home, game):
        if desk.mine and desk.own_side != REFEREE and not desk.game.chain.offer:
            drafts.write_draft(desk)
    return numbers[-1]
