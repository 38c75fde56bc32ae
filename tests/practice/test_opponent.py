"""The practice opponent: a desk of its own, which knows the player from the mails alone."""

import json
import shutil

import pytest
from helpers import opponents, sweeps
from helpers.commands import well
from rulesets import toys

from kursk_pbem.cli import run
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import register
from kursk_pbem.practice import analysis, opponent, partner
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.rulebook import balance
from kursk_pbem.rulesets import ruleset
from kursk_pbem.trust import messages

CITADEL, RIDGE = "battle-for-kursk/citadel", "ridge-toy/hill"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return the folder of a player who has a private folder and nothing else."""
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KURSK_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("messages", sweeps.sizes(5, 99))
def test_a_whole_game_of_two_opponents_is_signed_and_verified(place, capsys, messages):
    german, russian = place / "german", place / "russian"
    wish = {"scenario": CITADEL, "side": "russian", "level": 1, "name": "Anna", "key": opponent.open_home(russian, 1)}
    mail, turn = opponent.answer_request(german, json.dumps(wish).encode()), 0
    while mail and turn < messages:
        assert b"practice, level 1" in mail or turn not in (1, 2)  # the signed note of each first message
        mail, turn = opponent.answer_request((russian, german)[turn % 2], mail), turn + 1
    for home in (german, russian):
        [folder] = home.glob("game-*")
        assert f"{folder}: verified, " in well(capsys, "verify", folder)


def test_a_system_without_ideas_is_played_by_any_legal_orders(place, capsys, monkeypatch):
    toys.plug(monkeypatch)
    homes = {"blue": place / "blue", "red": place / "red"}
    proposer = begin.find_proposer(RIDGE, {})
    other = next(side for side in homes if side != proposer)
    wish = {"side": other, "level": 1, "name": "Anna", "key": opponent.open_home(homes[other], 1)}
    request, turn = json.dumps({"scenario": RIDGE, **wish}).encode(), 0
    mail = opponent.answer_request(homes[proposer], request)
    while mail:
        assert b"practice, any legal orders" in mail or turn > 2
        mail, turn = opponent.answer_request(homes[proposer if turn % 2 else other], mail), turn + 1
    assert turn > 8
    for home in homes.values():
        [folder] = home.glob("game-*")
        assert f"{folder}: verified, " in well(capsys, "verify", folder)
    assert b"any legal orders" in (folder / "0000.yaml").read_bytes()


def test_the_answer_does_not_change_with_the_secrets_of_the_player(place):
    """The opponent gets one mail, and the player's private folder has other seals, or is gone: the same bytes."""
    home = place / "home"
    desk = partner.start_game(home, CITADEL, "russian", 1)
    assert run(["order", desk.game.chain.game[:8], "posture", "engage"]) == 0
    assert run(["sign", desk.game.chain.game[:8], "--yes"]) == 0
    mail = (desk.folder / "0001.yaml").read_bytes()
    answers = []
    for name in ("same", "other", "gone"):
        copy = place / name
        shutil.copytree(home, copy)
        [slot] = (copy / "games").glob("*/journal/0001.json")
        if name == "other":
            assert "engage" in slot.read_text()
            slot.write_text(slot.read_text().replace("engage", "pause"))
        if name == "gone":
            shutil.rmtree(copy / "games")
            (copy / "practice" / "key").unlink()
        asked = opponents.answer_here if name == "same" else partner.ask_opponent
        answers.append(asked(copy, 1, mail))
    assert answers[0]
    assert answers[0] == answers[1] == answers[2]


def test_the_command_begins_answers_and_stops(place, capsys, monkeypatch):
    said = well(capsys, "practice", "citadel", "--as", "german")
    assert "unequal chances" in said
    assert balance.find_sentence("battle-for-kursk/citadel")[1:] in " ".join(said.split())
    assert "you play the German side (practice, level 1)" in said
    assert "Message 2" in said
    assert "'kursk practice' brings the answer" in well(capsys, "sign", "--yes")
    assert "'kursk practice' brings the answer" in " ".join(well(capsys, "status").split())
    assert "practice" not in well(capsys, "outbox")
    assert "Message 3 of the Russian side:" in well(capsys, "practice")
    monkeypatch.setattr(analysis, "MOMENTS", 0)
    resigned = well(capsys, "practice", "--stop", "--yes")
    assert "you resigned" in resigned
    assert "Your three worst moments" in resigned
    assert run(["practice", "--stop", "--yes"]) == 2
    assert "no practice game" in capsys.readouterr().err
    monkeypatch.setattr(partner, "ask_opponent", opponents.answer_here)  # sooner
    well(capsys, "practice", "citadel")
    assert "removed" in well(capsys, "practice", "--stop", "--yes")  # nobody is bound yet
    assert run(["status"]) == 0


def test_a_recruit_plays_legal_orders_and_its_lost_answer_comes_again(place, capsys, monkeypatch):
    """The opponent gives the same answer again, so no command of restore is printed."""
    monkeypatch.setattr(partner, "ask_opponent", opponents.answer_here)  # sooner
    begun = well(capsys, "practice", "gun-line", "--as", "german", "--level", "recruit")
    assert "you play the German side (practice, recruit)" in begun
    well(capsys, "sign", "--yes")
    assert "Message 3 of the Soviet side:" in well(capsys, "practice")
    [folder] = (place / "home" / "practice").glob("game-*")
    assert b"note: 'practice, recruit'" in (folder / "0001.yaml").read_bytes()
    path = folder / "0003.yaml"
    text = path.read_bytes()
    path.unlink()
    assert "'kursk practice' brings the answer" in " ".join(well(capsys, "status").split())
    well(capsys, "practice")
    assert path.read_bytes() == text
    assert opponent.read_level(place / "home" / "practice" / "level-0") == 0
    assert opponent.read_level(place / "home") == opponent.NOBODY


def test_a_stopped_opponent_orders_as_the_next_lower_level_and_says_so(place, monkeypatch):
    """Level 2, stopped, orders what level 1 orders with the same key and mail; the signed note names the level."""
    monkeypatch.setitem(find_ideas(ruleset("juggernauts")).efforts, 2, 100)  # sooner
    monkeypatch.setattr(partner, "ask_opponent", opponents.answer_here)  # sooner
    desk = partner.start_game(place / "home", "juggernauts/july-1943", "german", 2)
    assert run(["sign", desk.game.chain.game[:8], "--yes"]) == 0
    mail, answers = (desk.folder / "0001.yaml").read_bytes(), {}
    for level, stopped in ((2, False), (2, True), (1, False)):
        home = place / f"level-{level}-{stopped}"
        shutil.copytree(place / "home" / "practice" / "level-2", home)
        (home / register.OPPONENT).write_text(json.dumps({"level": level}))
        answer = opponent.answer_request(home, mail, stopped=stopped)
        answers[level, stopped] = messages.read_message(answer, "answer").content
    said = answers[2, True].pop("note")
    assert said == "You stopped the thinking: these are the orders of level 1."
    chosen = [{key: answer[key] for key in ("orders", "seal") if key in answer} for answer in answers.values()]
    assert chosen[1] == chosen[2] != chosen[0]


def test_an_opponent_plays_no_tournament(place, monkeypatch, capsys):
    home = place / "home" / "practice" / "level-1"
    opponent.open_home(home, 1)
    rules = place / "rules"
    rules.write_text("no rules")
    assert run(["tournament", "enter", str(rules), "Anna", "--key", str(home / "key")]) == 2
    assert "practice opponent" in capsys.readouterr().err
    monkeypatch.setenv("KURSK_HOME", str(home))
    assert run(["tournament", "enter", str(rules), "Anna", "--key", str(home / "key")]) == 2
    assert "practice opponent" in capsys.readouterr().err
