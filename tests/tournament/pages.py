"""Pages of a tournament or a ladder, read by an independent parser of HTML."""

import re
from urllib.parse import unquote

from justhtml import JustHTML


def links_of(page):
    return [node.attrs.get("href") or node.attrs["src"] for node in page.query("[href], [src]")]


def read_pages(site):
    """Read all pages but replays; check that they are valid, and that links lead to files and places of the site."""
    texts = {name: data.decode() for name, data in site.items() if name.endswith(".html") and "replay" not in name}
    pages = {name: JustHTML(text, strict=True, sanitize=False) for name, text in texts.items()}
    ids = {name: [node.attrs["id"] for node in page.query("[id]")] for name, page in pages.items()}
    for name, page in pages.items():
        assert texts[name].startswith("<!doctype html>"), name
        assert len(ids[name]) == len(set(ids[name])), name
        assert (len(page.query("h1")), page.query("script")) == (1, []), name
        for link in links_of(page):
            assert not re.match(r"[a-z]+:|/", link), (name, link)
            file, _hash, place = link.partition("#")
            assert unquote(file or name) in site, (name, link)
            assert not place or place in ids[file or name], (name, link)
    return pages
