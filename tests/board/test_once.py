"""A form sent twice works once; forms name values instead of list positions."""

import io
import re
import threading

import pytest

from board.screens import opened
from board.seats import Client, begun, pair, proposed
from kursk_pbem.board import once
from kursk_pbem.desk.deals.begin import Proposal
from kursk_pbem.desk.deals.begin import propose_game as propose_as_player
from kursk_pbem.desk.seat import frontpage
from kursk_pbem.game import entropy, folders
from kursk_pbem.trust import keys, sshsig

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def seats(tmp_path):
    return list(pair(tmp_path, CITADEL).values())


@pytest.fixture
def client(seats):
    return Client(seats[0]).enter()


def form_of(client, seats, **more):
    """Return the filled home form for a game against the second seat."""
    page = client.get(f"/?propose={CITADEL}").get_data(as_text=True)
    told = dict(re.findall(r'name="(shown/[^"]+)" value="([0-9a-f]{64})"', page))
    (mark,) = re.findall(r'action="[^"]*/propose"[^>]*><input type="hidden" name="once" value="([^"]+)"', page)
    public = io.BytesIO((seats[1].place / "me.pub").read_bytes())
    return {**told, once.FIELD: mark, "scenario": CITADEL, "key": client.key, "opponent": (public, "me.pub"), **more}


def again(form):
    """Return the same form with a rewound file."""
    public, name = form["opponent"]
    public.seek(0)
    return {**form, "opponent": (io.BytesIO(public.getvalue()), name)}


def games(seat):
    seat.mirror()
    return sorted(path.parent for path in seat.place.rglob("game-*/0000.yaml"))


def test_a_proposal_sent_twice_is_one_game_and_both_are_led_to_it(client, seats):
    form = form_of(client, seats)
    second = again(form)
    answers = [client.post("/propose", each) for each in (form, second)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert len(games(seats[0])) == 1
    assert all("Save the file to mail" in answer.get_data(as_text=True) for answer in answers)


def test_a_form_that_is_still_being_worked_on_is_not_begun_again(client, seats, monkeypatch):
    """A second click during the first request waits, and gets the same answer."""
    form = form_of(client, seats)
    second = again(form)
    begun_, ended, propose = threading.Event(), threading.Event(), frontpage.propose_shown
    calls = []

    def slowly(*args):
        calls.append(args)
        begun_.set()
        assert ended.wait(20)
        return propose(*args)

    monkeypatch.setattr(frontpage, "propose_shown", slowly)
    answers = []
    other = Client(seats[0])
    other.app, other.access, other.http = client.app, client.access, client.app.test_client()
    other.http.set_cookie("kursk-board", client.access.session, path=f"{client.access.root}/", domain="127.0.0.1")

    def sends(each, data):
        answers.append(each.post("/propose", data).status_code)

    threads = [threading.Thread(target=sends, args=each) for each in ((client, form), (other, second))]
    threads[0].start()
    assert begun_.wait(20)
    threads[1].start()
    threads[1].join(0.5)
    assert threads[1].is_alive()
    ended.set()
    for thread in threads:
        thread.join(20)
    assert answers == [200, 200]
    assert len(calls) == 1
    assert len(games(seats[0])) == 1


def test_another_form_is_another_game_and_a_refused_one_may_be_sent_again(client, seats):
    form = form_of(client, seats)
    assert client.post("/propose", {**form, "opponent": (io.BytesIO(b"no key"), "me.pub")}).status_code == 400
    form = form_of(client, seats)
    changed = {**again(form), "name": "Anna"}  # on the page after 'Back'
    assert client.post("/propose", form).status_code == 200
    assert client.post("/propose", changed).status_code == 200
    assert len(games(seats[0])) == 2


def test_a_proposal_accepted_twice_begins_one_game(tmp_path):
    one, other = proposed(tmp_path, CITADEL).values()
    client = Client(other).enter()
    proposal = folders.message_path(one.folder, 0).read_bytes()
    page = client.drop(proposal).get_data(as_text=True)
    (shown,) = re.findall('name="shown" value="([0-9a-f]{64})"', page)
    form = {once.FIELD: "a mark", "proposal": proposal.decode(), "shown": shown, "key": client.key}
    first, second = (client.post("/accept", form).get_data(as_text=True) for _ in range(2))
    assert ": accepted" in first
    assert ": accepted" in second
    assert len(games(other)) == 1


def test_an_order_sent_twice_is_in_the_draft_once(tmp_path):
    """A browser may repeat a request after a broken connection."""
    client = Client(list(begun(tmp_path, CITADEL).values())[1]).enter()
    form = {"words": "posture engage", "stamp": client.stamp(), once.FIELD: "a mark"}
    answers = [client.post(client.at("order"), form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].data == answers[1].data
    assert client.post(client.at("order"), {**form, once.FIELD: "another"}).status_code == 409


def test_every_form_that_changes_something_needs_a_mark(tmp_path):
    """Also future forms, except forms without changes."""
    client = Client(list(begun(tmp_path, CITADEL).values())[1]).enter()
    posts = [rule for rule in client.app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert len(posts) > 10
    for rule in posts:
        path = re.sub(r"<any\((\w+)[^>]*>", r"\1", rule.rule.replace("<game>", client.seat.game))
        answer = client.post(path, {once.FIELD: "", "words": "posture deploy"})
        if rule.endpoint in once.READ_ONLY:
            assert "lacks its mark" not in answer.get_data(as_text=True)
        else:
            assert "lacks its mark" in answer.get_data(as_text=True), rule.rule
            assert answer.status_code == 400


def test_answers_do_not_pile_up():
    answers = once.Answers()
    for number in range(50):
        answers.keep(str(number), once.Response("x" * (once.MAX_KEPT // 10)))
    assert answers.find("0") is None
    assert answers.find("49") is not None
    assert 5 < len(answers._kept) <= 10
    answers.keep("large", once.Response("x" * (once.MAX_KEPT + 1)))
    assert answers.find("large") is not None
    assert len(answers._kept) == 1
    answers.keep("refused", once.Response("no", 400))
    assert answers.find("refused") is None


# Keys


def second_key(seat, name="second"):
    path = seat.place / name
    keys.generate_key_pair(path, entropy.random_bytes())
    return path


def play_with(seat, key, opponent):
    """Begin a game with a key, as in a terminal."""
    public = keys.read_public(opponent.place / "me.pub")
    propose_as_player(Proposal(CITADEL, seat.side, public, {}, {}), key, seat.place, seat.home)


def test_a_key_is_pinned_that_was_chosen_whatever_has_begun_meanwhile(client, seats):
    """Games from a terminal shift the lists of an open page, so the fingerprint decides."""
    second = second_key(seats[0])
    play_with(seats[0], second, seats[1])
    chosen = sshsig.fingerprint(keys.read_public(second.with_suffix(".pub")))
    form = form_of(client, seats, key=chosen)
    before = set(games(seats[0]))
    for number in range(6):
        play_with(seats[0], second_key(seats[0], f"third-{number}"), seats[1])
    meanwhile = set(games(seats[0])) - before
    assert client.post("/propose", form).status_code == 200
    (new,) = set(games(seats[0])) - before - meanwhile
    pinned = folders.read_message(folders.message_path(new, 0)).mapping("keys")[seats[0].side]
    assert sshsig.fingerprint(pinned) == chosen


@pytest.mark.parametrize("key", ["", "0", "1", "-1", "../me", "9" * 400, "\u0661", "SHA256:" + "A" * 43, "me"])
def test_a_key_that_is_not_this_players_signs_nothing(client, seats, key):
    assert client.post("/propose", form_of(client, seats, key=key)).status_code == 400
    assert games(seats[0]) == []


def test_a_key_that_cannot_be_used_is_said_and_stops_nothing(client, seats):
    seats[0].key.write_text("no key at all\n")
    (seats[0].place / "me.pub").unlink()
    answer = client.get("/")
    assert answer.status_code == 200
    assert "not an OpenSSH key" in answer.get_data(as_text=True)


def test_a_scenario_that_changed_since_the_page_was_filled_is_not_proposed(client, seats):
    form = form_of(client, seats)
    answer = client.post("/propose", {**form, f"shown/{CITADEL}": "0" * 64})
    assert "Nothing was proposed" in answer.get_data(as_text=True)
    assert games(seats[0]) == []


def test_a_proposal_is_accepted_as_it_was_shown_or_shown_again(tmp_path):
    one, other = proposed(tmp_path, CITADEL).values()
    client = Client(other).enter()
    proposal = folders.message_path(one.folder, 0).read_bytes()
    page = client.drop(proposal).get_data(as_text=True)
    assert "A proposal" in page
    assert "Anna" in page
    form = {"proposal": proposal.decode(), "shown": "0" * 64, "key": client.key}
    page = client.post("/accept", form).get_data(as_text=True)
    assert "Nothing was accepted" in page
    assert page.count('name="proposal"') == 1
    assert games(other) == []
    assert client.accept(proposal).status_code == 200
    assert other.draft().exists()


def test_a_double_click_proposes_one_game(browser, seats):
    with opened(browser, seats[0]) as screen:
        page = screen.page
        screen.click("link", re.compile("^Propose a game: Citadel, July to"))
        page.get_by_role("radio", name="A new opponent").check()
        page.get_by_label("Their public key, as a file").set_input_files(str(seats[1].place / "me.pub"))
        page.get_by_role("button", name="Begin", exact=True).dblclick()
        page.get_by_role("link", name="Save the file to mail").wait_for()
        assert len(games(seats[0])) == 1
        address = page.url.partition("?")[0]
        page.goto(address)
        page.get_by_text("Begin a game").click()
        screen.click("link", re.compile("^Propose a game: Citadel, July to"))
        page.get_by_role("radio", name="A new opponent").check()
        page.get_by_label("Their public key, as a file").set_input_files(str(seats[1].place / "me.pub"))
        page.evaluate("""async () => {
          const form = document.querySelector("form[action$='/propose']");
          const send = () => fetch(form.action, { method: "POST", body: new FormData(form) });
          await Promise.all([send(), send(), send()]);
        }""")
        assert len(games(seats[0])) == 2
