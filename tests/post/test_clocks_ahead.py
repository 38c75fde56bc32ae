"""A clock that is far ahead, and what a director keeps who says that it is right."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import text
from helpers.refereed_mail import DAY, HOUR, comes, ends_by_itself, held_back, hours, played_on

from kursk_pbem.desk import clock
from kursk_pbem.post import place, spool
from kursk_pbem.post.referee import deadlines, timing


@pytest.mark.parametrize(("days", "believed"), [(59, True), (60.01, False), (3650, False)])
def test_T52_a_clock_more_than_sixty_days_ahead_signs_nothing_until_the_director_says_that_it_is_right(
    automatic, days, believed
):
    """It was believed for a round: what it signed was years ahead, and no term could be extended or missed before."""
    world = automatic
    played_on(world)
    hours(world, 24)
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    right = world.time.now
    world.time.now += days * DAY
    chair = world.director.sits().chair
    assert ("days have passed since" in chair.watch.doubt()) != believed
    world.director.post()
    assert ("receipt-0003.yaml" in world.papers()) == believed
    if believed:
        return
    deadlines.note_damage(world.ref.home, world.game, 0)
    path = place.root(world.ref.home) / "clock.json"
    assert f"If it is right now, remove {path}" in chair.pending(chair.watch.doubt())[0]
    world.time.now = right + HOUR
    world.director.sits()
    world.director.post()
    assert f"received: '{text(right)}'" in (world.folder / "receipt-0003.yaml").read_text(encoding="ascii")
    assert deadlines.damaged_at(world.ref.home, world.game) == text(world.time.now)


def test_T52_whoever_says_that_the_clock_is_right_keeps_the_day_in_which_no_game_ends(automatic):
    """With clock.json went the note that the machine had been away: the game ended an hour after it was back."""
    world = automatic
    played_on(world)
    hours(world, 6 * 24 + 6, step=3)
    world.time.now += 4 * DAY
    right = world.time.now
    world.time.now += 30 * DAY
    world.director.sits()
    world.director.post()
    world.time.now = right + HOUR
    assert "has said" in world.director.sits().chair.watch.doubt()
    (place.root(world.ref.home) / "clock.json").unlink()
    world.director.sits()
    hours(world, 23)
    assert held_back(world)
    hours(world, 2)
    assert not held_back(world)
    hours(world, 50)
    assert "forfeit.yaml" in world.papers()


def test_T52_a_clock_is_held_against_one_of_the_same_start_of_its_machine(automatic, monkeypatch):
    """Where each round ran on a machine that was just started, half of the clocks seemed to have been set."""
    world = automatic
    played_on(world)
    for number in range(8 * 24):
        world.time.passes(3600)
        monkeypatch.setattr(clock, "start", lambda number=number: f"start {number}")
        monkeypatch.setattr(clock, "elapsed", lambda number=number: 40 + number % 2 * 30)
        world.director.sits()
        world.director.post()
    assert world.director.errand.chair.watch.away() == ""


@pytest.mark.parametrize("days", [0, 200])
@pytest.mark.parametrize("what", ["receipt", "extend", "forfeit"])
def test_T52_no_command_signs_what_a_term_depends_on_while_the_clock_is_in_doubt(automatic, capsys, what, days):
    """The round had just said that nothing is signed; a paper of another year cannot be taken back."""
    world = automatic
    played_on(world)
    hours(world, 24 if what != "forfeit" else 8 * 24, step=12)
    world.boris.sign(world.game)
    mail = world.ref.place / "mail.yaml"
    mail.write_bytes(turn(world.boris, world.game, 3))
    before, right = world.papers(), world.time.now
    world.time.now += days * DAY
    if days:
        world.director.post()
    said = {"receipt": (mail, "--days", 7, "--late"), "extend": (world.folder, "--days", 9, "--yes")}
    status = 2 if days else 0
    world.ref.kursk(what, *said.get(what, (world.folder, "--yes")), status=status)
    assert ("days have passed since" in capsys.readouterr().err) == bool(days)
    assert (world.papers() == before) == bool(days)
    world.time.now = right


@pytest.mark.parametrize("days", [0, 200])
def test_T52_nor_does_a_command_about_a_tournament(relayed, days):
    relayed.ref.post()
    relayed.time.now += days * DAY
    relayed.ref.friend.kursk("tournament", "new", "other", "--round-robin", "--system", "hex-toy/fords")
    relayed.ref.friend.kursk("tournament", "new", "other", "--yes", status=2 if days else 0)
    before = len(relayed.book().log)
    relayed.ref.friend.kursk(
        "tournament", "grant", "1", "2", "ill", "--yes", "--in", relayed.folder, status=2 if days else 0
    )
    assert (len(relayed.book().log) == before) == bool(days)


@pytest.mark.parametrize("ahead", [0, 10])
def test_T52_nor_while_it_is_in_doubt_for_the_mailbox_that_runs(automatic, monkeypatch, ahead):
    """A new program knew nothing of a clock that was set by some days, and signed by it."""
    world = automatic
    played_on(world)
    hours(world, 12, step=6)
    world.boris.sign(world.game)
    mail = world.ref.place / "mail.yaml"
    mail.write_bytes(turn(world.boris, world.game, 3))
    monkeypatch.setattr(clock, "now", lambda: text(world.time.now + ahead * DAY))
    world.director.post()
    world.ref.kursk("receipt", mail, "--days", 7, status=2 if ahead else 0)
    assert ("receipt-0003.yaml" in world.papers()) == (not ahead)
    monkeypatch.setattr(clock, "now", lambda: text(world.time.now))
    world.director.post()
    world.ref.kursk("receipt", mail, "--days", 7)
    assert "receipt-0003.yaml" in world.papers()


@pytest.mark.parametrize("typed", ["", "extend", "list", "inbox"])
def test_T52_a_command_is_no_look_of_the_mailbox_at_its_clock(automatic, typed):
    """With one each day nobody seemed to have been away, and a game ended as soon as the mailbox ran again."""
    world = automatic
    played_on(world)
    hours(world, 6 * 24 + 12, step=12)
    for _time in range(4):
        world.time.passes(20 * 3600)
        if typed == "extend":
            world.ref.kursk("extend", world.folder, "--days", 9, "--yes", status=2)  # the term is over
        elif typed == "list":
            world.ref.kursk("referee")
        elif typed == "inbox":
            world.ref.kursk("inbox", world.folder / "0002.yaml")
    world.director.sits()
    hours(world, 4)
    assert held_back(world)


@pytest.mark.parametrize(("back", "words"), [(12 * HOUR, True), (10 * DAY, True), (0 * DAY, True), (10 * DAY, False)])
def test_T52_what_was_written_while_the_clock_was_set_back_was_written_then(automatic, monkeypatch, back, words):
    """It seemed to be older than a message that came before it, and the game ended by itself."""
    world = automatic
    played_on(world)
    hours(world, 24, step=12)
    monkeypatch.setattr(clock, "now", lambda: text(world.time.now - back))
    world.director.post()
    world.time.passes(6 * 3600)
    comes(world, world.boris, 3)
    postal.carried(world.game, 3, world.boris, world.anna)
    world.time.passes(6 * 3600)
    world.asks("I am ill, please wait" if words else "Buy now", **({"who": "boris"} if words else {"who": "shop"}))
    world.time.passes(4 * 3600)
    monkeypatch.setattr(clock, "now", lambda: text(world.time.now))
    world.director.sits()
    world.director.post()
    world.time.passes(3600)
    comes(world, world.anna, 4)
    assert ends_by_itself(world) == (not words)


def test_T52_in_doubt_no_message_is_taken_whose_server_has_a_clock_that_is_behind(automatic):
    """Its time could not be, and it was taken however late it came."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    world.time.now += 11 * DAY
    right = world.time.now
    world.director.sits()
    world.director.post()
    world.time.now -= DAY
    world.director.sits()
    raw = letter(turn(world.boris, world.game, 3), world.boris.address)
    spool.put(world.ref.home, raw, folder="x", uid="1", fetched=timing.UNSURE, arrived=text(right - 12 * DAY))
    world.director.post()
    assert world.ref.desk(world.game).seq == 3
    world.time.now = right + HOUR
    world.director.sits()
    world.director.post()
    assert any("message 3 came late" in line for line in world.director.errand.chair.pending())


def test_T52_a_list_by_a_clock_that_is_ahead_forgets_no_absence(automatic, monkeypatch):
    """Its last day seemed to be over, and once the clock was right nobody knew of it any more."""
    world, ahead = automatic, [0 * DAY]
    monkeypatch.setattr(clock, "now", lambda: text(world.time.now + ahead[0]))
    played_on(world)
    world.asks("ABSENT 2026-09-10 2026-09-14", who="boris")
    hours(world, 6)
    ahead[0] = 30 * DAY
    world.ref.kursk("referee", "-q")
    ahead[0] = 0 * DAY
    world.director.sits()
    hours(world, 2)
    assert any("2026-09-10" in line for line in world.director.errand.chair.pending())


@pytest.mark.parametrize("off", [90, -400])
def test_T52_an_absence_that_comes_while_the_clock_is_in_doubt_is_noted(automatic, off):
    """Its last day seemed to be over, or years away: the player was told so, and the director nothing."""
    world = automatic
    played_on(world)
    hours(world, 6)
    right = world.time.now
    world.time.now += off * DAY
    world.director.sits()
    day = [text(right + days * DAY)[:10] for days in (3, 6)]
    world.asks(f"ABSENT {day[0]} {day[1]}", who="boris")
    world.time.now = right + HOUR
    world.director.sits()
    hours(world, 2)
    assert any("the director is told" in " ".join(raw.split()) for _reader, raw in world.words())
    assert any(f"from {day[0]} to {day[1]}" in line for line in world.director.errand.chair.pending())
