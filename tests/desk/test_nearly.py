"""What may be meant by a name that nobody knows is looked for as long as that takes no time."""

from types import SimpleNamespace

from helpers import registry

from kursk_pbem.desk.draft import suggestions
from kursk_pbem.errors import Violation
from kursk_pbem.kernel import names


def test_T27_of_hundreds_of_unknown_names_the_first_are_looked_for(monkeypatch):
    kit = registry.kit()
    setting = kit.setting(kit.scenarios[0])
    game = SimpleNamespace(ruleset=kit.ruleset, setting=setting, state=kit.setup(setting))
    asked = []
    look = names.near
    monkeypatch.setattr(names, "near", lambda said, known: asked.append(said) or look(said, known))
    many = 5 * suggestions.MOST
    content = {"orders": {"movement": [{"unit": "g-41-pzz"} for _ in range(many)]}}
    wrong = [Violation("8.0", "there is no such unit", "u", ("orders", "movement", at)) for at in range(many)]
    told = [each.message for each in suggestions.told(game, content, wrong)]
    assert len(asked) == suggestions.MOST
    assert told[0] == told[suggestions.MOST - 1]
    assert told[0].startswith("there is no such unit; did you mean g-41-pz or ")
    assert told[suggestions.MOST :] == ["there is no such unit"] * (many - suggestions.MOST)
