"""Headlines and stories of every system: few lines, whole sentences, no ids, equal in every run."""

import re
from itertools import islice

import pytest
from helpers import registry, sweeps

from kursk_pbem.rulebook import books
from rulesets import toys

pytestmark = pytest.mark.usefixtures("plugged")


def accounts(kit, refereed):
    """Return the headlines and stories for the messages of a random game, and for the whole game."""
    setting = kit.setting(kit.scenarios[0], refereed=refereed)
    found, seen = [result for _before, result in islice(toys.play(kit, setting, 2), 60)], kit.ruleset.seen
    whole = [event for result in found for event in result.events]
    spans = [(result.before, result.events, result.after) for result in found]
    for span in (*spans, (found[0].before, whole, found[-1].after)):
        yield seen.headlines(setting, *span), seen.story(setting, *span)
        assert seen.headlines(setting, *span) == seen.headlines(setting, *span)


@pytest.mark.parametrize("rid", sweeps.some([*registry.KITS, *toys.FOLDERS], 4))
@pytest.mark.parametrize("refereed", sweeps.some([False, True], 2), ids=["players", "referee"])
def test_headlines_and_stories_are_fit_to_be_read(rid, refereed):
    kit = registry.kit(rid)
    units = {uid for scenario in kit.scenarios for uid in kit.setup(kit.setting(scenario)).units}
    ids = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(units)))})(?![\w-])")
    cited = re.compile(rf"[\[(]({'|'.join(map(re.escape, books.load(kit.ruleset.rulebook).paragraphs))})[\])]")
    told = list(accounts(kit, refereed))
    for headlines, story in told:
        assert len(headlines) <= 7
        assert all(line == " ".join(line.split()) for line in (*headlines, *story))
        assert all(paragraph[0].isupper() or paragraph[0].isdigit() for paragraph in story)
        assert all(paragraph.endswith(".") for paragraph in story)
        assert not any(paragraph.startswith(" ") for paragraph in story)
        text = "\n".join((*headlines, *story))
        assert not ids.findall(text)
        assert not cited.findall(text)
    assert any(headlines for headlines, _story in told)
    assert any(story for _headlines, story in told)
