"""Mails for tests, as mail programs write a turn."""

from email.message import EmailMessage

WAYS = ("7bit", "8bit", "quoted-printable", "base64")


def change_lines(change, raw):
    return b"".join(change(line) for line in raw.splitlines(keepends=True))


def quote(raw, mark=b"> "):
    return change_lines(lambda line: mark + line, raw)


def letter(text, charset="utf-8", cte="quoted-printable"):
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Boris <boris@example.org>", "anna@example.org", "kursk-pbem: 1"
    made["Date"] = "Thu, 26 Nov 2026 10:00:00 +0000"
    made.set_content(text, charset=charset, cte=cte)
    return made


def attached(made, turn, kind="application/octet-stream", cte="base64", name="kursk-12345678-0004.yaml"):
    main, _, sub = kind.partition("/")
    if main == "text":
        made.add_attachment(turn.decode("ascii"), subtype=sub, cte=cte, filename=name)
    else:
        made.add_attachment(turn, maintype=main, subtype=sub, cte=cte, filename=name)
    return made
