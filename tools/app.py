"""Build the page in build/app: static files for a web host of its own (decision 92).

The folder r/HASH holds a release; HASH is the SHA-256 of its app.json, which holds the SHA-256 of every file. The same
inputs give the same bytes. ``--keep FOLDER``: also keep the releases of an earlier build, so that they stay loadable.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES, WORK, OUT = ROOT / "app", ROOT / "build" / "app-work", ROOT / "build" / "app"
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self'; img-src 'self' data: blob:; frame-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'"
)
NOBLE = ("sha2", "_md", "_u64", "utils")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ARCHIVES = {"app.zip.gz": "app.pack", "stdlib.zip": "stdlib.zip", "rest.zip": "rest.zip"}
"""The packed Python. Some hosts treat a name with .gz in a way of their own."""
RELEASED = ("shell.js", "worker.js", "engine.js", "store.js")
LOADER = ("index.html", "start.js", "shell.css", "icon.svg")
WHEELS = ("--platform", "manylinux2014_x86_64", "--platform", "manylinux_2_28_x86_64", "--python-version", "3.14",
          "--implementation", "cp", "--abi", "cp314", "--abi", "none", "--only-binary=:all:", "--no-deps")  # fmt: skip
"""The wheels, equal on every machine. Only their Python files are used."""
NATIVE = (".so", ".c", ".pyi", ".pyx", "/cyaml.py")
"""Files of the wheels that the page cannot use."""
MANIFEST = {
    "name": "Kursk, turn by turn",
    "short_name": "Kursk",
    "description": "Kursk wargames by mail, with an umpire",
    "start_url": "/",
    "scope": "/",
    "display": "standalone",
    "background_color": "#5b6b4a",
    "theme_color": "#5b6b4a",
    "icons": [
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
        *({"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)),
    ],
}


def fetch() -> None:
    """Fetch the packages of the lock files, checked by their hashes."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SOURCES / name, WORK)
    quiet = ("--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--silent")
    subprocess.run(["npm", "ci", *quiet], cwd=WORK, check=True)
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--require-hashes")
    subprocess.run([*pip, *WHEELS, "-r", SOURCES / "requirements.txt", "-d", WORK / "wheels"], check=True)


def collect() -> None:
    """Put the package, its data and the Python packages into one folder."""
    tree = WORK / "app"
    shutil.copytree(ROOT / "kursk_pbem", tree / "kursk_pbem", ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for source, place in project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"].items():
        target = tree / place
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / source).is_dir() else shutil.copy)(ROOT / source, target)
    for wheel in sorted((WORK / "wheels").glob("*.whl")):
        with zipfile.ZipFile(wheel) as packed:
            names = [name for name in packed.namelist() if ".dist-info/" not in name and "/tests/" not in name]
            packed.extractall(tree, [name for name in names if not name.endswith(NATIVE)])
    for path in (SOURCES / "python").iterdir():
        if path.name != "compile.py":
            (shutil.copytree if path.is_dir() else shutil.copy)(path, tree / path.name)
    with zipfile.ZipFile(WORK / "node_modules" / "pyodide" / "python_stdlib.zip") as packed:
        packed.extractall(WORK / "stdlib")


def release(folder: Path) -> str:
    """Write the files of the release into ``folder``; return its hash."""
    (folder / "noble" / "hashes").mkdir(parents=True)
    modules = WORK / "node_modules"
    shutil.copy(modules / "@noble" / "ed25519" / "index.js", folder / "noble" / "ed25519.js")
    for name in NOBLE:
        shutil.copy(modules / "@noble" / "hashes" / f"{name}.js", folder / "noble" / "hashes")
    for path in (*(modules / "pyodide" / name for name in PYODIDE), *(SOURCES / name for name in RELEASED)):
        shutil.copy(path, folder)
    lock = json.loads((modules / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    (folder / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}), encoding="utf-8")
    shutil.copy(modules / "pyodide" / "python_stdlib.zip", folder)
    subprocess.run(["node", SOURCES / "compile.mjs", WORK, folder], check=True)
    (folder / "python_stdlib.zip").unlink()
    for name, target in ARCHIVES.items():
        shutil.copy(WORK / name, folder / target)
    hashes = {path.relative_to(folder).as_posix(): digest(path) for path in folder.rglob("*") if path.is_file()}
    hashes |= {f"/{path.name}": digest(path) for path in folder.parent.iterdir() if path.is_file()}
    app = folder / "app.json"
    app.write_text(json.dumps(hashes, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    return digest(app)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load(out: Path) -> None:
    """Write the files outside the releases: they start the release that a browser has taken."""
    from resvg_py import svg_to_bytes

    for name in LOADER:
        (out / name).write_text(fill(SOURCES / name), encoding="utf-8")
    (out / "manifest.webmanifest").write_text(json.dumps(MANIFEST, indent=1) + "\n", encoding="utf-8")
    drawn = (SOURCES / "icon.svg").read_text(encoding="utf-8")
    for size in (192, 512):
        (out / f"icon-{size}.png").write_bytes(bytes(svg_to_bytes(svg_string=drawn, width=size, height=size)))
    told = hashlib.sha256("".join(digest(path) for path in sorted(out.iterdir())).encode()).hexdigest()
    (out / "sw.js").write_text(
        fill(SOURCES / "sw.js").replace('"loader"', f'"loader-{told[:16]}"', 1), encoding="utf-8"
    )


def fill(path: Path) -> str:
    return path.read_text(encoding="utf-8").replace('"CSP"', f'"{POLICY}"')


def build(keep: Path | None) -> None:
    """Build the page; print its hash and the bytes of a first visit."""
    collect()
    made = WORK / "out"
    made.mkdir()
    load(made)
    name = release(made / "release")
    shutil.copy(made / "release" / "app.json", made)
    (made / "r").mkdir()
    (made / "release").rename(made / "r" / name)
    for old in sorted((keep / "r").iterdir()) if keep else ():
        if old.name != name:
            shutil.copytree(old, made / "r" / old.name)
    shutil.rmtree(OUT, ignore_errors=True)
    made.rename(OUT)
    print(f"{OUT.relative_to(ROOT)}: release {name}")


def main() -> None:
    """Build the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="the folder of an earlier build, whose releases stay")
    parser.add_argument("--or-skip", action="store_true", help="if packages cannot be fetched, say so and go on")
    given = parser.parse_args()
    try:
        fetch()
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        if not given.or_skip:
            raise
        print(f"the page is not built, because its packages cannot be fetched: {error}")
    else:
        build(given.keep)


if __name__ == "__main__":
    main()
