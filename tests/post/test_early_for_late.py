"""What a player mails so that a message that comes late seems to have come in time, or the other's not at all."""

import random
import shutil
from datetime import timedelta

import pytest
from helpers import postal, sweeps
from helpers.mailbags import letter, turn
from helpers.postmen import text
from helpers.refereed_mail import DAY, HOUR, ahead_of_referee, comes, held_back, hours, played_on

from kursk_pbem.desk.referee import grants
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.errors import DiskError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import entropy
from kursk_pbem.post import place, waiting
from kursk_pbem.trust import keys, messages, sshsig


def mailed(world, raw):
    world.office.put(letter(raw, world.boris.address), world.ref.address)
    return world.director.post()


def signed(friend, content):
    armour = keys.load(friend.key).sign(sshsig.NAMESPACE, canon(content))
    return messages.mailed(content, armour, None).encode("ascii")


def late(world, seq):
    """The message is mailed long after its term; whether it waits for the director."""
    world.time.passes((9 * DAY + HOUR).total_seconds())
    day = mailed(world, turn(world.boris, world.game, seq))
    (outcome,) = (outcome for outcome in day.games[0].outcomes if outcome.piece.turn.seq == seq)
    return outcome.state == "waits" and "it is late" in outcome.told[0]


def test_T51_a_message_came_when_it_came_signed(world):
    """Many orders could be mailed in time with signatures that do not hold, and one of them signed at leisure."""
    world.boris.sign(world.game)
    message = messages.read(turn(world.boris, world.game, 1), "0001.yaml")
    other = keys.load(world.anna.key).sign(sshsig.NAMESPACE, message.signed)
    mailed(world, messages.mailed(message.content, other, message.state).encode("ascii"))
    assert late(world, 1)


@pytest.mark.parametrize("first", [0, 60])
def test_T51_what_was_written_upon_a_message_shows_when_that_came_in_the_same_round(world, first):
    """Its own copy was late: the director was told so, and that 'kursk forfeit' ends the game."""
    played_on(world)
    at = world.time.now + DAY
    ahead_of_referee(world)
    late = letter(turn(world.boris, world.game, 3), "boris@example.test")
    world.office.put(late, world.ref.address, at + 9 * DAY - timedelta(seconds=first))
    world.time.now = at + 9 * DAY - timedelta(seconds=30)
    world.director.post()
    world.office.put(letter(turn(world.anna, world.game, 4), "anna@example.test"), world.ref.address, at)
    world.time.passes(60)
    outcomes = world.director.post().games[0].outcomes
    assert [(outcome.piece.turn.seq, outcome.state) for outcome in outcomes] == [(3, "taken"), (4, "taken")]
    assert world.ref.desk(world.game).game.papers.receipts[3].text("received") == text(at)


def test_T51_what_was_fetched_ahead_of_others_came_when_they_had_come(world):
    """It had come before the last receipt: no receipt was signed any more, and no term ran."""
    played_on(world)
    sides = (world.boris, world.anna)
    for seq in range(3, 7):
        who, other = sides[(seq + 1) % 2], sides[seq % 2]
        who.sign(world.game)
        postal.carried(world.game, seq, who, other)
    for seq, passed in ((5, HOUR), (6, 2 * HOUR), (3, DAY), (4, DAY)):
        world.time.passes(passed.total_seconds())
        mailed(world, turn(sides[(seq + 1) % 2], world.game, seq))
    assert [f"receipt-{seq:04d}.yaml" in world.papers() for seq in range(3, 7)] == [True] * 4


@pytest.mark.parametrize("ahead", sweeps.some([1, 2, 3], 3))
def test_T51_what_was_not_written_upon_a_message_says_nothing_of_when_it_came(world, ahead):
    """A message that waits for others is only known to be signed: its writer may have made it up."""
    played_on(world)
    world.boris.sign(world.game)
    message = messages.read(turn(world.boris, world.game, 3), "0003.yaml")
    for prev in (message.content["prev"], message.id):
        mailed(world, signed(world.boris, {**message.content, "prev": prev, "seq": str(3 + ahead)}))
    assert late(world, 3)


@pytest.mark.parametrize("early", [False, True])
def test_T48_a_copy_with_another_position_below_it_takes_no_place_of_a_turn(world, early):
    """The opponent has it: their copy came first, and the genuine one was left as its double."""
    if early:
        world.boris.sign(world.game)
        postal.carried(world.game, 1, world.boris, world.anna)
        who, seq = world.anna, 2
    else:
        played_on(world)
        who, seq = world.boris, 3
    who.sign(world.game)
    raw = turn(who, world.game, seq)
    false = turn(world.boris, world.game, 1).partition(b"\nstate:")[2]
    copy = raw.partition(b"\nstate:")[0] + b"\nstate:" + false
    for number, each in enumerate((copy, raw)):
        world.office.put(letter(each, f"s{number}@example.test"), world.ref.address)
        world.time.passes(1)
    world.director.post()
    if early:
        mailed(world, turn(world.boris, world.game, 1))
    assert world.ref.desk(world.game).seq == seq + 1


@pytest.fixture
def doubled(automatic, tmp_path):
    """Anna has mailed the referee another message 2 than Boris, who has answered his: that one."""
    world, before = automatic, tmp_path / "before"
    comes(world, world.boris, 1)
    postal.carried(world.game, 1, world.boris, world.anna)
    shutil.copytree(world.anna.place, before)
    world.anna.sign(world.game, random.Random(1))
    postal.carried(world.game, 2, world.anna, world.boris)
    first = turn(world.anna, world.game, 2)
    shutil.rmtree(world.anna.place)
    before.rename(world.anna.place)
    with entropy.fixed("other"):
        comes(world, world.anna, 2)
    comes(world, world.boris, 3)
    return world, first


@pytest.mark.parametrize("shown", [False, True])
def test_T9_two_messages_of_one_number_end_no_game_by_themselves(doubled, shown, capsys):
    """Boris's answer was refused as one to another message, and his game was over a week later; or by hand, untold."""
    world, first = doubled
    if shown:
        mailed(world, first)
    hours(world, 9 * 24, step=6)
    assert held_back(world)
    pending = "\n".join(world.director.errand.chair.pending())
    why = "somebody has signed two things" if shown else "damaged or refused"
    assert why in pending
    world.ref.kursk("forfeit", world.folder, status=2)
    assert why in capsys.readouterr().err


def test_T9_a_second_message_for_a_number_is_evidence_however_late_it_comes(world):
    """It waited, in no list, and the director was told that 'kursk forfeit' ends the game: for the other side."""
    played_on(world)
    second = signed(world.anna, {**messages.read(turn(world.anna, world.game, 2), "").content, "note": "other"})
    world.time.passes((9 * DAY).total_seconds())
    mailed(world, second)
    assert not waiting.any_there(world.ref.home, world.game, lambda *_of: True)
    assert "somebody has signed two things" in str(world.director.errand.chair.pending())


def test_T9_that_a_message_was_refused_is_put_down_before_its_mail_goes(doubled, monkeypatch):
    world, _first = doubled
    spooled = place.root(world.ref.home) / "in" / "spool"
    assert not any(spooled.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(world.director.errand.intake, "refused", full)
        mailed(world, turn(world.boris, world.game, 3) + b"\n")
    assert any(spooled.iterdir())
    world.director.post()
    assert not any(spooled.iterdir())


def full(*_given):
    raise DiskError("no room")


def test_a_game_whose_folder_was_set_back_ends_not_untold(automatic, capsys):
    """To a copy that is older than the message: it was over by itself, and without one more reminder."""
    played_on(automatic)
    comes(automatic, automatic.boris, 3)
    for name in ("0003.yaml", "receipt-0003.yaml"):
        (automatic.folder / name).unlink()
    automatic.time.passes((9 * DAY).total_seconds())
    automatic.ref.kursk("forfeit", automatic.folder, status=2)
    assert "a message 3 has come before" in capsys.readouterr().err


def test_X2_time_that_was_mailed_and_is_gone_from_the_folder_counts(automatic, capsys):
    """A forfeit was signed that every player's desk refused, and that convicts the referee."""
    played_on(automatic)
    given = grants.extend(automatic.folder, automatic.ref.key, Grant(days=9)).path
    automatic.director.post()
    given.unlink()
    automatic.director.sits()
    hours(automatic, 9 * 24, step=6)
    assert held_back(automatic)
    automatic.ref.kursk("forfeit", automatic.folder, status=2)
    assert "an extension about message 2 was mailed" in capsys.readouterr().err


@pytest.mark.parametrize("twice", [True, False])
def test_T51_an_answer_to_one_version_of_a_message_says_nothing_of_when_another_came(world, twice):
    """Who had shown one to the opponent alone signed another weeks later: it seemed to have come with the answer."""
    played_on(world)
    world.boris.sign(world.game)
    postal.carried(world.game, 3, world.boris, world.anna)
    world.anna.sign(world.game)
    answer = messages.read(turn(world.anna, world.game, 4), "")
    first = messages.read(turn(world.boris, world.game, 3), "")
    world.office.put(letter(turn(world.anna, world.game, 4), world.anna.address), world.ref.address)
    world.director.post()
    assert answer.content["prev"] == first.id
    world.time.passes((9 * DAY + HOUR).total_seconds())
    day = mailed(
        world, signed(world.boris, {**first.content, "note": "on second thoughts"} if twice else first.content)
    )
    assert ("waits" in {of.state for of in day.games[0].outcomes}) == twice
    assert ("receipt-0003.yaml" in world.papers()) == (not twice)
