"""The abilities of the player's machine. A web page starts no programs, has no mail account, and shows no files."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen


@frozen
class Machine:
    """The kind of machine on which the program runs. ``here``: a name after words such as "for" or "never leaves"."""

    here: str = "this machine"
    page: bool = False
    programs: bool = True  # ssh-keygen, ssh-agent, an editor, a terminal
    mail: bool = True  # accounts with passwords
    folders: bool = True  # the player sees files by their paths


_INSTALLED = Machine()
PAGE = Machine("this browser", page=True, programs=False, mail=False, folders=False)


def get_machine() -> Machine:
    """Return the machine of this process."""
    return PAGE if sys.platform == "emscripten" else _INSTALLED


def name_file(path: Path, otherwise: str = "your message, to copy or save below") -> str:
    """Return the path of a file as text. Return ``otherwise`` in a web page, where the player sees no files."""
    return str(path) if get_machine().folders else otherwise


def leave_out_commands(text: str) -> str:
    """Return a message; in a web page, without parts that name a command, because pages have no terminal."""
    if get_machine().programs or "'kursk " not in text:
        return text
    parts = [part for part in re.split(r"(?<=[:;,.]) ", text) if "'kursk " not in part]
    return " ".join(parts).rstrip(" :;,")


def refuse_officials() -> None:
    """Raise UsageError in a web page, because the host could steal the key of a referee or director."""
    if get_machine().page:
        raise UsageError("the key of a referee or director must stay out of web pages: install kursk-pbem instead")
