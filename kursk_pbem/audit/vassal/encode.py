"""The text of VASSAL's saved games: sequences inside sequences, commands, hidden text.

The form is that of VASSAL 3.5 (``VASSAL.tools.SequenceEncoder``, ``ObfuscatingOutputStream``). A trait of a counter
contains the next trait, each escaped once more.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence

ESCAPE = "\x1b"
"""The separator of commands."""
VERSION = "3.5.0"
"""The oldest version of VASSAL that reads the files. Later versions open them without a warning."""
MARK, KEY = "!VCSK", 0x5A
"""The beginning of an obfuscated text, and the key with which this program obfuscates."""
_DATE = (1980, 1, 1, 0, 0, 0)


def join_parts(parts: Iterable[object], mark: str) -> str:
    """Join the parts of a sequence with ``mark`` into one text, with the quotes and escapes that VASSAL reads."""
    found = []
    for part in map(str, parts):
        escaped = part.replace(mark, "\\" + mark)
        quoted = part[:1] == "\\" or (part[:1] == part[-1:] == "'")
        found.append(f"'{escaped}'" if quoted else escaped)
    return mark.join(found)


def nest_traits(traits: Sequence[str]) -> str:
    """Return a counter's VASSAL traits as one text, in which each trait contains the next trait of the list."""
    inner = traits[-1]
    for trait in reversed(traits[:-1]):
        inner = join_parts([trait, inner], "\t")
    return inner


def log_step(commands: Sequence[str]) -> str:
    """Return commands as one step of a VASSAL log, each with LOG, because VASSAL 3.6 drops steps without LOG."""
    steps = [f"LOG\t{command}" for command in commands]
    return join_parts(steps, ESCAPE) if len(steps) > 1 else steps[0]


def say(text: str, sign: str = "*") -> str:
    """Return the VASSAL command that writes a line of chat, without line breaks and HTML."""
    plain = re.sub(r"[\x00-\x1f\x7f-\x9f]+", " ", text).translate({ord("<"): "(", ord(">"): ")"})
    return f"CHAT{sign} {plain}"


def describe_file(inner: str) -> str:
    """Return the XML that describes a file to VASSAL. The date is fixed, so that equal games give equal bytes."""
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1">\n<version>1</version>\n<extra1/>\n'
        f"<extra2/>\n<VassalVersion>{VERSION}</VassalVersion>\n<dateSaved>0</dateSaved>\n"
        f"<description>kursk-pbem</description>\n{inner}</data>\n"
    )


def pack(files: Mapping[str, str | bytes]) -> bytes:
    """Pack files into a zip. Equal files give equal bytes, because dates are fixed and nothing is compressed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return packed.getvalue()


def pack_commands(commands: Sequence[str], name: str) -> bytes:
    """Return a saved game or log for VASSAL with these commands. ``name``: the module's name, escaped for XML."""
    text = join_parts(commands, ESCAPE).encode("utf-8")
    hidden = MARK + bytes((KEY, *(byte ^ KEY for byte in text))).hex()
    about = describe_file(f"<name>{name}</name>\n")
    return pack({"savedGame": hidden, "savedata": describe_file(""), "moduledata": about})
