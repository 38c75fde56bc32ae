"""The rules of a tournament in words, for the director before signing and for entrants and readers."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.words import plural
from kursk_pbem.report.layout import quote_text
from kursk_pbem.tournament import assistance
from kursk_pbem.tournament.rules import Rules
from kursk_pbem.trust import sshsig

_SHOWN = {"at-once": "as they come", "after-round": "after their round"}


def summarize_rules(rules: Rules) -> list[str]:
    """Return a line for each rule, with the title first. Quotation marks enclose the director's note (T29)."""
    return [*_describe_play(rules), *_describe_time(rules), *_describe_people(rules)]


def _describe_play(rules: Rules) -> Iterator[str]:
    rounds = f", {rules.rounds} rounds" if rules.rounds else ""
    mirrored = ", two games for each meeting with exchanged sides" if rules.mirror else ""
    yield f"{rules.title}: {rules.format}{rounds}{mirrored}"
    options = [", ".join(f"{name} {value}" for name, value in system.options.items()) for system in rules.systems]
    each = zip(rules.systems, options, strict=True)
    systems = [f"{system.scenario} ({said})" if said else system.scenario for system, said in each]
    yield f"systems: {', '.join(systems)}; {'the director rolls' if rules.refereed else 'the players roll'} the dice"
    if rules.pods:
        size, places, final = rules.pods["size"], rules.pods["places"], rules.pods["final"]
        yield f"pods of about {size} entrants; the best {places} entrants play the final, a {final}"
    sides = "bid for" if rules.bids else "both played" if rules.mirror else "balanced"
    yield f"sides are {sides}; an unpaired entrant {'plays a guest' if rules.guests else 'has a bye'}"
    yield f"entrants get their numbers by {'rating' if rules.by_rating else 'lots'}"


def _describe_time(rules: Rules) -> Iterator[str]:
    terms = rules.terms
    bank = f"a bank of {plural(terms.bank, 'day')} and {plural(terms.holidays, 'day')} of holidays"
    yield f"an answer is due in {plural(terms.days, 'day')}, with {bank}; a round takes {plural(terms.round, 'day')}"
    begin, answers = plural(terms.begin, "day"), plural(terms.answers, "day")
    out = f"an entrant with {plural(terms.missed, 'missed round')} may be removed"
    yield f"each game must begin within {begin}; reveals and bids are due within {answers}; {out}"
    adjourned = "; adjournment is possible" if terms.adjourn else ""
    beyond = f" (a margin beyond {terms.threshold})" if "points" in terms.ends and terms.threshold else ""
    yield f"unfinished games: {', then '.join(terms.ends)}{beyond}{adjourned}"
    cap = f" (each up to {rules.cap})" if "margin" in rules.breaks else ""
    points = ", ".join(f"{name} {'-'.join(map(str, points))}" for name, points in rules.award.items())
    yield f"points: {points}; ties: {', '.join(rules.breaks)}{cap}"


def _describe_people(rules: Rules) -> Iterator[str]:
    late = "late entries up to round {}, with {} for each round before"
    yield late.format(rules.late[0], plural(rules.late[1], "point")) if rules.late else "no late entries"
    if said := rules.paper.said(assistance.FIELD):
        yield f"help by programs in running games: {said}"
    yield f"substitutes for withdrawn players: {'yes' if rules.substitutes else 'no'}"
    alone = "no witness: the director can choose among several lots by leaving out reveals (directors.md 7)"
    yield f"witness of the lots: {sshsig.fingerprint(rules.witness)}" if rules.witness else alone
    readers = [*(["the witness"] if rules.witness else []), *(["your opponents"] if rules.bids else [])]
    if readers:
        yield f"your signed address card goes to {' and '.join(readers)}, who mail you copies of revealed secrets"
    shown = rules.publish["games"]
    yield f"games are public {_SHOWN.get(shown) or 'after turn ' + rules.publish.get('turn', '')}"
    yield from (f"assistant: {sshsig.fingerprint(key)}" for key in rules.assistants)
    if note := rules.paper.said("note"):
        yield "note:"
        yield from quote_text(note)
