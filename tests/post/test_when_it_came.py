"""When turns came is kept of those that are in a game or wait for it, and of nothing else (T49)."""

import os
import time
from datetime import timedelta

import pytest
from helpers import postal
from helpers.mailbags import WAYS, box, letter, long_game, states, taken, turn
from helpers.postmen import BEGIN, Line, text
from helpers.refereed_mail import DAY, HOUR, ahead_of_referee, held_back, hours, played_on

from kursk_pbem.desk import clock
from kursk_pbem.formats.canonical import canon
from kursk_pbem.post import errand, place, spool, waiting
from kursk_pbem.post.outcome import REFUSED, TAKEN, WAITS
from kursk_pbem.post.referee import deadlines, timing
from kursk_pbem.trust import keys, messages, sshsig


def noted(friend):
    return sorted(path.stem for path in (place.root(friend.home) / "came").rglob("*.json"))


def looked_on(friends, anna, game):
    (ref,) = friends("ref")
    ref.folder(game).mkdir()
    (ref.folder(game) / "0000.yaml").write_bytes(turn(anna, game, 0))
    return ref


def signed_anew(friend, game, seq, **changed):
    content = {**messages.read(turn(friend, game, seq), "").content, **changed}
    armour = keys.load(friend.key).sign(sshsig.NAMESPACE, canon(content))
    return letter(messages.mailed(content, armour, None).encode("ascii"))


def test_T49_turns_that_are_refused_leave_nothing_behind(friends, tmp_path):
    """A player signs as many as they like; each was noted for ever."""
    anna, boris = friends("anna", "boris")
    game = long_game(anna, boris, 4)
    ref = looked_on(friends, anna, game)
    mails = [signed_anew(boris, game, 1, prev=f"{number:064x}") for number in range(3)]
    mails += [letter(turn(boris, game, 3)), letter(turn(boris, game, 1))]
    day = taken(ref, box(tmp_path, mails))
    assert sorted(states(day)) == [(1, REFUSED)] * 3 + [(1, TAKEN), (3, WAITS)]
    assert [name[:4] for name in noted(ref)] == ["0001", "0003"]


def test_T49_turns_for_which_there_is_no_room_leave_nothing_behind(friends, tmp_path, monkeypatch):
    monkeypatch.setattr(waiting, "MOST", 1)
    anna, boris = friends("anna", "boris")
    game = long_game(anna, boris)
    ref = looked_on(friends, anna, game)
    assert states(taken(ref, box(tmp_path, [letter(turn(boris, game, seq)) for seq in (3, 5)]))) == [
        (3, WAITS),
        (5, REFUSED),
    ]
    assert [name[:4] for name in noted(ref)] == ["0003"]


def test_a_copy_with_a_false_signature_takes_nothing_from_a_turn_that_waits(friends, tmp_path, monkeypatch):
    """The genuine one was put away and written anew: a program that died in between had lost it."""
    anna, boris = friends("anna", "boris")
    game = long_game(anna, boris, 4)
    ref = looked_on(friends, anna, game)
    genuine = messages.read(turn(boris, game, 3), "")
    assert states(taken(ref, box(tmp_path, [letter(turn(boris, game, 3))]))) == [(3, WAITS)]
    before = noted(ref)
    forged = messages.mailed(genuine.content, messages.read(turn(boris, game, 1), "").armour, genuine.state)
    dropped = []
    drop = waiting.drop
    monkeypatch.setattr(waiting, "drop", lambda *of: dropped.append(1) or drop(*of))
    path = tmp_path / "forged.eml"
    path.write_bytes(letter(forged.encode("ascii")))
    assert states(taken(ref, path)) == [(3, REFUSED)]
    assert noted(ref) == before
    assert not dropped


def test_T49_proposals_that_made_room_leave_nothing_behind(friends, tmp_path, monkeypatch):
    monkeypatch.setattr(waiting, "MOST_GAMES", 2)
    anna, boris, stranger = friends("anna", "boris", "stranger")
    postal.began(anna, boris)  # so a key of his is known at his desk
    mails = [letter(postal.proposed(stranger, boris)[0], how=how) for how in WAYS[:3]]
    for raw in mails:
        taken(boris, box(tmp_path, [raw]))
        for old in waiting.folder(boris.home).glob("*/0000-*"):
            os.utime(old, (0, 0))
    games = waiting.games(boris.home)
    assert len(noted(boris)) == len(games) == 2


def test_T51_of_copies_in_one_round_the_first_counts(world):
    """The opponent, who has the message, mails it again and again when its term is over."""
    played_on(world)
    world.boris.sign(world.game)
    came_first, raw = text(world.time.now), letter(turn(world.boris, world.game, 3), world.boris.address)
    for number in range(8):
        world.office.put(f"X-Copy: {number}\r\n".encode() + raw, world.ref.address)
        world.time.passes(3600)
    world.director.post()
    assert f"received: '{came_first}'" in (world.folder / "receipt-0003.yaml").read_text(encoding="ascii")


@pytest.mark.parametrize("known", [0, 1])
def test_T51_of_copies_that_are_fetched_in_doubt_one_that_says_when_it_came_is_the_first(friends, known):
    """Somebody's copy, with a line that cannot be read, made a turn late that was in time."""
    (anna,) = friends("anna")
    for number in range(2):
        arrived = "2026-07-01T00:00:00Z" if number == known else ""
        raw = b"Subject: %d\r\n\r\nkursk-pbem: '1'\r\n" % number
        spool.put(anna.home, raw, folder="INBOX", uid=str(number), fetched=timing.UNSURE, arrived=arrived)
    assert [mail.times.get("arrived", "") for mail in spool.Spool(anna.home).mails()] == ["2026-07-01T00:00:00Z", ""]


@pytest.mark.parametrize("copy", [None, "", "2099-01-01T00:00:00Z", "2026-09-15T00:00:00Z"])
def test_T51_so_it_is_of_copies_of_a_message_that_are_fetched_in_two_rounds(automatic, copy):
    """A message that had come in time had come nine days later, when the clock was believed again."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    hours(world, 24, step=6)
    arrived, raw = world.time.now + timedelta(seconds=60), turn(world.boris, world.game, 3)
    world.time.now -= timedelta(days=1)
    world.director.sits()
    copies = [(world.anna.address, copy), (world.boris.address, text(arrived))]
    for number, (address, said) in enumerate(copies if copy is not None else copies[1:]):
        spool.put(
            world.ref.home, letter(raw, address), folder="x", uid=str(number), fetched=timing.UNSURE, arrived=said
        )
        world.director.post()
    world.time.now = arrived + timedelta(days=9)
    (place.root(world.ref.home) / "clock.json").unlink()
    world.director.sits()
    hours(world, 1)
    assert f"received: '{text(arrived)}'" in (world.folder / "receipt-0003.yaml").read_text(encoding="ascii")


@pytest.mark.parametrize("said", ["2099-01-01T00:00:00Z", "2026-09-10T00:00:00Z"])
def test_T51_a_copy_that_says_a_later_time_makes_no_message_late_that_came_in_time(automatic, said):
    """The opponent's, which was fetched in a round before: the line of a border server may go on in it."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    arrived, raw = world.time.now + timedelta(seconds=60), turn(world.boris, world.game, 3)
    world.time.passes(10 * 24 * 3600)
    for number, (address, when) in enumerate([(world.anna.address, said), (world.boris.address, text(arrived))]):
        spool.put(
            world.ref.home,
            letter(raw, address),
            folder="x",
            uid=str(number),
            fetched=text(world.time.now),
            arrived=when,
        )
        world.director.post()
        assert (world.folder / "receipt-0003.yaml").exists() == bool(number)
    assert f"received: '{text(arrived)}'" in (world.folder / "receipt-0003.yaml").read_text(encoding="ascii")


def test_T52_a_clock_that_is_set_while_the_program_runs_is_not_believed(automatic, monkeypatch):
    chair = automatic.director.errand.chair
    ticks = (automatic.time.now - BEGIN).total_seconds()
    automatic.time.passes(9 * 24 * 3600)
    monkeypatch.setattr(clock, "elapsed", lambda: ticks + 60)
    assert "was set" in chair.watch.doubt()


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="a clock of Linux")
def test_T52_a_clock_that_was_right_while_its_machine_slept_is_believed(monkeypatch, tmp_path):
    """A mailbox on a machine that had slept for five minutes signed nothing any more, and did not say so."""
    at = {"now": 0}
    monkeypatch.setattr(clock, "now", lambda: text(BEGIN + timedelta(seconds=at["now"])))
    monkeypatch.setattr(time, "monotonic", lambda: 0)
    monkeypatch.setattr(time, "clock_gettime", lambda which: at["now"] if which == time.CLOCK_BOOTTIME else 0)
    watch = timing.Watch(tmp_path)
    at["now"] = 3600
    assert watch.doubt() == ""


def test_T52_a_clock_that_jumps_by_less_than_a_day_between_two_rounds_ends_no_game(automatic, monkeypatch):
    """Each round was a program of its own ('kursk referee run --once'), and only more than a day was looked at."""
    world = automatic
    played_on(world)
    hours(world, 7 * 24 + 4, step=4)
    world.time.passes(23 * 3600)
    monkeypatch.setattr(clock, "elapsed", lambda: world.time.ticks() - 23 * 3600)
    for _round in range(22):
        world.director.sits()
        hours(world, 1)
    assert held_back(world)
    assert "it was set" in str(world.director.errand.chair.pending())
    hours(world, 4)
    assert not held_back(world)


@pytest.mark.parametrize("arrives", [True, False])
def test_T52_what_is_fetched_while_the_clock_is_set_back_came_when_its_server_or_the_right_clock_says(
    automatic, monkeypatch, arrives
):
    """The wrong time of the fetch was noted, and signed once the clock was right: four days too early."""
    world = automatic
    played_on(world)
    hours(world, 5 * 24, step=6)
    right = world.time.now
    world.boris.sign(world.game)
    world.time.now -= 4 * DAY
    world.director.sits()
    raw = letter(turn(world.boris, world.game, 3), world.boris.address)
    monkeypatch.setattr(world.office, "take", lambda _reader: [(right, raw)])
    if not arrives:
        put = spool.put
        monkeypatch.setattr(spool, "put", lambda home, raw, **said: put(home, raw, **{**said, "arrived": ""}))
    world.director.post()
    assert (world.ref.desk(world.game).seq == 4) is arrives
    world.time.now = right + HOUR
    world.director.sits()
    world.director.post()
    came = right if arrives else right + HOUR
    assert f"received: '{text(came)}'" in (world.folder / "receipt-0003.yaml").read_text(encoding="ascii")


def test_T52_of_what_is_fetched_while_the_clock_is_in_doubt_the_time_is_not_noted(posted):
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    made = errand.begin(anna.home, lambda _question: "")
    made.intake.doubt = lambda: "the clock was set"
    with made.mailbox() as client:
        made.fetch(client)
    (mail,) = spool.Spool(anna.home).mails()
    assert mail.times["fetched"] == timing.UNSURE


def test_T52_a_clock_that_is_set_back_between_two_looks_is_in_doubt(automatic, monkeypatch):
    """It said more than at the last look; a turn's receipt said twenty minutes too early."""
    world = automatic
    world.director.post()
    ticks = world.time.ticks() + 3 * 3600
    world.time.passes(3 * 3600 - 20 * 60)
    monkeypatch.setattr(clock, "elapsed", lambda: ticks)
    assert "and 10800 have" in world.director.sits().chair.watch.doubt()


def test_T52_a_damaged_mail_that_is_read_while_the_clock_is_set_back_came_after_the_receipt(automatic):
    world = automatic
    played_on(world)
    hours(world, 6 * 24, step=6)
    right = world.time.now
    world.time.now -= 10 * DAY
    world.director.sits()
    deadlines.note_damage(world.ref.home, world.game, 0)
    world.time.now = right + HOUR
    world.director.sits()
    hours(world, 6 * 24, step=6)
    assert held_back(world)


def test_T52_no_reminder_goes_out_while_the_clock_is_set_back(automatic, monkeypatch):
    """It counted as one of nine days ago: the game ended an hour later."""
    world = automatic
    played_on(world)
    hours(world, 2 * 24, step=6)
    monkeypatch.setattr(Line, "ready", lambda _self: False)
    hours(world, 6 * 24, step=6)
    right = world.time.now
    world.time.now -= 9 * DAY
    world.director.sits()
    monkeypatch.setattr(Line, "ready", lambda _self: True)
    world.director.post()
    world.time.now = right + HOUR
    world.director.sits()
    hours(world, 12)
    assert held_back(world)
    hours(world, 24)
    assert not held_back(world)


@pytest.fixture
def unsaid(monkeypatch):
    """No server says when a mail arrived."""
    put = spool.put
    monkeypatch.setattr(spool, "put", lambda home, raw, **said: put(home, raw, **{**said, "arrived": ""}))


def ahead_once(world):
    """A round by a clock ten years ahead; then it is right again, and the director says so."""
    right = world.time.now
    world.time.now += 3650 * DAY
    world.director.sits()
    world.director.post()
    world.time.now = right + HOUR
    (place.root(world.ref.home) / "clock.json").unlink()
    world.director.sits()


def test_T52_what_is_fetched_while_the_clock_is_ahead_came_when_it_is_right(automatic, unsaid):
    """It was late for ever, or its receipt was of that year, and nothing after it could have one."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    ahead_once(world)
    came = text(world.time.now)
    world.director.post()
    assert f"received: '{came}'" in (world.folder / "receipt-0003.yaml").read_text(encoding="ascii")


def test_T52_what_is_fetched_in_doubt_came_when_the_clock_is_believed_again(automatic, unsaid):
    """An answer that waited for its turn came when that did: the turn, which it proves, was late."""
    world = automatic
    played_on(world)
    ahead_of_referee(world)
    right = world.time.now
    world.time.now -= DAY
    world.director.sits()
    world.office.boxes[world.ref.address] = []
    mail = letter(turn(world.anna, world.game, 4), world.anna.address)
    world.office.put(mail, world.ref.address)
    world.director.post()
    world.time.now = right + HOUR
    world.director.sits()
    world.director.post()
    came = text(world.time.now)
    world.time.now += 9 * DAY
    world.director.sits()
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.post()
    assert f"received: '{came}'" in (world.folder / "receipt-0003.yaml").read_text(encoding="ascii")


def test_T52_a_round_by_a_clock_ahead_keeps_no_game_from_ending(automatic):
    """A damaged mail of that round counted for ten years; what was sent by then was forgotten, or was still to come."""
    world = automatic
    played_on(world)
    hours(world, 7 * 24 + 6, step=6)
    right = world.time.now
    world.time.now += 3650 * DAY
    deadlines.note_damage(world.ref.home, world.game, 0)
    world.time.now = right
    ahead_once(world)
    world.director.post()
    (damage,) = (place.root(world.ref.home) / "referee" / "damaged").iterdir()
    assert place.load(damage)["at"] == text(world.time.now)
    damage.unlink()
    hours(world, 30, step=3)
    assert not held_back(world)


def test_T52_while_the_clock_is_in_doubt_the_list_calls_no_message_late(automatic, unsaid):
    world = automatic
    played_on(world)
    world.time.now -= DAY
    world.director.sits()
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.post()
    chair = world.director.errand.chair
    told = str(chair.pending(chair.watch.doubt()))
    assert "message 3 waits: when it came is not known before the clock is believed" in told
    assert "no letter in words goes out" in told
    assert "came late" not in told
