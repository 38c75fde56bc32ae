"""A whole game is verified in well under a second; the limit leaves room for slow machines."""

from __future__ import annotations

import time

from helpers.signing_desk import SIGNERS, following, propose, signed

from kursk_pbem.trust import chains, messages, sshsig


def test_a_hundred_messages_are_verified_quickly():
    before = chains.start(signed(propose()))
    texts = []
    for _ in range(99):
        content = following(before, orders={"moves": [{"unit": f"g-{i}", "path": ["0113", "0114"]} for i in range(20)]})
        mailed = messages.emit(content, SIGNERS[content["from"]].sign(sshsig.NAMESPACE, messages.signed_bytes(content)))
        texts.append(mailed.encode("ascii"))
        before = before.extend(messages.read(texts[-1], "f"))
    began = time.perf_counter()
    found = chains.start(signed(propose()))
    for text in texts:
        found = found.extend(messages.read(text, "f"))
    assert time.perf_counter() - began < 2.4  # 0.3 s measured
    assert found == before
    assert found.next_seq == 100
