"""Files for VASSAL: the log agrees with the game after every message, and a set-up dragged in VASSAL comes back."""

import copy
import lzma
import re
import shutil
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers import commands, finished_games, registry, signed_play
from rulesets import toys

from kursk_pbem.cli import run
from kursk_pbem.game import histories, scenario_files

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


@pytest.mark.some(4)
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


def test_all_games_of_a_scenario_have_the_module_of_the_scenario(tmp_path, capsys):
    kit = registry.kit()
    for name in list(kit.plots)[:2]:
        commands.well(capsys, "export", finished_games.folder_of(kit, name), "--vassal", "-o", tmp_path / name)
    written = {path.name: path.read_bytes() for path in tmp_path.glob("*/*.vmod")}
    for name, module in written.items():
        commands.well(capsys, "scenario", "--vassal", f"{kit.id}/{name.split('-')[-1][:-5]}", "-o", tmp_path / "alone")
        assert module == (tmp_path / "alone" / name).read_bytes()
    assert "known scenarios" in commands.refused(capsys, 2, "scenario", "--vassal")


@pytest.mark.some(3)
@pytest.mark.parametrize("toy", sorted(toys.FOLDERS))
def test_a_system_that_lists_no_looks_is_written_with_the_looks_of_the_game(toy, tmp_path, capsys, monkeypatch):
    toys.plug(monkeypatch)
    signed_play.play_game(registry.kit(toy), tmp_path, seed=1)
    game = next(tmp_path.glob("*/game-*"))
    commands.well(capsys, "export", game, "--vassal", "-o", tmp_path / "out")
    (log,) = tmp_path.glob("out/*.vlog")
    assert len(list(follow_log(log))) == len(histories.load(game).steps) - 1


def save_set_up(path, change, hide=lambda text: f"!VCSK31{bytes(byte ^ 0x31 for byte in text).hex()}"):
    """Write a saved position, as VASSAL does, with a changed text."""
    raw = zipfile.ZipFile(path).read("savedGame")
    text = change(bytes(byte ^ 0x5A for byte in bytes.fromhex(raw[7:].decode())).decode())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", hide(text.encode()))


def copy_set_up(capsys, sid, tmp_path, name):
    """Return the data of a copy with the set-up in ``tmp_path``, without id and base."""
    (saved,) = tmp_path.glob("*.vsav")
    commands.well(capsys, "scenario", "copy", sid, name, "--dir", tmp_path, "--set-up", saved)
    return strip_head(scenario_files.load(tmp_path / sid.partition("/")[0] / name))


def strip_head(scenario):
    data = copy.deepcopy({**scenario.data})
    head = data["scenario"]
    return {**data, "scenario": {key: head[key] for key in head.keys() - {"id", "title", "based-on"}}}


PLACES = {
    "battle-for-kursk": ("g-43", lambda data: data["units"]["units"]["g-43"], "hex", "2113"),
    "kursk-1971": ("g-110", lambda data: data["scenario"]["start"], "g-110", "0101"),
    "juggernauts": ("g-55k", lambda data: data["units"]["units"]["g-55k"], "hex", "C6"),
    "armor-commander": ("s-t-1", lambda data: data["units"]["units"]["s-tanks"]["models"]["s-t-1"], "place", ""),
}
"""A unit of each system, its entry in the data, the key of its place, and another hex."""


@pytest.mark.some(5)
@pytest.mark.parametrize("sid", [sid for sid in scenario_files.list_ids() if sid.partition("/")[0] in PLACES])
def test_a_set_up_dragged_in_vassal_comes_back(sid, tmp_path, capsys):
    commands.well(capsys, "scenario", "--vassal", sid, "-o", tmp_path)
    (saved,), (module,) = tmp_path.glob("*.vsav"), tmp_path.glob("*.vmod")
    source = strip_head(scenario_files.load(scenario_files.find(sid)))
    assert copy_set_up(capsys, sid, tmp_path, "same") == source
    unit, find_entry, key, label = PLACES[sid.partition("/")[0]]
    build = zipfile.ZipFile(module).read("buildFile.xml").decode()
    hexes = re.findall(r'Region name="([^"]+)" originx="(\d+)" originy="(\d+)"', build)
    spots = {name: f"Main;{x};{y};" for name, x, y in hexes}
    old = find_entry(source)[key]
    where = re.compile(rf"(/{unit},\w+\t\d+\\*\t)(Main;(\d+);(\d+);)")

    def move(text):
        (found,) = where.finditer(text)
        new = spots[label] if label else f"Main;{int(found[3]) + 90};{found[4]};"  # 90 pixels: 2 inches
        assert found[2] == spots[old] if label else spots == {}
        return where.sub(rf"\g<1>{new}", text)

    save_set_up(saved, move, *([lzma.compress] if label else []))  # as VASSAL 3.8 does
    moved = copy_set_up(capsys, sid, tmp_path, "moved")
    if label:
        assert find_entry(moved)[key] == label
    else:
        assert abs(float(find_entry(moved)[key].split(",")[0]) - float(old.split(",")[0]) - 2) <= 0.02
    find_entry(moved)[key] = old
    assert moved == source
    assert " 0 errors" in commands.well(capsys, "scenario", "check", tmp_path / sid.partition("/")[0] / "same")


def test_a_reinforcement_dragged_onto_the_map_starts_there(tmp_path, capsys):
    sid = "kursk-1971/july4-historical"
    commands.well(capsys, "scenario", "--vassal", sid, "-o", tmp_path)
    (saved,) = tmp_path.glob("*.vsav")
    save_set_up(saved, lambda text: re.sub(r"(/s-10t,\w+\t\d+\\*\t)Main;\d+;\d+;", r"\1Main;700;700;", text))
    moved = copy_set_up(capsys, sid, tmp_path, "moved")
    source = strip_head(scenario_files.load(scenario_files.find(sid)))
    assert moved["scenario"]["start"].items() - source["scenario"]["start"].items() == {("s-10t", "0609")}


NO_POSITION, NO_COUNTERS = "this is no position saved by VASSAL", "no counters of a kursk-pbem module"
HOSTILE = {
    "empty": ("", NO_COUNTERS),
    "other text": ("x", NO_COUNTERS),
    "no key": ("!VCSK", NO_POSITION),
    "half a digit": ("!VCSK5", NO_POSITION),
    "other letters": ("!VCSK5a\u00e9", NO_POSITION),
    "zeros": ("!VCSK" + "00" * 9, NO_COUNTERS),
    "half names": ("!VCSK00" + b"/a\\\\\\".hex() * 100_000, NO_COUNTERS),
    "deep nesting": ("!VCSK00" + b"\x1b\\/".hex() * 600_000, NO_COUNTERS),
    "bomb": ("0" * 9_000_000, "the zip is too large"),
    "half compressed": (lzma.compress(b"x" * 9_999)[:-40], NO_COUNTERS),
    "rubbish compressed": (b"\xfd7zXZ\0rubbish", NO_POSITION),
    "bomb compressed": (lzma.compress(b"0" * 9_000_000, preset=0), NO_COUNTERS),
    "other module": (lambda text: text.replace("/g-43,german", "/g-44,german"), "no counter of g-43 in this set-up"),
    "twice": (lambda text: text + text.replace("Main;", "Main;1"), "two counters of"),
    "outside": (lambda text: re.sub(r"Main;\d+;", "Main;99999;", text), "is outside the map"),
}
"""The saved text, or a change of the position; and what is said."""


@pytest.fixture(scope="module")
def citadel(tmp_path_factory):
    """Write the position of a scenario; return its file."""
    folder = tmp_path_factory.mktemp("citadel")
    assert run(["scenario", "--vassal", "citadel", "-o", str(folder)]) == 0
    return next(folder.glob("*.vsav"))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_set_up_is_refused_with_its_reason(name, citadel, tmp_path, capsys):
    saved, (change, said) = Path(shutil.copy(citadel, tmp_path)), HOSTILE[name]
    if isinstance(change, str | bytes):
        with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("savedGame", change)
    else:
        save_set_up(saved, change)
    refuse_set_up(capsys, tmp_path, saved, said)


def refuse_set_up(capsys, tmp_path, saved, said):
    """Check that no copy with a set-up is made, and the reason."""
    told = commands.refused(capsys, 2, "scenario", "copy", "citadel", "mine", "--dir", tmp_path, "--set-up", saved)
    assert said in told
    assert str(saved) in told
    assert not (tmp_path / "battle-for-kursk").exists()


def test_a_set_up_that_is_no_zip_is_refused(tmp_path, capsys):
    for number, rubbish in enumerate((b"", b"rubbish", b"PK\x05\x06" + bytes(18), b"PK\x03\x04" + bytes(5_000_000))):
        (tmp_path / f"{number}.vsav").write_bytes(rubbish)
        said = "too large" if len(rubbish) > 4_194_304 else NO_COUNTERS if number == 2 else NO_POSITION
        refuse_set_up(capsys, tmp_path, tmp_path / f"{number}.vsav", said)
    refuse_set_up(capsys, tmp_path, tmp_path / "none.vsav", "cannot be read")
    refuse_set_up(capsys, tmp_path, tmp_path, "cannot be read")


def test_the_same_game_gives_the_same_bytes(tmp_path, capsys):
    kit = registry.kit()
    game = finished_games.folder_of(kit, next(iter(kit.plots)))
    for name in ("a", "b"):
        commands.well(capsys, "export", game, "--vassal", "-o", tmp_path / name)
    first, second = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "ab")
    assert first == second
