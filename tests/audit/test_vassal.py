"""kursk export --vassal: what VASSAL reads of the files agrees with the game, at the end of every message."""

import zipfile
from xml.etree import ElementTree

import pytest
from helpers import commands, finished_games, registry

from kursk_pbem.game import histories

ESCAPE = "\x1b"


def split(text, mark):
    """Return the parts of one level of a sequence."""
    parts, part, at = [], "", 0
    while at < len(text):
        if text[at : at + 2] == "\\" + mark:
            part, at = part + mark, at + 2
        elif text[at] == mark:
            parts, part, at = [*parts, part], "", at + 1
        else:
            part, at = part + text[at], at + 1
    return [each[1:-1] if len(each) > 1 and each[0] == each[-1] == "'" else each for each in (*parts, part)]


def read_steps(path):
    """Return the steps of a saved game: lists of commands."""
    raw = zipfile.ZipFile(path).read("savedGame")
    key = int(raw[5:7], 16)
    text = bytes(int(raw[at : at + 2], 16) ^ key for at in range(7, len(raw), 2)).decode()
    return [split(step, ESCAPE) if ESCAPE in step else [step] for step in split(text, ESCAPE)]


def find_spot(state):
    """Return x and y in a counter's state."""
    return tuple(map(int, split(split(split(state, "\t")[1], "\t")[1], ";")[1:3]))


def follow_log(path):
    """Yield the places of all counters, unit -> (x, y), whenever the log says that a message has ended."""
    spots = {}
    for step in read_steps(path):
        for command in step:
            sort, *rest = split(command.removeprefix("LOG\t"), "/")
            if sort == "+" and rest[1] != "stack":
                spots[rest[0].removeprefix("u-")] = find_spot(rest[2])
            elif sort == "M":
                assert spots[rest[0].removeprefix("u-")] == tuple(map(int, rest[6:8]))
                spots[rest[0].removeprefix("u-")] = tuple(map(int, rest[2:4]))
        if "CHAT* position after message" in step[-1]:
            yield dict(spots)


@pytest.mark.parametrize("kit", registry.kits("all"), ids=lambda kit: kit.id)
def test_the_log_brings_every_counter_to_its_hex_after_each_message(kit, tmp_path, capsys):
    game = finished_games.folder_of(kit, next(iter(kit.plots)))
    commands.well(capsys, "export", game, "--vassal", "-o", tmp_path)
    module, log, saved = (next(tmp_path.glob(f"*.{ending}")) for ending in ("vmod", "vlog", "vsav"))
    build = ElementTree.fromstring(zipfile.ZipFile(module).read("buildFile.xml"))  # noqa: S314  our own
    hexes = {
        region.get("name"): (int(region.get("originx")), int(region.get("originy")))
        for region in build.iter("VASSAL.build.module.map.boardPicker.board.Region")
    }
    steps, found = histories.load(game).steps[1:], list(follow_log(log))
    assert len(found) == len(steps)
    for step, spots in zip(steps, found, strict=True):
        standing = {uid: unit.place for uid, unit in step.after.state.units.items() if unit.place in hexes}
        assert {uid: spots[uid] for uid in standing} == {uid: hexes[place] for uid, place in standing.items()}
    pictures = [name for name in zipfile.ZipFile(module).namelist() if name.endswith(".svg")]
    assert len(pictures) > len(found[0])  # the map, and a look at least of every counter
    for name in pictures:
        ElementTree.fromstring(zipfile.ZipFile(module).read(name))  # noqa: S314  our own
    assert len([step for step in read_steps(saved) if step[0].startswith("+/u-")]) == len(found[0])


def test_the_same_game_gives_the_same_bytes(tmp_path, capsys):
    kit = registry.kit()
    game = finished_games.folder_of(kit, next(iter(kit.plots)))
    for name in ("a", "b"):
        commands.well(capsys, "export", game, "--vassal", "-o", tmp_path / name)
    first, second = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "ab")
    assert first == second
