"""The player's newest message as a file, a mail or an address, and its reader."""

from __future__ import annotations

from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from urllib.parse import urlencode

from kursk_pbem.desk.deals.agreement import cut
from kursk_pbem.desk.ground import jsonfiles, machine
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import in_header
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.trust import sofar

_TITLE = 50
_BY_ADDRESS = "by-address"  # the mark in the private record; without it, a board offers a mail first


@frozen
class Post:
    """A message to mail. ``name``: the file name without suffix; ``subject``: the subject of the mail."""

    name: str
    subject: str
    data: bytes

    @property
    def text(self) -> bytes:
        """The message's text to copy. Earlier messages are not added, because chat programs cut long texts."""
        return sofar.cut_block(self.data)

    @property
    def mailto(self) -> str:
        """The mailto address, without the message: browsers limit addresses, so the player pastes the message."""
        body = "(Paste the copied message here.)\n"
        return "mailto:?" + urlencode({"subject": self.subject, "body": body}).replace("+", "%20")


def find_newest(desk: Desk) -> Post:
    """Return the player's newest message. Raises UsageError without a message."""
    own = [step.message.seq for step in desk.history.steps if step.message.sender == desk.own_side]
    if not own:
        raise UsageError("you have written no message of the game yet")
    game, seq = desk.game, own[-1]
    scenario = game.setting.scenario.id.rpartition("/")[2]
    name = f"kursk-{scenario}-{game.chain.game[:4]}-{seq:04d}-{desk.own_side}"
    data = folders.read_bytes(folders.message_path(desk.folder, seq))
    return Post(name, f"{in_header(game.title, _TITLE)}, message {seq}", data)


def note_way(desk: Desk, *, by_address: bool) -> None:
    """Record how a game's last message came: by link or not. After a link, the board offers to send a link first."""
    if desk.own is None or desk.practice or desk.hot_seat:
        return
    path = desk.own.path / _BY_ADDRESS
    if by_address:
        jsonfiles.write_private(path, b"")
    else:
        path.unlink(missing_ok=True)


def goes_by_address(desk: Desk) -> bool:
    """Return whether the player sends links: always in a web page; elsewhere if the last message came as a link."""
    if desk.own is None or desk.practice or desk.hot_seat:
        return False
    return machine.get_machine().page or (desk.own.path / _BY_ADDRESS).is_file()


def name_reader(desk: Desk) -> str:
    """Return words for the person who reads the player's messages, with the name if known."""
    game, chain = desk.game, desk.game.chain
    if chain.refereed or desk.own_side not in game.ruleset.sides:
        return "the referee" if chain.refereed else "your opponent"
    named = str(chain.head["names"].get(game.ruleset.other(desk.own_side), ""))
    reader = cut((desk.own.opponent if desk.own else "") or named) or "your opponent"
    return f"{reader} and the referee" if REFEREE in chain.keys else reader


def make_letter(post: Post) -> bytes:
    """Return an unsent mail that contains the message, as a file for a mail program.

    Raises AssertionError if the mail, read again, has other headers than intended (T46: header injection).
    """
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = post.subject
    mail["X-Unsent"] = "1"
    mail.set_content(f"{post.subject}. Open the file below, or the whole mail, with kursk-pbem.\n")
    mail.add_attachment(post.data.decode("ascii"), subtype="plain", filename=f"{post.name}.yaml", cte="base64")
    mail.set_boundary(f"kursk-{post.name}")
    raw = mail.as_bytes()
    if BytesParser(policy=SMTP).parsebytes(raw, headersonly=True).items() != mail.items():
        raise AssertionError("the text of a mail is not as expected")
    return raw
