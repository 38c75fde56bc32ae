"""The messages of the demonstration, for the tests of mails."""

import pytest

from kursk_pbem.trust import message as messages


@pytest.fixture(scope="session")
def demo(demo):
    """The eight messages of the demonstration, as mailed."""
    return [path.read_bytes() for path in sorted(demo.glob("german/game-*/[0-9][0-9][0-9][0-9].yaml"))]


@pytest.fixture(scope="session")
def turn(demo):
    """One of them."""
    return demo[4]


@pytest.fixture(scope="session")
def keys(demo):
    """The public keys of its two sides."""
    return messages.read(demo[0], "0000.yaml").content["keys"]
