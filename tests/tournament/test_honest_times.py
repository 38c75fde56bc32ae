"""Honest events about time: the second list of test_lies_about_time.py. Nobody is accused or stopped."""

from __future__ import annotations

import shutil

from kursk_pbem.formats import times
from kursk_pbem.game import histories
from kursk_pbem.tournament.proof import verify
from tournament.dated import START, at_desks, day, grant, place_of, sign_next, write


def innocent(world, *words):
    """Check that verify accuses nobody; the notes with these words may be there, and no others about time."""
    proof = verify.verify_tournament(world.folder)
    assert (proof.status, proof.missing) == (0, ()), proof
    about = [note for note in proof.notes if "dated" in note or "nobody saw" in note or " late," in note]
    assert len(about) == len(words), about
    for word in words:
        assert any(word in note for note in about), about
    return proof


def test_honest_1_mail_once_a_week_makes_nobody_late(four):
    """The receipt has the time of the mail, and names the log of that time."""
    message = write(four, at_desks(four))
    four.later(7)
    grant(four)
    four.director.kursk("tournament", "inbox", message, "--received", day(3), "--in", four.folder)
    receipt = histories.load(place_of(four)).game.papers.receipts[4]
    assert receipt.text("received") == day(3)
    assert int(receipt.content["log"]["seq"]) < four.book().head.seq
    innocent(four)


def test_honest_2_wrong_clocks_accuse_nobody(four):
    who = four.entrants["anna"]
    four.time = times.add_days(START, -400)
    who.kursk("tournament", "absent", "2027-05-01", "2027-05-02", "--in", who.tournament)
    four.time = day(30)
    grant(four)
    four.time = day(1)
    four.collect()
    game = at_desks(four)
    for number in (2, 3):
        four.time = day(number)
        message = write(four, game)
        told = "receipt"
        four.director.kursk("tournament", "inbox", message, "--received", day(number), "--in", four.folder, told=told)
    assert "ahead of your clock" in four.director.kursk("tournament", "status", four.folder)
    four.pair()
    innocent(four, "by its writer's clock, before log/")


def test_honest_3_future_dates_of_a_player_stop_nobody(four):
    who = four.entrants["anna"]
    four.time = "2099-01-01T12:00:00Z"
    who.kursk("tournament", "absent", "2099-05-01", "2099-05-02", "--in", who.tournament)
    four.time = day(1)
    four.collect()
    grant(four)
    assert four.book().head.text("time") == day(1)
    innocent(four, "dated 2099-01-01T12:00:00Z by its writer's clock, after log/")


def test_honest_4_an_answer_to_a_message_that_never_was_stops_nobody(four):
    game = at_desks(four)
    write(four, game)
    answer = write(four, game)
    shutil.copyfile(answer, four.director.inbox / answer.name)
    four.inbox(status=1)
    four.later(8)
    four.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", four.folder)
    four.pair()
    innocent(four)


def test_honest_5_a_message_after_a_forfeit_is_a_note(four):
    four.later(8)
    message = write(four, at_desks(four))
    four.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", four.folder)
    four.pair()
    shutil.copyfile(message, place_of(four) / message.name)
    proof = innocent(four)
    assert any("1 later message left out" in note for note in proof.notes)


def test_honest_6_restored_backups_sign_the_same(four):
    """The director and a player lose a day; both go on from copies of their folders."""
    message = write(four, at_desks(four))
    anna, director = four.entrants["anna"], four.director
    for who in (anna, director):
        shutil.copytree(who.home, four.root / f"backup-{who.name}")
    shutil.copytree(four.folder, four.root / "backup")
    four.later(1)
    director.kursk("tournament", "inbox", message, "--received", day(1), "--in", four.folder)
    first = (place_of(four) / "receipt-0004.yaml").read_bytes()
    for who in (anna, director):
        shutil.rmtree(who.home)
        shutil.copytree(four.root / f"backup-{who.name}", who.home)
    shutil.rmtree(four.folder)
    shutil.copytree(four.root / "backup", four.folder)
    four.later(3)
    grant(four)
    director.kursk("tournament", "inbox", message, "--received", day(1), "--in", four.folder)
    assert (place_of(four) / "receipt-0004.yaml").read_bytes() == first
    four.inform()
    anna.kursk("tournament", "absent", "2027-05-01", "2027-05-02", "--in", anna.tournament)
    four.collect()
    innocent(four)


def test_honest_7_lost_mail_accuses_nobody(watched):
    """The witness's mail and the letters to Anna are lost; the others see closed in time."""
    watched.exchange()
    watched.pair()
    watched.post()
    watched.take(only=["boris", "carla", "dmitri"])
    watched.later(8)
    assert "the witness is silent" in watched.pair()
    watched.inform()
    watched.post()
    proof = sign_next(watched)
    assert proof.status == 0
    assert not [note for note in proof.notes if "nobody saw" in note or "dated" in note]
