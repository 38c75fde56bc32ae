"""What came with a proposal that waits: the card of a stranger, and the address that it came from."""

import pytest
from helpers import postal
from helpers.mailbags import box, letter, states, taken, turn
from helpers.refereed_mail import ahead_of_referee, played_on

from kursk_pbem.desk.shelf import register
from kursk_pbem.post import came, people, place, waiting
from kursk_pbem.post.outcome import PROPOSED, TAKEN, WAITS
from kursk_pbem.trust import keys, slip


def test_T49_a_card_costs_no_reading_of_all_that_is_proposed(friends, tmp_path, monkeypatch):
    """Of 256 proposals with scenarios of their own that was seconds for one small mail of a stranger."""
    anna, ref, stranger = friends("anna", "ref", "stranger")
    postal.began(anna, ref)
    raw, game = postal.proposed(stranger, ref)
    assert states(taken(ref, box(tmp_path, [letter(raw)]))) == [(0, PROPOSED)]
    made = slip.card(ref.public, "s@example.test", 1, keys.load(stranger.key))
    path = tmp_path / "card.eml"
    path.write_bytes(letter(slip.emit(made).encode("ascii")))
    read = []
    monkeypatch.setattr(
        register, "said", lambda where, said=register.said: read.append(where.parent.name) or said(where)
    )
    assert "they are reached at s@example.test" in taken(ref, path).cards[0]
    assert game[:16] not in read


@pytest.mark.parametrize("accepts", [True, False])
def test_T49_a_strangers_card_is_put_down_once_their_game_is_accepted(friends, tmp_path, accepts):
    """Each of 256 proposals made a file of people/ before anybody had looked at it."""
    anna, ref, stranger = friends("anna", "ref", "stranger")
    postal.began(anna, ref)
    raw, game = postal.proposed(stranger, ref)
    made = slip.card(ref.public, "s@example.test", 1, keys.load(stranger.key))
    taken(ref, box(tmp_path, [letter(raw), letter(slip.emit(made).encode("ascii"))]))
    assert people.load(ref.home, stranger.public).addresses == ()
    assert not (ref.home / "post" / "people").exists()
    if accepts:
        ref.kursk("accept", game[:8], "--key", ref.key)
    else:  # its folder is made by whatever else begins a game
        ref.accept(raw)
        (tmp_path / "nothing").mkdir()
        taken(ref, tmp_path / "nothing")
    asked = people.load(ref.home, stranger.public).asked
    assert ("s@example.test", people.CARDED) in [(entry.text, entry.state) for entry in asked]


def test_while_a_round_is_under_way_nobody_else_writes_what_is_known_of_people(friends, tmp_path):
    """'kursk accept' did, and one of the two was lost; the proposal waits, so a round puts down what came with it."""
    anna, ref, stranger = friends("anna", "ref", "stranger")
    postal.began(anna, ref)
    raw, game = postal.proposed(stranger, ref)
    path = box(tmp_path, [letter(raw, stranger.address)])
    taken(ref, path)
    with place.locked(ref.home):
        ref.kursk("accept", game[:8], "--key", ref.key)
        assert not (ref.home / "post" / "people").exists()
    (tmp_path / "nothing").mkdir()
    taken(ref, tmp_path / "nothing")
    assert people.load(ref.home, stranger.public).state_of(stranger.address) == people.SEEN


def test_a_card_that_waits_is_not_lost_while_the_file_of_its_writer_is_damaged(friends, tmp_path):
    """The game was accepted, the card left out, and its proposal waited no longer."""
    anna, ref, stranger = friends("anna", "ref", "stranger")
    postal.began(anna, ref)
    raw, game = postal.proposed(stranger, ref)
    made = slip.card(ref.public, "s@example.test", 1, keys.load(stranger.key))
    path = box(tmp_path, [letter(raw), letter(slip.emit(made).encode("ascii"))])
    taken(ref, path)
    damaged = ref.home / "post" / "people" / f"{people.mark(stranger.public)}.json"
    damaged.parent.mkdir()
    damaged.write_bytes(b"x")
    ref.kursk("accept", game[:8], "--key", ref.key)
    (tmp_path / "nothing").mkdir()
    assert taken(ref, tmp_path / "nothing").games == []
    damaged.unlink()
    taken(ref, tmp_path / "nothing")
    assert people.load(ref.home, stranger.public).state_of("s@example.test") == people.CARDED
    assert game[:16] not in waiting.games(ref.home)


def test_a_damaged_note_of_a_card_that_waits_stops_no_other_game(friends, tmp_path):
    """Once the game had begun it ended each round for all games."""
    anna, ref, stranger = friends("anna", "ref", "stranger")
    other = postal.began(ref, anna)
    raw, game = postal.proposed(stranger, ref)
    made = slip.card(ref.public, "s@example.test", 1, keys.load(stranger.key))
    taken(ref, box(tmp_path, [letter(raw), letter(slip.emit(made).encode("ascii"))]))
    (noted,) = (ref.home / "post" / "came" / game[:16]).glob(f"0000-{people.mark(stranger.public)[:16]}*")
    whole = noted.read_bytes()
    noted.write_bytes(b"x")
    ref.accept(raw)
    anna.sign(other)
    path = tmp_path / "1.eml"
    path.write_bytes(letter(turn(anna, other, 1)))
    day = taken(ref, path)
    assert (1, TAKEN) in states(day)
    assert noted.name in str([outcome.error for one in day.games for outcome in one.outcomes if outcome.error])
    noted.write_bytes(whole)
    taken(ref, path)
    assert people.load(ref.home, stranger.public).state_of("s@example.test") == people.CARDED


def test_T43_a_strangers_card_waits_with_each_proposal_and_the_newest_counts(friends, tmp_path):
    """It waited with one: with that of whoever proposed a game in which the stranger's key is the referee's, say."""
    anna, ref, stranger, other = friends("anna", "ref", "stranger", "other")
    postal.began(anna, ref)
    (raw, game), (theirs, _game) = postal.proposed(stranger, ref), postal.proposed(other, ref, stranger.public)
    cards = [slip.card(ref.public, f"{serial}@x.example", serial, keys.load(stranger.key)) for serial in (1, 3, 2)]
    mails = [letter(slip.emit(made).encode("ascii")) for made in cards]
    told = taken(ref, box(tmp_path, [letter(raw), letter(theirs), *mails])).cards
    assert ["they are reached at 3@x.example" in line for line in told] == [True]
    ref.kursk("accept", game[:8], "--key", ref.key)
    asked = people.load(ref.home, stranger.public).asked
    assert [entry.text for entry in asked if entry.state == people.CARDED] == ["3@x.example"]


def test_T49_of_a_strangers_cards_no_other_than_the_newest_that_holds_is_compared(friends, tmp_path, monkeypatch):
    """With 1,500 of them in one mail, each of which read a note for each of 250 proposals, a round took 14 seconds."""
    anna, ref, stranger = friends("anna", "ref", "stranger")
    postal.began(anna, ref)
    raw, _game = postal.proposed(stranger, ref)
    taken(ref, box(tmp_path, [letter(raw)]))
    made = [slip.emit(slip.card(ref.public, f"{n}@x.example", n, keys.load(stranger.key))) for n in range(1, 9)]
    forged = made[0].replace("1@x.example", "f@x.example").replace("serial: '1'", "serial: '9'")
    looks, said = [], came.said
    monkeypatch.setattr(came, "said", lambda *given: looks.append(given) or said(*given))
    mails = [letter(text.encode("ascii")) for text in (forged, "\n".join(made))]
    told = taken(ref, box(tmp_path, mails)).cards
    assert ["they are reached at 8@x.example" in line for line in told] == [True, False]
    assert "does not hold" in told[1]
    assert len(looks) == 1


def test_T49_a_receipt_that_waits_too_hides_nobody_who_proposed(friends, tmp_path):
    """The first file about message 0 may be the referee's: whose proposal it was nobody knew."""
    anna, boris, ref = friends("anna", "boris", "ref")
    raw, game = postal.proposed(anna, boris, relay=ref.public)
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(raw))
    ref.kursk("inbox", path)
    ref.kursk("receipt", game[:16], "--days", "7")
    path = box(tmp_path, [letter(raw + (ref.folder(game) / "receipt-0000.yaml").read_bytes())])
    assert states(taken(boris, path)) == [(0, PROPOSED), (0, WAITS)]
    folder = waiting.folder(boris.home) / game[:16]
    (paper,) = (kept for kept in folder.iterdir() if kept.name != f"0000-{game[:16]}.yaml")
    paper.rename(folder / f"0000-{'0' * 16}.yaml")
    assert waiting.proposer(boris.home, game[:16]) == anna.public


def test_a_turn_that_waited_names_the_address_that_it_came_from(automatic):
    """It came before the one that it answers; the address was forgotten, and reminders to an older one counted."""
    world = automatic
    played_on(world)
    ahead_of_referee(world)
    for who, seq, address in ((world.anna, 4, "anna@new.test"), (world.boris, 3, world.boris.address)):
        world.office.put(letter(turn(who, world.game, seq), address), world.ref.address)
        world.director.post()
    assert [entry.text for entry in people.load(world.ref.home, world.anna.public).newer] == ["anna@new.test"]
