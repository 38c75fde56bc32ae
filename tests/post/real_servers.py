"""Debian's Postfix and Dovecot on the loopback, with their own configuration, ports and certificate.

The servers run only during a test. Started by root, Dovecot runs as its own user, otherwise as the caller. Postfix
needs root, or a user namespace (package uidmap).
"""

from __future__ import annotations

import getpass
import grp
import os
import pwd
import re
import shutil
import smtplib
import socket
import ssl
import subprocess
import time
from contextlib import contextmanager, suppress

from helpers.mail_servers import PASSWORD, free_port, write_certificates

DOVECOT = """\
base_dir = @D@/run;state_dir = @D@/run;log_path = @D@/dovecot.log;protocols = imap lmtp;listen = 127.0.0.1
first_valid_uid = 0;default_internal_user = @USER@;default_internal_group = @GROUP@;default_login_user = @USER@
mail_location = maildir:~/Maildir;ssl = required;ssl_cert = <@D@/cert.pem;ssl_key = <@D@/key.pem
mail_plugins = quota;plugin {;quota = maildir:all;}
passdb {;driver = passwd-file;args = scheme=PLAIN username_format=%n @D@/users;}
userdb {;driver = passwd-file;args = username_format=%n @D@/users
override_fields = uid=@USER@ gid=@GROUP@ home=@D@/mail/%n;}
service imap-login {;chroot =;inet_listener imap {;port = 0;};inet_listener imaps {;port = @IMAPS@;};}
service anvil {;chroot =;};service lmtp {;inet_listener lmtp {;port = @LMTP@;};}
service auth {;inet_listener sasl {;port = @SASL@;};}
"""
MAIN = """\
compatibility_level = 3.6;queue_directory = @D@/queue;data_directory = @D@/data;maillog_file = @D@/postfix.log
maillog_file_prefixes = @D@;inet_interfaces = 127.0.0.1;myhostname = mail.example.test;alias_maps =
local_recipient_maps =;minimal_backoff_time = 1s;queue_run_delay = 1s;service_throttle_time = 1s
message_size_limit = 8388608
virtual_mailbox_domains = example.test;virtual_mailbox_maps = static:1
virtual_transport = lmtp:inet:127.0.0.1:@LMTP@;default_transport = error:nothing leaves this test
smtpd_tls_cert_file = @D@/cert.pem;smtpd_tls_key_file = @D@/key.pem;smtpd_tls_security_level = encrypt
smtpd_sasl_auth_enable = yes;smtpd_sasl_type = dovecot;smtpd_sasl_path = inet:127.0.0.1:@SASL@
smtpd_recipient_restrictions = check_recipient_access inline:{{grey@example.test = 450 later},\
{hard@example.test = 550 never}}, permit_sasl_authenticated, reject
"""
MASTER = """\
127.0.0.1:@SMTP@ inet n - n - - smtpd;cleanup unix n - n - 0 cleanup;qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite;bounce unix - - n - 0 bounce;defer unix - - n - 0 bounce
trace unix - - n - 0 bounce;error unix - - n - - error;retry unix - - n - - error
tlsmgr unix - - n 1000? 1 tlsmgr;lmtp unix - - n - - lmtp;postlog unix-dgram n - n - 1 postlogd
"""


def find_missing():
    """Return why the servers cannot start here, or ''."""
    programs = [name for name in ("postfix", "dovecot", "openssl") if not find_program(name)]
    if programs:
        return f"{', '.join(programs)} not installed (apt-get install postfix dovecot-imapd dovecot-lmtpd)"
    if os.getuid() and subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode:
        return "Postfix wants to be root, or a user namespace (package uidmap)"
    return ""


NAMESPACE = ("unshare", "--user", "--map-root-user", "--map-auto")


def find_program(name):
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


class Servers:
    """Both servers in a folder; everybody@example.test has a mailbox."""

    def __init__(self, folder, *users):
        self.folder, self.users = folder, users
        self.ports = {name: free_port() for name in ("IMAPS", "LMTP", "SASL", "SMTP")}

    def __enter__(self):
        self._write()
        self.start()
        return self

    def __exit__(self, *_error):
        self.stop()

    @property
    def imap(self):
        return self.ports["IMAPS"]

    @property
    def smtp(self):
        return self.ports["SMTP"]

    def _write(self):
        here = self.folder
        for path in (here, *here.parents):
            with suppress(OSError):
                path.chmod(path.stat().st_mode | 0o755)
        for name in ("run", "mail", "queue", "data", "pf"):
            (here / name).mkdir()
        write_certificates(here)
        (here / "key.pem").chmod(0o600)
        words = {"D": str(here), **{name: str(port) for name, port in self.ports.items()}}
        words["USER"] = "dovecot" if os.getuid() == 0 else getpass.getuser()
        entry = pwd.getpwnam(words["USER"])
        words["GROUP"] = grp.getgrgid(entry.pw_gid).gr_name
        for name, text in (("dovecot.conf", DOVECOT), ("pf/main.cf", MAIN), ("pf/master.cf", MASTER)):
            filled = re.sub("@([A-Z]+)@", lambda word: words[word[1]], text)
            (here / name).write_text(filled.replace(";", "\n"), encoding="ascii")
        lines = [f"{user}:{{PLAIN}}{PASSWORD}::::::" for user in (*self.users, "grey", "hard")]
        lines.append(f"full:{{PLAIN}}{PASSWORD}::::::userdb_quota_rule=*:storage=1K")
        (here / "users").write_text("\n".join([*lines, ""]), encoding="ascii")
        if os.getuid() == 0:
            os.chown(here / "mail", entry.pw_uid, entry.pw_gid)
            os.chown(here / "data", pwd.getpwnam("postfix").pw_uid, -1)

    def _run(self, *words, check=True):
        first = find_program(words[0])
        inside = NAMESPACE if os.getuid() and words[0] == "postfix" else ()
        with (self.folder / "said").open("wb") as said:  # no pipe: the running servers would keep the pipe open
            command = [*inside, first, *words[1:]]
            done = subprocess.run(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, check=False, timeout=60)
        assert not check or done.returncode == 0, (words, (self.folder / "said").read_bytes(), self.log())

    def start(self, *names):
        """Start servers by name, or both, and wait for their answer."""
        for name in names or ("dovecot", "postfix"):
            self._run(name, "-c", self._folder(name), *(["start"] if name == "postfix" else []))
        for port in self.ports.values():
            wait(port)
        wait_for_greeting(self.smtp)

    def stop(self, *names, check=False):
        """Stop servers by their own pid files."""
        for name in names or ("postfix", "dovecot"):
            self._run(name, "-c", self._folder(name), "stop", check=check)

    def _folder(self, name):
        return str(self.folder / ("pf" if name == "postfix" else "dovecot.conf"))

    def log(self):
        """Return the ends of both logs, for a failing test."""
        logs = (self.folder / "dovecot.log", self.folder / "postfix.log")
        return "\n".join(path.read_text("utf-8", "replace")[-3000:] for path in logs if path.exists())

    def context(self):
        return ssl.create_default_context(cafile=self.folder / "ca.pem")

    def deliver(self, raw, sender, *readers):
        """Deliver a mail of any sender by the server."""
        with smtplib.SMTP("localhost", self.smtp, timeout=30) as smtp:
            smtp.starttls(context=self.context())
            smtp.login(sender.partition("@")[0], PASSWORD)
            smtp.sendmail(sender, readers, raw)

    @contextmanager
    def client(self, user):
        """Yield a client of a user's mailbox."""
        from imapclient import IMAPClient  # noqa: PLC0415

        with IMAPClient("localhost", self.imap, ssl=True, ssl_context=self.context(), timeout=60) as client:
            client.login(user, PASSWORD)
            client.select_folder("INBOX")
            yield client

    def mailbox(self, user):
        """Return the mails of a user's mailbox, in order of arrival."""
        with self.client(user) as client:
            uids = client.search()
            found = client.fetch(uids, [b"BODY.PEEK[]", b"FLAGS"]) if uids else {}
        return [(found[uid][b"BODY[]"], found[uid][b"FLAGS"]) for uid in sorted(found)]

    def arrived(self, user, number, seconds=20):
        """Wait for ``number`` mails in a mailbox; return them."""
        for _time in range(10 * seconds):
            if len(mails := self.mailbox(user)) >= number:
                return mails
            time.sleep(0.1)
        raise AssertionError((user, number, len(mails), self.log()))


def wait(port):
    for _time in range(200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError(f"nothing answers on port {port}")


def wait_for_greeting(port):
    """Wait until Postfix greets: Postfix accepts connections before its link to Dovecot runs."""
    for _time in range(60):
        with suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", port, timeout=3):
            return
        time.sleep(0.5)
    raise AssertionError(f"no greeting on port {port}")
