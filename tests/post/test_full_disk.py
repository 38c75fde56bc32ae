"""A disk that is full, or a folder that is not there for a while: what came is kept, and taken the next time."""

import errno
import re

import pytest
from helpers import mail_servers, postal
from helpers.cup_by_mail import announced, enters
from helpers.mailbags import letter, maildir, turn
from helpers.refereed_mail import begun, comes, damages, ends_by_itself, fills, played_on
from helpers.returned import report

from kursk_pbem.cli import run
from kursk_pbem.game import disk
from kursk_pbem.post import people, place, spool, waiting
from kursk_pbem.trust import keys, messages, slip


def post(friend):
    with friend.sitting():
        return run(["post", "-q"])


def test_T49_mails_that_fill_the_disk_are_taken_and_make_room(posted, monkeypatch, capsys):
    """A stranger's in the name of a player: the fetch failed in each round, and nothing was taken any more."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    spooled, real = anna.home / "post" / "in" / "spool", disk._temporary
    for number in range(5):
        imap.add(b"From: %b\nMessage-ID: <%d@x>\n\n" % (boris.address.encode(), number) + b"y" * 100_000)
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))

    def limited(place, data):
        if sum(path.stat().st_size for path in spooled.glob("*")) + len(data) > 250_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(place, data)

    monkeypatch.setattr(disk, "_temporary", limited)
    assert [post(anna) for _round in range(3)] == [2, 2, 0]
    assert "what was fetched is taken first" in capsys.readouterr().err
    assert anna.desk(game).seq == 2


@pytest.mark.parametrize("counted", ["bytes", "files"])
def test_T49_small_mails_leave_room_to_take_what_came_before_them(posted, monkeypatch, capsys, counted):
    """2,500 mails of half a megabyte in all filled a disk with 12 MB, and no round could put down anything any more."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    spooled, real = anna.home / "post" / "in" / "spool", disk._temporary
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    for number in range(150):
        imap.add(b"From: s%d@example.test\nMessage-ID: <%d@x>\n\nkursk\n" % (number, number))
    free = {"bytes": 1 << 40, "files": 1 << 40}

    def room(_folder=None):
        free[counted] = 250 - 2 * len(list(spooled.glob("*.eml")))
        return free["bytes"] * 4096, free["files"]

    def limited(place, data):
        if min(room()) <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(place, data)

    monkeypatch.setattr(disk, "room", room)
    monkeypatch.setattr(disk, "_temporary", limited)
    monkeypatch.setattr(spool, "RESERVE", 60 * 4096)
    monkeypatch.setattr(spool, "_BLOCKS", 2 * 4096)
    monkeypatch.setattr(spool, "FILES", 60)
    monkeypatch.setattr(spool, "LEAST", 20 * 4096)
    monkeypatch.setattr(spool, "FEW", 20)
    assert [post(anna) for _round in range(3)] == [2, 2, 0]
    assert "this disk is almost full, and more mails wait at the server; make room" in capsys.readouterr().err
    assert anna.desk(game).seq == 2


@pytest.mark.parametrize("room", [(spool.LEAST, spool.FEW), (1 << 40, spool.FEW), (spool.LEAST, 1 << 40)])
def test_a_disk_that_is_almost_full_is_told_and_what_is_due_goes_out(several, certificates, monkeypatch, capsys, room):
    """What comes waits at the server: the rounds could put down nothing any more once mails had filled the disk."""
    anna, games = several
    (game, boris), (other, carla), *_more = games.items()
    postal.carried(other, 1, carla, anna)
    anna.sign(other)
    with mail_servers.Imap(certificates) as imap, mail_servers.Smtp(certificates) as smtp:
        mail_servers.account(anna, certificates, imap.port, smtp.port)
        anna.kursk("people", "card", anna.address, "--no", "-q")
        anna.kursk("people", "add", carla.name, carla.address, "-q")
        imap.add(letter(turn(boris, game, 1), boris.address))
        with monkeypatch.context() as patch, anna.sitting():
            patch.setattr(disk, "room", lambda _folder: room)
            assert run(["post", "--unsent", "-q"]) == 2
        assert "this disk is almost full, and more mails wait at the server; make room" in capsys.readouterr().err
        assert carla.address in [reader for _sender, reader, _raw in smtp.post.mails]
        assert anna.desk(game).seq == 1
        post(anna)
    assert anna.desk(game).seq == 2


@pytest.mark.parametrize("what", ["game", "games", "post/came"])
def test_a_turn_that_finds_no_room_is_taken_the_next_time(posted, monkeypatch, capsys, what):
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    with monkeypatch.context() as patch:
        fills(patch, anna.folder(game) if what == "game" else anna.home / what)
        assert post(anna) == 2
        assert "No space left on device" in capsys.readouterr().err
    assert post(anna) == 0
    assert anna.desk(game).seq == 2
    assert (anna.folder(game) / "0002.draft.yaml").exists()


def test_a_turn_that_has_waited_and_finds_no_room_waits_on(pair, monkeypatch):
    anna, boris, game = pair
    boris.sign(game)
    anna.folder(game).rename(anna.place / "elsewhere")
    box = maildir(anna.place, [letter(turn(boris, game, 1), boris.address)])
    with anna.sitting():
        assert run(["inbox", str(box)]) == 3  # the folder is gone, on a disk that is not there
        (anna.place / "elsewhere").rename(anna.folder(game))
        with monkeypatch.context() as patch:
            fills(patch, anna.folder(game))
            assert run(["inbox", str(box)]) == 2
        assert run(["inbox", str(box)]) == 0
    assert anna.desk(game).seq == 2


def test_what_waits_for_its_predecessor_is_not_dropped_for_want_of_room(pair, monkeypatch):
    anna, boris, game = pair
    boris.sign(game)
    with anna.sitting():
        waiting.keep(anna.home, game, messages.read(turn(boris, game, 1), "0001.yaml"))
        with monkeypatch.context() as patch:
            fills(patch, anna.folder(game))
            run(["inbox", "-q"])
        run(["inbox", "-q"])
    assert anna.desk(game).seq == 2


def test_papers_of_a_tournament_that_find_no_room_are_taken_the_next_time(time, tmp_path, monkeypatch):
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    with monkeypatch.context() as patch:
        fills(patch, cup.ref.friend.home / "post" / "in" / "papers")
        (refused,) = enters(cup).refused
        assert "No space left on device" in str(refused)
    cup.ref.post()
    assert [entrant.name for entrant in cup.book().entrants.values()] == ["p01"]


def stopped(world):
    """Whether nothing goes to Boris any more."""
    return people.load(world.ref.home, world.boris.public).state_of(world.boris.address) == people.BOUNCED


@pytest.mark.parametrize("full", ["not", "once", "always", "damaged"])
def test_T60_a_report_counts_though_there_was_no_room_when_it_was_read(automatic, monkeypatch, full):
    """It counted as dealt with, letters went on to the address, and its player lost the game."""
    world = automatic
    played_on(world)
    sent = [raw for _at, _from, reader, raw in world.office.mails if reader == world.boris.address and b"<k1." in raw]
    made = report(re.search(rb"Message-ID: (\S+)", sent[-1])[1].decode(), world.boris.address)
    world.office.put(made, world.ref.address)
    with monkeypatch.context() as patch:
        theirs = place.root(world.ref.home) / "people" / f"{people.mark(world.boris.public)}.json"
        whole = theirs.read_bytes()
        if full == "damaged":
            damages(theirs)
        elif full != "not":
            fills(patch, world.ref.home / "post" / "people")
        said = "cannot be read" if full == "damaged" else "cannot be put down"
        assert (said in str(world.director.post().returned)) == (full != "not")
        assert full != "always" or not ends_by_itself(world)
        if full == "damaged":
            damages(theirs, whole)
    world.director.post()
    assert stopped(world)
    assert not ends_by_itself(world)


@pytest.mark.parametrize("carded", [True, False])
def test_T43_a_card_counts_though_there_is_no_room_for_it(automatic, monkeypatch, carded):
    """Letters went on to the former address, and the game ended by itself."""
    world = automatic
    played_on(world)
    signed = slip.card(world.ref.public, "new@example.test", 99, keys.load(world.boris.key))
    written = slip.emit(signed).encode() if carded else b"Buy now!"
    fills(monkeypatch, world.ref.home / "post" / "people")
    world.office.put(letter(written, "shop@example.test", "hello"), world.ref.address)
    world.director.post()
    assert ends_by_itself(world) == (not carded)


@pytest.mark.parametrize(("bad", "flood"), [(True, 0), (False, 0), (True, 300)])
def test_what_cannot_be_put_down_of_one_game_stops_no_other_and_ends_none(automatic, bad, flood):
    """A folder stood where it is put down that a player wrote: every round broke off at their mail.

    Hundreds of strangers pushed that one out later.
    """
    world = automatic
    played_on(world)
    other = begun(world, world.boris, world.anna)
    world.director.post()
    note = place.root(world.ref.home) / "referee" / "wrote" / people.mark(world.boris.public)
    if bad:
        note.unlink()
        note.mkdir()
    world.office.put(b"From: boris@example.test\r\nSubject: hello\r\n\r\nI am ill\r\n", world.ref.address)
    for number in range(flood):
        raw = b"From: x@evil.test\r\nX-Number: %d\r\n\r\nkursk-pbem: '1'\r\ngame: spoilt\r\n" % number
        world.office.put(raw, world.ref.address)
    day = (comes(world, world.anna, 1, other), world.director.post())[1]
    assert (world.ref.folder(other) / "receipt-0001.yaml").exists()
    assert (str(note) in str(day.refused)) == bad
    assert not ends_by_itself(world)
    if bad:
        note.rmdir()
        world.director.post()
        assert flood or note.is_file()
        assert not ends_by_itself(world)
