"""Files that are not strict YAML (protocol 4.1 to 4.3): players' drafts, and worse."""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import ACCEPT, add, draft, rewrite, spoil_mail, swap

SEAL = "seal: {posture/turn-1: {posture: deploy, reaction: 'no'}}\n"
FORBIDDEN = {  # a letter of every range of 4.3, as an escape in a note
    "c0": r"\x07",
    "escape": r"\e",
    "tab": r"\t",
    "return": r"\r",
    "delete": r"\x7f",
    "c1": r"\x9b",
    "next-line": r"\N",
    "soft-hyphen": r"\u00ad",
    "arabic-number": r"\u0600",
    "arabic-mark": r"\u061c",
    "arabic-end": r"\u06dd",
    "syriac": r"\u070f",
    "mongolian": r"\u180e",
    "zero-width": r"\u200b",
    "right-to-left": r"\u200f",
    "line-separator": r"\u2028",
    "override": r"\u202e",
    "joiner": r"\u2060",
    "isolate": r"\u2066",
    "surrogate": r"\ud800",
    "private": r"\ue000",
    "no-letter": r"\ufdd0",
    "bom": r"\ufeff",
    "grapheme-joiner": r"\u034f",
    "hangul-filler": r"\u3164",
    "khmer-vowel": r"\u17b4",
    "braille-blank": r"\u2800",
    "selector": r"\ufe0f",
    "mongolian-selector": r"\u180b",
    "kaithi": r"\U000110BD",
    "musical": r"\U0001D173",
    "interlinear": r"\ufff9",
    "replacement": r"\ufffd",
    "tag-letter": r"\U000E0041",
    "last": r"\U0010FFFF",
}

# Plain words with a meaning in other readers (4.1): the program keeps and shows the text.
TYPED = {
    "octal": ("seq: '1'", "seq: 01"),
    "hexadecimal": ("seq: '1'", "seq: 0x1"),
    "binary": ("seq: '1'", "seq: 0b1"),
    "underscore": ("seq: '1'", "seq: 1_0"),
    "sign": ("seq: '1'", "seq: +1"),
    "fraction": ("seq: '1'", "seq: 1.0"),
    "exponent": ("seq: '1'", "seq: 1.0e+0"),
    "infinity": ("seq: '1'", "seq: .inf"),
    "sexagesimal": ("seq: '1'", "seq: 12:30"),
    "date": ("seq: '1'", "seq: 1943-07-05"),
    "true": ("reaction: 'no'", "reaction: NO"),
    "null": ("reaction: 'no'", "reaction: ~"),
    "nothing": ("from: russian", "from:"),
    "merge": (SEAL, f"{SEAL}<<: {{waive: posture}}\n"),
}

FILES: dict[str, Bad] = {
    # The bytes
    "tab.yaml": draft(swap("seq: ", "seq:\t")),
    "tab-indents.yaml": draft(swap("  distribution:", "\tdistribution:")),
    "nul.yaml": draft(add("note: a\0b\n")),
    "escape-byte.yaml": draft(add("note: a\x1b[31mred\n")),
    "delete-byte.yaml": draft(add("note: a\x7f\n")),
    "form-feed.yaml": draft(add("\f\n")),
    "latin-1.yaml": draft(add("note: Grüße\n".encode("latin-1"))),
    "curly-quotes.yaml": draft(swap("reaction: 'no'", "reaction: \u2018no\u2019")),
    "too-long.yaml": draft(add("# " + "x" * 70 + "\n" + "#\n" * 131_072)),
    "empty.yaml": draft(rewrite("")),
    "blank.yaml": draft(rewrite("\n \n\n")),
    "comments-alone.yaml": draft(rewrite("# nothing to say\n# this time\n")),
    # YAML that turn files forbid
    "anchor.yaml": draft(swap("type: accept", "type: &kind accept")),
    "alias.yaml": draft(swap("from: russian", "from: *kind")),
    "bomb.yaml": draft(
        add(
            "note: &a [x, x]\n"
            + "".join(
                f"{two}: &{two} [*{one}, *{one}, *{one}]\n" for one, two in zip("abcdefgh", "bcdefghi", strict=True)
            )
        )
    ),
    "tag.yaml": draft(swap("seq: '1'", "seq: !!int '1'")),
    "tag-of-a-list.yaml": draft(swap("  distribution:", "  distribution: !!set")),
    "tag-of-bytes.yaml": draft(add("note: !!binary aGVsbG8=\n")),
    "tag-of-python.yaml": draft(add("note: !!python/object/apply:os.system [ls]\n")),
    "directive.yaml": draft(lambda text: b"%YAML 1.2\n---\n" + text),
    "directive-of-tags.yaml": draft(lambda text: b"%TAG ! tag:example.org,2000:\n---\n" + text),
    "two-documents.yaml": draft(add("---\nnote: one more thing\n")),
    "list.yaml": draft(rewrite("- kursk-pbem: '1'\n- type: accept\n")),
    "words.yaml": draft(rewrite("I advance on Kursk.\n")),
    "list-as-key.yaml": draft(add("? [note]\n: hello\n")),
    "mapping-as-key.yaml": draft(add("{note: a}: hello\n")),
    "key-twice.yaml": draft(add("seq: '1'\n")),
    "key-twice-in-a-line.yaml": draft(swap("reaction: 'no'", "posture: engage")),
    "key-twice-in-other-quotes.yaml": draft(add("'1': a\n1: b\n")),
    "too-deep.yaml": draft(add("note: " + "[" * 12 + "x" + "]" * 12 + "\n")),
    "brackets.yaml": draft(add("note: " + "[" * 3000 + "\n")),
    "too-many-values.yaml": draft(add("note: [" + "a, " * 20_000 + "a]\n")),
    "text-too-long.yaml": draft(add("note: " + "x" * 4097 + "\n")),
    # Characters that machine fields forbid
    "zero-in-a-field.yaml": draft(swap("type: accept", r'type: "accept\0"')),
    "override-in-a-field.yaml": draft(swap("from: russian", r'from: "\u202enaissur"')),
    "other-letter-in-a-field.yaml": draft(swap("from: russian", r'from: "russi\u0430n"')),
    "other-letter-in-a-key.yaml": draft(add(r'"n\u043fte": hello' + "\n")),
    "other-letter-below-orders.yaml": draft(swap("orders:\n", 'orders:\n  note: "\\u0423"\n')),
    "line-end-in-a-field.yaml": draft(swap("from: russian", r'from: "russian\n"')),
    "block-in-a-field.yaml": draft(swap("from: russian", "from: |\n  russian")),
    "line-not-indented.yaml": draft(swap(SEAL, "seal: >\n\n  posture\n\n  deploy\n")),
    **{f"note-{name}.yaml": draft(add(f'note: "a{escape}b"\n')) for name, escape in FORBIDDEN.items()},
    # Broken YAML
    "quote-not-closed.yaml": draft(swap("seq: '1'", "seq: '1")),
    "double-quote-not-closed.yaml": draft(add('note: "until tomorrow\n')),
    "bracket-not-closed.yaml": draft(swap("reaction: 'no'}}", "reaction: 'no'}")),
    "list-not-closed.yaml": draft(swap("r-5-sh]", "r-5-sh")),
    "bracket-too-many.yaml": draft(swap("reaction: 'no'}}", "reaction: 'no'}}}")),
    "colon-in-a-word.yaml": draft(add("note: to Boris: hello\n")),
    "no-blank-after-the-colon.yaml": draft(swap("type: accept", "type:accept")),
    "no-colon.yaml": draft(swap("from: russian", "from russian")),
    "indented-too-far.yaml": draft(swap("seq: '1'", "  seq: '1'")),
    "indented-too-little.yaml": draft(swap("  distribution:", " # here\n - distribution:")),
    "dash-without-blank.yaml": draft(add("decisions:\n  - a\n  -b\n  c: d\n")),
    "at-sign.yaml": draft(add("note: @Boris\n")),
    "backtick.yaml": draft(add("note: `hello`\n")),
    "percent.yaml": draft(add("note: %d\n")),
    "unknown-escape.yaml": draft(add(r'note: "C:\kursk"' + "\n")),
    "short-escape.yaml": draft(add(r'note: "\u12"' + "\n")),
    "escape-of-no-letter.yaml": draft(add(r'note: "\UFFFFFFFF"' + "\n")),
    "quote-in-quotes.yaml": draft(add("note: 'it's me'\n")),
    "words-after-quotes.yaml": draft(add("note: 'hello' Boris\n")),
    "cut-off.yaml": draft(lambda text: text[: len(text) // 2]),
    # Values that other YAML readers understand differently
    **{f"typed-{name}.yaml": draft(swap(*words)) for name, words in TYPED.items()},
    # The bytes of mailed files
    "mailed-tab.yaml": spoil_mail(4, swap("seq: ", "seq:\t"), "russian 0"),
    "mailed-utf-8.yaml": spoil_mail(4, swap("seq: '4'", "seq: '4'\nnote: Grüße"), "russian 0"),
    "mailed-key-twice.yaml": spoil_mail(4, swap("seq: '4'", "seq: '4'\nseq: '4'"), "russian 0"),
    "mailed-anchor.yaml": spoil_mail(4, swap("seq: '4'", "seq: &n '4'"), "russian 0"),
    "mailed-zero-in-a-field.yaml": spoil_mail(4, swap("from: german", r'from: "german\0"'), "russian 0"),
    "mailed-cut-off.yaml": spoil_mail(4, lambda text: text[:700], "russian 0"),
    "mailed-empty.yaml": spoil_mail(4, rewrite(""), "russian 0"),
    "mailed-words.yaml": spoil_mail(4, rewrite("Hello Boris,\n\nmy turn comes tomorrow.\n"), "russian 0"),
    "name-override.yaml": spoil_mail(0, swap("german: Anna", r'german: "Anna\u202e"'), "russian 0", ACCEPT),
    "name-escape.yaml": spoil_mail(0, swap("german: Anna", r'german: "\e[2JAnna"'), "russian 0", ACCEPT),
}
