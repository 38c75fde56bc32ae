"""Invitations and messages as links at the board: read by a stranger, answered, picked, confirmed."""

import pytest

from board import letters
from board.letters import LINK, seen, sit, text
from board.screens import opened
from board.seats import begun, by_turn
from kursk_pbem.desk.own import remembered
from kursk_pbem.game import folders
from kursk_pbem.trust import link


@pytest.fixture
def strangers(tmp_path):
    """Return two people without keys and games."""
    return [sit(tmp_path / name, number) for number, name in enumerate(("anna", "boris"))]


def test_a_stranger_is_found_by_three_addresses(strangers):
    anna, boris = strangers
    asked = anna.invite("Anna", note="Evenings <b>only</b>")
    page = boris.open(f"Play me: {asked}")
    assert "Anna invites you to Citadel" in seen(page)
    assert "8 turns, about 24 messages each way, at your own pace. You play the Russians." in seen(page)
    assert "Evenings &lt;b&gt;only&lt;/b&gt;" in seen(page)
    assert link.SEEN in page
    answer = LINK.findall(boris.send(asked, "/answer", name="Boris"))[0]
    page = anna.open(answer)
    assert "Boris answers your invitation to Citadel" in seen(page)
    assert "You play the Germans, Boris plays the Russians." in seen(page)
    assert not list(anna.seat.home.glob("**/0000.yaml"))
    assert "Check who this is: not compared yet" in anna.send(answer, "/pick")
    page = boris.open(anna.newest())
    assert "The signature is by the key of the invitation that you answered." in seen(page)
    assert 'id="map"' in boris.send(anna.newest(), "/accept")
    assert boris.seat.sit().own_side == "russian"
    assert boris.seat.sit().game.chain.head["names"] == {"german": "Anna", "russian": "Boris"}
    assert boris.seat.sit().own.read_slot(1) is None  # taking signs nothing
    assert "not compared yet" not in text(boris.client.post(boris.client.at("compared"), {"how": "waived"}))


def test_the_inviter_takes_the_other_side_by_a_proposal_of_the_stranger(strangers):
    anna, boris = strangers
    asked = anna.invite("Anna", "russian")
    assert "You play the Germans. Your answer is the signed proposal of this game." in seen(boris.open(asked))
    assert 'id="map"' in boris.send(asked, "/answer", name="Boris")
    anna.send(boris.newest(), "/accept")
    assert anna.seat.sit().own_side == "russian"


def test_further_answers_wait_in_a_list_and_are_told_that_the_game_is_taken(tmp_path):
    anna, boris, carla = (sit(tmp_path / name, number) for number, name in enumerate(("anna", "boris", "carla")))
    asked = anna.invite("Anna")
    first, second = (
        LINK.findall(one.send(asked, "/answer", name=name))[0] for one, name in ((boris, "Boris"), (carla, "Carla"))
    )
    assert "The answer from Carla" in anna.send(second, "/answers/keep")
    anna.send(first, "/pick")
    page = anna.open(second)
    assert "The game is taken: you have proposed it to Boris." in seen(page)
    assert "Carla, thank you for the answer. Citadel is taken" in page
    assert "The answer from Carla" not in anna.send(second, "/answers/drop")


def test_a_changed_page_signs_nothing(strangers):
    """Decision 49: what is signed is what was read last."""
    anna, boris = strangers
    page = boris.open(anna.invite("Anna"))
    form = {**letters.fields(page, "/answer"), "name": "Boris", "shown": "0" * 64}
    refused = boris.client.post("/answer", form)
    assert refused.status_code == 400
    assert "Nothing was signed" in refused.get_data(as_text=True)
    assert not list(boris.seat.home.glob("keys/*"))


def test_a_board_without_a_page_offers_a_mail_and_a_file(tmp_path, strangers):
    anna = strangers[0]
    (anna.seat.home / remembered.FILE).unlink()
    page = text(anna.client.post("/invite", {"game": f"{letters.CITADEL} german", "name": "Anna"}))
    assert "this board knows no page" in seen(page)
    for how, kind in (("mail", b"X-Unsent: 1"), ("file", b"kursk-invitation:")):
        path = f"{page.partition('/hand/')[2].partition('/')[0]}/{how}"
        assert kind in anna.client.get(f"/hand/{path}").get_data()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return letters.build(tmp_path_factory.mktemp("letters"))


@pytest.mark.parametrize(
    "case",
    [
        "cut", "changed", "ended", "other data", "other kind", "foreign game", "for somebody else",
        "proposal with other data", "false Anna", "answered already", "own proposal", "own invitation",
        "answered twice", "second version", "false Boris", "here already", "too early", "another game",
    ],
)  # fmt: skip
def test_a_bad_link_says_its_case_and_stores_nothing(case, world):
    """A link is the words of a stranger until a person confirms it."""
    reader, address, said = world.links[case]
    page = reader.open(address)
    assert said in seen(page), seen(page)
    straight = [to for to in ("/answer", "/pick", "/accept", "/take") if f'{to}">' in page.partition("<details>")[0]]
    assert straight == []
    assert bool(list(reader.seat.home.glob("keys/*"))) == (reader is not world.carla)


def test_no_case_of_a_bad_link_is_forgotten(world):
    assert len(world.links) == 18


def test_a_link_is_copied_and_pasted_by_buttons(browser, tmp_path):
    """One confirmation leads to the guided first orders; nothing is taken before."""
    mine, theirs = by_turn(begun(tmp_path, letters.CITADEL))
    with opened(browser, mine) as screen:
        screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        screen.click("link", "Anna")
        screen.whole()
        screen.button("Sign …")
        screen.button("Sign it")
        screen.button("Copy the address")
        screen.page.get_by_text("Copied: paste the address into a chat or a letter.").first.wait_for()
        made = screen.page.evaluate("navigator.clipboard.readText()")
    with opened(browser, theirs) as screen:
        screen.button("Paste a mail or link")
        screen.page.get_by_label("The text of a mail, or a link.").fill(made)
        screen.button("Show the content")
        screen.page.get_by_text("Boris sends message 1").wait_for()
        screen.page.get_by_text("The signature is by the key of this game.").wait_for()
        assert not folders.message_path(theirs.folder, 1).exists()
        screen.button("Take it and open the game")
        screen.page.get_by_role("tabpanel", name="Orders").wait_for()
        screen.page.get_by_text("1 of ").wait_for()
        assert screen.page.locator("#guide-drawn svg").is_visible()
    assert folders.message_path(theirs.folder, 1).exists()
