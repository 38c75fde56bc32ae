"""A last call: no game ends by itself before everybody was told that it will, and nobody answered (decision 74)."""

from email import message_from_bytes
from pathlib import Path

import pytest
from helpers import sweeps
from helpers.mailbags import by_desk, letter, turn
from helpers.postmen import Line, text
from helpers.refereed_mail import DAY, begun, closing, held_back, hours, last_calls, played_on
from helpers.returned import report

from kursk_pbem.desk.referee import grants
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.post import people
from kursk_pbem.post.referee import notes, terms
from kursk_pbem.post.servers.smtp import DOUBT, REFUSED, Answer

BOSS = "boss@example.test"


def calls(world):
    """Their readers and texts, as they went out."""
    there = [(reader, message_from_bytes(raw)) for _at, _from, reader, raw in world.office.mails]
    return {reader: mail for reader, mail in there if "a last call" in str(mail["Subject"])}


def directs(world, address):
    """The director is reached there."""
    path = terms.path_of(world.ref.home)
    path.write_text(path.read_text().replace(f'director = "{BOSS}"', f'director = "{address}"'))
    world.director.sits()


@pytest.fixture
def world(automatic):
    """Boris owes message 3."""
    played_on(automatic)
    return automatic


@pytest.fixture
def called(world):
    """Its term and the grace are over, and everybody was told so."""
    hours(world, 8 * 24, step=6)
    assert set(calls(world)) == {world.anna.address, world.boris.address, BOSS}
    return world


def over(world, days=3):
    """Whether it has ended by itself in some more days."""
    hours(world, days * 24, step=6)
    return "forfeit.yaml" in world.papers()


def words(world, sender, about="", **fields):
    """Somebody writes to the mailbox."""
    lines = [f"From: {sender}", f"Subject: {about}", f"Message-ID: <{len(sender)}{len(about)}@x.test>"]
    lines += [f"{name.replace('_', '-')}: {said}" for name, said in fields.items()]
    world.office.put("\r\n".join([*lines, "", "Wait, please", ""]).encode(), world.ref.address)
    return world.director.post()


def replies(world, reader, sender=""):
    """One of them answers the letter as mail programs do."""
    mail = calls(world)[reader]
    return words(world, sender or reader, f"Re: {mail['Subject']}", In_Reply_To=mail["Message-ID"])


def refuses(patch, reader):
    """The server takes no last call to somebody."""
    real = Line.send

    def send(line, raw, sender, to):
        refused = to == reader and b"a last call" in raw
        return Answer(REFUSED, 550, "no") if refused else real(line, raw, sender, to)

    patch.setattr(Line, "send", send)


def test_2_12_the_players_and_the_director_are_told_that_a_game_ends_and_what_to_do(called):
    for reader, mail in calls(called).items():
        plain = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        body = plain.get_payload(decode=True).decode().replace("\r\n", "\n")
        assert "was due 2026-09-08 00:01 UTC,\nand has not come here" in body
        assert "ends by itself, two days after" in body
        files = [part.get_filename() for part in mail.walk() if part.get_filename()]
        assert ("mail it again" in body) == (reader == called.boris.address) == bool(files)
        assert ("'kursk referee'" in body) == (reader == BOSS)
        assert mail["Subject"] == f"[kursk {called.game[:8]}] a last call: message 3 was due 2026-09-08 00:01 UTC"


def test_2_12_it_ends_two_days_after_they_were_told_if_nobody_answers(called):
    first = called.time.now
    assert f"it ends by itself {text(first + 2 * DAY)}, if nobody answers" in str(
        called.director.errand.chair.pending()
    )
    hours(called, 48, step=6)
    assert "forfeit.yaml" not in called.papers()
    hours(called, 1)
    assert "forfeit.yaml" in called.papers()
    assert len(last_calls(called.ref.home, called.folder)) == 3


@pytest.mark.parametrize("reader", ["anna@example.test", "boris@example.test", BOSS])
def test_2_12_whoever_answers_leaves_it_to_the_director(called, reader):
    replies(called, reader)
    assert not over(called)
    assert "read that before you end the game" in str(called.director.errand.chair.pending())


def test_2_12_so_does_whoever_is_not_known_here(called):
    replies(called, BOSS, "anna@home.example")
    assert not over(called)


@pytest.mark.parametrize("about", ["game-{0:.16}", "kursk-{0:.12}", "game {0}"])
def test_2_12_a_game_may_be_named_by_more_than_eight_digits(called, about):
    words(called, "anna@home.example", about.format(called.game))
    assert not over(called)


def test_2_12_the_late_side_need_not_say_which_game(called):
    words(called, called.boris.address, "hello")
    assert not over(called)


def test_2_12_what_else_the_other_player_writes_counts_if_it_names_the_game(called):
    words(called, called.anna.address, "hello")
    assert over(called)


def test_2_12_what_they_wrote_before_says_nothing_of_it(world):
    words(world, world.anna.address, f"Re: [kursk {world.game[:8]}] thanks")
    assert over(world, 12)


@pytest.mark.parametrize("machine", [True, False])
def test_2_12_a_program_that_answers_is_nobody(called, machine):
    mail = calls(called)[called.anna.address]
    fields = {"Auto_Submitted": "auto-replied"} if machine else {}
    words(called, called.anna.address, f"Re: {mail['Subject']}", **fields)
    assert over(called) == machine


def test_2_12_a_letter_of_the_other_players_desk_is_no_answer(called):
    called.office.put(by_desk(letter(turn(called.anna, called.game, 2)), called.ref, called.boris), called.ref.address)
    called.director.post()
    assert over(called)


def test_2_12_a_desk_that_hears_its_own_letters_answers_nothing(automatic):
    """A director may be reached at the address of the mailbox."""
    directs(automatic, automatic.ref.address)
    played_on(automatic)
    assert over(automatic, 12)


def test_2_12_a_director_without_an_address_reads_the_list(automatic):
    directs(automatic, "")
    played_on(automatic)
    hours(automatic, 8 * 24, step=6)
    assert set(calls(automatic)) == {automatic.anna.address, automatic.boris.address}
    assert over(automatic)


@pytest.mark.parametrize("reader", ["anna@example.test", "boris@example.test", BOSS])
def test_2_12_it_waits_for_a_letter_that_has_not_gone_out(world, monkeypatch, reader):
    refuses(monkeypatch, reader)
    assert not over(world, 12)
    assert len(calls(world)) == 2
    assert "that it ends by itself has not gone out" in str(world.director.errand.chair.pending())


def test_2_12_the_two_days_begin_when_the_last_letter_has_gone(world, monkeypatch):
    hours(world, 7 * 24 + 18, step=6)
    with monkeypatch.context() as patch:
        patch.setattr(Line, "ready", lambda _self: False)
        hours(world, 2 * 24, step=6)
        assert not held_back(world)
    hours(world, 48, step=6)
    assert "forfeit.yaml" not in world.papers()
    assert over(world, 1)


@pytest.mark.parametrize("reader", ["anna@example.test", "boris@example.test", BOSS])
def test_2_12_no_game_ends_upon_a_letter_that_a_server_reports_of(called, reader):
    mid = calls(called)[reader]["Message-ID"]
    called.office.put(report(mid, reader), called.ref.address)
    called.director.post()
    assert not over(called)


UNKNOWN = {
    "without the letter": lambda reader: report("", reader),
    "delayed": lambda reader: report("", reader, action="delayed"),
    "a Message-ID of a server": lambda reader: report("<20260910.1@gate.test>", reader),
    "Exim": lambda reader: f"X-Failed-Recipients: {reader}\r\n{_OF_SERVER}\r\nNo.\r\n".encode(),
    "qmail": lambda reader: f"Return-Path: <>\r\n{_OF_SERVER}\r\nHi.\r\n\r\n<{reader}>:\r\nNo mailbox.\r\n".encode(),
}
_OF_SERVER = "From: MAILER-DAEMON@gate.test\r\nSubject: failure notice\r\n"


@pytest.mark.parametrize("how", sweeps.some(UNKNOWN, 2))
@pytest.mark.parametrize("reader", ["boris@example.test", BOSS])
def test_2_12_nor_upon_one_of_which_a_report_names_the_reader_alone(called, reader, how):
    """The director plays no game: a report that named them alone held nothing, and was told to nobody."""
    called.office.put(UNKNOWN[how](reader.upper()), called.ref.address)
    told = called.director.post().returned
    assert ["to the director may not have arrived" in line for line in told] == [True] * (reader == BOSS)
    assert not over(called)
    assert not called.director.post().returned


def test_2_12_a_report_about_an_older_letter_to_the_director_is_no_report_of_a_last_call(world):
    world.office.put(report("", BOSS), world.ref.address)
    assert not world.director.post().returned
    assert over(world, 12)


def test_2_12_nothing_goes_to_where_a_director_was_reached_before(world, monkeypatch):
    real = Line.send
    with monkeypatch.context() as busy:
        busy.setattr(Line, "send", lambda *of: real(*of) if of[-1] != BOSS else Answer(DOUBT, 0, "later"))
        hours(world, 8 * 24, step=12)
    world.office.mails.clear()
    directs(world, "boss@new.example")
    hours(world, 24, step=6)
    assert {reader for _at, _from, reader, _raw in world.office.mails if "boss" in reader} == {"boss@new.example"}


@pytest.mark.parametrize("reader", ["anna@example.test", BOSS])
def test_2_12_an_answer_counts_though_nobody_knows_yet_that_the_letter_went_out(world, monkeypatch, reader):
    """A server took all of them and broke off before it had said so, or the program was killed there."""
    once, real = set(), Line.send

    def send(line, raw, sender, to):
        answer = real(line, raw, sender, to)
        if b"a last call" not in raw or raw in once:
            return answer
        once.add(raw)
        return Answer(DOUBT, 0, "broke off")

    monkeypatch.setattr(Line, "send", send)
    hours(world, 8 * 24, step=6)
    world.time.passes(4 * 60)
    replies(world, reader)
    assert not over(world, 4)


def test_2_12_what_became_of_the_letters_is_known_as_long_as_it_matters(world):
    """A report was forgotten before the letter that it was about, up to a day before the term was too old to count."""
    people.stop(world.ref.home, world.anna.address)
    world.director.sits()
    hours(world, 7 * 24 + 38 * 24, step=12)
    people.save(
        world.ref.home, people.known(world.ref.home, world.anna.public).put(world.anna.address, people.SAID, "said")
    )
    world.director.sits()
    assert not over(world, 5)
    assert not calls(world)


def test_a_letter_that_is_old_is_forgotten_before_what_became_of_it(called, monkeypatch):
    gone, real = [], Path.unlink

    def unlink(path, **said):
        gone.append(path.name)
        real(path, **said)

    called.time.passes(41 * 24 * 3600)
    monkeypatch.setattr(Path, "unlink", unlink)
    notes.tidy(called.ref.home)
    ends = [name.endswith(".json") for name in gone]
    assert len(gone) > sum(ends) > 2
    assert ends == sorted(ends, reverse=True)


def test_2_12_nobody_ends_a_game_of_which_the_other_player_cannot_be_told(world):
    people.stop(world.ref.home, world.anna.address)
    world.director.sits()
    assert not over(world, 12)
    assert "nobody can tell the amber side first" in str(world.director.errand.chair.pending())


def test_2_12_whoever_is_reached_elsewhere_now_is_told_anew(called):
    hours(called, 24, step=6)
    anna = people.known(called.ref.home, called.anna.public)
    people.save(called.ref.home, anna.put("anna@home.example", people.SAID, "said"))
    called.director.sits()
    hours(called, 48, step=6)
    assert "anna@home.example" in calls(called)
    assert "forfeit.yaml" not in called.papers()
    assert over(called, 1)


def test_2_12_after_a_pause_they_are_told_anew(called):
    until = text(called.time.now + 5 * DAY)
    list(called.director.errand.chair.pause(until))
    hours(called, 6 * 24, step=6)
    assert len(last_calls(called.ref.home, called.folder)) == 3
    hours(called, 48, step=6)
    assert len(last_calls(called.ref.home, called.folder)) == 6
    assert "forfeit.yaml" not in called.papers()
    assert over(called, 1)


def test_2_12_an_answer_is_not_forgotten_in_a_pause(called):
    """They were told anew behind it, and what was answered before counted for nothing."""
    replies(called, called.anna.address)
    assert "read that before you end the game" in str(called.director.errand.chair.pending())
    list(called.director.errand.chair.pause(text(called.time.now + 5 * DAY)))
    assert not over(called, 12)
    assert len(last_calls(called.ref.home, called.folder)) == 3  # it would not be true that nobody has answered


def test_2_12_two_players_of_one_name_are_two(world, monkeypatch):
    for one in (world.anna, world.boris):
        person = people.known(world.ref.home, one.public)
        people.save(world.ref.home, people.replace(person, name="Max"))
    world.director.sits()
    refuses(monkeypatch, world.boris.address)
    assert not over(world, 12)


def test_2_12_a_program_that_dies_between_two_letters_writes_the_others_later(world, monkeypatch):
    real, there = notes.write, []

    def write(home, note, *of):
        if "a last call" in note.subject:
            there.append(note)
            if len(there) == 2:
                raise KeyboardInterrupt
        return real(home, note, *of)

    with monkeypatch.context() as patch:
        patch.setattr(notes, "write", write)
        with pytest.raises(KeyboardInterrupt):
            hours(world, 9 * 24, step=6)
    assert len(last_calls(world.ref.home, world.folder)) == 1
    hours(world, 48, step=6)
    assert len(last_calls(world.ref.home, world.folder)) == 3
    assert "forfeit.yaml" not in world.papers()
    assert over(world, 1)


def test_2_12_a_call_is_of_one_game(called):
    other = begun(called, called.anna, called.boris)
    assert over(called)
    assert not closing(called.ref.home, called.ref.folder(other))


def test_a_look_after_one_term_is_no_look_after_the_next(world):
    """Two looks an hour apart: the first of them after a term that was extended since did not count before."""
    hours(world, 10 * 24, step=24)
    world.director.post()
    assert any("once more, an hour later" in line for line in world.director.errand.chair.pending())
    grants.extend(world.folder, world.ref.key, Grant(days=6, declared=text(world.time.now - 4 * DAY)))
    while len(last_calls(world.ref.home, world.folder)) == 3:
        hours(world, 24, step=24)
    hours(world, 48, step=24)
    assert "forfeit.yaml" not in world.papers()
    hours(world, 1)
    assert "forfeit.yaml" in world.papers()


def test_a_look_at_what_waits_is_no_look_into_the_mailbox(world):
    """Before a game ends by itself the whole mailbox is fetched twice, an hour apart."""
    for _half_day in range(17):
        world.time.passes(12 * 3600)
        world.director.errand.complete = False
        world.director.post()
    chair = world.director.errand.chair
    assert any("message 3 was due" in line for line in chair.pending())
    world.time.passes(2 * 3600)
    assert held_back(world)
    world.director.errand.complete = True
    world.director.post()
    assert not held_back(world)
    for complete in (False, False, False, True, False, True):
        assert "forfeit.yaml" not in world.papers()
        world.time.passes(20 * 3600)
        world.director.errand.complete = complete
        world.director.post()
    assert "forfeit.yaml" in world.papers()


def test_2_12_a_message_that_comes_behind_it_is_late_and_ends_nothing(called):
    called.boris.sign(called.game)
    called.office.put(letter(turn(called.boris, called.game, 3)), called.ref.address)
    called.director.post()
    assert not over(called)
    assert "kursk referee pass" in str(called.director.errand.chair.pending())
