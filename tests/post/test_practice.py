"""``kursk practice --post``: an opponent at a mailbox accepts proposals, and answers turns by mail."""

from helpers import mail_servers
from helpers.mailbags import letter, turn

from kursk_pbem.desk.deals import begin
from kursk_pbem.game import keyring
from kursk_pbem.trust import keys


def test_an_opponent_at_a_mailbox_accepts_and_answers(friends, certificates, imap, smtp):
    anna, partner = friends("anna", "partner")
    partner.kursk("people", "card", partner.address, "--yes", "-q")
    mail_servers.account(partner, certificates, imap.port, smtp.port)
    partner.kursk("practice", "--post", "--times", "1", told="key.pub")
    public = keys.read_public(partner.home / f"{keyring.KEY}.pub")
    said = begin.Proposal("hex-toy/fords", begin.find_proposer("hex-toy/fords", {}), public, {}, {})
    desk = begin.propose_game(said, anna.key, anna.place, anna.home)
    game = desk.game.chain.game
    imap.add(letter(turn(anna, game, 0), anna.address))
    partner.kursk("practice", "--post", "--times", "1")
    assert "practice, any legal orders" in partner.desk(game).last.content["note"]
    assert [reader for _sender, reader, _raw in smtp.post.mails] == [anna.address]
    assert partner.desk(game).seq == 2
