"""people: names, keys and addresses, and the source of each address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, ask, home, json_option, note, said_options, say, yes_option
from kursk_pbem.cli.groups import Group
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import register
from kursk_pbem.errors import UsageError
from kursk_pbem.game import keyring
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import people as circle
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.mailbox.people import Address, Person
from kursk_pbem.post.round import new_address
from kursk_pbem.post.wire import account as accounts

_DIGITS = 8
"""Length of a fingerprint prefix that no person can imitate as a name."""
_WHOLE, _CALLED, _ALIKE, _OTHER = range(4)
_STATES = {
    "said": "as you said",
    "seen": "sender of a turn; unused until you confirm",
    "carded": "named by a card; unused until you confirm",
    "confirmed": "as you confirmed",
    "bounced": "a letter came back; unused",
}


@cli.group(cls=Group, invoke_without_command=True)
@json_option
@click.pass_context
def people_group(ctx: click.Context) -> None:
    """Show the address book. An address decides where a letter goes; the signature decides who wrote a turn.

    \b
    kursk people                        everybody: name, address, key, games
    kursk people add boris b@host.org   set the address of a player of your games
      ... --key boris.pub               for a person who plays no game with you
    kursk people confirm boris          accept the address from a card or turn
    kursk people card anna@host.org     set the address that your own cards show
    kursk people forget boris
    """
    if ctx.invoked_subcommand is not None:
        return
    everybody, own = _list_people(), circle.load_own(home())
    told = "address cards tell your correspondents" if own.cards else "your letters contain no card"
    say(f"you: {own.address} ({told})" if own.address else "you: no address yet; type 'kursk people card ADDRESS'")
    if differs := new_address.describe_difference(home(), accounts.load_account(home())):
        say(differs)
    for person in everybody:
        say(person.named)
        for entry in reversed(person.addresses):
            back = "; a letter came back" if entry.back and not entry.used else ""
            say(f"  {entry.text} ({_STATES[_address_state(entry)]}{back})")
        say(f"  no address; 'kursk people add {person.typed} ADDRESS' adds an address", quiet=bool(person.addresses))
    say("you know no other people; 'kursk people add NAME ADDRESS --key FILE.pub' adds a person", quiet=bool(everybody))
    note(you={"address": own.address, "cards": own.cards}, people=list(map(_plain_person, everybody)))


def _plain_person(person: Person) -> dict[str, Any]:
    """Return a person as plain data."""
    who = {"name": person.name, "key": person.key, "fingerprint": person.fingerprint, "games": person.games}
    there = [(entry, {"text": entry.text, "source": entry.source, "since": entry.since}) for entry in person.addresses]
    return {**who, "addresses": [{**said, "state": _address_state(entry)} for entry, said in there]}


def _address_state(entry: Address) -> str:
    """Return how an address is known, in one word."""
    return "bounced" if entry.back and entry.used else entry.state


def _list_people() -> list[Person]:
    return circle.list_people(home(), register.every(home(), Path()))


@people_group.command()
@click.argument("name")
@click.argument("address")
@click.option("--key", type=PATH, help="The public key of the person, a .pub file, if you have no game together yet.")
@said_options
def add_command(name: str, address: str, key: Path | None, quiet: bool) -> None:
    """Save a person's address. Letters go there from now on."""
    begin.check_sendable_texts([name])
    text = addresses.check_address(address)
    with post_folder.lock_post(home()):
        if key is None:
            person = find_person(_list_people(), name)
        else:
            person = replace(circle.person_of(home(), keyring.read_public_key(key)), name=name)
        person = circle.save_person(home(), person.put(text, circle.SAID, "as you said"))
    say(f"letters to {person.called} go to {text}", quiet=quiet, person=_plain_person(person))


@people_group.command()
@click.argument("name", default="")
@click.argument("address", default="")
@click.option("--all", "every", is_flag=True, help="List the unconfirmed people, and confirm every address.")
@yes_option
@said_options
def confirm_command(name: str, address: str, every: bool, yes: bool, quiet: bool) -> None:
    """Accept the address that a person's card or turn has named. Letters go there from now on.

    Ask the person first, by a safe way: anybody can forward a turn.
    """
    if bool(name) == every:
        raise UsageError("type the NAME of the person to confirm, or --all; 'kursk people' lists the names")
    with post_folder.lock_post(home()):
        if not every:
            person = find_person(_list_people(), name, address)
            named = (entry.text for entry in person.asked if not address or addresses.is_same(entry.text, address))
            if told := ", ".join(named):
                ask(f"Letters to {person.called} go to {told}?", yes=yes)
            person = circle.confirm_address(home(), person, address)
            say(f"letters to {person.called} go to {person.reached}", quiet=quiet, person=_plain_person(person))
            return
        asked = [(person, person.asked[-1]) for person in _list_people() if not person.reached and person.asked]
        for person, entry in asked:
            say(f"{person.called}: {entry.text} ({entry.told})")
        if not asked:
            say("no unconfirmed people", quiet=quiet)
            return
        ask("Confirm the addresses above for letters?", yes=yes)
        for person, entry in asked:
            circle.confirm_address(home(), person, entry.text)
        say(f"newly confirmed addresses: {len(asked)}", quiet=quiet)


@people_group.command()
@click.argument("address", default="")
@click.option("--no", "silent", is_flag=True, help="Save your address, and send no card.")
@yes_option
@said_options
def card_command(address: str, silent: bool, yes: bool, quiet: bool) -> None:
    """Save your own address. If you agree, each person you write to gets a card with the address, signed by your key.

    The card is your signed word that the address is yours. After a change, 'kursk post' mails new cards at once.
    """
    if not address and not circle.load_own(home()).address:
        raise UsageError("type your own address too, as in 'kursk people card anna@example.org'")
    if not silent:
        ask("A card is your signed word on your address. Add a card to the next letter to every person?", yes=yes)
    with post_folder.lock_post(home()):
        said = circle.save_own(home(), address, cards=not silent)
    told = "your letters contain no card" if silent else "the next letter to every person contains a card"
    say(f"your address is {said.address}; {told}", quiet=quiet, you={"address": said.address, "cards": said.cards})


@people_group.command()
@click.argument("name")
@click.argument("address", default="")
@said_options
def forget_command(name: str, address: str, quiet: bool) -> None:
    """Forget an ADDRESS of a person, or everything about the person. Games stay."""
    with post_folder.lock_post(home()):
        person = find_person(_list_people(), name)
        circle.delete_address(home(), person, address)
    say(f"{address or person.called} is forgotten", quiet=quiet, key=person.key, address=address)


def find_person(people: Iterable[Person], typed: str, asked: str = "") -> Person:
    """Return the only matching person in the address book. Raises UsageError if nobody or several people match.

    ``asked``: prefer the person with this unconfirmed address, because people can share a name.
    """
    ranked = [(_rank_person(person, register.fold_name(typed)), person) for person in people]
    best = min((rank for rank, _person in ranked), default=_OTHER)
    if best == _OTHER:
        raise UsageError(f"{typed}: unknown name; 'kursk people' lists the names, and --key FILE.pub adds a person")
    matching = [person for rank, person in ranked if rank == best]
    if len(matching) > 1 and asked:
        there = [one for one in matching if any(addresses.is_same(entry.text, asked) for entry in one.asked)]
        matching = there or matching
    if len(matching) == 1:
        return matching[0]
    names = "".join(f"\n  {person.named}" for person in matching)
    raise UsageError(f"{typed} fits several people; type the fingerprint of one person:{names}")


def _rank_person(person: Person, word: str) -> int:
    """Return how well a word names a person. An opponent can choose another person's address as a name."""
    name, key = register.fold_name(person.name), person.fingerprint.casefold()
    begins = bool(word) and key.removeprefix("sha256:").startswith(word.removeprefix("sha256:"))
    if word == key:
        return _WHOLE
    if word and (word == name or (begins and len(word) >= _DIGITS)):
        return _CALLED
    if any(addresses.is_same(entry.text, word) for entry in person.addresses):
        return _CALLED
    return _ALIKE if begins or (word and any(part.startswith(word) for part in (name, *name.split()))) else _OTHER
