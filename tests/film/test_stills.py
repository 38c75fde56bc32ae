"""What the stills of a film say, before they are drawn: every battle once, and no result before its dice."""

import re
from collections import Counter

import pytest
from helpers import finished_games

from kursk_pbem.film import stills
from kursk_pbem.game import histories, reports
from kursk_pbem.game.histories import History
from kursk_pbem.kernel import events as facts
from kursk_pbem.kernel.events import Fought, Rolled, apply
from kursk_pbem.report.pictures import svg

GAMES = finished_games.ROOT
FIGURES = re.compile(r"([^:]+) : ([^,]+), (?:odds )?([^;]+)(?:; (?:(?:die|dice) ([\d, ]+): )?([^,]+), .*)?")


def load(name, end=None):
    """Return the history of a finished game up to a message."""
    return histories.load(GAMES / name, end=end)


def list_fought(step):
    """Return the battles of a message with a result: strengths, odds, dice, result."""
    events = step.result.events if step.result else ()
    return [
        (event.attack.total, event.defence.total, event.column, event.dice, event.result)
        for event in events
        if isinstance(event, Fought) and event.result and event.column
    ]


def list_test_dice(step):
    """Return the dice of all tests of a message, such as to hit and to save, in order."""
    events = step.result.events if step.result else ()
    return "".join(event.dice for event in events if isinstance(event, facts.Tested))


def read_figures(still):
    """Return the strengths, odds, dice and result below a still of a battle; None below another still."""
    found = FIGURES.fullmatch(still.figures)
    if found is None:
        return None
    strengths = [side.partition(" ")[2] for side in found.group(1, 2)]
    return (*strengths, found[3], (found[4] or "").replace(", ", ""), found[5] or "")


def list_positions(steps, film):
    """Return the counters of each position between two events, with the number of dice thrown before."""
    game, thrown, shown = steps[0].before, 0, {}
    state = game.state

    def keep():
        picture = svg.to_scale(game.ruleset.seen.picture(game.setting, state))
        hexes = {region.id for region in picture.regions}
        drawn = frozenset(piece for piece in picture.pieces if piece.at in hexes or film.ground.form == "plane")
        shown.setdefault(drawn, thrown)

    keep()
    for step in steps:
        for event in step.result.events if step.result else ():
            state, thrown = apply(state, event), thrown + isinstance(event, Rolled)
            keep()
    return shown


def check_turn(history, seq):
    """Check the film of the turn that message ``seq`` ends; return the number of battles."""
    until = History(history.steps[: seq + 1])
    start = stills.find_turn(until)
    film, steps = stills.make_film(until), until.steps[start:]
    fought = Counter(battle for step in steps for battle in list_fought(step))
    told = Counter(battle for still in film.stills if (battle := read_figures(still)) and battle[4])
    assert told == fought, (seq, told, fought)
    fired = [still for still in film.stills if " fires at " in still.title and not still.waits]
    dice = "".join("".join(re.findall(r"\d", still.figures.partition(": ")[0])) for still in fired)
    assert dice == "".join(map(list_test_dice, steps)) or film.ground.form != "plane", seq
    report = "\n".join(map(reports.report_step, steps))
    for attack, defence, odds, die, result in told:
        assert odds in report or ":" not in odds, odds
        assert re.search(rf"{re.escape(result)}\b", report) or not die, result  # no die falls without a defence
        assert all(digit in report for digit in die), die
        assert attack in report, attack
        assert defence in report, defence
    positions, fallen = list_positions(steps, film), 0
    for before, still in zip(film.stills, film.stills[1:], strict=False):
        if still.waits:
            assert still.frame.pieces == before.frame.pieces, still.title
            assert {arrow.kind for arrow in still.frame.arrows} <= {"attack"}, still.title
            assert not any(burst.dice for burst in still.frame.bursts), still.title
            assert not re.search(r"\bd(ie|ice)\b", still.text), still.text
        fallen += len(still.frame.dice) if still is not film.stills[-1] else 0
        assert positions[frozenset(still.frame.pieces)] <= fallen or still is film.stills[-1], (seq, still.title)
    return sum(fought.values()) + len(fired)


def check_reader(history, seq):
    """Check that the picture for each reader with unseen dice shows the position before them."""
    until = History(history.steps[: seq + 1])
    for side in until.game.ruleset.sides:
        film = stills.make_film(until, reader=side)
        since = until.steps[stills.find_turn(until, side) + 1 :]
        thrown = next((at for at, step in enumerate(since) if step.result and step.result.dice), None)
        shown = film.stills[-1]
        assert (thrown is None) == (shown.lines[-1:] != (stills.UNSEEN,)), (seq, side)
        if thrown is None:
            continue
        positions = list_positions(since[thrown : thrown + 1], film)
        assert positions[frozenset(shown.frame.pieces)] == 0, (seq, side)
        new = [still for still in film.stills if still.frame.message > since[thrown].message.seq - 1]
        assert not any(still.frame.dice or still.waits for still in new), (seq, side)


@pytest.mark.parametrize("seq", [4, 24])
def test_T57_a_picture_in_a_mail_ends_before_dice_that_its_reader_has_not_seen(seq):
    check_reader(load("battle-for-kursk/german-operational", seq), seq)


def test_a_turn_tells_each_battle_once_and_no_result_before_the_dice():
    assert check_turn(load("battle-for-kursk/german-operational", 24), 24) == 3


@pytest.mark.long("test-all")
@pytest.mark.parametrize(
    "folder", finished_games.list_folders(), ids=lambda folder: f"{folder.parent.name}-{folder.name}"
)
def test_every_turn_of_every_game_tells_each_battle_once(folder):
    history = histories.load(folder)
    for step in history.steps:
        check_turn(history, step.message.seq)
        check_reader(history, step.message.seq)
    whole = stills.make_film(history, 0)
    assert len(whole.stills) <= stills.MOST
