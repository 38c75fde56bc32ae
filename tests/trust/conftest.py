"""The demonstration as mailed, for tests of mails, and as exported, for tests of auditors."""

import pytest

from kursk_pbem.audit import export
from kursk_pbem.trust import keys as ssh_keys
from kursk_pbem.trust import messages


@pytest.fixture(scope="session")
def demo(demo_folder):
    """The eight messages of the demonstration, as mailed."""
    return [path.read_bytes() for path in sorted(demo_folder.glob("german/game-*/[0-9][0-9][0-9][0-9].yaml"))]


@pytest.fixture(scope="session")
def turn(demo):
    """Return a mail of the demonstration."""
    return demo[4]


@pytest.fixture(scope="session")
def keys(demo):
    """The public keys of its two sides."""
    return messages.read_message(demo[0], "0000.yaml").content["keys"]


@pytest.fixture(scope="session")
def archive(demo_folder, tmp_path_factory):
    """The demonstration in archive form. Only to be read."""
    out = tmp_path_factory.mktemp("archive") / "demo"
    export.export(next((demo_folder / "german").glob("game-*")), out)
    return out


@pytest.fixture(scope="session")
def signers(demo_folder):
    return {side: ssh_keys.load_key(demo_folder / side / "me") for side in ("german", "russian")}
