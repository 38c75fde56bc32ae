"""Scenarios as saved by editors: the encoding does not change the hash."""

import pytest

from kursk_pbem.game import scenario_files


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_scenario_of_ones_own_may_be_saved_in_any_unicode(tmp_path, encoding):
    plain, saved = tmp_path / "plain", tmp_path / "saved"
    for folder in (plain, saved):
        scenario_files.copy("battle-for-kursk/citadel", "mine", folder)
    for path in (saved / "battle-for-kursk" / "mine").glob("*.yaml"):
        path.write_bytes((path.read_text("ascii") + "# für Björn\r\n").encode(encoding))
    read = [scenario_files.load(folder / "battle-for-kursk" / "mine") for folder in (plain, saved)]
    assert read[0].sha256 == read[1].sha256
