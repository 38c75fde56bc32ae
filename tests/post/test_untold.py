"""What came and was told to nobody, because the program died before it said so, is told by the next round (T48)."""

import json
import os
import re
import sys

import pytest
from helpers.mailbags import letter, turn
from helpers.postmen import Line, fork
from helpers.refereed_mail import comes, damages, hours, played_on
from helpers.returned import report

from kursk_pbem.cli import run
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import DiskError
from kursk_pbem.post import clerk, people, place
from kursk_pbem.post.referee import ear
from kursk_pbem.post.referee.chair import Chair
from kursk_pbem.post.servers import imap, marking
from kursk_pbem.post.servers.smtp import LATER, REFUSED, Answer
from kursk_pbem.post.told import untold
from kursk_pbem.trust import keys, messages, sshsig

BROKEN = "of a round that was broken off: "
QUESTION = b"From: anna@example.test\r\nSubject: q\r\nMessage-ID: <q@x.test>\r\n\r\nSTATUS\r\n"


def cut_in_half(posted):
    """A turn that lost its end on its way."""
    _anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    raw = turn(boris, game, 1)
    imap.add(letter(raw[: len(raw) // 2], boris.address, "my turn"))
    return "is cut off"


def refused(posted):
    """A turn under a signature that is not its own."""
    _anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1).replace(b"type: ", b"note: x\ntype: ", 1), boris.address))
    return "message 1"


WAYS = [cut_in_half, refused]


def killed(_client=None, *_more):
    os._exit(9)


def interrupted(*_of, **_more):
    raise KeyboardInterrupt


@pytest.mark.parametrize("comes", WAYS)
@pytest.mark.parametrize("dies", [killed, interrupted])
def test_T48_a_round_that_dies_while_the_server_is_asked_to_flag_is_told_by_the_next(
    posted, monkeypatch, capfd, comes, dies
):
    """All counted as dealt with, and nobody ever heard that a turn was damaged."""
    anna, told = posted[0], comes(posted)
    capfd.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(marking, "mark", dies)
        if dies is killed:
            assert fork(lambda: anna.kursk("post", "--unsent")) == 9
        else:
            anna.kursk("post", "--unsent", status=130)
    assert told not in "".join(capfd.readouterr())
    anna.kursk("post", "--unsent", status=2)
    said = "".join(capfd.readouterr())
    assert BROKEN in said
    assert told in " ".join(said.split())
    anna.kursk("post", "--unsent")
    assert told not in "".join(capfd.readouterr())


@pytest.mark.parametrize("comes", WAYS)
def test_what_was_told_is_told_once(posted, capfd, comes):
    anna, told = posted[0], comes(posted)
    capfd.readouterr()
    for json_ in ([], ["--json"]):
        with anna.sitting():
            from kursk_pbem.cli import run  # noqa: PLC0415

            run(["post", "--unsent", *json_])
        out, err = capfd.readouterr()
        assert (told in " ".join((out + err).split())) == (not json_)
        assert BROKEN not in out + err
    assert untold.before(anna.home) == []


@pytest.mark.parametrize("at", range(10, 40, 10))
def test_T48_a_report_whose_round_dies_behind_its_note_is_told(world, at):
    """A kill after the bounce is noted, and before it is told, hides nothing."""
    boris = world.member["boris"]
    world.boris.sign(world.game)
    world.office.mails.clear()
    boris.post()
    raw = next(raw for *_of, reader, raw in world.office.mails if reader == world.anna.address)
    world.time.passes(3600)
    mid = re.search(rb"(?m)^Message-ID: (\S+)\r$", raw)[1].decode()
    world.office.put(report(mid, world.anna.address), world.boris.address)
    boris.dies(lambda: at)
    world.time.passes(3600)
    day = boris.post()
    assert "came back" in " ".join([*day.returned, *day.before])


def test_what_is_left_of_a_round_is_of_a_size_and_a_damaged_file_stops_nothing(pair, tmp_path):
    anna, boris, game = pair
    untold.put(anna.home, map(str, range(5000)), wrong=True)
    assert untold.status(anna.home) == 2
    said = untold.before(anna.home)
    assert (len(said), said[0], said[500], said[-1]) == (1001, "0", "and more than is kept of such a round", "4999")
    (path,) = anna.home.glob("post/in/untold")
    for raw in (b"x", b"[]", b'{"lines": 7}', json.dumps({"lines": {}}).encode()):
        damages(path, raw)
        assert untold.before(anna.home) == []
    boris.sign(game)
    mail = tmp_path / "mail.eml"
    mail.write_bytes(letter(turn(boris, game, 1), boris.address))
    anna.kursk("inbox", mail)


def muted(friend, monkeypatch, words, stream, *, closed=False):
    """The status of a command in a process of its own; one stream of it is ``closed``, or its disk is full."""

    def works():
        reader, writer = os.pipe()
        os.close(reader)
        setattr(sys, stream, os.fdopen(writer, "w") if closed else open("/dev/full", "w"))  # noqa: SIM115, PTH123
        with friend.sitting():
            os._exit(run(words))

    monkeypatch.setattr(imap, "_IDLE", 1)
    monkeypatch.setattr(imap, "_LEAST", 0)
    return fork(works)


@pytest.mark.parametrize(
    "words", [["post", "--unsent", "-q"], ["post", "watch", "--times", "1"]], ids=["post", "watch"]
)
def test_T48_what_could_not_be_complained_of_is_told_by_the_next_round(posted, monkeypatch, capfd, words):
    """'kursk post -q >>log 2>&1' on a full disk."""
    anna, said = posted[0], cut_in_half(posted)

    assert muted(anna, monkeypatch, words, "stderr") == 2
    capfd.readouterr()
    anna.kursk("post", "--unsent", status=2)
    assert said in " ".join("".join(capfd.readouterr()).split())


def test_T48_a_mail_that_was_not_fetched_is_told_though_a_complaint_could_not_be_written(posted, monkeypatch, capfd):
    anna, _boris, _game, server, _smtp = posted
    server.add(letter(b"x\n", "kate@example.test", subject="kursk: huge") + b"y" * 9_000_000)

    assert muted(anna, monkeypatch, ["post", "watch", "--times", "3"], "stderr") == 2
    capfd.readouterr()
    anna.kursk("post", "--unsent", status=2)
    assert "huge" in capfd.readouterr().err


def test_a_disk_without_room_for_what_is_told_keeps_the_mails(posted, monkeypatch, capfd):
    anna, told = posted[0], cut_in_half(posted)
    with monkeypatch.context() as patch:
        patch.setattr(untold, "put", lambda *_of, **_more: (_ for _ in ()).throw(clerk.DiskError("no room")))
        anna.kursk("post", "--unsent", status=2)
    assert told in " ".join(capfd.readouterr().err.split())
    anna.kursk("post", "--unsent", status=2)
    assert told in " ".join(capfd.readouterr().err.split())


def of_no_game(posted):
    """A turn of a game that is not known here: it is kept nowhere."""
    _anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    key = keys.from_seed(b"u" * 32)
    said = {**messages.read(turn(boris, game, 1), "").content, "game": "ab" * 32}
    text = messages.emit(said, key.sign(sshsig.NAMESPACE, messages.signed_bytes(said)))
    imap.add(letter(text.encode("ascii"), boris.address))
    return "which is not known here"


def a_turn(posted):
    """A turn that is taken."""
    _anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    return "message 1 of violet (taken)"


@pytest.mark.parametrize("comes", [of_no_game, a_turn])
def test_T48_whatever_came_in_a_round_that_was_broken_off_is_told(posted, monkeypatch, capfd, comes):
    """Errors alone were put down."""
    anna, told = posted[0], comes(posted)
    with monkeypatch.context() as patch:
        patch.setattr(marking, "mark", interrupted)
        anna.kursk("post", "--unsent", status=130)
    capfd.readouterr()
    anna.kursk("post", "--unsent")
    assert f"{BROKEN}" in (said := " ".join(capfd.readouterr().out.split()))
    assert told in said


def test_T48_that_a_game_ended_by_itself_is_told_although_the_program_was_ended_behind_it(owed, monkeypatch):
    """The end was signed, and neither the next rounds nor any list said so."""
    forfeit = timekeeper.forfeit

    def ended(*of, **more):
        forfeit(*of, **more)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(timekeeper, "forfeit", ended)
        with pytest.raises(KeyboardInterrupt):
            hours(owed, 12 * 24, step=12)
    assert "forfeit.yaml" in owed.papers()
    owed.director.sits()
    (line,) = owed.director.post().before
    assert line.startswith(f"game {owed.game[:8]}: it was to end by itself, because its term was missed")


def test_T48_what_became_of_questions_is_told_although_the_program_was_ended_behind_them(owed, monkeypatch):
    """Of a question for which there was no room to wait nothing was left, not even that it had come."""
    monkeypatch.setattr(ear, "_MOST_EACH", 1)
    path = damages(place.root(owed.ref.home) / "people" / f"{people.mark(owed.anna.public)}.json")
    for number in range(2):
        raw = f"From: anna@example.test\r\nMessage-ID: <q{number}@example.test>\r\n\r\nHELP\r\n".encode()
        owed.office.put(raw, owed.ref.address)
    with monkeypatch.context() as patch:
        patch.setattr(owed.director.errand.chair, "work", interrupted)
        with pytest.raises(KeyboardInterrupt):
            owed.director.post()
    path.unlink()
    owed.director.sits()
    assert any("such questions: the others are not kept" in line for line in owed.director.post().before)


def left(member, work):
    """What a program has put down that dies in the middle of some work at a desk."""

    def dies():
        work(member.sits())
        os._exit(9)

    assert fork(dies) == 9
    member.sits()
    return " ".join(untold.before(member.friend.home))


def posts(errand):
    errand.take()
    untold.told(errand.home)
    errand.send()


@pytest.mark.parametrize("became", ["refused", "moved"])
def test_T48_a_letter_in_words_that_does_not_go_out_is_told_though_the_program_dies_behind_it(
    world, monkeypatch, became
):
    """It counted as over before anybody had heard of it: no later round looked at it again."""
    played_on(world)
    world.office.put(QUESTION, world.ref.address)
    answers = {"refused": Answer(REFUSED, 550, "never"), "moved": Answer(LATER, 450, "later")}
    monkeypatch.setattr(Line, "send", lambda *_of: answers[became])
    if became == "moved":
        world.director.post()
        person = people.load(world.ref.home, world.anna.public)
        people.save(world.ref.home, person.put("new@example.test", people.SAID, "as you said"))
        world.time.passes(7200)
    world.director.fetch()
    told = f"a letter in words to anna@example.test {'did' if became == 'refused' else 'does'} not go out"
    assert told in left(world.director, posts)
    day = world.director.post()
    assert (told in " ".join(day.before), day.status) == (True, 2)
    assert not world.director.post().before


def test_T48_what_the_chair_has_done_before_the_program_dies_is_told(world, monkeypatch):
    """That a receipt was signed, somebody was reminded, or was answered, was told at the end of the round or never."""
    played_on(world)
    comes(world, world.boris, 3)
    world.time.passes(4 * 86400)
    world.office.put(QUESTION, world.ref.address)
    world.director.fetch()
    monkeypatch.setattr(Chair, "_list", lambda _chair: os._exit(9))
    said = left(world.director, lambda errand: errand.take())
    assert "answered anna@example.test: status" in said
    assert "reminded" in said


def test_T48_what_a_round_is_about_to_do_is_kept_however_much_is_wrong(pair):
    """Behind a hundred refusals nothing was put down: neither that a game was to end, nor that more was left."""
    anna, _boris, _game = pair
    untold.put(anna.home, map(str, range(5000)), wrong=True)
    for line in ("a game was to end", "a letter came back"):
        untold.add(anna.home, line)
    said = untold.before(anna.home)
    assert said[-2:] == ["a game was to end", "a letter came back"]
    assert sum("more than is kept" in line for line in said) == 1


def test_sending_alone_takes_nothing_for_told_that_it_does_not_tell(posted):
    anna, *_more = posted
    untold.add(anna.home, "left by a round that died")
    anna.kursk("post", "send", "--unsent", "-q")
    assert untold.before(anna.home) == ["left by a round that died"]


def test_T48_what_the_next_round_put_down_before_the_last_was_printed_stays(pair):
    """Standard output was blocked meanwhile, and the other round died: its lines went with those that were printed."""
    anna, _boris, _game = pair
    untold.add(anna.home, "printed")
    forgets = untold.to_forget(anna.home)
    untold.add(anna.home, "of the next round")
    forgets()
    assert untold.before(anna.home) == ["of the next round"]
    untold.to_forget(anna.home)()
    assert untold.before(anna.home) == []


def test_T48_on_a_full_disk_what_was_printed_is_told_once_more(pair, monkeypatch):
    anna, _boris, _game = pair
    untold.add(anna.home, "printed")
    forgets = untold.to_forget(anna.home)
    untold.add(anna.home, "of the next round")
    monkeypatch.setattr(untold.place, "put", lambda *_of: (_ for _ in ()).throw(DiskError("full")))
    forgets()
    assert untold.before(anna.home) == ["printed", "of the next round"]
