"""Structures of mails that a server tells in many pieces: what they cost is bounded, and they hide nothing."""

from helpers.mailbags import letter, turn
from imapclient import imapclient

from kursk_pbem.post.servers import line

STRANGER = b"From: s@x.example\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nhello\r\n--a--\r\n"
PIECE = b'("text" "plain" ("name" {3}\r\nabc) NIL NIL "7bit" 1 1)'


def test_T49_a_costly_structure_is_broken_off_and_the_next_answer_is_found(posted, monkeypatch, capsys):
    """The structure of one mail of 8 MB cost four seconds; where it is not understood, its mail is fetched."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    imap.add(STRANGER)
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), "new@x.example"))
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
