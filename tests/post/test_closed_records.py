"""Records of games that cannot be read, games whose folder is gone: what comes of them waits, and not without end."""

import shutil
from types import SimpleNamespace

import pytest
from helpers import sweeps
from helpers.mailbags import forged, letter, maildir, turn
from helpers.postal import began, proposed
from helpers.refereed_mail import played_on

from kursk_pbem.cli import run
from kursk_pbem.desk import begin, locks
from kursk_pbem.desk.shelf import completions
from kursk_pbem.errors import DiskError
from kursk_pbem.game import entropy
from kursk_pbem.post import place, spool, waiting
from kursk_pbem.trust import keys, messages


def hide(close, root, what):
    """Nobody may look into what the private folder holds of games, or one record there is damaged."""
    record = next(root.iterdir(), root)
    if what == "link":
        root.rename(root.with_name("unplugged"))
        root.symlink_to(root.with_name("elsewhere"))
    elif what == "record":
        (record / "game.json").rename(root.parent / "game.json")
        (record / "game.json").write_bytes(b"[" * 5000)
    else:
        close.append({"games": root, "journal": record / "journal"}[what])


def show(close, root):
    if root.is_symlink():
        root.unlink()
        root.with_name("unplugged").rename(root)
    close.clear()
    if (kept := root.parent / "game.json").exists():
        kept.replace(next(root.iterdir()) / "game.json")


@pytest.mark.parametrize("what", sweeps.some(["games", "link", "journal", "record"], 2))
def test_T27_private_records_of_games_that_cannot_be_read_are_named_and_what_comes_waits(world, close, capsys, what):
    """Outbox and status said that there was nothing; the fault of one record was told by status alone."""
    played_on(world)
    anna, root = world.member["anna"], world.anna.home / "games"
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.anna.address)
    hide(close, root, what)
    for command in ("status", "outbox"):
        capsys.readouterr()
        world.anna.kursk(command, status=2)
        assert str(root) in capsys.readouterr().err
    if what in ("games", "link"):
        with pytest.raises(DiskError, match="cannot be read"):
            anna.post()
        assert completions.of_games(world.anna.home, world.anna.place) == []
    else:
        (outcome,) = (outcome for game in anna.post().games for outcome in game.outcomes)
        assert str(root) in str(outcome.error)
        assert [str(root) in str(fault) for fault in anna.errand.faults] == [True]
    show(close, root)
    anna.post()
    assert (world.anna.folder(world.game) / "0003.yaml").exists()


def test_T49_of_a_game_whose_folder_is_gone_a_few_mails_wait(world, monkeypatch):
    """Any number of a stranger's lay in the spool for sixty days."""
    monkeypatch.setattr(waiting, "MOST", 3)
    played_on(world)
    anna, folder = world.member["anna"], world.anna.folder(world.game)
    anna.post()
    world.boris.sign(world.game)
    shutil.move(folder, gone := folder.with_name("gone"))
    raw = turn(world.boris, world.game, 3)
    for mail in (letter(raw, world.boris.address), *forged(raw, range(5, 9))):
        world.time.passes(60)
        world.office.put(mail, world.anna.address)
    (told,) = anna.post().done
    assert f"mails of game {world.game[:8]} that cannot be filed now the 3 that came first wait; the others are" in told
    assert anna.post().done == []
    shutil.move(gone, folder)
    anna.post()
    assert (folder / "0003.yaml").exists()


def test_T49_what_no_key_of_the_game_has_signed_does_not_wait_for_files_of_this_desk(world, close):
    """While a place of notes was closed, any number of forged messages with the number that was due waited."""
    played_on(world)
    world.boris.sign(world.game)
    genuine, other = (messages.read(turn(world.boris, world.game, seq), "") for seq in (3, 1))
    false = messages.mailed(genuine.content, other.armour, genuine.state).encode("ascii")
    for raw in (false, turn(world.boris, world.game, 3)):
        world.office.put(letter(raw, world.boris.address), world.ref.address)
        world.time.passes(60)
    close.append(place.folder(place.root(world.ref.home) / "referee" / "pass"))
    world.director.post()
    assert len(list(spool.Spool(world.ref.home).mails())) == 1
    close.clear()
    world.director.post()
    assert (world.folder / "0003.yaml").exists()


def refused(day):
    return [outcome.again for game in day.games for outcome in game.outcomes if outcome.error is not None]


@pytest.mark.parametrize("what", sweeps.some(["waiting", "journal entry", "lock"], 2))
def test_T27_a_mail_that_cannot_be_filed_stays(world, close, monkeypatch, what):
    """Some of what stands in its way did not count as a file of this desk: the mail was dealt with, its turn lost."""
    played_on(world)
    anna = world.member["anna"]
    folder, record = world.anna.folder(world.game), next((world.anna.home / "games").iterdir())
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.anna.address)
    if what == "waiting":
        close.append(world.anna.home / "post" / "in" / "waiting" / world.game[:16])
        close[0].mkdir(parents=True)
    elif what == "journal entry":
        (record / "journal" / "0003.json").write_bytes(b"[]")
    with monkeypatch.context() as patch:
        if what == "lock":
            patch.setattr(locks, "_taken", lambda _handle, _path: True)
            patch.setattr(locks, "WAIT", -1)
        assert refused(anna.post()) == [True]
    close.clear()
    (record / "journal" / "0003.json").unlink(missing_ok=True)
    anna.post()
    assert (folder / "0003.yaml").exists()


def test_a_proposal_for_the_key_of_a_damaged_record_stays(friends):
    """It named no key that was known, and was dealt with."""
    anna, boris, carla = friends("anna", "boris", "carla")
    game, other = began(anna, boris), boris.place / "other"
    keys.generate(other, entropy.fresh())
    raw, _game = proposed(carla, SimpleNamespace(public=keys.read_public(boris.place / "other.pub"), name="boris"))
    begin.take(messages.read(raw, ""), other, boris.place, boris.home)
    path = boris.home / "games" / game[:16] / "game.json"
    whole = path.read_bytes()
    path.write_bytes(b"junk")
    box = maildir(boris.place, [letter(proposed(carla, boris)[0], carla.address)])
    with boris.sitting(KURSK_KEY=str(other)):
        assert run(["inbox", str(box)]) == 2
        path.write_bytes(whole)
        assert run(["inbox", str(box)]) == 0
    assert len(waiting.games(boris.home)) == 1


def test_T49_while_a_record_is_damaged_no_more_proposals_of_strangers_stay_than_wait(world, friends, monkeypatch):
    """Nobody could tell whose they are, so all of them were kept; those that came first stay, and the owner is told."""
    monkeypatch.setattr(waiting, "MOST_GAMES", 2)
    played_on(world)
    anna, root = world.member["anna"], world.anna.home / "games"
    world.boris.sign(world.game)
    mails = [letter(proposed(*friends(f"s{number}", f"t{number}"))[0], f"s{number}@evil.test") for number in range(4)]
    for raw in (*mails, letter(turn(world.boris, world.game, 3), world.boris.address)):
        world.time.passes(60)
        world.office.put(raw, world.anna.address)
    hide([], root, "record")
    most = "of 4 mails with proposals that cannot be filed now the 2 that came first wait; the others are not kept"
    for told in ([most], []):
        assert anna.post().done == told
        there = [mail.sender for mail in spool.Spool(world.anna.home).mails()]
        assert there == ["s0@evil.test", "s1@evil.test", world.ref.address, world.boris.address]
    show([], root)
    anna.post()
    assert (world.anna.folder(world.game) / "0003.yaml").exists()
