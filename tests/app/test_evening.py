"""The first evening of two strangers, each in a browser."""

import pytest

from app import evening
from app.evening import Chromium, Person
from app.pages import hosted
from kursk_pbem.board import hosting

pytestmark = pytest.mark.app


@pytest.fixture
def strangers(chromium):
    """Return two people with empty browsers; the first one is at the home page."""
    with hosted(hosting.BUILT) as address:
        contexts = [chromium.new_context(reduced_motion="reduce") for _each in range(2)]
        people = [Person(Chromium(context, address)) for context in contexts]
        people[0].driver.open(address)
        yield people
        for context in contexts:
            context.close()


def test_two_strangers_meet_by_eight_clicks_three_addresses_and_no_fingerprint(strangers):
    states = list(evening.meet(*strangers))
    assert states[-1] == "met"
    assert evening.add_counts(*strangers) == {"clicks": 8, "addresses": 3, "fingerprints": 0}
    for person in strangers:
        assert person.driver.page.wrong == []
