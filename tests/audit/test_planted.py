"""The conformance suite finds planted faults: copies of the program with one mistake each, at least 50 a system."""

import json

import pytest
from helpers import planted


@pytest.mark.parametrize("system", planted.list_systems())
def test_planted_faults_fit_the_program_and_every_paragraph_has_one(system):
    """The code has changed if a fault does not fit: correct ``old`` and ``new`` of the fault."""
    faults = planted.read_faults(system)
    paragraphs = json.loads((planted.ROOT / "conformance" / system / "paragraphs.json").read_text(encoding="ascii"))
    assert len(set(faults)) == len(faults) >= 50
    for fault in faults:
        assert fault.spoil(planted.ROOT)
    assert {fault.rule for fault in faults} <= {paragraph["id"] for paragraph in paragraphs}
    coded = {paragraph["id"] for paragraph in paragraphs if paragraph["status"] == "coded"}
    assert coded - {fault.rule for fault in faults} == set()


@pytest.mark.long("test-all")
@pytest.mark.parametrize("system", planted.list_systems())
def test_cases_find_98_of_100_planted_faults_and_cases_by_hand_90(system, tmp_path):
    """``make faults`` prints the case that finds each fault."""
    finds = list(planted.find_faults(system, planted.read_faults(system), tmp_path))
    assert planted.count_percent(finds) >= planted.FOUND, [find.fault for find in finds if not find.case]
    assert planted.count_percent(finds, by_hand=True) >= planted.FOUND_BY_HAND, planted.list_unprotected(finds)
