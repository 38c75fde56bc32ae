"""keygen, propose, accept: keys and the first messages. Key and name are remembered after the first use."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli, inside
from kursk_pbem.cli.common import (
    PATH,
    ask,
    desk_at,
    fit_question,
    home,
    key_option,
    may_ask,
    need_key,
    note,
    pairs,
    release,
    said_options,
    say,
    seq_option,
    yes_option,
)
from kursk_pbem.cli.games import complete_games, completion_of, pick_path
from kursk_pbem.desk.deals import agreement, begin, director, introducing, rematch
from kursk_pbem.desk.own import lookup, register, remembered
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, keyring, pins, scenario_files, scenarios
from kursk_pbem.rulebook import balance, paragraphs

if TYPE_CHECKING:
    from kursk_pbem.desk.own.desks import Desk

give_option = click.option(
    "--give", metavar="SIDE=N", default="", help="N victory points for SIDE at the end; a tie goes to the other side."
)


@cli.command()
@click.argument("path", type=PATH)
@said_options
def keygen_command(path: Path, quiet: bool) -> None:
    """Make a key pair for playing: PATH and PATH.pub.

    You can also use your own OpenSSH ed25519 key, with a passphrase or in an agent. The program remembers your first
    key: later commands need --key only for another key.
    """
    before = remembered.recall(home()).usable_key
    fingerprint = keyring.make(path)
    files = [path, f"{path}.pub"]
    say(f"wrote {path} (keep this file secret) and {path}.pub (for your opponent)", quiet=quiet, wrote=files)
    what = f"fingerprint {fingerprint}: compare the fingerprint by telephone before the game begins"
    say(what, quiet=quiet, fingerprint=fingerprint, remembered=before is None)
    if before is None:
        remembered.remember(home(), path)
    else:
        say(f"your usual key is still {before}; to use the new key in a command, add --key {path}", quiet=quiet)


@cli.command()
@click.argument("scenario", default="", metavar="[SCENARIO]", shell_complete=completion_of("scenarios"))
@click.option("--again", metavar="GAME", default="", shell_complete=complete_games, help="A rematch, sides changed.")
@click.option(
    "--withdraw", metavar="GAME", default="", shell_complete=complete_games, help="Take back your open proposal."
)
@click.option("--as", "side", default="", help="Your side; the default is the side with message 0.")
@key_option
@click.option("--opponent", type=PATH, default=None, help="Your opponent's public key, a .pub file.")
@click.option("--referee", is_flag=True, help="You do not play: you roll the dice for two players.")
@click.option("--player", "players", multiple=True, metavar="SIDE=FILE", help="For --referee: a player's public key.")
@click.option("--player-name", "called", multiple=True, metavar="SIDE=NAME", help="For --referee: a player's name.")
@click.option("--name", default="", help="Your name, for reports.")
@click.option("--opponent-name", default="", help="Your opponent's name, for reports.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A game option, as agreed.")
@give_option
@click.option("--relay", type=PATH, help="The public key of a timekeeping referee, a .pub file.")
@click.option("--dir", "parent", type=PATH, default=Path(), help="The parent folder of the game folder.")
@yes_option
@said_options
def propose_command(**given: Any) -> None:
    """Propose a game of SCENARIO (a name from 'kursk scenario'): write game-.../0000.yaml, to be mailed.

    A player names the opponent's public key (--opponent). A director, who plays no side and rolls the dice (--referee),
    names the public keys of both players (--player).

    --relay names a timekeeping referee, who gets a copy of every mail but has no part in dice and orders. This referee
    signs when each message arrived ('kursk referee receipt'), and can declare the game lost for a side that misses its
    deadline ('kursk referee forfeit').

    The program remembers your key and your name: type --key and --name again only to change them.

    --again GAME proposes a second game to the opponent of GAME: the scenario, options and referee are equal, and you
    change sides. --withdraw GAME takes back your unanswered proposal, on this machine only. If you have mailed the
    proposal, your opponent can still accept, and 'kursk status' tells you then.
    """
    asked = SimpleNamespace(**given)
    if asked.withdraw:
        _withdraw(asked)
        return
    if asked.again:
        _propose_again(asked)
        return
    if not asked.scenario:
        raise click.UsageError("type a SCENARIO; 'kursk scenario' lists the scenarios")
    asked.scenario = scenario_files.resolve_id(asked.scenario)
    if asked.referee:
        _propose_as_referee(asked)
    else:
        _propose_as_player(asked)


def _propose_as_player(asked: SimpleNamespace) -> None:
    if asked.opponent is None or asked.players or asked.called:
        raise click.UsageError(
            "give your opponent's public key with --opponent. If you play no side and roll the dice as the referee, "
            "type --referee and --player instead"
        )
    known = paragraphs.find_sides(asked.scenario)
    side = next((known_side for known_side in known if known_side == asked.side.lower()), asked.side)
    if side:
        paragraphs.need_side(asked.scenario, side)
    opponent, relay = keyring.read_public_key(asked.opponent), keyring.read_public_key(asked.relay)
    key, side = need_key(remembered.find_key(home(), asked.key)), side or _ask_side(asked)
    agreed = agree_options(asked, yes=asked.yes)
    name = _find_name(asked.name)
    names = {who: name if who == side else asked.opponent_name for who in known}
    proposal = begin.Proposal(
        asked.scenario,
        side,
        opponent,
        {who: word for who, word in names.items() if word},
        agreed,
        relay,
        keyring.read_comment(asked.opponent),
    )
    _issue_proposal(proposal, key, asked)


def _ask_side(asked: SimpleNamespace) -> str:
    """Return the side that proposes, after a question."""
    side = begin.find_proposer(asked.scenario, read_options(asked))
    title = scenarios.load(asked.scenario).title
    told = f"In {title} the proposer plays {side.capitalize()}; for the other side let your opponent propose."
    ask(f"{told} Go on?", yes=asked.yes, instead=f"--yes or --as {side}")
    return side


def read_options(asked: SimpleNamespace) -> dict[str, str]:
    """Return the options of a new game, with the points for a side. Raises UsageError if points are given twice."""
    options, points = pairs(asked.options), pairs(filter(None, [asked.give]))
    given = {key: value for each in points.items() for key, value in pins.give(*each).items()}
    for key in sorted(given.keys() & options.keys()):
        raise UsageError(f"'--give' and '--option {key}=...' set the same option: type only one of the two")
    return options | given


def agree_options(asked: SimpleNamespace, *, yes: bool = False) -> dict[str, str]:
    """Return the options of a new game. At a terminal, offer the points that make the scenario even."""
    options, row = read_options(asked), balance.find_row(asked.scenario)
    given = pins.give("", "").keys() & options.keys()
    if given or yes or not may_ask() or row is None or not row.even:
        return options
    even = " or ".join(f"{side.lower()}={number}" for side, number in row.even)
    how = "come nearest to an even game" if len(row.even) > 1 else "make the game even"
    release()
    question = f"By {row.by}, the points {even} {how}. Points to give, or Enter for none"
    asked.give = click.prompt(fit_question(question), default="", show_default=False).strip()
    return read_options(asked)


def _find_name(name: str) -> str:
    """Return the player's name: as typed, remembered, or asked for at a terminal."""
    name = name or remembered.recall(home()).name
    if not name and may_ask():
        release()
        name = click.prompt("Your name for opponent and reports", default="", show_default=False).strip()
    return name


def _issue_proposal(proposal: begin.Proposal, key: Path, asked: SimpleNamespace) -> None:
    """Write a player's proposal, and remember key and name."""
    desk = begin.propose_game(proposal, key, asked.parent, home())
    remembered.remember(home(), key, proposal.names.get(proposal.side, ""))
    copy = ", and a copy to the referee" if proposal.relay else ""
    then = f"mail the file to your opponent, who accepts with 'kursk accept'{copy}"
    say(f"wrote {desk.newest}: {then}", quiet=asked.quiet, **proposal_facts(desk, proposal.side))
    say(f"you play the {proposal.side.capitalize()} side", quiet=asked.quiet or bool(asked.side))
    say("\n".join(agreement.describe_changed_data(desk.game)), quiet=asked.quiet)


def _propose_again(asked: SimpleNamespace) -> None:
    """Propose another game with the opponent, the scenario, the options and the referee of a game."""
    if any((asked.scenario, asked.opponent, asked.relay, asked.options, asked.give, asked.referee, asked.players)):
        raise click.UsageError(
            "--again copies the scenario, options, opponent and referee of an earlier game: leave out SCENARIO, "
            "--option, --give, --opponent, --relay, --referee and --player"
        )
    desk = desk_at(pick_path(asked.again))
    key = asked.key or (Path(desk.own.key) if desk.own else None)
    if director.is_referee(desk):
        _issue_match(rematch.make_refereed_rematch(desk), need_key(key), asked)
    else:
        if asked.side:
            paragraphs.need_side(str(desk.game.setting.scenario.id), asked.side.lower())
        proposal = rematch.make_rematch(desk, asked.side, asked.name or remembered.recall(home()).name)
        ask(
            f"Propose {desk.game.title} again, as the {proposal.side.capitalize()} side?",
            yes=asked.yes or bool(asked.side),
        )
        _issue_proposal(proposal, need_key(key), asked)


def _withdraw(asked: SimpleNamespace) -> None:
    """Take back a proposal on this machine."""
    known = lookup.find_proposed(asked.withdraw, home(), Path())
    ask(f"Withdraw your proposal {known}?", yes=asked.yes)
    rematch.withdraw_proposal(known)
    who = known.opponent or "your opponent"
    told = f"withdrawn: {known}. Your lists leave the proposal out, but message 0 stays signed, and its folder stays"
    side = known.own.side if known.own else ""
    say(told, quiet=asked.quiet, game=known.game, side=side, folder=known.folder, wrote=[], withdrawn=True)
    say(f"if you have mailed the proposal, tell {who}; 'kursk status' shows if {who} accepts it", quiet=asked.quiet)


def _propose_as_referee(asked: SimpleNamespace) -> None:
    for word, given in (("--as", asked.side), ("--opponent", asked.opponent), ("--opponent-name", asked.opponent_name)):
        if given:
            why = f"a referee plays no side; leave {word} out, and name both players with --player and --player-name"
            raise UsageError(why)
    if asked.relay:
        raise UsageError("--relay is for a referee who rolls no dice; with --referee you roll them: leave --relay out")
    keys = {who: keyring.read_public_key(Path(file)) for who, file in pairs(asked.players).items()}
    called = {who: keyring.read_comment(Path(file)) for who, file in pairs(asked.players).items()}
    names = {who: word for who, word in called.items() if word} | pairs(asked.called)
    names |= {"referee": asked.name} if asked.name else {}
    key = need_key(remembered.find_key(home(), asked.key))
    _issue_match(director.Match(asked.scenario, keys, names, agree_options(asked, yes=asked.yes)), key, asked)


def _issue_match(match: director.Match, key: Path, asked: SimpleNamespace) -> None:
    """Write a referee's proposal."""
    desk = director.propose_game(match, key, asked.parent, home())
    then = "mail the file to both players; each types 'kursk accept FILE'"
    say(f"wrote {desk.newest}: {then}", quiet=asked.quiet, **proposal_facts(desk, "referee"))
    for who, fingerprint in keyring.make_fingerprints(desk.game.chain.keys).items():
        say(f"key of {who}: {fingerprint}", quiet=asked.quiet)


def proposal_facts(desk: Desk, side: str) -> dict[str, Any]:
    """Return a proposal as plain data."""
    return {"game": desk.game.chain.game, "side": side, "folder": desk.folder, "wrote": [desk.newest]}


@cli.command()
@click.argument("file", type=PATH, default="")
@key_option
@click.option("--name", default="", help="Your name, for a note to your opponent in your first message.")
@click.option("--opponent-name", default="", help="Your opponent's name, only on this machine.")
@click.option("--dir", "parent", type=PATH, default=Path(), help="The parent folder of the game folder.")
@seq_option
@said_options
def accept_command(
    file: Path, key: Path | None, name: str, opponent_name: str, parent: Path, seq: int | None, quiet: bool
) -> None:
    """Accept a proposal FILE: show what you are asked to agree to, and write the draft of your first message.

    FILE can be the whole mail as your mail program saves it. For a proposal from 'kursk inbox' or 'kursk post', type
    the first digits of its game instead of FILE. If this proposal was not saved, the program fetches the mail from your
    mailbox again. The program remembers your key and your name: type --key and --name only to change them.

    You agree by signing and mailing that message, not before.
    """
    from kursk_pbem.cli.mail import posting
    from kursk_pbem.post import proposal_search

    begin.check_sendable_texts([name, opponent_name])
    message, found = proposal_search.find_proposal(home(), inside.save_pasted(file), seq, posting.ask_password)
    entered: list[str] = []
    if "tournament" in message.content:
        from kursk_pbem.tournament import private
        from kursk_pbem.tournament.entrant import games

        games.check_proposal(message, home())
        entered = [record.key for record in private.survey_records(home())[0]]
    key = need_key(remembered.find_key(home(), key or begin.find_key(message, home(), entered)))
    desk = begin.join(message, key, parent, home(), called=opponent_name)
    came = proposal_search.accept_found(home(), key, found)
    facts = {"game": desk.game.chain.game, "side": desk.own_side, "folder": desk.folder, "seq": desk.seq}
    path = folders.draft_path(desk.folder, 1)
    note(**facts, mine=desk.mine, wrote=[path] if desk.seq == 1 and desk.mine else [])
    say("\n".join(agreement.describe_terms(desk.game, desk.own_side)), quiet=quiet)
    if desk.seq == 1 and not desk.mine:
        first = desk.game.chain.writer(1).capitalize()
        say(f"the {first} side writes message 1; read the referee's mails with 'kursk inbox'", quiet=quiet)
    elif desk.seq == 1:
        typed = lookup.abbreviate(desk.game.chain.game, register.list_games(home(), Path()))
        how = f"type 'kursk order{typed}' or edit the file, then type 'kursk check{typed}' and 'kursk sign{typed}'"
        say(f"wrote {path}: {how}", quiet=quiet)
    else:
        say(f"the game in {desk.folder} is beyond message 1; 'kursk status' shows the due message", quiet=quiet)
    remembered.remember(home(), key, name)
    if name := name or introducing.find_untold_name(desk, remembered.recall(home()).name):
        told = introducing.write_name_note(
            desk, name
        )  # in the note of the first message: the player sees and signs the name
        if told:
            note(says=told)
        say(introducing.describe_name_note(told), quiet=quiet)
    for line in came:
        say(line, quiet=quiet)
