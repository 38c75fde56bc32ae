"""``kursk post`` signs and sends a message without a choice, if its player has allowed it here."""

from helpers.mailbags import sends
from helpers.postal import carried

from kursk_pbem.kernel.ruleset import Ruleset


def test_a_pass_is_signed_sent_and_told_only_where_it_is_allowed(posted, monkeypatch):
    monkeypatch.setattr(Ruleset, "quiet", lambda *_given: True)  # the toy has a choice in every message
    anna, boris, game, imap, smtp = posted
    anna.kursk("post", "--as-sent")
    anna.kursk("prepare", game[:8], "otherwise: note prepared")
    sends(boris, game, imap)
    anna.kursk("post", told="prepared orders")
    anna.sign(game)  # message 2 binds, so a person signs it
    carried(game, 2, anna, boris)
    sends(boris, game, imap)
    anna.kursk("post")
    sent = len(smtp.post.mails)
    assert anna.desk(game).seq == 4
    anna.kursk("setup", "pass", "yes")
    said = anna.kursk("post")
    assert "message 4 is signed, for it had no choice" in said
    assert f"{game[:8]}/4 to Boris" in said
    assert len(smtp.post.mails) == sent + 1
