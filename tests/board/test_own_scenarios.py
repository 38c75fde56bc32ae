"""An unplayable scenario of a player is reported with the reason, and other pages work."""

import io
import json
import shutil

import pytest
from helpers.commands import refused, well

from board.seats import Client, pair
from kursk_pbem.formats import data
from kursk_pbem.game import scenarios

CROSSROADS = "armor-commander/crossroads"
SWAPPED = ("'28.00, 22.50', '32.50, 22.00', '33.00, 26.00'", "'28.00, 22.50', '33.00, 26.00', '32.50, 22.00'")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Write a readable scenario with two swapped corners; only the full check finds the fault."""
    folder = tmp_path / "scenarios" / "armor-commander" / "mine"
    shutil.copytree(data.find_folder("scenarios").joinpath(*CROSSROADS.split("/")), folder)
    for name, change in (
        ("scenario.yaml", ("id: armor-commander/crossroads", "id: armor-commander/mine")),
        ("map.yaml", SWAPPED),
    ):
        text = (folder / name).read_text(encoding="utf-8")
        assert change[0] in text
        (folder / name).write_text(text.replace(*change), encoding="utf-8")
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path / "scenarios"))
    return folder


def said_of(folder, capsys):
    """Return the first fault of the full check, with the line."""
    assert scenarios.check(folder)[1][0].severity == "error"
    found = scenarios.check(folder)[1][0]
    assert found.where.line > 0
    capsys.readouterr()
    return f"{found.where}: {found.text}", f"'kursk scenario check {folder}'"


def test_every_list_says_what_cannot_be_played_and_why(own, tmp_path, capsys):
    """The home page, 'kursk scenario' and 'propose' agree."""
    fault, step = said_of(own, capsys)
    listed = well(capsys, "scenario", "list")
    (line,) = (each for each in listed.splitlines() if "armor-commander/mine" in each)
    assert "cannot be played" in line
    assert fault in line
    assert step in line
    listed = json.loads(well(capsys, "scenario", "list", "--json"))["scenarios"]
    (entry,) = (playable for playable in listed if playable["scenario"].endswith("/mine"))
    assert fault in entry["fault"]
    first, second = pair(tmp_path / "seats", CROSSROADS).values()
    client = Client(first).enter()
    answer = client.get("/")
    page = answer.get_data(as_text=True).replace("&#39;", "'")
    assert answer.status_code == 200
    assert "1 of your scenarios cannot be played" in page
    assert fault in page
    assert step in page
    assert 'value="armor-commander/mine"' not in page
    assert f'value="{CROSSROADS}"' in page
    public = (io.BytesIO((second.place / "me.pub").read_bytes()), "me.pub")
    form = {"scenario": "armor-commander/mine", "key": client.key, "opponent": public}
    refusal = client.post("/propose", form)
    assert refusal.status_code == 400
    assert fault in refusal.get_data(as_text=True).replace("&#39;", "'")
    words = ("propose", "armor-commander/mine", "--as", first.side, "--opponent", second.place / "me.pub")
    told = refused(capsys, 2, *words, "--key", first.key, "--dir", tmp_path)
    assert fault.split(": ", 1)[1] in " ".join(told.split())


@pytest.mark.parametrize("damage", ["no map", "no yaml", "a link to itself", "no text", "another rule system", "empty"])
def test_no_scenario_stops_the_home_page(own, tmp_path, capsys, damage):
    file = own / "map.yaml"
    file.unlink()
    if damage == "a link to itself":
        file.symlink_to(file)
    elif damage == "another rule system":
        text = (own / "scenario.yaml").read_text(encoding="utf-8")
        (own / "scenario.yaml").write_text(text.replace("ruleset: armor-commander", "ruleset: chess"), encoding="utf-8")
        file.write_text("{}")
    elif damage != "no map":
        file.write_bytes({"no yaml": b"{{{", "no text": b"\xff\0", "empty": b""}[damage])
    client = Client(next(iter(pair(tmp_path / "seats", CROSSROADS).values()))).enter()
    answer = client.get("/")
    assert answer.status_code == 200
    assert "cannot be played" in answer.get_data(as_text=True)
    assert "cannot be played" in well(capsys, "scenario", "list")


def test_a_check_that_stops_stops_no_list(own, tmp_path, capsys, monkeypatch):
    """After a crash in the check of a scenario, the list shows the others."""

    def stops(*_given):
        raise KeyError("corner")

    monkeypatch.setattr(scenarios, "review", stops)
    (own / "map.yaml").write_bytes((own / "map.yaml").read_bytes() + b"# another text, so that it is judged anew\n")
    client = Client(next(iter(pair(tmp_path / "seats", CROSSROADS).values()))).enter()
    assert "KeyError" in client.get("/").get_data(as_text=True)
    assert "because of a fault of the program" in well(capsys, "scenario", "list")


def test_the_list_judges_each_scenario_once(own, tmp_path, monkeypatch):
    """A check may take seconds, so unchanged files are checked once."""
    calls = []
    check = scenarios._check
    monkeypatch.setattr(scenarios, "_check", lambda *given: calls.append(given) or check(*given))
    (own / "map.yaml").write_bytes((own / "map.yaml").read_bytes() + b"# a text of this test\n")
    client = Client(next(iter(pair(tmp_path / "seats", CROSSROADS).values()))).enter()
    for _ in range(3):
        assert client.get("/").status_code == 200
    assert len(calls) == 1
    (own / "map.yaml").write_bytes((own / "map.yaml").read_bytes() + b"# another\n")
    assert client.get("/").status_code == 200
    assert len(calls) == 2
