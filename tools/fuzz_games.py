"""Games in progress for the target ``adjudicate``: the knowledge of the writer and the receiver at each message.

The games are the finished games of ``tests/games``, which cover the rules, and random games between two desks, as in
``make fuzz TARGET=games``. Random games include copies of the players' folders for whole commands.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from helpers import finished_games
from helpers.registry import Kit, Mind
from helpers.signed_play import Table

from kursk_pbem.desk.own import desks
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.trust import commit, keys
from kursk_pbem.trust.keys import Signer
from kursk_pbem.trust.messages import Message

COPIED_EVERY = 7
"""Keep the folders once per this number of messages, for whole commands."""


@dataclass(frozen=True)
class Moment:
    """The state of a game when message ``seq`` is due, for the writer and the receiver."""

    kit: Kit = field(repr=False)
    played: str
    """The name of the game."""
    seq: int
    writer: str
    signer: Signer = field(repr=False)
    game: Game = field(repr=False)
    middle: State = field(repr=False)
    """The position after the message's duties."""
    envelope: Mapping[str, Any] = field(repr=False)
    """The fields before the choices: opening, commitment, predecessor, reveals."""
    choices: Mapping[str, Any] = field(repr=False)
    """The legal choices of the game."""
    opening: bytes | None = field(repr=False)
    before: tuple[Message, ...] = field(repr=False)
    """The messages of the game so far."""
    folders: Path | None = field(repr=False)
    """A copy of the two players' folders, or None."""

    @property
    def key(self) -> str:
        return f"{self.kit.id}/{self.played}/{self.seq}"


def load_finished(kit: Kit, name: str) -> list[Moment]:
    """Return the moments of a game of ``tests/games``."""
    place = finished_games.folder_of(kit, name)
    with tempfile.TemporaryDirectory() as made:
        signers = finished_games.make_signers(kit, name, Path(made))
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
                kit,
                name,
                seq,
                writer,
                signers[writer],
                game,
                result.middle,
                said,
                choices,
                opened,
                messages[:seq],
                None,
            )
        )
        game = after
    return found


def move_moment(moment: Moment, state: State) -> Moment:
    """Return the moment with another position."""
    game = replace(moment.game, state=state)
    values = {label: entry["value"] for label, entry in moment.envelope.get("reveal", {}).items()}
    duties = Filing(moment.seq, moment.writer, reveal=values, resigns=True)
    idle = game.hands_on or bool(game.chain.offer)
    middle = game.state if idle else games.preview(game, moment.opening, duties).middle
    return replace(moment, game=game, middle=middle, folders=None)


FOLLOWING = ("dice", "pending", "state-in", "state-out", "next", "note")
"""Fields that depend on the choices."""


def play_random(kit: Kit, root: Path, seed: int, most: int) -> list[Moment]:
    """Play the random game of a seed under ``root``; return the moments of messages 1 to ``most``."""
    scenario, options = kit.of_seed(seed)
    rng = random.Random(seed)
    found: list[Moment] = []
    with entropy.fix_random_bytes(f"fuzzed game {seed}"):
        table = Table(root / f"{kit.id}-{seed}", scenario, options).begin()
        chooser = kit.chooser(table.game.setting, rng)
        while not table.game.over and table.game.chain.next_seq <= most:
            moment = _make_moment(table, seed, chooser, root)
            found.append(moment)
            over = moment.middle.stage == OVER
            table.turn({} if over else dict(moment.choices))
    return found


def _make_moment(table: Table, seed: int, chooser: Mind, root: Path) -> Moment:
    writer = table.due
    desk, chain = writer.desk, writer.desk.game.chain
    own = desk.record_of_writer()
    middle = desks.preview_duties(desk, own).middle
    opened = desks.compute_opening(desk, own) or entropy.random_bytes()
    following = commit.next_opening(own.secret, desk.seq + 2, bytes.fromhex(chain.head_id), opened)
    envelope: dict[str, Any] = {
        "kursk-pbem": "1",
        "type": "accept" if desk.seq == 1 else "turn",
        "game": chain.game,
        "seq": str(desk.seq),
        "from": writer.side,
        "prev": chain.head_id,
        "open": opened.hex(),
        "commit": commit.commit_to_opening(chain.nonce, desk.seq + 2, following).hex(),
    }
    if revealed := desks.list_reveals(desk, own):
        envelope["reveal"] = dict(revealed)
    copied = None
    if desk.seq % COPIED_EVERY == seed % COPIED_EVERY:
        copied = Path(shutil.copytree(table.root, root / f"copy-{table.kit.id}-{seed}-{desk.seq}"))
    over = middle.stage == OVER
    return Moment(
        table.kit,
        f"random-{seed}",
        desk.seq,
        writer.side,
        keys.load_key(writer.key),
        desk.game,
        middle,
        envelope,
        {} if over else chooser.content(middle, desk.seq),
        desks.compute_opening(desk, own),
        tuple(map(folders.read_message, folders.message_files(desk.folder))),
        copied,
    )
