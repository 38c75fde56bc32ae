"""Rule systems of other packages: found by entry points, identified by their files, and run from these bytes.

A package brings schemas, scenarios, pages and words in the folder of its ruleset (docs/formats.md 5.6). Nothing is
imported before ``Package.rules``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen

GROUP = "kursk_pbem.rulesets"
"""The name of the group of entry points. Each entry: id of a ruleset = the package with the constant ``RULESET``."""

_ID = re.compile("[a-z0-9][a-z0-9-]{0,31}")
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_NAME = re.compile("[a-z0-9][a-z0-9-]{0,63}")
_RELEASE = re.compile("[A-Za-z0-9][A-Za-z0-9.!+_-]{0,63}")
_HYPHEN = re.compile("[-_.]+")
_COMPILED = (".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib")
_NOTES = re.compile(
    r"[^/]+\.dist-info/(INSTALLER|REQUESTED|RECORD(\.jws|\.p7s)?|(direct_url|provenance_url|uv_cache|uv_build)\.json)"
    r"|\.\./(bin|Scripts)/.*|(.*/)?__pycache__/[^/]+\.pyc(\.\d+)?"
)
"""Files that are not in a wheel: the notes of an installer, its launchers of commands, and Python's cache."""
_DETOURS = {"__builtins__", "__import__", "builtins", "eval", "exec", "imp", "importlib", "pkgutil", "runpy"}
"""Modules and names that bring code without a readable import."""


@frozen
class Package:
    """A ruleset of an installed distribution: ``name`` and ``release`` of the distribution, ``folder`` of the rules."""

    ruleset: str
    module: str
    folder: Path
    name: str
    release: str
    dist: Any = field(repr=False, compare=False)

    @property
    def pin(self) -> dict[str, str]:
        """The content of the field ``package`` of message 0. Raises UsageError like `files`."""
        hashes = {name: sha256 for name, (_place, sha256) in self.files.items()}
        return {"name": self.name, "release": self.release, "sha256": sha256_hex(canon(hashes))}

    def refuse(self, why: str) -> UsageError:
        """Return an error that says why the package cannot be used."""
        return UsageError(f"the package {self.name} {self.release} cannot be used for {self.ruleset}: {why}")

    @cached_property
    def files(self) -> Mapping[str, tuple[Path, str]]:
        """The files of the package: name in the wheel -> path here, SHA-256.

        Files of the rules' folder count even if the wheel does not list them. Raises UsageError if rules could use code
        that the hashes do not cover.
        """
        from csv import Error, reader  # noqa: PLC0415  costs 1 ms

        places = dict(list_files(self.folder, self.module.replace(".", "/") + "/"))
        try:
            if not (listed := self.dist.read_text("RECORD")):
                raise self.refuse("it has no list of its files (RECORD); install it by pip or uv")
            editable = '"editable":true' in "".join((self.dist.read_text("direct_url.json") or "").split())
            for path in (row[0] for row in reader(listed.splitlines()) if row):
                name = re.sub(r"^(\.\./)+", "../", path)
                shim = editable and re.fullmatch(r"__editable__[^/]*|[^/]+\.pth", name)  # leads to the sources
                if not (shim or _NOTES.fullmatch(name)):
                    places[name] = Path(self.dist.locate_file(path))
            raw = {name: place.read_bytes() for name, place in places.items() if place.is_file()}
            faults = list(_find_faults(raw))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError, Error) as error:
            raise self.refuse(f"its files cannot be read ({show(str(error))}); ask its author") from None
        if faults:
            raise self.refuse(f"{'; '.join(faults[:3])}; ask its author")
        return {name: (places[name], sha256_hex(data)) for name, data in raw.items()}

    @cached_property
    def rules(self) -> ModuleType:
        """The module of the rules, imported from exactly the hashed bytes. Raises UsageError if the import fails."""
        importer = _Importer(self.files)
        for name in importer.modules:  # Python may have imported the package before, from compiled code
            loader = getattr(sys.modules.get(name), "__loader__", None)
            if getattr(loader, "modules", None) != importer.modules:
                sys.modules.pop(name, None)
        sys.meta_path.insert(0, importer)
        try:
            return import_module(self.module)
        except (Exception, SystemExit) as error:  # noqa: BLE001  foreign code may raise anything; its package is named
            why = show(f"{type(error).__name__}: {error}")
            raise self.refuse(f"its import fails ({why}); install it again or ask its author") from None

    def read_words(self) -> str:
        """Return the package's list of words for orders as a text; '' if the package has no list."""
        place = self.folder / "words.txt"
        return place.read_text("ascii", "replace") if place.is_file() else ""


def describe(pin: Mapping[str, str]) -> str:
    """Return a pin in words. A pin is the package, the release and the hash in message 0."""
    return f"{pin['name']} {pin['release']} ({pin['sha256'][:16]})"


def find_packages() -> Mapping[str, Package]:
    """Return the installed packages with rulesets: id of the ruleset -> package."""
    return _scan(tuple(sys.path))[0]


def list_faults() -> tuple[str, ...]:
    """Return a line for each refused package with rulesets, with the reason."""
    return _scan(tuple(sys.path))[1]


@lru_cache(maxsize=4)
def _scan(_path: tuple[str, ...]) -> tuple[dict[str, Package], tuple[str, ...]]:
    # costs 20 ms, needed only for ids that are not ours
    from importlib.metadata import entry_points  # noqa: PLC0415

    found: dict[str, list[Package]] = {}
    faults: list[str] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        made = _make_package(point)
        if isinstance(made, Package):
            found.setdefault(made.ruleset, []).append(made)
        else:
            faults.append(made)
    for rid, rivals in found.items():
        if len(rivals) > 1:
            faults.append(f"{' and '.join(sorted(each.name for each in rivals))} both bring {rid}: uninstall one")
    return {rid: rivals[0] for rid, rivals in found.items() if len(rivals) == 1}, tuple(faults)


def _make_package(point: Any) -> Package | str:
    """Return the package of an entry point, or why the program cannot use the package."""
    said = point.dist.metadata
    name, release = _HYPHEN.sub("-", str(said.get("Name"))).lower(), str(said.get("Version"))
    if not (_NAME.fullmatch(name) and _RELEASE.fullmatch(release)):
        return f"{name!a} {release!a} has a name or release that message 0 cannot pin"
    if not _ID.fullmatch(point.name):
        return f"{name}: {point.name!a} is no id of a ruleset: small letters, digits and hyphens, at most 32"
    folder = _find_folder(point.value, point.dist)
    if folder is None:
        return f"{name}: {point.value!a} names no installed package with an __init__.py"
    return Package(point.name, point.value, folder, name, release, point.dist)


def _find_folder(module: str, dist: Any) -> Path | None:
    """Return the folder of a package by its full name. Only the topmost name is looked up, so nothing is imported."""
    if not _MODULE.fullmatch(module):
        return None
    top, *rest = module.split(".")
    if ((own := Path(dist.locate_file("/".join((top, *rest))))) / "__init__.py").is_file():
        return own.resolve()
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place, *rest)
        if (folder / "__init__.py").is_file():
            return folder.resolve()
    return None


def list_files(folder: Path, prefix: str = "") -> Iterator[tuple[str, Path]]:
    """Yield name and path of the files below a folder, without ``__pycache__``."""
    for path in folder.rglob("*"):
        if path.is_file() and not _NOTES.fullmatch(name := prefix + path.relative_to(folder).as_posix()):
            yield name, path


@lru_cache(maxsize=16)
def hash_folders(folders: Iterable[tuple[Path, str]]) -> str:
    """Return one hash over all files of the folders, as in message 0. ``folders``: (folder, prefix for file names)."""
    found = dict(each for folder, prefix in folders for each in list_files(folder, prefix))
    return sha256_hex(canon({name: sha256_hex(path.read_bytes()) for name, path in found.items()}))


def _list_modules(names: Iterable[str]) -> dict[str, str]:
    """Return the modules among files: full name -> file. A folder comes before a file of its name, as in Python."""
    found = {name[:-3].replace("/", "."): name for name in names if name.endswith(".py")}
    return found | {each.removesuffix(".__init__"): name for each, name in found.items() if each.endswith(".__init__")}


def _find_faults(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the files that could bring code without a hash. Raises SyntaxError."""
    own = ("kursk_pbem", *_list_modules(files))
    for name, raw in sorted(files.items()):
        if not name.isascii() or name.lower().endswith(_COMPILED):
            yield f"{name!a} is {'compiled code' if name.isascii() else 'no name in ASCII'}"
        for each in find_foreign(raw, own, name) if name.endswith(".py") else ():
            yield f"{name}:{each}, which no pin covers"


def find_foreign(source: str | bytes, own: Iterable[str], name: str = "") -> Iterator[str]:
    """Yield line and name of every import of code from outside the standard library and the packages ``own``."""
    for node in ast.walk(ast.parse(source, name)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        names += [node.id] if isinstance(node, ast.Name) and node.id in _DETOURS else []
        for each in names:
            usual = (top := each.partition(".")[0]) in sys.stdlib_module_names and top not in _DETOURS
            if not usual and not any(f"{each}.".startswith(f"{mine}.") for mine in own):
                yield f"{getattr(node, 'lineno', 0)}: imports {each}"


class _Importer:
    """Imports the modules of a package from its list of files, and refuses other modules in its folders."""

    def __init__(self, files: Mapping[str, tuple[Path, str]]) -> None:
        self.modules = {name: files[file] for name, file in _list_modules(files).items()}

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the place of a module; None for modules of others."""
        if name in self.modules:
            place, _sha256 = self.modules[name]
            below, loader = [str(place.parent)] if place.name == "__init__.py" else None, cast("Any", self)
            return spec_from_file_location(name, place, loader=loader, submodule_search_locations=below)
        if name.rpartition(".")[0] in self.modules:
            raise ModuleNotFoundError(f"{name} is not in the package, or without __init__.py", name=name)
        return None

    def create_module(self, _spec: ModuleSpec) -> None:
        """Let Python create the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module from its source, and only if the source has the hash of the pin. Raises UsageError."""
        place, sha256 = self.modules[module.__name__]
        if sha256_hex(raw := place.read_bytes()) != sha256:
            raise UsageError(f"{place} has changed while the program ran: start the program again")
        exec(compile(raw, place, "exec", dont_inherit=True, optimize=0), vars(module))  # noqa: S102  as Python imports
