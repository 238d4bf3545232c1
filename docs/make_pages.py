#!/usr/bin/env python3
"""Makes the pages of the course: docs/pages/NAME.md becomes docs/NAME.md, docs/pages/README.md becomes README.md.

A source is Markdown with placeholders (Jinja2).  Names are given in its first lines:
  {% set h200 = record("h200/01_reduce", "fp32") %}   plots/data/h200/01_reduce.tsv; rows of fp32 where no type is named
  {% set web = "like:webbase-1M" %}                   any other name
  {% set v3 = h200.step("v3") %}                      for a step that is named often: {{ v3(web) }}
and then stand for numbers, tables and code:
  {{ h200("v3") }}                            the column cold_us of the row v3; "v2/v3" is a ratio, "c7//c9/16" one of
                                              steps that have a / in their names
  {{ h200("v3", web, "fp64").warm_us }}       of that case and type, another column
  {{ h200.floor_us }}                         a header line of the record
  {{ h200.cells("v1 v2 v3", web) }}           the same of several steps, as cells of a table's row
  {{ table(h200, case=web, not_step="cub,v9", columns="step | cold_us=all, µs | x_v1") }}
                                              a row for each row that is ok and matches; headings that are not given
                                              are those of docs/pages/columns.tsv
  {{ code("01_reduce/v03_sequential.cu", "tree") }}    what stands between // region: tree and // end: tree
  {{ short_way() }}                           on a chapter's page: the steps that its steps.def marks so: v1, v3, v8
  {{ tree("b_bins") }}                        the steps of an act of the page's chapter, as make tree shows them
  {{ result("v3", "us:web sectors:law") }}    a step beside the one it is from (result.py)
  {{ step("v3") | indent(2) }}                on a chapter's page: what v3 changes (lesson.py)
  {{ reports() }}                             the simulator's reports, from docs/pages/reports.tsv
  {{ at("07", "v17") }}                       a link to the section of that step on the page of that chapter

Columns of a table beside the record's own, all from cold_us: x_prev (times as fast as the row above), x_first,
x_STEP (as that step), pays_STEP (runs after which the set-up is paid back against it); pct_peak (of the data sheet's
bandwidth); sect_per_req.  Prose is wrapped at 100 columns.
"""
import argparse
import csv
import pathlib
import re
import sys
import textwrap
import traceback

try:
    import jinja2
except ImportError:
    sys.exit("make_pages.py: Jinja2 is not installed (Debian: apt-get install python3-jinja2)")

sys.dont_write_bytecode = True
import example_acts
import example_formats
import example_epochs
import example_tiles
import example_vectors
from example import LITTLE
from fill import fill
from lesson import chapter_of, lesson, short_way, tree
from result import result
from tables import Mistake, record, table

PAGES = pathlib.Path("docs/pages")


# ---- code ---------------------------------------------------------------------------------------

MARK = re.compile(r"\s*// (region|end): (\S+)$")
ABOVE_A_STEP = (  # English, Chinese
    {"first": "{link}", "from": "{link} beside {parent}", "counted": "; counted on {input}", "end": ":"},
    {"first": "{link}", "from": "{link} 与 {parent} 相比", "counted": "；计数的输入：{input}", "end": "："})


class Regions:
    """The regions of all sources, and which of them a page has quoted."""

    def __init__(self):
        self.lines, self.place, self.quoted, self.mistakes = {}, {}, set(), []
        for path in sorted([*pathlib.Path(".").glob("0?_*/**/*"), *pathlib.Path("common").glob("**/*")]):
            if path.suffix in (".c", ".h", ".cu", ".cuh", ".cpp", ".hpp", ".def"):
                self.read(path)

    def read(self, path):
        opened = {}
        for n, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            mark = MARK.match(line)
            if not mark:
                for lines in opened.values():
                    lines.append(line)
                continue
            kind, key = mark[1], (str(path), mark[2])
            if kind == "region" and key in self.place:
                self.mistakes.append(f"{path}:{n}: region {mark[2]} is there twice, first in line {self.place[key]}")
            elif kind == "region":
                self.place[key], opened[key] = n, []
            elif key in opened:
                self.lines[key] = opened.pop(key)
            else:
                self.mistakes.append(f"{path}:{n}: the end of a region {mark[2]} that is not open")
        for key in opened:
            self.mistakes.append(f"{path}:{self.place[key]}: region {key[1]} has no // end: {key[1]}")

    def code(self, path, name):
        if not pathlib.Path(path).is_file():
            raise Mistake(f"no file {path} to quote")
        if (path, name) not in self.lines:
            known = ", ".join(n for p, n in self.lines if p == path)
            raise Mistake(f"{path} has no region {name}: put // region: {name} and // end: {name} around it"
                          + (f"; it has {known}" if known else ""))
        self.quoted.add((path, name))
        language = "c" if path.endswith((".c", ".h")) else "cpp"
        return f"```{language}\n" + textwrap.dedent("\n".join(self.lines[path, name])) + "\n```"

    def unused(self):
        return [f"{p}:{self.place[p, n]}: region {n} is on no page: "
                f"quote it with code(\"{p}\", \"{n}\"), or delete its comments"
                for p, n in self.lines if (p, n) not in self.quoted and n != "step"]


# ---- pages --------------------------------------------------------------------------------------

def chinese_first(name):
    """The glossary, which has both languages, for its Chinese page: from its first section on, Chinese before English."""
    lines = (PAGES / name).read_text().splitlines()
    lines = lines[next(i for i, line in enumerate(lines) if line.startswith("## ")):]
    for i, line in enumerate(lines):
        if line.startswith("## "):
            english, chinese = line[3:].split(" · ")
            lines[i] = f"## {chinese} · {english}"
        elif line.startswith("|"):
            cells = [c.strip() for c in line.strip("|").split("|")]
            if len(cells) != 4:
                raise Mistake(f"{PAGES / name}: {len(cells)} cells, not 4: {line}")
            lines[i] = f"| {cells[0] if cells[1] == '同名' else cells[1]} | {cells[0]} | {cells[3]} |"
    return "\n".join(lines)


def made_from(source):
    """Where a page is made: docs/NAME, but the two README at the root."""
    name = source.relative_to(PAGES)
    return pathlib.Path(name if str(name) in ("README.md", "README.zh.md") else "docs" / name)


# The modules of a chapter's worked examples (example.py).
EXAMPLES = {"05": (example_vectors, example_tiles), "07": (example_tiles, example_formats, example_acts),
            "spmv-distributed": (example_epochs,)}


def example_of(chinese):
    """{{ example("07", "marks") }}: that idea carried out on the little matrix."""
    def example(chapter, idea):
        for module in EXAMPLES.get(chapter, ()):
            if hasattr(module, idea):
                return getattr(module, idea)(LITTLE, module.CHINESE.__getitem__ if chinese else str)
        raise Mistake(f"there is no worked example {idea} of chapter {chapter}")
    return example


def section(source, chapter, step):
    """A link to the section of a step, on the page of that chapter in the language of `source`."""
    chinese = "zh" in source.parts
    pages = sorted((PAGES / "zh" if chinese else PAGES).glob(f"{chapter}*_*.md"))
    for page in pages:
        for heading in re.findall(r"^##+ (.*)$", page.read_text(), re.MULTILINE):
            if re.search(rf"\b{step}\b", re.split("[:：]", heading)[0]):
                anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
                return f"[{step}]({page.name}#{anchor})"
    raise Mistake(f"chapter {chapter} has no section of {step}")


def reports(chinese):
    """The table of the simulator's reports.  Their words, and what they say to do, must be in its sources."""
    sources = "".join(path.read_text() for path in pathlib.Path("common/simulator/simt").glob("*/*.cpp"))
    sources = re.sub(r'"\s*"', "", sources)  # strings that the compiler joins
    lines = ["| 消息 | 含义 | 怎么办 |" if chinese else "| message | meaning | what to do: its `note` |"]
    lines.append("| :-- | :-- | :-- |")
    text = (PAGES / "reports.tsv").read_text()
    rows = (line for line in text.splitlines() if not line.startswith("#"))
    for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
        missing = [words for words in (row["words"] + " / " + row["cure"]).split(" / ") if words not in sources]
        if missing:
            raise Mistake(f"docs/pages/reports.tsv: the simulator prints no report with the words: {missing[0]}")
        row["cure"] = "; ".join(f"`{note}`" for note in row["cure"].split(" / "))
        cells = [row[name + "_zh" * chinese] for name in ("message", "meaning", "cure")]
        if cells[0] == "=":
            cells[0] = row["message"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def render(environment, source, regions):
    """The page, or a Mistake that names the line of its source."""
    chinese = source.parts[2] == "zh" or source.name == "README.zh.md"
    try:
        template = environment.get_template(str(source.relative_to(PAGES)))
        text = template.render(example=example_of(chinese), record=record, code=regions.code,
                               chinese_first=chinese_first, at=lambda c, v: section(source, c, v),
                               short_way=lambda: short_way(source.stem), tree=lambda act: tree(source.stem, act),
                               reports=lambda: reports(chinese),
                               result=lambda v, *a: result(int(chinese), chapter_of(source.stem).parent(v), v, *a),
                               step=lambda v: lesson(source.stem, len(source.parts) - 2, ABOVE_A_STEP[chinese], v),
                               table=lambda *a, **k: table(2 if chinese else 1, *a, **k))
    except jinja2.TemplateSyntaxError as error:
        raise Mistake(f"{source}:{error.lineno}: {error.message}") from error
    except (Mistake, jinja2.UndefinedError, TypeError) as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = max((f.lineno for f in frames if f.filename == str(source)), default=1)
        help_ = ": set it in the first lines of the page" if isinstance(error, jinja2.UndefinedError) else ""
        raise Mistake(f"{source}:{line}: {error}{help_}") from error
    return f"<!-- made from {source} by make docs -->\n\n" + fill(text.strip("\n"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, say which pages differ from their sources")
    check = parser.parse_args().check
    parsed = pathlib.Path("build/pages")  # parsed sources, by their digests: half of the time
    parsed.mkdir(parents=True, exist_ok=True)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(PAGES), undefined=jinja2.StrictUndefined,
                                     trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
                                     bytecode_cache=jinja2.FileSystemBytecodeCache(str(parsed)))
    regions, made, mistakes = Regions(), set(), []
    failed = False
    for source in sorted(PAGES.glob("**/*.md")):
        page = made_from(source)
        made.add(page)
        try:
            text = render(environment, source, regions)
        except Mistake as mistake:
            mistakes.append(str(mistake))
            failed = True
            continue
        if page.is_file() and page.read_text() == text:
            continue
        if check:
            mistakes.append(f"{page} differs from {source}: edit {source}, then make docs")
        else:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text)
            print(page)
    if not failed:  # a page that cannot be made may be the one that quotes it
        mistakes += regions.unused()
    for page in pathlib.Path("docs").glob("**/*.md"):
        if page not in made and PAGES not in page.parents:
            mistakes.append(f"{page} has no source {PAGES / page.relative_to('docs')}: move it there, then make docs")
    mistakes += regions.mistakes
    print("".join(m + "\n" for m in mistakes), end="", file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
