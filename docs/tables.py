"""tables.py - numbers and tables of plots/data, for make_pages.py."""
import collections
import functools
import pathlib
import re

DATA = pathlib.Path("plots/data")
HEADINGS = pathlib.Path("docs/pages/columns.tsv")  # column, English, Chinese
IDEAS = pathlib.Path("docs/pages/ideas.tsv")  # a step's idea, in Chinese
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")


class Mistake(Exception):
    """What is wrong with a placeholder, and what to do."""


def pretty(text):
    """A number as a reader wants it, three to four digits, whole counts untouched; other text as it is."""
    if not NUMBER.fullmatch(text):
        return text or "-"
    v = float(text)
    if v == int(v) or abs(v) >= 1000:
        return f"{v:.0f}"
    if abs(v) >= 100:
        return f"{v:.1f}"
    return f"{v:.2f}" if v >= 0.01 else f"{v:.2g}"


def number(text):
    """0 for what is no number."""
    return float(text) if NUMBER.fullmatch(text) else 0.0


class Cells(dict):
    """What a record says in a row: column to text."""

    def __init__(self, name, columns, cells):
        super().__init__(zip(columns, cells))
        self.name = name

    def __missing__(self, column):
        raise Mistake(f"{self.name} has no column {column}; it has {', '.join(self)}")


class Row:
    """A row of a record, or a ratio of two; in a page it prints one column."""

    def __init__(self, record, cells, divisor=None):
        self.record, self.cells, self.divisor = record, cells, divisor

    def __getitem__(self, column):
        value = self.cells[column]
        if self.divisor is None:
            return pretty(value)
        below = self.divisor[column]
        if not NUMBER.fullmatch(value) or number(below) <= 0:
            raise Mistake(f"{self.record.name}: {value} / {below} in {column} is no ratio: is there another column?")
        return f"{number(value) / number(below):.2f}"

    def __str__(self):
        return self[self.record.column]


def choice(rows, *columns):
    """What there is to choose from; twelve are enough to see what names look like."""
    names = list(dict.fromkeys(" ".join(row.get(c, "") for c in columns) for row in rows))
    return ", ".join(names[:12] + ["..."] * (len(names) > 12))


class Record:
    """plots/data/NAME.tsv: header lines, and rows that are found by step, case and type."""

    def __init__(self, name):
        self.name, self.head, self.body, columns = name, {}, [], None
        path = DATA / (name + ".tsv")
        if not path.is_file():
            raise Mistake(f"no record {path}: take a name from plots/data, or make record")
        for line in path.read_text().splitlines():
            cells = line.split("\t")
            if line.startswith("# "):
                key, _, value = line[2:].partition(": ")
                self.head[key] = value
            elif columns is None:
                columns = cells
            else:
                self.body.append(Cells(name, columns, cells))
        self.of_step = collections.defaultdict(list)
        for row in self.body:
            self.of_step[row.get("step")].append(row)
        self.dtypes = {row.get("dtype") for row in self.body}

    def of(self, dtype, column):
        """The same record with a type and a column of its own for what does not name them."""
        other = Record.__new__(Record)
        other.__dict__.update(self.__dict__, dtype=dtype, column=column)
        return other

    def find(self, step, words):
        """The cells of the one row of that step whose case and type are among the words."""
        if self.dtype and self.dtypes.isdisjoint(words):
            words = [*words, self.dtype]
        of_step = self.of_step.get(step, [])
        found = [r for r in of_step if all(w in (r.get("case"), r.get("dtype")) for w in words)]
        wanted = " ".join([step, *words])
        if not found:
            known = choice(of_step, "case", "dtype") if of_step else choice(self.body, "step")
            raise Mistake(f"{self.name} has no row {wanted}; it has {known}")
        if len(found) > 1:
            raise Mistake(f"{self.name} has {len(found)} rows {wanted}: name one of {choice(found, 'case', 'dtype')}")
        return found[0]

    def __call__(self, step, *words):
        if "/" in step and step not in self.of_step:
            above, _, below = step.partition("//" if "//" in step else "/")
            return Row(self, self.find(above, words), self.find(below, words))
        return Row(self, self.find(step, words))

    def cells(self, steps, *words, column=None):
        """The cells of a row of a Markdown table: the column of each of the steps, "v1 v2 v3"."""
        return " | ".join(self(step, *words)[column or self.column] for step in steps.split())

    def step(self, step):
        """For pages that name one step often: {% set plan = summary.step("libspmv_plan") %}."""
        return lambda *words: self(step, *words)

    def __getitem__(self, key):
        if key not in self.head:
            raise Mistake(f"{self.name} has no header line {key}; it has {', '.join(self.head)}")
        return pretty(self.head[key])


records = {}


def record(name, dtype=None, column="cold_us"):
    if name not in records:
        records[name] = Record(name)
    return records[name].of(dtype, column)


# ---- tables -------------------------------------------------------------------------------------

def headings(language):
    """The heading of each column that has one of its own, in English (1) or Chinese (2)."""
    rows = [line.split("\t") for line in HEADINGS.read_text().splitlines()]
    return {row[0]: row[language] for row in rows}


def times(row, other):
    """How many times as fast as the other."""
    mine, its = number(row["cold_us"]), number(other["cold_us"])
    return f"{its / mine:.2f}" if mine > 0 and its > 0 else "-"


def pays_back(row, other):
    if row is other or not re.search("[0-9]", row["setup_ms"]):
        return "-"
    gain = number(other["cold_us"]) - number(row["cold_us"])
    return f"{1000 * number(row['setup_ms']) / gain + 0.5:.0f}" if gain > 0 else "never"


# STEP(v1, "...", and SAME(v3, 2, "...",
IDEA = re.compile(r'^ *(\w+)\("?([\w/-]+)"?,(?: *(\w+),)?[^"\n]*"([^"\n]+)"', re.M)
ideas = {}  # chapter's number, step: its idea


@functools.cache
def chinese_ideas():
    return dict(line.split("\t") for line in IDEAS.read_text().splitlines())


def idea(row, language, alone=False):
    """What the chapter's list calls that step today: a results file keeps the words of the day on which it was written.

    A row may have added what it ran, "the format with the least estimated time: CSR"; that is kept, unless `alone`.
    """
    if not ideas:
        here = pathlib.Path(".")
        for path in sorted([*here.glob("0?_*/*steps.def"), *here.glob("0?_*/*/*rows.c")]):
            for macro, step, variant, text in IDEA.findall(path.read_text()):
                ideas[str(path)[:2], f"{step}/{variant}" if macro == "SAME" else step] = text
    chapter, _, step = row["step"].partition("/")
    text = ideas.get((row.get("chapter", "")[:2], row["step"]), ideas.get((chapter, step), row["idea"]))
    added = row["idea"].rpartition(": ")[2] if row["idea"].count(": ") > text.count(": ") else ""
    if language == 2:
        if text not in chinese_ideas():
            raise Mistake(f"{IDEAS} has no Chinese for the idea of {row['step']}: {text}")
        text = chinese_ideas()[text]
    return f"{text}{'：' if language == 2 else ': '}{added}" if added and not alone else text


CHINESE_CELLS = {"never": "不回本", "waits": "等待"}  # what a cell says in words


def cell(source, column, row, shown, language):
    """What a table says in that column; shown are the rows above, and this one."""
    same = [row[c] for c in ("case", "dtype") if row.get(c)]
    if column in ("idea", "idea_alone"):
        return idea(row, language, column == "idea_alone")
    if column == "x_prev":
        return times(row, shown[-2]) if len(shown) > 1 and row["kind"] != "peer" else "-"
    if column == "x_first":
        return times(row, shown[0])
    if column.startswith("x_"):
        return times(row, source.find(column[2:], same))
    if column.startswith("pays_"):
        return pays_back(row, source.find(column[5:], same))
    if column == "pct_peak":
        rate, peak = number(row["cold_gbps"]), number(source.head.get("peak_gbps", ""))
        return f"{100 * rate / peak:.1f}" if rate > 0 and peak > 0 else "-"
    if column == "sect_per_req":
        requests = number(row["ld_requests"])
        return f"{number(row['ld_sectors']) / requests:.2f}" if requests > 0 else "-"
    return pretty(row[column])


def table(language, source, columns, **wanted):
    """wanted: column="a,b" or a list keeps the rows that have one of these there, not_column leaves them out."""
    names, titles = [], []
    for column in columns.split("|"):
        name, _, title = column.strip().partition("=")
        names.append(name)
        titles.append(title or headings(language).get(name))
        if titles[-1] is None:
            raise Mistake(f"no heading for the column {name}: write {name}=heading")
    lists = {k: f",{v if isinstance(v, str) else ','.join(v)}," for k, v in wanted.items()}

    def matches(row):
        return row["status"] == "ok" and all(
            (f",{row[k.removeprefix('not_')]}," in v) != k.startswith("not_") for k, v in lists.items())

    left = {"idea", "idea_alone", "step", "case", "happened", names[0]}
    lines = ["| " + " | ".join(titles) + " |", "| " + " | ".join(":--" if n in left else "--:" for n in names) + " |"]
    shown = []
    for row in filter(matches, source.body):
        shown.append(row)
        cells = [cell(source, n, row, shown, language) for n in names]
        lines.append("| " + " | ".join(CHINESE_CELLS.get(c, c) if language == 2 else c for c in cells) + " |")
    if not shown:
        raise Mistake(f"no row of {source.name} matches {wanted}")
    return "\n".join(lines)
