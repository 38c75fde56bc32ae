"""A file of the desk that cannot be read, and is moved away as the program says: what it held costs nobody a game."""

import re
from email import message_from_bytes

import pytest
from helpers import sweeps
from helpers.mailbags import letter
from helpers.postmen import Member, text
from helpers.refereed_mail import DAY, begun, damages, ends_by_itself, hours, last_calls, played_on
from helpers.returned import report

from kursk_pbem.post import people, place
from kursk_pbem.post.referee import terms
from kursk_pbem.trust import keys, slip

BOSS = "boss@example.test"


@pytest.fixture
def called(automatic):
    """Boris owes message 3, and everybody was told that the game ends."""
    played_on(automatic)
    hours(automatic, 8 * 24, step=6)
    assert len(last_calls(automatic.ref.home, automatic.folder)) == 3
    return automatic


def ends(world):
    """Whether the game does."""
    hours(world, 4 * 24, step=12)
    return "forfeit.yaml" in world.papers()


def moved_away(world, path):
    """The file is spoilt; the program is started anew, and what it says is done."""
    damages(path)
    world.director.sits()
    world.time.passes(3600)
    said = "\n".join(map(str, world.director.post().done))
    if path.read_bytes() == b"x":
        assert f"{path} cannot be read (JSONDecodeError): move it away" in said + str(
            world.director.errand.chair.pending()
        )
        path.unlink()
        world.director.sits()


def told_to(world, raw):
    """A mail comes."""
    world.office.put(raw, world.ref.address)
    hours(world, 1)


def test_2_12_an_answer_counts_though_it_is_not_known_any_more_when_the_first_letter_was_written(called):
    raw = f"From: anna@example.test\r\nSubject: [kursk {called.game[:8]}] wait\r\n\r\nplease\r\n"
    told_to(called, raw.encode())
    moved_away(called, next((place.root(called.ref.home) / "referee" / "called").iterdir()))
    assert not ends(called)


def test_2_12_an_answer_counts_though_where_it_stood_is_removed(called):
    raw = f"From: anna@example.test\r\nSubject: [kursk {called.game[:8]}] wait\r\n\r\nplease\r\n"
    told_to(called, raw.encode())
    path = damages(place.root(called.ref.home) / "referee" / "wrote" / f"{called.game[:16]}-players")
    hours(called, 1)
    path.unlink()
    assert not ends(called)


@pytest.mark.parametrize("reader", sweeps.some(["boris@example.test", "anna@example.test"], 2))
def test_2_12_a_report_counts_though_where_it_stood_was_moved_away(called, reader):
    told_to(called, report("<x@y>", reader))
    moved_away(called, place.root(called.ref.home) / "referee" / "damaged" / f"{called.game[:16]}.json")
    assert not ends(called)


def test_2_12_a_card_counts_though_whose_it_was_was_moved_away(called):
    """The address was said anew, as the program asks, and nobody asked about the newer one any more."""
    card = slip.emit(slip.card(called.ref.public, "new@example.test", 99, keys.load(called.boris.key)))
    told_to(called, letter(card.encode(), "shop@example.test", "hello"))
    path = place.root(called.ref.home) / "people" / f"{people.mark(called.boris.public)}.json"
    assert path.exists()
    moved_away(called, path)
    boris = people.load(called.ref.home, called.boris.public)
    people.save(called.ref.home, boris.put(called.boris.address, people.SAID, "said"))
    assert not ends(called)


def test_2_12_a_pause_counts_though_where_it_stood_was_moved_away(called):
    list(called.director.errand.chair.pause(text(called.time.now + 20 * DAY)))
    moved_away(called, place.root(called.ref.home) / "referee" / "pause.json")
    assert not ends(called)


@pytest.mark.parametrize("action", sweeps.some(["failed", "delayed"], 2))
@pytest.mark.parametrize("back", [True, False])
def test_T60_a_report_counts_though_its_letter_could_not_be_read_when_it_came(automatic, action, back):
    """It was told, and counted for nothing."""
    played_on(automatic)
    hours(automatic, 24, step=6)
    to = automatic.boris.address
    heads = [raw.partition(b"\r\n\r\n")[0] for _at, _from, reader, raw in automatic.office.mails if reader == to]
    mid = [found[1].decode() for head in heads if (found := re.search(rb"Message-ID: (<k1\.[0-9a-f]{32}\.\S+)", head))]
    (path,) = (place.root(automatic.ref.home) / "out" / automatic.game[:16]).glob(f"*-{mid[-1][4:36]}-*.json")
    whole = path.read_bytes()
    damages(path)
    told_to(automatic, report(mid[-1], to, action=action))
    path.unlink()
    if back:
        path.write_bytes(whole)
    assert not ends_by_itself(automatic)


def test_one_letter_that_cannot_be_read_and_comes_back_stops_no_other_game(called):
    """The report of it waits, and while it did no game of the mailbox ended."""
    folder = place.root(called.ref.home) / "out" / ("f" * 16)
    damages(folder / f"0002-{'a' * 32}-0.json")
    told_to(called, report(f"<k1.{'a' * 32}.0@example.test>", "carl@example.test"))
    assert ends(called)
    assert len(list((place.root(called.ref.home) / "in" / "spool").glob("*.eml"))) == 1


def words_to(world, name, subject):
    """What describes the newest letter in words to somebody of this subject, and its Message-ID."""
    paths = sorted((place.root(world.ref.home) / "out" / "words").glob("*.json"))
    mails = [(path, message_from_bytes(path.with_suffix(".eml").read_bytes())) for path in paths]
    found = [(path, mail) for path, mail in mails if mail["To"].startswith(name) and subject in mail["Subject"]]
    return found[-1][0], found[-1][1]["Message-ID"]


@pytest.fixture
def beside(automatic, friends):
    """Boris owes message 3; Carla owes one in another game, and was reminded."""
    for who in (others := friends("carla", "dmitri")):
        automatic.member[who.name] = Member(who, automatic.office)
        automatic.member[who.name].knows(automatic.director)
        automatic.director.knows(automatic.member[who.name])
    begun(automatic, *others)
    played_on(automatic)
    hours(automatic, 8 * 24, step=6)
    return automatic


@pytest.mark.parametrize("reader", ["dmitri@example.test", "carl@example.test"])
def test_one_letter_in_words_that_cannot_be_read_and_comes_back_stops_no_other_game(beside, reader):
    path, mid = words_to(beside, "dmitri", "reminder")
    damages(path)
    told_to(beside, report(mid, reader))
    assert ends(beside)


def test_T60_a_letter_in_words_that_cannot_be_read_stops_its_address_once_it_can(beside):
    """Until then it counts as no reminder, and its report waits."""
    path, mid = words_to(beside, "dmitri", "reminder")
    whole = path.read_bytes()
    damages(path)
    told_to(beside, report(mid, "dmitri@example.test"))
    assert path.with_suffix(".doubted").exists()
    assert people.known(beside.ref.home, beside.member["dmitri"].friend.public).reached
    path.write_bytes(whole)
    hours(beside, 1)
    assert not people.known(beside.ref.home, beside.member["dmitri"].friend.public).reached
    assert not list((place.root(beside.ref.home) / "in" / "spool").glob("*.eml"))


def test_one_persons_file_that_cannot_be_read_stops_no_other_game_where_a_former_address_failed(beside):
    """Whose it was stands in another file, which can be read."""
    home, dmitri = beside.ref.home, beside.member["dmitri"].friend
    _path, mid = words_to(beside, "dmitri", "reminder")
    person = people.load(home, dmitri.public)
    people.save(home, people.forget(home, person, dmitri.address).put("di@new.example", people.SAID, "as you said"))
    damages(place.root(home) / "people" / f"{people.mark(beside.member['carla'].friend.public)}.json")
    told_to(beside, report(mid, dmitri.address))
    assert ends(beside)


def test_2_12_a_report_counts_though_somebody_elses_file_cannot_be_read(called):
    to_boss = (raw for _at, _from, reader, raw in called.office.mails if reader == BOSS)
    mails = (message_from_bytes(raw) for raw in to_boss)
    mid = next(mail["Message-ID"] for mail in mails if "a last call" in mail["Subject"])
    path = damages(place.root(called.ref.home) / "people" / f"{'e' * 32}.json")
    told_to(called, report(mid, BOSS))
    assert not ends(called)
    path.unlink()
    assert not ends(called)


def test_2_12_the_address_of_the_mailbox_in_a_report_is_not_its_director(automatic):
    """It stands in each letter that comes back; they may be reached there all the same."""
    path = terms.path_of(automatic.ref.home)
    path.write_text(path.read_text().replace(BOSS, automatic.ref.address))
    automatic.director.sits()
    played_on(automatic)
    hours(automatic, 8 * 24, step=6)
    told_to(automatic, report("<x@y>", "anybody@else.test", more=f"From: {automatic.ref.address}\r\n".encode()))
    assert ends(automatic)


@pytest.mark.parametrize("strangers", sweeps.sizes(0, 150))
def test_2_12_a_report_counts_though_another_letter_to_its_reader_cannot_be_read(called, strangers):
    """It waited with those of strangers, of which a hundred are kept."""
    words = place.root(called.ref.home) / "out" / "words"
    to_boss = sorted(words.glob("*-0000000000000000-*.json"))
    lists = (path for path in to_boss if b"a last call" not in path.with_suffix(".eml").read_bytes())
    path = damages(next(lists))
    for number in range(strangers):
        raw = b"X: %d\r\n" % number + report("<x@y>", f"nobody{number}@x.test")
        called.office.put(raw, called.ref.address)
    told_to(called, report("<x@y>", BOSS))
    path.unlink()
    assert not ends(called)


def test_2_12_a_report_counts_though_what_it_is_about_cannot_be_read_as_it_comes(called):
    """And can be read again in the next round."""
    words = place.root(called.ref.home) / "out" / "words"
    to_boss = sorted(words.glob("*-0000000000000000-*.json"))
    path = next(path for path in to_boss if b"a last call" in path.with_suffix(".eml").read_bytes())
    whole = path.read_bytes()
    called.office.put(report("<x@y>", BOSS), called.ref.address)
    damages(path)
    called.director.errand.complete = False
    called.director.post()
    damages(path, whole)
    called.director.errand.complete = True
    assert not ends(called)
