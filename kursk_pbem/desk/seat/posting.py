"""The player's newest message as a file or mail for the opponent."""

from __future__ import annotations

from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from urllib.parse import urlencode

from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import in_header
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders

_TITLE = 50


@frozen
class Post:
    """A message to mail. ``name``: the file name without suffix; ``subject``: the subject of the mail."""

    name: str
    subject: str
    data: bytes

    @property
    def mailto(self) -> str:
        """The mailto address. Browsers limit its length, so the player pastes the message."""
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


def make_letter(post: Post) -> bytes:
    """Return an unsent mail with the message, for a mail program.

    Raises AssertionError if the parsed headers differ from the intended headers (T46: no header injection).
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
