"""Plays the demonstration once for the tests of mails."""

import pytest
from demo_game import play_demo

from kursk_pbem.trust import message as messages


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The eight messages of the demonstration, as mailed."""
    place = play_demo(tmp_path_factory.mktemp("mail") / "demo")
    return [path.read_bytes() for path in sorted(place.glob("german/game-*/[0-9][0-9][0-9][0-9].yaml"))]


@pytest.fixture(scope="session")
def turn(demo):
    """One of them."""
    return demo[4]


@pytest.fixture(scope="session")
def keys(demo):
    """The public keys of its two sides."""
    return messages.read(demo[0], "0000.yaml").content["keys"]
