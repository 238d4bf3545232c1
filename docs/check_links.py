#!/usr/bin/env python3
"""Do the pages speak of things that are there?  Prints page:line and what is missing, and exits with 1.

In README*.md and the pages of docs/ it looks at links, headings, files, make goals, variables and options; in their
sources, docs/pages, at records and steps.  The functions link to step say what each of them must match.
"""
import collections
import fnmatch
import functools
import glob
import os
import pathlib
import re
import sys


# ---- what there is ------------------------------------------------------------------------------

def walk():
    """All files of the course, none of what is built."""
    for folder, folders, files in os.walk("."):
        if folder == ".":
            folders[:] = set(folders) - {"build", ".git", ".scratch", "work"}
        yield from (os.path.normpath(os.path.join(folder, name)) for name in files)


@functools.cache
def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")


def found(pattern, *places):
    """Where the pattern stands in files: the path, and what its groups hold."""
    for path in (path for place in places for path in sorted(glob.glob(place, recursive=True))):
        yield from ((path, groups) for groups in re.findall(pattern, read(path), re.M))


def find_options():
    """Each option, and who has it: a chapter by its number, "all" of them, or "scripts"."""
    options = collections.defaultdict(set)
    for path, name in found(r"""^.*{"([a-z][a-z0-9-]*)", *(?:OPT_[A-Z_]*|'.'),""", "0?_*/**/*.c", "common/**/*.c"):
        if "/test" not in path:
            options[name].add("all" if path.startswith("common") else path[:2])
    scripts = "docs/*.sh", "docs/book/*.sh", "common/workshop/tools/*.sh", "common/simtcc/simtcc"
    for _, name in found("--([a-z][a-z-]*)", *scripts):
        options[name].add("scripts")
    return options


def find_steps():
    """Chapter and step: STEP(v3, ...), CPU("c6/1", ...), SAME(v3, 8, ...): v3/8.  c6 stands for its variants, too."""
    patterns = r'^[A-Z_]+\("?([vc]\d[^",]*)"?, *()"', r'^(?:CPU|FORMAT)\("?(c\d[^",]*)"?,()', r"^SAME\((v\d+), *(\w+),"
    for pattern in patterns:
        for path, (name, variant) in found(pattern, "0?_*/*.def"):
            yield path[:2], f"{name}/{variant}" if variant else name
            yield path[:2], name.split("/")[0]


os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FILES = sorted(walk())
NAMES = {os.path.basename(path) for path in FILES}
CHAPTERS = {path[:2]: path for path in glob.glob("0?_*")}
RULES = "Makefile", "*/goals.mk", "*/*/goals.mk", "*/*/*/goals.mk"
GOALS = {name for _, names in found("^([a-z][a-z0-9 -]*):", *RULES) for name in names.split()}
VARIABLES = {re.sub("[^A-Z_]", "", use) for _, use in found(
    r"\$\([A-Z_]+\)|\$\$[A-Z_]+|^[A-Z_]+ *[?:]*=", *RULES, "common/workshop/build/*.mk", "docs/book/*.mk")}
OPTIONS = find_options()
STEPS = set(find_steps())


def chapter_of(page):
    """The number of the chapter to which the page belongs, or nothing."""
    return "".join(re.findall("^(0[0-9])[a-z]?_", os.path.basename(page)))


def lines_of(text):
    """Each line with its number, and whether it stands in a block of code; the marks around a block are left out."""
    fenced = False
    for n, line in enumerate(text.split("\n"), 1):
        if line.lstrip(" ").startswith("```"):
            fenced = not fenced
        else:
            yield n, line, fenced


@functools.cache
def headings(page):
    """The headings of a page as they are linked to: small letters, no punctuation, blanks become hyphens."""
    names, seen = set(), collections.Counter()
    for _, line, fenced in lines_of(read(page)):
        if not fenced and re.match("#+ ", line):
            line = re.sub("<!--[^>]*-->", "", line.lstrip("#").strip())
            line = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line)
            name = re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-")
            names.add(f"{name}-{seen[name]}" if seen[name] else name)
            seen[name] += 1
    return names


# ---- claims: their kind, what the page names, and whether it is there ---------------------------

def link(page, target):
    """[text](target): the file or folder exists, seen from the page."""
    return "link", target, os.path.exists(os.path.join(os.path.dirname(page), target))


def heading(page, target):
    """[text](target#name): a heading of that page; of this one without a target."""
    path, _, name = target.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    return "heading", target, os.path.isfile(path) and name in headings(path)


def file(page, path):
    """In backticks: it is in the page's folder, at the root, in the page's chapter, or, a bare name, anywhere."""
    folders = os.path.dirname(page), ".", CHAPTERS.get(chapter_of(page), ".")
    return "file", path, path in NAMES or any(os.path.exists(os.path.join(folder, path)) for folder in folders)


def goal(name):
    """`make GOAL` and `./bootstrap GOAL`, in backticks or in a block of code: the Makefiles have it; 5 is 05_*."""
    return "goal", name, name in GOALS or name in CHAPTERS.values() or "0" + name in CHAPTERS


def variable(name):
    """`make N=5 V=3`: the Makefiles use $(N) and $(V), or in the shell $$V."""
    return "variable", name, name in VARIABLES


def option(name, chapter):
    """`--lanes`: some program has it; `make run N=5 ARGS="--lanes"`: chapter 05 has it."""
    there = OPTIONS[name] & {chapter, "all"} if chapter else OPTIONS[name]
    return "option", name + f" (chapter {chapter})" * bool(chapter), there or name in ("help", "usage", "version")


def record(number):
    """A measured number that somebody typed: it has no record, where one could find it again."""
    return "record", number, False


def step(name, chapters):
    """v3, c5, v3/8: a step of the page's chapter or of one that the paragraph has named; of any if there are none."""
    return "step", name, any((chapter, name) in STEPS for chapter in chapters or CHAPTERS)


# ---- where they stand in a page -----------------------------------------------------------------

def options(text, chapter):
    return [option(name, chapter) for name in re.findall(r"(?<!\S)--([a-z][a-z0-9-]*)", text)]


def command(text):
    """The goals, variables and options of a command line."""
    text = re.sub(r"\s+#.*", "", text)
    program = re.match(r"(?:build|\$\(?BUILD\)?)/\S*/bin/(0[0-9])_", text)
    if program:
        yield from options(text, program[1])
    if not re.match(r"(make|\./bootstrap)( |$)", text):
        return
    chapter = re.search("(?:N=| chapter | run )([0-9])", text)
    for quoted in re.findall('"([^"]*)"', text):
        yield from options(quoted, "0" + chapter[1] if chapter else "")
    text = re.sub(r"^\./bootstrap (cuda|mkl|packages)", "./bootstrap", text)  # words that are not for make
    words = iter(re.sub('"[^"]*"', "", text).split()[1:])
    for word in words:
        if word[0] in "|;&>":
            return
        if word in ("-C", "-f"):
            next(words, None)
        elif re.fullmatch("[a-z0-9][a-z0-9_-]*", word):
            yield goal(word)
        elif re.match("[A-Z_]+=", word):
            yield variable(word.split("=")[0])


def path_in(word):
    """The path if the word looks like a file of the course, or nothing."""
    word = re.sub(":[0-9]+$", "", word.rstrip(":.,"))
    if not re.fullmatch("[A-Za-z0-9_.][A-Za-z0-9_./-]*", word) or re.match(r"build|work|my\.cu|\.\.?[^/]", word):
        return ""
    word = word.removeprefix("./")
    if re.fullmatch(r"[A-Z]+\.[a-z]+", word) and not word.startswith(("README", "LICENSE")):
        return ""  # FILE.cu: the reader fills it in
    named = re.search(r"[^/.]\.(c|h|cu|cpp|hpp|md|sh|awk|gp|gpi|tsv|mk|svg|png|sed)$", word)
    return word if named or re.match("(0[0-9]_[a-z_]+|common|docs|plots)/", word) else ""


def claims_of_page(page):
    for n, line, fenced in lines_of(read(page)):
        if fenced or line.startswith("    "):
            yield n, command(re.sub(r"^\s*(\$ )?", "", line))
        if fenced:
            continue
        targets = re.findall(r"\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]*)?[^)]*\)", line)
        yield n, [heading(page, path + name) for path, name in targets if name]
        yield n, [link(page, path) for path, _ in targets if path]
        for code in re.findall("`([^`]*)`", re.sub("<!--[^>]*-->", "", line)):
            yield n, command(code)
            yield n, options(code, "") if code.startswith("--") else []
            words = code.split()
            yield n, [file(page, path_in(word)) for word in words if (len(words) == 1 or "/" in word) and path_in(word)]


def claims_of_source(page):
    """The steps and numbers that stand outside of placeholders."""
    text = re.sub(r"\{[{%][^}]*\}", lambda placeholder: re.sub(".", " ", placeholder[0]), read(page))
    named, above = "", ""  # chapters in this paragraph; the line above
    for n, line, fenced in lines_of(text):
        if line == "":
            named, above = "", ""
        if fenced:
            continue
        named += " ".join(["", *re.findall("(?<![0-9.])0[1-9](?![0-9])", line)])
        words = re.sub(r"\]\(.*?\)", "]", line)  # without targets of links
        for name in re.findall(r"(?<![\w./-])[vc]\d+(?:/[a-z\d-]+)?(?!\w)", words, re.A):
            for one in name.split("/") if re.search(r"/[vc]\d", name) else [name]:  # v3/v4 are two
                yield n, [step(one, (chapter_of(page) + named).split())]
        if not re.search("article|data sheet|文章|数据手册", above + line):
            numbers = re.findall(r"\d+\.\d+ *(?:µs|us|ms|GB/s)|\d+\.\d\d+ *×", re.sub("`[^`]*`", "", line), re.A)
            yield n, [record(number) for number in numbers if not number.startswith("1.00")]
        above = line


def main():
    missing = False
    for page in sorted(glob.glob("README*.md")) + fnmatch.filter(FILES, "docs/*.md"):
        for n, claims in claims_of_source(page) if page.startswith("docs/pages/") else claims_of_page(page):
            for kind, what, there in claims:
                if not there:
                    print(f"{page}:{n}: no such {kind}: {what}")
                    missing = True
    return missing


if __name__ == "__main__":
    sys.exit(main())
