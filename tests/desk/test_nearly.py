"""What may be meant by a name that nobody knows is looked for as long as that takes no time."""

from dataclasses import replace
from types import SimpleNamespace

from helpers import registry

from kursk_pbem.desk.draft import suggestions
from kursk_pbem.errors import Violation
from kursk_pbem.kernel import names


def test_T27_of_hundreds_of_unknown_names_the_first_are_looked_for(monkeypatch):
    kit = registry.kit()
    setting = kit.setting(kit.scenarios[0])
    chain = SimpleNamespace(game="of hundreds of unknown names", next_seq=1)
    game = SimpleNamespace(ruleset=kit.ruleset, setting=setting, state=kit.setup(setting), chain=chain)
    asked = []
    look = names.near
    monkeypatch.setattr(names, "near", lambda said, known: asked.append(said) or look(said, known))
    many = 5 * suggestions.MOST
    content = {"orders": {"movement": [{"unit": f"g-41-pz{at:03}"} for at in range(many)]}}
    wrong = [Violation("8.0", "there is no such unit", "u", ("orders", "movement", at)) for at in range(many)]
    told = [each.message for each in suggestions.add_suggestions(game, content, wrong)]
    assert len(asked) == suggestions.MOST
    assert all(text.startswith("there is no such unit; did you mean g-41-pz") for text in told[: suggestions.MOST])
    assert list(suggestions.add_suggestions(game, content, wrong)) == [
        replace(violation, message=text) for violation, text in zip(wrong, told, strict=True)
    ]
    assert len(asked) == suggestions.MOST, "what was looked for in a position is not looked for again"
    assert told[suggestions.MOST :] == ["there is no such unit"] * (many - suggestions.MOST)
