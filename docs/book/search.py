#!/usr/bin/env python3
"""search.py BOOK LANG OUT: writes the entries that search.js searches: sections of pages, terms of the glossary, and what the
code names.

Written as JavaScript, since a page that is opened from disk may load a script, but no data.
"""
import html.parser
import json
import pathlib
import sys

HEADINGS = ("h1", "h2", "h3")


class Page(html.parser.HTMLParser):
    """The sections of a page, or of the glossary its terms in both languages: [anchor, heading, text]."""

    def __init__(self, terms):
        super().__init__()
        self.sections, self.inside, self.heading, self.hidden, self.until = [], False, False, False, None
        self.terms, self.cell = terms, 0

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "main":
            self.inside = True
        if self.inside and tag in HEADINGS:
            self.sections.append([given.get("id", ""), "", ""])
            self.heading = True
        if tag == "tr":
            self.cell = 0
        if self.terms and tag == "td":
            if self.cell == 0:
                self.sections.append([self.sections[-1][0], "", ""])
            self.cell += 1
            self.heading = self.cell <= 2
            self.sections[-1][1] += " · " if self.cell == 2 else ""
            self.sections[-1][2] += " "
        if not self.hidden and given.get("class") in ("toc", "steps", "step"):  # what leads elsewhere
            self.hidden, self.until = True, tag

    def handle_endtag(self, tag):
        if tag == "main":
            self.inside = False
        if tag in (*HEADINGS, "td"):
            self.heading = False
        if self.hidden and tag == self.until:
            self.hidden = False

    def handle_data(self, data):
        if self.inside and not self.hidden and self.sections:
            self.sections[-1][1 if self.heading else 2] += data


def main():
    book, language, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    found = []
    for path in sorted((book / language).glob("**/*.html")):
        page = Page(path.name == "glossary.html")
        page.feed(path.read_text())
        title = page.sections[0][1] if page.sections else path.stem
        for anchor, heading, text in page.sections:
            where = f"{language}/{path.relative_to(book / language)}" + (f"#{anchor}" if anchor else "")
            found.append([where, " ".join(heading.split()), " ".join(title.split()), " ".join(text.split())])
    for line in (book / "tags").read_text().splitlines():
        name, path, number = line.split("\t")
        if not name.startswith("step "):
            found.append([f"source/{path}.html#L-{number}", name, f"{path}:{number}", ""])
    out.write_text("const SECTIONS = " + json.dumps(found, ensure_ascii=False, separators=(",", ":")) + ";\n")


if __name__ == "__main__":
    main()
