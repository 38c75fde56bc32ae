"""Strangers take neither the places nor the answers of others (T49)."""

from helpers import postal
from helpers.mailbags import box, letter, states, taken
from helpers.returned import reply_to

from kursk_pbem.desk import clock
from kursk_pbem.post import people, place, waiting
from kursk_pbem.post.outcome import PROPOSED
from kursk_pbem.post.referee import ear, notes


def test_T49_questions_that_wait_in_replies_have_places_of_their_own(world, monkeypatch):
    """While a player's file was damaged, forged questions took all places before theirs came."""
    monkeypatch.setattr(ear, "_MOST_KEPT", 2)
    world.asks("STATUS")
    ((_reader, raw),) = world.words()
    path = place.root(world.ref.home) / "people" / f"{people.mark(world.anna.public)}.json"
    whole = path.read_bytes()
    path.write_bytes(b"x")
    for number in range(3):
        mail = f"From: s{number}@evil.test\r\nMessage-ID: <s{number}@evil.test>\r\n\r\nSTATUS\r\n"
        world.office.put(mail.encode(), world.ref.address)
        world.time.passes(1)
    world.asks("MAP", In_Reply_To=reply_to(raw))
    path.write_bytes(whole)
    world.office.mails.clear()
    world.director.post()
    assert [reader for reader, _raw in world.words()] == [world.anna.address]


def test_T49_questions_from_an_address_that_is_known_wait_in_places_of_their_own(world, monkeypatch):
    """While nothing could be answered, what was forged in other players' names took the place of an absence."""
    monkeypatch.setattr(ear, "_MOST_KEPT", 2)
    world.asks("HELP")
    secret = place.root(world.ref.home) / "referee" / "secret"
    whole = secret.read_bytes()
    secret.write_bytes(b"")
    for number in range(3):
        world.asks(f"RULE {number}", "anna", Message_ID=f"<f{number}@evil.test>")
    world.asks("ABSENT 2026-09-05 2026-09-07", "boris")
    secret.write_bytes(whole)
    world.director.post()
    assert world.boris.address in [reader for reader, _raw in world.words()]


def test_T49_what_was_asked_at_an_address_takes_no_answers_from_another(world):
    """Ten forged questions took those of a player who had moved meanwhile, and the absence that they wrote."""
    for number in range(notes.A_DAY):
        world.asks(f"RULE {number}", "boris", Message_ID=f"<f{number}@evil.test>")
    moved = people.known(world.ref.home, world.boris.public).put("boris2@example.test", people.SAID, "they said so")
    people.save(world.ref.home, moved)
    world.director.sits()
    world.asks("ABSENT 2026-09-05 2026-09-07", "boris2")
    assert "boris2@example.test" in [reader for reader, _raw in world.words()]


def test_T49_a_clock_that_jumps_makes_no_room_of_all_that_waits(friends, tmp_path, monkeypatch):
    """One more stranger's proposal took all others away, those of people who are known, too."""
    monkeypatch.setattr(waiting, "MOST_GAMES", 3)
    anna, boris, stranger = friends("anna", "boris", "stranger")
    postal.began(anna, boris)
    found = [postal.proposed(who, boris) for who in (anna, *[stranger] * 5)]
    taken(boris, box(tmp_path, [letter(raw) for raw, _game in found[:4]]))
    with clock.fixed("2099-01-01T00:00:00Z"):
        for raw, _game in found[4:]:
            path = tmp_path / "one.eml"
            path.write_bytes(letter(raw))
            assert states(taken(boris, path)) == [(0, PROPOSED)]
    assert len(waiting.games(boris.home)) == 4
    assert found[0][1][:16] in waiting.games(boris.home)
