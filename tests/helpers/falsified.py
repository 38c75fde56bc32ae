"""Falsified messages with a good signature, for tests of audits and proofs."""

from kursk_pbem.game import folders
from kursk_pbem.trust import keys, messages, sshsig


def game_folder(demo, side="german"):
    return next((demo / side).glob("game-*"))


def falsified(demo, record, seq, change, *, state=True):
    """Return message ``seq`` after ``change`` of its content, signed by its correct writer."""
    message = folders.read_message(record.paths[seq])
    content = dict(message.content)
    change(content)
    armour = keys.load_key(demo / message.sender / "me").sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    return messages.emit_message(content, armour, message.state if state else None)


def turn_die(die):
    return str(int(die) % 6 + 1)


def false_die(content):
    label = next(iter(content["dice"]))
    content["dice"] = {**content["dice"], label: turn_die(content["dice"][label])}


def missing_die(content):
    content["dice"] = dict(list(content["dice"].items())[1:])


def surplus_die(content):
    content["dice"] = {**content["dice"], "zzz/combat": "6"}


def state_in(content):
    content["state-in"] = "0" * 64


def state_out(content):
    content["state-out"] = "0" * 64


def other_opening(content):
    content["open"] = "0" * 64


def other_reveal(content):
    label, opened = next(iter(content["reveal"].items()))
    content["reveal"] = {label: {**opened, "salt": "0" * 32}}


def no_reveal(content):
    del content["reveal"]


def add_stop(content):
    content["pending"] = {"owner": "german", "battle": "ponyri", "kind": "retreat", "options": ["2012"]}


def noted(words="another word"):
    return lambda content: content.update(note=words)
