"""Kills at every write to the disk and to a server, a full disk at every write (O1 to O7, I1 to I7, T48).

A round of post takes a turn of one game and sends one of another. It dies at its n-th write, for every n, and is then
done once more: the desk is as after an undisturbed round, and a letter that is there twice is the same letter.
"""

import os
import shutil

import pytest
from helpers import mail_servers, postal
from helpers.crash_play import KILLED
from helpers.mail_servers import Imap, Smtp
from helpers.mailbags import letter, turn
from helpers.post_crash import Hurt

from kursk_pbem.desk import begin as beginnings
from kursk_pbem.desk.referee import director
from kursk_pbem.game.disk import PREFIX
from kursk_pbem.post import place
from kursk_pbem.trust import messages

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name == "nt", reason="it forks")]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return mail_servers.certificates(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def servers(certificates):
    with Imap(certificates) as imap, Smtp(certificates) as smtp:
        yield imap, smtp


@pytest.fixture
def hurt():
    program = Hurt("rulesets.toys")
    yield program
    program.end()


def ready(friend, certificates, servers, *others):
    """Somebody with an account and addresses, whose post has begun."""
    imap, smtp = servers
    path = mail_servers.account(friend, certificates, imap.port, smtp.port)
    path.write_text(path.read_text().replace(f'games = "{friend.place}"', 'games = "."'), encoding="utf-8")
    path.chmod(0o600)
    friend.kursk("people", "card", friend.address, "--yes", "-q")
    for other in others:
        friend.kursk("people", "add", other.name, other.address, "--key", other.place / "me.pub", "-q")
    place.once(place.root(friend.home) / "out" / "begun", b"")


@pytest.fixture
def player(friends, certificates, servers):
    """Anna: a turn of one game has come, one of another is to go out, to an opponent and a referee."""
    anna, boris, carla, ref = friends("anna", "boris", "carla", "ref")
    ready(anna, certificates, servers, boris, carla, ref)
    coming, going = postal.began(anna, boris), postal.began(anna, carla, relay=ref.public)
    boris.sign(coming)
    carla.sign(going)
    postal.carried(going, 1, carla, anna)
    anna.sign(going)
    place.once(place.root(anna.home) / "out" / coming[:16] / "as-sent-0000", b"")
    servers[0].add(letter(turn(boris, coming, 1), boris.address))
    return anna


@pytest.fixture
def referee(friends, certificates, servers):
    """A referee who rolls: a turn has come, is answered at once, and both players get what they lack."""
    anna, boris, ref = friends("anna", "boris", "ref")
    ready(ref, certificates, servers, anna, boris)
    sides = dict(zip(postal.registry.kit("hex-toy").sides, (anna, boris), strict=True))
    match = director.Match("hex-toy/fords", {side: who.public for side, who in sides.items()}, {}, {})
    desk = director.propose(match, ref.key, ref.place, ref.home)
    for who in sides.values():
        beginnings.take(messages.read(desk.newest.read_bytes(), "0000.yaml"), who.key, who.place, who.home)
    first = next(who for who in sides.values() if who.desk(desk.game.chain.game).mine)
    first.sign(desk.game.chain.game)
    place.once(place.root(ref.home) / "out" / desk.game.chain.game[:16] / "as-sent-0000", b"")
    servers[0].add(letter(turn(first, desk.game.chain.game, 1), first.address))
    return ref


def state(folder):
    """Everything that lies there, but what says how often something was tried, and what a crash has left over."""
    ignored = (".try-", ".later-", "/.kursk-", "/lock", "said.json", "/verified", "/lately.json")
    files = (path for path in folder.rglob("*") if path.is_file())
    named = {str(path.relative_to(folder)): path for path in files}
    return {name: path.read_bytes() for name, path in named.items() if not any(text in f"/{name}" for text in ignored)}


def everything(folder):
    """Every file as it lies there; what a crash has left over is swept, and whose a lock was means nothing."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(PREFIX)]
    return {path.relative_to(folder).as_posix(): path.read_bytes() * (path.name != "lock") for path in files}


def letters(post):
    """What arrived: {(Message-ID, reader): the different bytes}, and how many."""
    found = {}
    for _sender, reader, raw in post.mails:
        mid = raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0]
        found.setdefault((mid, reader), set()).add(raw)
    return found


def rounds(mode, somebody, servers, hurt, root, every=1):
    """A round that is hurt at its n-th write, for every n; (n, status, said, letters sent).

    It is done once more after each that leaves something else, here or at a server, than the one before.
    """
    imap, smtp = servers
    whole = root / "whole" / "place"
    shutil.copytree(somebody.place, whole)
    assert hurt.run("warm", 0, whole, "post")[0] == 0
    wanted, sent = state(whole), letters(smtp.post)
    assert all(len(raws) == 1 for raws in sent.values())
    n, last = 0, None
    while True:
        n += every
        smtp.post.mails.clear()
        here = root / f"{n:04d}" / "place"
        shutil.copytree(somebody.place, here)
        status, said = hurt.run(mode, n, here, "post")
        before = len(smtp.post.mails)
        left = everything(here), list(smtp.post.mails), repr((imap.flags, imap.moved, sorted(imap.mails)))
        if left != last:  # otherwise the next round goes by the same as that after the kill before
            again, told = hurt.run("whole", 0, here, "post")
            assert again == 0, (n, told)
            assert state(here) == wanted, (n, said, told)
            found = letters(smtp.post)
            assert found == sent, n
            assert len(smtp.post.mails) <= len(sent) + 1, n
        last = left
        yield n, status, said, before
        shutil.rmtree(here.parent)
        if status == 0:
            return


def test_T48_killed_at_every_write_a_player_loses_nothing_and_sends_nothing_else(player, servers, hurt, tmp_path):
    ends = [(status, before) for _n, status, _said, before in rounds("kill", player, servers, hurt, tmp_path)]
    assert [status for status, _before in ends] == [KILLED] * (len(ends) - 1) + [0]
    assert len(ends) > 100
    assert {before for _status, before in ends} == {0, 1, 2}


def test_T48_killed_at_every_write_a_referee_loses_nothing_and_rolls_once(referee, servers, hurt, tmp_path):
    ends = [status for _n, status, _said, _before in rounds("kill", referee, servers, hurt, tmp_path, every=2)]
    assert ends == [KILLED] * (len(ends) - 1) + [0]
    assert len(ends) > 60


def test_T48_a_full_disk_at_every_write_is_told_and_harms_nothing(player, servers, hurt, tmp_path):
    for _n, status, said, _before in rounds("fill", player, servers, hurt, tmp_path, every=2):
        if status:
            assert status == 2, said
            assert "No space left" in said
            assert "Traceback" not in said
