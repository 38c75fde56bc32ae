"""Dice are an event: their film opens by itself, and no result is anywhere before its dice have come to rest."""

from __future__ import annotations

import re

import pytest
from helpers import film_poll, sweeps

from board.screens import CUT, opened
from board.seats import Seat, Stranger, fought
from kursk_pbem.demo import script as scripts
from kursk_pbem.desk.own.register import HOT_SEAT
from kursk_pbem.desk.seat import bothsides, playback, scene
from kursk_pbem.game import keyring

MOVING = {"news": True, "reduced_motion": "no-preference"}
HEARD = "window.AudioContext = class { constructor() { window.heard = true; throw new Error('heard'); } }"


def play(tmp_path, many):
    """Return both seats after some messages. The dice fall before message 4, which begins with the German dice."""
    table = fought(tmp_path, many)
    return Seat("german", table.german.place), Seat("russian", table.russian.place)


def look(screen):
    """Return a function that looks at the page."""
    return lambda: film_poll.Look(**screen.page.evaluate(film_poll.LOOK))


def make_film(seat, seq):
    current = scene.open_scene(seat.room, seat.game)
    return playback.make_playback(current.desk, seq, current.checked.result if current.checked else None)


def game_link(screen):
    return screen.page.get_by_role("region", name="Games").get_by_role("link").first


@pytest.mark.some(2)
@pytest.mark.parametrize(("side", "many"), [(0, 3), (1, 4)], ids=["own dice", "the opponent's dice"])
def test_no_result_is_anywhere_before_its_die_rests(browser, tmp_path, side, many):
    """M4: own dice were a line of text, and the film of the opponent's dice told the end first."""
    seat = play(tmp_path, many)[side]
    results = film_poll.find_results(make_film(seat, 4))
    ends = [*next(iter(results.values())), "falls back to 2013"]
    with opened(browser, seat, **MOVING) as screen:
        box = screen.page.get_by_role("region", name="What happened")
        card = screen.page.get_by_role("region", name="Games").get_by_role("article")
        assert "Dice have fallen" in card.inner_text()
        assert film_poll.list_told(look(screen)(), ends) == []
        with screen.page.expect_navigation(wait_until="commit"):
            game_link(screen).click()
        assert film_poll.poll_film(look(screen), dict.fromkeys(results, ends)) == []
        box.get_by_text("South-west of Orel").wait_for()
        screen.page.wait_for_function("document.title.startsWith('Your move')")
        screen.button("Done", box)
        screen.page.get_by_text("70th Army falls back to 2013").first.wait_for(state="attached")
        screen.page.reload()
        screen.page.get_by_role("tab", name="Orders").wait_for()
        screen.settled()
        assert not box.is_visible()
        screen.click("link", "To your games")
        card.get_by_text("Dice have fallen").wait_for(state="hidden")


@pytest.mark.parametrize("high", [844, 664])
def test_a_phone_shows_all_losses_below_the_dice(browser, tmp_path, high):
    """The report below the card was cut at its heading."""
    seat = play(tmp_path, 4)[1]
    told = make_film(seat, 4)["frames"][0]["told"]
    phone = {"viewport": {"width": 390, "height": high}, "is_mobile": True, "has_touch": True}
    with opened(browser, seat, **phone, **MOVING) as screen:
        game_link(screen).click()
        words = screen.page.locator("#watch-told").filter(has_text=told)
        words.wait_for()
        bottom = words.evaluate("(each) => each.getBoundingClientRect().bottom")
        box = screen.page.locator(".telling").bounding_box()
        player = screen.page.locator(".player").bounding_box()
        assert bottom - 1 <= box["y"] + box["height"] <= player["y"]
        assert high < 700 or screen.page.evaluate(CUT, ".telling, #watch-card, .force span") == []


@pytest.mark.long("test-board-all")
def test_a_film_begins_again_until_its_end_and_is_skipped_by_one_key_or_tap(browser, tmp_path):
    """A reload and a look at the home page leave the dice unseen; a skip shows everything."""
    seat = play(tmp_path, 4)[1]
    for skip in (lambda page: page.keyboard.press("Escape"), lambda page: page.locator("#map").click()):
        with opened(browser, seat, **MOVING) as screen:
            box = screen.page.get_by_role("region", name="What happened")
            rolling = box.get_by_role("img", name="a die rolls")
            window = getattr(screen.page, "window", screen.page)
            game_link(screen).click()
            rolling.wait_for()
            screen.click("link", "To your games")
            screen.page.get_by_text("Dice have fallen").wait_for()
            assert "falls back" not in look(screen)().text
            game_link(screen).click()
            rolling.wait_for()
            screen.page.reload()
            rolling.wait_for()
            assert window.title().startswith("Dice have fallen")
            skip(screen.page)
            box.wait_for(state="hidden")
            screen.page.get_by_role("tab", name="Report").click()
            screen.page.get_by_text("70th Army falls back to 2013").first.wait_for()
            assert window.title().startswith("Your move")
            screen.page.reload()
            screen.page.get_by_role("tab", name="Orders").wait_for()
            screen.settled()
            assert not box.is_visible()


def test_without_motion_the_card_shows_its_result_at_once(browser, tmp_path):
    seat = play(tmp_path, 4)[1]
    with opened(browser, seat, news=True) as screen:
        game_link(screen).click()
        card = screen.page.get_by_role("group", name="Dice")
        card.get_by_text("EX", exact=True).wait_for()
        assert card.get_by_role("img", name="5", exact=True).is_visible()
        assert re.search(r"German\s+27\s.*2:1\s.*Russian\s+8\s", card.inner_text(), re.DOTALL)


def test_own_dice_of_both_sides_here_are_thrown_once(browser, tmp_path):
    """The message repeats the dice that both players have seen at this board."""
    (tmp_path / "hot").mkdir()
    stranger = Stranger("", tmp_path / "hot")
    room = stranger.room
    script = scripts.load_script("battle-for-kursk")
    key = keyring.find_or_make(room.home / HOT_SEAT)
    game = bothsides.start_game(room, script.scenario, key, {}).game.chain.game
    scripts.play_messages(lambda: room.desk(game), script, 3)
    with opened(browser, stranger, **MOVING) as screen:
        box = screen.page.get_by_role("region", name="What happened")
        game_link(screen).click()
        box.get_by_role("heading", name=re.compile("^Your dice, step")).wait_for()
        screen.press("Escape")
        box.wait_for(state="hidden")
        screen.button("Sign …")
        screen.button("Sign it", screen.page.get_by_role("dialog", name="Sign this message?"))
        screen.page.get_by_text("message 5").first.wait_for()
        screen.settled()
        assert screen.page.get_by_role("img", name=re.compile("die rolls|^[1-6]$")).count() == 0


@pytest.mark.long("test-board-all")
def test_a_die_is_heard_only_if_wanted(browser, tmp_path):
    seat = play(tmp_path, 4)[1]
    with opened(browser, seat, **MOVING) as screen:
        screen.page.context.add_init_script(HEARD)
        game_link(screen).click()
        sound = screen.page.get_by_role("checkbox", name="Sound")
        box = screen.page.get_by_role("region", name="What happened")
        screen.button("Done", box)
        screen.page.reload()
        screen.page.get_by_role("tab", name="Report").click()
        screen.button(re.compile("^Watch message 4"))
        box.get_by_role("img", name="5", exact=True).wait_for()
        assert not sound.is_checked()
        assert screen.page.evaluate("window.heard") is None
        sound.check()
        screen.page.wait_for_function("window.heard")
        screen.wrong.clear()
        screen.page.reload()
        assert screen.page.locator("#watch-sound").is_checked()


@pytest.mark.long("test-board-all")
@pytest.mark.parametrize("system", sweeps.some([*scripts.SCRIPTS], 4))
def test_the_dice_of_every_system_come_before_their_results(browser, tmp_path, system):
    """Battles, initiative, air, morale: the whole demonstration plays, and ends with a way on."""
    (tmp_path / "empty").mkdir()
    stranger = Stranger("", tmp_path / "empty")
    with opened(browser, stranger, **MOVING) as screen:
        title = scripts.load_script(system).ruleset.title
        name = "Watch a battle (1 minute)" if system == "battle-for-kursk" else f"Watch {title}"
        screen.button(name)
        screen.page.get_by_label("Speed").select_option("fast")
        stranger.mirror()
        (known,) = stranger.room.known()
        desk = stranger.room.desk(known.game)
        first = playback.find_first_battle(desk)
        films = [playback.make_playback(desk, seq) for seq in range(first, desk.seq)]
        fight = next(at for at, frame in enumerate(films[0]["frames"], 1) if frame["fight"])
        results = {heading: each for film in films for heading, each in film_poll.find_results(film).items()}
        early = [f"Message {first} of {desk.seq - 1}, step {at} of" for at in range(1, fight)]
        wanted = {heading: each for heading, each in results.items() if not heading.startswith(tuple(early))}
        assert film_poll.poll_film(look(screen), wanted) == []
        box = screen.page.get_by_role("region", name="What happened")
        box.get_by_role("button", name="Play both sides yourself").wait_for()
