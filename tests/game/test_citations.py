"""Citations of paragraphs in strings, docstrings and comments, as printed by ``kursk rule --code``."""

from pathlib import Path

import pytest
from helpers import sweeps

from kursk_pbem.cli import run
from kursk_pbem.rulebook import citations
from kursk_pbem.rulesets import every

MODULE = '''"""7.0 the module cites."""

TABLE = (
    ("1.2-a", "not 1.3"),
)


def by_string(umpire):
    umpire.refuse("2.1-night", "a sentence about 9.9 is no citation")


def by_docstring():
    """3.4 (2): the second step, and 4.0 Phase 10."""


class Judge:
    def by_comment(self):
        return 0  # 5.6.7, but not x5.9 nor page:5.8


def nowhere():
    return "1.2.3.4.5"
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "law.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "none.txt").write_text('"6.6"', encoding="utf-8")
    return tmp_path


def test_strings_docstrings_and_comments_cite(folder):
    found = {rule: [place.name for place in places] for rule, places in citations.find_in_folder(folder).items()}
    assert found == {
        "7.0": [""],
        "1.2-a": ["TABLE"],
        "2.1-night": ["by_string"],
        "3.4-2": ["by_docstring"],
        "4.0-phase-10": ["by_docstring"],
        "5.6.7": ["by_comment"],
    }


def test_a_place_is_named_by_file_and_function(folder):
    found = citations.find_in_folder(folder)
    file = (folder / "law.py").resolve().as_posix()
    assert [str(place) for place in found["7.0"] + found["2.1-night"]] == [file, f"{file}: by_string"]


def test_rule_with_code_names_file_and_function_of_a_paragraph(capsys):
    assert run(["rule", "battle-for-kursk", "9.3-stand-fast", "--code"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("[9.3-stand-fast] ")
    assert "    kursk_pbem/rulesets/battle_for_kursk/combat.py: _defenders_choice" in said
    assert run(["rule", "battle-for-kursk", "9.3-stand-fast"]) == 0
    assert "combat.py" not in capsys.readouterr().out


def test_rule_with_code_says_what_decides_and_what_only_shows(capsys):
    """9.0-d4 of Kursk (1971), air superiority."""
    assert run(["rule", "kursk-1971", "9.0-d4", "--code"]) == 0
    said = capsys.readouterr().out.splitlines()
    decides, shows = said.index("  decides:"), said.index("  shows:")
    here = "    kursk_pbem/rulesets/kursk_1971/"
    assert f"{here}raids.py: declare_raids" in said[decides:shows]
    assert all(line.startswith(here) and f"{here}seen/" not in line for line in said[decides + 1 : shows])
    assert f"{here}seen/choices.py: offer_raid" in said[shows:]
    assert all(line.startswith(f"{here}seen/") for line in said[shows + 1 :])


def test_rule_with_code_says_where_no_function_cites_a_paragraph(capsys):
    assert run(["rule", "battle-for-kursk", "13.0", "--code"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  no function cites the paragraph"


@pytest.mark.long
@pytest.mark.parametrize("rid", sweeps.some([ruleset.id for ruleset in every()], 4))
def test_rule_with_code_lists_every_place_under_its_paragraph(capsys, rid):
    assert run(["rule", rid, "--code"]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("    kursk_pbem/")]
    assert len(said) == sum(map(len, citations.find_in_ruleset(rid).values()))
    root = Path(citations.__file__).parents[2]
    assert all((root / line.strip().partition(":")[0]).is_file() for line in said)
