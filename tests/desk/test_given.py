"""Points given: an option in message 0, agreed by both players."""

import pytest
from helpers import registry
from helpers.commands import refused, well

from kursk_pbem.desk.deals import agreement
from kursk_pbem.errors import FileError
from kursk_pbem.game import folders, games
from kursk_pbem.kernel import given
from kursk_pbem.trust import keys, messages, sshsig


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    for name in ("anna", "boris"):
        keys.generate_key_pair(tmp_path / name, name.encode().ljust(32))
    return tmp_path


PROPOSE = ("propose", "battle-for-kursk/citadel", "--yes", "--key", "anna", "--opponent", "boris.pub", "--name", "Anna")


def test_a_proposal_gives_points_and_the_terms_name_them(people, capsys):
    well(capsys, *PROPOSE, "--give", "german=10")
    message = folders.read_message(next(people.glob("game-*/0000.yaml")))
    assert message.mapping("options") == {"given": "german-10"}
    terms = agreement.describe_terms(games.begin(message), "german")
    assert any("given=german-10" in line for line in terms)
    assert any("tie goes to the other side" in line for line in terms)


@pytest.mark.parametrize(
    ("scenario", "give", "says"),
    [
        ("battle-for-kursk/citadel", "german=100", "given: none, german-1 to russian-99"),
        ("battle-for-kursk/citadel", "soviet=3", "given: none, german-1 to russian-99"),
        ("battle-for-kursk/citadel", "german=0", "given: none, german-1 to russian-99"),
        ("battle-for-kursk/citadel", "german=x", "given: none, german-1 to russian-99"),
        ("juggernauts/july-1943", "german=3", "counts no victory points"),
        ("armor-commander/gun-line", "german=3", "counts no victory points"),
    ],
)
def test_wrong_points_are_refused_in_one_sentence(scenario, give, says, people, capsys):
    words = [scenario if word == "battle-for-kursk/citadel" else word for word in PROPOSE]
    assert says in refused(capsys, 2, *words, "--give", give)
    assert not list(people.glob("game-*"))


def test_points_are_given_in_one_word(people, capsys):
    assert "type only one" in refused(capsys, 2, *PROPOSE, "--give", "german=7", "--option", "given=german-5")


def test_points_given_and_the_handicap_of_a_bid_are_refused_together(people, capsys):
    """The handicap is the price of a bid, at the tournament's own count."""
    well(capsys, *PROPOSE, "--give", "german=10")
    message = folders.read_message(next(people.glob("game-*/0000.yaml")))
    field = {"id": "0" * 64, "board": "1-1", "seq": "3", "head": "0" * 64, "handicap": {"german": "1"}}
    content = {**message.content, "tournament": field}
    armour = keys.load_key(people / "anna").sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    both = messages.read_message(messages.emit_message(content, armour).encode(), "0000.yaml")
    with pytest.raises(FileError, match="either points given or the handicap"):
        games.begin(both)


def test_an_invitation_carries_the_points(people, capsys):
    well(capsys, "invite", "battle-for-kursk/citadel", "--give", "german=4", "--key", "anna", "--name", "Anna")
    assert "given=german-4" in well(capsys, "invite")


@pytest.mark.parametrize("kit", registry.kits("all"), ids=lambda kit: kit.id)
def test_exactly_the_systems_with_a_margin_have_the_option(kit):
    first = kit.ruleset.data.setup(kit.setting(kit.scenarios[0]))
    counts = kit.ruleset.play.margin(kit.setting(kit.scenarios[0]), first) is not None
    assert (given.KEY in [option.key for option in kit.ruleset.options]) is counts
