"""A folder that the program may not enter, of another user perhaps: it is named, and stops nothing but its own game."""

import shutil

import pytest
from helpers.mailbags import letter, turn
from helpers.refereed_mail import begun, comes, damages, hours, played_on

from kursk_pbem.errors import DiskError, KurskError
from kursk_pbem.post import place, seat, spool


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
    hours(world, 26, step=13)  # on its first day nothing is put away
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


@pytest.mark.parametrize("what", ["closed", "file"])
def test_T27_where_letters_in_words_cannot_lie_turns_go_out_and_what_is_asked_waits(world, close, what):
    """No letter went out; and where somebody asked, or a letter came back, nothing was taken."""
    played_on(world)
    root = place.root(world.ref.home) / "out" / "words"
    close += [place.folder(root)] if what == "closed" else []
    if what == "file":
        shutil.rmtree(root, ignore_errors=True)
        damages(root)
    world.office.mails.clear()
    back = "Content-Type: multipart/report\r\n\r\nk1.words.{}@x.test\r\nAction: failed\r\n".format("0" * 32)
    world.office.put(f"From: a@b.test\r\n{back}".encode(), world.ref.address)
    world.office.put(b"From: anna@example.test\r\nMessage-ID: <q@a.test>\r\n\r\nSTATUS\r\n", world.ref.address)
    comes(world, world.boris, 3)
    assert {reader for _at, _sender, reader, _raw in world.office.mails} == {world.anna.address, world.boris.address}
    assert {str(root) in str(fault) for fault in world.director.errand.faults} == {True}
    assert len(list(spool.Spool(world.ref.home).mails())) == 2
    close.clear()
    root.unlink() if what == "file" else None
    world.director.post()
    assert [reader for reader, _raw in world.words()] == [world.anna.address]
    assert list(spool.Spool(world.ref.home).mails()) == []


@pytest.mark.parametrize("what", ["kept", "read"])
def test_T27_a_game_whose_letters_cannot_be_written_down_keeps_no_letter_of_another_back(world, what):
    """The round of sending ended there."""
    other = begun(world, world.anna, world.boris)
    shut, free = sorted((world.game, other))
    root = place.root(world.ref.home) / "out" / shut[:16]
    for game in (shut, free):
        world.boris.sign(game)
        world.office.put(letter(turn(world.boris, game, 1), world.boris.address), world.ref.address)
    world.director.fetch()
    world.director.errand.take()
    shutil.rmtree(root, ignore_errors=True)
    real = place.once

    def once(path, data):
        if path.parent == root:
            raise DiskError(f"{path} cannot be written")
        return real(path, data)

    def attachment(seat, item):
        if seat.game == shut:
            raise KurskError(f"it is gone from {root}")
        return attached(seat, item)

    attached = seat.attachment
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*((place, "once", once) if what == "kept" else (seat, "attachment", attachment)))
        steps = world.director.errand.send()
    assert {step.slate.about.game for step in steps} == {free}
    assert {str(root) in str(fault) for fault in world.director.errand.faults} == {True}


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


@pytest.mark.parametrize("empty", [False, True])
def test_T27_what_comes_while_the_folder_of_the_games_is_away_waits(world, empty):
    """A disk that was not mounted for a round: a relayed game was one that is not known, and its message was lost."""
    world.boris.sign(world.game)
    games = world.ref.place / "games"
    games.mkdir()
    shutil.move(world.folder, games)
    (world.ref.place / "0000.yaml").unlink()
    away = games.rename(world.ref.place / "away")
    for _round in range(2):
        if empty and not games.exists():
            games.mkdir()
        world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
        world.director.sits().intake.here = games
        day = world.director.post()
        assert "its folder is gone" in str([str(outcome.error) for outcome in day.games[0].outcomes])
    if empty:
        games.rmdir()
    away.rename(games)
    world.director.sits().intake.here = games
    world.director.post()
    assert (games / world.folder.name / "0001.yaml").exists()


def test_T49_a_game_that_is_named_like_one_whose_letters_went_out_does_not_wait(world):
    """Anybody may name one that begins with the same digits: while the game is here nothing of its like stays."""
    played_on(world)
    other = turn(world.boris, world.game, 1).replace(world.game.encode(), world.game[:16].encode() + b"0" * 48)
    assert seat.closed(world.ref.home, world.ref.place, world.game[:16] + "0" * 48) == ""
    world.office.put(letter(other, "s@evil.test"), world.ref.address)
    day = world.director.post()
    assert [str(outcome.error) for game in day.games for outcome in game.outcomes if outcome.again] == []
