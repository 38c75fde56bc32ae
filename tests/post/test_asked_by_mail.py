"""Answers of a referee's mailbox: readers, limits and contents (docs/referees.md 2)."""

import shutil

import pytest
from helpers.mailbags import MACHINES, letter, turn

from kursk_pbem.post.referee import answers, terms
from post import refereed_mail
from post.refereed_mail import played_on

LINK = "http://malware.example/prize.exe"


def flat(raw):
    """Return the words of a letter."""
    return " ".join(raw.split())


def pending(world):
    return "\n".join(world.director.session.referee.list_pending())


def test_commands_are_answered_in_words_to_the_address_on_file(world):
    played_on(world)
    world.office.mails.clear()
    world.asks("STATUS\nREPORT\nmap\nRULE hex-toy 1\nHELP\n\n> STATUS\n-- \nAnna")
    ((reader, raw),) = world.words()
    assert reader == world.anna.address
    assert "Auto-Submitted: auto-replied" in raw
    assert "In-Reply-To: <q1@example.test>" in raw
    assert "message 3 of" in raw
    assert f"kursk-{world.game[:8]}-map.svg" in raw
    assert "ABSENT [GAME] DAY DAY" in raw
    assert "> STATUS" not in raw


def test_T11_a_referee_without_terms_answers_report_and_the_player_heals(world, tmp_path):
    """N-4: 'kursk post watch' of a director answered no command, and the player's post refused the answer."""
    shutil.copytree(world.boris.place, tmp_path / "backup")
    refereed_mail.deliver_message(world, world.boris, 1)
    shutil.rmtree(world.boris.place)
    shutil.copytree(tmp_path / "backup", world.boris.place)
    world.office.mails.clear()
    terms.terms_path(world.ref.home).unlink()
    world.director.director = False
    world.director.sits()
    world.asks("REPORT 1", who="boris")
    (answer,) = (raw for _at, _sender, reader, raw in world.office.mails if reader == world.boris.address)
    (tmp_path / "answer.eml").write_bytes(answer)
    world.boris.kursk("inbox", tmp_path / "answer.eml")
    assert world.boris.desk(world.game).seq == 2


def test_questions_of_one_round_are_answered_in_one_letter_each_once(world):
    for number, words in enumerate(("MAP\nMAP\nSTATUS", "STATUS", "HELP")):
        world.office.put(f"From: anna@example.test\r\nX: {number}\r\n\r\n{words}\r\n".encode(), world.ref.address)
    world.director.post()
    ((_reader, raw),) = world.words()
    assert "status, help" in raw
    assert [raw.count(words) for words in ("filename=", "is awaited", "ABSENT [GAME]")] == [1, 1, 1]


def test_an_answer_waits_for_the_round_after_another_letter_to_its_reader(world):
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    world.asks("STATUS")
    assert world.words() == []
    world.director.post()
    assert [reader for reader, _raw in world.words()] == [world.anna.address]


def test_ten_letters_with_answers_a_day_go_to_an_address(world):
    for number in range(12):
        world.asks("RULE hex-toy 1", X=number)
    assert len(world.words()) == 10
    world.time.passes(86_400)
    world.director.post()  # the receipt of Anna's own message
    world.asks("HELP", X=13)
    assert len(world.words()) == 11


def test_T49_a_flood_of_questions_costs_ten_answers(world, monkeypatch):
    drawn, real = [], answers.Asker.answer
    monkeypatch.setattr(answers.Asker, "answer", lambda asker, asked: drawn.append(asked) or real(asker, asked))
    for number in range(60):
        mail = f"From: anna@example.test\r\nMessage-ID: <q{number}@example.test>\r\n\r\nRULE hex-toy {number}\r\n"
        world.office.put(mail.encode(), world.ref.address)
    world.director.post()
    assert (len(drawn), len(world.words())) == (10, 1)


def test_T44_machines_get_no_answer(world):
    assert [each for each in MACHINES if world.asks("STATUS", **each).mails != 1 or world.words()] == []
    assert (world.asks("STATUS").mails, len(world.words())) == (1, 1), "a person gets one, whatever came before"


@pytest.mark.parametrize("who", ["ref", "stranger"])
def test_T45_T56_strangers_and_ourselves_get_no_answer(world, who):
    world.asks("STATUS", who=who)
    assert world.words() == []


@pytest.mark.parametrize("words", ["Hello,\n\nSTATUS\n", "> STATUS\n\nThanks!\nSTATUS\n", "STATUS " + "x" * 300])
def test_T56_what_is_quoted_or_said_below_is_no_command(world, words):
    world.asks(words)
    assert world.words() == []


@pytest.mark.parametrize(
    "asked", [f"MAP {LINK}", f"REPORT {LINK}", f"RULE hex-toy {LINK}", f"ABSENT {LINK} 2026-12-24"]
)
def test_T56_an_answer_repeats_nothing_of_the_question(world, asked):
    """Any sender can write a question in a player's name."""
    world.asks(asked)
    ((_reader, raw),) = world.words()
    assert f"{asked.partition(' ')[0]}: " in raw
    assert "malware" not in raw


def test_absent_is_told_to_the_director_and_changes_nothing(directed):
    raw = letter(turn(directed.anna, directed.game, 0), "anna@example.test", how="attached")  # beside a turn
    directed.office.put(raw.replace(b"Hello,", b"ABSENT 2026-12-24 2027-01-02", 1), directed.ref.address)
    directed.director.post()
    directed.director.post()
    raw = next(raw for reader, raw in directed.words() if reader == directed.anna.address)
    assert "you are away from 2026-12-24 to 2027-01-02" in flat(raw)
    assert "to 2027-01-02; if a message is due, 'kursk referee extend" in pending(directed)
    assert directed.papers() == ["receipt-0000.yaml"]


@pytest.mark.parametrize("days", ["tomorrow 2027-01-02", "9999-12-30 9999-12-31", "2020-01-01 2020-01-02"])
def test_absent_refuses_days_that_are_none_or_far_away(world, days):
    world.asks(f"ABSENT {days}")
    assert "ABSENT: " in world.words()[-1][1]
    assert pending(world) == ""


def test_one_player_leaves_the_other_room_to_be_absent(world):
    for number in range(3):
        lines = [f"ABSENT 2026-10-{number * 8 + day + 1:02} 2026-11-01" for day in range(5)]
        world.asks("\n".join(lines), X=number)
        world.asks("\n".join(line.replace("11-01", "11-02") for line in lines), X=number + 10)
    assert "too many absences of yours" in flat(world.words()[-1][1])
    world.asks("ABSENT 2026-10-01 2026-10-02", "boris")
    assert pending(world).count("will be away") == 21


def test_T49_a_question_at_which_a_library_fails_stops_no_other(world, monkeypatch):
    def fails(*_of):
        raise IndexError("at a picture")

    with monkeypatch.context() as patch:
        patch.setattr(answers.views, "draw_view", fails)
        assert "skipped because of an error" in str(world.asks("MAP").faults)
    world.asks("HELP", Message_ID="<q2@example.test>")
    assert len(world.words()) == 1
