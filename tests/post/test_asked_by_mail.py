"""What a referee's mailbox answers in words where many ask, or the same again."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.refereed_mail import DAY, comes, hours, played_on
from helpers.returned import reply_to

from kursk_pbem.desk.referee import grants
from kursk_pbem.post import people, sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.referee import answers, notes, requests


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


def test_T49_words_in_the_name_of_one_player_take_no_room_of_another(world, monkeypatch):
    monkeypatch.setattr(sorting, "ROOM", 1000)
    for number in range(20):
        mail = f"From: boris@example.test\r\nMessage-ID: <e{number}@evil.test>\r\n\r\nhello\r\n"
        world.office.put(mail.encode(), world.ref.address)
    world.time.passes(60)
    world.asks("STATUS")
    assert [reader for reader, _raw in world.words()] == [world.anna.address]


def test_a_question_that_comes_with_a_turn_is_told_no_other_term_than_the_receipt(world):
    """'with no term yet' was mailed together with the receipt that said the term."""
    world.boris.sign(world.game)
    raw = letter(turn(world.boris, world.game, 1), world.boris.address)
    world.office.put(raw, world.ref.address)
    world.asks("STATUS")
    assert "receipt-0001.yaml" in world.papers()
    (_reader, raw) = world.words()[0]
    assert "is awaited; its term comes with the receipt of message 1" in " ".join(raw.split())


def test_T56_who_writes_in_a_players_name_uses_up_neither_their_answers_nor_their_absences(world):
    """Ten forged questions and twenty forged absences were all there was for a day, and for the game."""
    for number in range(25):
        day = f"2026-10-{number + 1:02}"
        mail = f"From: anna@example.test\r\nMessage-ID: <e{number}@evil.test>\r\n\r\nABSENT {day} {day}\r\n"
        world.office.put(mail.encode(), world.ref.address)
        world.time.passes(1)
        if number % 10 == 9:
            world.director.post()
            world.time.now += DAY
    world.director.post()
    world.office.mails.clear()
    for number in range(11):
        world.asks(f"RULE hex-toy {number}", X=number)
    (_reader, raw), *others = world.words()
    assert len(others) < 10
    world.office.mails.clear()
    world.asks("STATUS", In_Reply_To=f"<k1.words.{'0' * 32}@example.test>")
    world.asks("STATUS", "boris", In_Reply_To=reply_to(raw))
    assert [reader for reader, _raw in world.words()] == [world.boris.address]
    world.office.mails.clear()
    for number in range(11):
        world.asks(f"ABSENT 2026-11-01 2026-11-{number + 1:02}", X=number, References=f"<a@b.test> {reply_to(raw)}")
    assert [("director is told" in " ".join(raw.split())) for _reader, raw in world.words()] == [True] * 10
    told = [line for line in world.director.errand.chair.pending() if "will be away" in line]
    assert ["a mail, which anybody can have written, says" in line for line in told] == [True] * 20 + [False] * 10


def test_T49_whoever_asks_for_the_first_time_on_a_day_is_answered_however_many_others_ask(world, monkeypatch):
    """Questions in the names of others used up what there is for all."""
    monkeypatch.setattr(notes, "IN_ALL", 3)
    for number in range(5):
        world.asks(f"RULE hex-toy {number}", "boris", X=number)
    world.asks("STATUS")
    world.asks("HELP")
    assert [reader for reader, _raw in world.words()] == [world.boris.address] * 3 + [world.anna.address]


def test_T60_nobody_works_out_the_message_id_of_a_letter_in_words(world):
    """It followed from the day, the reader's key and the words: a reply proved nothing."""
    world.asks("HELP")
    ((_reader, raw),) = world.words()
    store.set_setting(world.ref.home, "secret", "")
    world.asks("HELP", X=2)
    (_first, (_reader, other)) = world.words()
    assert reply_to(raw) != reply_to(other)


def test_T56_the_opponent_is_not_told_the_message_id_of_a_letter_in_words(directed):
    """A reminder brought the message that was lost; what its reader then mailed the opponent named it."""
    world, boris = directed, directed.member["boris"]
    comes(world, world.boris, 1)
    postal.carried(world.game, 1, world.boris, world.anna)
    comes(world, world.anna, 2)
    world.office.boxes.clear()
    hours(world, 7 * 24, step=6)
    boris.post()
    world.boris.sign(world.game)
    world.office.mails.clear()
    boris.post()
    sent = [raw for _at, _sender, reader, raw in world.office.mails if reader == world.anna.address]
    assert [b"0003.yaml" in raw for raw in sent] == [True]
    assert b"k1.words." not in sent[0]


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "no"},
        {"X_Mailer": "Novelty Mail 3"},
        {"X_Mailer": "Novelty Mail 3 (auto-answer capable)"},
        {"User_Agent": "Vacationer 2"},
        {"Precedence": "first-class"},
        {"Feedback_ID": "i1234:Fastmail"},
        {"Return_Path": "<bounces@forwarder.test>", "Sender": "Anna <anna@example.test>"},
        {"Subject": "Re: Automatic reply: question"},
        {"Subject": "Delivery failure of my turn"},
        {"Subject": "Fwd: Undeliverable: your turn"},
        {"Subject": "Out of office: 3 to 9 May"},
        {"X_MS_Exchange_Inbox_Rules_Loop": "anna@example.test"},
        {"Delivered_To": "vacationer@example.test"},
        {"Subject ": "status"},
    ],
)
def test_T44_people_get_one_whatever_writes_their_mails(world, headers):
    world.asks("STATUS", **headers)
    assert len(world.words()) == 1


def test_T44_a_mailbox_that_is_called_as_a_program_answers_people():
    """Each mail that came to it says so in its Delivered-To."""
    mail = Mail(b"From: anna@example.test\nDelivered-To: autoreply@example.test\n\nSTATUS\n", "a mail")
    assert requests.machine(mail, ("ref@example.test",)) == "a program wrote it"
    assert requests.machine(mail, ("AutoReply@example.test",)) == ""


def test_T44_whose_header_is_not_read_to_its_end_gets_no_answer():
    """A field behind what is read may say that a program wrote it."""
    raw = b"From: anna@example.test\nSubject: STATUS\nX-Long: %b\nAuto-Submitted: auto-replied\n\n\n"
    assert "header is longer" in requests.machine(Mail(raw % (b"x" * 70_000), "a mail"), ())


@pytest.mark.parametrize("local", ["no_reply", "noreply+1", "do-not-reply", "bounces+1-x", "bounce-7", "MAILER-DAEMON"])
def test_T44_who_is_called_as_a_program_is_answered_as_one(local):
    """Even where their address is on file; 'bouncer' is a person's."""
    mail = Mail(f"From: {local}@example.test\r\n\r\nSTATUS\r\n".encode(), "a mail")
    assert requests.machine(mail, ()) != ""
    assert requests.machine(Mail(b"From: bouncer@example.test\r\n\r\nSTATUS\r\n", "a mail"), ()) == ""


def test_T44_an_answer_to_an_automatic_answer_asks_in_its_own_words_or_not_at_all(world):
    """A program that answers with a subject of its own and no words was answered up to ten times a day."""
    world.asks("STATUS")
    ((_reader, raw),) = world.words()
    id_ = next(line.partition(": ")[2] for line in raw.split("\r\n") if line.startswith("Message-ID"))
    world.asks("\r\n> quoted", Subject="REPORT 0 was received", In_Reply_To=id_)
    assert len(world.words()) == 1
    world.asks("HELP", Subject="Re: status", In_Reply_To=id_)
    assert len(world.words()) == 2


def test_a_paragraph_is_named_by_its_scenario_as_in_the_command(world):
    """It was taken for words that no paragraph of the game's own ruleset has."""
    world.asks("RULE citadel 7.2")
    ((_reader, raw),) = world.words()
    assert "[7.2]" in raw


def test_T56_a_reply_from_another_address_than_its_letter_went_to_proves_nothing(world):
    """A card named the address of another player: with an old letter of their own somebody was away in that name."""
    world.asks("HELP", "boris")
    ((_reader, raw),) = world.words()
    boris = people.known(world.ref.home, world.boris.public)
    people.save(world.ref.home, boris.put(world.anna.address, people.CONFIRMED, "a card"))
    world.asks("ABSENT 2026-10-01 2026-10-02", In_Reply_To=reply_to(raw))
    told = [line for line in world.director.errand.chair.pending() if "will be away" in line]
    assert ["which anybody can have written" in line for line in told] == [True, True]


def test_T43_a_letter_in_words_that_was_put_off_goes_to_no_address_that_is_used_no_more(world):
    """The director had given another: the old one may be somebody else's."""
    world.office.faults.grey = 100
    world.asks("STATUS")
    anna = people.known(world.ref.home, world.anna.public)
    people.save(world.ref.home, anna.put("anna@new.test", people.SAID, "said"))
    world.office.faults.grey = 0
    world.time.passes(3600)
    world.director.post()
    assert not notes.waiting(world.ref.home)
    mail = b"From: anna@new.test\r\nMessage-ID: <q2@example.test>\r\n\r\nSTATUS\r\n"
    world.office.put(mail, world.ref.address)
    world.director.post()
    assert [reader for reader, _raw in world.words()] == ["anna@new.test"]


def test_T56_commands_in_html_alone_get_no_answer(world):
    world.asks("<p>STATUS</p>", Content_Type="text/html")
    assert world.words() == []


def test_time_that_somebody_away_has_already_is_not_advised_once_more(world):
    """The list went on to name 'kursk extend', which is refused where the term runs longer."""
    world.asks("ABSENT 2026-12-24 2027-01-02", "boris")
    (line,) = (line for line in world.director.errand.chair.pending() if "will be away" in line)
    assert "'kursk extend" in line
    until = line.partition("--until ")[2].partition("'")[0]
    grants.extend(world.folder, world.ref.key, grants.Grant(until=until))
    (line,) = (line for line in world.director.errand.chair.pending() if "will be away" in line)
    assert line.endswith(f"what they owe is due no earlier than {until}")


def test_who_will_be_away_is_told_of_a_game_that_is_over(world):
    """The director was told of an absence from it."""
    played_on(world)
    world.boris.kursk("resign", world.game[:8], "--yes", "-q")
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.post()
    world.asks("ABSENT 2026-12-24 2027-01-02", "boris")
    (raw,) = (raw for reader, raw in world.words() if reader == world.boris.address)
    assert f"game {world.game[:8]} is over: nothing is due in it" in raw
    assert not any("will be away" in line for line in world.director.errand.chair.pending())


def as_drafted(world):
    """The letter with Boris's turn as his mail program sends it: the one that 'kursk outbox --eml' wrote."""
    world.boris.sign(world.game)
    world.boris.kursk("outbox", "--eml", world.boris.place / "drafts", "-q")
    (path,) = (world.boris.place / "drafts").rglob("*0001*.eml")
    own = b"From: boris@example.test\r\nMessage-ID: <his@example.test>\r\n"
    return path.read_bytes().replace(b"X-Unsent: 1\r\n", own, 1)


@pytest.mark.parametrize(("above", "answered"), [(b"STATUS\r\n\r\n", 1), (b"", 0)])
def test_a_command_above_the_words_of_a_drafted_letter_is_heard(world, above, answered):
    """Its subject said that a desk had written all of it; what that wrote itself is no command."""
    raw = as_drafted(world)
    begins = b"Content-Transfer-Encoding: 7bit\r\n\r\n"
    assert raw.count(begins) == 1
    world.office.put(raw.replace(begins, begins + above, 1), world.ref.address)
    world.director.post()
    assert "receipt-0001.yaml" in world.papers()
    assert len(world.words()) == answered


def test_a_question_above_a_picture_is_heard(world):
    """In a mail above 256 KiB it was passed over, and nobody was told."""
    picture = "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + ("A" * 76 + "\r\n") * 6000
    parts = ["", "Content-Type: text/plain\r\n\r\nABSENT 2026-12-24 2026-12-25\r\n", f"{picture}", ""]
    world.asks("\r\n--x\r\n".join(parts), Content_Type='multipart/mixed; boundary="x"')
    assert any("will be away from 2026-12-24" in line for line in world.director.errand.chair.pending())
    assert len(world.words()) == 1


def test_T49_of_a_long_mail_no_more_than_its_beginning_is_held_for_its_words():
    raw = b"From: anna@example.test\n\nSTATUS\n" + b"x\n" * 1_000_000
    held = sorting.read([Mail(raw, "a mail")] * 3, words=lambda _mail: True)
    assert [len(mail.raw) for mail in held.silent] == [sorting.WORDS] * 3
    assert held.room == sorting.ROOM - 3 * (sorting.WORDS + 4096)


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
    assert "nobody foresaw it (IndexError)" in str(day.refused)
    world.asks("HELP", Message_ID="<q2@example.test>")
    assert len(world.words()) == 1
