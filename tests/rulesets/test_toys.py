"""Games of two systems from outside the program, from a proposal to a verified end.

Hex Toy and Plane Toy differ from the shipped systems. Failures here concern the program, not the rules of a game.
"""

import re
from dataclasses import replace

import pytest
from helpers import registry, signed_play, sweeps

from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenarios
from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import LOW
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.rulesets import ruleset
from rulesets import toys
from rulesets.typed import one_line

HEX, PLANE, RIDGE, *_MORE = toys.FOLDERS
each_toy = pytest.mark.parametrize("rid", [HEX, PLANE])
each_mode = pytest.mark.parametrize("refereed", [False, True], ids=["players", "referee"])
pytestmark = pytest.mark.usefixtures("plugged")


# In the kernel


@each_toy
@each_mode
def test_random_games_come_to_their_end(rid, refereed):
    kit = registry.kit(rid)
    setting = kit.setting(kit.scenarios[0], refereed=refereed)
    ends, events, dice, declared = set(), [], [], 0
    for seed in range(8):
        for before, result in toys.play(kit, setting, seed):
            events += result.events
            declared += len(result.after.agenda.get("assaults", ())) if "assaults" not in before.agenda else 0
            dice += [sum(map(len, result.dice.values()))] if result.dice else []
            after = result.after
        verdict = kit.ruleset.play.verdict(setting, after)
        ends.add(verdict.winner)
    assert len(ends) > 1
    assert sum(isinstance(event, kinds.Fought) for event in events) == declared
    tests = [event for event in events if isinstance(event, kinds.Tested)]
    assert {event.passed for event in tests} == {True, False}
    assert any(isinstance(event, kinds.Rolled) and event.good == LOW and event.whose for event in events)
    assert bool([event for event in events if isinstance(event, kinds.Fought) and event.dice]) == (rid == HEX)
    assert sum(dice) / len(dice) > (20 if rid == PLANE else 2)


@each_mode
@pytest.mark.parametrize("named", ["violet-dice", "amber-reply", "nowhere"])
def test_a_stage_that_the_table_does_not_allow_stops_the_program(named, refereed):
    """Bug: the toy skipped the stage of the referee's dice, so its assaults were lost."""
    kit = registry.kit(HEX)
    setting = kit.setting(kit.scenarios[0], refereed=refereed)
    ruleset = replace(kit.ruleset, play=replace(kit.ruleset.play, follow=lambda _umpire, _filing, _stage: named))
    state = ruleset.data.setup(setting)
    with pytest.raises(AssertionError, match=f"{named} does not follow {state.stage}; the table allows"):
        adjudicate(ruleset, setting, state, Filing(1, state.side), None)


@pytest.mark.slow
@pytest.mark.parametrize("rid", sweeps.some([PLANE, HEX], 2))
def test_signed_games_are_the_same_at_every_desk(rid, tmp_path):
    """The players roll; in every fifth game a referee rolls, and forwards offers."""
    kit = registry.kit(rid)
    for seed in (3, 4):
        played = signed_play.play_game(kit, tmp_path / str(seed), seed)
        assert played.end not in ("", "unfinished")
        assert played.refereed == (seed == 4)


def test_the_second_side_begins_because_the_scenario_says_so():
    hexes, plane = registry.kit(HEX), registry.kit(PLANE)
    assert hexes.proposer(hexes.scenarios[0]) == hexes.sides[0]
    assert plane.proposer(plane.scenarios[0]) == plane.sides[1]


# By the command line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rid", "refereed"), [(HEX, False), *map(sweeps.long, [(PLANE, True), (HEX, True), (PLANE, False)])]
)
def test_played_by_commands_from_the_proposal_to_the_end(rid, refereed, begun):
    players = begun(rid, refereed=refereed)
    looks, sent = [], 0
    while who := players.due:
        if sent in (0, 1, 2):
            looks.append(players.look(who))
        players.turn()
        sent += 1
    _asked(players)
    SHOWN[rid](looks, players)
    head = _ended(players)
    _told_to_all(players)
    folder = players.folder[players.who[0]]
    assert "the folder has another game" in players.type(players.who[0], "verify", folder, "--head", "0" * 32, status=3)
    for each in players.who:
        assert f"verified, {players.game().chain.next_seq} messages" in players.type(
            each, "verify", players.folder[each], "--head", head[:32]
        )


def _asked(players):
    """Return the agreement, with the sentence on a referee's dice for this game."""
    asked = [one_line(said) for _who, typed, said in players.told if typed.startswith("accept")]
    assert len(asked) == len(players.who) - 1
    title = players.kit.ruleset.title
    for each in asked:
        assert f"You are invited to play {title}" in each
        assert (players.kit.ruleset.seen.refereed in each) == players.refereed
        assert "attested" not in each
        assert "options: none" in each


def _ended(players):
    """Check the end of the game in status, report and verify; return the id of the last message."""
    game = players.game()
    assert game.verdict
    for who in players.who:
        assert game.verdict.text in players.type(who, "status", players.folder[who])
    whole = players.type(players.who[0], "report", players.folder[players.who[0]], "--all")
    assert whole.count("\nReport of message ") == game.chain.next_seq - 1
    assert f"THE GAME IS OVER. {game.verdict.text}" in one_line(whole)
    assert "expected" in whole
    last = players.folder[players.who[0]] / f"{game.chain.next_seq - 1:04d}.yaml"
    assert players.type(players.who[0], "report", last) in whole
    return game.chain.head_id


def _told_to_all(players):
    """Check for equal reports at every desk, without words from another game."""
    for path in sorted(players.folder[players.who[0]].glob("report-*.txt")):
        assert len({(players.folder[who] / path.name).read_bytes() for who in players.who}) == 1
    strange = "posture|offensive|mud|stand-fast|exchange|rail|armor|infantry|ezoc|zone|retreat|fortification|k-[0-9]+"
    strange += "|german|russian|mp"
    if players.kit.id == PLANE:
        strange += "|hex|hexes|column|city|marches|odds of the battles"
    for _who, typed, said in players.told:
        heard = one_line(said).replace("not in hex digits", "").lower()
        found = re.search(rf"(?<![\w-])({strange})(?![\w-])", heard)
        assert not found, f"{typed}: {found.group()}"


def _hex_shown(looks, players):
    first = looks[0]
    assert "v-3 in E9: A6 A7" in first["draft"]
    assert first["map"].startswith("+A1 .     +A2 .")
    assert "a-2 +2" in first["map"]
    assert "--around PLACE" in first["map"]
    assert max(map(len, first["map around"].splitlines())) <= 80
    assert "1 paces" in first["moves"]
    assert "D6 Old Ford      2  D4-D5-D6" in first["moves of one"]
    assert "> 2 paces" in first["moves of one"]
    assert "Old Ford: Nobody" in one_line(first["status"])
    told = "\n".join(said for _who, typed, said in players.told if typed.startswith(("inbox", "odds", "sign")))
    assert re.search(r"Nerve of [\w ]+ \([av]-\d\) \(a1/nerve-[av]-\d\): \d, goes\s+in at \d or less", told)
    assert re.search(r"Dice \(a1/assault\): \d and \d, counts as \d+", told)
    assert re.search(r"Modifiers of the dice:\n +-2 defence in forest \[4\.2\]", told)
    assert not re.search(r"^   +Nerve of", told, re.MULTILINE), "a test before a battle stands under the one before it"
    assert re.search(r"The stance: (bold|steady)", told)
    assert re.search(r"Assault a1 on \w+", told)
    assert "Shifts: none\n" in told  # an assault without modifiers
    if not players.refereed:
        assert re.search(r"Sealed: the stance of message \d+, to be shown", told)
        assert "Hidden, only its hash is sent:\n  The stance of message " in told


def _plane_shown(looks, players):
    first = looks[0]
    assert "n-1 at 16.25, 30.00: anywhere within 8.00 inches" in first["draft"]
    assert "seal: {plot/turn-1: []}" in first["draft"]
    assert "  6  s-3 at 38.00, 5.50  3 dice, 3 of 3" in first["map"]
    assert "s-3" not in first["map around"]
    assert "n-2 at 21.00, 31.50" in first["map around"]
    assert "n-1 at 16.25, 30.00: anywhere within 8.00 inches" in one_line(first["moves"])
    assert "South Squad (s-1) at 15.00, 9.00 n-1, 21.03 inches: 4 dice" in one_line(first["moves of one"])
    assert "North has: 3 models with 11 steps" in first["status"]
    mails = ("6 more mails", "4 more mails", "2 more mails")
    mails = mails if players.refereed else ("3 more mails", "2 more mails", "1 more mail")
    for count, look in zip(mails, looks, strict=True):
        assert f"will take {count}, including" in look["status"]
    told = one_line("\n".join(said for _who, typed, said in players.told if typed.startswith("inbox")))
    assert re.search(r"moves \d\.\d\d inches from", told)
    assert re.search(
        r"Fire at s-\d of North \w+ \(n-\d\) \(n-\d/fire\): (\d, )*\d and \d, hits at \d or more: \d hits?", told
    )
    assert re.search(r"Save of \w+ \w+ \([ns]-\d\) \([ns]-\d/save\): \d+, saved at \d or less", told)
    odds = one_line("\n".join(said for _who, typed, said in players.told if typed.startswith("odds")))
    assert "Declared, turn 1, the draft of message 1" in odds
    assert "South stands still, for it has no orders yet" in odds
    assert "North stands still, for its orders are not known here" in odds
    assert "Opened: the plot of turn 1" in told


SHOWN = {HEX: _hex_shown, PLANE: _plane_shown}


def test_the_orders_of_a_table_top_are_shown_before_a_referee_rolls(begun):
    """The revealing message has no dice and no choices; the referee's message has the dice."""
    players = begun(PLANE, refereed=True)
    for _message in range(2):
        players.turn()
    assert players.due == "north"
    assert "YOUR DICE" not in players.told[-1][2]
    letter = players.folder["north"] / "0005.yaml"
    shown = players.draft("north").read_text(encoding="ascii")
    assert "The message needs no choices" in one_line(shown)
    assert "Fill in your orders" not in shown
    players.type("north", "inbox", "--report", players.folder["north"] / "0004.yaml", "--sign")
    assert "dice" not in letter.read_text(encoding="ascii")
    players.mail("north", 5)
    rolled = (players.folder["referee"] / "0006.yaml").read_text(encoding="ascii")
    assert "n-1/fire" in rolled
    assert "s-1/fire" in rolled


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rid", "refereed"), [(PLANE, False), *map(sweeps.long, [(HEX, True), (HEX, False), (PLANE, True)])]
)
def test_resigned_by_command(rid, refereed, begun):
    players = begun(rid, refereed=refereed)
    for _message in range(3):
        players.turn()
    who, seq = players.due, players.game().chain.next_seq
    players.type(who, "resign", players.folder[who], "--yes")
    players.mail(who, seq)
    winner = players.kit.ruleset.other(who)
    text = f"{winner.capitalize()} victory: the {who.capitalize()} side resigned"
    assert text in players.type(winner, "status", players.folder[winner])
    assert text in players.type(winner, "verify", *players.folder.values())


@pytest.mark.some(2)
@pytest.mark.slow
@each_toy
def test_an_offer_is_declined_and_the_game_goes_on(rid, begun):
    players = begun(rid)
    for _message in range(3):
        players.turn()
    for command, words in ((["offer", "draw"], "offers a draw"), (["reply", "decline"], "declines the offer")):
        who, seq = players.due, players.game().chain.next_seq
        players.type(who, command[0], players.folder[who], command[1], "--yes")
        players.mail(who, seq)
        assert words in one_line(players.told[-1][2])
    assert "to reply to the offer" not in players.type(who, "status", players.folder[who])
    players.turn()
    assert not players.game().over


@pytest.mark.slow
def test_a_game_goes_on_as_another_one_from_where_its_rules_allow_it(begun):
    players = begun(HEX)
    for _message in range(3):
        players.turn()
    setting = players.game().setting
    while players.kit.ruleset.data.resume(setting, players.game().state) != players.game().state:
        players.turn()
    who, seq = players.due, players.game().chain.next_seq
    other, new = players.kit.ruleset.other(who), players.root / "new"
    players.type(other, "offer", players.folder[other], "successor", "--dir", new)
    (proposal,) = new.glob("game-*/0000.yaml")
    players.type(who, "offer", players.folder[who], "successor", proposal, "--yes")
    players.mail(who, seq)
    players.type(other, "reply", players.folder[other], "accept", proposal, "--yes")
    players.mail(other, seq + 1)
    players.type(who, "accept", proposal, "--dir", players.root / who / "again")
    (draft,) = (players.root / who / "again").glob("game-*/0001.draft.yaml")
    assert "stance/1" in draft.read_text(encoding="ascii")
    said = players.type(who, "verify", players.folder[who], draft.parent)
    assert f"agreed to in {players.folder[who].name}, from its position after message {seq - 1}" in said


def test_without_their_tests_the_toys_are_not_there(monkeypatch):
    """Checks of the shipped systems do not find the toys."""
    assert not {*registry.TOYS} & {*registry.KITS}
    assert {kit.id for kit in registry.kits()} == {*registry.KITS}
    monkeypatch.undo()
    for rid in toys.FOLDERS:
        with pytest.raises(UsageError, match="no ruleset"):
            ruleset(rid)


def test_modes_are_of_the_setting():
    """The setting knows the roller of the dice; the tables of both modes contain the same game."""
    for rid in toys.FOLDERS:
        kit = registry.kit(rid)
        scenario = scenarios.load(kit.scenarios[0])
        for dice in (PLAYERS, REFEREE):
            setting = kit.ruleset.data.load(scenario, {}, dice)
            assert setting.refereed == (dice == REFEREE)
            rolling = {stage.writer for stage in kit.ruleset.play.stages(setting).values() if stage.rolls}
            assert (rolling == {REFEREE}) == setting.refereed
