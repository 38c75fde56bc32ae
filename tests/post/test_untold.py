"""What came and was told to nobody, because the program died before it said so, is told by the next round (T48)."""

import json
import os
import re

import pytest
from helpers.mailbags import letter, turn
from helpers.postmen import fork
from helpers.refereed_mail import damages, hours
from helpers.returned import report

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.post import clerk, people, place
from kursk_pbem.post.referee import ear
from kursk_pbem.post.servers import marking
from kursk_pbem.post.told import untold
from kursk_pbem.trust import keys, messages, sshsig

BROKEN = "of a round that was broken off: "


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


def put_off(posted):
    """A report that a letter may not have arrived."""
    anna, _boris, _game, imap, smtp = posted
    anna.kursk("post", "send", "--unsent", "-q")
    ((_sender, reader, sent), *_more) = smtp.post.mails
    imap.add(report(re.search(rb"(?m)^Message-ID: (\S+)\r$", sent)[1].decode(), reader, action="delayed"))
    return "may not have arrived"


WAYS = [cut_in_half, refused, put_off]


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
    anna.kursk("post", "--unsent", status=0 if comes is put_off else 2)
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


@pytest.mark.parametrize("at", range(10, 40, 3))
def test_T48_a_report_whose_round_dies_behind_its_note_is_told(world, at):
    """That a letter may not have arrived was put down before it was said: from then on it counted as known."""
    boris = world.member["boris"]
    world.boris.sign(world.game)
    world.office.mails.clear()
    boris.post()
    raw = next(raw for *_of, reader, raw in world.office.mails if reader == world.anna.address)
    world.time.passes(3600)
    mid = re.search(rb"(?m)^Message-ID: (\S+)\r$", raw)[1].decode()
    world.office.put(report(mid, world.anna.address, action="delayed"), world.boris.address)
    boris.dies(lambda: at)
    world.time.passes(3600)
    day = boris.post()
    assert "may not have arrived" in " ".join([*day.returned, *day.before])


def test_what_is_left_of_a_round_is_of_a_size_and_a_damaged_file_stops_nothing(pair, tmp_path):
    anna, boris, game = pair
    untold.put(anna.home, map(str, range(1000)), wrong=True)
    assert untold.status(anna.home) == 2
    assert untold.before(anna.home) == [str(number) for number in range(100)]
    (path,) = anna.home.glob("post/in/untold")
    for raw in (b"x", b"[]", b'{"lines": 7}', json.dumps({"lines": {}}).encode()):
        damages(path, raw)
        assert untold.before(anna.home) == []
    boris.sign(game)
    mail = tmp_path / "mail.eml"
    mail.write_bytes(letter(turn(boris, game, 1), boris.address))
    anna.kursk("inbox", mail)


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
