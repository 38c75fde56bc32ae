"""4.0 where a referee rolls the dice: which message holds what, and what follows (K-87 to K-89).

One test or more for every row of the table in ``refereed``, played at the kernel as the messages come.
"""

from functools import cache

import board
import pytest
from board import Dice, attack, battles, moves, place, read

from kursk_pbem.kernel import scenario
from kursk_pbem.kernel.adjudicate import adjudicate, unmoved
from kursk_pbem.kernel.events import Decided, Fought, Moved
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import RULESET, posture, refereed, victory

BOOK = RULESET.refereed
PAUSE, ENGAGE = {"posture": "pause"}, {"posture": "engage"}
ASK, DIE = {"uncovered": "ask"}, {"weather": "die"}
STAND = "policy: {stand-fast: always}"


@cache
def _loaded(scene, options):
    return BOOK.load(scenario.load(scenario.find(f"battle-for-kursk/{scene}")), dict(options))


def setting(scene="campaign", **options):
    """A scenario where a referee rolls, under options."""
    return _loaded(scene, tuple(sorted(options.items())))


def at(stage, text="", **agenda):
    """A position as ``place`` reads it, with a stage of a referee's game and what is scheduled."""
    state = place(f"{text}; stage german-orders")
    writer = BOOK.stages[stage].writer
    return state.with_(stage=stage, side=refereed.SIDE_OF[stage] if writer == REFEREE else writer, agenda=agenda)


def message(state, text="", *, game=None, seq=11, dice=None, reveal=None):
    """One message; the laws of every message hold, and the same filing gives the same result."""
    game, content = game or setting(), read(text)
    hidden = content.get("seal", {})
    writer = BOOK.writer(state)
    filing = Filing(
        seq + (writer == REFEREE and seq % 2), writer, reveal={posture.label(state.turn): reveal} if reveal else {},
        choice=content.get("choice", {}), waive=content.get("waive", ""), orders=content.get("orders", {}),
        policy=content.get("policy", {}), decisions=content.get("decisions", {}),
        secret=dict.fromkeys(hidden, "0" * 64), sealed=hidden,
    )  # fmt: skip
    result = adjudicate(BOOK, game, state, filing, Weather(dice or {}, filing.seq))
    board.laws(game, result)
    assert set(result.dice) == {label if "/" in label else f"{label}/combat" for label in dice or {}}
    assert adjudicate(BOOK, game, state, filing, Weather(dice or {}, filing.seq)) == result
    assert writer != REFEREE or (result.middle == result.after and not result.violations)
    return result


class Weather(Dice):
    """Dice by battle or, with a slash, by label."""

    def roll(self, label, n):
        return str(self.faces[label]) if label in self.faces else super().roll(label, n)


class Line:
    """A game at the kernel from a position on: ``tell`` is a player's message, ``roll`` the referee's behind it.

    Who does not roll hands on, which changes nothing; so every player's message has an odd number.
    """

    def __init__(self, state, game=None, seq=11):
        self.state, self.game, self.seq, self.last = state, game or setting(), seq, None

    def tell(self, text="", reveal=None):
        """A message of the side that is due."""
        if self.seq % 2 == 0:
            assert BOOK.writer(self.state) != REFEREE, f"{self.state.stage} is the referee's"
            assert unmoved(self.state).after == self.state
            self.seq += 1
        self.last = message(self.state, text, game=self.game, seq=self.seq, reveal=reveal)
        assert self.last.legal, [str(violation) for violation in self.last.violations]
        return self._on()

    def roll(self, **faces):
        """The referee's dice; one face for each die."""
        assert BOOK.writer(self.state) == REFEREE, f"{self.state.stage} is nothing to roll"
        dice = {key.replace("__", "/").replace("_", "-"): face for key, face in faces.items()}
        self.last = message(self.state, game=self.game, seq=self.seq, dice=dice)
        return self._on()

    def _on(self):
        self.state, self.seq = self.last.after, self.seq + 1
        return self

    @property
    def now(self):
        return self.state.stage, self.state.side


def refused(state, text, rule, says="", *, number=1, game=None, seq=11):
    """Exactly so many violations, all of this paragraph, with these words."""
    found = message(state, text, game=game, seq=seq).violations
    assert [violation.rule for violation in found] == [rule] * number, [str(violation) for violation in found]
    assert all(says in str(violation) for violation in found), [str(violation) for violation in found]


def seal(turn, value="pause"):
    return f"seal: {{posture/turn-{turn}: {{posture: {value}}}}}"


def choice(turn, value, waive=True):
    return f"choice: {{posture/turn-{turn}: {{posture: {value}}}}}\n" + ("waive: posture\n" if waive else "")


BEFORE = "posture none; previous german deploy russian deploy"  # the postures are still to be chosen
DUEL = "2707: r-5 | 2606: g-48-pz"  # a German attack in the open
BACK = "2707: r-4-t | 2606: g-48-pz reduced"  # a Russian one
FORT = "1906: r-5 reduced | 1805: g-2-ss | 1806: g-48-pz"  # the defender may exchange


class TestTable:
    """The table itself."""

    def test_the_table_of_the_docstring_is_the_code(self):
        rows = [line.split() for line in refereed.__doc__.splitlines() if line and line.split()[0] in refereed.STAGES]
        assert sorted(row[0] for row in rows) == sorted(refereed.STAGES)
        for key, writer, *_words in rows:
            assert refereed.STAGES[key].writer == ("" if key == "over" else writer.lower())

    def test_only_the_referee_rolls_and_he_has_nothing_else(self):
        for stage in refereed.STAGES.values():
            assert stage.rolls == (stage.writer == REFEREE)
            assert stage.writer != REFEREE or stage.phases == ()

    def test_each_side_may_answer_in_each_of_its_messages(self):
        for stage in refereed.STAGES.values():
            assert (refereed.POLICY in stage.phases) == (stage.writer in ("german", "russian"))

    def test_every_stage_can_be_reached(self):
        found = {"opening", "resumed", "over", "german-answer", "russian-answer"}  # the answers after message 1 alone
        while more := {key for stage in found for key in (*BOOK.stages[stage].then, *BOOK.stages[stage].ends)} - found:
            found |= more
        assert found == set(refereed.STAGES)


class TestOpening:
    def test_campaign(self):
        """The posture of turn A is sealed; the German chooses his."""
        line = Line(BOOK.setup(setting()), seq=1)
        assert line.now == ("opening", "russian")
        assert line.tell(seal("a")).now == ("posture", "german")
        refused(BOOK.setup(setting()), "", "12.0-2", "must be sealed", seq=1)

    def test_citadel_distributes_in_the_open_first(self):
        game = setting("citadel")
        state = BOOK.setup(game)
        uids = [uid for uid, counter in game.counters.items() if counter.side == "russian"]
        able = [uid for uid in uids if game.counters[uid].infantry][:17]
        able += [uid for uid in uids if game.counters[uid].armor][:8]
        text = {"orders": {"distribution": able}, "seal": {"posture/turn-1": PAUSE}}
        assert Line(state, game, 1).tell(text).now == ("posture", "german")
        refused(state, seal("1"), "6.0-short-scenario", number=2, game=game, seq=1)

    def test_the_first_weather_die_falls_in_message_4(self):
        """K-89: nothing is sealed in message 1, the German accepts in 3, the referee rolls, the Russian seals."""
        game = setting(**DIE)
        line = Line(BOOK.setup(game), game, 1)
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
        refused(at("posture", self.OPEN), choice("b", "engage", waive=False) + battles(attack("2707", "g-48-pz")),
                "12.0-2", "orders come after the Russian posture is shown")  # fmt: skip

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
            _loaded.cache_clear()


class TestRussian:
    def test_without_battles_the_turn_goes_on_and_the_next_posture_is_sealed(self):
        line = Line(at("russian-orders", BACK))
        refused(line.state, moves("r-4-t 2708"), "12.0-2", "must be sealed")
        assert line.tell(moves("r-4-t 2708") + "\n" + seal("c")).now == ("posture", "german")
        assert line.state.turn == "C"

    def test_with_battles_dice_then_movement_housekeeping_and_seal(self):
        line = Line(at("russian-orders", BACK))
        both = battles(attack("2606", "r-4-t")) + "\n" + seal("c")
        refused(line.state, both, "12.0-2", "sealed after their dice")
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
        assert victory.verdict(line.game, line.state) is not None
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
    """A game that goes on from an agreed position: battles of message 1 wait until both have accepted."""

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


class TestPlansAndAnswers:
    """K-87: both lie open."""

    def test_plans_stand_in_the_open_and_are_not_sealed(self):
        """K-87: the opponent reads them with the declaration."""
        line = Line(at("german-orders", f"{DUEL} | 2706: g-2-ss"))
        orders = battles(attack("2707", "g-48-pz g-2-ss", losses="g-2-ss", advance="g-48-pz", retreat="toward 2708"))
        assert BOOK.seal(read(orders)["orders"], 11) == (read(orders)["orders"], {})
        line.tell(orders)
        assert line.state.agenda["battles"][0]["plan"] == {
            "retreat": ["toward 2708"], "losses": ["g-2-ss"], "advance": ["g-48-pz"]}  # fmt: skip
        line.roll(b1=6)
        assert [event.path for event in line.last.events if isinstance(event, Moved)][-1] == ("2707",)

    def test_a_sealed_plan_is_refused(self):
        state = at("german-orders", DUEL)
        both = battles(attack("2707", "g-48-pz")) + "\nseal: {plans/11: {b1: {losses: [g-48-pz]}}}"
        refused(state, both, "12.0-2", "nothing of this name")
        waived = at("posture", f"{DUEL}; {BEFORE}")
        refused(waived, choice("b", "engage") + both, "12.0-2", "nothing of this name")

    @pytest.mark.parametrize(("stage", "text", "agenda"), [
        ("posture", choice("b", "pause"), {}), ("reveal", "", {}), ("german-orders", "", {}), ("german-dice", "", {}),
        ("russian-orders", seal("c"), {}), ("russian-dice", seal("c"), {}), ("resumed", seal("b"), {}),
        ("first-binding", "", {"weather": "due"}),
    ])  # fmt: skip
    def test_standing_answers_ride_on_any_message(self, stage, text, agenda):
        marks = "; posture none" if stage in ("posture", "resumed", "first-binding") else ""
        state = at(stage, f"2402: r-63 | 0606: g-43{marks}", **agenda)
        found = message(state, text + "\n" + STAND, seq=13)
        assert found.legal
        assert found.after.agenda[f"policy-{state.side}"] == {"seq": "13", "policy": {"stand-fast": "always"}}

    def test_the_opening_too(self):
        found = message(BOOK.setup(setting()), seal("a") + "\n" + STAND, seq=1)
        assert found.after.agenda["policy-russian"]["seq"] == "1"

    def test_they_hold_until_others_are_filed(self):
        """K-87: the whole policy is replaced; an empty one leaves it as it is."""
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

    @pytest.mark.parametrize(("stage", "text"), [
        ("reveal", ""), ("german-orders", battles(attack("1906", "g-2-ss g-48-pz")) + "\n"),
    ])  # fmt: skip
    def test_they_name_no_battle(self, stage, text):
        """Not even one that is declared: its name may come again in another turn."""
        marks = "; posture none" if stage == "reveal" else ""
        refused(at(stage, FORT + marks), text + "policy: {battles: {b1: {exchange-dr: always}}}",
                "9.3-stand-fast", "name units, hexes or the whole side")  # fmt: skip

    def test_not_in_a_decision_or_an_acceptance_either(self):
        stopped = Line(at("german-orders", FORT), setting(**ASK)).tell(
            battles(attack("1906", "g-2-ss g-48-pz"))).roll(b1=4)  # fmt: skip
        refused(stopped.state, "decisions: {b1: accept}\npolicy: {battles: {b1: {exchange-dr: always}}}",
                "9.3-stand-fast", "name units", game=setting(**ASK), seq=stopped.seq)  # fmt: skip
        early = Line(at("german-orders", FORT), seq=1).tell(battles(attack("1906", "g-2-ss g-48-pz")))
        refused(early.state, "policy: {battles: {b1: {exchange-dr: always}}}", "9.3-stand-fast", "name units", seq=3)

    def test_they_name_own_units_and_hexes_of_the_map(self):
        state = at("german-orders", DUEL)
        refused(state, "policy: {units: {r-5: {stand-fast: always}}}", "9.3-stand-fast", "no unit of your side")
        refused(state, "policy: {hexes: {'3333': {stand-fast: always}}}", "9.3-stand-fast", "is not a hex")


class TestDecisions:
    """uncovered: ask. The dice stop, the owner decides, the referee goes on (K-83, K-84, K-87)."""

    def stopped(self, face=4, policy=""):
        line = Line(at("german-orders", f"{FORT} | 2707: r-10 | 2606: g-3-pz"), setting(**ASK))
        second = attack("2707", "g-3-pz", bid="b2", advance="g-3-pz")
        return line.tell(battles(attack("1906", "g-2-ss g-48-pz"), second) + policy).roll(
            **({"b1": face} if not policy else {"b1": face, "b2": 1}))  # fmt: skip

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
        fought = {event.battle: event.die for event in line.last.events if isinstance(event, Fought)}
        assert fought == {"b1": "4", "b2": "6"}

    @pytest.mark.parametrize(("text", "rule", "says"), [
        ("", "9.3-stand-fast", "decide one of"),
        ("decisions: {b1: stand-fast}", "9.3-stand-fast", "decide one of"),
        ("decisions: {b1: accept, b2: accept}", "9.3-stand-fast", "only b1 waits"),
        ("decisions: {b1: accept}\norders: {movement: []}", "", ""),
        ("decisions: {b1: accept}\n" + moves("r-10 2708"), "4.0", "has no place"),
    ])  # fmt: skip
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
        """Where a player writes there are no dice at all: what stands declared waits for the referee."""
        for stage in refereed.STAGES.values():
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
        assert victory.verdict(line.game, line.state).how == "moscow"
        assert line.state.agenda == {}

    def test_moscow_by_a_move_after_the_dice(self):
        line = Line(at("german-orders", "2403: g-3-pz | 2707: r-5 | 2606: g-48-pz; turn A; clear"))
        line.tell(battles(attack("2707", "g-48-pz"))).roll(b1=3)
        assert line.tell(moves("g-3-pz 2402")).now[0] == "over"


class TestMails:
    """How many messages are to come in a turn, the referee's included; decisions apart (2.5)."""

    def test_a_turn_in_which_nobody_fights(self):
        """Waived: 4 messages, the German's, the Russian's and one behind each; seen: 8."""
        assert BOOK.mails_to_come("posture") == (4, 12)
        assert BOOK.mails_to_come("russian-orders") == (2, 4)
        assert BOOK.mails_to_come("german-orders") == (4, 8)
        assert BOOK.mails_to_come("reveal") == (6, 10)
        assert BOOK.mails_to_come("russian-dice") == (2, 2)
        assert BOOK.mails_to_come("russian-rolls") == (3, 3)

    @pytest.mark.parametrize(("texts", "count"), [
        ([choice("b", "engage"), seal("c")], 4),
        ([choice("b", "engage", waive=False), "", "", seal("c")], 8),
        ([choice("b", "engage") + battles(attack("2707", "g-48-pz")), {"b1": 1}, "", seal("c")], 6),
    ])  # fmt: skip
    def test_it_is_what_is_played(self, texts, count):
        line = Line(at("posture", f"{DUEL}; turn B; {BEFORE}"))
        began = line.seq
        for text in texts:
            low, high = BOOK.mails_to_come(line.state.stage)
            left = count - (line.seq - began) - (line.seq % 2 == 0 and BOOK.writer(line.state) != REFEREE)
            assert low <= left <= high
            if isinstance(text, dict):
                line.roll(**text)
            else:
                hidden = line.state.stage in ("reveal", "russian-orders") and not line.state.mark("russian", "posture")
                line.tell(text, reveal=PAUSE if hidden else None)
        assert line.state.turn == "C"
        assert line.seq + 1 - began == count  # the referee hands the last one on

    def test_weather_takes_two_more(self):
        assert BOOK.mails_to_come("weather-die")[0] == BOOK.mails_to_come("posture")[0] + 3
