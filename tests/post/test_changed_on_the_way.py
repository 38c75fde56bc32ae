"""Letters of which a server cut off, took away or changed a part: they are told, and end no game by themselves."""

import base64
import re

import pytest
from helpers.mailbags import concern, cut, emptied, letter, shortened, turn
from helpers.refereed_mail import DAY, ahead_of_referee, comes, damages, held_back, hours, played_on

from kursk_pbem.post import place, sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import damage, deadlines
from kursk_pbem.tournament import letters
from kursk_pbem.trust import keys
from kursk_pbem.trust import slip as slips


def encoded_anew(raw):
    """A file is given as what it is not; the letter of a referee says that a program wrote it."""
    return raw.replace(b"Encoding: base64", b"Encoding: binary")


def renamed(raw):
    """A server took the attachments away and gave it a Message-ID of its own."""
    return re.sub(rb"(?m)^Message-ID: .*$", b"Message-ID: <1234@out.example>\r", emptied(raw))


@pytest.mark.parametrize("change", [cut, shortened, emptied, encoded_anew])
@pytest.mark.parametrize("of_referee", [False, True])
def test_a_letter_of_which_something_was_lost_is_told(world, change, of_referee):
    if of_referee:
        comes(world, world.boris, 1)
    else:
        world.boris.sign(world.game)
        world.member["boris"].post()
    raw = next(raw for _at, _sender, reader, raw in world.office.mails if reader == world.anna.address)
    assert raw.count(b"Content-Type: application/yaml") == 2
    assert sorting.read([Mail(raw, "here")]).faults == []
    held = sorting.read([Mail(change(raw), "here")], concern=concern(world.game))
    assert len(held.faults) == 1
    assert world.game[:8] in str(held.faults[0])
    assert all(world.game[:8] in damage.games for damage in held.damaged)
    assert held.damaged


def test_a_paper_of_a_tournament_that_was_changed_is_told_though_others_are_not(relayed):
    raw = next(raw for _at, _sender, _reader, raw in relayed.office.mails if b": a draw" in raw)
    coded = re.search(rb"base64\r\n\r\n(.*?)\r\n--", raw, re.DOTALL)[1]
    changed = base64.b64decode(coded).replace(b"time: '20", b"time: '21", 1)
    held = sorting.read([Mail(raw.replace(coded, base64.encodebytes(changed).strip()), "here")], events=True)
    assert len(held.papers) == 3
    assert len(held.faults) == 1
    assert sorting.read([Mail(raw, "here")], events=True).faults == []


@pytest.mark.parametrize("of_referee", [False, True])
def test_a_letter_that_lost_its_own_name_too_is_told(world, of_referee):
    """The owner of a mailbox took it for words of a person, and passed it by; a player that of a referee, too."""
    if of_referee:
        comes(world, world.boris, 1)
    else:
        world.boris.sign(world.game)
        world.member["boris"].post()
    raw = next(raw for _at, _sender, reader, raw in world.office.mails if reader == world.anna.address)
    assert len(sorting.read([Mail(renamed(raw), "here")]).faults) == 1
    answer = renamed(raw).replace(b"Subject: ", b"Subject: Re: ")
    away = b"Auto-Submitted: (a desk) Auto-Replied (away); x=y\r\n" + renamed(raw)
    assert sorting.read([Mail(answer, "here"), Mail(away, "here")]).faults == []


TAGS = [
    "[EXTERNAL]",
    "[EXT] [list]",
    "***SPAM***",
    "EXTERN:",
    "{Spam?}",
    "(no virus)",
    "Possible spam 5.3:",
    "WARNING - ",
]


@pytest.mark.parametrize("tag", TAGS)
def test_T48_a_letter_that_lost_its_files_is_told_whatever_a_gateway_puts_before_its_subject(world, tag):
    """A gateway names what comes from outside; such a letter was words of a person, and its game ended by itself."""
    world.boris.sign(world.game)
    world.member["boris"].post()
    raw = next(raw for _at, _sender, reader, raw in world.office.mails if reader == world.anna.address)
    tagged = renamed(raw).replace(b"Subject: ", b"Subject: %b " % tag.encode())
    assert len(sorting.read([Mail(tagged, "here")]).faults) == 1
    answer = tagged.replace(b" [kursk", b" AW: [kursk")
    assert sorting.read([Mail(answer, "here")]).faults == []


def test_T48_a_letter_of_a_tournament_that_lost_its_files_is_told(relayed):
    """The subjects of games alone were known: an entry whose paper was taken away was passed by in silence."""
    subject = re.compile(rb"Subject: \[kursk bad001c5\] (entry of|opening of draw|cup: .*)")
    raws = {found[1]: raw for *_post, raw in relayed.office.mails if (found := subject.search(raw))}
    assert len(raws) == 5
    held = sorting.read((Mail(renamed(raw), "here") for raw in raws.values()), events=True)
    assert len(held.faults) == 5


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("board 1-1: german", True),
        ("absent from 2027-01-05 to 2027-02-05", True),
        ("a claim about board 1-1", True),
        ("stands in for number 3", True),
        ("a new key", True),
        ("a ruling on board 1-1", True),
        ("opened bid for board 1-1", True),
        ("withdrawal", True),
        ("your game 1a2b3c4d", True),
        ("A cup: round 12", True),
        ("A" * 80 + ": news", True),
        ("a reminder: draw 1 is open until 2027-01-05", False),
        ("a reminder: " + "A" * 80, False),
        ("a question about board 1-1", False),
        ("status, report", False),
    ],
)
def test_the_letters_of_tournaments_are_known_by_what_their_desks_write_under(words, written):
    """A reminder is written in words, and an answer to them too: nothing needs to be in them."""
    subject = letters.subject("1a2b3c4d", words)
    assert Mail(f"From: a@b.test\r\nSubject: {subject}\r\n\r\n".encode(), "").written_by_desk == written


def test_a_paper_of_a_tournament_is_not_missed_where_none_is_played(entered):
    """A letter with a card beside it, on another machine of somebody who plays: it was called cut off."""
    ref, raw = entered.ref.friend, next(raw for _a, _s, _r, raw in entered.office.mails if b"-entry.yaml" in raw)
    slip = slips.card(ref.public, ref.address, 1, keys.load(ref.key))
    card = base64.encodebytes(slips.emit(slip).encode()).replace(b"\n", b"\r\n")
    mark = raw[: raw.rindex(b"--\r\n")].rpartition(b"\r\n")[2]
    named = b'Content-Disposition: attachment; filename="kursk-card.yaml"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    both = raw[: raw.rindex(mark)] + mark + b"\r\n" + named + card + mark + b"--\r\n"
    found = sorting.read([Mail(both, "here")], events=False)
    assert (len(found.cards), found.faults) == (1, [])


def test_what_a_person_writes_below_a_letter_is_not_told(world):
    head = f"From: a@b.test\r\nSubject: Re: [kursk {world.game[:8]}]\r\nMessage-ID: <1@b.test>\r\n\r\n"
    for words in ("Nice!", "My maps are at https://boris.example/maps.zip, and here is my key.gpg."):
        assert sorting.read([Mail(f"{head}{words}\r\n".encode(), "here")]).faults == []
    lower = head.replace("Message-ID", "x-ms-tnef-correlator: \r\nMessage-ID")
    assert sorting.read([Mail(f"{lower}Nice!\r\n".encode(), "here")]).faults == []


def test_a_turn_that_was_copied_without_its_first_line_is_told(world):
    world.boris.sign(world.game)
    text = turn(world.boris, world.game, 1).partition(b"\n")[2]
    head = b"From: boris@example.test\r\nSubject: Re: my turn\r\n\r\nHere it is:\n\n"
    raw = head + text
    held = sorting.read([Mail(raw, "here")], concern=concern(world.game))
    assert "what stands below it in a turn is there" in str(held.faults[0])
    assert held.damaged == {damage.Damage(frozenset({"boris@example.test"}), frozenset({world.game[:8]}))}
    quoted = b"".join(b"> " + line for line in text.splitlines(keepends=True))
    assert sorting.read([Mail(head + quoted, "here")]).faults == []


def test_a_turn_that_was_changed_on_its_way_ends_no_game_by_itself(automatic, capsys):
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    changed = turn(world.boris, world.game, 3).replace(b"policy:", b"note: a\npolicy:")
    world.office.put(letter(changed, "new@x.example"), world.ref.address)
    (outcome,) = world.director.post().games[0].outcomes
    assert "is not what was signed" in str(outcome.error)
    assert not outcome.again
    world.time.passes((9 * DAY).total_seconds())
    world.ref.kursk("forfeit", world.folder, status=2)
    assert "a mail was read that is damaged or refused" in capsys.readouterr().err


@pytest.mark.parametrize(
    "part",
    [
        'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\r\n\r\nMIIB\r\n',
        'multipart/encrypted; boundary="b"\r\n\r\n--b\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQ\r\n--b--\r\n',
    ],
    ids=["S/MIME", "PGP"],
)
def test_what_is_encrypted_is_told_and_ends_no_game(automatic, part):
    """It was passed by without a word, and the game ended for whoever had written it."""
    world = automatic
    played_on(world)
    head = f"From: boris@example.test\r\nSubject: Re: [kursk {world.game[:8]}]\r\nContent-Type: {part}"
    world.office.put(head.encode(), world.ref.address)
    assert "what is encrypted is not opened" in str(world.director.post().faults[0])
    hours(world, 9 * 24, step=12)
    assert held_back(world)


@pytest.mark.parametrize("change", ["refused", "damaged"])
def test_T51_an_answer_that_was_changed_and_came_before_what_it_answers_ends_no_game_by_itself(automatic, change):
    """Anna answers what Boris mailed to her; her answer comes first, changed, and the receipt of his is later."""
    world = automatic
    played_on(world)
    ahead_of_referee(world)
    if change == "refused":
        mail = letter(turn(world.anna, world.game, 4).replace(b"\nopen:", b"\nnote: a\nopen:"), world.anna.address)
    else:
        mail = letter(turn(world.anna, world.game, 4)[:600], world.anna.address)
    world.office.put(mail, world.ref.address)
    world.director.post()
    world.time.passes(DAY.total_seconds())
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.post()
    assert "receipt-0003.yaml" in world.papers()
    hours(world, 10 * 24, step=6)
    assert held_back(world)
    assert "damaged or refused" in "\n".join(world.director.errand.chair.pending())


@pytest.mark.parametrize(("last", "ends"), [(2, True), (3, False)])
def test_T51_what_was_damaged_holds_the_terms_back_in_which_it_may_be_owed(automatic, last, ends):
    world = automatic
    deadlines.note_damage(world.ref.home, world.game, last)
    deadlines.note_damage(world.ref.home, world.game, 1)
    world.time.passes(60)
    played_on(world)
    hours(world, 10 * 24, step=6)
    assert held_back(world) is not ends


def test_a_damaged_note_of_a_damaged_mail_stops_no_round(world):
    note = place.root(world.ref.home) / "referee" / "damaged" / f"{world.game[:16]}.json"
    damages(note)
    world.office.put(letter(turn(world.boris, world.game, 0)[:600], world.boris.address), world.ref.address)
    world.director.post()
    assert place.load(note)["last"] == "4"
