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

    def update(self, *maps, **more):
        made = dict(self)
        for each in (*maps, more):
            made.update(each)
        return HashTrieMap(made)


class HashTrieSet(frozenset):
    def insert(self, value):
        return HashTrieSet(self | {value})

    def discard(self, value):
        return HashTrieSet(self - {value})

    def update(self, *more):
        return HashTrieSet(self.union(*more))


class List(tuple):
    __slots__ = ()

    def push_front(self, value):
        return List((value, *self))
