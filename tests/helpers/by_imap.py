"""A director whose mailbox is fetched from an IMAP server: only then it shows which mails are never asked for."""

from helpers import mail_servers
from kursk_pbem.post.servers import account as accounts


def fetches(world, certificates, imap):
    """From now on; the server holds what comes for them."""
    director = world.director
    made = accounts.Account(
        director.address,
        accounts.Server("localhost", imap.port, "tls", "ref"),
        None,
        arrival=("mx.example.test",),
        games=director.friend.place,
        days=3660,
        password_command=("echo", mail_servers.PASSWORD),
        ca_file=str(certificates / "ca.pem"),
    )
    sits = director.sits

    def with_account():
        sits()
        director.errand.account = made

    def fetch():
        for _arrives, raw in director.office.take(director.address):
            imap.add(raw)
        with director.errand.mailbox() as client:
            director.errand.fetch(client)

    director.sits, director.fetch = with_account, fetch
    director.sits()
