"""The program signs exactly the shown text: a confirmation returns the digest of the text (decision 49).

The tests send requests without a browser; `test_two_windows.py` uses two tabs, a terminal and an editor.
"""

import html
import re
import shutil
import time

import pytest
from helpers.commands import refused, well

from board.seats import Client, Seat, begun
from kursk_pbem.desk.deals import successors
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.ground.shown import Asked, Shown
from kursk_pbem.desk.seat import dialogs
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk, folders

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def client(tmp_path):
    """Return the Russian board before message 1, with a posture to seal."""
    return Client(list(begun(tmp_path, CITADEL).values())[1]).enter()


@pytest.fixture
def clients(demo_folder, tmp_path):
    """Return the boards after the demonstration: the German writes message 8 and would propose a successor."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    return [Client(Seat(side, tmp_path / "demo" / side)).enter() for side in ("german", "russian")]


def ask(client, path="sign", **form):
    """Return the text shown before signing, with the digest."""
    answer = client.post(client.at(path), {"stamp": client.stamp(), **form})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return answer.get_json()


def confirm(client, shown, path="sign", **form):
    return client.post(client.at(path), {"stamp": client.stamp(), "really": "yes", "shown": shown, **form})


def sealed(client, seq=1):
    """Return the sealed values of a signed message, in words."""
    slot = client.seat.sit().own.read_slot(seq)
    return str(slot.seals) if slot else ""


def edit(client, old, new):
    path = client.seat.draft()
    path.write_bytes(path.read_bytes().replace(old, new))


@pytest.mark.parametrize("who", ["another tab", "a terminal", "an editor"])
def test_a_draft_that_changed_after_it_was_shown_is_shown_again_and_not_signed(client, who, monkeypatch, capsys):
    client.order("posture deploy")
    first = ask(client)
    assert "posture deploy" in first["html"]
    assert first["html"].index("Hidden, only its hash") < first["html"].index("How things stand")
    if who == "another tab":
        assert client.order("posture engage").status_code == 200
    elif who == "a terminal":
        monkeypatch.setenv("KURSK_HOME", str(client.seat.home))
        well(capsys, "order", client.seat.folder, "posture", "engage")
    else:
        edit(client, b"posture: deploy", b"posture: engage")
    again = confirm(client, first["shown"])
    assert again.status_code == 409
    told = again.get_json()
    assert told["changed"]
    assert "Nothing was signed" in told["html"]
    assert "New: The posture of turn 1: posture engage" in told["html"]
    assert "No more: The posture of turn 1: posture deploy" in told["html"]
    assert sealed(client) == ""
    assert not folders.message_path(client.seat.folder, 1).exists()
    assert confirm(client, told["shown"]).status_code == 200
    assert "engage" in sealed(client)


@pytest.mark.parametrize("brought", ["", "0" * 64, "yes"])
def test_nothing_is_signed_that_was_not_shown(client, brought):
    """A correct stamp or an older page is no permission."""
    answer = client.post(client.at("sign"), {"stamp": client.stamp(), "really": "yes", "shown": brought})
    assert answer.status_code == 409
    assert sealed(client) == ""
    for what in ("draw", "resign"):
        form = {"stamp": client.stamp(), "really": "yes", "shown": brought, "what": what}
        assert client.post(client.at("talk"), form).status_code in (400, 409)


def test_a_comment_in_the_draft_changes_nothing_that_is_signed(client):
    shown = ask(client)["shown"]
    edit(client, b"\nseq:", b"\n# a thought of mine\nseq:")
    assert confirm(client, shown).status_code == 200


def test_the_digest_of_one_thing_confirms_no_other(clients):
    """The digest of a draw confirms neither a resignation nor orders."""
    german, _russian = clients
    digests = {what: ask(german, "talk", what=what)["shown"] for what in ("draw", "resign")}
    digests["sign"] = ask(german)["shown"]
    assert len(set(digests.values())) == 3
    for what in ("draw", "resign"):
        for other in set(digests) - {what}:
            assert confirm(german, digests[other], "talk", what=what).status_code == 409
    assert confirm(german, digests["draw"]).status_code == 409
    assert sealed(german, 8) == ""


def test_a_draft_that_was_signed_in_another_window_is_not_signed_again(client):
    shown = ask(client)["shown"]
    assert client.signs().status_code == 200
    answer = confirm(client, shown)
    assert answer.status_code == 400
    assert "perhaps you signed in another window" in answer.get_data(as_text=True)


# A kept successor proposal


def proposals(writer, other, *terms):
    """Return signed proposals of a successor with these options."""
    found = []
    for options in terms:
        before = set(writer.seat.place.glob("game-*/0000.yaml"))
        dialogs.make_talk(writer.seat.sit(), "successor", options)
        (new,) = set(writer.seat.place.glob("game-*/0000.yaml")) - before
        found.append(new.read_bytes())
    assert other.seat.folder.exists()
    return found


@pytest.fixture
def due_russian(clients):
    """Return the boards before message 9, with two German proposals of a successor."""
    german, russian = clients
    assert german.signs().status_code == 200
    russian.drop(folders.message_path(german.seat.folder, 8).read_bytes())
    old = german.seat.folder
    one, other = proposals(german, russian, {"at": "7", "option/weather": "die"}, {"at": "7"})
    assert old.exists()
    return russian, one, other


@pytest.mark.long("test-all")
def test_the_terms_of_one_successor_do_not_offer_another_that_was_dropped_meanwhile(due_russian):
    """The player drops the second proposal while reading the first proposal."""
    russian, one, other = due_russian
    russian.drop(one)
    first = ask(russian, "talk", what="offer")
    assert "option weather: CHANGES from script to die" in first["html"]
    russian.drop(other)
    answer = confirm(russian, first["shown"], "talk", what="offer")
    assert answer.status_code == 409
    told = answer.get_json()
    assert "No more: option weather: CHANGES from script to die" in told["html"]
    assert "weather: CHANGES" not in told["html"].partition("<pre")[2]
    assert sealed(russian, 9) == ""
    assert russian.seat.sit().own.read_slot(9) is None
    assert confirm(russian, told["shown"], "talk", what="offer").status_code == 200


def test_a_proposal_that_cannot_be_kept_does_not_take_the_place_of_the_one_that_is(due_russian):
    russian, one, other = due_russian
    russian.drop(one)
    kept = successors.find_kept(russian.seat.sit()).read_bytes()
    damaged = re.sub(rb"(?m)^(  seq|state-out): .*$", b"\\1: '3'", other, count=1)
    assert russian.drop(damaged).status_code == 200
    assert successors.find_kept(russian.seat.sit()).read_bytes() == kept


# A signed message without a file


def cut_off(client, monkeypatch):
    """Sign, and stop between journal and file."""
    shown = ask(client)["shown"]
    create = disk.create

    def dark(path, data, *more):
        if path.name == "0001.yaml":
            raise OSError(28, "No space left on device")
        return create(path, data, *more)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "create", dark)
        assert confirm(client, shown).status_code == 400
    assert client.seat.sit().own.read_slot(1) is not None


@pytest.mark.parametrize("how", ["cut off", "deleted"])
def test_a_signed_message_without_its_file_is_shown_and_written_again_before_anything_else(
    client, monkeypatch, capsys, how
):
    client.order("posture deploy")
    if how == "deleted":
        assert client.signs().status_code == 200
        folders.message_path(client.seat.folder, 1).unlink()
    else:
        cut_off(client, monkeypatch)
        edit(client, b"posture: deploy", b"posture: engage")  # the remaining draft differs now
    text = client.seat.sit().own.read_slot(1).text
    page = html.unescape(client.get(client.at()).get_data(as_text=True))
    assert "Message 1 is signed, but the file is missing" in page
    assert "posture deploy" in page
    assert "posture engage" not in page
    assert 'id="sign"' not in page
    for path, form in (("order", {"words": "posture pause"}), ("sign", {}), ("talk", {"what": "draw"}), ("undo", {})):
        answer = client.post(client.at(path), {"stamp": client.stamp(), **form})
        assert answer.status_code == 400, path
    monkeypatch.setenv("KURSK_HOME", str(client.seat.home))
    folder = client.seat.folder
    for words in (["order", folder, "posture", "pause"], ["setup", "draft", folder, "--force"], ["check", folder]):
        assert "is signed and in your journal" in refused(capsys, 2, *words)
    assert "the message is signed, but the file is missing: 'kursk sign'" in well(capsys, "status", folder)
    assert client.seat.sit().own.read_slot(1).text == text
    answer = client.post(client.at("again"), {})
    assert answer.status_code == 200
    assert "again: mail it" in answer.get_json()["said"][0]
    assert folders.message_path(client.seat.folder, 1).read_text(encoding="ascii") == text
    assert not client.seat.draft().exists()
    assert client.post(client.at("again"), {}).status_code == 400


def test_the_list_of_games_says_that_a_file_is_missing(client):
    assert client.signs().status_code == 200
    folders.message_path(client.seat.folder, 1).unlink()
    assert "signed; its file is missing" in client.get("/").get_data(as_text=True)


def test_a_terminal_writes_the_missing_file_again_with_no_draft_there(client, monkeypatch, capsys):
    assert client.signs().status_code == 200
    path = folders.message_path(client.seat.folder, 1)
    text = path.read_bytes()
    path.unlink()
    monkeypatch.setenv("KURSK_HOME", str(client.seat.home))
    assert "was signed before" in well(capsys, "sign", client.seat.folder)
    assert path.read_bytes() == text


def test_no_order_gets_into_a_draft_whose_message_is_signed_meanwhile(client, monkeypatch):
    """Another program signs after the read, and cannot write the file: the draft is still there."""
    sheet = ordering.open_draft(client.seat.sit())
    cut_off(client, monkeypatch)
    with pytest.raises(UsageError, match="is signed and in your journal"):
        ordering.write_orders(sheet, [["posture", "engage"]])
    with pytest.raises(UsageError, match="is signed and in your journal"):
        play.sign_shown(client.seat.sit(), dialogs.make_talk(client.seat.sit(), "draw", {}).checked, None)


# Standing answers


def policy(client, text, kept):
    return client.post(client.at("policy"), {"policy": text, "kept": kept})


def test_standing_answers_are_kept_over_those_that_were_seen_only(clients, tmp_path, monkeypatch, capsys):
    """Two tabs, and 'kursk policy' between page and button."""
    german, _russian = clients
    first = policy(german, "stand-fast: always\n", "").get_json()
    refused = policy(german, "stand-fast: never\n", "")
    assert refused.status_code == 409
    told = refused.get_json()
    assert (told["text"], told["stamp"]) == ("stand-fast: always\n", first["stamp"])
    assert german.get(german.at()).get_data(as_text=True).count(first["stamp"]) == 1
    monkeypatch.setenv("KURSK_HOME", str(german.seat.home))
    file = tmp_path / "policy.yaml"
    file.write_bytes(b"stand-fast: never\n")
    well(capsys, "policy", german.seat.folder, file)
    for text in ("stand-fast: always\n", ""):
        assert policy(german, text, first["stamp"]).status_code == 409
    told = policy(german, "", first["stamp"]).get_json()
    assert policy(german, "", told["stamp"]).status_code == 200
    assert policy(german, "", "").status_code == 200


# Choices have names, not numbers


def test_an_order_is_taken_out_by_its_words(clients):
    german, _russian = clients
    for words in ("move g-2-ss 1716", "move g-24-pz 2219"):
        assert german.order(words).status_code == 200
    form = {"stamp": german.stamp(), "number": "1", "words": "no such order"}
    for path in ("out", "up"):
        assert german.post(german.at(path), form).status_code == 400
    page = html.unescape(german.get(german.at()).get_data(as_text=True))
    (words,) = set(re.findall('data-words="(rail g-24-pz[^"]*)"', page))
    assert german.post(german.at("up"), {**form, "words": words}).status_code == 200
    text = german.seat.draft().read_text()
    assert text.index("unit: g-24-pz") < text.index("unit: g-2-ss")
    assert german.post(german.at("out"), {**form, "stamp": german.stamp(), "words": words}).status_code == 200
    text = german.seat.draft().read_text()
    assert "unit: g-24-pz" not in text
    assert "unit: g-2-ss" in text


def test_what_has_changed_in_a_long_message_is_told_at_once():
    """All moves of a large army are new: many similar lines."""
    one, other = (
        Shown("\n".join(f"  g-{unit}pz moves from {at + 7 * unit} by way of {3 * at + unit}" for unit in range(500)))
        for at in (1001, 1502)
    )
    asked = Asked()
    asked.keep(one)
    began = time.process_time()
    changes = asked.changes(one.digest, other)
    assert time.process_time() - began < 1
    assert len(changes) == 1000
    assert asked.changes(one.digest, Shown(one.text.replace("g-7pz", "g-8pz"))) == [
        "No more: g-7pz moves from 1050 by way of 3010",
        "New: g-8pz moves from 1050 by way of 3010",
    ]


@pytest.mark.parametrize("seq", [0, 3, 6, 7])
def test_a_message_lost_from_the_folder_is_named_on_all_pages(clients, seq):
    """The page told that the opponent writes the message, although the journal has the message."""
    client = clients[0]
    path = folders.message_path(client.seat.folder, seq)
    page = client.at()
    text = path.read_bytes()
    path.unlink()
    for place in ("/", page):
        told = " ".join(html.unescape(client.get(place).get_data(as_text=True)).split())
        assert re.search(rf"message {seq} (came|was signed) on [0-9-]{{10}}, and is missing from", told), told
        assert not re.search(r"Message \d is for|\w+ writes<", told)
    if seq == 7:
        assert client.drop(text).status_code == 200
        assert path.read_bytes() == text
        assert "is missing from" not in client.get(page).get_data(as_text=True)
