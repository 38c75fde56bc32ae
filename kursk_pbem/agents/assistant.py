"""The tools of an assistant, as plain data. A program reads the docstrings of the tools.

No tool takes a path, a key or an address, and a game is named by the digits of its id.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from kursk_pbem.agents.foreign import Labels, finish_result, make_labels
from kursk_pbem.desk.draft import drafts, leftovers, ordering, prospects, wording
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.draft.wording import NOTE, DraftFile
from kursk_pbem.desk.games import views
from kursk_pbem.desk.own import desks, lookup, register
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.own.register import Known
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError, Violation
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import chapters, folders, reports, scenarios
from kursk_pbem.game.histories import Step
from kursk_pbem.practice import hints
from kursk_pbem.report import odds as of_odds
from kursk_pbem.report import textmap
from kursk_pbem.rulebook import paragraphs, rulings
from kursk_pbem.tournament import assistance
from kursk_pbem.trust import keys

NO_SIGN = "the program may not sign in the game: the owner reads and signs with the command or at the board"
BINDS = "message {} accepts the game or binds the writer: the owner signs with the command or at the board"
OTHER = "the draft has another digest: call 'check' again, and sign the new digest"
HELPED = "A program helped with this message."
"""The line in the signed note, if the tournament wants the help told."""
_ID = re.compile("[0-9a-f]{8,64}")


@frozen
class Assistant:
    """The tools for the games in a private folder. ``may_sign``: the id of the game in which it may sign, or ''."""

    home: Path
    may_sign: str = ""

    def list_games(self) -> dict[str, Any]:
        """List the player's games with their ids. 'waits': whether the player must write the game's next message."""
        return {"games": [_tell_game(known) for known in self._list_games()]}

    def show_position(self, game: str, around: str = "") -> dict[str, Any]:
        """Return map and position after the draft's orders. 'around': a unit or hex; the map shows only this area."""
        desk, labels = self._open_game(game)
        seen = views.view_game(lookup.find_own_draft(desk.folder, self.home), self.home)
        shapes = seen.picture(mailed=False)
        text = textmap.render_map(shapes, around=around or None, page=textmap.Page(0, colour=False))
        notes = [*filter(None, (seen.left_out, seen.unshown())), *shapes.notes()]
        told = {"game": desk.game.chain.game[:16], "message": str(desk.seq), "side": desk.own_side, "map": text}
        more = {"writes": desk.mine, "over": desk.game.over, "brings": desk.game.brings, "notes": notes}
        return finish_result({**told, **more, "position": seen.state.to_plain()}, labels)

    def list_orders(self, game: str, word: str = "", choice: str = "") -> dict[str, Any]:
        """List the orders in the draft, and the words that can begin an order.

        'word': return instead the parts of this order. 'choice': the parts typed after 'word'; return only the later
        parts.
        """
        desk, labels = self._open_game(game)
        sheet = hints.open_sheet(desk)
        told: dict[str, Any] = {"message": str(desk.seq), "orders": [words for _path, words in sheet.orders]}
        if word:
            told["form"] = ordering.describe_form(sheet, word, labels.restore(choice).split())
        else:
            ask = wording.make_order_context(sheet, sheet.choices)
            able = [verb for verb in sheet.verbs if wording.is_possible(sheet, verb)]
            told["words"] = [{"word": verb.name, "usage": verb.usage, "text": verb.explain(ask)} for verb in able]
        return finish_result(told, labels)

    def write_orders(self, game: str, orders: list[str]) -> dict[str, Any]:
        """Write typed orders into the draft. If an order is illegal, write nothing and return the broken paragraphs.

        The order 'undo', as the only order, takes back the last call of this tool.
        """
        desk, labels = self._open_game(game)
        sheet = ordering.open_draft(desk)
        typed = [words for text in orders for words in ordering.split_orders(labels.restore(text))]
        if typed == [["undo"]]:
            done = ordering.undo_command(sheet)
        else:
            done = ordering.try_orders(sheet, typed)
            if ordering.find_refusals(sheet, done):
                new, _old = ordering.find_faults(sheet, done)
                return finish_result({"written": False, "refused": [*map(_tell_violation, new)]}, labels)
            done = ordering.keep_orders(sheet, done)
        orders_now = [words for _path, words in self._tell_help(done.sheet).orders]
        waits = [*map(_tell_violation, done.checked.result.violations)]
        told = {"written": True, "understood": [*done.said], "orders": orders_now, "waits": waits}
        return finish_result(told, labels)

    def check_draft(self, game: str) -> dict[str, Any]:
        """Check the draft. Return every violation with its paragraph; without violations, the orders and a digest."""
        desk, labels = self._open_game(game)
        return finish_result(_tell_checked(desk, self._check_draft(desk)), labels)

    def show_odds(self, game: str) -> dict[str, Any]:
        """Return the exact chances of the battles declared in the draft or, without a draft, in the last message."""
        desk, labels = self._open_game(game)
        seen = prospects.open_prospect(lookup.find_own_draft(desk.folder, self.home), self.home, ahead=False)
        return finish_result({"declared": of_odds.to_json(prospects.compute_odds(seen))}, labels)

    def find_hints(self, game: str) -> dict[str, Any]:
        """Return up to three ideas for orders not in the draft, with exact odds and an estimate of the gain."""
        desk, labels = self._open_game(game)
        found = hints.find_hints(hints.open_sheet(desk))
        return finish_result({"hints": [*map(hints.to_plain, found)]}, labels)

    def explain_rule(self, game: str, paragraph: str) -> dict[str, Any]:
        """Return a paragraph or ruling by its number, or every paragraph and ruling with the given words."""
        desk, labels = self._open_game(game)
        system = desk.game.ruleset.id
        ruling = rulings.load(system).get(paragraph.upper())
        found: list[Any] = [ruling] if ruling else paragraphs.list_paragraphs(system, paragraph)
        listed = found or paragraphs.search(system, paragraph)
        told = [{key: getattr(entry, key) for key in ("id", "title", "text")} for entry in listed]
        return finish_result({"found": told}, labels)

    def show_report(self, game: str, message: int = -1) -> dict[str, Any]:
        """Return the report of the newest message, or of an earlier message by number."""
        desk, _labels = self._open_game(game, helps=False)
        if not -1 <= message < desk.seq:
            raise UsageError(f"there is no such message: the game has messages 0 to {desk.seq - 1}")
        step = desk.history.last_step if message == -1 else desk.history.step(message)
        labels = find_labels(desk, step)
        told = {**chapters.to_plain(step), "verdict": desk.game.verdict.text if desk.game.verdict else ""}
        return finish_result(told, labels, talk=str(step.message.content.get("note", "")))

    def sign_draft(self, game: str, digest: str) -> dict[str, Any]:
        """Sign the draft if the owner allows this tool to sign; otherwise name the command. 'digest': by 'check'."""
        desk, labels = self._open_game(game)
        checked = self._check_draft(desk)
        told, held = _tell_checked(desk, checked), desk.game.chain.game
        if not told["legal"]:
            return finish_result({"signed": False, **told}, labels)
        why, shown = OTHER if digest != told["digest"] else "", told["digest"]
        why = BINDS.format(desk.seq) if desk.seq <= desk.game.chain.bound or checked.message.type != "turn" else why
        why = NO_SIGN if self.may_sign != held else why
        if why:
            return {"signed": False, "why": why, "digest": shown, "command": f"kursk sign {held[:8]}"}
        require_open_key(desk)
        last = play.sign_shown(desk, checked, None).last
        return {"signed": True, "message": str(last.seq), "id": last.id, "command": "kursk post"}

    def _list_games(self) -> list[Known]:
        known = register.list_games(self.home, self.home)
        return [each for each in known if each.own is not None and each.own.side != REFEREE]

    def _open_game(self, game: str, *, helps: bool = True) -> tuple[Desk, Labels]:
        """Return the desk of a game, and its labels. Raises UsageError if the tournament forbids the help."""
        found = [each for each in self._list_games() if _ID.fullmatch(game) and each.game.startswith(game)]
        if len(found) != 1:
            raise UsageError("give the first 8 or more digits of the game's id; the tool 'games' lists the ids")
        desk = desks.open_desk(lookup.require_folder(found[0]), self.home)
        if helps:
            assistance.need_allowed(self.home, desk.game, desk.folder)
        return desk, find_labels(desk, desk.history.last_step)

    def _tell_help(self, sheet: DraftFile) -> DraftFile:
        """Return the draft; with a line about the help in the note, if the tournament wants the help told."""
        note, desk = str(sheet.choices.get(NOTE, "")), sheet.desk
        told = assistance.find_assistance(self.home, desk.game, desk.folder) == assistance.TOLD
        if not told or HELPED in note:
            return sheet
        return ordering.write_proposal(sheet, [[NOTE, f"{HELPED} {note}".strip()]]).sheet

    def _check_draft(self, desk: Desk) -> Checked:
        return drafts.check_draft(desk, self._tell_help(ordering.open_draft(desk)).message)


def require_open_key(desk: Desk) -> None:
    """Raise UsageError if the key of a game needs a passphrase, because this program cannot ask for it."""
    path = Path(desk.own.key) if desk.own is not None else Path()
    if path.suffix != ".pub" and not keys.is_open(folders.read_bytes(path)):
        raise UsageError("the key of this game has a passphrase: load the key into ssh-agent, and type --key FILE.pub")


def find_labels(desk: Desk, step: Step) -> Labels:
    """Return labels that replace other people's texts in a game: names of battles, titles of system and scenario."""
    game, states = desk.game, (desk.game.state, step.before.state, step.after.state)
    places = (step.message.content.get("orders"), *(state.agenda for state in states))
    scenario = scenarios.remove_system(game.ruleset, str(game.setting.scenario.title))
    titles = {"title-system": game.ruleset.title, "title-scenario": scenario}
    return make_labels(places, game.state.units, titles)


def _tell_game(known: Known) -> dict[str, Any]:
    system, scenario = (known.head.get(key, {}) for key in ("ruleset", "scenario"))
    named = {"opponent": known.opponent, "system": str(system.get("id")), "scenario": str(scenario.get("id"))}
    told = {"game": known.game[:16], "message": str(known.newest + 1), "waits": known.waits, "over": not known.writer}
    return finish_result(told, Labels({}), **named)


def _tell_violation(violation: Violation) -> dict[str, Any]:
    return {"paragraph": violation.rule, "message": violation.message, "order": violation.order}


def _tell_checked(desk: Desk, checked: Checked) -> dict[str, Any]:
    result = checked.result
    if result.violations:
        return {"legal": False, "violations": [*map(_tell_violation, result.violations)]}
    hidden = reports.report_hidden(desk.game, result.after, desk.own_side, checked.hidden)
    understood = [*reports.describe_dice(desk.game, result), *reports.describe_orders(desk.game, result)]
    unused = leftovers.list_unused(desk, checked)
    shown = leftovers.show_checked(desk, checked, unused)
    told = {"legal": True, "understood": understood, "hidden": [line.strip() for line in hidden.splitlines()[2:]]}
    return {**told, "left": [left.text for left in unused], "digest": shown.digest}
