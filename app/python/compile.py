"""Compile and pack the page's Python in /work: ``app`` and ``stdlib`` become app.zip, stdlib.zip and rest.zip.

What a first visit to the board imports, and all files that are no modules, is in the first two.
"""

import py_compile
import sys
import zipfile
from pathlib import Path

WORK, DATE = Path("/work"), (2026, 1, 1, 0, 0, 0)
SELDOM = ("cli", "post", "tournament", "audit")
"""Rooms of the package that are in rest.zip, except the modules that the board imports."""
HEADERS = [["Sec-Fetch-Dest", "iframe"]]


def find_modules():
    """Return the modules that the board has imported after it showed its home page."""
    sys.path.insert(0, "/work/app")
    import encodings.cp437  # noqa: F401  unpacks archives

    import kursk_page

    ask, first = kursk_page.open_board("/b")
    status, _headers, page = ask("GET", first, "", HEADERS, b"")
    assert status == 200, page
    return set(sys.modules)


def split(loaded):
    """Compile all modules; yield the archive, the name inside and the bytes of each file."""
    for top, place in (("app", "/app"), ("stdlib", "/lib/python314.zip")):
        for file in sorted(
            path for path in (WORK / top).rglob("*") if path.is_file() and path.parent.name != "__pycache__"
        ):
            name = file.relative_to(WORK / top)
            if file.suffix != ".py" or "_data" in name.parts:
                yield top, name, file.read_bytes()
                continue
            module = ".".join(name.with_suffix("").parts).removesuffix(".__init__")
            ours = name.parts[0] == "kursk_pbem" and name.parts[1] not in SELDOM
            mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
            made = py_compile.compile(
                file, "/tmp/made.pyc", f"{place}/{name}", doraise=True, optimize=0, invalidation_mode=mode
            )
            yield (
                top if module in loaded or ours else f"rest {module}",
                name.with_suffix(".pyc"),
                Path(made).read_bytes(),
            )


def pack():
    """Write the three archives."""
    archives = {
        top: zipfile.ZipFile(WORK / f"{top}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        for top in ("app", "stdlib", "rest")
    }
    rest = []

    def put(archive, name, data):
        info = zipfile.ZipInfo(str(name), DATE)
        info.compress_type = zipfile.ZIP_DEFLATED
        archives[archive].writestr(info, data)

    for where, name, data in split(find_modules()):
        archive, _blank, module = where.partition(" ")
        rest += [module] if module else []
        put(archive, name, data)
    put("app", "rest.txt", "\n".join(sorted(rest)))
    for archive in archives.values():
        archive.close()


pack()
