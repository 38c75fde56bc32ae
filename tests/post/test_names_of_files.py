"""Files that a gateway took away and left the name of: it is read however a mail program has written it."""

import base64
from email.message import EmailMessage

import pytest
from helpers import pace
from helpers.mailbags import letter, turn
from helpers.refereed_mail import ends_by_itself, waits_for_a_reader

from kursk_pbem.trust import leftover, mailnames


def word(text):
    return f"=?UTF-8?B?{base64.b64encode(text.encode()).decode()}?="


TURN = "Z\u00fcge 0003.yaml"
LONG = word("\u043c\u043e\u0439 \u0445\u043e\u0434 " * 14 + "0003.yaml")
NAMES = {
    "as it is": '"0003.yaml"',
    "a word": f'"{word(TURN)}"',
    "neighbours": f'"{word(TURN[:7])} {word(TURN[7:])}"',
    "neighbours on two lines": f'"{word(TURN[:7])}\n {word(TURN[7:])}"',
    "printed": '"=?iso-8859-1?Q?Z=FCge_0003=2Eyaml?="',
    "a language": '"=?utf-8*de?q?Z=C3=BCge_0003.yaml?="',
    "no character set": '"=?no-such-set?q?Z=FCge_0003.yaml?="',
    "pairs of bytes": '"=?utf-16le?B?MAAwADAAMwAuAHkAYQBtAGwA?="',
    "digits and a dot encoded": '"=?UTF-8?Q?=30003=2eyaml?="',
    "%xx": "x; filename*=utf-8''Z%C3%BCge%200003.yaml",
    "pieces": 'x;\n filename*0="my turn 00";\n filename*1="03.ya"; filename*2="ml"',
    "pieces with %xx": "x;\n filename*0*=utf-8''Z%C3%BCge%2000;\n filename*1*=03.yaml",
    "lines": '"The three fords, by mail,\n my turn\r\n\t0003.yaml"',
    "on the next line": '\n\t"0003.yaml"',
    "blanks": 'x; filename  =  "0003.yaml"',
    "lines and blanks": "x;\n filename \n = \n 0003.yaml",
    "a semicolon": '"Kursk; my turn 0003.yaml"',
    "quotes within": r'"The \"three\" fords; 0003.yaml"',
    "half a quote": '"0003.yaml',
    "a piece on lines": 'x;\n filename*0="my turn;\n 00";\n filename*1\n ="03.yaml"',
    "a long word": f'"{LONG}"',
    "a word on lines": f'"{LONG[:60]}\n {LONG[60:130]}\n\t{LONG[130:]}"',
    "pieces of words": f'x;\n filename*0="{word(TURN[:7])}";\n filename*1="{word(TURN[7:])}"',
}
OTHERS = ("0003.zip", "0003.docx", "0003.gpg")


def emptied(world, name, *, quoted):
    """The player's mail, of whose file the name alone is left; a turn of the other side is quoted in it or not."""
    raw = letter(b"This attachment was removed.\n", world.boris.address).replace(b'"turn.yaml"', name.encode())
    quote = b"".join(b"> " + line + b"\n" for line in turn(world.anna, world.game, 2).splitlines())
    world.office.put(raw.replace(b"see below.\n", b"see below.\n" + quote) if quoted else raw, world.ref.address)
    return world.director.post()


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("quoted", [False, True], ids=["alone", "beside a quoted turn"])
def test_T48_a_turn_that_was_taken_away_is_told_however_its_name_is_written(owed, name, quoted):
    """A name in words or pieces was read as it stands there: nobody was told, and the game ended."""
    assert len(emptied(owed, name, quoted=quoted).faults) == 1
    assert not ends_by_itself(owed)


def test_T48_where_a_quote_ends_nowhere_the_names_below_it_are_read():
    raw = b'name="a zip\nname="0002.yaml\n\nname="' + b"x\n " * 100 + b"\nname=0003.yaml\n"
    assert leftover.numbered(raw) == {b"0002": 1, b"0003": 1}


@pytest.mark.parametrize("name", OTHERS)
def test_T48_the_name_of_what_is_not_opened_is_read_however_it_is_written(owed, name):
    assert len(emptied(owed, f'"{word(name)}"', quoted=True).faults) == 1


@pytest.mark.parametrize("name", [word("Z\u00fcge.jpg"), "=?a?b?=?=", "=?a?b?!?=", "=?x?q?=F?=", "=?", "%%4", "*"])
def test_a_coded_name_that_is_of_no_turn_is_no_damage(owed, name):
    assert emptied(owed, f'"{name}"', quoted=False).faults == []
    assert waits_for_a_reader(owed)


def test_a_file_whose_name_stands_there_in_two_ways_is_one_file():
    coded = f'Content-Type: a/b; name*=utf-8\'\'0003.yaml;\n name="{word("0003.yaml")}"\n filename="0003.yaml"\n\nx\n'
    assert leftover.numbered(coded.encode()) == {b"0003": 1}
    assert leftover.numbered(coded.encode() + b"--b\n" + coded.replace("\nx\n", "\ny\n").encode()) == {b"0003": 2}


def test_names_that_nobody_encoded_are_looked_for_once(monkeypatch):
    monkeypatch.setattr(mailnames, "_with_decoded", lambda _fields: pytest.fail("decoded"))
    raw = b"Subject: =?utf-8?b?YQ==?=\nContent-Type: a/b; name=0003.yaml\n\n2 * 2 =? *\n"
    assert leftover.numbered(raw) == {b"0003": 1}


@pytest.mark.parametrize(
    "field",
    [
        *("name*=0003.yaml\n", "name*1=%41\n", "name==?a?b?YQ?=\n", "name=" + "=?a?b?YQ?=" * 50),
        *(';name="', 'name="x\n ', 'name="' + "x" * 990 + "\n ", 'name="\\', "name \n = \n x\n", 'name*="' + "%" * 900),
    ],
)
def test_T27_a_mail_of_nothing_but_names_costs_no_more_than_its_length(field):
    raw = field.encode() * (8 * 1024 * 1024 // len(field))
    with pace.within(4):
        leftover.names_turn(raw)
        leftover.numbered(raw)
        leftover.forget()


@pytest.mark.parametrize(
    ("subject", "name", "about"),
    [
        *(("my turn", f"{name}.zip", True) for name in ("kursk-{0}-0003", "kursk+{0}", "x game-{1}", "Kursk-{0} (1)")),
        *((subject, "", True) for subject in ("[Kursk {0}] late", "game {0}: late", "KURSK {0}", "[kursk\u00a0{0}]")),
        *((subject, "", True) for subject in ("[kursk {0}0]", "kursk \u2013 {0}")),
        *((subject, "", True) for subject in ("game no. {0}", "Games {0} and 99999999", "kursk game nr {0}")),
        *((subject, "", True) for subject in ("{0}", "game of {0}", "kursk-history {0}")),
        *((subject, "", False) for subject in ("99999999", "game of 99999999", "x{0}")),
        *(("my turn", name, about) for name, about in (("turn-{0}.zip", True), ("turn-99999999.zip", False))),
    ],
)
def test_T48_who_writes_from_an_unknown_address_says_the_game_by_subject_or_file_as_people_do(
    owed, subject, name, about
):
    """Only the very names that a desk gives were seen, and the game was lost."""
    made = EmailMessage()
    made["From"], made["Subject"] = "boris@work.test", subject.format(owed.game[:8])
    made.set_content("I cannot send it otherwise.\n")
    if name:
        file = name.format(owed.game[:8], owed.game[:16])
        made.add_attachment(b"PK\x03\x04\x14\0\0\0", "application", "octet-stream", filename=file)
    owed.office.put(made.as_bytes(), owed.ref.address)
    owed.director.post()
    assert ends_by_itself(owed) == (not about)
