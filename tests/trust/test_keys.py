"""Keys in files, with a passphrase, in an agent; and keys that are of no use."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust.sshsig import NAMESPACE

DATA = b"some text"
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
posix = pytest.mark.skipif(sys.platform == "win32", reason="modes, sockets and askpass scripts of POSIX")


def keygen(*arguments: object) -> None:
    subprocess.run(["ssh-keygen", "-q", *map(str, arguments)], check=True, capture_output=True)


def good(signer: keys.Signer) -> bool:
    return len(sshsig.verify(signer.public, NAMESPACE, DATA, signer.sign(NAMESPACE, DATA))) == 64


@posix
def test_3_5_generated_pair_is_private_and_loads(tmp_path):
    public = keys.generate_key_pair(tmp_path / "key", os.urandom(32), "german 1943")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert (tmp_path / "key.pub").read_text(encoding="ascii") == f"{public} german 1943\n"
    assert keys.read_public(tmp_path / "key.pub") == public == keys.load_key(tmp_path / "key").public
    assert good(keys.load_key(tmp_path / "key"))


@pytest.mark.parametrize("there", ["key", "key.pub"])
def test_3_5_keys_are_never_overwritten(tmp_path, there):
    (tmp_path / there).write_text("precious", encoding="ascii")
    with pytest.raises(UsageError, match="never overwritten"):
        keys.generate_key_pair(tmp_path / "key", os.urandom(32))
    with pytest.raises(UsageError, match="cannot be written"):
        keys.generate_key_pair(tmp_path / "no" / "key", os.urandom(32))
    assert [p.name for p in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text(encoding="ascii") == "precious"


@posix
def test_3_5_full_disk_leaves_no_empty_key(tmp_path):
    """Bug: an empty key stayed, and the message named no file."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(UsageError, match="key cannot be written: File too large"):
            keys.generate_key_pair(tmp_path / "key", os.urandom(32))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n",
            "no usable key",
        ),
        (None, "there is no key file .*; name yours with --key"),
    ],
)
def test_3_5_file_that_is_no_key_is_refused(tmp_path, content, words):
    """tests/bad/keys.yaml holds more of them, by command."""
    if content is not None:
        (tmp_path / "key").write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        keys.load_key(tmp_path / "key")


@needs_ssh_keygen
def test_3_5_plain_key_of_ssh_keygen_is_loaded_without_it(tmp_path, monkeypatch):
    keygen("-t", "ed25519", "-N", "", "-f", tmp_path / "key")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert good(keys.load_key(tmp_path / "key"))


@needs_ssh_keygen
@posix
def test_3_5_key_with_a_passphrase_signs_through_ssh_keygen(tmp_path, monkeypatch):
    keygen("-t", "ed25519", "-N", "secret", "-a", "1", "-f", tmp_path / "key")
    (tmp_path / "key.pub").unlink()  # the private file names its public half in the clear
    answer(tmp_path, monkeypatch, "secret")
    signer = keys.load_key(tmp_path / "key")
    assert good(signer)
    answer(tmp_path, monkeypatch, "wrong")
    with pytest.raises(UsageError, match="check the passphrase"):
        signer.sign(NAMESPACE, DATA)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="install OpenSSH"):
        signer.sign(NAMESPACE, DATA)


def answer(tmp_path, monkeypatch, passphrase: str) -> None:
    script = tmp_path / "askpass"
    script.write_text(f"#!/bin/sh\necho {passphrase}\n", encoding="ascii")
    script.chmod(0o700)
    monkeypatch.setenv("SSH_ASKPASS", str(script))
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)


@pytest.fixture
def agent(tmp_path, monkeypatch):
    if shutil.which("ssh-agent") is None or sys.platform == "win32":
        pytest.skip("ssh-agent is not installed")
    socket = tmp_path / "s"
    if len(str(socket)) > 100:
        pytest.skip("the temporary folder's name is too long for a socket")
    process = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.DEVNULL)
    for _ in range(100):
        if socket.exists():
            break
        time.sleep(0.05)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
    yield
    process.terminate()
    process.wait()


@needs_ssh_keygen
@pytest.mark.usefixtures("agent")
def test_3_5_key_in_the_agent_signs_with_only_its_pub_file_here(tmp_path):
    keygen("-t", "ed25519", "-N", "", "-f", tmp_path / "key")
    plain = keys.load_key(tmp_path / "key").sign(NAMESPACE, DATA)
    subprocess.run(["ssh-add", "-q", str(tmp_path / "key")], check=True, capture_output=True)
    (tmp_path / "key").unlink()
    assert keys.load_key(tmp_path / "key.pub").sign(NAMESPACE, DATA) == plain
    keys.generate_key_pair(tmp_path / "other", os.urandom(32))
    (tmp_path / "other").unlink()
    with pytest.raises(UsageError, match="ssh-add -l"):
        keys.load_key(tmp_path / "other.pub").sign(NAMESPACE, DATA)
