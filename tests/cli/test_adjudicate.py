"""kursk adjudicate: the verdict on turn files, from these files alone."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import alone, finished_games, losing, registry
from helpers.falsified import falsified

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import blanks, editors
from kursk_pbem.game import folders, histories, reports, verdicts
from kursk_pbem.trust import keys, messages, sshsig

GAMES = [finished_games.folder_of(kit, "referee") for kit in registry.kits()]
GAMES += [min(set(finished_games.list_folders()) - set(GAMES), key=str)]


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """Return an empty folder; the private folder and HOME cannot exist."""
    (tmp_path / "file").write_text("no folder", "ascii")
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "file" / "private"))
    monkeypatch.delenv("HOME", raising=False)
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def adjudicate(capsys, status, *words):
    """Run the command; return both streams as one text."""
    done = run(["adjudicate", *map(str, words)])
    said = capsys.readouterr()
    assert done == status, said
    assert "Traceback" not in said.err
    return said.out + said.err


def list_tree(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def second(demo, game):
    """Return a function that writes message 7 of the demonstration, changed and signed again."""

    def write(change, name="other.yaml"):
        path = game.parent / name
        path.write_text(falsified(demo, SimpleNamespace(paths=losing.letters(game.parent)), 7, change), "ascii")
        return path

    return write


@pytest.mark.some(3)
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_each_message_of_a_game_gets_its_report_and_the_next_draft(capsys, nowhere, folder):
    """The report equals the report of a verified game; no private folder is read or made."""
    steps = histories.load(folder).steps
    for step in (steps[0], steps[1], steps[len(steps) // 2], steps[-1]):
        file, out = folders.message_path(folder, step.message.seq), nowhere / str(step.message.seq)
        said = adjudicate(capsys, 0, file, "-o", out)
        assert reports.report_step(step) in said
        names = {path.name for path in out.iterdir()}
        drafts = (
            {f"{step.message.seq + 1:04d}.draft.yaml", editors.NAME} if verdicts.is_draft_due(step.after) else set()
        )
        assert names == {file.name, f"report-{file.stem}.txt"} | drafts
        assert (out / f"report-{file.stem}.txt").read_text("ascii") == reports.report_step(step)
    assert not (nowhere.parent / "file").is_dir()


@pytest.mark.some(2)
@pytest.mark.parametrize("folder", GAMES[:-1], ids=lambda folder: folder.parent.name)
def test_2_9_a_reply_has_no_draft_although_a_player_is_due(capsys, nowhere, folder):
    """The position belongs to the offering side until the reply; 'kursk reply' writes the reply."""
    offered = [step for step in histories.load(folder).steps if step.after.chain.offer]
    for step in offered:
        file, out = folders.message_path(folder, step.message.seq), nowhere / str(step.message.seq)
        adjudicate(capsys, 0, file, "-o", out)
        assert not list(out.glob("*.draft.*"))
    assert {step.message.sender for step in offered} > {"referee"}


@pytest.mark.parametrize("seq", [3, 7])
def test_a_private_folder_changes_no_byte_and_shows_no_own_die(capsys, game, nowhere, monkeypatch, seq):
    """After message 3 only the German's record opens the dice of message 4, before the orders are chosen."""
    own, told = game.parent / "private", list[str]()
    before = list_tree(game.parent)
    assert own in {parent for path in before for parent in path.parents}
    for name in ("1", "2"):
        told.append(adjudicate(capsys, 0, folders.message_path(game, seq), "--proof", "-o", nowhere / name))
        monkeypatch.setenv("KURSK_HOME", str(own))
    assert told[0] == told[1].replace(f"{nowhere}/2/", f"{nowhere}/1/")
    assert list_tree(game.parent) == before
    one, two = (list_tree(nowhere / name) for name in "12")
    assert [*one.values()] == [*two.values()]
    draft = one[folders.draft_path(nowhere / "1", seq + 1)]
    if seq == 7:  # a message without dice of the writer: 'kursk inbox' has written the same draft
        assert draft == folders.draft_path(game, 8).read_bytes()
    else:
        assert b"desk" in draft
        assert not any(label in told[0] for label in folders.read_message(game / "0004.yaml").mapping("dice"))


def test_every_violation_is_told_with_its_line(capsys, game, second, nowhere):
    def move_far(content):
        content["orders"] = {"movement": [{"unit": "r-70", "to": "1101"}, {"unit": "g-9", "to": "1605"}]}

    for seq in range(7):
        shutil.copy(folders.message_path(game, seq), nowhere)
    other = shutil.move(second(move_far), nowhere / "0007.yaml")
    said = adjudicate(capsys, 1, other, "-o", nowhere / "out")
    assert said.count(f"{other}:") == 2
    assert "break the rules in 2 places" in said
    assert not (nowhere / "out").exists()


def test_no_file_is_overwritten_and_the_same_files_are_left(capsys, game, nowhere):
    adjudicate(capsys, 0, game, "-o", nowhere)
    before = list_tree(nowhere)
    adjudicate(capsys, 0, game, "-o", nowhere)
    (nowhere / "0007.yaml").unlink()
    (nowhere / "report-0007.txt").write_text("mine", "ascii")
    assert "exists with other contents; nothing was written" in adjudicate(capsys, 2, game, "-o", nowhere)
    assert not (nowhere / "0007.yaml").exists()
    assert before.keys() - list_tree(nowhere).keys() == {nowhere / "0007.yaml"}


def test_files_of_two_games_are_refused_with_their_names(capsys, game, nowhere):
    said = adjudicate(capsys, 2, game, GAMES[0])
    assert "2 games" in said
    assert folders.read_game_id(game)[:8] in said


def test_json_is_one_line_with_dice_and_files(capsys, game, nowhere):
    told = json.loads(adjudicate(capsys, 0, game / "0004.yaml", "--json", "-o", nowhere))
    assert (told["verdict"], told["seq"], told["next"]) == ("legal", 4, "russian")
    assert any("the dice show" in line for line in told["dice"])
    names = ("0004.yaml", "report-0004.txt", "0005.draft.yaml", "draft.schema.json")
    assert told["wrote"] == [str(nowhere / name) for name in names]


@pytest.mark.parametrize("first", ["seals", "dice"])
def test_a_draft_before_closed_values_says_whose_desk_opens_them(game, first):
    """Without the writer's secret nobody knows the position in which the writer chooses."""
    seq, folder = (3, game) if first == "seals" else (2, finished_games.ROOT / "juggernauts" / "russian-normal")
    after = histories.load(folder).steps[seq].after
    assert bool(after.chain.outstanding_seals(after.chain.writer(seq + 1))) == (first == "seals")
    assert verdicts.preview_choices(after) is None
    text = blanks.compose_draft(after, None, {}).replace("\n#  ", "")
    assert "at the writer's desk" in text


@pytest.mark.parametrize("word", ["resolve", "judge", "turn", "umpire"])
def test_near_words_lead_to_adjudicate(capsys, word):
    assert run([word]) == 2
    assert "did you mean 'kursk adjudicate'?" in capsys.readouterr().err


def test_check_of_a_signed_file_names_adjudicate(capsys, game):
    assert run(["check", str(game / "0007.yaml")]) == 2
    assert "'kursk adjudicate'" in capsys.readouterr().err


def test_the_private_record_explains_no_missing_file(capsys, game, nowhere, monkeypatch):
    """The owner's record knows the lost message, but its words would differ from a stranger's."""
    alone.cut_blocks(game)
    folders.message_path(game, 0).unlink()
    stranger = adjudicate(capsys, 2, game)
    monkeypatch.setenv("KURSK_HOME", str(game.parent / "private"))
    assert adjudicate(capsys, 2, game) == stranger
    assert "message 0 is missing" in stranger


def test_a_damaged_earlier_file_is_missing_and_accuses_nobody(capsys, game, nowhere):
    alone.cut_blocks(game)
    path = folders.message_path(game, 3)
    path.write_text(path.read_text("ascii").replace("posture: engage", "posture: pause", 1), "ascii")
    for thing in (game, game / "0007.yaml"):
        said = adjudicate(capsys, 2, thing)
        assert "message 3 is missing" in said
        assert f"Not counted: {path}:" in said


def test_a_turn_with_a_foreign_key_gets_no_verdict_of_an_earlier_turn(capsys, demo, game, nowhere):
    """Status 0 for message 6 would pass for the verdict on message 7."""
    message = folders.read_message(game / "0007.yaml")
    foreign = keys.load_key(demo / "german" / "me").sign(sshsig.NAMESPACE, message.signed)
    (game / "0007.yaml").write_text(messages.emit_message(message.content, foreign, message.state), "ascii")
    said = adjudicate(capsys, 2, game / "0007.yaml")
    assert "message 7 cannot be decided" in said


def test_T27_a_huge_number_is_answered_at_once(capsys, game, second):
    """A player can sign any number; the missing numbers are named as a range."""
    other = second(lambda content: content.update(seq="999999999"))
    assert "messages 8 to 999999998 are missing" in adjudicate(capsys, 2, other, game)


def test_the_archive_form_needs_no_other_file(capsys, game, nowhere, monkeypatch):
    monkeypatch.setenv("KURSK_HOME", str(game.parent / "private"))
    assert run(["export", str(game), "-o", str(nowhere)]) == 0
    for thing in (nowhere, nowhere / "0005.json"):
        assert "is legal" in adjudicate(capsys, 0, thing)


def test_the_next_turn_file_is_checked_and_signed_where_it_lies(capsys, demo, tmp_path, monkeypatch):
    """The README ends with this file "to fill in and sign"; the desk lacks the message that was judged."""
    player = losing.Loser(demo, tmp_path)
    player.backup(3)
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    monkeypatch.chdir(tmp_path)
    adjudicate(capsys, 0, player.mail(4), "-o", "next")
    assert Path("next/draft.schema.json").is_file()
    for words in (["check"], ["order"], ["moves"], ["odds"], ["setup", "schema"]):
        assert run([*words, "next/0005.draft.yaml"]) == 0, (words, capsys.readouterr())
    assert run(["check", "next"]) == 0
    assert not (player.folder / "0004.yaml").exists()
    capsys.readouterr()
    assert run(["sign", "next/0005.draft.yaml", "--yes"]) == 0
    assert "took the new message 4" in capsys.readouterr().out
    assert folders.read_message(player.folder / "0005.yaml").sender == "russian"
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))
    assert run(["check", "next/0005.draft.yaml"]) == 2
    assert "'kursk restore . next'" in capsys.readouterr().err
