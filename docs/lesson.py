"""lesson.py - what a step changes of the step it is from, with the simulator's counts, for make_pages.py.

The lines that matter are those of kernels and what they call; where none of these changes, all that does.  A step of
more than MOST lines, or one whose idea lies elsewhere, says which: // region: step and // end: step around them.
"""
import difflib
import pathlib
import re

from tables import DATA, Mistake

MOST = 50  # lines added and removed; where there are more, those removed are left out
MARK = re.compile(r"\s*// (region|end): \S+$")
ROLE = re.compile(r"v[0-9]+_[^.]*?(_plan)?(\.[a-z]+)")


class File:
    """A file of a step: its lines, and which of them a page may show."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text().splitlines()
        self.first = 1 + next((i for i, line in enumerate(self.lines) if "*/" in line), -1) \
            if self.lines and self.lines[0].startswith("/*") else 0
        self.head = "\n".join(self.lines[:self.first])
        self.part = ["file"] * len(self.lines)
        for i, line in enumerate(self.lines):
            if line.startswith("{"):
                self.function(i)
        self.region = self.marked()

    def function(self, brace):
        """Notes whose function begins there, a kernel's or the host's, with the comment above it."""
        begin = brace
        while begin > self.first and self.lines[begin - 1].strip() \
                and not self.lines[begin - 1].startswith(("}", "//", "#")):
            begin -= 1
        end = next((i for i in range(brace, len(self.lines)) if self.lines[i].startswith("}")), len(self.lines) - 1)
        part = "kernel" if re.search("__global__|__device__", "\n".join(self.lines[begin:brace])) else "host"
        while begin > self.first and self.lines[begin - 1].startswith("//"):
            begin -= 1
        self.part[begin:end + 1] = [part] * (end + 1 - begin)

    def marked(self):
        """The lines of its regions called step, None: it has none."""
        inside, lines = False, set()
        for i, line in enumerate(self.lines):
            if line.strip() in ("// region: step", "// end: step"):
                inside = line.strip().startswith("// region")
            elif inside:
                lines.add(i)
        return lines or None

    def code(self):
        """Numbers of the lines behind the head comment, without regions' marks."""
        return [i for i in range(self.first, len(self.lines)) if not MARK.match(self.lines[i])]


class Chapter:
    """The steps of a chapter, and what the simulator counted in their lines."""

    def __init__(self, name):
        self.name, self.files, self.counts, self.inputs = name, {}, {}, {}
        for path in [*pathlib.Path(name).glob("v*_*.*"), *pathlib.Path(name).glob("*/v*_*.*")]:
            if path.suffix in (".cu", ".c", ".h"):
                step = number(path)
                self.files.setdefault(step, {})["".join(ROLE.fullmatch(path.name).groups(default=""))] = File(path)
        for record in sorted((DATA / "simt").glob(name + "_lines*.tsv")):
            rows = [line.split("\t") for line in record.read_text().splitlines()]
            for row in rows[1:]:
                cells = dict(zip(rows[0], row))
                self.inputs.setdefault(cells["step"], f"{cells['case']}, {cells['dtype']}")
                self.counts.setdefault((cells["step"], cells["file"], int(cells["line"])), []).append(cells)

    def parent(self, step):
        heads = "\n".join(f.head for f in self.files[step].values())
        found = re.search(r"^ \* From +(v[0-9]+)$", heads, re.M)
        return found[1] if found else None

    def inherited(self, step, role):
        """The file that a step takes for a role: its own, or that of the nearest step before it."""
        while step:
            if role in self.files[step]:
                return self.files[step][role]
            step = self.parent(step)
        return None

    def counted(self, step, file, i):
        """What the simulator counted in that line, as a line of its own."""
        said = []
        for cells in self.counts.get((step, str(file.path), i + 1), []):
            if cells["source"] != file.lines[i].strip():
                raise Mistake(f"{file.path}:{i + 1} is not the line that was counted: make record N={self.name[:2]} "
                              f"BACKEND=simt GPU=simt")
            unit = "wavefronts" if cells["does"].startswith("shared") else "sectors"
            each, lanes = of(cells["per_request"], unit), of(cells["lanes"], "lanes")
            said.append(f"{cells['does']} {cells['requests']} × {each}, {lanes}")
        return "#   " + " · ".join(said) if said else None


def of(text, unit):
    return f"{float(text):.3g} {unit[:-1] if float(text) == 1 else unit}"


def number(path):
    """v3, of v03_sequential.cu."""
    return "v" + re.match("v0*([0-9]+)", path.name)[1]


def renamed(line, old, new):
    return re.sub(rf"(?<![A-Za-z0-9]){old}(?![A-Za-z0-9])", new, line.strip()) if old else line.strip()


def changes(chapter, step, role):
    """(new file, old file, [(sign, file, line number)]) of one role: + added, - removed, blank: as before."""
    new, parent = chapter.files[step][role], chapter.parent(step)
    old = chapter.inherited(parent, role) if parent else None
    rows, new_code = [], new.code()
    if not old:
        return [("+" if parent else " ", new, i) for i in new_code]
    old_code, before = old.code(), number(old.path)
    matcher = difflib.SequenceMatcher(None, [renamed(old.lines[i], before, step) for i in old_code],
                                      [renamed(new.lines[i], step, step) for i in new_code], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            rows += [(" ", new, j) for j in new_code[j1:j2]]
        else:
            rows += [("-", old, i) for i in old_code[i1:i2]] + [("+", new, j) for j in new_code[j1:j2]]
    return whole(rows)


def whole(rows):
    """Added functions from their first line to their last, not from the } of the one above to their own but the }."""
    start = None
    for k, (sign, file, i) in enumerate(rows):
        if sign == "+":
            start = k if start is None else start
            continue
        if sign == " " and start is not None:
            first = rows[start]
            if file.lines[i] == "}" == first[1].lines[first[2]]:
                rows[start], rows[k] = (" ", *first[1:]), ("+", file, i)
        start = None
    return rows


def wanted(rows, part):
    """Which rows a page shows: those of the region step, else the changed ones of that part, with their neighbours."""
    region = next((f.region for sign, f, _ in rows if sign != "-" and f.region), None)
    keep, inside = set(), False
    for k, (sign, file, i) in enumerate(rows):
        if sign != "-":
            inside = region is not None and i in region
        if region is not None:
            if inside and sign != " ":
                keep.add(k)
        elif sign != " " and file.part[i] in part and not re.match(r"#include|\s*$", file.lines[i]):
            keep.add(k)
    return keep


def show(chapter, step, rows, keep):
    """The lines of a fenced diff: what is kept, a line around it, and what was counted there."""
    near = {k + d for k in keep for d in (-1, 0, 1) if 0 <= k + d < len(rows) and (d == 0 or rows[k + d][0] == " ")}
    lines, last = [], None
    for k in sorted(near):
        sign, file, i = rows[k]
        if not file.lines[i].strip() and k not in keep:
            continue
        if last is not None and any(file.lines[i].strip() for s, file, i in rows[last + 1:k] if s == " "):
            lines.append("@@")
        sign, file, i = rows[k]
        lines.append((sign + file.lines[i]).rstrip())
        whose = number(file.path)
        counted = chapter.counted(step if sign != "-" else whose, file, i)
        if counted:
            lines.append(counted)
        last = k
    return lines


def folder_of(page):
    """The chapter of a page: 07_load_balance, of the page of that name and of those of its acts, 07a_... ."""
    return next((p.name for p in sorted(pathlib.Path(".").glob(page[:2] + "_*")) if p.is_dir()), page)


def short_way(page):
    """The steps on the short way through the chapter: v1, v3, v8."""
    steps = pathlib.Path(folder_of(page), "steps.def").read_text()
    return ", ".join(re.findall(r"^[A-Z_]+\((v[0-9]+),.*\) // short$", steps, re.M))


def chapter_of(page):
    """The steps of a page's chapter, read once."""
    name = folder_of(page)
    if name not in chapters:
        chapters[name] = Chapter(name)
    return chapters[name]


def tree(page, act):
    """The steps of an act as a tree, with the times of the record of its chapter; * is a step of the short way."""
    chapter, short = chapter_of(page), short_way(page).split(", ")
    kernels = {v: files[".cu"].path for v, files in chapter.files.items()}
    steps = sorted((v for v in kernels if kernels[v].parent.name == act), key=lambda v: int(v[1:]))
    children = {}
    for v in steps:
        children.setdefault(chapter.parent(v), []).append(v)
    rows = [line.split("\t") for line in (DATA / "h200" / f"{chapter.name}.tsv").read_text().splitlines()
            if not line.startswith("#")]
    rows = [dict(zip(rows[0], row)) for row in rows[1:]]
    largest = max((r for r in rows if r["kind"] == "gpu" and r["status"] == "ok"), key=lambda r: float(r["bytes"]))
    us = {r["step"]: r["cold_us"] for r in rows if (r["case"], r["dtype"]) == (largest["case"], largest["dtype"])}
    lines = [f"{'step':8} {'cold us':>9}  idea ({largest['case']}, {largest['dtype']})"]

    def behind(v):
        return sum(1 + behind(c) for c in children.get(v, []))

    def show(v, indent):
        idea = re.match(r" \* .* v[0-9]+ - (.*)", chapter.files[v][".cu"].lines[1])[1]
        lines.append(f"{indent + v + '*' * (v in short):8} {us.get(v, '-'):>9}  {idea}")
        follow = sorted(children.get(v, []), key=behind)  # the longest branch goes on in its parent's column
        for i, c in enumerate(follow):
            show(c, indent if i == len(follow) - 1 else indent + "  ")

    for parent, first in children.items():
        if parent is None or parent not in steps:
            if parent:
                lines.append(f"({parent})")
            for v in first:
                show(v, "  " if parent else "")
    return "```text\n" + "\n".join(lines) + "\n```"


chapters = {}


def lesson(page, depth, words, step):
    """The code of a step as a fenced diff.  words: of the line above it, in the page's language."""
    chapter_name, chapter = folder_of(page), chapter_of(page)
    if step not in chapter.files:
        raise Mistake(f"{chapter_name} has no step {step}")
    parent, blocks = chapter.parent(step), []
    roles = {role: changes(chapter, step, role) for role in sorted(chapter.files[step])}
    marked = any(f.region for f in chapter.files[step].values())
    for part in (("kernel",), ("kernel", "file", "host")):
        for role, rows in roles.items():
            if not parent:
                keep = {k for k, (_, f, i) in enumerate(rows) if f.part[i] == "kernel" or (f.region and i in f.region)}
            elif marked and not chapter.files[step][role].region:
                keep = set()
            else:
                keep = wanted(rows, part)
            if sum(rows[k][0] != " " for k in keep) > MOST:
                keep = {k for k in keep if rows[k][0] != "-"}
            if len(keep) > MOST:
                raise Mistake(f"{chapter.files[step][role].path} changes {len(keep)} lines: put // region: step and "
                              f"// end: step around those that matter")
            if keep:
                blocks.append((chapter.files[step][role], show(chapter, step, rows, keep)))
        if blocks:
            break
    if not blocks:
        raise Mistake(f"{chapter_name} {step} changes no line that could be shown")
    text = []
    for file, lines in blocks:
        link = f"[`{file.path.relative_to(chapter_name)}`]({'../' * depth}{file.path})"
        above = words["from" if parent else "first"].format(link=link, parent=parent)
        if step in chapter.inputs:
            above += words["counted"].format(input=chapter.inputs[step])
        text.append(above + words["end"] + "\n\n```diff\n" + "\n".join(lines) + "\n```")
    return "\n\n".join(text)
