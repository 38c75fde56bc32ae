"""Papers of a relaying referee, read by the script and counted as reply times."""

import json
import shutil

import pytest
from helpers import sweeps
from helpers.relaying import day, well
from trust import second_auditor

from kursk_pbem.audit import export, verify
from kursk_pbem.game import reply_times
from kursk_pbem.trust import keys, papers

FORGED = {
    "as it was": ("receipt-0003", {}),
    "of one term": ("receipt-0003", {"due": day(3)}),
    "due too early": ("receipt-0003", {"due": day(2)}),
    "no date": ("receipt-0003", {"received": "1943-02-30T03:00:00Z"}),
    "no time": ("receipt-0003", {"due": "1943-07-20T24:00:00Z"}),
    "leap second": ("receipt-0003", {"due": "1943-07-20T23:59:60Z"}),
    "small letter": ("receipt-0003", {"due": "1943-07-20T23:59:59z"}),
    "line end": ("receipt-0003", {"due": day(20) + "\n"}),
    "another message": ("receipt-0003", {"id": "ab" * 32}),
    "another number": ("receipt-0003", {"seq": "2"}),
    "a later one": ("receipt-0003", {"seq": "4"}),
    "another game": ("receipt-0003", {"game": "cd" * 32}),
    "not from him": ("receipt-0003", {"from": "german"}),
    "a field too many": ("receipt-0003", {"side": "german"}),
    "another kind": ("receipt-0003", {"type": "forfeit", "side": "german", "declared": day(29)}),
    "the earliest": ("receipt-0003-0000000000000000", {"received": day(2), "due": day(12)}),
    "not the earliest": ("receipt-0003-0000000000000000", {"received": day(4), "due": day(12)}),
    "of one time": ("receipt-0003-0000000000000000", {"due": day(12)}),
    "a longer term": ("receipt-0003-0000000000000000", {"received": day(2), "due": day(14)}),
    "another side": ("forfeit", {"side": "russian"}),
    "the referee": ("forfeit", {"side": "referee"}),
    "another term": ("forfeit", {"due": day(12)}),
    "too early": ("forfeit", {"declared": day(13)}),
    "later": ("forfeit", {"declared": day(20)}),
    "of an older message": ("forfeit", {"seq": "2"}),
    "without a field": ("forfeit", {"side": None}),
}
HOLDS = {"as it was", "the earliest", "not the earliest", "of one time", "later"}  # the latest term of all counts


@pytest.mark.some(9)
@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="the script needs ssh-keygen")
@pytest.mark.parametrize("name", sweeps.some(FORGED, 5))
def test_the_script_agrees(forfeited, tmp_path, capsys, name):
    out = tmp_path / "archive"
    export.export(forfeited.folder, out)
    file, changes = FORGED[name]
    said = json.loads((out / f"{file[:12].rstrip('-')}.json").read_bytes()) | changes
    signed = papers.canon({field: value for field, value in said.items() if value is not None})
    (out / f"{file}.json").write_bytes(signed)
    armour = keys.load_key(forfeited.key).sign(papers.sshsig.NAMESPACE, signed)
    (out / f"{file}.json.sig").write_text(armour, encoding="ascii")
    found = verify.verify_game(out)
    status = second_auditor.main(out)
    assert (found.status == 0, status == 0) == (name in HOLDS, name in HOLDS), (found.text, capsys.readouterr().out)


# Reply times


def test_reply_times_of_each_side(relayed, whistle):
    for seq, received, days in ((0, day(1), 3), (1, day(2, 4), 3), (2, day(2, 5), 3), (3, day(9, 4), 5)):
        well(
            whistle(
                "referee", "receipt", relayed.folder, "--seq", seq, "--received", received, "--days", days, "--late"
            )
        )
    hour, day_ = 3600, 86_400
    found = verify.verify_game(relayed.folder)
    russian = reply_times.Times(2, 8 * day_, 7 * day_ - hour, 4 * day_ - hour)
    assert found.times == {"german": reply_times.Times(1, hour, hour, 0), "russian": russian}
    assert found.text.endswith("; russian: 2 answers in 8 days, longest 6 days 23 hours, 3 days 23 hours late")
    said = json.loads(well(whistle("verify", relayed.folder, "--json")))
    assert said["times"]["russian"] == {"timed": 2, "total": 691_200, "longest": 601_200, "late": 342_000}
    for path in relayed.folder.glob("receipt-000[02].yaml"):
        path.unlink()
    assert verify.verify_game(relayed.folder).times == {}
