"""What referencing and jsonschema need of rpds, in plain Python: a map, a set and a list that never change."""


class HashTrieMap(dict):
    @classmethod
    def convert(cls, value):
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key, value):
        return HashTrieMap({**self, key: value})

    def remove(self, key):
        made = dict(self)
        del made[key]
        return HashTrieMap(made)

    def update(self, other):
        return HashTrieMap({**self, **other})


class HashTrieSet(frozenset):
    def insert(self, value):
        return HashTrieSet(self | {value})

    def update(self, other):
        return HashTrieSet(self | other)


class List(tuple):
    def push_front(self, value):
        return List((value, *self))
