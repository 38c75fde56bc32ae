"""Which mails of a server are fetched: those that may hold a turn, whoever sent them and however it is named."""

import re
from email.message import EmailMessage

import pytest
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders
from kursk_pbem.post.servers import structures
from kursk_pbem.trust import mailnames

ENCODED = ["=?UTF-8?B?WsO8Z2UgMDAwMS55YW1s?=", "=?iso-8859-1?Q?Z=FCge=2Eyaml?="]
TEXTS = {
    "a paper": "kursk-tournament: '1'",
    "a changed first line": "kursk-pbem\u00a0: '1'",
    "its end": "-----BEGIN SSH SIGNATURE-----",
    "a report": f"It was refused.\n\nMessage-ID: <k1.words.{'a' * 32}@x.test>",
    "a report in a table": f"<td>Message-ID</td><td>k1.words.{'a' * 32}@x.test</td>",
}


@pytest.mark.parametrize("name", ["0001.yaml", "turn.YML", "a.yaml", *ENCODED])
def test_T48_a_turn_that_is_named_as_in_a_game_folder_is_fetched_from_an_unknown_address(posted, name):
    """Servers do not search in what is no text, and the handbook says to mail such a file."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "boris@work.test", anna.address, "my turn"
    made.set_content("Here it is.\n")
    made.add_attachment(turn(boris, game, 1), "application", "octet-stream", filename="NAME")
    imap.add(made.as_bytes().replace(b"NAME", name.encode()))
    anna.kursk("post", "--as-sent")
    assert folders.message_path(anna.folder(game), 1).exists()


def test_the_pieces_of_a_long_name_are_read_together():
    said = "(b'application', b'octet-stream', (b'name*0', b'a long name.ya', b'name*1*', b'ml'), None)"
    assert structures._OURS.search(structures._named(said))
    assert not structures._OURS.search(structures._named(said.replace("ml", "k")))


@pytest.mark.parametrize(
    "fields",
    [
        (b"name*0*", b"utf-8''Z%C3%BCge.ya", b"name*1", b"ml"),
        (b"name*", b"utf-8''Z%C3%BCge%2Eyaml"),
        (b"name", b"=?UTF-8?B?WsO8Z2UueWE=?= =?UTF-8?B?bWw=?="),
        (b"name", b"=?UTF-8?B?WsO8Z2UueWE=?=\r\n\t=?UTF-8?B?bWw=?="),
        (b"name", b"=?UTF-8?B?WsO8Z2Uu\r\n\teWFtbA==?="),
        (b"name", b"0003.yaml\r\n from Boris"),
        (b"name", b"=?UTF-8?B?" + b"WsO8" * 200 + b"LnlhbWw=?="),
    ],
)
def test_a_name_is_read_in_whatever_way_it_is_encoded(fields):
    """The first piece of an encoded name holds two apostrophes, and Python writes it between other marks."""
    said = repr((b"application", b"octet-stream", fields, None))
    assert structures._OURS.search(structures._named(said))


@pytest.mark.parametrize("text", ["%", "%41", "=?a?b?YQ?="])
def test_T27_a_structure_that_is_too_long_is_not_read_and_its_mail_is_fetched(text):
    """Eight million % in the name of a file took six seconds and 1.6 GB."""
    most = structures._MOST
    assert structures._named(text * (most // len(text) + 1)) == ".yaml"
    assert not structures._OURS.search(structures._named(text * (most // len(text))))


@pytest.mark.parametrize(
    ("coded", "read"), [(b"%2Eyaml", b".yaml"), (b"%%2e%4%zz%", b"%.%4%zz%"), (b"%3D?a?q?b?=", b"b"), (b"%2", b"%2")]
)
def test_what_is_no_byte_stands_in_a_name_as_it_does(coded, read):
    assert mailnames.as_read(coded) == read


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_may_be_of_a_game_is_fetched_whoever_sent_it(posted, text):
    """The server was asked for first lines of turns alone; of everything else nobody was told."""
    anna, _boris, _game, imap, _smtp = posted
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "somebody@else.test", anna.address, "x"
    made.set_content(f"Hello,\n\n{text}\n", cte="base64")
    imap.add(made.as_bytes())
    anna.kursk(
        "post", "--as-sent", status=2 if re.search("SIGNATURE|tournament", text) else 0
    )  # that is told as damaged
    assert any("PEEK[]" in said for said in imap.said)


TOP = b"From: Boris <new@x.example>\r\nSubject: my turn\r\n"
TEXT = b'("text" "plain" ("charset" "us-ascii") NIL NIL "7bit" 6 2 NIL NIL NIL NIL)'
OCTETS = b'("application" "octet-stream" NIL NIL NIL "7bit" 900 NIL NIL NIL NIL)'


def structured(imap, structure):
    """A server that searches in nothing, and gives every mail this structure."""
    imap.decoded = lambda _raw: b""

    def spoilt(name, text):
        found = re.search(r"UID FETCH ([0-9,]+) .*BODYSTRUCTURE", text)
        uids = found[1].split(",") if found and name == "UID FETCH" else []
        said = [b"* %d FETCH (UID %d BODYSTRUCTURE %b)" % (int(uid), int(uid), structure) for uid in uids]
        return [*said, b"OK done"] if said else None

    imap.spoilt = spoilt


@pytest.mark.parametrize(
    ("fields", "structure"),
    [
        (b"Content-Type: text", TEXT),
        (b"Content-Type: text/plain charset=utf-8", TEXT),
        (b"Content-Transfer-Encoding: 8bits", TEXT),
        (b"Content-Transfer-Encoding:", TEXT),
        (b"Content-Type: text/plain\r\nContent-Type: application/octet-stream", TEXT),
        (b"Content-Type: application/octet-stream", OCTETS),
        (b"Content-Type: multipart/mixed", b"(" + TEXT.replace(b"6 2", b"0 0") + b' "mixed" NIL NIL NIL NIL)'),
    ],
)
def test_T48_a_turn_in_what_no_server_searches_is_fetched_from_an_unknown_address(posted, fields, structure):
    """Dovecot searches in no text of a kind or an encoding that it does not know, and the turn was passed over."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(TOP + fields + b"\r\n\r\nHello,\r\n\r\n" + turn(boris, game, 1))
    structured(imap, structure)
    anna.kursk("post", "--as-sent")
    assert folders.message_path(anna.folder(game), 1).exists()


@pytest.mark.parametrize("about", ["game-{0:.16}", "Re: game {0:.12}", "[kursk {0:.9}]"])
def test_a_mail_whose_subject_names_a_game_is_fetched_however_many_digits_it_copies(posted, about):
    anna, _boris, game, imap, _smtp = posted
    imap.add(TOP.replace(b"my turn", about.format(game).encode()) + b"\r\nWait, please\r\n")
    structured(imap, TEXT)
    anna.kursk("post", "--as-sent")
    assert any("PEEK[]" in said for said in imap.said)


def test_ordinary_mails_are_not_fetched(posted):
    anna, _boris, _game, imap, _smtp = posted
    pdf = b'("application" "pdf" ("name" "r.pdf") NIL NIL "base64" 4 NIL ("attachment" ("filename" "r.pdf")) NIL NIL)'
    photo = b'("image" "jpeg" ("name" "0001.jpg") NIL NIL "base64" 4 NIL NIL NIL NIL)'
    structured(imap, b"(" + TEXT + pdf + photo + b' "mixed" ("boundary" "a") NIL NIL NIL)')
    for number in range(300):
        kind = (b"multipart/mixed; boundary=a", b"text/html; charset=utf-8")[number % 2]
        imap.add(TOP + b"Message-ID: <%d@x.example>\r\nContent-Type: %b\r\n\r\nHello\r\n" % (number, kind))
    anna.kursk("post", "--as-sent")
    assert any("BODYSTRUCTURE" in said for said in imap.said)
    assert not any("PEEK[]" in said for said in imap.said)


@pytest.mark.parametrize("word", [b"NO [UNAVAILABLE] later", b"BAD what"])
@pytest.mark.parametrize("times", [1, 9])
def test_T48_where_a_server_will_not_search_every_mail_is_looked_into(posted, word, times):
    """One refusal, and a turn from an address that is not known was passed by for good: nobody was told."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    refused = []

    def spoilt(name, text):
        if name != "UID SEARCH" or "BODY" not in text or len(refused) == times:
            return None
        refused.append(text)
        return [word]

    imap.spoilt = spoilt
    imap.add(letter(turn(boris, game, 1), "boris@work.test", subject="hi", how="base64"))
    anna.kursk("post", "--as-sent")
    assert folders.message_path(anna.folder(game), 1).exists()
