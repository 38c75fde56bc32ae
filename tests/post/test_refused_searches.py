"""A server that refuses to search hides no mail."""

import pytest
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders


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
