"""What is changed in other ways: line ends, names of files and of games, claims; and what a look at them costs."""

import base64
import tracemalloc
from dataclasses import replace
from email.message import EmailMessage

import click
import pytest
from helpers import pace, sweeps
from helpers.mailbags import letter, states, taken, turn
from helpers.refereed_mail import ends_by_itself

from kursk_pbem.cli import common
from kursk_pbem.post import people
from kursk_pbem.post.envelope import Mail, digest_of
from kursk_pbem.post.referee import firstpart, missed
from kursk_pbem.post.referee.damage import damage_of
from kursk_pbem.post.tournaments import events
from kursk_pbem.trust import keys, leftover, mail, mailcopies, mailmarks, messages, sshsig, strays


@pytest.mark.parametrize("end", [b"\r\r\n", b"\r\r\r\n"])
@pytest.mark.parametrize("how", ["attached", "8bit", "base64", "html"])
@pytest.mark.parametrize("sender", ["boris@example.test", "boris@new.test"])
def test_a_turn_is_taken_from_a_mail_whose_lines_end_with_cr_cr_lf(owed, how, sender, end):
    """They were repaired in files alone: what was fetched so from an unknown address was passed over."""
    raw = letter(turn(owed.boris, owed.game, 3), sender, how=how).replace(b"\r\n", b"\n").replace(b"\n", end)
    owed.office.put(raw, owed.ref.address)
    owed.director.post()
    assert "receipt-0003.yaml" in owed.papers()


def test_words_are_heard_in_such_a_mail_and_two_of_them_are_two(owed):
    raw = b"From: boris@example.test\nSubject: x\nMessage-ID: <a@b>\n\nSTATUS\n".replace(b"\n", b"\r\r\n")
    owed.office.mails.clear()
    owed.office.put(raw, owed.ref.address)
    owed.director.post()
    assert len(owed.words()) == 1
    assert digest_of(raw) == digest_of(raw.replace(b"\r\r\n", b"\n")) != digest_of(raw.replace(b"<a@", b"<c@"))
    for end in (b"\r\r\r\n", b"\r\r\r\r\n"):
        odd = raw.replace(b"\r\r\n", end)
        assert Mail(odd, "").digest == digest_of(odd) == digest_of(raw)


def test_T27_carriage_returns_without_a_line_feed_cost_their_length():
    with pace.within(0.5):
        Mail(b"From: a@x.test\r\r\n" + b"\r" * 4_000_000, "")


NAMED = {
    "UTF-16": lambda text: text.encode("utf-16"),
    "blanks of a page": lambda text: text.replace(" ", "\u00a0").encode(),
    "a page": lambda text: f"<html><p>{text}</p>".replace("game:", "<b>game:</b>").encode(),
    "its blanks": lambda text: f"<html><p>{text}</p>".replace("game: ", "game:&nbsp;").encode(),
    "quotes": lambda text: text.replace("'", "\u2018").encode(),
    "Latin-1": lambda text: text.replace(" ", "\u00a0").encode("latin-1"),
}


@pytest.mark.parametrize("how", NAMED)
def test_T48_a_damaged_turn_names_its_game_however_that_is_written(how):
    """It was told, and held no game: the number was looked for in plain letters alone."""
    game = "12345678" + "ab" * 28
    made = EmailMessage()
    made["From"], made["Subject"] = "new@x.test", "my turn"
    text = f"kursk-pbem: '1'\ngame: '{game}'\nseq: '3'\n"
    made.set_content("Mine.\n")
    made.add_attachment(NAMED[how](text), "application", "octet-stream", filename="turn.txt")
    found = damage_of(Mail(made.as_bytes(), "a mail"), ["12345678", "deadbeef"])
    assert found.games == {"12345678"}


NAMES = [
    "turn.yaml",
    "kursk-GAME-0003.txt",
    "3.yaml",
    "0003 (1).yaml",
    "kursk-GAME-0003(1).yaml",
    "Z\u00fcge.yaml",
    "kursk_GAME_0003.yaml",
]


@pytest.mark.parametrize("quoted", [True, False], ids=["beside one that is quoted", "alone"])
@pytest.mark.parametrize("name", sweeps.some(NAMES, 2))
def test_T48_a_file_of_a_turn_that_was_replaced_is_told_under_any_name_of_one(owed, name, quoted):
    """Beside a turn that is quoted two forms of names were known."""
    made = EmailMessage()
    made["From"], made["Subject"] = owed.boris.address, "Re: your turn"
    old = "".join(f"> {line}\n" for line in turn(owed.anna, owed.game, 2).decode().splitlines())
    made.set_content(f"Mine.\n\n{old if quoted else ''}")
    held = b"This file was removed.\n"
    made.add_attachment(held, "text", "plain", filename=name.replace("GAME", owed.game[:8]))
    owed.office.put(made.as_bytes(), owed.ref.address)
    assert len(owed.director.post().faults) == 1
    assert not ends_by_itself(owed)


@pytest.mark.parametrize("text", [b"kursk-pbem: '1'\n", b"kursk-tournament: '1'\n", "kursk-pbem: '1'".encode("utf-16")])
@pytest.mark.parametrize("cte", ["base64", "7bit"])
def test_a_file_that_holds_what_its_name_says_is_none_that_was_replaced(text, cte):
    made = EmailMessage()
    made.set_content("Mine.\n")
    made.add_attachment(
        b"\n\n" + text, "application", "yaml", filename="turn.yaml", cte="base64" if b"\0" in text else cte
    )
    assert not leftover.emptied(made.as_bytes())


@pytest.mark.parametrize("how", ["an encoded word", "in parts of a field"])
def test_T48_an_encoded_name_of_a_file_that_was_taken_away_names_its_message(owed, how):
    """From an unknown address it was looked for in plain letters alone."""
    name = f"kursk-{owed.game[:8]}-0003.yaml"
    field = f'filename="=?utf-8?b?{base64.b64encode(name.encode()).decode()}?="'
    if how == "in parts of a field":
        field = f"filename*=utf-8''{name.replace('-', '%2D')}"
    head = "From: boris@new.test\nSubject: my turn\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
    part = f"Content-Type: text/plain\nContent-Disposition: attachment; {field}\n\nRemoved.\n--b--\n"
    owed.office.put((head + part).encode(), owed.ref.address)
    assert len(owed.director.post().faults) == 1
    assert not ends_by_itself(owed)


def test_T27_what_a_message_claims_in_its_words_gets_it_no_room_of_its_own(pair, tmp_path):
    """A thousand of one number, each with another one in a note, all reached the rules: eight seconds."""
    anna, boris, game = pair
    boris.sign(game)
    signer, said = keys.load(boris.key), dict(messages.read(turn(boris, game, 1), "").content)
    texts = []
    for number in range(40):
        content = {**said, "note": f"seq: {number}\nhello"}
        armour = signer.sign(sshsig.NAMESPACE, messages.signed_bytes(content))
        first, *rest = messages.emit(said, armour).splitlines(keepends=True)
        texts.append("".join([first, f"note: |-\n  seq: {number}\n  hello\n", *rest]))
    raw = b"From: boris@example.test\nSubject: x\n\n" + "\n".join(texts).encode("ascii")
    assert len(mail.survey(raw, "a mail").turns) == mailcopies.SHOWN
    path = tmp_path / "mail.eml"
    path.write_bytes(raw)
    assert len(states(taken(anna, path))) <= mailcopies.SHOWN


def test_T49_a_game_that_is_not_here_is_not_looked_for_in_every_tournament(relayed, monkeypatch):
    """A mail of 1,200 of them cost half a minute at the desk of somebody with twenty tournaments."""
    looked, survey = [], events._survey
    monkeypatch.setattr(events, "_survey", lambda home: looked.append(home) or survey(home))
    key, costs = keys.from_seed(b"s" * 32), []
    relayed.ref.post()
    for number in (1, 9):
        said = {"kursk-pbem": "1", "seq": "3", "from": "german", "type": "resign"}
        said |= {"prev": "ab" * 32, "state-in": "ab" * 32}
        contents = [said | {"game": f"{at}{number}" * 32} for at in range(number)]
        signed = [(of, key.sign(sshsig.NAMESPACE, messages.signed_bytes(of))) for of in contents]
        raw = "\n".join(messages.emit(*of) for of in signed).encode("ascii")
        looked.clear()
        relayed.office.put(b"From: s@x.test\nSubject: x %d\n\n" % number + raw, relayed.ref.address)
        assert len(relayed.ref.post().games) == number
        costs.append(len(looked))
    assert costs[0] == costs[1]


def test_T27_more_signatures_than_anybody_reads_are_not_looked_at():
    """Seven megabytes of their first lines cost three seconds, in four looks."""
    lines = b"> -----BEGIN SSH SIGNATURE-----\n" * 200_000
    with pace.within(0.5):
        assert mailmarks.hidden([lines])
        assert strays.found(lines, ())


def test_T27_what_a_page_hides_is_looked_up_by_its_words():
    """Each of 60,000 marks was held against 99 rules."""
    sheet = "".join(f".a{number} .b{number}.c{{display:none}}" for number in range(99))
    page = f"<style>{sheet}</style>HELP" + '<a class="c d">' * 12_000 + '<p class="c b7">hidden'
    raw = b"Content-Type: text/html\n\n" + page.encode()
    with pace.within(0.5):
        words = firstpart.words(raw)
    assert "HELP" in words
    assert "hidden" not in words


def test_T29_a_question_isolates_words_from_right_to_left(pair, monkeypatch):
    """The one that decides where letters go showed an address where none stood."""
    anna, boris, _game = pair
    person = people.known(anna.home, boris.public)
    name = "\u05d0\u05d1\u05d2 1"
    people.save(anna.home, replace(person, name=name).put("2@example.test", people.SEEN, "it came from there"))
    asked = []
    monkeypatch.setattr(click, "confirm", lambda text, **_more: asked.append(text) or True)
    monkeypatch.setattr(common, "may_ask", lambda: True)
    anna.kursk("people", "confirm", person.fingerprint)
    assert "\u2068" in asked[0]


def test_T27_many_names_of_one_file_are_looked_at_once():
    """A header of 700,000 took four seconds."""
    head = b"From: b@x.test\nContent-Type: x/y" + b";name=3.yaml" * 100_000
    with pace.within(1):
        assert leftover.emptied(head + b"\n\nremoved\n")
        assert not leftover.emptied(head + b"\n\nkursk-pbem: '1'\n")


def test_T49_of_the_games_that_a_mail_names_those_of_this_desk_are_held():
    """Two or three sets of 690,000 took 280 MB."""
    raw = b"Subject: x\n\n" + b"".join(b"game%08x\n" % number for number in range(300_000))
    mail_ = Mail(raw, "a mail")
    leftover.said(raw, mail_.name)
    tracemalloc.start()
    try:
        assert damage_of(mail_, ["000000ff", "deadbeef"]).games == {"000000ff"}
        assert tracemalloc.get_traced_memory()[1] < 25 * 1024 * 1024
    finally:
        tracemalloc.stop()


TAGGED = ["[Auto-Reply] ", "[Ticket#4711] ", "(Fwd) ", "[Out of office] ", "[SOLVED?] ", "Re: ", ""]


@pytest.mark.parametrize("tag", [*TAGGED, "[EXTERNAL] ", "***SPAM*** "])
def test_what_programs_and_people_write_in_brackets_makes_no_letter_of_a_desk(tag):
    """An answer to a receipt counted as a letter that lost its files, and no game of whoever answers so ever ended."""
    subject = f"Subject: {tag}[kursk 12345678] The three fords, papers about message 2: your answer, please\n\nx\n"
    assert Mail(subject.encode(), "").written_by_desk == (tag in ("", "[EXTERNAL] ", "***SPAM*** "))


NOTED = ["see winmail.dat", "-----BEGIN PGP MESSAGE-----", "/ms-tnef", "{\\rtf1 hi", "<html><br>x<br></html>"]


@pytest.mark.parametrize("note", [*NOTED, "x -----BEGIN SSH SIGNATURE-----U1NIU0lHAAAA"])
def test_what_stands_in_a_turn_that_was_read_is_no_business_of_whoever_looks_for_more(note):
    """A note about a winmail.dat made each reminder that held its turn a damaged mail."""
    key = keys.from_seed(b"n" * 32)
    said = {"kursk-pbem": "1", "note": note, "seq": "3", "from": "german", "type": "resign"}
    said |= {"prev": "ab" * 32, "state-in": "ab" * 32, "game": "12" * 32}
    text = messages.emit(said, key.sign(sshsig.NAMESPACE, messages.signed_bytes(said)))
    raw = letter(text.encode("ascii"), "boris@example.test")
    found = [("12" * 32, one) for one in mail.survey(raw, "a mail").turns]
    assert len(found) == 1
    assert not missed.beside(Mail(raw, "a mail"), found, None, ["12121212"], near=True)
    other = raw.replace(b"see below", b"see below " + note.encode())
    outside = missed.beside(Mail(other, "a mail"), found, None, ["12121212"], near=True)
    assert outside or note.startswith("<html")


@pytest.mark.parametrize("pad", range(3))
@pytest.mark.parametrize("footer", ["", "--b\nContent-Type: text/plain\n\nlist footer\n"])
def test_a_file_in_base64_beside_words_in_quoted_printable_is_no_damage(owed, pad, footer):
    """One of three ended with a sign that joined two lines: its end was read as letters of what stands below."""
    coded = base64.encodebytes(b"BEGIN:VCARD\r\nFN:Boris\r\n" + b"x" * pad).decode()
    raw = (
        "From: boris@example.test\nSubject: Re: my turn\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe!\n\n"
        "--b\nContent-Type: text/vcard\nContent-Disposition: attachment; filename=boris.vcf\n"
        f"Content-Transfer-Encoding: base64\n\n{coded}{footer}--b--\n"
    )
    owed.office.put(raw.encode(), owed.ref.address)
    assert not owed.director.post().faults
