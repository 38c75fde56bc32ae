"""Anna and Boris, who play the smallest toy by mail."""

from functools import partial

import pytest
from helpers import cup_by_mail, mail_servers, postal
from helpers.cup_by_mail import announced, enters, paired
from helpers.kept import Kept
from helpers.mail_servers import Imap, Smtp
from helpers.mailbags import letter, turn
from helpers.postmen import Time
from helpers.refereed_mail import DAY, World, hours, played_on
from rulesets import toys

from kursk_pbem.game import entropy


@pytest.fixture
def friends(tmp_path, monkeypatch):
    """A function that makes people by their names."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("post"):
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


def kept(factory, name, build, chance):
    """A world of the toys that tests begin from, built for the first of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("KURSK_KEY", raising=False)
        toys.plug(patch)
        return Kept(factory.mktemp(name), build, Time().set(patch), chance)


def refereed(root, time, **said):
    return World(lambda *names: postal.friends(root, *names), root, time, **said)


@pytest.fixture(scope="session")
def _world(tmp_path_factory):
    return kept(tmp_path_factory, "world", refereed, "post")


@pytest.fixture
def world(_world, friends, monkeypatch):
    """A game by mail with a referee, and the time there."""
    with _world.again(Time().set(monkeypatch)) as found:
        yield found


@pytest.fixture(scope="session")
def _directed(tmp_path_factory):
    said = {"director": "boss@example.test"}
    return kept(tmp_path_factory, "directed", partial(refereed, **said), "post")


@pytest.fixture
def directed(_directed, friends, monkeypatch):
    """The same where the list is mailed to the director."""
    with _directed.again(Time().set(monkeypatch)) as found:
        yield found


@pytest.fixture
def owed(directed):
    """Message 3 is owed there, and signed."""
    played_on(directed)
    directed.boris.sign(directed.game)
    hours(directed, 24)
    return directed


def two_entered(root, time):
    cup = announced(root, time)
    for name in cup.players:
        enters(cup, name)
    cup.direct("tournament", "inbox")
    return cup


def one_paired(root, time):
    cup = two_entered(root, time)
    paired(cup)
    cup_by_mail.relayed(cup)
    return cup


@pytest.fixture(scope="session")
def _entered(tmp_path_factory):
    return kept(tmp_path_factory, "entered", two_entered, "cup")


@pytest.fixture
def entered(_entered, time):
    """Two have entered by mail; nothing of the director's has been mailed."""
    with _entered.again(time) as found:
        yield found


@pytest.fixture(scope="session")
def _relayed(tmp_path_factory):
    return kept(tmp_path_factory, "relayed", one_paired, "cup")


@pytest.fixture
def relayed(_relayed, time):
    """Board 1-1 is paired, and its proposal lies in the director's mailbox."""
    with _relayed.again(time) as found:
        yield found


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


@pytest.fixture
def late(world):
    """Message 3 came late, and waits for the director."""
    played_on(world)
    world.boris.sign(world.game)
    world.time.passes((9 * DAY).total_seconds())
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.post()
    return world
