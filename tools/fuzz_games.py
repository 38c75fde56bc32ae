"""Games in progress for the target ``adjudicate``: at each message, what its writer knows and its receiver has.

The finished games of ``tests/games``, in which everything happens that can; and random games between two desks, as in
``make fuzz TARGET=games``, with copies of both players' folders for whole commands.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from helpers import finished_games, signed_play
from helpers.signed_play import Table, other
from rulesets.battle_for_kursk import random_play

from kursk_pbem.desk import desk as desks
from kursk_pbem.game import entropy
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.game.game import Game
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.trust import commit, keys
from kursk_pbem.trust.keys import Signer
from kursk_pbem.trust.message import Message

COPIED_EVERY = 7
"""Of so many messages one is kept with its folders, for whole commands."""


@dataclass(frozen=True)
class Moment:
    """Message ``seq`` of a game is due. All that its writer knows, all that its receiver has."""

    played: str
    """The name of the game."""
    seq: int
    writer: str
    signer: Signer = field(repr=False)
    game: Game = field(repr=False)
    middle: State = field(repr=False)
    """The position after the message's duties."""
    envelope: Mapping[str, Any] = field(repr=False)
    """What the program writes before anything is chosen: opening, commitment, predecessor, reveals."""
    choices: Mapping[str, Any] = field(repr=False)
    """What is chosen in the game, all of it legal."""
    opening: bytes | None = field(repr=False)
    before: tuple[Message, ...] = field(repr=False)
    """The messages of the game so far."""
    folders: Path | None = field(repr=False)
    """A copy of both players' folders, where there is one."""

    @property
    def key(self) -> str:
        return f"{self.played}/{self.seq}"


def finished(name: str) -> list[Moment]:
    """The moments of a game of ``tests/games``; none if it has not been played yet."""
    place = finished_games.ROOT / "battle-for-kursk" / name
    if not place.is_dir():
        return []
    with tempfile.TemporaryDirectory() as made:
        signers = finished_games.signers(name, Path(made))
    paths = folders.message_files(place)
    messages = tuple(map(folders.read_message, paths))
    game = games.begin(messages[0])
    found: list[Moment] = []
    for seq, message in enumerate(messages[1:], 1):
        said = {key: value for key, value in message.content.items() if key not in FOLLOWING}
        choices = {key: said.pop(key) for key in (*games.CHOICE_FIELDS, "secret") if key in said}
        after, result = games.extend(game, message)
        opened = after.chain.openings[seq]
        writer = message.sender
        found.append(
            Moment(
                name, seq, writer, signers[writer], game, result.middle, said, choices, opened, messages[:seq], None
            )
        )
        game = after
    return found


def elsewhere(moment: Moment, changes: Mapping[str, Any]) -> Moment:
    """The same moment in another position: some units in other places, other postures and markers."""
    state = moment.game.state
    units = {**state.units, **{uid: Unit(place, int(steps)) for uid, (place, steps) in changes["units"].items()}}
    marks = dict(state.marks)
    for side, word in changes["postures"].items():
        marks[side] = {**marks[side], "posture": word}
    tracks = {**state.tracks, **{name: int(value) for name, value in changes["tracks"].items()}}
    game = replace(moment.game, state=state.with_(units=units, marks=marks, tracks=tracks))
    values = {label: entry["value"] for label, entry in moment.envelope.get("reveal", {}).items()}
    duties = Filing(moment.seq, moment.writer, reveal=values, resigns=True)
    idle = game.hands_on or bool(game.chain.offer)
    middle = game.state if idle else games.preview(game, moment.opening, duties).middle
    return replace(moment, game=game, middle=middle, folders=None)


FOLLOWING = ("dice", "pending", "state-in", "state-out", "next", "note")
"""Fields that follow from the others."""


def play(root: Path, seed: int, most: int) -> list[Moment]:
    """The moments of the random game of a seed, from message 1 to at most ``most``. Its folders lie under ``root``."""
    scenario = (signed_play.CITADEL, signed_play.CAMPAIGN)[seed % 2]
    options = {name: value for name, value, bit in signed_play.OPTIONS if seed >> bit & 1}
    rng = random.Random(seed)
    found: list[Moment] = []
    with entropy.fixed(f"fuzzed game {seed}"):
        table = Table(root / f"game-{seed}", scenario, options).begin()
        chooser = random_play.Chooser(table.german.desk.game.setting, rng)
        while not table.german.desk.game.over and table.german.desk.seq <= most:
            moment = _moment(table, seed, chooser, root)
            found.append(moment)
            writer = table.due
            over = moment.middle.stage == moment.game.ruleset.over
            writer.fill({} if over else dict(moment.choices))
            letter = table.mail(writer.sign(), other(writer.side))
            table.players[other(writer.side)].take(letter)
    return found


def _moment(table: Table, seed: int, chooser: random_play.Chooser, root: Path) -> Moment:
    writer = table.due
    desk, chain = writer.desk, writer.desk.game.chain
    own = desk.record_of_writer()
    middle = desks.duties(desk, own).middle
    opened = desks.opening(desk, own) or entropy.fresh()
    following = commit.next_opening(own.secret, desk.seq + 2, bytes.fromhex(chain.head_id), opened)
    envelope: dict[str, Any] = {
        "kursk-pbem": "1", "type": "accept" if desk.seq == 1 else "turn", "game": chain.game, "seq": str(desk.seq),
        "from": writer.side, "prev": chain.head_id, "open": opened.hex(),
        "commit": commit.commitment(chain.nonce, desk.seq + 2, following).hex(),
    }  # fmt: skip
    if revealed := desks.reveals(desk, own):
        envelope["reveal"] = dict(revealed)
    copied = None
    if desk.seq % COPIED_EVERY == seed % COPIED_EVERY:
        copied = Path(shutil.copytree(table.root, root / f"copy-{seed}-{desk.seq}"))
    over = middle.stage == desk.game.ruleset.over
    return Moment(
        f"random-{seed}", desk.seq, writer.side, keys.load(writer.key), desk.game, middle, envelope,
        {} if over else chooser.content(middle, desk.seq), desks.opening(desk, own),
        tuple(map(folders.read_message, folders.message_files(desk.folder))), copied,
    )  # fmt: skip
