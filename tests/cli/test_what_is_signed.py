"""Signing shows all content first: also the words to the other player, and the keys that a referee pins."""

from kursk_pbem.cli import run
from kursk_pbem.game import entropy
from kursk_pbem.trust import keys


def test_the_note_of_a_draft_is_shown(draft, capsys):
    draft.write_text(draft.read_text("ascii") + 'note: "Good luck at Oboyan."\n', "ascii")
    assert run(["check", str(draft)]) == 0
    assert "Good luck at Oboyan." in capsys.readouterr().out


def test_a_referee_sees_whose_keys_he_pins(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    with entropy.fix_random_bytes("a referee proposes"):
        for who in ("me", "german", "russian"):
            keys.generate_key_pair(tmp_path / who, entropy.random_bytes())
        players = [word for side in ("german", "russian") for word in ("--player", f"{side}={tmp_path / side}.pub")]
        words = ["--referee", "--key", str(tmp_path / "me"), "--dir", str(tmp_path), *players]
        assert run(["propose", "battle-for-kursk/citadel", *words]) == 0
    told = capsys.readouterr().out
    assert [f"key of {who}: SHA256:" in told for who in ("german", "russian", "referee")] == [True] * 3
