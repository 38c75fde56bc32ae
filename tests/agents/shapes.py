"""A naive Bayes classifier of messages by their shapes alone: keys, counts, lengths and seals, no map and no rule."""

import json
from collections import Counter
from math import log

FOLDS = 5


def list_marks(part, path=""):
    """Yield the marks of a message: its keys, counts and lengths of words."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from list_marks(value, f"{path}/{key if key.isalpha() else '*'}")
    elif isinstance(part, list):
        yield f"{path} has {len(part)}"
        for value in part:
            yield from list_marks(value, path)
    else:
        yield f"{path} {len(str(part))} letters"


def measure_share(questions):
    """Return the share of yes/no questions that the classifier answers right, each fold of moments by the others."""
    marked, moments = [], {}
    for each in questions:
        moment = json.dumps([each["system"], each["position"], each["message"]["seq"]], sort_keys=True)
        fold = moments.setdefault(moment, len(moments)) % FOLDS
        message = {key: value for key, value in each["message"].items() if key not in {"seq", "from", "type"}}
        marks = {each["system"], f"{len(message)} keys", *list_marks(message)}
        marked.append((fold, marks, each["expect"]["legal"]))
    return sum(count_right(marked, fold) for fold in range(FOLDS)) / len(marked)


def count_right(marked, asked):
    """Return the number of right answers in a fold by the messages of the other folds."""
    known = [(marks, legal) for fold, marks, legal in marked if fold != asked]
    sizes = Counter(legal for _marks, legal in known)
    seen = {each: Counter(mark for marks, legal in known if legal == each for mark in marks) for each in sizes}

    def measure_worth(marks, each):
        return log(sizes[each]) + sum(log((seen[each][mark] + 1) / (sizes[each] + 2)) for mark in marks)

    return sum(
        (measure_worth(marks, True) >= measure_worth(marks, False)) == legal
        for fold, marks, legal in marked
        if fold == asked
    )
