"""*What if from here* on the board: a trial from the shown position, messages taken back, the game unchanged."""

from rulesets import toys

from board.seats import Client, Stranger
from kursk_pbem.desk.own import register
from kursk_pbem.desk.trial import studies
from kursk_pbem.practice import opponent
from kursk_pbem.practice.partner import Partner

CITADEL = "battle-for-kursk/citadel"


def files_below(*places):
    return {path: path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()}


def test_the_notepad_writes_a_study_without_the_notes(tmp_path, monkeypatch):
    """Private notes never travel; a comment is a text of its own."""
    toys.plug(monkeypatch)
    seat = Stranger("", tmp_path)
    client = Client(seat).enter()
    game = client.post("/play", {"scenario": "ridge-toy/hill"}).request.path.rstrip("/").rpartition("/")[2]
    room = seat.room
    for _message in range(3):
        opponent.write_due(room.desk(game), 1)
    client.post(f"/game/{game}/notes", {"text": "secret plan", "stamp": ""})
    assert client.get(f"/game/{game}/study/file").status_code == 400
    assert client.post(f"/game/{game}/study", {"at": "2", "text": "Here <b>it</b> begins"}).status_code == 200
    opponent.write_due(room.desk(game), 1)
    client.post(f"/game/{game}/study", {"at": "4", "text": "And here it ends"})
    raw = client.get(f"/game/{game}/study/file").data
    study = studies.verify(studies.parse(raw, "it"), "it").study
    assert [(each["at"], each["text"]) for each in study.comments] == [
        ("2", "Here <b>it</b> begins"),
        ("4", "And here it ends"),
    ]
    assert len(study.messages) == 5
    page = client.get(f"/game/{game}/study/page").text
    assert "And here it ends" in page
    assert "<b>it</b>" not in page
    for text in (raw.decode(), page):
        assert "secret plan" not in text
    assert client.post(f"/game/{game}/study", {"at": "9", "text": "nowhere"}).status_code == 400
    assert client.post(f"/game/{game}/study", {"at": "2", "text": "x" * 1001}).status_code == 400


def test_a_trial_begins_at_the_shown_message_and_leaves_the_game_alone(tmp_path):
    seat = Stranger("", tmp_path)
    client = Client(seat).enter()
    game = client.post("/play", {"scenario": CITADEL}).request.path.rstrip("/").rpartition("/")[2]
    room = seat.room
    room.partner = Partner(room.home, room.changing).bring
    for _message in range(3):
        opponent.write_due(room.desk(game), 1)
    page = client.get(f"/game/{game}/?message=2").text
    assert "What if from here" in page
    desk = room.desk(game)
    own = desk.record_of_writer()
    kept = files_below(desk.folder, own.path)
    page = client.post(f"/game/{game}/what-if", {"seq": "2", "how": "german 1"})
    trial = page.request.path.rstrip("/").rpartition("/")[2]
    assert trial != game
    assert "<h1>What if: Battle for Kursk" in page.text
    assert "you are </span>German" in page.text
    assert "counts nowhere" in page.text
    assert "</span> · what if<" in page.text, "on a phone, where the title has no room"
    seq = room.desk(trial).seq
    opponent.write_due(room.desk(trial), 1)
    assert room.desk(trial).seq > seq
    page = client.post(f"/game/{trial}/take-back", {})
    assert room.desk(trial).seq == seq
    assert page.status_code == 200
    assert files_below(desk.folder, own.path) == kept
    assert register.find_latest(room.home, room.here, register.WHAT_IF) == trial
    assert "What if" in client.get(f"/game/{trial}/replay").text
    assert f"kursk play --from {game[:8]}/" in client.get(f"/game/{game}/replay").text
    assert client.post(f"/game/{game}/what-if", {"how": "soviet 1"}).status_code == 400
    assert client.post(f"/game/{game}/take-back", {}).status_code == 400
