"""Reports of undelivered letters by mail servers."""


def report(mid, reader, *, action="failed", kind="multipart/report; report-type=delivery-status", more=b"", full=False):
    """Return the bytes of a report (RFC 3464) about a letter's Message-ID and the missed reader."""
    code, why = ("5.2.2", "552 5.2.2 Quota exceeded") if full else ("5.1.1", "550 5.1.1 No such user")
    lines = [
        "From: MAILER-DAEMON@example.test",
        "Subject: Undelivered Mail Returned to Sender",
        f'Content-Type: {kind}; boundary="x"',
        "",
        "--x",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mail.example.test",
        "",
        f"Final-Recipient: rfc822; {reader}",
        f"Action: {action}",
        f"Status: {code}",
        f"Diagnostic-Code: smtp; {why} \x1b[31m",
        "",
        "--x",
        "Content-Type: text/rfc822-headers",
        "",
        f"Message-ID: {mid}",
        "",
        "--x--",
        "",
    ]
    return "\r\n".join(lines).encode() + more
