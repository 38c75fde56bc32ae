"""The beginnings of two random games, one of each scenario and with options, played through both desks and verified."""

import pytest
import signed_play


@pytest.mark.parametrize("seed", [5, 6])  # with a stop for decisions; and with the weather die too
def test_a_random_game_is_verified_message_by_message(tmp_path, seed):
    played = signed_play.play_game(tmp_path / "game", seed, most=25)
    assert played.messages == 25
    assert played.results.total() > 3
    assert played.scenario == (signed_play.CITADEL, signed_play.CAMPAIGN)[seed % 2]


def test_a_failing_game_would_be_seen(tmp_path, monkeypatch):
    """Luck that differs between two desks stops the game: the comparison is not for show."""
    take = signed_play.Player.take

    def forgetful(player, letter):
        got = take(player, letter)
        letter_again = player.folder / f"report-{got.message.seq:04d}.txt"
        letter_again.write_text("lost\n", encoding="ascii")
        return got

    monkeypatch.setattr(signed_play.Player, "take", forgetful)
    with pytest.raises(AssertionError, match="differs between the two desks"):
        signed_play.play_game(tmp_path / "game", 6, most=4)
