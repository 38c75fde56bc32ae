"""Answers to commands by mail, in words. Answers tell only facts already mailed, and never quote the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from kursk_pbem.desk.games import views
from kursk_pbem.desk.games.views import Subject
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import KurskError, OwnWordsError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import reports, scenario_files
from kursk_pbem.kernel.words import party
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.mailbox.letter import Item
from kursk_pbem.post.referee import absences
from kursk_pbem.post.referee.requests import Request
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.tournaments import directing
from kursk_pbem.report.layout import wrap
from kursk_pbem.rulebook import paragraphs, rulings

File: TypeAlias = tuple[str, bytes]
"""Name and content of an attachment."""
Answer: TypeAlias = tuple[list[str], tuple[File, ...]]
_MOST = 12
"""Maximum paragraphs printed in full."""
HELP = """\
Write one command a line at the beginning of a mail, up to five:

  STATUS [GAME]          who owes what until when, in your games
  REPORT [GAME] [NUMBER] the report of a message, or of the newest
  MAP [GAME] [PLACE]     the position as a picture, or a part of it
  RULE [RULESET] NUMBER  what a paragraph or ruling says
  ABSENT [GAME] DAY DAY  tell the director that you will be away,
                         such as ABSENT 2026-12-24 2027-01-02
  HELP                   this

Ten letters with answers go to an address on one day.

GAME is the beginning of its number, as in the subject of each letter.
Orders are never taken from words: mail the signed file of your turn.
"""


@frozen
class Asker:
    """The person who mails commands: games of all players with this mail address, and the marks of their keys."""

    home: Path
    seats: Sequence[GameMail]
    open: Callable[[GameMail], Desk]
    marks: frozenset[str]

    def answer(self, request: Request) -> Answer:
        """Return the answer to a mailed command: lines and attachments. An answer can be the reason for a refusal."""
        ways: dict[str, Callable[[list[str]], Answer]] = {"STATUS": self._answer_status, "REPORT": self._answer_report}
        ways |= {"MAP": self._answer_map, "RULE": self._answer_rule, "ABSENT": self._answer_absent}
        ways["HELP"] = lambda _words: (HELP.rstrip("\n").split("\n"), ())
        try:
            return ways[request.name](list(request.words))
        except OwnWordsError as error:
            return _wrap_text(f"{request.name}: {error.message}"), ()
        except KurskError:  # the error may quote the question, perhaps forged
            why = "the command or game is unknown, or misspelled. HELP says how to ask."
            return _wrap_text(f"{request.name}: {why}"), ()

    def _open_desk(self, seat: GameMail) -> Desk:
        """Return the desk of a game. Raises OwnWordsError if it cannot be opened; the text omits the reason (T57)."""
        try:
            return self.open(seat)
        except (KurskError, OSError):
            raise OwnWordsError(f"game {seat.game[:8]} cannot be opened here now: write to the director") from None

    def _find_game(self, words: Sequence[str]) -> tuple[GameMail, list[str]]:
        """Return the named game, and the words after its name. Raises OwnWordsError."""
        digits = words[0].lower() if words else ""
        named = [seat for seat in self.seats if len(digits) >= 4 and seat.game.startswith(digits)]
        if len(named) == 1:
            return named[0], list(words[1:])
        if len(self.seats) == 1:
            return self.seats[0], list(words)
        listed = ", ".join(seat.game[:8] for seat in self.seats)
        raise OwnWordsError(f"name the game by its first digits: {listed}")

    def _answer_status(self, words: list[str]) -> Answer:
        lines: list[str] = []
        for seat in [self._find_game(words)[0]] if words else self.seats:
            try:
                lines += self._describe_state(self._open_desk(seat), seat)
            except UsageError as error:  # a damaged game must not hide the other games
                lines += _wrap_text(error.message)
        return lines, ()

    def _describe_state(self, desk: Desk, seat: GameMail) -> list[str]:
        """Return the state of a game, equal for both players."""
        game, title = desk.game, f"{desk.game.title}, game {seat.game[:8]}"
        if game.over:
            return [title, *_wrap_text(game.verdict.text if game.verdict else "the game is over", "  ")]
        side = game.chain.writer(desk.seq)
        who = party(side, "" if side == REFEREE else game.ruleset.seen.words(game.setting).side(side))
        due = directing.find_deadline(self.home, game)
        term = f", due {clock.display_deadline(due)}" if due else ""
        return [title, *_wrap_text(f"message {desk.seq} of {who} is awaited{term}", "  ")]

    def _answer_report(self, words: list[str]) -> Answer:
        seat, left = self._find_game(words)
        desk = self._open_desk(seat)
        newest = seq = _newest_mailed(desk, seat)
        if left:
            if not (left[0].isascii() and left[0].isdigit() and len(left[0]) <= 4 and int(left[0]) <= newest):
                raise OwnWordsError(f"name a message by its number; the newest is {newest}")
            seq = int(left[0])
        why = (
            "The signed message is attached with the game before it, in case mails were lost; 'kursk inbox' accepts it."
        )
        told = reports.report_step(desk.history.steps[seq]).rstrip("\n").split("\n")
        title = f"{desk.game.title}, game {seat.game[:8]}"  # a report begins like a command for the report
        return [title, "", *told, "", *_wrap_text(why)], attach_files(desk, seat, seq)

    def _answer_map(self, words: list[str]) -> Answer:
        seat, left = self._find_game(words)
        desk = self._open_desk(seat)
        game = desk.history.steps[_newest_mailed(desk, seat)].after
        drawn = views.draw_view(Subject(game.ruleset, game.setting, game.state), (), "", " ".join(left) or None, None)
        name = f"kursk-{seat.game[:8]}-map.svg"
        told = [f"The position of game {seat.game[:8]} is attached: {name}, for a browser."]
        return told, ((name, drawn.encode("utf-8")),)

    def _answer_rule(self, words: list[str]) -> Answer:
        if not words:
            raise OwnWordsError("name a paragraph or a ruling")
        heads = [seat.known.head.get("ruleset") for seat in self.seats]
        played = {str(head.get("id")) for head in heads if isinstance(head, Mapping)}
        rid, wanted = paragraphs.find_system(words, played, scenario_files.list_ids)
        lines: list[str] = []
        if (ruling := rulings.load(rid).get(wanted.upper())) is not None:
            lines += [*_wrap_text(f"[{ruling.id}] {ruling.title}"), *_wrap_text(ruling.text.replace("**", ""), "  ")]
        for paragraph in (paragraphs.list_paragraphs(rid, wanted) if wanted and not lines else [])[:_MOST]:
            lines += [*_wrap_text(f"[{paragraph.id}] {paragraph.title}"), *_wrap_text(paragraph.text, "  ")]
        if not lines:
            entries = paragraphs.search(rid, wanted) if wanted else paragraphs.list_paragraphs(rid)
            lines = ["Similar paragraphs:", *(f"  {entry.id}  {entry.title}" for entry in entries[: 5 * _MOST])]
        return lines, ()

    def _answer_absent(self, words: list[str]) -> Answer:
        if len(words) not in (2, 3):
            raise OwnWordsError(absences.EXAMPLE)
        there = [self._find_game(words)[0]] if len(words) == 3 else self.seats
        if not (going := [seat for seat in there if seat.known.writer]):
            raise OwnWordsError("no message is due: the game is over")
        for seat in going:
            marks = self.marks & {people.mark_of(key) for key in seat.keys.values()}
            absences.save_absence(self.home, seat.game, marks, *words[-2:])
        named = ", ".join(seat.game[:8] for seat in going)
        told = f"The director will read that you are away from {words[-2]} to {words[-1]}, in {named}. "
        rest = "Only the director changes your deadlines. In a tournament, sign 'kursk tournament absent' too."
        return _wrap_text(told + rest), ()


def attach_files(desk: Desk, seat: GameMail, seq: int) -> tuple[File, ...]:
    """Return message ``seq`` and the referee's papers about this message, as files to attach. Raises KurskError."""
    message, held = Item(letters.MESSAGE, seq, desk.game.chain.ids[seq]), desk.game.papers
    signed = (held.receipts.get(seq), *held.extensions(seq), held.forfeit)
    papers = (Item(paper.type, seq, paper.id) for paper in signed if paper is not None and paper.seq == seq)
    return tuple((item.file(seat.game), seat.attachment(item)) for item in (message, *papers))


def _newest_mailed(desk: Desk, seat: GameMail) -> int:
    """Return the newest message known to both players, without a message waiting for the referee's dice."""
    return seat.newest_of(REFEREE) if seat.rolled and desk.mine else desk.seq - 1


def _wrap_text(text: str, first: str = "") -> list[str]:
    return wrap(" ".join(text.split()), first, first or "  ", 70)
