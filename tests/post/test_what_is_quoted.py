"""What an opponent writes so that it stands in every answer: it hides no turn, and ends no game by itself (T48)."""

from email.message import EmailMessage

import pytest
from helpers.mailbags import letter, turn
from helpers.refereed_mail import ahead_of_referee, ends_by_itself, held_back, hours, played_on, taken

from kursk_pbem.post.outcome import REFUSED, UNKNOWN
from kursk_pbem.trust import keys, messages, sshsig
from kursk_pbem.trust.mailtext import TURN

SCRAP = "kursk-pbem: '1'\n-----END SSH SIGNATURE-----\n"


def crowd(world):
    """Turns by a key of nobody that seem to be the one that is owed, by words of a note."""
    key = keys.from_seed(b"m" * 32)
    for number in range(13):
        claim = f"game: {world.game}\nseq: 3\nfrom: violet\ntype: turn\n{number}\n"
        content = {**messages.read(turn(world.boris, world.game, 1), "").content, "seq": "9", "note": claim}
        text = messages.mailed(content, key.sign(sshsig.NAMESPACE, messages.signed_bytes(content)), None)
        first, *lines = text.splitlines()
        at = next(at for at, line in enumerate(lines) if line.startswith("note:"))
        end = next(end for end in range(at + 1, len(lines)) if lines[end][:1] != " ")
        note = [f"  {line}" for line in claim.splitlines()]
        yield "\n".join([first, "note: |", *note, *lines[:at], *lines[end:], ""])


def old(world):
    """Messages that the player signed, with a position in front, which nobody signs, that says otherwise."""
    key = keys.load(world.boris.key)
    for number in range(20, 33):
        content = {**messages.read(turn(world.boris, world.game, 1), "").content, "seq": str(number)}
        text = messages.mailed(content, key.sign(sshsig.NAMESPACE, messages.signed_bytes(content)), None)
        first, rest = text.split("\n", 1)
        yield f"{first}\nstate:\n  agenda:\n    game: {world.game}\n    seq: '3'\n    from: violet\n{rest}"


def answer(world, quoted, attached, pasted=""):
    """A mail of the player who owes the turn, whose program quotes what it answers, as a page that hides some of it."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = world.boris.address, world.ref.address, "Re: my turn"
    made["Message-ID"] = "<own1@example.test>"
    made.set_content("Here is mine.\n")
    shown = pasted.replace("'", "&#39;").replace("\n", "<br>\n")
    made.add_alternative(f'<p>Mine:</p>{shown}<pre style="display:none">\n{quoted}</pre>', subtype="html")
    if attached:
        made.add_attachment(attached, maintype="application", subtype="octet-stream", filename="turn.yaml")
    world.office.put(made.as_bytes(), world.ref.address)
    return world.director.post()


@pytest.mark.parametrize(
    "what", [lambda _world: [SCRAP] * 400, crowd, old], ids=["scraps", "another's key", "old ones"]
)
def test_T48_what_is_quoted_hides_no_turn_that_is_attached(owed, what):
    assert taken(answer(owed, "".join(what(owed)), turn(owed.boris, owed.game, 3))) == [3]


@pytest.mark.parametrize("quoted", [b"", b"-----END SSH SIGNATURE-----\n" * 21_000], ids=["a turn", "too much"])
def test_T48_a_turn_that_is_cut_off_is_told_beside_one_that_is_quoted(owed, quoted):
    whole = turn(owed.boris, owed.game, 3)
    there = turn(owed.anna, owed.game, 2).decode() + (quoted + TURN).decode()
    day = answer(owed, there, whole[: whole.index(b"-----END") - 40])
    assert taken(day) == []
    assert "the mail from 'boris@example.test'" in str(day.faults[0])
    assert not ends_by_itself(owed)
    assert "a mail was read that is damaged" in str(owed.director.errand.chair.pending())


@pytest.mark.parametrize("what", [crowd, old], ids=["another's key", "an old one"])
def test_T48_a_turn_that_was_changed_is_told_beside_one_that_is_quoted_and_seems_to_be_it(owed, what):
    changed = turn(owed.boris, owed.game, 3).replace(b"policy:", b"note: a\npolicy:")
    day = answer(owed, next(what(owed)), changed)
    there = (outcome for outcome in day.games[0].outcomes if outcome.piece.turn.seq == 3)
    assert "is not what was signed" in str([outcome.error for outcome in there])
    assert not ends_by_itself(owed)


WHAT = {
    "taken away": lambda _own: ("kursk-%s-0003.yaml", b"This attachment was removed.\n"),
    "packed": lambda _own: ("turn.zip", b"PK"),
    "changed in its first line": lambda own: ("a.txt", own.replace(b"'1'", "\u20181\u2019".encode())),
    "of another number": lambda own: ("a.yaml", own.replace(b"seq: '3'", b"seq: '8'")),
    "of another game": lambda own: ("a.yaml", own.replace(b"game: ", b"game: '").replace(b"\nseq:", b"0'\nseq:")),
    "without its game": lambda own: ("a.yaml", b"".join(own.splitlines(True)[:2] + own.splitlines(True)[3:])),
}


@pytest.mark.parametrize("quoted", [False, True], ids=["alone", "above"])
@pytest.mark.parametrize("what", WHAT.values(), ids=WHAT)
def test_T48_a_turn_that_is_not_opened_is_told_beside_one_that_is_quoted(owed, what, quoted):
    """A quoted turn could be read, so nothing was missed, nobody was told, and the game ended."""
    name, held = what(turn(owed.boris, owed.game, 3))
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = owed.boris.address, owed.ref.address, f"Re: [kursk {owed.game[:8]}] x"
    made.set_content("Mine.\n\n" + quoted * turn(owed.anna, owed.game, 2).decode())
    kind = ("text", "plain") if name.endswith(".txt") else ("application", "octet-stream")
    made.add_attachment(
        held, *kind, filename=name.replace("%s", owed.game[:8]), cte="8bit" if kind[0] == "text" else None
    )
    owed.office.put(made.as_bytes(), owed.ref.address)
    day = owed.director.post()
    assert day.faults or any(outcome.state in (REFUSED, UNKNOWN) for game in day.games for outcome in game.outcomes)
    assert not ends_by_itself(owed)


def test_T48_a_turn_that_is_not_opened_is_told_beside_one_that_waits_already(owed):
    """What waited already counted as new each time that it came again, and the game ended."""
    content = {**messages.read(turn(owed.boris, owed.game, 3), "").content, "seq": "5"}
    early = messages.mailed(
        content, keys.load(owed.boris.key).sign(sshsig.NAMESPACE, messages.signed_bytes(content)), None
    )
    owed.office.put(letter(early.encode(), owed.boris.address), owed.ref.address)
    owed.director.post()
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = owed.boris.address, owed.ref.address, f"Re: [kursk {owed.game[:8]}] x"
    made.set_content(early)
    made.add_attachment(b"PK", "application", "zip", filename="turn.zip")
    owed.office.put(made.as_bytes(), owed.ref.address)
    assert len(owed.director.post().faults) == 1
    assert not ends_by_itself(owed)


def test_T48_a_turn_that_is_not_opened_is_told_beside_one_that_is_quoted_and_new(automatic):
    """A player answered a turn that the referee had not got yet: the mail had brought something new."""
    world = automatic
    played_on(world)
    ahead_of_referee(world)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.post()
    world.boris.sign(world.game)
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = (
        world.boris.address,
        world.ref.address,
        f"Re: [kursk {world.game[:8]}] x",
    )
    made.set_content("Mine.\n\n" + turn(world.anna, world.game, 4).decode())
    made.add_attachment(b"PK", "application", "zip", filename="turn.zip")
    world.office.put(made.as_bytes(), world.ref.address)
    day = world.director.post()
    assert (taken(day), len(day.faults)) == ([4], 1)
    assert not ends_by_itself(world)


@pytest.mark.parametrize("lost", ["seq:", "policy:", "signature:", "-----END"])
@pytest.mark.parametrize("mark", ["", "> "])
def test_T48_a_turn_that_lost_its_end_above_one_that_is_quoted_is_told(owed, lost, mark):
    """Both ended with the signature of the other, which fits that one: nobody was told, and the game ended."""
    own = turn(owed.boris, owed.game, 3).decode().partition(lost)[0]
    other = [f"{mark}{line}" for line in turn(owed.anna, owed.game, 2).decode().splitlines()]
    text = "\n".join([own, "", "You wrote:", *other, ""])
    owed.office.put(letter(text.encode(), owed.boris.address, how="quoted-printable"), owed.ref.address)
    assert "is cut off" in str(owed.director.post().faults[0])
    assert not ends_by_itself(owed)


def test_T48_a_turn_in_a_page_is_seen_beside_one_that_is_quoted(owed):
    there = turn(owed.anna, owed.game, 2).decode()
    assert taken(answer(owed, there, b"", pasted=turn(owed.boris, owed.game, 3).decode())) == [3]


@pytest.mark.parametrize(
    "quoted", [b"", b"".join(b"kursk-%08x\n" % k for k in range(600)), b"kursk-pbem: '1'\ngame: x\n" * 30]
)
def test_a_damaged_attachment_that_names_the_game_holds_it_back(automatic, quoted):
    """Whatever else an opponent lets stand in its quotation."""
    world = automatic
    played_on(world)
    hours(world, 6 * 24, step=6)
    world.boris.sign(world.game)
    raw = turn(world.boris, world.game, 3)
    mail = letter(raw[: raw.index(b"-----END")], "new@x.example").replace(b"turn.yaml", b"a.yaml")
    mail = mail.replace(b"see below.\n", b"see below.\n\n" + quoted)
    world.office.put(mail, world.ref.address)
    hours(world, 3 * 24, step=6)
    assert held_back(world)
