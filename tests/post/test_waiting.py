"""What comes before its time: gaps, proposals. It waits, bounded, and only if a key of the game has signed it."""

import os

from helpers import postal
from helpers.mailbags import WAYS, box, letter, long_game, states, taken, turn

from kursk_pbem.formats import files
from kursk_pbem.post import clerk, people, place, proposals, sorting, waiting
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.outcome import HERE, PROPOSED, REFUSED, TAKEN, UNKNOWN, WAITS
from kursk_pbem.post.told import day as day_of
from kursk_pbem.trust import keys, messages, papers, sshsig


def test_turns_in_any_order_are_taken_in_the_order_of_the_game(friends, tmp_path):
    """At the desk of a referee who looks on: all seven in one mailbox, the last first."""
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris)
    folder = ref.folder(game)
    folder.mkdir()
    (folder / "0000.yaml").write_bytes(turn(anna, game, 0))
    path = box(tmp_path, [letter(turn(anna, game, seq), how=WAYS[seq % 6]) for seq in (6, 2, 4, 1, 5, 3, 0)])
    assert states(taken(ref, path)) == [(0, HERE)] + [(seq, TAKEN) for seq in range(1, 7)]


def test_a_gap_waits_and_closes_in_a_later_run(friends, tmp_path, capsys):
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris)
    folder = ref.folder(game)
    folder.mkdir()
    (folder / "0000.yaml").write_bytes(turn(anna, game, 0))
    for number, seqs in enumerate(((1, 4, 6), (3,), (2,), (5,))):
        for seq in seqs:
            (tmp_path / str(number)).mkdir(exist_ok=True)
            (tmp_path / str(number) / f"{seq}.eml").write_bytes(letter(turn(anna, game, seq)))
    assert states(taken(ref, tmp_path / "0")) == [(1, TAKEN), (4, WAITS), (6, WAITS)]
    assert states(taken(ref, tmp_path / "0")) == [(1, HERE), (4, WAITS), (6, WAITS)]
    assert states(taken(ref, tmp_path / "1")) == [(3, WAITS)]
    assert states(taken(ref, tmp_path / "2")) == [(2, TAKEN), (3, TAKEN), (4, TAKEN)]
    assert states(taken(ref, tmp_path / "3")) == [(5, TAKEN), (6, TAKEN)]
    assert waiting.games(ref.home) == []
    assert states(taken(ref, tmp_path / "3")) == [(5, HERE)]


def test_a_proposal_waits_for_accept_and_its_game_with_it(friends, tmp_path, capsys):
    anna, boris, carla = friends("anna", "boris", "carla")
    raw, game = postal.proposed(anna, boris)
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(raw, anna.address))
    postal.began(carla, boris)  # so his key is known at his desk
    assert states(taken(boris, path)) == [(0, PROPOSED)]
    assert not boris.folder(game).exists()
    boris.kursk("inbox", path)
    out = capsys.readouterr().out
    assert "'Anna', who plays" in out
    assert f"it came from {anna.address}" in out
    assert people.Person(anna.public).fingerprint in out
    assert f"'kursk accept {game[:8]} --key FILE'" in out
    assert not people.known(boris.home, anna.public).addresses  # anybody may propose as often as they like
    boris.kursk("accept", game[:8])
    assert people.known(boris.home, anna.public).state_of(anna.address) == people.SEEN
    boris.kursk("people", "confirm", "anna", "--yes")
    boris.sign(game)
    assert states(taken(boris, path)) == [(0, HERE)]
    assert waiting.games(boris.home) == []


def test_who_has_no_game_yet_is_told_of_the_proposal_and_how_it_is_taken(friends, tmp_path, capsys):
    """'kursk accept 1a2b3c4d' was advised, and refused: their key was known nowhere. 'kursk status' knew of nothing."""
    anna, boris = friends("anna", "boris")
    raw, game = postal.proposed(anna, boris)
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(raw, anna.address))
    boris.kursk("inbox", path)
    assert f"'kursk accept {game[:8]} --key FILE'" in capsys.readouterr().out
    boris.kursk("status", status=2)
    told = "a proposal that came by mail waits: whoever is to play takes it with 'kursk accept --key FILE'"
    assert told in capsys.readouterr().err


def test_digits_of_a_game_that_was_accepted_name_no_other_that_begins_alike(pair, tmp_path, capsys):
    """Such a one can be made by 2^32 hashes; whoever gives the command once more has not been told of it."""
    _anna, boris, game = pair
    carla = postal.friends(tmp_path, "carla")[0]
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(postal.proposed(carla, boris)[0]))
    taken(boris, path)
    (short,) = waiting.games(boris.home)
    (waiting.folder(boris.home) / short).rename(waiting.folder(boris.home) / f"{game[:8]}{'0' * 8}")
    boris.kursk("accept", game[:8], status=2)
    assert f"game {game[:8]} was accepted before" in capsys.readouterr().err
    boris.kursk("accept", f"{game[:8]}{'0' * 8}")


def test_a_proposal_for_somebody_else_is_left(friends, tmp_path, capsys):
    anna, boris, carla = friends("anna", "boris", "carla")
    raw, _game = postal.proposed(anna, boris)
    postal.began(anna, carla)
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(raw))
    assert states(taken(carla, path)) == [(0, UNKNOWN)]
    carla.kursk("inbox", path)
    assert "which is not known here" in capsys.readouterr().out
    assert waiting.games(carla.home) == []


def test_T49_a_proposal_to_a_referee_lays_nothing_in_their_folder_and_is_taken_by_its_number(friends, tmp_path, capsys):
    """A stranger may propose 256 games: a copy of each would stay beside the games of the director for ever."""
    anna, boris, ref = friends("anna", "boris", "ref")
    raw, game = postal.proposed(anna, boris, relay=ref.public)
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(raw))
    ref.kursk("inbox", path)
    assert not [*ref.place.glob("*.yaml")]
    assert f"'kursk receipt {game[:16]} --days 7'" in capsys.readouterr().out
    ref.kursk("receipt", game[:16], "--days", "7")
    assert ref.folder(game).exists()
    taken(ref, path)
    assert waiting.games(ref.home) == []


def test_no_game_is_begun_under_the_name_of_another(friends, tmp_path, capsys):
    """Four digits are found again by 65,000 proposals: a file and a game that are there come first."""
    anna, boris, ref = friends("anna", "boris", "ref")
    raw, game = postal.proposed(anna, boris, relay=ref.public)
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(raw))
    ref.kursk("inbox", path)
    (ref.place / game[:4]).write_bytes(b"of the director")
    ref.kursk("receipt", game[:4], "--days", "7", status=2)
    ref.kursk("receipt", "0123" if game[:4] != "0123" else "4567", "--days", "7", status=2)
    assert not ref.folder(game).exists()
    assert "of that id waits" in capsys.readouterr().err


def test_T49_no_stranger_fills_the_disk_with_gaps(friends, tmp_path):
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris, 4)
    folder = ref.folder(game)
    folder.mkdir()
    (folder / "0000.yaml").write_bytes(turn(anna, game, 0))
    message = messages.read(turn(anna, game, 3), "turn")
    wrong = messages.read(turn(anna, game, 2), "turn")
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(messages.emit(message.content, wrong.armour).encode("ascii")))
    assert states(taken(ref, path)) == [(3, REFUSED)]
    assert waiting.games(ref.home) == []


def looked_on(ref, anna, game):
    folder = ref.folder(game)
    folder.mkdir()
    (folder / "0000.yaml").write_bytes(turn(anna, game, 0))


def test_T49_what_waits_is_bounded_for_each_side_of_a_game(friends, tmp_path, monkeypatch):
    monkeypatch.setattr(waiting, "MOST", 2)
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris, 9)
    looked_on(ref, anna, game)
    path = box(tmp_path, [letter(turn(anna, game, seq)) for seq in (3, 5, 7, 8)])
    assert states(taken(ref, path)) == [(3, WAITS), (5, WAITS), (7, REFUSED), (8, WAITS)]
    for kept in (waiting.folder(ref.home) / game[:16]).iterdir():
        os.utime(kept, (0, 0))
    assert len(list(waiting.turns(ref.home, game))) == 3  # a clock that jumps by years loses nothing


def test_T49_what_waits_behind_a_gap_is_not_read_in_each_round(friends, tmp_path, monkeypatch):
    """Two megabytes of it took more than a second of each round, for as long as the game lasts."""
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris, 9)
    looked_on(ref, anna, game)
    assert states(taken(ref, box(tmp_path, [letter(turn(anna, game, seq)) for seq in (4, 6)]))) == [
        (4, WAITS),
        (6, WAITS),
    ]
    reads = []
    read = waiting._mail
    monkeypatch.setattr(waiting, "_mail", lambda raw, name: reads.append(name) or read(raw, name))
    with ref.sitting():
        assert states(clerk.work(Intake(ref.home, ref.place), [])) == []
    assert reads == []
    path = tmp_path / "first.eml"
    for seq, then in ((2, [(2, WAITS)]), (1, [(1, TAKEN), (2, TAKEN)]), (3, [(3, TAKEN), (4, TAKEN)])):
        path.write_bytes(letter(turn(anna, game, seq)))
        assert states(taken(ref, path)) == then
    assert len(reads) == 2


def test_T49_of_a_game_that_is_over_nothing_waits(friends, tmp_path):
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris, 4)
    looked_on(ref, anna, game)
    content = {**messages.read(turn(boris, game, 3), "").content, "seq": "97"}
    signed = keys.load(boris.key).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    assert states(taken(ref, box(tmp_path, [letter(messages.mailed(content, signed, None).encode("ascii"))]))) == [
        (97, WAITS)
    ]
    with anna.sitting():
        anna.kursk("resign", game[:8], "--yes")
    last = anna.desk(game).seq - 1
    path = tmp_path / "end"
    path.mkdir()
    for seq in range(1, last + 1):
        (path / f"{seq}.eml").write_bytes(letter(turn(anna, game, seq)))
    assert (last, TAKEN) in states(taken(ref, path))
    assert ref.desk(game).game.over
    taken(ref, path)
    assert waiting.games(ref.home) == []


def test_T49_of_one_number_a_few_messages_wait(friends, tmp_path):
    """Whoever is late may sign as many as they like, and each is looked at until the director has decided."""
    anna, boris, ref = friends("anna", "boris", "ref")
    game = long_game(anna, boris, 4)
    looked_on(ref, anna, game)
    content, key = messages.read(turn(boris, game, 3), "").content, keys.load(boris.key)
    mails = []
    for number in range(6):
        said = {**content, "prev": f"{number:064x}"}
        signed = key.sign(sshsig.NAMESPACE, messages.signed_bytes(said))
        mails.append(letter(messages.mailed(said, signed, None).encode("ascii")))
    assert sorted(states(taken(ref, box(tmp_path, mails)))) == [(3, REFUSED)] * 2 + [(3, WAITS)] * 4


def test_T49_what_waits_of_a_game_that_nobody_has_accepted_has_less_room(friends, tmp_path, monkeypatch):
    """256 games may be proposed by anybody: with the room of games that are played that was a gigabyte."""
    monkeypatch.setattr(waiting, "MOST_PROPOSED", 6000, raising=False)
    anna, ref, stranger = friends("anna", "ref", "stranger")
    played = postal.began(anna, ref)  # so the key is known there
    ref.sign(played)
    like = messages.read(turn(ref, played, 1), "0001.yaml").content
    raw, game = postal.proposed(stranger, ref)
    first = messages.read(raw, "0000.yaml")
    key = keys.load(stranger.key)
    mails = [letter(raw)]
    for seq in range(2, 40, 2):
        content = {**like, "game": game, "seq": str(seq), "from": first.sender}
        signed = key.sign(sshsig.NAMESPACE, messages.signed_bytes(content))
        mails.append(letter(messages.mailed(content, signed, None).encode("ascii")))
    taken(ref, box(tmp_path, mails))
    waits = sum(path.stat().st_size for path in waiting.folder(ref.home).rglob("*.yaml"))
    assert 4000 < waits <= 6000


def test_T49_strangers_who_propose_take_no_room_from_games_that_are_played(friends, tmp_path, monkeypatch):
    monkeypatch.setattr(waiting, "MOST_GAMES", 2)
    anna, boris, ref, stranger = friends("anna", "boris", "ref", "stranger")
    game = long_game(anna, boris)
    looked_on(ref, anna, game)
    mails = [letter(postal.proposed(stranger, ref)[0], how=how) for how in WAYS[:3]]
    day = taken(ref, box(tmp_path, mails))
    assert sorted(states(day)) == [(0, PROPOSED), (0, PROPOSED), (0, REFUSED)]
    early = tmp_path / "early.eml"
    early.write_bytes(letter(turn(anna, game, 4)))
    assert states(taken(ref, early)) == [(4, WAITS)]
    first, second = (name for name in waiting.games(ref.home) if name != game[:16])
    os.utime(next(waiting.folder(ref.home).glob(f"{second}/0000-*")), (0, 0))
    (left,) = (one.game for one in day.games if one.outcomes[0].state == REFUSED)
    assert waiting.crowded(ref.home, left, stranger.public, set) == ""
    assert {*waiting.games(ref.home)} == {first, game[:16]}


def test_T49_proposals_of_strangers_take_no_room_from_those_of_people_who_are_known(friends, tmp_path, monkeypatch):
    """Two hundred and fifty-six of anybody kept out the next one of an opponent."""
    monkeypatch.setattr(waiting, "MOST_GAMES", 2)
    monkeypatch.setattr(waiting, "MOST_EACH", 1, raising=False)
    anna, boris, stranger = friends("anna", "boris", "stranger")
    postal.began(anna, boris)
    found = []
    for who in (stranger, stranger, stranger, anna, anna, stranger):
        path = tmp_path / "proposal.eml"
        path.write_bytes(letter(postal.proposed(who, boris)[0]))
        found += [state for _seq, state in states(taken(boris, path))]
    assert found == [PROPOSED, PROPOSED, REFUSED, PROPOSED, REFUSED, REFUSED]


def test_T49_a_proposal_that_waits_is_read_once_however_many_more_come(friends, tmp_path, monkeypatch):
    """A full house of long ones was read for each of the others: a mail of 41 KB cost half a minute."""
    monkeypatch.setattr(waiting, "MOST_GAMES", 2)
    boris, stranger = friends("boris", "stranger")
    mails = [letter(postal.proposed(stranger, boris)[0]) for _number in range(7)]
    taken(boris, box(tmp_path, mails[:2]))
    read, real = [], files.read
    monkeypatch.setattr(files, "read", lambda path, most: read.append(path) or real(path, most))
    (tmp_path / "more").mkdir()
    assert states(taken(boris, box(tmp_path / "more", mails[2:]))) == [(0, REFUSED)] * 5
    inside = [path for path in read if waiting.folder(boris.home) in path.parents]
    assert len(inside) == len({*inside}) == 2


def test_T49_proposals_of_strangers_hide_none_of_people_who_are_known(friends, tmp_path, monkeypatch):
    """Twenty are listed, in order of their ids, which a stranger can choose."""
    monkeypatch.setattr(day_of, "MOST", 1)
    monkeypatch.setattr(proposals, "_TOLD", 1)
    anna, boris, ref, stranger = friends("anna", "boris", "ref", "stranger")
    people.save(ref.home, people.known(ref.home, anna.public).put(anna.address, people.SAID, ""))
    found = [postal.proposed(who, boris, relay=ref.public) for who in (*[stranger] * 4, anna)]
    day = taken(ref, box(tmp_path, [letter(raw) for raw, _game in found]))
    assert [game.game for game in day.games] == [found[-1][1]]
    told = proposals.to_referee(ref.home, ref.public, (), lambda: {anna.public})
    assert found[-1][1][:8] in told[0]


def test_T49_whether_there_is_room_for_a_proposal_costs_one_look_into_each_that_waits(tmp_path, monkeypatch):
    """Three, for each of the thousands that one mail may hold: minutes."""
    monkeypatch.setattr(waiting, "MOST_GAMES", 5)
    for number in range(5):
        place.once(waiting.folder(tmp_path) / f"{number:016x}" / f"0000-{number:016x}.yaml", b"")
    looks = []
    names = place.names
    monkeypatch.setattr(place, "names", lambda folder: looks.append(folder) or names(folder))
    assert "5 proposals of people who are not known" in waiting.crowded(tmp_path, "a" * 64, "key", set)
    assert len(looks) == 5 + 1


def test_T49_of_many_proposals_in_a_round_some_are_told_and_the_others_counted(friends, tmp_path, monkeypatch):
    """Each was held whole until all mails were read."""
    monkeypatch.setattr(day_of, "MOST", 1)
    monkeypatch.setattr(sorting, "ROOM", 1)
    anna, boris, stranger = friends("anna", "boris", "stranger")
    postal.began(anna, boris)
    day = taken(boris, box(tmp_path, [letter(postal.proposed(stranger, boris)[0]) for _number in range(3)]))
    assert states(day) == [(0, PROPOSED)]
    assert day.done == ["and 2 more proposals came: 'kursk accept' shows one, by how its game's id begins"]


def test_T49_of_a_referees_papers_about_one_message_a_mailbox_takes_as_many_as_may_wait(friends, tmp_path, monkeypatch):
    """Each of 4000 receipts was kept in the folder of the game, and weighed with all others: a minute for 200 mails."""
    monkeypatch.setattr(waiting, "MOST", 3)
    anna, boris, ref = friends("anna", "boris", "ref")
    game = postal.began(anna, boris, relay=ref.public)
    signer, said = keys.load(ref.key), {"kursk-pbem": "1", "type": "receipt", "game": game, "from": "referee"}
    said |= {"seq": "0", "id": game, "due": "2026-09-08T00:00:00Z"}
    times = (f"2026-09-01T00:00:0{second}Z" for second in range(5))
    made = [papers.emit(papers.sign({**said, "received": time}, signer)).encode("ascii") for time in times]
    day = taken(anna, box(tmp_path, [letter(raw) for raw in made]))
    assert sorted(state for _seq, state in states(day)) == 2 * [REFUSED] + 3 * [TAKEN]
    assert len(list(anna.folder(game).glob("receipt-*"))) == 3
