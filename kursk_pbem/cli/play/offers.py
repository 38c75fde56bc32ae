"""offer, reply: agreed draws, and successor games."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, desk_at, note, pairs, say, sign_options
from kursk_pbem.cli.games import complete_games, game_and_more, only_word
from kursk_pbem.cli.signing import say_again, sign_asked
from kursk_pbem.desk.deals import offers
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError, shell_word
from kursk_pbem.game import keyring, reports, successor

if TYPE_CHECKING:
    from kursk_pbem.desk.own.desks import Desk

_KINDS, _ANSWERS = ("draw", "successor"), ("accept", "decline")
_SHORT = {"yes": "accept", "no": "decline"}
_VERBS: dict[tuple[str, ...], str] = {_KINDS: "offer", _ANSWERS: "reply"}
new_key_option = click.option("--new-key", type=PATH, default=None, help="The key you will sign the new game with.")


def _complete_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return games, and the words after a game."""
    words = _KINDS if ctx.info_name == "offer" else _ANSWERS
    fitting = [CompletionItem(word) for word in words if word.startswith(incomplete)]
    return fitting + [item for item in complete_games(ctx, param, incomplete) if item.type == "plain" or not fitting]


def _read_words(words: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, Path | None]:
    """Return the word of an offer or reply, and the named proposal, if any."""
    first, *more = words or ("",)
    said = _SHORT.get(first, first)
    if said not in known:
        raise click.UsageError(f"say {' or '.join(known)}, such as 'kursk {_VERBS[known]} {known[0]}'")
    named = only_word(tuple(more))
    return said, Path(named) if named else None


@cli.command()
@game_and_more("[GAME] {draw|successor} [PROPOSAL]", name="folder", fixed=_KINDS, complete=_complete_words)
@click.option("--at", type=int, default=None, help="Continue after this message (a take-back).")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A changed game option.")
@new_key_option
@click.option("--new-opponent", type=PATH, default=None, help="Your opponent's new public key, a .pub file.")
@click.option("--player", "players", multiple=True, metavar="SIDE=FILE", help="For a referee: a player's new key.")
@click.option("--dir", "parent", type=PATH, default=None, help="The parent folder of the new game.")
@sign_options
def offer_command(folder: Path, more: tuple[str, ...], key: Path | None, yes: bool, quiet: bool, **given: Any) -> None:
    """Offer a draw or a successor game in GAME, instead of your choices. Due dice and reveals still happen.

    A draw ends GAME. A successor game continues from the present position or an earlier position (--at), with other
    options or keys. The command writes the successor's proposal beside the folder of GAME. If your opponent has mailed
    you the proposal, name it as PROPOSAL. The side that owes the next choice accepts the successor; the other side
    proposes.
    """
    kind, proposal = _read_words(more, _KINDS)
    asked = SimpleNamespace(proposal=proposal, **given)
    if kind == "draw" and (asked.proposal or asked.new_key or _has_changes(asked)):
        raise UsageError("an offer of a draw has no proposal and no options; leave both out")
    desk = desk_at(folder)
    if _signed_before(desk, kind, asked.proposal, quiet=quiet):
        return
    final = f"Message {desk.seq} cannot be taken back."
    if kind == "successor":
        path = _find_proposal(desk, asked, quiet=quiet)
        if not asked.proposal and not desk.mine:
            _say_paper(desk, path, quiet=quiet)
            return
        checked, terms = offers.make_successor_offer(desk, path, asked.new_key)
        say(_list_terms(terms))
        sign_asked(desk, checked, key, f"Offer the new game? {final}", yes=yes, quiet=quiet)
        say(f"mail {path} with your message", quiet=quiet, proposal=path)
        return
    sign_asked(desk, drafts.make_offer(desk, "draw"), key, f"Offer a draw? {final}", yes=yes, quiet=quiet)


def _has_changes(asked: SimpleNamespace) -> bool:
    """Return whether options change the terms of a proposal."""
    return bool(asked.options or asked.new_opponent or asked.players or asked.at is not None)


def _find_proposal(desk: Desk, asked: SimpleNamespace, *, quiet: bool) -> Path:
    """Return the named proposal of a successor, or write a new one."""
    if asked.proposal is not None:
        if _has_changes(asked):
            raise UsageError(f"the proposal {asked.proposal} contains the whole offer; leave all options out")
        _new_keys(desk, asked)
        return Path(asked.proposal)
    terms = successor.Terms(pairs(asked.options), _new_keys(desk, asked), asked.at)
    path = offers.propose_successor(desk, terms, asked.new_key, asked.parent or desk.folder.resolve().parent)
    say(f"wrote {path}", quiet=quiet, game=desk.game.chain.game, wrote=[path])
    return path


def _say_paper(desk: Desk, path: Path, *, quiet: bool) -> None:
    """Print the changes of a proposal, for a player who does not write next."""
    say(_list_terms(offers.describe_proposal(desk, path)), quiet=quiet)
    say(
        f"the proposal has no effect until {desk.game.due} offers the new game in message {desk.seq} of this game. "
        "Mail the proposal, and ask your opponent to type 'kursk offer FOLDER successor 0000.yaml'",
        quiet=quiet,
    )


def _new_keys(desk: Desk, asked: SimpleNamespace) -> dict[str, str]:
    """Return the changed public keys by side; a referee names the side of each key."""
    side, sides, players = desk.own_side, desk.game.ruleset.sides, pairs(asked.players)
    new_keys = {side: keyring.find_public_key(asked.new_key)} if asked.new_key else {}
    if asked.new_opponent and side not in sides:
        raise UsageError("you play no side; give the side and the new key of a player with --player SIDE=FILE.pub")
    if asked.new_opponent:
        new_keys[desk.game.ruleset.other(side)] = keyring.read_public_key(asked.new_opponent)
    if players and side in sides:
        raise UsageError("only a referee types --player; give your opponent's new key with --new-opponent FILE.pub")
    if unknown := sorted(set(players) - set(sides)):
        raise UsageError(f"no side {unknown[0]!r}; the sides are {' and '.join(sides)}")
    return new_keys | {who: keyring.read_public_key(Path(file)) for who, file in players.items()}


def _list_terms(terms: list[str]) -> str:
    return "\n".join(["The game ends and continues as a new game:", *(f"  {line}" for line in terms)])


def _signed_before(desk: Desk, wanted: str, proposal: Path | None, *, quiet: bool) -> bool:
    """Return whether the same message was signed before, and write its file again. Raises UsageError if it differs.

    ``wanted``: draw, successor, accept or decline; ``proposal``: of the offered successor.
    """
    again = play.find_done(desk, wanted)
    if again is None:
        return False
    message = again.last
    say_again(again, quiet=quiet)
    said = play.read_statement(message)
    if said != wanted:
        raise UsageError(f"your signed message {message.seq} says '{said}', and a signed message cannot be changed")
    offered = message.mapping("offer").get("game", "")
    if proposal is not None and offered and successor.read(proposal).chain.game != offered:
        raise UsageError(f"your signed message {message.seq} offers a game other than {proposal}, and cannot change")
    return True


@cli.command()
@game_and_more(
    "[GAME] {accept|decline} [PROPOSAL]", name="folder", fixed=(*_ANSWERS, *_SHORT), complete=_complete_words
)
@new_key_option
@sign_options
def reply_command(
    folder: Path, more: tuple[str, ...], new_key: Path | None, key: Path | None, yes: bool, quiet: bool
) -> None:
    """Accept or decline the open offer in GAME.

    To accept a successor, name the PROPOSAL from the mail of the offer, unless its folder is beside the folder of GAME.
    The program shows what you agree to before it asks. An accepted offer ends this game. You can also type 'yes' or
    'no'.
    """
    answer, proposal = _read_words(more, _ANSWERS)
    if answer == "decline" and (proposal is not None or new_key is not None):
        raise UsageError("to decline, type only 'kursk reply GAME decline', without a proposal or a key")
    desk = desk_at(folder)
    if _signed_before(desk, answer, None, quiet=quiet):
        return
    final = f"Message {desk.seq} cannot be taken back."
    if answer == "decline":
        sign_asked(desk, drafts.make_reply(desk, "decline"), key, f"Decline the offer? {final}", yes=yes, quiet=quiet)
        return
    checked, terms, path = offers.make_acceptance(desk, proposal, new_key)
    if terms:
        say(_list_terms(terms))
    what = reports.describe_offer(desk.game.chain.offer)
    sign_asked(desk, checked, key, f"Accept {what}? Your answer ends this game. {final}", yes=yes, quiet=quiet)
    if path is not None and successor.read(path).chain.writer(1) == desk.own_side:
        note(proposal=path)
        with_key = f" --key {shell_word(new_key)}" if new_key else ""
        how = f"'kursk accept {shell_word(path)}{with_key}'"
        say(f"to begin the new game, type {how} afterwards: you write message 1 of the new game", quiet=quiet)
