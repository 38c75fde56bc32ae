"""The zip of a saved folder: names, the list with hashes, and the signature over the list (docs/formats.md, 6.2)."""

from __future__ import annotations

import io
import json
import posixpath
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import SECOND
from kursk_pbem.errors import TOO_EARLY, EarlyError, FileError, KurskError, TrustError
from kursk_pbem.formats import zipped
from kursk_pbem.formats.canonical import canon, is_too_deep, sha256_hex
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import keys, sshsig

FORM, NAMESPACE = "2", "kursk-pbem-saved"
"""The version of the list's form, new in release 1.0, and the namespace of the signature."""
MANIFEST, SIGNATURE, SAVED = "kursk-saved.json", "kursk-saved.json.sig", "saved.json"
"""The list and its signature, the first files in the zip; and the private folder's file with times of saving."""
MAX_BYTES, MAX_FILES = 128 << 20, 20_000
"""Maximum bytes, packed or unpacked, and maximum number of files of a saved folder."""
_PART = r"[\w@+=,-][\w@+=,. -]*(?<![. ])"
_NAME = re.compile(rf"{_PART}(/{_PART})*", re.ASCII)
RECORD = re.compile(rf"({SECOND}/)?games/[0-9a-f]{{16}}/game\.json|{remembered.FILE}")
"""Files that name a key and perhaps a game folder by relative paths."""
PLACE = re.compile(rf"({SECOND}/)?games/[0-9a-f]{{16}}")
SECRETS = re.compile(rf"{PLACE.pattern}/journal/")
"""Pattern of a journal's entries. Entries are rebuilt from key and messages."""
CONTAINER = re.compile(r"(post|tournaments|.*?(?:^|/)(?:games/|game-)[0-9a-f]{16})/")
"""A folder that is opened completely or not at all: mail, tournaments, a game's record, or a game folder."""
_NO_PLACE = re.compile(r"games/|post/|tournaments/|invitations/")
_FIXED = re.compile(rf"(.*/)?(games/.*|{remembered.FILE})")
_STAYS = re.compile(rf"(.*/)?({SAVED}|{MANIFEST}|{SIGNATURE}|board-[0-9]+\.html|post/account\.toml|lock|verified|pass)")
"""Marks, caches, permissions, and the mail account, because its settings can name programs."""


@frozen
class Saved:
    """A saved folder that was read. ``files``: name -> content. ``faults``: names of files that differ from the list.

    ``signer``: public key of the signature, or ''. ``name``: the name the owner claims. ``digest``: SHA-256 of the zip.
    """

    files: Mapping[str, bytes]
    signer: str
    name: str
    faults: tuple[str, ...]
    digest: str


def can_travel(name: str) -> bool:
    """Return whether a saved folder may contain this file name. Folders and known files must be in lower case."""
    low = name.casefold()
    folder, _, file = name.rpartition("/")
    exact = name == low if _FIXED.fullmatch(low) else folder == folder.casefold()
    return bool(file and exact and _NAME.fullmatch(name)) and not _STAYS.fullmatch(low)


def find_base(name: str) -> str:
    """Return the private folder for a record in the zip: the player's folder, or a second player's folder."""
    return SECOND if name.startswith(f"{SECOND}/") else "."


def parse(data: bytes) -> dict[str, Any]:
    """Return the object in a small JSON file, {} if the file is damaged."""
    try:
        told = {} if is_too_deep(data) else dict(json.loads(data))
        canon(told)  # a half of a surrogate pair cannot be shown
    except (ValueError, TypeError):
        return {}
    return told


def list_records(packed: Mapping[str, bytes]) -> list[str]:
    """Return the saved records of games in the zip (those with a ``game.json``), such as ``games/1a2b3c4d5e6f7081``."""
    records = (name.removesuffix("/game.json") for name in sorted(packed) if name.endswith("/game.json"))
    return [record for record in records if PLACE.fullmatch(record)]


def find_place(packed: Mapping[str, bytes], name: str, kind: str) -> str:
    """Return the place in the zip of a record's folder or key. Raises FileError if the place is outside the zip."""
    place = posixpath.normpath(posixpath.join(find_base(name), str(parse(packed.get(name, b"")).get(kind))))
    wrong = _NO_PLACE.match(place) or (kind == "folder" and place.rpartition("/")[2] != f"game-{name[-26:-10]}")
    if wrong or not can_travel(place):
        raise FileError(f"{name} names a place outside the saved folder: {show(place)}")
    return place


def write_zip(packed: Mapping[str, bytes], told: Mapping[str, str], home: Path, key: Path | None) -> tuple[bytes, str]:
    """Return the zip of a saved folder, and the reason if unsigned, or ''. ``key``: signs if no key is remembered."""
    listed = {"files": {name: sha256_hex(data) for name, data in packed.items()}}
    manifest, armour, why = canon({"kursk-saved": FORM, **told, **listed}), "", "no key of yours is remembered here"
    try:
        last = remembered.recall(home)
        manifest = canon({"kursk-saved": FORM, **told, **listed, "name": last.name})
        if key := last.key or key:
            armour = keys.load_key(key).sign(NAMESPACE, manifest)
    except KurskError as error:
        why = str(error)
    first = [(MANIFEST, manifest), *([(SIGNATURE, armour.encode("ascii"))] if armour else [])]
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*first, *sorted(packed.items())]:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)  # with a fixed date
    return saved.getvalue(), "" if armour else why


def read_zip(raw: bytes) -> Saved:
    """Return a saved folder. Raises FileError for a damaged or hostile zip, or a wrong signature."""
    folded, damaged = set[str](), "the file is no zip, or it is damaged: save everything again. Nothing was changed"

    def want(info: zipfile.ZipInfo) -> bool:
        name = info.orig_filename
        if not zipped.is_ordinary(info) or not _NAME.fullmatch(name) or name.casefold() in folded:
            raise FileError(f"the saved folder contains {show(name)}, an unsafe name or link; nothing was changed")
        folded.add(name.casefold())
        return True

    packed = dict(zipped.read_zip(raw, MAX_BYTES, MAX_FILES, want, damaged))
    manifest, armour = packed.pop(MANIFEST, b""), packed.pop(SIGNATURE, b"").decode("ascii", "replace")
    told, signer = parse(manifest), ""
    hashes, listed = {name: sha256_hex(data) for name, data in packed.items()}, told.get("files")
    if told.get("kursk-saved") == "1":
        raise EarlyError(f"the saved folder {TOO_EARLY}. Nothing was changed")
    if told.get("kursk-saved") != FORM or not isinstance(listed, dict):
        raise FileError("the zip is no complete saved folder of this version; 'Save everything' makes a new zip")
    if armour:
        try:
            sshsig.verify(signer := sshsig.find_signer(armour), NAMESPACE, manifest, armour)
        except TrustError:
            raise FileError("the saved folder was changed after it was signed; nothing was opened") from None
    faults = [name for name in sorted({*hashes, *listed}) if hashes.get(name) != listed.get(name)]
    packed = {name: data for name, data in packed.items() if can_travel(name) and name not in faults}
    if remembered.FILE in packed:
        find_place(packed, remembered.FILE, "key")
    name = " ".join(str(told.get("name", "")).split())[:60]
    return Saved(packed, signer, name, tuple(faults), sha256_hex(raw))
