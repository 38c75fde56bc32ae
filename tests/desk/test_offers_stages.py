"""Offers in stages with duties: dice with a decision, the weather die, a posture shown."""

from __future__ import annotations

import pytest
from helpers.agreements import decline, forged, offer, same
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import BATTLE, ENGAGE, OPENING, ORDERS, PAUSE

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import entropy, folders, games


class TestPending:
    """``uncovered: ask``: offers around dice that stop for a decision."""

    @pytest.fixture
    def stopped(self, tmp_path):
        """Return a game before German dice that stop for a Russian decision."""
        for number in range(40):
            with entropy.fix_random_bytes(f"a stop {number}"):
                table = Table(tmp_path / str(number), options={"uncovered": "ask"}).begin()
                table.turn(OPENING)
                table.turn({**ORDERS, "orders": {"battles": [BATTLE]}})
                table.turn({})
                if desks.preview_duties(table.german.desk, table.german.desk.own).pending is not None:
                    yield table
                    return
        pytest.fail("no dice stop for a decision")

    def test_a_message_that_stops_cannot_be_an_offer(self, stopped):
        with pytest.raises(UsageError, match="your dice wait for a decision of the other side"):
            drafts.make_offer(stopped.german.desk, "draw")
        duties = desks.preview_duties(stopped.german.desk, stopped.german.desk.own)
        forgery = forged(
            stopped,
            "german",
            "offer",
            offer={"kind": "draw"},
            dice=dict(duties.dice),
            reveal=dict(desks.list_reveals(stopped.german.desk, stopped.german.desk.own)),
            **{"state-in": duties.middle.sha256(), "state-out": duties.middle.sha256()},
        )
        with pytest.raises(TrustError, match="cannot be an offer") as caught:
            games.extend(stopped.russian.desk.game, forgery)
        assert caught.value.fault == "order"

    def test_an_offer_in_place_of_the_decision_and_the_dice_after_it(self, stopped):
        stopped.turn({})
        assert stopped.due.desk.game.state.stage == "german-decision"
        offer(stopped)  # Russian
        assert stopped.german.desk.game.state.agenda["pending"]["owner"] == "russian"
        decline(stopped)
        option = stopped.due.desk.game.state.agenda["pending"]["options"][0]
        stopped.turn({"decisions": {"ponyri": option}})
        offer(stopped)  # German: the battle is decided by an earlier die
        decline(stopped)
        stopped.turn({})
        game = same(stopped)
        assert (game.state.stage, "battles" in game.state.agenda) == ("russian-orders", False)
        assert sum(throws.dice for throws in game.luck.throws.values()) == 1


def test_the_weather_die_falls_once_whatever_is_offered(tmp_path):
    with entropy.fix_random_bytes("weather"):
        table = Table(tmp_path / "table", "battle-for-kursk/campaign", {"weather": "die"}).begin()
        table.turn({})
        table.turn({})
        got = offer(table)  # Russian, first-weather
        assert got.message.mapping("dice").keys() == {"weather/turn-a"}
        assert (table.german.desk.game.state.stage, table.german.desk.game.state.agenda) == ("first-weather", {})
        mud = table.german.desk.game.state.tracks["mud"]
        decline(table)
        assert desks.preview_duties(table.russian.desk, table.russian.desk.own).dice == {}
        table.turn({"seal": {"posture/turn-a": PAUSE}})
        game = same(table)
        assert folders.read_message(table.russian.folder / "0005.yaml").mapping("dice") == {}
        assert (game.state.stage, game.state.tracks["mud"]) == ("posture", mud)


def test_a_posture_that_is_shown_in_an_offer_is_taken_once(table):
    table.turn(OPENING)
    table.turn({"choice": {"posture/turn-1": ENGAGE}})
    before = table.russian.desk.game.state.tracks["offensives-russian"]
    offer(table)
    state = table.german.desk.game.state
    assert (state.stage, state.mark("russian", "posture")) == ("reveal", "engage")
    decline(table)
    table.turn({})
    game = same(table)
    assert game.state.stage == "german-orders"
    assert game.state.tracks["offensives-russian"] == state.tracks["offensives-russian"] <= before
