"""A relaying referee and successor games: the referee may be left out, and no side loses an unseen game."""

import shutil

from helpers.agreements import agreed, propose
from helpers.relaying import day, no, well

from kursk_pbem.cli import run
from kursk_pbem.desk.deals import offers
from kursk_pbem.desk.referee import successor_terms
from kursk_pbem.trust import keys, messages


def test_a_successor_without_the_referee_says_so(relayed):
    relayed.turn({})
    player = relayed.players["german"]
    path = propose(player, at=4)
    assert "keys: as before" in offers.describe_proposal(relayed.players["russian"].desk, path)
    content = messages.read_message(path.read_bytes(), "0000.yaml").content
    del content["keys"]["referee"]
    armour = keys.load_key(player.key).sign("kursk-pbem", messages.signed_bytes(content))
    other = path.with_name("other.yaml")
    other.write_text(messages.emit_message(content, armour, player.desk.game.state.to_plain()), encoding="ascii")
    terms = offers.describe_proposal(relayed.players["russian"].desk, other)
    [line] = [line for line in terms if line.startswith("key of referee: CHANGES from SHA256:")]
    assert line.endswith(" to none")
    assert "keys: as before" not in terms


def test_a_proposal_to_go_on_otherwise_is_owed_no_answer_before_it_is_agreed_to(relayed, whistle, monkeypatch):
    relayed.turn({})
    path = propose(relayed.players["german"], at=4)
    new = relayed.place / path.parent.name
    new.mkdir()
    shutil.copy(path, new)
    begins = ("referee", "receipt", new, "--received", day(4), "--days", "1")
    ends = ("referee", "forfeit", new, "--yes", "--declared", day(6))
    old = relayed.folder.rename(relayed.place / "put away")
    no(whistle(*begins), 2, "put your folder of")
    old.rename(relayed.folder)
    relayed.take_all(4)
    no(whistle(*begins), 2, "have not agreed")
    with monkeypatch.context() as another:
        another.setattr(successor_terms, "check_agreement", lambda *_: "")  # another program signs two papers
        well(whistle(*begins))
    no(whistle(*ends), 2, "have not agreed")
    with monkeypatch.context() as another:
        another.setattr(successor_terms, "check_agreement", lambda *_: "")
        well(whistle(*ends))
    no(
        whistle("verify", relayed.folder, new),
        3,
        "declared lost, but this copy of game-",
        "does not end with the accept",
    )
    (new / "forfeit.yaml").unlink()
    agreed(relayed, path)
    relayed.take_all(6)
    monkeypatch.setenv("KURSK_HOME", str(relayed.home))
    monkeypatch.setenv("KURSK_KEY", str(relayed.key))
    assert run(["referee", "forfeit", str(new), "--yes", "--declared", day(6)]) == 0
    assert run(["verify", str(relayed.folder), str(new)]) == 0


def test_a_term_begins_no_sooner_than_the_game_was_agreed_to(relayed, whistle):
    relayed.turn({})
    path = propose(relayed.players["german"], at=4)
    new = relayed.place / path.parent.name
    new.mkdir()
    shutil.copy(path, new)
    agreed(relayed, path)
    relayed.take_all(6)
    well(whistle("referee", "receipt", relayed.folder, "--received", day(5), "--days", "1"))
    no(whistle("referee", "receipt", new, "--received", day(4), "--days", "1"), 2, f"before the agreement at {day(5)}")
    well(whistle("referee", "receipt", new, "--received", day(5), "--days", "1"))
