"""What a referee's mailbox answers repeats no words of a stranger, and tells of each game what became of it."""

import pytest
from helpers.refereed_mail import DAY, begun, played_on

from kursk_pbem.post.mailbox import people
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.referee import requests

LINK = "http://malware.example/prize.exe"


def flat(raw):
    """The words of a letter."""
    return " ".join(raw.split())


@pytest.mark.parametrize(
    "asked",
    [
        f"MAP {LINK} confirm here",
        f"REPORT {LINK}",
        f"RULE {LINK}",
        f"RULE hex-toy {LINK}",
        f"ABSENT {LINK} 2026-12-24",
        "MAP www.malware.example",
        "REPORT anna@malware.example",
        "MAP you have won one thousand euro and lose them if you do not answer today",
    ],
)
def test_T56_an_answer_repeats_no_link_and_no_sentence_of_the_question(world, asked):
    """Anybody can write it in a player's name: the mailbox mailed what a stranger wanted them to read."""
    world.asks(asked)
    ((_reader, raw),) = world.words()
    assert f"{asked.partition(' ')[0]}: what you named is not known here" in flat(raw)
    assert "malware" not in raw
    assert "thousand" not in raw


def test_T56_an_answer_repeats_forty_letters_of_all_that_is_asked_in_one_mail(world):
    """Five commands made a sentence of them, one below the other."""
    asked = ["urgent your key was stolen today 2 nov", "phone Anna Petrova at 0049-151-99887766", "or the game is lost"]
    world.asks("\r\n".join(f"RULE {words}" for words in asked))
    ((_reader, raw),) = world.words()
    assert [words in flat(raw) for words in asked] == [True, False, False]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("MAP Nowhere", "'nowhere'"),
        ("RULE hex-toy 99.9", "'99.9'"),
        ("ABSENT 24.12.2026 2.1.2027", "'24.12.2026' is no"),
    ],
)
def test_an_answer_names_what_was_mistyped(world, asked, told):
    world.asks(asked)
    ((_reader, raw),) = world.words()
    assert told in flat(raw).lower()


def absent_from(world, game, number):
    """So many absences of Anna from one game are noted."""
    for day in range(number):
        world.asks(f"ABSENT {game[:8]} 2026-10-01 2026-10-{day + 1:02}", X=day)
        world.time.now += DAY / 9 if day % 9 else DAY
    world.time.now += DAY
    world.office.mails.clear()


def test_of_two_games_the_one_that_has_room_is_named_beside_the_one_that_has_none(world):
    """The answer was that there are too many, in 'this game'; that the other had noted it was not said."""
    other = begun(world, world.anna, world.boris)
    full, free = sorted([world.game, other], reverse=True)
    absent_from(world, full, 20)
    world.asks("ABSENT 2026-12-24 2026-12-25", X=99)
    ((_reader, raw),) = (word for word in world.words() if word[0] == world.anna.address)
    assert f"game {free[:8]}: the director is told that you are away from 2026-12-24" in flat(raw)
    assert f"too many absences of yours are noted in game {full[:8]}: say it in a reply" in flat(raw)


def test_an_absence_that_is_noted_is_told_as_noted_whatever_room_there_is(world):
    """It was one too many, though the director was told."""
    absent_from(world, world.game, 20)
    world.asks("ABSENT 2026-10-01 2026-10-20", X=99)
    ((_reader, raw),) = world.words()
    assert "the director is told that you are away from 2026-10-01 to 2026-10-20" in flat(raw)


def test_whoever_names_no_game_in_odd_words_is_told_which_there_are(world):
    """The answer was that what they named is not known, and no list."""
    begun(world, world.anna, world.boris)
    world.asks("REPORT #3")
    ((_reader, raw),) = world.words()
    assert "name the game, by the first digits of its number" in flat(raw)


@pytest.mark.parametrize(
    "asked", ["HELP", "STATUS", "REPORT", "MAP", "RULE T.1", "ABSENT 2026-12-24 2026-12-25", "RULE", "MAP x/"]
)
def test_no_answer_asks_anything_itself(world, asked):
    """'Report of message 2' was a command to a mailbox that got it back, from a program or below a person's words."""
    played_on(world)
    world.asks(asked)
    ((_reader, raw),) = world.words()
    assert requests.read(Mail(raw.encode().replace(b"Auto-Submitted", b"X"), "m")) == []


def test_a_player_at_the_address_of_the_director_is_heard(directed):
    """Who shares a mailbox at home with the director: an absence was passed over without a word."""
    world = directed
    played_on(world)
    boris = people.known(world.ref.home, world.boris.public)
    people.save(world.ref.home, boris.put("boss@example.test", people.SAID, "said"))
    world.asks("ABSENT 2026-09-03 2026-09-20", "boss")
    assert "while they owe a message" in str(world.director.errand.chair.pending())
