"""kursk map --svg: the picture of a position, with arrows and tables, and to a file."""

import re
import xml.etree.ElementTree as ET

import pytest
from helpers.commands import refused, well

from kursk_pbem.cli.views import maps

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def game(demo_folder):
    return next((demo_folder / "german").glob("game-*"))


def classes(root, word):
    return [each for each in root.iter() if word in each.get("class", "").split()]


def test_a_picture_has_every_counter_and_with_moves_an_arrow_for_each(game, capsys):
    plain = ET.fromstring(well(capsys, "map", game / "0007.yaml", "--svg"))  # noqa: S314  our own
    moved = ET.fromstring(well(capsys, "map", game / "0007.yaml", "--svg", "--moves"))  # noqa: S314  our own
    assert plain.tag == f"{SVG}svg"
    assert len(classes(plain, "counter")) == len(classes(moved, "counter")) > 90
    assert not classes(plain, "arrow")
    assert len(classes(moved, "move")) == 5
    assert len(classes(moved, "burst")) == 3


def test_a_whole_map_has_the_turn_track_and_the_tables_of_the_game(game, capsys):
    root = ET.fromstring(well(capsys, "map", game / "0007.yaml", "--svg"))  # noqa: S314  our own
    told = {text.text for text in classes(root, "sheet")[0].iter(f"{SVG}text")}
    assert len(classes(root, "turn")) + len(classes(root, "now")) == 8
    assert len(classes(root, "now")) == 1
    assert {"weather mud", "Combat Results Table", "DRL", "Terrain Effects Chart", "across a river"} <= told
    part = well(capsys, "map", game / "0007.yaml", "--svg", "--around", "kursk")
    assert "Combat Results Table" not in part


def test_a_picture_is_written_once_and_not_over_another_file(game, capsys, tmp_path):
    out = tmp_path / "map.svg"
    assert well(capsys, "map", game / "0007.yaml", "--svg", "-o", out).startswith("wrote")
    assert well(capsys, "map", game / "0007.yaml", "--svg", "-o", out).startswith("unchanged")
    out.write_text("mine")
    refused(capsys, 2, "map", game / "0007.yaml", "--svg", "-o", out)
    assert out.read_text() == "mine"


def test_what_belongs_to_pictures_is_refused_without_one(game, capsys):
    refused(capsys, 2, "map", game, "--moves")
    refused(capsys, 2, "map", "battle-for-kursk/citadel", "--svg", "--moves")


def test_a_picture_is_never_poured_into_a_terminal(capsys, game, tmp_path, monkeypatch):
    monkeypatch.setattr(maps, "on_terminal", lambda: True)
    assert "-o map.svg" in refused(capsys, 2, "map", game / "0007.yaml", "--svg")
    assert well(capsys, "map", game / "0007.yaml", "--svg", "-o", tmp_path / "map.svg").startswith("wrote")


def test_a_file_holds_only_values_that_every_program_can_read(game, capsys):
    """Bug: resvg drew a black map and cairosvg failed, because neither supports ``var()`` or sums."""
    told = well(capsys, "map", game / "0007.yaml", "--svg", "--moves", "--zoc", "russ")
    for word in ("var(", "calc(", "max(", "min(", "clamp(", "--", "@media", "light-dark", "data-zoom", "~"):
        assert word not in told
    assert ".forest{fill:#c2d4a0}" in told
    assert told.index(".town{") < told.index(".name{")  # the name of a town looks like a name, not like its circle
    assert re.search(r"\.stream\{[^}]*;font-size:28px;", told)
