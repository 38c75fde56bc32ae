"""Structures of mails that a server tells in many pieces: what they cost is bounded, and they hide nothing."""

import io

import pytest
from helpers.mailbags import letter, turn
from imapclient import imapclient

from kursk_pbem.post.servers import line

STRANGER = b"From: s@x.example\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nhello\r\n--a--\r\n"
PIECE = b'("text" "plain" ("name" {3}\r\nabc) NIL NIL "7bit" 1 1)'


@pytest.fixture
def met(posted):
    """A stranger's mail and Boris's message 1, from an address that nobody knows, lie in Anna's mailbox."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    imap.add(STRANGER)
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), "new@x.example"))
    return anna, game, imap


def test_T49_a_costly_structure_is_broken_off_and_the_next_answer_is_found(met, monkeypatch, capsys):
    """The structure of one mail of 8 MB cost four seconds; where it is not understood, its mail is fetched."""
    anna, game, imap = met
    given = []
    read = imapclient.parse_fetch_response

    def parsed(text, *more):
        given.append(sum(len(word) for one in text if one for word in (one if isinstance(one, tuple) else [one])))
        return read(text, *more)

    monkeypatch.setattr(imapclient, "parse_fetch_response", parsed)

    def spoilt(name, text):
        of_stranger = b"* 1 FETCH (UID 1 BODYSTRUCTURE (" + PIECE * 20_000 + b' "mixed"))'
        return [of_stranger, b"OK done"] if name == "UID FETCH" and "BODYSTRUCTURE" in text else None

    imap.spoilt = spoilt
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists(), capsys.readouterr()
    assert 100_000 < max(given) < line.MOST_OF_ONE


class Saying:
    """A client of the standard library to which a server says something; ``sizes``: what was read of it at once."""

    error, abort = OSError, ConnectionError

    def __init__(self, said):
        self.sizes, self._said = [], io.BytesIO(said)

    def readline(self):
        return self._said.readline()

    def read(self, size):
        self.sizes.append(size)
        return self._said.read(size)


@pytest.mark.parametrize("pieces", [[3_000_000], [900_000, 900_000, 5_000_000], [600_000] * 10])
def test_T49_a_long_description_is_broken_off_and_not_kept(pieces):
    """A mail of 50 MB with a few descriptions of 10 MB each cost two seconds and 400 MB."""
    begun = b"* 1 FETCH (UID 1 BODYSTRUCTURE ("
    part = b'("text" "plain" NIL NIL {%d}\r\n%b "7bit" 1 1)'
    saying = Saying(begun + b"".join(part % (size, b"\x80" * size) for size in pieces) + b' "mixed"))\r\na OK done\r\n')
    bounds = line.Bounds("localhost")
    bounds.begin(structures=True)
    bounds.bind(saying)
    whole = []
    while not (said := saying.readline()).startswith(b"* 0 FETCH"):
        whole.append(int(said[said.index(b"{") + 1 : said.index(b"}")]))
        saying.read(whole[-1])
    assert sum(whole) < line.MOST_OF_ONE
    assert all(size <= 65_536 for size in saying.sizes[len(whole) :])
    assert bounds.kept < line.MOST_OF_ONE + 10_000
    assert saying.readline() == b"a OK done\r\n"


def test_a_mail_may_be_longer_than_a_structure():
    saying = Saying(b"* 1 FETCH (UID 1 BODY[] {3000000}\r\n" + b"x" * 3_000_000 + b")\r\n")
    bounds = line.Bounds("localhost")
    bounds.begin()
    bounds.bind(saying)
    assert saying.readline().endswith(b"{3000000}\r\n")
    assert saying.read(3_000_000) == b"x" * 3_000_000
    assert saying.readline() == b")\r\n"


def test_T49_a_long_description_hides_no_turn(met, monkeypatch, capsys):
    anna, game, imap = met
    imap.decoded = lambda _raw: b""
    given, real, read = [], type(imap)._uid_fetch, imapclient.parse_fetch_response
    monkeypatch.setattr(
        imapclient, "parse_fetch_response", lambda text, *more: (given.append(len(repr(text))), read(text, *more))[1]
    )
    long = b'* 1 FETCH (UID 1 BODYSTRUCTURE (("text" "plain" NIL NIL {3000000}\r\n%b "7bit" 1 1) "mixed"))'

    def spoilt(name, text):
        if name != "UID FETCH" or "BODYSTRUCTURE" not in text:
            return None
        told = [said for said in real(imap, text) if not said.startswith(b"* 1 FETCH")]
        return [long % (b"x" * 3_000_000), *told] if "1" in text.split(" ")[2].split(",") else told

    imap.spoilt = spoilt
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists(), capsys.readouterr()
    assert max(given) < line.MOST_OF_ONE
