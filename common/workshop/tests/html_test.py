#!/usr/bin/env python3
"""html_test.py FOLDER: checks the pages of a leaderboard.  Text of a submission must not become a tag, an attribute or
a character that a browser obeys; tags must be closed; link targets must exist.  Exit status 1 and a line per fault."""
import html.parser
import pathlib
import sys
import unicodedata

TAGS = set("""html head meta title style body h1 h2 p div table tr th td a b br ul li span pre img""".split())
ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "class", "id", "href", "src", "alt", "data-line"}
ALONE = {"meta", "br", "img"}
faults = []


class Page(html.parser.HTMLParser):
    """Collects the ids and links of a page, and its faults."""

    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.ids, self.links = path, [], set(), []
        text = path.read_text(encoding="utf-8")
        hidden = {f"U+{ord(c):04X}" for c in text if c not in "\n\t" and unicodedata.category(c)[0] == "C"}
        if hidden:
            faults.append(f"{path.name}: has {' '.join(sorted(hidden))}")
        self.feed(text)
        if self.open:
            faults.append(f"{path.name}: not closed: {' '.join(self.open)}")

    def handle_starttag(self, tag, attrs):
        if tag not in ALONE:
            self.open.append(tag)
        if tag not in TAGS or {name for name, _ in attrs} - ATTRIBUTES:
            faults.append(f"{self.path.name}: {self.get_starttag_text()}")
        for name, value in attrs:
            if name == "id":
                self.ids.add(value)
            if name == "href" or name == "src" and not value.startswith("data:image/svg+xml;base64,"):
                self.links.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            faults.append(f"{self.path.name}: </{tag}> closes nothing")

    def handle_comment(self, data):
        faults.append(f"{self.path.name}: a comment: {data[:40]}")


pages = {path.name: Page(path) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.html"))}
for name, page in pages.items():
    for link in page.links:
        to, _, anchor = link.partition("#")
        if (to or name) not in pages or anchor and anchor not in pages[to or name].ids:
            faults.append(f"{name}: leads nowhere: {link}")
print("\n".join(faults[:20]))
sys.exit(bool(faults) or len(pages) < 2)
