"""Studies: a file with a game, comments and branches, which proves nothing."""

import json
import re

import pytest
from helpers import finished_games, registry, things
from helpers.commands import refused, well

from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.trial import studies, what_if
from kursk_pbem.errors import FileError, KurskError, UsageError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import histories
from kursk_pbem.practice import opponent, partner

KITS = [
    ("battle-for-kursk", "german-strategic", 7),
    ("battle-for-kursk", "referee", 6),
    ("kursk-1971", "german-decisive", 7),
    ("juggernauts", "german-normal", 7),
    ("armor-commander", "hill-held", 8),
]


def trial(folder, home, seq, messages=4):
    """Play a few messages of a what-if game by programs; return its history."""
    game = partner.start_what_if(home, partner.find_start(folder, home, seq), "", 1)
    room = Room(home, home)
    room.partner = partner.Partner(home, room.changing).bring
    for _message in range(messages):
        desk = room.desk(game)
        if not desk.mine:
            break
        opponent.write_due(desk, 1)
    return room.desk(game)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a study with three branches and two comments, and its game. Only to be read."""
    home = tmp_path_factory.mktemp("study")
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    history = histories.load(folder)
    study = studies.begin(history)
    for seq, name, messages in ((7, "earlier", 4), (9, "<b>later</b>", 2), (7, "again", 2)):
        study = studies.add_branch(studies.verify(study, "it"), trial(folder, home, seq, messages).history, name)
    study = studies.add_comment(study, "3", "Why not Orel?", "Anna")
    study = studies.add_comment(study, "b1/9", "<script>alert(1)</script>", "Eve")
    return study, history


@pytest.mark.some(5)
@pytest.mark.parametrize(("ruleset", "name", "seq"), KITS)
def test_a_branch_of_any_system_is_played_again_by_the_rules(ruleset, name, seq, tmp_path):
    folder = finished_games.folder_of(registry.kit(ruleset), name)
    desk = trial(folder, tmp_path, seq, 2)
    verified = studies.verify(studies.begin(histories.load(folder)), "it")
    study = studies.add_branch(verified, desk.history, "by hand")
    again = studies.verify(studies.parse(study.to_bytes(), "it"), "it")
    (line,) = again.branches.values()
    last = desk.history.steps[-1].after.state
    end = line.steps[-1].after.state
    assert (end.turn, end.side, end.stage) == (last.turn, last.side, last.stage)
    assert (end.units, end.tracks, end.marks) == (last.units, last.tracks, last.marks)
    page, (branch,) = studies.make_pages(again)
    assert branch.verified[0] == studies.BY_HAND
    assert page.verified[0] != studies.BY_HAND


def changed(study, change):
    """Return the bytes of a study after a change of its data."""
    data = json.loads(study.to_bytes())
    change(data)
    return canon(data) + b"\n"


def shorten(data):
    """Leave the messages of a what-if game away, up to its position."""
    del data["branches"][0]["messages"][8:], data["comments"][1:]


LIES = {
    "a die": lambda data: data["branches"][0]["messages"].__setitem__(
        9, re.sub("'[1-6]'", "'7'", data["branches"][0]["messages"][9], count=1)
    ),
    "a message less": lambda data: data["branches"][0]["messages"].pop(9),
    "the game as a branch": lambda data: data["branches"][0].update(messages=data["messages"]),
    "another game": lambda data: data.update(
        messages=studies.begin(
            histories.load(finished_games.folder_of(registry.kit("battle-for-kursk"), "referee"))
        ).messages
    ),
    "a branch as the game": lambda data: data.update(messages=data["branches"][0]["messages"]),
    "no message": shorten,
    "a message": lambda data: data["messages"].__setitem__(2, data["messages"][2].replace("seq: '2'", "seq: '3'")),
    "a signature": lambda data: data["messages"].__setitem__(2, data["messages"][3]),
    "a start": lambda data: data["messages"].__delitem__(slice(6, None)),
    "a name twice": lambda data: data["branches"][1].update(id="b1"),
    "a place": lambda data: data["comments"][0].update(at="b7/3"),
    "a late place": lambda data: data["comments"][1].update(at="b1/99"),
    "a control": lambda data: data["comments"][0].update(text="a\x1b[31m"),
    "a direction": lambda data: data["comments"][0].update(name="a\u202eb"),
    "a long comment": lambda data: data["comments"][0].update(text="x" * 1001),
    "many comments": lambda data: data.update(comments=data["comments"][:1] * 501),
    "many branches": lambda data: data.update(branches=[{**data["branches"][0], "id": f"b{n}"} for n in range(1, 52)]),
    "a long branch": lambda data: data["branches"][0].update(messages=data["branches"][0]["messages"] * 80),
    "a field": lambda data: data.update(notes="private"),
    "a number": lambda data: data["comments"][0].update(at=3),
    "a constant": lambda data: data.update(branches=None),
}


@pytest.mark.parametrize("lie", LIES)
def test_T27_a_reader_refuses_what_does_not_verify_or_is_too_large(lie, written, tmp_path):
    """A study is a stranger's file."""
    study, _history = written
    path = tmp_path / "lie.study"
    path.write_bytes(changed(study, LIES[lie]))
    with pytest.raises(KurskError):
        studies.verify(studies.read(path), "it")


def test_T27_a_study_has_a_megabyte_at_most(written, tmp_path):
    study, _history = written
    raw = study.to_bytes()
    for bad in (raw + b" " * studies.MAX_BYTES, b"[" * 5000, b'{"a": 1}', raw.replace(b'"at"', b'"at" '), b"\xff"):
        path = tmp_path / "bad.study"
        path.write_bytes(bad)
        with pytest.raises(FileError):
            studies.read(path)


def test_a_branch_with_other_points_given_is_of_another_game(written, tmp_path, monkeypatch):
    _study, history = written
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    sign = what_if.messages.signed_bytes

    def forge(content):
        if content["type"] == "propose":
            content["options"] = {"given": "german-50"}
        return sign(content)

    monkeypatch.setattr(what_if.messages, "signed_bytes", forge)
    other = trial(folder, tmp_path, 7).history
    monkeypatch.undo()
    with pytest.raises(UsageError, match="this what-if game is from another game"):
        studies.add_branch(studies.verify(studies.begin(history), "it"), other, "")


@pytest.mark.parametrize("earlier", [0, 1])
def test_a_study_of_a_running_game_shows_no_sealed_value(demo, tmp_path, earlier):
    """The player's own plan is known to the what-if game, and must not travel to the opponent.

    ``earlier``: the what-if game begins before the value was sealed, and shows a plan with an equal name.
    """
    place = next((demo / "german").glob("game-*"))
    home = demo / "german" / "private"
    history = histories.load(place)
    running = next(
        step.message.seq
        for step in history.steps[3:]
        for key, entry in step.after.state.agenda.items()
        if key.startswith(what_if.SEALED) and step.after.chain.writer(int(entry["seq"])) == "german"
    )
    part = histories.load(place, end=running)
    game = what_if.start_game(tmp_path, partner.find_start(place, home, running - earlier), "german")
    room = Room(tmp_path, tmp_path)
    verified = studies.verify(studies.begin(part), "it")
    for _message in range(3 + earlier):
        opponent.write_due(room.desk(game), 1)
    with pytest.raises(UsageError, match="the branch would show"):
        studies.add_branch(verified, room.desk(game).history, "")
    short = studies.verify(studies.begin(histories.load(place, end=running - earlier)), "it")
    with pytest.raises(UsageError, match="the branch would show"):
        studies.add_branch(short, room.desk(game).history, "", part)
    assert list(studies.describe_shown(verified))


def test_a_comment_of_another_program_is_not_lost(written, tmp_path):
    study, _history = written
    path = tmp_path / "it.study"
    studies.save(path, study)
    studies.save(path, studies.add_comment(study, "3", "first", "Anna"), study)
    with pytest.raises(UsageError, match="has changed meanwhile"):
        studies.save(path, studies.add_comment(study, "3", "second", "Boris"), study)
    assert [each["text"] for each in studies.read(path).comments][-1] == "first"


def test_T23_the_study_of_the_board_is_for_its_owner_alone(demo, tmp_path):
    folder = next((demo / "german").glob("game-*"))
    desk = desks.open_desk(folder, demo / "german" / "private")
    studies.comment_at_board(tmp_path, desk, 3, "Why?", "Anna")
    (path,) = (tmp_path / "studies").iterdir()
    assert (path.stat().st_mode & 0o077, path.parent.stat().st_mode & 0o077) == (0, 0)


@pytest.mark.some(3)
@pytest.mark.parametrize("wrapping", things.WRAPPINGS)
def test_P12_no_command_takes_a_study_for_a_turn_a_proof_or_a_result(wrapping, written, tmp_path, monkeypatch):
    """Neither the file, nor a message of a branch, alone or in a mail."""
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    monkeypatch.chdir(tmp_path)
    study, _history = written
    branch = study.branches[0]["messages"]
    for number, raw in enumerate((study.to_bytes(), branch[0].encode(), branch[-1].encode())):
        name, data = things.wrap(
            things.Thing("a study", "it.study" if not number else "turn.yaml", None), raw, wrapping
        )
        path = tmp_path / f"{number}{name}"
        path.write_bytes(data)
        for door in (
            "verify",
            "adjudicate",
            "inbox",
            "prove",
            "accept",
            "tournament inbox",
            "tournament verify",
            "report",
        ):
            assert run([*door.split(), str(path)]) or (door == "inbox" and wrapping in ("mbox", "zip")), door
        assert not (tmp_path / "private" / "games").exists()
        assert not list(tmp_path.rglob("report*"))


def test_the_commands_write_a_study_and_its_page(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    well(capsys, "study", "new", folder, "-o", "it.study")
    well(capsys, "study", "comment", "it.study", "5", "Here the line broke.", "--name", "Anna")
    desk = trial(folder, tmp_path / "private", 7, messages=1)
    well(capsys, "study", "branch", "it.study", desk.game.chain.game[:8], "--name", "through Orel")
    well(capsys, "replay", "it.study")
    page = (tmp_path / "it.html").read_text("utf-8")
    for words in ("Here the line broke.", "through Orel", "Played by hand"):
        assert words in page
    read = studies.read(tmp_path / "it.study")
    assert (len(read.branches), len(read.comments)) == (1, 1)
    for at in ("b2/9", "x", "b1/", "", "1.5", "9" * 5000):
        refused(capsys, 2, "study", "comment", "it.study", at, "nowhere")
    for text in ("", "\udcff"):
        refused(capsys, 2, "study", "comment", "it.study", "5", text)
    refused(capsys, 2, "study", "new", folder, "-o", "it.study")
