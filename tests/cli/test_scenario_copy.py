"""'kursk scenario copy': a complete copy of a scenario, with its own id."""

import os
import re

import pytest
from helpers.commands import refused, well

from kursk_pbem.game import scenario_files

SHIPPED = scenario_files.list_ids()


@pytest.mark.some(5)
@pytest.mark.parametrize("sid", SHIPPED)
def test_a_copy_of_every_scenario_is_in_order_and_differs_in_id_and_title(sid, tmp_path, capsys, monkeypatch):
    system = sid.partition("/")[0]
    assert f"wrote {tmp_path}/{system}/mine" in well(capsys, "scenario", "copy", sid, "mine", "--dir", tmp_path)
    folder = tmp_path / system / "mine"
    assert {*(f"{part}.yaml" for part in scenario_files.PARTS), "README.md"} == {path.name for path in folder.iterdir()}
    about = (folder / "README.md").read_text(encoding="ascii")
    assert f"A copy of {sid}." in about
    assert "](" not in about  # a link of the original would lead nowhere
    assert ": 0 errors, 0 warnings;" in well(capsys, "scenario", "check", folder)
    assert well(capsys, "tables", "--track", folder) == well(
        capsys, "tables", "--track", sid
    )  # the folder, at any path
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path))
    assert scenario_files.find(f"{system}/mine") == folder
    source, own = (dict(scenario_files.load(place).data["scenario"]) for place in (scenario_files.find(sid), folder))
    assert own.pop("id") == f"{system}/mine"
    assert own.pop("title") == f"{source.pop('title')} (mine)"  # bug: an invitation read like the original
    source.pop("based-on", None)
    source.pop("id")
    assert own == source


def test_nothing_is_written_over_and_no_name_leads_elsewhere(tmp_path, capsys, monkeypatch):
    well(capsys, "scenario", "copy", "citadel", "steppe", "--dir", tmp_path, "-q")
    kept = (tmp_path / "battle-for-kursk" / "steppe" / "scenario.yaml").read_bytes()
    assert "exists already" in refused(capsys, 2, "scenario", "copy", "citadel", "steppe", "--dir", tmp_path)
    for name in ("../x", "A", "", "a/b", "x" * 33):
        assert "no name of a scenario" in refused(capsys, 2, "scenario", "copy", "citadel", name, "--dir", tmp_path)
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path))
    assert "exists already" in refused(capsys, 2, "scenario", "copy", "citadel", "steppe", "--dir", tmp_path / "x")
    assert "exists already" in refused(capsys, 2, "scenario", "copy", "citadel", "campaign", "--dir", tmp_path)
    assert (tmp_path / "battle-for-kursk" / "steppe" / "scenario.yaml").read_bytes() == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle-for-kursk"]


def test_where_its_files_are_missing_it_is_said_so_and_no_message_is_called_damaged(tmp_path, capsys, monkeypatch):
    """A player has a game of a private scenario, and KURSK_SCENARIOS no longer names its folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path))
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    well(capsys, "scenario", "copy", "citadel", "mine")
    for name in ("me", "him"):
        well(capsys, "keygen", name)
    well(capsys, "propose", "mine", "--opponent", "him.pub", "--key", "me", "--yes")
    monkeypatch.delenv("KURSK_SCENARIOS")
    (folder,) = tmp_path.glob("game-*")
    said = refused(capsys, 2, "report", folder)
    assert "there is no scenario 'battle-for-kursk/mine' here" in said
    assert "into a folder named in KURSK_SCENARIOS" in said
    assert "was changed later" not in said
    whole = (folder / "0000.yaml").read_bytes()
    (folder / "0000.yaml").write_bytes(whole[:200])
    assert "was changed later" in refused(capsys, 2, "report", folder)
    (folder / "0000.yaml").write_bytes(whole.replace(b"russian player", b"russian plaYer", 1))
    assert "was changed later" in refused(capsys, 2, "report", folder)


def test_a_folder_that_is_not_there_is_said_to_be_that(tmp_path, capsys):
    assert "there is no folder" in refused(capsys, 2, "scenario", "check", tmp_path / "nosuch")
    assert "named in KURSK_SCENARIOS" in refused(capsys, 2, "scenario", "list", "nosuch")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes")
def test_a_pipe_among_the_scenarios_is_named_and_hides_no_other(tmp_path, monkeypatch, capsys):
    """Bug: a pipe named scenario.yaml in KURSK_SCENARIOS hid every scenario."""
    (tmp_path / "juggernauts" / "odd").mkdir(parents=True)
    os.mkfifo(tmp_path / "juggernauts" / "odd" / "scenario.yaml")
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path))
    listed = well(capsys, "scenario", "list", "juggernauts")
    assert re.search(r"juggernauts/odd +cannot be played: \S+scenario.yaml: cannot be read: it is a pipe", listed)
    assert "attested, " in listed
