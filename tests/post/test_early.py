"""Mail from before release 1.0 is named to its receiver, accuses nobody and stays (docs/formats.md 5.6)."""

import pytest
from helpers import early, sweeps
from helpers.mails import attached, letter


@pytest.mark.parametrize("what", ["paper", "proof", *sweeps.some(early.SYSTEMS, 4)])
def test_1_post_names_a_thing_from_before_release_1(posted, tmp_path, what):
    """The sender gets no answer, and the mail stays on the server."""
    anna, _boris, _game, imap, smtp = posted
    game = early.play_game(tmp_path, what) / "0000.yaml" if what in early.SYSTEMS else None
    path = game or early.write_things(tmp_path)[what]
    imap.add(attached(letter("Hello!\n"), path.read_bytes(), name=path.name).as_bytes())
    said = anna.kursk("post", "--as-sent", status=2, told=early.EARLY)
    assert not early.BLAME.search(said)
    assert smtp.post.mails == []
    assert len(imap.mails) == 1
