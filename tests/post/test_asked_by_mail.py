"""What a referee's mailbox answers in words where many ask, or the same again."""

import pytest

from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.referee import answers, requests


def test_a_map_of_another_place_or_of_a_later_position_is_another_answer(world):
    """The words around a picture are the same each time."""
    for number, words in enumerate(("MAP", "MAP A1", "MAP", "MAP A1")):
        world.asks(words, X=number)
    assert len({raw for _reader, raw in world.words()}) == 2


def test_T49_of_the_same_questions_in_a_round_one_is_answered_and_of_others_ten(world, monkeypatch):
    """A forged sender makes the mailbox draw no thousand pictures that nobody gets."""
    drawn = []
    real = answers.answer
    monkeypatch.setattr(answers, "answer", lambda request, asker: drawn.append(request) or real(request, asker))
    for number in range(60):
        asked = "MAP" if number % 2 else f"RULE hex-toy {number}"
        mail = f"From: anna@example.test\r\nMessage-ID: <q{number}@example.test>\r\n\r\n{asked}\r\n"
        world.office.put(mail.encode(), world.ref.address)
    world.director.post()
    assert len(drawn) == 10
    assert len([request for request in drawn if request.name == "MAP"]) == 1


def test_a_question_above_a_picture_is_heard(world):
    """In a mail above 256 KiB it was passed over, and nobody was told."""
    picture = "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + ("A" * 76 + "\r\n") * 6000
    parts = ["", "Content-Type: text/plain\r\n\r\nABSENT 2026-12-24 2026-12-25\r\n", f"{picture}", ""]
    world.asks("\r\n--x\r\n".join(parts), Content_Type='multipart/mixed; boundary="x"')
    assert any("will be away from 2026-12-24" in line for line in world.director.errand.chair.pending())
    assert len(world.words()) == 1


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u2060\u00ad", "\u200e"])
def test_a_command_behind_what_nobody_sees_is_heard(unseen):
    """Mail programs put it in front of the words that somebody has pasted."""
    head = "From: anna@example.test\nContent-Type: text/plain; charset=utf-8\n"
    (asked,) = requests.read(Mail(f"{head}\n{unseen}STATUS\n".encode(), "m"))
    assert asked.name == "STATUS"


def test_T49_a_question_at_which_a_library_fails_stops_no_other(world, monkeypatch):
    real = answers.answer

    def fails(request, asker):
        if request.name == "MAP":
            raise IndexError("at a picture")
        return real(request, asker)

    monkeypatch.setattr(answers, "answer", fails)
    day = world.asks("MAP")
    assert "the program failed at it, and set it aside" in str(day.faults)
    world.asks("HELP", Message_ID="<q2@example.test>")
    assert len(world.words()) == 1
