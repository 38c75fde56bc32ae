"""Draw offers instead of choices: the revealed and rolled duties count once."""

import random
import re

import pytest
from helpers import sweeps
from helpers.signed_play import RefereedTable, Table

from kursk_pbem.desk.draft import drafts
from kursk_pbem.game import entropy, reports
from rulesets.armor_commander.plots import GUN_LINE
from rulesets.armor_commander.random_play import Chooser


def turn(table, rng):
    """Write the next message with random choices."""
    table.turn(table.due.choose(Chooser(table.game.setting, rng)))


@pytest.mark.some(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "at", "stage"),
    [
        (Table, 3, "ready"),
        sweeps.long((Table, 4, "orders")),
        (Table, 5, "action"),
        (RefereedTable, 5, "unveil"),
        sweeps.long((RefereedTable, 7, "plot")),
        sweeps.long((RefereedTable, 9, "orders")),
        (RefereedTable, 11, "show"),
    ],
)
def test_3_0_an_offer_that_is_declined_does_not_stop_the_game(tmp_path, kind, at, stage):
    """2.2, 3.2: the offer reveals the seal, and the following message does not reveal the seal again."""
    with entropy.fix_random_bytes(f"an offer in {stage}"):
        table, rng = kind(tmp_path / "table", GUN_LINE).begin(), random.Random(at)
        while table.game.chain.next_seq < at:
            turn(table, rng)
        assert table.game.state.stage == stage
        table.send(drafts.make_offer(table.due.desk, "draw"))
        shown = table.game.state
        assert shown.stage == stage
        table.send(drafts.make_reply(table.due.desk, "decline"))
        said = reports.announce_next(table.game)  # bug: 'orders shown, dice'
        assert not re.search(r"\b(shown|dice)\b", said)
        turn(table, rng)
        assert table.game.state.stage != stage
        assert shown.units.keys() == table.game.state.units.keys()
        while table.game.state.turn == "1":
            turn(table, rng)
        states = {player.desk.game.state.sha256() for player in table.players.values()}
        assert states == {table.game.state.sha256()}
