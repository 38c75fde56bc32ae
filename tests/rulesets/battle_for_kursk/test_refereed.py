"""4.0 with dice by a referee: the content and successor of each message (K-87 to K-89).

At least a test for every stage of the table that ``kernel.refereed`` derives, played at the kernel in the order of
messages."""

import pytest

from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import sequence, victory
from rulesets.battle_for_kursk import board
from rulesets.battle_for_kursk.board import attack, battles, moves
from rulesets.battle_for_kursk.refereed_line import (
    ASK,
    BACK,
    BEFORE,
    BOOK,
    DIE,
    DUEL,
    ENGAGE,
    FORT,
    PAUSE,
    STAND,
    Line,
    at,
    choice,
    loaded,
    message,
    refused,
    seal,
    setting,
)


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


class TestOpening:
    def test_campaign(self):
        """The posture of turn A is sealed; the German chooses his."""
        line = Line(BOOK.data.setup(setting()), seq=1)
        assert line.now == ("opening", "russian")
        assert line.tell(seal("a")).now == ("posture", "german")
        refused(BOOK.data.setup(setting()), "", "12.0-2", "must be sealed", seq=1)

    def test_citadel_distributes_in_the_open_first(self):
        game = setting("citadel")
        state = BOOK.data.setup(game)
        uids = [uid for uid, counter in game.counters.items() if counter.side == "russian"]
        able = [uid for uid in uids if game.counters[uid].infantry][:17]
        able += [uid for uid in uids if game.counters[uid].armor][:8]
        text = {"orders": {"distribution": able}, "seal": {"posture/turn-1": PAUSE}}
        assert Line(state, game, 1).tell(text).now == ("posture", "german")
        refused(state, seal("1"), "6.0-short-scenario", number=2, game=game, seq=1)

    def test_the_first_weather_die_falls_in_message_4(self):
        """K-89: nothing is sealed in message 1, the German accepts in 3, the referee rolls, the Russian seals."""
        game = setting(**DIE)
        line = Line(BOOK.data.setup(game), game, 1)
        refused(line.state, seal("a"), "12.0-2", game=game, seq=1)
        assert line.tell().now == ("first-binding", "german")
        refused(line.state, choice("a", "pause"), "4.0", "has no place", number=2, game=game, seq=3)
        assert line.tell().now == ("weather-die", "russian")
        assert line.seq == 4
        assert line.roll(weather__turn_a=1).now == ("resumed", "russian")
        assert line.state.tracks["mud"] == 1
        refused(line.state, "", "12.0-2", "must be sealed", game=game, seq=5)
        assert line.tell(seal("a")).now == ("posture", "german")
        assert line.seq == 6


class TestGerman:
    OPEN = f"{DUEL}; turn B; {BEFORE}"

    def test_who_waits_orders_after_the_reveal(self):
        line = Line(at("posture", self.OPEN))
        assert line.tell(choice("b", "engage", waive=False)).now == ("reveal", "russian")
        assert line.tell(reveal=PAUSE).now == ("german-orders", "german")
        assert (line.state.mark("german", "posture"), line.state.mark("russian", "posture")) == ("engage", "pause")
        assert line.tell(battles(attack("2707", "g-48-pz"))).now == ("german-rolls", "german")

    def test_who_does_not_wait_orders_nothing(self):
        refused(
            at("posture", self.OPEN),
            choice("b", "engage", waive=False) + battles(attack("2707", "g-48-pz")),
            "12.0-2",
            "orders come after the Russian posture is shown",
        )

    def test_waived_he_goes_on_at_once(self):
        state = at("posture", self.OPEN)
        fights = choice("b", "engage") + battles(attack("2707", "g-48-pz"))
        assert Line(state).tell(fights).now == ("german-rolls", "german")
        assert Line(state).tell(choice("b", "engage")).now == ("russian-orders", "russian")

    def test_who_pauses_and_may_react_waits(self):
        """K-81: his phases hang on the Russian posture, and on a marker."""
        state = at("posture", f"{self.OPEN}; offensives german 1")
        pause = "choice: {posture/turn-b: {posture: pause, reaction: yes}}\n"
        refused(state, pause + "waive: posture", "12.0-3", "wait for it")
        line = Line(state).tell(pause)
        assert line.now == ("reveal", "russian")
        line.tell(reveal=ENGAGE)
        assert (line.now, line.state.mark("german", "posture")) == (("german-orders", "german"), "reposition")
        calm = Line(state).tell(pause).tell(reveal=PAUSE)
        assert calm.state.mark("german", "posture") == "pause"

    def test_without_battles_the_turn_ends_with_movement(self):
        line = Line(at("german-orders", DUEL)).tell(moves("g-48-pz 2605"))
        assert line.now == ("russian-orders", "russian")
        assert line.state.units["g-48-pz"].place == "2605"

    def test_dice_then_movement(self):
        """K-88: in a message of his own, when he has seen them."""
        line = Line(at("german-orders", DUEL)).tell(battles(attack("2707", "g-48-pz")))
        assert line.roll(b1=3).now == ("german-dice", "german")
        assert [type(event) for event in line.last.events if isinstance(event, Fought)] == [Fought]
        assert line.tell(moves("g-48-pz 2605")).now == ("russian-orders", "russian")

    def test_after_the_dice_he_orders_no_more_battles(self):
        line = Line(at("german-orders", DUEL)).tell(battles(attack("2707", "g-48-pz"))).roll(b1=1)
        refused(line.state, battles(attack("2707", "g-48-pz")), "4.0", "has no place", seq=line.seq + 1)

    def test_a_posture_without_movement_leaves_nothing_after_the_dice(self, monkeypatch):
        game = setting()
        state = at("german-orders", DUEL)
        line = Line(state, game).tell(battles(attack("2707", "g-48-pz")))
        phases = {**game.phases, "engage": game.phases["engage"] - {"movement"}}
        object.__setattr__(game, "phases", phases)
        monkeypatch.setattr(board, "kursk", lambda *_: game)
        try:
            assert line.roll(b1=3).now == ("russian-orders", "russian")
        finally:
            loaded.cache_clear()


class TestRussian:
    def test_without_battles_the_turn_goes_on_and_the_next_posture_is_sealed(self):
        line = Line(at("russian-orders", BACK))
        refused(line.state, moves("r-4-t 2708"), "12.0-2", "must be sealed")
        assert line.tell(moves("r-4-t 2708") + "\n" + seal("c")).now == ("posture", "german")
        assert line.state.turn == "C"

    def test_with_battles_dice_then_movement_housekeeping_and_seal(self):
        line = Line(at("russian-orders", BACK))
        both = battles(attack("2606", "r-4-t")) + "\n" + seal("c")
        refused(line.state, both, "12.0-2", "after their dice")
        assert line.tell(battles(attack("2606", "r-4-t"))).now == ("russian-rolls", "russian")
        assert line.state.turn == "B"
        assert line.roll(b1=3).now == ("russian-dice", "russian")
        assert (line.state.turn, "battles" in line.state.agenda) == ("B", False)
        refused(line.state, "", "12.0-2", "must be sealed", seq=line.seq + 1)
        assert line.tell(moves("r-4-t 2806") + "\n" + seal("c")).now == ("posture", "german")
        assert line.state.turn == "C"

    def test_the_last_turn_ends_the_game(self):
        line = Line(at("russian-orders", "2402: r-63 | 0606: g-43; turn 8; posture russian pause"))
        assert line.tell().now[0] == "over"
        assert victory.find_verdict(line.game, line.state) is not None
        assert line.state.agenda == {}
        refused(at("russian-orders", "2402: r-63; turn 8"), seal("8"), "12.0-2")

    def test_the_last_turn_ends_after_its_battles(self):
        line = Line(at("russian-orders", f"{BACK}; turn 8")).tell(battles(attack("2606", "r-4-t"))).roll(b1=3)
        assert line.now == ("russian-dice", "russian")
        assert line.tell(moves("r-4-t 2806")).now[0] == "over"


class TestShown:
    """K-88: the Russian's posture is shown in whatever message of his comes first."""

    OPEN = f"{DUEL} | 2402: r-63; turn B; {BEFORE}"

    def waived(self, text="", game=None, board=""):
        state = at("posture", board or self.OPEN)
        state = state.with_(agenda={"sealed/posture/turn-b": {"seq": "9", "hash": "0" * 64}})
        return Line(state, game).tell(choice("b", "engage") + text)

    def test_in_the_reveal(self):
        line = Line(at("posture", self.OPEN)).tell(choice("b", "engage", waive=False))
        refused(line.state, "orders: {objective: '2113'}", "4.0", "has no place")
        assert line.tell(reveal=ENGAGE).state.mark("russian", "posture") == "engage"

    def test_with_his_orders(self):
        line = self.waived()
        assert (line.now, line.state.mark("russian", "posture")) == (("russian-orders", "russian"), "")
        line.tell(seal("c"), reveal=PAUSE)
        assert line.state.mark("russian", "previous") == "pause"  # the turn is over
        assert line.state.turn == "C"

    def test_with_his_orders_after_german_battles(self):
        """K-88: the dice do not wait for it; a posture binds Russian phases only."""
        line = self.waived(battles(attack("2707", "g-48-pz"))).roll(b1=3)
        assert "sealed/posture/turn-b" in line.state.agenda
        line.tell()
        assert "sealed/posture/turn-b" in line.state.agenda
        line.tell(seal("c"), reveal=ENGAGE)
        assert [key for key in line.state.agenda if key.startswith("sealed/")] == ["sealed/posture/turn-c"]

    def test_with_a_decision(self):
        line = self.waived(battles(attack("1906", "g-2-ss g-48-pz")), setting(**ASK), f"{FORT}; {BEFORE}").roll(b1=4)
        assert line.now == ("german-decision", "russian")
        line.tell("decisions: {b1: accept}", reveal=ENGAGE)
        assert line.state.mark("russian", "posture") == "engage"


class TestWeather:
    LAST = "2402: r-63 | 0606: g-43; turn 5; stage russian-orders; posture russian pause"

    def test_the_die_falls_between_the_turns(self):
        """K-89: no seal with the last message of the turn before; the German may waive as ever."""
        game = setting(**DIE)
        line = Line(at("russian-orders", self.LAST.replace("; stage russian-orders", "")), game)
        refused(line.state, seal("6"), "12.0-2", "nothing of this name", game=game)
        assert line.tell().now == ("weather-die", "russian")
        assert line.state.turn == "6"
        assert line.roll(weather__turn_6=6).now == ("resumed", "russian")
        assert line.state.tracks["mud"] == 0
        assert line.tell(seal("6")).now == ("posture", "german")
        assert line.tell(choice("6", "pause")).now == ("russian-orders", "russian")

    def test_after_a_battle_too(self):
        game = setting(**DIE)
        line = Line(at("russian-orders", f"{BACK}; turn 5"), game).tell(battles(attack("2606", "r-4-t"))).roll(b1=3)
        assert line.now == ("russian-dice", "russian")
        assert line.tell().now == ("weather-die", "russian")

    def test_turns_without_a_die_go_on_at_once(self):
        line = Line(at("russian-orders", "2402: r-63; turn 2; posture russian pause"), setting(**DIE))
        assert line.tell(seal("3")).now == ("posture", "german")

    @pytest.mark.parametrize(("turn", "face", "mud"), [("6", 1, 1), ("6", 6, 0)])
    def test_it_makes_mud_or_not(self, turn, face, mud):
        state = at("weather-die", f"2402: r-63; turn {turn}; posture none", weather="due")
        found = message(state, game=setting(**DIE), dice={f"weather/turn-{turn}": face}, seq=12)
        assert found.after.tracks["mud"] == mud
        assert (found.after.stage, found.after.side, found.after.agenda) == ("resumed", "russian", {})


class TestAgreed:
    """A game that continues from an agreed position: battles of message 1 wait until both sides have accepted."""

    def test_german_battles(self):
        line = Line(at("german-orders", DUEL), seq=1).tell(battles(attack("2707", "g-48-pz")))
        assert line.now == ("german-answer", "russian")
        refused(line.state, moves("r-5 2708"), "4.0", "has no place", seq=3)
        assert line.tell(STAND).now == ("german-rolls", "german")
        assert line.seq == 4
        assert line.roll(b1=2).now == ("german-dice", "german")

    def test_russian_battles(self):
        line = Line(at("russian-orders", BACK), seq=1).tell(battles(attack("2606", "r-4-t")))
        assert line.now == ("russian-answer", "german")
        assert line.tell().now == ("russian-rolls", "russian")
        assert line.roll(b1=3).now == ("russian-dice", "russian")

    def test_without_battles_the_other_side_accepts_with_its_orders(self):
        assert Line(at("german-orders", DUEL), seq=1).tell().now == ("russian-orders", "russian")
        assert Line(at("russian-orders", DUEL), seq=1).tell(seal("c")).now == ("posture", "german")
        assert Line(at("german-dice", DUEL), seq=1).tell(moves("g-48-pz 2605")).now == ("russian-orders", "russian")
        assert Line(at("russian-dice", BACK), seq=1).tell(seal("c")).now == ("posture", "german")

    def test_a_weather_die_waits_for_the_other_side_too(self):
        game = setting(**DIE)
        line = Line(at("russian-dice", "2402: r-63; turn 5; posture russian pause"), game, 1).tell()
        assert line.now == ("first-binding", "german")
        assert line.tell().now == ("weather-die", "russian")
        resumed = at("resumed", "2402: r-63; turn 6; posture none", weather="due")
        assert Line(resumed, game, 1).tell().now == ("first-binding", "german")
