"""One note of a referee's desk that cannot be written, as something else stands there: it stops nothing but itself."""

import errno
import os
from functools import partial

import pytest
from helpers import mail_servers, postal
from helpers.mail_servers import Imap, Smtp
from helpers.mailbags import letter, turn
from helpers.postmen import text
from helpers.refereed_mail import DAY, begun, comes, ends_by_itself, fills, hours, played_on

from kursk_pbem.cli import run
from kursk_pbem.desk import clock
from kursk_pbem.post import place

SPOILT = b"From: x@evil.test\r\nSubject: a\r\n\r\nkursk-pbem: '1'\r\ngame: spoilt\r\n"


def blocks(path):
    """A folder stands where a file would be written."""
    path.unlink(missing_ok=True)
    (path / "x").mkdir(parents=True)


@pytest.mark.parametrize("name", ["damaged/any.json", "seen.json", "unsettled", "in-doubt"])
def test_the_games_are_looked_after_all_the_same_and_none_ends(automatic, name):
    """Each round told of it, and signed no receipt and reminded nobody, in any game."""
    world = automatic
    played_on(world)
    second = begun(world, world.anna, world.boris)
    hours(world, 6, step=6)
    blocks(place.root(world.ref.home) / "referee" / name)
    world.director.sits()
    world.office.put(SPOILT, world.ref.address)
    comes(world, world.boris, 1, second)
    assert (world.ref.folder(second) / "receipt-0001.yaml").exists()
    assert not ends_by_itself(world) or name in ("unsettled", "in-doubt")


def test_a_folder_that_may_be_listed_and_not_entered_stops_no_round_behind_a_doubt(automatic, monkeypatch):
    """Its mode is 600, say; times that were noted in doubt were looked for there."""
    played_on(automatic)
    old = place.root(automatic.ref.home) / "out" / ("0" * 16)
    old.mkdir()
    (old / "0001-aa-0.json").write_text("{}")
    real = {name: getattr(os, name) for name in ("stat", "open")}

    def entering(name, path, *more, **said):
        if str(path).startswith(f"{old}{os.sep}"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real[name](path, *more, **said)

    for name in real:
        monkeypatch.setattr(os, name, partial(entering, name))
    (place.root(automatic.ref.home) / "clock.json").unlink()
    automatic.director.sits()
    automatic.boris.sign(automatic.game)
    comes(automatic, automatic.boris, 3)
    assert "receipt-0003.yaml" in automatic.papers()


@pytest.mark.parametrize("which", [0, -1, None])
def test_a_damaged_letter_that_was_sent_stops_no_receipt(automatic, which):
    """Each letter was read for time that might have been given in it."""
    world = automatic
    played_on(world)
    hours(world, 6, step=6)
    letters = sorted((place.root(world.ref.home) / "out" / world.game[:16]).glob("*.json"))
    if which is not None:
        letters[which].write_bytes(b"{")
    comes(world, world.boris, 3)
    assert "receipt-0003.yaml" in world.papers()


@pytest.mark.parametrize("blocked", [True, False])
def test_T49_mails_behind_one_that_is_too_large_are_fetched(friends, tmp_path, capsys, blocked):
    """Whose that was could not be put down, and each round ended there."""
    anna, boris, carl, dora, ref = friends("anna", "boris", "carl", "dora", "ref")
    certificates = mail_servers.certificates(tmp_path)
    with Imap(certificates) as imap, Smtp(certificates) as smtp:
        mail_servers.account(ref, certificates, imap.port, smtp.port)
        ref.kursk("people", "card", ref.address, "--no", "-q")
        for who in (anna, boris, carl, dora):
            ref.kursk("people", "add", who.name, who.address, "--key", who.place / "me.pub", "-q")
        ref.kursk("referee", "setup", "--days", "7", "-q")
        games = [postal.began(anna, boris, relay=ref.public), postal.began(carl, dora, relay=ref.public)]
        for game, who in zip(games, (anna, carl), strict=True):
            imap.add(letter(turn(who, game, 0), who.address))
        ref.kursk("referee", "run", "--once")
        for game in games:
            ref.kursk("receipt", game[:16], "--days", "7", "-q")
        if blocked:
            blocks(place.root(ref.home) / "referee" / "damaged" / f"{games[0][:16]}.json")
        head = f"From: boris@example.test\r\nSubject: [kursk {games[0][:8]}] photos\r\nMessage-ID: <big@x.test>\r\n"
        imap.add(head.encode() + (b"\r\n" + b"x" * 76) * 120_000)
        for number in range(201):
            imap.add(b"From: news@shop.test\r\nMessage-ID: <n%d@x.test>\r\n\r\nBuy\r\n" % number)
        dora.sign(games[1])
        imap.add(letter(turn(dora, games[1], 1), dora.address))
        with ref.sitting():
            run(["referee", "run", "--once"])
        assert "the mail from 'boris@example.test'" in capsys.readouterr().err
        assert (ref.folder(games[1]) / "receipt-0001.yaml").exists()


def test_T52_what_cannot_be_put_right_after_a_doubt_stops_no_other_game(automatic, monkeypatch):
    """When a message came was not known while the clock was in doubt; each later round ended there."""
    world = automatic
    played_on(world)
    second = begun(world, world.anna, world.boris)
    hours(world, 6, step=6)
    world.boris.sign(second)
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: text(world.time.now - DAY))
        comes(world, world.boris, 3)
    fills(monkeypatch, place.root(world.ref.home) / "came" / world.game[:16])
    world.director.sits()
    world.office.put(letter(turn(world.boris, second, 1), world.boris.address), world.ref.address)
    world.director.post()
    assert (world.ref.folder(second) / "receipt-0001.yaml").exists()
