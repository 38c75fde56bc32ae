"""Commands named in messages about mail do what the message promises (see tests/cli/test_commands_carried_out.py).

Other files test more commands: 'kursk offer' with a new key in tests/game/test_successor_hostile.py, 'kursk sign' of
final dice in rulesets/armor_commander/test_played.py.
"""

from helpers import mail_servers
from helpers.mailbags import letter, turn


def test_a_letter_that_was_lost_goes_again_as_its_reader_asks(pair):
    """Source: the report on a damaged mail, 'ask for it again'."""
    anna, boris, game = pair
    boris.sign(game)
    boris.kursk("people", "add", "anna", anna.address)
    raw = letter(turn(boris, game, 1), boris.address)
    (anna.place / "cut.eml").write_bytes(raw[: len(raw) // 5])
    anna.kursk("inbox", "cut.eml", status=2, told="sk for it again")
    boris.kursk("outbox", "--again", f"{game[:8]}/1", status=2, told="not sent yet")
    boris.kursk("outbox", "--sent", "all")
    boris.kursk("outbox", "--again", "all", status=2)
    boris.kursk("outbox", "--again", f"{game[:8]}/1")
    boris.kursk("outbox", "--eml", "out")
    [mail] = (boris.place / "out").glob("*.eml")
    (anna.place / "again.eml").write_bytes(mail.read_bytes())
    anna.kursk("inbox", "again.eml")
    assert anna.desk(game).seq == 2


def test_a_mailbox_that_referees_says_which_round_takes_what_waits(late, certificates, imap, smtp):
    """Sources: the warning before a forfeit by hand, and the director's list."""
    late.office.put(letter(turn(late.boris, late.game, 3), late.boris.address, "again"), late.ref.address)
    late.director.fetch()
    said = late.ref.kursk("referee", "forfeit", late.folder, status=2)
    mail_servers.account(late.ref, certificates, imap.port, smtp.port)
    late.ref.does(said, "referee run")
    assert "not filed" not in late.ref.kursk("referee", "forfeit", late.folder, status=2)
