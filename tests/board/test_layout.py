"""Pages on screens of every size: no cut text, no sideways scrolling, no lost map."""

from __future__ import annotations

import pytest
from helpers import sweeps

from board import letters
from board.screens import CUT, SIDEWAYS, enters, meets, opened, violations
from board.seats import Client, Stranger, begun, by_turn, proposed
from kursk_pbem.game import scenarios

PHONE = {"is_mobile": True, "has_touch": True}
SMALL = """(least) => [...document.querySelectorAll(
    "button, .button, summary, select, textarea, input:not([type=hidden]), [role=tab]")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".link"))
  .map((each) => each.matches("[type=checkbox], [type=radio]") ? each.closest("label") || each : each)
  .filter((each) => each.getBoundingClientRect().height < least - .5).map((each) => each.outerHTML.slice(0, 90))"""
"""Buttons, tabs and fields that are lower than some pixels. A name in a text is no button, though a click shows it."""
THIN = """() => [...document.querySelectorAll("a[href], .link")]
  .filter((each) => [...each.getClientRects()].some((box) => box.height < 23.5))
  .map((each) => each.outerHTML.slice(0, 90))"""
"""Links that are lower than 24 pixels."""
SIGN = "Sign it and copy the address"
"""The button of a game whose messages go as addresses."""
FOLDED = "document.querySelectorAll('details').forEach((each) => (each.open = true))"
SHOWS = """([action, link]) => {
  const form = Object.assign(document.createElement("form"), { method: "post", action });
  form.append(Object.assign(document.createElement("input"), { name: "link", value: link }));
  document.body.append(form);
  form.submit();
}"""
"""Opens a link as the page does."""
DIE = """async () => {
  const found = await import(document.querySelector("[src*='board.js']").src.replace("board.js", "card.js"));
  document.querySelector("#watching").hidden = false;
  const card = { forces: [], dice: ["4"], whose: [], result: "DR", meaning: "a result of many words ".repeat(9) };
  await found.kurskCard(document.querySelector("#watch-card"), card);
  const die = document.querySelector("#watch-card .die");
  return die.offsetWidth - die.offsetHeight;
}"""
"""Shows a die in a full line."""
WIDTHS = (390, 768, 1024, 1280)
TOPS = """(inside) => new Set([...document.querySelectorAll(inside)].filter((shown) => shown.checkVisibility())
  .map((shown) => Math.round(shown.getBoundingClientRect().top + shown.getBoundingClientRect().height / 2))).size"""

AROUND = """() => {
  const box = document.querySelector("#map").getBoundingClientRect();
  const hexes = [...document.querySelectorAll("#map [id^=at-]")].map((hex) => hex.getBoundingClientRect());
  const most = (edge, way) => way * Math.max(...hexes.map((hex) => way * hex[edge]));
  return [most("left", -1) - box.left, box.right - most("right", 1), box.bottom - most("bottom", 1)];
}"""
"""Pixels between the hexes and the left, the right, the lower edge of the window."""

COVERED = """async () => {
  const counters = [...document.querySelectorAll("#map [data-unit]")];
  document.querySelector("#bar [data-able]").dataset.able = counters.map((each) => each.dataset.unit).join(" ");
  (await import(document.querySelector("script[src*='board.js']").src.replace("board.js", "panels.js"))).dress();
  const top = {};
  for (const counter of document.querySelectorAll("#map .counters [data-at]")) top[counter.dataset.at] = counter;
  const seen = ".id, .figures, .size, .strength, .model";
  const tops = [...Object.values(top), ...document.querySelectorAll("#map .counters .model[data-unit]")];
  const words = tops.flatMap((counter) => [...counter.querySelectorAll(seen)]);
  const boxes = words.filter((word) => word.getBoundingClientRect().width).map((word) => {
    const { left, right, top, bottom, height } = word.getBoundingClientRect();
    return { word, left, right, top: top + height * 0.17, bottom: bottom - height * 0.19 };
  });
  const pills = "#map .burst .tag > rect, #map .outcome .tag circle";
  const signs = [...document.querySelectorAll(`#map .able-sign, #map .counters .mark, circle.count, ${pills}`)];
  const on = signs.flatMap((sign) => {
    const box = sign.getBoundingClientRect();
    return boxes.filter((word) => word.left < box.right - 0.5 && box.left < word.right - 0.5
      && word.top < box.bottom - 0.5 && box.top < word.bottom - 0.5)
      .map(({ word }) => `${sign.getAttribute("class") || sign.parentNode.textContent} on ${word.textContent}`);
  });
  return [boxes.length, signs.length, on];
}"""
"""Let every unit be movable. Return the number of seen words, the number of signs, and the words below a sign.

Of each hex the top counter is read. A box of letters is without the room for g and for accents.
"""
SHIPPED = [playable.id for _system, found in scenarios.list_scenarios() for playable in found if not playable.fault]


def narrow(browser, seat, width, **window):
    return opened(browser, seat, viewport={"width": width, "height": 800}, **window)


@pytest.mark.some(2)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_header_is_whole_and_no_tab_scrolls_sideways(browser, opening, width):
    """Side, next action and buttons are readable; phases scroll if the room is small."""
    with narrow(browser, opening, width) as screen:
        assert screen.page.evaluate(SIDEWAYS) == 0
        enters(screen)
        assert screen.page.evaluate(CUT, "#bar .strip > p, #bar .strip > h1, #bar button, #tabs button") == []
        assert [screen.page.evaluate(TOPS, row) for row in ("#tabs button", "footer > *")] == [1, 1]
        for tab in screen.page.get_by_role("tab").all():
            tab.click()
            assert screen.page.evaluate(SIDEWAYS) == 0, tab.inner_text()
            assert width != 390 or screen.page.locator("aside").bounding_box()["width"] == width
        screen.button("Sign …")
        box = screen.page.get_by_role("dialog", name="Sign this message?").bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width


def measured(page, name, part=""):
    """Measure a page: nothing is too wide, too low for a finger or a mouse, or against the rules of axe."""
    phone = page.evaluate("innerWidth") < 800
    assert page.evaluate(SIDEWAYS) <= 0, name
    assert page.evaluate(SMALL, 44 if phone else 24) == [], name
    assert not phone or page.evaluate(THIN) == [], name
    assert violations(page, part) == [], name


def sized(browser, seat, width, scheme="light"):
    more = PHONE if width < 800 else {}
    return opened(browser, seat, viewport={"width": width, "height": 800}, color_scheme=scheme, **more)


@pytest.mark.parametrize("width", sweeps.some([390, 320, 1280], 99))
def test_every_button_and_field_can_be_hit_and_no_page_scrolls_sideways(browser, tmp_path, width):
    """44 pixels for a finger, 24 for a mouse, or for a finger on a link in a text.

    Bug: a fingerprint was cut where it is compared, at 320 and 390.
    """
    anna, boris = proposed(tmp_path / "hers", "battle-for-kursk/citadel").values()
    link = Client(anna).enter().get(f"/game/{anna.game}/link").get_json()["fragment"]
    with sized(browser, boris, width) as screen:
        page = screen.page
        page.evaluate(SHOWS, [f"{page.url}link", link])
        page.get_by_role("button", name="Play this game").wait_for()
        measured(page, "a proposal")
        screen.button("Play this game")
        screen.whole()
        for tab in page.get_by_role("tab").all():
            tab.click()
            measured(page, tab.inner_text(), "body")
        screen.verb("distribute")
        measured(page, "distribute", "body")
        screen.press("Escape")
        for button in ("Layers", "Keys and signs"):
            screen.button(button)
            measured(page, button, "body")
            screen.press("Escape")
        screen.button("Sign …")
        page.get_by_role("button", name=SIGN, exact=True).wait_for()
        measured(page, "Sign …", "body")
        screen.button(SIGN)
        page.get_by_text("Send this address to").first.wait_for()
        screen.whole()
        measured(page, "waiting")
        assert page.evaluate(DIE) == 0
        screen.click("link", "To your games")
        page.get_by_role("region", name="Games").wait_for()
        measured(page, "home with a game")


@pytest.mark.long("test-board-all")
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_every_page_of_letters_can_be_used_by_everybody(browser, tmp_path, width):
    """Home, invitations, answers, and warnings about dangerous links."""
    world = letters.build(tmp_path)
    for person in (world.carla, world.anna, world.boris):
        with sized(browser, person.seat, width, "dark" if person is world.anna else "light") as screen:
            page = screen.page
            home = page.url
            for name in ("", "opponents", "moving", "verify", "game/none/"):
                screen.wrong.clear()  # there is no such game
                page.goto(home + name)
                page.get_by_role("main").wait_for()
                page.evaluate(FOLDED)
                measured(page, name or "home")
            screen.wrong.clear()
            for name, (reader, address, _said) in world.links.items():
                if reader is person:
                    with page.expect_navigation():
                        page.evaluate(SHOWS, [f"{home}link", address])
                    page.evaluate(FOLDED)
                    measured(page, name)


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_strip_of_phases_shows_what_comes_next(browser, tmp_path, width):
    """Bug: the strip was cut on the side of the later phases."""
    mine, _theirs = by_turn(begun(tmp_path, "juggernauts/july-1943"))
    with narrow(browser, mine, width) as screen:
        enters(screen)
        assert screen.page.evaluate(CUT, ".phases, .phases li") == []


def test_the_map_cannot_be_dragged_or_zoomed_out_of_sight(browser, opening):
    """The middle of the window always shows a part of the map."""
    with narrow(browser, opening, 1280) as screen:
        enters(screen)
        box, mouse = screen.page.locator("#map").bounding_box(), screen.page.mouse
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse.move(*middle)
        for _turn in range(6):
            mouse.wheel(0, -300)
        for _drag in range(12):
            mouse.move(box["x"] + 20, box["y"] + 20)
            mouse.down()
            mouse.move(box["x"] + box["width"] - 20, box["y"] + box["height"] - 20, steps=3)
            mouse.up()
        under = screen.page.evaluate("(at) => document.elementsFromPoint(...at).map((drawn) => drawn.id)", middle)
        assert any(name.startswith("at-") for name in under)


def test_a_map_that_is_seen_whole_stands_in_the_middle_and_a_part_ends_at_its_edge(browser, opening):
    """Bug: a twelfth of the window was empty below a watched map."""
    with narrow(browser, opening, 1920) as screen:
        enters(screen)
        for _step in range(3):
            screen.press("Shift+ArrowLeft")
        left, right, _low = screen.page.evaluate(AROUND)
        assert abs(left - right) < 4
        screen.press("+")
        for _step in range(20):
            screen.press("Shift+ArrowDown")
        assert screen.page.evaluate(AROUND)[2] < 30


def test_the_keys_on_the_map_frame_the_map_and_are_named(browser, opening):
    """The frame shows the focus; the hint in a corner says which keys there are."""
    with narrow(browser, opening, 1280) as screen:
        enters(screen)
        screen.page.locator("#map").focus()
        screen.press("ArrowLeft")
        style = "getComputedStyle(document.querySelector('#map')).outlineStyle"
        assert screen.page.evaluate(style) == "solid"
        told = screen.page.evaluate("getComputedStyle(document.querySelector('#map'), '::after').content")
        assert "arrows" in told


@pytest.mark.long("test-board-all")
def test_the_small_map_gives_way_where_the_map_cannot_be_moved_from_under_it(browser, opening):
    """Bug: the small map always covered hexes in the upper right corner."""
    with narrow(browser, opening, 1280) as screen:
        enters(screen)
        small = screen.page.locator("#mini")
        for _step in range(3):
            screen.press("+")
        for key in ("ArrowDown", "ArrowLeft"):
            for _step in range(20):
                screen.press(f"Shift+{key}")
        small.wait_for()
        for key in ("ArrowUp", "ArrowRight"):
            for _step in range(40):
                screen.press(f"Shift+{key}")
        box = small.bounding_box()
        assert box["x"] < screen.page.locator("#map").bounding_box()["width"] / 2
        assert box["y"] > screen.page.locator("#map").bounding_box()["y"] + box["height"]
        screen.page.mouse.click(box["x"] + 5, box["y"] + box["height"] - 5)
        screen.page.locator("#mini:not(.low)").wait_for()


@pytest.mark.parametrize("scenario", sweeps.some(SHIPPED, 99))
def test_no_sign_lies_on_a_name_or_number_of_a_counter(browser, tmp_path, scenario):
    """Bug: the dot of a movable unit hid the number of an army, so '61 Army' was read as '51 Army'."""
    with opened(browser, by_turn(begun(tmp_path, scenario))[0]) as screen:
        enters(screen)
        for size in ("whole", "near"):
            while size == "near" and screen.page.locator("#map svg").first.get_attribute("data-zoom") != "near":
                screen.press("+")
            words, signs, covered = screen.page.evaluate(COVERED)
            assert covered == [], size
            assert words > 0, size
            assert (signs > 0) == ("armor" not in scenario)  # models have no dots


@pytest.mark.some(4)
@pytest.mark.parametrize("system", ["battle-for-kursk", "armor-commander", "juggernauts", "kursk-1971"])
def test_no_pill_of_a_battle_lies_on_a_name_or_number(browser, tmp_path, system):
    """Bug: the odds and results of a battle hid the name and the strength of a counter."""
    stranger = Stranger("", tmp_path)
    assert Client(stranger).enter().post("/demonstration", {"system": system}).status_code == 200
    (known,) = stranger.room.known()
    pills, last = set(), stranger.room.desk(known.game).seq - 1
    with opened(browser, stranger) as screen:
        home = screen.page.url
        for seq in range(1, last + 1):
            screen.page.goto(f"{home}game/{known.game}/?message={seq}")
            screen.page.get_by_role("tab", name="Orders").wait_for()
            screen.press("0")
            zoom = screen.page.locator("#map svg").first
            for size in ("near",) if system == "armor-commander" else ("whole", "near"):  # models can touch
                while size == "near" and zoom.get_attribute("data-zoom") != "near":
                    screen.press("+")
                _words, _signs, covered = screen.page.evaluate(COVERED)
                assert covered == [], (seq, size)
            pills |= {*screen.page.locator("#map .burst .tag, #map .outcome").all_text_contents()}
    assert len(pills) > 2


def test_a_counter_is_enlarged_with_its_words_and_hides_no_next_place(browser, german):
    """Bug: what a counter means was told nowhere. For a mouse and for keys."""
    with opened(browser, german) as screen:
        enters(screen)
        page, loupe = screen.page, screen.page.locator("#loupe")
        page.locator("#map [data-unit=g-46-pz]").hover()
        loupe.wait_for()
        words = "4 strength, 6 movement, armor, 9th Army, reduced, can still move"
        assert loupe.locator("figcaption").inner_text().endswith(words)
        shown = loupe.locator("svg").bounding_box()["width"]
        assert shown > 3 * page.locator("#map [data-unit=g-46-pz]").bounding_box()["width"]
        screen.press("Escape")
        assert loupe.is_hidden()
        page.locator("#map").focus()
        for _unit in range(4):
            screen.press("n")
            screen.settled()
            loupe.wait_for()
            box = loupe.bounding_box()
            for lit in page.locator("#layer-lit path, #map .chosen").all():
                assert not meets(lit.bounding_box(), box)
        page.locator("#map [data-unit=g-41-pz]").hover()
        loupe.wait_for()
        page.mouse.move(5, 400)
        loupe.wait_for(state="hidden")


def test_an_enlarged_model_has_its_number_unit_and_condition_in_words(browser, tmp_path):
    """Bug: the number was unexplained, the unit was a code, and the code below the model was cut."""
    seat = by_turn(begun(tmp_path, "armor-commander/crossroads"))[0]
    with opened(browser, seat) as screen:
        enters(screen)
        screen.page.locator("#map [data-unit=g-pz-3] .toy").hover()
        loupe = screen.page.locator("#loupe")
        loupe.wait_for()
        said = "Panzer IV, tank, faces 12, armor, number 3 of the unit Panzer IV, unharmed, can still move"
        assert loupe.locator("figcaption").inner_text() == said
        assert loupe.locator("text").all_text_contents() == ["3"]


def test_a_long_touch_enlarges_a_stack_and_chooses_nothing(browser, tmp_path):
    seat = by_turn(begun(tmp_path, "juggernauts/july-1943"))[0]
    with narrow(browser, seat, 390, **PHONE) as screen:
        enters(screen)
        page = screen.page
        finger = page.context.new_cdp_session(page)
        pile = page.locator("#map [data-stack]").first
        stack = page.locator(f"#map [data-unit][data-at='{pile.get_attribute('data-stack')}']").last
        box = stack.bounding_box()
        at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
        page.locator("#loupe").wait_for()
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert page.locator("#loupe").is_visible()
        assert page.locator("#loupe figure").count() == int(pile.text_content())
        page.get_by_role("tab", name="Report").tap()  # the touch was no tap on the counter
        screen.settled()
        assert page.locator("#map .chosen").count() == 0
        stack.tap()
        page.locator("#map .spread").first.wait_for()
        assert page.locator("#loupe").is_hidden()


SENTENCE = """() => {
  const found = [...document.querySelectorAll("#orders *")].filter((each) => each.innerText.includes("Nothing has"));
  const said = found.at(-1).getBoundingClientRect();
  return said.bottom <= Math.min(...["#said", "footer"].map((each) => document.querySelector(each))
    .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().top));
}"""
"""Whether the sentence about the task ends above the footer."""
LOWER = "(each) => each.viewBox.baseVal.y + each.viewBox.baseVal.height - each.getBBox().y - each.getBBox().height"


@pytest.mark.parametrize(
    "scenario",
    ["battle-for-kursk/citadel", "kursk-1971/july4-historical", "juggernauts/july-1943", "armor-commander/crossroads"],
)
def test_on_a_phone_the_first_screen_has_the_whole_sentence_and_the_whole_counter(browser, tmp_path, scenario):
    """Bug: the sentence broke off after 'sign without', and the legs of a gun were cut."""
    mine = by_turn(begun(tmp_path, scenario))[0]
    with opened(browser, mine, viewport={"width": 390, "height": 844}, **PHONE) as screen:
        enters(screen)
        screen.button("Show me this turn")
        drawn = screen.page.locator("#guide-drawn svg")
        drawn.wait_for()
        assert screen.page.evaluate(SENTENCE)
        assert drawn.evaluate(LOWER) >= 0
