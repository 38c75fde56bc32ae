"""Decision 44: a game of adjudication 1 has no answers for single units."""

from unittest.mock import patch

import pytest
from helpers import signed_play

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import ordering
from kursk_pbem.errors import OutdatedError
from rulesets.juggernauts.plots import JULY


@pytest.mark.parametrize("version", ["1", "2"])
def test_6_0_an_answer_for_a_unit_is_refused_in_a_game_of_adjudication_1(tmp_path, version):
    """J-70: such an answer is not written; an answer for the hex is."""
    to_pin = begin.make_pinned_fields
    ruleset = {"id": "juggernauts", "version": version}
    with patch.object(begin, "make_pinned_fields", lambda *known: {**to_pin(*known), "ruleset": ruleset}):
        table = signed_play.Table(tmp_path, JULY).begin()
    table.turn({"orders": {"battles": [{"id": "b1", "hex": "B7", "attackers": ["g-53k"]}]}})
    sheet = ordering.open_draft(table.due.sit())
    words = ["answer", "r-8ak", "withdraw", "1"]
    if version == "2":
        written = ordering.write_orders(sheet, [words])
        assert written.sheet.choices["policy"]["units"] == {"r-8ak": {"withdraw": "1"}}
    else:
        with pytest.raises(OutdatedError, match="adjudication 1 of juggernauts"):
            ordering.write_orders(sheet, [words])
        written = ordering.write_orders(ordering.open_draft(table.due.sit()), [["answer", "withdraw", "1"]])
        assert written.sheet.choices["policy"] == {"withdraw": "1"}
    table.send()
    assert table.game.version == int(version)
    assert table.game.chain.next_seq == 3
