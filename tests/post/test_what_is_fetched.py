"""Which mails of a server are fetched: those that may hold a turn, whoever sent them and however it is named."""

from email.message import EmailMessage

import pytest
from helpers.mailbags import turn

from kursk_pbem.game import folders
from kursk_pbem.post.servers import imap as fetching
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
    assert fetching._OURS.search(fetching._named(said))
    assert not fetching._OURS.search(fetching._named(said.replace("ml", "k")))


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
    assert fetching._OURS.search(fetching._named(said))


@pytest.mark.parametrize("text", ["%", "%41", "=?a?b?YQ?="])
def test_T27_a_structure_that_is_too_long_is_not_read_and_its_mail_is_fetched(text):
    """Eight million % in the name of a file took six seconds and 1.6 GB."""
    most = fetching._MOST_STRUCTURE
    assert fetching._named(text * (most // len(text) + 1)) == ".yaml"
    assert not fetching._OURS.search(fetching._named(text * (most // len(text))))


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
    anna.kursk("post", "--as-sent", status=2 if "SIGNATURE" in text else 0)  # that is told as damaged
    assert any("PEEK[]" in said for said in imap.said)
