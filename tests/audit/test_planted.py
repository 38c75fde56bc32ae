"""The conformance suite finds planted faults: copies of the program with one mistake each, at least 20 a system."""

import json

import pytest
from helpers import planted


@pytest.mark.parametrize("system", planted.list_systems())
def test_every_planted_fault_fits_the_program(system):
    """The code has changed if this fails: correct ``old`` and ``new`` of the fault."""
    faults = planted.read_faults(system)
    paragraphs = json.loads((planted.ROOT / "conformance" / system / "paragraphs.json").read_text(encoding="ascii"))
    known = {paragraph["id"] for paragraph in paragraphs}
    assert len(faults) >= 20
    for fault in faults:
        assert fault.spoil(planted.ROOT)
        assert fault.rule in known


@pytest.mark.long("test-all")
@pytest.mark.parametrize("system", planted.list_systems())
def test_a_case_of_the_suite_finds_every_planted_fault(system, tmp_path):
    """``make faults`` prints the case that finds each fault."""
    found = list(planted.find_faults(system, planted.read_faults(system), tmp_path))
    assert [fault for fault, verdict in found if not verdict] == []
