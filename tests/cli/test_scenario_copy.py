"""kursk scenario copy: a scenario of one's own from one that there is, whole, and found by its own id."""

import pytest
from helpers.commands import refused, well

from kursk_pbem.game import scenario_files

SHIPPED = scenario_files.available()


@pytest.mark.parametrize("sid", SHIPPED)
def test_a_copy_of_every_scenario_is_in_order_and_differs_in_its_id_alone(sid, tmp_path, capsys, monkeypatch):
    system = sid.partition("/")[0]
    assert f"wrote {tmp_path}/{system}/mine" in well(capsys, "scenario", "copy", sid, "mine", "--dir", tmp_path)
    folder = tmp_path / system / "mine"
    assert {*(f"{part}.yaml" for part in scenario_files.PARTS), "README.md"} == {path.name for path in folder.iterdir()}
    about = (folder / "README.md").read_text(encoding="ascii")
    assert f"A copy of {sid}, to be changed." in about
    assert "](" not in about  # a link of the original would lead nowhere
    assert ": 0 errors, 0 warnings;" in well(capsys, "scenario", "check", folder)
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path))
    assert scenario_files.find(f"{system}/mine") == folder
    source, own = (dict(scenario_files.load(place).data["scenario"]) for place in (scenario_files.find(sid), folder))
    assert own.pop("id") == f"{system}/mine"
    source.pop("based-on", None)
    source.pop("id")
    assert own == source


def test_nothing_is_written_over_and_no_name_leads_elsewhere(tmp_path, capsys, monkeypatch):
    well(capsys, "scenario", "copy", "citadel", "steppe", "--dir", tmp_path, "-q")
    kept = (tmp_path / "battle-for-kursk" / "steppe" / "scenario.yaml").read_bytes()
    assert "is there already" in refused(capsys, 2, "scenario", "copy", "citadel", "steppe", "--dir", tmp_path)
    for name in ("../x", "A", "", "a/b", "x" * 33):
        assert "no name for a scenario" in refused(capsys, 2, "scenario", "copy", "citadel", name, "--dir", tmp_path)
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path))
    assert "there is a scenario" in refused(capsys, 2, "scenario", "copy", "citadel", "steppe", "--dir", tmp_path / "x")
    assert "there is a scenario" in refused(capsys, 2, "scenario", "copy", "citadel", "campaign", "--dir", tmp_path)
    assert (tmp_path / "battle-for-kursk" / "steppe" / "scenario.yaml").read_bytes() == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle-for-kursk"]
