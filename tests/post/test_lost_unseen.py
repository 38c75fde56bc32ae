"""What was lost of a game that its referee's mailbox could not see then: not begun yet, or its folder away."""

import re
import shlex
from datetime import timedelta
from email.message import EmailMessage
from types import SimpleNamespace

import pytest
from helpers import postal
from helpers.mailbags import by_desk, letter, turn
from helpers.refereed_mail import DAY, closing, comes, damages, ends_by_itself, hours, owes_in_two, played_on, taken

from kursk_pbem.formats.canonical import canon
from kursk_pbem.post import people, place, sorting
from kursk_pbem.post.outcome import VOID
from kursk_pbem.post.referee import deadlines, lost
from kursk_pbem.trust import keys, messages, sshsig


def cut(raw):
    return raw[: raw.index(b"SIGNATURE") + 150]


def changed(raw):
    return re.sub(rb"\npolicy:", b"\nnote: a\npolicy:", raw)


@pytest.fixture
def proposed(automatic):
    """A second game: all of its messages 0 to 3 are made, and none has come to the referee. Its id is in ``new``."""
    automatic.new = postal.began(automatic.anna, automatic.boris, relay=automatic.ref.public)
    pair = (automatic.boris, automatic.anna)
    for seq in (1, 2, 3):
        who, other = pair if seq % 2 else pair[::-1]
        who.sign(automatic.new)
        postal.carried(automatic.new, seq, who, other)
    return automatic


def mailed(world, *seqs, how=bytes, sender=None):
    """Messages of the new game come to the referee, a mail and a round each."""
    for seq in seqs:
        who = world.boris if seq % 2 else world.anna
        world.office.put(letter(how(turn(who, world.new, seq)), sender or who.address), world.ref.address)
        world.director.post()
        world.time.passes(60)


def begins(world, *seqs):
    """The director begins the new game, and signs what the mailbox asks for; then somebody mails these messages."""
    world.ref.kursk("receipt", world.new[:16], "--days", "7", "--key", world.ref.key)
    world.director.post()
    advised(world)
    mailed(world, *seqs)


def advised(world):
    """What the list says of missing receipts is done, until it says nothing more."""
    for _time in range(9):
        lines = world.director.errand.chair.pending()
        line = next((line for line in lines if f"game {world.new[:8]}" in line and "has no receipt" in line), "")
        if not line:
            return
        command = shlex.split(line.split("'")[1])
        world.time.passes(60)
        world.ref.kursk(*command[1:], "--days", "7", "--key", world.ref.key)
        assert (world.ref.folder(world.new) / f"receipt-{line.split('message ')[1][0].zfill(4)}.yaml").exists()
        world.director.post()


def ended(world, game=None):
    hours(world, 10 * 24, step=6)
    return closing(world.ref.home, world.ref.folder(game or world.new))


def test_of_several_messages_without_a_receipt_each_gets_its_own(proposed):
    """The command that the list named signed the newest one's, and nobody asked for the others any more."""
    mailed(proposed, 0, 1, 2)
    begins(proposed)
    held = {path.name for path in proposed.ref.folder(proposed.new).glob("receipt-*")}
    assert held == {f"receipt-{seq:04d}.yaml" for seq in range(3)}


@pytest.mark.parametrize("how", [cut, changed])
@pytest.mark.parametrize("sender", ["boris@example.test", "office@work.example"])
def test_what_was_lost_before_the_game_began_ends_it_not_by_itself(proposed, how, sender):
    """A message that was cut off, or changed on its way, while the proposal waited for the director."""
    mailed(proposed, 0, 1, 2)
    mailed(proposed, 3, how=how, sender=sender)
    begins(proposed)
    assert not ended(proposed)
    [line] = [line for line in proposed.director.errand.chair.pending() if f"{proposed.new[:8]}: message 3 was" in line]
    assert "damaged or refused" in line


def test_what_came_before_the_proposal_ends_no_game_by_itself(proposed):
    """The mail with the proposal was put off on its way; what cannot be taken yet is left."""
    mailed(proposed, 3, 0)
    begins(proposed, 1, 2)
    assert not ended(proposed)


@pytest.mark.parametrize("sender", ["boris@example.test", "office@work.example"])
@pytest.mark.parametrize(("words", "held"), [(None, False), (1, False), (2, True), (3, True)])
def test_T48_words_since_their_last_message_count_though_the_game_had_not_begun(proposed, words, held, sender):
    """When that came was not put down: it seemed to come as the director signed its receipt, behind the words."""
    world = proposed
    about = f"From: {sender}\nSubject: Re: [kursk {world.new[:8]}] my turn\nMessage-ID: <w@x.test>"
    told = f"{about}\n\nWait, please\n".encode()
    for seq in range(4):
        if seq == words:
            world.office.put(told, world.ref.address)
            world.director.post()
            world.time.passes(3600)
        mailed(world, *[seq] * (seq < 3))
    begins(world)
    (seat,) = (seat for seat in world.director.errand.chair.seats() if seat.game == world.new)
    assert len({deadlines.received(seat, seq) for seq in range(3)}) == 1  # as it began, which is when they count from
    assert ended(world) != held, world.director.errand.chair.pending()


@pytest.mark.parametrize("packed", [True, False])
def test_2_12_what_is_packed_beside_a_turn_of_another_game_is_lost_of_one_that_begins(proposed, packed):
    """Whoever had written something new elsewhere had hardly begun another game, so it seemed; it ended by itself."""
    world = proposed
    mailed(world, 0, 1, 2)
    world.boris.sign(world.game)
    made = EmailMessage()
    made["From"], made["To"] = "boris@example.test", "ref@example.test"
    made.set_content("Both turns.\n")
    made.add_attachment(turn(world.boris, world.game, 1), "application", "octet-stream", filename="turn.yaml")
    if packed:
        made.add_attachment(b"PK\x03\x04\x14\0\0\0", "application", "zip", filename="two.zip")
    world.office.put(by_desk(made.as_bytes(), world.ref), world.ref.address)
    day = world.director.post()
    assert (taken(day), bool(day.faults)) == ([1], packed)
    begins(world)
    assert ended(world) != packed


@pytest.mark.parametrize("long_before", [False, True])
def test_a_game_that_began_while_nothing_was_lost_ends_by_itself(proposed, long_before):
    """What was lost of whatever game long before says nothing."""
    if long_before:
        mailed(proposed, 3)
        for _week in range(9):
            hours(proposed, 7 * 24, step=7 * 24)
    mailed(proposed, 0)
    begins(proposed, 1, 2)
    assert ended(proposed)


def test_a_stranger_makes_one_note_with_all_that_they_mail(proposed):
    for number in range(3):
        raw = re.sub(rb"game: '?[0-9a-f]{64}'?", b"game: " + b"%064x" % number, turn(proposed.boris, proposed.new, 3))
        proposed.office.put(letter(raw, "s@evil.test"), proposed.ref.address)
        proposed.director.post()
    damaged = place.root(proposed.ref.home) / "referee" / "damaged"
    assert [path.name for path in damaged.iterdir()] == ["any.json"]


@pytest.fixture
def away(automatic, tmp_path):
    """A damaged message 3 comes while the folder of its game is elsewhere, for a round."""
    played_on(automatic)
    automatic.boris.sign(automatic.game)
    (automatic.ref.place / "0000.yaml").unlink()
    home, elsewhere = automatic.folder, tmp_path / "elsewhere"
    home.rename(elsewhere)
    automatic.director.sits()
    raw = cut(turn(automatic.boris, automatic.game, 3))
    automatic.office.put(letter(raw, automatic.boris.address), automatic.ref.address)
    automatic.director.post()
    elsewhere.rename(home)
    return automatic


def test_a_damaged_mail_counts_for_a_game_whose_folder_is_away(away):
    """It was told once, and the game was over a week later."""
    assert not ended(away, away.game)


def test_a_damaged_mail_counts_for_a_game_that_nobody_may_open_now(automatic, close):
    played_on(automatic)
    automatic.boris.sign(automatic.game)
    (automatic.ref.place / "0000.yaml").unlink()
    raw = cut(turn(automatic.boris, automatic.game, 3))
    close.append(automatic.folder)
    automatic.director.sits()
    automatic.office.put(letter(raw, automatic.boris.address), automatic.ref.address)
    automatic.director.post()
    close.clear()
    automatic.director.sits()
    assert not ended(automatic, automatic.game)


def test_four_messages_later_nothing_is_lost_any_more(away):
    away.office.put(letter(turn(away.boris, away.game, 3), away.boris.address), away.ref.address)
    away.director.post()
    for seq, who, other in ((4, away.anna, away.boris), (5, away.boris, away.anna), (6, away.anna, away.boris)):
        postal.carried(away.game, seq - 1, other, who)
        away.time.passes(timedelta(hours=1).total_seconds())
        comes(away, who, seq)
    assert ended(away, away.game)


def test_a_damaged_list_of_the_games_stops_nothing(automatic):
    """All games are new then; they end once their players have written again."""
    damages(place.root(automatic.ref.home) / "referee" / "seen.json")
    automatic.director.post()
    automatic.time.passes(60)
    played_on(automatic)
    automatic.time.passes(DAY.total_seconds())
    assert ended(automatic, automatic.game)


@pytest.mark.parametrize("rolled", [False, True])
def test_of_a_game_that_the_referee_proposes_nothing_was_lost_before(tmp_path, rolled):
    """All boards of a new round of a tournament would wait for the director's word."""
    deadlines.note_damage(tmp_path, deadlines.NOT_BEGUN, -1)
    known = SimpleNamespace(writer="a", newest=0, here=True, head={})
    lost.look(tmp_path, [SimpleNamespace(game="ab" * 32, rolled=rolled, known=known)])
    assert bool(deadlines.damaged_at(tmp_path, "ab" * 32)) is not rolled


def test_while_a_player_s_file_cannot_be_read_each_damaged_mail_may_be_theirs(automatic):
    """Nobody knew their address in that round: nothing was told, and the game ended once the file was healed."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    hours(world, 6 * 24 + 6, step=6)  # reminders are out
    (file,) = (place.root(world.ref.home) / "people").glob(f"{people.mark(world.boris.public)}.json")
    whole = file.read_bytes()
    damages(file)
    world.office.put(letter(b"gone", world.boris.address).replace(b"turn.yaml", b"0003.yaml"), world.ref.address)
    assert len(world.director.post().faults) == 1
    damages(file, whole)
    assert not ends_by_itself(world)


def test_a_damaged_note_of_what_was_lost_stops_no_game(automatic):
    """No receipt was signed in any game, until another damaged mail came."""
    played_on(automatic)
    damages(place.root(automatic.ref.home) / "referee" / "damaged" / "any.json")
    comes(automatic, automatic.boris, 3)
    assert "receipt-0003.yaml" in automatic.papers()


def named_alike(*files):
    """A mail of Boris with files that are named as those of a game folder are."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "boris@example.test", "ref@example.test", "my turns"
    made.set_content("Both turns.\n")
    for held in files:
        made.add_attachment(
            held, "application", "octet-stream", filename="0003.yaml", params={"name*": "utf-8''0003.yaml"}
        )
    return made.as_bytes()


@pytest.mark.parametrize("removed", [False, True])
def test_T48_of_two_files_named_alike_for_two_games_each_counts(automatic, removed):
    """Where the first could be read, the second was not missed: nobody was told, and its game ended."""
    world = automatic
    other = owes_in_two(world)
    own, others = (turn(world.boris, game, 3) for game in (world.game, other))
    for _time in range(2):
        raw = named_alike(own, own, b"This attachment was removed.\n" if removed else others)
        world.office.put(raw, world.ref.address)
        world.time.passes(3600)
        faults = world.director.post().faults
    assert len(faults) == removed
    assert ended(world, other) != removed


@pytest.mark.parametrize("name", ["KURSK-GAME-0003.YAML", "Kursk-GAME-0003.yaml"])
def test_a_file_that_a_gateway_names_in_capitals_is_of_its_game(owed, name):
    """Its mail was told as damaged, and the game it is of was not seen."""
    name = name.replace("GAME", owed.game[:8].upper() if name.isupper() else owed.game[:8])
    raw = letter(b"\n", "boris@elsewhere.test").replace(b"turn.yaml", name.encode())
    owed.office.put(raw, owed.ref.address)
    owed.director.post()
    assert deadlines.damaged_at(owed.ref.home, owed.game)


def test_a_void_message_that_is_owed_ends_no_game_by_itself(owed):
    """Two programs may differ: only the director was told, and its writer lost the game."""
    said = messages.read(turn(owed.boris, owed.game, 3), "a message").content
    said = {**said, "policy": {"volley": "late", "assaults": {"zz": "late"}}}
    armour = keys.load(owed.boris.key).sign(sshsig.NAMESPACE, canon(said))
    owed.office.put(letter(messages.mailed(said, armour, None).encode(), owed.boris.address), owed.ref.address)
    states = [outcome.state for game in owed.director.post().games for outcome in game.outcomes]
    assert states == [VOID]
    assert not ends_by_itself(owed)


BOUNDARIES = ["*=idna'en'abc", "*=punycode'en'%FF", "*=undefined'en'a", "*=a%00b'en'a", '*0*="x"; boundary ', "*=''"]


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("inside", [False, True])
def test_T27_a_boundary_that_the_library_cannot_read_stops_no_round(owed, boundary, inside):
    """A stranger's mail of four lines did, and each round that followed, for it lay in the spool."""
    kind = f"Content-Type: multipart/mixed; boundary{boundary}\r\n"
    head = "From: a@evil.test\r\nSubject: [kursk 12345678] x\r\n"
    owed.office.put(
        (f"{head}\r\n{kind}" if inside else f"{head}{kind}\r\n").encode() + b"\r\nHello\r\n", owed.ref.address
    )
    owed.office.put(letter(turn(owed.boris, owed.game, 3)), owed.ref.address)
    assert taken(owed.director.post()) == [3]


def test_T27_what_nobody_foresaw_in_a_mail_stops_nothing_but_that_mail(owed, monkeypatch):
    real = sorting.reported.read
    monkeypatch.setattr(sorting.reported, "read", lambda mail: {}["x"] if b"odd" in mail.raw else real(mail))
    owed.office.put(b"From: boris@example.test\r\nSubject: odd\r\n\r\nHello\r\n", owed.ref.address)
    owed.office.put(letter(turn(owed.boris, owed.game, 3)), owed.ref.address)
    day = owed.director.post()
    assert taken(day) == [3]
    (fault,) = day.faults
    assert "nobody foresaw it (KeyError)" in str(fault)
    assert deadlines.damaged_at(owed.ref.home, owed.game)
