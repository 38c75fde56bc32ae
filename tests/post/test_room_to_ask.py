"""Whoever forges questions takes neither places nor answers of others (T49)."""

from helpers.returned import reply_to

from kursk_pbem.post import people, place
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
    moved = people.load(world.ref.home, world.boris.public).put("boris2@example.test", people.SAID, "they said so")
    people.save(world.ref.home, moved)
    world.director.sits()
    world.asks("ABSENT 2026-09-05 2026-09-07", "boris2")
    assert "boris2@example.test" in [reader for reader, _raw in world.words()]
