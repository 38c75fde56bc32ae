"""Schema findings: complete, with lines, and with the expected content."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from kursk_pbem.errors import FileError
from kursk_pbem.formats import data, schema
from kursk_pbem.formats.strictyaml import read

ID = "ab" * 32
ROOT = Path(__file__).parents[2]


def make_document(**fields: str):
    lines = {"kursk-pbem": "'1'", "type": "turn", "seq": "'2'", "from": "german"} | fields
    return read("".join(f"{k}: {v}\n" for k, v in lines.items()).encode(), "f.yaml")


def find_findings(**fields: str) -> str:
    found = make_document(**fields)
    with pytest.raises(FileError) as caught:
        schema.check(found.data, "message", found)
    assert caught.value.exit_status == 2
    assert str(caught.value).isascii()
    return str(caught.value)


def test_a_plain_message_passes():
    found = make_document(game=ID, orders="{moves: [{unit: g-1, path: ['0113']}]}", waive="posture")
    schema.check(found.data, "message", found)


def test_all_problems_at_once_each_with_its_line():
    found = find_findings(seq="'01'", orders="\n  moves:\n  - {unit: g-1, a b: c}", secret="{P: abc}", prev="x")
    rest = "digits, '.', '/' and '-', at most 64, beginning with a letter or digit"
    assert found.splitlines() == [
        "f.yaml:3: seq: found '01', expected a whole number of at most nine digits, without leading zeros",
        f"f.yaml:7: moves, entry 1: found the key 'a b', expected a key such as 'a-12': letters, {rest}",
        "f.yaml:8: P: found 'abc', expected a hash: 64 hex digits in small letters",
        f"f.yaml:8: secret: found the key 'P', expected a label such as 'a/turn-2': small letters, {rest}",
        "f.yaml:9: prev: found 'x', expected a hash: 64 hex digits in small letters",
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"gane": ID}, "f.yaml:5: the key 'gane' is not known here; did you mean 'game'?"),
        ({"<<": "{a: b}"}, "f.yaml:5: the key '<<' is not known here; delete it"),
        ({"kursk-pbem": "'2'"}, "f.yaml:1: kursk-pbem: found '2', expected '1', the version of the protocol"),
        (
            {"type": "trun"},
            "f.yaml:2: type: found 'trun', expected 'propose' or 'accept' or 'turn' or 'offer' or 'reply'",
        ),
        ({"scenario": "\n  id: demo"}, "f.yaml:6: scenario: missing here: sha256"),
        ({"ruleset": "{}"}, "f.yaml:5: ruleset: missing here: id, version"),
        ({"orders": "[a]"}, "f.yaml:5: orders: found a list of 1, expected keys with values, as in {key: value}"),
        ({"note": "{a: b}"}, "f.yaml:5: note: found the key a, expected text"),
        ({"game": ""}, "f.yaml:5: game: found nothing, expected a hash"),
        ({"dice": "{battle-1/combat: '7'}"}, "found '7', expected dice: digits from 1 to 6"),
        ({"dice": "{battle-1/combat: ''}"}, "found nothing, expected dice"),
        ({"reveal": "{a: {salt: ab, value: x}}"}, "expected a salt: 32 hex digits"),
        ({"reveal": "{a: {salt: " + "a" * 32 + "}}"}, "missing here: value"),
        ({"keys": "{german: ssh-ed25519 AAAA}"}, "found 'ssh-ed25519 AAAA', expected an Ed25519 key"),
        ({"keys": "{german: x}"}, "expected at least 2 entries"),
        ({"state": "{turn: '1'}"}, "missing here: type"),
        ({"state": "{type: position}"}, "found 'position', expected 'state'"),
        ({"game": ID.upper()}, "expected a hash"),
        ({"seq": "1_0"}, "expected a whole number"),
        ({"seq": "'-1'"}, "expected a whole number"),
        ({"seq": "' 1'"}, "expected a whole number"),
        ({"seq": "'1234567890'"}, "expected a whole number"),
    ],
)
def test_findings_say_what_to_write(fields, words):
    assert words in find_findings(**fields)


def test_every_missing_field_of_the_envelope_is_named():
    found = read(b"note: hello\n", "f")
    with pytest.raises(FileError, match=r"missing here: kursk-pbem, type, seq, from$"):
        schema.check(found.data, "message", found)


def test_T29_values_are_shown_escaped_and_cut():
    found = find_findings(game="'" + "x" * 300 + "'", note='["\\u0411"]')
    assert "xxx...'" in found
    assert len(max(found.splitlines(), key=len)) < 200


def test_a_flood_of_problems_is_cut():
    found = find_findings(**{f"zz{i}": "x" for i in range(100)})
    assert len(found.splitlines()) == schema.MAX_PROBLEMS + 1
    assert found.splitlines()[-1] == "and more"


@pytest.mark.parametrize(
    "fields",
    [
        {f"zz{i}": "x" for i in range(4000)},
        {"reveal": "".join(f"\n  k{i}: {{salt: a, value: ''}}" for i in range(3000))},
        {"orders": "".join(f"\n  k {i}: a" for i in range(9000))},
    ],
    ids=["unknown", "reveal", "keys"],
)
def test_T27_thousands_of_problems_are_refused_at_once(fields):
    found = make_document(**fields)
    began = time.process_time()
    with pytest.raises(FileError) as caught:
        schema.check(found.data, "message", found)
    assert time.process_time() - began < 1.5  # 0.2 s measured
    assert str(caught.value).startswith(("f.yaml:5: ", "f.yaml:6: "))  # in order
    lines = [int(line.split(":")[1]) for line in str(caught.value).splitlines()[:-1]]
    assert lines == sorted(lines)
    assert lines[-1] - lines[0] < schema.MAX_PROBLEMS


def test_T28_a_pattern_does_not_overlook_a_last_newline():
    # re.search with a final $ would accept the newline; the YAML reader removes the newline before.
    good = {"kursk-pbem": "1", "type": "turn", "seq": "2", "from": "german"}
    assert schema.find_problems(good, "message") == []
    assert schema.find_problems(good | {"seq": "2\n"}, "message")[0][0] == ("seq",)
    assert schema.find_problems(good | {"seq": "\u0662"}, "message")[0][0] == ("seq",)
    assert schema.find_problems(good | {"options": {"a\n": "b"}}, "message")[0][0] == ("options",)


def test_at_gives_the_lines_of_a_part():
    found = read(b"a: b\norders:\n  seq: x\n", "f")
    with pytest.raises(FileError, match="f:3: seq: found 'x'"):
        schema.check({"kursk-pbem": "1", "type": "turn", "from": "german", "seq": "x"}, "message", found, ("orders",))


@pytest.mark.parametrize("path", sorted(data.find_folder("schemas").glob("*.json")), ids=lambda p: p.name)
def test_our_schemas_are_schemas_and_spell_digits_out(path):
    text = path.read_text(encoding="ascii")
    Draft202012Validator.check_schema(json.loads(text))
    assert "\\d" not in text  # would match digits of every script


def test_the_samples_pass(messages):
    checked = 0
    for content in messages["sample-players"]:
        assert schema.find_problems(content, "message") == []
        checked += 1
    assert checked == 12


def test_data_folders_of_the_checkout():
    assert (data.find_folder("schemas") / "message.schema.json").is_file()
    assert data.find_folder("scenarios").is_dir()


def test_data_folders_inside_an_installed_package(tmp_path, monkeypatch):
    (tmp_path / "_data" / "schemas").mkdir(parents=True)
    monkeypatch.setattr(data, "_PACKAGE", tmp_path)
    assert data.find_folder.__wrapped__("schemas") == tmp_path / "_data" / "schemas"
    with pytest.raises(Exception, match="install it again"):
        data.find_folder.__wrapped__("scenarios")


def test_findings_come_in_the_same_order_in_every_run():
    """Bug: jsonschema's own additionalProperties iterates over a set."""
    code = (
        "from kursk_pbem.formats.schema import find_problems; import sys; "
        "sys.stdout.write(repr(find_problems({'secret': {f'k{i}': 'x' for i in range(99)}}, 'message')))"
    )
    runs = [os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    command = [sys.executable, "-c", code]
    found = {subprocess.run(command, env=env, capture_output=True, check=True).stdout for env in runs}
    assert len(found) == 1
    assert found.pop().count(b"expected a hash") == 99


@pytest.mark.parametrize(
    "fields",
    [
        {"orders": "{a: [" + ",".join(["[[[[[[[]]]]]]]"] * 2400) + "]}", "zz": "x"},
        {"orders": "{a: {b: {" + ",".join(f"k{n}: b" for n in range(9900)) + "}}}", "zz": "x"},
        {"orders": "{a: [" + ",".join(["{b: [c]}"] * 4900) + ", {_: x}]}"},
    ],
    ids=["lists", "mappings", "a slip inside"],
)
def test_T27_one_slip_beside_thousands_of_good_values_is_found_soon(fields):
    found = make_document(**fields)
    began = time.monotonic()
    (path, words), *more = schema.find_problems(found.data, "message")
    assert time.monotonic() - began < 2
    assert not more
    assert "is not known here" in words or "expected a key" in words
    assert path in (("zz",), ("orders", "a", 4900))
