"""4.0 with dice by a referee: the table of messages, dice too early, and the number of mails (K-87 to K-89).

The content and the successor of each message are on the cards with ``dice-from referee``."""

from functools import cache

import pytest

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import adjudicate, keep_position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import RULESET, posture, sequence
from rulesets.battle_for_kursk import board
from rulesets.battle_for_kursk.board import Dice, attack, battles, place, read

BEFORE = "posture none; previous german deploy russian deploy"  # the postures are still to be chosen
DUEL = "2707: r-5 | 2606: g-48-pz"  # a German attack in the open
ATTACK = battles(attack("2707", "g-48-pz"))


@cache
def setting(scene="campaign"):
    """A scenario where a referee rolls."""
    return RULESET.data.load(scenario.load(scenario.find(f"battle-for-kursk/{scene}")), {}, REFEREE)


def at(stage, text=""):
    """Return a position as ``place`` reads it, with a stage of a refereed game."""
    state = place(f"{text}; stage german-orders")
    writer = sequence.REFEREED[stage].writer
    return state.with_(stage=stage, side=sequence.REFEREED[stage].side or writer)


def message(state, text, game, seq, dice=None, reveal=None):
    """Adjudicate one message; check the laws of every message, and that the same filing gives an equal result."""
    content = read(text)
    hidden = content.get("seal", {})
    writer = RULESET.writer(game, state)
    filing = Filing(
        seq + (writer == REFEREE and seq % 2),
        writer,
        reveal={posture.label(state.turn): reveal} if reveal else {},
        choice=content.get("choice", {}),
        waive=content.get("waive", ""),
        orders=content.get("orders", {}),
        secret=dict.fromkeys(hidden, "0" * 64),
        sealed=hidden,
    )
    result = adjudicate(RULESET, game, state, filing, Dice(dice or {}, filing.seq))
    board.laws(game, result)
    assert set(result.dice) == {f"{battle}/combat" for battle in dice or {}}
    assert adjudicate(RULESET, game, state, filing, Dice(dice or {}, filing.seq)) == result
    assert writer != REFEREE or (result.middle == result.after and not result.violations)
    return result


class Line:
    """A game at the kernel from a position on. ``tell``: a player's message, ``roll``: the referee's next message.

    Referee messages without a roll change nothing; so every message of a player has an odd number."""

    def __init__(self, state, game=None, seq=11):
        self.state, self.game, self.seq = state, game or setting(), seq

    def tell(self, text="", reveal=None):
        """A message of the side that is due."""
        if self.seq % 2 == 0:
            assert RULESET.writer(self.game, self.state) != REFEREE, f"{self.state.stage} is the referee's"
            assert keep_position(self.state).after == self.state
            self.seq += 1
        result = message(self.state, text, self.game, self.seq, reveal=reveal)
        assert result.legal, [str(violation) for violation in result.violations]
        return self._on(result)

    def roll(self, **faces):
        """Roll the referee's dice, with a face for each battle."""
        assert RULESET.writer(self.game, self.state) == REFEREE, f"{self.state.stage} is nothing to roll"
        return self._on(message(self.state, "", self.game, self.seq, dice=faces))

    def _on(self, result):
        self.state, self.seq = result.after, self.seq + 1
        return self


def seal(turn):
    return f"seal: {{posture/turn-{turn}: {{posture: pause}}}}"


def choice(turn, value, waive=True):
    return f"choice: {{posture/turn-{turn}: {{posture: {value}}}}}\n" + ("waive: posture\n" if waive else "")


class TestTable:
    """The table itself."""

    def test_what_is_derived_is_the_table_that_was_written_by_hand(self):
        """Writers, and what may follow: the refereed games of earlier releases go by it."""
        shown = {key: (row.writer, row.side, set(row.then), set(row.ends)) for key, row in sequence.REFEREED.items()}
        german, russian, none = "german", "russian", set()
        next_turn = {"posture", "weather-die", "first-binding"}
        assert shown == {
            "opening": (russian, "", {"posture", "first-binding"}, none),
            "resumed": (russian, "", {"posture", "first-binding"}, none),
            "first-binding": (german, "", {"weather-die"}, none),
            "weather-die": (REFEREE, russian, {"resumed"}, none),
            "posture": (german, "", {"reveal", "german-rolls", "russian-orders"}, none),
            "reveal": (russian, "", {"german-orders"}, none),
            "german-orders": (german, "", {"german-rolls", "russian-orders"}, none),
            "german-answer": (russian, "", {"german-rolls"}, none),
            "german-rolls": (REFEREE, german, {"german-dice", "russian-orders", "german-decision"}, none),
            "german-decision": (russian, "", {"german-rolls"}, none),
            "german-dice": (german, "", {"russian-orders"}, none),
            "russian-orders": (russian, "", {"russian-rolls"}, next_turn),
            "russian-answer": (german, "", {"russian-rolls"}, none),
            "russian-rolls": (REFEREE, russian, {"russian-dice", "russian-decision"}, none),
            "russian-decision": (german, "", {"russian-rolls"}, none),
            "russian-dice": (russian, "", none, next_turn),
            "over": ("", "", none, none),
        }

    def test_only_the_referee_rolls_and_he_has_nothing_else(self):
        for stage in sequence.REFEREED.values():
            assert stage.rolls == (stage.writer == REFEREE)
            assert stage.writer != REFEREE or stage.phases == ()

    def test_each_side_may_answer_in_each_of_its_messages(self):
        for stage in sequence.REFEREED.values():
            assert (sequence.STANDING in stage.phases) == (stage.writer in ("german", "russian"))

    def test_every_stage_can_be_reached(self):
        stages = sequence.REFEREED
        found = {"opening", "resumed", "over", "german-answer", "russian-answer"}  # the answers after message 1 alone
        while more := {key for stage in found for key in (*stages[stage].then, *stages[stage].ends)} - found:
            found |= more
        assert found == set(sequence.REFEREED)

    def test_a_posture_without_movement_leaves_nothing_after_the_dice(self, monkeypatch):
        game = setting()
        line = Line(at("german-orders", DUEL), game).tell(ATTACK)
        phases = {**game.phases, "engage": game.phases["engage"] - {"movement"}}
        object.__setattr__(game, "phases", phases)
        monkeypatch.setattr(board, "kursk", lambda *_: game)
        try:
            assert line.roll(b1=3).state.stage == "russian-orders"
        finally:
            setting.cache_clear()

    def test_no_plan_is_sealed(self):
        """K-87: the opponent reads them with the declaration."""
        orders = read(battles(attack("2707", "g-48-pz", losses="g-48-pz", retreat="toward 2708")))["orders"]
        assert RULESET.seal(setting(), orders, 11) == (orders, {})


class TestTooEarlyTooLate:
    """Schedule: a die one message early or late is a slip of the program's own, and asserted (the law of freshness)."""

    def test_dice_for_what_is_declared_in_the_same_message(self):
        state = Line(at("german-orders", DUEL)).tell(ATTACK).state
        early = Filing(11, REFEREE)
        with pytest.raises(AssertionError, match="a die of message 11 for inputs of messages 11"):
            adjudicate(RULESET, setting(), state, early, Dice({"b1": 1}, 11))
        assert adjudicate(RULESET, setting(), state, Filing(12, REFEREE), Dice({"b1": 1}, 12)).dice == {
            "b1/combat": "1"
        }

    def test_dice_for_an_answer_of_the_same_message(self):
        state = at("german-rolls", DUEL)
        battle = {"id": "b1", "hex": "2707", "defender": "r-5", "attackers": ["g-48-pz"]}
        held = {"seq": "12", "policy": {"stand-fast": "always"}}
        state = state.with_(agenda={"battles": [battle], "declared": "11", "policy-russian": held})
        with pytest.raises(AssertionError, match="inputs of messages 11 and 12"):
            adjudicate(RULESET, setting(), state, Filing(12, REFEREE), Dice({"b1": 1}, 12))

    def test_a_player_rolls_nothing(self):
        """Messages of a player have no dice: declared battles wait for the referee."""
        for stage in sequence.REFEREED.values():
            if stage.writer in ("german", "russian"):
                assert not any(phase.rolls for phase in (*stage.duties, *stage.phases))

    def test_nobody_else_writes_the_referees_stage(self):
        state = Line(at("german-orders", DUEL)).tell(ATTACK).state
        with pytest.raises(AssertionError, match="german writes out of turn"):
            adjudicate(RULESET, setting(), state, Filing(12, "german"), Dice({"b1": 1}, 12))


class TestMails:
    """The number of messages in a turn, with the referee's, without decisions (2.5)."""

    def test_a_turn_in_which_nobody_fights(self):
        """Waived: 4 messages, the German's, the Russian's and a referee's after each; seen: 8."""
        assert RULESET.mails_to_come(setting(), "posture") == (4, 12)
        assert RULESET.mails_to_come(setting(), "russian-orders") == (2, 4)
        assert RULESET.mails_to_come(setting(), "german-orders") == (4, 8)
        assert RULESET.mails_to_come(setting(), "reveal") == (6, 10)
        assert RULESET.mails_to_come(setting(), "russian-dice") == (2, 2)
        assert RULESET.mails_to_come(setting(), "russian-rolls") == (3, 3)

    @pytest.mark.parametrize(
        ("texts", "count"),
        [
            ([choice("b", "engage"), seal("c")], 4),
            ([choice("b", "engage", waive=False), "", "", seal("c")], 8),
            ([choice("b", "engage") + ATTACK, {"b1": 1}, "", seal("c")], 6),
        ],
    )
    def test_it_is_what_is_played(self, texts, count):
        line = Line(at("posture", f"{DUEL}; turn B; {BEFORE}"))
        began = line.seq
        for text in texts:
            low, high = RULESET.mails_to_come(setting(), line.state.stage)
            left = count - (line.seq - began) - (line.seq % 2 == 0 and RULESET.writer(line.game, line.state) != REFEREE)
            assert low <= left <= high
            if isinstance(text, dict):
                line.roll(**text)
            else:
                hidden = line.state.stage in ("reveal", "russian-orders") and not line.state.mark("russian", "posture")
                line.tell(text, reveal={"posture": "pause"} if hidden else None)
        assert line.state.turn == "C"
        assert line.seq + 1 - began == count  # the referee hands the last one on

    def test_weather_takes_two_more(self):
        assert RULESET.mails_to_come(setting(), "weather-die")[0] == RULESET.mails_to_come(setting(), "posture")[0] + 3
