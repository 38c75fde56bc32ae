"""Games where a referee rolls the dice, played at the kernel message by message from a position on."""

from functools import cache

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import adjudicate, keep_position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.battle_for_kursk import RULESET, posture, sequence
from rulesets.battle_for_kursk import board
from rulesets.battle_for_kursk.board import Dice, place, read

BOOK = RULESET
PAUSE, ENGAGE = {"posture": "pause"}, {"posture": "engage"}
ASK, DIE = {"uncovered": "ask"}, {"weather": "die"}
STAND = "policy: {stand-fast: always}"


@cache
def loaded(scene, options):
    return BOOK.data.load(scenario.load(scenario.find(f"battle-for-kursk/{scene}")), dict(options), REFEREE)


def setting(scene="campaign", **options):
    """A scenario where a referee rolls, under options."""
    return loaded(scene, tuple(sorted(options.items())))


def at(stage, text="", **agenda):
    """Return a position as ``place`` reads it, with a stage of a refereed game and the scheduled battles."""
    state = place(f"{text}; stage german-orders")
    writer = sequence.REFEREED[stage].writer
    return state.with_(stage=stage, side=sequence.REFEREED[stage].side or writer, agenda=agenda)


def message(state, text="", *, game=None, seq=11, dice=None, reveal=None):
    """Adjudicate one message; check the laws of every message, and that the same filing gives an equal result."""
    game, content = game or setting(), read(text)
    hidden = content.get("seal", {})
    writer = BOOK.writer(game, state)
    filing = Filing(
        seq + (writer == REFEREE and seq % 2),
        writer,
        reveal={posture.label(state.turn): reveal} if reveal else {},
        choice=content.get("choice", {}),
        waive=content.get("waive", ""),
        orders=content.get("orders", {}),
        policy=content.get("policy", {}),
        decisions=content.get("decisions", {}),
        secret=dict.fromkeys(hidden, "0" * 64),
        sealed=hidden,
    )
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
    """A game at the kernel from a position on. ``tell``: a player's message, ``roll``: the referee's next message.

    Referee messages without a roll change nothing; so every message of a player has an odd number."""

    def __init__(self, state, game=None, seq=11):
        self.state, self.game, self.seq, self.last = state, game or setting(), seq, None

    def tell(self, text="", reveal=None):
        """A message of the side that is due."""
        if self.seq % 2 == 0:
            assert BOOK.writer(self.game, self.state) != REFEREE, f"{self.state.stage} is the referee's"
            assert keep_position(self.state).after == self.state
            self.seq += 1
        self.last = message(self.state, text, game=self.game, seq=self.seq, reveal=reveal)
        assert self.last.legal, [str(violation) for violation in self.last.violations]
        return self._on()

    def roll(self, **faces):
        """Roll the referee's dice, with a face for each die."""
        assert BOOK.writer(self.game, self.state) == REFEREE, f"{self.state.stage} is nothing to roll"
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
    """Check for an exact number of violations, with one paragraph and words."""
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
