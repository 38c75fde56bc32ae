"""Players Anna and Boris, for games of the smallest toy by mail."""

import copy
import shutil

import pytest
from helpers import mail_servers, postal
from helpers.mail_servers import Imap, Smtp
from helpers.mailbags import sends
from helpers.postmen import Time
from rulesets import toys

from kursk_pbem.game import entropy
from kursk_pbem.post.mailbox import events
from post.boards_by_mail import one_paired, two_entered, under_way
from post.refereed_mail import DAY, World, deliver_message, pass_hours, played_on


@pytest.fixture
def friends(tmp_path, monkeypatch):
    """Return a function that makes people by name."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("post"):
        yield lambda *names: postal.make_friends(tmp_path, *names)


@pytest.fixture
def pair(friends):
    """Return Anna, Boris and the id of an accepted game; Boris must write message 1."""
    anna, boris = friends("anna", "boris")
    return anna, boris, postal.began(anna, boris)


@pytest.fixture
def several(friends):
    """Return (anna, {game: other}): three games with message 1 written."""
    anna, *others = friends("anna", "boris", "carla", "dmitri")
    games = {postal.began(anna, other): other for other in others}
    for game, other in games.items():
        other.sign(game)
    return anna, games


def share(name, build, chance="post"):
    """Return two fixtures: a world of the toys, built once by ``build(root, time)``, and the world of each test.

    The files are always in the same place, because desks remember the places of their games.
    """

    @pytest.fixture(scope="session", name=f"_{name}")
    def built(tmp_path_factory):
        root = tmp_path_factory.mktemp(name)
        with pytest.MonkeyPatch.context() as patch, entropy.fix_random_bytes(chance):
            patch.delenv("KURSK_KEY", raising=False)
            toys.plug(patch)
            world = build(root, Time().set(patch))
        return world, root, shutil.copytree(root, root.with_name(f"{root.name}-kept"))

    @pytest.fixture(name=name)
    def found(request, time):
        world, root, kept = request.getfixturevalue(f"_{name}")
        shutil.rmtree(root)
        shutil.copytree(kept, root)
        events._load_book.cache_clear()  # the cache checks only the number of papers
        time.now = world.time.now
        with entropy.fix_random_bytes("afterwards"):
            yield copy.deepcopy(world, {id(world.time): time})

    return built, found


_world, world = share("world", World)
"""A game by mail with a referee."""
_directed, directed = share("directed", World.with_director)
"""A refereed game with a list of decisions mailed to the director."""


@pytest.fixture
def owed(directed):
    """Return a game with message 3 signed and not mailed."""
    played_on(directed)
    directed.boris.sign(directed.game)
    pass_hours(directed, 24, step=12)
    return directed


_entered, entered = share("entered", two_entered, "cup")
"""A tournament with two entries by mail, before any mail of the director."""
_relayed, relayed = share("relayed", one_paired, "cup")
"""A tournament with board 1-1 paired; the proposal is in the director's mailbox."""
_played, played = share("played", under_way, "cup")
"""A tournament with four messages of board 1-1, the game ``played``."""


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return mail_servers.write_certificates(tmp_path_factory.mktemp("tls"))


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
    """Return (anna, boris, game, imap, smtp): both know the addresses, and Anna has an account."""
    anna, boris, game = pair
    mail_servers.account(anna, certificates, imap.port, smtp.port)
    for one, other in ((anna, boris), (boris, anna)):
        one.kursk("people", "add", other.name, other.address, "-q")
        one.kursk("people", "card", one.address, "--yes", "-q")
    return anna, boris, game, imap, smtp


@pytest.fixture
def due(posted):
    """Return (anna, boris, game, imap, smtp): Anna has signed message 2 and mailed nothing."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    sends(boris, game, imap)
    anna.kursk("post", "-q")
    anna.sign(game)
    return posted


@pytest.fixture
def late(world):
    """Return a game with a late message 3, before the director's decision."""
    played_on(world)
    world.time.passes((9 * DAY).total_seconds())
    deliver_message(world, world.boris, 3)
    return world
