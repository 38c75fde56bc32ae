"""Proposals of strangers are reported, stay in the mailbox, and are fetched again for acceptance."""

import pytest
from helpers import mail_servers, postal
from helpers.mailbags import box, by_desk, letter, make_maildir, states, taken, turn

from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import people, store
from kursk_pbem.post.round import early_turns
from kursk_pbem.post.round.outcome import PROPOSED, TAKEN
from kursk_pbem.trust import card as cards
from kursk_pbem.trust import keys


@pytest.fixture
def proposes(friends):
    """Return a proposal of Anna, unknown to Boris: desks, game, and the letter with a card."""
    anna, boris = friends("anna", "boris")
    raw, game = postal.propose_game(anna, boris)
    card = cards.emit_card(cards.sign_card(boris.public, "anna@new.test", 1, keys.load_key(anna.key))).encode("ascii")
    return anna, boris, game, by_desk(letter(raw + card, anna.address, f"[kursk {game[:8]}] a game"), boris)


def nothing_is_kept(friend):
    with store.open_reading(friend.home) as found:
        came = found.execute("select * from arrival").fetchall()
    return people.load_people(friend.home) == came == early_turns.list_games(friend.home) == []


def test_a_strangers_proposal_is_told_and_nothing_of_it_kept(proposes, tmp_path):
    anna, boris, game, raw = proposes
    day = taken(boris, box(tmp_path, [raw]))
    assert states(day) == [(0, PROPOSED)]
    (tmp_path / "one.eml").write_bytes(raw)
    out = " ".join(boris.kursk("inbox", tmp_path / "one.eml").split())
    assert f"'{anna.name.capitalize()}', who plays" in out
    assert f"{people.Person(anna.public).fingerprint}, unknown here" in out
    assert "until you accept" in out
    assert nothing_is_kept(boris)
    boris.does(out, "accept", FILE=boris.key)
    assert folders.draft_path(boris.folder(game), 1).exists()


def test_it_is_accepted_from_where_mails_were_found_last(proposes, tmp_path, capsys):
    """Accepting saves the card and the sender's address."""
    anna, boris, game, raw = proposes
    path = make_maildir(tmp_path, [raw])
    boris.kursk("inbox", path)
    boris.kursk("inbox", path)  # and searched mails are found again
    boris.kursk("accept", game[:8], "--key", boris.key)
    assert [entry.text for entry in people.person_of(boris.home, anna.public).asked][-1] == "anna@new.test"
    assert "anna@new.test" in capsys.readouterr().out


def test_it_is_accepted_from_the_mailbox_and_what_came_since_is_taken(proposes, certificates, imap):
    anna, boris, game, raw = proposes
    mail_servers.account(boris, certificates, imap.port, None)
    imap.add(raw)
    boris.kursk("post", "fetch")
    boris.kursk("inbox")
    assert nothing_is_kept(boris)
    boris.kursk("accept", game[:8], "--key", boris.key)
    assert boris.folder(game).exists()
    assert people.person_of(boris.home, anna.public).entry("anna@new.test").state == people.CARDED


def test_of_a_strangers_game_for_a_referee_messages_0_and_1_wait(friends, tmp_path):
    """No other message waits, because a proposer may sign any number."""
    anna, boris, ref = friends("anna", "boris", "ref")
    game = postal.began(anna, boris, relay=ref.public)
    for who, seq in ((boris, 1), (anna, 2)):
        who.sign(game)
        postal.carried(game, seq, who, anna if who is boris else boris)
    path = box(tmp_path, [letter(turn(anna, game, seq)) for seq in (0, 2, 1)])
    ref.kursk("inbox", path)
    assert sorted(path.name[:4] for path in early_turns.waiting_folder(ref.home).rglob("*.yaml")) == ["0000", "0001"]
    ref.kursk("referee", "receipt", game[:16], "--days", "7")
    (tmp_path / "again").mkdir()
    found = states(taken(ref, box(tmp_path / "again", [letter(turn(anna, game, 2))])))
    assert {(1, TAKEN), (2, TAKEN)} <= {*found}
