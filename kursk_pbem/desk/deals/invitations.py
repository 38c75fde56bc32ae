"""Open invitations at this desk: written, answered, and picked for a proposal (docs/formats.md 5.6).

The private folder keeps own invitations, the answers to these until an answer is picked, and invitations that the
player has answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.ground import clock, jsonfiles, machine
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders, pins, scenarios
from kursk_pbem.kernel.ruleset import PLAYERS
from kursk_pbem.kernel.words import party
from kursk_pbem.rulesets import ruleset as find_ruleset
from kursk_pbem.trust import invitation, keys, link, reader, sshsig
from kursk_pbem.trust.invitation import ANSWER, EITHER, INVITATION, MAX_DAYS, Invitation

FOLDER, PICKED = "invitations", "picked"
"""The folder of invitations, and the first part of a picked answer's file name. A picked answer may arrive again."""
ANSWERED = "answered"
"""The folder, inside FOLDER, with other people's invitations that the player has answered."""
MAX_ANSWERS = 200
"""Maximum number of saved answers to an invitation, because any stranger can answer."""


@frozen
class Answered:
    """An invitation (``asked``) with the player's ``answer``, or with the id of the game that the player proposed."""

    asked: Invitation
    answer: Invitation | None = None
    game: str = ""


def write_invitation(
    home: Path, key: Path, scenario: str, options: Mapping[str, str], said: Mapping[str, str], days: int = MAX_DAYS
) -> Invitation:
    """Sign and save an invitation. ``said``: the inviter's name, side, note, perhaps a referee. Raises KurskError."""
    ruleset, loaded = find_ruleset(scenario.partition("/")[0]), scenarios.load(scenario)
    side, now = said.get("side") or EITHER, clock.now()
    if side not in (EITHER, *ruleset.sides):
        raise UsageError(f"{loaded.title} has no side {show(side)}: invite as {', '.join((*ruleset.sides, EITHER))}")
    begin.check_sendable_texts(said.values())
    fields = begin.make_pinned_fields(ruleset, loaded, {}, {}, options)
    content = {name: fields[name] for name in ("ruleset", "scenario", "options")} | {"name": said.get("name", "")}
    content |= {"type": INVITATION, "time": now, "until": times.add_days(now, days), "dice-from": PLAYERS, "side": side}
    content |= {name: said[name] for name in ("referee", "note") if said.get(name)}
    made = invitation.sign_invitation(content, keys.load_key(key))
    _save(locate(home, made), made)
    return made


def locate(home: Path, own: Invitation) -> Path:
    """Return the path of the file of an invitation by this player."""
    return home / FOLDER / f"{own.id[:16]}.yaml"


def find_side(paper: Invitation) -> str:
    """Return the inviter's side; if the invitation leaves it open, the side that must propose. Raises KurskError."""
    proposer = begin.find_proposer(paper.content["scenario"]["id"], paper.content["options"])
    return proposer if paper.text("side") == EITHER else paper.text("side")


def needs_proposal(paper: Invitation) -> bool:
    """Return whether the reader must answer the invitation with a proposal. Raises KurskError."""
    if paper.type == ANSWER:
        return False
    return find_side(paper) != begin.find_proposer(paper.content["scenario"]["id"], paper.content["options"])


def write_answer(home: Path, paper: Invitation, key: Path, name: str, note: str = "") -> Invitation:
    """Sign and save an answer to an invitation. Raises KurskError."""
    signer = keys.load_key(key)
    check_open(paper, signer.public)
    begin.check_sendable_texts([name, note])
    content = {"type": ANSWER, "name": name, "time": clock.now(), "invitation": paper.id}
    content |= {"note": note} if note else {}
    made = invitation.sign_invitation(content, signer)
    _note_answered(home, paper, answer=made.emit())
    return made


def check_open(paper: Invitation, own: str = "") -> None:
    """Raise UsageError if an invitation cannot be answered now. ``own``: the key of the person who wants to answer."""
    if paper.type != INVITATION:
        raise UsageError("this is an answer to an invitation, not an invitation: read it with 'kursk inbox'")
    if own == paper.text("key"):
        raise UsageError("this is your own invitation; 'kursk invite' lists the answers")
    _need_time(paper, clock.now())


def propose_back(home: Path, asked: Invitation, key: Path, name: str, parent: Path) -> Desk:
    """Answer an invitation by proposing the game, if the reader's side must propose. Raises KurskError."""
    check_open(asked, keys.load_key(key).public)
    desk = _propose(home, asked, asked.text("key"), (name, asked.text("name")), key, parent)
    _note_answered(home, asked, game=desk.game.chain.game)
    return desk


def _note_answered(home: Path, asked: Invitation, **what: str) -> None:
    path = home / FOLDER / ANSWERED / f"{asked.id[:16]}.json"
    disk.make_private(path.parent)
    jsonfiles.write_object(path, {"invitation": asked.emit(), **what})


def list_answered(home: Path) -> list[Answered]:
    """Return the invitations that the player has answered, the newest first. Raises KurskError."""
    found = [jsonfiles.read_object(path) for path in (home / FOLDER / ANSWERED).glob("*.json")]
    papers = [
        Answered(_parse(one["invitation"]), _parse(one["answer"]) if one.get("answer") else None, one.get("game", ""))
        for one in found
    ]
    return sorted(papers, key=lambda one: (one.asked.text("time"), one.asked.id), reverse=True)


def _parse(text: Any) -> Invitation:
    return invitation.read_invitation(str(text).encode("ascii", "replace"), "the invitation")


def read_single(raw: bytes, name: str) -> Invitation:
    """Return the only invitation, or answer to an invitation, in a file, mail or link. Raises KurskError."""
    reading = reader.read_thing(raw, name)
    if not reading.anything:
        raise reading.reasons[0]
    if len(reading.invitations) != 1:
        count = len(reading.invitations)
        raise UsageError(f"{name} contains {count} invitations and answers; give a file or link that contains only one")
    return reading.invitations[0]


def take(home: Path, paper: Invitation) -> list[str]:
    """Return lines that describe an invitation or an answer. Save the answer if the player wrote the invitation."""
    if paper.type == INVITATION:
        return describe(paper)
    asked = find_asked(home, paper)
    if asked is None:
        return ["an answer to an invitation that is not here: only the writer of the invitation takes the answer"]
    if paper.text("key") == asked.text("key"):
        raise UsageError("your own key signed this answer, but a game needs two players")
    _need_time(asked, paper.text("time"))
    if is_picked(home, asked, paper):
        return [f"{describe_answer(paper)}: you have picked this answer, or a later one, and proposed the game"]
    if len(list((home / FOLDER).glob(f"{asked.id[:16]}-*.yaml"))) >= MAX_ANSWERS:
        raise UsageError(f"the invitation has {MAX_ANSWERS} answers, the maximum: pick one, or write a new invitation")
    _save(home / FOLDER / f"{asked.id[:16]}-{paper.id[:16]}.yaml", paper)
    how = f"'kursk invite --pick {paper.id[:8]}'" if machine.get_machine().programs else "the page of your invitation"
    return [f"{describe_answer(paper)}: {how} proposes the game"]


def has_ended(asked: Invitation) -> bool:
    """Return whether the last day of an invitation is over."""
    return asked.text("until") < clock.now()


def find_asked(home: Path, paper: Invitation) -> Invitation | None:
    """Return an invitation unchanged. For an answer, return the player's invitation that was answered, or None."""
    if paper.type == INVITATION:
        return paper
    return next((own for own in list_own(home) if own.id == paper.text("invitation")), None)


def find_state(home: Path, paper: Invitation, own: Iterable[str]) -> tuple[Invitation | None, str]:
    """Return the invitation of a paper, and why the player cannot answer (or pick) the paper; '' if no reason.

    ``own``: the player's keys. Reasons: 'own' (signed by the player), 'done' (answered or picked before), 'ended'.
    """
    asked = find_asked(home, paper)
    if asked is None or paper.text("key") in own:
        return asked, "own"
    if paper is asked and any(one.asked.id == asked.id for one in list_answered(home)):
        return asked, "done"
    if paper is not asked and is_picked(home, asked, paper):
        return asked, "done"
    late = not asked.text("time") <= paper.text("time") <= asked.text("until")
    return asked, "ended" if late or has_ended(asked) else ""


def list_picked(home: Path, own: Invitation) -> list[Invitation]:
    """Return the answers to the player's invitation that the player has picked. Raises KurskError."""
    return [_load(path) for path in sorted((home / FOLDER).glob(f"{PICKED}-{own.id[:16]}-*.yaml"))]


def is_picked(home: Path, own: Invitation, answer: Invitation) -> bool:
    """Return whether the player picked this answer, or a later answer signed with the same key. Raises KurskError."""
    picked = [one for one in list_picked(home, own) if one.text("key") == answer.text("key")]
    return any(one.text("time") >= answer.text("time") for one in picked)


def drop_answer(home: Path, answer: Invitation) -> None:
    """Delete an answer that waits for the player's decision."""
    for path in (home / FOLDER).glob(f"*-{answer.id[:16]}.yaml"):
        path.unlink()


def describe(paper: Invitation) -> list[str]:
    """Return lines that describe an invitation, with the inviter's name and key fingerprint. Raises KurskError."""
    scenario, options = paper.content["scenario"], paper.content["options"]
    system = pins.find_rules(paper.content["ruleset"]).title
    title = scenarios.load(scenario["id"], scenario["sha256"], "The inviter").title
    side = paper.text("side")
    whose = "takes the side that proposes" if side == EITHER else f"plays {party(side)}"
    lines = [f"An open invitation to {system}: {title}, until {times.tell(paper.text('until'))}: it binds nobody"]
    lines.append(f"  from {_describe_writer(paper)}; the inviter {whose}")
    lines += [f"  options: {', '.join(f'{key}={value}' for key, value in options.items())}"] if options else []
    if "referee" in paper.content:
        lines.append(f"  the referee has the key {sshsig.fingerprint(paper.text('referee'))}")
    return lines + _describe_note(paper)


def describe_answer(paper: Invitation) -> str:
    """Return a line that describes an answer."""
    return " ".join((f"an answer from {_describe_writer(paper)}", *map(str.strip, _describe_note(paper))))


def _describe_writer(paper: Invitation) -> str:
    return f"{show(paper.text('name') or 'a player')} (a claim), key {paper.fingerprint}"


def _describe_note(paper: Invitation) -> list[str]:
    return [f"  note: {show(paper.text('note'))}"] if "note" in paper.content else []


def list_own(home: Path) -> list[Invitation]:
    """Return the invitations by this player, the newest first. Raises KurskError."""
    found = [path for path in (home / FOLDER).glob("*.yaml") if "-" not in path.name]
    return sorted((_load(path) for path in found), key=lambda one: (one.text("time"), one.id), reverse=True)


def list_answers(home: Path, own: Invitation) -> list[Invitation]:
    """Return an invitation's answers that the player has not picked: for each key the newest. Raises KurskError."""
    papers = map(_load, (home / FOLDER).glob(f"{own.id[:16]}-*.yaml"))
    return list({one.text("key"): one for one in sorted(papers, key=lambda one: (one.text("time"), one.id))}.values())


def propose_to(home: Path, name: str, key: Path, parent: Path) -> Desk:
    """Propose the game of an invitation to the person who wrote an answer. Raises KurskError."""
    there = [(own, one) for own in list_own(home) for one in list_answers(home, own) if one.id.startswith(name)]
    if len(there) != 1:
        raise UsageError(f"{len(there)} answers have an id beginning with {show(name)}; 'kursk invite' lists the ids")
    ((own, answer),) = there
    _need_time(own, clock.now())
    if needs_proposal(own):
        raise UsageError("your side does not propose in this scenario: wait for the other player's proposal")
    if keys.load_key(key).public != own.text("key"):
        raise UsageError(f"you signed the invitation with the key {own.fingerprint}: give this key with --key")
    desk = _propose(home, own, answer.text("key"), (own.text("name"), answer.text("name")), key, parent)
    _save(home / FOLDER / f"{PICKED}-{own.id[:16]}-{answer.id[:16]}.yaml", answer)
    for path in (home / FOLDER).glob(f"{own.id[:16]}-*.yaml"):
        if _load(path).text("key") == answer.text("key"):
            path.unlink()
    return desk


def _propose(home: Path, asked: Invitation, opponent: str, names: tuple[str, str], key: Path, parent: Path) -> Desk:
    """Propose the game of an invitation; ``names``: of the proposer and of the other player. Raises KurskError."""
    scenario, rules, options = (asked.content[field] for field in ("scenario", "ruleset", "options"))
    ruleset = find_ruleset(rules["id"])
    if rules != pins.pin_ruleset(ruleset.id, str(ruleset.version)):
        raise UsageError("the invitation has another version of the rules than this program: write a new invitation")
    side = begin.find_proposer(scenario["id"], options)
    said = {who: word for who, word in zip((side, ruleset.other(side)), names, strict=True) if word}
    referee, sha256 = asked.content.get("referee", ""), scenario["sha256"]
    proposal = begin.Proposal(scenario["id"], side, opponent, said, options, referee, sha256=sha256)
    return begin.propose_game(proposal, key, parent, home)


def make_link(home: Path, paper: Invitation, page: str = "") -> str:
    """Return an invitation or an answer as a link. ``page``: the address of the page; '' for the remembered page."""
    return link.make_link([paper.emit().encode("ascii")], page or remembered.recall(home).page)


def _need_time(own: Invitation, time: str) -> None:
    """Raise UsageError if a time is before or after an invitation."""
    if not own.text("time") <= time <= own.text("until"):
        when = f"from {times.tell(own.text('time'))} to {times.tell(own.text('until'))}"
        raise UsageError(f"the invitation is open only {when}: ask for a new invitation")


def _load(path: Path) -> Invitation:
    return invitation.read_invitation(folders.read_bytes(path), str(path))


def _save(path: Path, paper: Invitation) -> None:
    disk.make_private(path.parent)
    jsonfiles.write_private(path, paper.emit().encode("ascii"))
