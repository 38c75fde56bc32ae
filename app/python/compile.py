"""Compile and pack the folders ``app`` and ``stdlib`` of /work as app.zip.gz, stdlib.zip and rest.zip.

The home page, its styles and pictures need only the first two; rest.zip has the modules that few sessions import.
"""

import gzip
import py_compile
import sys
import zipfile
from pathlib import Path

WORK, DATE = Path("/work"), (2026, 1, 1, 0, 0, 0)
PLACES = {"app": "/app", "stdlib": "/lib/python314.zip"}
SELDOM = ("cli", "post", "tournament", "audit")
"""Rooms of the package that are in rest.zip, except the modules that the board imports."""


def find_modules():
    """Return the modules that the board has imported after it showed its home page with styles and pictures."""
    sys.path.insert(0, "/app")
    import encodings.cp437  # noqa: F401  unpacks archives

    import kursk_page

    ask, first = kursk_page.open_board("/b")
    for path in (first, "/b/static/palette.css", "/b/picture/scenario/battle-for-kursk/citadel"):
        status, _headers, page = ask("GET", path, "", [["Sec-Fetch-Dest", "iframe"]], b"")
        assert status == 200, page
    return set(sys.modules)


def compile_module(file, place):
    """Return the bytes of a compiled module."""
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    made = py_compile.compile(file, "/tmp/made.pyc", place, doraise=True, optimize=0, invalidation_mode=mode)
    return Path(made).read_bytes()


loaded, rest = find_modules(), []
ways = {"app": zipfile.ZIP_STORED, "stdlib": zipfile.ZIP_DEFLATED, "rest": zipfile.ZIP_DEFLATED}
archives = {top: zipfile.ZipFile(WORK / f"{top}.zip", "w", way, compresslevel=9) for top, way in ways.items()}
for top, place in PLACES.items():
    for file in sorted(
        path for path in (WORK / top).rglob("*") if path.is_file() and path.parent.name != "__pycache__"
    ):
        name, target = file.relative_to(WORK / top), top
        if module := file.suffix == ".py" and "_data" not in name.parts:
            dotted = ".".join(name.with_suffix("").parts).removesuffix(".__init__")
            if dotted not in loaded and (name.parts[0] != "kursk_pbem" or name.parts[1] in SELDOM):
                rest.append(dotted)
                target = "rest"
        info = zipfile.ZipInfo(f"{name}c" if module else str(name), DATE)
        info.compress_type = ways[target]
        archives[target].writestr(info, compile_module(file, f"{place}/{name}") if module else file.read_bytes())
archives["app"].writestr(zipfile.ZipInfo("rest.txt", DATE), "\n".join(rest))
for archive in archives.values():
    archive.close()
(WORK / "app.zip.gz").write_bytes(gzip.compress((WORK / "app.zip").read_bytes(), 9, mtime=0))
