"""4.0 where a referee rolls: plans and standing answers in the open, decisions, ends by dice, mails (K-83, K-87)."""

import pytest

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import Decided, Fought, Moved
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import sequence, victory
from rulesets.battle_for_kursk.board import Dice, attack, battles, moves, read
from rulesets.battle_for_kursk.refereed_line import (
    ASK,
    BEFORE,
    BOOK,
    DUEL,
    ENGAGE,
    FORT,
    PAUSE,
    STAND,
    Line,
    at,
    choice,
    message,
    refused,
    seal,
    setting,
)


class TestPlansAndAnswers:
    """K-87: both lie open."""

    def test_plans_stand_in_the_open_and_are_not_sealed(self):
        """K-87: the opponent reads them with the declaration."""
        line = Line(at("german-orders", f"{DUEL} | 2706: g-2-ss"))
        orders = battles(attack("2707", "g-48-pz g-2-ss", losses="g-2-ss", advance="g-48-pz", retreat="toward 2708"))
        assert BOOK.seal(setting(), read(orders)["orders"], 11) == (read(orders)["orders"], {})
        line.tell(orders)
        assert line.state.agenda["battles"][0]["plan"] == {
            "retreat": ["toward 2708"],
            "losses": ["g-2-ss"],
            "advance": ["g-48-pz"],
        }
        line.roll(b1=6)
        assert [event.path for event in line.last.events if isinstance(event, Moved)][-1] == ("2707",)

    def test_a_sealed_plan_is_refused(self):
        state = at("german-orders", DUEL)
        both = battles(attack("2707", "g-48-pz")) + "\nseal: {plans/11: {b1: {losses: [g-48-pz]}}}"
        refused(state, both, "12.0-2", "nothing of this name")
        waived = at("posture", f"{DUEL}; {BEFORE}")
        refused(waived, choice("b", "engage") + both, "12.0-2", "nothing of this name")

    @pytest.mark.parametrize(
        ("stage", "text", "agenda"),
        [
            ("posture", choice("b", "pause"), {}),
            ("reveal", "", {}),
            ("german-orders", "", {}),
            ("german-dice", "", {}),
            ("russian-orders", seal("c"), {}),
            ("russian-dice", seal("c"), {}),
            ("resumed", seal("b"), {}),
            ("first-binding", "", {"weather": "due"}),
        ],
    )
    def test_standing_answers_ride_on_any_message(self, stage, text, agenda):
        marks = "; posture none" if stage in ("posture", "resumed", "first-binding") else ""
        state = at(stage, f"2402: r-63 | 0606: g-43{marks}", **agenda)
        found = message(state, text + "\n" + STAND, seq=13)
        assert found.legal
        assert found.after.agenda[f"policy-{state.side}"] == {"seq": "13", "policy": {"stand-fast": "always"}}

    def test_the_opening_too(self):
        found = message(BOOK.data.setup(setting()), seal("a") + "\n" + STAND, seq=1)
        assert found.after.agenda["policy-russian"]["seq"] == "1"

    def test_they_hold_until_others_are_filed(self):
        """K-87: a new policy replaces the whole policy; an empty policy changes nothing."""
        line = Line(at("reveal", "1906: r-5 | 0606: g-43; posture none"))
        line.tell("policy: {exchange-dr: never, units: {r-5: {exchange-drl: never}}}", reveal=PAUSE)
        held = line.state.agenda["policy-russian"]
        line.tell()
        line.tell(seal("c"))
        assert line.state.agenda["policy-russian"] == held
        assert line.state.turn == "C"
        line.tell(choice("c", "pause"))
        line.tell(f"{seal('d')}\n{STAND}", reveal=PAUSE)
        assert line.state.agenda["policy-russian"] == {"seq": str(line.seq - 1), "policy": {"stand-fast": "always"}}

    def test_they_answer_for_the_defender_alone(self):
        """Both sides have filed; the German attacks, and the Russian answers."""
        for when, exchanged in (("never", False), ("always", True)):
            line = Line(at("posture", f"{FORT}; {BEFORE}"))
            line.tell(choice("b", "engage", waive=False)).tell(f"policy: {{exchange-drl: {when}}}", reveal=ENGAGE)
            other = "never" if when == "always" else "always"
            line.tell(battles(attack("1906", "g-2-ss g-48-pz")) + f"\npolicy: {{exchange-drl: {other}}}").roll(b1=4)
            (decided,) = [event for event in line.last.events if isinstance(event, Decided)]
            assert (decided.owner, decided.source, decided.chosen == "exchange") == ("russian", "filed", exchanged)

    def test_a_policy_of_the_attacker_is_not_the_defenders(self):
        line = Line(at("german-orders", FORT))
        line.tell(battles(attack("1906", "g-2-ss g-48-pz")) + "\npolicy: {exchange-dr: always}").roll(b1=4)
        (decided,) = [event for event in line.last.events if isinstance(event, Decided)]
        assert (decided.owner, decided.source) == ("russian", "default")

    @pytest.mark.parametrize(
        ("stage", "text"), [("reveal", ""), ("german-orders", battles(attack("1906", "g-2-ss g-48-pz")) + "\n")]
    )
    def test_they_name_no_battle(self, stage, text):
        """Not even a declared battle: the name may come again in another turn."""
        marks = "; posture none" if stage == "reveal" else ""
        refused(
            at(stage, FORT + marks),
            text + "policy: {battles: {b1: {exchange-dr: always}}}",
            "9.3-stand-fast",
            "name units, hexes or the whole side",
        )

    def test_not_in_a_decision_or_an_acceptance_either(self):
        stopped = (
            Line(at("german-orders", FORT), setting(**ASK)).tell(battles(attack("1906", "g-2-ss g-48-pz"))).roll(b1=4)
        )
        refused(
            stopped.state,
            "decisions: {b1: accept}\npolicy: {battles: {b1: {exchange-dr: always}}}",
            "9.3-stand-fast",
            "name units",
            game=setting(**ASK),
            seq=stopped.seq,
        )
        early = Line(at("german-orders", FORT), seq=1).tell(battles(attack("1906", "g-2-ss g-48-pz")))
        refused(early.state, "policy: {battles: {b1: {exchange-dr: always}}}", "9.3-stand-fast", "name units", seq=3)

    def test_they_name_own_units_and_hexes_of_the_map(self):
        state = at("german-orders", DUEL)
        refused(state, "policy: {units: {r-5: {stand-fast: always}}}", "9.3-stand-fast", "is no unit of yours")
        refused(state, "policy: {hexes: {'3333': {stand-fast: always}}}", "9.3-stand-fast", "is not a hex")


class TestDecisions:
    """uncovered: ask. The dice stop, the owner decides, the referee continues (K-83, K-84, K-87)."""

    def stopped(self, face=4, policy=""):
        line = Line(at("german-orders", f"{FORT} | 2707: r-10 | 2606: g-3-pz"), setting(**ASK))
        second = attack("2707", "g-3-pz", bid="b2", advance="g-3-pz")
        return line.tell(battles(attack("1906", "g-2-ss g-48-pz"), second) + policy).roll(
            **({"b1": face} if not policy else {"b1": face, "b2": 1})
        )

    def test_the_dice_stop_and_the_rest_of_the_battles_wait(self):
        line = self.stopped()
        assert line.now == ("german-decision", "russian")
        assert line.last.pending["owner"] == "russian"
        assert [event.battle for event in line.last.events if isinstance(event, Fought)] == ["b1"]
        assert [each["id"] for each in line.state.agenda["battles"]] == ["b1", "b2"]

    def test_after_the_decision_the_open_plans_stand_and_the_first_die_too(self):
        line = self.stopped().tell("decisions: {b1: exchange}")
        assert line.now == ("german-rolls", "german")
        plan = line.state.agenda["battles"][1]["plan"]
        assert plan == {"advance": ["g-3-pz"]}
        line.roll(b2=6)
        assert line.now == ("german-dice", "german")
        fought = {event.battle: event.dice for event in line.last.events if isinstance(event, Fought)}
        assert fought == {"b1": "4", "b2": "6"}

    @pytest.mark.parametrize(
        ("text", "rule", "says"),
        [
            ("", "9.3-stand-fast", "decide one of"),
            ("decisions: {b1: stand-fast}", "9.3-stand-fast", "decide one of"),
            ("decisions: {b1: accept, b2: accept}", "9.3-stand-fast", "only b1 waits"),
            ("decisions: {b1: accept}\norders: {movement: []}", "", ""),
            ("decisions: {b1: accept}\n" + moves("r-10 2708"), "4.0", "has no place"),
        ],
    )
    def test_nothing_but_the_decision_and_standing_answers(self, text, rule, says):
        line = self.stopped()
        if rule:
            refused(line.state, text, rule, says, game=setting(**ASK), seq=line.seq)
        else:
            assert message(line.state, text, game=setting(**ASK), seq=line.seq).legal

    def test_answers_filed_with_the_decision_cover_the_battles_that_wait(self):
        """Two fortified Russians: asked about the first, their owner answers for the second too."""
        state = at("german-orders", f"{FORT} | 2306: r-10 reduced | 2206: g-3-pz | 2305: g-41-pz")
        filed = "policy: {exchange-drl: never, exchange-dr: never}"
        for policy, stage in (("", "german-decision"), (filed, "german-dice")):
            line = Line(state.with_(turn="C"), setting(**ASK))
            two = attack("1906", "g-2-ss g-48-pz"), attack("2306", "g-3-pz g-41-pz", bid="b2")
            line.tell(battles(*two)).roll(b1=4)
            line.tell(f"decisions: {{b1: accept}}\n{policy}").roll(b2=4)
            assert line.now[0] == stage

    def test_covered_by_a_standing_policy_nothing_stops(self):
        line = Line(at("posture", f"{FORT}; {BEFORE}"), setting(**ASK))
        line.tell(choice("b", "engage", waive=False)).tell("policy: {exchange-drl: never}", reveal=ENGAGE)
        line.tell(battles(attack("1906", "g-2-ss g-48-pz"))).roll(b1=4)
        assert line.now == ("german-dice", "german")

    def test_uncovered_default_asks_nobody(self):
        line = Line(at("german-orders", FORT)).tell(battles(attack("1906", "g-2-ss g-48-pz"))).roll(b1=4)
        assert line.now == ("german-dice", "german")
        assert line.last.pending is None

    def test_the_german_decides_in_the_russian_turn(self):
        """2110 is a Major City (Orel): stand fast or go."""
        state = at("russian-orders", "2110: g-23 | 2109: r-4-t | 2010: r-5 | 2111: r-6-g; turn B")
        line = Line(state, setting(**ASK)).tell(battles(attack("2110", "r-4-t r-5 r-6-g")))
        faces = range(1, 7)
        for face in faces:
            found = message(line.state, game=line.game, seq=line.seq, dice={"b1": face})
            if found.pending:
                break
        else:
            pytest.fail("no die asks the German")
        line.roll(b1=face)
        assert line.now == ("russian-decision", "german")
        line.tell("decisions: {b1: stand-fast}")
        assert line.now == ("russian-rolls", "russian")
        assert line.roll().now == ("russian-dice", "russian")
        assert line.last.dice == {}


class TestTooEarlyTooLate:
    """Schedule: a die one message early or late is a slip of the program's own, and asserted (the law of freshness)."""

    def test_dice_for_what_is_declared_in_the_same_message(self):
        state = Line(at("german-orders", DUEL)).tell(battles(attack("2707", "g-48-pz"))).state
        early = Filing(11, REFEREE)
        with pytest.raises(AssertionError, match="a die of message 11 for inputs of messages 11"):
            adjudicate(BOOK, setting(), state, early, Dice({"b1": 1}, 11))
        assert adjudicate(BOOK, setting(), state, Filing(12, REFEREE), Dice({"b1": 1}, 12)).dice == {"b1/combat": "1"}

    def test_dice_for_an_answer_of_the_same_message(self):
        state = at("german-rolls", DUEL)
        battle = {"id": "b1", "hex": "2707", "defender": "r-5", "attackers": ["g-48-pz"]}
        held = {"seq": "12", "policy": {"stand-fast": "always"}}
        state = state.with_(agenda={"battles": [battle], "declared": "11", "policy-russian": held})
        with pytest.raises(AssertionError, match="inputs of messages 11 and 12"):
            adjudicate(BOOK, setting(), state, Filing(12, REFEREE), Dice({"b1": 1}, 12))

    def test_a_player_rolls_nothing(self):
        """Messages of a player have no dice: declared battles wait for the referee."""
        for stage in sequence.REFEREED.values():
            if stage.writer in ("german", "russian"):
                assert not any(phase.rolls for phase in (*stage.duties, *stage.phases))

    def test_nobody_else_writes_the_referees_stage(self):
        state = Line(at("german-orders", DUEL)).tell(battles(attack("2707", "g-48-pz"))).state
        with pytest.raises(AssertionError, match="german writes out of turn"):
            adjudicate(BOOK, setting(), state, Filing(12, "german"), Dice({"b1": 1}, 12))


class TestEndByDice:
    MOSCOW = "2402: r-9-tc reduced | 2403: g-3-pz | 2303: g-2-ss | 1507: g-48-pz; turn A; clear"

    def test_moscow_by_an_advance(self):
        line = Line(at("german-orders", self.MOSCOW))
        line.tell(battles(attack("2402", "g-3-pz g-2-ss", advance="g-3-pz"))).roll(b1=6)
        assert line.now[0] == "over"
        assert victory.find_verdict(line.game, line.state).how == "moscow"
        assert line.state.agenda == {}

    def test_moscow_by_a_move_after_the_dice(self):
        line = Line(at("german-orders", "2403: g-3-pz | 2707: r-5 | 2606: g-48-pz; turn A; clear"))
        line.tell(battles(attack("2707", "g-48-pz"))).roll(b1=3)
        assert line.tell(moves("g-3-pz 2402")).now[0] == "over"


class TestMails:
    """The number of messages in a turn, with the referee's, without decisions (2.5)."""

    def test_a_turn_in_which_nobody_fights(self):
        """Waived: 4 messages, the German's, the Russian's and a referee's after each; seen: 8."""
        assert BOOK.mails_to_come(setting(), "posture") == (4, 12)
        assert BOOK.mails_to_come(setting(), "russian-orders") == (2, 4)
        assert BOOK.mails_to_come(setting(), "german-orders") == (4, 8)
        assert BOOK.mails_to_come(setting(), "reveal") == (6, 10)
        assert BOOK.mails_to_come(setting(), "russian-dice") == (2, 2)
        assert BOOK.mails_to_come(setting(), "russian-rolls") == (3, 3)

    @pytest.mark.parametrize(
        ("texts", "count"),
        [
            ([choice("b", "engage"), seal("c")], 4),
            ([choice("b", "engage", waive=False), "", "", seal("c")], 8),
            ([choice("b", "engage") + battles(attack("2707", "g-48-pz")), {"b1": 1}, "", seal("c")], 6),
        ],
    )
    def test_it_is_what_is_played(self, texts, count):
        line = Line(at("posture", f"{DUEL}; turn B; {BEFORE}"))
        began = line.seq
        for text in texts:
            low, high = BOOK.mails_to_come(setting(), line.state.stage)
            left = count - (line.seq - began) - (line.seq % 2 == 0 and BOOK.writer(line.game, line.state) != REFEREE)
            assert low <= left <= high
            if isinstance(text, dict):
                line.roll(**text)
            else:
                hidden = line.state.stage in ("reveal", "russian-orders") and not line.state.mark("russian", "posture")
                line.tell(text, reveal=PAUSE if hidden else None)
        assert line.state.turn == "C"
        assert line.seq + 1 - began == count  # the referee hands the last one on

    def test_weather_takes_two_more(self):
        assert BOOK.mails_to_come(setting(), "weather-die")[0] == BOOK.mails_to_come(setting(), "posture")[0] + 3
