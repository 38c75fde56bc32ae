"""Early turns and proposals wait, within limits, and only with a signature of a key of the game."""

from helpers import postal
from helpers.mailbags import box, letter, long_game, states, taken, turn

from kursk_pbem.post.mailbox import people, quotas
from kursk_pbem.post.round import early_turns
from kursk_pbem.post.round.outcome import HERE, REFUSED, TAKEN, WAITS
from kursk_pbem.trust import sofar


def looked_on(ref, anna, game):
    folder = ref.folder(game)
    folder.mkdir()
    (folder / "0000.yaml").write_bytes(turn(anna, game, 0))


def test_a_gap_waits_and_closes_in_a_later_run(friends, tmp_path):
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris)
    looked_on(ref, anna, game)
    for number, seqs in enumerate(((1, 4, 6), (3,), (2,), (5,))):
        for seq in seqs:
            (tmp_path / str(number)).mkdir(exist_ok=True)
            (tmp_path / str(number) / f"{seq}.eml").write_bytes(letter(sofar.cut_block(turn(anna, game, seq))))
    assert states(taken(ref, tmp_path / "0")) == [(1, TAKEN), (4, WAITS), (6, WAITS)]
    assert states(taken(ref, tmp_path / "0")) == [(1, HERE), (4, WAITS), (6, WAITS)]
    assert states(taken(ref, tmp_path / "1")) == [(3, WAITS)]
    assert states(taken(ref, tmp_path / "2")) == [(2, TAKEN), (3, TAKEN), (4, TAKEN)]
    assert states(taken(ref, tmp_path / "3")) == [(5, TAKEN), (6, TAKEN)]
    assert early_turns.list_games(ref.home) == []
    assert states(taken(ref, tmp_path / "3")) == [(5, HERE)]


def test_a_proposal_of_somebody_who_is_known_waits_for_accept_and_its_game_with_it(friends, tmp_path):
    anna, boris = friends("anna", "boris")
    postal.began(anna, boris)
    raw, game = postal.propose_game(anna, boris)
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(raw, "anna@new.test"))
    out = boris.kursk("inbox", path)
    assert "'Anna', who plays" in out
    assert "the proposal came from anna@new.test" in out
    assert people.Person(anna.public).fingerprint in out
    assert "not known here" not in out
    path.unlink()
    boris.kursk("accept", game[:8])
    assert people.person_of(boris.home, anna.public).entry("anna@new.test").state == people.SEEN
    taken(boris, tmp_path)
    assert early_turns.list_games(boris.home) == []


def kept(friend):
    return [path.name for path in early_turns.waiting_folder(friend.home).rglob("*.yaml")]


def test_T49_what_waits_is_bounded_by_quotas(friends, tmp_path, monkeypatch):
    """Limits apply to each side of a game, to proposals of known people, and to strangers' proposals."""
    for kind, number in (("TURNS", 2), ("OF_CIRCLE", 4), ("TO_REFEREE", 2)):
        monkeypatch.setattr(quotas, kind, quotas.Quota(number, 100_000))
    anna, boris, ref, stranger = friends("anna", "boris", "ref", "stranger")
    game = long_game(anna, boris, 9)
    looked_on(ref, anna, game)
    path = box(tmp_path, [letter(sofar.cut_block(turn(anna, game, seq))) for seq in (3, 5, 7, 8)])
    assert states(taken(ref, path)) == [(3, WAITS), (5, WAITS), (7, REFUSED), (8, WAITS)]
    assert len(list(early_turns.list_turns(ref.home, game))) == 3
    (tmp_path / "more").mkdir()
    mails = [
        letter(postal.propose_game(who, anna, relay=ref.public)[0]) for who in (stranger, boris) for _three in range(3)
    ]
    told = ref.kursk("inbox", box(tmp_path / "more", mails), status=3)
    assert [f"no room for this proposal: {number} proposals wait" in told for number in (2, 4)] == [True, True]
    assert len(kept(ref)) == 3 + 4
