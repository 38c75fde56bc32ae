"""A folder that the program may not enter, of another user perhaps: it is named, and stops nothing but its own game."""

import errno
import os
import shutil
from types import SimpleNamespace

import pytest
from helpers.cup_by_mail import relayed
from helpers.mailbags import letter, maildir, turn
from helpers.postal import began, proposed
from helpers.refereed_mail import DAY, begun, played_on

from kursk_pbem.cli import run
from kursk_pbem.desk import begin, locks
from kursk_pbem.desk.shelf import completions
from kursk_pbem.errors import DiskError
from kursk_pbem.game import entropy
from kursk_pbem.post import place, spool, waiting
from kursk_pbem.trust import keys, messages


@pytest.fixture
def close(monkeypatch):
    """A list of folders into which nobody may look; root, too, may run the tests, whom no mode keeps out."""
    shut = []

    def closed(path, *, whole):
        name = str(path)
        return any(name.startswith(f"{folder}{os.sep}") or (whole and name == str(folder)) for folder in shut)

    def guarded(real, *, whole):
        def call(path=".", *more, **said):
            if closed(path, whole=whole):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *more, **said)

        return call

    for name, whole in (("stat", False), ("open", False), ("scandir", True), ("listdir", True)):
        monkeypatch.setattr(os, name, guarded(getattr(os, name), whole=whole))
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not closed(path, whole=True) and access(path, mode))
    yield shut
    shut.clear()


def test_T27_a_folder_that_cannot_be_entered_stops_no_other_game_and_loses_no_mail(world, close):
    """Its mails wait and it is named; a stranger's folder beside the games is passed by."""
    played_on(world)
    other = begun(world, world.anna, world.boris)
    for game, seq in ((world.game, 3), (other, 1)):
        world.boris.sign(game)
        world.office.put(letter(turn(world.boris, game, seq), world.boris.address), world.ref.address)
    (world.ref.place / "lost+found").mkdir()
    shut = [world.ref.place / "lost+found", world.ref.folder(other)]
    close += shut

    day = world.director.post()
    assert (world.folder / "0003.yaml").exists()
    assert [str(fault) for fault in day.faults] == []
    told = [str(outcome.error) for game in day.games for outcome in game.outcomes if outcome.error is not None]
    assert len(told) == 1
    assert "cannot be read" in told[0]
    assert any("Permission denied" in line for line in world.director.errand.chair.pending())
    close.clear()
    world.director.post()
    assert (world.ref.folder(other) / "0001.yaml").exists()


@pytest.mark.parametrize(("what", "taken"), [("referee/pass", False), ("out/words", True)])
def test_T27_a_folder_of_notes_that_cannot_be_entered_ends_no_round(world, close, what, taken):
    """A fault of the system went through the round, and no game was looked after any more."""
    played_on(world)
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.fetch()
    close.append(place.folder(place.root(world.ref.home) / what))
    day = world.director.errand.take()
    assert (world.folder / "0003.yaml").exists() is taken
    assert ("receipt-0003.yaml" in world.papers()) is taken
    told = [str(outcome.error) for game in day.games for outcome in game.outcomes if outcome.error is not None]
    assert what in str([*told, *day.done])
    close.clear()
    world.director.post()
    assert "receipt-0003.yaml" in world.papers()


def test_T27_a_players_game_whose_folder_cannot_be_entered_is_not_called_gone(world, close):
    """'kursk restore' would make a second folder of it."""
    played_on(world)
    anna = world.member["anna"]
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.anna.address)
    close += [world.anna.folder(world.game)]
    day = anna.post()
    (error,) = [outcome.error for game in day.games for outcome in game.outcomes]
    assert "cannot be read" in str(error)
    assert "is gone" not in str(error)
    close.clear()
    anna.post()
    assert (world.anna.folder(world.game) / "0003.yaml").exists()


@pytest.mark.parametrize("hurt", ["folder gone", "message 0 gone", "message 0 damaged"])
def test_T27_a_players_damaged_game_keeps_no_letter_of_another_back(several, capsys, hurt):
    """Nobody can tell to whom its letters go: 'kursk outbox' and 'kursk post' ended with a fault of the program."""
    anna, games = several
    damaged, whole = sorted(games)[:2]
    first = anna.folder(damaged) / "0000.yaml"
    if hurt == "message 0 damaged":
        first.write_bytes(b"junk")
    elif hurt == "message 0 gone":
        first.unlink()
    else:
        shutil.rmtree(anna.folder(damaged))
    anna.kursk("outbox", status=2 if hurt == "message 0 damaged" else 0)
    told = capsys.readouterr()
    assert f"{whole[:8]}/0" in told.out
    assert told.err.count(damaged[:8]) == (hurt == "message 0 damaged")


def test_T27_a_closed_game_of_a_tournament_is_named_and_the_round_goes_on(relayed, close):
    relayed.ref.post()
    close += [relayed.folder / "games"]
    assert any("cannot be read" in str(error) for error in relayed.ref.post().refused)
    assert any("Permission denied" in line for line in relayed.ref.errand.chair.pending())


def closing(cup, close, what):
    """Nobody may look into the records of tournaments at the director's desk, or where the link to them leads."""
    root = cup.ref.friend.home / "tournaments"
    if what == "link":
        root.rename(root.with_name("unplugged"))
        root.symlink_to(root.with_name("elsewhere"))
    else:
        close.append(root if what == "root" else next(root.iterdir()))


def opening(cup, close):
    root = cup.ref.friend.home / "tournaments"
    if root.is_symlink():
        root.unlink()
        root.with_name("unplugged").rename(root)
    close.clear()


@pytest.mark.parametrize("what", ["root", "record", "link"])
def test_T27_what_comes_for_tournaments_whose_records_are_closed_waits_and_that_is_told_once(entered, close, what):
    """Papers of players and a proposal were called unknown, and dealt with; automatic forfeits could have followed."""
    entered.direct("people", "confirm", "--all", "--yes")
    entered.direct("tournament", "close")
    entered.ref.post()
    entered.time.now += DAY
    for player in entered.players.values():
        player.post()
    entered.time.now += DAY
    closing(entered, close, what)
    for _twice in range(2):
        day = entered.ref.post()
        (told,) = [str(error) for error in day.refused]
        assert "tournaments" in told
        assert "wait" in told
        assert not any("take no part" in line for line in day.done)
        assert str(entered.ref.friend.home / "tournaments") in "\n".join(entered.ref.errand.chair.pending())
        entered.time.now += DAY
    opening(entered, close)
    entered.ref.post()
    relayed(entered)
    closing(entered, close, what)
    day = entered.ref.post()
    assert [game.desk for game in day.games] == [None]
    (error,) = [outcome.error for game in day.games for outcome in game.outcomes]
    assert "what comes of this game waits" in str(error)
    opening(entered, close)
    entered.ref.post()
    assert [board.games != () for board in entered.book().undecided()] == [True]


def test_T27_a_strangers_game_outside_of_tournaments_does_not_wait_for_closed_ones(entered, close, friends):
    carla, dmitri = friends("carla", "dmitri")
    game = began(carla, dmitri)
    closing(entered, close, "root")
    entered.office.put(letter(turn(carla, game, 0), carla.address), entered.ref.address)
    day = entered.ref.post()
    assert [outcome.error for taken in day.games for outcome in taken.outcomes] == [None]


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


@pytest.mark.parametrize("what", ["games", "link", "journal", "record"])
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


@pytest.mark.parametrize("what", ["games", "link"])
def test_T52_no_game_ends_while_the_referee_s_records_cannot_be_read(automatic, close, what):
    """The games at hand counted as all there are."""
    world = automatic
    played_on(world)
    root = world.ref.home / "games"
    root.mkdir(exist_ok=True)
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    hide(close, root, what)
    for _again in range(3):
        world.time.passes(9 * 24 * 3600)
        with pytest.raises(DiskError, match=str(root)):
            world.director.post()
    assert "forfeit.yaml" not in world.papers()
    show(close, root)
    world.director.post()
    assert "forfeit.yaml" not in world.papers()


def refused(day):
    return [outcome.again for game in day.games for outcome in game.outcomes if outcome.error is not None]


@pytest.mark.parametrize("what", ["waiting", "journal entry", "lock"])
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
