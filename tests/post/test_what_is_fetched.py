"""Which mails of a server are fetched: those that may hold a turn, whoever sent them and however it is named."""

from email.message import EmailMessage

import pytest
from helpers.mailbags import turn

from kursk_pbem.game import folders


@pytest.mark.parametrize("name", ["0001.yaml", "turn.YML", "a.yaml"])
def test_T48_a_turn_that_is_named_as_in_a_game_folder_is_fetched_from_an_unknown_address(posted, name):
    """Servers do not search in what is no text, and the handbook says to mail such a file."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "boris@work.test", anna.address, "my turn"
    made.set_content("Here it is.\n")
    made.add_attachment(turn(boris, game, 1), "application", "octet-stream", filename=name)
    imap.add(made.as_bytes())
    anna.kursk("post", "--as-sent")
    assert folders.message_path(anna.folder(game), 1).exists()
