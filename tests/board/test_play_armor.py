"""Two boards deploy and play a game turn on a table top by mouse and keyboard; typed drafts give the same bytes."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Any

import pytest

from board.screens import Screen, opened
from board.seats import Client, Seat, begun, by_turn, mails, proposed, sent, typed
from kursk_pbem.audit import verify
from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.seat import forms, playback, scene
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.trust import messages

SCENARIO = "armor-commander/gun-line"
LAST = 5
ORDERED = ("s-t-1 36.00 41.00", "s-t-1 36.00 41.00 face 5", "s-gun-2 20.00 37.00")
WHERE = """([x, y]) => {
  const picture = document.querySelector("#map svg");
  const high = Number(document.querySelector("#map .table").getAttribute("height"));
  const at = new DOMPoint(x * 1000, high - y * 1000).matrixTransform(picture.getScreenCTM());
  return [at.x, at.y];
}"""


def point(screen: Screen, place: tuple[float, float]) -> list[float]:
    """Return the window position of inches from the left and lower edge."""
    found: list[float] = screen.page.evaluate(WHERE, list(place))
    return found


def drag(screen: Screen, unit: str, *way: tuple[float, float]) -> str:
    """Drag a model, with Shift through several places; return the answer of the page."""
    card = screen.counter(unit).locator(".card").bounding_box()
    mouse = screen.page.mouse
    mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    mouse.down()
    for number, place in enumerate(way):
        mouse.move(*point(screen, place), steps=3)
        if number < len(way) - 1:
            screen.page.keyboard.down("Shift")
            mouse.move(*point(screen, place))
            screen.page.keyboard.up("Shift")
    mouse.up()
    screen.settled()
    return said(screen)


def click(screen: Screen, place: tuple[float, float], *keys: str) -> None:
    """Click a place of the table."""
    x, y = point(screen, place)
    for key in keys:
        screen.page.keyboard.down(key)
    screen.page.mouse.click(x, y)
    for key in keys:
        screen.page.keyboard.up(key)
    screen.settled()


def said(screen: Screen) -> str:
    return str(screen.page.get_by_role("status").inner_text())


def lines(screen: Screen, kind: str) -> int:
    """Return the number of drawn lines of sight of a kind."""
    return int(screen.page.locator(f"#map .sight.{kind}").count())


def shots(screen: Screen) -> tuple[int, int]:
    """Return the numbers of drawn shots and of models with results."""
    drawn = screen.page.locator("#layer-last .attack.old")
    return int(drawn.count()), int(screen.page.locator("#layer-results .outcome").count())


def deploys_hidden(screen: Screen) -> None:
    assert screen.page.locator("#map .start").count() == 2
    assert "outside the deployment zone" in drag(screen, "s-t-1", (24, 29))
    assert "touch" in drag(screen, "s-t-1", (26, 42))
    assert "s-t-1 stands at 24" in drag(screen, "s-t-1", (24, 40.5))
    screen.press(".")
    screen.settled()
    assert "facing 6:30" in said(screen)
    screen.verb("deploy")
    screen.sets("model", ["s-gun-2"], "radio")
    screen.settled()
    click(screen, (20, 37))
    screen.submit()


def deploys_openly(screen: Screen) -> None:
    assert screen.page.locator("#map [data-unit=s-t-1]").count() == 0  # sealed orders are on no other table
    screen.page.get_by_role("tab", name="Orders").click()  # the report, which is open now, has a wider panel
    drag(screen, "g-pz-1", (20.3, 8.8))


def plots(screen: Screen) -> None:
    screen.unit("s-gun-1")
    assert lines(screen, "clear") + lines(screen, "obscured")
    assert lines(screen, "blocked")
    screen.unit("g-pz-3")
    assert screen.page.get_by_role("checkbox", name="g-pz-3").is_checked()
    screen.submit()
    assert lines(screen, "clear") + lines(screen, "obscured") == 1  # the line of the sealed fire
    drag(screen, "s-t-1", (26, 40), (27.5, 39.5))


def orders(screen: Screen) -> None:
    assert lines(screen, "clear") + lines(screen, "obscured") == 0
    screen.page.locator("#map [data-unit=g-pz-3]").click()
    screen.page.locator("#unit .target[data-verb=advance]").click()
    screen.settled()
    assert "as in 'advance" in screen.page.locator("#brief:not(.bad)").inner_text()  # no fault at the beginning
    screen.page.get_by_role("button", name="Cancel", exact=True).click()
    screen.verb("advance")
    screen.sets("who", ["g-panzer"], "radio")
    screen.sets("straight towards", ["12"], "radio")
    screen.sets("inches", ["3.00"], "radio")
    screen.submit()
    first, out = (screen.page.locator(f"#listed .{kind}").bounding_box() for kind in ("edit", "out"))
    assert first["height"] > 40  # eight moves: the cross is next to the first line
    assert abs(first["y"] - out["y"]) < 8
    screen.page.set_viewport_size({"width": 1280, "height": 560})
    screen.click("button", re.compile("unused$"))
    found, panel = (screen.page.locator(f"#{part}").bounding_box() for part in ("left", "orders"))
    assert found["y"] < panel["y"] + panel["height"] - 20  # the subject of the button is in sight
    screen.page.set_viewport_size({"width": 1280, "height": 800})
    assert "g-pz-1" not in (screen.page.get_by_label("Or in words").get_attribute("placeholder") or "")
    assert "more than 6.00" in drag(screen, "g-pz-8", (24, 11))
    screen.unit("g-pz-1")
    assert screen.page.locator("#map .allowance").count() == 1
    assert screen.page.locator("#map .together").count() == 1  # still near the unit
    assert "fuller colour" in screen.page.get_by_role("tabpanel", name="Unit").inner_text()
    click(screen, (19.6, 10.4), "Shift")
    click(screen, (22, 12.6))
    ends = [screen.page.locator("#map .handle line").get_attribute(end) for end in ("x1", "y1")]
    assert f"translate({','.join(ends)})" == screen.counter("g-pz-1").get_attribute("transform")
    screen.press(",")
    screen.settled()
    assert "g-pz-1 faces 11:30" in said(screen)


def plots_again(screen: Screen) -> None:
    assert shots(screen) == (1, 1)  # the dice of the player before signing
    screen.verb("fire")
    screen.sets("who fires", ["s-gun-3"], "radio")
    screen.settled()
    screen.sets("at, in order of preference", ["g-panzer"])
    screen.submit()


PLAYED = {1: deploys_hidden, 2: deploys_openly, 3: plots, 4: orders, 5: plots_again}


def choices(seat: Seat) -> dict[str, Any]:
    """Return the choices in the next draft."""
    content = messages.read_draft(folders.read_bytes(seat.draft()), "the draft").content
    return {key: value for key, value in content.items() if key in games.CHOICE_FIELDS}


@pytest.mark.long("test-board-all")
def test_two_boards_deploy_and_play_a_turn_on_a_table_top(browser, tmp_path, nonces):
    nonces()
    seats = proposed(tmp_path / "played", SCENARIO)
    written = {}
    with ExitStack() as stack:
        screens = {side: stack.enter_context(opened(browser, seat)) for side, seat in seats.items()}
        first, second = screens.values()
        second.accepts(folders.message_path(first.seat.folder, 0))
        for seq in range(1, LAST + 1):
            mine, theirs = by_turn(seats)
            screen, other = screens[mine.side], screens[theirs.side]
            PLAYED[seq](screen)
            written[seq] = choices(mine)
            screen.signs()
            if seq == 3:  # own sealed orders stay visible
                assert lines(screen, "clear") + lines(screen, "obscured") == 1
            other.take(folders.message_path(mine.folder, seq))
            if seq == LAST:  # results stay on the table until the next message
                assert [shots(shown) for shown in screens.values()] == [(1, 1), (1, 1)]
        assert all(screen.typed == 0 for screen in screens.values())
    watched = {seq: playback.make_playback(seats["german"].sit(), seq)["frames"] for seq in (1, 3)}
    assert [frame["told"] for frame in watched[1]] == ["Sealed until the next message of its writer: the deployment."]
    assert {*watched[3][0]["came"].values()} <= {*watched[3][0]["places"]}  # the view follows arriving models
    assert [each["id"] for each in written[3]["seal"]["orders/turn-1"]] == ["s-gun-1", "s-tanks"]
    assert len(written[3]["seal"]["orders/turn-1"][1]["moves"][0]["path"]) >= 2
    moves = {each["id"]: each for each in written[4]["orders"]["units"][0]["moves"]}
    assert len(moves) == 8
    assert (len(moves["g-pz-1"]["path"]), moves["g-pz-1"]["face"]) == (2, "11:30")
    nonces()
    wanted = typed(tmp_path / "typed", SCENARIO, lambda desk: written[desk.seq], LAST)
    for seat in seats.values():
        assert mails(seat, LAST) == wanted
        assert verify.verify_game(seat.folder).status == 0


def test_what_is_still_not_allowed_when_an_order_is_given_anew_is_said_again(tmp_path):
    """4.4: a turned tank is still too far from the unit. An order of another model is not blamed."""
    mine, _theirs = by_turn(begun(tmp_path, SCENARIO))
    client = Client(mine).enter()
    said = [client.order(f"deploy {order}").get_json()["said"][1:] for order in ORDERED]
    assert [len(lines) for lines in said] == [1, 1, 0]
    assert said[0][0].startswith("Not allowed: ")
    assert said[1][0].startswith("Still not allowed: ")
    assert "more than 6.00 inches apart" in said[1][0]


def test_a_model_is_told_who_of_the_enemy_could_fire_at_it(tmp_path):
    """The card of a target shows the chances from the shooter's card before any order."""
    with entropy.fix_random_bytes("newcomer"):
        seats = begun(tmp_path, SCENARIO)
        for _message in range(3):
            sent(*by_turn(seats))
    mine, _theirs = by_turn(seats)
    here = scene.open_scene(mine.room, mine.game)
    model = next(piece.id for piece in here.picture.pieces if piece.side == mine.side)
    threats = forms.make_unit_card(here, model)["threats"]
    for shooter in {piece.id for piece in here.picture.pieces if piece.side != mine.side}:
        told = [
            line
            for target in prospects.compute_outlook(here.seen(), shooter).targets
            if model in target.units
            for line in target.lines
        ]
        assert [line for uid, _name, line in threats if uid == shooter] == told
    assert threats
    card = forms.make_unit_card(here, model)
    assert {verb.name: who for verb, who in card["others"]}["advance"] == here.desk.game.setting.models[model].unit
    rows = [target["text"] for target in card["targets"]]
    assert all(re.fullmatch(r"[^,]+, [3-6]\+ hits, [0-9.]+ inches", row) for row in rows)
    page = Client(mine).enter()
    told = page.post(page.at("try"), {"words": "fire g-panzer at s-t-1"}).get_json()["html"]
    assert "s-t-1" in told
    assert not re.search(r"\d/\d{5,}", told)  # 1214423/2985984 helps no player
    (corner,) = re.findall(r'id="mini"[^>]*><img src="([^"]*)"', page.get(page.at()).get_data(as_text=True))
    assert 'viewBox="-1800 -1800 51600 51600"' in page.raw(corner).get_data(as_text=True)  # the whole table
    assert "Enemies that can fire at it" in page.get(page.at(f"unit/{model}")).get_json()["html"]
