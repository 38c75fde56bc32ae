"""Anna and Boris, who play the smallest toy by mail."""

import pytest
from helpers import mail_servers, postal
from helpers.mail_servers import Imap, Smtp
from rulesets import toys

from kursk_pbem.game import entropy


@pytest.fixture
def friends(tmp_path, monkeypatch):
    """A function that makes people by their names."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fixed("post"):
        yield lambda *names: postal.friends(tmp_path, *names)


@pytest.fixture
def pair(friends):
    """Anna and Boris; a game that Anna has proposed, and Boris accepted; he writes message 1. Its id."""
    anna, boris = friends("anna", "boris")
    return anna, boris, postal.began(anna, boris)


@pytest.fixture
def several(friends):
    """Anna's games with three others, each of whom has written message 1: (anna, {game: other})."""
    anna, *others = friends("anna", "boris", "carla", "dmitri")
    games = {postal.began(anna, other): other for other in others}
    for game, other in games.items():
        other.sign(game)
    return anna, games


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return mail_servers.certificates(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def imap(certificates):
    with Imap(certificates) as server:
        yield server


@pytest.fixture
def smtp(certificates):
    with Smtp(certificates) as server:
        yield server


@pytest.fixture
def posted(pair, certificates, imap, smtp):
    """Anna and Boris know each other's addresses, and Anna has an account: (anna, boris, game, imap, smtp)."""
    anna, boris, game = pair
    mail_servers.account(anna, certificates, imap.port, smtp.port)
    for one, other in ((anna, boris), (boris, anna)):
        one.kursk("people", "add", other.name, other.address, "-q")
        one.kursk("people", "card", one.address, "--yes", "-q")
    return anna, boris, game, imap, smtp
