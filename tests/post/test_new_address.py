"""A new address of a waiting player, an opponent or a director reaches everybody by a signed card, at once."""

import pytest
from helpers import mail_servers
from helpers.mailbags import taken

from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import people
from post.boards_by_mail import receipted
from post.refereed_mail import DAY

NEW = "anna@new.example.test"


@pytest.fixture
def knows(pair, certificates, smtp):
    """Return Anna, Boris, their game and an SMTP server: each has the address of the other by a card; Boris writes."""
    anna, boris, game = pair
    for who, other in ((anna, boris), (boris, anna)):
        mail_servers.account(who, certificates, None, smtp.port)
        who.kursk("people", "card", who.address, "--yes", "-q")
        who.kursk("people", "add", other.name, other.address, "-q")
        who.kursk("post", "send", "--unsent", "-q")
    return anna, boris, game, smtp.post


def test_a_waiting_player_tells_a_new_address_at_once_and_gets_the_turn_there(knows, tmp_path):
    """The card would have gone with the next letter, and there was none: the turn went to the old box."""
    anna, boris, game, office = knows
    path = anna.home / "post" / "account.toml"
    path.write_text(path.read_text("utf-8").replace(anna.address, NEW), "utf-8")
    for words in (("people",), ("status",), ("post", "send")):
        anna.kursk(*words, told=f"'kursk people card {NEW}' tells everybody the new address")
    anna.kursk("people", "card", NEW, "--yes", "-q")
    sent = len(office.mails)
    anna.kursk("post", "send", "-q")
    assert [reader for _sender, reader, _raw in office.mails[sent:]] == [boris.address]
    anna.kursk("post", "send", "-q")
    assert len(office.mails) == sent + 1
    (tmp_path / "card.eml").write_bytes(office.mails[-1][2])
    assert f"has a card with the address {NEW}" in taken(boris, tmp_path / "card.eml").cards[0]
    boris.kursk("people", "confirm", "anna", "--yes", "-q")
    boris.sign(game)
    boris.kursk("post", "send", "-q")
    assert office.mails[-1][1] == NEW


def moves(cup, member):
    """Give a member of a tournament another mailbox, in which the mails of the old box never arrive."""
    new = f"new.{member.address}"
    for address in (member.address, new):
        member.friend.kursk("people", "card", address, "--yes", "-q")
        member.address = address
        member.sits()
        member.post()
        cup.time.now += DAY
        for other in (cup.ref, *cup.players.values()):
            other.post()
            if (person := people.person_of(other.friend.home, member.friend.public)).asked:
                other.friend.kursk("people", "confirm", person.called, "--yes", "-q")
    return new


@pytest.mark.parametrize("who", ["opponent", "director"])
def test_a_new_address_of_an_opponent_and_of_a_director_brings_the_turn_there(relayed, who):
    """Nobody types an address, and nobody has a hand on a file."""
    game, waits, writes = receipted(relayed)
    writes.friend.kursk("accept", game[:8], "-q")
    mover, sender = (relayed.ref, writes) if who == "director" else (waits, writes)
    new = moves(relayed, mover)
    writes.friend.sign(game)
    for member in (sender, relayed.ref, waits):
        member.post()
        relayed.time.now += DAY
    assert new in [to for _at, by, to, _raw in relayed.office.mails[-6:] if by == sender.address]
    place = relayed.folder / "games" / folders.folder_name(game) if who == "director" else waits.friend.folder(game)
    assert len(folders.message_files(place)) == 2
