"""What is wrong with a player's mail is told, whatever is wrong with others, and whatever a library fails at."""

import json
from dataclasses import replace

import pytest
from helpers import postal
from helpers.mailbags import box, letter, maildir, turn
from helpers.postmen import Time
from helpers.refereed_mail import World, played_on, taken

from kursk_pbem.errors import FileError
from kursk_pbem.post import clerk, people, sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.mailbox import boxes
from kursk_pbem.post.mailbox.boxes import Source
from kursk_pbem.post.referee import damage, deadlines, findings
from kursk_pbem.post.referee.damage import Concern
from kursk_pbem.post.sorting import ANYBODY
from kursk_pbem.trust import leftover, mailhtml, messages

BROKEN = b"kursk-pbem: '1'\n"
PLAYERS = {"anna@example.test", "boris@example.test"}


@pytest.fixture
def world(friends, tmp_path, monkeypatch):
    world = World(friends, tmp_path, Time().set(monkeypatch))
    played_on(world)
    return world


def mail(sender, number, subject="my turn"):
    return Mail(b"From: %b\nSubject: %b\nX: %d\n\n%b" % (sender.encode(), subject.encode(), number, BROKEN), "here")


def told(mails, known=PLAYERS):
    """Who is told of, and of how many mails no more than their number."""
    held = sorting.read(mails, concern=Concern(lambda: ["12345678"], list, lambda: known))
    return [str(fault) for fault in held.faults], held.found.more


@pytest.mark.parametrize("known", [PLAYERS, PLAYERS | {ANYBODY}])
@pytest.mark.parametrize("subject", ["my turn", "[kursk deadbeef] x"])
def test_T49_no_number_of_strangers_hides_what_is_wrong_with_a_players_mail(subject, known):
    """Those took the places of players who wrote the subject of some game; all did where one address is not known."""
    mails = [mail(f"s{number}@evil.test", number, subject) for number in range(25)]
    faults, more = told([*mails, mail("Boris@example.test", 25)], known)
    assert "Boris@example.test" in faults[0]
    assert (len(faults), more) == (20, 6)


def test_T49_who_writes_a_players_address_as_the_sender_hides_no_other_player():
    mails = [mail("boris@example.test", number) for number in range(25)]
    faults, more = told([*mails, mail("anna@example.test", 25)])
    assert ["anna@" in fault for fault in faults] == [False] * 3 + [True] + [False] * 16
    assert more == 6


def test_T49_who_writes_a_players_address_hides_nothing_that_is_wrong_with_files_of_this_desk():
    """Twenty such mails did: the three that come first, and those beyond them."""
    mails = [mail("boris@example.test", number) for number in range(25)]
    faults, more = told([*mails, FileError("the spool cannot be read")])
    assert ["the spool" in fault for fault in faults] == [False] * 3 + [True] + [False] * 16
    assert more == 6


@pytest.mark.parametrize("kept", [box, maildir])
def test_a_large_mail_of_a_player_is_told_before_those_of_strangers_and_holds_the_game_back(
    world, tmp_path, monkeypatch, kept
):
    """It was told among files of nobody, and no game was held back by it; the same mail from a server did."""
    monkeypatch.setattr(boxes, "MAX_MAIL", 1000)
    senders = [*(f"s{number}@evil.test" for number in range(25)), world.boris.address]
    path = kept(tmp_path, [mail(sender, number).raw + b"y" * 2000 for number, sender in enumerate(senders)])
    assert not deadlines.damaged_at(world.ref.home, world.game)
    with world.ref.sitting():
        day = clerk.work(world.director.errand.intake, [Source(path, world.ref.home)])
    assert "the mail from 'boris@example.test', subject 'my turn': more than" in str(day.faults[0])
    assert (len(day.faults), day.more) == (20, 6)
    assert deadlines.damaged_at(world.ref.home, world.game)


def test_T49_large_mails_of_strangers_hold_no_game_back(world, tmp_path, monkeypatch):
    monkeypatch.setattr(boxes, "MAX_MAIL", 1000)
    path = box(tmp_path, [mail("s@evil.test", 0).raw + b"y" * 2000])
    with world.ref.sitting():
        day = clerk.work(world.director.errand.intake, [Source(path, world.ref.home)])
    assert (len(day.faults), deadlines.damaged_at(world.ref.home, world.game)) == (1, "")


def test_what_merely_says_that_it_is_of_a_game_is_told_before_other_mails():
    mails = [mail("s@evil.test", number) for number in range(20)]
    faults, _more = told([*mails, mail("b@new.test", 20, "[kursk 12345678] x")])
    assert "b@new.test" in faults[0]


def test_T49_nor_in_another_part_of_the_same_round(world, monkeypatch):
    monkeypatch.setattr(sorting, "ROOM", 1000)
    for number in range(25):
        raw = mail(f"s{number}@evil.test", number, "[kursk deadbeef] x").raw
        world.office.put(raw, world.ref.address)
        world.time.passes(5)
    world.office.put(mail(world.boris.address, 25).raw, world.ref.address)
    day = world.director.post()
    assert "boris@" in str(day.faults[0])
    assert (len(day.faults), day.more) == (20, 6)


def test_T49_nor_what_is_found_wrong_only_once_nothing_new_came(world):
    """Of a mail beside whose turn there may be another it was forgotten whose it was."""
    old = turn(world.boris, world.game, 1)
    for sender in (*(f"s{number}@evil.test" for number in range(25)), world.boris.address):
        raw = letter(old, sender, how="8bit").replace(b"Hello,\n", b"Hello,\n\n{'kursk-pbem': 7\n")
        world.office.put(raw.replace(b"Message-ID: <", b"Message-ID: <" + sender[:3].encode()), world.ref.address)
        world.time.passes(5)
    day = world.director.post()
    assert "boris@" in str(day.faults[0])
    assert "may be one more turn" in str(day.faults[0])


@pytest.mark.parametrize("error", [LookupError, OverflowError])
def test_what_a_library_fails_at_twice_stops_nothing_but_its_mail(world, monkeypatch, error):
    """It was read once more to be told, and the error of that stopped every round."""
    said = leftover.said

    def fails(raw, name):
        if b"evil" in raw:
            raise error
        return said(raw, name)

    monkeypatch.setattr(leftover, "said", fails)
    world.office.put(mail("mallory@evil.test", 0).raw, world.ref.address)
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    day = world.director.post()
    assert taken(day) == [3]
    assert "mallory@evil.test" in "".join(map(str, day.faults))


@pytest.mark.parametrize("fault", ["", "more than 8 MiB"])
def test_where_a_library_fails_at_the_header_it_is_told_that_a_mail_came(monkeypatch, fault):
    """Whose it may be nobody can tell: so it may be of every game."""

    def fails(_mail):
        raise OverflowError

    monkeypatch.setattr(Mail, "headers", property(fails))
    came = replace(mail("mallory@evil.test", 0), fault=fault)
    held = sorting.read([came], concern=Concern(lambda: ["12345678"], list, lambda: PLAYERS))
    assert "here: nobody foresaw it (OverflowError)" in str(held.faults[0])
    assert damage.Damage(frozenset(), frozenset(), unseen=True) in held.damaged


@pytest.mark.parametrize("how", ["attached", "quoted-printable", "html"])
def test_what_is_lost_of_an_entrant_who_has_no_game_yet_is_told(entered, how):
    """Openings are mailed before anybody has a game: nothing was said of one that was cut off."""
    entered.ref.post()
    player = next(iter(entered.players.values()))
    whole = min((entered.folder / "papers").iterdir()).read_bytes()
    mail = letter(whole[: 9 * len(whole) // 10], player.address, subject="my opening", how=how)
    entered.office.put(mail, entered.ref.address)
    assert [player.address in str(fault) for fault in entered.ref.post().faults] == [True]


@pytest.mark.parametrize(
    "written", [{}, {"faults": ["as it was once"]}, {"kinds": [1], "left": 0, "of": {}}, {"kinds": 3}]
)
def test_findings_that_were_put_down_otherwise_are_none(written):
    """A file of one's own may say anything."""
    assert (findings.read(written).told, findings.read(written).more) == ([], 0)


def test_findings_are_read_as_they_were_put_down():
    found = findings.Findings()
    for number in range(5):
        found.put(FileError(str(number)), findings.PLAYERS, "anna@example.test")
    found.left = 7
    again = findings.read(json.loads(json.dumps(found.written)))
    assert (again.few(4), again.of, again.more) == (found.few(4), found.of, 7)


def test_what_is_lost_of_somebody_who_is_known_and_plays_no_game_yet_is_told(world, friends):
    """Their game may not have begun, or its folder be away: nothing was said, and nothing held it."""
    (carla,) = friends("carla")
    people.save(world.ref.home, people.load(world.ref.home, carla.public).put(carla.address, people.SAID, "so"))
    packed = letter(b"PK\x03\x04", carla.address).replace(b"turn.yaml", b"turn.zip")
    world.office.put(packed, world.ref.address)
    assert [carla.address in str(fault) for fault in world.director.post().faults] == [True]


OF_A_CUP = "PS: is there a kursk-tournament: this year?"


def armours(*turns):
    return [messages.read(raw, "").armour for raw in turns]


WORDS = [
    "",
    OF_A_CUP,
    f"  kursk-tournament: {OF_A_CUP}",
    "> kursk-tournament: it begins in May",
    "> kursk-tournament: '1'",
]


@pytest.mark.parametrize("words", WORDS)
def test_a_turn_that_lost_its_first_line_is_seen_whatever_words_stand_beside_it(world, words):
    """The name of a tournament's papers anywhere, in a quoted note too, switched it off."""
    world.boris.sign(world.game)
    raw = turn(world.boris, world.game, 3).partition(b"\n")[2] + words.encode() + b"\n"
    assert leftover.spoilt(raw, "mail")


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"  ", b"<blockquote><pre class='x'>"])
def test_a_paper_of_a_tournament_is_no_turn_whatever_stands_before_it(before):
    """An honest mail that held one was told as damaged, and held the game."""
    paper = b"kursk-tournament: '1'\ntype: open\nsignature: |\n  -----BEGIN SSH SIGNATURE-----\n  U1NI\n"
    assert not leftover.spoilt(b"Many thanks!\n\n" + before + paper + b"  -----END SSH SIGNATURE-----\n", "mail")


@pytest.mark.parametrize("first", [True, False])
def test_a_paper_of_a_tournament_that_is_cut_off_is_seen_beside_a_whole_one(first):
    """Nobody was told of it, or of a turn that is cut off beside a paper."""
    paper = b"kursk-tournament: '1'\ntype: open\nsignature: |\n  -----BEGIN SSH SIGNATURE-----\n  U1NI\n"
    cut = paper.partition(b"signature")[0]
    paper += b"  -----END SSH SIGNATURE-----\n"
    assert not leftover.spoilt_beside(paper + b"\n" + paper, "mail", ())
    assert leftover.spoilt_beside(b"\n".join([cut, paper] if first else [paper, cut]), "mail", ())


def test_no_note_that_looks_like_a_page_hides_a_changed_turn_beside_its_own(world):
    """What was left of it made the shown text a page, in which turns were counted anywhere."""
    world.boris.sign(world.game)
    mine = turn(world.boris, world.game, 3).partition(b"\n")[2]
    hers = turn(world.anna, world.game, 2).replace(b"signature:", b"note: so x kursk-pbem: 1 y z a<br <b\nsignature:")
    assert leftover.spoilt_beside(mine + b"\n" + hers, "mail", armours(turn(world.anna, world.game, 2)))


@pytest.mark.parametrize(
    "note",
    [
        "x</p> kursk-pbem: 1 <br>kursk-tournament: b",
        "x</p> kursk-pbem: 1 <br>kursk-tournament: 1<br>",
        "|\n  kursk-tournament: 1\n  <br>",
        "|\n  kursk-pbem: 1\n  kursk-pbem: 1",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_no_note_that_names_the_beginnings_of_turns_or_papers_hides_a_changed_turn(world, note, first):
    """What began was counted, whatever it stood in: one that is quoted whole hid another without its first line."""
    world.boris.sign(world.game)
    mine = turn(world.boris, world.game, 3).partition(b"\n")[2]
    hers = turn(world.anna, world.game, 2).replace(b"signature:", b"note: " + note.encode() + b"\nsignature:")
    assert leftover.spoilt_beside(
        b"\n".join([mine, hers] if first else [hers, mine]), "mail", armours(turn(world.anna, world.game, 2))
    )


def test_whoever_writes_a_broken_heart_writes_no_page():
    assert not mailhtml.is_page(b"</3 <3")


def test_T49_whoever_proposes_a_game_is_told_of_behind_the_players_of_those_that_are_played(world, friends):
    """Twenty strangers did, and mailed what cannot be read: their addresses counted as those of players."""
    raw = BROKEN.replace(b"\n", b"\r\n")
    strangers = friends(*(f"s{number}" for number in range(20)))
    for one in strangers:
        proposal, _game = postal.proposed(one, world.anna, relay=world.ref.public)
        world.office.put(letter(proposal, one.address), world.ref.address)
    world.director.post()
    for number, one in enumerate([*strangers, world.boris]):
        head = f"From: {one.address}\r\nMessage-ID: <d{number}@x.test>\r\n\r\n"
        world.office.put(head.encode() + raw, world.ref.address)
    assert world.boris.address in str(world.director.post().faults[0])


def test_T49_copies_that_strangers_forge_of_a_message_hide_no_players_own(world, friends):
    """Twenty refusals of a game were told, in the order of their ids."""
    world.boris.sign(world.game)
    raw = turn(world.boris, world.game, 3)
    seal = messages.read(raw, "").content["commit"].encode("ascii")
    for number in range(25):
        forged = raw.replace(seal, b"%064x" % number)
        world.office.put(letter(forged, f"s{number}@evil.test"), world.ref.address)
    world.office.put(letter(raw.replace(seal, b"f" * 64), world.boris.address, "my own"), world.ref.address)
    assert any("my own" in line for line in world.director.post().words)
