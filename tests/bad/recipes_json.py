"""The form for auditors with wrong canonical JSON or wrong signatures (protocol 3.1, 3.4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from bad.bad_desk import Bad, Base
from bad.bad_text import Change, only, swap
from kursk_pbem.trust import sshsig

AT, COMMAND = "archive 8", "verify"
DOT = b"\xd0\xa3"  # a letter in UTF-8


def _signature(name: str, text: Callable[[Base], str]) -> Callable[[Base], Mapping[str, bytes]]:
    return lambda base: {f"{name}.sig": text(base).encode("utf-8")}


def archived(name: str, change: Change) -> tuple[str, Bad]:
    """Return message 4 in canonical form, changed, with its old good signature."""
    beside = _signature(name, lambda base: str(base.read[4].armour))
    return name, Bad(COMMAND, AT, lambda base: change(base.read[4].signed), beside=beside)


def written(name: str, change: Callable[[Any], Any], **options: Any) -> tuple[str, Bad]:
    """Return message 4 with another content or by another JSON writer, and signed in this form."""

    def made(base: Base) -> bytes:
        content = change(base.content(4))
        form = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False, **options}
        return json.dumps(content, **form).encode("utf-8")

    def beside(base: Base) -> Mapping[str, bytes]:
        return {f"{name}.sig": base.signers["german"].sign(sshsig.NAMESPACE, made(base)).encode("ascii")}

    return name, Bad(COMMAND, AT, made, beside=beside)


def with_signature(name: str, text: Callable[[Base], str]) -> tuple[str, Bad]:
    """Return the correct message 4 with another signature."""
    return name, Bad(COMMAND, AT, lambda base: base.read[4].signed, beside=_signature(name, text))


def set_(**fields: Any) -> Callable[[Any], Any]:
    return lambda content: {**content, **{key.replace("_", "-"): value for key, value in fields.items()}}


def same(content: Any) -> Any:
    return content


FILES: dict[str, Bad] = dict(
    (
        archived("blank-after-a-comma.json", lambda text: text.replace(b",", b", ", 1)),
        archived("blank-at-the-end.json", lambda text: text + b" "),
        archived("newline-at-the-end.json", lambda text: text + b"\n"),
        archived("byte-order-mark.json", lambda text: b"\xef\xbb\xbf" + text),
        archived("utf-16.json", lambda text: text.decode("utf-8").encode("utf-16")),
        archived("latin-1.json", swap('"from":"german"', b'"from":"german","note":"Gr\xfc\xdfe"')),
        archived("key-twice.json", swap('"from":"german"', '"from":"german","from":"german"')),
        archived("key-twice-inside.json", swap('"izyum/combat":"1"', '"izyum/combat":"1","izyum/combat":"6"')),
        archived("keys-in-another-order.json", swap('"seq":"4"', '"zeq":"4"')),
        archived("number.json", swap('"seq":"4"', '"seq":4')),
        archived("fraction.json", swap('"seq":"4"', '"seq":4.0')),
        archived("true.json", swap('"from":"german"', '"from":true')),
        archived("null.json", swap('"from":"german"', '"from":null')),
        archived("not-a-number.json", swap('"seq":"4"', '"seq":NaN')),
        archived("infinity.json", swap('"seq":"4"', '"seq":-Infinity')),
        archived("escaped-letter.json", swap('"from":"german"', r'"from":"germ\u0061n"')),
        archived("escaped-slash.json", swap('"izyum/combat"', r'"izyum\/combat"')),
        archived("escape-of-half-a-letter.json", swap('"from":"german"', r'"from":"german\ud800"')),
        archived("control-character.json", swap('"from":"german"', b'"from":"ger\x01man"')),
        archived("single-quotes.json", lambda text: text.replace(b'"', b"'")),
        archived("comma-at-the-end.json", lambda text: text[:-1] + b",}"),
        archived("comment.json", lambda text: b"/* mine */" + text),
        archived("cut-off.json", lambda text: text[: len(text) // 2]),
        archived("empty.json", only("")),
        archived("list.json", lambda text: b"[" + text + b"]"),
        archived("text.json", only('"turn"')),
        archived("two.json", lambda text: text + text),
        archived("too-deep.json", swap('"from":"german"', '"from":' + "[" * 13 + '"x"' + "]" * 13)),
        archived("brackets.json", only("[" * 9000)),
        archived("too-long.json", only('{"note":"' + "x" * 262_144 + '"}')),
        archived("text-too-long.json", swap('"from":"german"', '"from":"german","note":"' + "x" * 4097 + '"')),
        archived("yaml.json", only("kursk-pbem: '1'\ntype: turn\n")),
        written("indented.json", same, indent=1),
        written("letters-escaped.json", set_(note="\u0423"), ensure_ascii=True),
        written("keys-not-sorted.json", same, sort_keys=False),
        written("signature-inside.json", set_(signature="mine")),
        written("position-inside.json", set_(state={"type": "state"})),
        written("field-unknown.json", set_(win="yes")),
        written("field-wrong.json", set_(seq="four")),
        written("letter-in-a-field.json", set_(waive="\u0423")),
        written("override-in-a-note.json", set_(note="\u202e")),
        written("line-end-in-a-field.json", set_(waive="a\nb")),
        with_signature("signature-of-another.json", lambda base: str(base.read[2].armour)),
        with_signature(
            "signature-of-the-other-side.json",
            lambda base: base.signers["russian"].sign(sshsig.NAMESPACE, base.read[4].signed),
        ),
        with_signature("signature-for-git.json", lambda base: base.signers["german"].sign("git", base.read[4].signed)),
        with_signature("signature-empty.json", lambda _base: ""),
        with_signature("signature-in-other-letters.json", lambda base: str(base.read[4].armour).replace("A", "\u0410")),
        with_signature("signature-twice.json", lambda base: str(base.read[4].armour) * 2),
        ("signature-missing.json", Bad(COMMAND, AT, lambda base: base.read[4].signed)),
    )
)
