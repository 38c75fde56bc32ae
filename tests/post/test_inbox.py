"""The inbox: turns of all games, in any order and damaged by mail programs, are filed once and adjudicated."""

from helpers.mailbags import box, letter, states, taken, turn

from kursk_pbem.post.mailbox import people, store
from kursk_pbem.post.round.outcome import TAKEN


def test_what_is_damaged_is_named_with_sender_and_subject_and_stops_nothing(several, tmp_path, capsys):
    anna, games = several
    (one, boris), (two, carla), (three, dmitri) = games.items()
    raw = turn(boris, one, 1)
    cut = letter(raw[: raw.index(b"-----END")], subject="cut \x1b[31moff", how="quoted-printable")
    wrong = letter(turn(carla, two, 1).replace(b"seq: '1'", b"seq: one"), carla.address, subject="odd")
    changed = letter(turn(dmitri, three, 1).replace(b"state-out:", b"note: 'hi'\nstate-out:"), dmitri.address, "false")
    good = letter(turn(dmitri, three, 1), dmitri.address)
    path = box(tmp_path, [cut, wrong, changed, good])
    assert states(taken(anna, path)) == [(1, TAKEN)]
    store.store_path(anna.home).unlink()
    anna.kursk("inbox", path, status=2)
    said = capsys.readouterr()
    for words in ("boris@example.test", "cut off", carla.address, "'odd'", dmitri.address, "'false'"):
        assert words in said.err, words
    assert "\x1b" not in said.err + said.out
    assert "here already: message 1 of" in said.out


def test_T43_a_forwarded_turn_redirects_nothing(pair, tmp_path):
    """Any sender can forward a turn. The sender's address is noted, and used only after the owner agrees."""
    anna, boris, game = pair
    boris.sign(game)
    known = people.person_of(anna.home, boris.public)
    people.save_person(anna.home, known.put(boris.address, people.SAID, "as you said"))
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(turn(boris, game, 1), "mallory@example.test"))
    taken(anna, path)
    assert people.person_of(anna.home, boris.public).reached == boris.address
    anna.kursk("people", "confirm", "boris", status=2)  # a question without a terminal
    anna.kursk("people", "confirm", "boris", "mallory@example.test", "--yes")
    assert people.person_of(anna.home, boris.public).reached == "mallory@example.test"


def test_a_damaged_game_folder_stops_no_other_game(several, tmp_path):
    anna, games = several
    (one, boris), (two, carla), _third = games.items()
    (anna.folder(one) / "0000.yaml").write_bytes(b"kursk-pbem: '1'\n")
    path = box(tmp_path, [letter(turn(boris, one, 1)), letter(turn(carla, two, 1))])
    anna.kursk("inbox", path, status=2)
    assert turn(anna, two, 1) == turn(carla, two, 1)
