"""What if: a game of its own from any position; the game, its folder and private record stay as they are."""

import io
import json
import random
import shutil

import pytest
from helpers import finished_games, registry, sweeps, things
from helpers.commands import refused, tree, well

from kursk_pbem.audit import verify
from kursk_pbem.cli import run
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.own import desks, register, remembered
from kursk_pbem.desk.rescue import moving
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.trial import what_if
from kursk_pbem.errors import DiskError, FileError, KurskError, UsageError
from kursk_pbem.game import folders, histories, journal, keyring, verified
from kursk_pbem.practice import opponent, partner
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.trust import keys

CASES = [
    (folder, random.Random(f"{folder.name} {number}").randrange(len(list(folder.glob("????.yaml")))))
    for number in range(6)
    for folder in finished_games.list_folders()
]
"""Random messages of all finished games: more than 200."""


def everything(*places):
    """Return every file below the places, without exception."""
    return {path: path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()}


def room_of(home):
    room = Room(home, home)
    room.partner = partner.Partner(home, room.changing).bring
    return room


@pytest.mark.parametrize(("folder", "seq"), sweeps.some(CASES, 130))
def test_any_position_of_any_game_begins_a_game_and_changes_nothing(folder, seq, tmp_path):
    """The position is that of the message, apart from new seals, and the due side can write its message."""
    assert len(CASES) >= 200
    before = everything(folder)
    game = histories.load(folder, end=seq).game
    if game.played_out:
        with pytest.raises(UsageError, match="the game is over"):
            partner.find_start(folder, tmp_path, seq)
        return
    start = partner.find_start(folder, tmp_path, seq)
    assert start.seq <= seq
    begun = partner.start_what_if(tmp_path, start, "", 1)
    desk = room_of(tmp_path).desk(begun)
    assert desk.mine
    assert desk.game.title.startswith("What if: ")
    opponent.write_due(desk, 1)
    assert room_of(tmp_path).desk(begun).seq > desk.seq
    assert everything(folder) == before
    first = folders.message_path(desk.folder, 0)
    assert folders.read_message(first).state["units"] == start.game.state.to_plain()["units"]


@pytest.fixture
def german(demo, tmp_path):
    """Return the German's place in the demonstration: game folder and private folder."""
    place = shutil.copytree(demo / "german", tmp_path / "german")
    return next(place.glob("game-*")), place / "private"


def test_T23_the_secret_of_the_player_is_never_read(german, monkeypatch):
    """Own dice follow from the secret; only the player's own seals are read from the journal."""
    folder, home = german
    own = journal.find(home, folders.read_game_id(folder))
    decode = journal.decode_secret

    def fail(hidden):
        assert hidden != own.hidden
        return decode(hidden)

    monkeypatch.setattr(journal, "decode_secret", fail)
    kept = everything(folder, own.path)
    history = histories.load(folder)
    known = unknown = 0
    for step in history.steps[1:-1]:
        start = partner.find_start(folder, home, step.message.seq)
        what_if.start_game(home, start)
        entries = {key: value for key, value in step.after.state.agenda.items() if key.startswith(what_if.SEALED)}
        mine = {key for key, value in entries.items() if step.after.chain.writer(int(value["seq"])) == own.side}
        assert {f"{what_if.SEALED}{label}" for label in start.guessed} == entries.keys() - mine
        for key in mine:
            label, seq = key.removeprefix(what_if.SEALED), int(entries[key]["seq"])
            assert start.sealed[label] == own.read_slot(seq).seals[label]["value"]
        known, unknown = known + len(mine), unknown + len(start.guessed)
    assert known
    assert unknown
    assert everything(folder, own.path) == kept


def test_no_die_of_the_game_falls_in_a_what_if_game(german, tmp_path):
    """Keys, nonce and ids are new: the same orders roll other dice, and two trials differ."""
    folder, home = german
    history = histories.load(folder)
    rolls = next(step for step in history.steps if step.result and step.result.dice)
    rolled = set()
    for _trial in range(5):
        start = partner.find_start(folder, home, rolls.message.seq - 1)
        desk = room_of(home).desk(what_if.start_game(home, start))
        told = desks.preview_duties(desk, desk.record_of_writer()) if desk.mine else None
        rolled.add(json.dumps(dict(told.dice)) if told else "")
    assert len(rolled) > 1


def test_nothing_that_was_opened_later_is_known(tmp_path):
    """A finished game has opened everything; at message N the guess counts, not the value."""
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    history = histories.load(folder)
    hidden = [
        (step.message.seq, key.removeprefix(what_if.SEALED))
        for step in history.steps
        for key in step.after.state.agenda
        if key.startswith(what_if.SEALED) and not step.after.over
    ]
    assert len(hidden) > 10
    for seq, label in hidden:
        start = partner.find_start(folder, tmp_path, seq)
        if start.seq == seq:
            assert label in start.guessed
            assert start.sealed[label] == find_ideas(registry.kit("battle-for-kursk").ruleset).guess(
                None, None, label, None
            )


def test_messages_are_taken_back_over_dice(tmp_path):
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    game = partner.start_what_if(tmp_path, partner.find_start(folder, tmp_path, 7), "german", 1)
    room = room_of(tmp_path)
    first = room.desk(game)
    for _message in range(3):
        opponent.write_due(room.desk(game), 1)
    assert room.desk(game).game.rolled
    while room_of(tmp_path).desk(game).seq > first.seq:
        what_if.take_back(tmp_path, game, program=True)
    again = room_of(tmp_path).desk(game)
    assert (again.seq, again.game.state.sha256()) == (first.seq, first.game.state.sha256())
    with pytest.raises(UsageError, match="at its start"):
        what_if.take_back(tmp_path, game, program=True)
    opponent.write_due(again, 1)
    assert room_of(tmp_path).desk(game).seq > first.seq


@pytest.mark.parametrize(
    ("ruleset", "name"), [("battle-for-kursk", "german-strategic"), ("armor-commander", "referee")]
)
@pytest.mark.some(3)
@pytest.mark.parametrize("number", [0, 1, 2, 3, 7, 12])
def test_T9_an_interrupted_beginning_leaves_no_game(ruleset, name, number, german, monkeypatch):
    """The disk is full at the first, second ... file; the player's other games are listed as before."""
    place, home = german
    monkeypatch.setenv("KURSK_HOME", str(home))
    monkeypatch.chdir(place.parent)
    listed = register.list_games(home, home)
    folder, left, write = finished_games.folder_of(registry.kit(ruleset), name), [None] * number, folders.write

    def fill_disk(*what, **how):
        if not left:
            raise DiskError("no space left on device")
        left.pop()
        return write(*what, **how)

    start = partner.find_start(folder, home, 7)
    monkeypatch.setattr(folders, "write", fill_disk)
    with pytest.raises(DiskError):
        partner.start_what_if(home, start, "", opponent.NOBODY)
    monkeypatch.setattr(folders, "write", write)
    assert [known.game for known in register.list_games(home, home)] == [known.game for known in listed]
    assert run(["status"]) == run(["status", "--json"]) == 0


@pytest.mark.parametrize("number", [2, *map(sweeps.long, (0, 1, 3, 4, 5))])
def test_T9_an_interrupted_undo_goes_on(number, tmp_path, monkeypatch):
    """In a game with a referee three records and three folders lose messages."""
    folder = finished_games.folder_of(registry.kit("armor-commander"), "referee")
    game = partner.start_what_if(tmp_path, partner.find_start(folder, tmp_path, 9), "german", opponent.NOBODY)
    for _message in range(3):
        opponent.write_due(room_of(tmp_path).desk(game), 1)
    before, left, drop = room_of(tmp_path).desk(game).seq, [None] * number, journal.Record.drop

    def stop(record, seq):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        drop(record, seq)

    monkeypatch.setattr(journal.Record, "drop", stop)
    with pytest.raises(KeyboardInterrupt):
        what_if.take_back(tmp_path, game)
    monkeypatch.setattr(journal.Record, "drop", drop)
    what_if.take_back(tmp_path, game)
    assert room_of(tmp_path).desk(game).seq < before


def test_a_trial_with_a_referee_opens_in_a_page(tmp_path, monkeypatch):
    """The key of its referee is made for the trial and protects nobody."""
    folder = finished_games.folder_of(registry.kit("armor-commander"), "referee")
    game = partner.start_what_if(tmp_path, partner.find_start(folder, tmp_path, 4), "", opponent.NOBODY)
    monkeypatch.setattr(machine, "get_machine", lambda: machine.PAGE)
    assert room_of(tmp_path).desk(game).mine


@pytest.fixture(params=(0, 7))
def trial(request, tmp_path):
    """Return a home and the desk of a what-if game with a new message; from message 0 its position is legal."""
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    home = tmp_path / "own"
    game = what_if.start_game(home, partner.find_start(folder, home, request.param))
    opponent.write_due(room_of(home).desk(game), 1)
    return home, room_of(home).desk(game)


def test_the_player_reads_reports_of_a_trial(trial, capsys, monkeypatch):
    """A report of all messages verifies without the cache, by the private record."""
    home, desk = trial
    monkeypatch.setenv("KURSK_HOME", str(home))
    for words in (("--all",), ("--story",), ("--history",), ("--turn", desk.game.state.turn)):
        assert well(capsys, "report", desk.folder, *words)
    assert "What if" in well(capsys, "status", desk.folder)


def test_every_screen_names_a_trial(trial, capsys, monkeypatch):
    home, desk = trial
    monkeypatch.setenv("KURSK_HOME", str(home))
    for word in ("map", "moves", "odds", "order", "hint", "report", "status"):
        run([word, desk.game.chain.game[:8]])
        said = capsys.readouterr()
        assert "what-if game" in said.err or "What if" in said.out, word
        assert "mail it now" not in said.out


def test_P12_a_trial_has_no_successor(trial, tmp_path, capsys, monkeypatch):
    """An offer would bring its position into an ordinary message 0."""
    home, desk = trial
    monkeypatch.setenv("KURSK_HOME", str(home))
    keys.generate_key_pair(tmp_path / "boris", b"boris".ljust(32))
    words = ("offer", desk.folder, "successor", "--yes", "--new-opponent", tmp_path / "boris.pub")
    assert "no successor" in refused(capsys, 2, *words)


FILE_DOORS = ("adjudicate", "verify", "inbox", "accept", "prove", "replay", "report", "tournament inbox")
FOLDER_DOORS = ("verify", "prove", "export", "replay", "tournament verify")


def test_P12_no_command_takes_a_what_if_game_for_a_game(trial, tmp_path, capsys, monkeypatch):
    """Neither folder nor message of a trial is a game, a turn, a proof or a result to anybody else."""
    _home, desk = trial
    away = shutil.copytree(desk.folder, tmp_path / "away")
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "stranger"))
    monkeypatch.chdir(tmp_path)
    shown = tree(away)
    assert verify.verify_game(away).status
    with pytest.raises(KurskError):
        histories.load(away)
    for path in (folders.message_path(away, 0), folders.message_path(away, desk.seq - 1)):
        for door in FILE_DOORS:
            assert run([*door.split(), str(path)]), door
    for door in FOLDER_DOORS:
        assert run([*door.split(), str(away)]), door
    said = capsys.readouterr()
    assert "counts nowhere" in said.err + said.out
    assert not (tmp_path / "stranger" / "games").exists()
    assert tree(away) == shown


@pytest.mark.parametrize("wrapping", sweeps.some(things.WRAPPINGS, 3))
def test_P12_no_mail_brings_a_message_of_a_what_if_game(trial, wrapping, tmp_path, capsys, monkeypatch):
    """Also the player's own inbox refuses a message that was taken back: nobody signs twice."""
    home, desk = trial
    own = journal.find(home, desk.game.chain.game)
    files = [folders.read_bytes(folders.message_path(desk.folder, seq)) for seq in (0, desk.seq - 1)]
    what_if.take_back(home, own.game)
    for number, raw in enumerate(files):
        name, data = things.wrap(things.Thing("a turn", "turn.yaml", None), raw, wrapping)
        path = tmp_path / f"{number}-{name}"
        path.write_bytes(data)
        for reader in (home, tmp_path / "stranger"):
            monkeypatch.setenv("KURSK_HOME", str(reader))
            kept = tree(home)
            run(["inbox", str(path)])
            said = capsys.readouterr()
            assert "counts nowhere" in said.err + said.out or "unknown" in said.err + said.out, (reader, number)
            assert tree(home) == kept
            assert not (tmp_path / "stranger" / "games").exists()


def test_P12_a_record_makes_no_game_a_trial(german, tmp_path):
    """Message 0 must say so, too: otherwise a record could free a player of the orders of a real game."""
    folder, home = german
    path = journal.find(home, folders.read_game_id(folder)).path / "game.json"
    path.write_text(json.dumps({**json.loads(path.read_text("ascii")), "what-if": "4"}), encoding="ascii")
    for lie in (lambda: verified.load(folder, home), lambda: what_if.take_back(home, folders.read_game_id(folder))):
        with pytest.raises(FileError, match="counts nowhere"):
            lie()


def test_T46_a_strangers_saved_folder_brings_no_what_if_game(trial, tmp_path):
    home, desk = trial
    raw, _why = moving.save_everything(home)
    other = tmp_path / "other"
    key = keyring.find_or_make(other)
    remembered.remember(other, key=key)
    assert not moving.open_saved(moving.survey_saved(io.BytesIO(raw), other)).games
    assert not [*other.glob("games/*")]
    moving.open_saved(moving.survey_saved(io.BytesIO(raw), tmp_path / "fresh"))
    assert [*tmp_path.glob("fresh/games/*")], "one's own new machine"
    assert desk.game.what_if is not None


def test_a_guess_is_typed(tmp_path):
    """The player's own guess replaces the program's."""
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    start = next(
        each
        for each in (partner.find_start(folder, tmp_path, seq) for seq in range(3, 20))
        if any("posture" in label for label in each.guessed)
    )
    (label,) = [each for each in start.guessed if "posture" in each]
    typed = tmp_path / "guess.yaml"
    typed.write_text(f"{label}: {{posture: pause, reaction: 'no'}}\n", encoding="ascii")
    guessed = partner.find_start(folder, tmp_path, start.seq, typed=typed)
    assert guessed.sealed[label] == {"posture": "pause", "reaction": "no"}
