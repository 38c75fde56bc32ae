"""Messages as links at the board: copied, pasted, shown before they are taken."""

import re

import pytest

from board.screens import opened
from board.seats import Client, begun, by_turn, pair, proposed
from kursk_pbem.game import folders
from kursk_pbem.trust import link

CITADEL = "battle-for-kursk/citadel"


def text(answer):
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_a_link_shows_its_proposal_and_is_taken_after_a_click(tmp_path):
    anna, boris = proposed(tmp_path, CITADEL).values()
    found = Client(anna).enter().get(f"/game/{anna.game}/link").get_json()
    assert len(found["fragment"]) < found["most"] == 2_000
    client = Client(boris, 5001).enter()
    shown = text(client.post("/link", {"link": f"Play me: https://kursk.example/{found['fragment']}", "once": ""}))
    assert f"({anna.game[:8]}): message 0 (propose) from the {anna.side} side, signed by the key SHA256:" in shown
    assert link.SEEN in shown
    assert not client.seat.room.told
    taken = text(client.post("/take", {"text": found["fragment"]}))
    assert "A proposal: Battle for Kursk" in taken
    assert "the link is cut off: copy the whole link" in text(client.post("/link", {"link": found["fragment"][:-2]}))


@pytest.mark.slow
def test_a_link_is_copied_and_pasted_by_buttons(browser, tmp_path):
    mine, theirs = by_turn(begun(tmp_path, CITADEL))
    with opened(browser, mine) as screen:
        screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        screen.click("link", "Anna")
        screen.whole()
        screen.button("Sign …")
        screen.button("Sign it")
        screen.button("Copy a link")
        screen.page.get_by_text("Copied: paste the link into a chat or mail.").first.wait_for()
        made = screen.page.evaluate("navigator.clipboard.readText()")
    with opened(browser, theirs) as screen:
        screen.button("Paste a mail or link")
        screen.page.get_by_label("The text of a mail, or a link.").fill(made)
        screen.button("Show the content")
        screen.page.get_by_text("message 1 (accept) from").wait_for()
        screen.button("Take the message")
        screen.page.get_by_role("link", name="To the game").wait_for()
    assert folders.message_path(theirs.folder, 1).exists()


def test_an_opponent_is_found_by_an_invitation(tmp_path):
    anna, boris = pair(tmp_path, CITADEL).values()
    hers, his = Client(anna).enter(), Client(boris, 5001).enter()
    made = text(hers.post("/invite", {"scenario": CITADEL, "key": hers.key, "name": "Anna", "note": "Evenings"}))
    (asked,) = re.findall(r"#k1\.[\w-]+\.[0-9a-f]{8}", made)
    shown = text(his.post("/link", {"link": asked}))
    assert "An open invitation to Battle for Kursk: Citadel" in shown
    assert f"(a claim), key {hers.key}" in shown
    answered = text(his.post("/invite", {"text": asked, "key": his.key, "name": "Boris"}))
    (answer,) = re.findall(r"#k1\.[\w-]+\.[0-9a-f]{8}", answered)
    assert f"(a claim), key {his.key}" in text(hers.post("/link", {"link": answer}))
    assert "To the answers" in text(hers.post("/take", {"text": answer}))
    page = text(hers.get("/opponents"))
    (picked,) = re.findall(r'name="answer" value="([0-9a-f]{64})"', page)
    assert not list(anna.home.glob("**/0000.yaml"))
    told = text(hers.post("/pick", {"answer": picked, "key": hers.key}))
    assert "Battle for Kursk: Citadel, July to November 1943: proposed" in told
    assert "No answer yet." in text(hers.get("/opponents"))
