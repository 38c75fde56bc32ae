"""What was changed on its way beside something that is new, or in what way soever, is told and ends no game (T48)."""

from email.message import EmailMessage

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.mailbags import taken as inbox
from helpers.refereed_mail import closing, comes, ends_by_itself, hours, owes_in_two, played_on, waits_for_a_reader
from helpers.strangers import says, stranger

from kursk_pbem.errors import DiskError
from kursk_pbem.post import sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee.damage import Concern
from kursk_pbem.post.tournaments import held
from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.trust import keys

CHANGED = {
    "its first line": lambda own, _game: ("turn.txt", own.partition(b"\n")[2]),
    "its lines": lambda own, _game: ("turn.txt", own.replace(b"\n", b" ")),
    "packed": lambda _own, _game: ("turn.zip", b"PK\x03\x04\x14\0\0\0"),
    "taken away": lambda _own, game: (f"kursk-{game[:8]}-0003.yaml", b"This attachment was removed.\n"),
    "its quotes": lambda own, _game: ("turn.txt", own.replace(b"'1'", "\u20181\u2019".encode())),
}


def mailed(world, sender, quoted, *files):
    """A mail that quotes something, with these files; the day on which the referee reads it."""
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = sender, "Re: your turn", "<mine@example.test>"
    made.set_content("Mine.\n\nAnna wrote:\n" + "".join(f"> {line}\n" for line in quoted.decode().splitlines()))
    for name, content in files:
        made.add_attachment(content, "application", "octet-stream", filename=name)
    world.office.put(made.as_bytes(), world.ref.address)
    return world.director.post()


def puppets(world, friends):
    """A game of two others, which the referee was asked to take: its messages 0 and 1."""
    carla, dmitri = friends("carla", "dmitri")
    game = postal.began(carla, dmitri, relay=world.ref.public)
    dmitri.sign(game)
    return turn(carla, game, 0), turn(dmitri, game, 1)


def lost(world, game):
    hours(world, 10 * 24, step=12)
    return closing(world.ref.home, world.ref.folder(game))


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
@pytest.mark.parametrize("how", [*CHANGED, None])
def test_T48_of_two_turns_in_a_mail_the_one_that_was_changed_ends_no_game(automatic, how, first):
    """The other was new: so nothing in that mail was looked at any more, and the second game was lost."""
    world = automatic
    other = owes_in_two(world)
    whole = ("mine.yaml", turn(world.boris, world.game, 3))
    files = [whole, CHANGED[how](turn(world.boris, other, 3), other)] if how else [whole]
    day = mailed(world, world.boris.address, b"", *(files if first else files[::-1]))
    assert bool(day.faults) == bool(how)
    assert "receipt-0003.yaml" in world.papers()
    assert not lost(world, other)
    (told,) = (line for line in world.director.errand.chair.pending() if other[:8] in line)
    assert ("may have held the message" if how else "read that before you end the game") in told


@pytest.mark.parametrize("how", ["its first line", "its lines", "packed"])
def test_T48_what_somebody_else_wrote_that_is_new_and_quoted_hides_no_changed_turn(owed, friends, how):
    """An opponent put a message of another game into their words: the answer counted as one that brought something."""
    zero, one = puppets(owed, friends)
    owed.office.put(letter(zero, "carla@example.test"), owed.ref.address)
    owed.director.post()
    day = mailed(owed, owed.boris.address, one, CHANGED[how](turn(owed.boris, owed.game, 3), owed.game))
    assert len(day.faults) == 1
    assert not ends_by_itself(owed)


@pytest.mark.parametrize("how", ["its first line", "its lines"])
def test_T48_from_an_unknown_address_what_is_quoted_may_be_what_is_new(automatic, how):
    """The referee had not got the turn that it answers: what was attached to the answer was not told."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    postal.carried(world.game, 3, world.boris, world.anna)
    world.anna.sign(world.game)
    postal.carried(world.game, 4, world.anna, world.boris)
    comes(world, world.boris, 3)
    world.boris.sign(world.game)
    changed = CHANGED[how](turn(world.boris, world.game, 5), world.game)
    day = mailed(world, "boris@new.test", turn(world.anna, world.game, 4), changed)
    assert [piece.turn.seq for game in day.games for piece in (of.piece for of in game.outcomes)] == [4]
    assert len(day.faults) == 1
    assert not ends_by_itself(world)


def entry():
    """An entry to a tournament that there is not, by somebody's key."""
    key = keys.from_seed(b"z" * 32)
    said = {"kursk-tournament": forms.VERSION, "type": fields.ENTRY, "tournament": "ab" * 32, "from": key.public}
    said |= {"seen": {"seq": "0", "id": "cd" * 32}, "name": "puppet", "draw": "0", "commit": "ab" * 32}
    return bundles.bundle([forms.sign(said, key, "a paper")]).encode("ascii")


@pytest.mark.parametrize("sender", ["boris@example.test", "boris@new.test"])
@pytest.mark.parametrize("how", ["its first line", "its lines", "its quotes"])
@pytest.mark.parametrize("quoted", [True, False])
def test_T48_a_paper_of_a_tournament_hides_no_changed_turn_beside_it(owed, sender, how, quoted):
    """Where one is played any paper that could be read, signed by whomever, kept the rest from being looked at."""
    file, paper = CHANGED[how](turn(owed.boris, owed.game, 3), owed.game), entry()
    made = EmailMessage()
    made["From"], made["Subject"] = sender, "my turn"
    lines = "".join(f"> {line}\n" for line in paper.decode().splitlines()) if quoted else "Mine.\n"
    made.set_content(lines)
    for name, content in [file] if quoted else [("paper.yaml", paper), file]:
        made.add_attachment(content, "application", "octet-stream", filename=name)
    concern = Concern(lambda: [owed.game[:8]], lambda _lost: None, lambda: ["boris@example.test"])
    read = sorting.read([Mail(made.as_bytes(), "a mail")], concern=concern, events=True)
    read.settle({})
    assert len(read.papers) == 1
    assert len(read.faults) == 1
    assert read.damaged


def test_T48_a_player_is_told_of_a_changed_turn_of_one_game_beside_a_new_one_of_another(friends, tmp_path):
    """Nobody was told, and without a referee no reminder ever asks."""
    anna, boris = friends("anna", "boris")
    one, other = postal.began(anna, boris), postal.began(anna, boris)
    for game in (one, other):
        boris.sign(game)
    made = EmailMessage()
    made["From"], made["Subject"] = boris.address, "my turns"
    made.set_content("Both.\n")
    for name, content in (("a.yaml", turn(boris, one, 1)), CHANGED["its first line"](turn(boris, other, 1), other)):
        made.add_attachment(content, "application", "octet-stream", filename=name)
    path = tmp_path / "mail.eml"
    path.write_bytes(made.as_bytes())
    day = inbox(anna, path)
    assert [game.game for game in day.games] == [one]
    assert len(day.faults) == 1


def test_what_apple_mail_names_of_what_it_quotes_is_no_file_that_was_taken_away(owed):
    """A reply of a few words was told as a damaged turn, and the game never ended by itself."""
    name = f"kursk-{owed.game[:8]}-0002.yaml"
    raw = f"From: boris@example.test\nSubject: Re: your turn\n\nNext week!\n\n> Hello\n> <{name}>\n"
    owed.office.put(raw.encode(), owed.ref.address)
    assert not owed.director.post().faults
    assert waits_for_a_reader(owed)


def test_a_folder_of_papers_that_cannot_be_read_stops_no_round(entered, monkeypatch):
    """Beside a paper something that may be changed: what was new could not be found out, in each round anew."""
    entered.ref.post()
    monkeypatch.setattr(held, "holds", lambda *_of: (_ for _ in ()).throw(DiskError("no")))
    own = bundles.bundle([says(entered.book(), stranger(3))])
    raw = f"From: s@x.test\nSubject: x\n\n{own}\nkursk-tournament: \u20181\u2019\n".encode()
    entered.office.put(raw, entered.ref.address)
    assert entered.ref.post().faults
