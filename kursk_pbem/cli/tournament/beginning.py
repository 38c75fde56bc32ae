"""new, enter, close, restore: the beginning of a tournament, and a director's restart after a loss."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from kursk_pbem.cli.common import PATH, ask, home, keyed_options, need_key, note, said_options, say, sign_options
from kursk_pbem.cli.tournament import lengths, tournament
from kursk_pbem.cli.tournament.common import ask_person, close_office, close_seat, folder_argument, found, office, tell
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import register, remembered
from kursk_pbem.errors import UsageError, shell_word
from kursk_pbem.game import folders, keyring
from kursk_pbem.tournament import assistance, rules, summary
from kursk_pbem.tournament.book import draws
from kursk_pbem.tournament.director import asking, intake, rounds, setup
from kursk_pbem.tournament.director import desk as offices
from kursk_pbem.tournament.entrant import automatic, desk
from kursk_pbem.tournament.papers import fields, store


@tournament.command()
@click.argument("folder", type=PATH)
@click.option("--swiss", type=click.IntRange(1, 99), metavar="ROUNDS", help="Swiss, with this number of rounds.")
@click.option("--round-robin", is_flag=True, help="Every entrant meets every other entrant.")
@click.option("--pods", is_flag=True, help="Small groups, and finals.")
@click.option("--knock-out", is_flag=True, help="Losers are out.")
@click.option("--mirror", is_flag=True, help="Every meeting is two games, with the sides exchanged.")
@click.option("--system", "systems", multiple=True, metavar="SCENARIO", help="A scenario; rounds take several in turn.")
@click.option("--title", default="", help="The name of the tournament.")
@click.option("--days", default=7, type=click.IntRange(1, 365), show_default=True, help="For an answer.")
@click.option("--bank", default=21, type=click.IntRange(0, 365), show_default=True, help="Spare days for each player.")
@click.option(
    "--round", "round_", type=click.IntRange(1, 999), metavar="DAYS", help="Length of a round; else by --days."
)
@click.option("--roll", is_flag=True, help="The director rolls the dice.")
@click.option("--assistant", "assistants", multiple=True, type=PATH, help="A .pub file of an assistant.")
@click.option("--witness", type=PATH, help="The .pub file of an outsider, the last to reveal a secret of the lots.")
@click.option("--assistance", type=click.Choice(assistance.VALUES), help="Help by programs in unfinished games.")
@sign_options
def new(**given: Any) -> None:
    """Begin a tournament in FOLDER: write FOLDER/rules.yaml to edit; the second time, show and sign the rules.

    Signed rules never change; their hash is the tournament's name. Publish or mail log/0000.yaml: with that file people
    enter.
    """
    asked = SimpleNamespace(**given)
    if store.is_tournament(asked.folder):
        raise UsageError(f"{asked.folder} already contains a tournament with signed rules; choose another folder")
    if (asked.folder / "rules.yaml").exists():
        _sign(asked)
    else:
        _write(asked)


def _chosen_format(asked: SimpleNamespace) -> str:
    """Return the chosen format. Raises UsageError for none or several."""
    formats = {"swiss": asked.swiss, "round-robin": asked.round_robin, "pods": asked.pods, "knock-out": asked.knock_out}
    wanted = [name for name, on in formats.items() if on]
    if len(wanted) != 1:
        raise click.UsageError("choose one format: --swiss ROUNDS, --round-robin, --pods or --knock-out")
    return wanted[0]


def _write(asked: SimpleNamespace) -> None:
    """Write the rules as a form."""
    if not asked.systems:
        raise click.UsageError("choose a scenario with --system SCENARIO; 'kursk scenario' lists the scenarios")
    publics = tuple(keyring.read_public_key(path) for path in asked.assistants)
    title = asked.title or asked.folder.name
    days = (asked.days, asked.bank, asked.round_ or lengths.propose_days(asked.systems, asked.days))
    witness = keyring.read_public_key(asked.witness) if asked.witness else ""
    game = (_chosen_format(asked), asked.systems, asked.swiss or 0, asked.mirror)
    wish = setup.RulesOptions(title, *game, *days, asked.roll, publics, witness, asked.assistance or "")
    form = asked.folder / setup.FORM
    text = setup.make_form(wish)
    folders.make(asked.folder)
    folders.write(form, text)
    told = f"wrote {form}: edit the file, then type 'kursk tournament new {shell_word(asked.folder)}' again"
    say(told, quiet=asked.quiet, folder=asked.folder, wrote=[form])
    sides = [] if asked.mirror else lengths.advise_sides(asked.systems)
    for line in (*lengths.advise(asked.systems, days[0], days[2]), *sides):
        say(line, quiet=asked.quiet)
    advice = "no witness yet: --witness FILE.pub (the key of an outsider) leaves you no choice in the lots"
    say(advice, quiet=asked.quiet or asked.witness is not None)


def _sign(asked: SimpleNamespace) -> None:
    """Show and sign the rules."""
    secret = need_key(asked.key)
    shown = setup.preview_rules(asked.folder, secret)
    tell([*summary.summarize_rules(shown), *lengths.advise_rules(shown)], quiet=asked.quiet)
    ask("Sign the rules? Signed rules never change.", yes=asked.yes)
    rules = setup.sign_rules(asked.folder, shown, secret, home())
    path = asked.folder / "log" / "0000.yaml"
    note(tournament=rules.id, folder=asked.folder, wrote=[path])
    say(f"wrote {path}, the rules of tournament {rules.id[:32]}; every entrant needs this file", quiet=asked.quiet)


@tournament.command()
@click.argument("path", type=PATH, metavar="RULES")
@click.argument("name", required=False, default="")
@click.option("--guest", is_flag=True, help="Play outside the ranking, if the number of entrants is odd.")
@click.option("--only-number", is_flag=True, help="Pages show your number instead of your name.")
@click.option("--dir", "parent", type=PATH, default=Path(), help="The folder for your copy of the tournament.")
@sign_options
def enter(
    path: Path, name: str, guest: bool, only_number: bool, parent: Path, key: Path | None, yes: bool, quiet: bool
) -> None:
    """Enter a tournament as NAME. RULES is the director's log/0000.yaml, a mail with it, or the site's archive.zip.

    Your entry commits you to a secret for the lots; later your program reveals the secret by itself. The witness gives
    no NAME, and is committed in the same way.
    """
    begin.check_sendable_texts([name])
    secret = need_key(remembered.find_key(home(), key))
    if any((place / register.OPPONENT).exists() for place in (home(), secret.parent)):
        raise UsageError("this private folder belongs to a practice opponent, and only people enter tournaments")
    there = intake.read_files([path])
    first = next((paper for paper in there.papers if paper.type == fields.RULES), None)
    if first is None:
        why = f"{path} contains no rules of a tournament: name log/0000.yaml, a mail with it, or a site's archive.zip"
        raise UsageError(there.refused[0] if there.refused else why)
    read = rules.read_rules(first)
    tell(summary.summarize_rules(read), quiet=quiet)
    witness = keyring.find_public_key(secret) == read.witness
    name = "" if witness else name or remembered.recall(home()).name
    if not (name or witness):
        raise UsageError("type the NAME under which you play in the tournament")
    ask("Be the witness by the rules above?" if witness else f"Enter as {name} by the rules above?", yes=yes)
    said = {"name": name, **({"guest": "yes"} if guest else {}), **({"shown": "number"} if only_number else {})}
    own = desk.join_tournament(there.papers, secret, parent, home())
    if own.me is not None:
        say(f"you have entered before, as {own.me.called}", quiet=quiet)
    elif witness:
        automatic.sign_automatic(own)
    else:
        desk.sign_entry(own, said)
    remembered.remember(home(), secret, name)
    say(f"your copy of the tournament is {own.folder}", quiet=quiet)
    close_seat(own, quiet=quiet)


@tournament.command()
@folder_argument()
@click.option("--yes", is_flag=True, help="Do not ask at a terminal.")
@said_options
def close(folder: Path | None, yes: bool, quiet: bool) -> None:
    """Close the entries for the first round. The entrants' programs then reveal their secrets, which decide the lots.

    At a terminal the command asks first, because people who enter later start in a later round.
    """
    ask_person("Close the entries? People who enter later play from a later round on.", yes=yes)
    desk = office(folder)
    if desk.book.draws:
        say("the field of entrants is closed already; continue with 'kursk tournament pair'", quiet=quiet)
        close_office(desk, quiet=quiet)
        return
    if why := draws.close_obstacle(desk.book):
        raise UsageError(f"you cannot close the field of entrants: {why}; 'kursk tournament inbox' takes more entries")
    rounds.close_field(desk)
    close_office(desk, quiet=quiet)


@tournament.command()
@folder_argument()
@click.option("--answered", is_flag=True, help="All entrants and the witness have answered: sign at once.")
@keyed_options
def restore(folder: Path | None, answered: bool, key: Path | None, quiet: bool) -> None:
    """After a loss, or from a backup: continue the log in FOLDER, and ask all entrants for the papers that it lacks.

    The program computes your secrets from your key. It signs the next paper after all entrants and the witness have
    mailed their logs, which their programs do by themselves, or after seven days.
    """
    desk = offices.restore_desk(found(folder), home(), key)
    if answered:
        asking.end(desk.record)
    note(folder=desk.folder, papers=len(desk.book.log), next=len(desk.book.log))
    say(f"the log ends with paper {desk.book.head.seq}", quiet=quiet)
    say(asking.explain_wait(desk.record, desk.book), quiet=quiet or answered)
