"""Reports of messages and of a referee's papers. This module collects the facts of a game for ``report``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.account.lines import capitalize_first
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.events import Advanced, Event, PhaseBegan, Tested
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.words import flat, party, unit
from kursk_pbem.report import text
from kursk_pbem.report.layout import wrap
from kursk_pbem.report.lines import describe_label
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import BANK, EXTENSION, FORFEIT, HOLIDAY, PAUSE, Paper

HANDING_ON = "the referee to hand on"
HIDDEN = "Hidden, only its hash is sent:"
UNSENT_DICE = "Your opponent sees your dice with your next message."
_PARAGRAPH = re.compile(r" \([0-9][0-9a-z.-]*\)")

MOST_ROLLS = 8
"""Maximum number of dice that a line shows."""


def report_step(step: Step, *, proof: bool = False) -> str:
    """Return the report of a verified message, with the same bytes on every computer.

    ``proof``: explain the computation of every die. The first report of a game with dice always has this text.
    """
    if step.result is None:
        return report_proposal(step.after, step.message)
    return report_message(step.before, step.after, step.message, step.result, proof=proof)


def report_proposal(game: Game, message: Message) -> str:
    """Return the report of message 0: the first position."""
    heading = replace(_make_heading(game, game, message), headlines=make_headlines(game, game, message, None))
    words = game.ruleset.seen.words(game.setting)
    return text.write_report(heading, (), words, _make_standing(game, game.state), game.luck)


def _make_standing(game: Game, state: State) -> text.Standing:
    """Return the standing of a position, and who writes next."""
    writer = "" if state.stage == OVER else game.ruleset.writer(game.setting, state)
    side = game.ruleset.seen.words(game.setting).side(state.side)
    owed = "the referee's dice" if writer == REFEREE else f"{side} to write" if writer else "nothing: the game is over"
    return text.Standing(game.ruleset.seen.standing(game.setting, state), owed)


def make_headlines(before: Game, after: Game, message: Message, result: Adjudication | None) -> tuple[str, ...]:
    """Return three to eight headlines of a message, the most important first, the next writer last.

    A message without events gets a single line. ``result``: ``None`` for message 0.
    """
    told = list_events(before, after, message, result)
    idle = result is not None and not (told or after.verdict) and is_idle(result.events)
    return (f"Nothing happened. {announce_next(after)}",) if idle else complete_headlines(after, told)


def list_events(before: Game, after: Game, message: Message, result: Adjudication | None) -> tuple[str, ...]:
    """Return the headlines of a message, except the lines about the game's end and the next writer."""
    if result is None:
        return (f"A game is proposed: {after.title}",)
    said = _describe_reply(before, after, message).partition(". ")[0].removesuffix(".")
    told = before.ruleset.seen.headlines(before.setting, result.before, result.events, result.after)
    return (*filter(None, [said]), *told)


def detach_headlines(told: Sequence[str]) -> list[str]:
    """Return headlines without the words ", told below", for a page that has no report below."""
    return [line.removesuffix(", told below") for line in told]


def complete_headlines(after: Game, told: tuple[str, ...]) -> tuple[str, ...]:
    """Return headlines with one line added: the end of the game in front, or the next writer at the end."""
    if after.verdict is not None:
        return (f"The game is over. {remove_paragraph(after.verdict.text)}", *told)
    return (*told, announce_next(after))


def is_idle(events: Sequence[Event]) -> bool:
    """Return whether the events are only changes of phase."""
    return all(isinstance(event, (PhaseBegan, Advanced)) for event in events)


def remove_paragraph(verdict: str) -> str:
    """Return a verdict without its paragraph number."""
    return _PARAGRAPH.sub("", verdict)


def announce_next(game: Game) -> str:
    """Return a sentence on the next message: its writer and its content."""
    chain, words = game.chain, game.ruleset.seen.words(game.setting)
    writer = chain.writer(chain.next_seq)
    who = party(writer, "" if writer == REFEREE else words.side(writer))
    what = "the reply to the offer" if chain.offer else game.brings
    return f"Next, message {chain.next_seq} of {who}: {'to hand on' if game.hands_on else what}"


def report_message(before: Game, after: Game, message: Message, result: Adjudication, *, proof: bool = False) -> str:
    """Return the report of a received or signed message, with the same bytes on every computer."""
    standing = replace(_make_standing(after, after.state), verdict=after.verdict)
    writer = after.chain.writer(after.chain.next_seq)
    if after.hands_on:
        standing = replace(standing, owed=HANDING_ON)
    elif after.chain.offer:
        side = after.ruleset.seen.words(after.setting).side(writer)
        standing = replace(standing, owed=f"{side} to reply to the offer")
    return text.write_report(
        replace(
            _make_heading(before, after, message),
            said=_describe_reply(before, after, message),
            headlines=make_headlines(before, after, message, result),
            recipe=proof or not before.rolled,
        ),
        result.events,
        after.ruleset.seen.words(after.setting),
        standing,
        after.luck,
    )


def describe_offer(offer: Mapping[str, str]) -> str:
    """Return an offer, such as a draw, in words."""
    return f"to continue in {folders.folder_name(offer['game'])}" if "game" in offer else "a draw"


def _describe_reply(before: Game, after: Game, message: Message) -> str:
    """Return an offer or a reply as a sentence; '' for other messages."""
    names = after.ruleset.seen.words(after.setting)
    if message.sender == REFEREE:
        return f"The referee hands on to the {names.side(message.text('next'))} side." if before.hands_on else ""
    sender, other = names.side(message.sender), names.side(after.ruleset.other(message.sender))
    if message.type == "offer":
        whole = f" (id {after.chain.offer['game']})" if "game" in after.chain.offer else ""
        what = f"The {sender} side offers {describe_offer(after.chain.offer)}{whole}"
        return f"{what}. The next message of the {other} side must accept or decline, without orders."
    offered_in = message.seq - (2 if before.chain.refereed else 1)
    if message.type == "reply" and after.chain.agreed:
        return f"The {sender} side accepts the offer of message {offered_in}: {describe_offer(before.chain.offer)}."
    if message.type == "reply":
        return (
            f"The {sender} side declines the offer of message {offered_in}, {describe_offer(before.chain.offer)}. The "
            f"{other} side now makes the choices replaced by the offer."
        )
    return ""


def _make_heading(before: Game, after: Game, message: Message) -> text.Heading:
    return text.Heading(
        game=after.chain.game,
        seq=message.seq,
        kind=message.type,
        sender=message.sender,
        sender_name=str(after.chain.head["names"].get(message.sender, "")),
        title=after.title,
        turn=before.state.turn,
        head=message.id,
        note=str(message.content.get("note", "")),
        opened=str(message.content.get("open", "")),
        prev=str(message.content.get("prev", "")),
        fresh=message.seq == 1,
    )


def report_duties(game: Game, seq: int, ahead: Adjudication) -> str:
    """Return a private report for the next writer about the dice that fall before the writer's choices.

    The report shows the position in the middle of message ``seq``. It stays private until the message is sent.
    """
    ahead = replace(ahead, told=ahead.told[: ahead.duties])
    told = describe_events(game, ahead.before, ahead.events, ahead.middle)
    return _report_unsigned(game, seq, ahead, ahead.middle, told, owed=f"message {seq}, which you sign")


def report_draft(game: Game, seq: int, checked: Adjudication, note: str) -> str:
    """Return the report on a draft: the effect of its orders, and the writer's ``note``."""
    told = (*describe_dice(game, checked), *describe_orders(game, checked))
    return _report_unsigned(game, seq, checked, checked.after, told, note)


def describe_dice(game: Game, result: Adjudication) -> tuple[str, ...]:
    """Return a line ``Your dice: ...`` for each headline of the dice before any choice; () without dice."""
    return tuple(f"Your dice: {line}" for line in list_dice(game, result))


def format_dice(dice: Sequence[str]) -> str:
    """Return a text about dice that only this player has seen, and when the opponent sees them."""
    return "\n".join((*(line for told in dice for line in wrap(told, "", "  ")), UNSENT_DICE, ""))


def list_dice(game: Game, result: Adjudication) -> tuple[str, ...]:
    """Return the headlines of the dice at the beginning of a message; () without dice.

    Only the writer sees the headlines before the message is mailed.
    """
    if not result.dice:
        return ()
    return (*tell_rolls(game, result), *(list_duties(game, result) or ("no effect",)))


def list_duties(game: Game, result: Adjudication) -> list[str]:
    """Return the headlines of the events before the writer's choices."""
    return detach_headlines(describe_events(game, result.before, result.events[: result.duties], result.middle))


def tell_rolls(game: Game, result: Adjudication) -> tuple[str, ...]:
    """Return one line with a message's first dice, such as 'the dice show 6 (b1912), 3 (b2011)'; () without dice."""
    told = list_rolls(game, result)
    more = f" and {len(told) - MOST_ROLLS} more" if len(told) > MOST_ROLLS else ""
    return (f"the dice show {', '.join(told[:MOST_ROLLS])}{more}",) if told else ()


def list_rolls(game: Game, result: Adjudication, told: Collection[str] = ()) -> tuple[str, ...]:
    """Return a message's dice, such as '6 (b1912)', without the labels that are ``told`` elsewhere.

    A shot and the saves after it are one part: 'ZiS-3 (s-gun-1) at Panzer IV (g-pz-3): 4 (hit); save 3 and 5 (saved)'.
    """
    words, dice = game.ruleset.seen.words(game.setting), dict[str, list[str]]()
    tests = {event.label: event for event in result.events if isinstance(event, Tested)}
    aims = {test.subject: test.target for test in tests.values() if test.target}
    for label, each in result.dice.items():
        of, digits = label.partition("/")[0], " and ".join(each)
        if label in tests and of in aims:
            test, shot = tests[label], f"{unit(words, of)} at {unit(words, aims[of])}: "
            hurt = "" if test.subject == aims[of] else f" of {unit(words, test.subject)}"
            what = "" if test.target else f"{test.what.lower()}{hurt} "
            dice.setdefault(shot, []).append(f"{what}{digits} ({test.text})")
        elif label not in told:
            dice[label] = [f"{digits} ({of})" if words.unit(of) == of else f"{digits} for {unit(words, of)}"]
    return tuple(("" if shot in result.dice else shot) + "; ".join(rolls) for shot, rolls in dice.items())


def describe_orders(game: Game, checked: Adjudication) -> tuple[str, ...]:
    """Return a few lines about a draft's orders, without the results of the dice that come before the orders."""
    choices = checked.events[checked.duties :]
    told = describe_events(game, checked.middle, choices, checked.after)
    return told or (("Nothing is ordered",) if is_idle(choices) else ())


def describe_events(game: Game, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return headlines for events of a message that is not signed yet, including the end of the game."""
    heads = game.ruleset.seen.headlines(game.setting, before, events, after)
    verdict = game.ruleset.play.verdict(game.setting, after)
    return (f"The game is over. {remove_paragraph(verdict.text)}", *heads) if verdict else heads


def _report_unsigned(
    game: Game, seq: int, result: Adjudication, state: State, told: tuple[str, ...], note: str = "", owed: str = ""
) -> str:
    side = game.chain.writer(seq)
    heading = text.Heading(
        game=game.chain.game,
        seq=seq,
        kind="accept" if seq < game.chain.bound else "turn",
        sender=side,
        sender_name=str(game.chain.head["names"].get(side, "")),
        title=game.title,
        turn=game.state.turn,
        head="",
        note=note,
        opened="",
        prev=game.chain.head_id,
        fresh=seq == 1,
        headlines=told,
        does="does before you choose" if owed else "will do",
    )
    standing = replace(_make_standing(game, state), verdict=game.ruleset.play.verdict(game.setting, state))
    if game.chain.refereed and game.ruleset.writer(game.setting, state) != REFEREE and state.stage != OVER:
        standing = replace(standing, owed=HANDING_ON)
    return text.write_report(
        heading,
        result.events,
        game.ruleset.seen.words(game.setting),
        replace(standing, owed=owed or standing.owed),
        game.luck.add(result.events),
        draft=True,
    )


def report_hidden(game: Game, state: State, side: str, hidden: Mapping[str, Any]) -> str:
    """Return the choices that a message of ``side`` sealed, as a text for its writer only; '' without sealed choices.

    ``state``: the position after that message.
    """
    if not hidden:
        return ""
    lines = ["", HIDDEN]
    for label, value in sorted(hidden.items()):
        told = game.ruleset.seen.hidden(game.setting, state, side, label, value) or (flat(value),)
        first = "" if isinstance(value, list | tuple) else told[0]  # a list begins below its title
        lines += wrap(f"{capitalize_first(describe_label(label))}: {first}".strip(), "  ", "      ")
        lines += [line for sentence in told[bool(first) :] for line in wrap(sentence, "    ", "        ")]
    return "\n".join((*lines, ""))


def describe_paper(chain: Chain, paper: Paper) -> str:
    """Return a sentence on a paper, worded as the referee's claim."""
    side, seq, due = chain.writer(paper.seq), paper.seq, paper.text("due")
    if paper.type == FORFEIT:
        return (
            f"the referee has declared the game lost for {paper.text('side')}: message {seq + 1} was due {due} and "
            f"had not come when the referee decided, {paper.text('declared')}"
        )
    if paper.type == EXTENSION:
        why = {BANK: "out of the bank of days", HOLIDAY: "for a holiday", PAUSE: "for a pause"}[paper.text("cause")]
        return f"the referee gives {chain.writer(seq + 1)} more time {why}: message {seq + 1} is due {due}"
    owed = f"message {seq + 1} is due {due}" if due > paper.text("received") else "no answer is due"
    return f"the referee had message {seq} of {side} at {paper.text('received')}; {owed}"


def report_papers(game: Game) -> str:
    """Return a text about all papers of the referee on a game, including a forfeit."""
    lines = ["Papers of the referee, on the referee's word"]
    setting = [paper for paper in game.papers.all if paper.type != FORFEIT]
    by_term = sorted(setting, key=lambda paper: (paper.seq, paper.text("due"), paper.id))
    for paper in (*by_term, *([game.papers.forfeit] if game.papers.forfeit else [])):
        lines += wrap(describe_paper(game.chain, paper), "  ", "      ")
    if game.papers.forfeit is not None and game.verdict is not None:
        lines += wrap(f"THE GAME IS OVER. {game.verdict.text}", "", "    ")
    return "\n".join((*lines, ""))
