#!/usr/bin/env python3
"""leaderboard_html.py N E OUT: writes the pages of a leaderboard to OUT/html/: a table, similar files, a page per file.

leaderboard calls it.  Standard input has nine fields per submission, best first, each ended by a NUL: rank, points,
verdict, time, reason, key (of OUT/done/KEY.json), name, path, and the name of the file that it is equal to.  Names,
sources and reasons are not trusted: Jinja2 escapes them, and marks() makes characters visible that a browser would
obey.  Exit status: 0; 69 if Jinja2 is not installed; 1 if the pages could not be written.
"""
import base64
import collections
import os
import pathlib
import re
import shutil
import sys
import unicodedata

sys.dont_write_bytecode = True
from record import read_lines, read_record
from similarity import similar

try:
    import jinja2
except ImportError:
    print("leaderboard: Jinja2 is not installed (Debian: apt-get install python3-jinja2), so no pages are written",
          file=sys.stderr)
    sys.exit(69)

MOST_SHOWN = 1 << 18  # bytes of a source, as many as grade reads
FIELDS = "rank points verdict time reason key name path equal_to".split()
COUNTS = {"ld_requests": "load requests", "ld_sectors": "sectors loaded", "st_requests": "store requests",
          "st_sectors": "sectors stored", "sh_ld_wavefronts": "shared loads, wavefronts",
          "sh_st_wavefronts": "shared stores, wavefronts", "atomic_requests": "atomics",
          "active_lanes": "active lanes", "useful_pct": "useful, %", "warp_max_mean": "busiest warp / mean"}


def marks(text):
    """The text with invisible characters, and those that change the direction of writing, replaced by their numbers."""
    return "".join(c if c in "\n\t" or unicodedata.category(c)[0] != "C" and unicodedata.category(c) not in ("Zl", "Zp")
                   else f"‹U+{ord(c):04X}›" for c in text)


def read_text(path, most):
    """At most `most` bytes of a file; if it cannot be read, the error."""
    try:
        with open(path, "rb") as file:
            return marks(file.read(most).decode("utf-8", "replace").replace("\r\n", "\n"))
    except OSError as error:
        return f"({error.strerror})"


def places(text, file, own, count):
    """Splits a reason into pieces (text, line); line is a line of the source if the piece names one, as in file:31.

    Reasons name the one of several equal files that was graded; its name `file` is replaced by `own`.
    """
    pieces, at = [], 0
    for found in re.finditer(r"(?<![\w/.])" + re.escape(file) + r"(?::(\d{1,6}))?(?!\w)", text) if file else ():
        line = int(found[1]) if found[1] and 1 <= int(found[1]) <= count else None
        pieces += [(text[at:found.start()], None), (own + found[0][len(file):], line)]
        at = found.end()
    return pieces + [(text[at:], None)]


class Submission:
    """A submission, its marks, and the content of its page."""

    def __init__(self, fields, out):
        values = dict(zip(FIELDS, fields))
        self.key, self.path = values["key"].decode("ascii", "replace"), values["path"]
        self.rank, self.points = int(values["rank"]), int(values["points"])
        for field in ("verdict", "time", "reason", "name", "equal_to"):
            setattr(self, field, marks(values[field].decode("utf-8", "replace")).replace("\n", "‹U+000A›"))
        self.done = out / "done" / self.key if self.key else None
        self.page, self.equals, self.steps = "", [], []  # steps of the course that it resembles, with percentages

    def details(self):
        """Reads the rest for its own page only, because all files together would fill the memory."""
        meta, rows = read_record(self.done.with_suffix(".json")) if self.done else ({}, [])
        source = read_text(self.path, MOST_SHOWN).split("\n")
        file, own = marks(meta.get("file", "")), self.name
        lines = read_lines(meta)
        message = "" if meta.get("message", "-") == "-" else marks(meta["message"])
        if not meta and self.done:
            message = read_text(self.done.with_suffix(".txt"), 4000)
        named = set()
        for part in lines:
            what = "".join(text for text, _ in places(marks(part["what"]), file, own, 0))
            part.update(what=what, why=marks(part["why"]))
        for part in lines + [{"why": message}]:
            part["pieces"] = places(part["why"], file, own, len(source))
            named |= {line for _, line in part["pieces"] if line}
        shown = [row for row in rows if row.get("dtype") != "-"]
        predicted = [row for row in shown if row.get("step") == "student" and row.get("predicted_us") is not None]
        self.reason = "".join(text for text, _ in places(self.reason, file, own, 0))
        return {"meta": {key: marks(value) for key, value in meta.items()}, "lines": lines, "source": source,
                "message": places(message, file, own, len(source)), "named": named, "rows": shown,
                "predicted": predicted[-1] if predicted else None,
                "counts": [(key, name) for key, name in COUNTS.items() if any(row.get(key) for row in shown)]}


def number(value):
    """A count or time as a cell; - if there is none."""
    if value is None or value == "-" or value == "":
        return "-"
    return f"{value:,}".replace(",", " ") if isinstance(value, int) else f"{float(value):g}"


def predicted_or_measured(row):
    """The time measured on a GPU, or the predicted one."""
    if row.get("cold_us") is not None:
        return f"{row['cold_us']:.1f}"
    return f"{row['predicted_us']:.1f} predicted" if row.get("predicted_us") is not None else "-"


def write_pages(n, e, out, submissions):
    """Writes all pages to OUT/html.new, which then replaces OUT/html."""
    folder, new = out / "html", out / "html.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    templates = jinja2.FileSystemLoader(pathlib.Path(__file__).parent / "html")
    environment = jinja2.Environment(loader=templates, autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    environment.filters.update(number=number, time=predicted_or_measured)
    files = collections.defaultdict(list)
    for i, s in enumerate(submissions):
        s.page = f"{i + 1:04d}.html"
        files[s.key or s.page].append(s)
    different = [group[0] for group in files.values() if group[0].key]
    found, unknown, left_out = similar(different, pathlib.Path("."), n, e)
    pairs, steps = {}, {}  # highest percentages; for a pair of files the file with the larger common part
    for s, other, percent in found:
        if not isinstance(other, str):
            pairs.setdefault(frozenset((s.key, other.key)), (s, other, percent))
        elif steps.setdefault(s.key, (s, other, percent))[1] != other:
            continue
        else:
            for one in files[s.key]:
                one.steps.append((other, percent))
    for s in submissions:
        s.equals = [other for other in files[s.key or s.page] if other is not s]
    svg = out / "leaderboard.svg"
    picture = "data:image/svg+xml;base64," + base64.b64encode(svg.read_bytes()).decode() if svg.exists() else ""
    common = {"n": n, "e": e, "total": len(submissions), "marked": sum(bool(s.key) for s in submissions)}
    equal = [group for group in files.values() if len(group) > 1]
    page = environment.get_template("index.html")
    (new / "index.html").write_text(
        page.render(submissions=submissions, pairs=list(pairs.values()), steps=list(steps.values()), unknown=unknown,
                    left_out=left_out, picture=picture, equal=equal, **common), encoding="utf-8")
    page = environment.get_template("submission.html")
    for s in submissions:
        (new / s.page).write_text(page.render(s=s, **s.details(), **common), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def main():
    """Reads the list and writes the pages."""
    fields = sys.stdin.buffer.read().split(b"\0")[:-1]
    out = pathlib.Path(sys.argv[3])
    submissions = [Submission(fields[i:i + len(FIELDS)], out) for i in range(0, len(fields), len(FIELDS))]
    try:
        write_pages(sys.argv[1], sys.argv[2], out, submissions)
    except OSError as error:
        print(f"leaderboard: {error.filename}: {error.strerror}", file=sys.stderr)
        shutil.rmtree(out / "html.new", ignore_errors=True)
        return 1
    return 0


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
